//! What is said of a setting, and how words are read.

use crate::alias::find_name;
use crate::{Format, Operation, Selection};

/// A setting as data.
pub(super) struct Row {
    /// The key in suites and manifests, and the option on the command line.
    pub key: &'static str,
    /// What its word is called in the help.
    pub placeholder: &'static str,
    /// What it is for, in the help, given the names of the units that take it.
    pub about: fn(&str) -> String,
    /// All words that it takes, where they can be listed.
    pub names: Option<fn() -> Vec<&'static str>>,
    /// Why a unit does not take it, as the predicate of a sentence, given which units do.
    pub refusal: fn(&str) -> String,
    /// Reads its word.
    pub set: fn(&mut Selection, &str) -> Result<(), String>,
    /// Whether something else than the default is chosen.
    pub says: fn(&Selection) -> bool,
    /// The word that chooses an operation, if it matters.
    pub word: fn(&Operation) -> Option<String>,
    /// What it adds to the name of the module.
    pub suffix: fn(&Operation) -> Option<String>,
}

/// Of a setting that does not matter to names, or that the beginning of the name says.
pub(super) const NO_SUFFIX: fn(&Operation) -> Option<String> = |_| None;

/// A number from 1 to `most`.
pub(super) fn count(word: &str, most: u32) -> Result<u32, String> {
    match word.parse() {
        Ok(count) if (1..=most).contains(&count) => Ok(count),
        _ => Err(format!("a number from 1 to {most} is expected")),
    }
}

/// A word for yes or no.
pub(super) fn truth(word: &str) -> Result<bool, String> {
    match find_name(word, &TRUTHS) {
        Some(truth) => Ok(truth == "true"),
        None => Err("true or false is expected".into()),
    }
}

/// What a setting takes that is chosen or not.
pub(super) const TRUTHS: [&str; 2] = ["true", "false"];

/// Most bits of a random word.
pub(super) const MAX_BITS: u32 = 32;

/// Most bits above the largest product.
pub(super) const MAX_GUARD: u32 = 60;

/// Most good steps after which a scale doubles: a sequence of vectors gets there.
pub(super) const MAX_INTERVAL: u32 = 4000;

/// What `activation` takes.
pub(super) const RELU: &str = "relu";

/// What `random` takes.
pub(super) const RANDOM_SOURCES: [&str; 2] = ["port", "internal"];

/// What `product` takes.
pub(super) const PRODUCTS: [&str; 2] = ["exact", "rounded"];

/// Puts what was read where it belongs.
pub(super) fn put<T>(place: &mut T, read: Result<T, String>) -> Result<(), String> {
    *place = read?;
    Ok(())
}

/// The same, of what has a default that depends on the rest.
pub(super) fn choose<T>(place: &mut Option<T>, read: Result<T, String>) -> Result<(), String> {
    put(place, read.map(Some))
}

/// A format by its name.
pub(super) fn format_of(word: &str) -> Result<Format, String> {
    word.parse::<Format>().map_err(|error| error.to_string())
}
