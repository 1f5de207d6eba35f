//! Results in fixed-point formats: rounded to the ulp that all codes share, and saturated.
//!
//! A sum comes in two's complement, so only the bits below the ulp are rounded:
//!
//! ```text
//!   | sign | beyond the code | code      | below the ulp |
//! ```
//!
//! A number with an exponent comes as a magnitude, which is shifted right to its place. It is rounded before it is negated, and one
//! increment does both: with `u` for rounding up, `-(m + u) = ~m + (1 - u)`.

use super::{
    assemble::Origin,
    class::Class,
    coded::Coded,
    exact::{ExactResult, Magnitude},
    round::decide::{Tail, banner, below_code_bits, mode, rounds_up},
    target::FixedTarget,
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{Fixed, Rounding, Sign};

/// A rounded number, before the check of its range.
struct Rounded<'c> {
    /// The code, modulo `2^bits`.
    code: Bits<'c>,
    /// Whether the number is below zero, even by less than an ulp.
    negative: Bits<'c>,
    /// Whether the number is beyond the range, on the side of `negative`.
    beyond: Bits<'c>,
    is_inexact: Bits<'c>,
}

/// Rounds a sum in two's complement, in units of `2^lowest`; `class` says whether it is a number.
pub fn of_sum<'c>(
    target: &FixedTarget,
    sum: Bits<'c>,
    lowest: i64,
    class: &Class<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let Fixed { bits, sign, .. } = target.format;
    let circuit = sum.circuit();
    circuit.section(banner(target.rounding));
    let dropped = target.format.min_exponent() - lowest;
    let Kept { integer, is_inexact } = rounded_integer(target, sum, dropped, random);
    let negative = integer.msb();
    // A sign, and at least one bit beyond the code.
    let integer = integer.sext(integer.width().max(target.format.magnitude_bits() + 2));
    let above = integer.slice(integer.width() - 2, target.format.magnitude_bits());
    let beyond = match sign {
        Sign::Signed => negative.select(!above.all(), above.any()),
        Sign::Unsigned => negative | above.any(),
    };
    let beyond = beyond.named("is_beyond");
    let code = integer.low(bits);
    assemble(target, &Rounded { code, negative: negative.named("is_negative"), beyond, is_inexact }, class)
}

/// An integer, and whether anything was below it.
struct Kept<'c> {
    /// In two's complement.
    integer: Bits<'c>,
    is_inexact: Bits<'c>,
}

/// A sum in two's complement, rounded to the bits above its `dropped` lowest bits.
fn rounded_integer<'c>(target: &FixedTarget, sum: Bits<'c>, dropped: i64, random: Option<Bits<'c>>) -> Kept<'c> {
    let circuit = sum.circuit();
    if dropped <= 0 {
        return Kept { integer: sum.zeros_below(dropped.unsigned_abs() as u32), is_inexact: circuit.zero() };
    }
    let dropped = dropped as u32;
    let sum = sum.sext(sum.width().max(dropped + 1));
    let kept = sum.high(sum.width() - dropped).named("kept");
    let looked_at = below_code_bits(target.rounding);
    let below = sum.low(dropped).zeros_below(looked_at.saturating_sub(dropped));
    let tail = Tail::new_or_exact(below, looked_at);
    let up = goes_up(target.rounding, kept, &tail, random).named("round_up");
    let integer = kept.sext(kept.width() + 1).add(up.zext(kept.width() + 1)).named("rounded");
    Kept { integer, is_inexact: (tail.bits.any() | tail.sticky).named("is_between") }
}

/// Whether a number in two's complement becomes the next integer above. For either sign, the bits below the integer are a fraction of
/// the step up.
fn goes_up<'c>(rounding: Rounding, kept: Bits<'c>, tail: &Tail<'c>, random: Option<Bits<'c>>) -> Bits<'c> {
    let (sign, odd, sticky) = (kept.msb(), kept.bit(0), tail.sticky.named("sticky"));
    let inexact = |guard: Bits<'c>| guard | sticky;
    match rounding {
        Rounding::Rne => tail.bits & (sticky | odd),
        Rounding::Rna | Rounding::Rnu => tail.bits & (sticky | !sign),
        Rounding::Rtz => inexact(tail.bits) & sign,
        Rounding::Rup => inexact(tail.bits),
        Rounding::Rdn => sign.circuit().zero(),
        Rounding::Rto => inexact(tail.bits) & !odd,
        Rounding::Any => {
            // The step up goes away from zero for a positive number, and toward zero for a negative one.
            let mode = mode(random, sign);
            let rounds_up = sign.select(!mode.is_outward, mode.is_outward);
            let to_nearest = tail.bits & (sticky | mode.ties_away.select(!sign, odd));
            mode.is_nearest.select(to_nearest, inexact(tail.bits) & rounds_up)
        }
        Rounding::Sr(bits) => {
            // The number moves away from zero if its distance from the neighbour nearer to zero plus the random number carries. For a
            // negative number, this distance is the rest of the step up, so it goes up if there is no carry.
            let random = random.expect("stochastic rounding has random bits");
            let part = tail.bits.zext(bits + 1);
            let up = part.add(random.zext(bits + 1)).msb();
            let above = part.add(sticky.zext(bits + 1)).named("part_above");
            let stays_short = random.zext(bits + 1).less_than(above);
            sign.select(stays_short, up)
        }
        Rounding::Srb(_) | Rounding::Src(_) | Rounding::Mptorch => unreachable!("{rounding} is for floats"),
    }
}

