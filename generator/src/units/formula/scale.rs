//! The scale of a block. A scale with a significand is the largest magnitude divided by the largest element. A power of two is
//! computed from the exponent fields:
//!
//! ```text
//!   fields -> largest field --------------------------+
//!   trailing significands -> or -> leading-zero count +-> exponent - that of the largest element -> clamp -> code
//! ```
//!
//! If all fields are 0, the leading one of the OR of all trailing significands is that of the largest magnitude.
//!
//! The other rules add 1 to the exponent if the largest significand is beyond a bound. Each operand is compared with it, and the largest
//! field with this bit below it is that of the largest magnitude; where subnormals matter, whole magnitudes are compared instead.

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
use binade_spec::{Float, Format, Overflow, PositRange, Rounding, ScaleRule};

/// The code of the scale that maps the largest magnitude approximately to the largest element.
pub fn of_block<'c>(codes: &[&Code<'c>], element: &Format, format: Format, rule: ScaleRule) -> Bits<'c> {
    match format.has_only_powers_of_two() {
        true => power_of_two(codes, element, format, rule),
        false => nearest(codes, element, format),
    }
}

/// The code of the power of two that the rule chooses, clamped to the range; the smallest scale if all are zeros, NaN if there is
/// an infinity or a NaN.
fn power_of_two<'c>(codes: &[&Code<'c>], element: &Format, format: Format, rule: ScaleRule) -> Bits<'c> {
    let circuit = codes[0].bits.circuit();
    let float = *codes[0].format.float().expect("blocks are made of floats");
    let largest_exponent = element.largest_exponent();
    // Whether subnormals and numbers of field 1 give exponents below all scales.
    let least = largest_exponent + format.min_exponent();
    let is_low = 1 - i64::from(float.bias) <= least;
    circuit.section("The largest exponent of the block");
    let (exponent, is_special) = match rule {
        ScaleRule::Floor => {
            let fields: Vec<Bits> = codes.iter().map(|code| field(&float, code)).collect();
            let largest = largest(&fields).named("largest_field");
            let exponent = Int::unsigned(largest).plus(-i64::from(float.bias));
            let or_subnormal = || Int::select(largest.none(), of_subnormals(&float, codes, least), exponent);
            (if is_low { exponent } else { or_subnormal() }, largest.all())
        }
        _ if is_low => {
            let key = |code: &&Code<'c>| {
                let is_beyond = is_beyond(code.bits, float.trailing_bits, element, rule);
                concat(&[field(&float, code), is_beyond.named(format!("{}_is_beyond", code.name))])
            };
            let largest = largest(&codes.iter().map(key).collect::<Vec<_>>()).named("largest_field_and_beyond");
            let field = largest.high(float.exponent_bits);
            (Int::unsigned(field).plus(-i64::from(float.bias)).add(Int::unsigned(largest.bit(0))), field.all())
        }
        _ => {
            let magnitudes: Vec<Bits> = codes.iter().map(|code| code.bits.low(float.magnitude_bits())).collect();
            let largest = largest(&magnitudes).named("largest_magnitude");
            let x = unpack(codes[0].format, concat(&[circuit.zero(), largest]), "largest").normalized("largest");
            let is_beyond = is_beyond(x.significand, x.significand.width() - 1, element, rule);
            let exponent = x.exponent.add(Int::unsigned(is_beyond.named("largest_is_beyond")));
            (
                Int::select(x.class.is_zero, Int::constant(circuit, least), exponent),
                x.class.is_nan | x.class.is_infinite,
            )
        }
    };
    circuit.section("The scale: that exponent less the exponent of the largest element");
    let (bias, width) = (format.float().map_or(0, |float| i64::from(float.bias)), format.width());
    let [first, last] = [format.min_exponent(), format.max_exponent()].map(|exponent| exponent + bias);
    let biased = exponent.plus(bias - largest_exponent).no_less_than(first).no_more_than(last);
    let code = biased.to_unsigned().zext(width).named("scale_unless_special");
    (code | is_special.named("any_is_special").repeat(width)).named("scale_of_block")
}

