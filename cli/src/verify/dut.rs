//! A user's module in place of the generated one: the options that describe it, and the adapter that they give.

use super::artefacts::quoted;
use super::policy::PolicyOptions;
use super::verilog::modules;
use crate::failure::Failure;
use crate::output;
use binade_generator::GeneratedUnit;
use binade_sim::verilator::{
    Choices, Dut, DutError, LatencyError, Measured, PortChoice, Reset, Sources, Tie, Wiring, measure_latency,
};
use binade_sim::{Subject, Tolerance, Watchdog};
use binade_spec::contract::{ControlPorts, Pace};
use binade_spec::{Operation, Setting};
use binade_tools::{Error, Tools};
use clap::{Args, Parser, ValueEnum};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The group of these options, which conflicts with suites.
const GROUP: &str = "DutOptions";

/// The longest latency that can be checked.
pub const MOST_LATENCY: u32 = 31;

#[derive(Args, Clone, Debug, Default)]
#[group(id = GROUP, multiple = true)]
pub struct DutOptions {
    /// Check the module in this file instead of the generated one; several files are read in the given order
    #[arg(long, value_name = "FILE")]
    pub verilog: Vec<PathBuf>,
    /// The module to check [default: the one with the name of the generated one, else the only one in the files]
    #[arg(long, value_name = "MODULE", requires = "verilog")]
    pub top: Option<String>,
    /// Connect a port of the unit (a, b, y, .., clk, en, in_valid, out_valid) to yours, such as `y=result` or `b=operands[31:16]`; ports
    /// with usual names are found
    #[arg(long = "port", value_name = "OURS=YOURS", requires = "verilog")]
    pub ports: Vec<PortChoice>,
    /// Set an input of your module to a constant, such as mode=0 or op=my_pkg::MUL
    #[arg(long = "tie", value_name = "YOURS=VALUE", requires = "verilog")]
    pub ties: Vec<Tie>,
    /// Set a parameter of your module, such as WIDTH=16
    #[arg(long = "parameter", value_name = "NAME=VALUE", value_parser = parameter, requires = "verilog")]
    pub parameters: Vec<(String, String)>,
    /// Folder of included files (those beside your files are found)
    #[arg(short = 'I', long = "include", value_name = "DIR", requires = "verilog")]
    pub includes: Vec<PathBuf>,
    /// Define a macro for your files
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", requires = "verilog")]
    pub defines: Vec<String>,
    /// The reset of your module and its level, such as rst:high [default: found by its name]
    #[arg(long, value_name = "NAME:LEVEL", requires = "verilog")]
    pub reset: Option<Reset>,
    /// Latency of your module in clocks; auto measures it [default: --stages, else auto if it has a clock]
    #[arg(long, value_name = "N|auto", requires = "verilog")]
    pub latency: Option<Latency>,
    /// Order of your module's flags: Binade's (invalid, overflow, underflow, inexact), or RISC-V's, which has division by zero in second
    /// place; it must be 0
    #[arg(long, value_enum, ignore_case = true, value_name = "ORDER", default_value = "binade", requires = "verilog")]
    pub flag_order: FlagOrder,
    /// Let your files run programs and write files, with $system and $fopen
    #[arg(long, requires = "verilog")]
    pub allow_system_tasks: bool,
    /// Show Verilator's warnings about your files
    #[arg(long, requires = "verilog")]
    pub lint: bool,
}

/// The order of flags, from the top bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FlagOrder {
    #[default]
    Binade,
    Riscv,
}

/// `--latency`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latency {
    Clocks(u32),
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

/// The options that a suite may give to its units.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct UnitWords {
    #[command(flatten)]
    dut: DutOptions,
    #[command(flatten)]
    policy: PolicyOptions,
}

/// Parses the options of one unit of a suite.
///
/// # Errors
/// The first error, in words.
pub fn parse(words: &[String]) -> Result<(DutOptions, PolicyOptions), String> {
    let first = |error: clap::Error| {
        let text = error.to_string();
        text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_string()
    };
    UnitWords::try_parse_from(words).map(|UnitWords { dut, policy }| (dut, policy)).map_err(first)
}

/// Parses a name and a value.
pub fn parameter(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let (name, value) = pair.ok_or("a name and a value are expected, such as WIDTH=16")?;
    Ok((name.into(), value.into()))
}

