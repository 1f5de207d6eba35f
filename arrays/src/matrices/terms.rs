//! Products that are cut off to multiples of a power of two, and their exact sums. There are two ways, in integers of 32 bits and in binary64.

use super::tiles::{LANES, Lanes, ROWS, Sheet, each, each_row, rows_apart};
use super::values::{exponent, power_of_two};
use binade_spec::Format;
use std::hint::black_box;

/// The exponent of 0, and a bound that the sum of two others stays above.
pub const OF_ZERO: i32 = -1 << 20;
pub const NONE: i32 = -1 << 19;

/// A way to compute with the factors of products.
pub trait Terms: Copy + Send + Sync {
    /// A factor, with its exponent.
    type Factor: Copy + Send + Sync;
    /// A factor of each column.
    type Factors: Copy + Send + Sync;

    /// Bits below the largest exponent that are kept.
    fn fraction_bits(&self) -> i32;

    /// The same for products that have no bits to be cut off.
    fn whole(&self) -> Self;

    /// The factor of a row with this value, which is a number, and this exponent.
    fn of_row(&self, value: f64, exponent: i32) -> Self::Factor;

    /// The factors of columns with these values and exponents.
    fn of_columns(&self, values: Lanes<f64>, exponents: Lanes<i32>) -> Self::Factors;

    /// The exponents of factors.
    fn exponent(factor: &Self::Factor) -> i32;
    fn exponents(factors: &Self::Factors) -> &Lanes<i32>;

    /// The sums of the products of rows and columns, each cut off to a multiple of two to the power of `largest - fraction_bits`: toward
    /// zero, or to odd.
    fn sums<const TO_ODD: bool>(
        &self,
        rows: [&[Self::Factor]; ROWS],
        columns: &[Self::Factors],
        largest: &Sheet<i32>,
    ) -> Sheet<f64>;

    /// The largest exponent of the products of each row and column; less than [`NONE`] if all are 0.
    #[inline(always)]
    fn largest(rows: [&[Self::Factor]; ROWS], columns: &[Self::Factors]) -> Sheet<i32> {
        let mut largest = [[2 * OF_ZERO; LANES]; ROWS];
        let rows = rows.map(|row| &row[..columns.len()]);
        for (product, columns) in columns.iter().enumerate() {
            let exponents = Self::exponents(lanes(columns));
            for row in 0..ROWS {
                let exponent = Self::exponent(&rows[row][product]);
                for at in 0..LANES {
                    largest[row][at] = largest[row][at].max(exponent + exponents[at]);
                }
            }
        }
        black_box(largest)
    }
}

/// The factors of columns, which are to become the lanes of vectors. Compilers would rather put one lane of several products into a vector,
/// which is slower, unless they do not see where the factors are.
#[inline(always)]
fn lanes<T>(factors: &T) -> &T {
    black_box(factors)
}

/// The exponents of a format's factors: that of the leading 1, but not below that of the format's normal numbers.
#[derive(Clone, Copy)]
pub struct Exponents {
    least: i32,
}

impl Exponents {
    /// The exponents of numbers of a format.
    pub fn of(format: &Format) -> Exponents {
        let float = format.float().filter(|_| format.underflows_gradually());
        Exponents { least: float.map_or(NONE, |float| 1 - float.bias) }
    }

    /// The exponent of a number.
    #[inline(always)]
    pub fn exponent(&self, value: f64) -> i32 {
        let exponent = exponent(value).max(self.least);
        if value == 0.0 { OF_ZERO } else { exponent }
    }
}

/// Products in integers of 32 bits: that of both significands, which an exponent shifts right.
#[derive(Clone, Copy)]
pub struct Integers {
    /// The trailing significand bits of the factors.
    trailing_bits: [i32; 2],
    /// Bits below the last place of both significands, and bits of it that are cut off even from the largest product.
    up: i32,
    down: i32,
    fraction_bits: i32,
    /// Products whose sum 32 bits hold.
    most: usize,
}

impl Integers {
    /// `None` if 32 bits do not hold the sum of two products of these factors.
    pub fn of(factors: [&Format; 2], fraction_bits: u32) -> Option<Integers> {
        let trailing_bits = factors.map(|format| format.precision() as i32 - 1);
        let fraction_bits = fraction_bits as i32;
        let below = fraction_bits - trailing_bits[0] - trailing_bits[1];
        let (up, down) = (below.max(0), (-below).max(0));
        // A product is less than 4 units of the largest exponent.
        let bits = fraction_bits + down + 2;
        (bits < 31).then(|| Integers { trailing_bits, up, down, fraction_bits, most: 1 << (31 - bits) })
    }
}

/// A significand with its sign, and its exponent.
#[derive(Clone, Copy)]
pub struct Integer<T> {
    significand: T,
    exponent: T,
}

/// The significand of a number, in units of its last place.
#[inline(always)]
fn significand(value: f64, exponent: i32, trailing_bits: i32) -> i32 {
    // An integer that is added to 2^52 is in the lowest bits.
    let magnitude = (value.abs() * power_of_two(trailing_bits - exponent) + power_of_two(52)).to_bits() as i32;
    let significand = if value < 0.0 { magnitude.wrapping_neg() } else { magnitude };
    if value == 0.0 { 0 } else { significand }
}

