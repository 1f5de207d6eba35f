//! The contents of ports.

use crate::{Format, Posit, Rounding, Significand, Word};

/// An input or output of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// The name of the port in Verilog and in reports.
    pub name: &'static str,
    /// The content of each lane.
    pub content: Content,
    /// The number of lanes, the first one lowest.
    pub lanes: u32,
}

/// The content of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A code of a format.
    Code(Format),
    /// A code in the lowest bits.
    Chosen {
        /// Its formats, by the value of port `fmt`; without that port, its format.
        formats: &'static [Format],
        /// The bits of the lane if codes are NaN-boxed; else the bits above a code are ignored in operands and 0 in results.
        boxing: Option<u32>,
    },
    /// A word of this many bits.
    Word {
        /// Bits of the word.
        width: u32,
        /// The meaning of the bits.
        kind: WordKind,
    },
}

/// The meaning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// Random bits, `k` for each rounding, those of the first rounding lowest.
    Random,
    /// The rounding of this operation, in RISC-V's codes.
    RoundingMode,
    /// The formats of this operation.
    Choice,
    /// Which sign `sgnj` gives.
    SignOperation,
    /// Exception flags: [`FLAG_BITS`] of them, or [`DIVISION_FLAG_BITS`].
    Flags,
    /// A truth value: what a 1 says.
    Bit(&'static str),
    /// A number in two's complement.
    Signed,
    /// The bits of a generator's state above the lowest bit, which is 1.
    Seed,
    /// Pseudorandom bits.
    Generated,
    /// A count.
    Count,
    /// Digits of a number in two's complement.
    Digits,
    /// A sum of posit products in two's complement; NaR is 1 followed by zeros.
    Quire,
    /// The exponent of a power of two, plus 127.
    Exponent,
    /// The leading one, with fraction bits below it.
    Significand,
    /// Whether any bit below the significand is 1.
    Sticky,
    /// One bit per class.
    Classes,
}

impl WordKind {
    /// A short description of the word.
    pub fn about(self) -> &'static str {
        match self {
            WordKind::Random => "random bits; those of the first rounding are lowest",
            WordKind::RoundingMode => "rounding: 0 rne, 1 rtz, 2 rdn, 3 rup, 4 to 7 rna",
            WordKind::Choice => "number of the formats of this operation, from 0",
            WordKind::SignOperation => "sign: 0 that of b, 1 the opposite, 2 and 3 the product of both",
            WordKind::Flags => "invalid, overflow, underflow, inexact",
            WordKind::Bit(says) => says,
            WordKind::Signed => "two's complement",
            WordKind::Seed => "bits of the state above the lowest bit, which becomes 1",
            WordKind::Generated => "pseudorandom bits",
            WordKind::Count => "number",
            WordKind::Digits => "digits of a number in two's complement",
            WordKind::Quire => "sum in two's complement, NaR 100..0",
            WordKind::Exponent => "exponent + 127",
            WordKind::Significand => "leading one and fraction",
            WordKind::Sticky => "1 if any bit below the significand is 1",
            WordKind::Classes => "one bit per class",
        }
    }
}

impl Port {
    /// A port with one code.
    pub fn code(name: &'static str, format: Format) -> Port {
        Port { name, content: Content::Code(format), lanes: 1 }
    }

    /// A port with one word.
    pub fn word(name: &'static str, width: u32, kind: WordKind) -> Port {
        Port { name, content: Content::Word { width, kind }, lanes: 1 }
    }

    /// Bits of the port.
    pub fn width(&self) -> u32 {
        self.lanes * self.lane_width()
    }

    /// Bits of one lane.
    pub fn lane_width(&self) -> u32 {
        match self.content {
            Content::Code(format) => format.width(),
            Content::Chosen { formats, boxing } => {
                boxing.unwrap_or_else(|| formats.iter().map(Format::width).max().unwrap_or(0))
            }
            Content::Word { width, .. } => width,
        }
    }

    /// The format of the codes, if it carries codes.
    pub fn format(&self) -> Option<Format> {
        match self.content {
            Content::Code(format) => Some(format),
            Content::Chosen { .. } | Content::Word { .. } => None,
        }
    }

    /// The bits of a lane into which codes are NaN-boxed, if they are.
    pub fn boxing(&self) -> Option<u32> {
        match self.content {
            Content::Chosen { boxing, .. } => boxing,
            Content::Code(_) | Content::Word { .. } => None,
        }
    }

