//! Conversions against the crates half (binary16, bfloat16) and float8 (OCP E4M3 and E5M2, saturating), and binary32
//! and binary64 against the processor.

use crate::common::y;
use crate::common::{Random, assert_same, assert_same_canonical, codes, format, operation};
use binade_spec::{Format, Operation, Overflow, Unit};

/// binary32 values: corners, random values, and values at or beside a midpoint of `target`.
fn singles(target: Format, count: u32) -> impl Iterator<Item = f32> {
    let mut random = Random(0x51_4e_97);
    let cut = 24 - target.precision();
    (0..count).map(move |_| {
        let any: u64 = random.code(Format::binary32());
        let bits = match random.below(4) {
            0 => any & (!0 << cut) | 1 << (cut - 1),
            1 => (any & (!0 << cut) | 1 << (cut - 1)).wrapping_add(random.below(3)).wrapping_sub(1),
            2 => random.bits(),
            _ => any,
        };
        f32::from_bits(bits as u32)
    })
}

fn encode(name: &str, overflow: Overflow, oracle: impl Fn(f32) -> u64) {
    let target = format(name);
    let encode = Operation { overflow, ..operation(Unit::Encode, Format::binary32(), target) };
    for x in singles(target, 500_000) {
        assert_same(target, y(&encode, &[x.to_bits().into()]), oracle(x), || format!("{name} of {x:e}"));
    }
}

fn decode(name: &str, oracle: impl Fn(u64) -> f32) {
    let decode = operation(Unit::Decode, format(name), Format::binary32());
    for code in codes(decode.operand) {
        let want = oracle(code).to_bits();
        assert_same(decode.result, y(&decode, &[code]), want, || format!("{name} {code:#x}"));
    }
}

#[test]
fn half_crate() {
    encode("binary16", Overflow::Inf, |x| half::f16::from_f32(x).to_bits().into());
    encode("bfloat16", Overflow::Inf, |x| half::bf16::from_f32(x).to_bits().into());
    decode("binary16", |code| half::f16::from_bits(code as u16).to_f32());
    decode("bfloat16", |code| half::bf16::from_bits(code as u16).to_f32());
}

#[test]
fn float8_crate() {
    encode("e4m3fn", Overflow::Saturate, |x| float8::F8E4M3::from_f32(x).to_bits().into());
    encode("e5m2", Overflow::Saturate, |x| float8::F8E5M2::from_f32(x).to_bits().into());
    decode("e4m3fn", |code| float8::F8E4M3::from_bits(code as u8).to_f32());
    decode("e5m2", |code| float8::F8E5M2::from_bits(code as u8).to_f32());
}

#[test]
fn binary32_of_the_processor() {
    let single = Format::binary32();
    let [mul, add, fmac] = [Unit::Mul, Unit::Add, Unit::Fmac].map(|unit| operation(unit, single, single));
    let mut random = Random(32);
    let float = |code: u64| f32::from_bits(code as u32);
    for _ in 0..500_000 {
        let (a, b) = (random.code(single), random.code(single));
        let product = float(a) * float(b);
        let c = random.addend(single, product.to_bits().into());
        let what = || format!("{a:#x} {b:#x} {c:#x}");
        let same = |got, want: f32| assert_same_canonical(single, got, want.to_bits(), what);
        same(y(&mul, &[a, b]), product);
        same(y(&add, &[a, c]), float(a) + float(c));
        same(y(&fmac, &[a, b, c]), float(a).mul_add(float(b), float(c)));
    }
}

#[test]
fn binary64_of_the_processor() {
    let [single, double] = [Format::binary32(), format("binary64")];
    let [mul, add, fmac] = [Unit::Mul, Unit::Add, Unit::Fmac].map(|unit| operation(unit, double, double));
    let [narrow, wide] = [(double, single), (single, double)].map(|(from, to)| operation(Unit::Convert, from, to));
    let mut random = Random(64);
    let float = |code: u64| f64::from_bits(code);
    for _ in 0..300_000 {
        let (a, b) = (random.code(double), random.code(double));
        let product = float(a) * float(b);
        let c = random.addend(double, product.to_bits());
        let what = || format!("{a:#x} {b:#x} {c:#x}");
        let same = |got, want: f64| assert_same_canonical(double, got, want.to_bits(), what);
        same(y(&mul, &[a, b]), product);
        same(y(&add, &[a, c]), float(a) + float(c));
        same(y(&fmac, &[a, b, c]), float(a).mul_add(float(b), float(c)));
        assert_same(single, y(&narrow, &[a]), (float(a) as f32).to_bits(), what);
        let x: u64 = random.code(single);
        assert_same(double, y(&wide, &[x]), f64::from(f32::from_bits(x as u32)).to_bits(), || format!("{x:#x}"));
    }
}
