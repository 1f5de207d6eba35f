//! The fast path of exact dot products, alone, as elements of matrices, and of blocks with scales: products are added in 128 bits,
//! in units of the finest product's last place.

use crate::arithmetic::{Random, Rounded};
use crate::decoder::FastDecoder;
use crate::elements::Element;
use crate::{Codes, Exact, Model, Value};
use binade_spec::{Column, ColumnMut, Format, Rounding, Scaled};

/// The most bits of a sum of products that is a term of another sum.
const MOST_TERM_BITS: i64 = 124;

/// A dot product whose sums of products fit in 128 bits, whatever the operands.
pub(crate) struct ExactDot<'m> {
    model: &'m Model,
    elements: &'m [Element],
    factors: [FastDecoder; 2],
    addend: FastDecoder,
    /// The scales, if there are any.
    scale: Option<FastDecoder>,
    /// The factors as small numbers, if all are.
    small: Option<Small>,
    /// All products are multiples of `2^least`; so is the addend, if it is added in the same sum.
    least: i32,
    /// Whether the addend is added in the sum of products.
    adds_together: bool,
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

/// The values of the codes of two formats of up to 8 bits, in units of `2^least` together.
struct Small {
    tables: [Vec<SmallValue>; 2],
}

/// A value `n * 2^up` in units of a format.
#[derive(Clone, Copy)]
struct SmallValue {
    n: i32,
    up: u8,
    is_negative: bool,
    /// Whether it is infinite or NaN; `n` has no meaning then.
    is_special: bool,
}

impl Small {
    /// `None` if codes or values are too wide.
    fn of(formats: [Format; 2], least: i32) -> Option<Small> {
        if formats.iter().any(|format| format.width() > 8 || format.precision() > 16) {
            return None;
        }
        let values = formats.map(|format| {
            let codes = Codes::new(format);
            (0..1_u128 << format.width()).map(|code| codes.decode(code)).collect::<Vec<Value>>()
        });
        let last_place = |values: &Vec<Value>| {
            let places = values.iter().filter_map(|value| match value {
                Value::Finite(exact) => Some(exact.k),
                _ => None,
            });
            places.min().unwrap_or(0)
        };
        let of_a = last_place(&values[0]);
        let units = [of_a, least - of_a];
        let table = |(values, unit): (&Vec<Value>, i32)| values.iter().map(|&value| small(value, unit)).collect();
        let [a, b] = &values;
        let tables = [table((a, units[0])), table((b, units[1]))];
        let [a, b]: [Option<Vec<SmallValue>>; 2] = tables;
        Some(Small { tables: [a?, b?] })
    }

    /// The sum of the products of an element; `None` if a factor is infinite or NaN.
    #[inline(always)]
    fn sum(&self, codes: impl Iterator<Item = [u64; 2]>) -> Option<Terms> {
        let mut terms = Terms::default();
        let mut is_special = false;
        for [a, b] in codes {
            let (a, b) = (self.tables[0][a as usize], self.tables[1][b as usize]);
            terms.sum += i128::from(i64::from(a.n) * i64::from(b.n)) << (u32::from(a.up) + u32::from(b.up));
            is_special |= a.is_special | b.is_special;
            let is_negative = a.is_negative != b.is_negative;
            terms.any_negative |= is_negative;
            terms.any_positive |= !is_negative;
        }
        (!is_special).then_some(terms)
    }
}

/// A value in units of `2^unit`; `None` if it is too wide.
fn small(value: Value, unit: i32) -> Option<SmallValue> {
    let zero = |is_negative, is_special| SmallValue { n: 0, up: 0, is_negative, is_special };
    match value {
        Value::Nan => Some(zero(false, true)),
        Value::Infinite { negative } => Some(zero(negative, true)),
        Value::Zero { negative } => Some(zero(negative, false)),
        Value::Finite(Exact { negative, n, k }) => {
            let (n, up) = (i32::try_from(n).ok()?, u8::try_from(k - unit).ok()?);
            Some(SmallValue { n: if negative { -n } else { n }, up, is_negative: negative, is_special: false })
        }
    }
}

