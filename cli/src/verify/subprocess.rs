//! Checks a unit of a suite in its own process: a user's module that never answers, or otherwise breaks its process, does not end the
//! suite.

use super::Arguments;
use crate::failure::Failure;
use crate::output;
use binade_campaign::UnitResult;
use binade_tools::{Error, Source, Tools, run_asking, this_program};
use serde::{Deserialize, Serialize};

/// The process's output, as one line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The unit was checked.
    Checked {
        /// What the suite needs of the report.
        report: Box<UnitResult>,
        /// The text for the user about a wrong unit.
        shown: Option<String>,
    },
    /// No verdict; the text gives the reason.
    Failed(String),
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl Answer {
    /// The answer for a checked unit.
    pub fn of(report: &impl Serialize, shown: Option<String>) -> Answer {
        Answer::Checked { report: Box::new(UnitResult::of(report)), shown }
    }

    /// The answer for a unit that could not be checked.
    pub fn of_failure(failure: &Failure) -> Answer {
        match failure {
            Failure::Tool(Error::Interrupted) => Answer::Interrupted,
            failure => Answer::Failed(failure.message().unwrap_or_default()),
        }
    }

    /// Sends the answer to the suite's process.
    pub fn tell(&self) -> Result<(), Failure> {
        output::print(&serde_json::to_string(self).expect("answers are plain data"))
    }
}

/// Checks the unit that these command line words describe.
pub fn check(arguments: &Arguments, tools: &Tools, words: &str) -> Result<(UnitResult, Option<String>), Failure> {
    let mut command = this_program()?;
    let all = format!("verify {words} {}", options(arguments, tools));
    command.args(shlex::split(&all).expect("the words were quoted by us"));
    let (status, stdout) = run_asking(&mut command, "a process for a unit of the suite")?;
    match stdout.lines().last().and_then(|line| serde_json::from_str(line).ok()) {
        Some(Answer::Checked { report, shown }) => Ok((*report, shown)),
        Some(Answer::Failed(why)) => Err(Failure::File(why)),
        Some(Answer::Interrupted) => Err(Failure::Tool(Error::Interrupted)),
        None => {
            let alone = format!("to see it alone: binade verify {words}");
            Err(Failure::File(format!("the process that checked it ended before it had a verdict ({status}); {alone}")))
        }
    }
}

/// The suite's options that apply to each of its units.
fn options(arguments: &Arguments, tools: &Tools) -> String {
    let Arguments { vectors, timeout, .. } = arguments;
    let given = [
        (tools.source() == Source::System, " --tools system"),
        (arguments.coverage.coverage, " --coverage"),
        (arguments.campaign.resume, " --resume"),
        (arguments.waves.no_waves, " --no-waves"),
    ];
    let given: String = given.iter().filter(|(is_given, _)| *is_given).map(|(_, option)| *option).collect();
    format!("--within-suite {} --timeout {timeout}{given}", vectors.choice().options(vectors.seed))
}
