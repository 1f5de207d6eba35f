//! What a unit computes: operands decoded, the exact result, rounded once into the result format.

use crate::decoder::Decoder;
use crate::encode::Natural;
use crate::flags::{FLAG_BITS, INVALID};
use crate::unit::Kind;
use crate::{Exact, Format, Nan, Overflow, Policy, Port, Posit, PositRange, Rounding, Tininess, Unit, Value};
use num_bigint::{BigInt, Sign as BigSign};
use std::ops::Neg;

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
    pub posit_range: PositRange,
    /// What becomes of the new accumulator besides `y`.
    pub output: Option<OutputConversion>,
    /// Whether there is a port `flags`, and when a result counts as tiny.
    pub flags: Option<Tininess>,
}

/// The conversion of the accumulator to another format, on port `out`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutputConversion {
    pub format: Format,
    /// Negative accumulators (-0, too) become +0 first.
    pub relu: bool,
}

/// A result with its flags; those are 0 unless they are asked for.
#[derive(Clone, Copy)]
struct Rounded {
    code: u64,
    flags: u64,
}

/// The exact product of an accumulation, with the flags of its making.
#[derive(Clone, Copy)]
struct Factors {
    product: Value,
    signals: u64,
}

/// The random word of one evaluation, taken from the lowest bits up.
#[derive(Clone, Copy)]
struct Random(u64);

impl Operation {
    /// An operation with everything else by default.
    pub fn new(unit: Unit, operand: Format, result: Format) -> Operation {
        Operation {
            unit,
            operand,
            result,
            rounding: result.default_rounding(),
            overflow: Overflow::default(),
            posit_range: PositRange::default(),
            output: None,
            flags: None,
        }
    }

    /// The operands, in the order of [`Operation::evaluate`].
    pub fn inputs(&self) -> Vec<Port> {
        let operand = |name| Port::code(name, self.operand);
        let mut ports = match self.unit {
            Unit::Decode | Unit::Encode | Unit::Convert | Unit::PositDecoder => vec![operand("x")],
            Unit::Mul | Unit::Add => vec![operand("a"), operand("b")],
            Unit::Fmac | Unit::Mac => vec![operand("a"), operand("b"), Port::code("c", self.result)],
            Unit::PositEncoder => encoder_ports(self.posit(), self.rounding),
        };
        if self.random_bits() > 0 {
            ports.push(Port::word("rand", self.random_bits(), Kind::Random));
        }
        ports
    }

    /// The results, in the order in which [`Operation::evaluate`] packs them, from the lowest bit up.
    pub fn outputs(&self) -> Vec<Port> {
        if self.unit == Unit::PositDecoder {
            return decoder_ports(self.posit());
        }
        let mut ports = vec![Port::code("y", self.result)];
        ports.extend(self.output.map(|output| Port::code("out", output.format)));
        ports.extend(self.flags.map(|_| Port::word("flags", FLAG_BITS, Kind::Flags)));
        ports
    }

    /// The words of all outputs, packed by [`Operation::evaluate`].
    pub fn unpacked(&self, packed: u64) -> Vec<u64> {
        let mut rest = u128::from(packed);
        let mut word = |width: u32| {
            let word = rest as u64 & (u64::MAX >> (64 - width));
            rest >>= width;
            word
        };
        self.outputs().iter().map(|port| word(port.width())).collect()
    }

    /// Bits of all inputs together: `2^input_bits` combinations exist.
    pub fn input_bits(&self) -> u32 {
        self.inputs().iter().map(Port::width).sum()
    }

    /// Bits of the random word: for each rounding as many as it takes.
    pub fn random_bits(&self) -> u32 {
        let roundings = match (self.unit, self.output) {
            (Unit::PositDecoder, _) => 0,
            (Unit::Mac, None) | (Unit::Fmac, Some(_)) => 2,
            (Unit::Mac, Some(_)) => 3,
            _ => 1,
        };
        roundings * self.rounding.random_bits()
    }

    /// The conversion of the accumulator to the output format, as an operation of its own.
    pub fn output_conversion(&self, output: &OutputConversion) -> Operation {
        Operation {
            unit: Unit::Convert,
            operand: self.result,
            result: output.format,
            rounding: output.format.own_rounding(self.rounding),
            output: None,
            ..*self
        }
    }

