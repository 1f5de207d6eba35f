//! Adder: `y = a + b`.

use super::{
    add_float::sum_of_codes,
    assemble::Kind,
    posit,
    result::{Coded, encode},
};
use binade_circuit::Bits;
use binade_golden::{Format, Operation};

pub fn add<'c>(operation: &Operation, a: Bits<'c>, b: Bits<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
    add_codes(operation, [("a", a), ("b", b)], random)
}

/// The sum of two codes of the result format; the signals are named after them.
pub fn add_codes<'c>(
    operation: &Operation,
    [x, y]: [(&'static str, Bits<'c>); 2],
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    match &operation.result {
        Format::Float(float) => {
            let sum = sum_of_codes(operation, float, x, y);
            encode(operation, Kind::Arithmetic, sum, random)
        }
        Format::Posit(posit) => Coded { code: posit::add(operation, posit, [x, y], random), flags: None },
    }
}
