//! Files that list units: `[[unit]]` entries with the words of the command line. A key may have several words; the entry
//! then stands for all combinations.

use crate::failure::Failure;
use crate::selection::UnitOptions;
use binade_generator::{GeneratedUnit, generate};
use binade_golden::{Format, Operation};
use binade_synth::Target;
use serde::Deserialize;
use std::path::Path;
use std::{fmt, fs, str::FromStr};

/// A suite as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Synthesis targets, unless the command line names some.
    #[serde(default)]
    targets: Vec<String>,
    unit: Vec<Entry>,
}

/// Units of a suite as they are written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    format: Words,
    unit: Words,
    #[serde(default)]
    acc: Words,
    #[serde(default)]
    to: Words,
    #[serde(default)]
    round: Words,
    #[serde(default)]
    overflow: Words,
    #[serde(default)]
    out: Words,
    #[serde(default)]
    activation: Words,
    #[serde(default, rename = "posit-range")]
    posit_range: Words,
    /// With flags, and tininess after or before rounding.
    #[serde(default)]
    tininess: Words,
}

/// One word, several, or none.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Several(Vec<String>),
}

impl Default for Words {
    fn default() -> Words {
        Words::Several(vec![])
    }
}

/// The units of a suite.
pub struct Suite {
    pub targets: Vec<Target>,
    pub units: Vec<(Operation, GeneratedUnit)>,
}

impl Suite {
    pub fn read(path: &Path) -> Result<Suite, Failure> {
        let usage = |error: String| Failure::Usage(format!("--suite `{}`: {error}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
        let file: File = toml::from_str(&text).map_err(|error| usage(error.to_string()))?;
        let targets =
            file.targets.iter().map(|word| parse("targets", word)).collect::<Result<_, _>>().map_err(usage)?;
        let mut units = vec![];
        for entry in &file.unit {
            for options in entry.combinations().map_err(usage)? {
                let operation = options.operation().map_err(|failure| within(path, failure))?;
                units.push((operation, generate(&operation)));
            }
        }
        if units.is_empty() {
            return Err(usage("no [[unit]] is listed".into()));
        }
        Ok(Suite { targets, units })
    }
}

/// A usage failure, with the file that it is about.
fn within(path: &Path, failure: Failure) -> Failure {
    match failure {
        Failure::Usage(message) => Failure::Usage(format!("--suite `{}`: {message}", path.display())),
        other => other,
    }
}

impl Entry {
    /// Every combination of the words.
    fn combinations(&self) -> Result<Vec<UnitOptions>, String> {
        let mut all = vec![];
        for format in self.format.parsed("format")? {
            for unit in self.unit.parsed("unit")? {
                let plain = UnitOptions::new(format, unit);
                all.extend(self.with_policies(self.with_formats(vec![plain])?)?);
            }
        }
        Ok(all)
    }

    fn with_formats(&self, options: Vec<UnitOptions>) -> Result<Vec<UnitOptions>, String> {
        let options = each(options, self.acc.optional("acc")?, |options, acc| UnitOptions { acc, ..options });
        let options = each(options, self.to.optional("to")?, |options, to| UnitOptions { to, ..options });
        let out = self.out.optional::<Format>("out")?;
        let options = each(options, out, |options, out| UnitOptions {
            out: out.map(|format| format.to_string().into()).into_iter().collect(),
            ..options
        });
        let activation = self.activation.optional::<String>("activation")?;
        if let Some(word) = activation.iter().flatten().find(|word| *word != "relu") {
            return Err(format!("activation = \"{word}\": relu is expected"));
        }
        Ok(each(options, activation, |options, activation| UnitOptions { activation, ..options }))
    }

    fn with_policies(&self, options: Vec<UnitOptions>) -> Result<Vec<UnitOptions>, String> {
        let options = each(options, self.round.optional("round")?, |options, round| UnitOptions { round, ..options });
        let options = each(options, self.overflow.optional("overflow")?, |options, overflow| UnitOptions {
            overflow: overflow.unwrap_or_default(),
            ..options
        });
        let options = each(options, self.posit_range.optional("posit-range")?, |options, range| UnitOptions {
            posit_range: range.unwrap_or_default(),
            ..options
        });
        Ok(each(options, self.tininess.optional("tininess")?, |options, tininess| UnitOptions {
            flags: tininess.is_some(),
            tininess,
            ..options
        }))
    }
}

/// Every one of the options with every one of the words.
fn each<T: Clone>(
    options: Vec<UnitOptions>,
    words: Vec<T>,
    with: impl Fn(UnitOptions, T) -> UnitOptions,
) -> Vec<UnitOptions> {
    options.iter().flat_map(|options| words.iter().map(|word| with(options.clone(), word.clone()))).collect()
}

impl Words {
    fn parsed<T: FromStr<Err: fmt::Display>>(&self, key: &str) -> Result<Vec<T>, String> {
        match self {
            Words::One(word) => Ok(vec![parse(key, word)?]),
            Words::Several(words) => words.iter().map(|word| parse(key, word)).collect(),
        }
    }

    /// The same, where no word means the default.
    fn optional<T: FromStr<Err: fmt::Display>>(&self, key: &str) -> Result<Vec<Option<T>>, String> {
        let words: Vec<Option<T>> = self.parsed(key)?.into_iter().map(Some).collect();
        Ok(if words.is_empty() { vec![None] } else { words })
    }
}

fn parse<T: FromStr<Err: fmt::Display>>(key: &str, word: &str) -> Result<T, String> {
    word.parse().map_err(|error| format!("{key} = \"{word}\": {error}"))
}
