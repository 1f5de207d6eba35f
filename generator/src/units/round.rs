//! Rounding: where a magnitude lies among the codes of the result's format, and which of its two neighbours it takes.
//!
//! Magnitude codes ascend with their values, so one increment of the code is the step to the next value, across
//! binades, from subnormals to normals, and to infinity.

use super::{class::Class, target::FloatTarget};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{FieldZero, Float, Infinity, Nan, Rounding, Sign, Underflow};

/// A magnitude to be rounded. The top bit of the significand is the integer bit, of weight `2^exponent`; it is 1, or
/// (for zero and results with subnormals only) 0 at the lowest exponent of the result. The last bit may be sticky.
#[derive(Clone, Copy)]
pub struct Magnitude<'c> {
    pub exponent: Int<'c>,
    pub significand: Bits<'c>,
}

/// What a unit found out, but for the rounding.
pub struct ExactResult<'c> {
    pub class: Class<'c>,
    pub magnitude: Magnitude<'c>,
    /// Magnitude code that a NaN operand hands on with its sign.
    pub payload: Option<Bits<'c>>,
}

/// A magnitude between two codes, and which of them it takes.
#[derive(Clone, Copy)]
pub struct Rounded<'c> {
    /// Code of the lower neighbour; means nothing if the magnitude is too large or vanishes.
    pub code: Bits<'c>,
    /// Still to be added to the field of `code`.
    pub integer: Bits<'c>,
    /// Whether the result is the code after that.
    pub round_up: Bits<'c>,
    /// Beyond the largest finite value before rounding.
    pub too_large: Bits<'c>,
    /// Whether `code` is that of the largest finite value.
    pub at_largest: Bits<'c>,
    /// So small that it becomes zero, and `code` and `round_up` do not say so.
    pub vanishes: Bits<'c>,
    /// Whether there is anything below `code`.
    pub has_tail: Bits<'c>,
    /// Whether it is below the smallest value after rounding, to be flushed.
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

/// What is below the last bit of a code.
pub struct Tail<'c> {
    /// The guard bit; for stochastic rounding as many bits as are added to them.
    pub bits: Bits<'c>,
    /// Whether anything is below those.
    pub sticky: Bits<'c>,
}

/// A magnitude between two codes: at `code`, and above it by the fraction `tail` of a step.
struct Located<'c> {
    /// One bit wider than a magnitude code.
    code: Bits<'c>,
    /// Integer bit, if it is still to be added to the field of `code`.
    integer: Bits<'c>,
    tail: Tail<'c>,
    /// Whether codes are powers of two here (supernormal).
    is_log: Bits<'c>,
    /// Beyond what `code` can hold.
    too_large: Bits<'c>,
    /// So small that it rounds to zero; `tail` means nothing then.
    too_small: Bits<'c>,
    /// Where the tail does not decide: there, and what is decided instead.
    exception: Option<(Bits<'c>, Bits<'c>)>,
}

/// Bits below the code that a rounding looks at one by one.
pub fn below_code_bits(rounding: Rounding) -> u32 {
    rounding.random_bits().max(1)
}

/// Rounds a magnitude of the given sign. Stochastic rounding takes `random`.
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
    let code = located.code.low(format.magnitude_bits());
    let largest = format.max_code();
    // An infinity that begins a binade: what is not finite is so by its exponent alone.
    let reaches_limit = max_exponent >= format.max_exponent() && format.infinity != Infinity::TopField;
    let beyond = if reaches_limit { code.greater_than_constant(largest) } else { circuit.zero() };
    let too_large = (located.too_large | beyond).named("too_large");
    let flushed = match format.underflow {
        Underflow::Nearest => circuit.zero(),
        Underflow::ToZero => below_smallest(format, code, round_up) & !too_large,
    };
    let at_largest = match located.integer.known() {
        Some(_) => code.equals_constant(largest),
        None => located.integer & code.equals_constant(largest - (1 << format.trailing_bits)),
    };
    // Below the smallest code there are others only where subnormal codes read as zero.
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

fn banner(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Rne => "Round to nearest, ties to even",
        Rounding::Rna | Rounding::Rnu => "Round to nearest, ties away from zero",
        Rounding::Rtz => "Round toward zero",
        Rounding::Rup => "Round toward +infinity",
        Rounding::Rdn => "Round toward -infinity",
        Rounding::Rto => "Round to odd",
        Rounding::Sr(_) => "Round stochastically: up if random bits and those below the code carry",
        Rounding::Mptorch => "Round to nearest, ties to even, among powers of two away from zero",
    }
}

