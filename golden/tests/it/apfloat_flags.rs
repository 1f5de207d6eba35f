//! Exception flags of IEEE formats against APFloat (crate rustc_apfloat), whose status tells invalid and inexact. Its
//! underflow differs from IEEE 754 after rounding (it rounds to the subnormal quantum first), and it does not report an
//! overflow that is rounded inward, so these two are derived from its result in a layout of the same precision with a
//! wider exponent range.

use crate::common::apfloat::{
    self, E2M60, E4M3, E6M9, E15M48, Wide3, Wide4, Wide8, Wide10, Wide11, Wide24, Wide49, Wide53, Wide61, Wide113,
};
use crate::common::{self, Random, codes, format, wide_words};
use crate::flags::{both, word};
use binade_spec::{Format, Operation, Tininess, Unit};
use rustc_apfloat::ieee::{BFloat, Double, Float8E5M2, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};

fn flags(operation: &Operation, operands: &[u128]) -> u64 {
    *wide_words(operation, operands).last().expect("flags come last") as u64
}

fn float<T: Float>(code: u128) -> T {
    T::from_bits(code)
}

fn widened<T: FloatConvert<W>, W: Float>(x: T) -> W {
    x.convert(&mut false).value
}

/// APFloat's results in `T`, and for the same exact result in the wide layout `W`.
struct Results<T, W> {
    narrow: StatusAnd<T>,
    unbounded: StatusAnd<W>,
    truncated: StatusAnd<W>,
}

impl<T: FloatConvert<W>, W: Float> Results<T, W> {
    fn new(narrow: impl Fn(Round) -> StatusAnd<T>, wide: impl Fn(Round) -> StatusAnd<W>, round: Round) -> Self {
        Results { narrow: narrow(round), unbounded: wide(round), truncated: wide(Round::TowardZero) }
    }

    fn flags(&self, tininess: Tininess) -> u64 {
        let status = self.narrow.status;
        if status.contains(Status::INVALID_OP) || !self.unbounded.value.is_finite() {
            return word(false, false, false, status.contains(Status::INVALID_OP));
        }
        let overflow = widened::<T, W>(T::largest()) < self.unbounded.value.abs();
        assert!(overflow || !status.contains(Status::OVERFLOW), "APFloat sees an overflow");
        let nearly_exact = match tininess {
            Tininess::After => self.unbounded.value,
            Tininess::Before => self.truncated.value,
        };
        let tiny = nearly_exact.abs() < widened(T::smallest_normalized());
        word(status.contains(Status::INEXACT), tiny, overflow, false)
    }
}

/// The flags of the operations with both kinds of tininess must equal those of the results.
fn check<T: FloatConvert<W>, W: Float>(operations: &[Operation; 2], operands: &[u128], results: &Results<T, W>) {
    for (operation, tininess) in operations.iter().zip(Tininess::ALL) {
        let want = results.flags(tininess);
        let Operation { unit, operand, rounding, .. } = operation;
        let want = if operation.divides() { with_division(want, results.narrow.status) } else { want };
        let got = flags(operation, operands);
        assert_eq!(got, want, "{unit} {operand} -> {} {rounding} {tininess} {operands:x?}", operation.result);
    }
}

/// The word on a port with a flag for a division by zero, which is below invalid.
fn with_division(word: u64, status: Status) -> u64 {
    let by_zero = u64::from(status.contains(Status::DIV_BY_ZERO));
    (word >> 3 << 4) | by_zero << 3 | word & 0b111
}

/// Products, sums and quotients of these pairs.
fn pairs<T: FloatConvert<W>, W: Float>(name: &str, operands: impl Fn(&mut dyn FnMut(u128, u128))) {
    let format = format(name);
    for (rounding, round) in apfloat::DIRECTIONS {
        let [mul, add, divide] = [Unit::Mul, Unit::Add, Unit::Divide].map(|unit| both(unit, format, format, rounding));
        operands(&mut |a, b| {
            let (x, y) = (float::<T>(a), float::<T>(b));
            let (wide_x, wide_y) = (widened::<T, W>(x), widened::<T, W>(y));
            let product = Results::<T, W>::new(|round| x.mul_r(y, round), |round| wide_x.mul_r(wide_y, round), round);
            check(&mul, &[a, b], &product);
            let sum = Results::<T, W>::new(|round| x.add_r(y, round), |round| wide_x.add_r(wide_y, round), round);
            check(&add, &[a, b], &sum);
            let quotient = Results::<T, W>::new(|round| x.div_r(y, round), |round| wide_x.div_r(wide_y, round), round);
            check(&divide, &[a, b], &quotient);
        });
    }
}