    /// The posit of a posit unit.
    fn posit(&self) -> &Posit {
        self.operand.posit().expect("posit units have posit formats")
    }

    /// The packed results for the codes and words of the inputs.
    pub fn evaluate(&self, inputs: &[u64]) -> u64 {
        let (operands, random) = match inputs.split_last() {
            Some((&random, operands)) if self.random_bits() > 0 => (operands, Random(random)),
            _ => (inputs, Random(0)),
        };
        match (self.unit, operands) {
            (Unit::Decode | Unit::Encode | Unit::Convert, &[x]) => {
                self.packed(self.convert(x, self.operand.decode(x), random))
            }
            (Unit::Mul | Unit::Add, &[a, b]) => self.pair([a, b], [a, b].map(|code| self.operand.decode(code)), random),
            (Unit::Fmac | Unit::Mac, &[a, b, c]) => {
                let factors = self.factors([a, b], [a, b].map(|code| self.operand.decode(code)));
                self.accumulate(factors, c, self.result.decode(c), random)
            }
            (Unit::PositDecoder, &[x]) => posit_parts(self.posit(), x),
            (Unit::PositEncoder, words) => self.posit_from_parts(words, random),
            (unit, operands) => panic!("{unit} does not take {} operands", operands.len()),
        }
    }

    /// [`Operation::evaluate`] for many vectors, one column an input.
    pub fn evaluate_columns(&self, inputs: &[&[u64]], results: &mut [u64]) {
        let (operands, random) = match inputs.split_last() {
            Some((random, operands)) if self.random_bits() > 0 => (operands, Some(*random)),
            _ => (inputs, None),
        };
        let random = |vector: usize| Random(random.map_or(0, |column| column[vector]));
        match (self.unit, operands) {
            (Unit::Decode | Unit::Encode | Unit::Convert, &[x]) => {
                let decoder = Decoder::new(self.operand, results.len());
                for (vector, (y, &x)) in results.iter_mut().zip(x).enumerate() {
                    *y = self.packed(self.convert(x, decoder.decode(x), random(vector)));
                }
            }
            (Unit::Mul | Unit::Add, &[a, b]) => {
                let decoder = Decoder::new(self.operand, results.len());
                for (vector, ((y, &a), &b)) in results.iter_mut().zip(a).zip(b).enumerate() {
                    *y = self.pair([a, b], [decoder.decode(a), decoder.decode(b)], random(vector));
                }
            }
            (Unit::Fmac | Unit::Mac, &[a, b, c]) => self.accumulate_columns(a, b, c, random, results),
            (unit, columns) => {
                assert!(
                    matches!(unit, Unit::PositDecoder | Unit::PositEncoder),
                    "{unit} with {} columns",
                    columns.len()
                );
                for (vector, y) in results.iter_mut().enumerate() {
                    let words: Vec<u64> = inputs.iter().map(|column| column[vector]).collect();
                    *y = self.evaluate(&words);
                }
            }
        }
    }

    /// Exhaustive runs hold `a` and `b` still while `c` runs, so the product is kept while they do.
    fn accumulate_columns(
        &self,
        a: &[u64],
        b: &[u64],
        c: &[u64],
        random: impl Fn(usize) -> Random,
        results: &mut [u64],
    ) {
        let (factor, addend) = (Decoder::new(self.operand, results.len()), Decoder::new(self.result, results.len()));
        let mut codes = None;
        let mut factors = Factors { product: Value::Nan, signals: 0 };
        for (vector, (((y, &a), &b), &c)) in results.iter_mut().zip(a).zip(b).zip(c).enumerate() {
            if codes != Some([a, b]) {
                codes = Some([a, b]);
                factors = self.factors([a, b], [factor.decode(a), factor.decode(b)]);
            }
            *y = self.accumulate(factors, c, addend.decode(c), random(vector));
        }
    }

    /// `mul` and `add`.
    fn pair(&self, codes: [u64; 2], [a, b]: [Value; 2], mut random: Random) -> u64 {
        let signals = codes.map(|code| self.signals(self.operand, code));
        let rounded = match self.unit {
            Unit::Mul => self.product(a, b, &mut random),
            _ => self.sum(a, b, &mut random),
        };
        self.packed(rounded.with_flags(signals[0] | signals[1]))
    }