/// Whether the rule takes the next power of two for a number whose lowest `trailing_bits` bits are those below its leading one.
fn is_beyond<'c>(bits: Bits<'c>, trailing_bits: u32, element: &Format, rule: ScaleRule) -> Bits<'c> {
    // Without trailing bits, every number is a power of two, and its own scale.
    if trailing_bits == 0 {
        return bits.circuit().zero();
    }
    let trailing = bits.low(trailing_bits);
    match rule {
        ScaleRule::Floor => trailing.circuit().zero(),
        ScaleRule::Ceil => trailing.any(),
        // Rounding to the elements' precision carries into the next binade.
        ScaleRule::Even if trailing.width() < element.precision() => trailing.circuit().zero(),
        ScaleRule::Even => trailing.high(element.precision()).all(),
        ScaleRule::Rceil => {
            let digits = largest_significand(element);
            let below = digits.ilog2();
            let width = trailing.width().max(below);
            let bound = (digits ^ 1 << below) << (width - below);
            let trailing = trailing.zeros_below(width - trailing.width());
            trailing.circuit().constant(bound, width).less_than(trailing)
        }
    }
}

/// The significand of the largest element, as an integer.
fn largest_significand(element: &Format) -> u128 {
    match element {
        // The largest element is a power of two.
        Format::Float(float) if float.binades_above > 0 => 1,
        Format::Float(float) => {
            let trailing = float.max_code() & ((1 << float.trailing_bits) - 1);
            let is_normal = float.max_code() >> float.trailing_bits > 0;
            trailing | u128::from(is_normal) << float.trailing_bits
        }
        Format::Fixed(fixed) => fixed.max_magnitude(false),
        Format::Posit(_) | Format::Codebook(_) => unreachable!("the rules are for floats and fixed-point numbers"),
    }
}

/// The largest magnitude divided by the largest element, rounded to nearest, but never to zero.
fn nearest<'c>(codes: &[&Code<'c>], element: &Format, format: Format) -> Bits<'c> {
    let circuit = codes[0].bits.circuit();
    let float = *codes[0].format.float().expect("blocks are made of floats");
    circuit.section("The largest magnitude of the block");
    let magnitudes: Vec<Bits> = codes.iter().map(|code| code.bits.low(float.magnitude_bits())).collect();
    let largest = largest(&magnitudes).named("largest_magnitude");
    let x = unpack(codes[0].format, concat(&[circuit.zero(), largest]), "largest").normalized("largest");
    circuit.section("Divide it by the largest element");
    // The largest element is an odd number times a power of two.
    let largest_element = largest_significand(element);
    let zeros = largest_element.trailing_zeros();
    let divisor = largest_element >> zeros;
    let places = element.largest_exponent() - i64::from(divisor.ilog2());
    // More digits than the scale has, followed by a sticky bit; the first ones of a long division are zeros.
    let of_divisor = u128::BITS - divisor.leading_zeros();
    let width = (format.precision() + 2 + of_divisor).max(format.precision().max(x.significand.width()) + 3);
    let digits = x.significand.zeros_below(width - x.significand.width());
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
    scale.none().select(circuit.constant(format.min_code(), format.width()), scale).named("scale_of_block")
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

/// The exponent of the leading one of all trailing significands; `least` if all are 0, or if there are no trailing bits.
fn of_subnormals<'c>(float: &Float, codes: &[&Code<'c>], least: i64) -> Int<'c> {
    if float.trailing_bits == 0 {
        return Int::constant(codes[0].bits.circuit(), least);
    }
    let trailing = codes.iter().map(|code| code.bits.low(float.trailing_bits));
    let together = trailing.reduce(|all, trailing| all | trailing).expect("a block has codes").named("any_trailing");
    let circuit = together.circuit();
    let first = Int::constant(circuit, -i64::from(float.bias));
    let exponent = first.sub(Int::unsigned(together.leading_zeros("subnormal")));
    Int::select(together.none(), Int::constant(circuit, least), exponent)
}
