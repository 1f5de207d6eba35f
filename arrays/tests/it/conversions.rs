//! Conversions against the golden model: around every value and every middle of two, and at random.

use crate::{encode, format, golden, ways};
use binade_arrays::{ArrayError, Code, Conversion, Random};
use binade_golden::Model;
use binade_spec::{Format, NanResult, Operation, Rounding, Selection, Tininess, Unit};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const SMALL: [&str; 27] = [
    "e5m2",
    "e4m3fn",
    "e5m2n",
    "e4m3ns",
    "e2m1f",
    "e3m2f",
    "e2m2",
    "e5m2b1",
    "e5m2b4",
    "e4m3b2",
    "e5m2b1u2",
    "e5m2b1,sat",
    "e6m1,bias=150",
    "k8p3se",
    "k3p1se",
    "k8p1ue",
    "k8p4uf",
    "k4p2sf",
    "k8p4sens",
    "e8m0",
    "posit8_0",
    "posit8_2",
    "posit8_5",
    "posit5_1",
    "posit3_0",
    "posit8_2,scale=2^-140",
    "e5m2,scale=2^130",
];

const LARGE: [&str; 15] = [
    "binary16",
    "bfloat16",
    "e6m9",
    "e6m9n",
    "dlfloat16",
    "e2m13",
    "e11m4",
    "e7m6b3",
    "k16p8se",
    "k16p16uf",
    "k16p11ue",
    "k11p11uf",
    "posit16_0",
    "posit16_1",
    "posit16_5",
];

