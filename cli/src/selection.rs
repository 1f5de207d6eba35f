//! The options that choose a unit, shared by all commands.

use crate::choices::ChoiceOptions;
use crate::failure::Failure;
use crate::heartbeat::with_heartbeat;
use crate::names::named;
use crate::settings::{GROUP, Out, SettingOptions, refused};
use crate::stages::StageOptions;
use crate::{namesakes, output};
use binade_generator::{Design, GeneratedUnit, ModuleName, generate};
use binade_spec::{Format, Formats, Operation, Selection, Setting, Tininess, Unit};
use binade_synth::Target;
use binade_tools::{Source, Tools, left_on_interrupt};
use clap::Args;
use std::path::PathBuf;

/// The default folder for files.
pub const DEFAULT_OUT: &str = "rtl_out";

/// Generates the unit of a design. A large unit takes minutes: a message says so, and Ctrl-C ends the program.
pub fn generated(design: Design) -> GeneratedUnit {
    leaving("the unit is being built", || generate(design))
}

/// The size of a Verilog text, in bytes, from which it is called large.
const LARGE: usize = 200_000;

/// Says on stderr how large a unit is, if it is large, before other programs read it.
pub fn say_if_large(unit: &GeneratedUnit) {
    let (bytes, lines) = (unit.verilog.len(), unit.verilog.lines().count());
    if bytes >= LARGE {
        let kilobytes = bytes / 1000;
        output::say(format_args!("{} is large: {lines} lines, {kilobytes} kB of Verilog", unit.module));
    }
}

/// Does long work without side effects. A message says that it is running, and Ctrl-C ends the program.
pub fn leaving<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    with_heartbeat(|| what.into(), || left_on_interrupt(work))
}

#[derive(Args, Clone, Debug)]
pub struct UnitOptions {
    /// Number format, such as e5m2, e4m3fn, e5m2b1, k8p3se, posit16_1, binary16 (see `binade formats`); all units but random need
    /// one. Several joined by +, such as e4m3fn+e5m2: port fmt chooses one of them at each operation
    #[arg(long, value_name = "FORMAT", group = GROUP)]
    pub format: Option<Formats>,
    /// What the unit computes (see `binade units`)
    #[arg(long, group = GROUP, value_parser = named::<Unit>(&Unit::ALL.map(Unit::name)))]
    pub unit: Unit,
    #[command(flatten)]
    pub build: BuildOptions,
}

/// The other options for a unit.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub struct BuildOptions {
    #[command(flatten)]
    settings: SettingOptions,
    #[command(flatten)]
    pub choices: ChoiceOptions,
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

impl BuildOptions {
    /// The same options, and one more setting.
    pub fn with(self, setting: Setting, word: &str) -> Result<BuildOptions, Failure> {
        Ok(BuildOptions { settings: self.settings.with(setting, word)?, ..self })
    }

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
        let operation = operation(selection)?;
        namesakes::say_of(&operation);
        Ok((operation, self.folder()?.unwrap_or(DEFAULT_OUT.into())))
    }

    /// The accumulator format of the unit, if it has one and the options do not choose it.
    pub fn default_accumulator(&self, operation: &Operation) -> Option<String> {
        let is_chosen = self.build.settings.gives(Setting::Acc);
        operation.words().into_iter().find(|(key, _)| *key == Setting::Acc.key() && !is_chosen).map(|(_, word)| word)
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
        let design = self.build.choices.apply(Design::from(operation))?;
        leaving("the ranks of registers are being chosen", || stages.depth().design(design, targets))
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
