//! What to prove: a unit, and the source of its gates.

use super::foreign::Foreign;
use super::loaded::Loaded;
use crate::{Case, ModuleOptions, NoVerdict, check_tolerance, netlist, tolerance_words};
use binade_generator::description::arguments as selection_words;
use binade_generator::{GeneratedUnit, generate};
use binade_prove::{AllowedResults, defined, flow, iterated_flow, smt};
use binade_sim::{Gates, NanRule, Tolerance, circuit_identity, joint_identity};
use binade_spec::contract::ControlPorts;
use binade_synth::Netlist;
use binade_tools::{Tools, interrupted};

/// A unit to prove.
pub struct Task {
    /// The unit.
    pub unit: GeneratedUnit,
    /// The unit with its shell, if it has one; `unit` is the part inside.
    pub shell: Option<GeneratedUnit>,
    /// Other answers allowed for a user's module.
    pub tolerance: Tolerance,
    source: Source,
}

/// The source of the gates.
enum Source {
    Circuit,
    Netlist(Netlist),
    Foreign(Box<Foreign>),
}

impl Task {
    /// The circuit of a generated unit.
    pub fn of_circuit(unit: GeneratedUnit) -> Task {
        Task::generated(unit, Source::Circuit)
    }

    /// The gates that Yosys makes of a generated unit's Verilog.
    pub fn of_netlist(unit: GeneratedUnit, netlist: Netlist) -> Task {
        Task::generated(unit, Source::Netlist(netlist))
    }

    /// A user's module in place of a unit.
    ///
    /// # Errors
    /// When the module cannot be connected or proven, when an allowed answer cannot be, and when Verilator is missing.
    pub fn of_module(
        tools: &Tools,
        unit: GeneratedUnit,
        module: &ModuleOptions,
        netlist: Netlist,
        tolerance: Tolerance,
    ) -> Result<Task, NoVerdict> {
        check_nan(tolerance)?;
        check_tolerance(tolerance, &unit)?;
        if !module.besides.is_empty() {
            return Err(NoVerdict::Usage(
                "--beside is for `binade verify`: a proof holds for an operation whose constants stay".into(),
            ));
        }
        if unit.within_shell.is_some() {
            return Err(NoVerdict::Usage(format!(
                "--interface {}: modules of yours with valid and ready are checked by `verify`, and not proven; a module with an enable is proven \
                 without --interface",
                unit.design.interface
            )));
        }
        let source = Source::Foreign(Box::new(Foreign::new(tools, &unit, module, netlist)?));
        Ok(Task { unit, shell: None, tolerance, source })
    }

    fn generated(unit: GeneratedUnit, source: Source) -> Task {
        let (unit, shell) = match unit.design.within_shell() {
            None => (unit, None),
            Some(within) => (generate(within), Some(unit)),
        };
        Task { unit, shell, tolerance: Tolerance::default(), source }
    }

    /// The module under proof.
    pub fn module(&self) -> &str {
        match &self.source {
            Source::Circuit | Source::Netlist(_) => &self.shell.as_ref().unwrap_or(&self.unit).module,
            Source::Foreign(foreign) => &foreign.dut.top,
        }
    }

    /// Whether Yosys makes the gates.
    pub fn needs_yosys(&self) -> bool {
        match self.source {
            Source::Circuit => self.shell.is_some(),
            Source::Netlist(_) | Source::Foreign(_) => true,
        }
    }

    /// Whether the gates are the generated ones, so that it is known which registers hold state.
    pub(super) fn is_circuit(&self) -> bool {
        matches!(self.source, Source::Circuit)
    }

    /// The subject of the proof, such as `the circuit`.
    pub(super) fn subject(&self, gates: &Gates) -> String {
        match &self.source {
            Source::Circuit | Source::Netlist(_) if self.shell.is_some() => format!("{} in its shell", gates.origin),
            Source::Circuit | Source::Netlist(_) => gates.origin.clone(),
            Source::Foreign(foreign) => format!("{} ({})", foreign.files(), gates.origin),
        }
    }

    /// Outputs of a user's module that the proof does not look at.
    pub(super) fn ignored(&self) -> Vec<String> {
        match &self.source {
            Source::Circuit | Source::Netlist(_) => vec![],
            Source::Foreign(foreign) => foreign.ignored().to_vec(),
        }
    }

    /// The gates.
    ///
    /// # Errors
    /// When Yosys is missing or rejects the module, and when a module cannot be proven.
    pub fn load(&self, tools: &Tools) -> Result<Loaded, NoVerdict> {
        let gates = match &self.source {
            Source::Circuit => Gates::of_circuit(&self.unit),
            Source::Netlist(kind) => netlist(tools, (&self.unit).into(), *kind)?,
            Source::Foreign(foreign) => return foreign.load(tools, &self.unit),
        };
        let pace = self.unit.design.pace();
        Ok(Loaded {
            gates,
            is_clocked: pace.latency > 0,
            latency: Some(pace.latency),
            ports: ControlPorts::ALL,
            readings: vec![],
        })
    }

