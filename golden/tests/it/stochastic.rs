//! Stochastic rounding with every random word for every input: of the 2^k words, the f * 2^k largest ones round away from zero, where f is
//! the fraction of the way between two neighbours in exact integers on the second definitions of the formats (`common/line.rs`,
//! `common/posits.rs`). f * 2^k is rounded down, to nearest with ties up, or to nearest with ties to even (P3109 StochasticA, B, C).

use crate::common;
use crate::common::line::{Line, Neighbours, Number, Place};
use crate::common::posits::{self, Posits};
use crate::common::{Random, codes, format};
use binade_golden::{Codec, Exact, Policy, Value};
use binade_spec::{Operation, Overflow, Rounding, Unit};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// The results of the random words for an input: the last `away` words give one code, the others the other one.
struct Outcome {
    toward: u64,
    beyond: u64,
    away: u64,
}

impl Outcome {
    fn certain(code: u64) -> Outcome {
        Outcome { toward: code, beyond: code, away: 0 }
    }

    /// The code for one random word of `k` bits.
    fn code(&self, word: u64, k: u32) -> u64 {
        if word >= (1 << k) - self.away { self.beyond } else { self.toward }
    }
}

/// `2^k * (x - low) / (high - low)`, rounded as the stochastic rounding says; all words if `x` is not below `high`.
fn share(x: &BigUint, low: &BigUint, high: &BigUint, rounding: Rounding) -> u64 {
    let (k, step) = (rounding.random_bits(), high - low);
    let scaled = (x - low) << k;
    let (whole, twice) = (&scaled / &step, (&scaled % &step) * 2_u32);
    let goes_up = match (rounding, twice.cmp(&step)) {
        (Rounding::Sr(_), _) | (_, Ordering::Less) => false,
        (Rounding::Src(_), Ordering::Equal) => whole.bit(0),
        (_, Ordering::Equal | Ordering::Greater) => true,
    };
    u64::try_from(whole).map_or(1 << k, |whole| (whole + u64::from(goes_up)).min(1 << k))
}

fn on_line(line: &Line, number: &Number, rounding: Rounding, overflow: Overflow) -> Outcome {
    // Exactly there, any rounding is the same.
    let exactly = |negative, code| {
        line.encode_at(&Place::Real { negative, among: Neighbours::At(code) }, Rounding::Rne, overflow)
    };
    match (line.place(number), number) {
        (
            Place::Real { negative, among: Neighbours::Between { low_code, high_code, .. } },
            Number::Real { magnitude: x, .. },
        ) => {
            let low = if low_code == 0 { &line.before } else { &line.magnitudes[low_code] };
            let high = line.magnitudes.get(high_code).unwrap_or(&line.after);
            Outcome {
                toward: exactly(negative, low_code),
                beyond: exactly(negative, high_code),
                away: share(x, low, high, rounding),
            }
        }
        (place, _) => Outcome::certain(line.encode_at(&place, Rounding::Rne, overflow)),
    }
}

/// The fraction comes from the unbounded bit string: the last k bits of the code of a posit with k bits more.
fn on_posits(posits: &Posits, refined: &[BigUint], number: &Number, k: u32) -> Outcome {
    match (posits.place(number), number) {
        ((posits::Place::Between { code, .. }, negative), Number::Real { magnitude: x, .. }) => {
            let longer = refined.partition_point(|value| value <= x) as u64 - 1;
            assert_eq!(longer >> k, code);
            Outcome {
                toward: posits.with_sign(negative, code),
                beyond: posits.with_sign(negative, code + 1),
                away: longer & ((1 << k) - 1),
            }
        }
        (place, _) => Outcome::certain(posits.encode_at(place, Rounding::Rne, Default::default())),
    }
}

fn policy(rounding: Rounding, overflow: Overflow, random: u64) -> Policy {
    Policy { random, ..Policy::new(rounding, overflow) }
}

