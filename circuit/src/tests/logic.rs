//! Tests functions in plain logic, without carry chains, on all inputs.

use super::values;
use crate::{Bits, Circuit, Int, Op, concat};

/// Whether the logic of a signal contains an adder or a comparison.
fn has_chains(signal: Bits) -> bool {
    let nodes = &super::unpruned(signal.circuit(), signal).nodes;
    nodes.iter().any(|node| matches!(node.op, Op::Add(..) | Op::Sub(..) | Op::Lt(..)))
}

#[test]
fn every_function_of_three_bits() {
    for table in 0_u64..256 {
        let circuit = Circuit::new();
        let x = circuit.input("x", 3, "");
        let function = x.decide("f", |input| table >> input & 1 == 1);
        assert_eq!(values(function), (0..8).map(|input| table >> input & 1).collect::<Vec<_>>(), "{table:#b}");
    }
}

#[test]
fn functions_of_many_bits() {
    let circuit = Circuit::new();
    let x = circuit.input("x", 7, "");
    let is_prime = |number: u128| number > 1 && (2..number).all(|divisor| !number.is_multiple_of(divisor));
    let wanted: Vec<u64> = (0..128).map(|input| is_prime(input).into()).collect();
    assert_eq!(values(x.decide("is_prime", is_prime)), wanted);
    // Equal functions are built once: one gate per bit.
    let parity = Circuit::new();
    let x = parity.input("x", 7, "");
    let signal = x.decide("parity", |input| input.count_ones() % 2 == 1);
    let gates = super::unpruned(&parity, signal).nodes.iter().filter(|node| matches!(node.op, Op::Xor(..))).count();
    assert_eq!(gates, 6);
}

#[test]
fn sums_with_a_bit_and_with_constants() {
    let circuit = Circuit::new();
    let (x, bit) = (circuit.input("x", 5, ""), circuit.input("bit", 1, ""));
    let sum = concat(&[bit, x.plus_bit_in_logic(bit), x]);
    assert!(!has_chains(sum));
    for value in values(sum) {
        let (bit, sum, x) = (value >> 10, value >> 5 & 31, value & 31);
        assert_eq!(sum, (x + bit) & 31);
    }
    for constant in 0..32 {
        let circuit = Circuit::new();
        let x = circuit.input("x", 5, "");
        let both = concat(&[x.plus_constant_in_logic(constant), x.at_least_constant(constant as u128)]);
        assert!(!has_chains(both));
        for (x, value) in (0..).zip(values(both)) {
            assert_eq!((value >> 1, value & 1), ((x + constant as u64) & 31, u64::from(x >= constant as u64)));
        }
    }
}

#[test]
fn sums_with_a_carry() {
    let circuit = Circuit::new();
    let (x, y, carry) = (circuit.input("x", 4, ""), circuit.input("y", 3, ""), circuit.input("carry", 1, ""));
    let sum = Int::signed(x).plus(5).add_with_carry(Int::unsigned(y).plus(-2), carry, "sum");
    assert_eq!((sum.min(), sum.max()), (-8 + 5 - 2, 7 + 5 + 5 + 1));
    let low = sum.low_bits(6);
    for value in values(concat(&[x, y, carry, low])) {
        let (x, y, carry, sum) = (value >> 10, value >> 7 & 7, value >> 6 & 1, value & 63);
        let x = x as i64 - if x > 7 { 16 } else { 0 };
        assert_eq!(sum as i64, (x + 5 + y as i64 - 2 + carry as i64) & 63);
    }
}

#[test]
fn comparisons_of_integers() {
    let kinds: [fn(Bits<'static>) -> Int<'static>; 3] = [Int::unsigned, Int::signed, |x| Int::signed(x).plus(-3)];
    for (kind, constant) in kinds.into_iter().flat_map(|kind| (-14..20).map(move |constant| (kind, constant))) {
        let circuit: &'static Circuit = Box::leak(Box::default());
        let x = circuit.input("x", 4, "");
        let number = kind(x);
        let is_less = number.less_than_in_logic(constant);
        assert!(!has_chains(is_less), "less than {constant}");
        let both = concat(&[is_less, number.less_than(constant)]);
        assert!(values(both).into_iter().all(|value| value == 0 || value == 3), "less than {constant}");
    }
}
