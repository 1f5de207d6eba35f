//! `random`: pseudorandom words, one per clock, such as stochastic rounding reads from its port `random_bits`.

use super::{Definition, Facts, MachineFunction, Meaning, OnPorts};
use crate::kind::DEFAULT_BITS;
use crate::{
    Algorithm, Format, Generator, Kind, Operation, OperationError, Port, Random, Selection, Setting, Unit, WordKind,
};

/// A placeholder for the format of a unit without one.
pub(super) const NO_FORMAT: fn() -> Format = Format::binary32;

pub(super) const RANDOM: Definition = Definition {
    name: "random",
    facts: Facts { multiplies: false, computes_digits: false, format_is_result: false, on_ports: OnPorts::Nothing },
    settings: &[Setting::Algorithm, Setting::Bits],
    formats,
    kind: || Kind::Random(Random::default()),
    resolve,
    inputs: |operation| operation.settings::<Random>().generator.ports().into(),
    outputs: |operation| vec![Port::word("random_bits", operation.settings::<Random>().word_bits, WordKind::Generated)],
    meaning: |operation| {
        Meaning::Machine(MachineFunction::Random, vec![operation.settings::<Random>().generator.state()])
    },
    module: |operation| {
        let Random { generator, word_bits } = operation.settings();
        format!("random{word_bits}_{}", generator.name().replace("++", "pp"))
    },
    about: Some(about),
};

fn formats(selection: &Selection) -> Result<[Format; 2], OperationError> {
    let format = selection.format;
    match format == NO_FORMAT() {
        true => Ok([format; 2]),
        false => Err(OperationError::FormatUnused { unit: Unit::Random }),
    }
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

fn about(operation: &Operation) -> Vec<String> {
    let Random { generator, word_bits } = operation.settings();
    generator_lines(generator, word_bits, "random_bits")
}

/// A description of how a generator makes words of this many bits; `called` names the words.
fn generator_lines(generator: Generator, bits: u32, called: &str) -> Vec<String> {
    let width = generator.state_bits();
    let mut lines = match generator.taps() {
        Some(taps) => vec![
            format!(
                "Linear feedback shift register of {width} bits with taps {taps:?}, shifted by {bits} in each clock that takes"
            ),
            format!("operands; {called}: its lowest {bits} bits. No bit is in two words."),
        ],
        None => vec![
            "xoshiro128++ (Blackman and Vigna), one step in each clock that takes operands;".into(),
            format!("{called}: the highest {bits} of the 32 bits of its word."),
        ],
    };
    lines.push(format!("The sequence repeats after {} words.", period(generator, bits)));
    lines.push(format!(
        "State: {:#x} after a reset; load sets it to {{seed, 1'b1}} from the next clock on. It is never 0.",
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
