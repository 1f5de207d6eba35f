//! A netlist with instances in place of pieces.

use super::demand::{Demands, Place};
use super::group::Group;
use super::library::{Library, Module};
use super::order::{Step, order};
use super::piece::{Piece, Read};
use crate::naming::signal_names;
use crate::{Label, Netlist, Node, NodeId, Op, Port};
use std::collections::{HashMap, HashSet};

/// A netlist with instances in it. What they hand on are inputs behind its own, and what they read are outputs behind its own.
pub struct Divided {
    pub netlist: Netlist,
    /// How many of the inputs and outputs are its own.
    pub own: [usize; 2],
    pub placed: Vec<Placed>,
}

/// An instance of a module.
pub struct Placed {
    pub module: String,
    pub name: String,
    /// What the module computes.
    pub about: &'static str,
    /// It stands before this node.
    pub at: NodeId,
    pub section: usize,
    /// Ports of the module, each with the node that it reads.
    pub inputs: Vec<(String, NodeId)>,
    /// Ports of the module, each with the node that stands for it.
    pub outputs: Vec<(String, NodeId)>,
}

/// Divides the netlist into the pieces in `level`, or the outermost ones; their modules go into the library.
pub fn divide(netlist: &Netlist, level: Place, library: &mut Library) -> Divided {
    if netlist.instances.is_empty() {
        return Divided { netlist: netlist.clone(), own: own(netlist), placed: vec![] };
    }
    let (demands, groups, order) = groups(netlist, level);
    let names = signal_names(netlist);
    let mut pieces: HashMap<usize, (Piece, Module)> = HashMap::new();
    for group in groups {
        let module = library.module(&group, &names);
        pieces.extend(group.pieces.into_iter().map(|piece| (piece.instance, (piece, module.clone()))));
    }
    let mut rest = Rest::new(netlist, names, &demands);
    for step in order {
        match step {
            Step::Node(id) => rest.copy(id),
            Step::Piece(instance) => rest.place(&pieces[&instance]),
        }
    }
    rest.finish()
}

fn own(netlist: &Netlist) -> [usize; 2] {
    [netlist.inputs.len(), netlist.outputs.len()]
}

/// The pieces that are modules, those that are alike together, and the order of all that is left.
fn groups(netlist: &Netlist, level: Place) -> (Demands, Vec<Group>, Vec<Step>) {
    let mut dissolved = HashSet::new();
    loop {
        let demands = Demands::new(netlist, level, &dissolved);
        let pieces = demands.of.keys().flatten().map(|&instance| Piece::new(netlist, &demands, instance));
        let (groups, few): (Vec<Group>, Vec<Group>) = Group::all(pieces).into_iter().partition(Group::saves_lines);
        dissolved.extend(few.iter().flat_map(|group| &group.pieces).map(|piece| piece.instance));
        if few.is_empty() {
            match order(netlist, &demands) {
                Ok(order) => return (demands, groups, order),
                Err(instance) => _ = dissolved.insert(instance),
            }
        }
    }
}

/// The netlist around the pieces under construction.
struct Rest<'n> {
    whole: &'n Netlist,
    names: Vec<String>,
    rest: Netlist,
    own: [usize; 2],
    placed: Vec<Placed>,
    /// The new node of each old one that is here or comes from a piece.
    new: HashMap<NodeId, NodeId>,
    /// The section that each of the whole netlist's is part of, outside of the pieces.
    sections: Vec<usize>,
    section: usize,
}

impl<'n> Rest<'n> {
    fn new(whole: &'n Netlist, names: Vec<String>, demands: &Demands) -> Rest<'n> {
        let mut sections: Vec<usize> = (0..=whole.sections.len()).collect();
        for instance in demands.of.keys().flatten() {
            let [begin, end] = whole.instances[*instance].sections.map(|section| section.min(whole.sections.len()));
            let around = sections[begin];
            sections[begin..=end].fill(around);
        }
        let rest = Netlist { nodes: vec![], outputs: vec![], ..whole.clone() };
        Rest { whole, names, rest, own: own(whole), placed: vec![], new: HashMap::new(), sections, section: 0 }
    }

    /// Sections do not begin again.
    fn reach(&mut self, section: usize) -> usize {
        self.section = self.section.max(self.sections[section.min(self.sections.len() - 1)]);
        self.section
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.rest.nodes.push(node);
        self.rest.nodes.len() - 1
    }

    fn copy(&mut self, id: NodeId) {
        let node = &self.whole.nodes[id];
        let mut op = node.op.clone();
        op.for_each_operand(|operand| *operand = self.new[operand]);
        let section = self.reach(node.section);
        let node = self.push(Node { op, section, instance: None, ..node.clone() });
        self.new.insert(id, node);
    }

    /// The instance of a piece.
    fn place(&mut self, (piece, module): &(Piece, Module)) {
        let instance = &self.whole.instances[piece.instance];
        let section = self.reach(instance.sections[0]);
        let read: Vec<NodeId> = piece.inputs.iter().map(|&read| self.read(read)).collect();
        let at = self.rest.nodes.len();
        let outputs = module.nodes.iter().map(|&node| self.output(piece, node)).collect::<Vec<_>>();
        let placed = Placed {
            module: module.name.clone(),
            name: instance.name.clone(),
            about: instance.part.about,
            at,
            section,
            inputs: module.inputs.iter().cloned().zip(read).collect(),
            outputs: module.outputs.iter().cloned().zip(outputs).collect(),
        };
        self.placed.push(placed);
    }

    /// The bits that a piece reads, as an output of the rest.
    fn read(&mut self, Read { node, low, width }: Read) -> NodeId {
        let name = self.names[node].clone();
        let of = self.new[&node];
        let whole = &mut self.rest.nodes[of];
        if whole.label.is_none() && !matches!(whole.op, Op::Input(_) | Op::Register(_) | Op::Constant(_)) {
            whole.label = Some(Label { name: name.clone(), note: None, is_wire: false });
        }
        let section = self.section;
        let read = match whole.width == width {
            true => of,
            false => self.push(Node { op: Op::Slice { of, low }, width, label: None, section, instance: None }),
        };
        self.rest.outputs.push((Port::new(name, width), read));
        read
    }

    /// What a piece hands on, as an input of the rest.
    fn output(&mut self, piece: &Piece, node: NodeId) -> NodeId {
        let (origin, width) = (piece.origins[node], piece.netlist.nodes[node].width);
        let name = self.names[origin].clone();
        self.rest.inputs.push(Port::new(name, width));
        let op = Op::Input(self.rest.inputs.len() - 1);
        let (label, section) = (self.whole.nodes[origin].label.clone(), self.section);
        let input = self.push(Node { op, width, label, section, instance: None });
        self.new.insert(origin, input);
        input
    }

    fn finish(mut self) -> Divided {
        let new = &self.new;
        let outputs = self.whole.outputs.iter().map(|(port, node)| (port.clone(), new[node]));
        self.rest.outputs.splice(0..0, outputs);
        self.rest.registers.iter_mut().for_each(|register| register.next = new[&register.next]);
        Divided { netlist: self.rest, own: self.own, placed: self.placed }
    }
}
