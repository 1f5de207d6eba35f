//! Floating-point formats as data: orthogonal fields, with everything else derived.

use crate::{Class, Family, FormatError, Sign};
use serde::Serialize;

/// The meaning of exponent field 0, unless it is a supernormal binade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldZero {
    /// Zero and subnormals: `m * 2^(1-bias-t)`.
    Subnormal,
    /// Every code reads as zero (subnormals flushed).
    Zero,
    /// One more ordinary binade, `(1 + m/2^t) * 2^-bias`, except that `m = 0` is zero ("nosub").
    Binade,
    /// One more ordinary binade, in which `m = 0` is an ordinary value, too: there is no zero (OCP MX scale E8M0).
    NoZero,
}

/// How results below the smallest nonzero value are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Underflow {
    /// Rounded as usual, between zero and the smallest value.
    Nearest,
    /// Rounded with an unbounded exponent range; zero if the result is less than the smallest value.
    ToZero,
}

/// Where the infinities are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Infinity {
    /// The format is finite.
    None,
    /// Top exponent field, trailing significand 0 (IEEE 754).
    TopField,
    /// The last magnitude that is not NaN (IEEE P3109, supernormals).
    LastCode,
}

/// Where the NaNs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Nan {
    /// There are none: NaN becomes +0.
    None,
    /// Top exponent field, trailing significand not 0 (IEEE 754).
    TopField,
    /// All ones below the sign, with either sign (OCP E4M3).
    AllOnes,
    /// All ones below the sign, with either sign: one code for NaN and infinity. Its sign and that of a zero are
    /// ignored (DLFloat16).
    NanInfinity,
    /// The sign bit alone, the place of -0 (IEEE P3109 signed, supernormals).
    SignAlone,
    /// All ones of an unsigned format (IEEE P3109 unsigned, UE4M3).
    LastCode,
}

/// A floating-point format. Magnitude codes (codes without the sign bit) ascend with the values they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Float {
    /// Whether there is a sign bit.
    pub sign: Sign,
    /// Exponent field, `w` bits.
    pub exponent_bits: u32,
    /// Trailing significand, `t` bits; the precision `p` is `t + 1`.
    pub trailing_bits: u32,
    /// An ordinary code of exponent field `f` is `(1 + m/2^t) * 2^(f - bias)`.
    pub bias: i32,
    /// The meaning of exponent field 0, if `binades_below` is 0.
    pub field_zero: FieldZero,
    /// How results below the smallest nonzero value are handled.
    pub underflow: Underflow,
    /// The number of lowest exponent fields in which each code is a power of two (supernormal, `L`).
    pub binades_below: u32,
    /// The number of highest exponent fields in which each code is a power of two (supernormal, `U`).
    pub binades_above: u32,
    /// Where the infinities are.
    pub infinity: Infinity,
    /// Where the NaNs are.
    pub nan: Nan,
}

impl Float {
    /// IEEE 754 interchange encoding with `w` exponent and `t` trailing significand bits; no NaN if `t` is 0. A single
    /// exponent bit, which IEEE 754 does not have, has bias 1, so that E1M2 has the values 0 to 1.75.
    ///
    /// # Panics
    /// When `exponent_bits` is not from 1 to 31.
    pub fn ieee(exponent_bits: u32, trailing_bits: u32) -> Float {
        assert!((1..=31).contains(&exponent_bits), "an exponent field has 1 to 31 bits, not {exponent_bits}");
        Float {
            sign: Sign::Signed,
            exponent_bits,
            trailing_bits,
            bias: ((1 << (exponent_bits - 1)) - 1).max(1),
            field_zero: FieldZero::Subnormal,
            underflow: Underflow::Nearest,
            binades_below: 0,
            binades_above: 0,
            infinity: Infinity::TopField,
            nan: if trailing_bits == 0 { Nan::None } else { Nan::TopField },
        }
    }

    /// IEEE 754 binary32.
    pub fn binary32() -> Float {
        Float::ieee(8, 23)
    }

    /// IEEE 754 binary16.
    pub fn binary16() -> Float {
        Float::ieee(5, 10)
    }

