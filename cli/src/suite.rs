//! Files that list units: `[[unit]]` entries with the words of the command line. A key may have several words; the entry
//! then stands for all combinations.

use crate::failure::Failure;
use crate::selection::{Out, UnitOptions};
use crate::stages::{StageOptions, Stages};
use binade_circuit::Optimize;
use binade_generator::GeneratedUnit;
use binade_spec::Format;
use binade_synth::Target;
use binade_synth::peers::{self, Figures, Goal, PeersError};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::{fmt, fs, str::FromStr};

/// A suite as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Synthesis targets, unless the command line names some.
    #[serde(default)]
    targets: Words,
    /// Peers' figures (CSV) for `synth`, beside the suite.
    peers: Option<PathBuf>,
    /// What the peers' rows are about, and the ratios to reach.
    #[serde(default)]
    family: Vec<Goal>,
    #[serde(default)]
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
    #[serde(default)]
    flags: bool,
    /// Flags with tininess seen after or before rounding.
    #[serde(default)]
    tininess: Words,
    /// What the unit is built for.
    #[serde(default)]
    optimize: Words,
    /// Ranks of registers.
    #[serde(default)]
    stages: Numbers,
}

/// One word, several, or none.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a word or a list of words is expected")]
enum Words {
    One(String),
    Several(Vec<String>),
}

/// One number, several, or none.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a number or a list of numbers is expected")]
enum Numbers {
    One(u32),
    Several(Vec<u32>),
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::One(0)
    }
}

impl Default for Words {
    fn default() -> Words {
        Words::Several(vec![])
    }
}

/// The units of a suite.
pub struct Suite {
    pub targets: Vec<Target>,
    pub units: Vec<GeneratedUnit>,
    pub peers: Option<Peers>,
}

/// What the units of a suite are measured against.
pub struct Peers {
    pub figures: Vec<Figures>,
    pub goals: Vec<Goal>,
}

impl Suite {
    pub fn read(path: &Path) -> Result<Suite, Failure> {
        let usage = |error: String| Failure::Usage(format!("--suite `{}`: {error}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
        let file: File = toml::from_str(&text).map_err(|error| usage(error.to_string()))?;
        let targets = if file.targets.is_empty() { vec![] } else { file.targets.parsed("targets").map_err(usage)? };
        let mut units = vec![];
        for (number, entry) in file.unit.iter().enumerate() {
            let place = format!("--suite `{}`, entry {}", path.display(), number + 1);
            let in_entry = |error| Failure::Usage(format!("{place}: {error}"));
            let depths: Vec<Stages> = entry.stages.words().parsed("stages").map_err(in_entry)?;
            for options in entry.combinations().map_err(in_entry)? {
                for &stages in &depths {
                    let unit = options.generate(&StageOptions::ranks(stages), &[]);
                    units.push(unit.map_err(|failure| within(&place, &options, failure))?);
                }
            }
        }
        if units.is_empty() {
            return Err(usage("no [[unit]] is listed".into()));
        }
        let peers =
            file.peers.map(|peers| Peers::read(&path.with_file_name(peers), file.family, &units)).transpose()?;
        Ok(Suite { targets, units, peers })
    }
}

impl Peers {
    /// Figures that are about just these units.
    fn read(path: &Path, goals: Vec<Goal>, units: &[GeneratedUnit]) -> Result<Peers, Failure> {
        let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
        let usage = |error: PeersError| Failure::Usage(format!("`{}`: {error}", path.display()));
        let figures = peers::read(&text).map_err(usage)?;
        let small = units.iter().filter(|unit| unit.design.optimize == Optimize::Area);
        let names: Vec<&str> = small.map(|unit| unit.module.as_str()).collect();
        peers::check(&figures, &goals, &names).map_err(usage)?;
        Ok(Peers { figures, goals })
    }
}

/// A usage failure, with the entry and unit that it is about.
fn within(place: &str, options: &UnitOptions, failure: Failure) -> Failure {
    match failure {
        Failure::Usage(message) => {
            Failure::Usage(format!("{place} ({} of {}): {message}", options.unit, options.format))
        }
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
            out: out.map(Out::Format).into_iter().collect(),
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
        let options = each(options, self.tininess.optional("tininess")?, |options, tininess| UnitOptions {
            flags: self.flags || tininess.is_some(),
            tininess,
            ..options
        });
        let optimize = self.optimize.optional("optimize")?;
        let options = each(options, optimize, |options, optimize| UnitOptions {
            optimize: optimize.unwrap_or_default(),
            ..options
        });
        Ok(options)
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

impl Numbers {
    fn words(&self) -> Words {
        match self {
            Numbers::One(number) => Words::One(number.to_string()),
            Numbers::Several(numbers) => Words::Several(numbers.iter().map(u32::to_string).collect()),
        }
    }
}

impl Words {
    fn parsed<T: FromStr<Err: fmt::Display>>(&self, key: &str) -> Result<Vec<T>, String> {
        match self {
            Words::One(word) => Ok(vec![parse(key, word)?]),
            Words::Several(words) if words.is_empty() => Err(format!("{key} = []: at least one word is expected")),
            Words::Several(words) => words.iter().map(|word| parse(key, word)).collect(),
        }
    }

    /// The same, where no word means the default.
    fn optional<T: FromStr<Err: fmt::Display>>(&self, key: &str) -> Result<Vec<Option<T>>, String> {
        if self.is_empty() {
            return Ok(vec![None]);
        }
        Ok(self.parsed(key)?.into_iter().map(Some).collect())
    }

    fn is_empty(&self) -> bool {
        matches!(self, Words::Several(words) if words.is_empty())
    }
}

fn parse<T: FromStr<Err: fmt::Display>>(key: &str, word: &str) -> Result<T, String> {
    word.parse().map_err(|error| format!("{key} = \"{word}\": {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_peers(name: &str) -> (Vec<GeneratedUnit>, Peers) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/suites").join(name);
        match Suite::read(&path) {
            Ok(Suite { units, peers: Some(peers), .. }) => (units, peers),
            Ok(_) => panic!("{name} names no peers"),
            Err(failure) => panic!("{name}: {:?}", failure.message()),
        }
    }

    /// The suites that are measured against peers have a unit for each of their rows, small and shallow.
    #[test]
    fn every_row_of_the_peers_has_its_units() {
        assert_eq!(with_peers("papers.toml").1.figures.len(), 20);
        let (units, peers) = with_peers("peers.toml");
        assert_eq!(peers.figures.len(), 159);
        let shallow = units.iter().filter(|unit| unit.design.optimize == Optimize::Depth).count();
        assert_eq!(2 * shallow, units.len());
    }
}
