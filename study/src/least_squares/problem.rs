//! The learning problem.

use super::{Limits, MOST_WEIGHT, SAMPLES, Setting, WEIGHTS};
use crate::arithmetic::Narrow;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Normal, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Samples of a linear function with noise.
pub struct Problem {
    pub seed: u64,
    /// The true weights.
    pub weights: Vec<f32>,
    pub samples: Vec<Sample>,
}

/// An input, rounded to the format, and its label.
pub struct Sample {
    pub input: Vec<f32>,
    pub label: f32,
}

/// The standard deviation of the noise on labels.
const NOISE: f64 = 0.5;

impl Problem {
    pub fn new(seed: u64, narrow: &Narrow) -> Problem {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let weights: Vec<f32> = (0..WEIGHTS).map(|_| random.random_range(0.0..MOST_WEIGHT)).collect();
        let noise = Normal::new(0.0, NOISE).expect("a deviation");
        let samples = (0..SAMPLES).map(|_| {
            let input: Vec<f32> = (0..WEIGHTS).map(|_| StandardNormal.sample(&mut random)).collect();
            let input = narrow.rounded(&input);
            let label = (product(&input, &weights) + noise.sample(&mut random)) as f32;
            Sample { input, label }
        });
        Problem { seed, samples: samples.collect(), weights }
    }

    /// The mean squared error of a model over all samples.
    pub fn loss(&self, weights: &[f32]) -> f64 {
        let error = |sample: &Sample| product(&sample.input, weights) - f64::from(sample.label);
        self.samples.iter().map(|sample| error(sample).powi(2)).sum::<f64>() / self.samples.len() as f64
    }

    /// The Euclidean distance between weights and the true weights.
    pub fn distance(&self, weights: &[f32]) -> f64 {
        let square = |(&a, &b): (&f32, &f32)| (f64::from(a) - f64::from(b)).powi(2);
        weights.iter().zip(&self.weights).map(square).sum::<f64>().sqrt()
    }

    /// Lower bounds for any training.
    pub fn limits(&self, setting: &Setting, narrow: &Narrow) -> Limits {
        let epsilon = 2_f64.powi(-(setting.format.precision() as i32));
        let squares = self.samples.iter().map(|sample| product(&sample.input, &sample.input));
        let largest = squares.fold(0.0, f64::max);
        let least = self.weights.iter().fold(f64::INFINITY, |least, &weight| least.min(weight.abs().into()));
        let theorem = epsilon / (f64::from(setting.rate) * largest + epsilon) * least;
        Limits {
            seed: self.seed,
            rounded: self.loss(&narrow.rounded(&self.weights)),
            theorem: theorem.min(self.distance(&[0.0; WEIGHTS])),
        }
    }
}

/// The dot product of two vectors in binary64, for results, not for training.
fn product(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}
