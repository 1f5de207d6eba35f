//! Rounding: locates a magnitude among the codes of the result's format, and decides which of its two neighbours it
//! becomes.
//!
//! Magnitude codes ascend with their values, so an increment of the code is the step to the next value, even across
//! binades, from subnormals to normals, and to infinity.

//!
//! | file | decision |
//! |---|---|
//! | `gradual.rs`, `flushed.rs`, `nosub.rs`, `supernormal.rs` | the position of a magnitude, by the kind of values near zero |
//! | `decide.rs` | whether it becomes the next code |

pub mod decide;
mod flushed;
mod gradual;
mod located;
mod nosub;
mod supernormal;

use crate::units::{exact::Magnitude, target::FloatTarget};
use binade_circuit::Bits;
use binade_spec::{FieldZero, Float, Format, Infinity, Rounding, Underflow};
use decide::{Tail, banner, below_code_bits, looks_at_guard, rounds_up};
use located::Located;

/// A magnitude between two codes, and the one that it becomes.
#[derive(Clone, Copy)]
pub struct Rounded<'c> {
    /// Code of the lower neighbour; meaningless if the magnitude is too large or vanishes.
    pub code: Bits<'c>,
    /// A 1 that must still be added to the field of `code`.
    pub integer: Bits<'c>,
    /// Whether the result is the code after that.
    pub round_up: Bits<'c>,
    /// Beyond the largest finite value before rounding.
    pub too_large: Bits<'c>,
    /// Whether `code` is that of the largest finite value.
    pub at_largest: Bits<'c>,
    /// Whether it becomes zero although `code` and `round_up` do not give zero.
    pub vanishes: Bits<'c>,
    /// Whether any bit below `code` is 1.
    pub has_tail: Bits<'c>,
    /// Whether it is below the smallest value after rounding and is flushed.
    pub flushed: Bits<'c>,
}

impl<'c> Rounded<'c> {
    /// Beyond the largest finite value after rounding.
    pub fn overflows(&self) -> Bits<'c> {
        (self.too_large | (self.at_largest & self.round_up)) & !self.vanishes & !self.flushed
    }

    /// Whether the result is not the exact value.
    pub fn is_inexact(&self) -> Bits<'c> {
        self.has_tail | self.overflows() | self.vanishes | self.flushed
    }
}

/// Rounds a magnitude of the given sign. Stochastic rounding uses `random`.
pub fn round<'c>(
    target: &FloatTarget,
    sign: Bits<'c>,
    magnitude: Magnitude<'c>,
    random: Option<Bits<'c>>,
) -> Rounded<'c> {
    let (format, rounding) = (&target.format, target.rounding);
    let circuit = magnitude.significand.circuit();
    let max_exponent = magnitude.exponent.max();
    let located = locate(rounding, format, magnitude, random);

    circuit.section(banner(rounding));
    let located = if looks_at_guard(rounding) { located } else { with_tiny_above_zero(format, located) };
    let odd = located.code.bit(0);
    let up = match rounding {
        Rounding::Mptorch => rounds_up_in_mptorch(format, &located),
        rounding => rounds_up(rounding, sign, odd, &located.tail, random),
    };
    let up = located.exception.map_or(up, |(here, decided)| here.select(decided, up));
    let round_up = (up & !located.too_small).named("round_up");
    let code = located.code.low(format.magnitude_bits()).called("magnitude_code");
    let largest = format.max_code();
    // If infinity begins a binade, the exponent alone decides whether a magnitude is too large.
    let reaches_limit = max_exponent >= format.max_exponent() && format.infinity != Infinity::TopField;
    let beyond = if reaches_limit { code.greater_than_constant(largest) } else { circuit.zero() };
    let too_large = (located.too_large | beyond).explained("too_large", "at least a step above the largest number");
    let flushed = match format.underflow {
        Underflow::Nearest => circuit.zero(),
        Underflow::ToZero => below_smallest(format, code, round_up) & !too_large,
    };
    let at_largest = match located.integer.known() {
        Some(_) => code.equals_constant(largest).called("at_largest"),
        None => located.integer & code.equals_constant(largest - (1 << format.trailing_bits)),
    };
    // There are codes below the smallest one only in formats whose subnormal codes read as zero.
    let vanishes = if format.min_code() > 1 { located.too_small | flushed } else { located.too_small };
    Rounded {
        code,
        integer: located.integer,
        round_up,
        too_large,
        at_largest,
        vanishes: vanishes.named("vanishes"),
        has_tail: located.tail.bits.any() | located.tail.sticky,
        flushed,
    }
}

/// Whether a code is below the smallest one, a power of two, even if it is rounded up.
fn below_smallest<'c>(format: &Float, code: Bits<'c>, round_up: Bits<'c>) -> Bits<'c> {
    let smallest = format.min_code();
    if smallest == 0 {
        return code.circuit().zero();
    }
    let below = smallest.ilog2();
    let reaches = if below > 0 { code.low(below).all() & round_up } else { round_up };
    code.high(code.width() - below).none() & !reaches
}

/// Whether the MPTorch software rounds up: magnitudes above the largest value become infinity, and those below the
/// smallest become zero.
fn rounds_up_in_mptorch<'c>(format: &Float, located: &Located<'c>) -> Bits<'c> {
    let (guard, sticky) = (located.tail.bits.named("guard"), located.tail.sticky.named("sticky"));
    let is_largest = located.code.equals_constant(format.max_code()).named("is_largest");
    let ordinary = guard & (sticky | located.code.bit(0));
    located.is_log.select(guard, ordinary) | (is_largest & (guard | sticky))
}

/// For roundings that go away from zero from anywhere: a magnitude far below the smallest value is just above code 0, unless
/// the format flushes it.
fn with_tiny_above_zero<'c>(format: &Float, located: Located<'c>) -> Located<'c> {
    match format.underflow {
        Underflow::ToZero => located,
        Underflow::Nearest => Located {
            code: (!located.too_small).gate(located.code),
            tail: Tail {
                bits: located.tail.bits & !located.too_small,
                sticky: located.tail.sticky | located.too_small,
            },
            too_small: located.too_small.circuit().zero(),
            ..located
        },
    }
}

fn locate<'c>(rounding: Rounding, format: &Float, magnitude: Magnitude<'c>, random: Option<Bits<'c>>) -> Located<'c> {
    let circuit = magnitude.significand.circuit();
    circuit.section(&format!("Locate the magnitude among the codes of {}", Format::from(*format)));
    let biased = magnitude.exponent.plus(format.bias.into());
    let below = below_code_bits(rounding);
    // Fraction bits down to the last individual bit for rounding, and at least one for sticky.
    let significand = padded(magnitude.significand, format.precision() + below + 1);
    if format.binades_below > 0 {
        return supernormal::locate(rounding, format, biased, significand);
    }
    match (format.field_zero, format.underflow) {
        (FieldZero::Subnormal, _) => gradual::locate(rounding, format, biased, significand, below),
        (FieldZero::Zero, _) | (FieldZero::Binade, Underflow::ToZero) => {
            flushed::locate(format, biased, significand, below)
        }
        (FieldZero::Binade, Underflow::Nearest) => nosub::locate(rounding, format, biased, significand, random),
        (FieldZero::NoZero, _) => flushed::locate_without_zero(format, biased, significand, below),
    }
}

/// Zeros below, up to `width` bits.
pub fn padded(bits: Bits, width: u32) -> Bits {
    bits.zeros_below(width.saturating_sub(bits.width()))
}
