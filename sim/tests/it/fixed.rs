//! Fixed point in every unit that takes it, on the interpreter against the golden model: all inputs of small formats, in every rounding
//! and with flags, and every width on shaped vectors.

use crate::common::{all_ways, check, check_up_to, format, operation, some_ways};
use binade_sim::Choice;
use binade_spec::{Extremum, Format, Operation, Overflow, Rounding, Selection, Summation, Unit};
use rayon::prelude::*;

/// With and without a sign, with no, some and all bits fraction, and scales beyond that.
const SMALL: [&str; 9] =
    ["int2", "int4", "uint3", "fixed5_2", "ufixed4_1", "fixed4_4", "fixed3_5", "int4,scale=2^2", "uint2"];

/// Roundings for which a sum has a magnitude.
const DIRECTED: [Rounding; 4] = [Rounding::Rtz, Rounding::Rup, Rounding::Rdn, Rounding::Rto];

/// What is converted into fixed point and back.
const OTHERS: [&str; 12] = [
    "e3m2",
    "e4m3fn",
    "e2m1f",
    "e4m2b1",
    "e3m2n",
    "k5p3uf",
    "e8m0",
    "dlfloat16",
    "posit6_1",
    "posit5_0",
    "fixed6_3",
    "uint5",
];

fn ways(unit: Unit, name: &str, other: Option<&str>) -> Vec<Operation> {
    all_ways(operation(unit, format(name), other.map(format), Overflow::Inf))
}

#[test]
fn conversions() {
    SMALL.par_iter().for_each(|name| {
        for other in OTHERS {
            for operation in [ways(Unit::Convert, name, Some(other)), ways(Unit::Convert, other, Some(name))].concat() {
                check_up_to(12, 3_000, &operation);
            }
        }
    });
}

#[test]
fn sums_and_products() {
    SMALL.par_iter().for_each(|name| {
        for unit in [Unit::Mul, Unit::Add] {
            ways(unit, name, None).iter().for_each(|operation| {
                check_up_to(12, 3_000, operation);
            });
        }
        for other in ["int6", "e3m2", "posit5_1", "ufixed5_2"] {
            for unit in [Unit::Fmac, Unit::Mac] {
                for way in some_ways(operation(unit, format(name), Some(format(other)), Overflow::Inf), name.len()) {
                    check_up_to(14, 3_000, &way);
                }
            }
        }
    });
}

/// Floats and posits that are multiplied into fixed point.
#[test]
fn fixed_accumulators() {
    ["e2m1f", "e3m1", "posit4_1", "e2m2b1"].par_iter().enumerate().for_each(|(turn, name)| {
        for other in ["int5", "fixed6_3", "ufixed4_2"] {
            for unit in [Unit::Fmac, Unit::Mac] {
                for way in some_ways(operation(unit, format(name), Some(format(other)), Overflow::Inf), turn) {
                    check_up_to(14, 3_000, &way);
                }
            }
        }
    });
}

#[test]
fn dots_of_integers() {
    let chosen = |format_b: Option<&str>, accumulator: &str, summation| Selection {
        second: format_b.map(format),
        accumulator: Some(format(accumulator)),
        lanes: Some(3),
        summation,
        ..Selection::new(Unit::Dot, format("int3"))
    };
    for selection in [
        chosen(None, "int5", None),
        chosen(Some("uint2"), "int5", None),
        chosen(Some("e2m1f"), "fixed6_1", None),
        chosen(Some("uint3"), "e4m3", None),
        chosen(None, "int6", Some(Summation::Chain)),
        chosen(None, "fixed6_1", Some(Summation::Tree)),
    ] {
        check_up_to(14, 4_000, &selection.operation().unwrap());
    }
    let align = chosen(None, "binary32", Some("align:13".parse().unwrap()));
    assert!(align.operation().unwrap_err().to_string().contains("not int3"));
}