/// A user's module that stands in for a unit.
pub struct Connected {
    /// The name of the adapter's module.
    name: String,
    /// The Verilog of the adapter, which has the unit's ports.
    adapter: String,
    pub dut: Dut,
    wiring: Wiring,
    /// The latency in clock cycles.
    pub latency: u32,
    is_clocked: bool,
    measured: Option<Measured>,
    flag_order: FlagOrder,
}

/// A description of the user's module for reports.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    module: String,
    files: Vec<PathBuf>,
    /// The unit that it was checked as.
    unit: String,
    parameters: Vec<String>,
    /// Ports whose names differ from the unit's, such as `y=result`.
    ports: Vec<String>,
    /// Constant inputs.
    ties: Vec<String>,
    /// Unchecked outputs.
    ignored: Vec<String>,
    /// The latency in clock cycles.
    latency: u32,
    /// If the latency was measured: the results right with it, those right with the best other latency, and the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<[usize; 3]>,
    /// Ports that the module lacks, and that were not checked.
    not_checked: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flag_order: Option<&'static str>,
    /// The number of Verilator's warnings, by kind.
    warnings: BTreeMap<String, usize>,
}

impl DutOptions {
    /// The user's module with all ports connected, without running it; includes the latency unless it must be measured.
    pub fn outline(&self, tools: &Tools, unit: &GeneratedUnit) -> Result<(Dut, Option<u32>), Failure> {
        let dut = self.survey(tools, unit)?;
        let operation = &unit.design.operation;
        if self.flag_order == FlagOrder::Riscv && operation.flags.is_none() {
            return Err(Failure::Usage(format!("--flag-order riscv: the unit has no flags; add --{}", Setting::Flags)));
        }
        let latency = self.known_latency(unit, &dut)?;
        let wiring = self.wire(&dut, operation, latency != Some(0) || operation.has_state())?;
        if unit.design.pace().is_iterated() && wiring.ports != ControlPorts::ALL {
            return Err(Failure::Usage(
                "--digits-per-clock: a module that takes several clocks for an operation needs a reset, an enable, in_valid and out_valid; name \
                 them with --port"
                    .into(),
            ));
        }
        Ok((dut, latency))
    }

    /// The module of an outline, inside an adapter with the ports of the unit.
    pub fn connected(
        &self,
        tools: &Tools,
        operation: &Operation,
        (dut, latency): (Dut, Option<u32>),
        tolerance: Tolerance,
        watchdog: Watchdog,
    ) -> Result<Connected, Failure> {
        let measured = match latency {
            Some(_) => None,
            None => Some(self.measure(tools, operation, &dut, tolerance, watchdog)?),
        };
        let latency = latency.or(measured.map(|measured| measured.latency)).expect("known or measured");
        Ok(Connected { measured, ..self.connected_with(operation, dut, latency)? })
    }

    /// The same for a known latency.
    pub fn connected_with(&self, operation: &Operation, dut: Dut, latency: u32) -> Result<Connected, Failure> {
        let is_clocked = latency > 0 || operation.has_state();
        let wiring = self.wire(&dut, operation, is_clocked)?;
        let dut = dut.connected(&wiring);
        let name = format!("{}_adapter", dut.top);
        let adapter = wiring.adapter(&name, &dut, operation, latency);
        let flag_order = self.flag_order;
        Ok(Connected { name, adapter, dut, wiring, latency, is_clocked, measured: None, flag_order })
    }

    /// Whether no option other than a file is given.
    pub fn is_plain(&self) -> bool {
        let plain = DutOptions { verilog: self.verilog.clone(), ..DutOptions::default() };
        self.verilog.len() <= 1 && self.words(None) == plain.words(None) && self.latency.is_none()
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
        let mut words: Vec<String> = self.verilog.iter().map(|file| path("--verilog", file)).collect();
        words.extend(self.includes.iter().map(|folder| path("-I", folder)));
        words.extend(self.defines.iter().map(|define| word("-D", define.clone())));
        words.extend(self.top.iter().map(|top| word("--top", top.clone())));
        words.extend(self.parameters.iter().map(|(name, value)| word("--parameter", format!("{name}={value}"))));
        let ports = self.ports.iter().map(|port| format!("{}={}{}", port.ours, port.theirs, range(port.range)));
        words.extend(ports.map(|port| word("--port", port)));
        let ties = self.ties.iter().map(|tie| format!("{}{}={}", tie.theirs, range(tie.range), tie.value));
        words.extend(ties.map(|tie| word("--tie", tie)));
        words.extend(
            self.reset.iter().map(|reset| word("--reset", format!("{}:{}", reset.theirs, level(reset.is_high)))),
        );
        words.extend(latency.map(|latency| format!(" --latency {latency}")));
        words.extend((self.flag_order == FlagOrder::Riscv).then(|| " --flag-order riscv".into()));
        words.extend(self.allow_system_tasks.then(|| " --allow-system-tasks".into()));
        words.concat()
    }