/// Rounds an exact result with an exponent, from a float or a posit. It need not be normalized. A converted zero has a significand of 0.
pub fn of_number<'c>(
    target: &FixedTarget,
    kind: Origin,
    exact: &ExactResult<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let Fixed { bits, sign: own_sign, .. } = target.format;
    let (class, sign) = (&exact.class, exact.class.sign);
    let circuit = sign.circuit();
    circuit.section("Shift the magnitude to the place of the ulp");
    let looked_at = below_code_bits(target.rounding);
    let significand = match kind {
        Origin::Conversion => exact.magnitude.significand,
        Origin::Sum | Origin::Arithmetic => (!class.is_zero).gate(exact.magnitude.significand),
    };
    let magnitude = Magnitude { significand, ..exact.magnitude };
    let (placed, too_large) = placed(target, magnitude, bits + looked_at);
    let (magnitude, tail) = (placed.high(bits).named("kept"), placed.low(placed.width() - bits));
    let tail = Tail::new(tail, looked_at);

    circuit.section(banner(target.rounding));
    let up = rounds_up(target.rounding, sign, magnitude.bit(0), &tail, random).named("round_up");
    let increment = (up ^ sign).named("increment");
    let signed = (magnitude ^ sign.repeat(bits)).named("kept_or_complement");
    let code = signed.add(increment.zext(bits)).named("rounded");
    let top = magnitude.msb();
    let beyond = match own_sign {
        // A magnitude with the top bit has a code only if it is the lowest value. A magnitude without it may carry into it.
        Sign::Signed => {
            let differs = code.msb() ^ sign;
            sign.select(top & differs, top | differs)
        }
        Sign::Unsigned => sign.select(magnitude.any() | up, top & !code.msb()),
    };
    let rounded = Rounded {
        code,
        negative: sign,
        beyond: (beyond | too_large).named("is_beyond"),
        is_inexact: tail.bits.any() | tail.sticky,
    };
    assemble(target, &rounded, class)
}

/// The magnitude in `width` bits followed by a sticky bit, and whether it is too large. The top bit is just above all codes of its sign.
fn placed<'c>(target: &FixedTarget, magnitude: Magnitude<'c>, width: u32) -> (Bits<'c>, Bits<'c>) {
    let Magnitude { exponent, significand } = magnitude;
    let most = target.format.max_exponent();
    // The leading one of subnormals is further down: the window begins no lower than their exponent.
    let top = most.max(exponent.min());
    let above = (top - most) as u32;
    let width = width + above;
    let too_large = (exponent.at_least(top + 1) & significand.any()).named("is_too_large");
    let distance = Int::constant(significand.circuit(), top).sub(exponent);
    let distance = distance.within(0, distance.max()).to_unsigned().named("distance");
    let below = significand.width().saturating_sub(width);
    let digits = significand.zeros_below(width.saturating_sub(significand.width()));
    let (rest, digits) = match below {
        0 => (digits.circuit().zero(), digits),
        below => (digits.low(below).any().named("below_window"), digits.high(width)),
    };
    let (shifted, lost) = digits.shift_right_sticky(distance, "placed");
    let too_large = match above {
        0 => too_large,
        above => too_large | shifted.high(above).any().named("is_above_window"),
    };
    (concat(&[shifted.low(width - above), lost | rest]), too_large)
}

/// The code: saturated beyond the range.
fn assemble<'c>(target: &FixedTarget, rounded: &Rounded<'c>, class: &Class<'c>) -> Coded<'c> {
    let Rounded { code, beyond, is_inexact, .. } = *rounded;
    let circuit = code.circuit();
    circuit.section("Saturate");
    let outside = (beyond | class.is_infinite).named("is_outside");
    let negative = class.is_infinite.select(class.sign, rounded.negative);
    let limit = match target.format.sign {
        Sign::Signed => concat(&[negative, (!negative).repeat(code.width() - 1)]),
        Sign::Unsigned => (!negative).repeat(code.width()),
    };
    let saturated = outside.select(limit.named("limit"), code).named("saturated");
    let code = match target.nan {
        0 => (!class.is_nan).gate(saturated),
        nan => class.is_nan.select(circuit.constant(nan, code.width()), saturated),
    };
    let flags = target.has_flags.then(|| {
        circuit.section("Exception flags");
        let invalid = (class.is_invalid | class.is_nan | outside).named("invalid");
        let inexact = (is_inexact & !invalid).named("inexact");
        concat(&[invalid, circuit.constant(0, 2), inexact])
    });
    Coded { code, flags }
}
