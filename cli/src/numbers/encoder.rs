//! Encodes many numbers at a time.

use super::binary64;
use crate::failure::Failure;
use crate::selection::operation;
use crate::settings::refused;
use binade_golden::{Codes, Literal, Model, Policy, Value};
use binade_spec::word::{field, limbs};
use binade_spec::{Column, ColumnMut, Format, Overflow, PositRange, Rounding, Selection, Unit};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// How numbers are rounded.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub rounding: Option<Rounding>,
    pub overflow: Overflow,
    pub posit_range: PositRange,
}

/// Formats up to this width use a table of values.
const TABLE_WIDTH: u32 = 16;

/// The numbers of a block that one task takes.
const PIECE: usize = 1 << 12;

/// Rounds numbers into a format; stochastic rounding uses its own random integers.
pub struct Encoder {
    format: Format,
    codes: Codes,
    policy: Policy,
    random: Xoshiro256PlusPlus,
    /// The values of all codes of narrow formats.
    values: Vec<f64>,
}

impl Encoder {
    pub fn new(format: Format, way: Way, seed: u64) -> Result<Encoder, Failure> {
        let Way { overflow, posit_range, .. } = way;
        let rounding = way.rounding.unwrap_or(format.default_rounding());
        format.check_rounding(rounding).map_err(refused)?;
        format.check_range(overflow, posit_range).map_err(refused)?;
        let codes = Codes::new(format);
        let count = if format.width() <= TABLE_WIDTH { 1 << format.width() } else { 0 };
        Ok(Encoder {
            format,
            codes,
            policy: Policy { rounding, overflow, posit_range, random: 0 },
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            values: (0..count).map(|code| binary64(codes.decode(code))).collect(),
        })
    }

    /// The codes of numbers given as literals.
    pub fn encode_literals(&mut self, literals: &[Literal]) -> Vec<u128> {
        let random = self.random_integers(literals.len());
        let encode = |(literal, &random): (&Literal, &u64)| {
            self.codes.encode_literal(literal, &Policy { random, ..self.policy })
        };
        literals.par_iter().zip(&random).map(encode).collect()
    }

    /// The codes of numbers given as codes of the format `source`.
    pub fn encode_codes(&mut self, source: Format, numbers: &[u64]) -> Result<Vec<u128>, Failure> {
        let Policy { rounding, overflow, posit_range, .. } = self.policy;
        let selection = Selection {
            target: Some(self.format),
            rounding: Some(rounding),
            overflow,
            posit_range,
            ..Selection::new(Unit::Convert, source)
        };
        let model = Model::new(&operation(selection)?);
        let random = self.random_integers(numbers.len());
        let pieces = numbers.par_chunks(PIECE).zip(random.par_chunks(PIECE));
        Ok(pieces.flat_map_iter(|(numbers, random)| convert(&model, numbers, random)).collect())
    }

    /// The value of a code in binary64, rounded if it is not exact.
    pub fn value(&self, code: u128) -> f64 {
        self.values.get(code as usize).copied().unwrap_or_else(|| binary64(self.codes.decode(code)))
    }

    /// The exact value of a code.
    pub fn exact_value(&self, code: u128) -> Value {
        self.codes.decode(code)
    }

    /// A code in hexadecimal.
    pub fn hex(&self, code: u128) -> String {
        self.format.hex(code)
    }

    /// `count` random integers; zeros if the rounding takes none.
    fn random_integers(&mut self, count: usize) -> Vec<u64> {
        match self.policy.rounding.random_bits() {
            0 => vec![0; count],
            bits => (0..count).map(|_| self.random.next_u64() >> (u64::BITS - bits)).collect(),
        }
    }
}

/// The codes that a conversion returns.
fn convert(model: &Model, numbers: &[u64], random: &[u64]) -> Vec<u128> {
    let width = model.operation().result.width();
    let mut words = vec![0; numbers.len() * limbs(width)];
    let inputs: Vec<Column> = [numbers, random].map(Column::narrow)[..model.operation().inputs().len()].to_vec();
    let mut output = ColumnMut { limbs: limbs(width), words: &mut words };
    model.evaluate_columns(&inputs, std::slice::from_mut(&mut output));
    if output.limbs == 1 {
        return words.into_iter().map(u128::from).collect();
    }
    (0..numbers.len()).map(|at| field(&output.word(at), 0, width)).collect()
}