#[test]
fn order_and_classes() {
    for name in SMALL {
        check(&operation(Unit::Compare, format(name), None, Overflow::Inf), Choice::Exhaustive);
        check(&operation(Unit::Classify, format(name), None, Overflow::Inf), Choice::Exhaustive);
        for extremum in Extremum::ALL {
            let selection = Selection { extremum: Some(extremum), ..Selection::new(Unit::Minmax, format(name)) };
            check(&selection.operation().unwrap(), Choice::Exhaustive);
        }
    }
}

/// Elements of blocks with scales: MXINT8, and small ones.
#[test]
fn blocks_with_scales() {
    let dot = |name: &str, accumulator: &str| Selection {
        lanes: Some(2),
        accumulator: Some(format(accumulator)),
        scale: Some(format("e3m0f")),
        ..Selection::new(Unit::MxDot, format(name))
    };
    for selection in [dot("int2", "e3m2"), dot("fixed3_1", "binary16"), dot("uint2", "posit6_1")] {
        check_up_to(16, 4_000, &selection.operation().unwrap());
    }
    assert!(dot("e2m1f", "int8").operation().unwrap_err().to_string().contains("not int8"));
    for (name, source) in [("fixed8_6", "bfloat16"), ("fixed4_2", "e4m3")] {
        let quantize = Selection {
            lanes: Some(2),
            source: Some(format(source)),
            ..Selection::new(Unit::MxQuantize, format(name))
        };
        check_up_to(16, 4_000, &quantize.operation().unwrap());
    }
}

/// The sum of two lowest codes has a magnitude that takes the place of its sign: `fmac8` adds blocks in binary32.
#[test]
fn sums_of_lowest_codes() {
    for name in ["int2", "fixed3_1"] {
        for (lanes, rounding) in [1, 2].into_iter().flat_map(|lanes| DIRECTED.map(|rounding| (lanes, rounding))) {
            let selection = Selection {
                lanes: Some(lanes),
                summation: Some(Summation::Blocks),
                accumulator: Some(format(name)),
                rounding: Some(rounding),
                ..Selection::new(Unit::Dot, format(name))
            };
            check_up_to(16, 4_000, &selection.operation().unwrap());
        }
    }
}

/// The subtrahend may be the lowest code, of which there is no negative.
#[test]
fn differences() {
    for name in SMALL.into_iter().filter(|name| !name.starts_with('u')) {
        for operation in ways(Unit::Sub, name, None) {
            check_up_to(12, 3_000, &operation);
        }
    }
}

/// A rate times a gradient is subtracted: of the lowest code there is no negative.
#[test]
fn updates() {
    for name in ["int2", "fixed4_2"] {
        let selection = Selection { has_fused_rate: true, ..Selection::new(Unit::Update, format(name)) };
        check_up_to(16, 4_000, &selection.operation().unwrap());
    }
}

/// Wide formats, and those as accumulators.
#[test]
fn words_of_up_to_64_bits() {
    let pairs = [
        ("int8", "int32"),
        ("fixed8_6", "fixed32_12"),
        ("uint8", "int32"),
        ("int16", "int64"),
        ("int32", "binary32"),
        ("int64", "binary64"),
        ("uint64", "int64"),
        ("binary32", "int32"),
        ("binary64", "uint64"),
        ("bfloat16", "int8"),
        ("posit16_1", "fixed16_12"),
        ("fixed24_23", "posit32_2"),
    ];
    pairs.par_iter().enumerate().for_each(|(turn, (from, to))| {
        let [from, to]: [Format; 2] = [from, to].map(|name| format(name));
        for way in some_ways(operation(Unit::Convert, from, Some(to), Overflow::Inf), turn) {
            check_up_to(0, 4_000, &way);
        }
        if from.width() <= 16 {
            for way in some_ways(operation(Unit::Fmac, from, Some(to), Overflow::Inf), turn) {
                check_up_to(0, 2_000, &way);
            }
        }
    });
}