fn all_pairs<T: FloatConvert<W>, W: Float>(name: &str) {
    let codes = codes(format(name));
    pairs::<T, W>(name, |check| codes.clone().for_each(|a| codes.clone().for_each(|b| check(a.into(), b.into()))));
}

/// Half of the products are near the smallest normal value.
fn some_pairs<T: FloatConvert<W>, W: Float>(name: &str, count: u32) {
    let format = format(name);
    pairs::<T, W>(name, |check| {
        let mut random = Random(count.into());
        for _ in 0..count {
            let a = random.code(format);
            let b = if random.below(2) == 0 { random.code(format) } else { near_underflow(&mut random, format, a) };
            check(a, b);
        }
    });
}

/// A factor whose product with `a` is near the smallest normal value, if there is one.
fn near_underflow(random: &mut Random, format: Format, a: u128) -> u128 {
    let fields = common::float(format);
    let field = |code: u128| ((code & format.magnitude_mask()) >> fields.trailing_bits) as i64;
    let wanted = 1 + i64::from(fields.bias) - field(a) + random.below(4) as i64 - 2;
    let wanted = wanted.clamp(0, (1 << fields.exponent_bits) - 2) as u128;
    wanted << fields.trailing_bits | random.word((1 << fields.trailing_bits) - 1)
}

/// `a * b + c` with the factors in `T`, the rest in `U`, which holds every value of `T`.
fn fused<T: FloatConvert<U>, U: FloatConvert<W>, W: Float>(operand: &str, accumulator: &str, count: u32) {
    let mut random = Random(count.into());
    for (rounding, round) in apfloat::DIRECTIONS {
        let fmac = both(Unit::Fmac, format(operand), format(accumulator), rounding);
        for _ in 0..count {
            let a = random.code(fmac[0].operand);
            let b = near_underflow(&mut random, fmac[0].operand, a);
            let b = if random.below(2) == 0 { random.code(fmac[0].operand) } else { b };
            let (x, y) = (float::<T>(a), float::<T>(b));
            if x.is_signaling() || y.is_signaling() {
                // Widening would make them quiet; there is another test of them.
                continue;
            }
            let (x, y) = (widened::<T, U>(x), widened::<T, U>(y));
            let c = random.addend(fmac[0].result, x.mul_r(y, round).value.to_bits());
            let z = float::<U>(c);
            let (wide_x, wide_y, wide_z) = (widened::<U, W>(x), widened::<U, W>(y), widened::<U, W>(z));
            let narrow = |round| x.mul_add_r(y, z, round);
            let wide = |round| wide_x.mul_add_r(wide_y, wide_z, round);
            check(&fmac, &[a, b, c], &Results::<U, W>::new(narrow, wide, round));
        }
    }
}

/// Codes of `S` into `T`: random, and near the smallest normal value of `T`, the smallest and the largest value.
fn conversions<S, T, W: Float>(from: &str, to: &str, count: u32)
where
    S: FloatConvert<T> + FloatConvert<W>,
    T: FloatConvert<W> + FloatConvert<S>,
{
    let mut random = Random(count.into());
    let source = format(from);
    let ends = [T::smallest_normalized(), T::largest(), T::SMALLEST].map(|end| widened::<T, S>(end).to_bits());
    for (rounding, round) in apfloat::DIRECTIONS {
        let convert = both(Unit::Convert, source, format(to), rounding);
        for _ in 0..count {
            let end = ends[random.below(3) as usize];
            let octave = random.below(u64::from(source.precision()));
            let distance = random.word((1 << octave) - 1);
            let near = if random.below(2) == 0 { end + distance } else { end.wrapping_sub(distance) };
            let x = if random.below(4) == 0 { random.code(source) } else { near & source.magnitude_mask() };
            let value = float::<S>(x);
            let narrow = |round| FloatConvert::<T>::convert_r(value, round, &mut false);
            let wide = |round| FloatConvert::<W>::convert_r(value, round, &mut false);
            check(&convert, &[x], &Results::<T, W>::new(narrow, wide, round));
        }
    }
}

/// All pairs of 8-bit operands against APFloat, including NaNs of either kind.
#[test]
fn apfloat_all_pairs_of_8_bits() {
    all_pairs::<E4M3, Wide4>("e4m3");
    all_pairs::<Float8E5M2, Wide3>("e5m2");
}

