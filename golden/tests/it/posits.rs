//! Posits, b-posits and linear takums against a second definition (`common/posits.rs`): every code decoded; every value, every midpoint of two
//! codes and numbers beside them encoded; products, sums and fused multiply-adds of all operands of narrow posits
//! against exact integers; conversions to and from floats; in all roundings and both range policies.

use crate::common::line::{Line, Number};
use crate::common::posits::Posits;
use crate::common::{DIRECTIONS, Random, codes, format, y};
use binade_golden::{Codec, Exact, Policy, Value};
use binade_spec::{Format, Operation, Overflow, PositRange, Rounding, Unit};

/// A rounding and a range policy.
type Way = (Rounding, PositRange);

fn ways(posits: &Posits) -> Vec<Way> {
    let ranges = if posits.has_range() { &PositRange::ALL[..] } else { &[PositRange::Saturate] };
    DIRECTIONS.into_iter().flat_map(|rounding| ranges.iter().map(move |&range| (rounding, range))).collect()
}

fn operation(unit: Unit, operand: &str, result: &str, (rounding, posit_range): Way) -> Operation {
    Operation { rounding, posit_range, ..Operation::new(unit, format(operand), format(result)) }
}

/// `operations`, one for each way, must return the rounded number.
fn check(posits: &Posits, operations: &[Operation], operands: &[u64], exact: &Number) {
    let place = posits.place(exact);
    for operation in operations {
        let Operation { unit, operand, rounding, posit_range, .. } = *operation;
        let want = posits.encode_at(place, rounding, posit_range);
        let got = y(operation, operands);
        let name = || format!("{unit} {operand} -> {} {rounding} {posit_range} {operands:x?}", posits.name);
        assert_eq!(got, want, "{}", name());
    }
}

/// Every code has the same value, and every probe of either sign rounds to the same code.
fn check_format(posits: &Posits) {
    let format = format(&posits.name);
    for code in codes(format) {
        assert_eq!(format.decode(code.into()), posits.decode(code).value(), "{} {code:#x}", posits.name);
    }
    for magnitude in posits.probes() {
        for negative in [false, true] {
            let number = Number::Real { negative, magnitude: magnitude.clone() };
            let (value, place) = (number.value(), posits.place(&number));
            for (rounding, posit_range) in ways(posits) {
                let policy = Policy { posit_range, ..Policy::new(rounding, Overflow::Inf) };
                let want = posits.encode_at(place, rounding, posit_range);
                assert_eq!(
                    format.encode_by(value, &policy),
                    u128::from(want),
                    "{} {rounding} {posit_range} {value}",
                    posits.name
                );
            }
        }
    }
}

/// Every posit of up to 12 bits, decoded and encoded.
#[test]
fn every_posit_up_to_12_bits() {
    for (bits, exponent_bits) in (3..=12).flat_map(|bits| (0..=5).map(move |exponent_bits| (bits, exponent_bits))) {
        check_format(&Posits::new(bits, exponent_bits, 0));
    }
}

/// Every b-posit of up to 9 bits and others, down to bounds that no regime of the code reaches with its exponent.
#[test]
fn bounded_posits() {
    for bits in 4..=9 {
        for (longest, exponent_bits) in (2..bits - 1).flat_map(|longest| (0..=5).map(move |es| (longest, es))) {
            check_format(&Posits::bounded(bits, longest, exponent_bits, 0));
        }
    }
    check_format(&Posits::bounded(12, 6, 5, 0));
    check_format(&Posits::bounded(12, 3, 2, 0));
    check_format(&Posits::bounded(8, 4, 1, -7));
}

/// A bound of `n - 1` bits is none, also in the rounding of results beyond the range.
#[test]
fn a_posit_is_a_b_posit_without_a_bound() {
    for (bits, exponent_bits) in [(3, 0), (5, 1), (8, 2), (16, 1), (64, 5)] {
        let format = format(&format!("posit{bits}_{exponent_bits}"));
        assert_eq!(crate::common::format(&format!("bposit{bits}_{}_{exponent_bits}", bits - 1)), format);
    }
}

