//! The OCP MX scale, defined a second time here: code c is 2^(c-127), 0xff is NaN, there is no zero and no sign.

use crate::common::{DIRECTIONS, format, operation, ways, y};
use binade_golden::{Codec, Exact, Policy, Value};
use binade_spec::{Format, Function, Kind, OfFunction, Operation, Overflow, Rounding, Unit};
use std::cmp::Ordering;

const NAN: u128 = 0xff;
const LARGEST: u128 = 0xfe;

fn e8m0() -> Format {
    format("e8m0")
}

/// `significand / 128 * 2^exponent`.
fn value(negative: bool, significand: u128, exponent: i32) -> Value {
    Value::Finite(Exact { negative, n: significand, k: exponent - 7 })
}

/// The code of a positive number, its significand from 128 to 255.
fn rounded(significand: u128, exponent: i32, rounding: Rounding, overflow: Overflow) -> u128 {
    let code = i64::from(exponent) + 127;
    let to_middle = significand.cmp(&192);
    let inexact = significand != 128;
    let is_odd = code % 2 != 0;
    let outward = match rounding {
        Rounding::Rne => to_middle == Ordering::Greater || to_middle == Ordering::Equal && is_odd,
        Rounding::Rna | Rounding::Rnu => to_middle != Ordering::Less,
        Rounding::Rup => inexact,
        Rounding::Rto => inexact && !is_odd,
        _ => false,
    };
    let inward = [Rounding::Rtz, Rounding::Rdn].contains(&rounding);
    match code + i64::from(outward) {
        code if code < 0 => 0,
        code if code <= LARGEST as i64 => code as u128,
        _ if overflow == Overflow::Inf && !inward => NAN,
        _ => LARGEST,
    }
}

/// All 256 codes, and their values in binary32, including 2^-127, which is subnormal there.
#[test]
fn every_code() {
    let decode = Operation::new(Unit::Decode, e8m0(), Format::binary32());
    for code in 0..NAN {
        let k = code as i32 - 127;
        assert_eq!(e8m0().decode(code), Value::Finite(Exact { negative: false, n: 1, k }));
        let single = f32::from_bits(y(&decode, &[code as u64]) as u32);
        assert_eq!(f64::from(single), 2_f64.powi(k));
    }
    assert_eq!((e8m0().decode(NAN), e8m0().nan_code()), (Value::Nan, Some(NAN)));
    assert!(f32::from_bits(y(&decode, &[NAN as u64]) as u32).is_nan());
    assert_eq!((e8m0().width(), e8m0().max_code(), e8m0().min_code()), (8, LARGEST, 0));
}

/// Positive numbers across the range and beyond both ends: exact, below, at and above the midpoint.
#[test]
fn every_rounding() {
    for exponent in -140..=140 {
        for significand in [128, 129, 191, 192, 193, 255] {
            for &(rounding, overflow) in ways(false) {
                let got = e8m0().encode(value(false, significand, exponent), rounding, overflow);
                let want = rounded(significand, exponent, rounding, overflow);
                assert_eq!(got, want, "{significand}/128 * 2^{exponent} {rounding} {overflow}");
            }
        }
    }
}

/// The fraction of the way to the next power of two is the fraction of the significand, which is exact in 7 random
/// bits.
#[test]
fn stochastic() {
    for exponent in [-130, -128, -127, -126, 0, 1, 126, 127, 128] {
        for significand in 128..256 {
            for word in 0..128 {
                let policy = Policy { random: word, ..Policy::new(Rounding::Sr(7), Overflow::Inf) };
                let got = e8m0().encode_by(value(false, significand, exponent), &policy);
                let outward = significand as u64 - 128 + word >= 128;
                let want = rounded(128, exponent + i32::from(outward), Rounding::Rne, Overflow::Inf);
                assert_eq!(got, want, "{significand}/128 * 2^{exponent} {word}");
            }
        }
    }
}

/// Zero has no code, so it becomes the smallest value, with either sign and in any rounding.
#[test]
fn zero_is_the_smallest_value() {
    for &(rounding, overflow) in ways(false) {
        for negative in [false, true] {
            assert_eq!(e8m0().encode(Value::Zero { negative }, rounding, overflow), 0);
        }
    }
}

