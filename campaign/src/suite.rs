//! Files that list units as `[[unit]]` entries with the words of the command line. A key may list several words; the entry then stands for
//! all combinations.

use binade_circuit::Optimize;
use binade_generator::description::module_name;
use binade_generator::{BuildChoice, BuildError, Design, GeneratedUnit, generate};
use binade_spec::alias::find_name;
use binade_spec::{Formats, Selection, Setting, Unit};
use binade_synth::Target;
use binade_synth::peers::{self, Figures, Goal, PeersError};
use binade_tools::interrupted;
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A suite file as parsed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Synthesis targets, unless the command line names targets.
    #[serde(default)]
    targets: Words,
    /// Peers' figures (CSV) for `synth`; the path is relative to the suite.
    peers: Option<PathBuf>,
    /// What the peers' rows measure, and the ratios to reach.
    #[serde(default)]
    family: Vec<Goal>,
    #[serde(default)]
    unit: Vec<Entry>,
}

/// An entry for units, as parsed.
#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(default)]
    format: Words,
    #[serde(default)]
    unit: Words,
    /// The words for settings and for choices of how the units are built, by key.
    #[serde(flatten)]
    words: BTreeMap<String, Words>,
}

/// No word, one word or several.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a word or a list of words is expected")]
enum Words {
    One(Word),
    Several(Vec<Word>),
}

/// One word, in any TOML type.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Word {
    Text(String),
    Number(i64),
    Truth(bool),
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Word::Text(text) => text.fmt(f),
            Word::Number(number) => number.fmt(f),
            Word::Truth(truth) => truth.fmt(f),
        }
    }
}

impl Default for Words {
    fn default() -> Words {
        Words::Several(vec![])
    }
}

/// The units of a suite.
pub struct Suite {
    /// The `verify` options of each unit that name a user's module and what it is allowed to do; paths are relative to the suite.
    pub duts: Vec<DutWords>,
    /// The synthesis targets that the suite names.
    pub targets: Vec<Target>,
    /// The units and how each is built, in the order of the file.
    pub designs: Vec<Design>,
    /// The figures and ratios that the units are compared with, if the suite names peers.
    pub peers: Option<Peers>,
}

/// Why a file is not a valid suite.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SuiteError {
    /// An invalid file; the message names the file, the place, and what is allowed.
    #[error("{0}")]
    Impossible(String),
    /// The user pressed Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

/// Words of the command line.
pub type DutWords = Vec<String>;

/// The keys of an entry that describe a user's module, with the options that they stand for.
pub(crate) const DUT_KEYS: [(&str, &str); 15] = [
    ("verilog", "verilog"),
    ("include", "include"),
    ("define", "define"),
    ("top", "top"),
    ("parameters", "parameter"),
    ("ports", "port"),
    ("ties", "tie"),
    ("besides", "beside"),
    ("reset", "reset"),
    ("latency", "latency"),
    ("startup", "startup"),
    ("flag-order", "flag-order"),
    ("nan", "nan"),
    ("zero-sign", "zero-sign"),
    ("policies", "policy"),
];

/// What the units of a suite are compared with.
pub struct Peers {
    /// The peers' figures.
    pub figures: Vec<Figures>,
    /// The ratios to reach.
    pub goals: Vec<Goal>,
}

impl Suite {
    /// Parses a suite of generated units; `read` returns the text of a file.
    ///
    /// # Errors
    /// When a file cannot be read, or is not a suite of generated units.
    pub fn read<E: From<SuiteError>>(path: &Path, read: impl Fn(&Path) -> Result<String, E>) -> Result<Suite, E> {
        let suite = Suite::read_with_duts(path, read)?;
        match suite.duts.iter().any(|words| !words.is_empty()) {
            false => Ok(suite),
            true => Err(impossible(
                path,
                "modules of yours (verilog = ..) and their policies are for `binade verify` and `binade prove`",
            )
            .into()),
        }
    }

