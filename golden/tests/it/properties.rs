//! Laws that need no oracle, on formats of all families: the value of a code rounds to that code, rounding is
//! monotonic, negation mirrors it, directed roundings enclose the exact value, operands commute.

use crate::common::y;
use crate::common::{self, DIRECTIONS, Way, as_f64, codes, float, format};
use binade_golden::{Codec, Exact, Model, Value};
use binade_spec::{Column, ColumnMut, Format, Nan, Operation, Overflow, Rounding, Sign, Underflow, Unit};
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
        format.min_exponent() - i64::from(format.precision() - 1) > -1000 && format.max_exponent() < 1000
    })
}

fn signed_formats() -> impl Strategy<Value = Format> {
    formats().prop_filter("signed", |format| format.sign() == Sign::Signed)
}

fn any_way() -> impl Strategy<Value = Way> {
    prop::sample::select(common::ways(false).to_vec())
}

fn any_overflow() -> impl Strategy<Value = Overflow> {
    prop::sample::select(Overflow::ALL.to_vec())
}

/// The rounding of negative numbers that mirrors this rounding of positive numbers.
fn mirrored(rounding: Rounding) -> Rounding {
    match rounding {
        Rounding::Rup => Rounding::Rdn,
        Rounding::Rdn => Rounding::Rup,
        symmetric => symmetric,
    }
}

fn mask(format: Format) -> u128 {
    format.sign_mask() | format.magnitude_mask()
}

/// The code to which the value of `code` is encoded.
fn canonical(format: Format, code: u128) -> u128 {
    match format.decode(code) {
        Value::Nan => format.nan_code().expect("a NaN was decoded"),
        Value::Zero { negative } if negative && format.has_minus_zero() => format.sign_mask(),
        Value::Zero { .. } => 0,
        Value::Finite(_) | Value::Infinite { .. } => code,
    }
}

fn round_trips(format: Format, code: u128) {
    let value = format.decode(code);
    for rounding in DIRECTIONS {
        for overflow in Overflow::ALL {
            let again = format.encode(value, rounding, overflow);
            let want = match (value, overflow) {
                (Value::Infinite { negative: false }, Overflow::Saturate) => format.max_code(),
                (Value::Infinite { negative: true }, Overflow::Saturate) => format.max_code() | format.sign_mask(),
                _ => canonical(format, code),
            };
            assert_eq!(again, want, "{format} {code:#x} {rounding} {overflow}");
        }
    }
}

fn finite(negative: bool, n: u128, k: i32) -> Value {
    Value::Finite(Exact { negative, n, k })
}

/// A magnitude between a little below the smallest and a little above the largest value of a format.
fn magnitude(format: Format, exponent: u64, n: u64) -> Value {
    let (low, high) = (format.min_exponent() - 3, format.max_exponent() + 3);
    let exponent = low + (exponent % (high - low + 1) as u64) as i64;
    let n = u128::from(n | 1);
    finite(false, n, (exponent - i64::from(n.ilog2())) as i32)
}

/// The results of the six roundings of a positive value: down, up, toward zero, to odd, to nearest (even, away).
fn six_ways(format: Format, x: Value) -> [u128; 6] {
    use Rounding::{Rdn, Rna, Rne, Rto, Rtz, Rup};
    [Rdn, Rup, Rtz, Rto, Rne, Rna].map(|rounding| format.encode(x, rounding, Overflow::Inf))
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
        codes(format).for_each(|code| round_trips(format, code.into()));
    }
}

