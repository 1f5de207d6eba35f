//! Units of vectors against their definitions in the processor's binary64: operands in bfloat16, steps in binary32.
//! Sums of four binary32 numbers of similar size are exact in binary64, and so are products; its quotients, roots and
//! exponentials, rounded again to binary32, are those rounded once, unless they are within a part in a million of a tie.

use crate::common::{Random, bfloat16_of, format};
use binade_golden::Model;
use binade_spec::{
    Overflow, Reduction, Selection, Unit, Word,
    word::{field, low_bits},
};
use half::bf16;

const LANES: usize = 4;

fn model(unit: Unit) -> Model {
    let selection = Selection { accumulator: Some(format("binary32")), ..Selection::new(unit, format("bfloat16")) };
    Model::new(&selection.operation().unwrap())
}

/// Codes with magnitudes from 1/4 to 8.
fn numbers(random: &mut Random) -> [bf16; LANES] {
    [0; LANES].map(|_| bf16::from_bits((random.bits() as u16) & 0x80ff | (0x3e80 + 0x80 * random.below(5) as u16)))
}

fn port(codes: &[bf16]) -> Word {
    Word::from(codes.iter().rev().fold(0_u128, |word, code| word << 16 | u128::from(code.to_bits())))
}

/// The lanes of the only output.
fn results(model: &Model, ports: &[Word]) -> Vec<u16> {
    let word = low_bits(&model.evaluate(ports)[0]);
    (0..LANES).map(|lane| (word >> (16 * lane)) as u16).collect()
}

/// Rounded to binary32, once.
fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

#[test]
fn softmax() {
    let model = model(Unit::Softmax);
    let mut random = Random(1);
    for _ in 0..20_000 {
        let x = numbers(&mut random);
        let largest = x.iter().map(|x| x.to_f64()).fold(f64::NEG_INFINITY, f64::max);
        let e = x.map(|x| single(bf16::from_bits(bfloat16_of(x.to_f64() - largest)).to_f64().exp()));
        let sum = single(e.iter().sum());
        assert_eq!(results(&model, &[port(&x)]), e.map(|e| bfloat16_of(e / sum)), "{x:?}");
    }
}

/// The norms take operands as they are: here x and gain lie between the values of the steps' format. Steps saturate if results do.
#[test]
fn norms_do_not_convert_their_operands() {
    let selection = |accumulator| Selection {
        lanes: Some(2),
        accumulator: Some(format(accumulator)),
        ..Selection::new(Unit::RmsNorm, format("bfloat16"))
    };
    let y = |selection: Selection, x: u128, epsilon: u128| {
        let model = Model::new(&selection.operation().unwrap());
        let both = Word::from(x << 16 | x);
        low_bits(&model.evaluate(&[both.clone(), both, Word::from(epsilon)])[0]) & 0xffff
    };
    // 1.5 * 2^-18, below the smallest value of e5m2, would be zero there.
    assert_eq!(y(selection("e5m2"), 0x36c0, 0x36), 0x2ec0);
    // 2^10: the sum of both squares is beyond the largest e5m2, 57344, so r is 0; saturated, r is 1 / sqrt(28672), rounded to 1.5 * 2^-8.
    assert_eq!(y(selection("e5m2"), 0x4480, 0), 0);
    let saturating = Selection { overflow: Overflow::Saturate, ..selection("e5m2") };
    assert_eq!(y(saturating, 0x4480, 0), 0x45c0, "(2^10 * 1.5 * 2^-8) * 2^10");
}

/// The transform converts its operands first: 2^-18, less than half of the smallest value of its steps, is zero.
#[test]
fn a_transform_converts_its_operands() {
    let selection = Selection {
        lanes: Some(4),
        accumulator: Some(format("e5m2")),
        ..Selection::new(Unit::Hadamard, format("bfloat16"))
    };
    let model = Model::new(&selection.operation().unwrap());
    let x = [0x3680_u128; 4].iter().fold(0, |word, code| word << 16 | code);
    assert_eq!(low_bits(&model.evaluate(&[Word::from(x)])[0]), 0, "the sum of all, 2^-16, is a value of e5m2");
}

/// A difference beyond the range is the lowest number; there is no infinity that would make a NaN.
#[test]
fn far_numbers_are_not_nan() {
    let selection = Selection { lanes: Some(2), ..Selection::new(Unit::Softmax, format("e4m3fn")) };
    let model = Model::new(&selection.operation().unwrap());
    let [largest, lowest] = [0x7e_u128, 0xfe];
    let y = low_bits(&model.evaluate(&[Word::from(lowest << 8 | largest)])[0]);
    assert_eq!(y, 0x38, "1, and 0");
}

/// The reciprocal of the root of the mean of these squares and epsilon.
fn reciprocal_deviation(of: [f64; LANES], epsilon: f32) -> f64 {
    let squares = single(of.iter().map(|x| x * x).sum());
    single(1.0 / single(squares / LANES as f64 + f64::from(epsilon)).sqrt())
}

#[test]
fn rms_norm() {
    let model = model(Unit::RmsNorm);
    let mut random = Random(2);
    for turn in 0..20_000 {
        let [x, gain] = [0; 2].map(|_| numbers(&mut random));
        let epsilon = [1e-5_f32, 0.0, 0.5][turn % 3];
        let r = reciprocal_deviation(x.map(bf16::to_f64), epsilon);
        let want: Vec<u16> =
            x.iter().zip(gain).map(|(x, gain)| bfloat16_of(single(x.to_f64() * r) * gain.to_f64())).collect();
        assert_eq!(results(&model, &[port(&x), port(&gain), Word::from(epsilon.to_bits())]), want, "{x:?} {gain:?}");
    }
}

