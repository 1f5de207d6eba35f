//! Running sums.

use crate::{ArrayError, Code, Words};
use binade_golden::Model;
use binade_spec::{Column, ColumnMut, Operation, Rounding, Unit};
use rayon::prelude::*;

/// The unit `accumulate` for arrays: the sums of each line, from its first number on.
pub struct RunningSums {
    model: Model,
}

impl RunningSums {
    /// The sums of `operation`.
    ///
    /// # Errors
    /// When it is not an `accumulate` without flags and random bits, of codes of up to 64 bits.
    pub fn new(operation: &Operation) -> Result<RunningSums, ArrayError> {
        let has_more = operation.flags.is_some() || operation.random_bits() > 0 || operation.rounding == Rounding::Any;
        if operation.unit != Unit::Accumulate || has_more {
            return Err(ArrayError::NoRunningSum { unit: operation.unit });
        }
        if operation.has_choices() {
            return Err(ArrayError::ChosenFormat);
        }
        let wide = [operation.inputs()[0], operation.outputs()[0]].into_iter().find(|port| port.width() > u64::BITS);
        match wide {
            Some(port) => Err(ArrayError::TooWide { port: port.name.into(), width: port.width() }),
            None => Ok(RunningSums { model: Model::new(operation) }),
        }
    }

    /// The operation computed.
    pub fn operation(&self) -> &Operation {
        self.model.operation()
    }

    /// Computes the sums of lines of `length` codes. The first number of a line is rounded alone.
    ///
    /// # Panics
    /// When lengths do not match, or an element is narrower than the result.
    pub fn evaluate<Y: Code>(&self, codes: Words, length: usize, results: &mut [Y]) {
        assert_eq!(codes.len(), results.len(), "as many results as codes");
        assert!(self.operation().result.width() <= Y::BITS, "results are wider than {} bits", Y::BITS);
        if results.is_empty() {
            return;
        }
        assert_eq!(codes.len() % length, 0, "lines of {length} codes");
        results.par_chunks_mut(length).enumerate().for_each(|(line, results)| {
            let x: Vec<u64> = (0..length).map(|at| codes.word(line * length + at)).collect();
            let clear: Vec<u64> = (0..length).map(|at| u64::from(at == 0)).collect();
            let mut sums = vec![0; length];
            let inputs = [&x, &clear].map(|words| Column { limbs: 1, words });
            self.model.evaluate_columns(&inputs, &mut [ColumnMut { limbs: 1, words: &mut sums }]);
            results.iter_mut().zip(sums).for_each(|(result, sum)| *result = Y::of(sum));
        });
    }
}
