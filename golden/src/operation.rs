//! What a unit computes: operands decoded, the exact result, rounded once into the result format.

use crate::{Exact, Format, Nan, Overflow, Rounding, Value};
use num_bigint::{BigInt, Sign as BigSign};
use serde::Serialize;
use std::{
    fmt,
    ops::{Neg, RangeInclusive},
    str::FromStr,
};
use thiserror::Error;

/// The kinds of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// The format to binary32.
    Decode,
    /// binary32 to the format.
    Encode,
    /// One format to another.
    Convert,
    /// `a * b`.
    Mul,
    /// `a + b`.
    Add,
    /// `a * b + c`, `c` and the result in the accumulator format, rounded once.
    Fmac,
    /// The same with the product rounded to the accumulator format before `c` is added.
    Mac,
}

impl Unit {
    pub const ALL: [Unit; 7] = [Unit::Decode, Unit::Encode, Unit::Convert, Unit::Mul, Unit::Add, Unit::Fmac, Unit::Mac];

    pub fn name(self) -> &'static str {
        match self {
            Unit::Decode => "decode",
            Unit::Encode => "encode",
            Unit::Convert => "convert",
            Unit::Mul => "mul",
            Unit::Add => "add",
            Unit::Fmac => "fmac",
            Unit::Mac => "mac",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Unit {
    type Err = String;
    fn from_str(name: &str) -> Result<Unit, String> {
        let names = Unit::ALL.map(Unit::name).join(", ");
        Unit::ALL.into_iter().find(|unit| unit.name() == name).ok_or_else(|| format!("one of {names} is expected"))
    }
}

/// An operand or result: its name on the unit and its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    pub name: &'static str,
    pub format: Format,
}

/// A unit with its formats and its way of rounding: everything that decides its output bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    pub unit: Unit,
    /// Format of `x`, or of `a` and `b`.
    pub operand: Format,
    /// Format of `y`, and of `c`.
    pub result: Format,
    pub rounding: Rounding,
    pub overflow: Overflow,
}

/// Why a selection is not an operation. The text is what the user reads.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OperationError {
    #[error("convert needs the format to convert to (--to)")]
    TargetMissing,
    #[error("{unit} takes no accumulator format (--acc); only fmac and mac do")]
    AccumulatorUnused { unit: Unit },
    #[error("{unit} takes no format to convert to (--to); only convert does")]
    TargetUnused { unit: Unit },
    #[error("{format} is rounded only to nearest, ties away from zero (--round rnu), not {rounding}")]
    RoundingUndefined { format: Format, rounding: Rounding },
}

/// What the user chose; what is absent has a default that depends on the formats.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    pub unit: Unit,
    pub format: Format,
    /// Accumulator of `fmac` and `mac`. Default: binary16 for operands of up to 8 bits, else binary32.
    pub accumulator: Option<Format>,
    /// Result of `convert`.
    pub target: Option<Format>,
    /// Default: that of the result format.
    pub rounding: Option<Rounding>,
    pub overflow: Overflow,
}

impl Selection {
    /// The operation chosen, or why there is none.
    pub fn operation(self) -> Result<Operation, OperationError> {
        let unit = self.unit;
        if !matches!(unit, Unit::Fmac | Unit::Mac) && self.accumulator.is_some() {
            return Err(OperationError::AccumulatorUnused { unit });
        }
        if unit != Unit::Convert && self.target.is_some() {
            return Err(OperationError::TargetUnused { unit });
        }
        let (operand, result) = match unit {
            Unit::Decode => (self.format, Format::binary32()),
            Unit::Encode => (Format::binary32(), self.format),
            Unit::Convert => (self.format, self.target.ok_or(OperationError::TargetMissing)?),
            Unit::Mul | Unit::Add => (self.format, self.format),
            Unit::Fmac | Unit::Mac => (self.format, self.accumulator.unwrap_or(default_accumulator(self.format))),
        };
        let rounding = self.rounding.unwrap_or(result.default_rounding());
        result.check_rounding(rounding)?;
        Ok(Operation { unit, operand, result, rounding, overflow: self.overflow })
    }
}

