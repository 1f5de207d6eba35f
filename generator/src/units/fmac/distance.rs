//! The difference of the exponents of product and addend, in two carry chains.

use super::factor::Product;
use binade_circuit::{Bits, Int, concat, signed_width};

/// How far the exponents of product and addend are apart.
pub struct Distance<'c> {
    /// Two's complement: exponent of the product less that of the addend, and, if ties go to the addend, less 1. Its sign
    /// says whose exponent is larger; of the one's complement, no negation is needed for the distance.
    pub difference: Bits<'c>,
    /// Whether equal exponents count as the addend's being larger.
    pub ties_to_addend: bool,
    /// Exponent of the product.
    pub exponent: Int<'c>,
}

/// `difference = x + y + carry - addend + offset`, where the constant is what the raw signals stand for.
///
/// Of the four ways (ties to either, with or without a carry in), the one whose constant has the most zeros below is
/// taken: it joins the factor's exponent above its other bits, at no cost. With `adds_early` all of it is added to the
/// factor's exponent, which costs a few gates there, but then the product's has the same offset as the addend's.
pub fn distance<'c>(product: &Product<'c>, (addend_name, addend): (&str, Int<'c>), adds_early: bool) -> Distance<'c> {
    let [x, y] = product.exponents;
    let offset = x.offset() + y.offset() - addend.offset();
    let (min, max) = (x.min() + y.min(), x.max() + y.max() + 1);
    let ways = [(true, 1), (false, 1), (true, 0), (false, 0)];
    let constant = |(ties_to_addend, carry): (bool, i64)| offset + i64::from(!ties_to_addend) - carry;
    let zeros = |way: &(bool, i64)| constant(*way).trailing_zeros();
    let cheapest = ways.into_iter().rev().max_by_key(zeros).expect("there are four");
    let way = if adds_early { (false, 1) } else { cheapest };
    let (ties_to_addend, carry) = way;
    let moved = x.offset() + y.offset() - constant(way);
    // The product's exponent has to fit by itself, too: a narrow addend may be far below it.
    let bounds = [min - addend.max() - 1, max - addend.min(), min - moved, max - moved];
    let width = bounds.map(signed_width).into_iter().max().expect("there are four");

    let raw = |exponent: Int<'c>| exponent.plus(-exponent.offset()).low_bits(width);
    let x = raw(x).called(format!("{}_exponent_extended", product.first_factor));
    let x_moved = x.plus_constant_in_logic(constant(way));
    let x_moved = x_moved.explained(
        format!("{}_exponent_moved", product.first_factor),
        moved_by(product, (addend_name, addend), constant(way)),
    );
    let one = product.carry.circuit().constant(1, 1);
    let sum = concat(&[x_moved, one]).add(concat(&[raw(y), product.carry]));
    let sum = sum.explained(format!("{}_exponent", product.name), "with an extra low bit for the carry in").high(width);
    let difference = match carry {
        1 => sum.sub(raw(addend)).named("exponent_difference"),
        // A borrow from below.
        _ => {
            let difference = sum.zeros_below(1).sub(concat(&[raw(addend), one]));
            difference.explained("exponent_difference", "with an extra low bit for the borrow").high(width)
        }
    };
    Distance { difference, ties_to_addend, exponent: Int::signed(sum).within(min - moved, max - moved).plus(moved) }
}

/// What is added to the exponent of the first factor: the constants of all exponents, and 1 more or less for ties.
fn moved_by(product: &Product, (addend_name, addend): (&str, Int), constant: i64) -> String {
    let factor = product.first_factor;
    let [x, y] = product.exponents.map(|exponent| exponent.offset());
    let biases = [(x, factor), (y, "b"), (-addend.offset(), addend_name)];
    let biases = biases.into_iter().filter(|(bias, _)| *bias != 0);
    let mut terms: Vec<String> = biases.map(|(bias, of)| format!("{} (bias of {of})", signed(bias))).collect();
    match constant - (x + y - addend.offset()) {
        0 => {}
        more if more > 0 => terms.push(format!("{} (for the borrow below)", signed(more))),
        less => terms.push(format!("{} (ties go to {addend_name})", signed(less))),
    }
    match constant {
        0 if terms.is_empty() => format!("exponent of {factor}"),
        0 => format!("exponent of {factor}; these cancel: {}", terms.join(" ")),
        _ => format!("exponent of {factor} {}: {}", signed(constant), terms.join(" ")),
    }
}

/// `+ 15` or `- 15`.
fn signed(number: i64) -> String {
    format!("{} {}", if number < 0 { "-" } else { "+" }, number.unsigned_abs())
}
