//! Results in tapered formats: numbers whose codes are truncated bit strings in two's complement.
//!
//! Codes ascend with their values, from the negative to the positive ones; the sign bit alone is NaR. No number is
//! rounded to zero or NaR. So rounding is one increment of a code, and its sign depends only on the operand's sign,
//! zero and NaR.
//!
//! A number comes as sign and magnitude, or in two's complement. The code of a magnitude is rounded before it is negated,
//! and one increment does both: with `u` for rounding up, `-(code + u) = ~code + (1 - u)`.

use crate::units::{class::Class, exact::ExactResult, round::decide::Tail};
use binade_circuit::{Bits, Int, Optimize, concat};
use binade_spec::Rounding;

/// `(1 + fraction) * 2^exponent` with a separate sign, or in two's complement `(-2 + fraction) * 2^exponent` if it is
/// negative. `is_nar` overrides `is_zero`, which overrides the number.
pub struct TaperedNumber<'c> {
    pub sign: Bits<'c>,
    pub is_zero: Bits<'c>,
    pub is_nar: Bits<'c>,
    pub exponent: Int<'c>,
    pub fraction: Bits<'c>,
    /// Whether the exact number or magnitude is larger, by less than one last place.
    pub sticky: Bits<'c>,
    pub form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    SignAndMagnitude,
    TwosComplement,
}

impl<'c> TaperedNumber<'c> {
    /// The sign of the number that exponent and fraction represent.
    pub fn sign_of_digits(&self) -> Bits<'c> {
        match self.form {
            Form::SignAndMagnitude => self.sign.circuit().zero(),
            Form::TwosComplement => self.sign,
        }
    }
}

/// Infinities become NaR.
impl<'c> From<&ExactResult<'c>> for TaperedNumber<'c> {
    fn from(exact: &ExactResult<'c>) -> TaperedNumber<'c> {
        let Class { sign, is_zero, is_infinite, is_nan, .. } = exact.class;
        let (significand, never) = (exact.magnitude.significand, sign.circuit().zero());
        TaperedNumber {
            sign,
            is_zero,
            is_nar: is_nan | is_infinite,
            exponent: exact.magnitude.exponent,
            fraction: match significand.width() {
                1 => never,
                width => significand.low(width - 1),
            },
            sticky: never,
            form: Form::SignAndMagnitude,
        }
    }
}

/// The digits of a number between two codes without their sign bits.
pub struct LocatedBody<'c> {
    pub code: Bits<'c>,
    pub tail: Tail<'c>,
    /// Whether it is beyond the largest or below the smallest magnitude, where the tail does not decide.
    pub at_end: Bits<'c>,
    /// Whether the result is the code after that.
    pub end_goes_up: Bits<'c>,
}

/// The code of a number. For zero and NaR, the digits must be zeros that are not rounded up, and for a magnitude
/// `is_negative` must be 0.
pub fn round<'c>(
    rounding: Rounding,
    number: &TaperedNumber<'c>,
    is_nar: Bits<'c>,
    is_negative: Bits<'c>,
    located: &LocatedBody<'c>,
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    let circuit = is_nar.circuit();
    circuit.section("Round, but never to zero or NaR");
    let up = rounds_up(rounding, number, located, random);
    let round_up = located.at_end.select(located.end_goes_up, up).named("round_up");
    let code = located.code;
    let body = match number.form {
        Form::SignAndMagnitude => {
            let negated = (code ^ is_negative.repeat(code.width())).named("signed_code");
            let increment = (is_negative ^ round_up).named("increment");
            match circuit.optimize() {
                Optimize::Area => negated.add(increment.zext(code.width())),
                Optimize::Depth => {
                    increment.select(negated.add(circuit.constant(1, negated.width())).named("one_more"), negated)
                }
            }
        }
        Form::TwosComplement => incremented(code, round_up),
    };
    concat(&[(is_nar | is_negative).named("sign"), body.named("rounded")])
}

/// Whether the digits of a number become the next code.
fn rounds_up<'c>(
    rounding: Rounding,
    number: &TaperedNumber<'c>,
    located: &LocatedBody<'c>,
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    let LocatedBody { code, tail, .. } = located;
    let (guard, sticky, odd) = (tail.bits, tail.sticky, code.bit(0));
    let (sign, digits_sign) = (number.sign, number.sign_of_digits());
    let goes_down = sign ^ digits_sign;
    match rounding {
        Rounding::Rne => guard & (sticky | odd),
        Rounding::Rna | Rounding::Rnu => guard & (sticky | !digits_sign),
        Rounding::Rtz => (guard | sticky) & digits_sign,
        Rounding::Rup => (guard | sticky) & !goes_down,
        Rounding::Rdn => (guard | sticky) & goes_down,
        Rounding::Rto => (guard | sticky) & !odd,
        Rounding::Sr(bits) => {
            // A magnitude with the tail m is rounded up if m + random carries. For a negative number in two's complement, m
            // is ~tail if any bit below the tail is 1, else -tail. The code goes up, and the magnitude does not, if tail +
            // ~random (+ 1) carries.
            let random = random.expect("stochastic rounding has random bits");
            let random = (random ^ digits_sign.repeat(bits)).named("signed_random");
            let carry_in =
                concat(&[tail.bits, digits_sign]).zext(bits + 2).add(concat(&[random, sticky]).zext(bits + 2));
            carry_in.named("below_code_plus_random").msb()
        }
        Rounding::Srb(_) | Rounding::Src(_) | Rounding::Mptorch | Rounding::Any => {
            unreachable!("{rounding} is for floats")
        }
    }
}

/// Plus a bit that arrives late.
fn incremented<'c>(code: Bits<'c>, increment: Bits<'c>) -> Bits<'c> {
    match code.circuit().optimize() {
        Optimize::Area => code.add(increment.zext(code.width())),
        Optimize::Depth => code ^ increment.gate(ones_below(code)),
    }
}

/// For each place, whether all places below it are 1, so that an increment reaches it. Blocks are joined and double in
/// length at each level.
fn ones_below(word: Bits) -> Bits {
    let (circuit, width) = (word.circuit(), word.width());
    let mut ones = concat(&[word.low(width - 1), circuit.constant(1, 1)]);
    let mut block = 1;
    while block < width {
        let blocks = (0..width).step_by(block as usize).rev();
        let below = blocks.map(|low| {
            let size = block.min(width - low);
            let is_upper = low / block % 2 == 1;
            if is_upper { ones.bit(low - 1).repeat(size) } else { circuit.ones(size) }
        });
        ones = (ones & concat(&below.collect::<Vec<_>>())).named(format!("ones_below_{}", 2 * block));
        block *= 2;
    }
    ones
}