/// Whether what is far below half of a step makes no difference.
fn looks_at_guard(rounding: Rounding) -> bool {
    match rounding {
        Rounding::Rne | Rounding::Rna | Rounding::Rnu | Rounding::Sr(_) | Rounding::Mptorch => true,
        Rounding::Rtz | Rounding::Rup | Rounding::Rdn | Rounding::Rto => false,
    }
}

/// Whether a magnitude with this tail above a code (`odd`: an odd one) becomes the next code.
pub fn rounds_up<'c>(
    rounding: Rounding,
    sign: Bits<'c>,
    odd: Bits<'c>,
    tail: &Tail<'c>,
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    if let Rounding::Sr(bits) = rounding {
        let random = random.expect("stochastic rounding has random bits");
        let sum = tail.bits.named("below_code").zext(bits + 1).add(random.zext(bits + 1));
        return sum.named("below_code_plus_random").msb();
    }
    let (guard, sticky) = (tail.bits.named("guard"), tail.sticky.named("sticky"));
    match rounding {
        Rounding::Rne => guard & (sticky | odd),
        Rounding::Rna | Rounding::Rnu => guard,
        Rounding::Rtz => sign.circuit().zero(),
        Rounding::Rup => (guard | sticky) & !sign,
        Rounding::Rdn => (guard | sticky) & sign,
        Rounding::Rto => (guard | sticky) & !odd,
        Rounding::Sr(_) | Rounding::Mptorch => unreachable!("{rounding} is decided elsewhere"),
    }
}

/// As the MPTorch software: what is above the largest value is infinity, and below the smallest zero.
fn rounds_up_in_mptorch<'c>(format: &Float, located: &Located<'c>) -> Bits<'c> {
    let (guard, sticky) = (located.tail.bits.named("guard"), located.tail.sticky.named("sticky"));
    let is_largest = located.code.equals_constant(format.max_code()).named("is_largest");
    let ordinary = guard & (sticky | located.code.bit(0));
    located.is_log.select(guard, ordinary) | (is_largest & (guard | sticky))
}

/// Where rounding may go away from zero from anywhere: what is far below the smallest value is just above code 0, unless
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
    circuit.section("Locate the magnitude among the result's codes");
    let biased = magnitude.exponent.plus(format.bias.into());
    let below = below_code_bits(rounding);
    // Fraction bits down to the last one that is looked at, and at least one for sticky.
    let significand = padded(magnitude.significand, format.precision() + below + 1);
    if format.binades_below > 0 {
        return locate_supernormal(rounding, format, biased, significand);
    }
    match (format.field_zero, format.underflow) {
        (FieldZero::Subnormal, _) => locate_gradual(rounding, format, biased, significand, below),
        (FieldZero::Zero, _) | (FieldZero::Binade, Underflow::ToZero) => {
            locate_flushed(format, biased, significand, below)
        }
        (FieldZero::Binade, Underflow::Nearest) => locate_nosub(rounding, format, biased, significand, random),
        (FieldZero::NoZero, _) => locate_without_zero(format, biased, significand, below),
    }
}

/// Zeros below, up to `width` bits.
fn padded(bits: Bits, width: u32) -> Bits {
    bits.zeros_below(width.saturating_sub(bits.width()))
}

/// The parts of a significand below its integer bit: `t` trailing bits, the bits below that are looked at, and whether any
/// bit below those is 1.
struct Parts<'c> {
    trailing: Option<Bits<'c>>,
    tail: Tail<'c>,
}

fn split<'c>(format: &Float, significand: Bits<'c>, below: u32) -> Parts<'c> {
    let t = format.trailing_bits;
    let top = significand.width() - 1;
    Parts {
        trailing: (t > 0).then(|| significand.slice(top - 1, top - t).named("trailing")),
        tail: tail_of(significand.low(top - t), below),
    }
}

/// What is below a code: `below` bits, and the rest as sticky.
fn tail_of(bits: Bits, below: u32) -> Tail {
    Tail { bits: bits.high(below), sticky: bits.low(bits.width() - below).any() }
}

/// Exponent field and trailing bits, with a 0 above for the carry.
fn ordinary_code<'c>(format: &Float, field: Bits<'c>, parts: &Parts<'c>) -> Bits<'c> {
    let zero = field.circuit().zero();
    assert_eq!(field.width(), format.exponent_bits);
    match parts.trailing {
        Some(trailing) => concat(&[zero, field, trailing]),
        None => concat(&[zero, field]),
    }
}

