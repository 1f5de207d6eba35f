//! Fixed point against Rust's casts, and against 128-bit integers that are rounded by division toward -infinity.

use crate::common::{DIRECTIONS, Random, codes, format, operation, words, y};
use binade_golden::{Codec, Exact, Value};
use binade_spec::{Fixed, Format, Operation, Rounding, Sign, Tininess, Unit};

const INEXACT: u64 = 1;
const INVALID: u64 = 8;

const FORMATS: [&str; 9] =
    ["int2", "int3", "fixed5_2", "int8", "fixed8_6", "uint2", "ufixed6_3", "fixed4_6", "int4,scale=2^3"];

fn fixed(format: Format) -> Fixed {
    *format.fixed().expect("a fixed-point format")
}

/// The integer of a code.
fn integer(format: &Fixed, code: u64) -> i128 {
    let unsigned = i128::from(code);
    match format.sign {
        Sign::Signed if code >> (format.bits - 1) == 1 => unsigned - (1 << format.bits),
        Sign::Signed | Sign::Unsigned => unsigned,
    }
}

/// The smallest and the largest of these integers.
fn range(format: &Fixed) -> [i128; 2] {
    match format.sign {
        Sign::Signed => [-(1 << (format.bits - 1)), (1 << (format.bits - 1)) - 1],
        Sign::Unsigned => [0, (1 << format.bits) - 1],
    }
}

/// The code of `n * 2^k` and its flags. A shift that rounds toward -infinity finds the integer below; `random` is the
/// random number of stochastic rounding.
fn rounded(format: &Fixed, n: i128, k: i32, rounding: Rounding, random: u64) -> (u64, u64) {
    let places = -(k + format.fraction_bits);
    let (below, rest, unit) = match places {
        ..=0 => (n << -places, 0, 1),
        1..=120 => (n >> places, n - (n >> places << places), 1 << places),
        // Anything but zero is next to it.
        _ => (if n < 0 { -1 } else { 0 }, if n < 0 { 7 } else { i128::from(n > 0) }, 8),
    };
    let goes_up = match rounding {
        Rounding::Rne => 2 * rest > unit || 2 * rest == unit && below & 1 == 1,
        Rounding::Rna | Rounding::Rnu => 2 * rest > unit || 2 * rest == unit && n > 0,
        Rounding::Rtz => rest > 0 && n < 0,
        Rounding::Rup => rest > 0,
        Rounding::Rdn => false,
        Rounding::Rto => rest > 0 && below & 1 == 0,
        Rounding::Sr(bits) => {
            let from_zero = if n < 0 && rest > 0 { unit - rest } else { rest };
            let leaves_zero = (from_zero << bits) / unit + i128::from(random) >= 1 << bits;
            rest > 0 && leaves_zero == (n > 0)
        }
        Rounding::Srb(_) | Rounding::Src(_) | Rounding::Mptorch | Rounding::Any => panic!("{rounding} is for floats"),
    };
    let [low, high] = range(format);
    let integer = below + i128::from(goes_up);
    let flags = match integer {
        _ if integer < low || integer > high => INVALID,
        _ if rest > 0 => INEXACT,
        _ => 0,
    };
    let code = integer.clamp(low, high) as u64 & format.code_mask() as u64;
    (code, flags)
}

/// The number of a code of any format, as `n * 2^k`.
fn number(format: Format, code: u64) -> Option<(i128, i32)> {
    match format.decode(code.into()) {
        Value::Zero { .. } => Some((0, 0)),
        Value::Finite(Exact { negative, n, k }) => {
            let n = i128::try_from(n).expect("a code has up to 64 significant bits");
            Some((if negative { -n } else { n }, k))
        }
        Value::Infinite { .. } | Value::Nan => None,
    }
}

fn flagged(operation: Operation, rounding: Rounding) -> Operation {
    Operation { rounding, flags: Some(Tininess::After), ..operation }
}

/// The golden model must agree with the sum or product that is rounded here.
#[track_caller]
fn check(operation: &Operation, operands: &[u64], (n, k): (i128, i32)) {
    let (code, flags) = rounded(&fixed(operation.result), n, k, operation.rounding, 0);
    let got = words(operation, operands);
    assert_eq!(got, [code, flags], "{} of {operands:x?} {}", operation.module_name(), operation.rounding);
}

#[test]
fn every_code_is_its_integer() {
    for name in FORMATS {
        let format = format(name);
        let Fixed { fraction_bits, .. } = fixed(format);
        for code in codes(format) {
            let n = integer(&fixed(format), code);
            let want = match n {
                0 => Value::Zero { negative: false },
                _ => Value::Finite(Exact { negative: n < 0, n: n.unsigned_abs(), k: -fraction_bits }),
            };
            assert_eq!(format.decode(code.into()), want, "{name} {code:#x}");
        }
        let [low, high] = range(&fixed(format));
        assert_eq!(format.max_code() as i128, high);
        assert_eq!(format.max_magnitude(true) as i128, -low);
    }
    assert_eq!(format("mxint8"), format("fixed8_6"));
    assert_eq!(format("fixed16_0"), format("int16"));
    assert_eq!(format("int8").decode(0x80).to_string(), "-1*2^7");
}

#[test]
fn conversions_from_small_floats_and_posits() {
    for source in ["e5m2", "e4m3fn", "e2m1f", "e5m2b1", "k8p4se", "posit8_1", "int8", "uint3", "fixed8_6"] {
        for name in FORMATS {
            let (from, to) = (format(source), format(name));
            for rounding in DIRECTIONS {
                let convert = flagged(operation(Unit::Convert, from, to), rounding);
                for x in codes(from) {
                    match (number(from, x), from.decode(x.into())) {
                        (Some(exact), _) => check(&convert, &[x], exact),
                        (None, Value::Infinite { negative }) => {
                            let [low, high] = range(&fixed(to));
                            let end = if negative { low } else { high } as u64 & fixed(to).code_mask() as u64;
                            assert_eq!(words(&convert, &[x]), [end, INVALID], "{source} {x:#x} to {name}");
                        }
                        (None, _) => assert_eq!(words(&convert, &[x]), [0, INVALID], "NaN to {name}"),
                    }
                }
            }
        }
    }
}

