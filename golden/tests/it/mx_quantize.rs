//! `mx-quantize` against the processor's arithmetic, and a search for the nearest element.

use crate::common::{Random, format};
use binade_golden::{Codec, Exact, Model, Value};
use binade_spec::{Codebook, Format, Listed, Listing, Rounding, ScaleRule, Selection, Unit, Word};

fn model(element: &str, source: &str, lanes: u32) -> Model {
    model_by(element, source, lanes, ScaleRule::Floor)
}

fn model_by(element: &str, source: &str, lanes: u32, rule: ScaleRule) -> Model {
    let (source, lanes, scale_rule) = (Some(format(source)), Some(lanes), Some(rule));
    let selection = Selection { source, lanes, scale_rule, ..Selection::new(Unit::MxQuantize, format(element)) };
    Model::new(&selection.operation().unwrap())
}

/// Elements and scale.
fn quantized(model: &Model, codes: &[u64]) -> (Vec<u64>, u64) {
    let [source, element] = [model.operation().operand, model.operation().result];
    let x = codes.iter().rev().fold(Word::ZERO, |x, &code| x << source.width() | Word::from(u128::from(code)));
    let outputs = model.evaluate(&[x]);
    let lane = |at: usize| binade_spec::word::field(&outputs[0], at as u32 * element.width(), element.width()) as u64;
    ((0..codes.len()).map(lane).collect(), binade_spec::word::low_bits(&outputs[1]) as u64)
}

/// All finite elements, from zero up.
fn line(format: &Format) -> Vec<(f64, u64)> {
    let value = |code: u64| match format.decode(code.into()) {
        Value::Zero { .. } => 0.0,
        Value::Finite(Exact { n, k, .. }) => n as f64 * f64::from(k).exp2(),
        other => unreachable!("{other} is no number"),
    };
    (0..=format.max_code() as u64).map(|code| (value(code), code)).collect()
}

/// The nearest element; in a tie, the even one.
fn nearest(line: &[(f64, u64)], x: f64) -> u64 {
    let distance = |&&(value, code): &&(f64, u64)| ((value - x.abs()).abs(), code & 1);
    let order = |x: &(f64, u64), y: &(f64, u64)| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1));
    line.iter().min_by(|x, y| order(&distance(x), &distance(y))).expect("there are elements").1
}

/// Blocks whose largest number has any exponent, with others far below it, and zeros.
#[test]
fn blocks_of_the_processor() {
    const LANES: usize = 8;
    for (element, largest_exponent) in [("e5m2", 15), ("e4m3fn", 8), ("e3m2f", 4), ("e2m3f", 2), ("e2m1f", 2)] {
        let model = model(element, "binary32", LANES as u32);
        let element = format(element);
        let line = line(&element);
        let mut random = Random(largest_exponent as u64);
        for _ in 0..5_000 {
            let top = random.below(255);
            let mut block = [0_u64; LANES];
            block.iter_mut().for_each(|code| {
                let field = top.saturating_sub(random.below(24));
                *code = (random.bits() & 0x807f_ffff | field << 23) * u64::from(random.below(9) > 0);
            });
            let x = block.map(|code| f64::from(f32::from_bits(code as u32)));
            let largest = x.iter().fold(0_f64, |largest, x| largest.max(x.abs()));
            let exponent = if largest == 0.0 { i32::MIN } else { (largest.to_bits() >> 52) as i32 - 1023 };
            let exponent = exponent.saturating_sub(largest_exponent).clamp(-127, 127);
            let (elements, scale) = quantized(&model, &block);
            assert_eq!(scale as i32 - 127, exponent, "{x:?}");
            for (x, got) in x.into_iter().zip(elements) {
                let magnitude = nearest(&line, x / f64::from(exponent).exp2());
                let wanted = magnitude | u64::from(x.is_sign_negative()) << element.magnitude_bits();
                assert_eq!(got, wanted, "{x} in units of 2^{exponent}");
            }
        }
    }
}

