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
    round::decide::below_code_bits,
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
    circuit.section_with("Divide the significands, a digit in each row", &[ROWS]);
    let width = x.significand.width().max(y.significand.width());
    let significands = [x, y].map(|operand| {
        let significand = operand.significand_of_nonzero();
        significand.zeros_below(width - significand.width())
    });
    let digits = quotient(significands[0], significands[1], digits_behind_first(target));

    circuit.section("Normalise: the quotient of two significands is in (1/2, 2)");
    let is_1_or_more = digits.bits.msb().named("quotient_is_1_or_more");
    let (upper, lower) = (digits.bits.high(digits.bits.width() - 1), digits.bits.low(digits.bits.width() - 1));
    let significand = is_1_or_more.select(upper, lower).named("significand");
    let sticky = digits.sticky | (is_1_or_more & digits.bits.bit(0));
    let exponent = x.exponent.sub(y.exponent).named("exponent_difference").plus(-1);
    let magnitude = Magnitude {
        exponent: exponent.add(Int::unsigned(is_1_or_more)).named("exponent"),
        significand: concat(&[with_leading_one(significand), sticky]),
    };
    let exact = ExactResult { class, magnitude, payload: None };
    let coded = encode(target, Kind::Arithmetic, &exact, random);
    with_division_by_zero(coded, is_by_zero)
}

/// What is below the title of the section that divides.
const ROWS: &str = "A row doubles the remainder and subtracts the divisor: the digit is 1 if the difference is not negative, which then is \
                    the remainder.";

/// What is below the title of the section that extracts a root.
const ROOT_ROWS: &str = "A row appends two digits of the radicand to the remainder r and subtracts 4q + 1, where q are the digits of the \
                         root so far: the digit is 1 if the difference is not negative, which then is the remainder.";

/// What is below the title of the section for the reciprocal of a root.
const RECIPROCAL_ROWS: &str = "With the digits q so far and the radicand m, the remainder r is 1 - q^2 m, and p is q m: a row subtracts \
                               4p + m from 4r. The digit is 1 if the difference is not negative, which then is the remainder.";

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
    let is_odd = is_odd.named("exponent_is_odd");
    let radicand = is_odd.select(concat(&[significand, zero]), concat(&[zero, significand])).named("radicand");
    let places = digits_behind_first(target);
    let magnitude = match is_reciprocal {
        false => {
            circuit.section_with("Root, a digit in each row", &[ROOT_ROWS]);
            let Digits { bits, sticky } = root(radicand, places);
            Magnitude { exponent: half, significand: concat(&[with_leading_one(bits), sticky]) }
        }
        true => {
            circuit.section_with("Reciprocal of the root, a digit in each row", &[RECIPROCAL_ROWS]);
            let Digits { bits, sticky } = reciprocal_root(radicand, places);
            let is_one = (!is_odd & significand.low(significand.width() - 1).none()).named("radicand_is_1");
            let below = concat(&[bits.low(bits.width() - 1), sticky]);
            let exponent = Int::constant(circuit, -1).sub(half).add(Int::unsigned(is_one));
            Magnitude {
                exponent: exponent.named("exponent"),
                significand: concat(&[circuit.constant(1, 1), (!is_one).gate(below)]).named("significand"),
            }
        }
    };
    let exact = ExactResult { class, magnitude, payload: None };
    let coded = encode(target, Kind::Arithmetic, &exact, random);
    if is_reciprocal { with_division_by_zero(coded, is_by_zero) } else { coded }
}

fn unpacked<'c>(code: &Code<'c>) -> Unpacked<'c> {
    unpack(code.format, code.bits, &code.name).normalised(&code.name)
}

/// Digits behind the first one that a rounding looks at: those of the code and those below it, and one more, as the first may be 0.
fn digits_behind_first(target: &Target) -> u32 {
    let below = bits_to_look_at(target, i64::MIN).max(below_code_bits(target.rounding));
    target.format.precision() + below
}

/// The bits with a constant 1 on top, where zero does not matter.
fn with_leading_one(bits: Bits) -> Bits {
    let one = bits.circuit().constant(1, 1);
    concat(&[one, bits.low(bits.width() - 1)])
}

/// The flag for a division by zero among the others, below invalid.
fn with_division_by_zero<'c>(coded: Coded<'c>, is_by_zero: Bits<'c>) -> Coded<'c> {
    let flags =
        coded.flags.map(|flags| concat(&[flags.msb(), is_by_zero.named("division_by_zero"), flags.low(FLAG_BITS - 1)]));
    Coded { flags, ..coded }
}
