//! The module.

use super::expression::{Expressions, Wire};
use super::layout::{COLUMNS, statement, wrapped};
use super::syntax::{bits, port_name, range};
use crate::naming::Names;
use crate::wires::read_bits;
use crate::{Netlist, NodeId, Port};
use askama::Template;

#[derive(Template)]
#[template(path = "module.v", escape = "none")]
struct Module<'a> {
    version: &'a str,
    command: &'a [String],
    about: &'a [String],
    name: &'a str,
    /// Declarations, aligned, each with its comment.
    ports: Vec<String>,
    body: Vec<String>,
}

/// What a module says of itself.
#[derive(Clone, Copy)]
pub struct Heading<'a> {
    /// Name of the module.
    pub name: &'a str,
    /// Regenerates it.
    pub command: &'a str,
    /// The lines of the header that say what it computes.
    pub about: &'a [String],
}

/// The Verilog of a netlist without registers.
pub fn print_combinational(netlist: &Netlist, heading: &Heading) -> String {
    let mut names = Names::of_unit(netlist, 0);
    let (expressions, wires) = Expressions::new(netlist, &mut names);
    let mut body = sections(netlist, &wires);
    body.extend(assigns(netlist, &expressions));
    body.extend(unused_lines(&unused_bits(netlist, &expressions)));
    render(heading, ports(&port_list(netlist), 0), body)
}

/// The module with these ports and lines.
pub(super) fn render(heading: &Heading, ports: Vec<String>, body: Vec<String>) -> String {
    let Heading { name, command, about } = *heading;
    let fitted = |line: &String| wrapped(line.split(' '), "", "  ", COLUMNS - 1);
    let about: Vec<String> = about.iter().flat_map(fitted).collect();
    let command = wrapped(command.split(' '), "", "  ", COLUMNS - 3);
    let module = Module { version: env!("CARGO_PKG_VERSION"), command: &command, about: &about, name, ports, body };
    let mut text = module.render().expect("the template takes every module");
    text.push('\n');
    text
}

/// A comment in lines that fit.
pub(super) fn comment(text: &str) -> Vec<String> {
    wrapped(text.split(' '), "// ", "//   ", COLUMNS)
}

/// The ports of a netlist, each with its direction.
pub(super) fn port_list(netlist: &Netlist) -> Vec<(&'static str, Port)> {
    let inputs = netlist.inputs.iter().map(|port| ("input  wire", port.clone()));
    inputs.chain(netlist.outputs.iter().map(|(port, _)| ("output wire", port.clone()))).collect()
}

/// The declarations of ports, aligned; names take `name_width`.
pub(super) fn ports(ports: &[(&str, Port)], name_width: usize) -> Vec<String> {
    let widest = ports.iter().map(|(_, port)| range(port.width).len()).max().unwrap_or(0);
    let last = ports.len() - 1;
    ports
        .iter()
        .enumerate()
        .map(|(index, (direction, port))| {
            let comma = if index == last { " " } else { "," };
            let name = port_name(&port.name) + comma;
            format!("{direction} {:>widest$} {name:name_width$}  // {}", range(port.width), port.about)
        })
        .collect()
}

/// The sections, each under its banner.
pub(super) fn sections(netlist: &Netlist, wires: &[Wire]) -> Vec<String> {
    let mut lines = vec![];
    let mut rest = wires;
    while let Some(first) = rest.first() {
        let section = netlist.nodes[first.node].section;
        let count = rest.iter().take_while(|wire| netlist.nodes[wire.node].section == section).count();
        let (here, later) = rest.split_at(count);
        if section > 0 {
            lines.extend(comment(&netlist.sections[section - 1]));
        }
        lines.extend(declarations(netlist, here));
        lines.push(String::new());
        rest = later;
    }
    lines
}

/// The outputs.
pub(super) fn assigns(netlist: &Netlist, expressions: &Expressions) -> Vec<String> {
    let assign = |(port, node): &(Port, NodeId)| {
        statement(&format!("assign {}", port_name(&port.name)), &expressions.expression(*node))
    };
    netlist.outputs.iter().flat_map(assign).collect()
}

/// `wire [7:0] name = driver;` with the columns of a section aligned.
fn declarations(netlist: &Netlist, wires: &[Wire]) -> Vec<String> {
    let node = |wire: &Wire| &netlist.nodes[wire.node];
    let widest = |length: &dyn Fn(&Wire) -> usize| wires.iter().map(length).max().unwrap_or(0);
    let range_width = widest(&|wire| range(node(wire).width).len());
    let name_width = widest(&|wire| wire.name.len());
    let mut lines = vec![];
    for wire in wires {
        let note = node(wire).label.as_ref().and_then(|label| label.note.as_ref());
        lines.extend(note.into_iter().flat_map(|note| comment(&format!("{}: {note}", wire.name))));
        let name = format!("{:name_width$}", wire.name);
        lines.extend(statement(&declaration("wire", range_width, node(wire).width, &name), &wire.driver));
    }
    lines
}

/// `wire [7:0] name` with its range in a column.
pub(super) fn declaration(kind: &str, range_width: usize, width: u32, name: &str) -> String {
    format!("{kind} {:>range_width$} {name}", range(width))
}

/// Bits of ports and wires that nothing reads.
pub(super) fn unused_bits(netlist: &Netlist, expressions: &Expressions) -> Vec<String> {
    let read = read_bits(netlist);
    let mut unused = vec![];
    for (id, node) in netlist.nodes.iter().enumerate() {
        let Some(name) = expressions.identifier(id) else { continue };
        let gaps: Vec<(u32, u32)> = read[id].gaps(node.width).iter().collect();
        unused.extend(gaps.into_iter().rev().map(|(low, high)| match node.width {
            1 => name.to_string(),
            _ => format!("{name}{}", bits(low, high - low + 1)),
        }));
    }
    unused
}

/// A wire that reads what nobody else does, so that lint can tell these bits from forgotten ones.
pub(super) fn unused_lines(unused: &[String]) -> Vec<String> {
    if unused.is_empty() {
        return vec![];
    }
    let comment = "// Bits that carry or shift through, but that nothing reads";
    let names: Vec<String> = unused.iter().map(|name| format!("{name},")).collect();
    let words = std::iter::once("1'b0,").chain(names.iter().map(String::as_str));
    let mut lines = wrapped(words, "wire unused_bits = &{", "    ", COLUMNS - 1);
    let last = lines.last_mut().expect("there is a line");
    last.truncate(last.len() - 1);
    *last += "};";
    [vec![String::new(), comment.into()], lines].concat()
}
