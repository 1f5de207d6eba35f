//! IEEE formats against LLVM's APFloat (crate rustc_apfloat), which supports any IEEE layout, in all of its rounding
//! directions: all codes converted, all pairs of 8-bit operands multiplied and added, and wider operands, fused
//! multiply-adds and running sums sampled, with emphasis on binade edges and cancellation.

use crate::common::apfloat::{
    DIRECTIONS, E2M60, E3M2, E3M112, E4M3, E5M3, E6M9, E7M8, E8M40, E9M2, E11M1, E15M2, E15M48, Tf32,
};
use crate::common::{self, Random, assert_same, assert_same_canonical, codes, format, operation};
use binade_golden::Model;
use binade_spec::word::low_bits;
use binade_spec::{Format, Nan, Operation, Rounding, Unit, Word};
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

fn float<T: Float>(code: u128) -> T {
    T::from_bits(code)
}

fn code<T: Float>(float: T) -> u128 {
    float.to_bits()
}

fn with_rounding(unit: Unit, operand: Format, result: Format, rounding: Rounding) -> Operation {
    Operation { rounding, ..operation(unit, operand, result) }
}

fn converted<T: FloatConvert<U>, U: Float>(x: u128, round: Round) -> u128 {
    code(float::<T>(x).convert_r(round, &mut false).value)
}

/// In e4m3fn, rustc_apfloat 0.2.3 treats -512 < x <= -480 like an overflow of a positive number: it returns -448 toward
/// -infinity and NaN toward +infinity. The second definition of the formats gives these results.
fn is_mistaken(result: Format, rounding: Rounding, answer: u128) -> bool {
    common::float(result).nan == Nan::AllOnes
        && matches!(rounding, Rounding::Rup | Rounding::Rdn)
        && matches!(answer, 0xfe | 0xff)
}

fn check_conversion<T: FloatConvert<U>, U: Float>(operation: &Operation, round: Round, x: u128) {
    let want = converted::<T, U>(x, round);
    let what = || format!("{} {x:#x} -> {} {}", operation.operand, operation.result, operation.rounding);
    if !is_mistaken(operation.result, operation.rounding, want) {
        assert_same(operation.result, common::wide_y(operation, &[x]), want, what);
    }
}

/// Encodes binary32: every value of `T`, the midpoints between them, the neighbours of both, and random values.
fn encode<T: FloatConvert<Single>>(name: &str)
where
    Single: FloatConvert<T>,
{
    let target = format(name);
    let mut random = Random(0xe0c0de);
    for (rounding, round) in DIRECTIONS {
        let operation = with_rounding(Unit::Encode, Format::binary32(), target, rounding);
        for c in codes(target).map(u128::from) {
            let x = converted::<T, Single>(c, Round::NearestTiesToEven);
            let next = converted::<T, Single>((c + 1) & target.magnitude_mask(), Round::NearestTiesToEven);
            let middle = x.midpoint(next);
            for near in [x, x.wrapping_sub(1), x + 1, middle, middle.wrapping_sub(1), middle + 1] {
                check_conversion::<Single, T>(&operation, round, near & 0xffff_ffff);
            }
        }
        for _ in 0..100_000 {
            check_conversion::<Single, T>(&operation, round, (random.bits() >> 32).into());
            check_conversion::<Single, T>(&operation, round, random.code(Format::binary32()));
        }
    }
}

/// Every code of `T` in `U`'s format.
fn convert<T: FloatConvert<U>, U: Float>(from: &str, to: &str) {
    for (rounding, round) in DIRECTIONS {
        let operation = with_rounding(Unit::Convert, format(from), format(to), rounding);
        codes(operation.operand).for_each(|x| check_conversion::<T, U>(&operation, round, x.into()));
    }
}

