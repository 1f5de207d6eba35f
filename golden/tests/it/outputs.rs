//! Results besides a single rounded code: the output conversion of accumulators, and the units that split posits into
//! parts and assemble them, against the list of posit values (`common/posits.rs`).

use crate::common::line::Number;
use crate::common::posits::Posits;
use crate::common::{self, DIRECTIONS, Random, codes, format};
use crate::common::{words, y};
use binade_golden::{Codec, Exact, Model, Policy, Value};
use binade_spec::{
    Activation, Column, ColumnMut, Format, Function, Kind, OfFunction, Operation, OutputConversion, Overflow,
    PositRange, Rounding, Selection, Setting, Significand, Tininess, Unit,
};
use num_bigint::BigUint;

/// `unit` with and without the output conversion, and the conversion alone.
struct Converted {
    whole: Operation,
    accumulation: Operation,
    conversion: Operation,
}

impl Converted {
    fn new(whole: Operation, output: &str, activation: Option<Activation>) -> Converted {
        let format = format(output);
        let rounding = if output == "dlfloat16" { Rounding::Rnu } else { whole.rounding };
        let (unit, kind) = match activation {
            Some(Activation::Function(function)) => (Unit::Function, Kind::Function(OfFunction { function })),
            Some(Activation::Relu) | None => (Unit::Convert, Kind::Plain),
        };
        Converted {
            whole: Operation { output: Some(OutputConversion { format, activation }), ..whole },
            accumulation: whole,
            conversion: Operation { unit, kind, operand: whole.result, result: format, rounding, ..whole },
        }
    }

    /// The accumulator that is converted: a negative one becomes +0 where there is a ReLU, NaN stays.
    fn activated(&self, y: u64) -> u64 {
        let accumulator = self.whole.result;
        let is_rectified = self.whole.output.expect("there is one").activation == Some(Activation::Relu);
        let is_negative = y & accumulator.sign_mask() as u64 != 0 && !accumulator.is_nan(y.into());
        if is_rectified && is_negative { 0 } else { y }
    }

    /// `y` as without the conversion, `y_out` as the conversion of it, the flags of both together. The roundings take their
    /// random bits one after the other.
    fn check(&self, operands: [u64; 3], random: u64) {
        let with_random = |operation: &Operation, operands: &[u64], random: u64| {
            let bits = operation.random_bits();
            let random = if bits > 0 { vec![random & ((1 << bits) - 1)] } else { vec![] };
            words(operation, &[operands, &random].concat())
        };
        let got = with_random(&self.whole, &operands, random);
        let mut want = with_random(&self.accumulation, &operands, random);
        let rest = random >> self.accumulation.random_bits();
        let out = with_random(&self.conversion, &[self.activated(want[0])], rest);
        want.insert(1, out[0]);
        if let (Some(flags), Some(more)) = (want.get_mut(2), out.get(1)) {
            // Only functions have the flag of a division by zero, below invalid.
            let is_wider = self.conversion.unit == Unit::Function;
            let of_sum = if is_wider { *flags & 0b111 | (*flags & 0b1000) << 1 } else { *flags };
            *flags = of_sum | more;
        }
        assert_eq!(got, want, "{:?} {operands:x?} {random:#x}", self.whole);
    }

    fn check_some(&self, count: u32) {
        let mut random = Random(count.into());
        let names: Vec<&str> = self.whole.outputs().iter().map(|port| port.name).collect();
        let flags = if self.whole.flags.is_some() { &["flags"][..] } else { &[] };
        assert_eq!(names, [&["y", "y_out"], flags].concat());
        for _ in 0..count {
            let (a, b) = (random.code(self.whole.operand), random.code(self.whole.operand));
            self.check([a, b, random.code(self.whole.result)], random.bits());
        }
    }
}

fn accumulation(unit: Unit, operand: &str, accumulator: &str) -> Operation {
    Operation::new(unit, format(operand), format(accumulator))
}

/// Every fixed rounding and overflow policy, with and without ReLU, to formats with and without infinity, NaN and -0.
#[test]
fn output_conversions() {
    let outputs =
        ["e5m2", "e4m3fn", "e3m2f", "k8p3se", "k8p3ue", "e5m2b1", "binary32", "dlfloat16", "posit8_2", "e8m0"];
    for output in outputs {
        for (rounding, overflow) in common::ways(false) {
            for activation in [None, Some(Activation::Relu)] {
                let fmac = accumulation(Unit::Fmac, "e4m3fn", "binary16");
                let whole = Operation { rounding: *rounding, overflow: *overflow, ..fmac };
                Converted::new(whole, output, activation).check_some(300);
            }
        }
    }
}

