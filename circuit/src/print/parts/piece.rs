//! A piece as a netlist of its own.

use super::canonical::Order;
use super::demand::{Demands, is_copied};
use crate::{Netlist, Node, NodeId, Op, Port};
use rustc_hash::FxHashMap;

/// The fewest pieces of a loop; fewer are written one by one.
pub const MIN_PIECES: usize = 3;

/// Bits of a signal that a piece reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceRead {
    pub node: NodeId,
    pub low: u32,
    pub width: u32,
}

/// A piece: its contents, and the nodes from which they were copied.
pub struct Piece {
    pub instance: usize,
    /// Its inputs come first among the nodes; its ports have no names yet.
    pub netlist: Netlist,
    /// The bits of the surrounding netlist at each input.
    pub inputs: Vec<PieceRead>,
    /// The original of each node of the piece.
    pub origins: Vec<NodeId>,
    /// The outputs: nodes of the piece.
    pub outputs: Vec<NodeId>,
}

impl Piece {
    pub fn new(whole: &Netlist, demands: &Demands, instance: usize) -> Piece {
        let demand = &demands.of[&Some(instance)];
        let mut builder = Builder {
            whole,
            instance,
            inputs: vec![],
            nodes: vec![],
            origins: vec![],
            new: FxHashMap::default(),
            section: 0,
        };
        let order = Order::new(whole, demand);
        let nodes = order.nodes();
        builder.find_inputs(&order, &nodes, |id| demand.inputs.contains(&id));
        for (place, input) in builder.inputs.clone().into_iter().enumerate() {
            let node = Node { label: None, section: 0, instance: None, op: Op::Input(place), width: input.width };
            builder.push(input.node, node);
        }
        nodes.into_iter().for_each(|id| builder.copy(&order, id));
        let outputs: Vec<NodeId> = demand.outputs.iter().map(|id| builder.new[id]).collect();
        builder.finish(outputs)
    }

    /// The pieces within this one that a node is in, the innermost first.
    pub fn within(&self, id: NodeId) -> Vec<usize> {
        let instances = &self.netlist.instances;
        let around = std::iter::successors(self.netlist.nodes[id].instance, |&instance| instances[instance].parent);
        around.take_while(|instance| *instance != self.instance).collect()
    }
}

struct Builder<'n> {
    whole: &'n Netlist,
    instance: usize,
    inputs: Vec<PieceRead>,
    nodes: Vec<Node>,
    origins: Vec<NodeId>,
    new: FxHashMap<NodeId, NodeId>,
    section: usize,
}

impl Builder<'_> {
    /// The inputs in the order in which they are first read, each with its bits from the lowest to the highest that is read.
    fn find_inputs(&mut self, order: &Order, nodes: &[NodeId], is_input: impl Fn(NodeId) -> bool) {
        let mut places: FxHashMap<NodeId, usize> = FxHashMap::default();
        for &id in nodes {
            let node = &self.whole.nodes[id];
            for operand in order.op(id).operands().into_iter().filter(|&operand| is_input(operand)) {
                let (low, width) = match node.op {
                    Op::Slice { low, .. } => (low, node.width),
                    _ => (0, self.whole.nodes[operand].width),
                };
                let place = *places.entry(operand).or_insert_with(|| {
                    self.inputs.push(PieceRead { node: operand, low, width });
                    self.inputs.len() - 1
                });
                let read = &mut self.inputs[place];
                let top = (read.low + read.width).max(low + width);
                read.low = read.low.min(low);
                read.width = top - read.low;
            }
        }
    }

    fn push(&mut self, origin: NodeId, node: Node) {
        self.new.insert(origin, self.nodes.len());
        self.nodes.push(node);
        self.origins.push(origin);
    }

    /// The node of the piece for a node of the surrounding netlist. Nodes that may be copied belong to none of the
    /// pieces within.
    fn copy(&mut self, order: &Order, id: NodeId) {
        let node = &self.whole.nodes[id];
        let mut op = order.op(id);
        op.for_each_operand(|operand| *operand = self.new[operand]);
        if let Op::Slice { of, low } = &mut op
            && let Some(input) = self.inputs.get(*of)
        {
            *low -= input.low;
            if input.width == node.width && node.wire_name().is_none() {
                self.new.insert(id, *of);
                return;
            }
        }
        let instance = node.instance.filter(|_| !is_copied(self.whole, id)).or(Some(self.instance));
        let section = self.section(id);
        self.push(id, Node { op, section, instance, ..node.clone() });
    }

    /// The section of a node: none before the sections that began in the piece; wiring is in the section of its reader.
    fn section(&mut self, id: NodeId) -> usize {
        let [begin, end] = self.whole.instances[self.instance].sections;
        let section = self.whole.nodes[id].section;
        if begin < section && section <= end && !is_copied(self.whole, id) {
            self.section = self.section.max(section);
        }
        self.section
    }

    fn finish(self, outputs: Vec<NodeId>) -> Piece {
        let port = |width: u32| Port::new(String::new(), width);
        let netlist = Netlist {
            inputs: self.inputs.iter().map(|input| port(input.width)).collect(),
            sections: self.whole.sections.clone(),
            instances: self.whole.instances.clone(),
            registers: vec![],
            outputs: outputs.iter().map(|&node| (port(self.nodes[node].width), node)).collect(),
            nodes: self.nodes,
        };
        Piece { instance: self.instance, netlist, inputs: self.inputs, origins: self.origins, outputs }
    }
}
