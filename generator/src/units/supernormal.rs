//! Results in supernormal formats with equal numbers of binades of powers of two above and below the ordinary ones.
//!
//! ```text
//!       exponent            trailing significand       fraction
//!          |      |                  |                    |
//!          |   ordinary code, rounded in its last bit     |
//!          |                 |                            |
//!     zeros or ones, low bits of the exponent, rounded to a power of two
//!                   |        |
//!                   `- select by the exponent
//!                        |
//!       zeros, overflow, infinities, NaN in their place
//! ```
//!
//! Both codes are rounded before one of them is selected. For powers of two, only the low bits of the code are computed: the
//! bits above are zeros below the ordinary codes, and ones above them.

use super::{
    assemble::{Limits, LowerCode, Origin, sign_of_result},
    exact::{ExactResult, Magnitude},
    round::{
        decide::{Tail, banner, below_code_bits, looks_at_guard, rounds_up},
        padded,
    },
    target::FloatTarget,
    unpack::supernormal::has_equal_ends,
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{Float, Nan, Rounding, Sign};

/// Whether this module computes the result.
pub fn applies(target: &FloatTarget) -> bool {
    let format = &target.format;
    let has_no_special_code = matches!(format.nan, Nan::SignAlone | Nan::None);
    has_equal_ends(format) && has_no_special_code && format.sign == Sign::Signed
}

/// A number between an ordinary code and the next, and between two powers of two.
#[derive(Clone, Copy)]
pub struct Between<'c> {
    /// Biased.
    pub exponent: Int<'c>,
    pub trailing: Option<Bits<'c>>,
    /// Whether the ordinary code is rounded up to the next one.
    pub rounds_up: Bits<'c>,
    /// The bits below the power of two.
    pub tail: Tail<'c>,
}

/// Rounds an exact result into the target's format.
pub fn encode<'c>(target: &FloatTarget, kind: Origin, exact: &ExactResult<'c>, random: Option<Bits<'c>>) -> Bits<'c> {
    let between = between(target, exact.class.sign, exact.magnitude, random);
    encode_between(target, kind, exact, &between, random)
}

/// Locates a magnitude both among the ordinary codes and among the powers of two.
fn between<'c>(
    target: &FloatTarget,
    sign: Bits<'c>,
    magnitude: Magnitude<'c>,
    random: Option<Bits<'c>>,
) -> Between<'c> {
    let (format, rounding) = (&target.format, target.rounding);
    sign.circuit().section("Round as an ordinary number");
    let below = below_code_bits(rounding);
    let exponent = magnitude.exponent.plus(format.bias.into());
    let significand = padded(magnitude.significand, format.precision() + below + 1);
    let t = format.trailing_bits;
    let fraction = significand.low(significand.width() - 1);
    let trailing = (t > 0).then(|| fraction.high(t).named("trailing"));
    let tail = Tail::new(fraction.low(fraction.width() - t), below);
    let odd = trailing.map_or_else(|| exponent.low_bits(1), |trailing| trailing.bit(0));
    Between {
        exponent,
        trailing,
        rounds_up: rounds_up(rounding, sign, odd, &tail, random).named("ordinary_rounds_up"),
        tail: Tail::new(fraction, below),
    }
}

/// The code of a number.
pub fn encode_between<'c>(
    target: &FloatTarget,
    kind: Origin,
    exact: &ExactResult<'c>,
    number: &Between<'c>,
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    let format = &target.format;
    let circuit = exact.class.sign.circuit();
    let ordinary = ordinary_code(format, number);
    let power = power_of_two(target, exact.class.sign, number, random);

    circuit.section("Assemble the code");
    let class = &exact.class;
    let low = power.low.width();
    let Specials { zero, overflow, others } = specials(target, exact, &power);
    let all = [&[zero], &*overflow, &others].concat();
    let is_special = any(&all).named("is_special");
    let is_ordinary = !(power.is_log | is_special).called("is_not_ordinary");
    let is_power = (power.is_log & !is_special).called("is_power");
    let code = (is_ordinary.gate(ordinary.low(low)) | is_power.gate(power.low)).called("low_code");
    let mut magnitude = (code | constant_of(&all, low - 1, 0)).named("low_magnitude");
    if format.magnitude_bits() > low {
        // An overflow is above the ordinary numbers, where these bits are ones anyway.
        let is_upper = (power.is_upper & !(class.is_zero | class.is_nan)).called("is_upper_number");
        let above = is_ordinary.gate(ordinary.slice(format.magnitude_bits() - 1, low));
        let ones = is_upper.repeat(above.width()) | constant_of(&others, format.magnitude_bits() - 1, low);
        let ordinary_or_ones = (above | ones).called("ordinary_or_ones");
        let reaches_ordinary = (power.reaches_ordinary & !is_special).zext(above.width());
        magnitude =
            concat(&[(ordinary_or_ones | reaches_ordinary).called("high_magnitude"), magnitude]).named("magnitude");
    }
    let is_nonzero = power.is_nonzero & !(class.is_zero | power.vanishes) | class.is_infinite;
    let is_nonzero = is_nonzero.named("is_nonzero");
    let sign =
        sign_of_result(target, kind, exact, &LowerCode { lower: magnitude, round_up: circuit.zero(), is_nonzero });
    concat(&[sign.named("sign"), magnitude])
}

