//! Posit, b-posit or takum to exponent and signed significand.
//!
//! ```text
//!   | sign | regime: r equal bits, then the opposite | exponent | fraction |
//! ```

use super::{bounded, run::strip_run};
use binade_circuit::{Bits, Int, Optimize, concat};
use binade_spec::{Format, Posit};

/// An unpacked posit. Exponent and fraction are undefined for NaR.
#[derive(Clone, Copy)]
pub struct PositOperand<'c> {
    pub sign: Bits<'c>,
    pub is_zero: Bits<'c>,
    pub is_nar: Bits<'c>,
    /// The exponent without the scale, in two's complement. For zero, it is at most the least exponent of a number.
    pub exponent: Bits<'c>,
    /// `None` if the fraction never has a bit.
    pub fraction: Option<Bits<'c>>,
}

/// Fraction bits with the shortest regime.
pub fn fraction_bits(posit: &Posit) -> u32 {
    posit.precision() - 1
}

impl<'c> PositOperand<'c> {
    /// Unpacks `code`; the signals are named after the operand.
    pub fn new(posit: &Posit, code: Bits<'c>, operand: &str) -> PositOperand<'c> {
        code.circuit().section(&format!(
            "Unpack {operand} ({posit_name}) in two's complement",
            posit_name = Format::from(*posit)
        ));
        let name = |part: &str| format!("{operand}_{part}");
        let sign = code.msb().named(name("sign"));
        let body = code.low(posit.bits - 1);
        let fields = match posit.has_bound() {
            true => bounded_fields(posit, body, sign, operand),
            false => run_fields(posit, body, sign, operand),
        };
        let is_special = fields.is_special.named(name("is_special"));
        PositOperand {
            sign,
            is_zero: (is_special & !sign).named(name("is_zero")),
            is_nar: (is_special & sign).named(name("is_nar")),
            exponent: fields.exponent,
            fraction: fields.fraction.map(|fraction| fraction.named(name("fraction"))),
        }
    }

    /// Sign, a digit of weight 1, and the fraction. The first two are 01 for a positive number, 10 for a negative
    /// number and 00 for zero.
    pub fn significand(&self) -> Bits<'c> {
        let one = !(self.sign | self.is_zero);
        match self.fraction {
            Some(fraction) => concat(&[self.sign, one, fraction]),
            None => concat(&[self.sign, one]),
        }
    }

    /// The exponent of a number, with its bounds.
    pub fn bounded_exponent(&self, posit: &Posit) -> Int<'c> {
        let [least, most] = exponents(posit);
        Int::signed(self.exponent).within(least, most)
    }
}

/// The bounds of the exponents of numbers, without the scale. Those of negative numbers are complements.
pub fn exponents(posit: &Posit) -> [i64; 2] {
    let [least, most] = [posit.min_exponent(), posit.max_exponent()].map(|exponent| exponent - i64::from(posit.scale));
    [least.min(!most), most.max(!least)]
}

/// The parts of a code.
struct Fields<'c> {
    is_special: Bits<'c>,
    exponent: Bits<'c>,
    fraction: Option<Bits<'c>>,
}

/// The fields of a posit, from the code below its sign.
fn run_fields<'c>(posit: &Posit, body: Bits<'c>, sign: Bits<'c>, operand: &str) -> Fields<'c> {
    let circuit = body.circuit();
    let name = |part: &str| format!("{operand}_{part}");
    let first = body.msb().named(name("first"));
    let width = posit.bits - 2;
    let (stripped, length) = strip_run(body.low(width), first, width, &name("regime"));
    // After the bit that ends the run.
    let payload = if width > 1 { stripped.low(width - 1) } else { circuit.zero() };
    let (exponent_bits, fraction_bits) = (posit.exponent_bits(), fraction_bits(posit));
    let payload = payload.zeros_below((exponent_bits + fraction_bits).saturating_sub(payload.width()));

    // A run of r ones means r - 1, a run of r zeros -r, which is all bits inverted. If the posit is negative,
    // everything is inverted again.
    let is_below_one = (!(first ^ sign)).named(name("is_below_one"));
    let regime = length ^ is_below_one.repeat(length.width());
    let exponent = match exponent_bits {
        0 => concat(&[is_below_one, regime]),
        bits => concat(&[is_below_one, regime, payload.high(bits) ^ sign.repeat(bits)]),
    };
    let parts = [(1, "sign"), (length.width(), "for the length of the regime"), (exponent_bits, "of exponent")];
    let below_exponent = payload.width() - exponent_bits;
    let fraction = (fraction_bits > 0).then(|| payload.low(below_exponent).high(fraction_bits));
    Fields {
        // Zeros follow after the end of the code: only a run of zeros continues there.
        is_special: match circuit.optimize() {
            Optimize::Area if width < (1 << length.width()) - 1 => length.all(),
            Optimize::Area => length.all() & !first,
            Optimize::Depth => body.none(),
        },
        exponent: exponent.made_of(name("exponent"), &parts),
        fraction,
    }
}

/// The fields of a b-posit or takum, from the code below its sign: the exponent of a negative number is inverted.
fn bounded_fields<'c>(posit: &Posit, body: Bits<'c>, sign: Bits<'c>, operand: &str) -> Fields<'c> {
    let bounded::BoundedFields { exponent, fraction } = bounded::fields(posit, body, operand);
    let exponent = exponent ^ sign.repeat(exponent.width());
    Fields { is_special: body.none(), exponent: exponent.named(format!("{operand}_exponent")), fraction }
}
