//! Product and addend under one exponent, their sum, and its leading one.
//!
//! There is a single path. The term with the larger exponent stays, and the other is shifted right under it; bits
//! shifted out are joined into a sticky bit in the lowest place:
//!
//! ```text
//!   | carry | integer bit | fraction bits            | sticky |
//!   |   0   | larger term                            | 1 if the smaller is subtracted: -s is ~s + 1
//!   |   0   | smaller term, shifted right            | sticky |
//! ```

use super::distance::{Distance, distance};
use super::factor::FmacProduct;
use crate::units::{
    class::Class,
    exact::ExactResult,
    normalize::{Sum, magnitude_of_sum},
    picture,
    round::decide::{below_code_bits, makes_minus_zero},
    target::FloatTarget,
    unpack::Unpacked,
};
use binade_circuit::{Bits, Int, Optimize, concat};
use binade_spec::Format;

/// The bits of the terms, above the section that aligns them.
const PICTURE: [&str; 3] = [
    "| carry | integer bit | fraction bits            | sticky |",
    "|   0   | larger term                            | 1 if the smaller is subtracted: -s is ~s + 1",
    "|   0   | smaller term, shifted right            | sticky |",
];

/// The exact sum of product and addend; bits that only matter as sticky are joined. `rm` is the port with the rounding, if there is one.
pub fn accumulate<'c>(
    operand: &Format,
    target: &FloatTarget,
    product: &FmacProduct<'c>,
    (addend_name, addend): (&str, &Unpacked<'c>),
    rm: Option<Bits<'c>>,
) -> ExactResult<'c> {
    let pair = align(target, product, (addend_name, addend), adds_early(operand, product));
    let (negative, sum) = add(&pair);
    let is_zero = !sum.any().named("sum_is_nonzero");
    let total = Sum { negative, digits: sum, exponent: pair.exponent.plus(1) };
    let magnitude = magnitude_of_sum(target, total, total.digits.width());
    let minus_zero = makes_minus_zero(target.rounding, sum.circuit(), rm);
    let class = Class::of_sum(minus_zero, &product.class, &addend.class, pair.sign ^ negative, is_zero);
    ExactResult { class, magnitude, payload: None }
}

/// Two terms under one exponent.
struct Aligned<'c> {
    /// Sign of the larger term.
    sign: Bits<'c>,
    subtract: Bits<'c>,
    /// Exponent of the integer bit.
    exponent: Int<'c>,
    larger: Bits<'c>,
    /// Smaller term, shifted; the last bit is sticky.
    smaller: Bits<'c>,
}

/// Fraction bits of the window. Cancellation by more than one place requires exponents that differ by at most 1, and then no
/// bit may be lost. Otherwise the leading one of the sum is at most one place below the integer bit: `p` bits and a guard
/// bit (or as many as are random) from there make `p + 1`.
fn fraction_bits(target: &FloatTarget, product: &FmacProduct) -> u32 {
    (target.format.precision() + below_code_bits(target.rounding)).max(product.significand.width())
}

/// The parts of a term in the window.
fn window_parts(target: &FloatTarget, product: &FmacProduct) -> [(u32, &'static str); 3] {
    let (fraction, precision) = (fraction_bits(target, product), target.format.precision());
    match fraction == product.significand.width() {
        true => [(1, "integer"), (fraction, "for the whole product one place down"), (0, "for rounding")],
        false => [
            (1, "integer"),
            (precision, "for p bits of the sum one place down"),
            (fraction - precision, "for rounding"),
        ],
    }
}

/// Measured: it is smaller but slower, and not smaller if the factors' exponents already need more than a few gates.
fn adds_early(operand: &Format, product: &FmacProduct) -> bool {
    let is_supernormal = operand.float().is_some_and(|float| float.binades_below > 0);
    product.significand.circuit().optimize() == Optimize::Area && !is_supernormal
}

fn align<'c>(
    target: &FloatTarget,
    product: &FmacProduct<'c>,
    (addend_name, addend): (&str, &Unpacked<'c>),
    adds_early: bool,
) -> Aligned<'c> {
    let circuit = product.significand.circuit();
    let bits = [1, 1, fraction_bits(target, product), 1];
    let [parts, larger, smaller] = PICTURE;
    let notes = [parts, &picture::widths(parts, &bits), larger, smaller];
    circuit.section_with("Align: the term with the larger exponent stays", &notes);
    let Distance { difference, ties_to_addend, exponent } =
        distance(product, (addend_name, addend.exponent), adds_early);
    let width = 1 + fraction_bits(target, product);
    let placed = |significand: Bits<'c>| significand.zeros_below(width - significand.width());
    let (product_placed, addend_placed) = (placed(product.significand), placed(addend.significand));

    let addend_exponent_is_larger = difference.msb().named(format!("{addend_name}_exponent_is_larger"));
    // The exponent of a zero is meaningless; that of a zero addend is the lowest one if the format has subnormals.
    let product_may_stay = if target.format.underflows_gradually() {
        !addend_exponent_is_larger
    } else {
        !addend_exponent_is_larger | addend.class.is_zero
    };
    let product_is_larger = (product_may_stay & !product.class.is_zero).named(format!("{}_is_larger", product.name));

    // The one's complement of a negative difference is the distance less 1, or the distance if ties go to the addend.
    let (product_down, addend_down) = (u32::from(!ties_to_addend), u32::from(ties_to_addend));
    let down = |term: Bits<'c>, places: u32| term.high(width - places).zext(width);
    let smaller = product_may_stay.select(down(addend_placed, addend_down), down(product_placed, product_down));
    let magnitude = difference.low(difference.width() - 1);
    let magnitude = magnitude.called("difference_magnitude");
    let distance = (magnitude ^ addend_exponent_is_larger.repeat(magnitude.width())).named("distance");
    let (shifted, sticky) = smaller.named("smaller").shift_right_out(distance, product.class.is_zero, "aligned");

    let subtract = (product.class.sign ^ addend.class.sign).named("subtract");
    Aligned {
        sign: product_is_larger.select(product.class.sign, addend.class.sign).named("larger_sign"),
        subtract,
        exponent: Int::select(product_is_larger, exponent, addend.exponent).named("larger_exponent"),
        larger: product_is_larger
            .select(product_placed, addend_placed)
            .made_of("larger", &window_parts(target, product)),
        smaller: concat(&[shifted, sticky.named("aligned_sticky")])
            .made_of("aligned", &[(width, "of a term"), (1, "sticky")]),
    }
}

/// Whether the sum is negative, and the sum in two's complement, one bit wider for the carry.
fn add<'c>(pair: &Aligned<'c>) -> (Bits<'c>, Bits<'c>) {
    let carry_in = "The 1 (subtract) is in the last place of the larger term, which has no sticky bit.";
    match pair.subtract.known() {
        Some(0) => pair.sign.circuit().section("Add"),
        _ => pair.sign.circuit().section_with("Add, or subtract as larger + ~smaller + 1", &[carry_in]),
    }
    let width = pair.smaller.width() + 1;
    let larger = concat(&[pair.larger, pair.subtract]).zext(width).called("larger_with_carry");
    let smaller = (pair.smaller.zext(width) ^ pair.subtract.repeat(width)).called("smaller_or_complement");
    let sum = larger.add(smaller).made_of("sum", &[(1, "carry"), (width - 2, "of a term"), (1, "sticky")]);
    let negative = (pair.subtract & sum.msb()).named("difference_is_negative");
    (negative, sum)
}