/// Whatever the family of the elements, no number becomes infinite or NaN: beyond the largest element, results are that element.
#[test]
fn elements_beyond_the_largest_become_it() {
    let infinite = |negative| Listed::Infinity { negative };
    let number = |n, k, negative| Listed::Number { negative, n, k };
    let values = [0, 1, 2, 3, 4].map(|place| match place {
        0 => Listed::Zero { negative: false },
        place => number(1, place - 3, false),
    });
    let others = [infinite(false), number(3, 0, true), infinite(true)];
    let listing = Listing::new("of_infinities", 3, [values.as_slice(), &others].concat());
    let codebook = Codebook::new(listing.with(String::new(), Rounding::Rne, Some((4, 0)))).expect("a codebook");
    let names = "e5m2 e4m3 e4m3fn e2m1f e5m2b1 e4m3b2,sat k8p4se k8p4sf k8p4ue dlfloat16 float8_e4m3fnuz e8m0 ue4m3 posit8_1 bposit8 \
                 takum_linear8 hifloat8 nf4 mxint8 int4";
    let formats = names.split_whitespace().map(format);
    for element in formats.chain([codebook.into()]) {
        for rounding in ["rne", "rna", "rtz", "rup", "rdn", "rto"] {
            let rounding: Rounding = rounding.parse().expect("a rounding");
            if element.check_rounding(rounding).is_err() {
                continue;
            }
            let selection =
                Selection { rounding: Some(rounding), lanes: Some(2), ..Selection::new(Unit::MxQuantize, element) };
            let model = Model::new(&selection.operation().expect("an operation"));
            // The largest number of a block is just below a power of two, in one binade after another, with either sign.
            for x in (-100..100).flat_map(|k| [1.0_f32, 1.25, 1.5, 1.9, 1.999].map(|f| f * (k as f32).exp2())) {
                let signs: &[f32] = if element.sign() == binade_spec::Sign::Signed { &[1.0, -1.0] } else { &[1.0] };
                for y in signs.iter().map(|sign| sign * x) {
                    let (elements, scale) = quantized(&model, &[y.to_bits().into(), x.to_bits().into()]);
                    let is_beyond = elements.iter().zip([y, x]).any(|(&code, x)| {
                        let value = element.decode(code.into());
                        let largest = element.decode(element.code(x < 0.0, element.max_magnitude(x < 0.0)));
                        let scale = f64::from(scale as u32 as i32 - 127).exp2();
                        let number = |value| match value {
                            Value::Finite(Exact { n, k, .. }) => n as f64 * f64::from(k).exp2(),
                            Value::Zero { .. } => 0.0,
                            Value::Infinite { .. } | Value::Nan => f64::NAN,
                        };
                        let exceeds = f64::from(x.abs()) / scale >= number(largest);
                        number(value).is_nan() || exceeds && number(value) != number(largest)
                    });
                    assert!(!is_beyond, "{element} {rounding} {y} {x}: {elements:x?} with {scale:#x}");
                }
            }
        }
    }
}

/// The other rules as software computes them: on the bits of binary32, and with quotients of the processor. Largest magnitudes are near
/// powers of two, near multiples of the largest element, near the last numbers of a binade, or anywhere.
#[test]
fn rules_of_scales() {
    for (element, largest_exponent, trailing, largest) in [
        ("e5m2", 15, 2, 57344_f32),
        ("e4m3fn", 8, 3, 448.0),
        ("e3m2f", 4, 2, 28.0),
        ("e2m3f", 2, 3, 7.5),
        ("e2m1f", 2, 1, 6.0),
    ] {
        for rule in ScaleRule::ALL {
            let model = model_by(element, "binary32", 2, rule);
            let mut random = Random(trailing);
            for turn in 0..40_000 {
                let near = match turn % 4 {
                    0 => 0,
                    1 => largest.to_bits() & 0x7f_ffff,
                    2 => (1 << 23) - (1 << (22 - trailing)),
                    _ => random.bits() as u32 & 0x7f_ffff,
                };
                // Quotients by the largest element that binary32 holds as normal numbers.
                let field = random.below(200) as u32 + 40;
                let amax = ((field << 23 | near) as i32 + random.below(5) as i32 - 2) as u32;
                let (field, digits) = (amax >> 23, amax & 0x7f_ffff);
                let quotient = (f32::from_bits(amax) / largest).to_bits();
                let wanted = match rule {
                    ScaleRule::Floor => field as i32 - largest_exponent,
                    ScaleRule::Ceil => field as i32 + i32::from(digits > 0) - largest_exponent,
                    ScaleRule::Even => ((amax + (1 << (22 - trailing))) >> 23) as i32 - largest_exponent,
                    ScaleRule::Rceil => (quotient >> 23) as i32 + i32::from(quotient & 0x7f_ffff > 0),
                };
                let other = u64::from(amax >> 1);
                let block =
                    if turn % 2 == 0 { [u64::from(amax), other] } else { [other, u64::from(amax) | 0x8000_0000] };
                let (elements, scale) = quantized(&model, &block);
                assert_eq!(scale as i32, wanted.clamp(0, 254), "{rule}: {element} of {:e}", f32::from_bits(amax));
                if rule == ScaleRule::Rceil {
                    let power = f32::from_bits((scale as u32).max(1) << 23);
                    assert!(f32::from_bits(amax) / power <= largest, "an element is too large: {elements:x?}");
                }
            }
        }
    }
}

