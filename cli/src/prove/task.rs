//! What is proven: a unit, and where its gates come from.

use crate::failure::Failure;
use crate::verify::{Case, DutOptions, netlist};
use binade_generator::GeneratedUnit;
use binade_sim::{Gates, joint_identity};
use binade_synth::Target;
use binade_tools::Tools;

/// A unit to prove.
pub struct Task {
    pub case: Case,
    /// The gates are those of the netlist for this target, in place of the circuit's.
    netlist: Option<Target>,
}

impl Task {
    /// A generated unit, or the module of its name in a file of the user's.
    pub fn new(unit: GeneratedUnit, netlist: Option<Target>, dut: &DutOptions) -> Result<Task, Failure> {
        if dut.verilog.is_empty() {
            return Ok(Task { case: Case::generated(unit), netlist });
        }
        if !dut.is_plain() {
            return Err(Failure::Usage(
                "a proof takes one file whose module has the name and the ports of the generated one".into(),
            ));
        }
        Ok(Task { case: Case::of_file(unit, dut)?, netlist: Some(netlist.unwrap_or(Target::Generic)) })
    }

    pub fn needs_yosys(&self) -> bool {
        self.netlist.is_some()
    }

    pub fn gates(&self, tools: &Tools) -> Result<Gates, Failure> {
        match self.netlist {
            None => Ok(Gates::of_circuit(&self.case.unit)),
            Some(target) => netlist(tools, &self.case.unit, target).map_err(|failure| self.case.about_files(failure)),
        }
    }

    /// The options of `verify` that check the same gates; a file of the user's is simulated.
    pub fn engine_words(&self) -> String {
        match self.netlist {
            Some(target) if self.case.writes_module() => format!(" --engine lanes --netlist {target}"),
            Some(_) | None => String::new(),
        }
    }

    /// What decides its proof.
    pub fn identity(&self) -> String {
        let target = self.netlist.map_or("", Target::name);
        joint_identity(&[&self.case.words, &self.case.unit.verilog, target])
    }
}