fn default_accumulator(operand: Format) -> Format {
    if operand.width() <= 8 { Format::binary16() } else { Format::binary32() }
}

impl Format {
    /// To nearest with ties to even, but for DLFloat16, which has only ties away.
    pub fn default_rounding(&self) -> Rounding {
        match self.nan {
            Nan::NanInfinity => Rounding::Rnu,
            _ => Rounding::Rne,
        }
    }
}

impl Format {
    /// Whether results of this format can be rounded so.
    pub fn check_rounding(&self, rounding: Rounding) -> Result<(), OperationError> {
        match self.nan {
            Nan::NanInfinity if rounding != Rounding::Rnu => {
                Err(OperationError::RoundingUndefined { format: *self, rounding })
            }
            _ => Ok(()),
        }
    }
}

impl Operation {
    /// The operands, in the order of [`Operation::evaluate`].
    pub fn inputs(&self) -> Vec<Port> {
        let operand = |name| Port { name, format: self.operand };
        match self.unit {
            Unit::Decode | Unit::Encode | Unit::Convert => vec![operand("x")],
            Unit::Mul | Unit::Add => vec![operand("a"), operand("b")],
            Unit::Fmac | Unit::Mac => vec![operand("a"), operand("b"), Port { name: "c", format: self.result }],
        }
    }

    /// The result, `y`.
    pub fn output(&self) -> Port {
        Port { name: "y", format: self.result }
    }

    /// Bits of all operands together: `2^input_bits` combinations exist.
    pub fn input_bits(&self) -> u32 {
        self.inputs().iter().map(|port| port.format.width()).sum()
    }

    /// The code of the result for the codes of the operands.
    pub fn evaluate(&self, operands: &[u64]) -> u64 {
        match (self.unit, operands) {
            (Unit::Decode | Unit::Encode | Unit::Convert, &[x]) => self.convert(x, self.operand.decode(x)),
            (Unit::Mul, &[a, b]) => self.round(Value::product(self.operand.decode(a), self.operand.decode(b))),
            (Unit::Add, &[a, b]) => self.sum(self.operand.decode(a), self.operand.decode(b)),
            (Unit::Fmac | Unit::Mac, &[a, b, c]) => {
                let product = Value::product(self.operand.decode(a), self.operand.decode(b));
                self.accumulate(product, self.result.decode(c))
            }
            (unit, operands) => panic!("{unit} does not take {} operands", operands.len()),
        }
    }

    /// [`Operation::evaluate`] for many vectors, one column an operand.
    pub fn evaluate_columns(&self, operands: &[&[u64]], results: &mut [u64]) {
        match (self.unit, operands) {
            (Unit::Decode | Unit::Encode | Unit::Convert, &[x]) => {
                let decoder = Decoder::new(self.operand);
                for (y, &x) in results.iter_mut().zip(x) {
                    *y = self.convert(x, decoder.decode(x));
                }
            }
            (Unit::Mul | Unit::Add, &[a, b]) => self.pair_columns(a, b, results),
            (Unit::Fmac | Unit::Mac, &[a, b, c]) => self.accumulate_columns(a, b, c, results),
            (unit, operands) => panic!("{unit} does not take {} operands", operands.len()),
        }
    }

    fn pair_columns(&self, a: &[u64], b: &[u64], results: &mut [u64]) {
        let decoder = Decoder::new(self.operand);
        for ((y, &a), &b) in results.iter_mut().zip(a).zip(b) {
            let (a, b) = (decoder.decode(a), decoder.decode(b));
            *y = match self.unit {
                Unit::Mul => self.round(Value::product(a, b)),
                _ => self.sum(a, b),
            };
        }
    }

