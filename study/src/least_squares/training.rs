//! The steps of a training.

use super::problem::{Problem, Sample};
use super::{POINTS, Setting, Trained, WEIGHTS, Way};
use crate::arithmetic::{Narrow, Update, Wide};
use binade_spec::{OperationError, UpdateRule};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The units of one variant.
pub struct Training<'u> {
    wide: &'u Wide,
    narrow: &'u Narrow,
    setting: &'u Setting,
    way: Way,
    /// None if weights are binary32.
    update: Option<Update>,
}

/// The weights during training.
enum Weights {
    Wide(Vec<f32>),
    Narrow {
        codes: Vec<u64>,
        /// The compensation of Kahan summation.
        lost: Vec<u64>,
    },
}

impl<'u> Training<'u> {
    pub fn new(
        wide: &'u Wide,
        narrow: &'u Narrow,
        setting: &'u Setting,
        way: Way,
    ) -> Result<Training<'u>, OperationError> {
        let rule = match way {
            Way::Binary32 | Way::NearestCompute => None,
            Way::NearestUpdates | Way::Nearest => Some(UpdateRule::Nearest),
            Way::Stochastic => Some(UpdateRule::Stochastic),
            Way::Kahan => Some(UpdateRule::Kahan),
        };
        let update = rule.map(|rule| Update::new(setting.format, rule)).transpose()?;
        Ok(Training { wide, narrow, setting, way, update })
    }

    /// All steps from zero weights on, as long as `go_on` returns true at each point of the curve. Every variant sees the same samples in
    /// the same order.
    pub fn run(&self, problem: &Problem, go_on: &dyn Fn() -> bool) -> Option<Trained> {
        let mut order = Xoshiro256PlusPlus::seed_from_u64(!problem.seed);
        let mut random = order.clone();
        random.jump();
        let mut weights = match self.update {
            None => Weights::Wide(vec![0.0; WEIGHTS]),
            Some(_) => {
                Weights::Narrow { codes: self.narrow.codes(&[0.0; WEIGHTS]), lost: self.narrow.codes(&[0.0; WEIGHTS]) }
            }
        };
        let mut curve = vec![];
        for step in 0..self.setting.steps {
            if step * POINTS / self.setting.steps >= curve.len() {
                curve.push(problem.loss(&self.numbers(&weights)));
                if !go_on() {
                    return None;
                }
            }
            let sample = &problem.samples[order.random_range(0..problem.samples.len())];
            self.step(sample, &mut weights, &mut random);
        }
        let weights = self.numbers(&weights);
        let (loss, distance) = (problem.loss(&weights), problem.distance(&weights));
        Some(Trained { way: self.way, seed: problem.seed, loss, distance, curve })
    }

    fn numbers(&self, weights: &Weights) -> Vec<f32> {
        match weights {
            Weights::Wide(numbers) => numbers.clone(),
            Weights::Narrow { codes, .. } => self.narrow.numbers(codes),
        }
    }

    fn step(&self, sample: &Sample, weights: &mut Weights, random: &mut impl Rng) {
        let rounded =
            |numbers: Vec<f32>| if self.way.rounds_gradients() { self.narrow.rounded(&numbers) } else { numbers };
        let error = rounded(vec![self.wide.dot(&sample.input, &self.numbers(weights), -sample.label)]);
        let gradient = rounded(self.wide.scaled(error[0], &sample.input));
        let change = self.wide.scaled(-self.setting.rate, &gradient);
        match (weights, &self.update) {
            (Weights::Narrow { codes, lost }, Some(update)) => {
                let mask = (1 << update.random_bits) - 1;
                let random: Vec<u64> = codes.iter().map(|_| random.next_u64() & mask).collect();
                update.apply(codes, &self.narrow.codes(&change), lost, &random);
            }
            (Weights::Wide(numbers), _) => *numbers = self.wide.sums(numbers, &change),
            (Weights::Narrow { .. }, None) => unreachable!("narrow weights have a rule"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::least_squares::problem::Problem;

    /// The machine's own arithmetic gives the same weights in binary32, bit for bit.
    #[test]
    fn binary32_is_that_of_the_machine() {
        let setting = Setting { seeds: 1, steps: 500, ..Setting::new("bfloat16".parse().expect("a format")) };
        let narrow = Narrow::new(setting.format).expect("units");
        let wide = Wide::new(WEIGHTS as u32).expect("units");
        let problem = Problem::new(3, &narrow);
        let training = Training::new(&wide, &narrow, &setting, Way::Binary32).expect("units");
        let trained = training.run(&problem, &|| true).expect("not stopped");

        let mut weights = [0_f32; WEIGHTS];
        let mut order = Xoshiro256PlusPlus::seed_from_u64(!problem.seed);
        for _ in 0..setting.steps {
            let Sample { input, label } = &problem.samples[order.random_range(0..problem.samples.len())];
            let error = input.iter().zip(&weights).fold(-label, |sum, (&x, &w)| x.mul_add(w, sum));
            weights.iter_mut().zip(input).for_each(|(weight, x)| *weight += -setting.rate * (error * x));
        }
        assert_eq!(trained.loss, problem.loss(&weights));
        assert_eq!(trained.distance, problem.distance(&weights));
    }
}
