//! Products of matrices against the golden model.

use super::format;
use binade_arrays::{Arithmetic, ArrayError, Matrices, MatrixProduct, Random, Words, dot_of};
use binade_golden::{Codec, Exact, Policy, Value};
use binade_spec::{Overflow, Rounding};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;

/// Settings of `dot`, as in `acc=binary32 sum=chain`.
fn settings(words: &str) -> BTreeMap<String, String> {
    let pairs = words.split_whitespace().filter_map(|word| word.split_once('='));
    pairs.map(|(key, word)| (key.to_string(), word.to_string())).collect()
}

/// Any codes of a format.
fn codes(random: &mut Xoshiro256PlusPlus, format_name: &str, count: usize) -> Vec<u64> {
    let width = format(format_name).width();
    (0..count).map(|_| random.next_u64() >> (64 - width)).collect()
}

/// Codes of numbers around 1, as matrices have them, a few of which are 0.
fn plain_codes(random: &mut Xoshiro256PlusPlus, format_name: &str, count: usize) -> Vec<u64> {
    let (format, policy) = (format(format_name), Policy::new(Rounding::Rne, Overflow::Inf));
    let number =
        |word: u64| Exact { negative: word & 1 == 1, n: u128::from(word >> 8 & 0xff), k: -6 - (word >> 1 & 3) as i32 };
    let value =
        |exact: Exact| if exact.n == 0 { Value::Zero { negative: exact.negative } } else { Value::Finite(exact) };
    (0..count).map(|_| format.encode_by(value(number(random.next_u64())), &policy) as u64).collect()
}

/// Codes of any finite numbers, and of zeros.
fn finite_codes(random: &mut Xoshiro256PlusPlus, format_name: &str, count: usize) -> Vec<u64> {
    let format = format(format_name);
    let is_finite = |code: &u64| matches!(format.decode((*code).into()), Value::Finite(_) | Value::Zero { .. });
    std::iter::repeat_with(|| codes(random, format_name, 1)[0]).filter(is_finite).take(count).collect()
}

/// The product of matrices of some rows and columns.
fn product(words: &str, of: &str, products: usize, columns: usize, [a, b, c]: [&[u64]; 3]) -> Vec<u64> {
    let operation = dot_of(products as u32, of, &settings(words)).unwrap();
    let mut results = vec![0; c.len()];
    let matrices = Matrices { a: Words::U64(a), b: Words::U64(b), c: Words::U64(c), columns };
    MatrixProduct::new(&operation).unwrap().evaluate(matrices, Random::Unused, &mut results);
    results
}

/// The same by dot products of at most `step` products, the result of each of which is the addend of the next.
fn in_steps(words: &str, of: &str, step: usize, products: usize, columns: usize, [a, b, c]: [&[u64]; 3]) -> Vec<u64> {
    let mut sums = c.to_vec();
    for first in (0..products).step_by(step) {
        let lanes = step.min(products - first);
        let unit = Arithmetic::new(&dot_of(lanes as u32, of, &settings(words)).unwrap()).unwrap();
        let at = |lane: usize, element: usize| {
            (element / columns * products + first + lane, (first + lane) * columns + element % columns)
        };
        let gathered = |of: &dyn Fn(usize, usize) -> u64| -> Vec<u64> {
            (0..sums.len()).flat_map(|element| (0..lanes).map(move |lane| of(lane, element))).collect()
        };
        let rows = gathered(&|lane, element| a[at(lane, element).0]);
        let columns = gathered(&|lane, element| b[at(lane, element).1]);
        let addends = sums.clone();
        let operands = [Words::U64(&rows), Words::U64(&columns), Words::U64(&addends)];
        unit.evaluate(&operands, Random::Unused, &mut sums);
    }
    sums
}

/// Matrices of 5 rows and 7 columns, with all codes, with plain numbers, and with all numbers.
fn compare(words: &str, of: &str, acc: &str, products: usize, step: usize) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for kind in [codes, plain_codes, finite_codes] {
        let [a, b] = [5 * products, 7 * products].map(|count| kind(&mut random, of, count));
        let c = kind(&mut random, acc, 35);
        let words = format!("{words} acc={acc}");
        let matrices = [&a[..], &b, &c];
        let wanted = in_steps(&words, of, step, products, 7, matrices);
        assert_eq!(product(&words, of, products, 7, matrices), wanted, "{of} {words}");
    }
}

#[test]
fn exact_sums() {
    for (of, acc) in [
        ("e4m3fn", "binary16"),
        ("e4m3fn", "binary32"),
        ("e5m2", "e5m2"),
        ("e3m2f", "binary16"),
        ("posit8_2", "posit16_2"),
        ("binary16", "binary32"),
        ("bfloat16", "binary32"),
        ("int8", "int32"),
        ("fixed8_6", "binary32"),
        ("nf4", "binary16"),
        ("e4m3b11fnuz", "binary16"),
        ("binary32", "binary32"),
    ] {
        compare("", of, acc, 37, 37);
    }
    compare("overflow=saturate", "e5m2", "e5m2", 9, 9);
    for round in ["rtz", "rup", "rdn", "rto", "rna"] {
        compare(&format!("round={round}"), "e4m3fn", "binary16", 18, 18);
    }
}

