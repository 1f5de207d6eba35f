//! The module.

use super::expression::{Expressions, Wire, port_name};
use crate::naming::Names;
use crate::runs::Runs;
use crate::{Netlist, NodeId, Op, Port};
use askama::Template;

#[derive(Template)]
#[template(path = "module.v", escape = "none")]
struct Module<'a> {
    version: &'a str,
    command: &'a str,
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
    let mut body = sections(netlist, &expressions, &wires);
    body.extend(assigns(netlist, &expressions));
    body.extend(unused_lines(&unused_bits(netlist, &expressions)));
    render(heading, ports(&port_list(netlist), 0), body)
}

/// The module with these ports and lines.
pub(super) fn render(heading: &Heading, ports: Vec<String>, body: Vec<String>) -> String {
    let Heading { name, command, about } = *heading;
    let module = Module { version: env!("CARGO_PKG_VERSION"), command, about, name, ports, body };
    let mut text = module.render().expect("the template takes every module");
    text.push('\n');
    text
}

/// `[7:0]`, or nothing for a single bit.
pub(super) fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0]", width - 1) }
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
pub(super) fn sections(netlist: &Netlist, expressions: &Expressions, wires: &[Wire]) -> Vec<String> {
    let mut lines = vec![];
    let mut rest = wires;
    while let Some(first) = rest.first() {
        let section = netlist.nodes[first.node].section;
        let count = rest.iter().take_while(|wire| netlist.nodes[wire.node].section == section).count();
        let (here, later) = rest.split_at(count);
        if section > 0 {
            lines.push(format!("// {}", netlist.sections[section - 1]));
        }
        lines.extend(declarations(netlist, expressions, here));
        lines.push(String::new());
        rest = later;
    }
    lines
}

/// The outputs.
pub(super) fn assigns(netlist: &Netlist, expressions: &Expressions) -> Vec<String> {
    let mut lines = vec![];
    for (port, node) in &netlist.outputs {
        lines.extend(bit_picture(netlist, expressions, *node).filter(|_| expressions.identifier(*node).is_none()));
        lines.push(format!("assign {} = {};", port_name(&port.name), expressions.driver(*node)));
    }
    lines
}

/// `wire [7:0] name = driver;` with the columns of a section aligned.
fn declarations(netlist: &Netlist, expressions: &Expressions, wires: &[Wire]) -> Vec<String> {
    let node = |wire: &Wire| &netlist.nodes[wire.node];
    let widest = |length: &dyn Fn(&Wire) -> usize| wires.iter().map(length).max().unwrap_or(0);
    let range_width = widest(&|wire| range(node(wire).width).len());
    let name_width = widest(&|wire| wire.name.len());
    let mut lines = vec![];
    for wire in wires {
        lines.extend(node(wire).note.as_ref().map(|note| format!("// {note}")));
        lines.extend(bit_picture(netlist, expressions, wire.node));
        let name = format!("{:name_width$}", wire.name);
        lines.push(declaration("wire", range_width, node(wire).width, &format!("{name} = {}", wire.driver)));
    }
    lines
}

/// `wire [7:0] what;` with its range in a column.
pub(super) fn declaration(kind: &str, range_width: usize, width: u32, what: &str) -> String {
    format!("{kind} {:>range_width$} {what};", range(width))
}

/// The fields of a concatenation of more than three parts: `// | sign [7] | field [6:2] | trailing [1:0] |`.
fn bit_picture(netlist: &Netlist, expressions: &Expressions, id: NodeId) -> Option<String> {
    let Op::Concat(parts) = &netlist.nodes[id].op else { return None };
    if parts.len() <= 3 {
        return None;
    }
    let mut top = netlist.nodes[id].width;
    let fields: Vec<String> = parts
        .iter()
        .map(|&part| {
            let low = top - netlist.nodes[part].width;
            let bits = if low + 1 == top { format!("[{low}]") } else { format!("[{}:{low}]", top - 1) };
            top = low;
            format!("{} {bits}", expressions.driver(part))
        })
        .collect();
    Some(format!("// | {} |", fields.join(" | ")))
}

/// Bits of ports and wires that nothing reads.
pub(super) fn unused_bits(netlist: &Netlist, expressions: &Expressions) -> Vec<String> {
    let read = read_bits(netlist);
    let mut unused = vec![];
    for (id, node) in netlist.nodes.iter().enumerate() {
        let Some(name) = expressions.identifier(id) else { continue };
        let gaps: Vec<(u32, u32)> = read[id].gaps(node.width).iter().collect();
        unused.extend(gaps.into_iter().rev().map(|(low, high)| match high - low {
            _ if node.width == 1 => name.to_string(),
            0 => format!("{name}[{low}]"),
            _ => format!("{name}[{high}:{low}]"),
        }));
    }
    unused
}

/// A wire that reads what nobody else does, so that lint can tell these bits from forgotten ones.
pub(super) fn unused_lines(unused: &[String]) -> Vec<String> {
    if unused.is_empty() {
        return vec![];
    }
    vec![
        String::new(),
        "// Bits that carry or shift through, but that nothing reads".into(),
        format!("wire unused_bits = &{{1'b0, {}}};", unused.join(", ")),
    ]
}

/// Which bits of each node others read.
fn read_bits(netlist: &Netlist) -> Vec<Runs> {
    let mut read = vec![Runs::default(); netlist.nodes.len()];
    for (port, output) in &netlist.outputs {
        read[*output].insert(0, port.width - 1);
    }
    for register in &netlist.registers {
        read[register.next].insert(0, register.width - 1);
    }
    for node in &netlist.nodes {
        match node.op {
            Op::Slice { of, low } => read[of].insert(low, low + node.width - 1),
            ref op => {
                for operand in op.operands() {
                    read[operand].insert(0, netlist.nodes[operand].width - 1);
                }
            }
        }
    }
    read
}
