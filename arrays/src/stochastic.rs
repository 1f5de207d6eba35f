//! Stochastic rounding of binary32 to floats with subnormals: random bits are added to the bits right below the code, and all below it are
//! dropped.

use binade_golden::Model;
use binade_spec::{Float, Format, Operation, Rounding, Sign};

/// The trailing significand bits of binary32, and its bias.
const TRAILING: u32 = 23;
const BIAS: i32 = 127;

/// A stochastic rounding of binary32.
#[derive(Clone, Copy)]
pub struct Stochastic {
    random_bits: u32,
    trailing_bits: u32,
    bias: i32,
    sign_bit: u32,
    largest: u64,
    /// The results of numbers beyond the largest, of infinities, and of NaN: positive and negative.
    overflow: [u64; 2],
    infinite: [u64; 2],
    nan: [u64; 2],
}

impl Stochastic {
    /// `None` for other conversions, and for formats whose random bits begin below those of binary32.
    pub fn of(model: &Model) -> Option<Stochastic> {
        let Operation { operand, result, rounding, .. } = *model.operation();
        let (Rounding::Sr(random_bits), Some(float)) = (rounding, result.float()) else { return None };
        if operand != Format::binary32() || !is_plain(float) || float.trailing_bits + random_bits > TRAILING {
            return None;
        }
        // With all random bits set, the largest number of binary32 is rounded up beyond the largest of any format.
        let random = (1 << random_bits) - 1;
        let result = |number: u32| model.first_result(&[number.into(), random]) as u64;
        let both = |magnitude: u32| [magnitude, magnitude | 1 << 31].map(result);
        Some(Stochastic {
            random_bits,
            trailing_bits: float.trailing_bits,
            bias: float.bias,
            sign_bit: float.magnitude_bits(),
            largest: float.max_code() as u64,
            overflow: both(f32::MAX.to_bits()),
            infinite: both(f32::INFINITY.to_bits()),
            nan: both(f32::NAN.to_bits()),
        })
    }

    /// The random bits of a number.
    pub fn random_bits(&self) -> u32 {
        self.random_bits
    }

    /// The code of a number, rounded with these random bits.
    #[inline(always)]
    pub fn result(&self, number: u32, random: u64) -> u64 {
        let (sign, magnitude) = ((number >> 31) as usize, number & 0x7fff_ffff);
        if magnitude >= 0x7f80_0000 {
            return if magnitude == 0x7f80_0000 { self.infinite[sign] } else { self.nan[sign] };
        }
        let field = (magnitude >> TRAILING) as i32;
        let significand = u64::from(magnitude & 0x7f_ffff | u32::from(field > 0) << TRAILING);
        // The field in the result; at and below 1, numbers have the places of field 1.
        let target = field.max(1) - BIAS + self.bias;
        let below_code = TRAILING - self.trailing_bits - self.random_bits + (1 - target).max(0) as u32;
        let places = significand.checked_shr(below_code).unwrap_or(0);
        let above = (((target.max(1) - 1) as u64) << self.trailing_bits) << self.random_bits;
        let code = (above + places + random) >> self.random_bits;
        if code > self.largest { self.overflow[sign] } else { code | (sign as u64) << self.sign_bit }
    }
}

/// Whether a float has codes of both signs for all its numbers, subnormals, no supernormals, and no exponents beyond those of binary32.
fn is_plain(float: &Float) -> bool {
    float.sign == Sign::Signed
        && float.underflows_gradually()
        && float.binades_below == 0
        && float.binades_above == 0
        && float.trailing_bits > 0
        && float.has_minus_zero()
        && float.bias <= BIAS
        && float.max_exponent() <= i64::from(BIAS)
}