/// First exponent field that no finite value has.
fn field_limit(format: &Float) -> i64 {
    match format.infinity {
        Infinity::TopField => (1 << format.exponent_bits) - 1,
        Infinity::LastCode | Infinity::None => 1 << format.exponent_bits,
    }
}

/// With subnormals: below field 1 the significand is shifted right, and an integer bit of 0 makes field 0.
fn locate_gradual<'c>(
    rounding: Rounding,
    format: &Float,
    biased: Int<'c>,
    significand: Bits<'c>,
    below: u32,
) -> Located<'c> {
    let circuit = significand.circuit();
    let (integer, fields) = (significand.msb(), format.exponent_bits);
    let (field, significand, integer) = if biased.min() < 1 {
        let is_tiny = biased.less_than(1).named("is_tiny");
        let field = (!is_tiny & integer).gate(biased.low_bits(fields));
        (field, denormalise(format, biased, is_tiny, significand, below), circuit.zero())
    } else if adds_integer(rounding, format) && biased.plus(-1).is_resolved() && integer.known().is_none() {
        (biased.plus(-1).low_bits(fields), significand, integer)
    } else {
        (integer.gate(biased.low_bits(fields)), significand, circuit.zero())
    };
    let parts = split(format, significand, below);
    Located {
        code: ordinary_code(format, field.named("field"), &parts),
        integer,
        tail: parts.tail,
        is_log: circuit.zero(),
        too_large: biased.at_least(field_limit(format)),
        too_small: circuit.zero(),
        exception: None,
    }
}

/// Whether the field, less 1 for the integer bit, can wait for that until the increment: nothing before that looks at the
/// code as a whole.
fn adds_integer(rounding: Rounding, format: &Float) -> bool {
    let looks_at_end = match format.nan {
        Nan::None | Nan::TopField => format.infinity != Infinity::TopField,
        Nan::AllOnes | Nan::NanInfinity | Nan::SignAlone | Nan::LastCode => true,
    };
    let flushes = format.underflow == Underflow::ToZero;
    let is_split = format.trailing_bits > 0 && format.sign == Sign::Signed;
    is_split && !looks_at_end && !flushes && rounding != Rounding::Mptorch
}

/// Shifts right by as much as the exponent is below that of field 1.
fn denormalise<'c>(format: &Float, biased: Int<'c>, is_tiny: Bits<'c>, significand: Bits<'c>, below: u32) -> Bits<'c> {
    let circuit = significand.circuit();
    // p bits and those that are looked at below; the rest matters only as sticky.
    let kept = format.precision() + below;
    let rest = significand.width() - kept;
    let significand = concat(&[significand.high(kept), significand.low(rest).any().named("below_guard")]);
    let deficit = Int::constant(circuit, 1).sub(biased);
    let deficit = deficit.within(0, deficit.max()).to_unsigned().named("deficit");
    let (shifted, sticky) = significand.shift_right_sticky(is_tiny.gate(deficit).named("shift"), "subnormal");
    let last = shifted.bit(0) | sticky;
    concat(&[shifted.slice(kept, 1), last]).named("denormalised")
}

/// Without subnormals: below field 0 everything is zero; in field 0 rounding may still reach a value.
fn locate_flushed<'c>(format: &Float, biased: Int<'c>, significand: Bits<'c>, below: u32) -> Located<'c> {
    let parts = split(format, significand, below);
    let field = biased.low_bits(format.exponent_bits).named("field");
    Located {
        code: ordinary_code(format, field, &parts),
        integer: field.circuit().zero(),
        tail: parts.tail,
        is_log: field.circuit().zero(),
        too_large: biased.at_least(field_limit(format)),
        too_small: biased.less_than(0).named("too_small"),
        exception: None,
    }
}

/// Without zero: below field 0 everything is code 0.
fn locate_without_zero<'c>(format: &Float, biased: Int<'c>, significand: Bits<'c>, below: u32) -> Located<'c> {
    let Located { code, tail, too_small, .. } = locate_flushed(format, biased, significand, below);
    let keeps = !too_small;
    Located {
        code: keeps.gate(code),
        integer: code.circuit().zero(),
        tail: Tail { bits: keeps.gate(tail.bits), sticky: keeps & tail.sticky },
        is_log: code.circuit().zero(),
        too_large: biased.at_least(field_limit(format)),
        too_small: code.circuit().zero(),
        exception: None,
    }
}

