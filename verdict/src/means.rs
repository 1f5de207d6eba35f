//! What evaluates a unit for its vectors, and what its results are compared with.

use crate::{Case, ModuleOptions, NoVerdict, netlist};
use binade_circuit::Interface;
use binade_gates::Graph;
use binade_generator::GeneratedUnit;
use binade_prove::{NotSpecified, specification};
use binade_sim::{Gates, Plan, Tolerance};
use binade_synth::Netlist;
use binade_tools::Tools;

/// What evaluates a unit for its vectors, and what its results are compared with. [`Default`] is Verilator, with the golden model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Means {
    /// Whether gates are evaluated, 4096 vectors at a time, in place of Verilog by Verilator.
    pub lanes: bool,
    /// The gates, if Yosys makes them of the Verilog; else they are those of the circuit.
    pub netlist: Option<Netlist>,
    /// Whether the specification circuit of proofs answers in place of the golden model, which then answers one vector in a million.
    pub against_specification: bool,
}

impl Means {
    /// Refuses what does not go together: the gates of the circuit, say, would answer for a user's module.
    ///
    /// # Errors
    /// When they do not; the text says what is missing.
    pub fn check(&self, module: &ModuleOptions, tolerance: Tolerance) -> Result<(), NoVerdict> {
        let usage = |text: &str| Err(NoVerdict::Usage(text.into()));
        match (self.lanes, self.netlist) {
            (false, _) if self.against_specification => {
                usage("--against specification is for --engine lanes; give both")
            }
            (true, _) if !tolerance.is_none() => {
                usage("--nan, --zero-sign and --policy are for --engine verilator; lanes compare bit for bit")
            }
            (true, _) if !module.is_plain() => usage(
                "--engine lanes takes one file whose module has the name and the ports of the generated one; other modules are \
                 for --engine verilator",
            ),
            (false, Some(_)) => usage("--netlist chooses the gates for --engine lanes; give both"),
            (true, None) if module.is_given() => {
                usage("--engine lanes --verilog: Yosys makes the gates of a file; add --netlist generic")
            }
            (false, None) if !tolerance.policies.is_empty() && !module.is_given() => {
                usage("--policy says what your module does otherwise; add --verilog FILE")
            }
            _ => Ok(()),
        }
    }

    /// Refuses a unit with valid and ready, unless it is generated and simulated.
    ///
    /// # Errors
    /// When it is such a one.
    pub fn check_interface(&self, unit: &GeneratedUnit, module: &ModuleOptions) -> Result<(), NoVerdict> {
        let interface = unit.design.interface;
        match interface {
            Interface::Plain => Ok(()),
            Interface::AxiStream if module.is_given() => Err(NoVerdict::Usage(
                "--interface axi-stream: for your module, give --interface ready-valid, and name its ports and bits, such as \
                 --port in_valid=s_axis_tvalid and --port a=s_axis_tdata[7:0]"
                    .into(),
            )),
            _ if self.lanes => Err(NoVerdict::Usage(format!(
                "--interface {interface}: a unit without a fixed latency must be simulated; leave --engine lanes out"
            ))),
            Interface::ReadyValid | Interface::AxiStream => Ok(()),
        }
    }

    /// The gates, unless Verilator evaluates the unit.
    ///
    /// # Errors
    /// When Yosys is missing or fails.
    pub fn gates(&self, tools: &Tools, case: &Case) -> Result<Option<Gates>, NoVerdict> {
        match (self.lanes, self.netlist) {
            (false, _) => Ok(None),
            (true, None) => Ok(Some(Gates::of_circuit(&case.unit))),
            (true, Some(kind)) => netlist(tools, case.subject(), kind).map(Some),
        }
    }

    /// The specification that answers in place of the golden model, if it does.
    ///
    /// # Errors
    /// When the unit has none.
    pub fn specification(&self, unit: &GeneratedUnit) -> Result<Option<Graph>, NotSpecified> {
        self.against_specification.then(|| specification(&unit.design.operation)).transpose()
    }

    /// The plan, in the order that suits the reference.
    pub fn suited(&self, plan: Plan) -> Plan {
        if self.against_specification { plan.in_planes() } else { plan }
    }

    /// The engine with the versions of its tools.
    ///
    /// # Errors
    /// When a tool is missing.
    pub fn describe(&self, tools: &Tools) -> Result<String, NoVerdict> {
        let engine = match (self.lanes, self.netlist) {
            (false, _) => {
                let compiler = tools.compiler()?.version;
                format!("Verilator {} with {compiler}", tools.verilator()?.version)
            }
            (true, None) => "lanes on circuits".into(),
            (true, Some(kind)) => format!("lanes on {kind} netlists of Yosys {}", tools.yosys()?.version),
        };
        Ok(match self.against_specification {
            false => engine,
            true => format!("{engine}, against specification circuits"),
        })
    }

    /// The options that choose them, except defaults.
    pub fn words(&self) -> String {
        if !self.lanes {
            return String::new();
        }
        let netlist = self.netlist.map(|kind| format!(" --netlist {kind}")).unwrap_or_default();
        let against = if self.against_specification { " --against specification" } else { "" };
        format!(" --engine lanes{netlist}{against}")
    }
}