impl Terms for Integers {
    type Factor = Integer<i32>;
    type Factors = Integer<Lanes<i32>>;

    fn fraction_bits(&self) -> i32 {
        self.fraction_bits
    }

    fn whole(&self) -> Integers {
        *self
    }

    fn of_row(&self, value: f64, exponent: i32) -> Integer<i32> {
        let significand = significand(value, exponent, self.trailing_bits[0]) << self.up;
        Integer { significand, exponent }
    }

    fn of_columns(&self, values: Lanes<f64>, exponent: Lanes<i32>) -> Integer<Lanes<i32>> {
        let significand = each(|at| significand(values[at], exponent[at], self.trailing_bits[1]));
        Integer { significand, exponent }
    }

    #[inline(always)]
    fn exponent(factor: &Integer<i32>) -> i32 {
        factor.exponent
    }

    #[inline(always)]
    fn exponents(factors: &Integer<Lanes<i32>>) -> &Lanes<i32> {
        &factors.exponent
    }

    #[inline(always)]
    fn sums<const TO_ODD: bool>(
        &self,
        rows: [&[Integer<i32>]; ROWS],
        columns: &[Integer<Lanes<i32>>],
        largest: &Sheet<i32>,
    ) -> Sheet<f64> {
        let top = each_row(|row| each(|at| largest[row][at] + self.down));
        let mut totals = [[0.0; LANES]; ROWS];
        for first in (0..columns.len()).step_by(self.most) {
            let some = first..columns.len().min(first + self.most);
            let mut sums = [[0_i32; LANES]; ROWS];
            let rows = rows.map(|row| &row[some.clone()]);
            for (product, columns) in columns[some].iter().enumerate() {
                let columns = lanes(columns);
                for row in 0..ROWS {
                    let factor = rows[row][product];
                    for at in 0..LANES {
                        let product = factor.significand.wrapping_mul(columns.significand[at]);
                        let below = (top[row][at] - factor.exponent - columns.exponent[at]) as u32;
                        sums[row][at] = sums[row][at].wrapping_add(shifted::<TO_ODD>(product, below));
                    }
                }
            }
            let sums = black_box(sums);
            for row in rows_apart() {
                totals[row] = each(|at| totals[row][at] + f64::from(sums[row][at]));
            }
        }
        for row in rows_apart() {
            let unit = each(|at| power_of_two(largest[row][at] - self.fraction_bits));
            totals[row] = each(|at| totals[row][at] * unit[at]);
        }
        totals
    }
}

/// A number without its lowest bits; to odd, the last bit that is kept says whether one of them was 1, too.
#[inline(always)]
fn shifted<const TO_ODD: bool>(number: i32, bits: u32) -> i32 {
    let sign = number >> 31;
    let magnitude = ((number ^ sign) - sign) as u32;
    let kept = magnitude.unbounded_shr(bits);
    let is_odd = TO_ODD && kept.unbounded_shl(bits) != magnitude;
    ((kept | u32::from(is_odd)) as i32 ^ sign) - sign
}

/// Products in binary64, of factors of up to 24 bits. A product that is cut off is below 2^(F+2) units, so that the sums of products are
/// exact, too.
#[derive(Clone, Copy)]
pub struct Binary64 {
    fraction_bits: i32,
    are_whole: bool,
}

/// The most bits that are kept of a product, and the most products of a sum.
const MOST_FRACTION_BITS: u32 = 36;
const MOST_PRODUCTS: u32 = 1 << 12;

/// The most significand bits of a factor.
const MOST_PRECISION: u32 = 24;

impl Binary64 {
    /// `None` if binary64 does not hold the sums.
    pub fn of(factors: [&Format; 2], fraction_bits: u32, products: u32) -> Option<Binary64> {
        let are_narrow = factors.iter().all(|format| format.precision() <= MOST_PRECISION);
        let is_it = are_narrow && fraction_bits <= MOST_FRACTION_BITS && products <= MOST_PRODUCTS;
        is_it.then_some(Binary64 { fraction_bits: fraction_bits as i32, are_whole: false })
    }
}

/// A number, and its exponent.
#[derive(Clone, Copy)]
pub struct Number<V, E> {
    value: V,
    exponent: E,
}

impl Terms for Binary64 {
    type Factor = Number<f64, i32>;
    type Factors = Number<Lanes<f64>, Lanes<i32>>;

    fn fraction_bits(&self) -> i32 {
        self.fraction_bits
    }

    fn whole(&self) -> Binary64 {
        Binary64 { are_whole: true, ..*self }
    }

    fn of_row(&self, value: f64, exponent: i32) -> Self::Factor {
        Number { value, exponent }
    }

    fn of_columns(&self, value: Lanes<f64>, exponent: Lanes<i32>) -> Self::Factors {
        Number { value, exponent }
    }

