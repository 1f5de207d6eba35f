//! What a unit returns: operands decoded, the exact result, rounded once into the result format.

use crate::arithmetic::{Random, Rounded};
use crate::decoder::Decoder;
use crate::flags::INVALID;
use crate::posit_units::posit_parts;
use crate::{Model, Value};
use binade_spec::{Format, OutputConversion, Unit};

/// An exact product, with the flags of its making.
#[derive(Clone, Copy)]
pub(crate) struct Factors {
    pub product: Value,
    pub signals: u64,
}

impl Model {
    /// The packed results for the codes and words of the inputs.
    pub fn evaluate(&self, inputs: &[u64]) -> u64 {
        let (operands, random) = match inputs.split_last() {
            Some((&random, operands)) if self.random_bits() > 0 => (operands, Random(random)),
            _ => (inputs, Random(0)),
        };
        match (self.unit, operands) {
            (Unit::Decode | Unit::Encode | Unit::Convert, &[x]) => {
                self.packed(self.convert(x.into(), self.operand.decode(x.into()), random))
            }
            (Unit::Mul | Unit::Add, &[a, b]) => {
                self.pair([a, b], [a, b].map(|code| self.operand.decode(code.into())), random)
            }
            (Unit::Fmac | Unit::Mac, &[a, b, c]) => {
                let factors = self.factors([a, b], [a, b].map(|code| self.operand.decode(code.into())));
                self.accumulate(factors, c, self.result.decode(c.into()), random)
            }
            (Unit::PositDecoder, &[x]) => posit_parts(self.posit(), x),
            (Unit::PositEncoder, words) => self.posit_from_parts(words, random),
            (unit, operands) => panic!("{unit} does not take {} operands", operands.len()),
        }
    }

    /// [`Operation::evaluate`] for many vectors, one column an input.
    pub fn evaluate_columns(&self, inputs: &[&[u64]], results: &mut [u64]) {
        let (operands, random) = match inputs.split_last() {
            Some((random, operands)) if self.random_bits() > 0 => (operands, Some(*random)),
            _ => (inputs, None),
        };
        let random = |vector: usize| Random(random.map_or(0, |column| column[vector]));
        match (self.unit, operands) {
            (Unit::Decode | Unit::Encode | Unit::Convert, &[x]) => {
                let decoder = Decoder::new(*self.operand, results.len());
                for (vector, (y, &x)) in results.iter_mut().zip(x).enumerate() {
                    *y = self.packed(self.convert(x.into(), decoder.decode(x), random(vector)));
                }
            }
            (Unit::Mul | Unit::Add, &[a, b]) => {
                let decoder = Decoder::new(*self.operand, results.len());
                for (vector, ((y, &a), &b)) in results.iter_mut().zip(a).zip(b).enumerate() {
                    *y = self.pair([a, b], [decoder.decode(a), decoder.decode(b)], random(vector));
                }
            }
            (Unit::Fmac | Unit::Mac, &[a, b, c]) => self.accumulate_columns(a, b, c, random, results),
            (unit, columns) => {
                assert!(
                    matches!(unit, Unit::PositDecoder | Unit::PositEncoder),
                    "{unit} with {} columns",
                    columns.len()
                );
                for (vector, y) in results.iter_mut().enumerate() {
                    let words: Vec<u64> = inputs.iter().map(|column| column[vector]).collect();
                    *y = self.evaluate(&words);
                }
            }
        }
    }

    /// Exhaustive runs hold `a` and `b` still while `c` runs, so the product is kept while they do.
    fn accumulate_columns(
        &self,
        a: &[u64],
        b: &[u64],
        c: &[u64],
        random: impl Fn(usize) -> Random,
        results: &mut [u64],
    ) {
        let (factor, addend) = (Decoder::new(*self.operand, results.len()), Decoder::new(*self.result, results.len()));
        let mut codes = None;
        let mut factors = Factors { product: Value::Nan, signals: 0 };
        for (vector, (((y, &a), &b), &c)) in results.iter_mut().zip(a).zip(b).zip(c).enumerate() {
            if codes != Some([a, b]) {
                codes = Some([a, b]);
                factors = self.factors([a, b], [factor.decode(a), factor.decode(b)]);
            }
            *y = self.accumulate(factors, c, addend.decode(c), random(vector));
        }
    }

    /// `mul` and `add`.
    #[inline(always)]
    fn pair(&self, codes: [u64; 2], values: [Value; 2], mut random: Random) -> u64 {
        if self.unit == Unit::Mul {
            let Factors { product, signals } = self.factors(codes, values);
            return self.packed(self.round(product, &mut random).with_flags(signals));
        }
        let signals = codes.map(|code| self.signals(&self.operand, code.into()));
        let [a, b] = values;
        self.packed(self.sum(a, b, &mut random).with_flags(signals[0] | signals[1]))
    }

    /// The exact product of two operands.
    #[inline(always)]
    pub(crate) fn factors(&self, codes: [u64; 2], [a, b]: [Value; 2]) -> Factors {
        let product = Value::product(a, b);
        if self.flags.is_none() {
            return Factors { product, signals: 0 };
        }
        let invalid = self.invalid_if(product == Value::Nan && a != Value::Nan && b != Value::Nan);
        let signals = codes.map(|code| self.signals(&self.operand, code.into()));
        Factors { product, signals: invalid | signals[0] | signals[1] }
    }

    /// `fmac` and `mac`, the addend's code `c` decoded.
    #[inline(always)]
    fn accumulate(&self, factors: Factors, c: u64, addend: Value, mut random: Random) -> u64 {
        let mut signals = factors.signals | self.signals(&self.result, c.into());
        let product = match self.unit {
            Unit::Mac => {
                let rounded = self.round(factors.product, &mut random);
                signals |= rounded.flags;
                self.result.decode(rounded.code)
            }
            _ => factors.product,
        };
        let sum = self.sum(product, addend, &mut random).with_flags(signals);
        match &self.output {
            None => self.packed(sum),
            Some(output) => self.packed_with_output(sum, output, &mut random),
        }
    }

    /// `y`, then `flags`.
    fn packed(&self, rounded: Rounded) -> u64 {
        match self.flags {
            None => rounded.code as u64,
            Some(_) => rounded.code as u64 | rounded.flags << self.result.width(),
        }
    }

    /// `y`, then `out`, then `flags`: those of both roundings together.
    fn packed_with_output(&self, sum: Rounded, output: &OutputConversion, random: &mut Random) -> u64 {
        let conversion = Model::new(&self.output_conversion(output));
        let value = self.result.decode(sum.code);
        let code = if output.relu && value.is_negative() { self.result.zero_code(false) } else { sum.code };
        let out = conversion.convert(code, self.result.decode(code), *random);
        let flags = sum.flags | out.flags;
        sum.code as u64 | (out.code as u64 | flags << output.format.width()) << self.result.width()
    }

    /// The flag of an invalid operation, where flags are asked for.
    pub(crate) fn invalid_if(&self, condition: bool) -> u64 {
        if condition && self.flags.is_some() { INVALID } else { 0 }
    }

    /// Operating on a signalling NaN is invalid.
    pub(crate) fn signals(&self, format: &Format, code: u128) -> u64 {
        if self.flags.is_some() { self.invalid_if(format.is_signaling(code)) } else { 0 }
    }
}