#[test]
#[ignore = "long"]
fn nearest_up_is_ties_away() {
    for name in ["binary16", "e4m3n", "e4m3ns", "e4m3fn", "e3m2f", "e5m2b1", "k8p3se", "k6p3ue"] {
        let format = format(name);
        for x in codes(common::format("e6m9")).map(|code| common::format("e6m9").decode(code.into())) {
            for overflow in Overflow::ALL {
                let [rna, rnu] = [Rounding::Rna, Rounding::Rnu].map(|rounding| format.encode(x, rounding, overflow));
                assert_eq!(rna, rnu, "{name} {x}");
            }
        }
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
    fn codes_round_trip(format in formats(), code: u128) {
        round_trips(format, code & mask(format));
    }

    #[test]
    fn rounding_is_monotonic(format in formats(), (rounding, overflow) in any_way(), e: [u64; 2], n: [u64; 2], near: bool) {
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
    fn rounding_to_nearest_errs_by_at_most_half(format in formats(), away: bool, e: u64, n: u32) {
        let x = magnitude(format, e, n.into());
        let rounding = if away { Rounding::Rna } else { Rounding::Rne };
        let code = format.encode(x, rounding, Overflow::Saturate);
        let error = |code: u128| (as_f64(format.decode(code)) - as_f64(x)).abs();
        let inside = code > format.min_code() && code < format.max_code();
        prop_assert!(!inside || error(code) <= error(code - 1).min(error(code + 1)), "{format} {x}: {code:#x}");
    }

    #[test]
    fn directed_roundings_enclose(format in formats(), e: u64, n: u32) {
        let x = magnitude(format, e, n.into());
        let [down, up, inward, odd, even, away] = six_ways(format, x);
        let exact = as_f64(x);
        let of = |code: u128| as_f64(format.decode(code));
        prop_assert_eq!(down, inward, "{} {}: a positive value goes down to zero", format, x);
        prop_assert!(of(down) <= exact, "{format} {x}: {down:#x} is above it");
        prop_assert!([odd, even, away].iter().all(|&code| code == down || code == up), "{format} {x}: a third value");
        let largest = format.max_code();
        let flushed = float(format).underflow == Underflow::ToZero && exact < of(format.min_code());
        if exact > of(largest) {
            prop_assert_eq!(down, largest, "{} {}", format, x);
            prop_assert_eq!(up, format.encode(Value::Infinite { negative: false }, Rounding::Rup, Overflow::Inf));
            prop_assert_eq!(odd, if largest % 2 == 1 { largest } else { up }, "{} {}: past the largest, to odd", format, x);
        } else if flushed {
            prop_assert!(down == 0 && (up == 0 || up == format.min_code()), "{format} {x}: {down:#x}, {up:#x}");
        } else if of(down) == exact {
            prop_assert_eq!(up, down, "{} {}: exact", format, x);
        } else {
            prop_assert_eq!(up, down + 1, "{} {}: neighbours", format, x);
            prop_assert!(of(up) > exact, "{format} {x}: {up:#x} is below it");
            prop_assert!(odd % 2 == 1, "{format} {x}: {odd:#x} is even");
        }
    }

    /// Every direction is taken in the format's own negative numbers, too, so that rup(x) = -rdn(-x).
    #[test]
    fn negation_mirrors(format in signed_formats(), (rounding, overflow) in any_way(), e: u64, n: u64) {
        let x = magnitude(format, e, n);
        let positive = format.encode(x, rounding, overflow);
        let negative = format.encode(negated(x), mirrored(rounding), overflow);
        let unsigned_nan = float(format).nan == Nan::AllOnes && format.is_nan(positive);
        let only_zero = positive == 0 && !format.has_minus_zero();
        let sign = if unsigned_nan || only_zero { 0 } else { format.sign_mask() };
        prop_assert_eq!(negative, positive | sign, "{} {} {}", format, rounding, x);
    }

    #[test]
    fn toward_zero_is_never_larger(format in signed_formats(), overflow in any_overflow(), e: u64, n: u32, negative: bool) {
        let x = magnitude(format, e, n.into());
        let signed = if negative { negated(x) } else { x };
        let code = format.encode(signed, Rounding::Rtz, overflow);
        prop_assert!(as_f64(format.decode(code)).abs() <= as_f64(x), "{format} {signed}: {code:#x}");
        let same = if negative { Rounding::Rup } else { Rounding::Rdn };
        prop_assert_eq!(code, format.encode(signed, same, overflow));
    }

    /// A policy decides only about what is past the largest value: `saturate` and `propagate` agree on finite numbers.
    #[test]
    fn policies_differ_past_the_largest(format in formats(), (rounding, _) in any_way(), e: u64, n: u32) {
        let x = magnitude(format, e, n.into());
        let [inf, saturate, propagate] = Overflow::ALL.map(|overflow| format.encode(x, rounding, overflow));
        prop_assert_eq!(saturate, propagate);
        let fits = as_f64(x) <= as_f64(format.decode(format.max_code()));
        prop_assert!(inf == saturate || !fits && saturate == format.max_code(), "{format} {x} {rounding}");
    }

    #[test]
    fn operands_commute(format in formats(), (rounding, overflow) in any_way(), a: u64, b: u64, c: u64) {
        let accumulator = common::format("binary32");
        let (a, b, c) = (a & mask(format) as u64, b & mask(format) as u64, c & mask(accumulator) as u64);
        let operation = |unit, result| Operation { rounding, overflow, ..Operation::new(unit, format, result) };
        for unit in [Unit::Mul, Unit::Add] {
            let operation = operation(unit, format);
            prop_assert_eq!(y(&operation, &[a, b]), y(&operation, &[b, a]));
        }
        let fmac = operation(Unit::Fmac, accumulator);
        prop_assert_eq!(y(&fmac, &[a, b, c]), y(&fmac, &[b, a, c]));
    }

    #[test]
    fn columns_are_single_vectors(format in formats(), (rounding, overflow) in any_way(), a: [u64; 8], b: [u64; 8], c: [u64; 8]) {
        let masked = |codes: [u64; 8]| codes.map(|code| code & mask(format) as u64);
        let (a, b, c) = (masked(a), masked(b), masked(c));
        // Runs of equal factors, as exhaustive sweeps have them.
        let a = [a[0], a[0], a[0], a[3], a[3], a[0], a[6], a[7]];
        let b = [b[0], b[0], b[2], b[2], b[2], b[0], b[6], b[7]];
        let units: [(Unit, &[&[u64]]); 4] = [(Unit::Convert, &[&a]), (Unit::Mul, &[&a, &b]), (Unit::Add, &[&a, &b]), (Unit::Fmac, &[&a, &b, &c])];
        for (unit, columns) in units {
            let operation = Operation { rounding, overflow, ..Operation::new(unit, format, format) };
            let mut results = [0; 8];
            let inputs: Vec<Column> = columns.iter().map(|words| Column::narrow(words)).collect();
            Model::new(&operation).evaluate_columns(&inputs, &mut [ColumnMut::narrow(&mut results)]);
            for (row, result) in results.into_iter().enumerate() {
                let operands: Vec<u64> = columns.iter().map(|column| column[row]).collect();
                prop_assert_eq!(result, y(&operation, &operands), "{} {} {}", unit, format, row);
            }
        }
    }
}
