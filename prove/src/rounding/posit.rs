//! The code line of a posit: the unbounded bit string of regime, exponent and fraction.
//!
//! A magnitude lies on the line of magnitude codes, and its code is negated after rounding. A number in two's
//! complement lies on the line of all codes, which ascend with their values: for negative numbers, a digit of -2
//! precedes the fraction, and regime and exponent are read inverted. Units use the first way for floats and the second
//! for posits.

use super::{Place, Rounded, fraction_bits, goes_up, stepped};
use crate::number::Number;
use crate::plans::Specified;
use crate::tapered::bit_string;
use crate::words::{
    Word, choose, constant, difference, highest_one, is_below, is_equal, negated_if, plus, raised, resized,
    shifted_down, shifted_left, sign_extended, sum,
};
use binade_gates::{Graph, Literal};
use binade_spec::{Posit, PositRange, Rounding, Target};

/// `2^exponent * 1.fraction`, not scaled.
struct Normalized {
    exponent: Word,
    fraction: Word,
}

/// The code of a number that is neither zero nor special; posits raise no flags.
pub fn code(
    graph: &mut Graph,
    posit: &Posit,
    target: &Target,
    number: &Number,
    random: &[Literal],
) -> Specified<Rounded> {
    let code = match &number.signed {
        None => code_of_magnitude(graph, posit, target, number, random)?,
        Some(signed) => code_of_signed(graph, posit, target, (signed.word(), &number.exponent), random)?,
    };
    let [invalid, overflow, underflow, inexact] = [Literal::FALSE; 4];
    Ok(Rounded { code, invalid, overflow, underflow, inexact })
}

fn code_of_magnitude(
    graph: &mut Graph,
    posit: &Posit,
    target: &Target,
    number: &Number,
    random: &[Literal],
) -> Specified<Word> {
    let bits = posit.bits as usize - 1;
    let normalized = normalized(graph, posit, number);
    let (place, is_low, is_beyond) = place(graph, posit, fraction_bits(target), &normalized);
    let up = goes_up(graph, &place, None, target.rounding, number.negative, random)?;
    let code = stepped(graph, &place.code, up);
    // Never round to zero or NaR.
    let (smallest, largest) = (constant(1, bits), constant(posit.max_code() as i128, bits));
    let is_zero = is_equal(graph, &code, 0);
    let magnitude = choose(graph, is_zero, &smallest, &code[..bits]);
    let magnitude = choose(graph, code[bits], &largest, &magnitude);
    let end = choose(graph, is_low, &smallest, &largest);
    let magnitude = choose(graph, is_beyond, &end, &magnitude);
    let code = negated_if(graph, number.negative, &resized(&magnitude, bits + 1));
    Ok(match target.posit_range {
        PositRange::Saturate => code,
        PositRange::Float => {
            let ends = beyond_ends(graph, posit, &normalized);
            within_range(graph, posit, ends, &code)
        }
    })
}

/// The code of a nonzero integer in two's complement times a power of two.
fn code_of_signed(
    graph: &mut Graph,
    posit: &Posit,
    target: &Target,
    (integer, exponent): (&[Literal], &[Literal]),
    random: &[Literal],
) -> Specified<Word> {
    let bits = posit.bits as usize - 1;
    let negative = integer[integer.len() - 1];
    let power = normalized_signed(graph, posit, integer, exponent);
    // Regime and exponent field as in the code.
    let read = power.exponent.iter().map(|&bit| graph.xor(bit, negative)).collect();
    let string = Normalized { exponent: read, fraction: power.fraction.clone() };
    let (mut place, is_low, is_beyond) = place(graph, posit, fraction_bits(target), &string);
    place.code = choose(graph, is_beyond, &vec![!is_low; bits], &place.code[..bits]);
    let up = goes_up_signed(graph, &place, target.rounding, negative, random)?;
    // Never round to zero or NaR: their neighbours are 1 above and 1 below.
    let (is_first, is_last) = (!graph.any(&place.code), graph.all(&place.code));
    let up = graph.or(up, is_first);
    let up = graph.and(up, !is_last);
    let code = [stepped(graph, &place.code, up), vec![negative]].concat();
    Ok(match target.posit_range {
        PositRange::Saturate => code,
        PositRange::Float => {
            let ends = beyond_ends_signed(graph, posit, negative, &power);
            within_range(graph, posit, ends, &code)
        }
    })
}

