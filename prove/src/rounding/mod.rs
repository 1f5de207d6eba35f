//! Rounding in a circuit: where an exact magnitude lies on the line of magnitude codes, to which neighbour it is
//! rounded, and what lies beyond the ends of the line.

//!
//! | file | what it holds |
//! |---|---|
//! | `float.rs` | the code line of a float, and beyond its ends |
//! | `posit.rs` | the code line of a posit: its bit string |
//! | `fixed.rs` | the code line of a fixed-point format |
//! | `codebook.rs` | the lines of a codebook |

mod codebook;
mod fixed;
mod float;
mod posit;

use crate::number::Number;
use crate::plans::{NotSpecified, Specified};
use crate::words::{
    Multiplier, Word, bits_of, choose, constant, inverted, is_equal, is_less, is_within, product, resized,
};
use binade_gates::{Graph, Literal};
use binade_spec::{Float, Format, Inward, NanResult, Rounding, Target};

/// A code, and the flags of the rounding.
#[derive(Clone, Debug)]
pub struct Rounded {
    /// The code.
    pub code: Word,
    /// Whether the result is beyond the range of a fixed-point format, or is converted to one without being a number.
    pub invalid: Literal,
    /// The overflow flag.
    pub overflow: Literal,
    /// The underflow flag.
    pub underflow: Literal,
    /// The inexact flag.
    pub inexact: Literal,
}

/// A place on the line of magnitude codes: a code, in two's complement, and a fraction of the distance to the next.
struct Place {
    code: Word,
    /// The first bits of the fraction, highest last; at least one.
    fraction: Word,
    /// Whether any lower bit of the fraction is 1.
    sticky: Literal,
    /// The first step, where the fraction is not binary.
    first_step: Option<FirstStep>,
}

/// The gap between zero and the smallest value of a format without subnormals, in stochastic rounding.
struct FirstStep {
    /// Whether the magnitude lies in the gap.
    is_there: Literal,
    /// The magnitude, rounded down, in units of the random bits.
    count: Word,
    /// The smallest value in units of the last place.
    way: u128,
}

impl FirstStep {
    /// Whether `count / way` plus the random fraction is 1 or more.
    fn goes_up(&self, graph: &mut Graph, random: &[Literal]) -> Literal {
        let inverted = inverted(random);
        let all = resized(&inverted, random.len() + 1);
        // 1 minus the random fraction, times the gap.
        let lacking = graph.add(&all, &constant(0, all.len()), Literal::TRUE).0;
        let needed = product(graph, Multiplier::Rows, &constant(self.way as i128, bits_of(self.way as i128)), &lacking);
        !is_less(graph, &self.count, &needed)
    }
}

/// The code of a number.
///
/// # Errors
/// When port `rm` chooses the rounding.
pub fn rounded(graph: &mut Graph, target: &Target, number: &Number, random: &[Literal]) -> Specified<Rounded> {
    let format = &target.format;
    let width = format.width() as usize;
    let fixed = |code: u128| constant(code as i128, width);
    let mut result = if number.significand.is_empty() {
        let [invalid, overflow, underflow, inexact] = [Literal::FALSE; 4];
        Rounded { code: fixed(0), invalid, overflow, underflow, inexact }
    } else {
        match format {
            Format::Float(float) => float::code(graph, float, target, number, random)?,
            Format::Posit(posit) => posit::code(graph, posit, target, number, random)?,
            Format::Fixed(format) => fixed::code(graph, format, target, number, random)?,
            Format::Codebook(codebook) => codebook::code(graph, codebook, target, number)?,
        }
    };
    let zero = choose(graph, number.negative, &fixed(format.zero_code(true)), &fixed(format.zero_code(false)));
    let infinite = match format {
        Format::Float(float) => {
            let [plus, minus] =
                [false, true].map(|negative| fixed(float::infinite_code(float, negative, target.overflow)));
            choose(graph, number.negative, &minus, &plus)
        }
        Format::Posit(posit) => fixed(posit.nar()),
        Format::Fixed(format) => {
            let [plus, minus] =
                [false, true].map(|negative| fixed(format.with_sign(negative, format.max_magnitude(negative))));
            choose(graph, number.negative, &minus, &plus)
        }
        Format::Codebook(codebook) => {
            let [plus, minus] = [false, true].map(|negative| fixed(codebook.infinite_code(negative, target.overflow)));
            choose(graph, number.negative, &minus, &plus)
        }
    };
    result.code = choose(graph, number.zero, &zero, &result.code);
    result.code = choose(graph, number.infinite, &infinite, &result.code);
    // RISC-V's integers have the largest value in place of NaN.
    let nan = match (target.nan, format) {
        (NanResult::Riscv, Format::Fixed(_)) => format.largest_code(),
        _ => format.nan_or_zero_code(),
    };
    result.code = choose(graph, number.nan, &fixed(nan), &result.code);
    let is_special = graph.any(&[number.zero, number.infinite, number.nan]);
    for flag in [&mut result.invalid, &mut result.overflow, &mut result.underflow, &mut result.inexact] {
        *flag = graph.and(*flag, !is_special);
    }
    if format.fixed().is_some() {
        result.invalid = graph.any(&[result.invalid, number.nan, number.infinite]);
    }
    Ok(result)
}

