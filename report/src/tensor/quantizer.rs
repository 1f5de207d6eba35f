//! Rounds many numbers to a format and back.

use super::TensorError;
use super::element::number;
use crate::formats::full_precision;
use binade_arrays::{Conversion, Random};
use binade_golden::Codec;
use binade_spec::{Format, Overflow, Selection, Unit};

/// Rounds binary64 numbers to the nearest value of a format, and saturates.
pub(super) struct Quantizer {
    pub format: Format,
    encode: Conversion,
    decode: Conversion,
    /// The largest value.
    pub largest: f64,
    /// The smallest value with full precision.
    pub full_from: f64,
    /// floor(log2) of the largest value with full precision, to which the largest number of a block is scaled.
    pub top: i32,
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
            if to.float().is_some_and(|_| to == format && to != Format::binary64()) {
                selection.overflow = Overflow::Saturate;
            }
            let operation = selection.operation().map_err(|_| TensorError::TooWide { format })?;
            Conversion::new(&operation).map_err(|_| TensorError::TooWide { format })
        };
        let value = |code| number(format.decode(code));
        let [first, last] = full_precision(&format);
        Ok(Quantizer {
            format,
            encode: conversion(Format::binary64(), format)?,
            decode: conversion(format, Format::binary64())?,
            largest: value(format.largest_code()),
            full_from: value(first),
            top: super::survey::exponent(value(last)),
        })
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
