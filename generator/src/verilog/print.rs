//! The module.

use super::expression::{Expressions, Wire};
use super::names::port_name;
use crate::circuit::{Netlist, NodeId, Op, mask};
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

/// The Verilog of a netlist. `command` regenerates it; `about` are the lines of the header that say what it computes.
pub fn print(netlist: &Netlist, name: &str, command: &str, about: &[String]) -> String {
    let (expressions, wires) = Expressions::new(netlist);
    let module = Module {
        version: env!("CARGO_PKG_VERSION"),
        command,
        about,
        name,
        ports: ports(netlist),
        body: body(netlist, &expressions, &wires),
    };
    let mut text = module.render().expect("the template takes every module");
    text.push('\n');
    text
}

/// `[7:0]`, or nothing for a single bit.
fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0]", width - 1) }
}

fn ports(netlist: &Netlist) -> Vec<String> {
    let inputs = netlist.inputs.iter().map(|port| ("input  wire", port));
    let outputs = netlist.outputs.iter().map(|(port, _)| ("output wire", port));
    let ports: Vec<_> = inputs.chain(outputs).collect();
    let widest = ports.iter().map(|(_, port)| range(port.width).len()).max().unwrap_or(0);
    let last = ports.len() - 1;
    ports
        .iter()
        .enumerate()
        .map(|(index, (direction, port))| {
            let comma = if index == last { " " } else { "," };
            format!("{direction} {:>widest$} {}{comma}  // {}", range(port.width), port_name(&port.name), port.about)
        })
        .collect()
}

/// The sections, each under its banner, and the outputs.
fn body(netlist: &Netlist, expressions: &Expressions, wires: &[Wire]) -> Vec<String> {
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
    for (port, node) in &netlist.outputs {
        lines.extend(bit_picture(netlist, expressions, *node).filter(|_| expressions.identifier(*node).is_none()));
        lines.push(format!("assign {} = {};", port_name(&port.name), expressions.driver(*node)));
    }
    lines.extend(unused_bits(netlist, expressions));
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
        lines.push(format!(
            "wire {:>range_width$} {:name_width$} = {};",
            range(node(wire).width),
            wire.name,
            wire.driver
        ));
    }
    lines
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

/// A wire that reads what nobody else does, so that lint can tell these bits from forgotten ones.
fn unused_bits(netlist: &Netlist, expressions: &Expressions) -> Vec<String> {
    let read = read_bits(netlist);
    let mut unused = vec![];
    for (id, node) in netlist.nodes.iter().enumerate() {
        let Some(name) = expressions.identifier(id) else { continue };
        unused.extend(ranges(mask(node.width) & !read[id]).into_iter().map(|(high, low)| match (high, low) {
            _ if node.width == 1 => name.to_string(),
            (high, low) if high == low => format!("{name}[{low}]"),
            (high, low) => format!("{name}[{high}:{low}]"),
        }));
    }
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
fn read_bits(netlist: &Netlist) -> Vec<u128> {
    let mut read = vec![0; netlist.nodes.len()];
    for (port, output) in &netlist.outputs {
        read[*output] = mask(port.width);
    }
    for node in &netlist.nodes {
        match node.op {
            Op::Slice { of, low } => read[of] |= mask(node.width) << low,
            ref op => {
                for operand in op.operands() {
                    read[operand] |= mask(netlist.nodes[operand].width);
                }
            }
        }
    }
    read
}

/// Runs of ones in `bits` as (high, low), highest first.
fn ranges(bits: u128) -> Vec<(u32, u32)> {
    let mut rest = bits;
    let mut runs = vec![];
    while rest != 0 {
        let high = 127 - rest.leading_zeros();
        let low = high + 1 - (rest << (127 - high)).leading_ones();
        runs.push((high, low));
        rest &= mask(low);
    }
    runs
}