/// Other spellings, and what is refused.
#[test]
fn names_of_tapered_formats() {
    let same = |names: &[&str]| {
        for name in names {
            assert_eq!(format(name), format(names[0]), "{name}");
            assert_eq!(format(name).to_string(), names[0], "{name}");
        }
    };
    same(&["bposit32_6_5", "bposit32", "b-posit32", "b-posit<32,6,5>", "bposit32,6,5", "BPosit<32, 6, 5>"]);
    same(&["bposit16_6_3,scale=2^2", "b-posit16,6,3,scale=2^2", "bposit<16,6,3>,scale=2^2"]);
    same(&["takum_linear16", "takum-linear-16", "linear_takum16", "lineartakum16", "Takum_Linear16"]);
    let refused = |name: &str, why: &str| {
        let error = name.parse::<Format>().expect_err(name).to_string();
        assert!(error.contains(why), "{name}: {error}");
    };
    refused("takum16", "the linear takum of n bits is takum_linear<n>");
    refused("takum_linear5", "takum_linear5 has 5 bits; takum_linear<n> takes n from 6 to 64");
    refused("takum_linear65", "takum_linear<n> takes n from 6 to 64");
    refused("bposit8_8_1", "bposit<n>_<rs>_<es> takes n from 3 to 64, rs from 2 to n-1 and es from 0 to 5");
    refused("bposit8_1_1", "rs from 2 to n-1");
    refused("bposit16_6", "did you mean bposit16_6_3?");
    refused("bposit16_6_3,bias=3", "bias=3 is no option of this format");
}

/// Linear takums up to the width with which every characteristic is complete, and beyond.
#[test]
fn takums() {
    for bits in 6..=13 {
        check_format(&Posits::takum(bits, 0));
    }
    check_format(&Posits::takum(8, 100));
    check_format(&Posits::takum(12, -100));
}

/// The same with the accuracy peak away from 1.
#[test]
fn scaled_posits() {
    for (bits, exponent_bits) in [(3, 0), (5, 1), (6, 5), (8, 2), (8, 0)] {
        for scale in [-100, -7, -1, 1, 8, 100] {
            check_format(&Posits::new(bits, exponent_bits, scale));
        }
    }
}

/// No infinity and one zero: infinities and NaN become NaR, and zero of either sign becomes code 0, in any rounding.
#[test]
fn special_values() {
    for (name, nar) in [("posit8_0", 0x80), ("posit16_2", 0x8000), ("posit32_3", 0x8000_0000)] {
        let format = format(name);
        assert_eq!(format.nan_code(), Some(nar));
        for rounding in DIRECTIONS {
            for negative in [false, true] {
                let encode = |value| format.encode(value, rounding, Overflow::Inf);
                assert_eq!(encode(Value::Infinite { negative }), nar);
                assert_eq!(encode(Value::Zero { negative }), 0);
            }
            assert_eq!(format.encode(Value::Nan, rounding, Overflow::Inf), nar);
        }
    }
}

/// No nonzero number becomes zero or NaR, however small or large it is, in any rounding.
#[test]
fn saturation_in_every_rounding() {
    for name in ["posit3_0", "posit8_2", "posit16_1", "posit32_5"] {
        let format = format(name);
        for rounding in DIRECTIONS {
            for negative in [false, true] {
                let encode = |k| {
                    let code = format.encode(Value::Finite(Exact { negative, n: 3, k }), rounding, Overflow::Inf);
                    if negative { format.negated(code) } else { code }
                };
                assert_eq!((encode(-20_000), encode(20_000)), (1, format.max_code()), "{name} {rounding}");
            }
        }
    }
}

/// All pairs of operands multiplied and added.
fn check_pairs(posits: &Posits) {
    let ways = ways(posits);
    let operations = |unit| ways.iter().map(|&way| operation(unit, &posits.name, &posits.name, way)).collect();
    let (mul, add): (Vec<_>, Vec<_>) = (operations(Unit::Mul), operations(Unit::Add));
    let numbers: Vec<Number> = codes(format(&posits.name)).map(|code| posits.decode(code)).collect();
    for (a, x) in (0..).zip(&numbers) {
        for (b, y) in (0..).zip(&numbers) {
            check(posits, &mul, &[a, b], &x.times(y));
            check(posits, &add, &[a, b], &x.plus(y, Rounding::Rne));
        }
    }
}

