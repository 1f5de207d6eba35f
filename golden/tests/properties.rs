//! Laws that need no oracle, on formats of all families: what a code stands for rounds to that code, rounding is
//! monotonic, negation commutes with rounding, operands commute.

mod common;

use binade_golden::{Exact, Format, Nan, Operation, Overflow, Rounding, Sign, Unit, Value};
use common::{OVERFLOWS, ROUNDINGS, as_f64, codes, format, operation};
use proptest::{prelude::*, test_runner::RngSeed};

/// Names of all families, with values within binary64.
fn names() -> impl Strategy<Value = String> {
    let suffix = prop::sample::select(vec!["", "n", "ns", "fn", "f"]);
    let float = (2..=7_u32, 0..=23_u32, suffix.clone()).prop_map(|(w, t, suffix)| format!("e{w}m{t}{suffix}"));
    let widest = (1..=23_u32, suffix).prop_map(|(t, suffix)| format!("e8m{t}{suffix}"));
    let biased = (2..=6_u32, 0..=10_u32, -60..=60_i32).prop_map(|(w, t, bias)| format!("e{w}m{t},bias={bias}"));
    let domain = prop::sample::select(vec!["se", "sf", "ue", "uf", "sens", "ufns"]);
    let p3109 = (3..=16_u32, 0..=7_u32, domain).prop_map(|(k, w, domain)| {
        let p = k.saturating_sub(w).clamp(1, k - 1);
        format!("k{k}p{p}{domain}")
    });
    let sat = prop::sample::select(vec!["", ",sat"]);
    let supernormal = (2..=6_u32, 0..=3_u32, 1..=20_u32, 0..=20_u32, sat).prop_map(|(w, t, below, above, sat)| {
        let most = (1 << w) - 1;
        let below = below.min(most);
        format!("e{w}m{t}b{below}u{}{sat}", above.min(most - below))
    });
    prop_oneof![float, widest, biased, p3109, supernormal, Just("dlfloat16".to_string())]
}

fn formats() -> impl Strategy<Value = Format> {
    names().prop_map(|name| format(&name)).prop_filter("within binary64", |format| {
        format.min_exponent() - i64::from(format.trailing_bits) > -1000 && format.max_exponent() < 1000
    })
}

fn signed_formats() -> impl Strategy<Value = Format> {
    formats().prop_filter("signed", |format| format.sign == Sign::Signed)
}

fn roundings() -> impl Strategy<Value = (Rounding, Overflow)> {
    (prop::sample::select(ROUNDINGS.to_vec()), prop::sample::select(OVERFLOWS.to_vec()))
}

fn mask(format: Format) -> u64 {
    format.sign_mask() | format.magnitude_mask()
}

/// The one code that encoding gives for what `code` stands for.
fn canonical(format: Format, code: u64) -> u64 {
    match format.decode(code) {
        Value::Nan => format.nan_code().expect("a NaN was decoded"),
        Value::Zero { negative } if negative && format.has_minus_zero() => format.sign_mask(),
        Value::Zero { .. } => 0,
        Value::Finite(_) | Value::Infinite { .. } => code,
    }
}

fn round_trips(format: Format, code: u64) {
    for rounding in ROUNDINGS {
        let again = format.encode(format.decode(code), rounding, Overflow::Inf);
        assert_eq!(again, canonical(format, code), "{format} {code:#x} {rounding}");
        let saturated = format.encode(format.decode(code), rounding, Overflow::Saturate);
        match format.decode(code) {
            Value::Infinite { negative: false } => assert_eq!(saturated, format.max_code(), "{format}"),
            Value::Infinite { negative: true } => {
                assert_eq!(saturated, format.max_code() | format.sign_mask(), "{format}")
            }
            Value::Nan | Value::Zero { .. } | Value::Finite(_) => assert_eq!(saturated, again, "{format} {code:#x}"),
        }
    }
}

fn finite(negative: bool, n: u128, k: i32) -> Value {
    Value::Finite(Exact { negative, n, k })
}

/// A magnitude somewhere between a bit below the smallest and a bit above the largest value of a format.
fn magnitude(format: Format, exponent: u64, n: u64) -> Value {
    let (low, high) = (format.min_exponent() - 3, format.max_exponent() + 3);
    let exponent = low + (exponent % (high - low + 1) as u64) as i64;
    let n = u128::from(n | 1);
    finite(false, n, (exponent - i64::from(n.ilog2())) as i32)
}

fn negated(value: Value) -> Value {
    match value {
        Value::Finite(exact) => finite(!exact.negative, exact.n, exact.k),
        other => other,
    }
}