/// Bits of the fraction that rounding uses: as many as random bits are added to, else one.
fn fraction_bits(target: &Target) -> usize {
    target.rounding.tail_bits() as usize
}

/// Whether the place lies between two codes.
fn is_inexact(graph: &mut Graph, place: &Place) -> Literal {
    let fraction = graph.any(&place.fraction);
    graph.or(fraction, place.sticky)
}

/// Whether random bits plus a fraction carry, where the fraction's last bit is a half that is rounded up if `takes_half`.
fn with_random(graph: &mut Graph, place: &Place, takes_half: Literal, random: &[Literal]) -> Literal {
    let (&half, fraction) = place.fraction.split_first().expect("a bit of the fraction");
    let one_more = graph.and(half, takes_half);
    graph.add(fraction, random, one_more).1
}

const BY_PORT: NotSpecified =
    NotSpecified("a unit whose port `rm` chooses the rounding has a specification for each value of it");

/// Whether a rounding takes the inner neighbour, without a look at the distance; in rounding to odd, if the code of that is odd.
fn is_inward(rounding: Rounding, negative: bool, inner_is_odd: bool) -> Specified<bool> {
    match rounding.facets().inward {
        Inward::Never => Ok(false),
        Inward::Always => Ok(true),
        Inward::IfNegative => Ok(negative),
        Inward::IfPositive => Ok(!negative),
        Inward::IfOdd => Ok(inner_is_odd),
        Inward::ByPort => Err(BY_PORT),
    }
}

/// Whether a magnitude at a place is rounded up to the next code.
fn goes_up(
    graph: &mut Graph,
    place: &Place,
    float: Option<&Float>,
    rounding: Rounding,
    negative: Literal,
    random: &[Literal],
) -> Specified<Literal> {
    let (&guard, below) = place.fraction.split_last().expect("at least one bit of the fraction");
    let below = graph.any(below);
    let below = graph.or(below, place.sticky);
    let inexact = graph.or(guard, below);
    let odd = place.code[0];
    Ok(match rounding {
        Rounding::Rne => {
            let beyond_tie = graph.or(below, odd);
            graph.and(guard, beyond_tie)
        }
        Rounding::Rna | Rounding::Rnu => guard,
        Rounding::Rtz => Literal::FALSE,
        Rounding::Rup => graph.and(inexact, !negative),
        Rounding::Rdn => graph.and(inexact, negative),
        Rounding::Rto => graph.and(inexact, !odd),
        Rounding::Any => return Err(BY_PORT),
        Rounding::Sr(_) => {
            let up = graph.add(&place.fraction, random, Literal::FALSE).1;
            place.first_step.as_ref().map_or(up, |step| {
                let of_step = step.goes_up(graph, random);
                graph.mux(step.is_there, of_step, up)
            })
        }
        Rounding::Srb(_) => with_random(graph, place, Literal::TRUE, random),
        Rounding::Src(_) => {
            let to_odd = graph.or(place.sticky, place.fraction[1]);
            with_random(graph, place, to_odd, random)
        }
        Rounding::Mptorch => {
            let float = float.expect("only floats are rounded so");
            let to_even = goes_up(graph, place, Some(float), Rounding::Rne, negative, random)?;
            let (first, last) = (float.first_ordinary_code() as i128, float.first_upper_code() as i128 - 1);
            let is_ordinary = is_within(graph, &place.code, first, last);
            let up = graph.mux(is_ordinary, to_even, guard);
            let is_largest = is_equal(graph, &place.code, float.max_code() as i128);
            let up = graph.mux(is_largest, inexact, up);
            let is_zero = is_equal(graph, &place.code, 0);
            graph.and(up, !is_zero)
        }
    })
}

/// The code itself, or the next one.
fn stepped(graph: &mut Graph, code: &[Literal], up: Literal) -> Word {
    graph.add(code, &constant(0, code.len()), up).0
}
