//! Tips for command lines that cannot be read: the nearest command, and how a unit is chosen.

use binade_spec::{Formats, Unit};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// The error with a tip, if there is one. `words` are those of the command line, with the program's name.
pub fn with_tip(mut error: Error, words: &[String], command: &Command) -> Error {
    let invalid = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            let names = command.get_subcommands().map(Command::get_name);
            let known = invalid(ContextKind::InvalidSubcommand).and_then(|word| nearest(&word, names));
            if let Some(name) = known {
                error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![name.to_string()]));
            }
        }
        ErrorKind::UnknownArgument if invalid(ContextKind::InvalidArg).is_some_and(|word| !word.starts_with('-')) => {
            if let Some(options) = options(words) {
                let tip = StyledStr::from(format!("a unit is chosen by options: {options}"));
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
            }
        }
        _ => (),
    }
    error
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
