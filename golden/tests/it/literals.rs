//! Numbers in text, against exact fractions: the code is searched among the values of all codes of the format, with
//! integers of any size.

use crate::common::format;
use binade_golden::{Codec, Exact, Literal, Policy, Value};
use binade_spec::{Format, Overflow, Rounding};
use num_bigint::BigUint;
use proptest::{prelude::*, test_runner::RngSeed};
use std::cmp::Ordering;

/// In all of these, overflow becomes the code after the largest finite one, as if the line of values continued.
const FORMATS: [&str; 8] =
    ["binary16", "binary32", "binary64", "binary128", "bfloat16", "e5m2", "e4m3fn", "e9m60,bias=7"];

/// A nonnegative number, as a fraction of integers.
#[derive(Clone, Debug)]
struct Fraction {
    over: BigUint,
    under: BigUint,
}

impl Fraction {
    fn new(digits: BigUint) -> Fraction {
        Fraction { over: digits, under: BigUint::from(1_u32) }
    }

    fn times_power(self, base: u32, exponent: i32) -> Fraction {
        let power = BigUint::from(base).pow(exponent.unsigned_abs());
        match exponent {
            0.. => Fraction { over: self.over * power, ..self },
            _ => Fraction { under: self.under * power, ..self },
        }
    }

    /// Against `n * 2^k`.
    fn compare(&self, n: &BigUint, k: i32) -> Ordering {
        let (mut left, mut right) = (self.over.clone(), n * &self.under);
        *(if k >= 0 { &mut right } else { &mut left }) <<= k.unsigned_abs();
        left.cmp(&right)
    }
}

/// A finite magnitude code's value as `n * 2^k`.
fn value(format: Format, code: u128) -> (BigUint, i32) {
    match format.decode(code) {
        Value::Zero { .. } => (BigUint::ZERO, 0),
        Value::Finite(Exact { n, k, .. }) => (BigUint::from(n), k),
        special => panic!("{code:#x} is {special}"),
    }
}

/// The midpoint between a code and the next one, or its equivalent above the largest code.
fn middle(format: Format, code: u128) -> (BigUint, i32) {
    let [(low, low_k), (high, high_k)] = match code {
        0 => [value(format, 0), value(format, 1)],
        _ if code < format.max_code() => [value(format, code), value(format, code + 1)],
        _ => {
            let [(before, before_k), (last, last_k)] = [value(format, code - 1), value(format, code)];
            assert_eq!(before_k, last_k, "neighbours in one binade");
            [(last.clone(), last_k), (&last * 2_u32 - before, last_k)]
        }
    };
    let k = if low == BigUint::ZERO { high_k } else { low_k.min(high_k) };
    let scaled = |n: BigUint, its: i32| if n == BigUint::ZERO { n } else { n << (its - k) };
    (scaled(low, low_k) + scaled(high, high_k), k - 1)
}

/// The magnitude code of a fraction: to nearest with ties to even, and toward zero.
fn codes(format: Format, fraction: &Fraction) -> [u128; 2] {
    let (mut low, mut high) = (0, format.max_code() + 1);
    while high - low > 1 {
        let probe = low + (high - low) / 2;
        let (n, k) = value(format, probe);
        *(if fraction.compare(&n, k).is_ge() { &mut low } else { &mut high }) = probe;
    }
    let (n, k) = middle(format, low);
    let goes_up = match fraction.compare(&n, k) {
        Ordering::Less => false,
        Ordering::Equal => low % 2 == 1,
        Ordering::Greater => true,
    };
    [low + u128::from(goes_up), low]
}

/// Digits with a point, the number of places after it, and whether they are hexadecimal; exponents of ten (of two for
/// hexadecimal) and of two after `*`.
fn literals() -> impl Strategy<Value = (String, Fraction)> {
    let digits = prop::collection::vec(0..16_u32, 1..40);
    let exponent = || prop_oneof![Just(0), -50..=50_i32, -400..=400_i32, -5000..=5000_i32, -100_000..=100_000_i32];
    (digits, 0..40_usize, any::<bool>(), exponent(), exponent(), any::<bool>()).prop_map(
        |(digits, places, hexadecimal, exponent, binary, has_binary)| {
            let radix = if hexadecimal { 16 } else { 10 };
            let digits: String = digits.iter().map(|digit| format!("{:x}", digit % radix)).collect();
            let places = places.min(digits.len());
            let (whole, fraction) = digits.split_at(digits.len() - places);
            let number = BigUint::parse_bytes(digits.as_bytes(), radix).expect("digits");
            let exact = Fraction::new(number).times_power(radix, -(places as i32));
            let exact = exact.times_power(if hexadecimal { 2 } else { 10 }, exponent);
            let (start, letter) = if hexadecimal { ("0x", 'p') } else { ("", 'e') };
            let text = format!("{start}{whole}.{fraction}{letter}{exponent}");
            match has_binary {
                true => (format!("{text}*2^{binary}"), exact.times_power(2, binary)),
                false => (text, exact),
            }
        },
    )
}

fn check(format: Format, text: &str, fraction: &Fraction) {
    let literal: Literal = text.parse().expect(text);
    let wanted = codes(format, fraction);
    for (rounding, want) in [Rounding::Rne, Rounding::Rtz].into_iter().zip(wanted) {
        let got = format.encode_literal(&literal, &Policy::new(rounding, Overflow::Inf));
        assert_eq!(format.hex(got), format.hex(want), "{format} {text} {rounding}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Default::default() })]

    #[test]
    fn literals_are_rounded_as_their_fractions_are((text, fraction) in literals(), name in prop::sample::select(&FORMATS[..])) {
        check(format(name), &text, &fraction);
    }
}

/// The limits of the exponents of formats, and of literals.
#[test]
fn extreme_literals() {
    for exponent in [-100_000, -5000, -4966, -325, -323, -46, -8, 5, 39, 308, 309, 350, 1000, 4932, 4933, 5000, 100_000]
    {
        let fraction = Fraction::new(BigUint::from(1_u32)).times_power(10, exponent);
        for name in FORMATS {
            check(format(name), &format!("1e{exponent}"), &fraction);
        }
    }
    for exponent in [-100_000, -16494, -16495, -1075, -1074, 127, 128, 1023, 1024, 1025, 16383, 16384, 100_000] {
        let fraction = Fraction::new(BigUint::from(1_u32)).times_power(2, exponent);
        for name in FORMATS {
            check(format(name), &format!("1*2^{exponent}"), &fraction);
            check(format(name), &format!("0x1p{exponent}"), &fraction);
        }
    }
}
