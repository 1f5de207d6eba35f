//! The files of a user's module, and how it is connected.

use crate::quoted;
use binade_sim::verilator::{Beside, FlagOrder, PortChoice, Reset, Tie};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The longest latency that can be checked.
pub const MOST_LATENCY: u32 = 31;

/// The files of a user's module, and how it is connected to the ports of a unit. [`Default`] is no module.
#[derive(Clone, Debug, Default)]
pub struct ModuleOptions {
    /// The files, read in this order.
    pub files: Vec<PathBuf>,
    /// The name of the module; without it, the one with the name of the generated module, else the only one.
    pub top: Option<String>,
    /// Ports of the unit, and the module's. Ports with usual names are found.
    pub ports: Vec<PortChoice>,
    /// Constant inputs.
    pub ties: Vec<Tie>,
    /// The constant inputs of other operations of the module, which run in between.
    pub besides: Vec<Beside>,
    /// Parameters and their values.
    pub parameters: Vec<(String, String)>,
    /// Folders of included files; those beside the files are found.
    pub includes: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The reset and its level; without it, found by its name.
    pub reset: Option<Reset>,
    /// The latency; without it, that of the unit, else measured if the module has a clock.
    pub latency: Option<Latency>,
    /// The clock cycles after a reset in which the module takes no operands.
    pub startup: u32,
    /// The order of the module's flags.
    pub flag_order: FlagOrder,
    /// Whether the files may run programs and write files.
    pub allow_system_tasks: bool,
    /// Whether Verilator's warnings about the files are printed on stderr.
    pub lint: bool,
}

/// The latency of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latency {
    /// In clock cycles.
    Clocks(u32),
    /// To be measured.
    Auto,
}

impl FromStr for Latency {
    type Err = String;

    fn from_str(text: &str) -> Result<Latency, String> {
        if text.eq_ignore_ascii_case("auto") {
            return Ok(Latency::Auto);
        }
        let clocks = text.parse().ok().filter(|&clocks| clocks <= MOST_LATENCY);
        clocks
            .map(Latency::Clocks)
            .ok_or_else(|| format!("a number of clocks up to {MOST_LATENCY} is expected, or auto"))
    }
}

impl ModuleOptions {
    /// Whether there is a module.
    pub fn is_given(&self) -> bool {
        !self.files.is_empty()
    }

    /// Whether no option other than a file is given.
    pub fn is_plain(&self) -> bool {
        let plain = ModuleOptions { files: self.files.clone(), ..ModuleOptions::default() };
        self.files.len() <= 1 && self.words(None) == plain.words(None) && self.latency.is_none()
    }

    /// The same options as command line words, as given.
    pub fn given_words(&self) -> String {
        match self.latency {
            Some(Latency::Clocks(clocks)) => self.words(Some(clocks)),
            Some(Latency::Auto) => format!("{} --latency auto", self.words(None)),
            None => self.words(None),
        }
    }

    /// The same options as command line words; `latency` is the one used in the check.
    pub fn words(&self, latency: Option<u32>) -> String {
        let path = |option: &str, path: &PathBuf| format!(" {option} {}", quoted(path));
        let word = |option: &str, word: String| format!(" {option} {}", quoted(Path::new(&word)));
        let range = |range: Option<(u32, u32)>| range.map(|(high, low)| format!("[{high}:{low}]")).unwrap_or_default();
        let level = |is_high| if is_high { "high" } else { "low" };
        let mut words: Vec<String> = self.files.iter().map(|file| path("--verilog", file)).collect();
        words.extend(self.includes.iter().map(|folder| path("-I", folder)));
        words.extend(self.defines.iter().map(|define| word("-D", define.clone())));
        words.extend(self.top.iter().map(|top| word("--top", top.clone())));
        words.extend(self.parameters.iter().map(|(name, value)| word("--parameter", format!("{name}={value}"))));
        let ports = self.ports.iter().map(|port| format!("{}={}{}", port.ours, port.theirs, range(port.range)));
        words.extend(ports.map(|port| word("--port", port)));
        words.extend(self.ties.iter().map(|tie| word("--tie", tie.to_string())));
        words.extend(self.besides.iter().map(|beside| word("--beside", beside.to_string())));
        words.extend(
            self.reset.iter().map(|reset| word("--reset", format!("{}:{}", reset.theirs, level(reset.is_high)))),
        );
        words.extend(latency.map(|latency| format!(" --latency {latency}")));
        words.extend((self.startup > 0).then(|| format!(" --startup {}", self.startup)));
        let order = &self.flag_order;
        words.extend((*order != FlagOrder::Binade).then(|| format!(" --flag-order {order}")));
        words.extend(self.allow_system_tasks.then(|| " --allow-system-tasks".into()));
        words.concat()
    }
}