    /// IEEE P3109 interim report v4.0: `width` bits, `precision` significand bits, infinities if `extended`.
    ///
    /// # Panics
    /// When `width` and `precision` leave no exponent field of 1 to 31 bits, or `precision` is 0.
    pub fn p3109(width: u32, precision: u32, sign: Sign, extended: bool) -> Float {
        let exponent_bits = match sign {
            Sign::Signed => width - precision,
            Sign::Unsigned => width - precision + 1,
        };
        Float {
            sign,
            bias: 1 << (exponent_bits - 1),
            infinity: if extended { Infinity::LastCode } else { Infinity::None },
            nan: match sign {
                Sign::Signed => Nan::SignAlone,
                Sign::Unsigned => Nan::LastCode,
            },
            ..Float::ieee(exponent_bits, precision - 1)
        }
    }

    /// An unsigned scale like UE4M3 of PTX: subnormals, no infinity, NaN is all ones.
    ///
    /// # Panics
    /// When `exponent_bits` is not from 1 to 31.
    pub fn unsigned(exponent_bits: u32, trailing_bits: u32) -> Float {
        Float {
            sign: Sign::Unsigned,
            infinity: Infinity::None,
            nan: Nan::LastCode,
            ..Float::ieee(exponent_bits, trailing_bits)
        }
    }

    /// Supernormal (ARITH 2025): the P3109 encoding, with its lowest and highest binades replaced by powers of two.
    ///
    /// # Panics
    /// When `exponent_bits` is not from 1 to 31.
    pub fn supernormal(exponent_bits: u32, trailing_bits: u32, below: u32, above: u32) -> Float {
        let width = 1 + exponent_bits + trailing_bits;
        Float {
            binades_below: below,
            binades_above: above,
            ..Float::p3109(width, trailing_bits + 1, Sign::Signed, true)
        }
    }

    /// IBM DLFloat16: 1/6/9, bias 31, no subnormals, one NaN-infinity code.
    pub fn dlfloat16() -> Float {
        Float {
            field_zero: FieldZero::Binade,
            underflow: Underflow::ToZero,
            infinity: Infinity::None,
            nan: Nan::NanInfinity,
            ..Float::ieee(6, 9)
        }
    }

    /// OCP MX scale: unsigned powers of two from 2^-127, no zero, one NaN.
    pub fn e8m0() -> Float {
        Float {
            sign: Sign::Unsigned,
            bias: 127,
            field_zero: FieldZero::NoZero,
            infinity: Infinity::None,
            nan: Nan::AllOnes,
            ..Float::ieee(8, 0)
        }
    }

    /// Checks the fields.
    ///
    /// # Errors
    /// When there is no ordinary binade, no finite value except zero, or more than 128 bits; the message says what is
    /// allowed.
    pub fn check(&self) -> Result<(), FormatError> {
        let fields = 1_i64 << self.exponent_bits;
        let (below, above) = (self.binades_below, self.binades_above);
        if i64::from(below) + i64::from(above) >= fields {
            let (most, bias) = if below == above {
                (format!("at most b{}", (fields - 1) / 2), format!("; a bias is written `,bias={below}`"))
            } else {
                (format!("at most {} in all", fields - 1), String::new())
            };
            return Err(FormatError(format!(
                "leaves no ordinary binade (binades 0..={}, {below} below and {above} above are taken); \
                 use {most}, or a wider exponent{bias}",
                fields - 1
            )));
        }
        if self.width() > 128 {
            return Err(FormatError(format!("has {} bits; formats have up to 128", self.width())));
        }
        if self.min_code() > self.max_code() {
            return Err(FormatError("has no finite value but zero; use more bits".into()));
        }
        Ok(())
    }

    /// Bits of a code.
    pub fn width(&self) -> u32 {
        self.magnitude_bits() + self.sign_bits()
    }

    /// 1 if there is a sign bit.
    pub fn sign_bits(&self) -> u32 {
        match self.sign {
            Sign::Signed => 1,
            Sign::Unsigned => 0,
        }
    }

    /// Bits of a code without its sign: exponent field and trailing significand.
    pub fn magnitude_bits(&self) -> u32 {
        self.exponent_bits + self.trailing_bits
    }

    /// Significand bits of an ordinary value, including the leading one.
    pub fn precision(&self) -> u32 {
        self.trailing_bits + 1
    }

