//! A user's module with its ports connected, before it runs.

use super::connected::Connected;
use super::declared::modules;
use super::vhdl::in_verilog;
use super::{Latency, ModuleOptions};
use crate::NoVerdict;
use binade_circuit::Interface;
use binade_generator::GeneratedUnit;
use binade_sim::verilator::{
    Choices, Dut, DutError, FlagOrder, LatencyError, Measured, Sources, Wiring, measure_latency,
};
use binade_sim::{Tolerance, Watchdog};
use binade_spec::Setting;
use binade_spec::contract::ControlPorts;
use binade_tools::files::read_text_leniently;
use binade_tools::{Error, Tools};
use std::path::{Path, PathBuf};

/// A user's module whose ports are connected to those of a unit.
pub struct Outline {
    /// The module.
    pub dut: Dut,
    /// The latency in clock cycles; none if it must be measured.
    pub latency: Option<u32>,
}

impl ModuleOptions {
    /// The module with all ports connected, without running it; includes the latency unless it must be measured.
    ///
    /// # Errors
    /// When the files have no such module, when a port cannot be connected, and when Verilator is missing or rejects the module.
    pub fn outline(&self, tools: &Tools, unit: &GeneratedUnit) -> Result<Outline, NoVerdict> {
        let dut = self.survey(tools, unit)?;
        let operation = &unit.design.operation;
        if self.flag_order != FlagOrder::Binade && operation.flags.is_none() {
            return Err(NoVerdict::Usage(format!(
                "--flag-order {}: the unit has no flags; add --{}",
                self.flag_order,
                Setting::Flags
            )));
        }
        if !self.besides.is_empty() && operation.has_state() {
            return Err(NoVerdict::Usage("--beside: other operations may change the state of this one".into()));
        }
        let latency = self.known_latency(unit, &dut)?;
        let wiring = self.wire(&dut, unit, latency != Some(0) || operation.has_state())?;
        let plain = ControlPorts { has_out_ready: true, ..wiring.ports };
        if unit.design.pace().is_iterated() && plain != ControlPorts::ALL && !exchanges(unit) {
            return Err(NoVerdict::Usage(
                "--digits-per-clock: a module that takes several clocks for an operation needs a reset, an enable, in_valid and out_valid; name \
                 them with --port"
                    .into(),
            ));
        }
        Ok(Outline { dut, latency })
    }

    /// The module of an outline, inside an adapter with the ports of the unit. Runs it if its latency must be measured.
    ///
    /// # Errors
    /// When Verilator would simulate it otherwise than it is written, when no latency, or more than one, is right, and when Verilator fails.
    pub fn connected(
        &self,
        tools: &Tools,
        unit: &GeneratedUnit,
        Outline { dut, latency }: Outline,
        tolerance: Tolerance,
        watchdog: Watchdog,
    ) -> Result<Connected, NoVerdict> {
        if let Some(why) = &dut.unlike_simulation {
            return Err(NoVerdict::Usage(format!("{} cannot be simulated: {why}", dut.top)));
        }
        match latency {
            Some(latency) => self.connected_with(unit, dut, latency),
            None => {
                let measured = self.measure(tools, unit, &dut, tolerance, watchdog)?;
                let connected = self.connected_with(unit, dut, measured.latency)?;
                Ok(Connected { measured: Some(measured), ..connected })
            }
        }
    }

    /// The same for a known latency.
    ///
    /// # Errors
    /// When a port cannot be connected.
    pub fn connected_with(&self, unit: &GeneratedUnit, dut: Dut, latency: u32) -> Result<Connected, NoVerdict> {
        let operation = &unit.design.operation;
        let is_clocked = latency > 0 || operation.has_state() || exchanges(unit);
        let wiring = self.wire(&dut, unit, is_clocked)?;
        let dut = dut.connected(&wiring);
        let name = format!("{}_adapter", dut.top);
        let adapter = wiring.adapter(&name, &dut, operation, latency);
        let flag_order = self.flag_order.clone();
        let (readings, files) = (vec![], self.files.clone());
        let (measured, besides) = (None, self.besides.clone());
        Ok(Connected {
            name,
            adapter,
            dut,
            readings,
            files,
            wiring,
            latency,
            is_clocked,
            measured,
            flag_order,
            besides,
        })
    }

    /// Maps the module's ports to the unit's.
    pub(crate) fn wire(&self, dut: &Dut, unit: &GeneratedUnit, is_clocked: bool) -> Result<Wiring, NoVerdict> {
        let choices = Choices {
            ports: self.ports.clone(),
            ties: self.ties.clone(),
            besides: self.besides.clone(),
            reset: self.reset.clone(),
            flag_order: self.flag_order.clone(),
            startup: self.startup,
            exchanges: exchanges(unit),
        };
        Wiring::new(dut, &unit.design.operation, &choices, is_clocked || exchanges(unit))
            .map_err(|error| NoVerdict::Usage(error.to_string()))
    }

