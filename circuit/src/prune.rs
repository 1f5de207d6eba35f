//! Drops everything that no output needs: dead nodes and registers, and the unused top and bottom bits of live nodes.

use crate::word::low_bits;
use crate::{Bits, Circuit, Netlist, NodeId, Op, Register, bits};

/// The netlist without dead nodes and bits, rebuilt (and so folded) until nothing more can be dropped.
pub(crate) fn prune(mut netlist: Netlist) -> Netlist {
    loop {
        let pruned = Pruner::new(&netlist).rebuild();
        if pruned.nodes.len() == netlist.nodes.len() && total_width(&pruned) == total_width(&netlist) {
            return pruned;
        }
        netlist = pruned;
    }
}

fn total_width(netlist: &Netlist) -> u32 {
    netlist.nodes.iter().map(|node| node.width).sum()
}

/// The range of needed bits of an old node: `low..low+width`.
#[derive(Clone, Copy)]
struct Range {
    low: u32,
    width: u32,
}

impl Range {
    /// The shortest range with all bits of both.
    fn hull(self, other: Range) -> Range {
        let low = self.low.min(other.low);
        Range { low, width: (self.low + self.width).max(other.low + other.width) - low }
    }

    /// Everything up to the top of the range.
    fn with_carries(self) -> Range {
        Range { low: 0, width: self.low + self.width }
    }
}

struct Pruner<'n> {
    old: &'n Netlist,
    /// The needed bits of each old node.
    needed: Vec<Option<Range>>,
    /// Whether each register is live.
    registers: Vec<bool>,
}

impl<'n> Pruner<'n> {
    fn new(old: &'n Netlist) -> Pruner<'n> {
        let (needed, registers) = (vec![None; old.nodes.len()], vec![false; old.registers.len()]);
        let mut pruner = Pruner { old, needed, registers };
        for (_, output) in &old.outputs {
            pruner.need(*output, whole(old, *output));
        }
        for (id, node) in old.nodes.iter().enumerate() {
            if matches!(node.op, Op::Register(index) if old.registers[index].is_kept) {
                pruner.need(id, whole(old, id));
            }
        }
        // The node that drives a live register can come after the node that reads it.
        while pruner.spread() {}
        pruner
    }

    /// Goes through the nodes once. Returns whether more registers turned out to be live.
    fn spread(&mut self) -> bool {
        let live = self.registers.iter().filter(|live| **live).count();
        for (id, node) in self.old.nodes.iter().enumerate().rev() {
            if let Op::Input(_) = node.op {
                // Ports do not change.
                self.need(id, whole(self.old, id));
            }
            let Some(range) = self.needed[id] else { continue };
            if let Op::Register(index) = node.op {
                self.need_register(id, index);
            }
            for (operand, bits) in operand_demand(self.old, id, range) {
                self.need(operand, bits);
            }
        }
        live < self.registers.iter().filter(|live| **live).count()
    }

    /// A register keeps all its bits, because the reader knows the state by its name and width.
    fn need_register(&mut self, id: NodeId, index: usize) {
        let next = self.old.registers[index].next;
        self.need(id, whole(self.old, id));
        self.need(next, whole(self.old, next));
        self.registers[index] = true;
    }

    fn need(&mut self, node: NodeId, range: Range) {
        let needed = &mut self.needed[node];
        *needed = Some(needed.map_or(range, |needed| needed.hull(range)));
    }

    fn rebuild(&self) -> Netlist {
        let live = self.old.registers.iter().zip(&self.registers).filter(|(_, live)| **live);
        let registers: Vec<Register> = live.map(|(register, _)| register.clone()).collect();
        let circuit = Circuit::like(self.old, registers);
        let mut new: Vec<Option<NodeId>> = vec![None; self.old.nodes.len()];
        for (id, node) in self.old.nodes.iter().enumerate() {
            let Some(range) = self.needed[id] else { continue };
            circuit.build_for(self.old, node);
            let built = self.rebuild_node(&circuit, &new, id, range);
            new[id] = Some(built.node);
        }
        let mut netlist = circuit.state.take().netlist;
        let moved = |node: NodeId| new[node].expect("outputs are live, and what live registers hold next");
        netlist.outputs = self.old.outputs.iter().map(|(port, node)| (port.clone(), moved(*node))).collect();
        netlist.registers.iter_mut().for_each(|register| register.next = moved(register.next));
        netlist
    }

    /// The needed bits of an old node in the new circuit, with its name.
    fn rebuild_node<'c>(&self, circuit: &'c Circuit, new: &[Option<NodeId>], id: NodeId, range: Range) -> Bits<'c> {
        let node = &self.old.nodes[id];
        // The bits `part` of an old operand.
        let operand = |id: NodeId, part: Range| {
            let have = self.needed[id].expect("an operand of a live node is live");
            let bits = Bits::new(circuit, new[id].expect("operands come first"));
            bits.slice(part.low - have.low + part.width - 1, part.low - have.low)
        };
        let whole = |id: NodeId| operand(id, whole(self.old, id));
        let label_from = |low: u32, bits: Bits<'c>| {
            if let Some(label) = &node.label {
                circuit.label(bits.node, label.cut(low, bits.width(), node.width));
            }
            bits
        };
        let label = |bits: Bits<'c>| label_from(range.low, bits);
        let carried = range.with_carries();
        let arithmetic = |a, b, operator: fn(Bits<'c>, Bits<'c>) -> Bits<'c>| {
            let all = label_from(0, operator(operand(a, carried), operand(b, carried)));
            all.slice(carried.width - 1, range.low)
        };
        match node.op {
            Op::Input(_) => circuit.bits(node.op.clone(), node.width),
            Op::Register(index) => {
                let place = self.registers[..index].iter().filter(|live| **live).count();
                circuit.bits(Op::Register(place), node.width)
            }
            Op::Constant(ref value) => circuit.wide_constant(low_bits(value >> range.low, range.width), range.width),
            Op::Not(a) => label(!operand(a, range)),
            Op::And(a, b) => label(operand(a, range) & operand(b, range)),
            Op::Or(a, b) => label(operand(a, range) | operand(b, range)),
            Op::Xor(a, b) => label(operand(a, range) ^ operand(b, range)),
            Op::Add(a, b) => arithmetic(a, b, Bits::add),
            Op::Sub(a, b) => arithmetic(a, b, Bits::sub),
            Op::Eq(a, b) => label(whole(a).equals(whole(b))),
            Op::Lt(a, b) => label(whole(a).less_than(whole(b))),
            Op::Mul(a, b) => label_from(0, whole(a).mul(whole(b))).slice(range.low + range.width - 1, range.low),
            Op::Mux { select, one, zero } => label(whole(select).select(operand(one, range), operand(zero, range))),
            Op::AnyOne(a) => label(whole(a).any()),
            Op::AllOnes(a) => label(whole(a).all()),
            Op::Slice { of, low } => label(operand(of, Range { low: low + range.low, ..range })),
            Op::Concat(ref parts) => label(bits::concat(&self.kept_parts(parts, range, operand))),
            Op::Repeat(bit) => label(whole(bit).repeat(range.width)),
        }
    }

    /// The parts of a concatenation that lie in `range`, highest first.
    fn kept_parts<'c>(
        &self,
        parts: &[NodeId],
        range: Range,
        operand: impl Fn(NodeId, Range) -> Bits<'c>,
    ) -> Vec<Bits<'c>> {
        concat_ranges(self.old, parts, range).into_iter().map(|(part, bits)| operand(part, bits)).collect()
    }
}

