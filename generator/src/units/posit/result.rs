//! Rounding to a posit in two's complement.
//!
//! Regime, exponent and fraction are a bit string without an end; its first `n - 1` bits are the code below the sign, what
//! comes after decides the rounding. The regime is made by a shifter that fills with the run's bit:
//!
//! ```text
//!   | run bit | its opposite | exponent | fraction .. |   shifted right by the length of the run less 1
//! ```

use super::operand::{largest_exponent, regime_bits};
use crate::units::{round::decide::below_code_bits, target::PositTarget};
use binade_circuit::{Bits, Int, Optimize, concat};
use binade_spec::{Posit, PositRange, Rounding};

/// `(+1 + fraction) * 2^exponent` or, if `sign`, `(-2 + fraction) * 2^exponent`. `is_nar` decides before `is_zero`, that
/// before the number.
pub struct SignedResult<'c> {
    pub sign: Bits<'c>,
    pub is_zero: Bits<'c>,
    pub is_nar: Bits<'c>,
    /// With the scale of the result's format.
    pub exponent: Int<'c>,
    pub fraction: Bits<'c>,
    /// Whether the number is a little more than that.
    pub sticky: Bits<'c>,
}

/// What is below the last bit of a code: a positive fraction of a step.
struct Tail<'c> {
    /// The guard bit; for stochastic rounding as many bits as are random.
    bits: Bits<'c>,
    sticky: Bits<'c>,
}

/// The code of a result.
pub fn encode<'c>(target: &PositTarget, result: &SignedResult<'c>, random: Option<Bits<'c>>) -> Bits<'c> {
    let (posit, circuit) = (&target.format, result.sign.circuit());
    circuit.section("Regime, exponent and fraction as one bit string");
    let sign = result.sign;
    let plain = result.exponent.plus(-i64::from(posit.scale)).to_signed();
    // At least one bit of regime beside its sign.
    let plain = plain.sext(plain.width().max(posit.exponent_bits + 2)).named("plain_exponent");
    let (vanishes, too_large) = beyond(target, result);
    let is_nar = (result.is_nar | (too_large & !result.is_zero)).named("is_nar");
    let is_special = (result.is_zero | is_nar | vanishes).named("is_special");
    let regime = plain.high(plain.width() - posit.exponent_bits);
    let ends_run = (regime.msb() ^ sign).named("ends_run");
    let run = (!ends_run & !is_special).named("run");
    let run_more = run_more(posit, regime, is_special);
    let string = bit_string(posit, result, [run, ends_run], plain);
    let (code, tail) = shifted_string(target, string, run_more, run, result.sticky);

    circuit.section("Round; never to zero, never to NaR");
    // Regimes of no end: those of ones stay, those of zeros go to the first code, a special one stays zeros.
    let is_edge = run_more.at_least_constant(u128::from(posit.bits) - 2).named("is_edge");
    let up = rounds_up(target.rounding, sign, code.bit(0), &tail, random);
    let round_up = is_edge.select(!run & !is_special, up).named("round_up");
    let body = match circuit.optimize() {
        Optimize::Area => code.add(round_up.zext(code.width())),
        Optimize::Depth => code ^ round_up.gate(ones_below(code)),
    };
    let body = body.named("rounded");
    let negative = sign & !(result.is_zero | vanishes);
    concat(&[(is_nar | negative).named("sign"), body])
}

/// At each place, whether all places below it are 1: where an increment arrives. Blocks are joined, twice as long at each
/// level.
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

/// The length of the run less 1, saturated to what the shifter takes; for a special result so long that only the run is
/// seen.
fn run_more<'c>(posit: &Posit, regime: Bits<'c>, is_special: Bits<'c>) -> Bits<'c> {
    let more_bits = regime.width() - 1;
    // A regime of k is a run of k + 1 ones or of -k zeros.
    let more = (regime.low(more_bits) ^ regime.msb().repeat(more_bits)).named("run_more");
    let shift_bits = regime_bits(posit);
    let saturate = match more_bits.checked_sub(shift_bits) {
        None | Some(0) => is_special,
        Some(beyond) => more.high(beyond).any() | is_special,
    };
    let more = more.zext(shift_bits.max(more_bits)).low(shift_bits);
    (more | saturate.repeat(shift_bits)).named("shift")
}