/// The code of an ordinary number, after rounding. The exponent's bias is added in the same adder.
fn ordinary_code<'c>(format: &Float, number: &Between<'c>) -> Bits<'c> {
    let (w, t) = (format.exponent_bits, format.trailing_bits);
    let offset = late_offset(format, number.exponent);
    let exponent = number.exponent.plus(-offset).low_bits(w);
    let Some(trailing) = number.trailing else {
        return exponent.add(number.rounds_up.zext(w)).named("ordinary_code");
    };
    let offset = exponent.circuit().integer(offset, w);
    concat(&[exponent, trailing]).add(concat(&[offset, number.rounds_up.zext(t)])).named("ordinary_code")
}

/// The cases that replace a number: the condition and the magnitude code. Later cases override earlier ones.
struct Specials<'c> {
    zero: (Bits<'c>, u128),
    /// One for both signs, or one for each sign.
    overflow: Vec<(Bits<'c>, u128)>,
    /// Infinity and NaN.
    others: [(Bits<'c>, u128); 2],
}

fn specials<'c>(target: &FloatTarget, exact: &ExactResult<'c>, power: &PowerOfTwo<'c>) -> Specials<'c> {
    let (class, limits) = (&exact.class, Limits::new(target));
    let is_large = (power.too_large & !class.is_zero).named("is_large");
    let nan = target.format.nan_code().unwrap_or(0) & target.format.magnitude_mask();
    Specials {
        zero: ((class.is_zero | power.vanishes).named("is_zero"), 0),
        overflow: match limits.overflow {
            [positive, negative] if positive == negative => vec![(is_large, positive)],
            [positive, negative] => vec![(is_large & !class.sign, positive), (is_large & class.sign, negative)],
        },
        others: [(class.is_infinite, limits.infinite), (class.is_nan, nan)],
    }
}

/// Whether one of the cases holds.
fn any<'c>(cases: &[(Bits<'c>, u128)]) -> Bits<'c> {
    cases.iter().fold(cases[0].0.circuit().zero(), |any, case| any | case.0)
}

/// Bits of the constant of the last case that holds, or 0.
fn constant_of<'c>(cases: &[(Bits<'c>, u128)], high: u32, low: u32) -> Bits<'c> {
    let bit = |place: u32| {
        let one = |constant: u128| constant >> place & 1 == 1;
        // Successive cases with the same bit are merged.
        cases.iter().fold(
            cases[0].0.circuit().zero(),
            |bit, &(here, constant)| {
                if one(constant) { bit | here } else { bit & !here }
            },
        )
    };
    concat(&(low..=high).rev().map(bit).collect::<Vec<_>>())
}

/// The part of the exponent's bias that is added with the increment. An addend to the top bit alone is an inverter.
fn late_offset(format: &Float, exponent: Int) -> i64 {
    let offset = exponent.offset();
    let waits = format.trailing_bits > 0 && offset.trailing_zeros() + 1 < format.exponent_bits;
    if waits { offset } else { 0 }
}

/// A number as a power of two.
struct PowerOfTwo<'c> {
    /// The low bits of the code after rounding.
    low: Bits<'c>,
    /// Whether it is below the ordinary numbers and is rounded up to the first of them.
    reaches_ordinary: Bits<'c>,
    /// Whether the bits above are ones.
    is_upper: Bits<'c>,
    /// Whether the number is in one of the binades of powers of two.
    is_log: Bits<'c>,
    /// Whether it is ordinary, or its code is not 0.
    is_nonzero: Bits<'c>,
    /// Beyond the largest finite value before rounding.
    too_large: Bits<'c>,
    /// Whether it becomes zero although the code is not 0.
    vanishes: Bits<'c>,
}

