//! Options whose values are names.

use binade_spec::alias::find_name;
use binade_spec::{Function, Unit};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use std::ffi::OsStr;
use std::str::FromStr;

/// Accepts these names, in any spelling, and their aliases; for unknown names, clap suggests the nearest.
pub fn named<T>(names: &[&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: std::fmt::Debug> + Clone + Send + Sync + 'static,
{
    Names::new(names.to_vec()).map(|name| name.parse().expect("each listed name parses"))
}

/// Accepts these names, in any spelling, and their aliases; returns the name as listed.
#[derive(Clone, Debug)]
pub struct Names {
    names: Vec<&'static str>,
    listed: PossibleValuesParser,
}

impl Names {
    pub fn new(names: Vec<&'static str>) -> Names {
        Names { listed: PossibleValuesParser::new(names.clone()), names }
    }
}

impl Names {
    /// Why a word is none of the names. A function is not a unit of its own.
    fn unknown(&self, command: &Command, argument: Option<&Arg>, word: &OsStr) -> clap::Error {
        let function = word.to_str().and_then(|word| word.parse::<Function>().ok());
        match function.filter(|_| self.names.contains(&Unit::Function.name())) {
            Some(function) => {
                let message =
                    format!("{function} is not a unit of its own; write `--unit function --function {function}`\n");
                clap::Error::raw(ErrorKind::InvalidValue, message).with_cmd(command)
            }
            None => self.listed.parse_ref(command, argument, word).expect_err("the word is no name"),
        }
    }
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, word: &OsStr) -> Result<String, clap::Error> {
        match word.to_str().and_then(|word| find_name(word, &self.names)) {
            Some(name) => Ok(name.into()),
            None => Err(self.unknown(command, argument, word)),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.listed.possible_values()
    }
}