/// Sampled pairs of wider operands against APFloat.
#[test]
fn apfloat_pairs_of_wider_operands() {
    some_pairs::<Half, Wide11>("binary16", 50_000);
    some_pairs::<BFloat, Wide8>("bfloat16", 50_000);
    some_pairs::<E6M9, Wide10>("e6m9", 50_000);
    some_pairs::<Single, Wide24>("binary32", 50_000);
}

/// Sampled fused multiply-adds against APFloat.
#[test]
fn apfloat_fused() {
    fused::<E4M3, E4M3, Wide4>("e4m3", "e4m3", 50_000);
    fused::<Half, Half, Wide11>("binary16", "binary16", 50_000);
    fused::<BFloat, Single, Wide24>("bfloat16", "binary32", 50_000);
    fused::<Float8E5M2, Half, Wide11>("e5m2", "binary16", 50_000);
    fused::<Single, Single, Wide24>("binary32", "binary32", 50_000);
}

/// binary32 encoded, against APFloat.
#[test]
fn apfloat_encodings() {
    conversions::<Single, Float8E5M2, Wide3>("binary32", "e5m2", 50_000);
    conversions::<Single, E4M3, Wide4>("binary32", "e4m3", 50_000);
    conversions::<Single, Half, Wide11>("binary32", "binary16", 50_000);
    conversions::<Single, BFloat, Wide8>("binary32", "bfloat16", 50_000);
}

/// Every NaN of `S` into `T`, which has room for its payload: sign and payload are kept, and it becomes quiet.
fn nans<S: FloatConvert<T>, T: Float>(from: &str, to: &str) {
    let (source, result) = (format(from), format(to));
    let ways = apfloat::DIRECTIONS.into_iter().flat_map(|(rounding, _)| both(Unit::Convert, source, result, rounding));
    for convert in ways {
        for x in codes(source).map(u128::from).filter(|&x| source.is_nan(x)) {
            let want = float::<S>(x).convert(&mut false).value;
            let flags = if float::<S>(x).is_signaling() { word(false, false, false, true) } else { 0 };
            let want: [u128; 2] = [T::to_bits(want), flags.into()];
            assert_eq!(wide_words(&convert, &[x]), want, "{from} {x:#x} -> {to}");
        }
    }
}

/// NaNs between formats against APFloat.
#[test]
fn apfloat_nans_become_quiet() {
    nans::<Float8E5M2, Half>("e5m2", "binary16");
    nans::<E4M3, Half>("e4m3", "binary16");
    nans::<Half, Single>("binary16", "binary32");
    nans::<BFloat, Half>("bfloat16", "binary16");
    nans::<BFloat, Single>("bfloat16", "binary32");
    nans::<Half, Half>("binary16", "binary16");
}

/// Conversions between wide formats against APFloat.
#[test]
fn apfloat_wide_conversions() {
    conversions::<Double, Half, Wide11>("binary64", "binary16", 10_000);
    conversions::<Double, Single, Wide24>("binary64", "binary32", 10_000);
    conversions::<Quad, BFloat, Wide8>("binary128", "bfloat16", 10_000);
    conversions::<Quad, Single, Wide24>("binary128", "binary32", 10_000);
    conversions::<Quad, Double, Wide53>("binary128", "binary64", 10_000);
    conversions::<Quad, E15M48, Wide49>("binary128", "e15m48", 10_000);
    conversions::<E15M48, E2M60, Wide61>("e15m48", "e2m60", 10_000);
}

/// Sampled pairs of wide operands against APFloat.
#[test]
fn apfloat_wide_pairs() {
    some_pairs::<Double, Wide53>("binary64", 20_000);
    some_pairs::<E2M60, Wide61>("e2m60", 10_000);
    some_pairs::<E15M48, Wide49>("e15m48", 10_000);
    some_pairs::<Quad, Wide113>("binary128", 10_000);
}

/// Sampled fused multiply-adds with wide accumulators against APFloat.
#[test]
fn apfloat_wide_fused() {
    fused::<Double, Double, Wide53>("binary64", "binary64", 20_000);
    fused::<Single, Double, Wide53>("binary32", "binary64", 10_000);
    fused::<E2M60, E2M60, Wide61>("e2m60", "e2m60", 10_000);
    fused::<Double, Quad, Wide113>("binary64", "binary128", 5_000);
    fused::<Quad, Quad, Wide113>("binary128", "binary128", 5_000);
}
