//! Posits against the crates fast-posit and softposit: all codes of up to 16 bits decoded, binary32 encoded, products
//! and sums of all 8-bit operands and of sampled wider ones. Known faults of the crates are left out: fast-posit's
//! quire, and softposit's arithmetic except for its 8-bit and 16-bit posits of es 0 and 1.

use crate::common::y;
use crate::common::{Random, as_f64, codes, format};
use binade_golden::Codec;
use binade_spec::{Format, Operation, Unit};
use fast_posit::{Posit, RoundFrom};
use softposit::{P8E0, P16E1, P32E2, PxE1, PxE2};

const SAMPLES: u32 = 60_000;

/// A posit of some crate: its name here, and its operations on codes.
struct Oracle {
    name: &'static str,
    decode: fn(u64) -> f64,
    encode: fn(f32) -> u64,
    mul: fn(u64, u64) -> u64,
    add: fn(u64, u64) -> u64,
}

/// fast-posit with these bits and exponent bits, stored in this integer, whose codes are the words of the other one.
macro_rules! fast {
    ($bits:literal, $exponent_bits:literal, $int:ty, $word:ty) => {{
        type Fast = Posit<$bits, $exponent_bits, $int>;
        fn from_code(code: u64) -> Fast {
            Fast::from_bits(code as $word as $int)
        }
        fn to_code(posit: Fast) -> u64 {
            let ones = u64::MAX >> (u64::BITS - $bits);
            u64::from(posit.to_bits() as $word) & ones
        }
        Oracle {
            name: concat!("posit", $bits, "_", $exponent_bits),
            decode: |code| f64::round_from(from_code(code)),
            encode: |x| to_code(Fast::round_from(x)),
            mul: |a, b| to_code(from_code(a) * from_code(b)),
            add: |a, b| to_code(from_code(a) + from_code(b)),
        }
    }};
}

/// softposit's type with this name.
macro_rules! soft {
    ($name:literal, $posit:ty, $word:ty) => {
        Oracle {
            name: $name,
            decode: |code| <$posit>::from_bits(code as $word).into(),
            encode: |x| <$posit>::from(x).to_bits().into(),
            mul: |a, b| (<$posit>::from_bits(a as $word) * <$posit>::from_bits(b as $word)).to_bits().into(),
            add: |a, b| (<$posit>::from_bits(a as $word) + <$posit>::from_bits(b as $word)).to_bits().into(),
        }
    };
}

impl Oracle {
    fn format(&self) -> Format {
        format(self.name)
    }

    fn check_decode(&self) {
        for code in codes(self.format()) {
            let (got, want) = (as_f64(self.format().decode(code.into())), (self.decode)(code));
            assert!(got == want || got.is_nan() && want.is_nan(), "{} {code:#x}: {got} {want}", self.name);
        }
    }

    fn check_encode(&self, x: f32) {
        let operation = Operation::new(Unit::Encode, Format::binary32(), self.format());
        let got = y(&operation, &[x.to_bits().into()]);
        assert_eq!(got, (self.encode)(x), "{} of {x:e} ({:#x})", self.name, x.to_bits());
    }

    /// binary32 anywhere, and near the values of this posit and the midpoints between them.
    fn check_encode_some(&self) {
        let mut random = Random(32);
        let longer = format(&self.name.replace("posit8", "posit9").replace("posit16", "posit17"));
        for _ in 0..SAMPLES {
            self.check_encode(f32::from_bits(random.bits() as u32));
            let near = as_f64(longer.decode(random.word(longer.magnitude_mask() | longer.sign_mask()))) as f32;
            let ulps = (random.below(3) as u32).wrapping_sub(1);
            self.check_encode(f32::from_bits(near.to_bits().wrapping_add(ulps)));
        }
    }

    fn check_pair(&self, [mul, add]: &[Operation; 2], a: u64, b: u64) {
        let name = |sign| format!("{} {a:#x} {sign} {b:#x}", self.name);
        assert_eq!(y(mul, &[a, b]), (self.mul)(a, b), "{}", name('*'));
        assert_eq!(y(add, &[a, b]), (self.add)(a, b), "{}", name('+'));
    }

