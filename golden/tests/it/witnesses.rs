//! The worked examples of SEMANTICS.md: the table of section 3, the limits of section 5, the examples of section 8, and
//! one case of every special rule of section 2.

use crate::common::y;
use crate::common::{self, as_f64, format, operation};
use binade_golden::{Codec, Value};
use binade_spec::{Operation, Overflow, Rounding, Selection, Unit};

fn power(exponent: i32) -> f64 {
    2_f64.powi(exponent)
}

fn value(name: &str, code: u64) -> f64 {
    as_f64(format(name).decode(code.into()))
}

fn run(unit: Unit, operand: &str, result: &str, operands: &[u64]) -> u64 {
    y(&operation(unit, format(operand), format(result)), operands)
}

fn run_as(
    rounding: Rounding,
    overflow: Overflow,
    unit: Unit,
    (operand, result): (&str, &str),
    operands: &[u64],
) -> u64 {
    y(&Operation { rounding, overflow, ..Operation::new(unit, format(operand), format(result)) }, operands)
}

fn encode(name: &str, x: f64) -> u64 {
    run(Unit::Encode, "binary32", name, &[(x as f32).to_bits().into()])
}

fn encode_as(rounding: Rounding, overflow: Overflow, name: &str, x: f64) -> u64 {
    run_as(rounding, overflow, Unit::Encode, ("binary32", name), &[(x as f32).to_bits().into()])
}

/// First and last code of a run of powers of two, and their exponents.
type Powers = (u64, u64, i32, i32);

#[track_caller]
fn check_supernormal(name: &str, lower: Powers, ordinary: (u64, u64, f64, f64), upper: Powers) {
    for (first, last, first_exponent, last_exponent) in [lower, upper] {
        assert_eq!(last - first, (last_exponent - first_exponent) as u64);
        for code in first..=last {
            assert_eq!(value(name, code), power(first_exponent + (code - first) as i32), "{name} {code:#x}");
        }
    }
    let (first, last, smallest, largest) = ordinary;
    assert_eq!((lower.1 + 1, last + 1), (first, upper.0), "{name}: no code between the runs");
    assert_eq!((value(name, first), value(name, last)), (smallest, largest), "{name}");
    assert_eq!(value(name, 0).to_bits(), 0, "{name}: code 0 is +0");
    assert_eq!(format(name).decode(0x7f), Value::Infinite { negative: false }, "{name}");
    assert_eq!(format(name).decode(0xff), Value::Infinite { negative: true }, "{name}");
    assert_eq!(format(name).decode(0x80), Value::Nan, "{name}");
    assert_eq!(value(&format!("{name},sat"), 0x7f), power(upper.3 + 1), "{name},sat: one more power of two");
}

#[test]
fn table_of_section_3() {
    let e5m2 = |low: i32, high: i32| (power(low), 1.75 * power(high));
    let e4m3 = |low: i32, high: i32| (power(low), 1.875 * power(high));
    let row = |name, lower, (first, last, (smallest, largest)): (u64, u64, (f64, f64)), upper| {
        check_supernormal(name, lower, (first, last, smallest, largest), upper);
    };
    row("e5m2b1", (0x01, 0x03, -18, -16), (0x04, 0x7b, e5m2(-15, 14)), (0x7c, 0x7e, 15, 17));
    row("e5m2b2", (0x01, 0x07, -21, -15), (0x08, 0x77, e5m2(-14, 13)), (0x78, 0x7e, 14, 20));
    row("e5m2b4", (0x01, 0x0f, -27, -13), (0x10, 0x6f, e5m2(-12, 11)), (0x70, 0x7e, 12, 26));
    row("e4m3b1", (0x01, 0x07, -14, -8), (0x08, 0x77, e4m3(-7, 6)), (0x78, 0x7e, 7, 13));
    row("e4m3b2", (0x01, 0x0f, -21, -7), (0x10, 0x6f, e4m3(-6, 5)), (0x70, 0x7e, 6, 20));
}

