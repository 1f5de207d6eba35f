//! An order of a piece's nodes and operands that does not depend on the surrounding nodes, so that equal pieces look equal.
//!
//! Without it, they could differ: nodes that several pieces read were made for the first of them, and operands are in
//! the order in which they were made.

use super::demand::{Demand, is_copied};
use crate::{Netlist, NodeId, Op};
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Order<'n> {
    whole: &'n Netlist,
    demand: &'n Demand,
    /// A number for the structure of a node, the same for nodes of equal structure.
    shapes: FxHashMap<NodeId, u64>,
}

impl<'n> Order<'n> {
    pub fn new(whole: &'n Netlist, demand: &'n Demand) -> Order<'n> {
        let mut order = Order { whole, demand, shapes: FxHashMap::default() };
        for &id in &demand.nodes {
            let shape = order.shape_of(id);
            order.shapes.insert(id, shape);
        }
        order
    }

    /// The operation of a node, with commutative operands sorted.
    pub fn op(&self, id: NodeId) -> Op {
        let mut op = self.whole.nodes[id].op.clone();
        if let Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) | Op::Add(a, b) | Op::Eq(a, b) = &mut op {
            // Among equal operands, the older first.
            let key = |id: NodeId| (self.shape(id), self.source(id));
            if !self.is_constant(*a) && !self.is_constant(*b) && key(*b) < key(*a) {
                std::mem::swap(a, b);
            }
        }
        op
    }

    /// The nodes: constants, then the others; nodes that several pieces may share come where they are read.
    pub fn nodes(&self) -> Vec<NodeId> {
        let (mut nodes, others): (Vec<NodeId>, Vec<NodeId>) =
            self.demand.nodes.iter().copied().partition(|&id| self.is_constant(id));
        nodes.sort_by_key(|&id| self.shape(id));
        let mut is_in: FxHashSet<NodeId> = nodes.iter().copied().collect();
        for id in others.into_iter().filter(|&id| !is_copied(self.whole, id)) {
            let mut open = vec![(id, false)];
            while let Some((id, is_ready)) = open.pop() {
                if is_ready {
                    nodes.push(id);
                } else if is_in.insert(id) {
                    open.push((id, true));
                    let reads = self.op(id).operands().into_iter().rev();
                    open.extend(reads.filter(|read| self.demand.nodes.contains(read)).map(|read| (read, false)));
                }
            }
        }
        nodes
    }

    fn is_constant(&self, id: NodeId) -> bool {
        matches!(self.whole.nodes[id].op, Op::Constant(_))
    }

    /// Only the width of an input counts.
    fn shape(&self, id: NodeId) -> u64 {
        self.shapes.get(&id).copied().unwrap_or_else(|| self.whole.nodes[id].width.into())
    }

    fn shape_of(&self, id: NodeId) -> u64 {
        let node = &self.whole.nodes[id];
        let mut operands: Vec<u64> = node.op.operands().into_iter().map(|operand| self.shape(operand)).collect();
        let kind = match &node.op {
            Op::Input(_) | Op::Register(_) => 1,
            Op::Constant(value) => return value.iter_u64_digits().fold(mixed(2, node.width.into()), mixed),
            Op::Not(_) => 3,
            Op::And(..) => 4,
            Op::Or(..) => 5,
            Op::Xor(..) => 6,
            Op::Add(..) => 7,
            Op::Sub(..) => 8,
            Op::Eq(..) => 9,
            Op::Lt(..) => 10,
            Op::Mul(..) => 11,
            Op::Mux { .. } => 12,
            Op::AnyOne(_) => 13,
            Op::AllOnes(_) => 14,
            // The source of the bits differs between lanes.
            Op::Slice { .. } => return mixed(15, node.width.into()),
            Op::Concat(_) => 16,
            Op::Repeat(_) => 17,
        };
        if let Op::And(..) | Op::Or(..) | Op::Xor(..) | Op::Add(..) | Op::Eq(..) = node.op {
            operands.sort_unstable();
        }
        operands.into_iter().fold(mixed(kind, node.width.into()), mixed)
    }

    /// The node at the source of wiring.
    fn source(&self, id: NodeId) -> NodeId {
        let node = &self.whole.nodes[id];
        match node.op.operands().into_iter().find(|&read| !self.is_constant(read)) {
            Some(read) if is_copied(self.whole, id) => self.source(read),
            _ => id,
        }
    }
}

/// A hash of two numbers.
fn mixed(a: u64, b: u64) -> u64 {
    (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
