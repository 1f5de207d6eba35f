//! The scale of a block. A scale with a significand is the largest magnitude divided by the largest element. A power of two is
//! computed from the exponent fields:
//!
//! ```text
//!   fields -> largest field --------------------------+
//!   trailing significands -> or -> leading-zero count +-> exponent - that of the largest element -> clamp -> code
//! ```
//!
//! If all fields are 0, the leading one of the OR of all trailing significands is that of the largest magnitude.

use super::quotient::in_smallest;
use crate::units::{
    class::Class,
    sums::{
        Code,
        total::{Total, rounded},
    },
    target::Target,
    unpack::unpack,
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{Float, Format, Overflow, PositRange, Rounding};

/// The bias of e8m0.
const BIAS: i64 = 127;

/// The code of the scale that maps the largest magnitude approximately to the largest element.
pub fn of_block<'c>(codes: &[&Code<'c>], element: &Format, format: Format) -> Bits<'c> {
    match format == Format::e8m0() {
        true => power_of_two(codes, element.largest_exponent()),
        false => nearest(codes, element, format),
    }
}

/// The e8m0 code of `2^(floor(log2 of the largest magnitude) - largest_exponent)`, clamped to the range; the smallest scale if all
/// are zeros, NaN if there is an infinity or a NaN.
fn power_of_two<'c>(codes: &[&Code<'c>], largest_exponent: i64) -> Bits<'c> {
    let circuit = codes[0].bits.circuit();
    let float = *codes[0].format.float().expect("blocks are made of floats");
    circuit.section("The largest exponent of the block");
    let fields: Vec<Bits> = codes.iter().map(|code| field(&float, code)).collect();
    let largest = largest(&fields).named("largest_field");
    let exponent = Int::unsigned(largest).plus(-i64::from(float.bias));
    // Whether subnormals and numbers of field 1 give exponents below all scales.
    let least = largest_exponent - BIAS;
    let is_low = 1 - i64::from(float.bias) <= least;
    let exponent =
        if is_low { exponent } else { Int::select(largest.none(), of_subnormals(&float, codes, least), exponent) };
    circuit.section("The scale: that exponent less the exponent of the largest element");
    let biased = exponent.plus(BIAS - largest_exponent);
    let code = biased.no_less_than(0).no_more_than(2 * BIAS).to_unsigned().zext(8).named("scale_unless_special");
    (code | largest.all().named("any_is_special").repeat(8)).named("scale")
}

/// The largest magnitude divided by the largest element, rounded to nearest, but never to zero.
fn nearest<'c>(codes: &[&Code<'c>], element: &Format, format: Format) -> Bits<'c> {
    let circuit = codes[0].bits.circuit();
    let float = *codes[0].format.float().expect("blocks are made of floats");
    circuit.section("The largest magnitude of the block");
    let magnitudes: Vec<Bits> = codes.iter().map(|code| code.bits.low(float.magnitude_bits())).collect();
    let largest = largest(&magnitudes).named("largest_magnitude");
    let x = unpack(codes[0].format, concat(&[circuit.zero(), largest]), "largest").normalised("largest");
    circuit.section("Divide it by the largest element");
    let element = element.float().expect("elements are floats");
    // The largest element is an odd number times a power of two.
    let largest_element = in_smallest(element, element.max_code());
    let zeros = largest_element.trailing_zeros();
    let (divisor, places) = (largest_element >> zeros, element.min_exponent() + i64::from(zeros));
    // More digits than the scale has, followed by a sticky bit.
    let digits = x.significand.zeros_below(format.precision().max(x.significand.width()) + 3 - x.significand.width());
    let (quotient, rest) = divided(digits, divisor);
    let sum = concat(&[circuit.zero(), quotient, rest.any()]).named("quotient_and_sticky");
    let exponent = x.exponent.plus(-places).no_less_than(format.min_exponent() - 2).named("quotient_exponent");
    let target = Target {
        format,
        rounding: Rounding::Rne,
        overflow: Overflow::Saturate,
        posit_range: PositRange::default(),
        nan: Default::default(),
        flags: None,
    };
    let nan = x.class.is_nan | x.class.is_infinite;
    let class =
        |_, is_zero| Class { sign: circuit.zero(), is_zero, is_infinite: circuit.zero(), is_nan: nan, ..x.class };
    let scale = circuit.prefixed("scale", || rounded(&target, Total::new(sum, exponent), class, None)).code;
    circuit.section("A scale is not zero");
    scale.none().select(circuit.constant(format.min_code(), format.width()), scale).named("scale")
}

/// Quotient and remainder of the division by an odd constant, digit by digit.
fn divided<'c>(digits: Bits<'c>, divisor: u128) -> (Bits<'c>, Bits<'c>) {
    let circuit = digits.circuit();
    let width = u128::BITS - divisor.leading_zeros();
    let mut rest = circuit.constant(0, width);
    let mut quotient = vec![];
    for place in (0..digits.width()).rev() {
        let next = concat(&[rest, digits.bit(place)]);
        let constant = circuit.constant(divisor, width + 1);
        let fits = !next.less_than(constant);
        rest = fits.select(next.sub(constant), next).low(width).named(format!("rest_at_{place}"));
        quotient.push(fits);
    }
    (concat(&quotient).named("quotient"), rest)
}

fn field<'c>(float: &Float, code: &Code<'c>) -> Bits<'c> {
    let high = float.trailing_bits + float.exponent_bits - 1;
    code.bits.slice(high, float.trailing_bits).named(format!("{}_field", code.name))
}

/// The largest of several unsigned numbers, compared in pairs.
fn largest<'c>(fields: &[Bits<'c>]) -> Bits<'c> {
    match fields {
        [field] => *field,
        _ => {
            let (low, high) = fields.split_at(fields.len().div_ceil(2));
            let (x, y) = (largest(low), largest(high));
            x.less_than(y).select(y, x).called("larger_field")
        }
    }
}

/// The exponent of the leading one of all trailing significands; `least` if all are 0.
fn of_subnormals<'c>(float: &Float, codes: &[&Code<'c>], least: i64) -> Int<'c> {
    let trailing = codes.iter().map(|code| code.bits.low(float.trailing_bits));
    let together = trailing.reduce(|all, trailing| all | trailing).expect("a block has codes").named("any_trailing");
    let circuit = together.circuit();
    let first = Int::constant(circuit, -i64::from(float.bias));
    let exponent = first.sub(Int::unsigned(together.leading_zeros("subnormal")));
    Int::select(together.none(), Int::constant(circuit, least), exponent)
}
