//! The setting `algorithm`, which has a separate meaning for each unit that takes it.

use crate::rounding::by_name;
use crate::{Generator, UpdateRule};
use std::{fmt, str::FromStr};

/// The algorithm that a unit uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// How `random` generates words.
    Random(Generator),
    /// How `update` adds.
    Update(UpdateRule),
}

impl Algorithm {
    /// All algorithms, those of `update` first.
    pub fn all() -> Vec<Algorithm> {
        UpdateRule::ALL.map(Algorithm::Update).into_iter().chain(Generator::ALL.map(Algorithm::Random)).collect()
    }

    /// The algorithm's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Random(generator) => generator.name(),
            Algorithm::Update(rule) => rule.name(),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(word: &str) -> Result<Algorithm, String> {
        by_name(word, &Algorithm::all(), |algorithm| algorithm.name())
    }
}
