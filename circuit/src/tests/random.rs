//! Tests that random circuits compute the same as written, folded and pruned.

use super::{all_outputs, unpruned};
use crate::word::{low_bits, ones};
use crate::{Bits, Circuit, Netlist, NodeId, Op, prune};
use num_bigint::BigUint;
use std::collections::HashSet;

const INPUT_WIDTHS: [u32; 4] = [4, 3, 2, 1];
const MAX_WIDTH: u32 = 24;

/// An operation on operands (two of one width, a single bit, and one of any width), with the lowest bit `low` or a
/// value.
type MakeOp = fn(&[NodeId; 4], u32, BigUint) -> Op;

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number of `width` bits; one in four is all zeros or ones except for its lowest bits.
    pub fn word(&mut self, width: u32) -> BigUint {
        let limbs: Vec<u32> = (0..width.div_ceil(32)).map(|_| self.next() as u32).collect();
        let word = low_bits(BigUint::new(limbs), width);
        match self.below(8) {
            0 => word & BigUint::from(3_u32),
            1 => (word | (ones(width + 2) - 3_u32)) & ones(width),
            _ => word,
        }
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// One circuit in two forms: its nodes as written, and as the builder makes them.
pub struct Twins<'c> {
    plain: &'c Circuit,
    folded: &'c Circuit,
    max_width: u32,
    pub nodes: Vec<(NodeId, Bits<'c>)>,
}

impl<'c> Twins<'c> {
    /// A single bit is among the inputs.
    pub fn new(plain: &'c Circuit, folded: &'c Circuit, input_widths: &[u32], max_width: u32) -> Twins<'c> {
        let mut twins = Twins { plain, folded, max_width, nodes: vec![] };
        for (index, &width) in input_widths.iter().enumerate() {
            let name = format!("i{index}");
            let nodes = (plain.input(&name, width, "").node(), folded.input(&name, width, ""));
            twins.nodes.push(nodes);
        }
        twins
    }

    /// A register that is not driven yet, in both forms.
    pub fn add_register(&mut self, reset: BigUint, width: u32) -> (NodeId, Bits<'c>) {
        let [plain, folded] = [self.plain, self.folded].map(|it| it.wide_register("r", width, reset.clone(), ""));
        self.nodes.push((plain.node(), folded));
        (plain.node(), folded)
    }

    fn width(&self, index: usize) -> u32 {
        self.nodes[index].1.width()
    }

    /// Adds a random node, unless it is too wide.
    pub fn grow(&mut self, random: &mut Random) {
        let a = random.below(self.nodes.len());
        let like_a: Vec<usize> = (0..self.nodes.len()).filter(|&id| self.width(id) == self.width(a)).collect();
        let b = like_a[random.below(like_a.len())];
        let bits: Vec<usize> = (0..self.nodes.len()).filter(|&id| self.width(id) == 1).collect();
        let bit = bits[random.below(bits.len())];
        let any = random.below(self.nodes.len());
        let (width, low) = (self.width(a), random.below(self.width(a) as usize) as u32);
        let (op, width): (MakeOp, u32) = match random.below(18) {
            0 => (|_, _, value| Op::Constant(value), width),
            1 => (|_, _, _| Op::Constant(BigUint::ZERO), width),
            2 => (|_, _, value| Op::Constant(if value.bit(0) { 1_u32.into() } else { ones(1 << 16) }), width),
            3 => (|&[a, ..], _, _| Op::Not(a), width),
            4 => (|&[a, b, ..], _, _| Op::And(a, b), width),
            5 => (|&[a, b, ..], _, _| Op::Or(a, b), width),
            6 => (|&[a, b, ..], _, _| Op::Xor(a, b), width),
            7 => (|&[a, b, ..], _, _| Op::Add(a, b), width),
            8 => (|&[a, b, ..], _, _| Op::Sub(a, b), width),
            9 => (|&[a, b, ..], _, _| Op::Eq(a, b), 1),
            10 => (|&[a, b, ..], _, _| Op::Lt(a, b), 1),
            11 => (|&[a, _, _, any], _, _| Op::Mul(a, any), width + self.width(any)),
            12 => (|&[one, zero, select, _], _, _| Op::Mux { select, one, zero }, width),
            13 => (|&[a, ..], _, _| Op::AnyOne(a), 1),
            14 => (|&[a, ..], _, _| Op::AllOnes(a), 1),
            15 => (|&[of, ..], low, _| Op::Slice { of, low }, 1 + random.below((width - low) as usize) as u32),
            16 => (|&[a, _, bit, any], _, _| Op::Concat(vec![any, bit, a]), self.width(any) + 1 + width),
            _ => (|&[_, _, bit, _], _, _| Op::Repeat(bit), 1 + random.below(6) as u32),
        };
        if width > self.max_width {
            return;
        }
        let constant = random.word(width);
        let operands = |node: &dyn Fn(usize) -> NodeId| [node(a), node(b), node(bit), node(any)];
        let cut = |op: Op| match op {
            Op::Constant(value) => Op::Constant(low_bits(value, width)),
            op => op,
        };
        let plain = cut(op(&operands(&|id| self.nodes[id].0), low, constant.clone()));
        let folded = cut(op(&operands(&|id| self.nodes[id].1.node()), low, constant));
        let mut folded = self.folded.bits(folded, width);
        if random.below(3) == 0 {
            folded = folded.named("signal");
        }
        self.nodes.push((self.plain.node(plain, width), folded));
    }
}

/// Operands come first, and every node is used.
pub fn assert_well_formed(netlist: &Netlist) {
    let mut used: HashSet<NodeId> = netlist.outputs.iter().map(|(_, node)| *node).collect();
    for (id, node) in netlist.nodes.iter().enumerate() {
        assert!(node.op.operands().iter().all(|&operand| operand < id), "node {id}");
        used.extend(node.op.operands());
    }
    used.extend(netlist.registers.iter().map(|register| register.next));
    let is_used = |id: &NodeId| used.contains(id) || matches!(netlist.nodes[*id].op, Op::Input(_));
    assert!((0..netlist.nodes.len()).all(|id| is_used(&id)), "a dead node is left");
}

#[test]
fn folding_and_pruning_keep_the_meaning() {
    let mut random = Random(1);
    let mut varied = 0;
    for _ in 0..3_000 {
        let (plain, folded) = (Circuit::new(), Circuit::new());
        let mut twins = Twins::new(&plain, &folded, &INPUT_WIDTHS, MAX_WIDTH);
        for _ in 0..8 + random.below(30) {
            twins.grow(&mut random);
        }
        // Nodes far from the inputs.
        let (plain_output, folded_output) = twins.nodes[twins.nodes.len() - 1];
        let as_written = unpruned(&plain, Bits::new(&plain, plain_output));
        let wanted = all_outputs(&as_written);
        varied += usize::from(wanted.iter().any(|value| *value != wanted[0]));
        let as_built = unpruned(&folded, folded_output);
        assert_eq!(all_outputs(&as_built), wanted, "folding changed\n{as_written:#?}");
        let pruned = prune::prune(as_built.clone());
        assert_eq!(all_outputs(&pruned), wanted, "pruning changed\n{as_built:#?}");
        assert_well_formed(&pruned);
        assert!(pruned.nodes.len() <= as_built.nodes.len() + INPUT_WIDTHS.len());
        assert_eq!(all_outputs(&prune::prune(as_written)), wanted);
    }
    assert!(varied > 1_000, "only {varied} circuits were more than a constant");
}
