//! Rounding in a circuit: where an exact magnitude lies on the line of magnitude codes, which neighbour it becomes, and what
//! there is beyond the ends of the line.

use crate::number::Number;
use crate::words::{
    Word, choose, constant, difference, highest_one, is_below, is_equal, is_less_signed, is_within, negated_if, plus,
    raised, resized, shifted_down, shifted_left, shifted_right, sign_extended, sum,
};
use binade_sim::lanes::{Graph, Literal};
use binade_spec::{
    FieldZero, Float, Format, Infinity, Nan, Overflow, Posit, PositRange, Rounding, Sign, Target, Tininess, Underflow,
};

/// A code, and the flags of the rounding: invalid, overflow, underflow, inexact from the top down.
#[derive(Clone, Debug)]
pub struct Rounded {
    /// The code.
    pub code: Word,
    /// The overflow flag.
    pub overflow: Literal,
    /// The underflow flag.
    pub underflow: Literal,
    /// The inexact flag.
    pub inexact: Literal,
}

/// A place on the line of magnitude codes: a code, in two's complement, and how far it is to the next.
struct Place {
    code: Word,
    /// The first bits of the way, the highest last; at least one.
    fraction: Word,
    /// Whether there is more behind them.
    sticky: Literal,
}

/// Whether the specification has this rounding: all but the stochastic ones next to a zero without subnormals, whose
/// fractions are no bits.
pub fn is_specified(target: &Target) -> bool {
    let Format::Float(float) = target.format else { return true };
    target.rounding.random_bits() == 0 || !is_next_to_zero(&float)
}

/// Whether zero lies next to the ordinary binade of field 0, and results are rounded to it.
fn is_next_to_zero(float: &Float) -> bool {
    float.field_zero == FieldZero::Binade && float.binades_below == 0 && float.underflow == Underflow::Nearest
}

/// The code of a number.
pub fn rounded(graph: &mut Graph, target: &Target, number: &Number, random: &[Literal]) -> Rounded {
    let format = &target.format;
    let width = format.width() as usize;
    let fixed = |code: u128| constant(code as i128, width);
    let mut result = if number.significand.is_empty() {
        let [overflow, underflow, inexact] = [Literal::FALSE; 3];
        Rounded { code: fixed(0), overflow, underflow, inexact }
    } else {
        match format {
            Format::Float(float) => float_code(graph, float, target, number, random),
            Format::Posit(posit) => posit_code(graph, posit, target, number, random),
        }
    };
    let zero = choose(graph, number.negative, &fixed(format.zero_code(true)), &fixed(format.zero_code(false)));
    let infinite = match format {
        Format::Float(float) => {
            let [plus, minus] = [false, true].map(|negative| fixed(infinite_code(float, negative, target.overflow)));
            choose(graph, number.negative, &minus, &plus)
        }
        Format::Posit(posit) => fixed(posit.nar()),
    };
    result.code = choose(graph, number.zero, &zero, &result.code);
    result.code = choose(graph, number.infinite, &infinite, &result.code);
    result.code = choose(graph, number.nan, &fixed(format.nan_code().unwrap_or(0)), &result.code);
    let is_special = graph.any(&[number.zero, number.infinite, number.nan]);
    for flag in [&mut result.overflow, &mut result.underflow, &mut result.inexact] {
        *flag = graph.and(*flag, !is_special);
    }
    result
}

/// Bits of a fraction that decide: all that random bits are added to, else one.
fn fraction_bits(target: &Target) -> usize {
    target.rounding.random_bits().max(1) as usize
}

fn float_code(graph: &mut Graph, float: &Float, target: &Target, number: &Number, random: &[Literal]) -> Rounded {
    let place = float_place(graph, float, target, number);
    let up = goes_up(graph, &place, Some(float), target.rounding, number.negative, random);
    let code = stepped(graph, &place.code, up);
    let largest = float.max_code() as i128;
    let overflow = !is_below(graph, &code, largest + 1);
    let smallest = float.min_code() as i128;
    let is_flushed = match float.underflow {
        Underflow::ToZero => is_below(graph, &code, smallest),
        Underflow::Nearest => Literal::FALSE,
    };
    let is_zero = is_equal(graph, &code, 0);
    let is_zero = if float.has_zero() { graph.or(is_flushed, is_zero) } else { Literal::FALSE };
    let is_negative = code[code.len() - 1];
    let bits = float.magnitude_bits() as usize;
    let ordinary = choose(graph, is_negative, &constant(0, bits), &code[..bits]);
    let ordinary = with_sign(graph, float, target, number.negative, &ordinary);
    let width = float.width() as usize;
    let [plus, minus] = [false, true].map(|negative| constant(overflow_code(float, target, negative) as i128, width));
    let beyond = choose(graph, number.negative, &minus, &plus);
    let sign = if float.has_minus_zero() { number.negative } else { Literal::FALSE };
    let zero = resized(&[constant(0, bits), vec![sign]].concat(), width);
    let result = choose(graph, overflow, &beyond, &ordinary);
    let result = choose(graph, is_zero, &zero, &result);
    let inexact = is_inexact(graph, &place);
    let inexact = graph.any(&[inexact, overflow, is_flushed]);
    let underflow = match target.flags {
        None => Literal::FALSE,
        Some(tininess) => {
            let tiny = is_tiny(graph, float, target, number, random, tininess);
            graph.and(tiny, inexact)
        }
    };
    Rounded { code: result, overflow, underflow, inexact }
}

