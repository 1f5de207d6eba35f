//! Circuits whose port `fmt` chooses the formats, on all inputs of small units.

use crate::common::{check, selected};
use binade_sim::Choice;
use binade_spec::{Operation, Setting, Unit};
use rayon::prelude::*;

/// The units of these lists, with some roundings, and flags where the formats have them.
fn units(turn: usize, formats: &str) -> Vec<Operation> {
    let units = [Unit::Mul, Unit::Add, Unit::Sub, Unit::Fmac, Unit::Divide, Unit::Sqrt, Unit::Reciprocal, Unit::Rsqrt];
    let others = ["rna", "rtz", "rup", "rdn", "rto"];
    let tininess = if turn.is_multiple_of(2) { "after" } else { "before" };
    let mut all = vec![];
    for (at, unit) in units.into_iter().enumerate() {
        let roundings = [("rne", true), ("any", true), (others[(turn + at) % others.len()], false)];
        for (rounding, has_flags) in roundings {
            let mut words = vec![(Setting::Round, rounding)];
            words.extend((unit == Unit::Fmac).then_some((Setting::Acc, formats)));
            let flags = [(Setting::Flags, "true"), (Setting::Tininess, tininess)];
            let with_flags = [&words[..], &flags].concat();
            let selected = [&words, &with_flags].map(|words| selected(unit, formats, words));
            let [plain, flagged] = selected.map(Result::ok);
            all.extend(flagged.filter(|_| has_flags).or(plain));
        }
    }
    all
}

/// All inputs if they have up to `bits` bits, else so many samples.
fn check_some(bits: u32, samples: u64, operation: &Operation) -> u64 {
    let choice = if operation.input_bits() <= bits { Choice::Exhaustive } else { Choice::Sample(samples) };
    check(operation, choice)
}

/// Formats with the same and with different widths, biases and kinds of infinity and NaN.
#[test]
fn results_of_several_formats() {
    let lists = ["e3m2+e2m3", "e2m3f+e3m2fn", "e3m1+e2m2+e3m2", "posit6_1+e3m2", "e3m2b1+e3m2"];
    let operations: Vec<Operation> =
        lists.iter().enumerate().flat_map(|(turn, formats)| units(turn, formats)).collect();
    assert!(operations.len() > 75, "{} units", operations.len());
    operations.par_iter().for_each(|operation| _ = check_some(12, 3_000, operation));
}

#[test]
fn operands_of_several_formats() {
    let of = |unit, formats: &str, words: &[(Setting, &str)]| selected(unit, formats, words).expect("an operation");
    let narrow = (Setting::Acc, "e4m3");
    let wide = (Setting::Acc, "binary16");
    let operations = [
        of(Unit::Fmac, "e2m1f+e3m2f", &[narrow]),
        of(Unit::Fmac, "e2m1f+posit4_1+e3m2", &[narrow, (Setting::Round, "rdn"), (Setting::Flags, "true")]),
        of(Unit::Dot, "e2m1f+e3m2", &[(Setting::Lanes, "2"), wide]),
        of(Unit::Dot, "e3m2+e2m3", &[(Setting::FormatB, "e2m3+e3m2"), (Setting::Lanes, "3"), wide]),
        of(Unit::Dot, "e2m1f+e3m2", &[(Setting::Lanes, "2"), (Setting::Acc, "e4m3+binary16"), (Setting::Round, "rdn")]),
        of(Unit::Mma, "e2m1f+e3m2", &[(Setting::M, "2"), (Setting::N, "1"), (Setting::K, "2"), wide]),
        of(Unit::MxDot, "e2m1f+e2m3f+e4m3fn", &[(Setting::Lanes, "4")]),
        of(Unit::MxDot, "e2m1f+e4m3fn", &[(Setting::Lanes, "2"), (Setting::Acc, "binary16+bfloat16")]),
        of(Unit::MxDot, "e2m1f+e3m2f", &[(Setting::Lanes, "2"), (Setting::Acc, "e4m3+e5m2"), (Setting::Round, "rdn")]),
        of(Unit::Decode, "e2m1f+e5m2+binary16", &[(Setting::Flags, "true")]),
        of(Unit::Encode, "e2m1f+e5m2", &[(Setting::Round, "any")]),
        of(Unit::Convert, "e5m2+e4m3fn+posit8_2", &[(Setting::To, "e4m3fn+binary16+e5m2")]),
    ];
    operations.par_iter().for_each(|operation| _ = check_some(18, 6_000, operation));
}
