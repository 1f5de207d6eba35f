//! A user's module, read by Yosys.

use super::loaded::{Loaded, Reading};
use crate::{Case, MOST_LATENCY, ModuleOptions, NoVerdict, Outline};
use binade_gates::{Graph, Place};
use binade_generator::{GeneratedUnit, generate};
use binade_prove::{defined, flow, iterated_flow, latency};
use binade_sim::mutate::MutatedModule;
use binade_sim::verilator::{Dut, Reader, SlangFiles, Wiring};
use binade_sim::{Gates, joint_identity};
use binade_spec::Operation;
use binade_spec::contract::Pace;
use binade_synth::{Netlist, Unsettled, foreign_netlist};
use binade_tools::{Error, Tools, interrupted};
use std::fmt::Display;
use std::path::Path;

/// A user's module in place of a unit.
pub struct Foreign {
    options: ModuleOptions,
    pub dut: Dut,
    wiring: Wiring,
    is_clocked: bool,
    /// None if it is to be measured.
    latency: Option<u32>,
    files: SlangFiles,
    netlist: Netlist,
}

impl Foreign {
    /// Connects all ports, without running anything.
    pub fn new(
        tools: &Tools,
        unit: &GeneratedUnit,
        options: &ModuleOptions,
        netlist: Netlist,
    ) -> Result<Foreign, NoVerdict> {
        let Outline { dut, latency } = options.outline(tools, unit)?;
        let is_clocked = latency != Some(0) || unit.design.operation.has_state();
        let wiring = options.wire(&dut, unit, is_clocked)?;
        if let Some((flag, _)) = wiring.missing_flags.first() {
            return Err(NoVerdict::Usage(format!(
                "--flag-order {}: {} does not have {}; only `binade verify` leaves a flag out",
                options.flag_order,
                dut.top,
                flag.name()
            )));
        }
        let files = dut.slang_files()?;
        if let Some(why) = files.refused() {
            return Err(NoVerdict::Usage(format!("{} cannot be proven: {why}", dut.top)));
        }
        Ok(Foreign { options: options.clone(), dut, wiring, is_clocked, latency, files, netlist })
    }

    /// Identifies the proof; `unit` are the words of the unit that the module stands in for.
    pub fn identity(&self, unit: &str) -> String {
        joint_identity(&[unit, &self.options.given_words(), &self.files.identity(), self.netlist.name()])
    }

    /// Whether [`Self::identity`] covers everything that is read.
    pub fn is_closed(&self) -> bool {
        self.dut.is_closed && self.files.is_closed()
    }

    /// The outputs that have no counterpart in the unit.
    pub fn ignored(&self) -> &[String] {
        &self.wiring.ignored
    }

    /// The files, in words.
    pub fn files(&self) -> String {
        let files = &self.options.files;
        match files.as_slice() {
            [only] => only.display().to_string(),
            _ => format!("{} of {} files", self.dut.top, files.len()),
        }
    }

    /// The module's gates, and the latency if it is found. Checks a synthesized netlist only if the Verilog keeps its contract: synthesis
    /// may choose any value for undefined bits.
    pub fn load(&self, tools: &Tools, unit: &GeneratedUnit) -> Result<Loaded, NoVerdict> {
        let operation = &unit.design.operation;
        let gates = self.gates(tools, operation, (Reader::Synthesis, Netlist::Printed))?;
        let latency = match (self.latency, operation.has_state()) {
            (Some(latency), _) => Some(latency),
            (None, true) => None,
            (None, false) => latency(&gates.graph, MOST_LATENCY, &interrupted),
        };
        let readings = self.readings(tools, operation, &gates)?;
        let gates = match (self.netlist, latency) {
            (Netlist::Mapped(_), Some(latency)) if self.keeps_contract(&gates, unit, latency) => {
                self.gates(tools, operation, (Reader::Synthesis, self.netlist))?
            }
            _ => gates,
        };
        Ok(Loaded { gates, is_clocked: self.is_clocked, latency, ports: self.wiring.ports, readings })
    }

    /// What other tools read, where it differs from what synthesis reads.
    fn readings(&self, tools: &Tools, operation: &Operation, synthesized: &Gates) -> Result<Vec<Reading>, NoVerdict> {
        let mut readings: Vec<Reading> = vec![];
        for reader in self.files.readers().into_iter().filter(|reader| *reader != Reader::Synthesis) {
            let gates = match self.gates(tools, operation, (reader, Netlist::Printed)) {
                Ok(gates) => Ok(gates),
                Err(NoVerdict::Usage(why)) => Err(why),
                Err(failure @ NoVerdict::Tool(_)) => return Err(failure),
            };
            let is_same = |gates: &Gates| {
                let others = readings.iter().filter_map(|reading| reading.gates.as_ref().ok());
                [synthesized].into_iter().chain(others).any(|other| other.graph.is_same(&gates.graph))
            };
            if !gates.as_ref().is_ok_and(is_same) {
                readings.push(Reading { reader, gates });
            }
        }
        Ok(readings)
    }

