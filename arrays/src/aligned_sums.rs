//! Sums of products that are cut off below their largest exponent ([`Alignment`]), in binary64, where every step is exact or is the rounding
//! that the sum asks for.
//!
//! Products of numbers of up to 24 bits are exact. Each is cut off to a multiple of the same power of two, below 2^(F+2) of it, so that
//! the sum of a block is exact too. Its rounding to the result's format drops bits of binary64.

use crate::float_sums::{TILE, Tile, exponent, power_of_two};
use binade_spec::{Float, Operation, Overflow, Rounding};
use multiversion::multiversion;

/// The most bits that are kept of a term, and the most products of a block.
const MOST_FRACTION_BITS: u32 = 36;
const MOST_PRODUCTS: u32 = 1 << 12;

/// The most significand bits of a factor.
const MOST_PRECISION: u32 = 24;

/// How the products of a block, and the sum so far, are added.
pub struct AlignedSums {
    block: usize,
    fraction_bits: i32,
    floor: f32,
    /// The least exponents of the factors.
    of_factors: [f32; 2],
    result: Float,
    /// The fraction bits to which a sum is rounded, toward zero or to nearest.
    result_bits: u32,
    rounding: Rounding,
}

/// The exponents of a panel, row by row. That of 0 is far below all others.
pub type Exponents = Vec<[f32; TILE]>;

/// The exponent of 0, and a bound that the sum of two others stays above.
const OF_ZERO: f32 = -1e6;
const NONE: f32 = -5e5;

impl AlignedSums {
    /// `None` for other sums, and for formats that take more bits.
    pub fn of(operation: &Operation) -> Option<AlignedSums> {
        let alignment = operation.summation().alignment()?;
        let factors = operation.factors();
        let result = *operation.result.float()?;
        let is_ieee = |float: &Float| *float == Float::ieee(float.exponent_bits, float.trailing_bits);
        let are_narrow = factors.iter().all(|format| format.precision() <= MOST_PRECISION && format.float().is_some());
        let has_rounding = matches!(operation.rounding, Rounding::Rtz | Rounding::Rne);
        let is_it = are_narrow
            && has_rounding
            && is_ieee(&result)
            && result.exponent_bits <= 8
            && operation.overflow == Overflow::Inf
            && alignment.fraction_bits <= MOST_FRACTION_BITS
            && operation.block() <= MOST_PRODUCTS;
        is_it.then(|| AlignedSums {
            block: operation.block() as usize,
            fraction_bits: alignment.fraction_bits as i32,
            floor: alignment.floor.map_or(OF_ZERO, |floor| floor as f32),
            of_factors: factors.map(|format| match format.float() {
                Some(float) if format.underflows_gradually() => (1 - float.bias) as f32,
                _ => NONE,
            }),
            result,
            result_bits: alignment.result_bits.unwrap_or(result.trailing_bits),
            rounding: operation.rounding,
        })
    }

    /// The exponent of a factor: that of its leading 1, but not below that of the format's normal numbers.
    pub fn exponent_of_factor(&self, factor: usize, value: f64) -> f32 {
        if value == 0.0 { OF_ZERO } else { (exponent(value) as f32).max(self.of_factors[factor]) }
    }

    /// The sums of a tile, block by block; `None` where a sum is no normal number of the result.
    pub fn sums(&self, tile: &Tile, rows: [&[f32]; TILE], columns: &[[f32; TILE]]) -> [[Option<f64>; TILE]; TILE] {
        std::array::from_fn(|row| {
            let mut sums = tile.addends[row];
            let blocks = tile.rows[row].chunks(self.block).zip(rows[row].chunks(self.block));
            let columns = tile.panel.chunks(self.block).zip(columns.chunks(self.block));
            for ((a, of_a), (b, of_b)) in blocks.zip(columns) {
                sums = self.sum_of_block(a, b, self.largest(of_a, of_b, sums), sums);
            }
            // NaN stands for what is left to the golden model. The sign of zero depends on those of all terms.
            sums.map(|sum| (!sum.is_nan() && sum != 0.0).then_some(sum))
        })
    }

