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

/// Codes most of which are zeros, of both signs where there are two, and a few of which are any.
fn sparse_codes(random: &mut Xoshiro256PlusPlus, format_name: &str, count: usize) -> Vec<u64> {
    let format = format(format_name);
    let zero = |negative: bool| format.zero_code(negative) as u64;
    let mut code = || match random.next_u64() >> 57 {
        0 | 1 => codes(random, format_name, 1)[0],
        64.. => zero(true),
        _ => zero(false),
    };
    (0..count).map(|_| code()).collect()
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

/// Matrices of 5 rows and 11 columns, with all codes, with plain numbers, with all numbers, and with zeros.
fn compare(words: &str, of: &str, acc: &str, products: usize, step: usize) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for kind in [codes, plain_codes, finite_codes, sparse_codes] {
        let [a, b] = [5 * products, 11 * products].map(|count| kind(&mut random, of, count));
        let zeros = vec![format(acc).zero_code(false) as u64; 55];
        for c in [kind(&mut random, acc, 55), zeros] {
            let words = format!("{words} acc={acc}");
            let matrices = [&a[..], &b, &c];
            let wanted = in_steps(&words, of, step, products, 11, matrices);
            assert_eq!(product(&words, of, products, 11, matrices), wanted, "{of} {words}");
        }
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
            for of in ["e4m3fn", "e5m2n", "e5m2b1", "k8p3se", "e4m3,bias=20", "posit8_2"] {
                compare(&format!("sum={sum} block=12 round={round}"), of, "binary16", 24, 24);
            }
        }
    }
    compare("sum=align:12 block=12 overflow=saturate", "e5m2", "binary16", 24, 24);
    compare("sum=align:12 block=12", "e4m3fn", "e5m2", 24, 24);
    compare("sum=align:12 block=12", "e4m3fn", "binary64", 24, 24);
}

/// Sums as in matrix units of AMD, in blocks that are not always full.
#[test]
fn sums_of_amd() {
    for (like, of) in [
        ("mi250x", "binary16"),
        ("mi250x", "bfloat16"),
        ("mi250x", "binary32"),
        ("mi300x", "binary16"),
        ("mi300x", "bfloat16"),
        ("mi300x", "tf32"),
        ("mi300x", "k8p4sf"),
        ("mi300x", "k8p3sf"),
        ("mi300x", "binary32"),
    ] {
        compare(&format!("like={like}"), of, "binary32", 96, 48);
        compare(&format!("like={like}"), of, "binary32", 23, 23);
    }
    for (sum, of, acc) in [
        ("flushed block=7", "bfloat16", "binary32"),
        ("flushed block=1", "binary16", "binary32"),
        ("flushed block=4", "binary16", "binary16"),
        ("grouped block=5", "binary16", "binary16"),
        ("interleaved block=1", "e5m2", "binary32"),
        ("interleaved block=7", "bfloat16", "bfloat16"),
    ] {
        compare(&format!("sum={sum}"), of, acc, 35, 35);
    }
}

/// Sums with RISC-V's bulk normalization.
#[test]
fn bulk_sums() {
    for of in ["bfloat16", "e4m3fn", "e5m2"] {
        compare("like=rvbna", of, "binary32", 300, 300);
        compare("like=rvbna block=8", of, "binary32", 40, 40);
        compare("sum=bulk block=4", of, "binary16", 18, 18);
        compare("sum=bulk block=4", of, "bfloat16", 18, 18);
    }
    compare("sum=bulk", "binary32", "binary32", 18, 18);
}

/// Sums that are rounded product after product.
#[test]
fn chains() {
    for of in ["binary32", "bfloat16", "e5m2", "posit8_2", "int8"] {
        compare("sum=chain", of, "binary32", 30, 30);
        compare("sum=chain product=rounded", of, "binary32", 30, 30);
    }
    compare("sum=chain overflow=saturate", "bfloat16", "binary32", 30, 30);
    compare("sum=chain round=rtz", "bfloat16", "binary32", 30, 30);
    compare("sum=chain", "binary64", "binary32", 30, 30);
}