/// The stochastic roundings with `k` random bits that a format has.
fn kinds(line: &Line, k: u32) -> impl Iterator<Item = Rounding> {
    let format = format(&line.name);
    [Rounding::Sr(k), Rounding::Srb(k), Rounding::Src(k)]
        .into_iter()
        .filter(move |kind| format.check_rounding(*kind).is_ok())
}

/// The probes of a line, and a few random places between neighbours.
fn probes(line: &Line) -> Vec<BigUint> {
    let mut random = Random(1);
    let anywhere = line.magnitudes[line.smallest..].windows(2).flat_map(|pair| {
        [random.below(1 << 12), random.below(1 << 12)].map(|part| &pair[0] + (((&pair[1] - &pair[0]) * part) >> 12_u32))
    });
    anywhere.chain(line.probes()).collect()
}

/// Every probe of either sign with every random word of `k` bits, in every stochastic rounding.
fn check_line(line: &Line, k: u32) {
    kinds(line, k).for_each(|rounding| check_rounding(line, rounding));
}

fn check_rounding(line: &Line, rounding: Rounding) {
    let k = rounding.random_bits();
    let format = format(&line.name);
    for magnitude in probes(line) {
        for negative in [false, true] {
            let number = Number::Real { negative, magnitude: magnitude.clone() };
            let value = number.value();
            for overflow in Overflow::ALL {
                let outcome = on_line(line, &number, rounding, overflow);
                for word in 0..1 << k {
                    let (got, want) =
                        (format.encode_by(value, &policy(rounding, overflow, word)), outcome.code(word, k));
                    assert_eq!(got, u128::from(want), "{} {rounding} {word:#x} {overflow} {value}", line.name);
                }
            }
        }
    }
}

/// 1 to 5 random bits, all words.
fn check_few_bits(line: &Line) {
    [1, 2, 5].into_iter().for_each(|k| check_line(line, k));
}

/// Ordinary encodings with subnormals, flushed, or without them; with infinity, only NaN, or neither.
#[test]
fn small_floats() {
    for suffix in ["", "n", "ns", "fn", "f"] {
        for (w, t) in [(4, 3), (5, 2), (3, 2), (2, 1), (3, 0)] {
            check_few_bits(&Line::float(w, t, suffix, None));
        }
    }
}

/// More random bits than there are probes between neighbours, all words.
#[test]
fn many_random_bits() {
    check_line(&Line::float(4, 3, "ns", None), 10);
    check_line(&Line::float(5, 2, "", None), 10);
    check_line(&Line::supernormal(4, 3, 2, 2, false), 10);
}

/// The regions of powers of two, the step to zero, and the one beyond the largest value.
#[test]
fn supernormals() {
    for finite in [false, true] {
        for (below, above) in [(1, 1), (2, 2), (4, 4), (1, 2), (3, 0)] {
            check_few_bits(&Line::supernormal(5, 2, below, above, finite));
        }
        for (below, above) in [(1, 1), (3, 3), (1, 5), (7, 0)] {
            check_few_bits(&Line::supernormal(3, 1, below, above, finite));
        }
    }
}

/// Signed and unsigned, extended and finite, every precision of six bits, with and without subnormals.
#[test]
fn p3109() {
    for domain in ["se", "sf", "ue", "uf"] {
        for p in 1..=5 {
            check_few_bits(&Line::p3109(6, p, domain, false));
        }
        check_few_bits(&Line::p3109(8, 3, domain, false));
        check_few_bits(&Line::p3109(8, 3, domain, true));
    }
}

/// Zeros, infinities and NaN give the same result for all random words.
#[test]
fn special_values() {
    for name in ["e5m2", "e4m3fn", "k8p3se", "k8p3ue", "e5m2b1", "e4m3ns", "e8m0", "posit8_1"] {
        let format = format(name);
        let infinities = [false, true].map(|negative| Value::Infinite { negative });
        let zeros = [false, true].map(|negative| Value::Zero { negative });
        for value in infinities.into_iter().chain(zeros).chain([Value::Nan]) {
            for overflow in Overflow::ALL {
                let want = format.encode(value, Rounding::Rne, overflow);
                assert!(
                    (0..16).all(|word| format.encode_by(value, &policy(Rounding::Sr(4), overflow, word)) == want),
                    "{name} {value}"
                );
            }
        }
    }
}

