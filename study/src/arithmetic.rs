//! Units of the golden model for columns of codes.

use binade_golden::Model;
use binade_spec::{
    Algorithm, Column, ColumnMut, Format, Operation, OperationError, Selection, Summation, Unit, UpdateRule,
};

/// A unit that takes a column of codes at each port, and gives one at each output. Codes have up to 64 bits.
struct Columns {
    model: Model,
    outputs: usize,
}

impl Columns {
    fn new(operation: &Operation) -> Columns {
        Columns { model: Model::new(operation), outputs: operation.outputs().len() }
    }

    /// The results for a column of `count` vectors. A port with several lanes has a few words for each vector.
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

/// Codes of binary32 side by side in one word, in limbs of 64 bits.
fn lanes(numbers: &[f32]) -> Vec<u64> {
    let limb = |pair: &[f32]| codes(pair).iter().rev().fold(0, |limb, code| limb << 32 | code);
    numbers.chunks(2).map(limb).collect()
}

/// Binary32, as accumulators have it.
pub struct Wide {
    dot: Columns,
    mul: Columns,
    add: Columns,
}

/// The format of wide numbers.
fn binary32() -> Format {
    "binary32".parse().expect("a format")
}

impl Wide {
    /// Units for sums of so many products.
    ///
    /// # Errors
    /// When there are no such dot products.
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
        let (a, b, addend) = (lanes(a), lanes(b), codes(&[addend]));
        let word = |words| Column { limbs: a.len(), words };
        numbers(&self.dot.results(&[word(&a), word(&b), Column::narrow(&addend)], 1)[0])[0]
    }

    /// The products of a column and a factor.
    pub fn scaled(&self, factor: f32, column: &[f32]) -> Vec<f32> {
        numbers(&self.mul.narrow(&[&codes(&vec![factor; column.len()]), &codes(column)])[0])
    }

    /// The sums of two columns.
    pub fn sums(&self, a: &[f32], b: &[f32]) -> Vec<f32> {
        numbers(&self.add.narrow(&[&codes(a), &codes(b)])[0])
    }
}

/// Codes of a narrow format, from and to binary32.
pub struct Narrow {
    encode: Columns,
    decode: Columns,
}

impl Narrow {
    /// Units of a format.
    ///
    /// # Errors
    /// When there are none.
    pub fn new(format: Format) -> Result<Narrow, OperationError> {
        let unit = |unit| Selection::new(unit, format).operation();
        Ok(Narrow { encode: Columns::new(&unit(Unit::Encode)?), decode: Columns::new(&unit(Unit::Decode)?) })
    }

    /// Codes of numbers, rounded to nearest.
    pub fn codes(&self, numbers: &[f32]) -> Vec<u64> {
        self.encode.narrow(&[&codes(numbers)]).swap_remove(0)
    }

    /// The numbers of codes.
    pub fn numbers(&self, codes: &[u64]) -> Vec<f32> {
        numbers(&self.decode.narrow(&[codes])[0])
    }

    /// Numbers as the format has them.
    pub fn rounded(&self, numbers: &[f32]) -> Vec<f32> {
        self.numbers(&self.codes(numbers))
    }
}

/// The unit `update` of a format.
pub struct Update {
    unit: Columns,
    rule: UpdateRule,
    /// Random bits of a sum.
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

    /// Adds updates to weights. `lost` is what Kahan's summation keeps, and changed by no other rule.
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