    /// The gates to break, as synthesis reads the module.
    ///
    /// # Errors
    /// When Yosys is missing or rejects the module.
    fn mutated(&self, tools: &Tools, unit: &GeneratedUnit) -> Result<MutatedModule<'static>, NoVerdict> {
        let operation = unit.design.operation;
        let (name, json) = self.netlist(tools, &operation, (Reader::Synthesis, Netlist::Printed))?;
        let (graph, mut places) =
            Gates::placed_of_module(&name, &operation, self.is_clocked, &json).map_err(|error| self.unproven(error))?;
        places.iter_mut().for_each(|place| self.find(place));
        let latency = self.latency.or_else(|| latency(&graph, MOST_LATENCY, &interrupted));
        let given = unit.design.pace();
        let pace = match (self.is_clocked, latency) {
            (false, _) => None,
            (true, Some(0)) if !operation.has_state() => {
                return Err(self.unproven("it answers in the clock in which it takes operands; add --latency 0"));
            }
            (true, _) if given.is_iterated() => Some(given),
            (true, latency) => Some(Pace::pipelined(latency.unwrap_or(given.latency))),
        };
        let ports = self.wiring.ports;
        if operation.has_state() && !ports.has_in_valid {
            return Err(self.unproven("--mutate drives bubbles, so a module with state needs in_valid"));
        }
        let flow = move |graph: &Graph| match pace {
            Some(pace) if !operation.has_state() && pace.is_iterated() => {
                iterated_flow(graph, pace.latency, &interrupted).ok()
            }
            Some(pace) if !operation.has_state() => flow(graph, pace.latency, ports, &interrupted).ok(),
            _ => None,
        };
        Ok(MutatedModule::new(self.dut.top.clone(), operation, (pace, ports), (graph, places), Box::new(flow)))
    }

    /// Names the user's file and wire; a place in the adapter, or in a cell of Yosys, becomes unknown.
    fn find(&self, place: &mut Place) {
        let own = place.source.split('|').map(|source| self.files.placed(source));
        let own = own.filter_map(|source| source.split_once(':').map(|(file, at)| (file.to_string(), line_of(at))));
        let mut own = own.filter(|(file, _)| self.files.has(Path::new(file)));
        let of_user = own.next_back();
        place.source = of_user.map(|(file, line)| format!("{}:{line}", shown(&file))).unwrap_or_default();
        let wire = place.wire.take();
        place.wire = wire.map(|wire| wire.strip_prefix("dut.").map(String::from).unwrap_or(wire));
    }

    fn gates(&self, tools: &Tools, operation: &Operation, how: (Reader, Netlist)) -> Result<Gates, NoVerdict> {
        let (name, json) = self.netlist(tools, operation, how)?;
        let origin = how.1.described(&format!("Yosys {}", tools.yosys()?.version));
        Gates::of_module(&name, operation, self.is_clocked, &json, origin).map_err(|error| self.unproven(error))
    }

    /// The name of the adapter around the module, and the netlist of both.
    fn netlist(
        &self,
        tools: &Tools,
        operation: &Operation,
        (reader, netlist): (Reader, Netlist),
    ) -> Result<(String, String), NoVerdict> {
        let name = format!("{}_adapter", self.dut.top);
        let adapter = self.wiring.netlist_adapter(&name, &self.dut, operation, self.is_clocked);
        let write = |folder: &Path| self.files.write(folder, reader, &adapter);
        let read = foreign_netlist(tools, &name, &write, netlist).map_err(|error| self.refused(error))?;
        if let Some(Unsettled { why, place: [word, behind] }) = read.unsettled {
            let place = self.files.locate(&word, &behind).map_or(String::new(), |place| format!("{place}: "));
            return Err(self.unproven(place + &why));
        }
        Ok((name, read.json))
    }

    fn unproven(&self, why: impl Display) -> NoVerdict {
        NoVerdict::Usage(format!("{} cannot be read as gates: {why}", self.dut.top))
    }

    fn keeps_contract(&self, gates: &Gates, unit: &GeneratedUnit, latency: u32) -> bool {
        match self.is_clocked {
            true if unit.design.pace().is_iterated() => iterated_flow(&gates.graph, latency, &interrupted).is_ok(),
            true => flow(&gates.graph, latency, self.wiring.ports, &interrupted).is_ok(),
            false => defined(&gates.graph, &interrupted).is_ok(),
        }
    }

    /// The module for Verilator, which shows the failure.
    pub fn case(&self, unit: &GeneratedUnit, latency: u32) -> Result<Case, NoVerdict> {
        Case::of_known_latency(generate(unit.design), &self.options, self.dut.clone(), latency)
    }

    /// Turns Yosys's complaint about the files into a usage error.
    fn refused(&self, error: Error) -> NoVerdict {
        let Error::Failed { output, .. } = error else { return NoVerdict::Tool(error) };
        let line = output.lines().find(|line| line.contains("ERROR:")).unwrap_or(&output);
        let said = self.files.placed(line);
        NoVerdict::Usage(format!("Yosys rejects the module {}:\n{said}", self.dut.top))
    }
}

/// A user's module in place of a unit, to be broken gate by gate.
///
/// # Errors
/// When the module cannot be connected, when Yosys rejects it, and when Verilator is missing.
pub fn mutated_module(
    tools: &Tools,
    unit: &GeneratedUnit,
    options: &ModuleOptions,
) -> Result<MutatedModule<'static>, NoVerdict> {
    if options.startup > 0 {
        return Err(NoVerdict::Usage(
            "--mutate: mutants are given operands in the first clock cycle after a reset; leave --startup out".into(),
        ));
    }
    Foreign::new(tools, unit, options, Netlist::Printed)?.mutated(tools, unit)
}

/// The line of a place such as `12.3-12.20`.
fn line_of(place: &str) -> String {
    place.split(['.', '-']).next().unwrap_or_default().into()
}

/// A path below the current folder without that folder.
fn shown(file: &str) -> String {
    let here = std::env::current_dir().ok();
    let inner = here.and_then(|here| Path::new(file).strip_prefix(here).ok().map(|path| path.display().to_string()));
    inner.unwrap_or_else(|| file.into())
}