    /// Mask of the magnitude bits.
    pub fn magnitude_mask(&self) -> u128 {
        (1 << self.magnitude_bits()) - 1
    }

    /// Mask of the sign bit; 0 if unsigned.
    pub fn sign_mask(&self) -> u128 {
        match self.sign {
            Sign::Signed => 1 << self.magnitude_bits(),
            Sign::Unsigned => 0,
        }
    }

    /// Largest finite magnitude code, `M`.
    pub fn max_code(&self) -> u128 {
        let after_finite = match (self.infinity, self.nan) {
            (Infinity::TopField, _) => ((1 << self.exponent_bits) - 1) << self.trailing_bits,
            (Infinity::LastCode, _) => self.infinity_magnitude(),
            (Infinity::None, Nan::None | Nan::SignAlone) => return self.magnitude_mask(),
            (Infinity::None, Nan::TopField | Nan::AllOnes | Nan::NanInfinity | Nan::LastCode) => self.magnitude_mask(),
        };
        after_finite - 1
    }

    /// Smallest nonzero magnitude code.
    pub fn min_code(&self) -> u128 {
        match self.field_zero {
            FieldZero::NoZero => 0,
            FieldZero::Zero => 1 << self.trailing_bits,
            FieldZero::Subnormal | FieldZero::Binade => 1,
        }
    }

    /// Magnitude code of infinity.
    ///
    /// # Panics
    /// When the format has no infinities.
    pub fn infinity_magnitude(&self) -> u128 {
        match (self.infinity, self.nan) {
            (Infinity::TopField, _) => ((1 << self.exponent_bits) - 1) << self.trailing_bits,
            (Infinity::LastCode, Nan::LastCode) => self.magnitude_mask() - 1,
            (Infinity::LastCode, _) => self.magnitude_mask(),
            (Infinity::None, _) => unreachable!("finite format asked for its infinity"),
        }
    }

    /// Code of +infinity, if the format has infinities.
    pub fn infinity_code(&self) -> Option<u128> {
        (self.infinity != Infinity::None).then(|| self.infinity_magnitude())
    }

    /// The canonical NaN, if the format has one: sign 0, top trailing bit alone for IEEE 754.
    pub fn nan_code(&self) -> Option<u128> {
        match self.nan {
            Nan::None => None,
            Nan::TopField => Some(self.infinity_magnitude() | 1 << (self.trailing_bits - 1)),
            Nan::AllOnes | Nan::NanInfinity | Nan::LastCode => Some(self.magnitude_mask()),
            Nan::SignAlone => Some(self.sign_mask()),
        }
    }

    /// Whether `code` is a NaN.
    pub fn is_nan(&self, code: u128) -> bool {
        let magnitude = code & self.magnitude_mask();
        match self.nan {
            Nan::None => false,
            Nan::TopField => magnitude > self.infinity_magnitude(),
            Nan::AllOnes | Nan::NanInfinity | Nan::LastCode => magnitude == self.magnitude_mask(),
            Nan::SignAlone => code == self.sign_mask(),
        }
    }

    /// Whether `code` is a signaling NaN: one whose top trailing bit is 0 (IEEE 754 section 6.2.1).
    pub fn is_signaling(&self, code: u128) -> bool {
        self.nan == Nan::TopField && self.is_nan(code) && code >> (self.trailing_bits - 1) & 1 == 0
    }

    /// Whether field 0 holds zero and subnormals: values are evenly spaced from field 1 down to zero.
    pub fn underflows_gradually(&self) -> bool {
        self.field_zero == FieldZero::Subnormal && self.binades_below == 0
    }

    /// Whether all nonzero values are normal numbers, including the smallest: field 0 is an ordinary binade or one of
    /// powers of two.
    pub fn has_only_normals(&self) -> bool {
        self.binades_below > 0 || matches!(self.field_zero, FieldZero::Binade | FieldZero::NoZero)
    }

    /// Whether there is a code for zero.
    pub fn has_zero(&self) -> bool {
        self.field_zero != FieldZero::NoZero
    }

    /// Whether there is a code for -0.
    pub fn has_minus_zero(&self) -> bool {
        self.sign == Sign::Signed && self.nan != Nan::SignAlone
    }

    /// First magnitude code above the lower supernormal region (0 if there is none).
    pub fn first_ordinary_code(&self) -> u128 {
        u128::from(self.binades_below) << self.trailing_bits
    }