/// Whether the result is below the smallest normal value, with an unbounded exponent range.
fn is_tiny(
    graph: &mut Graph,
    float: &Float,
    target: &Target,
    number: &Number,
    random: &[Literal],
    tininess: Tininess,
) -> Literal {
    let unbounded = Float { field_zero: FieldZero::Zero, ..*float };
    let place = float_place(graph, &unbounded, target, number);
    let up = match tininess {
        Tininess::After => goes_up(graph, &place, Some(float), target.rounding, number.negative, random),
        Tininess::Before => Literal::FALSE,
    };
    let code = stepped(graph, &place.code, up);
    is_below(graph, &code, 1 << float.trailing_bits)
}

/// Where a magnitude lies among the codes of a float.
fn float_place(graph: &mut Graph, float: &Float, target: &Target, number: &Number) -> Place {
    let t = float.trailing_bits as usize;
    let kept = t + 1 + fraction_bits(target);
    let bias = i128::from(float.bias);
    // With zeros below, there is something to drop in any case.
    let magnitude = raised(&number.significand, kept);
    let low = plus(graph, &number.exponent, -(kept as i128));
    let width = low.len().max(t + 8) + 2;
    let low = sign_extended(&low, width);
    let top = resized(&highest_one(graph, &magnitude), width);
    let exponent = sum(graph, &low, &top);
    let field = plus(graph, &exponent, bias);
    // The place that counts single codes: that of full precision, or of powers of two, but not below the last one there is.
    let full = plus(graph, &top, -(t as i128));
    let first_upper = (1_i128 << float.exponent_bits) - i128::from(float.binades_above);
    let is_upper = if float.binades_above > 0 { !is_below(graph, &field, first_upper) } else { Literal::FALSE };
    let is_lower = match float.binades_below {
        0 => Literal::FALSE,
        below => is_below(graph, &field, below.into()),
    };
    let is_outer = graph.or(is_upper, is_lower);
    let unit = choose(graph, is_outer, &top, &full);
    let least = match float.field_zero {
        _ if float.binades_below > 0 => Some(i128::from(float.min_exponent())),
        FieldZero::Subnormal => Some(1 - bias - t as i128),
        FieldZero::Zero | FieldZero::Binade | FieldZero::NoZero => None,
    };
    let unit = match least {
        None => unit,
        Some(least) => {
            let to_least = difference(graph, &constant(least, width), &low);
            let is_below_least = is_less_signed(graph, &unit, &to_least);
            choose(graph, is_below_least, &to_least, &unit)
        }
    };
    let fractions = fraction_bits(target);
    let places = plus(graph, &unit, -(fractions as i128));
    let (kept_bits, sticky) = shifted_right(graph, &magnitude, &places, kept);
    let (fraction, count) = kept_bits.split_at(fractions);
    // A code counts from where 0 would be if its steps went down to it.
    let field = plus(graph, &low, bias);
    let field = sum(graph, &field, &unit);
    let code_width = width + t;
    let ordinary = raised(&plus(graph, &field, t as i128 - 1), t);
    let mut origin_at = |origin: Word, is_there: Literal, first_code: u128, first_field: i128| {
        if is_there == Literal::FALSE {
            return origin;
        }
        let code = plus(graph, &sign_extended(&field, code_width), first_code as i128 - first_field - 1);
        choose(graph, is_there, &code, &origin)
    };
    let origin = origin_at(ordinary, is_lower, float.first_ordinary_code(), float.binades_below.into());
    let origin = origin_at(origin, is_upper, float.first_upper_code(), first_upper);
    let code = sum(graph, &origin, &resized(count, code_width));
    let place = Place { code, fraction: fraction.to_vec(), sticky };
    if is_next_to_zero(float) { next_to_zero(graph, float, place, count, &field) } else { place }
}