/// All pairs of operands of every posit of up to 7 bits, against the exact result in the list.
#[test]
#[ignore = "long"]
fn products_and_sums_up_to_7_bits() {
    for (bits, exponent_bits) in (3..=7).flat_map(|bits| (0..=5).map(move |exponent_bits| (bits, exponent_bits))) {
        check_pairs(&Posits::new(bits, exponent_bits, 0));
    }
    check_pairs(&Posits::new(6, 1, -5));
}

/// All pairs of operands of b-posits and takums.
#[test]
fn products_and_sums_with_a_bound() {
    check_pairs(&Posits::bounded(5, 2, 1, 0));
    check_pairs(&Posits::bounded(6, 4, 0, 3));
    check_pairs(&Posits::takum(6, 0));
}

/// The same for 7 and 8 bits.
#[test]
#[ignore = "long"]
fn wider_products_and_sums_with_a_bound() {
    check_pairs(&Posits::bounded(7, 3, 2, 0));
    check_pairs(&Posits::bounded(8, 6, 5, 0));
    check_pairs(&Posits::takum(8, 0));
}

/// The same for 8 bits.
#[test]
#[ignore = "long"]
fn products_and_sums_of_8_bits() {
    for exponent_bits in [0, 1, 2, 4] {
        check_pairs(&Posits::new(8, exponent_bits, 0));
    }
}

/// `fmac` of an operand posit with an accumulator posit: `a * b + c` rounded once.
struct Fused {
    operand: Posits,
    accumulator: Posits,
    operations: Vec<Operation>,
}

impl Fused {
    fn new(operand: Posits, accumulator: Posits) -> Fused {
        let fmac = |way| operation(Unit::Fmac, &operand.name, &accumulator.name, way);
        Fused { operations: ways(&accumulator).into_iter().map(fmac).collect(), operand, accumulator }
    }

    fn check(&self, a: u64, b: u64, c: u64) {
        let product = self.operand.decode(a).times(&self.operand.decode(b));
        let exact = product.plus(&self.accumulator.decode(c), Rounding::Rne);
        check(&self.accumulator, &self.operations, &[a, b, c], &exact);
    }

    fn check_all(&self) {
        let operand = codes(format(&self.operand.name));
        for (a, b) in operand.clone().flat_map(|a| operand.clone().map(move |b| (a, b))) {
            codes(format(&self.accumulator.name)).for_each(|c| self.check(a, b, c));
        }
    }

    /// Half of the addends nearly cancel the product.
    fn check_some(&self, count: u32) {
        let mut random = Random(count.into());
        let all = 1 << self.accumulator.bits;
        for _ in 0..count {
            let (a, b) = (random.below(1 << self.operand.bits), random.below(1 << self.operand.bits));
            let product = self.operand.decode(a).times(&self.operand.decode(b));
            let near = all - self.accumulator.encode(&product, Rounding::Rne, PositRange::Saturate) + random.below(5);
            let c = if random.below(2) == 0 { near.wrapping_sub(2) % all } else { random.below(all) };
            self.check(a, b, c);
        }
    }
}

/// All operands of the fused multiply-add, against the exact result in the list, also with accumulators of another
/// posit.
#[test]
#[ignore = "long"]
fn all_triples_up_to_5_bits() {
    for (bits, exponent_bits) in (3..=4).flat_map(|bits| (0..=5).map(move |exponent_bits| (bits, exponent_bits))) {
        Fused::new(Posits::new(bits, exponent_bits, 0), Posits::new(bits, exponent_bits, 0)).check_all();
    }
    for exponent_bits in [0, 1, 3] {
        Fused::new(Posits::new(5, exponent_bits, 0), Posits::new(5, exponent_bits, 0)).check_all();
    }
    Fused::new(Posits::new(4, 1, 0), Posits::new(6, 2, -3)).check_all();
}