/// `mac`, accumulators of other families, and posits with zero and NaR beyond their range.
#[test]
fn output_conversions_of_other_accumulators() {
    for (operand, accumulator, output) in [
        ("e5m2", "binary32", "bfloat16"),
        ("k8p3se", "k12p6se", "k8p3se"),
        ("e5m2b1", "e5m2b1", "e4m3b2"),
        ("posit8_0", "posit16_1", "posit8_0"),
        ("posit8_2", "binary16", "posit8_1"),
        ("dlfloat16", "dlfloat16", "e4m3fn"),
    ] {
        let ways = [Unit::Fmac, Unit::Mac].map(|unit| [(unit, None), (unit, Some(Activation::Relu))]);
        for (unit, activation) in ways.into_iter().flatten() {
            for posit_range in PositRange::ALL {
                let whole = Operation { posit_range, ..accumulation(unit, operand, accumulator) };
                Converted::new(whole, output, activation).check_some(2_000);
            }
        }
    }
}

/// Random bits of the product, the sum and the conversion, in this order from the lowest bit.
#[test]
fn stochastic_output_conversions() {
    for (unit, roundings) in [(Unit::Fmac, 2), (Unit::Mac, 3)] {
        let whole = Operation { rounding: Rounding::Sr(5), ..accumulation(unit, "e5m2", "binary16") };
        let relu = Some(Activation::Relu);
        for (output, activation) in [("e4m3fn", None), ("e5m2", relu), ("posit8_1", relu)] {
            let converted = Converted::new(whole, output, activation);
            assert_eq!(converted.whole.random_bits(), roundings * 5);
            converted.check_some(20_000);
        }
    }
}

/// A second output that is a function of the accumulator, rounded once, with the flags of both.
#[test]
fn functions_of_accumulators() {
    let functions = Function::ALL.map(Activation::Function);
    for (turn, function) in functions.into_iter().enumerate() {
        for (operand, accumulator, output) in [
            ("e5m2", "binary16", "e5m2"),
            ("e4m3fn", "bfloat16", "binary16"),
            ("posit8_0", "posit16_1", "posit8_0"),
            ("k8p3se", "k12p6se", "k8p3se"),
            ("e2m1f", "e3m3", "e4m3"),
        ] {
            let unit = if turn.is_multiple_of(2) { Unit::Fmac } else { Unit::Mac };
            let plain = accumulation(unit, operand, accumulator);
            let rounding = [Rounding::Rne, Rounding::Rdn, Rounding::Rto][turn % 3];
            Converted::new(Operation { rounding, ..plain }, output, Some(function)).check_some(500);
            if plain.result.has_flags() {
                let flags = Some(Tininess::ALL[turn % 2]);
                Converted::new(Operation { flags, ..plain }, output, Some(function)).check_some(500);
            }
        }
        let drawn = Operation { rounding: Rounding::Sr(3), ..accumulation(Unit::Fmac, "e2m1f", "e4m3") };
        Converted::new(drawn, "e5m2", Some(function)).check_some(500);
    }
}

/// The flags of the sum and of the conversion are combined.
#[test]
fn flags_of_output_conversions() {
    for tininess in Tininess::ALL {
        for rounding in DIRECTIONS {
            let fmac = accumulation(Unit::Fmac, "e4m3fn", "binary16");
            let whole = Operation { rounding, flags: Some(tininess), ..fmac };
            Converted::new(whole, "e5m2", None).check_some(5_000);
            Converted::new(whole, "e5m2n", Some(Activation::Relu)).check_some(5_000);
        }
    }
}

/// ReLU on 1 * x + -0: -0, -infinity and other negative numbers become +0, NaN and the rest are kept; `y` never
/// changes.
#[test]
fn relu() {
    let (half, one) = (format("binary16"), 0x3c00);
    let output = Some(OutputConversion { format: half, activation: Some(Activation::Relu) });
    let fmac = Operation { output, ..Operation::new(Unit::Fmac, half, half) };
    for (x, out) in [
        (0x8000, 0),
        (0x8001, 0),
        (0xbc00, 0),
        (0xfbff, 0),
        (0xfc00, 0),
        (0, 0),
        (0x3c00, 0x3c00),
        (0x7c00, 0x7c00),
        (0x7e00, 0x7e00),
        (0xfe00, 0x7e00),
    ] {
        let y = if half.is_nan(x.into()) { 0x7e00 } else { x };
        assert_eq!(words(&fmac, &[one, x, 0x8000]), [y, out], "{x:#x}");
    }
}

