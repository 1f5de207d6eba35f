//! Handles a module that does not answer: it cannot be stopped, so the program ends.

use super::report::replay_codes;
use super::subprocess::Answer;
use crate::failure::Failure;
use crate::output;
use binade_sim::Hang;
use binade_tools::Error;
use serde_json::{Value, json};
use std::process::exit;

/// The exit codes for a wrong unit and for an interrupted run.
const WRONG: i32 = 1;
const INTERRUPTED: i32 = 130;

/// The recipient of the message about a hang.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The user, on stderr.
    User,
    /// The user, and the reader of the JSON output.
    Json,
    /// The suite's process.
    Suite,
}

/// Reports that `module` hangs, and ends the program; `replay` turns the options for a vector into a command.
pub fn conclude(module: &str, replay: impl Fn(&str) -> String, hang: &Hang, audience: Audience) {
    match (hang.is_interrupted, audience) {
        // A failed write changes no verdict.
        (true, Audience::Suite) => _ = Answer::Interrupted.tell(),
        (true, Audience::User | Audience::Json) => {
            Failure::Tool(Error::Interrupted).report();
        }
        (false, _) => {
            let (report, shown) = describe(module, replay, hang);
            match audience {
                Audience::User => output::say(shown),
                Audience::Json => {
                    output::say(shown);
                    let _ = output::print(&output::json(&report));
                }
                Audience::Suite => _ = Answer::Checked { report, shown: Some(shown) }.tell(),
            }
        }
    }
    exit(if hang.is_interrupted { INTERRUPTED } else { WRONG });
}

/// A report, and the text for the user.
fn describe(module: &str, replay: impl Fn(&str) -> String, hang: &Hang) -> (Value, String) {
    let codes: Vec<String> = hang.operands.iter().map(|[name, code]| format!("{name} {code}")).collect();
    let place = match codes.is_empty() {
        true => "before the first vector".into(),
        false => format!("at vector {} ({})", hang.index, codes.join(", ")),
    };
    let replay = (!codes.is_empty()).then(|| replay(&replay_codes(&hang.operands)));
    let seconds = hang.limit.as_secs();
    let scope = format!("no answer for {seconds} s {place}");
    let mut shown = format!("wrong in {module}: {scope}");
    shown.extend(replay.iter().map(|replay| format!("\n  replay {replay}")));
    let hang = json!({"index": hang.index, "operands": codes, "seconds": seconds});
    let report = json!({"module": module, "verdict": "wrong", "scope": scope, "hang": hang, "replay": replay});
    (report, shown)
}
