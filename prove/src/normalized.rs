//! All numbers of a format that a unit normalizes, as one set: a significand with leading 1, and an exponent. The code
//! is derived from these, so that the unit's normalization can be compared with them. Subnormals and posits of any
//! regime are included; where the code has fewer bits than the significand, the others are 0.

use crate::pieces::{Parts, Subnormals, pieces, significand};
use crate::tapered::bit_string;
use crate::words::{
    Word, bits_of, choose, constant, difference, inverted, is_below, is_less, is_within, negated_if, plus, raised,
    shifted_down, shifted_right, sign_extended,
};
use binade_gates::{Graph, Literal};
use binade_spec::{Float, Format, Posit};
use std::fmt;
use std::ops::RangeInclusive;

/// Numbers of a format with one sign, or both.
#[derive(Clone, Copy, Debug)]
pub enum Wide {
    /// Ordinary binades and subnormals.
    Float(Float),
    /// Positive or negative posits.
    Posit(Posit, bool),
    /// Posits of either sign, by their magnitudes.
    PositMagnitude(Posit),
}

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Wide::Float(_) | Wide::PositMagnitude(_) => "normalized",
            Wide::Posit(_, false) => "positive",
            Wide::Posit(_, true) => "negative",
        })
    }
}

impl Wide {
    /// The sets that a format is cut into, empty if units normalize none of its numbers. Posits are read with their
    /// signs if the result is a posit, too.
    pub fn all(format: &Format, result: &Format) -> Vec<Wide> {
        match (format, result) {
            (Format::Float(float), _) if float.underflows_gradually() && float.trailing_bits > 0 => {
                vec![Wide::Float(*float)]
            }
            (Format::Float(_) | Format::Fixed(_) | Format::Codebook(_), _) => vec![],
            (Format::Posit(posit), Format::Float(_) | Format::Fixed(_) | Format::Codebook(_)) => {
                vec![Wide::PositMagnitude(*posit)]
            }
            (Format::Posit(posit), Format::Posit(_)) => {
                [false, true].map(|is_negative| Wide::Posit(*posit, is_negative)).to_vec()
            }
        }
    }

    /// Bits of the significand's fraction, which are free.
    pub fn free_bits(&self) -> usize {
        match self {
            Wide::Float(float) => float.trailing_bits as usize,
            Wide::Posit(posit, _) | Wide::PositMagnitude(posit) => posit.precision() as usize - 1,
        }
    }

    /// Bits of the significand's magnitude.
    pub fn significand_bits(&self) -> usize {
        self.free_bits() + if let Wide::Posit(_, true) = self { 2 } else { 1 }
    }

    /// The exponents of the significand's last place.
    pub fn exponents(&self) -> RangeInclusive<i128> {
        let powers = self.powers();
        *powers.start() + self.origin()..=*powers.end() + self.origin()
    }

    /// Exponents as they are coded: for a float its exponent field, continued below 0 for subnormals.
    fn powers(&self) -> RangeInclusive<i128> {
        match self {
            Wide::Float(float) => {
                let first_upper = (1_i128 << float.exponent_bits) - i128::from(float.binades_above);
                let last = (float.max_code() >> float.trailing_bits) as i128;
                1 - self.free_bits() as i128..=last.min(first_upper - 1)
            }
            Wide::Posit(posit, true) => {
                let powers = powers_of_posit(posit);
                -1 - powers.end()..=-1 - powers.start()
            }
            Wide::Posit(posit, false) | Wide::PositMagnitude(posit) => powers_of_posit(posit),
        }
    }

    /// The exponent of the significand's last place at power 0.
    fn origin(&self) -> i128 {
        let of_one = match self {
            Wide::Float(float) => -i128::from(float.bias),
            Wide::Posit(posit, _) | Wide::PositMagnitude(posit) => i128::from(posit.scale),
        };
        of_one - self.free_bits() as i128
    }

    /// The width of a power in two's complement.
    pub fn power_bits(&self) -> usize {
        let powers = self.powers();
        bits_of(*powers.start()).max(bits_of(*powers.end()))
    }

    /// The number with this power, in two's complement, and this fraction.
    pub fn code(&self, graph: &mut Graph, power: &[Literal], fraction: &[Literal], width: usize) -> Parts {
        let power = sign_extended(power, width);
        let exponent = plus(graph, &power, self.origin());
        self.parts(graph, &power, fraction, exponent)
    }

    /// The number with this fraction, whose last place has this exponent.
    pub fn code_at(&self, graph: &mut Graph, exponent: &[Literal], fraction: &[Literal]) -> Parts {
        let power = plus(graph, exponent, -self.origin());
        self.parts(graph, &power, fraction, exponent.to_vec())
    }

