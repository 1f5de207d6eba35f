//! The errors of formats on arrays: unscaled, with the best power-of-two scale, and with a scale for each block.

use super::quantizer::Quantizer;
use super::squares::{Squares, power_of_two};
use super::survey::{Binade, Survey, exponent};
use super::{Array, BLOCK, TensorError, TensorFile};
use binade_spec::Format;
use rayon::prelude::*;
use serde::Serialize;
use std::f64::consts::LOG10_2;
use std::io::Read;

/// How many elements are read at a time: whole blocks.
const CHUNK: usize = 1 << 20;

/// How many elements a thread takes at a time.
const PART: usize = 1 << 14;

/// How many scales are tried, from the one that moves the largest number to the format's largest binade downwards.
const SCALES: i32 = 64;

/// Scales and their reciprocals must be normal numbers of binary64.
const MOST_SCALE: i32 = 1022;

/// The errors of rounding finite numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Errors {
    /// Finite numbers.
    pub numbers: u64,
    /// Numbers whose value changes.
    pub inexact: u64,
    /// Nonzero numbers that become zero.
    pub flushed: u64,
    /// Numbers whose result is nonzero but below full precision.
    pub below_full_precision: u64,
    /// Numbers beyond the largest value, to which they saturate.
    pub overflows: u64,
    /// The sum of squared errors.
    pub squared_errors: Squares,
    /// The sum of the squares of the numbers.
    pub squares: Squares,
    /// The largest relative error.
    pub max_relative_error: f64,
}

impl Errors {
    /// Adds a number and its rounded value, both scaled by `2^scale`.
    fn add(&mut self, number: f64, value: f64, scale: i32, quantizer: &Quantizer) {
        let (magnitude, error) = (number.abs(), (value - number).abs());
        self.numbers += 1;
        if number == 0.0 {
            return;
        }
        if value == 0.0 {
            self.flushed += 1;
        } else if value.abs() < quantizer.full_from {
            self.below_full_precision += 1;
        }
        self.inexact += u64::from(error != 0.0);
        self.overflows += u64::from(magnitude > quantizer.largest);
        self.max_relative_error = self.max_relative_error.max(error / magnitude);
        self.squared_errors.add(error, -scale);
        self.squares.add(magnitude, -scale);
    }

    fn merge(&mut self, other: &Errors) {
        self.numbers += other.numbers;
        self.inexact += other.inexact;
        self.flushed += other.flushed;
        self.below_full_precision += other.below_full_precision;
        self.overflows += other.overflows;
        self.squared_errors.merge(&other.squared_errors);
        self.squares.merge(&other.squares);
        self.max_relative_error = self.max_relative_error.max(other.max_relative_error);
    }

    /// The mean squared error; 0 or infinite if binary64 cannot hold it.
    pub fn mse(&self) -> f64 {
        if self.numbers == 0 { 0.0 } else { self.squared_errors.times(1.0 / self.numbers as f64).sum() }
    }

    /// The signal-to-quantization-noise ratio in dB; none if there is no noise.
    pub fn sqnr_db(&self) -> Option<f64> {
        (self.inexact > 0).then(|| 10.0 * LOG10_2 * (self.squares.log2() - self.squared_errors.log2()))
    }

    /// The SQNR in words: `28.85 dB`, `no error`, or `no numbers` if all elements are NaN or infinite.
    pub fn sqnr_text(&self) -> String {
        match self.sqnr_db() {
            Some(sqnr) => format!("{sqnr:.2} dB"),
            None if self.numbers == 0 => "no numbers".into(),
            None => "no error".into(),
        }
    }

    /// A count as a share of all finite numbers.
    pub fn share(&self, count: u64) -> f64 {
        if self.numbers == 0 { 0.0 } else { count as f64 / self.numbers as f64 }
    }
}

/// The errors of a format on an array.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The format.
    pub format: Format,
    /// The errors of the unscaled numbers.
    pub plain: Errors,
    /// The exponent of the best scale for the whole array; none for several arrays together, each of which has its own.
    pub scale: Option<i32>,
    /// The errors with that scale.
    pub scaled: Errors,
    /// The errors with a scale for each block.
    pub blocks: Errors,
}

