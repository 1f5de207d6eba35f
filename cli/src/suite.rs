//! Files that list units: `[[unit]]` entries with the words of the command line.

use crate::failure::Failure;
use crate::selection::UnitOptions;
use binade_golden::{Format, Overflow, Rounding, Unit};
use binade_synth::Target;
use serde::{Deserialize, Deserializer, de};
use std::path::Path;
use std::{fmt, fs, str::FromStr};

/// A suite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Synthesis targets, unless the command line names some.
    #[serde(default, deserialize_with = "words")]
    pub targets: Vec<Target>,
    pub unit: Vec<Entry>,
}

/// A unit of a suite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    #[serde(deserialize_with = "word")]
    format: Format,
    #[serde(deserialize_with = "word")]
    unit: Unit,
    #[serde(default, deserialize_with = "optional_word")]
    acc: Option<Format>,
    #[serde(default, deserialize_with = "optional_word")]
    to: Option<Format>,
    #[serde(default, deserialize_with = "optional_word")]
    round: Option<Rounding>,
    #[serde(default, deserialize_with = "optional_word")]
    overflow: Option<Overflow>,
}

impl Suite {
    pub fn read(path: &Path) -> Result<Suite, Failure> {
        let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
        let suite: Suite =
            toml::from_str(&text).map_err(|error| Failure::Usage(format!("--suite `{}`: {error}", path.display())))?;
        if suite.unit.is_empty() {
            return Err(Failure::Usage(format!("--suite `{}` lists no unit", path.display())));
        }
        Ok(suite)
    }
}

impl Entry {
    pub fn options(&self) -> UnitOptions {
        UnitOptions {
            format: self.format,
            unit: self.unit,
            acc: self.acc,
            to: self.to,
            round: self.round,
            overflow: self.overflow.unwrap_or_default(),
        }
    }
}

fn parse<T: FromStr<Err: fmt::Display>, E: de::Error>(text: &str) -> Result<T, E> {
    text.parse().map_err(|error| E::custom(format!("`{text}`: {error}")))
}

fn word<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    parse(&String::deserialize(deserializer)?)
}

fn optional_word<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    word(deserializer).map(Some)
}

fn words<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Vec::<String>::deserialize(deserializer)?.iter().map(|text| parse(text)).collect()
}