/// Between zero and `(1 + 2^-t) * 2^-bias`, the smallest value: half of it is the middle.
fn next_to_zero(graph: &mut Graph, float: &Float, place: Place, count: &[Literal], unit_field: &[Literal]) -> Place {
    let t = float.trailing_bits as usize;
    let rest = is_inexact(graph, &place);
    let field = plus(graph, unit_field, t as i128);
    let is_first = is_below(graph, &place.code, 1);
    // Half of it is 2^t + 1 in units of half the last place; without trailing bits that is the ordinary 1.
    let half_field = if t == 0 { 0 } else { -1 };
    let half = if t == 0 { 1 } else { (1_i128 << t) + 1 };
    let is_in_binade = is_equal(graph, &field, half_field);
    let is_above = !is_below(graph, &field, half_field + 1);
    let count = resized(count, t + 2);
    let [is_equal_to_half, is_up_to_half] = [is_equal(graph, &count, half), is_below(graph, &count, half + 1)];
    let is_half = graph.all(&[is_in_binade, is_equal_to_half, !rest]);
    let is_over = graph.and(is_equal_to_half, rest);
    let is_over = graph.or(is_over, !is_up_to_half);
    let is_over = graph.and(is_over, is_in_binade);
    let guard = graph.any(&[is_above, is_over, is_half]);
    Place {
        code: choose(graph, is_first, &constant(0, place.code.len()), &place.code),
        fraction: vec![graph.mux(is_first, guard, place.fraction[0])],
        sticky: graph.mux(is_first, !is_half, place.sticky),
    }
}

fn posit_code(graph: &mut Graph, posit: &Posit, target: &Target, number: &Number, random: &[Literal]) -> Rounded {
    let es = posit.exponent_bits as usize;
    let bits = posit.bits as usize - 1;
    let fractions = fraction_bits(target);
    let width = number.exponent.len() + 2;
    let length = number.significand.len();
    let top = resized(&highest_one(graph, &number.significand), width);
    let zeros = difference(graph, &constant(length as i128 - 1, width), &top);
    let normalized = shifted_left(graph, &number.significand, &zeros[..length.ilog2() as usize + 1]);
    let exponent = sum(graph, &sign_extended(&number.exponent, width), &top);
    let exponent = plus(graph, &exponent, -i128::from(posit.scale));
    let (low_exponent, regime) = exponent.split_at(es);
    let is_low = regime[regime.len() - 1];
    // A run of so many bits more than one: `10` or `01`, exponent and fraction are shifted down by it.
    let run: Word = regime.iter().map(|&bit| graph.xor(bit, is_low)).collect();
    let is_beyond = !is_below(graph, &run, bits as i128 - 1);
    let string = [normalized[..length - 1].to_vec(), low_exponent.to_vec(), vec![is_low, !is_low]].concat();
    let string = raised(&string, (bits + fractions).saturating_sub(string.len()));
    let places = &run[..bits.ilog2() as usize + 1];
    let (string, sticky) = shifted_down(graph, &string, places, !is_low);
    let (rest, kept) = string.split_at(string.len() - bits - fractions);
    let rest = graph.any(rest);
    let place = Place {
        code: resized(&kept[fractions..], bits + 2),
        fraction: kept[..fractions].to_vec(),
        sticky: graph.or(sticky, rest),
    };
    let up = goes_up(graph, &place, None, target.rounding, number.negative, random);
    let code = stepped(graph, &place.code, up);
    let largest = constant(posit.max_code() as i128, bits);
    let is_zero = is_equal(graph, &code, 0);
    let magnitude = choose(graph, is_zero, &constant(1, bits), &code[..bits]);
    let magnitude = choose(graph, code[bits], &largest, &magnitude);
    let end = choose(graph, is_low, &constant(1, bits), &largest);
    let magnitude = choose(graph, is_beyond, &end, &magnitude);
    let code = negated_if(graph, number.negative, &resized(&magnitude, bits + 1));
    let code = match target.posit_range {
        PositRange::Saturate => code,
        PositRange::Float => {
            let most = (bits as i128 - 1) << es;
            let is_below_half = is_below(graph, &exponent, -most - 1);
            let is_up_to_max = is_below(graph, &exponent, most + 1);
            let is_at_max = is_equal(graph, &exponent, most);
            let fraction = graph.any(&normalized[..length - 1]);
            let is_just_above = graph.and(is_at_max, fraction);
            let is_above = graph.or(!is_up_to_max, is_just_above);
            let code = choose(graph, is_below_half, &constant(0, bits + 1), &code);
            choose(graph, is_above, &constant(posit.nar() as i128, bits + 1), &code)
        }
    };
    let [overflow, underflow, inexact] = [Literal::FALSE; 3];
    Rounded { code, overflow, underflow, inexact }
}

