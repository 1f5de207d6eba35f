//! The function of every code, as the table that the circuit holds. Operands are unpacked and results encoded by the stages of any unit, which
//! are run here; only the digits between are computed otherwise.

use super::value::{DIGITS, Operand, value};
use crate::units::{
    class::Class,
    coded::Coded,
    listed::{UnpackedCode, unpacked},
    target::Target,
};
use binade_circuit::{Bits, Circuit, Int, Interpreter, concat};
use binade_spec::{Domain, Format, Function, Listed, Special};
use std::fmt;

/// Bits of exponents.
const EXPONENT_BITS: u32 = 12;

/// A result before rounding: a class, and for a number its digits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unrounded {
    pub sign: bool,
    pub is_zero: bool,
    pub is_infinite: bool,
    pub is_nan: bool,
    pub is_invalid: bool,
    pub is_pole: bool,
    pub exponent: i32,
    /// The digits, and below them whether there are more.
    pub significand: u64,
}

/// The results for all codes of a format, before rounding.
pub fn unrounded(function: Function, format: Format) -> Vec<Unrounded> {
    let codes: Vec<u64> = (0..1 << format.width()).collect();
    unpacked(format, &codes).iter().map(|code| result(code, function, format)).collect()
}

/// The function of a code.
fn result(code: &UnpackedCode, function: Function, format: Format) -> Unrounded {
    let [sign, is_zero, is_infinite, is_nan, is_invalid] = code.class;
    let operand = operand(code, format);
    let special = match () {
        () if is_nan => return Unrounded { sign, is_nan, is_invalid, ..Unrounded::default() },
        () if is_infinite && sign => function.at_minus_infinity(),
        () if is_infinite => function.at_infinity(),
        () if is_zero => function.at_zero(),
        () => special_at(function.domain(), operand),
    };
    let infinite = |sign| Unrounded { sign, is_infinite: true, ..Unrounded::default() };
    let zero = |sign| Unrounded { sign, is_zero: true, ..Unrounded::default() };
    let power = |sign, exponent| Unrounded { sign, exponent, significand: 1 << DIGITS, ..Unrounded::default() };
    let nan = Unrounded { is_nan: true, ..Unrounded::default() };
    match special {
        Special::Same if is_zero => zero(sign),
        Special::Same => infinite(sign),
        Special::Zero => zero(false),
        Special::MinusZero => zero(true),
        Special::One => power(false, 0),
        Special::MinusOne => power(true, 0),
        Special::Half => power(false, -1),
        Special::Infinity => infinite(false),
        Special::MinusInfinity => infinite(true),
        Special::Pole => Unrounded { is_pole: true, ..infinite(true) },
        Special::PoleOfZero if format.has_minus_zero() => Unrounded { is_pole: true, ..infinite(sign) },
        Special::PoleOfZero => Unrounded { is_pole: true, ..nan },
        Special::Nan => Unrounded { is_invalid: true, ..nan },
        Special::Number => match value(function, operand) {
            None => zero(false),
            Some(digits) => Unrounded {
                sign: digits.negative,
                exponent: digits.exponent,
                significand: digits.digits << 1 | u64::from(digits.has_more),
                ..Unrounded::default()
            },
        },
    }
}

/// The operand, if it is a number.
fn operand(code: &UnpackedCode, format: Format) -> Operand {
    match code.value(format) {
        Listed::Number { negative, n, k } => Operand { negative, n, k },
        _ => Operand { negative: code.class[0], n: 0, k: 0 },
    }
}

/// What a function is at a number other than zero.
fn special_at(domain: Domain, Operand { negative, n, k }: Operand) -> Special {
    let exponent = if n == 0 { 0 } else { k + n.ilog2() as i32 };
    match domain {
        Domain::Positive if negative => Special::Nan,
        Domain::AboveMinusOne if negative && exponent >= 0 => {
            if exponent == 0 && n == 1 {
                Special::Pole
            } else {
                Special::Nan
            }
        }
        Domain::All | Domain::Positive | Domain::AboveMinusOne => Special::Number,
    }
}

/// The codes of results, and the flags above them if they are selected: a word for each operand.
pub fn rounded(target: &Target, results: &[Unrounded]) -> Vec<u64> {
    let circuit = Circuit::new();
    let node = {
        let class = circuit.input("class", 6, "");
        let exponent = circuit.input("exponent", EXPONENT_BITS, "");
        let significand = circuit.input("significand", DIGITS + 1, "");
        encoded(target, class, Int::signed(exponent), significand).node()
    };
    let netlist = circuit.finish(&[("result", node, String::new())]);
    let classes = results.iter().map(Unrounded::class).collect::<Vec<_>>();
    let exponents =
        results.iter().map(|result| result.exponent as u64 & ((1 << EXPONENT_BITS) - 1)).collect::<Vec<_>>();
    let significands = results.iter().map(|result| result.significand).collect::<Vec<_>>();
    let mut words = vec![0; results.len()];
    Interpreter::new(&netlist).evaluate(&[classes, exponents, significands], &mut [&mut words]);
    words
}

impl Unrounded {
    /// The first digits of a number, and below them whether there are more.
    pub fn leading(&self, digits: u32) -> u64 {
        let below = DIGITS + 1 - digits;
        (self.significand >> below) << 1 | u64::from(self.significand & ((1 << below) - 1) != 0)
    }

    /// The bits of the class, sign first.
    pub fn class(&self) -> u64 {
        let bits = [self.sign, self.is_zero, self.is_infinite, self.is_nan, self.is_invalid, self.is_pole];
        bits.into_iter().fold(0, |word, bit| word << 1 | u64::from(bit))
    }
}

/// The rounded result, and the flags above it.
fn encoded<'c>(target: &Target, class: Bits<'c>, exponent: Int<'c>, significand: Bits<'c>) -> Bits<'c> {
    let Coded { code, flags } = super::coded(target, class, exponent, significand, None);
    flags.map_or(code, |flags| concat(&[flags, code]))
}

/// Sign and class of a result, and whether the operand is a pole.
pub fn class_of<'c>(class: Bits<'c>) -> (Class<'c>, Bits<'c>) {
    let [is_pole, is_invalid, is_nan, is_infinite, is_zero, sign] = [0, 1, 2, 3, 4, 5].map(|place| class.bit(place));
    (Class { sign, is_zero, is_infinite, is_nan, is_invalid }, is_pole)
}

/// `+ 2^3` for a number, else its class.
impl fmt::Display for Unrounded {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sign = if self.sign { "-" } else { "+" };
        match self {
            Unrounded { is_invalid: true, .. } => f.write_str("invalid"),
            Unrounded { is_nan: true, is_pole: true, .. } => f.write_str("nan, pole"),
            Unrounded { is_nan: true, .. } => f.write_str("nan"),
            Unrounded { is_pole: true, .. } => write!(f, "{sign}inf, pole"),
            Unrounded { is_infinite: true, .. } => write!(f, "{sign}inf"),
            Unrounded { significand: 0, .. } => write!(f, "{sign}0"),
            Unrounded { exponent, .. } => write!(f, "{sign} 2^{exponent}"),
        }
    }
}
