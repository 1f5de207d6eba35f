//! The difference of the exponents of product and addend, in two carry chains.

use super::factor::FmacProduct;
use binade_circuit::{Bits, Int, concat, signed_width};

/// The distance between the exponents of product and addend.
pub struct Distance<'c> {
    /// Two's complement: the exponent of the product less that of the addend, and less 1 if ties go to the addend. Its sign
    /// says which exponent is larger. The one's complement gives the distance without a negation.
    pub difference: Bits<'c>,
    /// Whether equal exponents count as a larger exponent of the addend.
    pub ties_to_addend: bool,
    /// Exponent of the product.
    pub exponent: Int<'c>,
}

/// `difference = x + y + carry - addend + offset`, where the constant comes from the offsets of the raw signals.
///
/// There are four ways: ties to either term, with or without a carry in. The chosen one has the constant with the most
/// trailing zeros, which costs least to add to the factor's exponent. With `adds_early`, the whole constant is added to
/// the factor's exponent. This costs a few gates there, but the product's exponent then has the same offset as the
/// addend's.
pub fn distance<'c>(
    product: &FmacProduct<'c>,
    (addend_name, addend): (&str, Int<'c>),
    adds_early: bool,
) -> Distance<'c> {
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
    // The product's exponent must also fit by itself: a narrow addend may be far below it.
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
        // The difference with a borrow from an extra low bit.
        _ => {
            let difference = sum.zeros_below(1).sub(concat(&[raw(addend), one]));
            difference.explained("exponent_difference", "with an extra low bit for the borrow").high(width)
        }
    };
    Distance { difference, ties_to_addend, exponent: Int::signed(sum).within(min - moved, max - moved).plus(moved) }
}

/// The text about the constant that is added to the exponent of the first factor: the biases of all exponents, and 1
/// more or less for ties.
fn moved_by(product: &FmacProduct, (addend_name, addend): (&str, Int), constant: i64) -> String {
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