/// Every code of a posit, split into parts: sign, whether it is zero, NaR or a number, and 2^exponent times the significand. Its magnitude is
/// a leading one followed by as many bits as the shortest regime leaves; in two's complement, its two top bits differ.
fn check_decoder(posits: &Posits, form: Significand) {
    let selection = Selection::new(Unit::PositDecoder, format(&posits.name));
    let unit = Selection { significand: Some(form), ..selection }.operation().unwrap();
    let ports = unit.outputs();
    let names: Vec<&str> = ports.iter().map(|port| port.name).collect();
    assert_eq!(names, ["sign", "zero", "nar", "exponent", "significand"]);
    let is_signed = form == Significand::TwosComplement;
    let fraction_bits = ports[4].width() as i32 - if is_signed { 2 } else { 1 };
    for code in codes(unit.operand) {
        let words = words(&unit, &[code]);
        let &[sign, zero, nar, exponent, significand] = words.as_slice() else { panic!("five words") };
        let k = two_s_complement(exponent, ports[3].width()) - fraction_bits;
        match posits.decode(code) {
            Number::Real { magnitude, .. } if magnitude == BigUint::ZERO => {
                assert_eq!((sign, zero, nar, significand), (0, 1, 0, 0), "{}", posits.name);
            }
            number @ Number::Real { .. } => {
                let (top, n) = match is_signed {
                    true if sign == 1 => (0b10, two_s_complement(significand, ports[4].width()).unsigned_abs().into()),
                    true | false => (0b01, significand.into()),
                };
                assert_eq!((zero, nar, significand >> fraction_bits), (0, 0, top), "{} {code:#x}", posits.name);
                let value = Value::Finite(Exact { negative: sign == 1, n, k });
                assert_eq!(value, number.value(), "{} {code:#x}", posits.name);
            }
            _ => assert_eq!((sign, zero, nar, significand), (1, 0, 1, 0), "{}", posits.name),
        }
    }
}

fn two_s_complement(word: u64, bits: u32) -> i32 {
    let sign = 1 << (bits - 1);
    (word ^ sign) as i32 - sign as i32
}

fn encoder(name: &str, (rounding, posit_range): (Rounding, PositRange)) -> Operation {
    Operation { rounding, posit_range, ..Operation::new(Unit::PositEncoder, format(name), format(name)) }
}

/// The decoder's outputs, with guard bit 0 and no sticky bit, are encoded to the same code in any rounding.
fn check_round_trip(posits: &Posits) {
    let decoder = Operation::new(Unit::PositDecoder, format(&posits.name), format(&posits.name));
    let exponent_bits = decoder.outputs()[3].width();
    for rounding in DIRECTIONS {
        for posit_range in PositRange::ALL {
            let encoder = encoder(&posits.name, (rounding, posit_range));
            let ports = encoder.inputs();
            assert_eq!((ports[3].width(), ports[4].width()), (exponent_bits + 1, decoder.outputs()[4].width() + 1));
            for code in codes(decoder.operand) {
                let mut words = words(&decoder, &[code]);
                words[3] = two_s_complement(words[3], exponent_bits) as u64 & ((1 << ports[3].width()) - 1);
                words[4] <<= 1;
                words.push(0);
                assert_eq!(y(&encoder, &words), code, "{} {rounding} {posit_range}", posits.name);
            }
        }
    }
}

/// Every posit of up to 12 bits, and some scaled ones.
#[test]
fn posits_taken_apart_and_put_together() {
    for (bits, exponent_bits) in (3..=12).flat_map(|bits| (0..=5).map(move |exponent_bits| (bits, exponent_bits))) {
        let posits = Posits::new(bits, exponent_bits, 0);
        Significand::ALL.iter().for_each(|&form| check_decoder(&posits, form));
        check_round_trip(&posits);
    }
    for scale in [-40, -1, 3, 99] {
        let posits = Posits::new(8, 1, scale);
        Significand::ALL.iter().for_each(|&form| check_decoder(&posits, form));
        check_round_trip(&posits);
    }
}

