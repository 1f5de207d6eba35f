//! What to prove: a unit, and the source of its gates.

use super::loaded::Loaded;
use super::users_module::Foreign;
use crate::failure::Failure;
use crate::verify::{Case, DutOptions, PolicyOptions, netlist};
use binade_generator::description::arguments as selection_words;
use binade_generator::{GeneratedUnit, generate};
use binade_prove::Tolerance;
use binade_sim::{Gates, NanRule, circuit_identity, joint_identity};
use binade_spec::contract::ControlPorts;
use binade_synth::Netlist;
use binade_tools::Tools;

/// A unit to prove.
pub struct Task {
    pub unit: GeneratedUnit,
    /// The unit with its shell, if it has one; `unit` is the part inside.
    pub shell: Option<GeneratedUnit>,
    /// Other answers allowed for a user's module.
    pub policy: PolicyOptions,
    source: Source,
}

/// The source of the gates.
enum Source {
    Circuit,
    Netlist(Netlist),
    Foreign(Box<Foreign>),
}

impl Task {
    /// A generated unit, or a user's module in its place.
    pub fn new(
        tools: &Tools,
        unit: GeneratedUnit,
        netlist: Option<Netlist>,
        dut: &DutOptions,
        policy: PolicyOptions,
    ) -> Result<Task, Failure> {
        check(policy, dut)?;
        policy.check_unit(&unit)?;
        if unit.within_shell.is_some() && !dut.verilog.is_empty() {
            return Err(Failure::Usage(format!(
                "--interface {}: only the shell of a generated unit is proven; prove your module (--verilog) without --interface",
                unit.design.interface
            )));
        }
        let (unit, shell) = match unit.design.within_shell() {
            None => (unit, None),
            Some(within) => (generate(within), Some(unit)),
        };
        let source = match (dut.verilog.is_empty(), netlist) {
            (true, None) => Source::Circuit,
            (true, Some(netlist)) => Source::Netlist(netlist),
            (false, netlist) => {
                let netlist = netlist.unwrap_or(Netlist::Printed);
                Source::Foreign(Box::new(Foreign::new(tools, &unit, dut, netlist)?))
            }
        };
        Ok(Task { unit, shell, policy, source })
    }

    /// The module under proof.
    pub fn module(&self) -> &str {
        match &self.source {
            Source::Circuit | Source::Netlist(_) => &self.shell.as_ref().unwrap_or(&self.unit).module,
            Source::Foreign(foreign) => &foreign.dut.top,
        }
    }

    pub fn needs_yosys(&self) -> bool {
        match self.source {
            Source::Circuit => self.shell.is_some(),
            Source::Netlist(_) | Source::Foreign(_) => true,
        }
    }

    /// Whether the gates are the generated ones, so that it is known which registers hold state.
    pub fn is_circuit(&self) -> bool {
        matches!(self.source, Source::Circuit)
    }

    /// The subject of the proof, such as `the circuit`.
    pub fn subject(&self, gates: &Gates) -> String {
        match &self.source {
            Source::Circuit | Source::Netlist(_) if self.shell.is_some() => format!("{} in its shell", gates.origin),
            Source::Circuit | Source::Netlist(_) => gates.origin.clone(),
            Source::Foreign(foreign) => format!("{} ({})", foreign.files(), gates.origin),
        }
    }

    pub fn load(&self, tools: &Tools) -> Result<Loaded, Failure> {
        let gates = match &self.source {
            Source::Circuit => Gates::of_circuit(&self.unit),
            Source::Netlist(kind) => netlist(tools, (&self.unit).into(), *kind)?,
            Source::Foreign(foreign) => return foreign.load(tools, &self.unit),
        };
        let pace = self.unit.design.pace();
        Ok(Loaded { gates, is_clocked: pace.latency > 0, latency: Some(pace.latency), ports: ControlPorts::ALL })
    }

    /// The unit for `verify`, which shows the failure.
    pub fn case(&self, latency: u32) -> Result<Case, Failure> {
        match &self.source {
            Source::Circuit | Source::Netlist(_) => Ok(Case::generated(generate(self.unit.design))),
            Source::Foreign(foreign) => foreign.case(&self.unit, latency),
        }
    }

    /// The `verify` options that check the same gates; a user's module is simulated.
    pub fn option_words(&self) -> String {
        match self.source {
            Source::Netlist(netlist) => format!(" --engine lanes --netlist {netlist}"),
            Source::Circuit | Source::Foreign(_) => self.policy.words(),
        }
    }

    /// Other answers that are allowed.
    pub fn tolerance(&self) -> Tolerance {
        let tolerance = self.policy.tolerance();
        Tolerance { any_nan: tolerance.nan == NanRule::Any, any_zero_sign: tolerance.any_zero_sign }
    }

    /// Whether [`Task::identity`] covers everything that determines the proof.
    pub fn is_closed(&self) -> bool {
        match &self.source {
            Source::Circuit | Source::Netlist(_) => true,
            Source::Foreign(foreign) => foreign.dut.is_closed,
        }
    }

    /// Identifies the proof.
    pub fn identity(&self) -> String {
        let unit = self.shell.as_ref().unwrap_or(&self.unit);
        let words = selection_words(&unit.design).join(" ");
        match &self.source {
            Source::Circuit => joint_identity(&[&words, &unit.verilog, &circuit_identity(unit)]),
            Source::Netlist(netlist) => joint_identity(&[&words, &unit.verilog, netlist.name()]),
            Source::Foreign(foreign) => foreign.identity(&(words + &self.policy.words())),
        }
    }
}

/// Other answers can only be allowed for a user's module, and only as far as they can be proven.
fn check(policy: PolicyOptions, dut: &DutOptions) -> Result<(), Failure> {
    let tolerance = policy.tolerance();
    let refused = if tolerance.nan == NanRule::Payload {
        "--nan payload is for `binade verify`; a proof accepts the canonical NaN or any"
    } else if !tolerance.is_none() && dut.verilog.is_empty() {
        "--nan and --zero-sign allow other answers of your module; add --verilog FILE"
    } else {
        return Ok(());
    };
    Err(Failure::Usage(refused.into()))
}