/// Blocks of subnormals, whose rules need their leading ones; and the ends of the range of scales.
#[test]
fn rules_of_scales_at_the_ends() {
    let scale =
        |rule, element: &str, source: &str, code: u64| quantized(&model_by(element, source, 1, rule), &[code]).1;
    let [floor, ceil, even, rceil] = ScaleRule::ALL;
    // 3 * 2^-24 and 7 * 2^-24, subnormals of binary16: 2^-23 or 2^-22, and 2^-22 or 2^-21, by elements of up to 6.
    for (rule, of_3, of_7) in [(floor, 102, 103), (ceil, 103, 104), (even, 102, 104), (rceil, 102, 104)] {
        assert_eq!((scale(rule, "e2m1f", "binary16", 3), scale(rule, "e2m1f", "binary16", 7)), (of_3, of_7), "{rule}");
    }
    for rule in ScaleRule::ALL {
        assert_eq!(scale(rule, "e2m1f", "binary16", 0), 0, "{rule}: zeros alone");
        assert_eq!(scale(rule, "e4m3fn", "binary32", 0x007f_ffff), 0, "{rule}: below the smallest scale");
        assert_eq!(scale(rule, "e4m3fn", "binary32", 0x7f80_0000), 0xff, "{rule}: an infinity");
    }
    // The largest number of binary32, which rounds to 2^128: software that rounds it in binary32 has NaN here.
    assert_eq!(scale(even, "e4m3fn", "binary32", 0x7f7f_ffff), 127 + 128 - 8);
    assert_eq!(scale(ceil, "e3m0", "binary32", 0x7f7f_ffff), 127 + 128 - 3);
}

/// Scales with a significand: quotients in binary64 are far from all bounds except those that they equal.
#[test]
fn blocks_with_a_scale_of_the_processor() {
    const LANES: usize = 16;
    for element in ["e2m1f", "e2m3f"] {
        let selection = Selection {
            lanes: Some(LANES as u32),
            scale: Some(format("e4m3fn")),
            ..Selection::new(Unit::MxQuantize, format(element))
        };
        let model = Model::new(&selection.operation().unwrap());
        let (element, scale_format) = (format(element), format("e4m3fn"));
        let (line, scales) = (line(&element), line(&scale_format));
        let largest_element = line.last().expect("there are elements").0;
        let mut random = Random(2);
        for _ in 0..3_000 {
            let top = 100 + random.below(45);
            let mut block = [0_u64; LANES];
            block.iter_mut().for_each(|code| {
                let field = top - random.below(6);
                // Few digits, so that there are quotients halfway between elements.
                let digits = if random.below(2) == 0 { 0x807f_ffff } else { 0x8060_0000 };
                *code = (random.bits() & digits | field << 23) * u64::from(random.below(9) > 0);
            });
            let x = block.map(|code| f64::from(f32::from_bits(code as u32)));
            let largest = x.iter().fold(0_f64, |largest, x| largest.max(x.abs()));
            let (elements, scale) = quantized(&model, &block);
            assert_eq!(scale, nearest(&scales, largest / largest_element).max(1), "{largest}");
            for (x, got) in x.into_iter().zip(elements) {
                let magnitude = nearest(&line, x / scales[scale as usize].0);
                let wanted = magnitude | u64::from(x.is_sign_negative()) << element.magnitude_bits();
                assert_eq!(got, wanted, "{x} / {}", scales[scale as usize].0);
            }
        }
    }
}