    /// First magnitude code of the upper supernormal region (beyond all codes if there is none).
    pub fn first_upper_code(&self) -> u128 {
        ((1 << self.exponent_bits) - u128::from(self.binades_above)) << self.trailing_bits
    }

    /// floor(log2) of the value with the smallest nonzero code.
    pub fn min_exponent(&self) -> i64 {
        self.exponent_of(self.min_code()) as i64
    }

    /// floor(log2) of the value with the largest finite code.
    pub fn max_exponent(&self) -> i64 {
        self.exponent_of(self.max_code()) as i64
    }

    /// floor(log2) of the value of a nonzero magnitude code, from its fields.
    fn exponent_of(&self, magnitude: u128) -> i128 {
        let (first_ordinary, first_upper) = (self.first_ordinary_code(), self.first_upper_code());
        let bias = i128::from(self.bias);
        if magnitude < first_ordinary {
            return i128::from(self.binades_below) - bias - (first_ordinary - magnitude) as i128;
        }
        if magnitude >= first_upper {
            let first = (1 << self.exponent_bits) - i128::from(self.binades_above) - bias;
            return first + (magnitude - first_upper) as i128;
        }
        match (magnitude >> self.trailing_bits, self.field_zero) {
            (0, FieldZero::Subnormal) => i128::from(magnitude.ilog2()) + 1 - bias - i128::from(self.trailing_bits),
            (field, _) => field as i128 - bias,
        }
    }

    /// A code in binary, with spaces between its fields: sign, exponent field, trailing significand.
    pub fn fields(&self, code: u128) -> String {
        let widths = [self.sign_bits(), self.exponent_bits, self.trailing_bits];
        let mut low = self.width();
        let mut parts = vec![];
        for width in widths.into_iter().filter(|&width| width > 0) {
            low -= width;
            parts.push(format!("{:0digits$b}", code >> low & ((1 << width) - 1), digits = width as usize));
        }
        parts.join(" ")
    }

    /// The class of a magnitude code that is not NaN.
    pub fn class_of_magnitude(&self, magnitude: u128) -> Class {
        let is_field_zero = magnitude >> self.trailing_bits == 0 && self.binades_below == 0;
        match magnitude {
            0 if self.has_zero() => Class::Zero,
            _ if magnitude > self.max_code() => Class::Infinity,
            _ if magnitude < self.first_ordinary_code() => Class::LowerSupernormal,
            _ if magnitude >= self.first_upper_code() => Class::UpperSupernormal,
            _ if is_field_zero && self.field_zero == FieldZero::Subnormal => Class::Subnormal,
            _ if is_field_zero && self.field_zero == FieldZero::Zero => Class::Flushed,
            _ => Class::Normal,
        }
    }

    /// A one-line description: widths, bias, meaning of the ends of the code range.
    pub fn summary(&self) -> String {
        let hex = |code| Family::hex(self, code);
        let mut parts = vec![format!(
            "{} bits: {} sign, {} exponent (bias {}), {} trailing significand",
            self.width(),
            self.sign_bits(),
            self.exponent_bits,
            self.bias,
            self.trailing_bits
        )];
        if self.binades_below > 0 {
            let plural = if self.binades_below == 1 { "" } else { "s" };
            let (below, above) = (self.binades_below, self.binades_above);
            parts.push(format!("supernormal, {below} binade{plural} below and {above} above"));
        } else {
            parts.push(self.field_zero_summary().into());
        }
        match (self.infinity_code(), self.nan) {
            (Some(code), _) => parts.push(format!("infinity {}", hex(code))),
            (None, Nan::NanInfinity) => {}
            (None, _) => parts.push("no infinity".into()),
        }
        match (self.nan_code(), self.nan) {
            (None, _) => parts.push("no NaN".into()),
            (Some(code), Nan::NanInfinity) => parts.push(format!("NaN-infinity {}", hex(code))),
            (Some(code), _) => parts.push(format!("NaN {}", hex(code))),
        }
        parts.join("; ")
    }

