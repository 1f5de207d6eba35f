//! The fast path of dot products that are summed exactly, alone and as elements of matrices: 128-bit sums in units of the finest product's last place.

use crate::arithmetic::Random;
use crate::decoder::Decoder;
use crate::{Codes, Exact, Model, Value};
use binade_spec::{Column, ColumnMut, Format, Rounding, Shape, Summation, Unit};

/// A dot product whose sums fit in 128 bits, whatever the operands.
pub(crate) struct ExactDot<'m> {
    model: &'m Model,
    factors: [Decoder; 2],
    addend: Decoder,
    /// All terms are multiples of `2^least`.
    least: i32,
}

/// The terms of a sum as far as they are added.
#[derive(Default)]
struct Terms {
    sum: i128,
    is_nan: bool,
    /// Whether there is +infinity, and -infinity.
    infinite: [bool; 2],
    any_negative: bool,
    any_positive: bool,
}

impl Terms {
    #[inline(always)]
    fn add(&mut self, value: Value, least: i32) {
        let negative = match value {
            Value::Nan => return self.is_nan = true,
            Value::Zero { negative } => negative,
            Value::Infinite { negative } => {
                self.infinite[usize::from(negative)] = true;
                negative
            }
            Value::Finite(Exact { negative, n, k }) => {
                let term = (n as i128) << (k - least);
                self.sum += if negative { -term } else { term };
                negative
            }
        };
        self.any_negative |= negative;
        self.any_positive |= !negative;
    }

    /// The sum, an exact zero with the sign that IEEE 754 section 6.3 gives it.
    fn total(&self, rounding: Rounding, least: i32) -> Value {
        match self.infinite {
            _ if self.is_nan => Value::Nan,
            [true, true] => Value::Nan,
            [positive, negative] if positive || negative => Value::Infinite { negative },
            _ if self.sum == 0 => {
                let negative = self.any_negative && (rounding == Rounding::Rdn || !self.any_positive);
                Value::Zero { negative }
            }
            _ => Value::Finite(Exact { negative: self.sum < 0, n: self.sum.unsigned_abs(), k: least }),
        }
    }
}

/// The exponent of the last place of a format's smallest number, and that of its largest number.
fn reach(format: &Format) -> [i64; 2] {
    let below = if format.fixed().is_some() { 0 } else { i64::from(format.precision()) - 1 };
    [format.min_exponent() - below, format.max_exponent()]
}

impl<'m> ExactDot<'m> {
    /// None for other units, and for formats whose values lie too far apart.
    pub fn of(model: &'m Model, count: usize) -> Option<ExactDot<'m>> {
        let is_dot = matches!(model.unit, Unit::Dot | Unit::Mma);
        let is_plain = is_dot && model.summation == Summation::Exact && model.shape == Shape::Other;
        let has_more =
            model.random_bits > u64::BITS || model.flags.is_some() || model.output.is_some() || model.source.is_some();
        if !is_plain || has_more || model.operation().factors().iter().chain([&*model.result]).any(|it| it.width() > 32)
        {
            return None;
        }
        let [a, b] = model.operation().factors();
        let ([a_low, a_high], [b_low, b_high], [c_low, c_high]) = (reach(&a), reach(&b), reach(&model.result));
        let least = (a_low + b_low).min(c_low);
        let carries = i64::from((model.lanes + 1).next_power_of_two().ilog2());
        // A product is less than 2 to the sum of the exponents and 2.
        if (a_high + b_high + 2).max(c_high + 1) - least + carries >= 127 {
            return None;
        }
        let elements = (model.rows * model.columns) as usize;
        let decoder = |format: Format| Decoder::new(Codes::new(format), count * elements * model.lanes as usize);
        let least = least as i32;
        Some(ExactDot { model, factors: [decoder(a), decoder(b)], addend: decoder(*model.result), least })
    }

    /// Fills the column of the result.
    pub fn columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        for vector in 0..inputs[0].len() {
            let mut random = Random(inputs.get(3).map_or(0, |column| column.words[vector]));
            for element in 0..self.model.rows * self.model.columns {
                let total = self.element(inputs, vector, element);
                put(
                    &mut outputs[0],
                    vector,
                    element * self.model.result.width(),
                    self.model.round(total, &mut random).code,
                );
            }
        }
    }

    /// The exact sum of an element of the result, of a dot product the only one.
    #[inline(always)]
    fn element(&self, inputs: &[Column], vector: usize, element: u32) -> Value {
        let [a_bits, b_bits] = self.model.operation().factors().map(|format| format.width());
        let (columns, lanes) = (self.model.columns, self.model.lanes);
        let (row, column) = (element / columns, element % columns);
        let mut terms = Terms::default();
        for lane in 0..lanes {
            let a = self.factors[0].decode(code(&inputs[0], vector, (row * lanes + lane) * a_bits, a_bits));
            let b = self.factors[1].decode(code(&inputs[1], vector, (lane * columns + column) * b_bits, b_bits));
            terms.add(Value::product(a, b), self.least);
        }
        let c_bits = self.model.result.width();
        terms.add(self.addend.decode(code(&inputs[2], vector, element * c_bits, c_bits)), self.least);
        terms.total(self.model.rounding, self.least)
    }
}

/// Puts a code into a vector's word from bit `low` up; those from the lowest bit on are put one after the other.
#[inline(always)]
fn put(column: &mut ColumnMut, vector: usize, low: u32, code: u64) {
    let words = &mut column.words[vector * column.limbs..][..column.limbs];
    let (at, shift) = ((low / u64::BITS) as usize, low % u64::BITS);
    let bits = u128::from(code) << shift;
    words[at] = if shift == 0 { bits as u64 } else { words[at] | bits as u64 };
    if let Some(above) = words.get_mut(at + 1) {
        *above = (bits >> u64::BITS) as u64;
    }
}

/// The `width` bits, at most 32, of a vector's word from `low` up.
#[inline(always)]
fn code(column: &Column, vector: usize, low: u32, width: u32) -> u64 {
    let words = &column.words[vector * column.limbs..][..column.limbs];
    let (at, shift) = ((low / u64::BITS) as usize, low % u64::BITS);
    let pair = u128::from(words[at]) | u128::from(*words.get(at + 1).unwrap_or(&0)) << u64::BITS;
    (pair >> shift) as u64 & ((1 << width) - 1)
}
