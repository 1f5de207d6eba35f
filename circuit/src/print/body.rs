//! The body of a module without ranks of registers, and of a segment of a module with ranks.

use super::expression::{Expression, Signal};
use super::languages::syntax;
use super::module::{Item, Module, Unit, Wire, Wires};
use super::parts::{Divided, Library, Placed, divide};
use super::signals::{Driven, Expressions, Surroundings};
use super::{iterated_ports, module_ports, state};
use crate::naming::Names;
use crate::wires::read_bits;
use crate::{Language, Netlist, NodeId, Port, Section};
use rustc_hash::FxHashSet;

/// A netlist without registers.
pub fn combinational<'a>(netlist: &Netlist, name: &'a str, language: Language) -> Unit<'a> {
    whole(netlist, name, language, Frame { ports: module_ports(netlist, false), is_aligned: true, is_iterated: false })
}

/// A netlist of one clock, and the registers that its values go to.
pub fn iterated<'a>(netlist: &Netlist, name: &'a str, language: Language) -> Unit<'a> {
    whole(netlist, name, language, Frame { ports: iterated_ports(netlist), is_aligned: true, is_iterated: true })
}

/// What is around the sections of a module.
struct Frame {
    ports: Vec<(bool, Port)>,
    is_aligned: bool,
    /// Whether its registers are those of an [`Iteration`](crate::Iteration).
    is_iterated: bool,
}

/// The module of a netlist that no rank of registers divides.
fn whole<'a>(netlist: &Netlist, name: &'a str, language: Language, frame: Frame) -> Unit<'a> {
    let syntax = syntax(language);
    let mut names = Names::of_unit(netlist, 0, language);
    let mut library = Library::new(name, language, part);
    let mut divided = divide(netlist, None, &mut library);
    divided.give_names(&mut names);
    let around = Surroundings { outputs: &[], connected: divided.connected(), ports: &netlist.inputs };
    let (expressions, wires) = Expressions::new(&divided.netlist, &around, &mut names, syntax);
    let mut items = vec![];
    if frame.is_iterated {
        items.extend(state::titled_declarations(&divided.netlist, "Registers"));
    }
    items.extend(sections(&divided, &wires, &expressions, &mut FxHashSet::default()));
    if frame.is_iterated {
        items.extend(state::iterated(&divided.netlist, &expressions));
    }
    items.extend(assigns(divided.outputs(), &expressions));
    items.extend(unused(unused_bits(&divided.netlist, &expressions)));
    let Frame { ports, is_aligned, .. } = frame;
    Unit { module: Module { name, ports, is_aligned, is_part: false, items }, parts: library.texts() }
}

/// The module for all pieces equal to this one.
pub fn part(netlist: &Netlist, name: &str, instance: usize, library: &mut Library) -> String {
    let syntax = syntax(library.language());
    let mut names = Names::of_unit(netlist, 0, library.language());
    let mut divided = divide(netlist, Some(instance), library);
    divided.give_names_of_part(&mut names);
    let around = Surroundings { outputs: divided.outputs(), connected: divided.connected(), ports: &[] };
    let (expressions, wires) = Expressions::new(&divided.netlist, &around, &mut names, syntax);
    let mut items = sections(&divided, &wires, &expressions, &mut FxHashSet::default());
    while matches!(items.last(), Some(Item::Blank)) {
        items.pop();
    }
    items.extend(unused(unused_bits(&divided.netlist, &expressions)));
    let module = Module { name, ports: module_ports(netlist, false), is_aligned: false, is_part: true, items };
    syntax.part(netlist.instances[instance].part.about, &module)
}

/// An item of a section.
pub enum Piece<'d> {
    Wire(&'d Driven),
    Instance(&'d Placed),
}

impl Piece<'_> {
    /// Its place among the nodes; instances come before the nodes that they drive.
    fn place(&self) -> (NodeId, bool) {
        match self {
            Piece::Wire(wire) => (wire.node, true),
            Piece::Instance(placed) => (placed.at, false),
        }
    }

    /// The number of section titles before it.
    pub fn section(&self, netlist: &Netlist) -> usize {
        match self {
            Piece::Wire(wire) => netlist.nodes[wire.node].section,
            Piece::Instance(placed) => placed.section,
        }
    }
}