impl Judgement {
    /// The scale was chosen from a sample of the numbers; for all of them it may be worse than none.
    fn leave_bad_scale(&mut self) {
        if self.plain.squared_errors.is_below(&self.scaled.squared_errors) {
            (self.scale, self.scaled) = (Some(0), self.plain.clone());
        }
    }
}

/// An array, with the errors of each format.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The array.
    pub array: Array,
    /// Its content.
    pub survey: Survey,
    /// The judgement of each format.
    pub judgements: Vec<Judgement>,
}

/// All arrays, separately and together.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Each array.
    pub arrays: Vec<Measured>,
    /// Their content.
    pub survey: Survey,
    /// The judgement of each format on all of them.
    pub judgements: Vec<Judgement>,
}

/// Reads arrays twice: to choose scales, and to measure errors. After each piece `go_on` receives the number of bytes read, and returns
/// whether to continue.
///
/// # Errors
/// When the file cannot be read, a format is too wide, or `go_on` returns false.
pub fn analyze(
    file: &TensorFile,
    arrays: &[&Array],
    formats: &[Format],
    go_on: &dyn Fn(u64) -> bool,
) -> Result<Analysis, TensorError> {
    let quantizers = formats.iter().map(|&format| Quantizer::new(format)).collect::<Result<Vec<_>, _>>()?;
    let mut analysis = Analysis {
        arrays: vec![],
        survey: Survey::new(),
        judgements: formats.iter().map(|&format| none(format)).collect(),
    };
    for &array in arrays {
        let measured = measured(file, array, &quantizers, go_on)?;
        analysis.survey.merge(&measured.survey);
        for (all, one) in analysis.judgements.iter_mut().zip(&measured.judgements) {
            merge(all, one);
        }
        analysis.arrays.push(measured);
    }
    if let [only] = analysis.arrays.as_slice() {
        analysis.judgements = only.judgements.clone();
    }
    Ok(analysis)
}

fn none(format: Format) -> Judgement {
    Judgement { format, scale: None, plain: Errors::default(), scaled: Errors::default(), blocks: Errors::default() }
}

fn merge(all: &mut Judgement, one: &Judgement) {
    all.plain.merge(&one.plain);
    all.scaled.merge(&one.scaled);
    all.blocks.merge(&one.blocks);
}

fn measured(
    file: &TensorFile,
    array: &Array,
    quantizers: &[Quantizer],
    go_on: &dyn Fn(u64) -> bool,
) -> Result<Measured, TensorError> {
    let mut survey = Survey::new();
    each_piece(file, array, go_on, |numbers| survey.add(numbers))?;
    let scales: Vec<i32> = quantizers.iter().map(|quantizer| best_scale(quantizer, &survey)).collect();
    let mut judgements: Vec<Judgement> = quantizers
        .iter()
        .zip(&scales)
        .map(|(quantizer, &scale)| Judgement { scale: Some(scale), ..none(quantizer.format) })
        .collect();
    each_piece(file, array, go_on, |numbers| {
        // Partial sums are added in order, so that the figures do not depend on the number of threads.
        let parts: Vec<Vec<Judgement>> =
            numbers.par_chunks(PART).map(|part| judged(part, quantizers, &scales)).collect();
        for part in parts {
            judgements.iter_mut().zip(&part).for_each(|(all, one)| merge(all, one));
        }
    })?;
    judgements.iter_mut().for_each(Judgement::leave_bad_scale);
    Ok(Measured { array: array.clone(), survey, judgements })
}

/// Reads an array in pieces of whole blocks.
fn each_piece(
    file: &TensorFile,
    array: &Array,
    go_on: &dyn Fn(u64) -> bool,
    mut take: impl FnMut(&[f64]),
) -> Result<(), TensorError> {
    file.read(array, |reader: &mut dyn Read| {
        let mut left = array.len();
        let mut bytes = vec![0; array.element.bytes() * left.min(CHUNK as u64) as usize];
        while left > 0 {
            let count = left.min(CHUNK as u64) as usize;
            let piece = &mut bytes[..count * array.element.bytes()];
            reader.read_exact(piece).map_err(file.unreadable())?;
            take(&array.element.numbers(piece));
            left -= count as u64;
            if !go_on(piece.len() as u64) {
                return Err(TensorError::Stopped);
            }
        }
        Ok(())
    })
}

