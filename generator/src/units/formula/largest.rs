//! The largest of several codes: pair by pair, by keys that ascend with the values.

use crate::units::order::{canonical, ordered};
use crate::units::sums::Code;
use binade_circuit::{Bits, Part};

const KEY: Part = Part::repeated(
    "key",
    "The order of a code among the others: a key that ascends with the values, and whether it is NaN.",
);

/// A candidate: its key and its code.
#[derive(Clone, Copy)]
struct Candidate<'c> {
    key: Bits<'c>,
    code: Bits<'c>,
}

/// The largest, or NaN if one is NaN.
pub fn of_codes<'c>(codes: &[&Code<'c>]) -> Bits<'c> {
    let format = codes[0].format;
    let circuit = codes[0].bits.circuit();
    let mut are_nan = vec![];
    let mut round: Vec<Candidate> = codes
        .iter()
        .map(|code| {
            circuit.part(KEY, &code.name, || {
                let operand = ordered(format, code.bits, &code.name);
                are_nan.push(operand.class.is_nan);
                Candidate { key: operand.key, code: canonical(format, code.bits, &operand) }
            })
        })
        .collect();
    circuit.section("The largest operand: the larger of two, then of two such, and so on");
    let mut number = 0;
    while round.len() > 1 {
        let pairs = round.chunks(2).map(|pair| match *pair {
            [a, b] => {
                number += 1;
                larger(a, b, number)
            }
            _ => pair[0],
        });
        round = pairs.collect();
    }
    let largest = round[0].code;
    let is_nan = are_nan.into_iter().reduce(|all, is_nan| all | is_nan).expect("there are operands");
    match format.nan_code() {
        Some(nan) => is_nan.named("any_is_nan").select(circuit.constant(nan, format.width()), largest),
        None => largest,
    }
}

fn larger<'c>(a: Candidate<'c>, b: Candidate<'c>, number: u32) -> Candidate<'c> {
    let takes_b = a.key.less_than(b.key).named(format!("takes_second_{number}"));
    let key = takes_b.select(b.key, a.key).named(format!("larger_key_{number}"));
    Candidate { key, code: takes_b.select(b.code, a.code).named(format!("larger_{number}")) }
}