/// A negative number is NaN, unless it saturates or is rounded upward or toward zero.
#[test]
fn negative_numbers() {
    for exponent in [-200, -128, -127, 0, 127, 200] {
        for &(rounding, overflow) in ways(false) {
            let got = e8m0().encode(value(true, 129, exponent), rounding, overflow);
            let up_to_zero = overflow != Overflow::Inf || [Rounding::Rtz, Rounding::Rup].contains(&rounding);
            assert_eq!(got, if up_to_zero { 0 } else { NAN }, "2^{exponent} {rounding} {overflow}");
        }
    }
}

/// +infinity becomes NaN, or the largest value with saturation; -infinity is negative, so it becomes 0 where negative
/// numbers saturate.
#[test]
fn infinities() {
    for rounding in DIRECTIONS {
        let encode =
            |negative| Overflow::ALL.map(|overflow| e8m0().encode(Value::Infinite { negative }, rounding, overflow));
        assert_eq!(encode(false), [NAN, LARGEST, NAN], "{rounding}");
        assert_eq!(encode(true), [NAN, 0, 0], "{rounding}");
    }
}

/// All pairs: products are sums of exponents; sums are between the larger power of two and the next one.
#[test]
fn products_and_sums() {
    for rounding in DIRECTIONS {
        let [mul, add] =
            [Unit::Mul, Unit::Add].map(|unit| Operation { rounding, ..Operation::new(unit, e8m0(), e8m0()) });
        for (a, b) in (0..256_u64).flat_map(|a| (0..256).map(move |b| (a, b))) {
            let (larger, gap) = (a.max(b) as i32 - 127, a.abs_diff(b));
            // In 128ths of the larger; anything nonzero below them is alike.
            let sum = if gap == 0 { (128, larger + 1) } else { (128 + (128_u128 >> gap.min(7)), larger) };
            let (product, sum) = if a == NAN as u64 || b == NAN as u64 {
                (NAN, NAN)
            } else {
                let exponent = a as i32 + b as i32 - 2 * 127;
                (rounded(128, exponent, rounding, Overflow::Inf), rounded(sum.0, sum.1, rounding, Overflow::Inf))
            };
            assert_eq!(y(&mul, &[a, b]), product as u64, "{a:#x} * {b:#x} {rounding}");
            assert_eq!(y(&add, &[a, b]), sum as u64, "{a:#x} + {b:#x} {rounding}");
        }
    }
}

/// Scales accumulated in binary32, whose own arithmetic is the processor's.
#[test]
fn products_of_scales_in_binary32() {
    let fmac = Operation::new(Unit::Fmac, e8m0(), Format::binary32());
    for (a, b) in (0..NAN).flat_map(|a| (0..NAN).map(move |b| (a, b))) {
        let power = |code: u64| 2_f64.powi(code as i32 - 127);
        // A product of powers of two is exact in binary64, and so is the sum with 0 or with itself negated.
        let product = (power(a as u64) * power(b as u64)) as f32;
        assert_eq!(y(&fmac, &[a as u64, b as u64, 0]), product.to_bits().into(), "{a:#x} * {b:#x}");
    }
}

/// Results beyond the range of unsigned scales, and infinities, become the largest value, as in P3109's finite formats.
#[test]
fn unsigned_scales_end_at_their_largest_value() {
    for (name, largest) in [("ue4m3", 0x7e), ("ue5m3", 0xfe)] {
        let scale = format(name);
        let encode = operation(Unit::Encode, Format::binary32(), scale);
        for x in [f32::MAX, f32::INFINITY, 1e9].map(|x| u64::from(x.to_bits())) {
            assert_eq!(y(&encode, &[x]), largest, "{name} {x:#x}");
        }
        assert_eq!(y(&operation(Unit::Divide, scale, scale), &[largest, 0x01]), largest, "{name}");
        let kind = Kind::Function(OfFunction { function: Function::Log1p });
        let log1p = Operation { kind, ..operation(Unit::Function, Format::ieee(5, 2), scale) };
        assert_eq!(y(&log1p, &[0x7c]), largest, "{name}: log1p(+inf)");
        // -infinity is no number that is rounded up to zero.
        for rounding in [Rounding::Rne, Rounding::Rtz, Rounding::Rup] {
            let nan = scale.nan_code().expect("a NaN") as u64;
            assert_eq!(y(&Operation { rounding, ..encode }, &[0xff80_0000]), nan, "{name} {rounding}");
        }
    }
}