    /// The exact product of an accumulation.
    fn factors(&self, codes: [u64; 2], [a, b]: [Value; 2]) -> Factors {
        let product = Value::product(a, b);
        let invalid = self.invalid_if(product == Value::Nan && a != Value::Nan && b != Value::Nan);
        let signals = codes.map(|code| self.signals(self.operand, code));
        Factors { product, signals: invalid | signals[0] | signals[1] }
    }

    /// `fmac` and `mac`, the addend's code `c` decoded.
    fn accumulate(&self, factors: Factors, c: u64, addend: Value, mut random: Random) -> u64 {
        let mut signals = factors.signals | self.signals(self.result, c);
        let product = match self.unit {
            Unit::Mac => {
                let rounded = self.round(factors.product, &mut random);
                signals |= rounded.flags;
                self.result.decode(rounded.code)
            }
            _ => factors.product,
        };
        let sum = self.sum(product, addend, &mut random).with_flags(signals);
        match self.output {
            None => self.packed(sum),
            Some(output) => self.packed_with_output(sum, output, &mut random),
        }
    }

    /// `y`, then `flags`.
    fn packed(&self, rounded: Rounded) -> u64 {
        match self.flags {
            None => rounded.code,
            Some(_) => rounded.code | rounded.flags << self.result.width(),
        }
    }

    /// `y`, then `out`, then `flags`: those of both roundings together.
    fn packed_with_output(&self, sum: Rounded, output: OutputConversion, random: &mut Random) -> u64 {
        let conversion = self.output_conversion(&output);
        let value = self.result.decode(sum.code);
        let code = if output.relu && value.is_negative() { self.result.zero_code(false) } else { sum.code };
        let out = conversion.convert(code, self.result.decode(code), *random);
        let flags = sum.flags | out.flags;
        sum.code | (out.code | flags << output.format.width()) << self.result.width()
    }

    /// The flag of an invalid operation, where flags are asked for.
    fn invalid_if(&self, condition: bool) -> u64 {
        if condition && self.flags.is_some() { INVALID } else { 0 }
    }

    /// Operating on a signalling NaN is invalid.
    fn signals(&self, format: Format, code: u64) -> u64 {
        if self.flags.is_some() { self.invalid_if(format.is_signaling(code)) } else { 0 }
    }

    /// Rounds an exact result of arithmetic.
    fn round(&self, value: Value, random: &mut Random) -> Rounded {
        let rounded = match value {
            Value::Finite(Exact { negative, n, k }) => match u64::try_from(n) {
                Ok(n) => self.round_finite(negative, &n, k, random),
                Err(_) => self.round_finite(negative, &n, k, random),
            },
            _ => Rounded { code: self.result.encode_by(value, &self.policy(random)), flags: 0 },
        };
        Rounded { code: self.settle(rounded.code), ..rounded }
    }

    /// The code of `(-1)^negative * n * 2^k`, `n` not 0.
    fn round_finite<N: Natural>(&self, negative: bool, n: &N, k: i32, random: &mut Random) -> Rounded {
        let policy = self.policy(random);
        let flags = match (self.flags, self.result) {
            (Some(tininess), Format::Float(float)) => float.exceptions(negative, n, k, &policy, tininess),
            (Some(_), Format::Posit(_)) | (None, _) => 0,
        };
        Rounded { code: self.result.encode_finite(negative, n, k, &policy), flags }
    }

    /// How the next rounding goes.
    fn policy(&self, random: &mut Random) -> Policy {
        Policy {
            rounding: self.rounding,
            overflow: self.overflow,
            posit_range: self.posit_range,
            random: random.take(self.rounding.random_bits()),
        }
    }

    /// Arithmetic gives the positive code where the sign of a zero or NaN means nothing (DLFloat16).
    fn settle(&self, code: u64) -> u64 {
        if !self.result.ignores_sign_of_specials() {
            return code;
        }
        let magnitude = code & self.result.magnitude_mask();
        let sign_is_free = magnitude == 0 || self.result.is_nan(code);
        if sign_is_free { magnitude } else { code }
    }

