//! `binade verify --op`: several operations of one module. Each is checked by a command of its own, in which the others run in between.

use crate::failure::Failure;
use crate::output;
use binade_sim::verilator::Beside;
use binade_tools::{run_beside, this_program};
use std::ffi::OsString;
use std::str::FromStr;

/// The option, which stands once for each operation.
const OPTION: &str = "--op";

/// A unit with its options, and the constants with which the module computes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The unit, and options that follow it.
    words: Vec<String>,
    constants: Beside,
}

impl FromStr for Operation {
    type Err = String;

    fn from_str(text: &str) -> Result<Operation, String> {
        let expected = || {
            format!(
                "`{text}`: a unit, a colon and the constants of your module are expected, such as mul:op_i=3,mode_i=0 or \
                 'fmac --acc binary32:op_i=my_pkg::FMADD'"
            )
        };
        // Constants and options may have colons, too.
        let parted = text.match_indices(':').find_map(|(at, _)| Some((&text[..at], text[at + 1..].parse().ok()?)));
        let (unit, constants) = parted.ok_or_else(expected)?;
        let words = shlex::split(unit).filter(|words| !words.is_empty()).ok_or_else(expected)?;
        Ok(Operation { words, constants })
    }
}

/// The operations on a command line, and its other words.
type Separated = (Vec<Operation>, Vec<OsString>);

/// Separates the operations from the other words; `None` if there are no operations.
fn separated(words: &[OsString]) -> Option<Result<Separated, Failure>> {
    let is_verify = words.first().is_some_and(|command| command == "verify");
    let wants_help = words.iter().any(|word| word == "--help" || word == "-h");
    let (mut texts, mut others) = (vec![], vec![]);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.to_str() {
            Some(OPTION) => texts.push(rest.next().cloned().unwrap_or_default().to_string_lossy().into_owned()),
            Some(text) if text.starts_with("--op=") => texts.push(text["--op=".len()..].into()),
            _ => others.push(word.clone()),
        }
    }
    if !is_verify || wants_help || texts.is_empty() {
        return None;
    }
    let parsed: Result<Vec<Operation>, String> = texts.iter().map(|text| text.parse()).collect();
    let refused = ["--unit", "--suite", "--mutate", "--beside"].into_iter().find(|option| {
        others
            .iter()
            .any(|word| word.to_str().is_some_and(|word| word == *option || word.starts_with(&format!("{option}="))))
    });
    Some(match (parsed, refused) {
        (Err(why), _) => Err(Failure::Usage(format!("--op {why}"))),
        (_, Some(option)) => Err(Failure::Usage(format!("--op names the units itself; leave {option} out"))),
        (Ok(operations), None) => Ok((operations, others)),
    })
}

/// The command line that checks one of several operations.
fn command_line(operations: &[Operation], at: usize, others: &[OsString]) -> Vec<OsString> {
    let own = &operations[at];
    let unit = ["--unit".to_string()].into_iter().chain(own.words.iter().cloned());
    let ties = own.constants.0.iter().flat_map(|tie| ["--tie".into(), tie.to_string()]);
    let besides = operations.iter().enumerate().filter(|(other, _)| *other != at);
    let besides = besides.flat_map(|(_, other)| ["--beside".into(), other.constants.to_string()]);
    others.iter().cloned().chain(unit.chain(ties).chain(besides).map(OsString::from)).collect()
}

/// Checks each operation on a command line; `None` if it has none.
pub fn run(words: &[OsString]) -> Option<Result<u8, Failure>> {
    Some(separated(words)?.and_then(|(operations, others)| {
        let mut worst = 0;
        for (at, own) in operations.iter().enumerate() {
            output::say(format_args!("{} with {}:", own.words.join(" "), own.constants));
            let mut command = this_program()?;
            command.args(command_line(&operations, at, &others));
            let status = run_beside(&mut command, "a process for one of several operations")?;
            let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX);
            // A command that cannot be done cannot be done for the other operations, either.
            if code > 1 {
                return Ok(code);
            }
            worst = worst.max(code);
        }
        Ok(worst)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_have_options_and_constants() {
        let parsed = |text: &str| text.parse::<Operation>();
        let dot = parsed("dot --sum align:46,floor=-132 --lanes 4:op_i[1:0]=p::DOT,mode=1").expect("an operation");
        assert_eq!(dot.words, ["dot", "--sum", "align:46,floor=-132", "--lanes", "4"]);
        assert_eq!(dot.constants.to_string(), "op_i[1:0]=p::DOT,mode=1");
        assert!(parsed("mul").is_err() && parsed(":op=1").is_err() && parsed("mul:op").is_err());
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let given = words("verify --format e5m2 --op add:op=1 --verilog x.v --op=mul:op=2,m=0");
        let (operations, others) = separated(&given).expect("operations").expect("parsed");
        assert_eq!(
            command_line(&operations, 0, &others),
            words("verify --format e5m2 --verilog x.v --unit add --tie op=1 --beside op=2,m=0")
        );
        assert!(separated(&words("verify --format e5m2 --unit add")).is_none());
        assert!(separated(&words("verify --op add:op=1 --unit add")).expect("operations").is_err());
    }
}