    /// Power and fraction of a code, given as the bits below its sign, and the sign.
    pub fn read(&self, graph: &mut Graph, body: &[Literal], sign: &[Literal], width: usize) -> (Word, Word) {
        let sign = sign.first().copied().unwrap_or(Literal::FALSE);
        let (format, body, sign) = match self {
            Wide::Float(float) => (Format::Float(*float), body.to_vec(), sign),
            Wide::Posit(posit, _) => (Format::Posit(*posit), body.to_vec(), sign),
            Wide::PositMagnitude(posit) => (Format::Posit(*posit), negated_if(graph, sign, body), Literal::FALSE),
        };
        let (mut power, mut fraction) = (vec![], vec![]);
        for piece in pieces(&format, Subnormals::Apart) {
            let parts = piece.parts(graph, &body, sign, width);
            let places = self.free_bits() - parts.fraction.len();
            let of_piece = plus(graph, &parts.exponent, -self.origin() - places as i128);
            power = choose(graph, parts.belongs, &of_piece, &power);
            fraction = choose(graph, parts.belongs, &raised(&parts.fraction, places), &fraction);
        }
        (power, fraction)
    }

    fn parts(&self, graph: &mut Graph, power: &[Literal], fraction: &[Literal], exponent: Word) -> Parts {
        let powers = self.powers();
        let in_range = is_within(graph, power, *powers.start(), *powers.end());
        let (sign, (body, is_code)) = match self {
            Wide::Float(float) => (None, float_body(graph, float, power, fraction)),
            Wide::Posit(posit, is_negative) => {
                (Some(*is_negative), posit_body(graph, posit, *is_negative, power, fraction))
            }
            Wide::PositMagnitude(posit) => (None, posit_body(graph, posit, false, power, fraction)),
        };
        let belongs = graph.and(in_range, is_code);
        let significand = significand(graph, sign, Literal::TRUE, fraction);
        Parts { body, sign, significand, fraction: fraction.to_vec(), exponent, belongs }
    }
}

/// The powers of positive numbers.
fn powers_of_posit(posit: &Posit) -> RangeInclusive<i128> {
    let power = |exponent: i64| i128::from(exponent) - i128::from(posit.scale);
    power(posit.min_exponent())..=power(posit.max_exponent())
}

/// The bits below the sign, and whether such a number exists.
fn float_body(graph: &mut Graph, float: &Float, power: &[Literal], fraction: &[Literal]) -> (Word, Literal) {
    let t = fraction.len();
    let is_subnormal = is_below(graph, power, 1);
    let one = constant(1, power.len());
    let places = difference(graph, &one, power);
    let significand = [fraction.to_vec(), vec![Literal::TRUE]].concat();
    let (shifted, lost) = shifted_right(graph, &significand, &places[..t.ilog2() as usize + 1], t);
    let trailing = choose(graph, is_subnormal, &shifted, fraction);
    let field = choose(graph, is_subnormal, &[], &power[..float.exponent_bits as usize]);
    let body = [trailing, field].concat();
    let above = is_less(graph, &constant(float.max_code() as i128, body.len()), &body);
    let is_cut = graph.and(is_subnormal, lost);
    (body, graph.and(!above, !is_cut))
}

/// The bits below the sign, and whether such a posit exists.
fn posit_body(
    graph: &mut Graph,
    posit: &Posit,
    is_negative: bool,
    power: &[Literal],
    fraction: &[Literal],
) -> (Word, Literal) {
    let bits = posit.bits as usize - 1;
    let read = if is_negative { inverted(power) } else { power.to_vec() };
    if posit.has_bound() {
        let (_, body, rest) = bit_string(graph, posit, &read, fraction, bits);
        let is_zero = !graph.any(&body);
        return (body, !graph.or(rest, is_zero));
    }
    let (field, regime) = read.split_at(posit.exponent_bits() as usize);
    let is_low = regime[regime.len() - 1];
    // The run has one bit less than the shift: `10` or `01`, exponent field and fraction are shifted down.
    let run: Word = regime.iter().map(|&bit| graph.xor(bit, is_low)).collect();
    let string = [fraction.to_vec(), field.to_vec(), vec![is_low, !is_low]].concat();
    let string = raised(&string, bits.saturating_sub(string.len()));
    let (string, lost) = shifted_down(graph, &string, &run[..bits.ilog2() as usize + 1], !is_low);
    let (rest, body) = string.split_at(string.len() - bits);
    let rest = graph.any(rest);
    (body.to_vec(), !graph.or(lost, rest))
}
