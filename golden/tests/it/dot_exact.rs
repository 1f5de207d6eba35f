//! `dot-exact` against the quire of softposit, and against 128-bit integers for floats.

use crate::common::{Random, format};
use binade_golden::Model;
use binade_spec::word::low_bits;
use binade_spec::{Operation, Overflow, Selection, Unit, Word};
use float8::F8E5M2;
use softposit::{P16E1, P32E2, Q16E1, Q32E2};

fn operation(name: &str, result: &str, lanes: u32) -> Operation {
    let plain = Selection::new(Unit::DotExact, format(name));
    Selection { accumulator: Some(format(result)), lanes: Some(lanes), ..plain }.operation().unwrap()
}

/// An accumulator with a quire, for operands and results in this posit format.
fn quire(name: &str, guard_bits: Option<u32>) -> Operation {
    let plain = Selection { accumulator: Some(format(name)), ..Selection::new(Unit::DotExact, format(name)) };
    Selection { has_quire: true, guard_bits, ..plain }.operation().unwrap()
}

/// The results of clocks from a reset, with operands in one lane and flags for clear and negate.
fn results(operation: &Operation, clocks: &[(u64, u64, bool, bool)]) -> Vec<u64> {
    outputs(operation, clocks).iter().map(|outputs| low_bits(&outputs[0]) as u64).collect()
}

fn outputs(operation: &Operation, clocks: &[(u64, u64, bool, bool)]) -> Vec<Vec<Word>> {
    let model = Model::new(operation);
    let mut state = model.reset();
    let step = |&(a, b, clear, negate): &(u64, u64, bool, bool)| {
        let words = [a, b, clear.into(), negate.into()].map(Word::from);
        let (next, outputs) = model.step(&state, &words);
        state = next;
        outputs
    };
    clocks.iter().map(step).collect()
}

fn clocks(mut code: impl FnMut(&mut Random) -> u64, count: usize) -> Vec<(u64, u64, bool, bool)> {
    let mut random = Random(9);
    let mut clock = |_| {
        let (a, b) = (code(&mut random), code(&mut random));
        (a, b, random.below(20) == 0, random.below(2) == 0)
    };
    (0..count).map(&mut clock).collect()
}

#[test]
fn posits_are_added_as_in_a_quire() {
    // NaR now and then only.
    let code = |random: &mut Random| match random.bits() & 0xffff {
        0x8000 if random.below(8) > 0 => 0,
        code => code,
    };
    let clocks = clocks(code, 200_000);
    let mut quire = Q16E1::init();
    // SoftPosit's quire of such posits has 128 bits, with 14 for carries.
    for (&(a, b, clear, negate), got) in clocks.iter().zip(outputs(&self::quire("posit16_1", Some(14)), &clocks)) {
        let (a, b) = (P16E1::from_bits(a as u16), P16E1::from_bits(b as u16));
        if clear {
            quire.clear();
        }
        if negate {
            quire -= (a, b)
        } else {
            quire += (a, b)
        }
        let wanted = [Word::from(quire.to_posit().to_bits()), Word::from(quire.to_bits())];
        assert_eq!(got, wanted, "{a:?} * {b:?}, {clear}, {negate}");
    }
}

/// The 512 bits of the quire of 32-bit posits.
#[test]
fn quires_of_the_standard() {
    let code = |random: &mut Random| match random.bits() & 0xffff_ffff {
        // Of any length of regime, and NaR now and then.
        code if random.below(2) == 0 => (code as u32 as i32 >> random.below(32)) as u32 as u64,
        code => code,
    };
    let clocks = clocks(code, 50_000);
    let mut quire = Q32E2::init();
    for (&(a, b, clear, negate), got) in clocks.iter().zip(outputs(&self::quire("posit32_2", None), &clocks)) {
        let (a, b) = (P32E2::from_bits(a as u32), P32E2::from_bits(b as u32));
        if clear {
            quire.clear();
        }
        if negate {
            quire -= (a, b)
        } else {
            quire += (a, b)
        }
        let wanted = quire.to_bits().into_iter().fold(Word::ZERO, |word, limb| word << 64 | Word::from(limb));
        assert_eq!(got[1], wanted, "{a:?} * {b:?}, {clear}, {negate}");
    }
}

