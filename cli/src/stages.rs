//! How many ranks of registers a unit gets.

use binade_generator::pipeline::MAX_STAGES;
use std::{fmt, str::FromStr};

/// Ranks of registers, 0 (a combinational unit) to 16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages(u32);

impl FromStr for Stages {
    type Err = String;

    fn from_str(text: &str) -> Result<Stages, String> {
        match text.parse::<u32>() {
            Ok(stages) if stages <= MAX_STAGES => Ok(Stages(stages)),
            Ok(stages) => Err(format!("{stages} ranks of registers; a unit can have up to {MAX_STAGES}")),
            Err(_) => Err(format!("a number of ranks of registers from 0 to {MAX_STAGES} is expected")),
        }
    }
}

impl fmt::Display for Stages {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Stages> for u32 {
    fn from(stages: Stages) -> u32 {
        stages.0
    }
}
