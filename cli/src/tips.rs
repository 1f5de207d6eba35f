//! Tips for command lines that cannot be read: the nearest command, what a word of other tools is called here, and how a unit is chosen.

use binade_spec::{Format, Formats, Unit};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Words that people try, and what they mean here.
const MEANINGS: [(&[&str], &str); 12] = [
    (&["valid-ready", "valid_ready", "handshake"], "that interface is called ready-valid"),
    (&["axis", "axi", "axi4-stream"], "that interface is called axi-stream"),
    (&["relu"], "relu is an activation of the output of other units: --activation relu"),
    (&["sqr", "square"], "a square is mul with the same operand on both ports"),
    (
        &["sinh", "cosh", "asin", "acos", "atan", "pow", "log10", "hypot"],
        "`binade units function` lists the functions that are built",
    ),
    (&["asic"], "for standard cells: --target liberty --liberty FILE"),
    (&["artix7", "kintex7", "virtex7", "spartan7", "zynq", "7series"], "AMD's 7 series is xc7"),
    (&["--verbose", "-v"], "progress is shown without an option; --json prints everything"),
    (&["--count", "--num", "--tests", "--samples"], "--vectors N is the number of vectors"),
    (&["--seconds", "--hours", "--duration"], "--minutes M is the time, and --units N a number of units"),
    (&["--timeout", "--time-limit"], "`flow` and `fuzz` limit the time of a proof with --prove-within SECONDS"),
    (&["--family"], "`binade formats` lists the formats by family"),
];

/// The error with a tip, if there is one. `words` are those of the command line, with the program's name.
pub fn with_tip(mut error: Error, words: &[String], command: &Command) -> Error {
    let invalid = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            let names = command.get_subcommands().map(Command::get_name);
            let known = invalid(ContextKind::InvalidSubcommand).and_then(|word| nearest(&word, names));
            if let Some(name) = known {
                error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![name.to_string()]));
            }
            None
        }
        ErrorKind::UnknownArgument => {
            let word = invalid(ContextKind::InvalidArg).unwrap_or_default();
            of_argument(&word, words).or_else(|| meaning(&word))
        }
        ErrorKind::InvalidValue => invalid(ContextKind::InvalidValue).and_then(|word| meaning(&word)),
        ErrorKind::ValueValidation => {
            in_order(words).or_else(|| invalid(ContextKind::InvalidValue).and_then(|word| meaning(&word)))
        }
        _ => None,
    };
    if let Some(tip) = tip {
        for similar in [ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::TrailingArg] {
            error.remove(similar);
        }
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error
}

/// What a word means here.
fn meaning(word: &str) -> Option<String> {
    let word = word.split('=').next().unwrap_or(word).to_lowercase();
    let found = MEANINGS.iter().find(|(words, _)| words.contains(&word.as_str()));
    found.map(|(_, tip)| (*tip).to_string())
}

/// The tip for a word that no option takes.
fn of_argument(word: &str, words: &[String]) -> Option<String> {
    let is_report = words.get(1).is_some_and(|command| command == "report");
    match word {
        "--function" if is_report => Some("the function is a word: binade report function exp e5m2".into()),
        word if word.starts_with('-') => None,
        word if [".v", ".sv", ".vhd"].iter().any(|ending| word.ends_with(ending)) => Some(format!(
            "a file of your own is checked with the unit that it implements: --unit .. --format .. --verilog {word}"
        )),
        _ => options(words).map(|options| format!("a unit is chosen by options: {options}")),
    }
}

/// The tip for a value before its format.
fn in_order(words: &[String]) -> Option<String> {
    let [_, command, value, format, ..] = words else { return None };
    let takes_both = command == "encode" || command == "decode";
    let is_swapped = takes_both && value.parse::<Format>().is_err() && format.parse::<Format>().is_ok();
    is_swapped.then(|| format!("the format comes first: binade {command} {format} {value}"))
}

/// The name that a word is probably meant to be.
fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let distance = |name: &str| strsim::damerau_levenshtein(word, name);
    names.min_by_key(|name| distance(name)).filter(|name| distance(name) <= (word.len() / 3).max(1))
}

/// The options for a format and a unit among the words.
fn options(words: &[String]) -> Option<String> {
    let bare = || words.iter().skip(2).filter(|word| !word.starts_with('-'));
    let unit = bare().find(|word| word.parse::<Unit>().is_ok())?;
    let format = bare().find(|word| word.parse::<Formats>().is_ok());
    Some(format!("{}--unit {unit}", format.map_or(String::new(), |format| format!("--format {format} "))))
}