/// Nosub: zero, then `(1 + 2^-t) * 2^-bias`, whose half is the tie between them.
fn locate_nosub<'c>(
    rounding: Rounding,
    format: &Float,
    biased: Int<'c>,
    significand: Bits<'c>,
    random: Option<Bits<'c>>,
) -> Located<'c> {
    let below = below_code_bits(rounding);
    let flushed = locate_flushed(format, biased, significand, below);
    let parts = split(format, significand, below);
    let trailing = parts.trailing.expect("nosub formats have trailing bits");
    // Field 0, trailing 0 would be code 0, but a value there is more than halfway to code 1.
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
    let special = at_code_zero | below_field_zero;
    let guard = at_code_zero | trailing.any();
    // Nothing between zero and code 1 is exact.
    let sticky = at_code_zero | past_half | !guard;
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

/// Supernormal: in the binades at either end, each exponent has one code.
fn locate_supernormal<'c>(rounding: Rounding, format: &Float, biased: Int<'c>, significand: Bits<'c>) -> Located<'c> {
    let looked_at = below_code_bits(rounding);
    let parts = split(format, significand, looked_at);
    let bias = i64::from(format.bias);
    let width = format.magnitude_bits() + 1;
    let (below, above) = (i64::from(format.binades_below), i64::from(format.binades_above));
    let (min, max) = (format.min_exponent() + bias, format.max_exponent() + bias);

    let is_lower = biased.less_than(below).named("is_lower");
    let lower = biased.plus(format.first_ordinary_code() as i64 - below).low_bits(width);
    let ordinary = ordinary_code(format, biased.low_bits(format.exponent_bits), &parts).named("ordinary_code");
    let mut code = is_lower.select(lower, ordinary);
    let mut is_log = is_lower;
    if above > 0 {
        let first_field = (1 << format.exponent_bits) - above;
        let is_upper = biased.at_least(first_field).named("is_upper");
        let upper = biased.plus(format.first_upper_code() as i64 - first_field).low_bits(width);
        code = is_upper.select(upper, code);
        is_log = (is_log | is_upper).named("is_power_of_two");
    }
    let fraction = significand.low(significand.width() - 1);
    let upper_end = if format.binades_above > 0 { max + 1 } else { field_limit(format) };
    let located = Located {
        code,
        integer: code.circuit().zero(),
        tail: tail_of(fraction, looked_at),
        is_log,
        too_large: biased.at_least(upper_end),
        too_small: code.circuit().zero(),
        exception: None,
    };
    let located = match rounding {
        Rounding::Mptorch => Located { too_small: biased.less_than(min).named("too_small"), ..located },
        Rounding::Sr(_) if biased.min() < min => with_fraction_of_smallest(located, biased, min, significand),
        Rounding::Sr(_) => located,
        _ => with_tie_below_smallest(located, biased, min, fraction),
    };
    Located {
        code: located.code.named("code"),
        tail: Tail {
            bits: is_log.select(located.tail.bits, parts.tail.bits),
            sticky: is_log.select(located.tail.sticky, parts.tail.sticky),
        },
        ..located
    }
}

/// Just below the smallest value the code is 0, and the tie with zero is where the significand is 1.
fn with_tie_below_smallest<'c>(located: Located<'c>, biased: Int<'c>, min: i64, fraction: Bits<'c>) -> Located<'c> {
    let below_smallest = biased.equals(min - 1).named("below_smallest");
    Located {
        tail: Tail {
            bits: located.tail.bits | below_smallest,
            sticky: located.tail.sticky | (below_smallest & fraction.msb()),
        },
        too_small: biased.less_than(min - 1).named("too_small"),
        ..located
    }
}

/// Below the smallest value the code is 0, and the tail the fraction of that value.
fn with_fraction_of_smallest<'c>(
    located: Located<'c>,
    biased: Int<'c>,
    min: i64,
    significand: Bits<'c>,
) -> Located<'c> {
    let below_smallest = biased.less_than(min).named("below_smallest");
    let deficit = Int::constant(significand.circuit(), min - 1).sub(biased);
    let deficit = deficit.within(0, deficit.max()).to_unsigned().named("below_smallest_by");
    let looked_at = located.tail.bits.width();
    let (shifted, _) = significand.high(looked_at).shift_right_sticky(deficit, "fraction_of_smallest");
    Located {
        code: (!below_smallest).gate(located.code),
        tail: Tail { bits: below_smallest.select(shifted, located.tail.bits), ..located.tail },
        ..located
    }
}