/// With 32 random bits: the two words at which the result changes, and random words.
#[test]
fn widest_random_word() {
    let mut random = Random(32);
    for line in [Line::float(4, 3, "", None), Line::float(4, 3, "ns", None), Line::supernormal(5, 2, 1, 1, false)] {
        let format = format(&line.name);
        for (magnitude, rounding) in
            probes(&line).into_iter().flat_map(|x| kinds(&line, 32).map(move |kind| (x.clone(), kind)))
        {
            let number = Number::Real { negative: false, magnitude };
            let outcome = on_line(&line, &number, rounding, Overflow::Inf);
            let change = (1 << 32) - outcome.away;
            for word in [0, u64::from(u32::MAX), change.saturating_sub(1), change, random.below(1 << 32)] {
                let word = word.min(u32::MAX.into());
                let got = format.encode_by(number.value(), &policy(rounding, Overflow::Inf, word));
                assert_eq!(
                    got,
                    u128::from(outcome.code(word, 32)),
                    "{} {rounding} {word:#x} {}",
                    line.name,
                    number.value()
                );
            }
        }
    }
}

/// Wide formats between 1 and 2, where the step is `2^-fraction_bits` and the fraction of the way is given by the lower
/// bits.
#[test]
fn wide_formats() {
    let mut random = Random(24);
    for (name, fraction_bits) in
        [("binary32", 23), ("bfloat16", 7), ("binary16", 10), ("posit32_2", 27), ("posit16_1", 12)]
    {
        let format = format(name);
        let one = format.encode(Value::Finite(Exact { negative: false, n: 1, k: 0 }), Rounding::Rne, Overflow::Inf);
        for _ in 0..20_000 {
            // 40 bits below the last place, of which the lowest 8 count for nothing.
            let (trailing, below, word) =
                (random.below(1 << fraction_bits), random.below(1 << 40), random.below(1 << 32));
            let n = u128::from(1 << fraction_bits | trailing) << 40 | u128::from(below);
            let value = Value::Finite(Exact { negative: false, n, k: -fraction_bits - 40 });
            let outward = u64::from((below >> 8) + word >= 1 << 32);
            let got = format.encode_by(value, &policy(Rounding::Sr(32), Overflow::Inf, word));
            assert_eq!(got, one + u128::from(trailing + outward), "{name} {value} {word:#x}");
        }
    }
}

fn check_posits(posits: &Posits, k: u32) {
    let (format, refined) = (format(&posits.name), posits.refined(k));
    for magnitude in posits.probes() {
        for negative in [false, true] {
            let number = Number::Real { negative, magnitude: magnitude.clone() };
            let outcome = on_posits(posits, &refined, &number, k);
            for word in 0..1 << k {
                let got = format.encode_by(number.value(), &policy(Rounding::Sr(k), Overflow::Inf, word));
                assert_eq!(
                    got,
                    u128::from(outcome.code(word, k)),
                    "{} sr{k} {word:#x} {}",
                    posits.name,
                    number.value()
                );
            }
        }
    }
}

/// Fewer and more random bits than truncated exponent bits, all words.
#[test]
fn narrow_posits() {
    for (bits, exponent_bits) in (3..=8).flat_map(|bits| (0..=5).map(move |exponent_bits| (bits, exponent_bits))) {
        for k in [1, 3, 6] {
            check_posits(&Posits::new(bits, exponent_bits, 0), k);
        }
    }
    check_posits(&Posits::new(10, 2, 0), 5);
    check_posits(&Posits::new(7, 1, -4), 4);
}

fn stochastic(unit: Unit, name: &str, rounding: Rounding) -> Operation {
    Operation { rounding, ..Operation::new(unit, format(name), format(name)) }
}