/// The same, sampled, for posits of up to 12 bits.
#[test]
#[ignore = "long"]
fn triples_of_wider_posits() {
    Fused::new(Posits::new(8, 0, 0), Posits::new(8, 0, 0)).check_some(20_000);
    Fused::new(Posits::new(8, 2, 0), Posits::new(8, 2, 0)).check_some(20_000);
    Fused::new(Posits::new(8, 1, 0), Posits::new(12, 1, 0)).check_some(20_000);
    Fused::new(Posits::new(12, 3, 0), Posits::new(12, 3, 0)).check_some(20_000);
    Fused::new(Posits::new(9, 4, 0), Posits::new(7, 1, 6)).check_some(10_000);
}

/// The same, sampled, for b-posits and takums.
#[test]
fn triples_with_a_bound() {
    Fused::new(Posits::bounded(8, 6, 3, 0), Posits::bounded(8, 6, 3, 0)).check_some(1_000);
    Fused::new(Posits::bounded(9, 3, 2, 0), Posits::new(12, 1, 0)).check_some(1_000);
    Fused::new(Posits::new(8, 1, 0), Posits::bounded(12, 5, 1, 0)).check_some(1_000);
    Fused::new(Posits::takum(8, 0), Posits::takum(8, 0)).check_some(1_000);
    Fused::new(Posits::takum(12, 0), Posits::takum(12, 0)).check_some(1_000);
}

/// `mac` rounds the product to the accumulator posit before it adds: all triples of 4 bits.
#[test]
fn product_rounded_first() {
    let (operand, accumulator) = (Posits::new(4, 1, 0), Posits::new(5, 0, 0));
    for way in ways(&accumulator) {
        let mac = operation(Unit::Mac, &operand.name, &accumulator.name, way);
        for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
            let product = accumulator.encode(&operand.decode(a).times(&operand.decode(b)), way.0, way.1);
            for c in 0..32 {
                let sum = accumulator.decode(product).plus(&accumulator.decode(c), way.0);
                check(&accumulator, &[mac], &[a, b, c], &sum);
            }
        }
    }
}

/// All codes of a float converted to a posit, and all of the posit to the float, in every rounding.
fn check_conversions(line: &Line, posits: &Posits) {
    let to_posit: Vec<_> =
        ways(posits).into_iter().map(|way| operation(Unit::Convert, &line.name, &posits.name, way)).collect();
    for x in codes(format(&line.name)) {
        check(posits, &to_posit, &[x], &line.decode(x));
    }
    for rounding in DIRECTIONS {
        let to_float = operation(Unit::Convert, &posits.name, &line.name, (rounding, PositRange::Saturate));
        for x in codes(format(&posits.name)) {
            let want = line.encode(&posits.decode(x), rounding, Overflow::Inf);
            assert_eq!(y(&to_float, &[x]), want, "{} {x:#x} -> {} {rounding}", posits.name, line.name);
        }
    }
}

/// All codes of either side, with floats of each family, against the list and the number line.
#[test]
#[ignore = "long"]
fn conversions_to_and_from_floats() {
    let lines = [
        Line::float(5, 2, "", None),
        Line::float(4, 3, "fn", None),
        Line::float(3, 2, "f", None),
        Line::float(5, 10, "", None),
        Line::float(5, 3, "n", None),
        Line::p3109(8, 3, "se", false),
        Line::p3109(8, 4, "ue", false),
        Line::supernormal(4, 3, 2, 2, false),
    ];
    for line in &lines {
        for (bits, exponent_bits) in [(5, 0), (8, 0), (8, 2), (10, 1), (12, 5)] {
            check_conversions(line, &Posits::new(bits, exponent_bits, 0));
        }
        check_conversions(line, &Posits::new(8, 2, -9));
        check_conversions(line, &Posits::bounded(8, 4, 2, 0));
        check_conversions(line, &Posits::takum(8, 0));
    }
}