    /// Parses a suite whose units may be modules of the user's.
    ///
    /// # Errors
    /// When a file cannot be read, or is not a suite.
    pub fn read_with_duts<E: From<SuiteError>>(
        path: &Path,
        read: impl Fn(&Path) -> Result<String, E>,
    ) -> Result<Suite, E> {
        let mut file: File = toml::from_str(&read(path)?).map_err(|error| impossible(path, error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        file.unit.iter_mut().for_each(|entry| entry.locate_formats(folder));
        let targets = match file.targets.is_empty() {
            true => vec![],
            false => file
                .targets
                .named("targets", &Target::ALL.map(Target::name))
                .map_err(|error| impossible(path, error))?,
        };
        let (mut designs, mut duts) = (vec![], vec![]);
        for (number, entry) in file.unit.into_iter().enumerate() {
            let (dut, of_entry) = entry.designs(path, number + 1)?;
            duts.extend(of_entry.iter().map(|_| dut.clone()));
            designs.extend(of_entry);
        }
        if designs.is_empty() {
            return Err(impossible(path, "no [[unit]] is listed").into());
        }
        let peers = match file.peers {
            Some(peers) => {
                let peers = path.with_file_name(peers);
                Some(Peers::of(&read(&peers)?, &peers, file.family, &designs)?)
            }
            None => None,
        };
        Ok(Suite { duts, targets, designs, peers })
    }

    /// Generates the units, in the order of the file. A large suite takes minutes.
    ///
    /// # Errors
    /// When the user pressed Ctrl-C.
    pub fn units(&self) -> Result<Vec<GeneratedUnit>, SuiteError> {
        let unit = |design: &Design| if interrupted() { Err(SuiteError::Interrupted) } else { Ok(generate(*design)) };
        self.designs.par_iter().map(unit).collect()
    }
}

fn impossible(path: &Path, why: impl fmt::Display) -> SuiteError {
    SuiteError::Impossible(format!("suite `{}`: {why}", path.display()))
}

impl Peers {
    /// Reads the peers' figures, which must match these units.
    fn of(text: &str, path: &Path, goals: Vec<Goal>, designs: &[Design]) -> Result<Peers, SuiteError> {
        let usage = |error: PeersError| SuiteError::Impossible(format!("`{}`: {error}", path.display()));
        let figures = peers::read(text).map_err(usage)?;
        let small = designs.iter().filter(|design| design.optimize == Optimize::Area);
        let names: Vec<String> = small.map(module_name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        peers::check(&figures, &goals, &names).map_err(usage)?;
        Ok(Peers { figures, goals })
    }
}

impl Entry {
    /// The options for a user's module, and the units that the entry stands for.
    fn designs(mut self, path: &Path, number: usize) -> Result<(DutWords, Vec<Design>), SuiteError> {
        let place = format!("suite `{}`, entry {number}", path.display());
        let in_entry = |error| SuiteError::Impossible(format!("{place}: {error}"));
        let dut = self.take_dut(path).map_err(in_entry)?;
        let selections = self.selections().map_err(in_entry)?;
        let mut designs = vec![];
        for selection in &selections {
            let refused = |error: &dyn fmt::Display| {
                let (unit, format) = (selection.unit, selection.format);
                SuiteError::Impossible(format!("{place} ({unit} of {format}): {error}"))
            };
            let operation = selection.operation().map_err(|error| refused(&error))?;
            let mut of_selection = vec![Design::from(operation)];
            for (choice, words) in self.choices() {
                of_selection = built_with_each(&of_selection, choice, words).map_err(|error| match error {
                    Unbuilt::Word(message) => in_entry(message),
                    Unbuilt::Design(message) => refused(&message),
                })?;
            }
            designs.extend(of_selection);
        }
        self.check_name(designs.len()).map_err(in_entry)?;
        Ok((dut, designs))
    }

    /// The choices of how the units are built that the entry gives, in the order in which they vary, the first one slowest.
    fn choices(&self) -> impl Iterator<Item = (BuildChoice, &Words)> {
        BuildChoice::ALL.into_iter().filter_map(|choice| Some((choice, self.words.get(choice.key())?)))
    }

    /// The options for a user's module, with paths relative to the `suite`.
    fn take_dut(&mut self, suite: &Path) -> Result<DutWords, String> {
        let mut words = vec![];
        for (key, option) in DUT_KEYS {
            let Some(listed) = self.words.remove(key) else { continue };
            for word in listed.listed(key)? {
                let word = word.to_string();
                let is_path = ["verilog", "include"].contains(&key);
                let word = if is_path { suite.with_file_name(word).display().to_string() } else { word };
                words.push(format!("--{option}={word}"));
            }
        }
        Ok(words)
    }

    /// Refuses one name for several units.
    fn check_name(&self, units: usize) -> Result<(), String> {
        match self.words.get(BuildChoice::Module.key()) {
            Some(Words::Several(_)) => Err("module: one name is expected".into()),
            Some(Words::One(name)) if units > 1 => Err(format!(
                "module = \"{name}\": the entry stands for {units} units, and each needs a name of its own; give each an entry"
            )),
            _ => Ok(()),
        }
    }

    /// Makes the paths of formats, which are relative to the suite, relative to where the program runs.
    fn locate_formats(&mut self, folder: &Path) {
        for words in self.words.values_mut().chain([&mut self.format]) {
            let words = match words {
                Words::One(word) => std::slice::from_mut(word),
                Words::Several(words) => words,
            };
            for word in words {
                if let Word::Text(text) = word
                    && text.contains(".toml")
                {
                    let located = |path: &str| match path.ends_with(".toml") {
                        true => folder.join(path).display().to_string(),
                        false => path.into(),
                    };
                    *text = text.split('+').map(located).collect::<Vec<String>>().join("+");
                }
            }
        }
    }

    /// Every combination of the words.
    fn selections(&self) -> Result<Vec<Selection>, String> {
        let known = Setting::ALL.map(Setting::key).into_iter().chain(BuildChoice::ALL.map(BuildChoice::key));
        let known: Vec<&str> = known.collect();
        if let Some(key) = self.words.keys().find(|key| !known.contains(&key.as_str())) {
            let known = known.join("`, `");
            let of_duts = DUT_KEYS.map(|(key, _)| key).join("`, `");
            return Err(format!("unknown field `{key}`, expected one of `format`, `unit`, `{known}`, `{of_duts}`"));
        }
        let units = self.unit.parsed::<Unit>("unit")?;
        let formats = match self.format.is_empty() {
            true => vec![None],
            false => self.format.parsed::<Formats>("format")?.into_iter().map(Some).collect(),
        };
        let mut selections = vec![];
        for (&format, &unit) in formats.iter().flat_map(|format| units.iter().map(move |unit| (format, unit))) {
            let format = unit.format_or_none(format).map_err(|error| error.to_string())?;
            selections.push(Selection::with_formats(unit, format));
        }
        for setting in Setting::ALL {
            if let Some(words) = self.words.get(setting.key()) {
                selections = with_each(selections, setting, words)?;
            }
        }
        Ok(selections)
    }
}

/// Each selection combined with each word.
fn with_each(selections: Vec<Selection>, setting: Setting, words: &Words) -> Result<Vec<Selection>, String> {
    let mut all = vec![];
    for selection in selections {
        for word in words.listed(setting.key())? {
            let (mut selection, word) = (selection, word.to_string());
            selection.set(setting, &word).map_err(|error| format!("{setting} = \"{word}\": {error}"))?;
            all.push(selection);
        }
    }
    Ok(all)
}

/// Why designs are not built with the words for a choice, as a message.
enum Unbuilt {
    /// A word is no value of the choice.
    Word(String),
    /// The unit cannot be built so.
    Design(String),
}

/// Each design combined with each word.
fn built_with_each(designs: &[Design], choice: BuildChoice, words: &Words) -> Result<Vec<Design>, Unbuilt> {
    let words = words.listed(choice.key()).map_err(Unbuilt::Word)?;
    let built = |design: &Design, word: &Word| {
        design.choose(choice, &word.to_string()).map_err(|error| match error {
            BuildError::Word(expected) => Unbuilt::Word(format!("{choice} = \"{word}\": {expected}")),
            BuildError::Design(error) => Unbuilt::Design(error.to_string()),
        })
    };
    designs.iter().flat_map(|design| words.iter().map(move |word| built(design, word))).collect()
}

impl Words {
    /// The words; at least one.
    fn listed(&self, key: &str) -> Result<&[Word], String> {
        match self {
            Words::One(word) => Ok(std::slice::from_ref(word)),
            Words::Several(words) if words.is_empty() => Err(format!("{key} = []: at least one word is expected")),
            Words::Several(words) => Ok(words),
        }
    }

    fn parsed<T: FromStr<Err: fmt::Display>>(&self, key: &str) -> Result<Vec<T>, String> {
        self.named(key, &[])
    }

    /// Parses the words, each one of these names in any spelling, as on the command line.
    fn named<T: FromStr<Err: fmt::Display>>(&self, key: &str, names: &[&str]) -> Result<Vec<T>, String> {
        let parse = |word: &Word| {
            let word = word.to_string();
            find_name(&word, names).unwrap_or(&word).parse().map_err(|error| format!("{key} = \"{word}\": {error}"))
        };
        self.listed(key)?.iter().map(parse).collect()
    }

    fn is_empty(&self) -> bool {
        matches!(self, Words::Several(words) if words.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::schema;
    use binade_prove::{Coverage, coverage};
    use binade_spec::Operation;
    use serde_json::Value as Json;

    fn text(path: &Path) -> Result<String, SuiteError> {
        std::fs::read_to_string(path).map_err(|error| impossible(path, error))
    }

    fn with_peers(name: &str) -> (Vec<GeneratedUnit>, Peers) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/suites").join(name);
        match Suite::read(&path, text) {
            Ok(Suite { peers: None, .. }) => panic!("{name} names no peers"),
            Ok(suite) => (suite.units().expect("units"), suite.peers.expect("there are peers")),
            Err(error) => panic!("{name}: {error}"),
        }
    }

    /// The cases of each unit in the suite of proofs cover all inputs. This is the only thing that a proof takes for granted.
    #[test]
    #[ignore = "takes minutes"]
    fn nightly_cases_of_proofs_have_every_input() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/suites/proofs.toml");
        let suite = Suite::read(&path, text).expect("a suite");
        // Both architectures of a unit have the same cases.
        let mut operations: Vec<Operation> = vec![];
        for design in suite.designs {
            if !operations.contains(&design.operation) {
                operations.push(design.operation);
            }
        }
        operations.par_iter().for_each(|operation| {
            assert_eq!(coverage(operation), Ok(Coverage::Whole), "{operation:?}");
        });
    }

    fn keys(object: &Json) -> Vec<String> {
        let mut keys: Vec<String> = object.as_object().expect("an object").keys().cloned().collect();
        keys.sort();
        keys
    }

    /// Words of a suite are parsed like those of the command line.
    #[test]
    fn words_may_be_spelt_as_on_the_command_line() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            let suite = Suite::read(&path, super::tests::text).map_err(|error| error.to_string());
            suite.map(|suite| (suite.targets, suite.designs.iter().map(module_name).collect::<Vec<_>>()))
        };
        let listed = read(
            "listed",
            "targets = [\"generic\", \"ice40\"]\n[[unit]]\nformat = \"binary16\"\nunit = [\"fmac\", \"mul\"]\n\
             optimize = [\"area\", \"depth\"]\nround = \"rtz\"\noverflow = \"saturate\"\nflags = true\n\
             tininess = \"before\"\n",
        );
        let spelt = read(
            "spelt",
            "targets = [\"Generic\", \"iCE_40\"]\n[[unit]]\nformat = \"Half\"\nunit = [\"FMA\", \"Mul\"]\n\
             optimize = [\"AREA\", \"Depth\"]\nround = \"roundTowardZero\"\noverflow = \"SAT\"\nflags = \"True\"\n\
             tininess = \"Before\"\n",
        );
        assert_eq!(listed.as_ref().map(|(_, units)| units.len()), Ok(4));
        assert_eq!(spelt, listed);
        let unknown = read("unknown", "[[unit]]\nformat = \"half\"\nunit = \"mul\"\noptimize = \"speed\"\n");
        let message = unknown.unwrap_err();
        assert!(message.contains("optimize = \"speed\": area or depth is expected"), "{message}");
    }

    /// Only an entry that stands for one unit may name its module.
    /// The path of a format is relative to the suite.
    #[test]
    fn a_suite_may_name_files_of_formats() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("suite.toml");
        std::fs::write(folder.path().join("third.toml"), "name = \"third\"\nbits = 2\nsign = \"none\"\nsegments = [{ prefix = \"0\", linear = 0 }, { prefix = \"1\", exponent = 1, trailing = 1 }]\n").unwrap();
        std::fs::write(
            &path,
            "[[unit]]\nformat = [\"third.toml\", \"nf4\"]\nunit = \"convert\"\nto = \"third.toml\"\n",
        )
        .unwrap();
        let suite = Suite::read(&path, text).unwrap_or_else(|error| panic!("{error}"));
        let modules: Vec<String> = suite.designs.iter().map(module_name).collect();
        let third =
            binade_spec::Format::from_str(&folder.path().join("third.toml").display().to_string()).expect("a format");
        assert_eq!(modules, [format!("convert_{third}_to_{third}_rne"), format!("convert_nf4_to_{third}_rne")]);
        std::fs::remove_file(folder.path().join("third.toml")).unwrap();
        let error = Suite::read(&path, text).err().expect("no file").to_string();
        assert!(error.contains("third.toml: No such file"), "{error}");
    }

