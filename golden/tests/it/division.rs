//! Quotients, square roots and their reciprocals against independent arithmetic: the machine's binary32 and binary64,
//! exact comparisons of all results of small formats with their neighbours, and the special cases of IEEE 754-2019
//! clauses 6, 7.3 and 9.2.1 by hand. `apfloat_flags.rs` has the flags of quotients.

use crate::common::{Random, as_f64, codes, format, words, y};
use crate::flags::flagged;
use binade_golden::{Codec, Value};
use binade_spec::{Format, Operation, Rounding, Sign, Tininess, Unit};

fn own(unit: Unit, name: &str) -> Operation {
    Operation::new(unit, format(name), format(name))
}

/// Codes of binary32 and binary64: anything, and few significant bits, which give exact results.
fn operands(random: &mut Random, bits: u32) -> u64 {
    let code = random.bits() >> (64 - bits);
    if random.below(2) == 0 { code } else { code & (u64::MAX << random.below(u64::from(bits) - 12)) }
}

#[test]
fn binary32_and_binary64_are_those_of_the_machine() {
    let mut random = Random(40);
    let [divide, root, reciprocal] = [Unit::Divide, Unit::Sqrt, Unit::Reciprocal].map(|unit| own(unit, "binary32"));
    let [divide64, root64, reciprocal64] =
        [Unit::Divide, Unit::Sqrt, Unit::Reciprocal].map(|unit| own(unit, "binary64"));
    let same = |operation: &Operation, inputs: &[u64], want: (u64, bool)| {
        let got = y(operation, inputs);
        let is_nan = operation.result.is_nan(got.into());
        assert!(if want.1 { is_nan } else { got == want.0 }, "{} {inputs:x?}: {got:x}", operation.unit);
    };
    for _ in 0..60_000 {
        let codes = [0, 1].map(|_| operands(&mut random, 32));
        let [a, b] = codes.map(|code| f32::from_bits(code as u32));
        let single = |x: f32| (u64::from(x.to_bits()), x.is_nan());
        same(&divide, &codes, single(a / b));
        same(&root, &codes[..1], single(a.sqrt()));
        same(&reciprocal, &codes[..1], single(1.0 / a));
        let codes = [0, 1].map(|_| operands(&mut random, 64));
        let [a, b] = codes.map(f64::from_bits);
        let double = |x: f64| (x.to_bits(), x.is_nan());
        same(&divide64, &codes, double(a / b));
        same(&root64, &codes[..1], double(a.sqrt()));
        same(&reciprocal64, &codes[..1], double(1.0 / a));
    }
}

/// Whether a value compares so with an exact result.
type Judgement = Box<dyn Fn(f64) -> bool>;

/// Formats whose values have few bits and exponents: products of four of them are exact in binary64.
const SMALL: [&str; 10] =
    ["e5m2", "e4m3fn", "e4m3fnuz", "k8p4se", "k6p3uf", "e3m2b1", "e4m3f", "e2m3f", "int6", "ufixed6_3"];

/// The finite values of a format that are not negative, in order, with their codes.
fn magnitudes(format: &Format) -> Vec<(f64, u64)> {
    let value = |code: u64| match format.decode(code.into()) {
        Value::Zero { .. } => Some((0.0, code)),
        Value::Finite(exact) if !exact.negative => Some((as_f64(Value::Finite(exact)), code)),
        Value::Finite(_) | Value::Infinite { .. } | Value::Nan => None,
    };
    let mut all: Vec<(f64, u64)> = codes(*format).filter_map(value).collect();
    all.sort_by(|x, y| x.0.total_cmp(&y.0));
    all.dedup_by_key(|(value, _)| *value);
    all
}

/// The code to which a magnitude is truncated, and whether it is a value: `below(v)` says whether `v` is less than the
/// magnitude, `equals(v)` whether it is the magnitude.
fn truncated(
    all: &[(f64, u64)],
    below: impl Fn(f64) -> bool,
    equals: impl Fn(f64) -> bool,
) -> Option<(u64, bool, bool)> {
    let at = all.iter().rposition(|(value, _)| below(*value) || equals(*value))?;
    Some((all[at].1, equals(all[at].0), at + 1 == all.len()))
}

