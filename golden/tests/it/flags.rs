//! Exception flags by two methods; `apfloat_flags.rs` has a third.
//!
//! - Small formats, including flushed ones, in every rounding: the exact result is rounded on the number line of the
//!   format (`common/line.rs`), and on one of the same precision with a wider exponent range, which shows overflow and
//!   tininess.
//! - Cases that distinguish the two kinds of tininess, and NaNs, by hand.

use crate::common::line::{Line, Neighbours, Number, Place};
use crate::common::words;
use crate::common::{DIRECTIONS, Random, codes, format};
use binade_spec::{Format, Operation, Overflow, Rounding, Selection, Tininess, Unit};
use num_bigint::BigUint;

const INEXACT: u64 = 1;
const UNDERFLOW: u64 = 2;
const OVERFLOW: u64 = 4;
const INVALID: u64 = 8;

/// The word of the port `flags`.
pub fn word(inexact: bool, tiny: bool, overflow: bool, invalid: bool) -> u64 {
    let flag = |condition: bool, flag: u64| if condition { flag } else { 0 };
    flag(inexact, INEXACT) | flag(tiny && inexact, UNDERFLOW) | flag(overflow, OVERFLOW) | flag(invalid, INVALID)
}

/// An operation with flags.
pub fn flagged(unit: Unit, operand: Format, result: Format, rounding: Rounding, tininess: Tininess) -> Operation {
    Operation { rounding, flags: Some(tininess), ..Operation::new(unit, operand, result) }
}

/// The same with either tininess.
pub fn both(unit: Unit, operand: Format, result: Format, rounding: Rounding) -> [Operation; 2] {
    Tininess::ALL.map(|tininess| flagged(unit, operand, result, rounding, tininess))
}

fn flags(operation: &Operation, operands: &[u64]) -> u64 {
    *words(operation, operands).last().expect("flags come last")
}

/// The magnitude to which a number is rounded on the line; `None` beyond its end.
fn rounded_magnitude<'a>(line: &'a Line, number: &Number, rounding: Rounding) -> Option<&'a BigUint> {
    let code = line.encode(number, rounding, Overflow::Inf) & !line.sign_bit();
    line.magnitudes.get(code as usize)
}

/// Every fixed rounding with either tininess.
fn ways() -> impl Iterator<Item = (Rounding, Tininess)> {
    DIRECTIONS.into_iter().flat_map(|rounding| Tininess::ALL.map(|tininess| (rounding, tininess)))
}

/// A small format, and a line of the same precision with a much wider range.
struct Bench {
    line: Line,
    wide: Line,
    trailing_bits: u32,
}

impl Bench {
    fn new(w: u32, t: u32, suffix: &str) -> Bench {
        Bench { line: Line::float(w, t, suffix, None), wide: Line::float(8, t, "", None), trailing_bits: t }
    }

    /// The flags of a result that is computed from no NaN.
    fn want(&self, exact: &Number, rounding: Rounding, tininess: Tininess) -> u64 {
        let Number::Real { magnitude: x, .. } = exact else {
            return word(false, false, false, *exact == Number::Nan);
        };
        let unbounded = rounded_magnitude(&self.wide, exact, rounding).expect("the exponents are to spare");
        let is_exact = rounded_magnitude(&self.line, exact, rounding) == Some(x);
        self.flags_of(x, unbounded, is_exact, tininess)
    }

    /// The flags of the magnitude `x`, which becomes `unbounded` with exponents to spare.
    fn flags_of(&self, x: &BigUint, unbounded: &BigUint, is_exact: bool, tininess: Tininess) -> u64 {
        let smallest_normal = &self.line.magnitudes[1 << self.trailing_bits];
        let tiny = match tininess {
            Tininess::After => unbounded < smallest_normal,
            Tininess::Before => x < smallest_normal,
        };
        let overflow = *unbounded > self.line.magnitudes[self.line.largest()];
        word(overflow || !is_exact, tiny, overflow, false)
    }

    /// Flags of `unit` for all pairs of codes, in every rounding and by either tininess. NaN operands are left
    /// to the other tests.
    fn check(&self, unit: Unit, exact: impl Fn(&Number, &Number, Rounding) -> Number) {
        let format = format(&self.line.name);
        let numbers: Vec<Number> = codes(format).map(|code| self.line.decode(code)).collect();
        let numbers: Vec<(u64, &Number)> = (0..).zip(&numbers).filter(|(_, number)| **number != Number::Nan).collect();
        for (rounding, tininess) in ways() {
            let operation = flagged(unit, format, format, rounding, tininess);
            for ((a, x), (b, y)) in numbers.iter().flat_map(|x| numbers.iter().map(move |y| (x, y))) {
                let want = self.want(&exact(x, y, rounding), rounding, tininess);
                let got = flags(&operation, &[*a, *b]);
                assert_eq!(got, want, "{unit} {format} {rounding} {tininess} {a:#x} {b:#x}");
            }
        }
    }

