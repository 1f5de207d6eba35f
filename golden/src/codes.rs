//! The codes of a format, and the list of all families.

use crate::codebook_codes::CodebookCodes;
use crate::fixed_codes::FixedCodes;
use crate::{FloatCodes, PositCodes};
use binade_spec::{Float, Format};
use ethnum::I256;
use std::ops::Deref;

/// The codes of a format, with precomputed properties: a [`Codec`](crate::Codec) for many codes.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    format: Format,
    pub(crate) family: FamilyCodes,
}

/// The codes of a format by family, and by the integers that count them: `i64` is faster where it suffices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FamilyCodes {
    Float(FloatCodes<i64>),
    WideFloat(FloatCodes<I256>),
    Posit(PositCodes),
    Fixed(FixedCodes),
    Codebook(CodebookCodes),
}

/// Forwards a method to the family of a format; the only place that lists all families.
macro_rules! ask {
    ($family:expr, $codes:ident => $answer:expr) => {
        match &$family {
            crate::codes::FamilyCodes::Float($codes) => $answer,
            crate::codes::FamilyCodes::WideFloat($codes) => $answer,
            crate::codes::FamilyCodes::Posit($codes) => $answer,
            crate::codes::FamilyCodes::Fixed($codes) => $answer,
            crate::codes::FamilyCodes::Codebook($codes) => $answer,
        }
    };
}
pub(crate) use ask;

impl Codes {
    /// The codes of `format`.
    pub fn new(format: Format) -> Codes {
        let family = match format {
            Format::Float(float) if i64_counts(&float) => FamilyCodes::Float(FloatCodes::new(float)),
            Format::Float(float) => FamilyCodes::WideFloat(FloatCodes::new(float)),
            Format::Posit(posit) => FamilyCodes::Posit(PositCodes::new(posit)),
            Format::Fixed(fixed) => FamilyCodes::Fixed(FixedCodes(fixed)),
            Format::Codebook(codebook) => FamilyCodes::Codebook(CodebookCodes(codebook)),
        };
        Codes { format, family }
    }
}

/// Whether `i64` can count the magnitude codes, and those of a whole binade beyond the largest one.
fn i64_counts(float: &Float) -> bool {
    float.max_code() + (1 << float.trailing_bits) <= i64::MAX as u128
}

impl Deref for Codes {
    type Target = Format;

    fn deref(&self) -> &Format {
        &self.format
    }
}
