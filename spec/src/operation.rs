//! A unit with all that decides its output bits, and its ports.

use crate::port::{FLAG_BITS, WordKind, decoder_ports, encoder_ports};
use crate::{Format, Overflow, Port, Posit, PositRange, Rounding, Tininess, Unit};

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
            ports.push(Port::word("rand", self.random_bits(), WordKind::Random));
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
        ports.extend(self.flags.map(|_| Port::word("flags", FLAG_BITS, WordKind::Flags)));
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
        let roundings = match self.unit {
            Unit::PositDecoder => 0,
            Unit::Mac => 2,
            _ => 1,
        };
        let output = self.output.map_or(0, |output| self.output_conversion(&output).rounding.random_bits());
        roundings * self.rounding.random_bits() + output
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
    pub fn posit(&self) -> &Posit {
        self.operand.posit().expect("posit units have posit formats")
    }
}