    fn check_pairs(&self) {
        self.check(Unit::Mul, |x, y, _| x.times(y));
        self.check(Unit::Add, |x, y, rounding| x.plus(y, rounding));
    }

    /// Flags of conversions from a format whose codes are all tried.
    fn check_conversions(&self, from: &Line) {
        let (operand, result) = (format(&from.name), format(&self.line.name));
        for (rounding, tininess) in ways() {
            let operation = flagged(Unit::Convert, operand, result, rounding, tininess);
            for x in codes(operand).filter(|&x| !operand.is_nan(x.into())) {
                let want = self.want(&from.decode(x), rounding, tininess);
                assert_eq!(flags(&operation, &[x]), want, "{operand} {x:#x} -> {result} {rounding} {tininess}");
            }
        }
    }
}

/// All pairs of operands, in every rounding, with subnormals and flushed.
#[test]
fn all_pairs_of_small_formats() {
    for (w, t) in [(4, 3), (3, 2), (2, 3), (5, 1)] {
        Bench::new(w, t, "").check_pairs();
    }
}

/// Subnormal operands are read as zero, exactly; a flushed result is inexact, and tiny if it is below the smallest
/// normal value, after or before rounding with unbounded range.
#[test]
fn all_pairs_of_flushed_formats() {
    for (w, t) in [(5, 2), (3, 2), (4, 1), (2, 4)] {
        Bench::new(w, t, "n").check_pairs();
    }
}

/// All binary16 codes, and codes of other families, into formats with fewer bits.
#[test]
fn conversions_of_every_code() {
    let half = Line::float(5, 10, "", None);
    for (w, t, suffix) in [(4, 3, ""), (4, 3, "n"), (5, 2, ""), (5, 2, "n"), (3, 5, "")] {
        let bench = Bench::new(w, t, suffix);
        bench.check_conversions(&half);
        bench.check_conversions(&Line::supernormal(5, 2, 4, 4, false));
        bench.check_conversions(&Line::p3109(8, 2, "ue", false));
    }
}

/// The flags of a dot product whose operand is converted first, with 1 as the other factor and a zero addend: those of
/// the conversion.
fn flags_of_operand(factor: Format, source: Format, way: (Rounding, Tininess), x: u64) -> u64 {
    let (rounding, tininess) = (Some(way.0), Some(way.1));
    let plain = Selection { source: Some(source), lanes: Some(1), ..Selection::new(Unit::Dot, factor) };
    let selection = Selection { accumulator: Some(Format::binary32()), rounding, flags: tininess, ..plain };
    let one = (source.float().unwrap().bias as u64) << source.float().unwrap().trailing_bits;
    flags(&selection.operation().unwrap(), &[x, one, 0])
}

/// Below the smallest value of e8m0, 2^-127, there is no value to round to: everything there is tiny and inexact.
#[test]
fn conversions_of_operands_without_zero() {
    for way in ways() {
        for (x, want) in
            [(0x0040, 0), (0x0020, UNDERFLOW | INEXACT), (0x0021, UNDERFLOW | INEXACT), (0, 0), (0x3fa0, INEXACT)]
        {
            assert_eq!(flags_of_operand(Format::e8m0(), format("bfloat16"), way, x), want, "{x:#x}");
        }
    }
}

/// All codes of a format with NaNs of either kind into formats without subnormals, and into posits, which raise no
/// flags.
#[test]
fn conversions_of_operands() {
    let source = Line::float(5, 3, "", None);
    let from = format(&source.name);
    let invalid = |x: u64| if from.is_signaling(x.into()) { INVALID } else { 0 };
    for way in ways() {
        for x in codes(from) {
            assert_eq!(flags_of_operand(format("posit8_1"), from, way, x), invalid(x), "posit8_1 {x:#x}");
        }
    }
    for line in
        [Line::supernormal(3, 2, 1, 1, false), Line::supernormal(3, 1, 2, 1, false), Line::float(3, 3, "ns", None)]
    {
        for (rounding, tininess) in ways() {
            for x in codes(from) {
                let number = source.decode(x);
                let want = match &number {
                    Number::Real { magnitude, .. } => {
                        let code = (line.encode(&number, rounding, Overflow::Inf) & !line.sign_bit()) as usize;
                        let overflow = *magnitude >= line.after || code > line.largest();
                        let is_below = *magnitude < line.magnitudes[line.smallest];
                        let tiny = is_below && (tininess == Tininess::Before || code == 0);
                        word(overflow || line.magnitudes[code] != *magnitude, tiny, overflow, false)
                    }
                    Number::Nan | Number::Infinity { .. } => invalid(x),
                };
                let got = flags_of_operand(format(&line.name), from, (rounding, tininess), x);
                assert_eq!(got, want, "{} {rounding} {tininess} {x:#x}", line.name);
            }
        }
    }
}