#[test]
fn rounding_of_section_3() {
    assert_eq!(encode("e5m2b1", 1.5 * power(16)), 0x7e, "tie of 2^16 and 2^17");
    assert_eq!(encode("e5m2b1", 1.5 * power(15)), 0x7c, "tie of 2^15 and 2^16");
    assert_eq!(encode("e5m2b1", 1.5 * power(17)), 0x7e, "past the largest the tie stays");
    assert_eq!(encode("e5m2b1", 1.5 * power(17) + 1.0), 0x7f);
    assert_eq!(encode("e5m2b1,sat", power(40)), 0x7f);
    assert_eq!(encode("e5m2b1", power(-19)), 0, "half the smallest value");
    assert_eq!(encode("e5m2b1", -power(-19) * 1.0001), 0x81);
    assert_eq!(encode_as(Rounding::Rnu, Overflow::Inf, "e5m2b1", power(-19)), 1);
}

#[test]
fn bfloat16_fused() {
    assert_eq!(run(Unit::Fmac, "bfloat16", "bfloat16", &[0x2a20, 0x51a6, 0x9359]), 0x3c4f);
}

#[test]
fn dlfloat16_of_section_5() {
    let smallest = power(-31) * (1.0 + power(-9));
    let threshold = power(-31) * (1.0 + power(-10));
    assert_eq!((value("dlfloat16", 1), value("dlfloat16", 0x7ffe)), (smallest, power(32) * (1.0 + 510.0 / 512.0)));
    assert_eq!(encode("dlfloat16", threshold), 1, "where it becomes zero");
    assert_eq!(encode("dlfloat16", threshold * (1.0 - power(-23))), 0);
    // Between half the smallest value and the threshold: the golden model once gave the smallest value.
    assert_eq!(encode("dlfloat16", f32::from_bits(0x2f80_4000).into()), 0);
    assert_eq!(encode("dlfloat16", power(-32) * 1.75), 0);
    let limit = power(32) * (1.0 + 1021.0 / 1024.0);
    assert_eq!(encode("dlfloat16", limit), 0x7fff);
    assert_eq!(encode("dlfloat16", limit * (1.0 - power(-23))), 0x7ffe);
    assert_eq!([f64::INFINITY, -f64::INFINITY, -0.0].map(|x| encode("dlfloat16", x)), [0x7fff, 0xffff, 0x8000]);
    assert_eq!(run(Unit::Mul, "dlfloat16", "dlfloat16", &[0x8001, 0x0001]), 0, "arithmetic gives +0");
    assert_eq!(run(Unit::Mul, "dlfloat16", "dlfloat16", &[0xfffe, 0x7ffe]), 0x7fff);
    let selection = Selection { rounding: Some(Rounding::Rne), ..Selection::new(Unit::Mul, format("dlfloat16")) };
    let sentence = "dlfloat16 is rounded only to nearest, ties away from zero (`round rnu`), not rne";
    assert_eq!(selection.operation().unwrap_err().to_string(), sentence);
}

#[test]
fn zeros() {
    let binary16 = |unit, operands: &[u64]| run(unit, "binary16", "binary16", operands);
    let (minus_zero, one, minus_one) = (0x8000, 0x3c00, 0xbc00);
    assert_eq!(binary16(Unit::Mul, &[0, minus_one]), minus_zero);
    assert_eq!(binary16(Unit::Mul, &[minus_zero, minus_one]), 0);
    assert_eq!(binary16(Unit::Add, &[one, minus_one]), 0);
    assert_eq!(binary16(Unit::Add, &[0, minus_zero]), 0);
    assert_eq!(binary16(Unit::Add, &[minus_zero, minus_zero]), minus_zero);
    assert_eq!(binary16(Unit::Mul, &[1, 0x8001]), minus_zero, "underflow keeps the sign");
    // k8p3se has no -0, yet its zero times -1 is -0 inside the operation.
    let minus_one = encode("k8p3se", -1.0);
    assert_eq!(run(Unit::Fmac, "k8p3se", "binary16", &[0, minus_one, minus_zero]), minus_zero);
    assert_eq!(run(Unit::Mul, "k8p3se", "k8p3se", &[0, minus_one]), 0);
}

#[test]
fn nans_of_arithmetic() {
    let binary16 = |unit, operands: &[u64]| run(unit, "binary16", "binary16", operands);
    let (infinity, nan) = (0x7c00, 0x7e00);
    assert_eq!(binary16(Unit::Mul, &[infinity, 0x8000]), nan);
    assert_eq!(binary16(Unit::Mul, &[0, 0xfc01]), nan);
    assert_eq!(binary16(Unit::Add, &[infinity, 0xfc00]), nan);
    assert_eq!(binary16(Unit::Fmac, &[infinity, 0, 0xfdff]), nan);
    assert_eq!(binary16(Unit::Fmac, &[infinity, 0x3c00, 0xfc00]), nan);
    assert_eq!(encode("e3m2f", f64::NAN), 0, "NaN where there is none");
    assert_eq!(run(Unit::Mul, "e5m2b1", "e5m2b1", &[0x7f, 0]), 0x80);
}