/// The exponent of the power of two with the smallest squared error over the sampled numbers, each weighted with the count that it stands
/// for; among equals the one closest to 0.
fn best_scale(quantizer: &Quantizer, survey: &Survey) -> i32 {
    if survey.largest == 0.0 {
        return 0;
    }
    let most = exponent(quantizer.largest) + 1 - exponent(survey.largest);
    let filled: Vec<&Binade> = survey.binades.iter().filter(|binade| binade.count > 0).collect();
    let error = |&scale: &i32| {
        let mut all = Squares::default();
        for binade in &filled {
            let kept = errors(&binade.kept, quantizer, scale).squared_errors;
            all.merge(&kept.times(binade.count as f64 / binade.kept.len() as f64));
        }
        all
    };
    let within = |scale: &i32| scale.abs() <= MOST_SCALE;
    let mut scales: Vec<i32> = (most - SCALES..=most).filter(within).chain([0]).collect();
    scales.sort_by_key(|scale| scale.abs());
    let errors: Vec<Squares> = scales.par_iter().map(error).collect();
    let best = (0..scales.len()).reduce(|best, at| if errors[at].is_below(&errors[best]) { at } else { best });
    best.map_or(0, |best| scales[best])
}

fn judged(part: &[f64], quantizers: &[Quantizer], scales: &[i32]) -> Vec<Judgement> {
    let judge = |(quantizer, &scale): (&Quantizer, &i32)| {
        let plain = errors(part, quantizer, 0);
        let scaled = if scale == 0 { plain.clone() } else { errors(part, quantizer, scale) };
        Judgement { format: quantizer.format, plain, scale: None, scaled, blocks: errors_of_blocks(part, quantizer) }
    };
    quantizers.iter().zip(scales).map(judge).collect()
}

/// The errors of the numbers times `2^scale`.
fn errors(numbers: &[f64], quantizer: &Quantizer, scale: i32) -> Errors {
    let scaled: Vec<f64> =
        numbers.iter().filter(|number| number.is_finite()).map(|&number| times_power(number, scale)).collect();
    let mut errors = Errors::default();
    for (&number, value) in scaled.iter().zip(quantizer.quantize(&scaled)) {
        errors.add(number, value, scale, quantizer);
    }
    errors
}

/// The errors with a scale for each block, as `mx-quantize` has them: OCP's rule, which moves the largest number of a block to the highest
/// binade of the format. Infinities and NaN are left out of their blocks.
fn errors_of_blocks(numbers: &[f64], quantizer: &Quantizer) -> Errors {
    let mut all = Errors::default();
    let finite = |block: &[f64]| block.iter().copied().filter(|number| number.is_finite()).collect::<Vec<_>>();
    let blocks: Vec<Vec<f64>> = numbers.chunks(BLOCK).map(finite).collect();
    let largest = |block: &Vec<f64>| block.iter().fold(0.0, |largest: f64, number| largest.max(number.abs()));
    let exponents = quantizer.scales(&blocks.iter().map(largest).collect::<Vec<_>>());
    let (mut scaled, mut scales) = (Vec::with_capacity(numbers.len()), Vec::with_capacity(numbers.len()));
    for (block, exponent) in blocks.iter().zip(exponents) {
        scaled.extend(block.iter().map(|&number| times_power(number, -exponent)));
        scales.extend(block.iter().map(|_| -exponent));
    }
    for ((&number, value), scale) in scaled.iter().zip(quantizer.quantize(&scaled)).zip(scales) {
        all.add(number, value, scale, quantizer);
    }
    all
}

/// A number times `2^scale`. The product is exact unless it is far below the range of narrow formats; a nonzero number stays nonzero.
fn times_power(number: f64, scale: i32) -> f64 {
    let product = number * power_of_two(scale);
    if product == 0.0 && number != 0.0 { f64::from_bits(1).copysign(number) } else { product }
}