/// Whether a number of either sign is rounded up to the next code.
fn goes_up_signed(
    graph: &mut Graph,
    place: &Place,
    rounding: Rounding,
    negative: Literal,
    random: &[Literal],
) -> Specified<Literal> {
    let (&guard, below) = place.fraction.split_last().expect("at least one bit of the fraction");
    let below = [below, &[place.sticky]].concat();
    let below = graph.any(&below);
    let inexact = graph.or(guard, below);
    Ok(match rounding {
        Rounding::Rtz => graph.and(inexact, negative),
        Rounding::Rup => inexact,
        Rounding::Rdn => Literal::FALSE,
        Rounding::Rna | Rounding::Rnu => {
            let takes_tie = graph.or(below, !negative);
            graph.and(guard, takes_tie)
        }
        // A negative number's magnitude goes down with this probability, and up with the complement.
        Rounding::Sr(_) => {
            let random: Word = random.iter().map(|&bit| graph.xor(bit, negative)).collect();
            let rest = graph.and(place.sticky, negative);
            graph.add(&place.fraction, &random, rest).1
        }
        // Independent of the sign.
        Rounding::Rne | Rounding::Rto | Rounding::Srb(_) | Rounding::Src(_) | Rounding::Mptorch | Rounding::Any => {
            return goes_up(graph, place, None, rounding, negative, random);
        }
    })
}

/// A number in two's complement as `2^exponent * (1.fraction)` or `2^exponent * (-2 + 0.fraction)`.
fn normalized_signed(graph: &mut Graph, posit: &Posit, integer: &[Literal], exponent: &[Literal]) -> Normalized {
    // For -1, the digit of -2 lies one place lower.
    let digits = raised(integer, 1);
    let (sign, digits) = digits.split_last().expect("a sign");
    let (width, length) = (exponent.len() + 2, digits.len());
    let differing: Word = digits.iter().map(|&digit| graph.xor(digit, *sign)).collect();
    let top = resized(&highest_one(graph, &differing), width);
    let below_top = difference(graph, &constant(length as i128 - 1, width), &top);
    let mut fraction = shifted_left(graph, digits, &below_top[..length.ilog2() as usize + 1]);
    fraction.truncate(length - 1);
    let exponent = sum(graph, &sign_extended(exponent, width), &top);
    Normalized { exponent: plus(graph, &exponent, -1 - i128::from(posit.scale)), fraction }
}

fn normalized(graph: &mut Graph, posit: &Posit, number: &Number) -> Normalized {
    let (width, length) = (number.exponent.len() + 2, number.significand.len());
    let top = resized(&highest_one(graph, &number.significand), width);
    let zeros = difference(graph, &constant(length as i128 - 1, width), &top);
    let mut fraction = shifted_left(graph, &number.significand, &zeros[..length.ilog2() as usize + 1]);
    fraction.truncate(length - 1);
    let exponent = sum(graph, &sign_extended(&number.exponent, width), &top);
    Normalized { exponent: plus(graph, &exponent, -i128::from(posit.scale)), fraction }
}