/// Codes of a wide `T` in `U`'s format: near binade edges, and near the values, midpoints and ends of `U`.
fn convert_some<T: FloatConvert<U>, U: FloatConvert<T>>(from: &str, to: &str, count: u32) {
    let mut random = Random(count.into());
    for (rounding, round) in DIRECTIONS {
        let operation = with_rounding(Unit::Convert, format(from), format(to), rounding);
        for _ in 0..count {
            check_conversion::<T, U>(&operation, round, random.code(operation.operand));
            let near = converted::<U, T>(random.code(operation.result), Round::NearestTiesToEven);
            let next = near.wrapping_add(random.below(3).into()).wrapping_sub(1) & operation.operand.magnitude_mask();
            check_conversion::<T, U>(&operation, round, next);
            check_conversion::<T, U>(&operation, round, next.midpoint(near) ^ 1 << random.below(64));
        }
    }
}

fn check_pair<T: Float>(mul: &Operation, add: &Operation, round: Round, a: u128, b: u128) {
    let (x, y) = (float::<T>(a), float::<T>(b));
    for (operation, sign, want) in [(mul, '*', x.mul_r(y, round)), (add, '+', x.add_r(y, round))] {
        let want = code(want.value);
        let what = || format!("{} {} {a:#x} {sign} {b:#x}", operation.operand, operation.rounding);
        if !is_mistaken(operation.result, operation.rounding, want) {
            assert_same_canonical(operation.result, common::wide_y(operation, &[a, b]), want, what);
        }
    }
}

fn pairs<T: Float>(name: &str, operands: impl Fn(&mut dyn FnMut(u128, u128))) {
    let format = format(name);
    for (rounding, round) in DIRECTIONS {
        let [mul, add] = [Unit::Mul, Unit::Add].map(|unit| with_rounding(unit, format, format, rounding));
        operands(&mut |a, b| check_pair::<T>(&mul, &add, round, a, b));
    }
}

fn all_pairs<T: Float>(name: &str) {
    let codes = codes(format(name));
    pairs::<T>(name, |check| codes.clone().for_each(|a| codes.clone().for_each(|b| check(a.into(), b.into()))));
}

fn some_pairs<T: Float>(name: &str, count: u32) {
    let format = format(name);
    pairs::<T>(name, |check| {
        let mut random = Random(count.into());
        for _ in 0..count {
            let a = random.code(format);
            let b = if random.below(2) == 0 { random.code(format) } else { random.addend(format, a) };
            check(a, b);
        }
    });
}

/// `U` holds every value of `T`, so its fused multiply-add sees the exact operands.
fn fused<T: FloatConvert<U>, U: Float>(operand: &str, accumulator: &str, count: u32) {
    let mut random = Random(count.into());
    for (rounding, round) in DIRECTIONS {
        let fmac = with_rounding(Unit::Fmac, format(operand), format(accumulator), rounding);
        let widened = |x| float::<U>(converted::<T, U>(x, Round::NearestTiesToEven));
        for _ in 0..count {
            let (a, b) = (random.code(fmac.operand), random.code(fmac.operand));
            let product = code(widened(a).mul_r(widened(b), round).value);
            let c = random.addend(fmac.result, product);
            let want = code(widened(a).mul_add_r(widened(b), float(c), round).value);
            let what = || format!("{operand} {a:#x} * {b:#x} + {accumulator} {c:#x} {rounding}");
            assert_same_canonical(fmac.result, common::wide_y(&fmac, &[a, b, c]), want, what);
        }
    }
}

