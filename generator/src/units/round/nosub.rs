//! Formats whose field 0 is an ordinary binade, except for zero ("nosub").

use super::{
    decide::{Tail, below_code_bits},
    flushed,
    located::{Located, split},
};
use binade_circuit::{Bits, Int};
use binade_spec::{Float, Rounding};

/// Nosub: the value after zero is `(1 + 2^-t) * 2^-bias`; half of it is the tie between them.
pub fn locate<'c>(
    rounding: Rounding,
    format: &Float,
    biased: Int<'c>,
    significand: Bits<'c>,
    random: Option<Bits<'c>>,
) -> Located<'c> {
    let below = below_code_bits(rounding);
    let flushed = flushed::locate(format, biased, significand, below);
    let parts = split(format, significand, below);
    let trailing = parts.trailing.expect("nosub formats have trailing bits");
    // Field 0 with trailing 0 would be code 0, but a value there is more than halfway to code 1.
    let at_code_zero = (biased.equals(0) & trailing.none()).named("at_code_zero");
    if biased.min() > 0 {
        return flushed;
    }
    if let Rounding::Sr(_) = rounding {
        let special = (at_code_zero | flushed.too_small).named("below_code_1");
        let up = rises_from_zero(format, biased, significand, random.expect("stochastic rounding has random bits"));
        return Located {
            code: (!special).gate(flushed.code),
            too_small: special.circuit().zero(),
            exception: Some((special, up)),
            ..flushed
        };
    }
    let rest = (parts.tail.bits | parts.tail.sticky).named("below_trailing");
    let below_field_zero = biased.equals(-1).named("below_field_zero");
    let past_half = trailing.greater_than_constant(1) | (trailing.equals_constant(1) & rest);
    let special = (at_code_zero | below_field_zero).called("is_below_code_1");
    let guard = (at_code_zero | trailing.any().called("has_trailing")).called("is_above_half_of_code_1");
    // No value between zero and code 1 is exact.
    let sticky = (at_code_zero | past_half | !guard).called("sticky_below_code_1");
    Located {
        code: (!special).gate(flushed.code),
        tail: Tail {
            bits: special.select(guard, flushed.tail.bits),
            sticky: special.select(sticky, flushed.tail.sticky),
        },
        too_small: biased.less_than(-1).named("too_small"),
        ..flushed
    }
}

/// Stochastic rounding of a value `x` between zero and code 1, which is `v = 2^t + 1` units: away from zero if
/// `x/v + R/2^k` is 1 or more, so if `x * 2^k + R * v` is at least `v * 2^k`.
fn rises_from_zero<'c>(format: &Float, biased: Int<'c>, significand: Bits<'c>, random: Bits<'c>) -> Bits<'c> {
    let circuit = random.circuit();
    let (t, bits) = (format.trailing_bits, random.width());
    // x in units of 2^-k: its integer bit has the place t + k.
    let scaled = significand.high(t + 1 + bits);
    let deficit = Int::constant(circuit, 0).sub(biased);
    let deficit = deficit.within(0, deficit.max()).to_unsigned().named("below_field_zero_by");
    let (scaled, _) = scaled.shift_right_sticky(deficit, "scaled");
    let width = t + bits + 2;
    let random_steps = random.zeros_below(t).zext(width).add(random.zext(width)).named("random_steps");
    let sum = scaled.zext(width).add(random_steps).named("scaled_plus_random");
    let first_value = ((1_u128 << t) + 1) << bits;
    sum.greater_than_constant(first_value - 1)
}
