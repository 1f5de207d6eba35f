//! Handwritten digits, after Popescu et al., "Representation range needs for 16-bit neural network training" (2021), Tables II and III: how
//! many elements of the tensors in a training are subnormal, with 5 and with 6 exponent bits, with and without loss scaling, with sums in
//! the format (FMAC-8) and in binary32 (FMACS)?
//!
//! A network with 64 inputs, 32 hidden units (ReLU) and 10 outputs, without biases, learns 1408 images in batches of 32 by stochastic
//! gradient descent on the mean cross-entropy. Weights are kept in binary32. Weights, activations and gradients are rounded to the format,
//! to nearest, before they are multiplied. The paper uses larger networks and data sets.
//!
//! | file | what it holds |
//! |---|---|
//! | `data.rs` | the images |
//! | `network.rs` | the network, and its training in each variant |
//! | `shares.rs` | the share of a tensor's elements that lose precision |
//! | `page.rs` | the page of the study |

mod data;
mod network;
mod page;
mod shares;

pub use page::{page, section};
pub use shares::Tensor;

use crate::arithmetic::{Accumulation, Narrow, Wide};
use crate::error::{StudyError, check_width};
use crate::spread::Spread;
use binade_spec::{Format, Sign};
use data::Images;
use network::Training;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;

/// Images per step.
const BATCH: usize = 32;

/// The number of training images; the others measure the accuracy.
const IMAGES_TO_LEARN: usize = 1408;

/// The parameters of the study.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The formats of weights, activations and gradients.
    pub formats: Vec<Format>,
    /// The number of trainings, each with other initial weights and other training images.
    pub seeds: u64,
    /// The number of epochs.
    pub epochs: usize,
    /// The learning rate.
    pub rate: f32,
    /// The loss scale, if the loss is scaled: a power of two.
    pub loss_scale: f32,
}

impl Setting {
    /// Three seeds of eight epochs.
    pub fn new(formats: Vec<Format>) -> Setting {
        Setting { formats, seeds: 3, epochs: 8, rate: 0.25, loss_scale: 1024.0 }
    }

    /// The variants of the training: binary32, and each format with both kinds of sums, without and with loss scaling.
    pub fn ways(&self) -> Vec<Way> {
        let way = |format, accumulation, loss_scale| Way { format, accumulation, loss_scale };
        let mut ways = vec![way(Format::binary32(), Accumulation::Fmacs, 1.0)];
        for &format in &self.formats {
            for accumulation in [Accumulation::Fmac8, Accumulation::Fmacs] {
                ways.extend([1.0, self.loss_scale].map(|scale| way(format, accumulation, scale)));
            }
        }
        ways
    }

    /// The epochs of all trainings together.
    pub fn epochs_of_all(&self) -> u64 {
        self.seeds.saturating_mul(self.ways().len() as u64).saturating_mul(self.epochs as u64)
    }

    fn check(&self) -> Result<(), StudyError> {
        self.formats.iter().try_for_each(|&format| check_width(format))?;
        if let Some(&format) = self.formats.iter().find(|format| format.sign() == Sign::Unsigned) {
            return Err(StudyError::Unsigned { format });
        }
        self.formats.iter().try_for_each(|&format| check_range(format))?;
        if (1..self.formats.len()).any(|at| self.formats[..at].contains(&self.formats[at])) {
            return Err(StudyError::Setting("give each format of a study only once"));
        }
        if self.formats.is_empty() || self.seeds == 0 || self.epochs == 0 {
            return Err(StudyError::Setting("a study needs at least one format, one seed and one epoch"));
        }
        if !(self.rate.is_finite() && self.rate > 0.0) {
            return Err(StudyError::Setting("the rate must be a number above 0"));
        }
        let is_power_of_two = self.loss_scale.is_normal() && self.loss_scale.to_bits() & ((1 << 23) - 1) == 0;
        if !(is_power_of_two && (2.0..=16_777_216.0).contains(&self.loss_scale)) {
            return Err(StudyError::Setting("the loss scale must be a power of two from 2 to 2^24, such as 1024"));
        }
        Ok(())
    }
}

/// The largest pixel, which is the target of an output, too.
const MOST_PIXEL: f32 = 1.0;