#[test]
fn layer_norm() {
    let model = model(Unit::LayerNorm);
    let mut random = Random(3);
    for _ in 0..20_000 {
        let [x, gain, bias] = [0; 3].map(|_| numbers(&mut random));
        let epsilon = 1e-5_f32;
        let mean = single(single(x.iter().map(|x| x.to_f64()).sum()) / LANES as f64);
        let d = x.map(|x| single(x.to_f64() - mean));
        let r = reciprocal_deviation(d, epsilon);
        let want = (0..LANES).map(|at| bfloat16_of(single(d[at] * r) * gain[at].to_f64() + bias[at].to_f64()));
        let ports = [port(&x), port(&gain), port(&bias), Word::from(epsilon.to_bits())];
        assert_eq!(results(&model, &ports), want.collect::<Vec<_>>(), "{x:?} {gain:?} {bias:?}");
    }
}

/// The matrix of signs, times vectors of small integers, whose sums no step rounds; and the stages of butterflies in the processor's
/// binary32.
#[test]
fn hadamard() {
    let selection =
        Selection { target: Some(format("binary32")), ..Selection::new(Unit::Hadamard, format("bfloat16")) };
    let of = |lanes: u32, accumulator: &str| {
        let accumulator = Some(format(accumulator));
        Model::new(&Selection { lanes: Some(lanes), accumulator, ..selection }.operation().unwrap())
    };
    let results = |model: &Model, x: &[bf16]| -> Vec<f32> {
        let outputs =
            model.evaluate(&[x.iter().rev().fold(Word::ZERO, |word, x| word << 16 | Word::from(x.to_bits()))]);
        (0..x.len()).map(|lane| f32::from_bits(field(&outputs[0], lane as u32 * 32, 32) as u32)).collect()
    };
    let mut random = Random(5);
    for lanes in [4_u32, 16, 64] {
        let (model, root) = (of(lanes, "binary32"), f64::from(lanes).sqrt());
        for _ in 0..2_000 {
            let x: Vec<bf16> = (0..lanes).map(|_| bf16::from_f64(random.below(256) as f64 - 128.0)).collect();
            let sign = |i: u32, j: u32| if (i & j).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
            let sum = |i: u32| (0..lanes).map(|j| sign(i, j) * x[j as usize].to_f64()).sum::<f64>();
            let want: Vec<f32> = (0..lanes).map(|i| (sum(i) / root) as f32).collect();
            assert_eq!(results(&model, &x), want, "{x:?}");
        }
    }
    let (model, mut rounded) = (of(16, "binary32"), 0);
    for _ in 0..5_000 {
        let x: Vec<bf16> = (0..16).map(|_| bf16::from_bits((random.bits() & 0x9fff | 0x2000) as u16)).collect();
        let mut of: Vec<f32> = x.iter().map(|x| x.to_f32()).collect();
        for half in [1, 2, 4, 8] {
            for first in (0..16).filter(|at| at & half == 0) {
                let (a, b) = (of[first], of[first + half]);
                (of[first], of[first + half]) = (a + b, a - b);
                rounded += u32::from(f64::from(a) + f64::from(b) != f64::from(a + b));
            }
        }
        let want: Vec<f32> = of.iter().map(|sum| sum / 4.0).collect();
        assert_eq!(results(&model, &x), want, "{x:?}");
    }
    assert!(rounded > 1000, "{rounded}");
}

/// Sums of integers, of their squares, and the largest, with its sign and with NaN.
#[test]
fn reductions() {
    let of = |reduction, name: &str| {
        let lanes = Some(3);
        let selection = Selection { reduction: Some(reduction), lanes, ..Selection::new(Unit::Reduce, format(name)) };
        Model::new(&selection.operation().unwrap())
    };
    let value = |model: &Model, codes: [u128; 3], width: u32| {
        let word = codes.iter().rev().fold(0, |word, code| word << width | code);
        low_bits(&model.evaluate(&[Word::from(word)])[0])
    };
    let [sum, squares, largest] = Reduction::ALL.map(|reduction| of(reduction, "int8"));
    for [a, b, c] in [[1_i8, 2, 3], [-128, -128, 127], [-1, 0, -3], [100, 100, 100]] {
        let codes = [a, b, c].map(|x| u128::from(x as u8));
        let [a, b, c] = [a, b, c].map(i32::from);
        assert_eq!(value(&sum, codes, 8) as u32 as i32, a + b + c);
        assert_eq!(value(&squares, codes, 8) as u32 as i32, a * a + b * b + c * c);
        assert_eq!(value(&largest, codes, 8) as u8 as i8, a.max(b).max(c) as i8);
    }
    let largest = of(Reduction::Max, "e5m2");
    for (codes, want) in [
        ([0x80, 0x00, 0x80], 0x00),
        ([0x80, 0x80, 0x81], 0x80),
        ([0xfc, 0xfb, 0xfc], 0xfb),
        ([0x7c, 0x7b, 0x01], 0x7c),
        ([0x3c, 0x7d, 0x40], 0x7e),
        ([0x01, 0x02, 0x03], 0x03),
    ] {
        assert_eq!(value(&largest, codes, 8), want, "{codes:x?}");
    }
}
