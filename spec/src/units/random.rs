//! `random`: pseudorandom words, one per clock, such as stochastic rounding reads from its port `random_bits`.

use super::{Definition, Meaning};
use crate::rounding::{by_name, named};
use crate::{
    Algorithm, Format, Kind, Operation, OperationError, Port, Random, Selection, Setting, StateWord, Unit, WordKind,
};
use serde::Serialize;
use std::{fmt, str::FromStr};

/// The algorithm of a generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Generator {
    /// A 16-bit linear feedback shift register that shifts by the word size.
    #[default]
    Lfsr16,
    /// A 32-bit one.
    Lfsr32,
    /// xoshiro128++ by Blackman and Vigna ("Scrambled linear pseudorandom number generators", 2021).
    #[serde(rename = "xoshiro128++")]
    Xoshiro128,
}

impl Generator {
    /// All generators, the smallest first.
    pub const ALL: [Generator; 3] = [Generator::Lfsr16, Generator::Lfsr32, Generator::Xoshiro128];

    /// The generator's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Generator::Lfsr16 => "lfsr16",
            Generator::Lfsr32 => "lfsr32",
            Generator::Xoshiro128 => "xoshiro128++",
        }
    }

    /// Bits of the state.
    pub fn state_bits(self) -> u32 {
        match self {
            Generator::Lfsr16 => 16,
            Generator::Lfsr32 => 32,
            Generator::Xoshiro128 => 128,
        }
    }

    /// The most bits of a word.
    pub fn most_bits(self) -> u32 {
        self.state_bits().min(32)
    }

    /// The tap positions of a shift register, counted from 1: the exponents of a primitive polynomial.
    pub fn taps(self) -> Option<[u32; 4]> {
        match self {
            Generator::Lfsr16 => Some([16, 15, 13, 4]),
            Generator::Lfsr32 => Some([32, 22, 2, 1]),
            Generator::Xoshiro128 => None,
        }
    }

    /// The state after a reset: the first bits of the fraction of pi.
    pub fn reset(self) -> u128 {
        0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344 >> (128 - self.state_bits())
    }

    /// The period of words of this many bits.
    pub fn period(self, bits: u32) -> u128 {
        let states = u128::MAX >> (128 - self.state_bits());
        match self.taps() {
            Some(_) => states / greatest_common_divisor(states, bits.into()),
            None => states,
        }
    }
}

named!(Generator);

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// A placeholder for the format of a unit without one.
pub(crate) const NO_FORMAT: fn() -> Format = Format::binary32;

/// The default number of bits of a word.
pub(crate) const DEFAULT_BITS: u32 = 8;

pub(super) const RANDOM: Definition = Definition {
    name: "random",
    settings: &[Setting::Algorithm, Setting::Bits],
    formats,
    kind: || Kind::Random(Random::default()),
    resolve,
    inputs: |operation| ports(operation.generator()).into(),
    outputs: |operation| vec![Port::word("random_bits", operation.word_bits(), WordKind::Generated)],
    meaning: |operation| Meaning::Machine(vec![state(operation.generator())]),
    module: |operation| format!("random{}_{}", operation.word_bits(), operation.generator().name().replace("++", "pp")),
    about: Some(about),
};

fn formats(selection: &Selection) -> Result<[Format; 2], OperationError> {
    let format = selection.format;
    match format == NO_FORMAT() {
        true => Ok([format; 2]),
        false => Err(OperationError::FormatUnused { unit: Unit::Random }),
    }
}

/// The ports that seed a generator.
pub(crate) fn ports(generator: Generator) -> [Port; 2] {
    [Port::word("seed", generator.state_bits() - 1, WordKind::Seed), Port::word("load", 1, WordKind::Bit)]
}

/// The state of a generator.
pub(crate) fn state(generator: Generator) -> StateWord {
    let (width, reset) = (generator.state_bits(), generator.reset());
    StateWord { name: "state", width, lanes: 1, kind: WordKind::Generated, reset }
}

impl Operation {
    /// The same unit with its random word on a port.
    pub fn with_random_port(&self) -> Operation {
        Operation { has_internal_random: false, ..*self }
    }

    /// The generator in a unit with internal random words: the smallest with long enough words.
    pub fn internal_generator(&self) -> Option<Generator> {
        if !self.has_internal_random {
            return None;
        }
        let bits = self.with_random_port().random_bits();
        Some(if bits <= Generator::Lfsr16.most_bits() { Generator::Lfsr16 } else { Generator::Lfsr32 })
    }

    /// A description of how the unit generates random words, as lines for the header of its Verilog.
    pub fn about_random(&self) -> Vec<String> {
        let lines = |generator| {
            generator_lines(generator, self.with_random_port().random_bits(), "the random bits of the roundings")
        };
        self.internal_generator().map_or(vec![], lines)
    }
}

/// The generator must support the word size.
fn resolve(selection: &Selection, operation: Operation) -> Result<Operation, OperationError> {
    let generator = match selection.algorithm {
        Some(Algorithm::Random(generator)) => generator,
        Some(Algorithm::Update(_)) | None => Generator::default(),
    };
    match selection.word_bits.unwrap_or(DEFAULT_BITS) {
        bits if bits > generator.most_bits() => Err(OperationError::TooManyRandomBits { generator, bits }),
        word_bits => Ok(Operation { kind: Kind::Random(Random { generator, word_bits }), ..operation }),
    }
}

/// Checks that a unit can generate its random words.
pub(crate) fn check_internal(operation: &Operation) -> Result<(), OperationError> {
    let most = Generator::Lfsr32.most_bits();
    if !operation.has_internal_random {
        return Ok(());
    }
    match operation.with_random_port().random_bits() {
        0 => Err(OperationError::InternalRandomUnused),
        bits if bits > most => Err(OperationError::TooManyInternalBits { bits, most }),
        _ => Ok(()),
    }
}

fn about(operation: &Operation) -> Vec<String> {
    generator_lines(operation.generator(), operation.word_bits(), "random_bits")
}

/// A description of how a generator makes words of this many bits; `called` names the words.
fn generator_lines(generator: Generator, bits: u32, called: &str) -> Vec<String> {
    let width = generator.state_bits();
    let mut lines = match generator.taps() {
        Some(taps) => vec![
            format!(
                "Linear feedback shift register of {width} bits with taps {taps:?}, shifted by {bits} in every clock that takes"
            ),
            format!("operands; {called}: its lowest {bits} bits, so that no bit is in two words."),
        ],
        None => vec![
            "xoshiro128++ (Blackman and Vigna), one step in every clock that takes operands;".into(),
            format!("{called}: the highest {bits} of the 32 bits of its word."),
        ],
    };
    lines.push(format!("Words repeat after {} of them.", period(generator, bits)));
    lines.push(format!(
        "State: {:#x} after a reset; with load, {{seed, 1'b1}} from the next clock on, so it never is 0.",
        generator.reset()
    ));
    lines
}

fn period(generator: Generator, bits: u32) -> String {
    match generator.taps() {
        Some(_) => generator.period(bits).to_string(),
        None => "2^128 - 1".into(),
    }
}