#[test]
fn other_sums() {
    compare("like=h100", "e4m3fn", "binary32", 200, 64);
    compare("like=a100", "binary16", "binary32", 70, 64);
    compare("like=mi300x", "bfloat16", "binary32", 72, 64);
    compare("sum=chain", "e5m2", "binary16", 130, 64);
    compare("sum=align:20 block=16", "e5m2", "binary16", 130, 64);
}

/// Sums that are cut off, in all formats of the models, and with places for more and fewer bits.
#[test]
fn aligned_sums() {
    for (like, of, acc) in [
        ("v100", "binary16", "binary16"),
        ("v100", "binary16", "binary32"),
        ("t4", "binary16", "binary16"),
        ("a100", "bfloat16", "binary32"),
        ("a100", "tf32", "binary32"),
        ("ada", "e4m3fn", "binary16"),
        ("ada", "e5m2", "binary32"),
        ("h100", "e5m2", "binary32"),
        ("h100", "bfloat16", "binary32"),
        ("b200", "e4m3fn", "binary32"),
        ("rtxpro6000", "e5m2", "binary32"),
    ] {
        compare(&format!("like={like}"), of, acc, 96, 64);
    }
    for sum in ["align:1", "align:8", "align:30", "align:36", "align:37", "align:12,floor=3", "align:12,result=4"] {
        for round in ["rne", "rtz", "rup"] {
            for of in ["e4m3fn", "e5m2n", "k8p3se", "posit8_2"] {
                compare(&format!("sum={sum} block=12 round={round}"), of, "binary16", 24, 24);
            }
        }
    }
    compare("sum=align:12 block=12 overflow=saturate", "e5m2", "binary16", 24, 24);
    compare("sum=align:12 block=12", "e4m3fn", "e5m2", 24, 24);
    compare("sum=align:12 block=12", "e4m3fn", "binary64", 24, 24);
}

/// A sum of 1000 products, beside one of integers.
#[test]
fn long_sums() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let (e5m2, binary32) = (format("e5m2"), format("binary32"));
    let finite = |codes: Vec<u64>| {
        codes.into_iter().map(|code| if code & 0x7c == 0x7c { code ^ 0x40 } else { code }).collect::<Vec<u64>>()
    };
    let [a, b] = [1000, 3000].map(|count| finite(codes(&mut random, "e5m2", count)));
    let results = product("acc=binary32 round=rtz", "e5m2", 1000, 3, [&a, &b, &[0; 3]]);
    // In units of 2^-16.
    let units = |code: u64| match e5m2.decode(code.into()) {
        Value::Finite(Exact { negative, n, k }) => (if negative { -1 } else { 1 }) * ((n as i128) << (k + 16)),
        _ => 0,
    };
    for column in 0..3 {
        let sum: i128 = (0..1000).map(|row| units(a[row]) * units(b[3 * row + column])).sum();
        let exact = Value::Finite(Exact { negative: sum < 0, n: sum.unsigned_abs(), k: -32 });
        let wanted = binary32.encode_by(exact, &Policy::new(Rounding::Rtz, Overflow::Inf));
        assert_eq!(u128::from(results[column]), wanted);
    }
}

/// Random words are those of the element, whatever its place.
#[test]
fn stochastic_elements() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let [a, b, c] = [40, 40, 16].map(|count| plain_codes(&mut random, "e4m3fn", count));
    let operation = dot_of(10, "e4m3fn", &settings("acc=e4m3fn round=sr4")).unwrap();
    let multiply = MatrixProduct::new(&operation).unwrap();
    let words: Vec<u64> = (0..16).map(|_| random.next_u64()).collect();
    let evaluate = |words: &[u64], a: &[u64], c: &[u64]| {
        let mut results = vec![0_u64; c.len()];
        let matrices = Matrices { a: Words::U64(a), b: Words::U64(&b), c: Words::U64(c), columns: 4 };
        multiply.evaluate(matrices, Random::Words(words), &mut results);
        results
    };
    let whole = evaluate(&words, &a, &c);
    let halves = [evaluate(&words[..8], &a[..20], &c[..8]), evaluate(&words[8..], &a[20..], &c[8..])].concat();
    assert_eq!(whole, halves);
}

#[test]
fn what_is_no_product_of_matrices_is_said() {
    let refused = |products: u32, words: &str| dot_of(products, "e5m2", &settings(words)).unwrap_err();
    assert_eq!(refused(0, ""), "an element is the sum of 1 to 65536 products, not of 0");
    assert!(refused(4, "lanes=4").contains("the shapes of the arrays say"));
    let error = |words: &str| MatrixProduct::new(&dot_of(16, "e5m2", &settings(words)).unwrap()).err();
    assert_eq!(error("flags=true"), Some(ArrayError::NoPlainDot));
    assert_eq!(error("quantize-from=binary32"), Some(ArrayError::NoPlainDot));
    assert_eq!(error("sum=chain round=sr8"), Some(ArrayError::TooRandom { bits: 128 }));
}