/// Every quotient and root, rounded toward zero and away from it, is one of the two values around the exact one; those
/// of sign-magnitude formats to nearest are the nearer one.
#[test]
fn all_results_of_small_formats_are_next_to_the_exact_ones() {
    for name in SMALL {
        let format = format(name);
        let all = magnitudes(&format);
        let directed = |unit, rounding| Operation { rounding, ..Operation::new(unit, format, format) };
        let positive: Vec<(f64, u64)> = all.iter().copied().filter(|(value, _)| *value > 0.0).collect();
        for &(b, b_code) in &positive {
            for (unit, inputs) in
                [(Unit::Reciprocal, vec![b_code]), (Unit::Sqrt, vec![b_code]), (Unit::Rsqrt, vec![b_code])]
            {
                let (below, equals): (Judgement, Judgement) = match unit {
                    Unit::Reciprocal => (Box::new(move |v| v * b < 1.0), Box::new(move |v| v * b == 1.0)),
                    Unit::Sqrt => (Box::new(move |v| v * v < b), Box::new(move |v| v * v == b)),
                    _ => (Box::new(move |v| v * v * b < 1.0), Box::new(move |v| v * v * b == 1.0)),
                };
                check(&all, directed(unit, Rounding::Rtz), directed(unit, Rounding::Rup), &inputs, below, equals);
            }
            for &(a, a_code) in &positive {
                let (below, equals) = (move |v: f64| v * b < a, move |v: f64| v * b == a);
                let inputs = [a_code, b_code];
                check(
                    &all,
                    directed(Unit::Divide, Rounding::Rtz),
                    directed(Unit::Divide, Rounding::Rup),
                    &inputs,
                    below,
                    equals,
                );
            }
        }
    }
}

/// Truncated is the value at or below; rounded up is the next one unless that is exact.
fn check(
    all: &[(f64, u64)],
    down: Operation,
    up: Operation,
    inputs: &[u64],
    below: impl Fn(f64) -> bool,
    equals: impl Fn(f64) -> bool,
) {
    let Some((code, is_exact, is_last)) = truncated(all, below, equals) else { return };
    let [got_down, got_up] = [&down, &up].map(|operation| y(operation, inputs));
    let place = |code: u64| all.iter().position(|(_, other)| *other == code);
    if down.result.float().is_none_or(|float| float.has_zero()) {
        assert_eq!(got_down, code, "{} {} {inputs:x?} truncated", down.unit, down.operand);
    }
    if !is_last {
        let want = place(code).map(|at| at + usize::from(!is_exact));
        assert_eq!(place(got_up), want, "{} {} {inputs:x?} up", up.unit, up.operand);
    }
}

/// To nearest, the result is the value on its side of the midpoint, which is a value of a format with one bit more.
#[test]
fn results_to_nearest_are_on_their_side_of_the_midpoint() {
    for (name, longer) in [("e5m2", "e5m3"), ("e4m3", "e4m4"), ("posit8_2", "posit9_2"), ("posit8_0", "posit9_0")] {
        let (short, long) = (format(name), format(longer));
        for unit in [Unit::Divide, Unit::Reciprocal, Unit::Sqrt, Unit::Rsqrt] {
            let nearest = Operation::new(unit, short, short);
            // With one bit more, rounded to odd, nothing is lost for the rounding to nearest.
            let odd = Operation { rounding: Rounding::Rto, ..Operation::new(unit, long, long) };
            let narrowed = Operation::new(Unit::Convert, long, short);
            let widened = Operation::new(Unit::Convert, short, long);
            let check = |inputs: &[u64]| {
                let wide: Vec<u64> = inputs.iter().map(|&code| y(&widened, &[code])).collect();
                let exact = y(&odd, &wide);
                // A tie in the longer format is a tie of the exact result only if that is exact.
                let want = y(&narrowed, &[exact]);
                let got = y(&nearest, inputs);
                let is_tie = exact % 2 == 1;
                assert!(
                    got == want || is_tie || short.is_nan(got.into()) && short.is_nan(want.into()),
                    "{unit} {name} {inputs:x?}: {got:x} {want:x}"
                );
            };
            for a in codes(short) {
                if nearest.inputs().len() == 1 {
                    check(&[a]);
                    continue;
                }
                codes(short).for_each(|b| check(&[a, b]));
            }
        }
    }
}

/// Operands, result, flags.
type Row<'t> = (&'t [u64], u64, u64);