/// Whether the place is not exactly a code.
fn is_inexact(graph: &mut Graph, place: &Place) -> Literal {
    let fraction = graph.any(&place.fraction);
    graph.or(fraction, place.sticky)
}

/// Whether a magnitude at a place becomes the next code.
fn goes_up(
    graph: &mut Graph,
    place: &Place,
    float: Option<&Float>,
    rounding: Rounding,
    negative: Literal,
    random: &[Literal],
) -> Literal {
    let (&guard, below) = place.fraction.split_last().expect("at least one bit of the fraction");
    let below = graph.any(below);
    let below = graph.or(below, place.sticky);
    let inexact = graph.or(guard, below);
    let odd = place.code[0];
    match rounding {
        Rounding::Rne => {
            let beyond_tie = graph.or(below, odd);
            graph.and(guard, beyond_tie)
        }
        Rounding::Rna | Rounding::Rnu => guard,
        Rounding::Rtz => Literal::FALSE,
        Rounding::Rup => graph.and(inexact, !negative),
        Rounding::Rdn => graph.and(inexact, negative),
        Rounding::Rto => graph.and(inexact, !odd),
        Rounding::Sr(_) => graph.add(&place.fraction, random, Literal::FALSE).1,
        Rounding::Mptorch => {
            let float = float.expect("only floats are rounded so");
            let to_even = goes_up(graph, place, Some(float), Rounding::Rne, negative, random);
            let (first, last) = (float.first_ordinary_code() as i128, float.first_upper_code() as i128 - 1);
            let is_ordinary = is_within(graph, &place.code, first, last);
            let up = graph.mux(is_ordinary, to_even, guard);
            let is_largest = is_equal(graph, &place.code, float.max_code() as i128);
            let up = graph.mux(is_largest, inexact, up);
            let is_zero = is_equal(graph, &place.code, 0);
            graph.and(up, !is_zero)
        }
    }
}

/// The code itself, or the next one.
fn stepped(graph: &mut Graph, code: &[Literal], up: Literal) -> Word {
    graph.add(code, &constant(0, code.len()), up).0
}

/// A magnitude, not zero, with its sign.
fn with_sign(graph: &mut Graph, float: &Float, target: &Target, negative: Literal, magnitude: &[Literal]) -> Word {
    match float.sign {
        Sign::Signed => [magnitude.to_vec(), vec![negative]].concat(),
        Sign::Unsigned => {
            let below = constant(negative_code(float, target) as i128, magnitude.len());
            choose(graph, negative, &below, magnitude)
        }
    }
}

/// What a negative result becomes where there are no signs.
fn negative_code(float: &Float, target: &Target) -> u128 {
    match (target.overflow, target.rounding) {
        (Overflow::Saturate | Overflow::Propagate, _) | (_, Rounding::Rtz | Rounding::Rup) => 0,
        (Overflow::Inf, _) => float.nan_code().unwrap_or(0),
    }
}

/// What stands for a finite magnitude beyond the largest one.
fn overflow_code(float: &Float, target: &Target, negative: bool) -> u128 {
    let stays_finite = match target.rounding {
        Rounding::Rne | Rounding::Rna | Rounding::Rnu | Rounding::Sr(_) | Rounding::Mptorch => false,
        Rounding::Rtz => true,
        Rounding::Rup => negative,
        Rounding::Rdn => !negative,
        Rounding::Rto => float.max_code() & 1 == 1,
    };
    match (target.overflow, float.sign) {
        (Overflow::Inf, _) if !stays_finite => infinite_code(float, negative, target.overflow),
        (_, Sign::Unsigned) if negative => negative_code(float, target),
        (_, _) => float.max_code() | if negative { float.sign_mask() } else { 0 },
    }
}

/// What stands for an infinity.
fn infinite_code(float: &Float, negative: bool, overflow: Overflow) -> u128 {
    let is_unsigned = float.sign == Sign::Unsigned;
    let magnitude = match (overflow, float.infinity, float.nan) {
        (Overflow::Saturate, ..) => float.max_code(),
        (_, Infinity::TopField | Infinity::LastCode, _) => float.infinity_magnitude(),
        (_, Infinity::None, Nan::AllOnes) if !is_unsigned || !negative => return float.magnitude_mask(),
        (_, Infinity::None, Nan::NanInfinity) => float.magnitude_mask(),
        (_, Infinity::None, _) => float.max_code(),
    };
    match (negative, is_unsigned) {
        (false, _) => magnitude,
        (true, false) => magnitude | float.sign_mask(),
        (true, true) if overflow == Overflow::Inf => float.nan_code().unwrap_or(0),
        (true, true) => 0,
    }
}
