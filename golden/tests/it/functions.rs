//! Comparison, minimum and maximum, and classes against the processor's binary32 and APFloat.

use crate::common::{Random, codes, format, words};
use binade_spec::{Compare, Comparison, Extremum, Kind, Minmax, Operation, Selection, Tininess, Unit};
use rustc_apfloat::{Category, Float, ieee};
use std::cmp::Ordering;
use std::num::FpCategory;

fn operation(unit: Unit, name: &str) -> Operation {
    Operation::new(unit, format(name), format(name))
}

/// Codes of binary32: corners, and their neighbours.
fn singles() -> Vec<u32> {
    let magnitudes = [0, 1, 2, 0x7f_ffff, 0x80_0000, 0x3f80_0000, 0x3f80_0001, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001];
    let nans = [0x7fbf_ffff, 0x7fc0_0000, 0x7fff_ffff];
    let mut random = Random(3);
    let some = (0..40).map(|_| random.bits() as u32 >> 1);
    let all: Vec<u32> = magnitudes.into_iter().chain(nans).chain(some).collect();
    all.iter().flat_map(|&code| [code, code | 1 << 31]).collect()
}

fn is_signaling(code: u32) -> bool {
    f32::from_bits(code).is_nan() && code & 1 << 22 == 0
}

#[test]
fn comparisons_are_those_of_the_processor() {
    let quiet = Operation { flags: Some(Tininess::After), ..operation(Unit::Compare, "binary32") };
    let signaling = Operation { kind: Kind::Compare(Compare { comparison: Comparison::Signaling }), ..quiet };
    for (a, b) in singles().iter().flat_map(|&a| singles().into_iter().map(move |b| (a, b))) {
        let order = f32::from_bits(a).partial_cmp(&f32::from_bits(b));
        let relations = [Some(Ordering::Less), Some(Ordering::Equal), Some(Ordering::Greater), None];
        let mut want: Vec<u64> = relations.map(|relation| u64::from(relation == order)).into();
        want.push(if is_signaling(a) || is_signaling(b) { 8 } else { 0 });
        assert_eq!(words(&quiet, &[a.into(), b.into()]), want, "{a:#x} {b:#x}");
        want[4] = if order.is_none() { 8 } else { 0 };
        assert_eq!(words(&signaling, &[a.into(), b.into()]), want, "{a:#x} {b:#x}");
    }
}

/// NaR is less than every other posit and equals itself: posits are compared as integers.
#[test]
fn posits_are_compared_as_integers() {
    let compare = operation(Unit::Compare, "posit8_1");
    for (a, b) in (0..=255_u8).flat_map(|a| (0..=255_u8).map(move |b| (a, b))) {
        let order = (a as i8).cmp(&(b as i8));
        let want = [Ordering::Less, Ordering::Equal, Ordering::Greater].map(|relation| u64::from(relation == order));
        assert_eq!(words(&compare, &[a.into(), b.into()]), [want.as_slice(), &[0]].concat(), "{a:#x} {b:#x}");
    }
}

/// IEEE 754-2019 section 9.6, by APFloat's minimum and maximum (which propagate NaN) and those of numbers, which leave
/// the order of zeros open.
#[test]
fn minima_and_maxima_are_those_of_apfloat() {
    type Half = ieee::Half;
    let float = |code: u64| <Half as Float>::from_bits(code.into());
    let bits = |value: Half| if value.is_nan() { 0x7e00 } else { value.to_bits() as u64 };
    let zero_order = |value: Half| (value.category() == Category::Zero).then(|| !value.is_negative());
    let corners = [0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x7d00, 0xfe00, 1, 0x8001, 0x7bff, 0xfbff];
    let codes: Vec<u64> = codes(format("binary16")).step_by(1009).chain(corners).collect();
    for extremum in Extremum::ALL {
        let minmax = Operation { kind: Kind::Minmax(Minmax { extremum }), ..operation(Unit::Minmax, "binary16") };
        for (&a, &b) in codes.iter().flat_map(|a| codes.iter().map(move |b| (a, b))) {
            let (mut x, mut y) = (float(a), float(b));
            if extremum.is_of_magnitudes() && !x.is_nan() && !y.is_nan() {
                let magnitude = |code: u64| half::f16::from_bits(code as u16).to_f64().abs();
                let order = magnitude(a).partial_cmp(&magnitude(b)).expect("numbers");
                let smaller =
                    if order == Ordering::Less { Some(x) } else { Some(y).filter(|_| order == Ordering::Greater) };
                let larger =
                    if order == Ordering::Less { Some(y) } else { Some(x).filter(|_| order == Ordering::Greater) };
                if let Some(only) = if extremum.is_maximum() { larger } else { smaller } {
                    (x, y) = (only, only);
                }
            }
            let chosen = match (zero_order(x), zero_order(y)) {
                (Some(p), Some(q)) => {
                    let is_positive = if extremum.is_maximum() { p || q } else { p && q };
                    float(if is_positive { 0 } else { 0x8000 })
                }
                _ => match (extremum.is_maximum(), extremum.prefers_number()) {
                    (true, true) => x.max(y),
                    (false, true) => x.min(y),
                    (true, false) => x.maximum(y),
                    (false, false) => x.minimum(y),
                },
            };
            assert_eq!(words(&minmax, &[a, b]), [bits(chosen)], "{extremum} {a:#x} {b:#x}");
        }
    }
}

#[test]
fn classes_are_those_of_the_processor() {
    let classify = operation(Unit::Classify, "binary32");
    for code in singles() {
        let value = f32::from_bits(code);
        let mirrored = |below: u32, above: u32| if value.is_sign_negative() { below } else { above };
        let bit = match value.classify() {
            FpCategory::Nan if is_signaling(code) => 8,
            FpCategory::Nan => 9,
            FpCategory::Infinite => mirrored(0, 7),
            FpCategory::Normal => mirrored(1, 6),
            FpCategory::Subnormal => mirrored(2, 5),
            FpCategory::Zero => mirrored(3, 4),
        };
        assert_eq!(words(&classify, &[code.into()]), [1 << bit], "{code:#x}");
    }
}

#[test]
fn words_out_of_place() {
    let refused = |selection: Selection| selection.operation().unwrap_err().to_string();
    let plain = |unit| Selection::new(unit, format("e5m2"));
    assert!(refused(plain(Unit::Minmax)).contains("minmax needs to know which"));
    let extremum = Some(Extremum::Maximum);
    assert!(refused(Selection { extremum, ..plain(Unit::Add) }).contains("only minmax does"));
    let comparison = Some(Comparison::Signaling);
    assert!(refused(Selection { comparison, ..plain(Unit::Mul) }).contains("only compare does"));
    let flags = Some(Tininess::Before);
    assert!(refused(Selection { flags, ..plain(Unit::Compare) }).contains("leave `tininess` out"));
    assert!(refused(Selection { flags, ..plain(Unit::Classify) }).contains("leave `flags` out"));
}