/// Scales with a significand and stochastic rounding: an element becomes the next one if the random word exceeds what is missing, which
/// products of few digits show in binary64.
#[test]
fn blocks_with_a_scale_and_random_bits_of_the_processor() {
    const BITS: u32 = 5;
    for element in ["e2m1f", "e4m3fn"] {
        let selection = Selection {
            lanes: Some(1),
            scale: Some(format("e4m3fn")),
            rounding: Some(Rounding::Sr(BITS)),
            ..Selection::new(Unit::MxQuantize, format(element))
        };
        let model = Model::new(&selection.operation().unwrap());
        let line = line(&format(element));
        let scales = self::line(&format("e4m3fn"));
        let mut random = Random(3);
        for _ in 0..20_000 {
            let code = random.bits() & 0x807f_ffff | (110 + random.below(30)) << 23;
            let word = random.below(1 << BITS);
            let outputs = model.evaluate(&[Word::from(code), Word::from(word)]);
            let [got, scale] = [0, 1].map(|at| binade_spec::word::low_bits(&outputs[at]) as u64);
            let (x, scale) = (f64::from(f32::from_bits(code as u32)), scales[scale as usize].0);
            let below = line.iter().rposition(|(value, _)| value * scale <= x.abs()).expect("zero is below");
            let next = line.get(below + 1).filter(|(next, _)| {
                let gap = (next - line[below].0) * scale;
                (x.abs() - line[below].0 * scale) * f64::from(1 << BITS) >= gap * ((1 << BITS) - word) as f64
            });
            let magnitude = next.map_or(line[below].1, |(_, code)| *code);
            let wanted = magnitude | u64::from(x.is_sign_negative()) << format(element).magnitude_bits();
            assert_eq!(got, wanted, "{x} / {scale} with {word}");
        }
    }
}

/// P3109's formats of precision 1 as scales: powers of two with other codes and another range.
#[test]
fn scales_of_p3109() {
    for (name, bias, least, most) in [("k8p1uf", 128, -127, 126), ("k8p1ue", 128, -127, 125), ("k6p1uf", 32, -31, 30)] {
        for rule in ScaleRule::ALL {
            let selection = |scale: &str| Selection {
                lanes: Some(2),
                scale: Some(format(scale)),
                scale_rule: Some(rule),
                ..Selection::new(Unit::MxQuantize, format("e3m2f"))
            };
            let [of_p3109, of_ocp] = [name, "e8m0"].map(|scale| Model::new(&selection(scale).operation().unwrap()));
            let line = line(&format("e3m2f"));
            let mut random = Random(bias as u64);
            for _ in 0..20_000 {
                let block = [random.bits() & 0xffff_ffff, random.bits() & 0xffff_ffff];
                let (elements, scale) = quantized(&of_p3109, &block);
                let (of_special, exponent) = quantized(&of_ocp, &block);
                if exponent == 0xff {
                    assert_eq!((elements, scale), (of_special, (1 << format(name).width()) - 1), "{name}");
                    continue;
                }
                let exponent = (exponent as i32 - 127).clamp(least, most);
                assert_eq!(scale as i32, exponent + bias, "{name} {rule}: {block:x?}");
                for (x, got) in block.iter().map(|code| f64::from(f32::from_bits(*code as u32))).zip(elements) {
                    // Far beyond the largest element, binary64 would find all of them equally near.
                    let magnitude = nearest(&line, (x / f64::from(exponent).exp2()).clamp(-99.0, 99.0));
                    assert_eq!(got, magnitude | u64::from(x.is_sign_negative()) << 5, "{name} {rule}: {x}");
                }
            }
        }
    }
}