    /// The gates and the operation of IEEE 754 as a question in SMT-LIB, for other solvers.
    ///
    /// # Errors
    /// When the unit has a shell or state, when its gates cannot be made or violate the contract of modules with a clock, and when SMT-LIB
    /// does not have its operation.
    pub fn smt(&self, tools: &Tools) -> Result<String, NoVerdict> {
        let usage = |why: String| NoVerdict::Usage(format!("--smt: {why}"));
        let (operation, pace) = (self.unit.design.operation, self.unit.design.pace());
        if self.shell.is_some() || operation.has_state() {
            return Err(usage(format!(
                "{} has a handshake or state, which SMT-LIB's floating point has not",
                self.module()
            )));
        }
        if !self.tolerance.is_none() {
            return Err(usage(
                "the question allows no other answers; leave --nan, --zero-sign and --policy out".into(),
            ));
        }
        let Loaded { gates, is_clocked, latency, ports, .. } = self.load(tools)?;
        let latency = latency.unwrap_or(pace.latency);
        let logic = match is_clocked {
            true if pace.is_iterated() => iterated_flow(&gates.graph, latency, &interrupted),
            true => flow(&gates.graph, latency, ports, &interrupted),
            false => defined(&gates.graph, &interrupted),
        };
        let unkept = |_| {
            usage(format!("{} may violate the contract of modules with a clock; prove it without --smt", self.module()))
        };
        let logic = logic.map_err(unkept)?;
        smt(self.module(), &operation, &logic).map_err(|why| usage(why.to_string()))
    }

    /// The unit for `verify`, which shows the failure.
    ///
    /// # Errors
    /// When a port of a module cannot be connected.
    pub(super) fn case(&self, latency: u32) -> Result<Case, NoVerdict> {
        match &self.source {
            Source::Circuit | Source::Netlist(_) => Ok(Case::generated(generate(self.unit.design))),
            Source::Foreign(foreign) => foreign.case(&self.unit, latency),
        }
    }

    /// The `verify` options that check the same gates; a user's module is simulated.
    pub(super) fn option_words(&self) -> String {
        match self.source {
            Source::Netlist(netlist) => format!(" --engine lanes --netlist {netlist}"),
            Source::Circuit | Source::Foreign(_) => tolerance_words(self.tolerance),
        }
    }

    /// The options of `prove` for this unit, except those that name files of the user.
    pub(super) fn command(&self) -> String {
        let words = selection_words(&self.unit.design).join(" ");
        match self.source {
            Source::Netlist(netlist) => format!("{words} --netlist {netlist}"),
            Source::Circuit => words,
            Source::Foreign(_) => format!("{words} --verilog FILE{}", tolerance_words(self.tolerance)),
        }
    }

    /// The Verilog of a generated unit.
    pub(super) fn verilog(&self) -> Option<&str> {
        match self.source {
            Source::Circuit | Source::Netlist(_) => Some(&self.unit.verilog),
            Source::Foreign(_) => None,
        }
    }

    /// Other answers that are allowed.
    pub(super) fn allowed(&self) -> AllowedResults {
        AllowedResults { any_nan: self.tolerance.nan == NanRule::Any, any_zero_sign: self.tolerance.any_zero_sign }
    }

    /// Whether [`Task::identity`] covers everything that determines the proof.
    pub fn is_closed(&self) -> bool {
        match &self.source {
            Source::Circuit | Source::Netlist(_) => true,
            Source::Foreign(foreign) => foreign.is_closed(),
        }
    }

    /// Identifies the proof.
    pub fn identity(&self) -> String {
        let unit = self.shell.as_ref().unwrap_or(&self.unit);
        let words = selection_words(&unit.design).join(" ");
        match &self.source {
            Source::Circuit => joint_identity(&[&words, &unit.verilog, &circuit_identity(unit)]),
            Source::Netlist(netlist) => joint_identity(&[&words, &unit.verilog, netlist.name()]),
            Source::Foreign(foreign) => foreign.identity(&(words + &tolerance_words(self.tolerance))),
        }
    }
}

/// Refuses allowed answers that cannot be proven.
fn check_nan(tolerance: Tolerance) -> Result<(), NoVerdict> {
    match tolerance.nan {
        _ if !tolerance.policies.is_empty() => Err(NoVerdict::Usage(
            "--policy is for `binade verify`; a proof knows no policies but --nan any and --zero-sign any".into(),
        )),
        NanRule::Payload => Err(NoVerdict::Usage(
            "--nan payload is for `binade verify`; a proof accepts the canonical NaN or any".into(),
        )),
        NanRule::Canonical | NanRule::Any => Ok(()),
    }
}
