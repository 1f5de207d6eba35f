//! Handles a module that does not answer: it cannot be stopped, so the program ends.

use super::subprocess::Answer;
use crate::failure::Failure;
use crate::guard;
use crate::output;
use binade_sim::Hang;
use binade_tools::Error;
use binade_verdict::Hanging;
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

/// Reports that a module hangs, and ends the program.
pub fn conclude(hang: &Hang, report: Hanging, audience: Audience) {
    match (hang.is_interrupted, audience) {
        // A failed write changes no verdict.
        (true, Audience::Suite) => _ = Answer::Interrupted.tell(),
        (true, Audience::User | Audience::Json) => {
            Failure::Tool(Error::Interrupted).report();
        }
        (false, Audience::User) => output::say(report.shown()),
        (false, Audience::Json) => {
            output::say(report.shown());
            let _ = output::print(&output::json(&report));
        }
        (false, Audience::Suite) => _ = Answer::of(&report, Some(report.shown())).tell(),
    }
    guard::reached_end();
    exit(if hang.is_interrupted { INTERRUPTED } else { WRONG });
}
