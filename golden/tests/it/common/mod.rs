//! Shared by the test files: names to formats and operations, and a seeded source of operands that prefers corners.

pub mod apfloat;
pub mod line;
pub mod posits;

use binade_golden::{Codec, Model, Value};
use binade_spec::word::low_bits;
use binade_spec::{Float, Format, Operation, Overflow, Rounding, Unit};
use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::LazyLock;

/// The roundings that every float has, `rnu` first.
pub const DIRECTIONS: [Rounding; 7] =
    [Rounding::Rnu, Rounding::Rto, Rounding::Rdn, Rounding::Rup, Rounding::Rtz, Rounding::Rna, Rounding::Rne];

/// A rounding with an overflow policy.
pub type Way = (Rounding, Overflow);

/// All ways, `rnu` first, or only those with `rnu` (DLFloat16).
pub fn ways(only_rnu: bool) -> &'static [Way] {
    static WAYS: LazyLock<Vec<Way>> = LazyLock::new(|| {
        DIRECTIONS.into_iter().flat_map(|rounding| Overflow::ALL.map(|overflow| (rounding, overflow))).collect()
    });
    assert_eq!((DIRECTIONS[0], WAYS.len()), (Rounding::Rnu, 21));
    if only_rnu { &WAYS[..Overflow::ALL.len()] } else { &WAYS }
}

/// The number of cached models: tests alternate between a few operations, and building a model takes longer than
/// querying it.
const KEPT: usize = 4;

/// Queries the model of an operation.
fn with_model<T>(operation: &Operation, ask: impl FnOnce(&Model) -> T) -> T {
    thread_local!(static MODELS: RefCell<Vec<Model>> = const { RefCell::new(vec![]) });
    MODELS.with_borrow_mut(|models| {
        let at = models.iter().position(|model| model.operation() == operation).unwrap_or_else(|| {
            models.truncate(KEPT - 1);
            models.insert(0, Model::new(operation));
            0
        });
        ask(&models[at])
    })
}

/// Integers that hold codes: `u64` for up to 64 bits, `u128` for all.
pub trait Code: Into<u128> + TryFrom<u128, Error: Debug> {}
impl Code for u64 {}
impl Code for u128 {}

fn code<C: Code>(word: u128) -> C {
    C::try_from(word).expect("the format has no wider codes")
}

/// The word of the first output.
pub fn y(operation: &Operation, inputs: &[u64]) -> u64 {
    wide_y(operation, &widened(inputs)) as u64
}

/// The words of all outputs.
pub fn words(operation: &Operation, inputs: &[u64]) -> Vec<u64> {
    wide_words(operation, &widened(inputs)).into_iter().map(|word| word as u64).collect()
}

fn widened(inputs: &[u64]) -> Vec<u128> {
    inputs.iter().map(|&word| word.into()).collect()
}

/// The word of the first output, for ports of up to 128 bits.
pub fn wide_y(operation: &Operation, inputs: &[u128]) -> u128 {
    with_model(operation, |model| model.first_result(inputs))
}

/// The words of all outputs, for ports of up to 128 bits.
pub fn wide_words(operation: &Operation, inputs: &[u128]) -> Vec<u128> {
    with_model(operation, |model| model.evaluate(inputs).iter().map(low_bits).collect())
}

#[track_caller]
pub fn format(name: &str) -> Format {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The fields of a floating-point format.
#[track_caller]
pub fn float(format: Format) -> Float {
    *format.float().unwrap_or_else(|| panic!("{format} is no float"))
}

/// `unit` with its default rounding and overflow.
pub fn operation(unit: Unit, operand: Format, result: Format) -> Operation {
    Operation::new(unit, operand, result)
}

/// All codes of `format`, for narrow formats.
pub fn codes(format: Format) -> std::ops::Range<u64> {
    assert!(format.width() <= 16, "{format} is too wide for all its codes");
    0..1 << format.width()
}

/// The same number, or a NaN for a NaN.
#[track_caller]
pub fn assert_same(format: Format, got: impl Into<u128>, want: impl Into<u128>, what: impl Fn() -> String) {
    let (got, want): (u128, u128) = (got.into(), want.into());
    let same = got == want || format.is_nan(got) && format.is_nan(want);
    assert!(same, "{}: got {got:#x} ({}), want {want:#x} ({})", what(), format.decode(got), format.decode(want));
}

/// [`assert_same`] for arithmetic, which returns the canonical NaN.
#[track_caller]
pub fn assert_same_canonical(format: Format, got: impl Into<u128>, want: impl Into<u128>, what: impl Fn() -> String) {
    let (got, want): (u128, u128) = (got.into(), want.into());
    assert_same(format, got, want, &what);
    if format.is_nan(got) {
        assert_eq!(Some(got), format.nan_code(), "{}: not the canonical NaN", what());
    }
}

/// `value` as binary64, for formats within its range.
pub fn as_f64(value: Value) -> f64 {
    let signed = |negative, magnitude: f64| if negative { -magnitude } else { magnitude };
    match value {
        Value::Nan => f64::NAN,
        Value::Zero { negative } => signed(negative, 0.0),
        Value::Infinite { negative } => signed(negative, f64::INFINITY),
        Value::Finite(exact) => signed(exact.negative, exact.n as f64 * 2_f64.powi(exact.k)),
    }
}

fn trailing_bits(format: Format) -> u32 {
    format.precision() - 1
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// A word of as many bits as `ones` has.
    pub fn word(&mut self, ones: u128) -> u128 {
        let high = if ones >> 64 == 0 { 0 } else { u128::from(self.bits()) << 64 };
        (high | u128::from(self.bits())) & ones
    }

    /// A code of `format`: any, or one near a binade edge, zero, the smallest normal or the ends of the range.
    pub fn code<C: Code>(&mut self, format: Format) -> C {
        let mask = format.sign_mask() | format.magnitude_mask();
        let any = self.word(mask);
        let small = u128::from(self.below(4));
        let trailing = (1 << trailing_bits(format)) - 1;
        let sign = any & format.sign_mask();
        code(match self.below(8) {
            0 => (any & !trailing).wrapping_add(small) & mask,
            1 => (any & !trailing).wrapping_sub(small) & mask,
            2 => sign | small,
            3 => sign | (format.max_code() - 1 + small) & format.magnitude_mask(),
            4 => sign | (trailing + small) & format.magnitude_mask(),
            5 => any & !(trailing >> 1),
            _ => any,
        })
    }

    /// An addend that nearly cancels `product` (a code of the same format), or any code.
    pub fn addend<C: Code>(&mut self, format: Format, product: C) -> C {
        let mask = format.sign_mask() | format.magnitude_mask();
        let negated = product.into() ^ format.sign_mask();
        match self.below(4) {
            0 => code(negated.wrapping_add(self.below(5).into()).wrapping_sub(2) & mask),
            1 => {
                let binades = u128::from(self.below(2 * u64::from(format.precision()) + 4));
                code(negated.wrapping_sub(binades << trailing_bits(format)) & mask)
            }
            _ => self.code(format),
        }
    }
}

/// The code of a number rounded to bfloat16, once: first to odd in binary32. `bf16::from_f64` ignores the digits beyond binary32.
pub fn bfloat16_of(x: f64) -> u16 {
    let nearest = x as f32;
    let toward_zero = if f64::from(nearest).abs() > x.abs() { nearest.to_bits() - 1 } else { nearest.to_bits() };
    let is_inexact = f64::from(f32::from_bits(toward_zero)) != x;
    half::bf16::from_f32(f32::from_bits(toward_zero | u32::from(is_inexact))).to_bits()
}
