//! Posits in every unit, on the interpreter against the golden model: all inputs of small ones, in every rounding and
//! with either range, and every width on shaped vectors.

use crate::common::{self, all_ways, check, check_up_to, format, operation, some_ways};
use binade_sim::Choice;
use binade_spec::{Format, Overflow, Selection, Significand, Unit};
use rayon::prelude::*;

/// Every kind of small posit: exponents that are always, sometimes and never cut off, and scales.
const SMALL: [&str; 17] = [
    "posit3_0",
    "posit3_2",
    "posit4_0",
    "posit4_1",
    "posit5_0",
    "posit5_2",
    "posit6_0",
    "posit6_1",
    "posit6_3",
    "posit6_5",
    "posit5_1,scale=2^3",
    "posit6_1,scale=2^-9",
    "bposit5_2_0",
    "bposit6_3_1",
    "bposit6_4_5",
    "takum_linear6",
    "takum_linear7,scale=2^9",
];

/// Floats that posits are converted from and to, and that accumulate them.
const FLOATS: [&str; 12] =
    ["e3m2", "e4m1", "e5m2n", "e3m2ns", "e4m3fn", "e2m1f", "e4m2b1", "e3m2b2,sat", "k6p3se", "k5p3uf", "e8m0", "e8m3"];

fn check_all(unit: Unit, name: &str, other: Option<&str>) {
    for operation in all_ways(operation(unit, format(name), other.map(format), Overflow::Inf)) {
        check(&operation, Choice::Exhaustive);
    }
}

#[test]
fn mul_and_add() {
    SMALL.par_iter().for_each(|name| {
        check_all(Unit::Mul, name, None);
        check_all(Unit::Add, name, None);
        check_all(Unit::Sub, name, None);
    });
}

/// Eight bits, as they are used: to nearest.
#[test]
fn eight_bits() {
    ["posit8_0", "posit8_1", "posit8_2", "posit8_3", "bposit8_4_1", "takum_linear8"].par_iter().for_each(|name| {
        for unit in [Unit::Mul, Unit::Add] {
            check(&operation(unit, format(name), None, Overflow::Inf), Choice::Exhaustive);
        }
    });
}

#[test]
#[ignore = "long"]
fn convert() {
    SMALL.par_iter().for_each(|from| {
        SMALL.iter().chain(&FLOATS).for_each(|to| check_all(Unit::Convert, from, Some(to)));
        FLOATS.iter().for_each(|other| check_all(Unit::Convert, other, Some(from)));
        check_all(Unit::Decode, from, None);
    });
}

/// From binary32: each value, each tie, and their surroundings.
#[test]
fn encode() {
    SMALL.par_iter().chain(&["posit8_2", "posit16_1", "posit32_2"]).for_each(|name| {
        for operation in all_ways(operation(Unit::Encode, format(name), None, Overflow::Inf)) {
            check_up_to(0, 2_000, &operation);
        }
    });
}

/// Posit and float accumulators.
#[test]
#[ignore = "long"]
fn fmac_and_mac() {
    let factors = ["posit4_0", "posit4_1", "posit5_2", "posit3_3", "bposit5_3_1", "takum_linear6", "e2m1", "e2m1f"];
    let accumulators =
        ["posit5_1", "posit6_0", "posit4_2,scale=2^2", "bposit5_2_1", "takum_linear6", "e3m2", "e2m2b1", "e8m0"];
    factors.par_iter().enumerate().for_each(|(row, name)| {
        for (column, other) in accumulators.iter().enumerate() {
            for unit in [Unit::Fmac, Unit::Mac] {
                for way in
                    some_ways(operation(unit, format(name), Some(format(other)), Overflow::Inf), row * 5 + column)
                {
                    check(&way, Choice::Exhaustive);
                }
            }
        }
    });
}

#[test]
#[ignore = "long"]
fn every_width() {
    let all: Vec<(u32, u32)> = (3..=32).flat_map(|bits| (0..=5).map(move |es| (bits, es))).collect();
    all.par_iter().enumerate().for_each(|(number, (bits, es))| {
        let format = format(&format!("posit{bits}_{es}"));
        let partner =
            common::format(["binary16", "posit16_1", "e5m2b1", "binary32", "posit32_2", "e4m3fn"][number % 6]);
        let alone = [Unit::Decode, Unit::Encode, Unit::Mul, Unit::Add, Unit::PositEncoder].map(|unit| (unit, None));
        let paired = [Unit::Fmac, Unit::Mac, Unit::Convert].map(|unit| (unit, Some(partner)));
        for (place, (unit, other)) in alone.into_iter().chain(paired).chain([(Unit::Fmac, Some(format))]).enumerate() {
            let operation = operation(unit, format, other, Overflow::Inf);
            for way in some_ways(operation, number + place) {
                check_up_to(9, 400, &way);
            }
        }
    });
}

/// All codes of up to 16 bits; all parts of small posits.
#[test]
#[ignore = "long"]
fn decoder_and_encoder() {
    let small = SMALL.map(format).into_iter().chain((7..=16).flat_map(|bits| [0, 1, 2, 3].map(|es| posit(bits, es))));
    small.collect::<Vec<Format>>().par_iter().for_each(|&format| {
        for form in Significand::ALL {
            let selection = Selection { significand: Some(form), ..Selection::new(Unit::PositDecoder, format) };
            check(&selection.operation().unwrap(), Choice::Exhaustive);
        }
        for way in all_ways(operation(Unit::PositEncoder, format, None, Overflow::Inf)) {
            check_up_to(18, 20_000, &way);
        }
    });
}

fn posit(bits: u32, es: u32) -> Format {
    format(&format!("posit{bits}_{es}"))
}