    #[test]
    fn a_module_of_a_suite_has_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("suite");
        let read = |entry: &str| {
            std::fs::write(&path, format!("[[unit]]\nunit = \"mul\"\n{entry}")).unwrap();
            match Suite::read(&path, text) {
                Ok(suite) => suite.designs.iter().map(module_name).collect::<Vec<_>>().join(" "),
                Err(error) => error.to_string(),
            }
        };
        assert_eq!(read("format = \"e5m2\"\nmodule = \"Mul\""), "Mul");
        let several = read("format = \"e5m2\"\nstages = [0, 1]\nmodule = \"Mul\"");
        assert!(several.contains("entry 1: module = \"Mul\": the entry stands for 2 units"), "{several}");
        let keyword = read("format = \"e5m2\"\nmodule = \"reg\"");
        assert!(keyword.contains("entry 1: module = \"reg\": `reg` is a keyword"), "{keyword}");
    }

    /// The keys that a message offers in place of an unknown one.
    fn offered(message: &str) -> Vec<String> {
        let (_, list) = message.split_once("expected one of ").expect("the message lists the keys");
        let mut keys: Vec<String> = list.split('`').skip(1).step_by(2).map(String::from).collect();
        keys.sort();
        keys
    }

    /// The keys that the parser accepts are those of the schema and of the page on suites.
    #[test]
    fn the_schema_has_every_key() {
        let schema = schema();
        let refused = |text: &str| toml::from_str::<File>(text).expect_err("an unknown key").to_string();
        assert_eq!(offered(&refused("nonsense = 1")), keys(&schema["properties"]));
        let family = offered(&refused("[[family]]\nname = \"x\"\nnonsense = 1"));
        assert_eq!(family, keys(&schema["$defs"]["family"]["properties"]));
        let unit: Entry = toml::from_str("nonsense = 1").expect("any key is read");
        assert_eq!(offered(&unit.selections().unwrap_err()), keys(&schema["$defs"]["unit"]["properties"]));
        let page = include_str!("../../docs/suites.md");
        for properties in
            [&schema["properties"], &schema["$defs"]["family"]["properties"], &schema["$defs"]["unit"]["properties"]]
        {
            for key in keys(properties) {
                assert!(page.contains(&format!("\n| `{key}` | ")), "{key}");
            }
        }
    }

    #[test]
    fn the_schema_is_printed_from_the_rows() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/suite.schema.json");
        let printed = serde_json::to_string_pretty(&schema()).expect("plain data") + "\n";
        if std::env::var_os("BINADE_UPDATE_SCHEMA").is_some() {
            return std::fs::write(path, printed).expect("the file is written");
        }
        let differs = "docs/suite.schema.json is not what the rows give; if the change is meant: \
                       BINADE_UPDATE_SCHEMA=1 cargo test -p binade-campaign schema";
        assert!(text(&path) == Ok(printed), "{differs}");
    }

    /// The schema accepts the keys and listed words of all suites in the repository.
    #[test]
    fn suites_are_as_the_schema_says() {
        let schema = schema();
        let (top, unit) = (keys(&schema["properties"]), &schema["$defs"]["unit"]["properties"]);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/suites");
        let mut suites = 0;
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            suites += 1;
            let suite: Json = toml::from_str(&text(&path).unwrap()).expect("TOML");
            assert!(keys(&suite).iter().all(|key| top.contains(key)), "{}", path.display());
            for entry in suite["unit"].as_array().expect("units") {
                for (key, words) in entry.as_object().unwrap() {
                    let known = &unit[key]["oneOf"][0]["enum"];
                    assert!(!unit[key].is_null(), "{}: {key}", path.display());
                    let words = words.as_array().cloned().unwrap_or_else(|| vec![words.clone()]);
                    let is_known = |word: &Json| known.as_array().is_none_or(|known| known.contains(word));
                    assert!(words.iter().all(is_known), "{}: {key} {words:?}", path.display());
                }
            }
        }
        assert!(suites > 5, "{suites}");
    }

    /// Suites with peers have a unit for each peer row, for area and for depth.
    #[test]
    fn every_row_of_the_peers_has_its_units() {
        assert_eq!(with_peers("papers.toml").1.figures.len(), 20);
        let (units, peers) = with_peers("peers.toml");
        assert_eq!(peers.figures.len(), 175);
        let shallow = units.iter().filter(|unit| unit.design.optimize == Optimize::Depth).count();
        assert_eq!(2 * shallow, units.len());
    }
}
