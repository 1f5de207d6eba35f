//! Rounds many numbers to a format and back.

use super::TensorError;
use super::element::number;
use crate::formats::full_precision;
use binade_arrays::{Arithmetic, Conversion, Random, Words};
use binade_golden::Codec;
use binade_spec::{Format, Overflow, Selection, Unit};

/// The bias of e8m0, the format of the scales of blocks.
const E8M0_BIAS: i32 = 127;

/// Rounds binary64 numbers to the nearest value of a format, and saturates.
pub(super) struct Quantizer {
    pub format: Format,
    encode: Conversion,
    decode: Conversion,
    /// The largest value.
    pub largest: f64,
    /// The smallest value with full precision.
    pub full_from: f64,
    /// The scale of a block, from its largest number: that of `mx-quantize`.
    scale: Arithmetic,
}

impl Quantizer {
    pub fn new(format: Format) -> Result<Quantizer, TensorError> {
        let fits = format.precision() <= 53
            && format.min_exponent() >= -1022
            && format.max_exponent() <= 1023
            && format.width() <= 64;
        if !fits && format != Format::binary64() {
            return Err(TensorError::TooWide { format });
        }
        let conversion = |from: Format, to: Format| {
            let mut selection = Selection::new(Unit::Convert, from);
            selection.target = Some(to);
            if to == format && to != Format::binary64() {
                selection.overflow = to.with_overflow(Overflow::Saturate);
            }
            let operation = selection.operation().map_err(|_| TensorError::TooWide { format })?;
            Conversion::new(&operation).map_err(|_| TensorError::TooWide { format })
        };
        let value = |code| number(format.decode(code));
        let block =
            Selection { source: Some(Format::binary64()), lanes: Some(1), ..Selection::new(Unit::MxQuantize, format) };
        let block = block.operation().map_err(|_| TensorError::TooWide { format })?;
        Ok(Quantizer {
            format,
            encode: conversion(Format::binary64(), format)?,
            decode: conversion(format, Format::binary64())?,
            largest: value(format.largest_code()),
            full_from: value(format.code(false, full_precision(&format)[0])),
            scale: Arithmetic::of_output(&block, 1).map_err(|_| TensorError::TooWide { format })?,
        })
    }

    /// The exponents of the scales of blocks with these largest magnitudes, by which their numbers are divided.
    pub fn scales(&self, largest: &[f64]) -> Vec<i32> {
        let codes: Vec<u64> = largest.iter().map(|number| number.to_bits()).collect();
        let mut scales = vec![0_u8; largest.len()];
        self.scale.evaluate(&[Words::U64(&codes)], Random::Unused, &mut scales);
        scales.iter().map(|&code| i32::from(code) - E8M0_BIAS).collect()
    }

    /// The nearest values.
    pub fn quantize(&self, numbers: &[f64]) -> Vec<f64> {
        let mut codes = vec![0_u64; numbers.len()];
        self.encode.convert(numbers, Random::Unused, &mut codes);
        let mut values = vec![0_f64; numbers.len()];
        self.decode.convert(&codes, Random::Unused, &mut values);
        values
    }
}