/// Numbers that tell roundings apart: those of the codes (all, or every `step`-th), the middles between two, what is beside
/// them, and random ones.
fn probes(target: Format, source: Format, step: usize) -> Vec<u64> {
    let value =
        Model::new(&Selection { target: Some(source), ..Selection::new(Unit::Convert, target) }.operation().unwrap());
    let code_mask = (1_u64 << (source.width() - 1)) | source.magnitude_mask() as u64;
    let mut numbers = vec![0, 1, 2, source.infinity_code().unwrap() as u64];
    numbers.extend([numbers[3] - 1, numbers[3] + 1, source.nan_code().unwrap() as u64, source.magnitude_mask() as u64]);
    for code in (0..1_u64 << target.magnitude_bits()).step_by(step) {
        let [low, high] = [code, code + 1].map(|code| golden(&value, code) & source.magnitude_mask() as u64);
        for number in [low, low.midpoint(high), high] {
            numbers.extend([number.wrapping_sub(1), number, number + 1].map(|number| number & code_mask));
        }
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    numbers.extend((0..2000).map(|_| random.next_u64() & code_mask));
    let negative = numbers.clone().into_iter().map(|number| number ^ source.sign_mask() as u64);
    numbers.into_iter().chain(negative).collect()
}

/// How many numbers were compared.
fn check<X: Code, Y: Code + Default>(operation: &Operation, numbers: &[u64]) -> usize {
    let model = Model::new(operation);
    let operands: Vec<X> = numbers.iter().map(|&number| X::of(number)).collect();
    let mut results = vec![Y::default(); numbers.len()];
    Conversion::new(operation).unwrap().convert(&operands, Random::Unused, &mut results);
    for (&number, result) in numbers.iter().zip(&results) {
        assert_eq!(result.word(), golden(&model, number), "{operation:?} of {number:#x}");
    }
    numbers.len()
}

fn check_ways(target: &str, source: Format, step: usize) -> usize {
    let numbers = probes(format(target), source, step);
    let all = ways(Selection { target: Some(format(target)), ..Selection::new(Unit::Convert, source) });
    assert!(!all.is_empty(), "{target}");
    let of = |operation: &Operation| match source.width() {
        32 => check::<u32, u16>(operation, &numbers),
        _ => check::<u64, u16>(operation, &numbers),
    };
    all.iter().map(of).sum()
}

#[test]
fn small_formats_are_those_of_the_golden_model() {
    let checked: usize = SMALL.iter().map(|name| check_ways(name, Format::binary32(), 1)).sum();
    assert!(checked > 3_000_000, "{checked} numbers");
}

#[test]
#[ignore = "long"]
fn small_formats_from_binary64_are_those_of_the_golden_model() {
    let checked: usize = SMALL.iter().map(|name| check_ways(name, Format::binary64(), 1)).sum();
    assert!(checked > 3_000_000, "{checked} numbers");
}

#[test]
fn large_formats_are_those_of_the_golden_model() {
    let mut checked = 0;
    for operation in ["bfloat16 rto", "posit16_5 rup", "e7m6b3 mptorch propagate", "k16p16uf rdn", "e6m9n"].map(encode)
    {
        checked += check::<f32, u16>(&operation, &probes(operation.result, Format::binary32(), 7));
    }
    assert!(checked > 300_000, "{checked} numbers");
}

#[test]
#[ignore = "long"]
fn large_formats_are_those_of_the_golden_model_in_every_way() {
    let checked: usize = LARGE.iter().map(|name| check_ways(name, Format::binary32(), 5)).sum();
    assert!(checked > 3_000_000, "{checked} numbers");
}

#[test]
fn binary64_is_not_rounded_twice() {
    // A little above the middle of two values of binary16, and the middle itself in binary32.
    let operation =
        Selection { target: Some(Format::binary16()), ..Selection::new(Unit::Convert, Format::binary64()) }.operation();
    let convert = Conversion::new(&operation.unwrap()).unwrap();
    let mut codes = [0_u16; 2];
    convert.convert(&[1.0 + 2_f64.powi(-11), 1.0 + 2_f64.powi(-11) + 2_f64.powi(-50)], Random::Unused, &mut codes);
    assert_eq!(codes, [0x3c00, 0x3c01]);
}

/// All codes of formats of up to 16 bits, into narrower and wider ones.
#[test]
fn listed_results_are_those_of_the_golden_model() {
    for (source, target) in [
        ("e5m2", "binary32"),
        ("posit16_1", "binary64"),
        ("e4m3fn", "e5m2"),
        ("bfloat16", "posit32_2"),
        ("e8m0", "bfloat16"),
    ] {
        let selection = Selection { target: Some(format(target)), ..Selection::new(Unit::Convert, format(source)) };
        let codes: Vec<u64> = (0..1 << format(source).width()).collect();
        check::<u16, u64>(&selection.operation().unwrap(), &codes);
    }
}

/// The formats whose codes begin those of binary32: all codes, and what lies between them.
#[test]
fn first_bits_of_binary32_are_those_of_the_golden_model() {
    for target in ["e8m1", "e8m3", "bfloat16", "tf32"] {
        let codes: Vec<u64> = (0..1 << format(target).width()).collect();
        for nan in NanResult::ALL {
            let into = Some(Format::binary32());
            let selection = Selection { target: into, nan, ..Selection::new(Unit::Convert, format(target)) };
            check::<u32, u32>(&selection.operation().unwrap(), &codes);
        }
        for policy in ["", " saturate", " rtz"] {
            let encode = encode(&format!("{target}{policy}"));
            check::<f32, u32>(&encode, &probes(encode.result, Format::binary32(), 11));
        }
    }
}

/// Stochastic rounding, with all random bits set, none set, and some.
#[test]
fn random_bits_round_as_in_the_golden_model() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for target in [
        "e5m2",
        "e4m3fn",
        "e4m3",
        "e2m1f",
        "e3m2f",
        "e5m2n",
        "e4m3ns",
        "e5m2b1",
        "k8p3se",
        "k8p4sf",
        "k8p4uf",
        "posit8_2",
        "posit8_0",
        "posit6_3",
        "bposit16_6_3",
        "takum_linear12",
        "e4m3,bias=20",
        "e4m3fn,scale=2^-130",
        "e6m9n",
        "posit16_1",
        "binary16",
        "bfloat16",
    ] {
        let numbers = probes(format(target), Format::binary32(), if format(target).width() > 8 { 40 } else { 1 });
        for words in ["sr1", "sr8", "sr8 saturate", "sr13", "sr21"] {
            let words = if format(target).posit().is_some() { words.split(' ').next().unwrap() } else { words };
            let operation = encode(&format!("{target} {words}"));
            let bits = operation.random_bits();
            let all = (1 << bits) - 1;
            let drawn: Vec<u64> =
                numbers.iter().map(|_| [0, all, random.next_u64() & all][(random.next_u64() % 3) as usize]).collect();
            let operands: Vec<u32> = numbers.iter().map(|&number| number as u32).collect();
            let mut results = vec![0_u16; numbers.len()];
            Conversion::new(&operation).unwrap().convert(&operands, Random::Words(&drawn), &mut results);
            let model = Model::new(&operation);
            for ((&number, &word), result) in numbers.iter().zip(&drawn).zip(results) {
                let wanted = model.first_result(&[number.into(), word.into()]);
                assert_eq!(u128::from(result), wanted, "{target} {words} of {number:#x} with {word:#x}");
            }
        }
    }
}

