//! Compares multiplier arrays with integers.

use super::values;
use crate::{Architecture, Circuit, Multiplier, Optimize};

/// Products of unsigned factors of different widths: in rows one after the other, in rows in pairs, and in a tree.
#[test]
fn unsigned_products() {
    let in_pairs = Architecture { has_ranks: true, ..Architecture::default() };
    for architecture in Optimize::ALL.map(Architecture::from).into_iter().chain([in_pairs]) {
        for (a_bits, b_bits) in [(2, 2), (3, 7), (7, 3), (2, 11), (1, 6), (6, 6)] {
            let circuit = Circuit::optimized(architecture);
            let (a, b) = (circuit.input("a", a_bits, ""), circuit.input("b", b_bits, ""));
            let product = values(a.multiply(b));
            let words = (0..1_u64 << b_bits).flat_map(|b| (0..1_u64 << a_bits).map(move |a| (a, b)));
            for ((a, b), got) in words.zip(product) {
                assert_eq!(got, a * b, "{a} ({a_bits}) * {b} ({b_bits}), {architecture:?}");
            }
        }
    }
}

/// Products in two's complement, of factors of different widths, in rows and in a tree.
#[test]
fn signed_products() {
    let operator = Architecture { multiplier: Multiplier::Operator, ..Architecture::default() };
    for architecture in Optimize::ALL.map(Architecture::from).into_iter().chain([operator]) {
        for (a_bits, b_bits) in (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b))) {
            let circuit = Circuit::optimized(architecture);
            let (a, b) = (circuit.input("a", a_bits, ""), circuit.input("b", b_bits, ""));
            let product = values(a.multiply_signed(b));
            let signed = |word: u64, bits: u32| (word as i64) << (64 - bits) >> (64 - bits);
            let words = (0..1_u64 << b_bits).flat_map(|b| (0..1_u64 << a_bits).map(move |a| (a, b)));
            for ((a, b), got) in words.zip(product) {
                let want = signed(a, a_bits) * signed(b, b_bits);
                assert_eq!(
                    got,
                    want as u64 & ((1 << (a_bits + b_bits)) - 1),
                    "{a} ({a_bits}) * {b} ({b_bits}), {architecture:?}"
                );
            }
        }
    }
}
