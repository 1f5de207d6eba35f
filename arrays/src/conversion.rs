//! Conversions of arrays from one format to another.

use crate::thresholds::Thresholds;
use crate::{Arithmetic, ArrayError, CHUNK, Code, Random};
use binade_golden::Model;
use binade_spec::{Format, Operation, Unit};
use rayon::prelude::*;
use std::any::type_name;

/// Widest codes whose results are listed, and widest results that thresholds are kept of.
const MOST_LISTED_BITS: u32 = 16;

/// A conversion of numbers from one format to another, for arrays: bit for bit that of the golden model.
pub struct Conversion {
    operation: Operation,
    way: Way,
}

/// How results are found.
enum Way {
    /// The results of all codes, of up to 32 bits.
    Narrow(Vec<u32>),
    /// The results of all codes.
    Wide(Vec<u64>),
    /// Thresholds in binary32 and in binary64.
    Binary32(Thresholds<u32, 23>),
    Binary64(Thresholds<u64, 52>),
    /// The golden model is asked for each element.
    Golden(Box<Arithmetic>),
}

impl Conversion {
    /// Makes the tables of a conversion, which takes milliseconds for formats of 16 bits, and is far quicker for smaller ones.
    ///
    /// There are tables for operands of up to 16 bits, and for results of up to 16 bits from binary32 and binary64, unless they
    /// are rounded stochastically; all else is left to the golden model.
    ///
    /// # Errors
    /// When `operation` is no `decode`, `encode` or `convert` without flags, or has codes of more than 64 bits.
    pub fn new(operation: &Operation) -> Result<Conversion, ArrayError> {
        let unit = operation.unit;
        if !matches!(unit, Unit::Decode | Unit::Encode | Unit::Convert) || operation.flags.is_some() {
            return Err(ArrayError::NoConversion { unit });
        }
        let golden = Arithmetic::new(operation)?;
        Ok(Conversion { operation: *operation, way: Way::of(golden) })
    }

    /// The operation that is done.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// Converts `codes`, one element to one of `results`. Bits of a code above the format's must be 0.
    ///
    /// # Panics
    /// When the arrays' lengths differ, their elements cannot be the formats' codes, or random words are missing.
    pub fn convert<X: Code, Y: Code>(&self, codes: &[X], random: Random, results: &mut [Y]) {
        let Operation { operand, result, .. } = &self.operation;
        assert_eq!(codes.len(), results.len(), "as many results as operands");
        assert!(X::holds(operand), "codes of {operand} are no {}", type_name::<X>());
        assert!(Y::holds(result), "codes of {result} are no {}", type_name::<Y>());
        match &self.way {
            Way::Narrow(all) => each(codes, results, |code| all[code as usize].into()),
            Way::Wide(all) => each(codes, results, |code| all[code as usize]),
            Way::Binary32(thresholds) => each(codes, results, |code| thresholds.result(code as u32).into()),
            Way::Binary64(thresholds) => each(codes, results, |code| thresholds.result(code).into()),
            Way::Golden(golden) => golden.map(codes, random, results),
        }
    }
}

impl Way {
    fn of(golden: Arithmetic) -> Way {
        let model = golden.model();
        let Operation { operand, result, .. } = *model.operation();
        if model.operation().random_bits() > 0 {
            Way::Golden(golden.into())
        } else if operand.width() <= MOST_LISTED_BITS {
            if result.width() <= 32 { Way::Narrow(listed(model)) } else { Way::Wide(listed(model)) }
        } else if result.width() > MOST_LISTED_BITS {
            Way::Golden(golden.into())
        } else if operand == Format::binary32() {
            Way::Binary32(Thresholds::new(model))
        } else if operand == Format::binary64() {
            Way::Binary64(Thresholds::new(model))
        } else {
            Way::Golden(golden.into())
        }
    }
}

/// The results of all codes.
fn listed<Y: Code>(model: &Model) -> Vec<Y> {
    (0..1_u128 << model.operation().operand.width()).map(|code| Y::of(model.first_result(&[code]) as u64)).collect()
}

/// Looks each element up, on all cores.
fn each<X: Code, Y: Code>(codes: &[X], results: &mut [Y], result: impl Fn(u64) -> u64 + Sync) {
    let chunk = |(codes, results): (&[X], &mut [Y])| {
        codes.iter().zip(results).for_each(|(code, element)| *element = Y::of(result(code.word())));
    };
    if codes.len() <= CHUNK {
        return chunk((codes, results));
    }
    codes.par_chunks(CHUNK).zip(results.par_chunks_mut(CHUNK)).for_each(chunk);
}
