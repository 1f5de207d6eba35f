//! Numbers of binary64, rounded to an IEEE 754 format.

use super::values::power_of_two;
use binade_spec::{Float, Rounding};

/// A rounding of binary64 to an IEEE 754 format. Zeros stay, and a number is NaN if it does not become a normal one.
pub struct Rounded {
    result: Float,
    rounding: Rounding,
    /// The trailing significand bits of binary64 that are dropped.
    dropped: u32,
    /// The codes in binary64 of the least normal number, and of a power of two beyond the largest one.
    normal: [u64; 2],
}

/// The most bits of an exponent. All numbers of the format are normal ones of binary64, far from both ends of its range.
const MOST_EXPONENT_BITS: u32 = 8;

impl Rounded {
    /// A rounding to this many trailing significand bits, at most those of the result. `None` for other formats, and for roundings that
    /// depend on the sign, or on random bits.
    pub fn of(result: &Float, trailing_bits: u32, rounding: Rounding) -> Option<Rounded> {
        let is_ieee = *result == Float::ieee(result.exponent_bits, result.trailing_bits);
        let is_known = matches!(rounding, Rounding::Rtz | Rounding::Rne | Rounding::Rto);
        if !is_ieee || !is_known || result.exponent_bits > MOST_EXPONENT_BITS || trailing_bits > result.trailing_bits {
            return None;
        }
        let dropped = 52_u32.checked_sub(trailing_bits).filter(|&dropped| dropped > 0)?;
        let normal =
            [1 - result.bias, result.max_exponent() as i32 + 1].map(|exponent| power_of_two(exponent).to_bits());
        Some(Rounded { result: *result, rounding, dropped, normal })
    }

    /// The number rounded toward zero.
    #[inline(always)]
    pub fn toward_zero(&self, number: f64) -> f64 {
        self.checked(number.to_bits() & !self.below())
    }

    /// The number rounded to nearest, ties to even.
    #[inline(always)]
    pub fn nearest(&self, number: f64) -> f64 {
        let bits = number.to_bits();
        let almost_half = self.below() >> 1;
        self.checked((bits + almost_half + (bits >> self.dropped & 1)) & !self.below())
    }

    /// The number rounded to odd.
    #[inline(always)]
    pub fn to_odd(&self, number: f64) -> f64 {
        let bits = number.to_bits();
        let is_inexact = u64::from(bits & self.below() != 0);
        self.checked(bits & !self.below() | is_inexact << self.dropped)
    }

    /// The code of the rounded number; `None` if it is not normal.
    #[inline(always)]
    pub fn code(&self, number: f64) -> Option<u64> {
        let rounded = match self.rounding {
            Rounding::Rtz => self.toward_zero(number),
            Rounding::Rne => self.nearest(number),
            _ => self.to_odd(number),
        };
        let Float { exponent_bits, trailing_bits, bias, .. } = self.result;
        let below_one = ((1023 - bias) as u64) << trailing_bits;
        let magnitude = (rounded.abs().to_bits() >> (52 - trailing_bits)).wrapping_sub(below_one);
        let sign = u64::from(rounded.is_sign_negative()) << (exponent_bits + trailing_bits);
        (rounded.abs() > 0.0).then_some(magnitude | sign)
    }

    /// The bits that are dropped, all 1.
    #[inline(always)]
    fn below(&self) -> u64 {
        (1 << self.dropped) - 1
    }

    /// The rounded number with these bits. Where it is normal, so was the number, or it was too close to be rounded to another.
    #[inline(always)]
    fn checked(&self, rounded: u64) -> f64 {
        let [least, limit] = self.normal;
        let magnitude = rounded & (u64::MAX >> 1);
        let is_known = (magnitude.wrapping_sub(least) < limit - least) | (magnitude == 0);
        if is_known { f64::from_bits(rounded) } else { f64::NAN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_binary16() {
        let ulp = 2.0_f64.powi(-10);
        for (rounding, number, wanted) in [
            (Rounding::Rtz, -1.0 - 0.75 * ulp, -1.0),
            (Rounding::Rne, 1.0 + 0.5 * ulp, 1.0),
            (Rounding::Rne, 1.0 + 1.5 * ulp, 1.0 + 2.0 * ulp),
            (Rounding::Rne, -1.0 - 0.75 * ulp, -1.0 - ulp),
            (Rounding::Rto, 1.0 + 0.25 * ulp, 1.0 + ulp),
            (Rounding::Rto, -1.0 - 1.75 * ulp, -1.0 - ulp),
            (Rounding::Rto, 2.0, 2.0),
            (Rounding::Rne, -0.0, -0.0),
            (Rounding::Rne, 0.0, 0.0),
        ] {
            let rounded = Rounded::of(&Float::ieee(5, 10), 10, rounding).unwrap();
            let number = match rounding {
                Rounding::Rtz => rounded.toward_zero(number),
                Rounding::Rne => rounded.nearest(number),
                _ => rounded.to_odd(number),
            };
            assert_eq!(number.to_bits(), f64::to_bits(wanted), "{number} {rounding}");
        }
        let nearest = Rounded::of(&Float::ieee(5, 10), 10, Rounding::Rne).unwrap();
        for number in [65520.0, -65536.0, 6.1e-5, f64::NAN, f64::INFINITY] {
            assert!(nearest.nearest(number).is_nan(), "{number}");
            assert_eq!(nearest.code(number), None, "{number}");
        }
        assert_eq!([-1.0, 65519.0, 0.0].map(|number| nearest.code(number)), [Some(0xbc00), Some(0x7bff), None]);
    }

    #[test]
    fn other_formats_and_roundings_are_refused() {
        let of = |float: Float, bits: u32, rounding: Rounding| Rounded::of(&float, bits, rounding).is_some();
        assert!(of(Float::ieee(8, 23), 13, Rounding::Rtz));
        assert!(!of(Float::ieee(11, 52), 52, Rounding::Rne));
        assert!(!of(Float::ieee(5, 10), 11, Rounding::Rne));
        assert!(!of(Float::ieee(5, 10), 10, Rounding::Rup));
        assert!(!of(Float { binades_above: 1, ..Float::ieee(5, 10) }, 10, Rounding::Rne));
    }
}