    /// A word of this port, with its codes in the lanes of another port, of which one is wider. NaN-boxed codes leave and get their
    /// boxes: the bits above a code are ones, and a code below others is the canonical NaN.
    pub fn moved(&self, word: &Word, to: &Port) -> Word {
        if self.lane_width() == to.lane_width() {
            return word.clone();
        }
        let one = Word::from(1_u32);
        let mask = (&one << self.lane_width()) - 1_u32;
        let lane = |lane: u32| self.moved_lane(&((word >> (lane * self.lane_width())) & &mask), to);
        (0..self.lanes).fold(Word::ZERO, |all, at| all | lane(at) << (at * to.lane_width()))
    }

    fn moved_lane(&self, word: &Word, to: &Port) -> Word {
        let [narrow, wide] = [self, to].map(Port::lane_width);
        let ones = |bits: u32| (Word::from(1_u32) << bits) - 1_u32;
        match (self.boxing(), to.boxing()) {
            (None, None) => word & &ones(wide),
            (Some(_), _) if word >> wide != ones(narrow - wide) => to.canonical_nan().into(),
            (Some(_), _) => word & &ones(wide),
            (None, Some(_)) => word | ones(wide - narrow) << narrow,
        }
    }

    /// [`Port::moved`] for ports with one lane of up to 64 bits.
    pub fn moved_code(&self, word: u64, to: &Port) -> u64 {
        let [from_bits, to_bits] = [self, to].map(Port::lane_width);
        let ones = |bits: u32| u64::MAX >> (u64::BITS - bits);
        match (self.boxing(), to.boxing()) {
            _ if from_bits == to_bits => word,
            (Some(_), _) if word >> to_bits != ones(from_bits - to_bits) => to.canonical_nan() as u64,
            (None, Some(_)) => word | ones(to_bits) ^ ones(from_bits),
            _ => word & ones(to_bits),
        }
    }

    fn canonical_nan(&self) -> u128 {
        self.format().and_then(|format| format.nan_code()).expect("a format with a NaN is boxed")
    }

    /// A description: the format, or the meaning of the word.
    pub fn about(&self) -> String {
        match self.content {
            Content::Code(format) if self.lanes > 1 => format!("{} lanes of {format}, the first lowest", self.lanes),
            Content::Code(format) => format.to_string(),
            Content::Chosen { formats, boxing } => {
                let mut names: Vec<String> = vec![];
                for name in formats.iter().map(Format::to_string) {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                let lanes = if self.lanes > 1 { format!("{} lanes of ", self.lanes) } else { String::new() };
                let boxed = boxing.map(|bits| format!(", NaN-boxed in {bits} bits")).unwrap_or_default();
                format!("{lanes}{}{boxed}", names.join(" or "))
            }
            Content::Word { width: DIVISION_FLAG_BITS, kind: WordKind::Flags } => {
                "invalid, division by zero, overflow, underflow, inexact".into()
            }
            Content::Word { kind: WordKind::Bit(says), .. } => format!("1: {says}"),
            Content::Word { kind, .. } => kind.about().into(),
        }
    }
}

/// The most bits of a port: the widest vector that every Verilog tool must accept (IEEE 1364-2005, 3.3.1).
pub const MOST_PORT_BITS: u32 = 1 << 16;

/// Bits of the port `flags`: invalid, overflow, underflow, inexact, from the top bit down.
pub const FLAG_BITS: u32 = 4;

/// Bits of the port `flags` of units that may divide by zero, in the order of RISC-V: invalid, division by zero,
/// overflow, underflow, inexact, from the top bit down.
pub const DIVISION_FLAG_BITS: u32 = 5;

/// The outputs of `posit-decoder`. In two's complement, the significand has one bit more.
pub fn decoder_ports(posit: &Posit, form: Significand) -> Vec<Port> {
    let significand = match form {
        Significand::SignMagnitude => Port::word("significand", posit.precision(), WordKind::Significand),
        Significand::TwosComplement => Port::word("significand", posit.precision() + 1, WordKind::Signed),
    };
    vec![
        Port::word("sign", 1, WordKind::Bit("negative")),
        Port::word("zero", 1, WordKind::Bit("zero")),
        Port::word("nar", 1, WordKind::Bit("NaR")),
        Port::word("exponent", posit.exponent_port_bits(), WordKind::Signed),
        significand,
    ]
}

/// The inputs of `posit-encoder`: the outputs of `posit-decoder`, with twice the exponent range (that of a product), a
/// guard bit below the significand (or as many as there are random bits), and a sticky bit.
pub fn encoder_ports(posit: &Posit, rounding: Rounding) -> Vec<Port> {
    let mut ports = decoder_ports(posit, Significand::SignMagnitude);
    let below = rounding.random_bits().max(1);
    ports[3] = Port::word("exponent", posit.exponent_port_bits() + 1, WordKind::Signed);
    ports[4] = Port::word("significand", posit.precision() + below, WordKind::Significand);
    ports.push(Port::word("sticky", 1, WordKind::Sticky));
    ports
}