    /// The largest exponent of the products of each column, and of the sum so far.
    fn largest(&self, a: &[f32], b: &[[f32; TILE]], sums: [f64; TILE]) -> [i32; TILE] {
        let largest = largest_exponents(a, b);
        let least = (1 - self.result.bias) as f32;
        std::array::from_fn(|column| {
            let of_sum = if sums[column] == 0.0 { OF_ZERO } else { (exponent(sums[column]) as f32).max(least) };
            let all = largest[column].max(of_sum);
            if all < NONE { self.floor.max(0.0) as i32 } else { all.max(self.floor) as i32 }
        })
    }

    /// The rounded sums of a block.
    fn sum_of_block(&self, a: &[f64], b: &[[f64; TILE]], largest: [i32; TILE], sums: [f64; TILE]) -> [f64; TILE] {
        let unit = largest.map(|largest| power_of_two(largest - self.fraction_bits));
        // A number added to this one is rounded to a multiple of the unit.
        let rounder = unit.map(|unit| unit * power_of_two(52));
        let totals = cut_off_products(a, b, unit, rounder);
        std::array::from_fn(|column| {
            self.rounded(totals[column] + cut_off(sums[column], unit[column], rounder[column]))
        })
    }

    /// A sum with the bits of the result; NaN if it is no normal number of the result, and neither 0.
    fn rounded(&self, sum: f64) -> f64 {
        let dropped = 52 - self.result_bits;
        let kept = !((1_u64 << dropped) - 1);
        let bits = match self.rounding {
            Rounding::Rtz => sum.to_bits() & kept,
            _ => (sum.to_bits() + ((1 << (dropped - 1)) - 1) + (sum.to_bits() >> dropped & 1)) & kept,
        };
        let rounded = f64::from_bits(bits);
        let normal = power_of_two(1 - self.result.bias)..power_of_two(self.result.max_exponent() as i32 + 1);
        let is_normal = normal.contains(&sum.abs()) && normal.contains(&rounded.abs());
        if is_normal || sum == 0.0 { rounded } else { f64::NAN }
    }
}

/// The largest exponents of the products of a row with the columns of a panel.
#[multiversion(targets("x86_64+avx2"))]
fn largest_exponents(a: &[f32], b: &[[f32; TILE]]) -> [f32; TILE] {
    let mut largest = [OF_ZERO; TILE];
    for (a, b) in a.iter().zip(b) {
        for (largest, b) in largest.iter_mut().zip(b) {
            let exponent = a + b;
            *largest = if exponent > *largest { exponent } else { *largest };
        }
    }
    largest
}

/// The sums of the products of a row with the columns of a panel, each cut off. Alone in a function, so that the columns become the lanes of a
/// vector.
#[multiversion(targets("x86_64+avx2"))]
fn cut_off_products(a: &[f64], b: &[[f64; TILE]], unit: [f64; TILE], rounder: [f64; TILE]) -> [f64; TILE] {
    let mut totals = [0.0; TILE];
    for (a, b) in a.iter().zip(b) {
        for column in 0..TILE {
            totals[column] += cut_off(a * b[column], unit[column], rounder[column]);
        }
    }
    totals
}

/// A number, cut off to a multiple of a unit; `rounder` is 2^52 of it.
#[inline(always)]
fn cut_off(number: f64, unit: f64, rounder: f64) -> f64 {
    let magnitude = number.abs();
    let nearest = (magnitude + rounder) - rounder;
    let below = if nearest > magnitude { nearest - unit } else { nearest };
    below.copysign(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_off_toward_zero() {
        let cut = |number: f64, exponent: i32| {
            let unit = power_of_two(exponent);
            cut_off(number, unit, unit * power_of_two(52))
        };
        for (number, exponent, wanted) in [
            (1.75, 0, 1.0),
            (-1.75, 0, -1.0),
            (1.75, -1, 1.5),
            (0.9, 0, 0.0),
            (-6.0, 2, -4.0),
            (3.0, 0, 3.0),
            (1e-300, -20, 0.0),
        ] {
            assert_eq!(cut(number, exponent), wanted, "{number} to 2^{exponent}");
        }
    }
}