/// Overflow is flagged whatever the result becomes; infinite operands do not overflow.
#[test]
fn overflow_policies_share_their_flags() {
    let format = format("e4m3");
    for (rounding, tininess) in ways() {
        let default = flagged(Unit::Mul, format, format, rounding, tininess);
        for overflow in [Overflow::Saturate, Overflow::Propagate] {
            let other = Operation { overflow, ..default };
            for (a, b) in codes(format).flat_map(|a| codes(format).map(move |b| (a, b))) {
                assert_eq!(flags(&other, &[a, b]), flags(&default, &[a, b]), "{overflow} {a:#x} {b:#x}");
            }
        }
    }
}

/// Stochastic rounding of all products and sums with every random word, which is also used for the wider exponent
/// range.
#[test]
fn stochastic_rounding() {
    let (bench, k) = (Bench::new(3, 2, ""), 3);
    let format = format(&bench.line.name);
    let numbers: Vec<u64> = codes(format).filter(|&code| !format.is_nan(code.into())).collect();
    for tininess in Tininess::ALL {
        let [mul, add] = [Unit::Mul, Unit::Add].map(|unit| flagged(unit, format, format, Rounding::Sr(k), tininess));
        for (&a, &b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))) {
            let (x, y) = (bench.line.decode(a), bench.line.decode(b));
            for (operation, exact) in [(&mul, x.times(&y)), (&add, x.plus(&y, Rounding::Rne))] {
                let Number::Real { magnitude, .. } = &exact else { continue };
                for word in 0..1 << k {
                    let unbounded = stochastic(&bench.wide, &exact, k, word);
                    let is_exact = bench.line.magnitudes.contains(magnitude);
                    let want = bench.flags_of(magnitude, unbounded, is_exact, tininess);
                    assert_eq!(flags(operation, &[a, b, word]), want, "{} {a:#x} {b:#x} {word}", operation.unit);
                }
            }
        }
    }
}

/// The magnitude to which a number is rounded on the line with the `k` random bits of `word`.
fn stochastic<'a>(line: &'a Line, number: &Number, k: u32, word: u64) -> &'a BigUint {
    match (line.place(number), number) {
        (Place::Real { among: Neighbours::At(code), .. }, _) => &line.magnitudes[code],
        (
            Place::Real { among: Neighbours::Between { low_code, high_code, .. }, .. },
            Number::Real { magnitude: x, .. },
        ) => {
            let (low, high) = (&line.magnitudes[low_code], &line.magnitudes[high_code]);
            let share: BigUint = ((x - low) << k) / (high - low);
            if share + word >= BigUint::from(1_u32) << k { high } else { low }
        }
        _ => unreachable!("a real number lies among the others"),
    }
}

/// `fmac` on the number line: all triples of a small format, in every rounding.
#[test]
fn all_triples_of_a_small_format() {
    for bench in [Bench::new(2, 1, ""), Bench::new(2, 1, "n")] {
        let format = format(&bench.line.name);
        let numbers: Vec<_> = codes(format).filter(|&code| !format.is_nan(code.into())).collect();
        for (rounding, tininess) in ways() {
            let fmac = flagged(Unit::Fmac, format, format, rounding, tininess);
            for (&a, &b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))) {
                let product = bench.line.decode(a).times(&bench.line.decode(b));
                for &c in &numbers {
                    let want = bench.want(&product.plus(&bench.line.decode(c), rounding), rounding, tininess);
                    assert_eq!(flags(&fmac, &[a, b, c]), want, "{format} {rounding} {tininess} {a:#x} {b:#x} {c:#x}");
                }
            }
        }
    }
}

/// Decoding to binary32 is exact, so only a signaling NaN raises a flag.
#[test]
fn decodings() {
    for name in ["e5m2", "e4m3", "e5m2n", "binary16", "bfloat16", "e4m3fn", "k8p3se", "posit8_1", "e8m0"] {
        let operand = format(name);
        let decode = flagged(Unit::Decode, operand, Format::binary32(), Rounding::Rne, Tininess::After);
        for x in codes(operand) {
            let want = if operand.is_signaling(x.into()) { INVALID } else { 0 };
            assert_eq!(flags(&decode, &[x]), want, "{name} {x:#x}");
        }
    }
}

