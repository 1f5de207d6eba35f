//! Exact sums in fixed point: every term is shifted to its place in a window that has room for all of them.
//!
//! ```text
//!   | sign | carries | places of the largest term .. | .. places of the smallest |
//! ```

use super::number::Number;
use super::total::{Total, rounded};
use crate::units::{result::Coded, target::Target};
use binade_circuit::{Bits, Int, unsigned_width};

/// The exact sum, rounded once.
pub fn sum<'c>(target: &Target, numbers: &[Number<'c>], random: Option<Bits<'c>>) -> Coded<'c> {
    let circuit = numbers[0].magnitude.circuit();
    circuit.section("Place the terms in one window of fixed point, in two's complement");
    let placed: Vec<(Bits, i64)> = numbers.iter().map(placed).collect();
    let lowest = placed.iter().map(|(_, lowest)| *lowest).min().expect("a sum has terms");
    let rows = placed.iter().map(|(digits, low)| digits.zeros_below((low - lowest) as u32));
    let rows: Vec<Bits> = rows.collect();
    let width = rows.iter().map(|row| row.width()).max().expect("a sum has terms");
    let width = width + unsigned_width(rows.len() as u32 - 1).min(rows.len() as u32 - 1);
    circuit.section("Add");
    let rows: Vec<Bits> = rows.iter().map(|row| row.sext(width)).collect();
    let sum = Bits::sum_of(&rows, "sum_").named("sum");
    let classes: Vec<_> = numbers.iter().map(|number| number.class).collect();
    rounded(target, &classes, Total { sum, lowest: Int::constant(circuit, lowest) }, random)
}

/// A term in two's complement, shifted left by its exponent, and the exponent of its lowest place.
fn placed<'c>(number: &Number<'c>) -> (Bits<'c>, i64) {
    let Number { name, class, exponent, magnitude, fraction_bits } = number;
    let width = magnitude.width() + 1;
    let digits = (magnitude.zext(width) ^ class.sign.repeat(width)).add(class.sign.zext(width));
    let mut shifted = digits.named(format!("{name}_digits"));
    // Counted from where the raw exponent is 0, so that no bias has to be subtracted; places below all terms are left out.
    let is_raw = exponent.min() >= exponent.offset();
    let zero = if is_raw { exponent.offset() } else { exponent.min() };
    let shift = exponent.plus(-zero).to_unsigned();
    let [least, most] = [exponent.min(), exponent.max()].map(|bound| (bound - zero) as u32);
    for stage in 0..shift.width() {
        let step = 1 << stage;
        let reached = (width + most).min(shifted.width() + step);
        let moved = shifted.zeros_below(step).low(reached);
        shifted = shift.bit(stage).select(moved, shifted.sext(reached)).named(format!("{name}_to_{}", 2 * step - 1));
    }
    let placed = shifted.high(shifted.width() - least).named(format!("{name}_placed"));
    (placed, exponent.min() - i64::from(*fraction_bits))
}
