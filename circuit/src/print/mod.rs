//! Printing a circuit: as Verilog-2005, SystemVerilog or VHDL-2008.
//!
//! ```text
//!   netlist -> names, wires, parts, clocks -> Module, in no language -> Syntax of a language -> lines that fit
//! ```
//!
//! Signals with a name become wires. Other nodes are written where they are used, unless they are used twice, sliced, or too
//! long. Unused bits of wires are gathered in `unused_bits`, so lint needs only one waiver: modules after the first one in a
//! file do not have the name of the file.
//!
//! | file | contents |
//! |---|---|
//! | `expression.rs`, `module.rs` | expressions and modules, independent of a language |
//! | `signals.rs` | the nodes that are signals, and all nodes as expressions |
//! | `body.rs` | a module without a clock, or one that takes several clocks for an operation: its sections |
//! | `clocked.rs`, `state.rs` | a clocked unit, segment by segment, with the registers of its state and its ranks of registers |
//! | `parts/` | pieces that occur more than once: modules of their own |
//! | `shell.rs` | a shell with valid and ready around a unit |
//! | `syntax.rs`, `languages.rs` | the interface to a language; the syntax of each language |
//! | `verilog/`, `vhdl/` | the languages' syntax; SystemVerilog is Verilog with some other keywords |
//! | `layout.rs` | line breaking |
//! | `files.rs` | a file for each module |
//! | `listing.rs` | the wires one by one |
//! | `figure/` | a picture of the sections |

mod body;
mod clocked;
mod expression;
mod figure;
mod files;
mod languages;
mod layout;
mod listing;
mod module;
mod parts;
mod shell;
mod signals;
mod state;
mod syntax;
#[cfg(test)]
mod tests;
mod verilog;
mod vhdl;

pub use figure::figure;
pub use files::files;
pub use listing::{Wire, wires};
pub use module::Heading;
pub use shell::{INSTANCE, Shell, Within, print_shell};

use crate::pipeline::Pipeline;
use crate::{Iteration, Language, Netlist, Port, clock_ports};
use languages::syntax;
use module::Unit;

/// The ports of a netlist's module, and whether it drives them.
pub fn module_ports(netlist: &Netlist, is_clocked: bool) -> Vec<(bool, Port)> {
    let clocked = clock_ports(!netlist.registers.is_empty())
        .into_iter()
        .filter(|_| is_clocked)
        .map(|port| (port.is_output, Port { about: port.about.into(), ..Port::new(port.name, 1) }));
    let inputs = netlist.inputs.iter().map(|port| (false, port.clone()));
    clocked.chain(inputs).chain(netlist.outputs.iter().map(|(port, _)| (true, port.clone()))).collect()
}

/// The text of a netlist. If it has registers, it has the ports of a clocked unit, and its results come in the same clock as
/// their operands.
pub fn print(netlist: &Netlist, heading: &Heading) -> String {
    let no_stages = (!netlist.registers.is_empty()).then(|| Pipeline::new(netlist, 0));
    file(netlist, no_stages.as_ref(), heading)
}

/// The text of a netlist with these ranks of registers; there may be none if the netlist has registers of its own.
pub fn print_pipelined(netlist: &Netlist, pipeline: &Pipeline, heading: &Heading) -> String {
    file(netlist, Some(pipeline), heading)
}

/// The text of a unit that takes several clocks for an operation.
pub fn print_iterated(iteration: &Iteration, heading: &Heading) -> String {
    let Unit { module, parts } = body::iterated(&iteration.netlist, heading.name, heading.language);
    syntax(heading.language).file(heading, &module.reset(heading.reset), parts)
}

/// The ports of the module of a unit that takes several clocks, and whether it drives them.
pub fn iterated_ports(netlist: &Netlist) -> Vec<(bool, Port)> {
    let ports =
        Netlist { inputs: netlist.inputs[1..].to_vec(), outputs: netlist.outputs[1..].to_vec(), ..Netlist::default() };
    module_ports(&ports, true)
}

fn file(netlist: &Netlist, pipeline: Option<&Pipeline>, heading: &Heading) -> String {
    let Unit { module, parts } = unit(netlist, pipeline, heading.name, heading.language);
    let syntax = syntax(heading.language);
    let about = state::with_state(heading.about, netlist, syntax);
    syntax.file(&Heading { about: &about, ..*heading }, &module.reset(heading.reset), parts)
}

/// The module of a unit.
fn unit<'a>(netlist: &Netlist, pipeline: Option<&Pipeline>, name: &'a str, language: Language) -> Unit<'a> {
    match pipeline {
        None => body::combinational(netlist, name, language),
        Some(pipeline) => clocked::pipelined(netlist, pipeline, name, language),
    }
}
