//! The steps of a training.

use super::problem::{Problem, Sample};
use super::{POINTS, Setting, Trained, WEIGHTS, Way};
use crate::arithmetic::{self, Narrow, Update, Wide};
use binade_spec::{Format, OperationError, Optimizer, UpdateRule};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The units of one variant.
pub struct Training<'u> {
    wide: &'u Wide,
    narrow: &'u Narrow,
    setting: &'u Setting,
    way: Way,
    /// None if weights are binary32, without an optimizer.
    update: Option<Update>,
}

/// The weights during training.
enum Weights {
    Wide(Vec<f32>),
    Codes(arithmetic::Weights),
}

impl<'u> Training<'u> {
    pub fn new(
        wide: &'u Wide,
        narrow: &'u Narrow,
        setting: &'u Setting,
        way: Way,
    ) -> Result<Training<'u>, OperationError> {
        let Setting { format, optimizer, rate, .. } = *setting;
        let (format, rule) = match way {
            Way::Binary32 | Way::NearestCompute => (Format::binary32(), UpdateRule::Nearest),
            Way::NearestUpdates | Way::Nearest => (format, UpdateRule::Nearest),
            Way::Stochastic => (format, UpdateRule::Stochastic),
            Way::Kahan => (format, UpdateRule::Kahan),
        };
        let is_plain = matches!(way, Way::Binary32 | Way::NearestCompute) && optimizer == Optimizer::Sgd;
        let update = (!is_plain).then(|| Update::new(format, rule, optimizer, rate)).transpose()?;
        Ok(Training { wide, narrow, setting, way, update })
    }

    /// All steps from zero weights on, as long as `go_on` returns true at each point of the curve. Every variant sees the same samples in
    /// the same order.
    pub fn run(&self, problem: &Problem, go_on: &dyn Fn() -> bool) -> Option<Trained> {
        let mut order = Xoshiro256PlusPlus::seed_from_u64(!problem.seed);
        let mut random = order.clone();
        random.jump();
        let mut weights = match &self.update {
            None => Weights::Wide(vec![0.0; WEIGHTS]),
            Some(update) => Weights::Codes(update.zeros(WEIGHTS)),
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
        match (weights, &self.update) {
            (Weights::Codes(codes), Some(update)) => update.numbers(codes),
            (Weights::Wide(numbers), _) => numbers.clone(),
            (Weights::Codes(_), None) => unreachable!("codes have a unit"),
        }
    }

    fn step(&self, sample: &Sample, weights: &mut Weights, random: &mut impl Rng) {
        let rounded =
            |numbers: Vec<f32>| if self.way.rounds_gradients() { self.narrow.rounded(&numbers) } else { numbers };
        let error = rounded(vec![self.wide.dot(&sample.input, &self.numbers(weights), -sample.label)]);
        let gradient = rounded(self.wide.scaled(error[0], &sample.input));
        let change = match self.setting.optimizer {
            Optimizer::Sgd => self.wide.scaled(-self.setting.rate, &gradient),
            Optimizer::Momentum | Optimizer::Adamw => gradient,
        };
        match (weights, &self.update) {
            (Weights::Codes(weights), Some(update)) => {
                let mask = (1 << update.random_bits) - 1;
                let random: Vec<u64> = weights.codes.iter().map(|_| random.next_u64() & mask).collect();
                update.apply(weights, &change, &random);
            }
            (Weights::Wide(numbers), _) => *numbers = self.wide.sums(numbers, &change),
            (Weights::Codes(_), None) => unreachable!("codes have a unit"),
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
        is_that_of_the_machine(Optimizer::Sgd, |_, weight, gradient| weight + -0.01 * gradient);
    }

    #[test]
    fn momentum_is_that_of_the_machine() {
        is_that_of_the_machine(Optimizer::Momentum, |m, weight, gradient| {
            *m = 0.9_f32.mul_add(*m, gradient);
            (-0.01_f32).mul_add(*m, weight)
        });
    }

    /// `step` updates a running sum, and returns the new weight.
    fn is_that_of_the_machine(optimizer: Optimizer, step: impl Fn(&mut f32, f32, f32) -> f32) {
        let setting =
            Setting { seeds: 1, steps: 500, optimizer, ..Setting::new("bfloat16".parse().expect("a format")) };
        let narrow = Narrow::new(setting.format).expect("units");
        let wide = Wide::new(WEIGHTS as u32).expect("units");
        let problem = Problem::new(3, &narrow);
        let training = Training::new(&wide, &narrow, &setting, Way::Binary32).expect("units");
        let trained = training.run(&problem, &|| true).expect("not stopped");

        let (mut weights, mut sums) = ([0_f32; WEIGHTS], [0_f32; WEIGHTS]);
        let mut order = Xoshiro256PlusPlus::seed_from_u64(!problem.seed);
        for _ in 0..setting.steps {
            let Sample { input, label } = &problem.samples[order.random_range(0..problem.samples.len())];
            let error = input.iter().zip(&weights).fold(-label, |sum, (&x, &w)| x.mul_add(w, sum));
            for ((weight, sum), x) in weights.iter_mut().zip(&mut sums).zip(input) {
                *weight = step(sum, *weight, error * x);
            }
        }
        assert_eq!(trained.loss, problem.loss(&weights));
        assert_eq!(trained.distance, problem.distance(&weights));
    }
}