    /// Exhaustive runs hold `a` and `b` still while `c` runs, so the product is kept while they do.
    fn accumulate_columns(&self, a: &[u64], b: &[u64], c: &[u64], results: &mut [u64]) {
        let (factor, addend) = (Decoder::new(self.operand), Decoder::new(self.result));
        let mut factors = None;
        let mut product = Value::Nan;
        for (((y, &a), &b), &c) in results.iter_mut().zip(a).zip(b).zip(c) {
            if factors != Some((a, b)) {
                factors = Some((a, b));
                product = Value::product(factor.decode(a), factor.decode(b));
            }
            *y = self.accumulate(product, addend.decode(c));
        }
    }

    /// `product + c`; for `mac`, the product is rounded first.
    fn accumulate(&self, product: Value, c: Value) -> u64 {
        let product = match self.unit {
            Unit::Mac => self.result.decode(self.round(product)),
            _ => product,
        };
        self.sum(product, c)
    }

    /// Rounds an exact result of arithmetic.
    fn round(&self, value: Value) -> u64 {
        self.settle(self.result.encode(value, self.rounding, self.overflow))
    }

    /// Arithmetic gives the positive code where the sign of a zero or NaN means nothing (DLFloat16).
    fn settle(&self, code: u64) -> u64 {
        let magnitude = code & self.result.magnitude_mask();
        let sign_is_free = magnitude == 0 || self.result.is_nan(code);
        if self.result.nan == Nan::NanInfinity && sign_is_free { magnitude } else { code }
    }

    /// The conversion of code `x`, which stands for `value`.
    fn convert(&self, x: u64, value: Value) -> u64 {
        if let Some(code) = self.converted_nan_payload(x) {
            return code;
        }
        let code = self.result.encode(value, self.rounding, self.overflow);
        match self.result.nan {
            // The operand's sign passes through, on zero and NaN, too.
            Nan::NanInfinity if x & self.operand.sign_mask() != 0 => code | self.result.sign_mask(),
            _ => code,
        }
    }

    /// A NaN between IEEE 754 encodings keeps sign and payload if the result has room for it.
    fn converted_nan_payload(&self, x: u64) -> Option<u64> {
        let (from, to) = (self.operand, self.result);
        let keeps = from.nan == Nan::TopField && to.nan == Nan::TopField && to.trailing_bits >= from.trailing_bits;
        if !keeps || !from.is_nan(x) {
            return None;
        }
        let sign = if x & from.sign_mask() != 0 { to.sign_mask() } else { 0 };
        let payload = x & ((1 << from.trailing_bits) - 1);
        Some(sign | to.infinity_magnitude() | payload << (to.trailing_bits - from.trailing_bits))
    }

    /// The rounded sum.
    fn sum(&self, x: Value, y: Value) -> u64 {
        use Value::*;
        let value = match (x, y) {
            (Finite(x), Finite(y)) => return self.settle(self.finite_sum(x, y)),
            (Nan, _) | (_, Nan) => Nan,
            (Infinite { negative: s }, Infinite { negative: t }) if s != t => Nan,
            (inf @ Infinite { .. }, _) | (_, inf @ Infinite { .. }) => inf,
            (Zero { negative: s }, Zero { negative: t }) => Zero {
                // Zeros of unlike sign cancel like other numbers.
                negative: if self.rounding == Rounding::Rdn { s || t } else { s && t },
            },
            (Zero { .. }, finite) | (finite, Zero { .. }) => finite,
        };
        self.round(value)
    }