    /// The conversion of code `x`, which stands for `value`.
    fn convert(&self, x: u64, value: Value, mut random: Random) -> Rounded {
        let signals = self.signals(self.operand, x);
        if let Some(code) = self.converted_nan_payload(x) {
            return Rounded { code, flags: signals };
        }
        let rounded = match value {
            Value::Finite(Exact { negative, n, k }) => match u64::try_from(n) {
                Ok(n) => self.round_finite(negative, &n, k, &mut random),
                Err(_) => self.round_finite(negative, &n, k, &mut random),
            },
            _ => Rounded { code: self.result.encode_by(value, &self.policy(&mut random)), flags: 0 },
        };
        // The operand's sign passes through, on zero and NaN, too.
        let is_negative = self.operand.float().is_some() && x & self.operand.sign_mask() != 0;
        let sign = if self.result.ignores_sign_of_specials() && is_negative { self.result.sign_mask() } else { 0 };
        Rounded { code: rounded.code | sign, flags: rounded.flags | signals }
    }

    /// A NaN between IEEE 754 encodings keeps sign and payload if the result has room for it.
    fn converted_nan_payload(&self, x: u64) -> Option<u64> {
        let (Format::Float(from), Format::Float(to)) = (self.operand, self.result) else { return None };
        let keeps = from.nan == Nan::TopField && to.nan == Nan::TopField && to.trailing_bits >= from.trailing_bits;
        if !keeps || !from.is_nan(x) {
            return None;
        }
        let sign = if x & from.sign_mask() != 0 { to.sign_mask() } else { 0 };
        let payload = x & ((1 << from.trailing_bits) - 1);
        Some(sign | to.infinity_magnitude() | payload << (to.trailing_bits - from.trailing_bits))
    }

    /// The rounded product.
    fn product(&self, x: Value, y: Value, random: &mut Random) -> Rounded {
        let product = Value::product(x, y);
        let is_invalid = product == Value::Nan && x != Value::Nan && y != Value::Nan;
        self.round(product, random).with_flags(self.invalid_if(is_invalid))
    }

    /// The rounded sum.
    fn sum(&self, x: Value, y: Value, random: &mut Random) -> Rounded {
        use Value::*;
        let value = match (x, y) {
            (Finite(x), Finite(y)) => {
                let rounded = self.finite_sum(x, y, random);
                return Rounded { code: self.settle(rounded.code), ..rounded };
            }
            (Nan, _) | (_, Nan) => Nan,
            (Infinite { negative: s }, Infinite { negative: t }) if s != t => {
                return self.round(Nan, random).with_flags(self.invalid_if(true));
            }
            (inf @ Infinite { .. }, _) | (_, inf @ Infinite { .. }) => inf,
            (Zero { negative: s }, Zero { negative: t }) => Zero {
                // Zeros of unlike sign cancel like other numbers.
                negative: if self.rounding == Rounding::Rdn { s || t } else { s && t },
            },
            (Zero { .. }, finite) | (finite, Zero { .. }) => finite,
        };
        self.round(value, random)
    }

    /// The rounded sum of two nonzero values: both as integers in units of the smaller `2^k`, in the narrowest word that
    /// holds the sum.
    fn finite_sum(&self, x: Exact, y: Exact, random: &mut Random) -> Rounded {
        let (high, low) = if x.k >= y.k { (x, y) } else { (y, x) };
        let gap = (high.k - low.k) as u32;
        // Two bits to spare: one for the sign, one for the carry.
        let fits = |bits: u32| bit_length(high.n) + gap + 2 <= bits && bit_length(low.n) + 2 <= bits;
        if fits(u64::BITS) {
            let sum = signed(high.negative, (high.n as i64) << gap) + signed(low.negative, low.n as i64);
            return self.round_integer(sum < 0, &sum.unsigned_abs(), low.k, sum == 0, random);
        }
        if fits(u128::BITS) {
            let sum = signed(high.negative, (high.n as i128) << gap) + signed(low.negative, low.n as i128);
            return self.round_integer(sum < 0, &sum.unsigned_abs(), low.k, sum == 0, random);
        }
        let sum = (big(high) << gap) + big(low);
        let (sign, is_zero) = (sum.sign() == BigSign::Minus, sum.sign() == BigSign::NoSign);
        self.round_integer(sign, sum.magnitude(), low.k, is_zero, random)
    }

