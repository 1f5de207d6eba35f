//! A unit that tests itself on an FPGA: random operands; results folded into a signature, which is compared with the right one.
//!
//! ```text
//!   words (shift register) -> operands -> unit -> results -> signature = the right one? -> LEDs
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `text.rs` | the module in Verilog |
//! | `signature.rs` | the right signature, computed with the golden model |
//! | `simulate.rs` | the module in Verilator |
//!
//! The device and the right signature are independent: the module has a shift register, the unit and the folding; the signature in it is
//! computed with the golden models of the shift register and of the unit.

mod signature;
mod simulate;
mod text;

pub use simulate::Simulated;

use binade_circuit::Interface;
use binade_generator::GeneratedUnit;
use binade_golden::RandomWords;
use binade_spec::{Algorithm, Generator, Operation, Port, Selection, Unit};
use text::WORDS;
use thiserror::Error;

/// The default number of vectors.
pub const DEFAULT_VECTORS: u64 = 1 << 20;

/// The most vectors of a self-test.
pub const MOST_VECTORS: u64 = 1 << 32;

/// The generator polynomial of CRC-32 (IEEE 802.3) without its x^32: bit k is the coefficient of x^k.
pub const POLYNOMIAL: u32 = 0x04c1_1db7;

/// The width of the signature, and of the results folded into it per clock.
pub const SLICE: u32 = 32;

/// The generator of the operand words.
const GENERATOR: Generator = Generator::Lfsr32;

/// Clocks from configuration until the registers leave reset, plus the ranks between words and signature.
const CLOCKS_BESIDE: u64 = 4;

/// The level of a pin that lights an LED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lit {
    /// The LED is connected between the pin and the supply.
    Low,
    /// The LED is connected between the pin and ground.
    High,
}

/// The LEDs of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leds {
    /// Lit until the last vector has been checked.
    pub running: Lit,
    /// Lit when all results were right.
    pub passed: Lit,
    /// Lit when some results were wrong.
    pub failed: Lit,
}

/// Why there is no self-test. The text is shown to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SelfTestError {
    /// A shell around the unit.
    #[error("--board tests the unit without a shell around it: leave --interface {0} out")]
    InShell(Interface),
    /// The unit has the name of another module of the self-test.
    #[error("--module {WORDS}: a self-test has a module of this name beside the unit; choose another")]
    Module,
    /// No vectors, or too many.
    #[error("--vectors {0}: a self-test on a board has 1 to {MOST_VECTORS}")]
    Vectors(u64),
}

/// A unit with its self-test for an FPGA.
#[derive(Clone, Copy)]
pub struct SelfTest<'u> {
    unit: &'u GeneratedUnit,
    vectors: u64,
    leds: Leds,
    /// The bits of all operands, and of all results.
    operands: u32,
    results: u32,
}

impl<'u> SelfTest<'u> {
    /// The self-test of a unit with this many vectors.
    ///
    /// # Errors
    /// When the unit has a shell, or the name of another module of the self-test, and when there are no vectors or too many.
    pub fn new(unit: &'u GeneratedUnit, vectors: u64, leds: Leds) -> Result<SelfTest<'u>, SelfTestError> {
        let interface = unit.design.interface;
        if interface != Interface::Plain {
            return Err(SelfTestError::InShell(interface));
        }
        if unit.module == WORDS {
            return Err(SelfTestError::Module);
        }
        if !(1..=MOST_VECTORS).contains(&vectors) {
            return Err(SelfTestError::Vectors(vectors));
        }
        let operation = &unit.design.operation;
        let bits = |ports: Vec<Port>| ports.iter().map(Port::width).sum();
        let (operands, results) = (bits(operation.inputs()), bits(operation.outputs()));
        Ok(SelfTest { unit, vectors, leds, operands, results })
    }

    /// The number of vectors.
    pub fn vectors(&self) -> u64 {
        self.vectors
    }

    /// Clocks from the configuration of the device to the end of the test.
    pub fn clocks(&self) -> u64 {
        let vectors = self.vectors * u64::from(self.clocks_a_vector());
        vectors + u64::from(self.slices() + self.unit.design.pace().latency) + CLOCKS_BESIDE
    }

    /// The number of words that make up a vector's operands.
    fn words(&self) -> u32 {
        self.operands.div_ceil(GENERATOR.most_bits())
    }

    /// The least width of a word that suffices.
    fn word_bits(&self) -> u32 {
        self.operands.div_ceil(self.words())
    }

    /// The number of [`SLICE`]-bit slices in a vector's results.
    fn slices(&self) -> u32 {
        self.results.div_ceil(SLICE)
    }

    /// Clocks per vector: each draws one word and folds one slice, and the unit can take operands again.
    fn clocks_a_vector(&self) -> u32 {
        self.words().max(self.slices()).max(self.unit.design.pace().interval)
    }

    /// The word generator as an operation.
    fn generator(&self) -> Operation {
        let (algorithm, word_bits) = (Some(Algorithm::Random(GENERATOR)), Some(self.word_bits()));
        let selection = Unit::Random.format_or_none(None).map(|formats| Selection {
            algorithm,
            word_bits,
            ..Selection::with_formats(Unit::Random, formats)
        });
        selection.and_then(|selection| selection.operation()).expect("words of up to 32 bits")
    }

    /// The golden model of the word generator.
    fn random_words(&self) -> RandomWords {
        RandomWords { generator: GENERATOR, bits: self.word_bits() }
    }
}