/// Special operands, their results and flags (invalid, division by zero, overflow, underflow, inexact), in binary16.
#[test]
fn special_cases_of_ieee_754() {
    const INF: u64 = 0x7c00;
    const NAN: u64 = 0x7e00;
    const SIGNALING: u64 = 0x7d00;
    const MINUS: u64 = 0x8000;
    const ONE: u64 = 0x3c00;
    let (invalid, by_zero, inexact) = (16, 8, 1);
    let tables: [(Unit, &[Row]); 4] = [
        (
            Unit::Divide,
            &[
                (&[ONE, 0], INF, by_zero),
                (&[ONE, MINUS], INF | MINUS, by_zero),
                (&[ONE | MINUS, 0], INF | MINUS, by_zero),
                (&[0, 0], NAN, invalid),
                (&[INF, INF], NAN, invalid),
                (&[INF, 0], INF, 0),
                (&[INF, MINUS], INF | MINUS, 0),
                (&[0, INF | MINUS], MINUS, 0),
                (&[ONE, INF], 0, 0),
                (&[NAN, 0], NAN, 0),
                (&[SIGNALING, 0], NAN, invalid),
                (&[ONE, SIGNALING], NAN, invalid),
                (&[ONE, 0x4200], 0x3555, inexact),
                (&[0x7bff, 1], INF, 4 | inexact),
                (&[1, 0x7bff], 0, 2 | inexact),
                (&[1, 0x4000], 0, 2 | inexact),
                (&[3, 0x4000], 2, 2 | inexact),
            ],
        ),
        (Unit::Reciprocal, &[(&[0], INF, by_zero), (&[MINUS], INF | MINUS, by_zero), (&[INF | MINUS], MINUS, 0)]),
        (
            Unit::Sqrt,
            &[
                (&[MINUS], MINUS, 0),
                (&[ONE | MINUS], NAN, invalid),
                (&[INF | MINUS], NAN, invalid),
                (&[INF], INF, 0),
                (&[0x4000], 0x3da8, inexact),
                (&[0x4400], 0x4000, 0),
                (&[NAN | MINUS], NAN, 0),
                (&[SIGNALING], NAN, invalid),
            ],
        ),
        (
            Unit::Rsqrt,
            &[
                (&[0], INF, by_zero),
                (&[MINUS], INF | MINUS, by_zero),
                (&[INF], 0, 0),
                (&[INF | MINUS], NAN, invalid),
                (&[ONE | MINUS], NAN, invalid),
                (&[ONE], ONE, 0),
                (&[0x4400], 0x3800, 0),
            ],
        ),
    ];
    for (unit, rows) in tables {
        let operation = flagged(unit, format("binary16"), format("binary16"), Rounding::Rne, Tininess::After);
        let width = operation.outputs()[1].width();
        assert_eq!(width, if unit == Unit::Sqrt { 4 } else { 5 }, "{unit}");
        for &(inputs, result, flags) in rows {
            // Without division there are four flags.
            let flags = if width == 4 && flags == invalid { 8 } else { flags };
            assert_eq!(words(&operation, inputs), [result, flags], "{unit} {inputs:x?}");
        }
    }
}

/// Where zero has no sign, a quotient by zero is NaN (P3109 interim report 4.0; the posit standard's NaR); in fixed
/// point that is 0.
#[test]
fn a_quotient_by_a_zero_without_sign_is_nan() {
    for name in ["k8p3se", "k8p3sf", "k8p3ue", "e4m3fnuz", "posit16_1", "e5m2b1"] {
        let (short, one) = (format(name), Operation::new(Unit::Encode, Format::binary32(), format(name)));
        let one = y(&one, &[0x3f80_0000]);
        let operand = |unit| Operation::new(unit, short, short);
        let results = [
            y(&operand(Unit::Divide), &[one, 0]),
            y(&operand(Unit::Divide), &[0, 0]),
            y(&operand(Unit::Reciprocal), &[0]),
            y(&operand(Unit::Rsqrt), &[0]),
        ];
        assert!(results.iter().all(|&code| short.is_nan(code.into())), "{name}: {results:x?}");
        assert_eq!(y(&operand(Unit::Sqrt), &[0]), 0, "{name}");
    }
    let int8 = flagged(Unit::Divide, format("int8"), format("int8"), Rounding::Rne, Tininess::After);
    assert_eq!(words(&int8, &[5, 0]), [0, 24]);
    assert_eq!(words(&int8, &[0x80, 0xff]), [0x7f, 16], "-128 / -1 is beyond the range");
    assert_eq!(words(&int8, &[7, 2]), [4, 1]);
}

/// A negative number has no root, in any family.
#[test]
fn negative_numbers_have_no_root() {
    for name in ["e5m2", "k8p3se", "posit8_2", "e4m3fn", "e2m1f"] {
        let format = format(name);
        assert_eq!(format.sign(), Sign::Signed);
        let minus_largest = format.code(true, format.max_code()) as u64;
        for unit in [Unit::Sqrt, Unit::Rsqrt] {
            let got = y(&Operation::new(unit, format, format), &[minus_largest]);
            // Without NaN, it is zero.
            let want = format.nan_code().unwrap_or(0);
            assert!(u128::from(got) == want || format.is_nan(got.into()), "{unit} {name}: {got:x}");
        }
    }
}