    /// The code of `n * 2^k`; an exact zero from nonzero values is +0, toward -infinity -0.
    fn round_integer<N: Natural>(&self, negative: bool, n: &N, k: i32, is_zero: bool, random: &mut Random) -> Rounded {
        if is_zero {
            return Rounded { code: self.result.zero_code(self.rounding == Rounding::Rdn), flags: 0 };
        }
        self.round_finite(negative, n, k, random)
    }

    /// The unit `posit-encoder`: the code of `(-1)^sign * significand * 2^exponent`, a little more if `sticky`.
    /// NaR goes before zero, zero before a number; the leading one counts as 1 whatever the port says.
    fn posit_from_parts(&self, words: &[u64], mut random: Random) -> u64 {
        let &[sign, zero, nar, exponent, significand, sticky] = words else {
            unreachable!("the inputs of posit-encoder");
        };
        let ports = encoder_ports(self.posit(), self.rounding);
        let value = if nar == 1 {
            Value::Nan
        } else if zero == 1 {
            Value::Zero { negative: false }
        } else {
            let fraction_bits = ports[4].width() - 1;
            let leading_one = 1 << fraction_bits;
            let exponent = sign_extended(exponent, ports[3].width());
            let n = u128::from(leading_one | significand) << 1 | u128::from(sticky);
            Value::Finite(Exact { negative: sign == 1, n, k: exponent - fraction_bits as i32 - 1 })
        };
        self.result.encode_by(value, &self.policy(&mut random))
    }
}

/// The outputs of `posit-decoder`.
fn decoder_ports(posit: &Posit) -> Vec<Port> {
    vec![
        Port::word("sign", 1, Kind::Bit),
        Port::word("zero", 1, Kind::Bit),
        Port::word("nar", 1, Kind::Bit),
        Port::word("exponent", posit.exponent_port_bits(), Kind::Signed),
        Port::word("significand", posit.precision(), Kind::Significand),
    ]
}

/// The inputs of `posit-encoder`: those outputs, with twice the exponent range (a product's), a guard bit below the
/// significand (or as many bits as are random), and whether anything is below that.
fn encoder_ports(posit: &Posit, rounding: Rounding) -> Vec<Port> {
    let mut ports = decoder_ports(posit);
    let below = rounding.random_bits().max(1);
    ports[3] = Port::word("exponent", posit.exponent_port_bits() + 1, Kind::Signed);
    ports[4] = Port::word("significand", posit.precision() + below, Kind::Significand);
    ports.push(Port::word("sticky", 1, Kind::Bit));
    ports
}

/// The outputs of `posit-decoder` for a code. Zero and NaR have significand 0, and the exponent of a regime of `n - 1` zeros;
/// the sign is the code's top bit.
fn posit_parts(posit: &Posit, code: u64) -> u64 {
    let negative = code & posit.nar() != 0;
    let magnitude = posit.with_sign(negative, code) & posit.max_code();
    let fields = posit.take_apart(magnitude);
    let is_number = magnitude != 0;
    let exponent = (fields.regime << posit.exponent_bits) + fields.exponent + posit.scale;
    let significand = if is_number { 1 << fields.fraction_bits | fields.fraction } else { 0 };
    // Shorter fractions stand at the top.
    let significand = significand << (posit.precision() - 1 - fields.fraction_bits.min(posit.precision() - 1));
    let (sign, exponent_bits) = (u64::from(negative), posit.exponent_port_bits());
    let (zero, nar) = (!is_number && !negative, !is_number && negative);
    let exponent = exponent as u64 & ((1 << exponent_bits) - 1);
    sign | u64::from(zero) << 1 | u64::from(nar) << 2 | (exponent | significand << exponent_bits) << 3
}

/// The number that the lowest `width` bits spell in two's complement.
fn sign_extended(word: u64, width: u32) -> i32 {
    let unused = u64::BITS - width;
    ((word << unused) as i64 >> unused) as i32
}

impl Random {
    /// The next `bits` bits.
    fn take(&mut self, bits: u32) -> u64 {
        let word = self.0 & ((1 << bits) - 1);
        self.0 >>= bits;
        word
    }
}

impl Rounded {
    fn with_flags(self, flags: u64) -> Rounded {
        Rounded { flags: self.flags | flags, ..self }
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
