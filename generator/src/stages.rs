//! Parses the number of ranks of registers.

use crate::Design;
use binade_circuit::pipeline::MAX_STAGES;
use std::{fmt, str::FromStr};

/// Ranks of registers, 0 (a combinational unit) to 16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stages(u32);

impl Stages {
    /// The number of ranks.
    pub fn ranks(self) -> u32 {
        self.0
    }

    /// A range, both ends included.
    pub fn between(first: Stages, last: Stages) -> impl Iterator<Item = Stages> {
        (first.0..=last.0).map(Stages)
    }
}

impl FromStr for Stages {
    type Err = String;

    fn from_str(text: &str) -> Result<Stages, String> {
        match text.parse::<u32>() {
            Ok(stages) => Design::check_stages(stages).map(|()| Stages(stages)).map_err(|error| error.to_string()),
            Err(_) => Err(format!("a number of ranks of registers from 0 to {MAX_STAGES} is expected")),
        }
    }
}

impl fmt::Display for Stages {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}
