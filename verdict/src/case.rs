//! What is judged: a unit, and the source of its Verilog.

use crate::module::{expect_module, rejected};
use crate::{About, Connected, ModuleOptions, NoVerdict};
use binade_generator::GeneratedUnit;
use binade_generator::description::arguments as selection_words;
use binade_sim::verilator::Dut;
use binade_sim::{Choice, Hang, Subject, Tolerance, Watchdog};
use binade_tools::files::read_text_leniently;
use binade_tools::{Error, Tools};
use std::path::PathBuf;
use std::time::Duration;

/// A unit to check, and the source of its Verilog.
pub struct Case {
    /// The unit, or the one that the module stands in for.
    pub unit: GeneratedUnit,
    /// The name of the generated module.
    pub name: String,
    /// The options that choose the unit.
    pub words: String,
    pub(crate) source: ModuleSource,
}

/// Called when a user's module does not answer, with its name and the options that choose it.
pub(crate) type Bark<'a> = &'a (dyn Fn(&str, &str, &Hang) + Sync);

/// The source of a case's Verilog.
pub(crate) enum ModuleSource {
    /// The generator.
    Generated,
    /// A user's module to simulate.
    Dut(Box<Connected>),
    /// A user's file for Yosys, with its text.
    File(PathBuf, String),
}

impl Case {
    /// A generated unit.
    pub fn generated(unit: GeneratedUnit) -> Case {
        let words = selection_words(&unit.design).join(" ");
        Case { name: unit.module.clone(), words, unit, source: ModuleSource::Generated }
    }

    /// A unit whose gates Yosys reads from the user's only file.
    ///
    /// # Errors
    /// When the file cannot be read, or lacks the module.
    pub fn of_file(unit: GeneratedUnit, options: &ModuleOptions) -> Result<Case, NoVerdict> {
        let file = &options.files[0];
        let Case { unit, name, words, .. } = Case::generated(unit);
        let text = read_text_leniently(file)?;
        expect_module(&unit.module, &text, file)?;
        let words = format!("{words}{}", options.words(None));
        Ok(Case { unit, name, words, source: ModuleSource::File(file.into(), text) })
    }

    /// A user's module in place of a unit; runs it if its latency must be measured. `bark` is called when it does not answer within the
    /// limit.
    ///
    /// # Errors
    /// When the module cannot be connected, or has no latency with which it is right, and when Verilator fails.
    pub(crate) fn of_module(
        tools: &Tools,
        unit: GeneratedUnit,
        options: &ModuleOptions,
        tolerance: Tolerance,
        (limit, bark): (Duration, Bark),
    ) -> Result<Case, NoVerdict> {
        let Case { unit, name, words, .. } = Case::generated(unit);
        let outline = options.outline(tools, &unit)?;
        let module = outline.dut.top.clone();
        let given = format!("{words}{}", options.given_words());
        let bark = |hang: &Hang| bark(&module, &given, hang);
        let watchdog = Watchdog { limit, bark: &bark };
        let connected = options.connected(tools, &unit, outline, tolerance, watchdog)?;
        connected.check_flags(tolerance)?;
        Ok(Case::around(unit, (name, words), options, connected))
    }

    /// A user's module with known latency; does not run it.
    ///
    /// # Errors
    /// When a port cannot be connected.
    pub fn of_known_latency(
        unit: GeneratedUnit,
        options: &ModuleOptions,
        dut: Dut,
        latency: u32,
    ) -> Result<Case, NoVerdict> {
        let Case { unit, name, words, .. } = Case::generated(unit);
        let connected = options.connected_with(&unit, dut, latency)?;
        Ok(Case::around(unit, (name, words), options, connected))
    }

    /// A connected module in place of the unit.
    fn around(
        unit: GeneratedUnit,
        (name, words): (String, String),
        options: &ModuleOptions,
        connected: Connected,
    ) -> Case {
        let latency = Some(connected.latency).filter(|&latency| latency != unit.design.pace().latency);
        let words = format!("{words}{}", options.words(latency));
        Case { unit, name, words, source: ModuleSource::Dut(Box::new(connected)) }
    }

    /// The subject to check.
    pub fn subject(&self) -> Subject<'_> {
        match &self.source {
            ModuleSource::Generated => (&self.unit).into(),
            ModuleSource::Dut(connected) => connected.subject(&self.unit),
            ModuleSource::File(_, verilog) => Subject { verilog, circuit: None, ..(&self.unit).into() },
        }
    }

    /// The user's module, if it is simulated.
    pub fn dut(&self) -> Option<&Dut> {
        self.connected().map(|connected| &connected.dut)
    }

    fn connected(&self) -> Option<&Connected> {
        match &self.source {
            ModuleSource::Dut(connected) => Some(connected),
            ModuleSource::Generated | ModuleSource::File(..) => None,
        }
    }

    /// Whether the subject's Verilog (generated unit or adapter) is in none of the user's files.
    pub fn writes_module(&self) -> bool {
        match &self.source {
            ModuleSource::Generated | ModuleSource::Dut(_) => true,
            ModuleSource::File(..) => false,
        }
    }

    /// A description of the user's module.
    pub fn about(&self) -> Option<About> {
        self.connected().map(|connected| connected.about(&self.name))
    }

    /// Identifies a run of it.
    pub fn identity(&self, choice: &Choice, seed: u64, tolerance: Tolerance) -> String {
        binade_sim::identity_of(self.subject(), choice, seed, tolerance)
    }

    /// The user's files.
    pub fn files(&self) -> Vec<PathBuf> {
        match &self.source {
            ModuleSource::Generated => vec![],
            ModuleSource::Dut(connected) => connected.dut.sources.files.clone(),
            ModuleSource::File(file, _) => vec![file.clone()],
        }
    }

    /// Names the user's files in a tool's failure; if Verilator rejects a module, the failure becomes a usage error.
    pub fn about_files(&self, failure: NoVerdict) -> NoVerdict {
        match (failure, &self.source) {
            (NoVerdict::Tool(Error::Failed { what, status, output }), ModuleSource::File(file, _)) => {
                let what = format!("{what} (from `{}`)", file.display());
                NoVerdict::Tool(Error::Failed { what, status, output })
            }
            (failure, ModuleSource::Dut(connected)) => rejected(failure, &connected.dut),
            (failure, ModuleSource::Generated | ModuleSource::File(..)) => failure,
        }
    }
}