#[test]
fn wide_formats_are_left_to_the_golden_model() {
    let numbers = probes(Format::binary16(), Format::binary32(), 3);
    for words in ["posit32_2", "e6m20 rup", "tf32"] {
        check::<f32, u32>(&encode(words), &numbers);
    }
}

#[test]
fn a_zero_has_its_sign_and_a_nan_its_code() {
    let numbers = [0.0, -0.0, f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001), f32::NEG_INFINITY];
    let mut codes = [0_u16; 6];
    for (words, right) in [
        ("e5m2", [0, 0x80, 0x7e, 0x7e, 0x7e, 0xfc]),
        ("e4m3fn", [0, 0x80, 0x7f, 0x7f, 0x7f, 0x7f]),
        ("e2m1f", [0, 8, 0, 0, 0, 0xf]),
        ("e8m0", [0, 0, 0xff, 0xff, 0xff, 0xff]),
        ("posit16_1", [0, 0, 0x8000, 0x8000, 0x8000, 0x8000]),
        ("dlfloat16", [0, 0x8000, 0x7fff, 0xffff, 0x7fff, 0xffff]),
    ] {
        Conversion::new(&encode(words)).unwrap().convert(&numbers, Random::Unused, &mut codes);
        assert_eq!(codes, right, "{words}");
    }
}

#[test]
fn what_is_no_conversion_is_refused() {
    let error = |selection: Selection| Conversion::new(&selection.operation().unwrap()).err();
    let flags = Selection { flags: Some(Tininess::After), ..Selection::new(Unit::Encode, format("e5m2")) };
    assert_eq!(error(flags), Some(ArrayError::NoConversion { unit: Unit::Encode }));
    let add = Selection::new(Unit::Add, format("e5m2"));
    assert_eq!(error(add), Some(ArrayError::NoConversion { unit: Unit::Add }));
    let chosen = Selection { rounding: Some(Rounding::Any), ..Selection::new(Unit::Encode, format("e5m2")) };
    assert_eq!(error(chosen), Some(ArrayError::ChosenRounding));
    let wide = error(Selection::new(Unit::Encode, format("binary128"))).unwrap();
    assert_eq!(wide.to_string(), "y has 128 bits; the elements of arrays have up to 64");
}

#[test]
#[should_panic(expected = "codes of binary16 are no u8")]
fn elements_that_are_no_codes_are_refused() {
    Conversion::new(&encode("binary16")).unwrap().convert(&[0_f32], Random::Unused, &mut [0_u8]);
}

#[test]
#[should_panic(expected = "codes of binary32 are no f64")]
fn numbers_of_another_format_are_refused() {
    Conversion::new(&encode("e5m2")).unwrap().convert(&[0_f64], Random::Unused, &mut [0_u8]);
}

#[test]
#[should_panic(expected = "as many results as operands")]
fn arrays_of_unlike_lengths_are_refused() {
    Conversion::new(&encode("e5m2")).unwrap().convert(&[0_f32], Random::Unused, &mut [0_u8; 2]);
}
