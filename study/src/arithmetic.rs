//! Units of the golden model applied to columns of codes.

use crate::matrix::Matrix;
use binade_golden::Model;
use binade_spec::word::limbs;
use binade_spec::{
    Algorithm, Column, ColumnMut, Format, Operation, OperationError, Optimizer, Selection, Summation, Unit, UpdateRule,
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

/// The weight of the gradients before, in the sum of momentum.
const BETA: f64 = 0.9;

/// The constants of AdamW (Loshchilov and Hutter, 2019), as far as formats of 16 bits have them: the usual 0.999 is 1 in
/// bfloat16. Weights do not decay.
const BETA1: f64 = 0.9;
const BETA2: f64 = 0.99;
const EPSILON: f64 = 1e-6;

/// The unit `update` of a format.
pub struct Update {
    unit: Columns,
    rule: UpdateRule,
    optimizer: Optimizer,
    narrow: Narrow,
    rate: f64,
    /// Random bits per sum.
    pub random_bits: u32,
}

/// Weights, and what is kept beside them, as codes.
pub struct Weights {
    pub codes: Vec<u64>,
    /// The compensation of Kahan summation.
    lost: Vec<u64>,
    /// The running sums or means of an optimizer.
    means: Vec<Vec<u64>>,
    /// Steps so far.
    steps: i32,
}

impl Update {
    /// The unit of a rule and an optimizer.
    ///
    /// # Errors
    /// When the format has none.
    pub fn new(format: Format, rule: UpdateRule, optimizer: Optimizer, rate: f32) -> Result<Update, OperationError> {
        let selection = Selection {
            algorithm: Some(Algorithm::Update(rule)),
            optimizer: Some(optimizer),
            ..Selection::new(Unit::Update, format)
        };
        let operation = selection.operation()?;
        let (unit, narrow, random_bits) = (Columns::new(&operation), Narrow::new(format)?, operation.random_bits());
        Ok(Update { unit, rule, optimizer, narrow, rate: rate.into(), random_bits })
    }

    /// Weights that are zero.
    pub fn zeros(&self, count: usize) -> Weights {
        let zeros = self.narrow.codes(&vec![0.0; count]);
        let means = match self.optimizer {
            Optimizer::Sgd => 0,
            Optimizer::Momentum => 1,
            Optimizer::Adamw => 2,
        };
        Weights { codes: zeros.clone(), lost: zeros.clone(), means: vec![zeros; means], steps: 0 }
    }

    /// The weights as numbers.
    pub fn numbers(&self, weights: &Weights) -> Vec<f32> {
        self.narrow.numbers(&weights.codes)
    }

    /// Updates weights by gradients, or by what is already multiplied by the rate where there is no optimizer.
    pub fn apply(&self, weights: &mut Weights, gradients: &[f32], random: &[u64]) {
        weights.steps += 1;
        let constants = self.narrow.codes(&self.constants(weights.steps)).into_iter();
        let mut operands: Vec<Vec<u64>> = constants.map(|code| vec![code; gradients.len()]).collect();
        operands.push(self.narrow.codes(gradients));
        operands.extend(weights.means.iter().cloned());
        operands.push(weights.codes.clone());
        match self.rule {
            UpdateRule::Nearest => {}
            UpdateRule::Stochastic => operands.push(random.to_vec()),
            UpdateRule::Kahan => operands.push(weights.lost.clone()),
        }
        let operands: Vec<&[u64]> = operands.iter().map(Vec::as_slice).collect();
        let mut results = self.unit.narrow(&operands).into_iter();
        weights.codes = results.next().expect("the new weights");
        if self.rule == UpdateRule::Kahan {
            weights.lost = results.next().expect("what was lost");
        }
        weights.means.iter_mut().zip(results).for_each(|(mean, next)| *mean = next);
    }

    /// The operands before the gradient at a step. AdamW's rate and epsilon contain the corrections of the bias.
    fn constants(&self, step: i32) -> Vec<f32> {
        let constants = match self.optimizer {
            Optimizer::Sgd => vec![],
            Optimizer::Momentum => vec![self.rate, BETA],
            Optimizer::Adamw => {
                let root = (1.0 - BETA2.powi(step)).sqrt();
                let rate = self.rate * root / (1.0 - BETA1.powi(step));
                vec![rate, BETA1, 1.0 - BETA1, BETA2, 1.0 - BETA2, EPSILON * root, 0.0]
            }
        };
        constants.into_iter().map(|constant| constant as f32).collect()
    }
}