/// Refuses a format that does not hold the pixels, or in which all of them are zero.
fn check_range(format: Format) -> Result<(), StudyError> {
    let narrow = Narrow::new(format)?;
    let [largest, smallest] = [format.largest_code(), 1].map(|code| narrow.numbers(&[code as u64])[0]);
    let (data, most) = ("pixels", MOST_PIXEL);
    if largest < most {
        return Err(StudyError::Range { format, largest, data, most });
    }
    if narrow.rounded(&[most])[0] == 0.0 {
        return Err(StudyError::Coarse { format, smallest, data, most });
    }
    Ok(())
}

/// A variant of the training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Way {
    /// The format of weights, activations and gradients.
    #[serde(serialize_with = "crate::name")]
    pub format: Format,
    /// How products are added.
    pub accumulation: Accumulation,
    /// The loss scale.
    pub loss_scale: f32,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.format, self.accumulation)?;
        if self.loss_scale == 1.0 { Ok(()) } else { write!(f, ", loss x {}", self.loss_scale) }
    }
}

/// One training.
#[derive(Clone, Debug, Serialize)]
pub struct Trained {
    /// The variant.
    pub way: Way,
    /// The seed of images and weights.
    pub seed: u64,
    /// The share of test images that are classified right.
    pub accuracy: f64,
    /// The losses of precision in each tensor.
    pub tensors: Vec<Tensor>,
}

/// The results of the study.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// The epochs of each training.
    pub epochs: usize,
    /// The learning rate.
    pub rate: f32,
    /// A training for each variant and seed.
    pub trainings: Vec<Trained>,
}

/// The trainings of one variant.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// The variant.
    pub way: Way,
    /// The shares of test images that are classified right.
    pub accuracy: Spread,
    /// The share of elements below full precision: the largest of any tensor in any epoch, and the mean.
    pub below_full_precision: [Spread; 2],
    /// The share of elements that become zero: the largest of any tensor in any epoch, and the mean.
    pub flushed: [Spread; 2],
}

impl Study {
    /// The summary of each variant, over all seeds.
    pub fn summaries(&self) -> Vec<Summary> {
        let first_seed = self.trainings.iter().filter(|trained| trained.seed == 1);
        first_seed.map(|trained| self.summary(trained.way)).collect()
    }

    /// The trainings of a variant, over all seeds.
    pub fn summary(&self, way: Way) -> Summary {
        let of_way = || self.trainings.iter().filter(move |trained| trained.way == way);
        let spreads = |of_tensor: fn(&Tensor) -> &[f64]| {
            let shares = || of_way().map(|trained| trained.tensors.iter().flat_map(of_tensor).copied());
            let most = shares().map(|shares| shares.fold(0.0, f64::max));
            let mean = shares().map(|shares| shares.clone().sum::<f64>() / shares.count() as f64);
            [Spread::of(most), Spread::of(mean)]
        };
        Summary {
            way,
            accuracy: Spread::of(of_way().map(|trained| trained.accuracy)),
            below_full_precision: spreads(|tensor| &tensor.below_full_precision),
            flushed: spreads(|tensor| &tensor.flushed),
        }
    }
}

/// Trains every variant with every seed. `go_on` is called before each epoch.
///
/// # Errors
/// When a format is too wide or lacks units, a number in the setting is invalid, or `go_on` returns false.
pub fn study(setting: &Setting, go_on: &(dyn Fn() -> bool + Sync)) -> Result<Study, StudyError> {
    setting.check()?;
    let wide = Wide::new(1)?;
    let trainings = setting.ways().into_iter().map(|way| Training::new(&wide, setting, way));
    let trainings = trainings.collect::<Result<Vec<_>, _>>()?;
    let of_seed = |seed| {
        let images = Images::new(seed);
        trainings.par_iter().map(|training| training.run(&images, seed, go_on)).collect::<Option<Vec<_>>>()
    };
    let trained = (1..=setting.seeds).into_par_iter().map(of_seed);
    let trainings = trained.collect::<Option<Vec<_>>>().ok_or(StudyError::Stopped)?;
    let trainings = trainings.into_iter().flatten().collect();
    Ok(Study { epochs: setting.epochs, rate: setting.rate, trainings })
}