fn whole(netlist: &Netlist, node: NodeId) -> Range {
    Range { low: 0, width: netlist.nodes[node].width }
}

/// Which bits of each operand are needed for the bits `range` of a node.
fn operand_demand(netlist: &Netlist, id: NodeId, range: Range) -> Vec<(NodeId, Range)> {
    let op = &netlist.nodes[id].op;
    match *op {
        Op::Input(_) | Op::Register(_) | Op::Constant(_) => vec![],
        Op::Not(a) => vec![(a, range)],
        Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) => vec![(a, range), (b, range)],
        Op::Add(a, b) | Op::Sub(a, b) => vec![(a, range.with_carries()), (b, range.with_carries())],
        Op::Mux { select, one, zero } => vec![(select, whole(netlist, select)), (one, range), (zero, range)],
        Op::Slice { of, low } => vec![(of, Range { low: low + range.low, ..range })],
        Op::Concat(ref parts) => concat_ranges(netlist, parts, range),
        Op::Eq(..) | Op::Lt(..) | Op::Mul(..) | Op::AnyOne(_) | Op::AllOnes(_) | Op::Repeat(_) => {
            op.operands().into_iter().map(|operand| (operand, whole(netlist, operand))).collect()
        }
    }
}

/// The parts of a concatenation that `range` touches, highest first, each with its own bits.
fn concat_ranges(netlist: &Netlist, parts: &[NodeId], range: Range) -> Vec<(NodeId, Range)> {
    let mut kept = vec![];
    let mut bottom = 0;
    for &part in parts.iter().rev() {
        let top = bottom + netlist.nodes[part].width;
        let (from, to) = (range.low.max(bottom), (range.low + range.width).min(top));
        if from < to {
            kept.push((part, Range { low: from - bottom, width: to - from }));
        }
        bottom = top;
    }
    kept.reverse();
    kept
}
