//! The network: inference and training.

use super::data::{DIGITS, Image, Images, PIXELS, batches, minus_wanted, pixels};
use super::shares::Shares;
use super::{BATCH, Setting, Trained, Way};
use crate::arithmetic::{Products, Wide};
use crate::matrix::Matrix;
use binade_spec::OperationError;
use rand::SeedableRng;
use rand_distr::{Distribution, Normal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The number of hidden units.
const HIDDEN: usize = 32;

/// The units of one variant.
pub struct Training<'u> {
    wide: &'u Wide,
    products: Products,
    setting: &'u Setting,
    way: Way,
}

/// The tensors of a forward pass, in the format.
struct Forward {
    weights: [Matrix; 2],
    images: Matrix,
    hidden: Matrix,
    said: Matrix,
}

impl<'u> Training<'u> {
    pub fn new(wide: &'u Wide, setting: &'u Setting, way: Way) -> Result<Training<'u>, OperationError> {
        Ok(Training { wide, products: Products::new(way.format, way.accumulation)?, setting, way })
    }

    /// All epochs, as long as `go_on` returns true before each. Every variant starts with the same weights and sees the same images in the
    /// same order.
    pub fn run(&self, images: &Images, seed: u64, go_on: &dyn Fn() -> bool) -> Option<Trained> {
        let mut order = Xoshiro256PlusPlus::seed_from_u64(!seed);
        let mut weights = [(HIDDEN, PIXELS), (DIGITS, HIDDEN)].map(|(rows, columns)| start(rows, columns, &mut order));
        let mut shares = Shares::new(self.way.format);
        for _ in 0..self.setting.epochs {
            if !go_on() {
                return None;
            }
            for batch in batches(&images.learned, &mut order) {
                self.learn(&mut weights, &batch, &mut shares);
            }
            shares.end_epoch();
        }
        let accuracy = self.accuracy(&weights, &images.others);
        Some(Trained { way: self.way, seed, accuracy, tensors: shares.tensors() })
    }

    /// The forward pass, with ReLU for the hidden units.
    fn forward(&self, weights: &[Matrix; 2], images: &[&Image]) -> (Forward, [Matrix; 2]) {
        let images = self.products.rounded(&pixels(images));
        let weights = [0, 1].map(|layer: usize| self.products.rounded(&weights[layer]));
        let hidden = self.products.of_rows(&images, &weights[0]);
        let exact_hidden = hidden.with(hidden.numbers.iter().map(|&number| number.max(0.0)).collect());
        let hidden = self.products.rounded(&exact_hidden);
        let exact_said = self.products.of_rows(&hidden, &weights[1]);
        let said = self.products.rounded(&exact_said);
        (Forward { weights, images, hidden, said }, [exact_hidden, exact_said])
    }

    /// One step: the gradient of the mean cross-entropy.
    fn learn(&self, weights: &mut [Matrix; 2], batch: &[&Image], shares: &mut Shares) {
        let (forward, [exact_hidden, exact_said]) = self.forward(weights, batch);
        let Forward { weights: rounded, images, hidden, said } = &forward;
        let scale = self.way.loss_scale;
        let errors = self.wide.sums(&softmax(said), &minus_wanted(batch).numbers);
        let exact_outer = said.with(self.wide.scaled(scale / BATCH as f32, &errors));
        let outer = self.products.rounded(&exact_outer);
        let inner = self.products.of_rows(&outer, &rounded[1].transposed());
        let through = inner.numbers.iter().zip(&hidden.numbers);
        let exact_inner =
            inner.with(through.map(|(&number, &hidden)| if hidden > 0.0 { number } else { 0.0 }).collect());
        let inner = self.products.rounded(&exact_inner);
        shares.count([
            (&weights[0], &rounded[0]),
            (&weights[1], &rounded[1]),
            (&exact_hidden, hidden),
            (&exact_said, said),
            (&exact_outer, &outer),
            (&exact_inner, &inner),
        ]);
        for (layer, (gradient, input)) in [(&inner, images), (&outer, hidden)].into_iter().enumerate() {
            let gradient = self.products.rounded(&self.products.of_rows(&gradient.transposed(), &input.transposed()));
            let change = self.wide.scaled(-self.setting.rate / scale, &gradient.numbers);
            weights[layer].numbers = self.wide.sums(&weights[layer].numbers, &change);
        }
    }

    /// The share of images whose digit has the largest output.
    fn accuracy(&self, weights: &[Matrix; 2], images: &[Image]) -> f64 {
        let all: Vec<&Image> = images.iter().collect();
        let (Forward { said, .. }, _) = self.forward(weights, &all);
        let right = said.rows().zip(images).filter(|(said, image)| {
            let best = (0..DIGITS).max_by(|&one, &other| said[one].total_cmp(&said[other]));
            best == Some(image.digit) && said.iter().all(|number| number.is_finite())
        });
        right.count() as f64 / images.len() as f64
    }
}

