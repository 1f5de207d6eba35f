//! The options that choose a unit, shared by all commands.

use crate::failure::Failure;
use crate::heartbeat::with_heartbeat;
use crate::settings::{SettingOptions, refused};
use crate::stages::StageOptions;
use binade_circuit::{Interface, Optimize};
use binade_generator::{Design, GeneratedUnit, ModuleName, generate};
use binade_spec::alias::find_name;
use binade_spec::{Format, NameError, Operation, Selection, Tininess, Unit};
use binade_synth::Target;
use binade_tools::{Source, Tools, left_on_interrupt};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The default folder for files.
pub const DEFAULT_OUT: &str = "rtl_out";

/// Generates the unit of a design. A large unit takes minutes: a message says so, and Ctrl-C ends the program.
pub fn generated(design: Design) -> GeneratedUnit {
    leaving("the unit is being built", || generate(design))
}

/// Does long work without side effects. A message says that it is running, and Ctrl-C ends the program.
pub fn leaving<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    with_heartbeat(|| what.into(), || left_on_interrupt(work))
}

/// The group of the options that choose a unit; it conflicts with suites. `derive` leaves a group with flattened options empty, so each
/// option names the group.
pub const GROUP: &str = "UnitOptions";

#[derive(Args, Clone, Debug)]
pub struct UnitOptions {
    /// Number format, such as e5m2, e4m3fn, e5m2b1, k8p3se, posit16_1, binary16 (see `binade formats`); all units but random need
    /// one
    #[arg(long, value_name = "FORMAT", group = GROUP)]
    pub format: Option<Format>,
    /// What the unit computes (see `binade units`)
    #[arg(long, group = GROUP, value_parser = named::<Unit>(&Unit::ALL.map(Unit::name)))]
    pub unit: Unit,
    #[command(flatten)]
    pub build: BuildOptions,
}

/// The other choices for a unit.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub struct BuildOptions {
    #[command(flatten)]
    settings: SettingOptions,
    /// Optimize for few gates (area), or for few gates in series (depth)
    #[arg(long, value_name = "GOAL", group = GROUP, default_value = "area", value_parser = named::<Optimize>(&Optimize::ALL.map(Optimize::name)))]
    optimize: Optimize,
    /// How operands and results are transferred: with en and valid bits (plain), or through a shell around the unit with valid and ready,
    /// named so (ready-valid) or as in AXI4-Stream
    #[arg(long, value_name = "INTERFACE", group = GROUP, default_value = "plain", value_parser = named::<Interface>(&Interface::ALL.map(Interface::name)))]
    interface: Interface,
    /// Name of the module and its files, instead of the name derived from the unit's settings
    #[arg(long, value_name = "NAME", group = GROUP)]
    pub module: Option<ModuleName>,
}

#[derive(Args, Clone, Debug)]
pub struct ToolOptions {
    /// Which Verilator and Yosys to use: pinned versions, installed on first use, or those on PATH
    #[arg(long, value_name = "SOURCE", default_value = "pinned", value_parser = named::<Source>(&["pinned", "system"]))]
    pub tools: Source,
}

impl ToolOptions {
    pub fn tools(&self) -> Tools {
        Tools::new(self.tools)
    }
}

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

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, word: &OsStr) -> Result<String, clap::Error> {
        match word.to_str().and_then(|word| find_name(word, &self.names)) {
            Some(name) => Ok(name.into()),
            None => self.listed.parse_ref(command, argument, word),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.listed.possible_values()
    }
}

/// The meaning of a word of `--out`.
#[derive(Clone, Debug)]
pub enum Out {
    Format(Format),
    Folder(PathBuf),
}

/// Shorter words resemble some format name too easily to count as misspelt.
const SHORTEST_MISSPELT: usize = 5;

impl Out {
    /// Parses a format name, or else a folder; refuses a word that is almost a format name.
    pub fn read(word: OsString) -> Result<Out, String> {
        let name = word.to_str().unwrap_or("");
        let error = match name.parse::<Format>() {
            Ok(format) => return Ok(Out::Format(format)),
            Err(error) => error,
        };
        let is_plain = !name.contains(['/', '\\', '.']) && !Path::new(&word).is_dir();
        let is_nearly_a_format = match error {
            NameError::Unknown { nearest: None, .. } | NameError::Empty => false,
            NameError::Unknown { .. } => name.len() >= SHORTEST_MISSPELT,
            NameError::Ambiguous { .. }
            | NameError::Impossible { .. }
            | NameError::UnknownOption { .. }
            | NameError::OptionValue { .. } => true,
        };
        if is_plain && is_nearly_a_format {
            return Err(format!("{error}; a folder of that name is ./{name}"));
        }
        Ok(Out::Folder(word.into()))
    }
}

