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
//! | `description.rs` | module names, the command that makes a unit, its header |
//! | `name.rs` | [`ModuleName`]: the user's name for a module |
//! | `manifest.rs` | [`Manifest`]: the description of a unit for programs |
//!
//! Formats come from `binade_spec` as data. This crate does not depend on the golden model.

pub mod description;
mod design;
mod manifest;
mod name;
pub mod units;

pub use design::{Design, DesignError};
pub use manifest::{Manifest, PipelineEntry, SCHEMA};
pub use name::{ModuleName, ModuleNameError};

use binade_circuit::Language;
use binade_circuit::Netlist;
use binade_circuit::pipeline::Pipeline;
use binade_circuit::print::{self, Heading, Shell};

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
    let module = description::module_name(&design);
    let netlist = units::build(&design.operation, design.optimize);
    let is_clocked = design.stages > 0 || !netlist.registers.is_empty();
    let pipeline = is_clocked.then(|| Pipeline::new(&netlist, design.stages));
    let mut unit = GeneratedUnit { design, module, netlist, pipeline, verilog: String::new(), within_shell: None };
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
    /// The text of the file in a language: a header, the shell if there is one, the module, and the modules of its parts. In
    /// VHDL, entities come before those that instantiate them.
    pub fn text(&self, language: Language) -> String {
        let command = description::command_in(&self.design, language);
        let about = description::about(&self.design, self.pipeline.as_ref());
        let heading = Heading { name: &self.module, command: &command, about: &about, language };
        match (self.shell(), &self.pipeline) {
            (Some(shell), _) => print::print_shell(&shell, &heading),
            (None, None) => print::print(&self.netlist, &heading),
            (None, Some(pipeline)) => print::print_pipelined(&self.netlist, pipeline, &heading),
        }
    }

    fn shell(&self) -> Option<Shell<'_>> {
        let (interface, pipeline) = (self.design.interface, self.pipeline.as_ref());
        self.within_shell.as_ref().map(|unit| Shell { interface, unit, netlist: &self.netlist, pipeline })
    }

    /// All ports of the module, in order, and whether it drives each of them.
    pub fn ports(&self) -> Vec<(bool, binade_circuit::Port)> {
        match self.shell() {
            None => print::module_ports(&self.netlist, self.pipeline.is_some()),
            Some(shell) => shell.ports(),
        }
    }
}