#[test]
fn every_code_round_trips() {
    let names = "e5m2 e4m3 e4m3fn e3m2f e2m3f e2m1f e5m3 e4m3n e4m3ns e4m0 e4m0n e2m0fn e5m2b1 e5m2b4 e4m3b2,sat e3m2b1u3 \
        k8p3se k8p4sf k8p1uf k8p8ue k3p1ue k3p3uf k6p2sens binary16 bfloat16 e6m9 e6m9n e7m8 dlfloat16 k16p11se k16p9ue \
        e4m3,bias=-5 e4m3b1,bias=40";
    for format in names.split_whitespace().map(format) {
        codes(format).for_each(|code| round_trips(format, code));
    }
}

/// The same cases in every run.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 20_000,
        rng_seed: RngSeed::Fixed(754),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn codes_round_trip(format in formats(), code: u64) {
        round_trips(format, code & mask(format));
    }

    #[test]
    fn rounding_is_monotonic(format in formats(), (rounding, overflow) in roundings(), e: [u64; 2], n: [u64; 2], near: bool) {
        let x = magnitude(format, e[0], n[0]);
        // Half of the pairs are neighbours in 64 bits, to meet on both sides of a midpoint.
        let y = if near { magnitude(format, e[0], n[0].wrapping_add(n[1] >> 50)) } else { magnitude(format, e[1], n[1]) };
        let rounded = [x, y].map(|value| as_f64(format.decode(format.encode(value, rounding, overflow))));
        let order = as_f64(x).partial_cmp(&as_f64(y)).unwrap();
        // NaN stands beyond the largest value of formats without infinity.
        let [x, y] = rounded.map(|value| if value.is_nan() { f64::INFINITY } else { value });
        prop_assert!(order.is_eq() || x == y || x.partial_cmp(&y) == Some(order), "{format}: {x} {order:?} {y}");
    }

    #[test]
    fn rounding_errs_by_at_most_half(format in formats(), (rounding, _) in roundings(), e: u64, n: u32) {
        let x = magnitude(format, e, n.into());
        let code = format.encode(x, rounding, Overflow::Saturate);
        let error = |code: u64| (as_f64(format.decode(code)) - as_f64(x)).abs();
        let inside = code > format.min_code() && code < format.max_code();
        prop_assert!(!inside || error(code) <= error(code - 1).min(error(code + 1)), "{format} {x}: {code:#x}");
    }

    #[test]
    fn negation_is_symmetric(format in signed_formats(), (rounding, overflow) in roundings(), e: u64, n: u64) {
        let x = magnitude(format, e, n);
        let positive = format.encode(x, rounding, overflow);
        let negative = format.encode(negated(x), rounding, overflow);
        let unsigned_nan = format.nan == Nan::AllOnes && format.is_nan(positive);
        let only_zero = positive == 0 && !format.has_minus_zero();
        let sign = if unsigned_nan || only_zero { 0 } else { format.sign_mask() };
        prop_assert_eq!(negative, positive | sign, "{} {}", format, x);
    }

    #[test]
    fn operands_commute(format in formats(), overflow in roundings(), a: u64, b: u64, c: u64) {
        let accumulator = common::format("binary32");
        let (a, b, c) = (a & mask(format), b & mask(format), c & mask(accumulator));
        for unit in [Unit::Mul, Unit::Add] {
            let operation = Operation { overflow: overflow.1, ..operation(unit, format, format) };
            prop_assert_eq!(operation.evaluate(&[a, b]), operation.evaluate(&[b, a]));
        }
        let fmac = operation(Unit::Fmac, format, accumulator);
        prop_assert_eq!(fmac.evaluate(&[a, b, c]), fmac.evaluate(&[b, a, c]));
    }

    #[test]
    fn columns_are_single_vectors(format in formats(), a: [u64; 8], b: [u64; 8], c: [u64; 8]) {
        let masked = |codes: [u64; 8]| codes.map(|code| code & mask(format));
        let (a, b, c) = (masked(a), masked(b), masked(c));
        // Runs of equal factors, as exhaustive sweeps have them.
        let a = [a[0], a[0], a[0], a[3], a[3], a[0], a[6], a[7]];
        let b = [b[0], b[0], b[2], b[2], b[2], b[0], b[6], b[7]];
        let units: [(Unit, &[&[u64]]); 4] = [(Unit::Convert, &[&a]), (Unit::Mul, &[&a, &b]), (Unit::Add, &[&a, &b]), (Unit::Fmac, &[&a, &b, &c])];
        for (unit, columns) in units {
            let operation = operation(unit, format, format);
            let mut results = [0; 8];
            operation.evaluate_columns(columns, &mut results);
            for (row, result) in results.into_iter().enumerate() {
                let operands: Vec<u64> = columns.iter().map(|column| column[row]).collect();
                prop_assert_eq!(result, operation.evaluate(&operands), "{} {} {}", unit, format, row);
            }
        }
    }
}