#[test]
fn nans_of_conversions() {
    let convert = |from, to, x| run(Unit::Convert, from, to, &[x]);
    assert_eq!(convert("bfloat16", "binary32", 0xffa5), 0xffa5_0000, "wires");
    assert_eq!(convert("bfloat16", "binary16", 0xff81), 0xfc08, "as many trailing bits: sign and payload");
    assert_eq!(convert("binary32", "binary32", 0xff80_0001), 0xff80_0001);
    assert_eq!(convert("binary16", "bfloat16", 0xfe01), 0x7fc0, "narrowing: the canonical one");
    assert_eq!(convert("e4m3fn", "binary16", 0xff), 0x7e00, "no payload to keep");
    assert_eq!(convert("binary16", "e4m3fn", 0xfe00), 0x7f);
    assert_eq!(convert("e5m2", "k8p3se", 0xff), 0x80);
}

#[test]
fn overflow_policies() {
    let saturate = |name, x| encode_as(Rounding::Rne, Overflow::Saturate, name, x);
    let binary16_tie = 65520.0;
    assert_eq!((encode("binary16", binary16_tie), encode("binary16", binary16_tie - 0.01)), (0x7c00, 0x7bff));
    assert_eq!([saturate("binary16", binary16_tie), saturate("binary16", -f64::INFINITY)], [0x7bff, 0xfbff]);
    assert_eq!([464.0, 465.0, f64::INFINITY].map(|x| encode("e4m3fn", x)), [0x7e, 0x7f, 0x7f]);
    assert_eq!([465.0, -f64::INFINITY].map(|x| saturate("e4m3fn", x)), [0x7e, 0xfe]);
    assert_eq!([1000.0, -f64::INFINITY].map(|x| encode("e3m2f", x)), [0x1f, 0x3f]);
    assert_eq!([1e30, f64::INFINITY].map(|x| encode("k8p4sf", x)), [0x7f, 0x7f]);
    assert_eq!([-1.0, -1e-30].map(|x| encode("k8p4ue", x)), [0xff, 0], "below zero, and rounded to zero");
    assert_eq!(saturate("k8p4ue", -1.0), 0);
}

#[test]
fn directed_and_to_odd() {
    use Rounding::{Rdn, Rna, Rne, Rto, Rtz, Rup};
    let all = |name, x| [Rne, Rna, Rtz, Rup, Rdn, Rto].map(|rounding| encode_as(rounding, Overflow::Inf, name, x));
    // binary16 around 1: 0x3c00 is 1, the step 2^-10.
    assert_eq!(all("binary16", 1.0), [0x3c00; 6]);
    assert_eq!(all("binary16", 1.0 + power(-11)), [0x3c00, 0x3c01, 0x3c00, 0x3c01, 0x3c00, 0x3c01]);
    assert_eq!(all("binary16", 1.0 + power(-10) + power(-20)), [0x3c01, 0x3c01, 0x3c01, 0x3c02, 0x3c01, 0x3c01]);
    assert_eq!(all("binary16", -1.0 - power(-20)), [0xbc00, 0xbc00, 0xbc00, 0xbc00, 0xbc01, 0xbc01]);
    assert_eq!(all("binary16", -power(-60)), [0x8000, 0x8000, 0x8000, 0x8000, 0x8001, 0x8001]);
    // Past the largest value: 0x7bff is odd, 0x7e of e4m3fn and e5m2b1 even.
    assert_eq!(all("binary16", 65505.0), [0x7bff, 0x7bff, 0x7bff, 0x7c00, 0x7bff, 0x7bff]);
    assert_eq!(all("binary16", -1e30), [0xfc00, 0xfc00, 0xfbff, 0xfbff, 0xfc00, 0xfbff]);
    assert_eq!(all("e4m3fn", 449.0), [0x7e, 0x7e, 0x7e, 0x7f, 0x7e, 0x7f]);
    assert_eq!(all("e4m3fn", -480.0), [0x7f, 0x7f, 0xfe, 0xfe, 0x7f, 0x7f]);
    assert_eq!(all("e5m2b1", 1.5 * power(17)), [0x7e, 0x7f, 0x7e, 0x7f, 0x7e, 0x7f]);
    assert_eq!(all("e3m2f", -1000.0), [0x3f; 6]);
    // An infinite operand is no overflow.
    assert_eq!(all("binary16", f64::INFINITY), [0x7c00; 6]);
    assert_eq!(all("e5m2b1", -f64::INFINITY), [0xff; 6]);
    // Flushed: 0x08 is 2^-6, what would be next below it 2^-6 - 2^-10.
    assert_eq!(all("e4m3n", power(-6) - power(-12)), [0x08, 0x08, 0, 0x08, 0, 0]);
    assert_eq!(all("e4m3n", power(-6) - power(-10)), [0; 6]);
    assert_eq!(all("e4m3n", -power(-7)), [0x80; 6]);
    // Nosub: 1 is next to 0.
    assert_eq!(all("e4m3ns", power(-30)), [0, 0, 0, 1, 0, 1]);
    // Unsigned: 0xff is NaN.
    assert_eq!(all("k8p4ue", -1.0), [0xff, 0xff, 0, 0, 0xff, 0xff]);
    assert_eq!(all("k8p4ue", -1e-30), [0, 0, 0, 0, 0xff, 0xff]);
    assert_eq!(all("k8p4ue", -f64::INFINITY), [0xff; 6]);
}