/// binary32 just below the smallest normal value of binary16, 2^-14: values that round up to it with unbounded range
/// (from 2^-14 * (1 - 2^-12), a tie, on) are tiny only before rounding; smaller values are tiny after rounding, too,
/// even if the subnormal quantum rounds them up to 2^-14.
#[test]
fn tininess_before_and_after() {
    let half = Format::binary16();
    let smallest_normal = 2_f32.powi(-14);
    for (below, tiny_after) in
        [(2_f32.powi(-12), false), (2_f32.powi(-12) + 2_f32.powi(-23), true), (2_f32.powi(-20), false)]
    {
        for sign in [1.0, -1.0] {
            let x = u64::from((sign * smallest_normal * (1.0 - below)).to_bits());
            let [after, before] = both(Unit::Encode, Format::binary32(), half, Rounding::Rne);
            let y = 0x0400 | if sign < 0.0 { 0x8000 } else { 0 };
            let after_flags = if tiny_after { UNDERFLOW | INEXACT } else { INEXACT };
            assert_eq!(words(&after, &[x]), [y, after_flags], "{below:e}");
            assert_eq!(words(&before, &[x]), [y, UNDERFLOW | INEXACT], "{below:e}");
        }
    }
    // An exact subnormal result is tiny, but no underflow; an inexact one is, by either rule.
    for operation in both(Unit::Encode, Format::binary32(), half, Rounding::Rne) {
        assert_eq!(flags(&operation, &[2_f32.powi(-24).to_bits().into()]), 0);
        assert_eq!(flags(&operation, &[(2_f32.powi(-24) * 1.25).to_bits().into()]), UNDERFLOW | INEXACT);
    }
}

/// A flushed format: 2^-14 * (1 - 2^-4) of e5m2n is rounded to the smallest normal value with unbounded range; anything
/// less becomes zero, which is never exact.
#[test]
fn tininess_where_subnormals_are_flushed() {
    let smallest_normal = 2_f32.powi(-14);
    for (x, y, after_flags) in [
        (smallest_normal * (1.0 - 2_f32.powi(-4)), 4, INEXACT),
        (smallest_normal * (1.0 - 2_f32.powi(-3)), 0, UNDERFLOW | INEXACT),
        (smallest_normal / 2.0, 0, UNDERFLOW | INEXACT),
    ] {
        let [after, before] = both(Unit::Encode, Format::binary32(), format("e5m2n"), Rounding::Rne);
        assert_eq!(words(&after, &[u64::from(x.to_bits())]), [y, after_flags], "{x:e}");
        assert_eq!(words(&before, &[u64::from(x.to_bits())]), [y, UNDERFLOW | INEXACT], "{x:e}");
    }
}

/// A signaling NaN is invalid as any operand, a quiet one never is; infinity * 0 and infinity - infinity are invalid,
/// too.
#[test]
fn invalid_operations() {
    let half = format("binary16");
    let (one, zero, infinity, quiet, signaling) = (0x3c00, 0x0000, 0x7c00, 0x7e00, 0x7d00);
    assert!(half.is_signaling(signaling.into()) && half.is_signaling(0xfc01) && !half.is_signaling(quiet.into()));
    let check = |unit, operands: &[u64], want| {
        let operation = flagged(unit, half, half, Rounding::Rne, Tininess::After);
        assert_eq!(flags(&operation, operands), want, "{unit} {operands:x?}");
    };
    for (nan, want) in [(signaling, INVALID), (quiet, 0)] {
        check(Unit::Convert, &[nan], want);
        for unit in [Unit::Mul, Unit::Add] {
            check(unit, &[nan, one], want);
            check(unit, &[one, nan], want);
            check(unit, &[quiet, nan], want);
        }
        for unit in [Unit::Fmac, Unit::Mac] {
            check(unit, &[nan, one, one], want);
            check(unit, &[one, nan, one], want);
            check(unit, &[one, one, nan], want);
            check(unit, &[quiet, one, nan], want);
        }
    }
    check(Unit::Mul, &[infinity, zero], INVALID);
    check(Unit::Add, &[infinity, infinity | 0x8000], INVALID);
    check(Unit::Add, &[infinity, infinity], 0);
    for unit in [Unit::Fmac, Unit::Mac] {
        check(unit, &[zero, infinity, one], INVALID);
        check(unit, &[one, infinity, infinity | 0x8000], INVALID);
        check(unit, &[one, infinity, infinity], 0);
    }
}

/// `mac` combines the flags of both of its roundings.
#[test]
fn flags_of_both_roundings() {
    let format = format("e4m3");
    let mut random = Random(9);
    for (rounding, tininess) in ways() {
        let [mac, mul, add] =
            [Unit::Mac, Unit::Mul, Unit::Add].map(|unit| flagged(unit, format, format, rounding, tininess));
        for _ in 0..20_000 {
            let (a, b): (u64, u64) = (random.code(format), random.code(format));
            let product = words(&mul, &[a, b]);
            let c = random.addend(format, product[0]);
            let sum = words(&add, &[product[0], c]);
            let want = [sum[0], product[1] | sum[1]];
            assert_eq!(words(&mac, &[a, b, c]), want, "{rounding} {tininess} {a:#x} {b:#x} {c:#x}");
        }
    }
}
