//! Codes evaluated in rows give the same results as one by one.

use crate::common::words;
use binade_golden::Model;
use binade_spec::{ColumnMut, Format, Operation, Overflow, PositRange, Rounding, Selection, Tininess, Unit};

const ROUNDINGS: [Rounding; 7] =
    [Rounding::Rne, Rounding::Rna, Rounding::Rtz, Rounding::Rup, Rounding::Rdn, Rounding::Rto, Rounding::Mptorch];

fn format(name: &str) -> Format {
    name.parse().unwrap()
}

/// All codes of the operand, in rows of this length.
fn check(operation: &Operation, length: usize) {
    let codes = 0..1_u64 << operation.operand.width();
    let mut rows = vec![vec![0; length]; operation.outputs().len()];
    for first in codes.step_by(length) {
        let mut outputs: Vec<ColumnMut> = rows.iter_mut().map(|words| ColumnMut::narrow(words)).collect();
        Model::new(operation).evaluate_row(first, &mut outputs);
        for (at, code) in (first..first + length as u64).enumerate() {
            let got: Vec<u64> = rows.iter().map(|row| row[at]).collect();
            assert_eq!(got, words(operation, &[code]), "{operation:?}, code {code:#x}");
        }
    }
}

#[test]
#[ignore = "long"]
fn rows_are_what_single_codes_are() {
    let operands = ["binary16", "bfloat16", "posit16_1", "k14p5se", "e4m9n"];
    let results = [
        "e5m2", "e4m3fn", "e5m2b1", "e4m3b2", "e4m3ns", "e5m2n", "k8p3se", "k6p3uf", "posit8_2", "posit6_0", "e8m0",
        "e2m1f",
    ];
    let mut checked = 0;
    for from in operands.map(format) {
        for to in results.map(format) {
            let target = Some(to);
            for rounding in ROUNDINGS {
                let selection = Selection { target, rounding: Some(rounding), ..Selection::new(Unit::Convert, from) };
                let Ok(operation) = selection.operation() else { continue };
                check(&operation, 256);
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "{checked} conversions");
}

#[test]
fn policies_beyond_the_range_and_odd_lengths() {
    let convert =
        |from: &str, to: &str| Selection { target: Some(format(to)), ..Selection::new(Unit::Convert, format(from)) };
    for overflow in Overflow::ALL {
        for to in ["e4m3fn", "e2m3f", "k6p3uf"] {
            check(&Selection { overflow, ..convert("bfloat16", to) }.operation().unwrap(), 4096);
        }
    }
    for posit_range in PositRange::ALL {
        check(&Selection { posit_range, ..convert("bfloat16", "posit8_1") }.operation().unwrap(), 1024);
    }
    for length in [1, 2, 64] {
        check(&convert("binary16", "e5m2b1").operation().unwrap(), length);
        check(&Selection { flags: Some(Tininess::After), ..convert("binary16", "e5m2") }.operation().unwrap(), length);
        check(&Selection::new(Unit::PositDecoder, format("posit12_1")).operation().unwrap(), length);
    }
}