    fn operations(&self) -> [Operation; 2] {
        [Unit::Mul, Unit::Add].map(|unit| Operation::new(unit, self.format(), self.format()))
    }

    fn check_all_pairs(&self) {
        let operations = self.operations();
        for a in codes(self.format()) {
            codes(self.format()).for_each(|b| self.check_pair(&operations, a, b));
        }
    }

    /// A third of the second operands nearly cancels the first.
    fn check_some_pairs(&self) {
        let (mut random, operations) = (Random(self.format().width().into()), self.operations());
        let ones = u64::MAX >> (u64::BITS - self.format().width());
        for _ in 0..SAMPLES {
            let a = random.bits() & ones;
            let nearly_cancels = random.below(3) == 0;
            let b = if nearly_cancels { random.below(65).wrapping_sub(a) } else { random.bits() } & ones;
            self.check_pair(&operations, a, b);
        }
    }
}

/// All codes, all pairs.
#[test]
#[ignore = "long"]
fn fast_posit_of_8_bits() {
    for oracle in [fast!(8, 0, i8, u8), fast!(8, 1, i8, u8), fast!(8, 2, i8, u8), fast!(8, 3, i8, u8)] {
        oracle.check_decode();
        oracle.check_encode_some();
        oracle.check_all_pairs();
    }
}

/// All codes, sampled pairs.
#[test]
#[ignore = "long"]
fn fast_posit_of_16_bits() {
    for oracle in [fast!(16, 0, i16, u16), fast!(16, 1, i16, u16), fast!(16, 2, i16, u16), fast!(16, 3, i16, u16)] {
        oracle.check_decode();
        oracle.check_encode_some();
        oracle.check_some_pairs();
    }
}

/// Sampled pairs, and binary32 encoded, whose range is wider or narrower than the posit's.
#[test]
#[ignore = "long"]
fn fast_posit_of_32_bits() {
    for oracle in [fast!(32, 0, i32, u32), fast!(32, 2, i32, u32), fast!(32, 3, i32, u32), fast!(32, 5, i32, u32)] {
        oracle.check_encode_some();
        oracle.check_some_pairs();
    }
}

/// Sampled pairs, and binary32 encoded, whose range is wider or narrower than the posit's. softposit has no posits this
/// wide.
#[test]
#[ignore = "long"]
fn fast_posit_of_more_than_32_bits() {
    for oracle in [
        fast!(33, 2, i64, u64),
        fast!(40, 1, i64, u64),
        fast!(48, 2, i64, u64),
        fast!(63, 3, i64, u64),
        fast!(64, 2, i64, u64),
        fast!(64, 4, i64, u64),
    ] {
        oracle.check_encode_some();
        oracle.check_some_pairs();
    }
}

/// All codes, all pairs.
#[test]
fn softposit_of_8_bits() {
    let oracle = soft!("posit8_0", P8E0, u8);
    oracle.check_decode();
    oracle.check_encode_some();
    oracle.check_all_pairs();
}

/// All codes, sampled pairs; without its conversion from binary32, which loses low bits.
#[test]
fn softposit_of_16_bits() {
    let oracle = soft!("posit16_1", P16E1, u16);
    oracle.check_decode();
    oracle.check_some_pairs();
}

/// Sampled pairs and binary32 encoded.
#[test]
fn softposit_of_32_bits() {
    let oracle = soft!("posit32_2", P32E2, u32);
    oracle.check_encode_some();
    oracle.check_some_pairs();
}

/// softposit's posits of any width hold their codes at the top of a 32-bit word.
#[test]
fn softposit_of_any_width() {
    for code in 0..1 << 16 {
        let same = |name: &str, want: f64| {
            let got = as_f64(format(name).decode(code));
            assert!(got == want || got.is_nan() && want.is_nan(), "{name} {code:#x}: {got} {want}");
        };
        same("posit16_1", PxE1::<16>::from_bits((code as u32) << 16).into());
        same("posit16_2", PxE2::<16>::from_bits((code as u32) << 16).into());
    }
}
