//! Units with scales against the processor's arithmetic: dot products of blocks (`mx-dot`), and quotients by a scale (`unscale`).

use crate::common::{Random, format};
use binade_golden::{Codec, Exact, Model, Value};
use binade_spec::{Format, Rounding, Selection, Unit, Word};

fn result(model: &Model, inputs: &[Word]) -> u128 {
    binade_spec::word::low_bits(&model.evaluate(inputs)[0])
}

fn blocks(element: &str, scale: &str, lanes: u32) -> Model {
    let selection =
        Selection { scale: Some(format(scale)), lanes: Some(lanes), ..Selection::new(Unit::MxDot, format(element)) };
    Model::new(&selection.operation().unwrap())
}

/// A finite value as an integer in units of `2^k`, if it is one.
fn in_units(format: &Format, code: u64, k: i32) -> Option<i64> {
    match format.decode(code.into()) {
        Value::Zero { .. } => Some(0),
        Value::Finite(Exact { negative, n, k: own }) => {
            let n = (n as i64) << (own - k);
            Some(if negative { -n } else { n })
        }
        Value::Infinite { .. } | Value::Nan => None,
    }
}

/// The sum of two binary64 numbers, if it is exact: if its error is zero (Knuth's two-sum).
fn exact_sum(x: f64, y: f64) -> Option<f64> {
    let sum = x + y;
    let of_y = sum - x;
    ((x - (sum - of_y)) + (y - of_y) == 0.0).then_some(sum)
}

/// Elements are small integers and their sum is exact in binary64, as is the whole sum for `c` of similar size:
/// rounding it to binary32 is then a single rounding.
fn agree_with_binary64(element: &str, scale: &str, lanes: u32, scale_codes: std::ops::Range<u64>) {
    let model = blocks(element, scale, lanes);
    let [element, scale] = [format(element), format(scale)];
    let Value::Finite(Exact { k: last_place, .. }) = element.decode(element.min_code()) else {
        unreachable!("a number")
    };
    let mut random = Random(lanes.into());
    let mut compared = 0;
    while compared < 20_000 {
        let mut codes =
            [0; 2].map(|_| (0..lanes).map(|_| random.bits() & element.magnitude_mask() as u64).collect::<Vec<_>>());
        codes[1].iter_mut().for_each(|code| *code |= (random.bits() & 1) << element.magnitude_bits());
        let scales = [0; 2].map(|_| scale_codes.start + random.below(scale_codes.end - scale_codes.start));
        let products = codes[0]
            .iter()
            .zip(&codes[1])
            .map(|(&a, &b)| Some(in_units(&element, a, last_place)? * in_units(&element, b, last_place)?));
        let Some(sum) = products.sum::<Option<i64>>() else { continue };
        let value = |code: u64| match scale.decode(code.into()) {
            Value::Finite(Exact { n, k, .. }) => n as f64 * f64::from(k).exp2(),
            other => unreachable!("{other} is no scale"),
        };
        let scaled = sum as f64 * f64::from(2 * last_place).exp2() * value(scales[0]) * value(scales[1]);
        // Near the sum, or anything.
        let exponent = (scaled.abs().to_bits() >> 52) as i32 - 1023 + random.below(60) as i32 - 30;
        let c = f32::from_bits(random.bits() as u32 & 0x807f_ffff | ((exponent + 127).clamp(0, 254) as u32) << 23);
        let Some(exact) = exact_sum(scaled, c.into()) else { continue };
        let word = |codes: &[u64]| {
            codes.iter().rev().fold(Word::ZERO, |word, &code| word << element.width() | Word::from(u128::from(code)))
        };
        let [a_scale, b_scale] = scales.map(|code| Word::from(u128::from(code)));
        let c_word = Word::from(u128::from(c.to_bits()));
        let got = result(&model, &[word(&codes[0]), word(&codes[1]), a_scale, b_scale, c_word]);
        assert_eq!(got as u32, (exact as f32).to_bits(), "{codes:x?} {scales:x?} {c} {exact}");
        compared += 1;
    }
}