/// Parts with any exponent and significand represent their number, plus a little more with sticky, whatever its size.
fn check_encoder(name: &str, count: u32) {
    let mut random = Random(count.into());
    let format = format(name);
    for rounding in DIRECTIONS {
        for posit_range in PositRange::ALL {
            let encoder = encoder(name, (rounding, posit_range));
            let [exponent_bits, significand_bits] = [3, 4].map(|port| encoder.inputs()[port].width());
            for _ in 0..count {
                let [sign, sticky] = [(); 2].map(|()| random.below(2));
                let exponent = random.below(1 << exponent_bits);
                let leading_one = 1 << (significand_bits - 1);
                let significand = leading_one | random.below(leading_one);
                let got = y(&encoder, &[sign, 0, 0, exponent, significand, sticky]);
                let k = two_s_complement(exponent, exponent_bits) - (significand_bits as i32 - 1) - 3;
                let more: &[u128] = if sticky == 1 { &[1, 4, 7] } else { &[0] };
                for eighths in more {
                    let value =
                        Value::Finite(Exact { negative: sign == 1, n: u128::from(significand) * 8 + eighths, k });
                    let policy = Policy { posit_range, ..Policy::new(rounding, Overflow::Inf) };
                    assert_eq!(got, format.encode_by(value, &policy) as u64, "{name} {rounding} {posit_range} {value}");
                }
            }
        }
    }
}

/// Posits of every size, against the rounding of the exact value.
#[test]
fn parts_are_rounded_like_their_value() {
    for name in ["posit3_0", "posit5_5", "posit8_0", "posit8_2", "posit12_1", "posit16_3", "posit32_2", "posit32_5"] {
        check_encoder(name, 3_000);
    }
    check_encoder("posit8_1,scale=2^-20", 3_000);
}

/// NaR takes precedence over zero, and zero over the number on the other ports.
#[test]
fn special_parts() {
    let encoder = encoder("posit8_1", (Rounding::Rne, PositRange::Saturate));
    let code = |sign, zero, nar| y(&encoder, &[sign, zero, nar, 3, 0x2a, 1]);
    for sign in [0, 1] {
        assert_eq!((code(sign, 0, 1), code(sign, 1, 1), code(sign, 1, 0)), (0x80, 0x80, 0));
    }
    let format: Format = encoder.result;
    assert_eq!(code(1, 0, 0), (format.negated(code(0, 0, 0).into())) as u64);
}

/// Every unit, plain and with flags, random bits and an output conversion, in columns long enough for tables of all
/// codes and too short for them. Each row equals a single evaluation.
#[test]
fn columns_are_single_vectors() {
    let check = |operation: Operation| {
        check_columns(&operation, 20);
        check_columns(&operation, 600);
    };
    for unit in [Unit::Convert, Unit::Mul, Unit::Add, Unit::Fmac, Unit::Mac] {
        for (operand, result) in
            [("e4m3", "e4m3"), ("binary16", "e5m2"), ("posit8_1", "posit16_1"), ("posit8_0", "binary16")]
        {
            let result = if matches!(unit, Unit::Mul | Unit::Add) { operand } else { result };
            let plain = Operation::new(unit, format(operand), format(result));
            let output = unit
                .takes(Setting::Acc)
                .then(|| OutputConversion { format: format("e5m2"), activation: Some(Activation::Relu) });
            let flags = plain.result.float().map(|_| Tininess::After);
            check(plain);
            check(Operation { output, flags, rounding: Rounding::Sr(7), ..plain });
        }
    }
    let posit = format("posit16_2");
    check(Operation::new(Unit::Decode, posit, Format::binary32()));
    check(Operation::new(Unit::Encode, Format::binary32(), posit));
    [Unit::PositDecoder, Unit::PositEncoder].into_iter().for_each(|unit| check(Operation::new(unit, posit, posit)));
}

/// The first two columns, factors, hold each word for three rows.
fn check_columns(operation: &Operation, rows: usize) {
    let mut random = Random(rows as u64);
    let ports = operation.inputs();
    let columns: Vec<Vec<u64>> = (0..ports.len())
        .map(|port| {
            let mask = u64::MAX >> (64 - ports[port].width());
            let hold = if port < 2 { 3 } else { 1 };
            let words: Vec<u64> = (0..rows).map(|_| random.bits() & mask).collect();
            (0..rows).map(|row| words[row / hold]).collect()
        })
        .collect();
    let mut results = vec![vec![0; rows]; operation.outputs().len()];
    let inputs: Vec<Column> = columns.iter().map(|words| Column::narrow(words)).collect();
    let mut outputs: Vec<ColumnMut> = results.iter_mut().map(|words| ColumnMut::narrow(words)).collect();
    Model::new(operation).evaluate_columns(&inputs, &mut outputs);
    for row in 0..rows {
        let vector: Vec<u64> = columns.iter().map(|column| column[row]).collect();
        let got: Vec<u64> = results.iter().map(|column| column[row]).collect();
        assert_eq!(got, words(operation, &vector), "{operation:?} {vector:x?}");
    }
}