/// `U` holds every value of `T`, so addends are exact. Each step starts from the golden model's state.
fn accumulated<T: FloatConvert<U>, U: Float>(operand: &str, accumulator: &str, count: u32) {
    let mut random = Random(count.into());
    for (rounding, round) in DIRECTIONS {
        let operation = with_rounding(Unit::Accumulate, format(operand), format(accumulator), rounding);
        let model = Model::new(&operation);
        let mut state = model.reset();
        for step in 0..count {
            let acc = low_bits(&state[0]);
            let (x, clear) = (running_operand(&operation, acc, &mut random), random.below(32) == 0);
            let exact = float::<U>(converted::<T, U>(x, Round::NearestTiesToEven));
            let want = if clear { code(exact) } else { code(float::<U>(acc).add_r(exact, round).value) };
            let (next, results) = model.step(&state, &[Word::from(x), Word::from(u8::from(clear))]);
            let what = || format!("step {step}: {accumulator} {acc:#x} + {operand} {x:#x}, clear {clear}, {rounding}");
            assert_same_canonical(operation.result, low_bits(&results[0]), want, what);
            assert_eq!(next[0], results[0], "{}: the result is the new state", what());
            state = next;
        }
    }
}

/// A random code, or one that nearly cancels the accumulator if the operand's format has such a code.
fn running_operand(operation: &Operation, acc: u128, random: &mut Random) -> u128 {
    let near: u128 = random.addend(operation.result, acc);
    let is_its_own = operation.operand == operation.result;
    if is_its_own && random.below(2) == 0 { near } else { random.code(operation.operand) }
}

#[test]
fn encode_8_bits() {
    encode::<Float8E5M2>("e5m2");
    encode::<Float8E4M3FN>("e4m3fn");
    encode::<E4M3>("e4m3");
    encode::<E5M3>("e5m3");
    encode::<E3M2>("e3m2");
}

#[test]
fn encode_16_bits() {
    encode::<Half>("binary16");
    encode::<BFloat>("bfloat16");
    encode::<E6M9>("e6m9");
    encode::<E7M8>("e7m8");
}

#[test]
fn convert_every_code() {
    convert::<Half, Single>("binary16", "binary32");
    convert::<BFloat, Single>("bfloat16", "binary32");
    convert::<Float8E4M3FN, Half>("e4m3fn", "binary16");
    convert::<Float8E5M2, Half>("e5m2", "binary16");
    convert::<Half, BFloat>("binary16", "bfloat16");
    convert::<BFloat, Half>("bfloat16", "binary16");
    convert::<Half, Float8E4M3FN>("binary16", "e4m3fn");
    convert::<BFloat, Float8E5M2>("bfloat16", "e5m2");
    convert::<E6M9, E7M8>("e6m9", "e7m8");
    convert::<E7M8, E3M2>("e7m8", "e3m2");
    convert::<E7M8, Tf32>("e7m8", "tf32");
}

#[test]
fn all_pairs_of_8_bits() {
    all_pairs::<Float8E5M2>("e5m2");
    all_pairs::<Float8E4M3FN>("e4m3fn");
    all_pairs::<E4M3>("e4m3");
    all_pairs::<E5M3>("e5m3");
}

#[test]
#[ignore = "long"]
fn pairs_of_wider_operands() {
    some_pairs::<Half>("binary16", 200_000);
    some_pairs::<BFloat>("bfloat16", 200_000);
    some_pairs::<E6M9>("e6m9", 200_000);
    some_pairs::<E7M8>("e7m8", 100_000);
    some_pairs::<Tf32>("tf32", 100_000);
    some_pairs::<Single>("binary32", 300_000);
}

#[test]
#[ignore = "long"]
fn fused_in_the_operand_format() {
    fused::<Float8E5M2, Float8E5M2>("e5m2", "e5m2", 200_000);
    fused::<E4M3, E4M3>("e4m3", "e4m3", 200_000);
    fused::<Half, Half>("binary16", "binary16", 200_000);
    fused::<BFloat, BFloat>("bfloat16", "bfloat16", 200_000);
    fused::<E6M9, E6M9>("e6m9", "e6m9", 200_000);
    fused::<Single, Single>("binary32", "binary32", 300_000);
}

