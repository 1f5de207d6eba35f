//! Arithmetic units as circuits, and their Verilog.
//!
//! ```
//! use binade_generator::{Design, generate};
//! use binade_spec::{Selection, Unit};
//!
//! // An adder of E5M2, combinational and small.
//! let add = Selection::new(Unit::Add, "e5m2".parse()?).operation()?;
//! let unit = generate(&add);
//! assert_eq!(unit.module, "add_e5m2_rne");
//! assert!(unit.verilog.contains("module add_e5m2_rne ("));
//!
//! // The same adder with two ranks of registers has a clock.
//! let pipelined = generate(Design::pipelined(add, 2));
//! assert_eq!(pipelined.module, "add_e5m2_rne_p2");
//! assert!(pipelined.verilog.contains("always @(posedge clk)"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `units/` | the units, one file each, and the stages they share |
//! | `design.rs` | [`Design`]: an operation and how it is built |
//! | `choice.rs` | [`BuildChoice`]: the choices of how a unit is built, as rows |
//! | `stages.rs` | [`Stages`]: parses the number of ranks of registers |
//! | `description.rs` | module names, the command that makes a unit, its header |
//! | `name.rs` | [`ModuleName`]: the user's name for a module |
//! | `manifest.rs` | [`Manifest`]: the description of a unit for programs |
//! | `wrapper.rs` | [`Wrapper`]: classes that instantiate a unit in other languages |
//!
//! Formats come from `binade_spec` as data. This crate does not depend on the golden model.

mod choice;
pub mod description;
mod design;
mod manifest;
mod name;
mod stages;
pub mod units;
mod wrapper;

pub use choice::{BuildChoice, BuildError};
pub use design::{Design, DesignError};
pub use manifest::{Manifest, PipelineEntry, SCHEMA};
pub use name::{ModuleName, ModuleNameError};
pub use stages::Stages;
pub use wrapper::Wrapper;

use binade_circuit::Language;
use binade_circuit::pipeline::Pipeline;
use binade_circuit::print::{self, Heading, Shell, Within};
use binade_circuit::{Iteration, Netlist};

/// A unit: its circuit and its Verilog.
pub struct GeneratedUnit {
    /// The operation, and how its unit is built.
    pub design: Design,
    /// Name of the module and, with `.v` and `.json`, of its files.
    pub module: String,
    /// The circuit, without ranks of registers.
    pub netlist: Netlist,
    /// The ranks of registers; `None` for a combinational unit, which has no clock. A unit with state has a pipeline,
    /// possibly with 0 ranks.
    pub pipeline: Option<Pipeline>,
    /// The circuit of one clock, for a unit that takes several clocks for an operation. `netlist` is then that of the same operation
    /// in one clock.
    pub iteration: Option<Iteration>,
    /// The text of the Verilog file: a header, the shell if there is one, the module, and the modules of its parts.
    pub verilog: String,
    /// Name of the module inside the shell, if there is a shell.
    pub within_shell: Option<String>,
}

/// Builds a unit.
pub fn generate(design: impl Into<Design>) -> GeneratedUnit {
    let design = design.into();
    match design.within_shell() {
        None => bare(design),
        Some(within) => in_shell(design, bare(within)),
    }
}

/// A unit without a shell.
fn bare(design: Design) -> GeneratedUnit {
    of_netlist(design, units::build(&design.operation, design.architecture()))
}

/// A unit without a shell, whose circuit is built.
fn of_netlist(design: Design, netlist: Netlist) -> GeneratedUnit {
    let module = description::module_name(&design);
    let is_pipelined = design.stages > 0 || !netlist.registers.is_empty();
    let pipeline = is_pipelined.then(|| Pipeline::new(&netlist, design.stages));
    let digits = Some(design.digits_per_clock).filter(|&digits| digits > 0);
    let iteration = digits.map(|digits| units::build_in_clocks(&design.operation, design.architecture(), digits));
    let mut unit =
        GeneratedUnit { design, module, netlist, pipeline, iteration, verilog: String::new(), within_shell: None };
    unit.verilog = unit.text(Language::Verilog);
    unit
}

/// A unit with a shell around it.
fn in_shell(design: Design, unit: GeneratedUnit) -> GeneratedUnit {
    let module = description::module_name(&design);
    let mut unit = GeneratedUnit { design, module, within_shell: Some(unit.module), ..unit };
    unit.verilog = unit.text(Language::Verilog);
    unit
}

impl GeneratedUnit {
    /// The same circuit without ranks of registers, shell and name.
    pub fn without_ranks(&self) -> GeneratedUnit {
        of_netlist(self.design.without_ranks(), self.netlist.clone())
    }

    /// The text of the file in a language: a header, the shell if there is one, the module, and the modules of its parts. In
    /// VHDL, entities come before those that instantiate them.
    pub fn text(&self, language: Language) -> String {
        let commands = [description::command_in(&self.design, language), description::check(&self.design)];
        let about = description::about(&self.design, self.pipeline.as_ref());
        let heading =
            Heading { name: &self.module, commands: &commands, about: &about, language, reset: self.design.reset };
        match (self.shell(), &self.pipeline) {
            (Some(shell), _) => print::print_shell(&shell, &heading),
            (None, _) if let Some(iteration) = &self.iteration => print::print_iterated(iteration, &heading),
            (None, None) => print::print(&self.netlist, &heading),
            (None, Some(pipeline)) => print::print_pipelined(&self.netlist, pipeline, &heading),
        }
    }

    /// The same as a file for each module: the name of the module, and its text; that of the unit first.
    pub fn files(&self, language: Language) -> Vec<(String, String)> {
        print::files(&self.text(language), &self.module, language)
    }

    /// A picture of the circuit, without the shell, in SVG: the sections of the file in a language, and the signals between them.
    pub fn figure(&self, language: Language) -> String {
        let name = self.within_shell.as_ref().unwrap_or(&self.module);
        print::figure(&self.netlist, self.within(), name, language)
    }

    fn shell(&self) -> Option<Shell<'_>> {
        let GeneratedUnit { design, netlist, within_shell, .. } = self;
        let within = self.within();
        within_shell.as_ref().map(|unit| Shell { interface: design.interface, unit, netlist, within })
    }

    /// The registers of the unit.
    fn within(&self) -> Within<'_> {
        match (&self.iteration, &self.pipeline) {
            (Some(iteration), _) => Within::Iterated(iteration),
            (None, Some(pipeline)) => Within::Pipelined(pipeline),
            (None, None) => Within::Combinational,
        }
    }

    /// The circuit that is printed: that of one clock, for a unit that takes several clocks for an operation.
    pub fn circuit(&self) -> &Netlist {
        self.iteration.as_ref().map_or(&self.netlist, |iteration| &iteration.netlist)
    }

    /// Whether the unit, inside its shell if it has one, has a clock.
    pub fn is_clocked(&self) -> bool {
        self.pipeline.is_some() || self.iteration.is_some()
    }

    /// All ports of the module, in order, and whether it drives each of them.
    pub fn ports(&self) -> Vec<(bool, binade_circuit::Port)> {
        match self.shell() {
            None => print::module_ports(&self.netlist, self.is_clocked()),
            Some(shell) => shell.ports(),
        }
    }
}
