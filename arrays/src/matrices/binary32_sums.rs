//! Sums of products in the machine's binary32: product after product, and as in matrix units of AMD's CDNA 2.

use super::tiles::{LANES, Lanes, Panel, ROWS, Sheet, Sums, Tile, each, lines};
use binade_spec::{Format, Operation, Products, Rounding, Summation};
use multiversion::multiversion;
use rayon::prelude::*;

/// The sums of an operation.
pub struct Binary32 {
    order: Order,
    /// For both factors, magnitudes below this one count as 0.
    least: [f64; 2],
}

#[derive(Clone, Copy)]
enum Order {
    /// Product after product, rounded with the sum.
    Chain,
    /// Blocks of as many products, each rounded and added in pairs; subnormal results are 0.
    Flushed { block: usize },
}

impl Binary32 {
    /// `None` for other sums, roundings and results.
    pub fn of(operation: &Operation) -> Option<Binary32> {
        let is_nearest = operation.rounding == Rounding::Rne && operation.result == Format::binary32();
        let factors = operation.factors();
        match operation.settings::<Products>().summation {
            Summation::Chain if is_nearest && !operation.rounds_products() => {
                Some(Binary32 { order: Order::Chain, least: [0.0; 2] })
            }
            Summation::Flushed if is_nearest => {
                let least_normal = |format: Format| match format.float() {
                    Some(float) if format.underflows_gradually() => 2.0_f64.powi(1 - float.bias),
                    _ => 0.0,
                };
                let order = Order::Flushed { block: operation.block() as usize };
                Some(Binary32 { order, least: factors.map(least_normal) })
            }
            _ => None,
        }
    }

    /// The sums of products of these rows and panels.
    pub fn sums(&self, rows: &[f64], products: usize, panels: &[Panel]) -> Box<dyn Sums> {
        let [of_rows, of_columns] = self.least;
        let of_panel = |panel: &Panel| panel.iter().map(|row| row.map(|value| binary32(value, of_columns))).collect();
        Box::new(Binary32Sums {
            order: self.order,
            products,
            rows: rows.par_iter().map(|&value| binary32(value, of_rows)).collect(),
            panels: panels.par_iter().map(of_panel).collect(),
        })
    }
}

/// The number in binary32, +0 below a magnitude; NaN if it is none there.
fn binary32(value: f64, least: f64) -> f32 {
    let number = if value.abs() < least { 0.0 } else { value as f32 };
    if f64::from(number) == value || number == 0.0 && value.abs() < least { number } else { f32::NAN }
}

struct Binary32Sums {
    order: Order,
    products: usize,
    rows: Vec<f32>,
    panels: Vec<Vec<Lanes<f32>>>,
}

impl Sums for Binary32Sums {
    fn of(&self, tile: &Tile) -> Sheet<f64> {
        let (panel, rows) = (&self.panels[tile.panel], lines(&self.rows, self.products, tile.row));
        let addends = tile.addends.map(|addends| addends.map(|addend| addend as f32));
        let sums = match self.order {
            Order::Chain => chains(rows, panel, addends),
            Order::Flushed { block } => std::array::from_fn(|row| flushed(rows[row], panel, block, addends[row])),
        };
        // Whether an infinite sum stays one is for the golden model to say.
        sums.map(|sums| sums.map(|sum| if sum.is_finite() { sum.into() } else { f64::NAN }))
    }
}

/// Adds product after product.
#[multiversion(targets("x86_64+avx2+fma"))]
fn chains(rows: [&[f32]; ROWS], panel: &[Lanes<f32>], addends: Sheet<f32>) -> Sheet<f32> {
    let mut sums = addends;
    let [first, second, third, fourth] = rows.map(|row| &row[..panel.len()]);
    for (at, b) in panel.iter().enumerate() {
        for (sums, a) in sums.iter_mut().zip([first[at], second[at], third[at], fourth[at]]) {
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum = a.mul_add(*b, *sum);
            }
        }
    }
    sums
}

/// Adds the products of blocks in pairs, and the blocks one after the other.
#[multiversion(targets("x86_64+avx2+fma"))]
fn flushed(row: &[f32], panel: &[Lanes<f32>], block: usize, addends: Lanes<f32>) -> Lanes<f32> {
    // A zero becomes +0.
    let start = addends.map(|addend| if addend.abs() < f32::MIN_POSITIVE { 0.0 } else { addend });
    let mut terms = vec![[0.0; LANES]; block];
    row.chunks(block).zip(panel.chunks(block)).fold(start, |sums, (row, panel)| {
        for (term, (a, b)) in terms.iter_mut().zip(row.iter().zip(panel)) {
            // The exact product and +0, rounded.
            *term = each(|at| without_subnormals(a.mul_add(b[at], 0.0)));
        }
        let mut count = row.len();
        while count > 1 {
            for pair in 0..count / 2 {
                terms[pair] = each(|at| without_subnormals(terms[2 * pair][at] + terms[2 * pair + 1][at]));
            }
            if count % 2 == 1 {
                terms[count / 2] = terms[count - 1];
            }
            count = count.div_ceil(2);
        }
        each(|at| without_subnormals(sums[at] + terms[0][at]))
    })
}

/// The number, or a zero of its sign if it is subnormal.
#[inline(always)]
fn without_subnormals(number: f32) -> f32 {
    if number.abs() < f32::MIN_POSITIVE { 0.0_f32.copysign(number) } else { number }
}