    /// The ports of the module, as Verilator reports them.
    fn survey(&self, tools: &Tools, unit: &GeneratedUnit) -> Result<Dut, NoVerdict> {
        self.check_paths()?;
        let verilog = in_verilog(self, tools)?;
        let sources = Sources {
            files: verilog.files.clone(),
            includes: self.includes.clone(),
            defines: self.defines.clone(),
            parameters: verilog.parameters.clone(),
            may_reach_out: self.allow_system_tasks,
        };
        let top = verilog.top_module(&unit.module)?;
        let dut = Dut::survey(tools, &top, sources).map_err(|error| match error {
            DutError::Tool(error) => NoVerdict::Tool(error),
            error @ (DutError::Refused { .. } | DutError::Port { .. } | DutError::ReachesOut { .. }) => {
                NoVerdict::Usage(error.to_string())
            }
        })?;
        if self.lint {
            dut.warnings.iter().for_each(|warning| eprintln!("{warning}"));
        }
        Ok(dut)
    }

    /// Refuses paths that Verilog cannot quote.
    fn check_paths(&self) -> Result<(), NoVerdict> {
        let is_odd = |path: &&PathBuf| path.to_string_lossy().contains(['"', '\n', '\r']);
        match self.files.iter().chain(&self.includes).find(is_odd) {
            Some(path) => Err(NoVerdict::Usage(format!(
                "{path:?}: Verilog's tools cannot read a path with a quotation mark or a line break; rename it"
            ))),
            None => Ok(()),
        }
    }

    /// The name of the module to check; `unit` is the name of the generated module.
    fn top_module(&self, unit: &str) -> Result<String, NoVerdict> {
        let mut declared = vec![];
        for file in &self.files {
            declared.extend(modules(&read_text_leniently(file)?));
        }
        let files: Vec<String> = self.files.iter().map(|file| format!("`{}`", file.display())).collect();
        let listed = if declared.is_empty() { "no module".into() } else { declared.join(", ") };
        let (files, usage) = (files.join(", "), |text: String| Err(NoVerdict::Usage(text)));
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
    fn known_latency(&self, unit: &GeneratedUnit, dut: &Dut) -> Result<Option<u32>, NoVerdict> {
        let (operation, stages) = (&unit.design.operation, unit.design.pace().latency);
        let has_clock = dut.has_clock() || self.ports.iter().any(|choice| choice.ours == "clk");
        match self.latency {
            Some(_) if exchanges(unit) => Err(NoVerdict::Usage(
                "--latency: a module with valid and ready may take any number of clocks; leave --latency out".into(),
            )),
            None if exchanges(unit) => Ok(Some(0)),
            Some(Latency::Clocks(clocks)) => Ok(Some(clocks)),
            Some(Latency::Auto) if operation.has_state() => Err(NoVerdict::Usage(
                "--latency auto: the latency of a unit with state cannot be measured; give a number".into(),
            )),
            None if stages > 0 || !has_clock || operation.has_state() => Ok(Some(stages)),
            Some(Latency::Auto) | None => Ok(None),
        }
    }

    fn measure(
        &self,
        tools: &Tools,
        unit: &GeneratedUnit,
        dut: &Dut,
        tolerance: Tolerance,
        watchdog: Watchdog,
    ) -> Result<Measured, NoVerdict> {
        let wiring = self.wire(dut, unit, true)?;
        measure_latency(tools, dut, &wiring, &unit.design.operation, tolerance, watchdog).map_err(|error| match error {
            LatencyError::Tool(error) => rejected(NoVerdict::Tool(error), dut),
            error @ (LatencyError::Unclear(_) | LatencyError::Stopped(_)) => {
                NoVerdict::Usage(format!("{}: {error}", dut.top))
            }
        })
    }
}

/// Whether the module has valid and ready on both sides, as the unit that it stands in for.
fn exchanges(unit: &GeneratedUnit) -> bool {
    unit.design.interface == Interface::ReadyValid
}

/// Turns Verilator's complaint about a module into a usage error.
pub(crate) fn rejected(failure: NoVerdict, dut: &Dut) -> NoVerdict {
    match failure {
        NoVerdict::Tool(Error::Failed { output, .. }) if output.contains("%Error") => {
            NoVerdict::Usage(format!("Verilator rejects {} with these ports and constants:\n{output}", dut.top))
        }
        failure => failure,
    }
}

/// Refuses a file without the module that the unit's options name.
pub(crate) fn expect_module(module: &str, text: &str, file: &Path) -> Result<(), NoVerdict> {
    if modules(text).iter().any(|declared| declared == module) {
        return Ok(());
    }
    let file = file.display();
    Err(NoVerdict::Usage(format!(
        "--verilog `{file}`: the module {module} is expected, but the file does not declare it"
    )))
}