#[test]
fn zeros_toward_minus_infinity() {
    let run =
        |rounding, unit, name: &str, operands: &[u64]| run_as(rounding, Overflow::Inf, unit, (name, name), operands);
    let (one, minus_one, minus_zero) = (0x3c00, 0xbc00, 0x8000);
    for rounding in common::DIRECTIONS {
        let canceled = if rounding == Rounding::Rdn { minus_zero } else { 0 };
        assert_eq!(run(rounding, Unit::Add, "binary16", &[one, minus_one]), canceled, "{rounding}");
        assert_eq!(run(rounding, Unit::Add, "binary16", &[minus_zero, 0]), canceled, "{rounding}");
        assert_eq!(run(rounding, Unit::Fmac, "binary16", &[one, minus_one, one]), canceled, "{rounding}");
        assert_eq!(run(rounding, Unit::Fmac, "binary16", &[0, minus_one, 0]), canceled, "{rounding}");
        assert_eq!(run(rounding, Unit::Add, "binary16", &[0, 0]), 0, "{rounding}");
        assert_eq!(run(rounding, Unit::Add, "k8p3se", &[0x40, 0xc0]), 0, "{rounding}: there is no -0");
    }
}

#[test]
fn propagated_infinities() {
    let propagate = |name, x| encode_as(Rounding::Rne, Overflow::Propagate, name, x);
    let operands = [1e30, -1e30, f64::INFINITY, -f64::INFINITY];
    assert_eq!(operands.map(|x| propagate("binary16", x)), [0x7bff, 0xfbff, 0x7c00, 0xfc00]);
    assert_eq!(operands.map(|x| propagate("k8p3se", x)), [0x7e, 0xfe, 0x7f, 0xff]);
    assert_eq!(operands.map(|x| propagate("k8p3sf", x)), [0x7f, 0xff, 0x7f, 0xff]);
    assert_eq!(operands.map(|x| propagate("k8p3ue", x)), [0xfd, 0, 0xfe, 0]);
}

#[test]
fn flushed_and_nosub() {
    // e4m3n: the smallest normal is 2^-6, the value below it with an unbounded exponent range 2^-6 - 2^-10.
    let middle = power(-6) - power(-11);
    assert_eq!([middle, middle * (1.0 - power(-20)), -power(-7)].map(|x| encode("e4m3n", x)), [0x08, 0, 0x80]);
    assert_eq!(value("e4m3n", 0x87).to_bits(), (-0.0_f64).to_bits(), "subnormal codes read as zero of their sign");
    // e4m3ns: 1.125 * 2^-7 above zero.
    let smallest = 1.125 * power(-7);
    assert_eq!((value("e4m3ns", 1), value("e4m3ns", 8)), (smallest, power(-6)));
    assert_eq!([smallest / 2.0, smallest * 0.51, -smallest / 2.0].map(|x| encode("e4m3ns", x)), [0, 1, 0x80]);
}
