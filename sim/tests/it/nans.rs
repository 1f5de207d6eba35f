//! What converted NaNs become, in circuits and golden model.

use crate::common::{check, selected};
use binade_golden::Model;
use binade_sim::Choice;
use binade_spec::{Setting, Unit};
use rayon::prelude::*;

/// NaNs of binary16 with flags: the quiet one with a payload, negative, and a signaling one.
const NANS: [u64; 2] = [0xfe01, 0x7d00];

#[test]
fn each_choice_is_what_it_says() {
    let wanted = |to, nan, [quiet, signaling]: [u64; 2]| {
        for flags in ["true", "false"] {
            let words = [(Setting::To, to), (Setting::NanResult, nan), (Setting::Flags, flags)];
            let operation = selected(Unit::Convert, "binary16", &words).expect("a conversion");
            let model = Model::new(&operation);
            for (code, mut wanted) in NANS.into_iter().zip([quiet, signaling]) {
                // Without flags, a signaling NaN stays one.
                if (nan, flags, code) == ("payload", "false", NANS[1]) && to == "binary32" {
                    wanted &= !(1 << 22);
                }
                let result = u64::try_from(&model.evaluate(&[code])[0]).expect("a code");
                assert_eq!(result, wanted, "{code:#x} to {to}, {nan}, flags {flags}");
                if flags == "true" {
                    let raised = u64::try_from(&model.evaluate(&[code])[1]).expect("flags") >> 3;
                    assert_eq!(raised == 1, code == NANS[1] || to != "binary32", "{code:#x} to {to}, {nan}");
                }
            }
        }
    };
    wanted("binary32", "payload", [0xffc0_2000, 0x7fe0_0000]);
    wanted("binary32", "canonical", [0x7fc0_0000; 2]);
    wanted("binary32", "riscv", [0x7fc0_0000; 2]);
    for (to, largest) in [("int32", 0x7fff_ffff), ("uint32", 0xffff_ffff), ("fixed8_4", 0x7f)] {
        wanted(to, "payload", [0; 2]);
        wanted(to, "canonical", [0; 2]);
        wanted(to, "riscv", [largest; 2]);
    }
}

#[test]
fn circuits_of_conversions() {
    let formats = ["e3m2", "e4m3fn", "e5m2", "e5m6", "e5m2n", "int5", "ufixed6_3", "posit6_1"];
    let pairs = ["e3m2", "e5m2", "e5m4", "e4m3fn"].into_iter().flat_map(|from| formats.map(|to| (from, to)));
    let ways = pairs.flat_map(|pair| ["canonical", "riscv"].map(|nan| (pair, nan)));
    let ways: Vec<_> = ways.flat_map(|(pair, nan)| ["true", "false"].map(|flags| (pair, nan, flags))).collect();
    let operation = |((from, to), nan, flags)| {
        let words = [(Setting::To, to), (Setting::NanResult, nan), (Setting::Flags, flags)];
        selected(Unit::Convert, from, &words).ok()
    };
    let operations: Vec<_> = ways.into_iter().filter_map(operation).collect();
    assert!(operations.len() > 80, "{} conversions", operations.len());
    operations.par_iter().for_each(|operation| _ = check(operation, Choice::Exhaustive));
}
