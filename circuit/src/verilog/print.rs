//! The module.

use super::expression::{Expressions, Wire};
use super::layout::{COLUMNS, statement, wrapped};
use super::parts::{Divided, Library, Placed, divide};
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
    /// The modules of its parts.
    parts: Vec<String>,
}

#[derive(Template)]
#[template(path = "part.v", escape = "none")]
struct PartModule<'a> {
    about: &'a [String],
    name: &'a str,
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
    let mut library = Library::new(heading.name);
    let mut divided = divide(netlist, None, &mut library);
    divided.give_names(&mut names);
    let (expressions, wires) = Expressions::new(&divided.netlist, &mut names);
    let mut body = sections(&divided, &wires, &expressions);
    body.extend(assigns(divided.outputs(), &expressions));
    body.extend(unused_lines(&unused_bits(&divided.netlist, &expressions)));
    render(heading, ports(&port_list(netlist), 0), body, library.texts())
}

/// The module for pieces like this one.
pub(super) fn part(netlist: &Netlist, name: &str, instance: usize, library: &mut Library) -> String {
    let mut names = Names::of_unit(netlist, 0);
    let mut divided = divide(netlist, Some(instance), library);
    divided.give_names_of_part(&mut names);
    let (expressions, wires) = Expressions::with_outputs(&divided.netlist, divided.outputs(), &mut names);
    let mut body = sections(&divided, &wires, &expressions);
    while body.last().is_some_and(String::is_empty) {
        body.pop();
    }
    body.extend(unused_lines(&unused_bits(&divided.netlist, &expressions)));
    let about = comment(netlist.instances[instance].part.about);
    let module = PartModule { about: &about, name, ports: ports(&port_list(netlist), 0), body };
    module.render().expect("the template takes every module")
}

/// The module with these ports and lines, and those of its parts.
pub(super) fn render(heading: &Heading, ports: Vec<String>, body: Vec<String>, parts: Vec<String>) -> String {
    let Heading { name, command, about } = *heading;
    let fitted = |line: &String| wrapped(line.split(' '), "", "  ", COLUMNS - 1);
    let about: Vec<String> = about.iter().flat_map(fitted).collect();
    let command = wrapped(command.split(' '), "", "  ", COLUMNS - 3);
    let module =
        Module { version: env!("CARGO_PKG_VERSION"), command: &command, about: &about, name, ports, body, parts };
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
            let about = if port.about.is_empty() { String::new() } else { format!("  // {}", port.about) };
            let declared = format!("{direction} {:>widest$} {name:name_width$}", range(port.width));
            if about.is_empty() { declared.trim_end().into() } else { declared + &about }
        })
        .collect()
}

/// What the body of a module is made of.
enum Item<'d> {
    Wire(&'d Wire),
    Instance(&'d Placed),
}

impl Item<'_> {
    /// Its place among the nodes; instances stand before what they hand on.
    fn place(&self) -> (NodeId, bool) {
        match self {
            Item::Wire(wire) => (wire.node, true),
            Item::Instance(placed) => (placed.at, false),
        }
    }

    fn section(&self, netlist: &Netlist) -> usize {
        match self {
            Item::Wire(wire) => netlist.nodes[wire.node].section,
            Item::Instance(placed) => placed.section,
        }
    }
}

/// The sections, each under its banner.
pub(super) fn sections(divided: &Divided, wires: &[Wire], expressions: &Expressions) -> Vec<String> {
    let netlist = &divided.netlist;
    let mut items: Vec<Item> = wires.iter().map(Item::Wire).chain(divided.placed.iter().map(Item::Instance)).collect();
    items.sort_by_key(Item::place);
    let mut lines = vec![];
    let mut about = "";
    for items in items.chunk_by(|one, next| one.section(netlist) == next.section(netlist)) {
        let section = items[0].section(netlist);
        if section > 0 {
            lines.extend(comment(&netlist.sections[section - 1]));
        }
        let is_alike = |one: &Item, next: &Item| matches!((one, next), (Item::Wire(_), Item::Wire(_)));
        for items in items.chunk_by(is_alike) {
            match items {
                [Item::Instance(placed)] => {
                    if placed.about != about {
                        about = placed.about;
                        lines.extend(comment(about));
                    }
                    lines.extend(placed.lines(expressions));
                }
                _ => lines.extend(declarations(netlist, items)),
            }
        }
        lines.push(String::new());
    }
    lines
}

/// The outputs.
pub(super) fn assigns(outputs: &[(Port, NodeId)], expressions: &Expressions) -> Vec<String> {
    let assign = |(port, node): &(Port, NodeId)| {
        statement(&format!("assign {}", port_name(&port.name)), &expressions.expression(*node))
    };
    outputs.iter().flat_map(assign).collect()
}

/// `wire [7:0] name = driver;` with the columns of a section aligned.
fn declarations(netlist: &Netlist, items: &[Item]) -> Vec<String> {
    let wires: Vec<&Wire> =
        items.iter().filter_map(|item| if let Item::Wire(wire) = item { Some(*wire) } else { None }).collect();
    let node = |wire: &Wire| &netlist.nodes[wire.node];
    let widest = |length: &dyn Fn(&Wire) -> usize| wires.iter().map(|wire| length(wire)).max().unwrap_or(0);
    let range_width = widest(&|wire| if wire.is_output { 1 } else { range(node(wire).width).len() });
    let name_width = widest(&|wire| wire.name.len());
    let mut lines = vec![];
    for wire in wires {
        let note = node(wire).label.as_ref().and_then(|label| label.note.as_ref());
        lines.extend(note.into_iter().flat_map(|note| comment(&format!("{}: {note}", wire.name))));
        let name = format!("{:name_width$}", wire.name);
        let head = match wire.is_output {
            true => format!("assign{:range_width$}{name}", ""),
            false => declaration("wire", range_width, node(wire).width, &name),
        };
        lines.extend(statement(&head, &wire.driver));
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