/// Units `decode` and `encode` are conversions to and from binary32, which holds the values of all these posits.
#[test]
fn decode_and_encode() {
    for posits in [Posits::new(8, 0, 0), Posits::new(8, 3, 0), Posits::new(12, 2, 0)] {
        let posit = format(&posits.name);
        let decode = Operation::new(Unit::Decode, posit, Format::binary32());
        let encode = Operation::new(Unit::Encode, Format::binary32(), posit);
        for code in codes(posit) {
            let single = y(&decode, &[code]);
            assert_eq!(Format::binary32().decode(single.into()), posits.decode(code).value(), "{posit} {code:#x}");
            assert_eq!(y(&encode, &[single]), code, "{posit} {code:#x}");
        }
    }
}

/// Posit products accumulated in a float: all pairs, and sampled addends, including zeros of either sign.
fn check_float_accumulator(posits: &Posits, line: &Line) {
    let mut random = Random(7);
    for rounding in DIRECTIONS {
        let fmac = operation(Unit::Fmac, &posits.name, &line.name, (rounding, PositRange::Saturate));
        for (a, b) in (0..1 << posits.bits).flat_map(|a| (0..1 << posits.bits).map(move |b| (a, b))) {
            let product = posits.decode(a).times(&posits.decode(b));
            for c in [0, line.sign_bit(), random.code(fmac.result)] {
                let want = line.encode(&product.plus(&line.decode(c), rounding), rounding, Overflow::Inf);
                let name = || format!("{} {a:#x} * {b:#x} + {} {c:#x} {rounding}", posits.name, line.name);
                assert_eq!(y(&fmac, &[a, b, c]), want, "{}", name());
            }
        }
    }
}

/// Posit factors with accumulators that have infinities, -0, and more or less precision, against the number line.
#[test]
fn float_accumulators() {
    check_float_accumulator(&Posits::new(5, 1, 0), &Line::float(5, 2, "", None));
    check_float_accumulator(&Posits::new(6, 0, 0), &Line::float(4, 3, "fn", None));
    check_float_accumulator(&Posits::new(6, 2, 0), &Line::float(5, 10, "", None));
    check_float_accumulator(&Posits::new(5, 2, 0), &Line::supernormal(5, 2, 1, 1, false));
}

/// Floats accumulated in a posit.
#[test]
fn posit_accumulators_of_floats() {
    let (line, posits) = (Line::float(3, 2, "", None), Posits::new(8, 1, 0));
    let operations: Vec<_> =
        ways(&posits).into_iter().map(|way| operation(Unit::Fmac, &line.name, &posits.name, way)).collect();
    let mut random = Random(8);
    for (a, b) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
        for _ in 0..4 {
            let c = random.below(256);
            let exact = line.decode(a).times(&line.decode(b)).plus(&posits.decode(c), Rounding::Rne);
            check(&posits, &operations, &[a, b, c], &exact);
        }
    }
}

/// Where exponent bits are truncated, the midpoint is not the arithmetic mean: between the two largest codes of
/// posit8_2, 2^20 and 2^24, it is 2^22 as a bit string, and between 2^16 and 2^18 it is 2^17. A tie there goes to the
/// even code.
#[test]
fn midpoints_of_cut_exponents() {
    let posit = format("posit8_2");
    let encode = |n, k| posit.encode(Value::Finite(Exact { negative: false, n, k }), Rounding::Rne, Overflow::Inf);
    let beyond = |exponent| encode((1 << 40) + 1, exponent - 40);
    assert_eq!((encode(1, 20), encode(1, 22), beyond(22), encode(1, 24)), (0x7e, 0x7e, 0x7f, 0x7f));
    assert_eq!((encode(1, 16), encode(1, 17), beyond(17), encode(1, 18)), (0x7c, 0x7c, 0x7d, 0x7d));
}

/// The example of the second paper in SEMANTICS.md section 8.
#[test]
fn witness_of_the_second_paper() {
    let value = format("posit16_3").decode(0b0000_1101_1101_1101);
    assert_eq!(value, Value::Finite(Exact { negative: false, n: 256 + 221, k: -3 * 8 + 5 - 8 }));
}