impl BuildOptions {
    /// A unit chosen elsewhere, with the settings of these options.
    pub fn applied(&self, mut selection: Selection) -> Result<Selection, Failure> {
        self.settings.apply(&mut selection)?;
        Ok(selection)
    }

    /// The tininess detection, if the options give it.
    pub fn tininess(&self) -> Result<Option<Tininess>, Failure> {
        let unit = Selection { flags: None, ..Selection::new(Unit::Mul, Format::binary32()) };
        Ok(self.applied(unit)?.flags)
    }
}

impl UnitOptions {
    /// The operation that the options choose, for commands that write no files.
    pub fn operation(&self) -> Result<Operation, Failure> {
        match self.folder()? {
            None => self.operation_and_folder().map(|(operation, _)| operation),
            Some(folder) => Err(Failure::Usage(format!(
                "--out {}: the output format of fmac or mac is expected here; only gen and flow write to a folder",
                folder.display()
            ))),
        }
    }

    /// The operation, and the folder for its files.
    fn operation_and_folder(&self) -> Result<(Operation, PathBuf), Failure> {
        let format = self.unit.format_or_none(self.format).map_err(refused)?;
        let selection = self.build.settings.selection(self.unit, format, self.output_format()?)?;
        Ok((operation(selection)?, self.folder()?.unwrap_or(DEFAULT_OUT.into())))
    }

    /// The design that the options choose, for commands that write no files and have no target.
    pub fn design_without_files(&self, stages: &StageOptions) -> Result<Design, Failure> {
        self.design(self.operation()?, stages, &[])
    }

    /// The unit that the options choose, for commands that write no files. `targets` are those on the command line.
    pub fn generate(&self, stages: &StageOptions, targets: &[Target]) -> Result<GeneratedUnit, Failure> {
        Ok(generated(self.design(self.operation()?, stages, targets)?))
    }

    /// The design that the options choose, and the folder for its files.
    pub fn design_for_folder(&self, stages: &StageOptions, targets: &[Target]) -> Result<(Design, PathBuf), Failure> {
        let (operation, folder) = self.operation_and_folder()?;
        Ok((self.design(operation, stages, targets)?, folder))
    }

    fn design(&self, operation: Operation, stages: &StageOptions, targets: &[Target]) -> Result<Design, Failure> {
        let design = leaving("the ranks of registers are being chosen", || {
            stages.depth().design(operation, self.build.optimize, targets)
        })?;
        Ok(design.spoken_to(self.build.interface).named(self.build.module))
    }

    fn output_format(&self) -> Result<Option<Format>, Failure> {
        only(
            "formats",
            self.build
                .settings
                .out
                .iter()
                .filter_map(|out| if let Out::Format(format) = out { Some(*format) } else { None }),
        )
    }

    fn folder(&self) -> Result<Option<PathBuf>, Failure> {
        only(
            "folders",
            self.build
                .settings
                .out
                .iter()
                .filter_map(|out| if let Out::Folder(path) = out { Some(path.clone()) } else { None }),
        )
    }
}

/// The word of `--out`; an error if there are several.
fn only<T>(what: &str, words: impl Iterator<Item = T>) -> Result<Option<T>, Failure> {
    let mut words: Vec<T> = words.collect();
    match words.len() {
        0 | 1 => Ok(words.pop()),
        count => Err(Failure::Usage(format!("--out names {count} {what}; one is enough"))),
    }
}

/// The error for one name given to several modules.
pub fn one_name_for_many(name: ModuleName, units: usize) -> Failure {
    Failure::Usage(format!(
        "--module {name}: {units} units are chosen, and each needs a name of its own; choose one unit, or leave --module out"
    ))
}

/// The operation that a selection gives.
pub fn operation(selection: Selection) -> Result<Operation, Failure> {
    selection.operation().map_err(refused)
}