    /// Maps the module's ports to the unit's.
    pub fn wire(&self, dut: &Dut, operation: &Operation, is_clocked: bool) -> Result<Wiring, Failure> {
        let choices = Choices {
            ports: self.ports.clone(),
            ties: self.ties.clone(),
            reset: self.reset.clone(),
            riscv_flags: self.flag_order == FlagOrder::Riscv,
        };
        Wiring::new(dut, operation, &choices, is_clocked).map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The ports of the module, as Verilator reports them.
    fn survey(&self, tools: &Tools, unit: &GeneratedUnit) -> Result<Dut, Failure> {
        self.check_paths()?;
        let sources = Sources {
            files: self.verilog.clone(),
            includes: self.includes.clone(),
            defines: self.defines.clone(),
            parameters: self.parameters.clone(),
            may_reach_out: self.allow_system_tasks,
        };
        let top = self.top_module(&unit.module)?;
        let dut = Dut::survey(tools, &top, sources).map_err(|error| match error {
            DutError::Tool(error) => Failure::Tool(error),
            error @ (DutError::Refused { .. } | DutError::Port { .. } | DutError::ReachesOut { .. }) => {
                Failure::Usage(error.to_string())
            }
        })?;
        if self.lint {
            dut.warnings.iter().for_each(output::say);
        }
        Ok(dut)
    }

    /// Refuses paths that Verilog cannot quote.
    fn check_paths(&self) -> Result<(), Failure> {
        let is_odd = |path: &&PathBuf| path.to_string_lossy().contains(['"', '\n', '\r']);
        match self.verilog.iter().chain(&self.includes).find(is_odd) {
            Some(path) => Err(Failure::Usage(format!(
                "{path:?}: Verilog's tools cannot read a path with a quotation mark or a line break; rename it"
            ))),
            None => Ok(()),
        }
    }

    /// The name of the module to check; `unit` is the name of the generated module.
    fn top_module(&self, unit: &str) -> Result<String, Failure> {
        let mut declared = vec![];
        for file in &self.verilog {
            declared.extend(modules(&read(file)?));
        }
        let files: Vec<String> = self.verilog.iter().map(|file| format!("`{}`", file.display())).collect();
        let listed = if declared.is_empty() { "no module".into() } else { declared.join(", ") };
        let (files, usage) = (files.join(", "), |text: String| Err(Failure::Usage(text)));
        match (&self.top, &declared[..]) {
            (Some(top), _) if declared.contains(top) => Ok(top.clone()),
            (Some(top), _) => usage(format!("--top {top}: {files} has no such module; it declares {listed}")),
            (None, _) if declared.iter().any(|module| module == unit) => Ok(unit.into()),
            (None, [only]) => Ok(only.clone()),
            (None, []) => usage(format!("--verilog {files}: it declares no module")),
            (None, _) => usage(format!("--verilog {files}: choose the module to check with --top: {listed}")),
        }
    }

    /// The latency, unless it must be measured.
    fn known_latency(&self, unit: &GeneratedUnit, dut: &Dut) -> Result<Option<u32>, Failure> {
        let (operation, stages) = (&unit.design.operation, unit.design.pace().latency);
        let has_clock = dut.has_clock() || self.ports.iter().any(|choice| choice.ours == "clk");
        match self.latency {
            Some(Latency::Clocks(clocks)) => Ok(Some(clocks)),
            Some(Latency::Auto) if operation.has_state() => Err(Failure::Usage(
                "--latency auto: the latency of a unit with state cannot be measured; give a number".into(),
            )),
            None if stages > 0 || !has_clock || operation.has_state() => Ok(Some(stages)),
            Some(Latency::Auto) | None => Ok(None),
        }
    }

    fn measure(
        &self,
        tools: &Tools,
        operation: &Operation,
        dut: &Dut,
        tolerance: Tolerance,
        watchdog: Watchdog,
    ) -> Result<Measured, Failure> {
        let wiring = self.wire(dut, operation, true)?;
        measure_latency(tools, dut, &wiring, operation, tolerance, watchdog).map_err(|error| match error {
            LatencyError::Tool(error) => about(Failure::Tool(error), dut),
            error @ (LatencyError::Unclear(_) | LatencyError::Stopped(_)) => {
                Failure::Usage(format!("{}: {error}", dut.top))
            }
        })
    }
}

/// Turns Verilator's complaint about a module into a usage error.
pub fn about(failure: Failure, dut: &Dut) -> Failure {
    match failure {
        Failure::Tool(Error::Failed { output, .. }) if output.contains("%Error") => {
            Failure::Usage(format!("Verilator rejects {} with these ports and constants:\n{output}", dut.top))
        }
        failure => failure,
    }
}

/// Reads a text file in any encoding.
pub fn read(file: &Path) -> Result<String, Failure> {
    let bytes = fs::read(file).map_err(|error| Failure::file("read", file, error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Refuses a file without the module that the unit's options name.
pub fn expect_module(module: &str, text: &str, file: &Path) -> Result<(), Failure> {
    if modules(text).iter().any(|declared| declared == module) {
        return Ok(());
    }
    let file = file.display();
    Err(Failure::Usage(format!(
        "--verilog `{file}`: the module {module} is expected, but the file does not declare it"
    )))
}

impl Connected {
    /// The subject: the adapter around the module, in place of a unit.
    pub fn subject<'s>(&'s self, unit: &'s GeneratedUnit) -> Subject<'s> {
        Subject {
            operation: &unit.design.operation,
            pace: match unit.design.pace().is_iterated() {
                true => Pace::iterated(self.latency),
                false => Pace::pipelined(self.latency),
            },
            interface: unit.design.interface,
            module: &self.name,
            verilog: &self.adapter,
            circuit: None,
            dut: Some(&self.dut),
        }
    }

    pub fn about(&self, unit: &str) -> About {
        let &Connected { ref dut, ref wiring, latency, is_clocked, measured, .. } = self;
        let not_checked = if is_clocked { wiring.ports.missing() } else { vec![] };
        let mut warnings = BTreeMap::new();
        for warning in &dut.warnings {
            let kind = warning.trim_start_matches("%Warning-").split(':').next().unwrap_or_default();
            *warnings.entry(kind.to_string()).or_insert(0) += 1;
        }
        About {
            module: dut.top.clone(),
            files: dut.sources.files.clone(),
            unit: unit.into(),
            parameters: dut.sources.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            ports: wiring.renamed(),
            ties: wiring.tied(),
            ignored: wiring.ignored.clone(),
            latency,
            measured: measured.map(|measured| [measured.right, measured.right_otherwise, measured.vectors]),
            not_checked,
            flag_order: (self.flag_order == FlagOrder::Riscv).then_some("riscv"),
            warnings,
        }
    }
}

impl About {
    /// The description as lines for the summary.
    pub fn lines(&self) -> Vec<String> {
        let list = |label: &str, words: &[String]| {
            if words.is_empty() { String::new() } else { format!("; {label} {}", words.join(", ")) }
        };
        let files: Vec<String> = self.files.iter().map(|file| file.display().to_string()).collect();
        let lists = [
            list("parameters", &self.parameters),
            list("ports", &self.ports),
            list("constants", &self.ties),
            list("not looked at:", &self.ignored),
        ];
        let files = if files.len() > 2 { format!("{} files", files.len()) } else { files.join(", ") };
        let mut lines = vec![format!("  module   {} of {files} as {}{}", self.module, self.unit, lists.concat())];
        if let Some([right, otherwise, vectors]) = self.measured {
            lines.push(format!(
                "  latency  {}, measured: with it {right} of {vectors} results are right, with any other at most {otherwise}",
                clocks(self.latency)
            ));
        } else if self.latency > 0 {
            lines.push(format!("  latency  {}", clocks(self.latency)));
        }
        if !self.not_checked.is_empty() {
            lines.push(format!("  open     {}", self.not_checked.join("; ")));
        }
        lines.extend(
            self.flag_order
                .map(|_| "  flags    in the order of RISC-V; the one for a division by zero has to be 0".into()),
        );
        if !self.warnings.is_empty() {
            let total: usize = self.warnings.values().sum();
            let kinds: Vec<String> = self.warnings.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            let plural = if total == 1 { "" } else { "s" };
            lines.push(format!(
                "  lint     {total} warning{plural} of Verilator ({}); --lint shows them",
                kinds.join(", ")
            ));
        }
        lines
    }
}

fn clocks(latency: u32) -> String {
    if latency == 1 { "1 clock".into() } else { format!("{latency} clocks") }
}