    fn field_zero_summary(&self) -> &'static str {
        match self.field_zero {
            FieldZero::Binade if self.underflow == Underflow::ToZero => {
                "no subnormals: field 0 is an ordinary binade; results below the smallest value become 0"
            }
            FieldZero::Subnormal if self.trailing_bits == 0 => "field 0 is zero",
            FieldZero::Subnormal => "subnormals",
            FieldZero::Zero => "subnormals flushed to zero",
            FieldZero::Binade => "no subnormals: field 0 is an ordinary binade",
            FieldZero::NoZero => "no zero: field 0 is an ordinary binade",
        }
    }
}

impl Family for Float {
    fn check(&self) -> Result<(), FormatError> {
        self.check()
    }

    fn exponents(&self) -> [i128; 2] {
        [self.min_code(), self.max_code()].map(|code| self.exponent_of(code))
    }

    fn width(&self) -> u32 {
        self.width()
    }

    fn sign(&self) -> Sign {
        self.sign
    }

    fn magnitude_bits(&self) -> u32 {
        self.magnitude_bits()
    }

    fn precision(&self) -> u32 {
        self.precision()
    }

    fn magnitude(&self, code: u128) -> u128 {
        code & self.magnitude_mask()
    }

    fn code(&self, negative: bool, magnitude: u128) -> u128 {
        if negative { magnitude | self.sign_mask() } else { magnitude }
    }

    fn negated(&self, code: u128) -> u128 {
        code ^ self.sign_mask()
    }

    fn max_code(&self) -> u128 {
        self.max_code()
    }

    fn min_code(&self) -> u128 {
        self.min_code()
    }

    fn infinity_code(&self) -> Option<u128> {
        self.infinity_code()
    }

    fn nan_code(&self) -> Option<u128> {
        self.nan_code()
    }

    fn is_nan(&self, code: u128) -> bool {
        self.is_nan(code)
    }

    fn is_signaling(&self, code: u128) -> bool {
        self.is_signaling(code)
    }

    fn has_minus_zero(&self) -> bool {
        self.has_minus_zero()
    }

    /// IEEE 754 defines exceptions for its own encoding, with subnormals or flushed.
    fn has_flags(&self) -> bool {
        self.infinity == Infinity::TopField
            && self.nan == Nan::TopField
            && self.binades_below == 0
            && self.field_zero != FieldZero::Binade
    }

    fn classes(&self) -> &'static [Class] {
        &Class::FLOAT
    }

    fn class_of_magnitude(&self, magnitude: u128) -> Class {
        self.class_of_magnitude(magnitude)
    }

    fn class_codes(&self, class: Class) -> Option<[u128; 2]> {
        let first_normal = match self.field_zero {
            _ if self.binades_below > 0 => self.first_ordinary_code(),
            FieldZero::Subnormal | FieldZero::Zero => 1 << self.trailing_bits,
            FieldZero::Binade | FieldZero::NoZero => self.min_code(),
        };
        let only_field_zero =
            |kind| (self.binades_below == 0 && self.field_zero == kind).then(|| [1, first_normal - 1]);
        match class {
            Class::Zero => self.has_zero().then_some([0, 0]),
            Class::Flushed => only_field_zero(FieldZero::Zero),
            Class::Subnormal => only_field_zero(FieldZero::Subnormal),
            Class::LowerSupernormal => (self.binades_below > 0).then(|| [1, first_normal - 1]),
            Class::Normal => Some([first_normal, self.max_code().min(self.first_upper_code() - 1)]),
            Class::UpperSupernormal => Some([self.first_upper_code(), self.max_code()]),
            Class::Infinity => self.infinity_code().map(|code| [code, code]),
            Class::Nan if self.nan == Nan::TopField => self.nan_code().map(|code| [code, self.magnitude_mask()]),
            Class::Nan => self.nan_code().map(|code| [code, code]),
            Class::SignalingNan => {
                let has_payload = self.nan == Nan::TopField && self.infinity == Infinity::TopField;
                let quiet = has_payload.then(|| self.nan_code()).flatten()?;
                Some([self.infinity_magnitude() + 1, quiet - 1])
            }
            Class::Minpos | Class::Ordinary | Class::Maxpos => None,
            Class::Ulp | Class::Fixed | Class::Largest | Class::Lowest | Class::Listed => None,
        }
    }

    fn summary(&self) -> String {
        self.summary()
    }

    fn systematic_name(&self) -> String {
        self.systematic_name()
    }
}
