//! Units of the golden model applied to columns of codes.

use crate::matrix::Matrix;
use binade_golden::Model;
use binade_spec::word::limbs;
use binade_spec::{
    Algorithm, Column, ColumnMut, Format, Operation, OperationError, Selection, Summation, Unit, UpdateRule,
};
use serde::Serialize;
use std::fmt;

/// A unit that takes a column of codes at each input port, and returns one for each output. Codes have up to 64 bits.
struct Columns {
    model: Model,
    outputs: usize,
}

impl Columns {
    fn new(operation: &Operation) -> Columns {
        Columns { model: Model::new(operation), outputs: operation.outputs().len() }
    }

    /// The results for a column of `count` vectors. A port with several lanes has several words per vector.
    fn results(&self, inputs: &[Column], count: usize) -> Vec<Vec<u64>> {
        let mut outputs = vec![vec![0; count]; self.outputs];
        let mut columns: Vec<ColumnMut> = outputs.iter_mut().map(|words| ColumnMut::narrow(words)).collect();
        self.model.evaluate_columns(inputs, &mut columns);
        outputs
    }

    fn narrow(&self, inputs: &[&[u64]]) -> Vec<Vec<u64>> {
        let columns: Vec<Column> = inputs.iter().map(|words| Column::narrow(words)).collect();
        self.results(&columns, inputs[0].len())
    }
}

/// Codes of binary32.
fn codes(numbers: &[f32]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits().into()).collect()
}

fn numbers(codes: &[u64]) -> Vec<f32> {
    codes.iter().map(|&code| f32::from_bits(code as u32)).collect()
}

/// Packs codes of this width side by side into 64-bit limbs.
fn lanes(codes: &[u64], width: u32) -> Vec<u64> {
    let mut word = vec![0; limbs(codes.len() as u32 * width)];
    for (lane, &code) in (0..).zip(codes) {
        let (limb, place) = ((lane * width / 64) as usize, lane * width % 64);
        word[limb] |= code << place;
        if place + width > 64 {
            word[limb + 1] |= code >> (64 - place);
        }
    }
    word
}

/// Arithmetic in binary32, as in accumulators.
pub struct Wide {
    dot: Columns,
    mul: Columns,
    add: Columns,
}

/// The format binary32.
fn binary32() -> Format {
    "binary32".parse().expect("a format")
}

impl Wide {
    /// Units for sums of this many products.
    ///
    /// # Errors
    /// When there is no such dot product.
    pub fn new(lanes: u32) -> Result<Wide, OperationError> {
        let unit = |unit| Selection::new(unit, binary32());
        let dot = Selection { lanes: Some(lanes), summation: Some(Summation::Chain), ..unit(Unit::Dot) };
        Ok(Wide {
            dot: Columns::new(&dot.operation()?),
            mul: Columns::new(&unit(Unit::Mul).operation()?),
            add: Columns::new(&unit(Unit::Add).operation()?),
        })
    }

    /// `addend + a[0]*b[0] + ..`, one fused multiply-add after the other.
    pub fn dot(&self, a: &[f32], b: &[f32], addend: f32) -> f32 {
        let (a, b, addend) = (lanes(&codes(a), 32), lanes(&codes(b), 32), codes(&[addend]));
        let word = |words| Column { limbs: a.len(), words };
        numbers(&self.dot.results(&[word(&a), word(&b), Column::narrow(&addend)], 1)[0])[0]
    }

    /// The products of a column with a factor.
    pub fn scaled(&self, factor: f32, column: &[f32]) -> Vec<f32> {
        numbers(&self.mul.narrow(&[&codes(&vec![factor; column.len()]), &codes(column)])[0])
    }

    /// The sums of two columns.
    pub fn sums(&self, a: &[f32], b: &[f32]) -> Vec<f32> {
        numbers(&self.add.narrow(&[&codes(a), &codes(b)])[0])
    }
}

/// Conversion between a narrow format and binary32.
pub struct Narrow {
    encode: Columns,
    decode: Columns,
}

impl Narrow {
    /// Units of a format.
    ///
    /// # Errors
    /// When the format has no such units.
    pub fn new(format: Format) -> Result<Narrow, OperationError> {
        let unit = |unit| Selection::new(unit, format).operation();
        Ok(Narrow { encode: Columns::new(&unit(Unit::Encode)?), decode: Columns::new(&unit(Unit::Decode)?) })
    }

    /// The codes of numbers, rounded to nearest.
    pub fn codes(&self, numbers: &[f32]) -> Vec<u64> {
        self.encode.narrow(&[&codes(numbers)]).swap_remove(0)
    }

