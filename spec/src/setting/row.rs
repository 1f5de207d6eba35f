//! The fields of a setting, and how values are parsed.

use crate::alias::find_name;
use crate::{Format, Formats, NameError, Operation, Selection};

/// A setting as data.
pub(super) struct Row {
    /// The key in suites and manifests, and the option on the command line.
    pub key: &'static str,
    /// The placeholder for its value in the help.
    pub placeholder: &'static str,
    /// The help text, given the names of the units that take it.
    pub about: fn(&str) -> String,
    /// All values, if they can be listed.
    pub names: Option<fn() -> Vec<&'static str>>,
    /// Why a unit does not take it, as the predicate of a sentence, given the units that do.
    pub refusal: fn(&str) -> String,
    /// Parses its value.
    pub set: fn(&mut Selection, &str) -> Result<(), String>,
    /// Whether it differs from the default.
    pub says: fn(&Selection) -> bool,
    /// The value for an operation, if it matters.
    pub word: fn(&Operation) -> Option<String>,
    /// The suffix that it adds to the name of the module.
    pub suffix: fn(&Operation) -> Option<String>,
}

/// For a setting that is not in names, or that is part of their beginning.
pub(super) const NO_SUFFIX: fn(&Operation) -> Option<String> = |_| None;

/// A number from 1 to `most`.
pub(super) fn count(word: &str, most: u32) -> Result<u32, String> {
    match word.parse() {
        Ok(count) if (1..=most).contains(&count) => Ok(count),
        _ => Err(format!("a number from 1 to {most} is expected")),
    }
}

/// A boolean value.
pub(super) fn truth(word: &str) -> Result<bool, String> {
    match find_name(word, &TRUTHS) {
        Some(truth) => Ok(truth == "true"),
        None => Err("true or false is expected".into()),
    }
}

/// The values of a boolean setting.
pub(super) const TRUTHS: [&str; 2] = ["true", "false"];

/// The most bits of a random word.
pub(super) const MAX_BITS: u32 = 32;

/// The most bits above the largest product.
pub(super) const MAX_GUARD: u32 = 60;

/// The most good steps before a scale is doubled, few enough for a sequence of vectors to get there.
pub(super) const MAX_INTERVAL: u32 = 4000;

/// The most bits in which a code is NaN-boxed: those of the registers of RISC-V's extension Q.
pub(super) const MAX_BOXING: u32 = 128;

/// The values of `random`.
pub(super) const RANDOM_SOURCES: [&str; 2] = ["port", "internal"];

/// The values of `product`.
pub(super) const PRODUCTS: [&str; 2] = ["exact", "rounded"];

/// Stores a parsed value.
pub(super) fn put<T>(place: &mut T, read: Result<T, String>) -> Result<(), String> {
    *place = read?;
    Ok(())
}

/// Stores a parsed value of a setting whose default depends on others.
pub(super) fn choose<T>(place: &mut Option<T>, read: Result<T, String>) -> Result<(), String> {
    put(place, read.map(Some))
}

/// A format by its name, or several of which a port chooses one.
pub(super) fn choose_formats(
    place: &mut Option<Format>,
    others: &mut &'static [Format],
    word: &str,
) -> Result<(), String> {
    let formats: Formats = word.parse().map_err(|error: NameError| error.to_string())?;
    (*place, *others) = (Some(formats.first), formats.others);
    Ok(())
}

/// A format by its name.
pub(super) fn format_of(word: &str) -> Result<Format, String> {
    word.parse::<Format>().map_err(|error| error.to_string())
}
