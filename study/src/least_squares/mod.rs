//! Least squares by stochastic gradient descent, after Zamirai et al., "Revisiting BFloat16 Training" (2020), section 3.1 and Figure 2:
//! which rounding stops a training, that of activations and gradients or that of the weights?
//!
//! `y = x . w + noise`, with 10 weights from `[0, 100)`, inputs of variance 1 and noise of deviation 0.5. Each step takes one sample, its
//! error `e = x . w - y` and the gradient `g = e * x`, and adds `-rate * g` to the weights. Sums of products are sequences of binary32
//! fused multiply-adds. The paper does not state the number of samples, steps or seeds.
//!
//! | file | what it holds |
//! |---|---|
//! | `problem.rs` | samples, losses, Theorem 1 of the paper |
//! | `training.rs` | the steps with each kind of rounding |
//! | `page.rs` | the page of the study |

mod page;
mod problem;
mod training;

pub use page::{page, section};

use crate::arithmetic::{Narrow, Wide};
use crate::error::{StudyError, check_width};
use crate::spread::Spread;
use binade_spec::{Format, Optimizer};
use problem::Problem;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use training::Training;

/// Weights of the model.
pub const WEIGHTS: usize = 10;

/// The bound of the true weights.
const MOST_WEIGHT: f32 = 100.0;

/// Samples to draw from.
pub const SAMPLES: usize = 1000;

/// Points on a loss curve.
pub const POINTS: usize = 100;

/// The parameters of the study.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Setting {
    /// The format of weights, activations and gradients.
    #[serde(serialize_with = "crate::name")]
    pub format: Format,
    /// The number of trainings, each with other random numbers.
    pub seeds: u64,
    /// Steps of each training.
    pub steps: usize,
    /// The learning rate.
    pub rate: f32,
    /// What the update of a weight is made of.
    pub optimizer: Optimizer,
}

impl Setting {
    /// The paper's rate, with five seeds of 20,000 steps.
    pub fn new(format: Format) -> Setting {
        Setting { format, seeds: 5, steps: 20_000, rate: 0.01, optimizer: Optimizer::Sgd }
    }
}

/// What is rounded to the format, and how weights are updated; the rest is binary32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Nothing.
    Binary32,
    /// Errors and gradients, to nearest.
    NearestCompute,
    /// Weights and their updates, to nearest.
    NearestUpdates,
    /// Both, to nearest.
    Nearest,
    /// Both, with stochastic rounding of the sum of weight and update.
    Stochastic,
    /// Both, with Kahan summation of updates.
    Kahan,
}

impl Way {
    /// All variants, in the order of a table.
    pub const ALL: [Way; 6] =
        [Way::Binary32, Way::NearestCompute, Way::NearestUpdates, Way::Nearest, Way::Stochastic, Way::Kahan];

    /// Whether errors and gradients are rounded.
    fn rounds_gradients(self) -> bool {
        !matches!(self, Way::Binary32 | Way::NearestUpdates)
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Way::Binary32 => "binary32",
            Way::NearestCompute => "nearest, forward and backward only",
            Way::NearestUpdates => "nearest, weight updates only",
            Way::Nearest => "nearest",
            Way::Stochastic => "stochastic weight updates",
            Way::Kahan => "Kahan weight updates",
        })
    }
}

/// One training.
#[derive(Clone, Debug, Serialize)]
pub struct Trained {
    /// The variant.
    pub way: Way,
    /// The seed.
    pub seed: u64,
    /// The mean squared error over all samples at the end.
    pub loss: f64,
    /// The Euclidean distance between the weights and the true weights.
    pub distance: f64,
    /// The losses during training, at `POINTS` steps, including the first.
    pub curve: Vec<f64>,
}

/// Lower bounds for any training.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Limits {
    /// The seed.
    pub seed: u64,
    /// The loss of the true weights rounded to the format.
    pub rounded: f64,
    /// A lower bound of the distance if updates are rounded to nearest: Theorem 1 of the paper, which assumes labels without noise and an
    /// error of up to `2^-precision`; formats with tapered precision exceed it.
    pub theorem: f64,
}

/// The results of the study.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// The parameters.
    pub setting: Setting,
    /// A training for each variant and seed.
    pub trainings: Vec<Trained>,
    /// The limits for each seed.
    pub limits: Vec<Limits>,
}

/// The trainings of one variant.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// The final losses.
    pub loss: Spread,
    /// Distances to the true weights.
    pub distance: Spread,
}

impl Setting {
    /// The points of all curves together.
    pub fn points(&self) -> u64 {
        self.seeds.saturating_mul((Way::ALL.len() * POINTS.min(self.steps)) as u64)
    }
}

impl Study {
    /// The trainings of a variant, over all seeds.
    pub fn summary(&self, way: Way) -> Summary {
        let of_way = || self.trainings.iter().filter(move |trained| trained.way == way);
        Summary {
            loss: Spread::of(of_way().map(|trained| trained.loss)),
            distance: Spread::of(of_way().map(|trained| trained.distance)),
        }
    }

    /// The losses of the rounded true weights, over all seeds.
    pub fn floor(&self) -> Spread {
        Spread::of(self.limits.iter().map(|limits| limits.rounded))
    }

    /// The bounds of Theorem 1, over all seeds.
    pub fn theorem(&self) -> Spread {
        Spread::of(self.limits.iter().map(|limits| limits.theorem))
    }
}

/// Trains every variant with every seed. `go_on` is called at each point of each curve.
///
/// # Errors
/// When the format is too wide or lacks units, a number in the setting is invalid, or `go_on` returns false.
pub fn study(setting: &Setting, go_on: &(dyn Fn() -> bool + Sync)) -> Result<Study, StudyError> {
    let Setting { format, seeds, steps, rate, .. } = *setting;
    check_width(format)?;
    if seeds == 0 || steps == 0 {
        return Err(StudyError::Setting("a study needs at least one seed and one step"));
    }
    if !(rate.is_finite() && rate > 0.0) {
        return Err(StudyError::Setting("the rate must be a number above 0"));
    }
    let (wide, narrow) = (Wide::new(WEIGHTS as u32)?, Narrow::new(format)?);
    let largest = narrow.numbers(&[format.largest_code() as u64])[0];
    if largest < MOST_WEIGHT {
        return Err(StudyError::Range { format, largest, data: "weights", most: MOST_WEIGHT });
    }
    let problems: Vec<Problem> = (1..=seeds).into_par_iter().map(|seed| Problem::new(seed, &narrow)).collect();
    let trainings = Way::ALL.map(|way| Training::new(&wide, &narrow, setting, way));
    let trainings = trainings.into_iter().collect::<Result<Vec<_>, _>>()?;
    let all: Vec<(&Training, &Problem)> =
        trainings.iter().flat_map(|training| problems.iter().map(move |problem| (training, problem))).collect();
    let trained = all.into_par_iter().map(|(training, problem)| training.run(problem, go_on));
    let trainings = trained.collect::<Option<Vec<_>>>().ok_or(StudyError::Stopped)?;
    let mut rounded = trainings.iter().filter(|training| training.way != Way::Binary32);
    if rounded.all(|training| training.loss.is_nan()) {
        return Err(StudyError::Beyond { format, largest });
    }
    let limits = problems.iter().map(|problem| problem.limits(setting, &narrow)).collect();
    Ok(Study { setting: *setting, trainings, limits })
}