    /// The rounded sum of two nonzero values: both as integers in units of the smaller `2^k`, in the narrowest word that
    /// holds the sum.
    fn finite_sum(&self, x: Exact, y: Exact) -> u64 {
        let (high, low) = if x.k >= y.k { (x, y) } else { (y, x) };
        let gap = (high.k - low.k) as u32;
        // Two bits to spare: one for the sign, one for the carry.
        let fits = |bits: u32| bit_length(high.n) + gap + 2 <= bits && bit_length(low.n) + 2 <= bits;
        if fits(u64::BITS) {
            let sum = signed(high.negative, (high.n as i64) << gap) + signed(low.negative, low.n as i64);
            return self.round_integer(sum < 0, &sum.unsigned_abs(), low.k, sum == 0);
        }
        if fits(u128::BITS) {
            let sum = signed(high.negative, (high.n as i128) << gap) + signed(low.negative, low.n as i128);
            return self.round_integer(sum < 0, &sum.unsigned_abs(), low.k, sum == 0);
        }
        let sum = (big(high) << gap) + big(low);
        self.round_integer(sum.sign() == BigSign::Minus, sum.magnitude(), low.k, sum.sign() == BigSign::NoSign)
    }

    /// The code of `n * 2^k`; an exact zero from nonzero values is +0, toward -infinity -0.
    fn round_integer<N: crate::encode::Natural>(&self, negative: bool, n: &N, k: i32, is_zero: bool) -> u64 {
        if is_zero {
            return self.result.zero_code(self.rounding == Rounding::Rdn);
        }
        self.result.encode_finite(negative, n, k, self.rounding, self.overflow)
    }
}

fn bit_length(n: u128) -> u32 {
    u128::BITS - n.leading_zeros()
}

fn signed<Word: Neg<Output = Word>>(negative: bool, n: Word) -> Word {
    if negative { -n } else { n }
}

fn big(x: Exact) -> BigInt {
    let sign = if x.negative { BigSign::Minus } else { BigSign::Plus };
    BigInt::from_biguint(sign, x.n.into())
}

/// Decodes many codes of one format: those of up to 8 bits are looked up, and of wider ones the ordinary codes, which are
/// nearly all, are taken apart without asking what else they could be.
struct Decoder {
    format: Format,
    values: Vec<Value>,
    /// Magnitude codes of ordinary values.
    ordinary: RangeInclusive<u64>,
}

impl Decoder {
    fn new(format: Format) -> Decoder {
        let codes = if format.width() <= 8 { 1 << format.width() } else { 0 };
        // Above field 0 and the supernormal regions every code has a leading one.
        let first = format.first_ordinary_code().max(1 << format.trailing_bits);
        let last = format.max_code().min(format.first_upper_code() - 1);
        let values = (0..codes).map(|code| format.decode(code)).collect();
        Decoder { format, values, ordinary: first..=last }
    }

    fn decode(&self, code: u64) -> Value {
        if let Some(value) = self.values.get(code as usize) {
            return *value;
        }
        let (magnitude, t) = (code & self.format.magnitude_mask(), self.format.trailing_bits);
        if !self.ordinary.contains(&magnitude) {
            return self.format.decode(code);
        }
        let trailing = magnitude & ((1 << t) - 1);
        Value::Finite(Exact {
            negative: code & self.format.sign_mask() != 0,
            n: (1 << t | trailing).into(),
            k: (magnitude >> t) as i32 - self.format.bias - t as i32,
        })
    }
}

impl Value {
    /// The exact product.
    fn product(x: Value, y: Value) -> Value {
        use Value::*;
        match (x, y) {
            (Nan, _) | (_, Nan) | (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => Nan,
            (Finite(x), Finite(y)) => Finite(Exact { negative: x.negative ^ y.negative, n: x.n * y.n, k: x.k + y.k }),
            (x @ Infinite { .. }, y) | (x, y @ Infinite { .. }) => {
                Infinite { negative: x.is_negative() ^ y.is_negative() }
            }
            (x, y) => Zero { negative: x.is_negative() ^ y.is_negative() },
        }
    }

    /// The sign, where there is one.
    fn is_negative(&self) -> bool {
        match *self {
            Value::Zero { negative } | Value::Infinite { negative } => negative,
            Value::Finite(Exact { negative, .. }) => negative,
            Value::Nan => false,
        }
    }
}