impl<'m> ExactDot<'m> {
    /// `None` for other units, and for formats whose range is too wide.
    pub fn of(model: &'m Model, count: usize) -> Option<ExactDot<'m>> {
        let elements = model.elements.as_deref()?;
        let has_scales = elements.iter().any(|element| element.has_scales);
        let [a, b] = model.operation().factors();
        let ([a_low, a_high], [b_low, b_high], [c_low, c_high]) = (reach(&a), reach(&b), reach(&model.result));
        let terms = elements.iter().map(|element| element.products.len() + 1);
        let carries = i64::from(terms.max()?.next_power_of_two().ilog2());
        // A product is less than 2 to the power of the sum of the exponents plus 2.
        let bits = |high: i64, low: i64| high - low + carries;
        let (high, low) = (a_high + b_high + 2, a_low + b_low);
        let adds_together = !has_scales && bits(high.max(c_high + 1), low.min(c_low)) < 127;
        let scale = model.operation().scale().filter(|_| has_scales);
        let scale_bits = scale.map_or(0, |scale| 2 * i64::from(scale.precision()));
        if !adds_together && bits(high, low) + scale_bits > MOST_TERM_BITS {
            return None;
        }
        let least = if adds_together { low.min(c_low) } else { low } as i32;
        let lanes = count * elements.len() * model.lanes() as usize;
        let decoder = |format: Format| FastDecoder::new(Codes::new(format), lanes);
        // A table is worth its time for many codes.
        let small = if lanes >= 1 << 10 { Small::of([a, b], least) } else { None };
        let (factors, addend) = ([decoder(a), decoder(b)], decoder(*model.result));
        Some(ExactDot { model, elements, factors, addend, scale: scale.map(decoder), small, least, adds_together })
    }

    /// Fills the column of the result.
    pub fn columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        let width = self.model.result.width();
        let addend = if self.scale.is_some() { 4 } else { 2 };
        for vector in 0..inputs[0].len() {
            let mut random = Random(inputs.get(addend + 1).map_or(0, |column| column.words[vector]));
            for (at, element) in self.elements.iter().enumerate() {
                let c = self.addend.decode(code(&inputs[addend], vector, element.addend, width));
                let rounded = self.rounded(inputs, vector, element, c, &mut random);
                put(&mut outputs[0], vector, at as u32 * width, rounded.code);
            }
        }
    }

    /// An element.
    #[inline(always)]
    fn rounded(&self, inputs: &[Column], vector: usize, element: &Element, c: Value, random: &mut Random) -> Rounded {
        let mut terms = self.products(inputs, vector, element);
        if self.adds_together {
            terms.add(c, self.least);
            return self.model.round(terms.total(self.model.rounding, self.least), random);
        }
        let mut products = terms.total(self.model.rounding, self.least);
        if let Some(scale) = &self.scale {
            let width = self.model.settings::<Scaled>().scale.width();
            let [a, b] = [2, 3].map(|port: usize| scale.decode(code(&inputs[port], vector, 0, width)));
            products = Value::product(Value::product(a, b), products);
        }
        self.model.sum(products, c, random)
    }

    /// The sum of the products of an element.
    #[inline(always)]
    fn products(&self, inputs: &[Column], vector: usize, element: &Element) -> Terms {
        let [a_bits, b_bits] = self.model.operation().factors().map(|format| format.width());
        let codes = element
            .products
            .iter()
            .map(|&[a, b]| [code(&inputs[0], vector, a, a_bits), code(&inputs[1], vector, b, b_bits)]);
        if let Some(terms) = self.small.as_ref().and_then(|small| small.sum(codes.clone())) {
            return terms;
        }
        let mut terms = Terms::default();
        for [a, b] in codes {
            let [a, b] = [self.factors[0].decode(a), self.factors[1].decode(b)];
            terms.add(Value::product(a, b), self.least);
        }
        terms
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
    let mut bits = words[at] >> shift;
    if shift + width > u64::BITS {
        bits |= words[at + 1] << (u64::BITS - shift);
    }
    bits & ((1 << width) - 1)
}