#[test]
fn casts_of_floats() {
    let mut random = Random(1);
    let corners =
        [0.0, 0.5, 1.0, 1.5, 127.5, 128.0, 128.5, 255.5, 256.0, 2e9, 2_147_483_648.0, 4e9, 9.3e18, 1.9e19, 1e300]
            .into_iter()
            .flat_map(|x: f64| [x, -x, x.next_up(), x.next_down(), -x.next_up(), -x.next_down()])
            .chain([f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
    let sampled = (0..5_000).map(|_| f64::from_bits((random.bits() >> 12) | (1000 + random.below(120)) << 52));
    let all: Vec<f64> = corners.chain(sampled.flat_map(|x| [x, -x])).collect();
    macro_rules! casts {
        ($($name:literal $integer:ty),*) => {$(
            let (wide, narrow) = (format("binary64"), format("binary32"));
            let truncating = |from| Operation { rounding: Rounding::Rtz, ..operation(Unit::Convert, from, format($name)) };
            for &x in &all {
                let code = |integer: $integer| integer as u64 & u64::MAX >> (64 - <$integer>::BITS);
                assert_eq!(y(&truncating(wide), &[x.to_bits()]), code(x as $integer), "{x} to {}", $name);
                let single = x as f32;
                let got = y(&truncating(narrow), &[single.to_bits().into()]);
                assert_eq!(got, code(single as $integer), "{single} to {}", $name);
            }
            for _ in 0..5_000 {
                let integer = (random.bits() >> random.below(64)) as $integer;
                let x = integer as u64 & u64::MAX >> (64 - <$integer>::BITS);
                let to = |float| operation(Unit::Convert, format($name), float);
                assert_eq!(y(&to(wide), &[x]), (integer as f64).to_bits(), "{integer} to binary64");
                assert_eq!(y(&to(narrow), &[x]), u64::from((integer as f32).to_bits()), "{integer} to binary32");
            }
        )*};
    }
    casts!("int8" i8, "int16" i16, "int32" i32, "int64" i64, "uint8" u8, "uint16" u16, "uint32" u32, "uint64" u64);
}

#[test]
fn sums_and_products() {
    for name in ["int2", "int3", "fixed5_2", "uint2", "ufixed5_3", "fixed4_6", "int4,scale=2^3"] {
        let format = format(name);
        let Fixed { fraction_bits: f, .. } = fixed(format);
        let integers: Vec<i128> = codes(format).map(|code| integer(&fixed(format), code)).collect();
        for rounding in DIRECTIONS {
            let [mul, add, fmac] =
                [Unit::Mul, Unit::Add, Unit::Fmac].map(|unit| flagged(operation(unit, format, format), rounding));
            for (a, &x) in (0..).zip(&integers) {
                for (b, &y) in (0..).zip(&integers) {
                    check(&mul, &[a, b], (x * y, -2 * f));
                    check(&add, &[a, b], (x + y, -f));
                    for (c, &z) in (0..).zip(&integers).step_by(3) {
                        let sum = if f >= 0 { (x * y + (z << f), -2 * f) } else { (((x * y) << -f) + z, -f) };
                        check(&fmac, &[a, b, c], sum);
                    }
                }
            }
        }
    }
}

/// Wide words, on and off the fast paths.
#[test]
fn wide_sums_and_products() {
    let mut random = Random(2);
    for (operand, result) in
        [("int8", "int32"), ("int32", "int64"), ("fixed16_15", "fixed32_30"), ("uint32", "int64"), ("int60", "int62")]
    {
        let [own, other] = [operand, result].map(format);
        let [f, g] = [own, other].map(|format| fixed(format).fraction_bits);
        assert_eq!(2 * f, g);
        let fmac = flagged(operation(Unit::Fmac, own, other), Rounding::Rne);
        for _ in 0..5_000 {
            let [a, b] = [0; 2].map(|_| random.code(own));
            let c = random.code(other);
            let [x, y] = [a, b].map(|code| integer(&fixed(own), code));
            check(&fmac, &[a, b, c], (x * y + integer(&fixed(other), c), -g));
        }
    }
    for name in ["int64", "uint64", "fixed64_32"] {
        let format = format(name);
        let add = flagged(operation(Unit::Add, format, format), Rounding::Rne);
        for _ in 0..2_000 {
            let [a, b] = [0; 2].map(|_| random.code(format));
            let sum = integer(&fixed(format), a) + integer(&fixed(format), b);
            check(&add, &[a, b], (sum, -fixed(format).fraction_bits));
        }
    }
}

#[test]
fn stochastic_rounding_goes_away_from_zero_as_often_as_the_way_is_long() {
    for (source, name) in [("e4m3", "fixed5_1"), ("fixed8_6", "int4"), ("e4m3", "uint3")] {
        let (from, to) = (format(source), format(name));
        let rounding = Rounding::Sr(4);
        let convert = Operation { rounding, ..operation(Unit::Convert, from, to) };
        for x in codes(from) {
            let Some((n, k)) = number(from, x) else { continue };
            for random in 0..16 {
                let want = rounded(&fixed(to), n, k, rounding, random).0;
                assert_eq!(y(&convert, &[x, random]), want, "{source} {x:#x} to {name}, random {random}");
            }
        }
    }
}