/// The code of an integer times a power of two. A zero has the sign of its exponent.
fn code(format_name: &str, n: i32, k: i32) -> u64 {
    let exact = Exact { negative: n < 0, n: n.unsigned_abs().into(), k };
    let value = if n == 0 { Value::Zero { negative: k < 0 } } else { Value::Finite(exact) };
    format(format_name).encode_by(value, &Policy::new(Rounding::Rne, Overflow::Inf)) as u64
}

/// One sum of products, where it is easy to be wrong: `a` and `b` are factors, and `c` is added.
fn compare_one(words: &str, of: &str, a: &[(i32, i32)], b: &[(i32, i32)], c: (i32, i32)) {
    let [a, b] = [a, b].map(|factors| factors.iter().map(|&(n, k)| code(of, n, k)).collect::<Vec<u64>>());
    let c = [code("binary32", c.0, c.1)];
    let words = format!("{words} acc=binary32");
    let wanted = in_steps(&words, of, a.len(), a.len(), 1, [&a, &b, &c]);
    assert_eq!(product(&words, of, a.len(), 1, [&a, &b, &c]), wanted, "{of} {words}");
}

#[test]
fn sums_at_the_edges() {
    let zero = (0, 0);
    // More than 53 bits.
    compare_one("round=rup", "bfloat16", &[(1, 0), (1, -30)], &[(1, 0), (1, -30)], zero);
    // All terms are -0, but not the addend.
    compare_one("", "e4m3fn", &[(0, -1), (0, -1)], &[(1, 0), (1, 0)], (0, -1));
    compare_one("", "e4m3fn", &[(0, -1), (0, -1)], &[(1, 0), (1, 0)], zero);
    // All terms are negative, and are cut off; and one of two that are opposite is.
    let tiny = &[(1, -9)];
    compare_one("sum=align:12,floor=20 round=rtz", "e4m3fn", tiny, &[(-1, -9)], (-1, -60));
    compare_one("sum=align:12,floor=20 round=rtz", "e4m3fn", tiny, &[(-1, -9)], (1, -60));
    compare_one("sum=align:12 round=rtz", "e4m3fn", &[(1, 0)], &[(-1, 0)], (1, 0));
    // A product that has no bits below its own largest exponent, but below that of the addend.
    compare_one("sum=align:30 round=rtz", "e5m2", &[(5, -2)], &[(5, -2)], (-1, 40));
    compare_one("sum=align:30,floor=40 round=rtz", "e5m2", &[(5, -2)], &[(5, -2)], zero);
    // Two products that are no longer different when they are rounded to odd, in a sum of 300.
    let with_zeros = |some: [(i32, i32); 3]| [&some[..], &[zero; 297]].concat();
    let a = with_zeros([(1, 0), (1, -19), (1, -20)]);
    let b = with_zeros([(1, 0), (1, -19), (-1, -20)]);
    compare_one("like=rvbna", "bfloat16", &a, &b, zero);
    // Products beyond the largest number whose sum is within.
    let huge = &[(1, 64), (1, 64), (1, 0)];
    compare_one("like=mi300x", "bfloat16", huge, &[(1, 64), (-1, 64), (1, 0)], zero);
    compare_one("like=mi300x", "bfloat16", huge, &[(1, 63), (-1, 63), (1, 0)], zero);
    // A subnormal addend; a sum that becomes -0, and a product that becomes -0 after it.
    compare_one("like=mi250x", "bfloat16", &[(1, -63)], &[(1, -63)], (1, -130));
    let negative = &[(-129, -70), (-1, -100)];
    compare_one("sum=flushed block=1", "bfloat16", &[(1, -63), (1, -100)], negative, (1, -126));
    compare_one("sum=flushed block=1", "bfloat16", &[(1, -63), (0, 0)], negative, (1, -126));
}

/// A product with a NaN is no number, even if the other factor is 0.
#[test]
fn zeros_times_nan() {
    for (words, of) in [("", "e4m3fn"), ("like=h100", "e4m3fn"), ("like=mi250x", "bfloat16"), ("like=rvbna", "e5m2")] {
        let (factor, binary32) = (format(of), format("binary32"));
        let nan = (0..1 << factor.width()).find(|&code| factor.decode(code) == Value::Nan).unwrap() as u64;
        let results = product(&format!("{words} acc=binary32"), of, 2, 1, [&[0, 0], &[nan, 0], &[0]]);
        assert_eq!(binary32.decode(results[0].into()), Value::Nan, "{words}");
    }
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
