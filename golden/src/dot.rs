//! The fast path of exact dot products, alone and as elements of matrices: 128-bit sums in units of the finest
//! product's last place.

use crate::arithmetic::Random;
use crate::decoder::Decoder;
use crate::elements::Element;
use crate::{Codes, Exact, Model, Value};
use binade_spec::{Column, ColumnMut, Format, Rounding};

/// A dot product whose sums fit in 128 bits, whatever the operands.
pub(crate) struct ExactDot<'m> {
    model: &'m Model,
    elements: &'m [Element],
    factors: [Decoder; 2],
    addend: Decoder,
    /// All terms are multiples of `2^least`.
    least: i32,
}

/// The partial sum of some terms.
#[derive(Default)]
struct Terms {
    sum: i128,
    is_nan: bool,
    /// Whether +infinity occurred, and -infinity.
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

    /// The sum; an exact zero gets its sign from IEEE 754 section 6.3.
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

/// The exponents of the last place of a format's smallest number, and of its largest number.
fn reach(format: &Format) -> [i64; 2] {
    let below = if format.fixed().is_some() { 0 } else { i64::from(format.precision()) - 1 };
    [format.min_exponent() - below, format.max_exponent()]
}

impl<'m> ExactDot<'m> {
    /// `None` for other units, and for formats whose range is too wide.
    pub fn of(model: &'m Model, count: usize) -> Option<ExactDot<'m>> {
        let elements = model.elements.as_deref()?;
        let [a, b] = model.operation().factors();
        let ([a_low, a_high], [b_low, b_high], [c_low, c_high]) = (reach(&a), reach(&b), reach(&model.result));
        let least = (a_low + b_low).min(c_low);
        let terms = elements.iter().map(|element| element.products.len() + 1);
        let carries = i64::from(terms.max()?.next_power_of_two().ilog2());
        // A product is less than 2 to the power of the sum of the exponents plus 2.
        if (a_high + b_high + 2).max(c_high + 1) - least + carries >= 127 {
            return None;
        }
        let decoder =
            |format: Format| Decoder::new(Codes::new(format), count * elements.len() * model.lanes() as usize);
        let least = least as i32;
        Some(ExactDot { model, elements, factors: [decoder(a), decoder(b)], addend: decoder(*model.result), least })
    }

    /// Fills the column of the result.
    pub fn columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        let width = self.model.result.width();
        for vector in 0..inputs[0].len() {
            let mut random = Random(inputs.get(3).map_or(0, |column| column.words[vector]));
            for (at, element) in self.elements.iter().enumerate() {
                let total = self.total(inputs, vector, element);
                put(&mut outputs[0], vector, at as u32 * width, self.model.round(total, &mut random).code);
            }
        }
    }

    /// The exact sum of an element.
    #[inline(always)]
    fn total(&self, inputs: &[Column], vector: usize, element: &Element) -> Value {
        let [a_bits, b_bits] = self.model.operation().factors().map(|format| format.width());
        let mut terms = Terms::default();
        for &[a, b] in &element.products {
            let a = self.factors[0].decode(code(&inputs[0], vector, a, a_bits));
            let b = self.factors[1].decode(code(&inputs[1], vector, b, b_bits));
            terms.add(Value::product(a, b), self.least);
        }
        let c_bits = self.model.result.width();
        terms.add(self.addend.decode(code(&inputs[2], vector, element.addend, c_bits)), self.least);
        terms.total(self.model.rounding, self.least)
    }
}

/// Puts a code into a vector's word from bit `low` up. Codes must be put in ascending order, from the lowest bit.
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
