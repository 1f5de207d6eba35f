//! A module that does not answer: it cannot be stopped, so the program ends.

use super::Setting;
use crate::failure::Failure;
use crate::output;
use binade_sim::Hang;
use binade_tools::Error;
use serde_json::json;
use std::process::exit;

/// The exit codes of a unit that is wrong, and of a run that was interrupted.
const WRONG: i32 = 1;
const INTERRUPTED: i32 = 130;

/// Says what hangs, and ends the program.
pub fn conclude(setting: &Setting, hang: &Hang, is_json: bool) {
    if hang.is_interrupted {
        Failure::Tool(Error::Interrupted).report();
        exit(INTERRUPTED);
    }
    let module = setting.module();
    let codes: Vec<String> = hang.operands.iter().map(|[name, code]| format!("{name} {code}")).collect();
    let place = match codes.is_empty() {
        true => "before the first vector".into(),
        false => format!("at vector {} ({})", hang.index, codes.join(", ")),
    };
    let replay = (!codes.is_empty()).then(|| setting.replay(&replay_codes(&hang.operands)));
    let seconds = hang.limit.as_secs();
    output::say(format_args!("wrong in {module}: no answer for {seconds} s {place}"));
    replay.iter().for_each(|replay| output::say(format_args!("  replay {replay}")));
    if is_json {
        let hang = json!({"index": hang.index, "operands": codes, "seconds": seconds});
        // That it cannot be written changes no verdict.
        let _ = output::print(&output::json(&json!({
            "module": module, "verdict": "wrong", "hang": hang, "replay": replay
        })));
    }
    exit(WRONG);
}

/// A vector as an option.
pub fn replay_codes(operands: &[[String; 2]]) -> String {
    let codes: Vec<&str> = operands.iter().map(|[_, code]| code.as_str()).collect();
    format!("--replay {}", codes.join(","))
}
