//! Compares sums and comparisons without carry chains with those that have them.

use super::{all_outputs, unpruned};
use crate::{Bits, Circuit, Op, concat, mask, without_chains};

#[test]
fn all_operands_of_up_to_six_bits() {
    let operators: [fn(Bits<'static>, Bits<'static>) -> Bits<'static>; 3] = [Bits::add, Bits::sub, Bits::less_than];
    for (width, operator) in (1..=6).flat_map(|width| operators.map(|operator| (width, operator))) {
        let circuit: &'static Circuit = Box::leak(Box::default());
        let (a, b) = (circuit.input("a", width, ""), circuit.input("b", width, ""));
        let constant = circuit.constant(0b01_0110 & mask(width), width);
        let chained = unpruned(circuit, concat(&[operator(a, b), operator(a, constant), operator(constant, b)]));
        let prefix = without_chains(&chained);
        assert!(!prefix.nodes.iter().any(|node| matches!(node.op, Op::Add(..) | Op::Sub(..) | Op::Lt(..))));
        assert_eq!(all_outputs(&prefix), all_outputs(&chained), "{width} bits");
    }
}
