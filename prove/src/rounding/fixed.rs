//! The code line of a fixed-point format: integers in units of an ulp, up to the ends of the range.

use super::{Place, Rounded, fraction_bits, goes_up, is_inexact, stepped};
use crate::number::Number;
use crate::plans::Specified;
use crate::words::{
    choose, constant, difference, is_less, negated_if, plus, raised, resized, shifted_down, sign_extended,
};
use binade_gates::{Graph, Literal};
use binade_spec::{Fixed, Sign, Target};

/// The code of a number that is neither zero nor special.
pub fn code(
    graph: &mut Graph,
    fixed: &Fixed,
    target: &Target,
    number: &Number,
    random: &[Literal],
) -> Specified<Rounded> {
    let (place, is_far) = place(graph, fixed, target, number);
    let up = goes_up(graph, &place, None, target.rounding, number.negative, random)?;
    let magnitude = stepped(graph, &place.code, up);
    let [plus_limit, minus_limit] =
        [false, true].map(|negative| constant(fixed.max_magnitude(negative) as i128, magnitude.len()));
    let limit = choose(graph, number.negative, &minus_limit, &plus_limit);
    let above = is_less(graph, &limit, &magnitude);
    let invalid = graph.or(above, is_far);
    let magnitude = choose(graph, invalid, &limit, &magnitude);
    let is_negated = match fixed.sign {
        Sign::Signed => number.negative,
        Sign::Unsigned => Literal::FALSE,
    };
    let code = negated_if(graph, is_negated, &resized(&magnitude, fixed.bits as usize));
    let is_between = is_inexact(graph, &place);
    let inexact = graph.and(is_between, !invalid);
    Ok(Rounded { code, invalid, overflow: Literal::FALSE, underflow: Literal::FALSE, inexact })
}

/// Where a magnitude lies, and whether it is too far beyond the range for a place.
fn place(graph: &mut Graph, fixed: &Fixed, target: &Target, number: &Number) -> (Place, Literal) {
    let fraction_bits = fraction_bits(target);
    // The significand is shifted down from this many places above the ulp.
    let above = fixed.bits as usize + 1;
    let width = number.exponent.len() + 1;
    let in_ulps = plus(graph, &sign_extended(&number.exponent, width), fixed.fraction_bits.into());
    let distance = difference(graph, &constant(above as i128, width), &in_ulps);
    let (places, is_far) = distance.split_at(width - 1);
    let string = raised(&number.significand, above + fraction_bits);
    let (string, sticky) = shifted_down(graph, &string, places, Literal::FALSE);
    let (fraction, integer) = string.split_at(fraction_bits);
    let code = resized(integer, integer.len() + 1);
    (Place { code, fraction: fraction.to_vec(), sticky, first_step: None }, is_far[0])
}
