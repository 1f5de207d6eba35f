//! Conversions of arrays between formats.

use crate::prefixes::{Longer, Shorter};
use crate::stochastic::Stochastic;
use crate::thresholds::Thresholds;
use crate::{Arithmetic, ArrayError, CHUNK, Code, Random};
use binade_golden::Model;
use binade_spec::{Format, Operation, Term};
use rayon::prelude::*;
use std::any::type_name;

/// The widest operands with a table of results, and the widest results with thresholds.
const MOST_LISTED_BITS: u32 = 16;

/// A conversion of arrays from one format to another, bit for bit as in the golden model.
pub struct Conversion {
    operation: Operation,
    way: Way,
}

/// How results are computed.
enum Way {
    /// A table of all results, of up to 32 bits.
    Narrow(Vec<u32>),
    /// A table of all results.
    Wide(Vec<u64>),
    /// Thresholds in binary32 and in binary64.
    Binary32(Thresholds<u32, 23>),
    Binary64(Thresholds<u64, 52>),
    /// The codes of one format are the first bits of those of binary32.
    Longer(Longer),
    Shorter(Shorter),
    /// Random bits are added to the place of binary32's number among the codes.
    Stochastic(Stochastic),
    /// The golden model evaluates each element.
    Golden(Box<Arithmetic>),
}

impl Conversion {
    /// Prepares the tables of a conversion, which takes milliseconds for formats of 16 bits, and much less for smaller ones.
    ///
    /// There are tables for operands of up to 16 bits, and for results of up to 16 bits from binary32 and binary64, unless rounding is
    /// stochastic. Between binary32 and formats whose codes are its first bits, and for stochastic rounding from binary32 to floats with
    /// subnormals or supernormals and posits, of up to 16 bits, results are computed; all other conversions use the golden model.
    ///
    /// # Errors
    /// When `operation` is not a `decode`, `encode` or `convert` without flags, or has codes of more than 64 bits.
    pub fn new(operation: &Operation) -> Result<Conversion, ArrayError> {
        let formula = operation.formula().filter(|_| operation.flags.is_none());
        if !formula.is_some_and(|formula| matches!(formula.terms(), [Term::Operand { .. }, Term::Convert { .. }])) {
            return Err(ArrayError::NoConversion { unit: operation.unit });
        }
        let golden = Arithmetic::new(operation)?;
        Ok(Conversion { operation: *operation, way: Way::of(golden) })
    }

    /// The operation computed.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// Converts each element of `codes` to an element of `results`. Bits of a code above the format's width must be 0.
    ///
    /// # Panics
    /// When the lengths differ, the elements cannot hold the formats' codes, or random words are missing.
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
            &Way::Longer(way) => each(codes, results, move |code| way.result(code as u32).into()),
            &Way::Shorter(way) => each(codes, results, move |code| way.result(code as u32).into()),
            Way::Stochastic(way) => each_random(codes, random, way, results),
            Way::Golden(golden) => golden.map(codes, random, results),
        }
    }
}

impl Way {
    fn of(golden: Arithmetic) -> Way {
        let model = golden.model();
        let Operation { operand, result, .. } = *model.operation();
        if model.operation().random_bits() > 0 {
            Stochastic::of(model).map_or_else(|| Way::Golden(golden.into()), Way::Stochastic)
        } else if let Some(way) = Longer::of(model) {
            Way::Longer(way)
        } else if let Some(way) = Shorter::of(model) {
            Way::Shorter(way)
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

/// Computes the result of each element on all cores.
fn each<X: Code, Y: Code>(codes: &[X], results: &mut [Y], result: impl Fn(u64) -> u64 + Sync + Copy) {
    let chunk = |(codes, results): (&[X], &mut [Y])| {
        // A copy: what the function holds is not among the results.
        let own = result;
        codes.iter().zip(results).for_each(|(code, element)| *element = Y::of(own(code.word())));
    };
    if codes.len() <= CHUNK {
        return chunk((codes, results));
    }
    codes.par_chunks(CHUNK).zip(results.par_chunks_mut(CHUNK)).for_each(chunk);
}

/// Computes the stochastically rounded result of each element on all cores.
fn each_random<X: Code, Y: Code>(codes: &[X], random: Random, way: &Stochastic, results: &mut [Y]) {
    random.check(way.random_bits(), results.len());
    codes.par_chunks(CHUNK).zip(results.par_chunks_mut(CHUNK)).enumerate().for_each(|(chunk, (codes, results))| {
        let mut words = vec![0; results.len()];
        random.words(way.random_bits(), chunk * CHUNK, &mut words);
        for ((code, element), word) in codes.iter().zip(results).zip(words) {
            *element = Y::of(way.result(code.word() as u32, word).into());
        }
    });
}