/// All pairs of operands with all random words, in every stochastic rounding.
fn check_pairs(line: &Line, k: u32) {
    kinds(line, k).for_each(|rounding| check_pairs_in(line, rounding));
}

fn check_pairs_in(line: &Line, rounding: Rounding) {
    let k = rounding.random_bits();
    let [mul, add] = [Unit::Mul, Unit::Add].map(|unit| stochastic(unit, &line.name, rounding));
    for (a, b) in codes(mul.operand).flat_map(|a| codes(mul.operand).map(move |b| (a, b))) {
        let (x, y) = (line.decode(a), line.decode(b));
        for (operation, exact) in [(&mul, x.times(&y)), (&add, x.plus(&y, Rounding::Rne))] {
            let outcome = on_line(line, &exact, rounding, Overflow::Inf);
            for word in 0..1 << k {
                let (got, want) = (common::y(operation, &[a, b, word]), outcome.code(word, k));
                assert_eq!(got, want, "{} {} {rounding} {a:#x} {b:#x} {word:#x}", operation.unit, line.name);
            }
        }
    }
}

/// All pairs of floats with all random words: exact results use the same rounding.
#[test]
fn products_and_sums() {
    check_pairs(&Line::float(3, 2, "", None), 4);
    check_pairs(&Line::float(3, 2, "ns", None), 3);
    check_pairs(&Line::float(3, 2, "n", None), 3);
    check_pairs(&Line::p3109(6, 3, "ue", false), 3);
    check_pairs(&Line::supernormal(3, 2, 1, 1, false), 4);
}

/// The same for a posit.
#[test]
fn products_and_sums_of_posits() {
    let (posits, k) = (Posits::new(6, 1, 0), 4);
    let refined = posits.refined(k);
    let [mul, add] = [Unit::Mul, Unit::Add].map(|unit| stochastic(unit, &posits.name, Rounding::Sr(k)));
    for (a, b) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
        let (x, y) = (posits.decode(a), posits.decode(b));
        for (operation, exact) in [(&mul, x.times(&y)), (&add, x.plus(&y, Rounding::Rne))] {
            let outcome = on_posits(&posits, &refined, &exact, k);
            for word in 0..1 << k {
                assert_eq!(common::y(operation, &[a, b, word]), outcome.code(word, k), "{a:#x} {b:#x} {word:#x}");
            }
        }
    }
}

/// All triples of four bits and all random words: `fmac` rounds once with k bits, `mac` twice, the product with the low
/// k bits.
#[test]
fn fused_and_not_fused() {
    let (line, k) = (Line::float(2, 1, "", None), 2);
    kinds(&line, k).for_each(|rounding| check_multiply_add(&line, rounding));
}

fn check_multiply_add(line: &Line, rounding: Rounding) {
    let k = rounding.random_bits();
    let [fmac, mac] = [Unit::Fmac, Unit::Mac].map(|unit| stochastic(unit, &line.name, rounding));
    assert_eq!((fmac.random_bits(), mac.random_bits()), (k, 2 * k));
    let round = |number: &Number, word: u64| on_line(line, number, rounding, Overflow::Inf).code(word, k);
    for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
        let product = line.decode(a).times(&line.decode(b));
        for (c, word) in (0..16).flat_map(|c| (0..16).map(move |word| (c, word))) {
            let (first, second) = (word & 3, word >> 2);
            let sum = |product: &Number| product.plus(&line.decode(c), Rounding::Rne);
            let rounded = line.decode(round(&product, first));
            assert_eq!(
                common::y(&mac, &[a, b, c, word]),
                round(&sum(&rounded), second),
                "{a:#x} {b:#x} {c:#x} {word:#x}"
            );
            if word < 4 {
                assert_eq!(
                    common::y(&fmac, &[a, b, c, word]),
                    round(&sum(&product), word),
                    "{a:#x} {b:#x} {c:#x} {word:#x}"
                );
            }
        }
    }
}