/// Where the number lies; whether its regime is negative; and whether the regime is too long for any code.
fn place(graph: &mut Graph, posit: &Posit, fractions: usize, number: &Normalized) -> (Place, Literal, Literal) {
    let bits = posit.bits as usize - 1;
    if posit.has_bound() {
        return place_with_bound(graph, posit, fractions, number);
    }
    let (low_exponent, regime) = number.exponent.split_at(posit.exponent_bits() as usize);
    let is_low = regime[regime.len() - 1];
    // The run has one bit less than the shift: `10` or `01`, exponent and fraction are shifted down.
    let run: Word = regime.iter().map(|&bit| graph.xor(bit, is_low)).collect();
    let is_beyond = !is_below(graph, &run, bits as i128 - 1);
    let string = [number.fraction.clone(), low_exponent.to_vec(), vec![is_low, !is_low]].concat();
    let string = raised(&string, (bits + fractions).saturating_sub(string.len()));
    let (string, sticky) = shifted_down(graph, &string, &run[..bits.ilog2() as usize + 1], !is_low);
    let (rest, kept) = string.split_at(string.len() - bits - fractions);
    let rest = graph.any(rest);
    let place = Place {
        code: resized(&kept[fractions..], bits + 2),
        fraction: kept[..fractions].to_vec(),
        sticky: graph.or(sticky, rest),
        first_step: None,
    };
    (place, is_low, is_beyond)
}

/// The same for a regime with a bound.
fn place_with_bound(
    graph: &mut Graph,
    posit: &Posit,
    fractions: usize,
    number: &Normalized,
) -> (Place, Literal, Literal) {
    let bits = posit.bits as usize - 1;
    let is_low = number.exponent[number.exponent.len() - 1];
    let (belongs, string, sticky) = bit_string(graph, posit, &number.exponent, &number.fraction, bits + fractions);
    let (fraction, code) = string.split_at(fractions);
    let place = Place { code: resized(code, bits + 2), fraction: fraction.to_vec(), sticky, first_step: None };
    (place, is_low, !belongs)
}

/// Whether a magnitude is below half of minpos, and whether it is above maxpos.
fn beyond_ends(graph: &mut Graph, posit: &Posit, number: &Normalized) -> [Literal; 2] {
    let most = largest_power(posit);
    let is_below_half = is_below(graph, &number.exponent, -most - 1);
    let is_above = is_more_than(graph, number, most);
    [is_below_half, is_above]
}

/// Like `beyond_ends`, for a number in two's complement. If it is negative, its magnitude is up to twice the power.
fn beyond_ends_signed(graph: &mut Graph, posit: &Posit, negative: Literal, number: &Normalized) -> [Literal; 2] {
    let most = largest_power(posit);
    let of_positive = beyond_ends(graph, posit, number);
    let is_short = graph.any(&number.fraction);
    let [is_at, is_below_it] =
        [is_equal(graph, &number.exponent, -most - 2), is_below(graph, &number.exponent, -most - 2)];
    let is_just_below = graph.and(is_at, is_short);
    let of_negative = [graph.or(is_below_it, is_just_below), !is_below(graph, &number.exponent, most)];
    [0, 1].map(|end| graph.mux(negative, of_negative[end], of_positive[end]))
}

/// Whether `2^exponent * 1.fraction` exceeds a power of two.
fn is_more_than(graph: &mut Graph, number: &Normalized, power: i128) -> Literal {
    let is_up_to = is_below(graph, &number.exponent, power + 1);
    let is_at = is_equal(graph, &number.exponent, power);
    let has_fraction = graph.any(&number.fraction);
    let is_just_above = graph.and(is_at, has_fraction);
    graph.or(!is_up_to, is_just_above)
}

/// The power of maxpos.
fn largest_power(posit: &Posit) -> i128 {
    i128::from(posit.max_exponent()) - i128::from(posit.scale)
}

/// Zero below half of minpos, NaR above maxpos.
fn within_range(graph: &mut Graph, posit: &Posit, ends: [Literal; 2], code: &[Literal]) -> Word {
    let [is_below_half, is_above] = ends;
    let code = choose(graph, is_below_half, &constant(0, code.len()), code);
    choose(graph, is_above, &constant(posit.nar() as i128, code.len()), &code)
}