/// A sign, 31 carry bits, 8n - 16 integer bits and as many fraction bits; NaR is 1 followed by zeros, until a clear.
#[test]
fn layout_of_a_quire() {
    let [one, minus_one, minpos, nar] = [0x40, 0xc0, 0x01, 0x80];
    let clocks = [
        (one, one, true, false),
        (minpos, minpos, true, false),
        (minpos, minpos, true, true),
        (minus_one, one, false, false),
        (nar, one, false, true),
        (one, one, false, false),
        (one, one, true, false),
    ];
    let quires: Vec<Word> =
        outputs(&quire("posit8_2", None), &clocks).into_iter().map(|words| words[1].clone()).collect();
    let (unit, nar) = (1_u128 << 48, 1_u128 << 127);
    assert_eq!(quires, [unit, 1, u128::MAX, u128::MAX - unit, nar, nar, unit].map(Word::from));
}

/// Sums in units of 2^-32 until a special value occurs.
#[test]
fn floats_are_added_as_integers() {
    let clocks = clocks(|random| random.bits() & 0xff, 200_000);
    let (mut sum, mut special) = (0_i128, 0_f64);
    for (&(a, b, clear, negate), got) in clocks.iter().zip(results(&operation("e5m2", "binary32", 1), &clocks)) {
        let [a, b] = [a, b].map(|code| F8E5M2::from_bits(code as u8).to_f64());
        let product = if negate { -(a * b) } else { a * b };
        if clear {
            (sum, special) = (0, 0.0);
        }
        if product.is_finite() {
            sum += (product * 2_f64.powi(32)) as i128
        } else {
            special += product
        }
        let wanted = if special == 0.0 { sum as f32 * 2_f32.powi(-32) } else { special as f32 };
        let got = f32::from_bits(got as u32);
        assert!(got == wanted || (got.is_nan() && wanted.is_nan()), "{a} * {b}, {clear}, {negate}: {got}, {wanted}");
    }
}

/// The standard's quire has 16 bits for each bit of a posit.
#[test]
fn widths() {
    let width = |name: &str| operation(name, "binary32", 1).accumulator().width;
    assert_eq!(["posit8_2", "posit16_2", "posit32_2", "posit64_2"].map(width), [128, 256, 512, 1024]);
    assert_eq!(["e2m1f", "e4m3fn", "e4m3", "e5m2"].map(width), [39, 67, 65, 95]);
    assert_eq!(["binary16", "bfloat16", "binary32"].map(width), [111, 553, 585]);
    let refused = |selection: Selection| selection.operation().unwrap_err().to_string();
    let double = Selection::new(Unit::DotExact, format("binary64"));
    assert_eq!(
        refused(double),
        "an exact accumulator for these products would have 4227 bits; up to 1024 are supported"
    );
    let stochastic =
        Selection { rounding: Some(binade_spec::Rounding::Sr(4)), ..Selection::new(Unit::DotExact, format("e5m2")) };
    assert_eq!(refused(stochastic), "dot-exact is not rounded stochastically; leave `round sr<bits>` out");
}

/// A sum of too many products wraps around, as in two's complement; 2^30 of the largest fit.
#[test]
fn largest_sums() {
    let operation = Operation { overflow: Overflow::Saturate, ..operation("posit8_2", "posit8_2", 1) };
    let model = Model::new(&operation);
    let reset = model.reset();
    // 2^30 - 1 products of the largest values are in the accumulator: (2^30 - 1) * 2^48 in units of 2^-48.
    let state = [vec![Word::from(((1_u128 << 30) - 1) << 96)], reset[1..].to_vec()].concat();
    let (next, outputs) = model.step(&state, &[0x7f_u64, 0x7f, 0, 0].map(Word::from));
    assert_eq!(next[0], Word::from(1_u128 << 126));
    assert_eq!(outputs[0], Word::from(0x7f_u64));
}