/// The probabilities (softmax) of each row.
fn softmax(said: &Matrix) -> Vec<f32> {
    let probabilities = |row: &[f32]| {
        let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f64> = row.iter().map(|&number| exponential(f64::from(number) - f64::from(largest))).collect();
        let sum: f64 = powers.iter().sum();
        powers.into_iter().map(|power| (power / sum) as f32).collect::<Vec<_>>()
    };
    said.rows().flat_map(probabilities).collect()
}

/// `e^x` for x up to 0, computed only with operations of IEEE 754, so that it is the same on every machine.
fn exponential(x: f64) -> f64 {
    use std::f64::consts::LN_2;
    if x < -700.0 {
        return 0.0;
    }
    let power = (x / LN_2).round();
    let rest = x - power * LN_2;
    let series = (1..=18).rev().fold(1.0, |sum, term| 1.0 + rest * sum / f64::from(term));
    series * 2_f64.powi(power as i32)
}

/// Initial weights, with a deviation that preserves that of their inputs.
fn start(rows: usize, columns: usize, random: &mut Xoshiro256PlusPlus) -> Matrix {
    let normal = Normal::new(0.0, (2.0 / columns as f32).sqrt()).expect("a deviation");
    Matrix { columns, numbers: (0..rows * columns).map(|_| normal.sample(random)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Accumulation;

    /// A sequence of the machine's fused multiply-adds gives the same weights in binary32, bit for bit.
    #[test]
    fn binary32_is_that_of_the_machine() {
        let setting = Setting { loss_scale: 64.0, ..Setting::new(vec![]) };
        let way = Way { format: binade_spec::Format::binary32(), accumulation: Accumulation::Fmacs, loss_scale: 64.0 };
        let wide = Wide::new(1).expect("units");
        let training = Training::new(&wide, &setting, way).expect("units");
        let images = Images::new(5);
        let batch: Vec<&Image> = images.learned[..BATCH].iter().collect();
        let mut order = Xoshiro256PlusPlus::seed_from_u64(1);
        let start = [(HIDDEN, PIXELS), (DIGITS, HIDDEN)].map(|(rows, columns)| start(rows, columns, &mut order));
        let mut learned = start.clone();
        training.learn(&mut learned, &batch, &mut Shares::new(way.format));

        let product = |a: &Matrix, b: &Matrix| {
            let sum = |a: &[f32], b: &[f32]| a.iter().zip(b).fold(0.0, |sum: f32, (&a, &b)| a.mul_add(b, sum));
            let sums = a.rows().flat_map(|row| b.rows().map(move |other| sum(row, other))).collect();
            Matrix { columns: b.rows().count(), numbers: sums }
        };
        let input = pixels(&batch);
        let mut hidden = product(&input, &start[0]);
        hidden.numbers.iter_mut().for_each(|number| *number = number.max(0.0));
        let said = product(&hidden, &start[1]);
        let errors = softmax(&said).into_iter().zip(minus_wanted(&batch).numbers);
        let outer = said.with(errors.map(|(said, wanted)| (said + wanted) * 2.0).collect());
        let mut inner = product(&outer, &start[1].transposed());
        inner.numbers.iter_mut().zip(&hidden.numbers).for_each(|(number, &hidden)| {
            if hidden <= 0.0 {
                *number = 0.0;
            }
        });
        for (layer, (gradient, input)) in [(&inner, &input), (&outer, &hidden)].into_iter().enumerate() {
            let gradient = product(&gradient.transposed(), &input.transposed());
            let weights = start[layer].numbers.iter().zip(&gradient.numbers);
            let wanted: Vec<f32> = weights.map(|(weight, gradient)| weight + -setting.rate / 64.0 * gradient).collect();
            assert_eq!(learned[layer].numbers, wanted, "layer {layer}");
        }
    }

    #[test]
    fn exponentials_are_those_of_the_machine() {
        for x in (0..7000).map(|x| -f64::from(x) / 10.0) {
            let ratio = exponential(x) / x.exp();
            assert!((ratio - 1.0).abs() < 1e-13, "e^{x}: {ratio}");
        }
        assert_eq!(exponential(f64::NEG_INFINITY), 0.0);
    }

    #[test]
    fn probabilities_add_up_to_one() {
        let said = Matrix { columns: 3, numbers: vec![1.0, 2.0, -300.0, 0.0, 0.0, 0.0] };
        let all = softmax(&said);
        assert_eq!(all[3..], [1.0 / 3.0; 3]);
        assert!((all[..3].iter().sum::<f32>() - 1.0).abs() < 1e-6 && all[2] == 0.0, "{all:?}");
        assert!(softmax(&said.with(vec![f32::NAN; 6])).iter().all(|number| number.is_nan()));
    }
}
