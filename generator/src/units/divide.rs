//! Division, roots and their reciprocals.
//!
//! ```text
//!   a, b  -> unpack -> normalise --+--> significands -> digits, a row each -> normalise -+
//!                                  +--> exponents ---> subtract ------------------------+-> encode
//!
//!   x     -> unpack -> normalise --+--> significand, times 2 if the exponent is odd -> digits, a row each -+
//!                                  +--> exponent ----> half ----------------------------------------------+-> encode
//! ```

use super::{
    assemble::Kind,
    class::Class,
    coded::Coded,
    digits::{Digits, quotient, reciprocal_root, root},
    exact::{ExactResult, Magnitude},
    flags::bits_to_look_at,
    result::encode,
    sums::Code,
    target::Target,
    unpack::{Unpacked, unpack},
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::FLAG_BITS;

/// The quotient of two codes, rounded.
pub fn divide<'c>(target: &Target, [a, b]: [&Code<'c>; 2], random: Option<Bits<'c>>) -> Coded<'c> {
    let circuit = b.bits.circuit();
    let operands = [a, b].map(unpacked);
    let [x, y] = &operands;
    circuit.section("Sign and class of the quotient");
    let (class, is_by_zero) = Class::of_quotient(&x.class, &y.class, b.format.has_minus_zero());
    let width = x.significand.width().max(y.significand.width());
    let significands = [x, y].map(|operand| {
        let significand = operand.significand_of_nonzero();
        significand.zeros_below(width - significand.width())
    });
    let digits = quotient(significands[0], significands[1], digits_below_leading(target));
    let exponent = x.exponent.sub(y.exponent).named("exponent_difference").plus(-1);
    let magnitude = magnitude(exponent, &digits);
    let exact = ExactResult { class, magnitude, payload: None };
    let coded = encode(target, Kind::Arithmetic, &exact, random);
    with_division_by_zero(coded, is_by_zero)
}

/// The square root of a code, or its reciprocal, rounded.
pub fn square_root<'c>(target: &Target, x: &Code<'c>, is_reciprocal: bool, random: Option<Bits<'c>>) -> Coded<'c> {
    let circuit = x.bits.circuit();
    let zero_has_sign = x.format.has_minus_zero();
    let x = unpacked(x);
    circuit.section("Sign and class of the root");
    let (class, is_by_zero) = Class::of_root(&x.class, is_reciprocal, zero_has_sign);
    circuit.section("Radicand: in [1, 4), with an even exponent");
    let (half, is_odd) = x.exponent.half();
    let half = half.named("half_exponent");
    let significand = x.significand_of_nonzero();
    let zero = circuit.zero();
    let is_odd = is_odd.called("exponent_is_odd");
    let radicand = is_odd
        .select(
            concat(&[significand, zero]).called("doubled_significand"),
            concat(&[zero, significand]).called("significand"),
        )
        .named("radicand");
    let count = digits_below_leading(target);
    let magnitude = match is_reciprocal {
        false => magnitude(half.plus(-1), &root(radicand, count)),
        true => magnitude(Int::constant(circuit, -1).sub(half), &reciprocal_root(radicand, count)),
    };
    let exact = ExactResult { class, magnitude, payload: None };
    let coded = encode(target, Kind::Arithmetic, &exact, random);
    if is_reciprocal { with_division_by_zero(coded, is_by_zero) } else { coded }
}

fn unpacked<'c>(code: &Code<'c>) -> Unpacked<'c> {
    unpack(code.format, code.bits, &code.name).normalised(&code.name)
}

/// Digits below the leading one that a rounding looks at: those of the code and those below it.
pub fn digits_below_leading(target: &Target) -> u32 {
    target.format.precision() - 1 + bits_to_look_at(target, i64::MIN)
}

/// The magnitude with these digits; `lower` is the exponent of the lower place of the leading one.
fn magnitude<'c>(lower: Int<'c>, digits: &Digits<'c>) -> Magnitude<'c> {
    let Digits { fraction, sticky, is_upper } = *digits;
    let one = fraction.circuit().constant(1, 1);
    let exponent = match is_upper.known() {
        Some(upper) => lower.plus(upper as i64),
        None => lower.add(Int::unsigned(is_upper)),
    };
    Magnitude { exponent: exponent.named("exponent"), significand: concat(&[one, fraction, sticky]) }
}

/// The flag for a division by zero among the others, below invalid.
pub fn with_division_by_zero<'c>(coded: Coded<'c>, is_by_zero: Bits<'c>) -> Coded<'c> {
    let flags =
        coded.flags.map(|flags| concat(&[flags.msb(), is_by_zero.named("division_by_zero"), flags.low(FLAG_BITS - 1)]));
    Coded { flags, ..coded }
}