/// The low bits of the code are the exponent less `2^k` below, and plus `2^k` above.
fn power_of_two<'c>(
    target: &FloatTarget,
    sign: Bits<'c>,
    number: &Between<'c>,
    random: Option<Bits<'c>>,
) -> PowerOfTwo<'c> {
    let (format, rounding) = (&target.format, target.rounding);
    let (t, w, k) = (format.trailing_bits, format.exponent_bits, format.binades_below.ilog2());
    let biased = number.exponent;
    let circuit = sign.circuit();
    circuit.section("Round as a power of two");
    let bias = i64::from(format.bias);
    let (min, max) = (format.min_exponent() + bias, format.max_exponent() + bias);
    let binades = 1 << k;
    let is_lower = biased.less_than_in_logic(binades).named("is_lower");
    let is_upper = biased.at_least_in_logic((1 << w) - binades).named("is_upper");
    let is_log = (is_lower | is_upper).named("is_power_of_two");
    let too_large = biased.at_least_in_logic(max + 1).explained("too_large", "at least twice the largest number");
    let count = count(biased, is_upper, (t + k, k));

    let below_smallest = (is_lower & !is_counted(count)).named("below_smallest");
    let near = match rounding {
        Rounding::Mptorch => min,
        _ => min - 1,
    };
    let (count, tail, vanishes) = match rounding {
        Rounding::Sr(_) if biased.min() < min => below_smallest_stochastic(biased, min, count, number.tail),
        Rounding::Sr(_) => (count, number.tail, circuit.zero()),
        _ => {
            let too_small = biased.less_than_in_logic(near).named("too_small");
            // Just below the smallest value, a fraction of 0 is the tie with zero.
            let fraction = number.tail.bits;
            let tail =
                Tail { bits: fraction | below_smallest, sticky: number.tail.sticky | (below_smallest & fraction) };
            if looks_at_guard(rounding) {
                (count, tail, too_small)
            } else {
                let count = (!too_small).gate(count);
                (count, Tail { sticky: tail.sticky | too_small, ..tail }, circuit.zero())
            }
        }
    };

    circuit.section(banner(rounding));
    let at_largest = (is_upper & count.equals_constant(format.max_code() & low_mask(t + k))).named("at_largest");
    let up = match rounding {
        Rounding::Mptorch => tail.bits | (at_largest & tail.sticky),
        _ => circuit.prefixed("power", || rounds_up(rounding, sign, count.bit(0), &tail, random)),
    };
    let stays_finite = !Limits::new(target).overflow.contains(&(format.max_code() + 1));
    let increment = if stays_finite { up & !at_largest } else { up }.named("power_rounds_up");
    let width = t + k + 1;
    let next = count.zext(width).add(increment.zext(width)).named("power_code");
    PowerOfTwo {
        low: next.low(t + k),
        reaches_ordinary: (is_lower & next.msb()).named("reaches_ordinary"),
        is_upper,
        is_log,
        is_nonzero: (!is_lower | is_counted(count) | increment).called("power_is_nonzero"),
        too_large,
        vanishes,
    }
}

fn is_counted(count: Bits) -> Bits {
    count.any().called("is_counted")
}

fn low_mask(width: u32) -> u128 {
    (1 << width) - 1
}

/// The low bits of the exponent less `2^k`, plus `2^(k+1)` above the ordinary numbers.
fn count<'c>(biased: Int<'c>, is_upper: Bits<'c>, (width, k): (u32, u32)) -> Bits<'c> {
    let lower = biased.plus(-biased.offset()).low_bits(width).plus_constant_in_logic(biased.offset() - (1 << k));
    let mut carry = is_upper;
    let mut count: Vec<Bits> = (0..width.min(k + 1)).map(|place| lower.bit(place)).collect();
    for place in k + 1..width {
        count.push(lower.bit(place) ^ carry);
        carry = carry & lower.bit(place);
    }
    count.reverse();
    concat(&count).named("count")
}

/// Below the smallest value, the code is 0 and the tail is the fraction of that value.
fn below_smallest_stochastic<'c>(
    biased: Int<'c>,
    min: i64,
    count: Bits<'c>,
    tail: Tail<'c>,
) -> (Bits<'c>, Tail<'c>, Bits<'c>) {
    let circuit = count.circuit();
    let is_below = biased.less_than_in_logic(min).named("is_below_smallest");
    let deficit = Int::constant(circuit, min - 1).sub(biased);
    let deficit = deficit.within(0, deficit.max()).to_unsigned().named("below_smallest_by");
    let looked_at = tail.bits.width();
    let significand = concat(&[circuit.constant(1, 1), tail.bits]).high(looked_at);
    let (shifted, _) = significand.shift_right_sticky(deficit, "fraction_of_smallest");
    let bits = is_below.select(shifted, tail.bits);
    ((!is_below).gate(count), Tail { bits, ..tail }, circuit.zero())
}