/// The wires and instances, in order.
pub fn pieces<'d>(divided: &'d Divided, wires: &'d [Driven]) -> Vec<Piece<'d>> {
    let mut pieces: Vec<Piece> =
        wires.iter().map(Piece::Wire).chain(divided.placed.iter().map(Piece::Instance)).collect();
    pieces.sort_by_key(Piece::place);
    pieces
}

/// The sections, each under its banner; of those in `begun` only the title is printed again. These become so.
pub fn sections(
    divided: &Divided,
    wires: &[Driven],
    expressions: &Expressions,
    begun: &mut FxHashSet<usize>,
) -> Vec<Item> {
    let netlist = &divided.netlist;
    let mut items = vec![];
    let mut about = "";
    for pieces in pieces(divided, wires).chunk_by(|one, next| one.section(netlist) == next.section(netlist)) {
        let section = pieces[0].section(netlist);
        if section > 0 {
            let Section { title, notes } = &netlist.sections[section - 1];
            if begun.insert(section) {
                items.extend([title].into_iter().chain(notes).map(|line| Item::Comment(line.clone())));
            } else {
                items.push(Item::Comment(format!("{title} (continued)")));
            }
        }
        let is_alike = |one: &Piece, next: &Piece| matches!((one, next), (Piece::Wire(_), Piece::Wire(_)));
        for pieces in pieces.chunk_by(is_alike) {
            match pieces {
                [Piece::Instance(placed)] => {
                    if placed.about != about {
                        about = placed.about;
                        items.push(Item::Comment(about.into()));
                    }
                    items.extend(placed.items(expressions));
                }
                _ => items.push(declarations(netlist, pieces)),
            }
        }
        items.push(Item::Blank);
    }
    items
}

/// The outputs.
pub fn assigns(outputs: &[(Port, NodeId)], expressions: &Expressions) -> Vec<Item> {
    let assign = |(port, node): &(Port, NodeId)| Item::Assign {
        port: Signal::handed(&port.name, port.width),
        driver: expressions.expression(*node),
    };
    outputs.iter().map(assign).collect()
}

/// The wires of a section.
fn declarations(netlist: &Netlist, pieces: &[Piece]) -> Item {
    let wires = pieces.iter().filter_map(|piece| if let Piece::Wire(wire) = piece { Some(*wire) } else { None });
    let wires: Vec<Wire> = wires
        .map(|wire| {
            let label = netlist.nodes[wire.node].label.as_ref();
            Wire {
                signal: wire.signal.clone(),
                driver: wire.driver.clone(),
                note: label.and_then(|label| label.note.as_ref()).map(ToString::to_string),
                is_output: wire.is_output,
            }
        })
        .collect();
    let widest = wires.iter().filter(|wire| !wire.is_output).map(|wire| wire.signal.width).max().unwrap_or(1);
    Item::Wires(Wires { wires, widest, is_aligned: true })
}

/// Unused bits of ports and wires.
pub fn unused_bits(netlist: &Netlist, expressions: &Expressions) -> Vec<Expression> {
    let read = read_bits(netlist);
    let mut unused = vec![];
    for (id, node) in netlist.nodes.iter().enumerate() {
        let Some(signal) = expressions.signal(id) else { continue };
        let gaps: Vec<(u32, u32)> = read[id].gaps(node.width).iter().collect();
        unused.extend(gaps.into_iter().rev().map(|(low, high)| match node.width {
            1 => signal.clone().into(),
            _ => Expression::Bits { of: signal.clone(), low, width: high - low + 1 },
        }));
    }
    unused
}

/// A wire that reads these bits.
pub fn unused(bits: Vec<Expression>) -> Vec<Item> {
    if bits.is_empty() {
        return vec![];
    }
    let about = Some("Computed but unused bits");
    vec![Item::Blank, Item::Unused { name: "unused_bits", about, bits }]
}
