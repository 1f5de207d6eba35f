//! Quotients by a scale.
//!
//! A quotient by a power of two is a product with the reciprocal. For other scales, elements with few codes that are rounded to nearest
//! are found without a division: a number is compared with the bounds between neighbouring elements times the scale. These products are
//! exact codes of the number's format. All other quotients are divided.
//!
//! ```text
//!   scale -> times each bound -> codes of x's format --+
//!   |x| -----------------------------------------------+-> which bounds it reaches -> element
//! ```

use crate::units::{
    coded::Coded,
    mul::mul,
    sums::Code,
    target::Target,
    unpack::{Unpacked, unpack},
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{Float, Format, Rounding};

/// The most magnitude bits of an element that is found by comparison with all bounds between elements.
const MOST_COMPARED_BITS: u32 = 5;

/// Whether a quotient by a scale with a significand is found by comparison with the bounds between elements.
pub fn is_compared(target: &Target, source: Format, scale: Format) -> bool {
    let Some(element) = target.format.float() else { return false };
    let is_plain = element.underflows_gradually() && element.binades_below == 0 && element.binades_above == 0;
    let is_few = target.format.magnitude_bits() <= MOST_COMPARED_BITS && target.format.has_minus_zero() && is_plain;
    // A bound lies halfway between two elements, and so has one more bit. The numbers' format represents it, times the scale.
    let is_exact = source.precision() > scale.precision() + target.format.precision();
    let [least, most] = source.float().map_or([0, 0], |float| [1 - i64::from(float.bias), float.bias.into()]);
    let is_in_range = least < scale.min_exponent() + target.format.min_exponent()
        && most > scale.max_exponent() + target.format.largest_exponent();
    is_few && is_exact && is_in_range && target.rounding == Rounding::Rne
}

/// Prepares the common signals of quotients by the same scale: the unpacked reciprocal, or the bounds.
pub fn prepare(element: Format, source: Format, scale: &Code) {
    match scale.format.has_only_powers_of_two() {
        true => _ = unpack(Format::e8m0(), reciprocal(scale), "reciprocal"),
        false => _ = bounds(element, source, scale),
    }
}

/// `x / scale`, rounded.
pub fn rounded<'c>(target: &Target, x: &Code<'c>, scale: &Code<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
    if scale.format.has_only_powers_of_two() {
        let inverse = reciprocal(scale);
        return mul([x.format, Format::e8m0()], target, [("x", x.bits), ("reciprocal", inverse)], random);
    }
    Coded { code: nearest(target, x, scale), flags: None }
}

/// The reciprocal of a power of two, as a code of e8m0, whose exponents are symmetric. NaN is the last code in both formats.
fn reciprocal<'c>(scale: &Code<'c>) -> Bits<'c> {
    let e8m0 = Format::e8m0();
    let [bias, own] = [float(e8m0), float(scale.format)].map(|float| float.bias);
    let of_one = scale.bits.circuit().constant((bias + own) as u128, e8m0.width());
    let difference = of_one.sub(scale.bits.zext(e8m0.width()));
    let reciprocal = match scale.format == e8m0 {
        // The difference for NaN wraps around to it.
        true => difference,
        false => difference | scale.bits.all().repeat(e8m0.width()),
    };
    reciprocal.named(format!("reciprocal_of_{}", scale.name))
}

/// The element nearest to `x / scale`, the even one in a tie, but none beyond the largest.
fn nearest<'c>(target: &Target, x: &Code<'c>, scale: &Code<'c>) -> Bits<'c> {
    let circuit = x.bits.circuit();
    let [element, source] = [target.format, x.format].map(float);
    let magnitude = x.bits.low(source.magnitude_bits()).named("magnitude");
    let (divisor, bounds) = bounds(target.format, x.format, scale);
    circuit.section("Compare the magnitude with the bounds between elements times the scale");
    let reaches: Vec<Bits> = (0..element.max_code())
        .zip(bounds)
        .map(|(lower, bound)| {
            // Ties go to the even element.
            let reaches = if lower % 2 == 1 { !magnitude.less_than(bound) } else { bound.less_than(magnitude) };
            reaches.named(format!("is_above_{lower}"))
        })
        .collect();
    let code = count(&reaches, element.magnitude_bits()).named("element");
    let of_numbers = concat(&[x.bits.msb(), code]);
    let nan = target.format.nan_code().unwrap_or(0);
    divisor.class.is_nan.select(circuit.constant(nan, of_numbers.width()), of_numbers)
}

fn float(format: Format) -> Float {
    *format.float().expect("numbers and elements are floats")
}

/// The unpacked scale, and the bound above each element but the largest, times the scale.
fn bounds<'c>(element: Format, source: Format, scale: &Code<'c>) -> (Unpacked<'c>, Vec<Bits<'c>>) {
    let [element, source] = [element, source].map(float);
    let divisor = unpack(scale.format, scale.bits, &scale.name).normalized(&scale.name);
    scale.bits.circuit().section("The bounds between elements times the scale");
    let above = |lower| bound(&element, lower, &divisor, &source).named(format!("bound_above_{lower}"));
    let bounds = (0..element.max_code()).map(above).collect();
    (divisor, bounds)
}

/// The bound above an element times the scale, as a magnitude code of the numbers' format.
fn bound<'c>(element: &Float, lower: u128, scale: &Unpacked<'c>, source: &Float) -> Bits<'c> {
    let circuit = scale.significand.circuit();
    // Twice the bound between two elements is their sum, in units of the smallest.
    let sum = in_smallest(element, lower) + in_smallest(element, lower + 1);
    let (odd, places) = (sum >> sum.trailing_zeros(), sum.trailing_zeros());
    let factor = circuit.constant(odd, u128::BITS - odd.leading_zeros());
    let product = scale.significand_of_nonzero().mul(factor);
    let carry = product.msb();
    let width = product.width();
    let fraction = carry.select(product.low(width - 1), product.zeros_below(1).low(width - 1));
    // The product of two significands has its binary point after the second bit; the odd factor is also taken as a
    // significand.
    let unit = element.min_exponent() - 1 + i64::from(places) + i64::from(factor.width()) - 1;
    let exponent = scale.exponent.plus(unit).add(Int::unsigned(carry));
    let field = exponent.plus(i64::from(source.bias)).low_bits(source.exponent_bits);
    concat(&[field, fraction.zeros_below(source.trailing_bits - (width - 1))])
}

/// The value of a magnitude code in units of the smallest value, in a format with subnormals.
fn in_smallest(float: &Float, code: u128) -> u128 {
    let (field, trailing) = (code >> float.trailing_bits, code & ((1 << float.trailing_bits) - 1));
    match field {
        0 => trailing,
        _ => (trailing | 1 << float.trailing_bits) << (field - 1),
    }
}

/// The number of ones, which come first.
fn count<'c>(ones_first: &[Bits<'c>], width: u32) -> Bits<'c> {
    let circuit = ones_first[0].circuit();
    let Some(half) = width.checked_sub(1).map(|bits| 1_usize << bits) else { return circuit.zero().low(0) };
    let rest = |of: &[Bits<'c>]| match of {
        [] => circuit.constant(0, width - 1),
        of => count(of, width - 1),
    };
    match (ones_first.get(half - 1), width) {
        (None, 1) => circuit.zero(),
        (Some(&is_half), 1) => is_half,
        (None, _) => concat(&[circuit.zero(), rest(ones_first)]),
        (Some(&is_half), _) => {
            let below = rest(&ones_first[..half - 1]);
            concat(&[is_half, is_half.select(rest(&ones_first[half..]), below)])
        }
    }
}
