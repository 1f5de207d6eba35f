//! The line of magnitude codes of a posit: the bit string regime, exponent, fraction without an end.

use super::{Place, Rounded, fraction_bits, goes_up, stepped};
use crate::number::Number;
use crate::words::{
    Word, choose, constant, difference, highest_one, is_below, is_equal, negated_if, plus, raised, resized,
    shifted_down, shifted_left, sign_extended, sum,
};
use binade_sim::lanes::{Graph, Literal};
use binade_spec::{Posit, PositRange, Target};

/// `2^exponent * 1.fraction`, the plain value.
struct Normalized {
    exponent: Word,
    fraction: Word,
}

/// The code of a number that is neither zero nor special; posits raise no flags.
pub fn code(graph: &mut Graph, posit: &Posit, target: &Target, number: &Number, random: &[Literal]) -> Rounded {
    let bits = posit.bits as usize - 1;
    let normalized = normalized(graph, posit, number);
    let (place, is_low, is_beyond) = place(graph, posit, fraction_bits(target), &normalized);
    let up = goes_up(graph, &place, None, target.rounding, number.negative, random);
    let code = stepped(graph, &place.code, up);
    // Never to zero, never to NaR.
    let (smallest, largest) = (constant(1, bits), constant(posit.max_code() as i128, bits));
    let is_zero = is_equal(graph, &code, 0);
    let magnitude = choose(graph, is_zero, &smallest, &code[..bits]);
    let magnitude = choose(graph, code[bits], &largest, &magnitude);
    let end = choose(graph, is_low, &smallest, &largest);
    let magnitude = choose(graph, is_beyond, &end, &magnitude);
    let code = negated_if(graph, number.negative, &resized(&magnitude, bits + 1));
    let code = match target.posit_range {
        PositRange::Saturate => code,
        PositRange::Float => within_range(graph, posit, &normalized, &code),
    };
    let [overflow, underflow, inexact] = [Literal::FALSE; 3];
    Rounded { code, invalid: Literal::FALSE, overflow, underflow, inexact }
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

/// Where the number lies; whether its regime is negative; and whether that is longer than any code has.
fn place(graph: &mut Graph, posit: &Posit, fractions: usize, number: &Normalized) -> (Place, Literal, Literal) {
    let bits = posit.bits as usize - 1;
    let (low_exponent, regime) = number.exponent.split_at(posit.exponent_bits as usize);
    let is_low = regime[regime.len() - 1];
    // A run of so many bits more than one: `10` or `01`, exponent and fraction are shifted down by it.
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

/// Zero below half of minpos, NaR above maxpos.
fn within_range(graph: &mut Graph, posit: &Posit, number: &Normalized, code: &[Literal]) -> Word {
    let most = i128::from(posit.bits - 2) << posit.exponent_bits;
    let is_below_half = is_below(graph, &number.exponent, -most - 1);
    let is_up_to_max = is_below(graph, &number.exponent, most + 1);
    let is_at_max = is_equal(graph, &number.exponent, most);
    let fraction = graph.any(&number.fraction);
    let is_just_above = graph.and(is_at_max, fraction);
    let is_above = graph.or(!is_up_to_max, is_just_above);
    let code = choose(graph, is_below_half, &constant(0, code.len()), code);
    choose(graph, is_above, &constant(posit.nar() as i128, code.len()), &code)
}