/// The factor of a tensor: blocks of the processor's products, which it rounds to nearest. They overflow, vanish, and are subnormal.
#[test]
fn blocks_times_the_factor_of_a_tensor() {
    const LANES: usize = 4;
    for (element, scale, source) in
        [("e2m1f", "e4m3fn", "binary32"), ("e4m3fn", "e8m0", "bfloat16"), ("e2m1f", "binary32", "binary16")]
    {
        let plain = Selection {
            lanes: Some(LANES as u32),
            scale: Some(format(scale)),
            source: Some(format("binary32")),
            ..Selection::new(Unit::MxQuantize, format(element))
        };
        let binary32 = Some(format("binary32"));
        let with_factor = Selection { tensor_scale: binary32, source: Some(format(source)), ..plain };
        let [model, of_products] = [with_factor, plain].map(|selection| Model::new(&selection.operation().unwrap()));
        let decoded = |code: u64| match source {
            "binary32" => f32::from_bits(code as u32),
            "bfloat16" => f32::from_bits((code as u32) << 16),
            _ => match format(source).decode(code.into()) {
                Value::Zero { negative } => {
                    if negative {
                        -0.0
                    } else {
                        0.0
                    }
                }
                Value::Finite(Exact { negative, n, k }) => {
                    n as f32 * (k as f32).exp2() * if negative { -1.0 } else { 1.0 }
                }
                Value::Infinite { negative } => {
                    if negative {
                        f32::NEG_INFINITY
                    } else {
                        f32::INFINITY
                    }
                }
                Value::Nan => f32::NAN,
            },
        };
        let mut random = Random(element.len() as u64);
        let (mut special, mut tiny) = (0, 0);
        for _ in 0..20_000 {
            let codes: [u64; LANES] = std::array::from_fn(|_| random.bits() & format(source).max_code() as u64);
            let factor = random.bits() & 0xffff_ffff;
            let products = codes.map(|code| decoded(code) * f32::from_bits(factor as u32));
            special += u32::from(products.iter().any(|x| !x.is_finite()));
            tiny += u32::from(products.iter().any(|x| x.is_subnormal()));
            let x = codes
                .iter()
                .rev()
                .fold(Word::ZERO, |x, &code| x << format(source).width() | Word::from(u128::from(code)));
            let outputs = model.evaluate(&[x, Word::from(factor)]);
            let products = products.iter().rev().fold(Word::ZERO, |x, y| x << 32 | Word::from(y.to_bits()));
            assert_eq!(
                outputs,
                of_products.evaluate(&[products]),
                "{element} {scale} {source} {codes:x?} * {factor:#x}"
            );
        }
        assert!(special > 100 && tiny > 10, "{special} {tiny}");
    }
}

#[test]
fn blocks_with_an_infinity_or_nan_have_no_scale() {
    for special in [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7f80_0001] {
        let (elements, scale) = quantized(&model("e5m2", "binary32", 2), &[0x3f80_0000, special]);
        assert_eq!((elements, scale), (vec![0x7e, 0x7e], 0xff));
        let (elements, scale) = quantized(&model("e2m1f", "binary32", 2), &[special, 0x3f80_0000]);
        assert_eq!((elements, scale), (vec![0, 0], 0xff), "elements without a NaN are zeros");
    }
}

/// Formats whose subnormals have separate scales.
#[test]
fn blocks_of_small_numbers() {
    let binary16 = model("e2m1f", "binary16", 2);
    // The smallest number, 2^-24, is 4 in units of 2^-26.
    assert_eq!(quantized(&binary16, &[1, 0]), (vec![6, 0], 127 - 26));
    // -3 * 2^-24 and 2^-24 are -6 and 2 in units of 2^-25.
    assert_eq!(quantized(&binary16, &[0x8003, 1]), (vec![0xf, 4], 127 - 25));
    assert_eq!(quantized(&binary16, &[0, 0x8000]), (vec![0, 8], 0), "zeros alone");
    let binary32 = model("e2m1f", "binary32", 1);
    assert_eq!(quantized(&binary32, &[1]), (vec![0], 0), "below the smallest scale");
}