    #[inline(always)]
    fn exponent(factor: &Self::Factor) -> i32 {
        factor.exponent
    }

    #[inline(always)]
    fn exponents(factors: &Self::Factors) -> &Lanes<i32> {
        &factors.exponent
    }

    #[inline(always)]
    fn sums<const TO_ODD: bool>(
        &self,
        rows: [&[Self::Factor]; ROWS],
        columns: &[Self::Factors],
        largest: &Sheet<i32>,
    ) -> Sheet<f64> {
        let mut totals = [[0.0; LANES]; ROWS];
        for row in rows_apart() {
            if self.are_whole {
                totals[row] = sums(rows[row], columns, |_, product| product);
            } else {
                let cut = each(|at| Cut::at(largest[row][at] - self.fraction_bits));
                totals[row] = sums(rows[row], columns, |at, product| cut[at].number::<TO_ODD>(product));
            }
        }
        totals
    }
}

/// The sums of products, of which a part is kept.
#[inline(always)]
fn sums(
    row: &[Number<f64, i32>],
    columns: &[Number<Lanes<f64>, Lanes<i32>>],
    kept: impl Fn(usize, f64) -> f64,
) -> Lanes<f64> {
    let mut totals = [0.0; LANES];
    for (a, b) in row.iter().zip(columns) {
        for (at, total) in totals.iter_mut().enumerate() {
            *total += kept(at, a.value * b.value[at]);
        }
    }
    totals
}

/// A normal number without its bits below two to the power of `place`, or +0.
#[inline(always)]
pub fn cut_off(number: f64, place: i32) -> f64 {
    let bits = (52 + place - exponent(number)).max(0) as u32;
    // Beyond the trailing significand, there is the leading 1 only.
    let bits = if bits > 52 { u64::BITS } else { bits };
    f64::from_bits(number.to_bits() & u64::MAX.unbounded_shl(bits))
}

/// The place at which numbers are cut off.
#[derive(Clone, Copy, Default)]
pub struct Cut {
    unit: f64,
    /// A magnitude added to 2^52 units is rounded to a multiple of the unit.
    rounder: f64,
}

impl Cut {
    /// Multiples of this power of two are kept.
    #[inline(always)]
    pub fn at(exponent: i32) -> Cut {
        let unit = power_of_two(exponent);
        Cut { unit, rounder: unit * power_of_two(52) }
    }

    /// A number of less than 2^52 units, cut off toward zero, or to odd.
    #[inline(always)]
    pub fn number<const TO_ODD: bool>(&self, number: f64) -> f64 {
        let magnitude = number.abs();
        // The number of units is in the trailing significand of this number.
        let rounded = magnitude + self.rounder;
        let nearest = rounded - self.rounder;
        let below = if nearest > magnitude { nearest - self.unit } else { nearest };
        if TO_ODD {
            let is_odd = (below + self.rounder).to_bits() & 1 == 1;
            let odd = if is_odd { below } else { below + self.unit };
            return (if nearest == magnitude { nearest } else { odd }).copysign(number);
        }
        below.copysign(number)
    }

    /// A number of less than 2^52 units, rounded down.
    #[inline(always)]
    pub fn down(&self, number: f64) -> f64 {
        let nearest = ((number.abs() + self.rounder) - self.rounder).copysign(number);
        if nearest > number { nearest - self.unit } else { nearest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_off() {
        for (number, exponent, toward_zero, to_odd, down) in [
            (1.75, 0, 1.0, 1.0, 1.0),
            (-1.75, 0, -1.0, -1.0, -2.0),
            (1.75, -1, 1.5, 1.5, 1.5),
            (0.9, 0, 0.0, 1.0, 0.0),
            (-2.25, 0, -2.0, -3.0, -3.0),
            (-6.0, 2, -4.0, -4.0, -8.0),
            (3.0, 0, 3.0, 3.0, 3.0),
            (-3.0, 0, -3.0, -3.0, -3.0),
            (2.0, 0, 2.0, 2.0, 2.0),
            (1e-300, -20, 0.0, 2.0_f64.powi(-20), 0.0),
        ] {
            let cut = Cut::at(exponent);
            assert_eq!(cut_off(number, exponent), toward_zero, "{number} to 2^{exponent}");
            let all = [cut.number::<false>(number), cut.number::<true>(number), cut.down(number)];
            assert_eq!(all, [toward_zero, to_odd, down], "{number} to 2^{exponent}");
        }
    }

    #[test]
    fn integers_are_shifted() {
        for (number, bits, toward_zero, to_odd) in [
            (7, 1, 3, 3),
            (-7, 1, -3, -3),
            (9, 2, 2, 3),
            (-9, 2, -2, -3),
            (8, 2, 2, 2),
            (1, 40, 0, 1),
            (-1, 40, 0, -1),
            (0, 40, 0, 0),
            (-5, 0, -5, -5),
        ] {
            assert_eq!([shifted::<false>(number, bits), shifted::<true>(number, bits)], [toward_zero, to_odd]);
        }
    }
}