/// Run bit, its opposite, exponent, fraction.
fn bit_string<'c>(
    posit: &Posit,
    result: &SignedResult<'c>,
    [run, ends_run]: [Bits<'c>; 2],
    plain: Bits<'c>,
) -> Bits<'c> {
    match posit.exponent_bits {
        0 => concat(&[run, ends_run, result.fraction]),
        bits => concat(&[run, ends_run, plain.low(bits) ^ result.sign.repeat(bits), result.fraction]),
    }
}

/// The first `n - 1` bits of the string shifted right, and what is below.
fn shifted_string<'c>(
    target: &PositTarget,
    string: Bits<'c>,
    shift: Bits<'c>,
    fill: Bits<'c>,
    sticky: Bits<'c>,
) -> (Bits<'c>, Tail<'c>) {
    let (posit, below) = (&target.format, below_code_bits(target.rounding));
    let kept = posit.bits - 1 + below;
    let string = string.zeros_below((kept + 1).saturating_sub(string.width()));
    let rest = string.low(string.width() - kept).any().named("below_string");
    let (shifted, lost) = string.high(kept).named("bit_string").shift_right_filled(shift, fill, "posit");
    let sticky = (rest | lost | sticky).named("sticky");
    let tail = Tail { bits: shifted.low(below).named("below_code"), sticky };
    (shifted.high(posit.bits - 1).named("code"), tail)
}

/// Whether a code (`odd`: an odd one) with this tail above becomes the next one. Up is toward +infinity.
fn rounds_up<'c>(
    rounding: Rounding,
    sign: Bits<'c>,
    odd: Bits<'c>,
    tail: &Tail<'c>,
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    let (guard, sticky) = (tail.bits, tail.sticky);
    match rounding {
        Rounding::Rne => guard & (sticky | odd),
        Rounding::Rna | Rounding::Rnu => guard & (sticky | !sign),
        Rounding::Rtz => (guard | sticky) & sign,
        Rounding::Rup => guard | sticky,
        Rounding::Rdn => sign.circuit().zero(),
        Rounding::Rto => (guard | sticky) & !odd,
        Rounding::Sr(bits) => {
            // A magnitude's tail m goes up if m + random carries. Of a negative number m is ~tail if anything is below
            // the tail, else -tail: it does not go up, and the code does, if tail + ~random (+ 1) carries.
            let random = random.expect("stochastic rounding has random bits");
            let random = (random ^ sign.repeat(bits)).named("signed_random");
            let carry_in = concat(&[tail.bits, sign]).zext(bits + 2).add(concat(&[random, sticky]).zext(bits + 2));
            carry_in.named("below_code_plus_random").msb()
        }
        Rounding::Mptorch => unreachable!("{rounding} is for floats"),
    }
}

/// Whether a number is below half of minpos and becomes zero, and whether it is above maxpos and becomes NaR.
fn beyond<'c>(target: &PositTarget, result: &SignedResult<'c>) -> (Bits<'c>, Bits<'c>) {
    let (posit, circuit, sign) = (&target.format, result.sign.circuit(), result.sign);
    let largest = largest_exponent(posit);
    let plain = result.exponent.plus(-i64::from(posit.scale));
    match target.range {
        PositRange::Saturate => (circuit.zero(), circuit.zero()),
        PositRange::Float => {
            // A negative number's magnitude is above 2^exponent, up to twice that if there is no fraction.
            let fraction = (result.fraction.any() | result.sticky).named("has_fraction");
            let negative_vanishes = plain.less_than(-largest - 2) | (plain.equals(-largest - 2) & fraction);
            let positive_too_large = plain.at_least(largest + 1) | (plain.equals(largest) & fraction);
            let vanishes = sign.select(negative_vanishes, plain.less_than(-largest - 1));
            let too_large = sign.select(plain.at_least(largest), positive_too_large);
            (vanishes.named("vanishes"), too_large.named("is_above_maxpos"))
        }
    }
}