    /// The numbers of codes.
    pub fn numbers(&self, codes: &[u64]) -> Vec<f32> {
        numbers(&self.decode.narrow(&[codes])[0])
    }

    /// Numbers rounded to the format.
    pub fn rounded(&self, numbers: &[f32]) -> Vec<f32> {
        self.numbers(&self.codes(numbers))
    }
}

/// How products are added (Popescu et al., "Representation range needs for 16-bit neural network training", 2021).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Accumulation {
    /// In binary32, with a sequence of fused multiply-adds.
    Fmacs,
    /// Chains of eight in the format of the factors; their results are added in binary32, and the sum is rounded to the format (Algorithm
    /// 1).
    Fmac8,
}

impl fmt::Display for Accumulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Accumulation::Fmacs => "FMACS",
            Accumulation::Fmac8 => "FMAC-8",
        })
    }
}

/// Products of matrices.
pub struct Products {
    narrow: Narrow,
    format: Format,
    accumulation: Accumulation,
}

impl Products {
    /// Products of matrices in a format.
    ///
    /// # Errors
    /// When the format has no such dot products.
    pub fn new(format: Format, accumulation: Accumulation) -> Result<Products, OperationError> {
        let products = Products { narrow: Narrow::new(format)?, format, accumulation };
        products.dot(1)?;
        Ok(products)
    }

    /// The matrix rounded to the format.
    pub fn rounded(&self, matrix: &Matrix) -> Matrix {
        matrix.with(self.narrow.rounded(&matrix.numbers))
    }

    /// The products of each row of one matrix with each row of the other; the numbers are already rounded to the format.
    pub fn of_rows(&self, a: &Matrix, b: &Matrix) -> Matrix {
        let dot = self.dot(a.columns as u32).expect("a dot product of fewer lanes was there");
        let width = self.format.width();
        let [a, b] = [a, b]
            .map(|matrix| matrix.rows().map(|row| lanes(&self.narrow.codes(row), width)).collect::<Vec<Vec<u64>>>());
        let of_a: Vec<u64> = a.iter().flat_map(|row| row.repeat(b.len())).collect();
        let of_b: Vec<u64> = b.concat().repeat(a.len());
        let count = a.len() * b.len();
        let zeros = vec![self.format_of_sums().zero_code(false) as u64; count];
        let column = |words| Column { limbs: a[0].len(), words };
        let sums = dot.results(&[column(&of_a), column(&of_b), Column::narrow(&zeros)], count).swap_remove(0);
        let numbers = match self.accumulation {
            Accumulation::Fmacs => numbers(&sums),
            Accumulation::Fmac8 => self.narrow.numbers(&sums),
        };
        Matrix { columns: b.len(), numbers }
    }

    fn format_of_sums(&self) -> Format {
        match self.accumulation {
            Accumulation::Fmacs => binary32(),
            Accumulation::Fmac8 => self.format,
        }
    }

    fn dot(&self, lanes: u32) -> Result<Columns, OperationError> {
        let summation = match self.accumulation {
            Accumulation::Fmacs => Summation::Chain,
            Accumulation::Fmac8 => Summation::Blocks,
        };
        let selection = Selection {
            lanes: Some(lanes),
            summation: Some(summation),
            accumulator: Some(self.format_of_sums()),
            ..Selection::new(Unit::Dot, self.format)
        };
        Ok(Columns::new(&selection.operation()?))
    }
}

/// The unit `update` of a format.
pub struct Update {
    unit: Columns,
    rule: UpdateRule,
    /// Random bits per sum.
    pub random_bits: u32,
}

impl Update {
    /// The unit of a rule.
    ///
    /// # Errors
    /// When the format has none.
    pub fn new(format: Format, rule: UpdateRule) -> Result<Update, OperationError> {
        let selection = Selection { algorithm: Some(Algorithm::Update(rule)), ..Selection::new(Unit::Update, format) };
        let operation = selection.operation()?;
        Ok(Update { unit: Columns::new(&operation), rule, random_bits: operation.random_bits() })
    }

    /// Adds updates to weights. `lost` is the compensation of Kahan summation, which other rules leave unchanged.
    pub fn apply(&self, weights: &mut Vec<u64>, updates: &[u64], lost: &mut Vec<u64>, random: &[u64]) {
        let operands: &[&[u64]] = match self.rule {
            UpdateRule::Nearest => &[updates, weights],
            UpdateRule::Stochastic => &[updates, weights, random],
            UpdateRule::Kahan => &[updates, weights, lost],
        };
        let mut results = self.unit.narrow(operands).into_iter();
        *weights = results.next().expect("the new weights");
        if self.rule == UpdateRule::Kahan {
            *lost = results.next().expect("what was lost");
        }
    }
}
