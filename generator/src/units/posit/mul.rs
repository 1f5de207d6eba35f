//! Posit multiplier.

use super::{
    encode::encode,
    operand::{PositOperand, fraction_bits},
};
use crate::units::{
    round::decide::below_code_bits,
    tapered::{Form, TaperedNumber},
    target::PositTarget,
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::Posit;

/// The product of two codes of the format `operand`.
pub fn mul<'c>(operand: &Posit, target: &PositTarget, [a, b]: [Bits<'c>; 2], random: Option<Bits<'c>>) -> Bits<'c> {
    let a = PositOperand::new(operand, a, "a");
    let b = PositOperand::new(operand, b, "b");
    let circuit = a.sign.circuit();
    circuit.section_with("Multiply", &MULTIPLICATION);
    let sign = (a.sign ^ b.sign).named("product_sign");
    let product = product(&a, &b);
    let product = product.made_of("product", &product_parts(product.width()));

    circuit.section("Normalize: a positive product is in [1, 4], a negative one in (-4, -1)");
    let width = product.width();
    let is_four = product.msb() & !sign;
    let two = product.bit(width - 2) ^ sign;
    let exponent = a.bounded_exponent(operand).add(b.bounded_exponent(operand)).named("exponents");
    let exponent = exponent.add(Int::unsigned(concat(&[is_four, two]).named("carry")).within(0, 2));
    let kept = fraction_bits(&target.format) + below_code_bits(target.rounding);
    let (fraction, sticky) = normalized_fraction(product, two, kept);
    let result = TaperedNumber {
        form: Form::TwosComplement,
        sign,
        is_zero: (a.is_zero | b.is_zero).named("product_is_zero"),
        is_nar: (a.is_nar | b.is_nar).named("product_is_nar"),
        exponent: exponent.named("product_exponent").plus(2 * i64::from(operand.scale)),
        fraction: fraction.named("product_fraction"),
        sticky: sticky.named("product_sticky"),
    };
    encode(target, &result, random)
}

/// The bits below the product's leading digit, which has the weight 2 if `two`, else 1: the top `kept` bits, and sticky.
fn normalized_fraction<'c>(product: Bits<'c>, two: Bits<'c>, kept: u32) -> (Bits<'c>, Bits<'c>) {
    // From the weight 1 down.
    let bits = product.low(product.width() - 2);
    let bits = bits.zeros_below((kept + 1).saturating_sub(bits.width()));
    let rest = bits.width() - kept;
    let fraction = two.select(bits.high(kept), bits.slice(bits.width() - 2, rest - 1));
    let lowest = two & bits.bit(rest - 1);
    (fraction, if rest > 1 { lowest | bits.low(rest - 1).any() } else { lowest })
}

/// The parts of a product of significands.
pub fn product_parts(width: u32) -> [(u32, &'static str); 2] {
    [(3, "for integers -4 to 4"), (width - 3, "of both fractions")]
}

/// The text below the title of the section that multiplies the significands: a and b have the signs sa, sb and the
/// fractions fa, fb.
pub const MULTIPLICATION: [&str; 5] = [
    "A factor with the fraction f is 1 + f, or f - 2 if it is negative. Each factor adds a row to the product of the fractions: f or \
     -2f = ~2f + 1 of the other factor. The 1 is the carry from a place below.",
    "| 4 | 2 | 1 | fraction bits | fraction bits |",
    "              fa * fb",
    "    +     sa ? ~2fb : fb   + sa",
    "    +     sb ? ~2fa : fa   + sb",
];

/// The product of two nonzero significands, without its sign: the top bits have the weights 4, 2 and 1.
///
/// A factor is `1 - 3s + f`, where `s` is 1 for a negative factor and `f` is its fraction. Each factor adds a row to the
/// product of the fractions, `fb` or `-2fb = ~2fb + 1`. The ones above these rows and the product of the integers add up to
/// 1, -4 or 0 if none, one or both factors are negative:
///
/// ```text
///   | 4 | 2 | 1 | fraction bits | fraction bits |
///                 fa * fb
///       +     sa ? ~2fb : fb   + sa
///       +     sb ? ~2fa : fa   + sb
///   +  ^   0  nor
/// ```
pub fn product<'c>(a: &PositOperand<'c>, b: &PositOperand<'c>) -> Bits<'c> {
    let circuit = a.sign.circuit();
    let differ = a.sign ^ b.sign;
    let are_positive = !(a.sign | b.sign).called("any_is_negative");
    let integers = concat(&[differ, circuit.zero(), are_positive.called("are_both_positive")]);
    let (Some(a_fraction), Some(b_fraction)) = (a.fraction, b.fraction) else {
        // 1, -2 or 4.
        return concat(&[a.sign | b.sign, differ, are_positive]);
    };
    let bits = a_fraction.width();
    let row = |sign: Bits<'c>, fraction: Bits<'c>| {
        let zero = circuit.zero();
        sign.select(concat(&[!fraction, circuit.constant(1, 1)]), concat(&[zero, fraction]))
    };
    let (a_row, b_row) = (row(a.sign, b_fraction).named("a_row"), row(b.sign, a_fraction).named("b_row"));
    let width = bits + 3;
    let add = |x: Bits<'c>, y: Bits<'c>, carry: Bits<'c>, name: &str| {
        let sum = concat(&[x.zext(width), carry]).add(concat(&[y.zext(width), carry]));
        sum.called(format!("{name}_and_carry")).high(width)
    };
    let fractions = if bits > 2 { a_fraction.multiply(b_fraction) } else { a_fraction.mul(b_fraction) };
    let fractions = fractions.named("fractions");
    let upper = concat(&[integers, fractions.high(bits)]);
    let upper = add(upper, a_row, a.sign, "with_a_row").named("with_a_row");
    let upper = add(upper, b_row, b.sign, "with_b_row");
    let upper = upper.made_of("with_b_row", &[(3, "for integers -4 to 4"), (bits, "of the upper fraction")]);
    concat(&[upper, fractions.low(bits)])
}
