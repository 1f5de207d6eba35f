//! A unit that takes several clocks for an operation: its registers, the circuit of one clock, and what the registers take.

use super::body::{assigns, part, sections, unused, unused_bits};
use super::languages::syntax;
use super::module::{Module, Unit};
use super::parts::{Library, divide};
use super::signals::{Expressions, Surroundings};
use super::{iterated_ports, state};
use crate::naming::Names;
use crate::{Language, Netlist};

/// The netlist of an [`Iteration`](crate::Iteration).
pub fn iterated<'a>(netlist: &Netlist, name: &'a str, language: Language) -> Unit<'a> {
    let syntax = syntax(language);
    let mut names = Names::of_unit(netlist, 0, language);
    let mut library = Library::new(name, language, part);
    let mut divided = divide(netlist, None, &mut library);
    divided.give_names(&mut names);
    let around = Surroundings { outputs: &[], connected: divided.connected(), ports: &netlist.inputs };
    let netlist = &divided.netlist;
    let (expressions, wires) = Expressions::new(netlist, &around, &mut names, syntax);
    let mut items = state::titled_declarations(netlist, "Registers");
    items.extend(sections(&divided, &wires, &expressions));
    items.extend(state::iterated(netlist, &expressions));
    items.extend(assigns(divided.outputs(), &expressions));
    items.extend(unused(unused_bits(netlist, &expressions)));
    let module = Module { name, ports: iterated_ports(netlist), is_aligned: true, is_part: false, items };
    Unit { module, parts: library.texts() }
}