#[test]
#[ignore = "long"]
fn fused_in_a_wider_accumulator() {
    fused::<Float8E5M2, Half>("e5m2", "binary16", 100_000);
    fused::<Float8E4M3FN, Half>("e4m3fn", "binary16", 100_000);
    fused::<Float8E5M2, Single>("e5m2", "binary32", 100_000);
    fused::<E5M3, Half>("e5m3", "binary16", 100_000);
    fused::<Half, Single>("binary16", "binary32", 200_000);
    fused::<BFloat, Single>("bfloat16", "binary32", 200_000);
    fused::<E7M8, Tf32>("e7m8", "tf32", 100_000);
}

#[test]
fn conversions_of_wide_formats() {
    macro_rules! from {
        ($float:ty, $name:literal) => {
            convert_some::<$float, Half>($name, "binary16", 1000);
            convert_some::<$float, BFloat>($name, "bfloat16", 1000);
            convert_some::<$float, Single>($name, "binary32", 1000);
            convert_some::<$float, Double>($name, "binary64", 1000);
            convert_some::<$float, Quad>($name, "binary128", 1000);
            convert_some::<$float, E2M60>($name, "e2m60", 1000);
            convert_some::<$float, E15M2>($name, "e15m2", 1000);
        };
    }
    from!(Half, "binary16");
    from!(BFloat, "bfloat16");
    from!(Single, "binary32");
    from!(Double, "binary64");
    from!(Quad, "binary128");
    from!(E3M112, "e3m112");
    from!(E15M48, "e15m48");
    from!(E8M40, "e8m40");
    from!(E11M1, "e11m1");
}

#[test]
fn pairs_of_wide_operands() {
    some_pairs::<Double>("binary64", 100_000);
    some_pairs::<Quad>("binary128", 20_000);
    some_pairs::<E2M60>("e2m60", 20_000);
    some_pairs::<E3M112>("e3m112", 20_000);
    some_pairs::<E8M40>("e8m40", 20_000);
    some_pairs::<E9M2>("e9m2", 20_000);
    some_pairs::<E11M1>("e11m1", 20_000);
    some_pairs::<E15M2>("e15m2", 20_000);
    some_pairs::<E15M48>("e15m48", 20_000);
}

#[test]
fn fused_in_wide_accumulators() {
    fused::<Double, Double>("binary64", "binary64", 100_000);
    fused::<Quad, Quad>("binary128", "binary128", 20_000);
    fused::<Single, Double>("binary32", "binary64", 50_000);
    fused::<Double, Quad>("binary64", "binary128", 20_000);
    fused::<Half, Quad>("binary16", "binary128", 20_000);
    fused::<E2M60, E2M60>("e2m60", "e2m60", 20_000);
    fused::<E3M112, E3M112>("e3m112", "e3m112", 20_000);
    fused::<E8M40, Double>("e8m40", "binary64", 20_000);
    fused::<E9M2, E15M48>("e9m2", "e15m48", 20_000);
    fused::<E11M1, E11M1>("e11m1", "e11m1", 20_000);
    fused::<E15M2, Quad>("e15m2", "binary128", 20_000);
}

#[test]
fn running_sums() {
    accumulated::<Float8E5M2, Float8E5M2>("e5m2", "e5m2", 50_000);
    accumulated::<E4M3, E4M3>("e4m3", "e4m3", 50_000);
    accumulated::<Float8E5M2, Half>("e5m2", "binary16", 50_000);
    accumulated::<Float8E4M3FN, BFloat>("e4m3fn", "bfloat16", 50_000);
    accumulated::<Half, Half>("binary16", "binary16", 50_000);
    accumulated::<BFloat, Single>("bfloat16", "binary32", 50_000);
    accumulated::<Single, Single>("binary32", "binary32", 50_000);
    accumulated::<Single, Double>("binary32", "binary64", 20_000);
    accumulated::<Double, Double>("binary64", "binary64", 20_000);
    accumulated::<Double, Quad>("binary64", "binary128", 5_000);
    accumulated::<E15M2, Quad>("e15m2", "binary128", 5_000);
}