#[test]
fn dot_products_of_blocks_are_those_of_binary64() {
    // Products of scales from 2^-60 to 2^60.
    let scales = 127 - 30..127 + 30;
    agree_with_binary64("e2m1f", "e8m0", 32, scales.clone());
    agree_with_binary64("e2m3f", "e8m0", 5, scales.clone());
    agree_with_binary64("e3m2f", "e8m0", 32, scales.clone());
    agree_with_binary64("e4m3fn", "e8m0", 3, scales);
    // Scales with a significand, from the smallest value to the largest.
    agree_with_binary64("e2m1f", "e4m3fn", 16, 1..0x7f);
}

/// NaN and infinities of elements, of scales, and of c.
#[test]
fn specials_of_blocks() {
    let word = |code: u128| Word::from(code);
    let of = |model: &Model, words: [u128; 5]| result(model, &words.map(word)) as u32;
    let float = |value: f32| u128::from(value.to_bits());
    let [nan, infinity] = [0x7fc0_0000, f32::INFINITY.to_bits()];
    let e5m2 = blocks("e5m2", "e8m0", 2);
    let (one, inf, zero, scale) = (0x3c, 0x7c, 0, 127);
    assert_eq!(of(&e5m2, [one, one, scale, scale, float(2.0)]), 3_f32.to_bits());
    assert_eq!(of(&e5m2, [one, one, 0xff, scale, float(2.0)]), nan, "a scale that is NaN");
    assert_eq!(of(&e5m2, [zero, zero, scale, 0xff, float(2.0)]), nan, "the other scale, of nothing but zeros");
    assert_eq!(of(&e5m2, [inf, one, 0, 0, float(2.0)]), infinity, "the smallest scales");
    assert_eq!(of(&e5m2, [inf | inf << 8, one | (one | 0x80) << 8, scale, scale, 0]), nan, "infinities of both signs");
    assert_eq!(of(&e5m2, [inf, one, scale, scale, float(f32::NEG_INFINITY)]), nan, "and c");
    assert_eq!(of(&e5m2, [one, one, 254, 254, float(-2.0)]), infinity, "beyond binary32");
    assert_eq!(of(&e5m2, [one, one, 0, 0, float(-2.0)]), (-2_f32).to_bits(), "below c's last place");
    let minus = 0x8000_0000;
    assert_eq!(of(&e5m2, [0, 0x8080, scale, scale, minus]), minus as u32, "terms that are all -0");
    assert_eq!(of(&e5m2, [0, 0x8000, scale, scale, minus]), 0, "not all of them are");
    let nvfp4 = blocks("e2m1f", "e4m3fn", 2);
    assert_eq!(of(&nvfp4, [0x22, 0x22, 0x7f, 0, 0]), nan, "NaN times zero");
    assert_eq!(of(&nvfp4, [0x77, 0x77, 0, 0x38, float(2.0)]), 2_f32.to_bits(), "a scale of zero");
}

#[test]
fn quotients_by_a_scale_are_those_of_the_processor() {
    for rounding in [Rounding::Rne, Rounding::Rtz] {
        let selection = Selection { rounding: Some(rounding), ..Selection::new(Unit::Unscale, format("binary32")) };
        let model = Model::new(&selection.operation().unwrap());
        let mut random = Random(3);
        for scale in 0..0xff_u64 {
            for _ in 0..500 {
                let g = f32::from_bits(random.bits() as u32);
                let exact = f64::from(g) / ((scale as f64) - 127.0).exp2();
                let nearest = exact as f32;
                let wanted = match rounding {
                    Rounding::Rtz if f64::from(nearest.abs()) > exact.abs() => f32::from_bits(nearest.to_bits() - 1),
                    _ => nearest,
                };
                let words = [u128::from(g.to_bits()), scale.into()].map(Word::from);
                let got = f32::from_bits(result(&model, &words) as u32);
                assert!(got.to_bits() == wanted.to_bits() || (got.is_nan() && wanted.is_nan()), "{g} {scale} {got}");
            }
        }
        let of_nan = result(&model, &[u128::from(1_f32.to_bits()), 0xff].map(Word::from));
        assert_eq!(of_nan, 0x7fc0_0000, "a scale that is NaN");
    }
}
