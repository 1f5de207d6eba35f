//! The line of a codebook: the nearest value by comparison with every step.

use super::{Rounded, is_inward};
use crate::number::Number;
use crate::plans::Specified;
use crate::words::{
    Word, choose, constant, difference, highest_one, is_equal, is_less, is_less_signed, raised, resized, shifted_left,
    sign_extended, sum,
};
use binade_gates::{Graph, Literal};
use binade_spec::{Codebook, Family, Listed, Overflow, Target, Ties};

/// A step of the line: from here on (or above here), the result is this code.
struct Step {
    /// The magnitude where it begins, as `n * 2^k`; `n` is 0 for zero.
    from: (u128, i32),
    is_exclusive: bool,
    code: u128,
}

/// The steps of the line of a sign, in ascending order.
fn steps(codebook: &Codebook, target: &Target, negative: bool) -> Specified<Vec<Step>> {
    let place = |place| match codebook.value_at(negative, place) {
        Some(Listed::Number { n, k, .. }) => (u128::from(n), k),
        _ => (0, 0),
    };
    let last = codebook.max_magnitude(negative);
    let mut all = vec![];
    for upper in 1..=last + 1 {
        let is_beyond = upper > last;
        let infinity = codebook.infinity(negative).filter(|_| is_beyond && target.overflow == Overflow::Inf);
        let (high, code) = match (is_beyond, infinity, codebook.place_of_infinity) {
            (false, ..) => (place(upper), codebook.code(negative, upper)),
            (true, Some(code), Some((n, k))) => ((u128::from(n), k), code),
            (true, ..) => break,
        };
        let low = place(upper - 1);
        let tie = target.rounding.facets().tie;
        let toward_zero = is_inward(target.rounding, negative, upper % 2 == 0)?;
        let (from, is_exclusive) = match (tie.is_some(), toward_zero) {
            (true, _) => (midpoint(low, high), tie == Some(Ties::ToEven) && upper % 2 == 1),
            (false, true) if is_beyond => break,
            (false, true) => (high, false),
            (false, false) => (low, true),
        };
        all.push(Step { from, is_exclusive, code });
    }
    Ok(all)
}

fn midpoint(low: (u128, i32), high: (u128, i32)) -> (u128, i32) {
    match low {
        (0, _) => (high.0, high.1 - 1),
        _ => {
            let unit = low.1.min(high.1);
            ((low.0 << (low.1 - unit)) + (high.0 << (high.1 - unit)), unit - 1)
        }
    }
}

/// The code of a number that is neither zero nor special.
pub fn code(graph: &mut Graph, codebook: &Codebook, target: &Target, number: &Number) -> Specified<Rounded> {
    let (top, string) = normalized(graph, number);
    let mut of_signs = vec![];
    for negative in [false, true] {
        let mut code = constant(codebook.zero(negative) as i128, codebook.bits as usize);
        for step in steps(codebook, target, negative)? {
            let reaches = reaches(graph, &top, &string, &step);
            code = choose(graph, reaches, &constant(step.code as i128, code.len()), &code);
        }
        of_signs.push(code);
    }
    let code = choose(graph, number.negative, &of_signs[1], &of_signs[0]);
    let [invalid, overflow, underflow, inexact] = [Literal::FALSE; 4];
    Ok(Rounded { code, invalid, overflow, underflow, inexact })
}

/// The exponent of the leading 1, and the significand with that on top.
fn normalized(graph: &mut Graph, number: &Number) -> (Word, Word) {
    let (width, length) = (number.exponent.len() + 2, number.significand.len());
    let top = resized(&highest_one(graph, &number.significand), width);
    let zeros = difference(graph, &constant(length as i128 - 1, width), &top);
    let string = shifted_left(graph, &number.significand, &zeros[..length.ilog2() as usize + 1]);
    (sum(graph, &sign_extended(&number.exponent, width), &top), string)
}

/// Whether a magnitude reaches a step.
fn reaches(graph: &mut Graph, top: &[Literal], string: &[Literal], step: &Step) -> Literal {
    let (n, k) = step.from;
    if n == 0 {
        return Literal::TRUE;
    }
    let bits = (u128::BITS - n.leading_zeros()) as usize;
    let exponent = constant(i128::from(k) + bits as i128 - 1, top.len());
    let length = string.len().max(bits);
    let [string, bound] = [(string, string.len()), (&constant(n as i128, bits), bits)]
        .map(|(word, own): (&[Literal], usize)| raised(word, length - own));
    let is_below = match step.is_exclusive {
        true => !is_less(graph, &bound, &string),
        false => is_less(graph, &string, &bound),
    };
    let differs = difference(graph, top, &exponent);
    let is_same = is_equal(graph, &differs, 0);
    let is_above = is_less_signed(graph, &exponent, top);
    let within = graph.and(is_same, !is_below);
    graph.or(is_above, within)
}
