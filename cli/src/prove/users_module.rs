//! A user's module, read by Yosys.

use super::loaded::Loaded;
use crate::failure::Failure;
use crate::verify::{Case, DutOptions, MOST_LATENCY};
use binade_generator::{GeneratedUnit, generate};
use binade_prove::{defined, flow, iterated_flow, latency};
use binade_sim::verilator::{Dut, FlatText, Wiring};
use binade_sim::{Gates, joint_identity};
use binade_spec::Operation;
use binade_synth::{Netlist, foreign_netlist};
use binade_tools::{Error, Tools};

/// Precedes the line number in Yosys's messages about the text.
const OF_TEXT: &str = "design.v:";

/// A user's module in place of a unit.
pub struct Foreign {
    options: DutOptions,
    pub dut: Dut,
    wiring: Wiring,
    is_clocked: bool,
    /// None if it is to be measured.
    latency: Option<u32>,
    text: FlatText,
    netlist: Netlist,
}

impl Foreign {
    /// Connects all ports, without running anything.
    pub fn new(
        tools: &Tools,
        unit: &GeneratedUnit,
        options: &DutOptions,
        netlist: Netlist,
    ) -> Result<Foreign, Failure> {
        let (dut, latency) = options.outline(tools, unit)?;
        let is_clocked = latency != Some(0) || unit.design.operation.has_state();
        let wiring = options.wire(&dut, &unit.design.operation, is_clocked)?;
        let text = dut.flat(tools)?;
        Ok(Foreign { options: options.clone(), dut, wiring, is_clocked, latency, text, netlist })
    }

    /// Identifies the proof; `unit` are the words of the unit that the module stands in for.
    pub fn identity(&self, unit: &str) -> String {
        joint_identity(&[unit, &self.options.given_words(), &self.text.text, self.netlist.name()])
    }

    /// The files, in words.
    pub fn files(&self) -> String {
        let files = &self.options.verilog;
        match files.as_slice() {
            [only] => only.display().to_string(),
            _ => format!("{} of {} files", self.dut.top, files.len()),
        }
    }

    /// The module's gates, and the latency if it is found. Checks a synthesized netlist only if the Verilog keeps its contract: synthesis
    /// may choose any value for undefined bits.
    pub fn load(&self, tools: &Tools, unit: &GeneratedUnit) -> Result<Loaded, Failure> {
        let operation = &unit.design.operation;
        let gates = self.gates(tools, operation, Netlist::Printed)?;
        let latency = match (self.latency, operation.has_state()) {
            (Some(latency), _) => Some(latency),
            (None, true) => None,
            (None, false) => latency(&gates.graph, MOST_LATENCY),
        };
        let gates = match (self.netlist, latency) {
            (Netlist::Mapped(_), Some(latency)) if self.keeps_contract(&gates, unit, latency) => {
                self.gates(tools, operation, self.netlist)?
            }
            _ => gates,
        };
        Ok(Loaded { gates, is_clocked: self.is_clocked, latency, ports: self.wiring.ports })
    }

    fn gates(&self, tools: &Tools, operation: &Operation, netlist: Netlist) -> Result<Gates, Failure> {
        let name = format!("{}_adapter", self.dut.top);
        let adapter = self.wiring.netlist_adapter(&name, &self.dut, operation, self.is_clocked);
        let text = format!("{}{adapter}", self.text.text);
        let json = foreign_netlist(tools, &name, &text, netlist).map_err(|error| self.refused(error))?;
        let origin = netlist.described(&format!("Yosys {}", tools.yosys()?.version));
        Gates::of_module(&name, operation, self.is_clocked, &json, origin)
            .map_err(|error| Failure::Usage(format!("{} cannot be proven: {error}", self.dut.top)))
    }

    fn keeps_contract(&self, gates: &Gates, unit: &GeneratedUnit, latency: u32) -> bool {
        match self.is_clocked {
            true if unit.design.pace().is_iterated() => iterated_flow(&gates.graph, latency).is_ok(),
            true => flow(&gates.graph, latency, self.wiring.ports).is_ok(),
            false => defined(&gates.graph).is_ok(),
        }
    }

    /// The module for Verilator, which shows the failure.
    pub fn case(&self, unit: &GeneratedUnit, latency: u32) -> Result<Case, Failure> {
        Case::of_known_dut(generate(unit.design), &self.options, self.dut.clone(), latency)
    }

    /// Turns Yosys's complaint about the files into a usage error.
    fn refused(&self, error: Error) -> Failure {
        let Error::Failed { output, .. } = error else { return Failure::Tool(error) };
        let line = output.lines().find(|line| line.contains("ERROR:")).unwrap_or(&output);
        let placed = line.strip_prefix(OF_TEXT).and_then(|rest| rest.split_once(':'));
        let placed = placed.and_then(|(number, rest)| Some((self.text.place(number.parse().ok()?)?, rest)));
        let said = placed.map_or(line.to_string(), |(place, rest)| format!("{place}: {}", rest.trim_start()));
        Failure::Usage(format!("Yosys rejects the module {}:\n{said}", self.dut.top))
    }
}
