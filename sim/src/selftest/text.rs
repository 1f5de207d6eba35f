//! The Verilog module with a unit and its self-test.

use super::{Leds, Lit, POLYNOMIAL, SLICE, SelfTest};
use askama::Template;
use binade_circuit::{Language, unsigned_width};
use binade_generator::{Design, GeneratedUnit, generate};

/// The module that generates the words.
pub(super) const WORDS: &str = "self_test_words";

/// The width of a header in columns.
const COLUMNS: usize = 116;

#[derive(Template)]
#[template(path = "verilog/selftest.v", escape = "none")]
struct Text<'a> {
    version: &'a str,
    command: &'a [String],
    about: &'a [String],
    module: &'a str,
    leds: Leds,
    /// The module that generates words, and its text.
    words_module: &'a str,
    words_verilog: &'a str,
    word_bits: u32,
    words: u32,
    /// The bits of the operands' shift register, and how many of them are used.
    drawn: u32,
    operands: u32,
    clocks: u32,
    place_bits: u32,
    unit: &'a str,
    unit_verilog: &'a str,
    is_clocked: bool,
    /// The unit's ports and the nets connected to them.
    connections: &'a [String],
    results: u32,
    slices: u32,
    slice_bits: u32,
    polynomial: String,
    signature: String,
    /// The slices of all vectors except one.
    last: u64,
    last_bits: u32,
}

impl Text<'_> {
    fn file(&self) -> String {
        self.render().expect("a template of plain values") + "\n"
    }

    /// Padding for a word of this many bits.
    fn padding(&self, bits: &u32) -> String {
        let missing = bits.next_multiple_of(SLICE) - bits;
        if missing == 0 { String::new() } else { format!("{missing}'d0, ") }
    }

    /// The level of an LED that is lit while `signal` is high.
    fn level(&self, lit: &Lit, signal: &str) -> String {
        match lit {
            Lit::High => signal.into(),
            Lit::Low => format!("~({signal})"),
        }
    }

    fn remark(&self, lit: &Lit) -> &'static str {
        match lit {
            Lit::High => "",
            Lit::Low => "; the pin is low then",
        }
    }
}

impl SelfTest<'_> {
    /// The file of the module `module`, which passes if its signature is `signature`. `command` generates it again.
    pub fn verilog(&self, module: &str, signature: u32, command: &str) -> String {
        let (unit, operation) = (self.unit, &self.unit.design.operation);
        let words = self.words_unit();
        let slices = self.vectors * u64::from(self.slices());
        let text = Text {
            version: env!("CARGO_PKG_VERSION"),
            command: &wrapped(command.split(' ')),
            about: &self.about().iter().flat_map(|line| wrapped(line.split(' '))).collect::<Vec<_>>(),
            module,
            leds: self.leds,
            words_module: WORDS,
            words_verilog: &words.verilog,
            word_bits: self.word_bits(),
            words: self.words(),
            drawn: self.words() * self.word_bits(),
            operands: self.operands,
            clocks: self.clocks_a_vector(),
            place_bits: unsigned_width(self.clocks_a_vector() - 1),
            unit: &unit.module,
            unit_verilog: &unit.verilog,
            is_clocked: unit.design.is_clocked(),
            connections: &[connected(operation.inputs(), "operands"), connected(operation.outputs(), "computed")]
                .concat(),
            results: self.results,
            slices: self.slices(),
            slice_bits: unsigned_width(self.slices()),
            polynomial: format!("32'h{POLYNOMIAL:08x}"),
            signature: format!("32'h{signature:08x}"),
            last: slices - 1,
            last_bits: unsigned_width(slices - 1).max(1),
        };
        text.file()
    }

    /// The unit that generates the words.
    fn words_unit(&self) -> GeneratedUnit {
        let name = WORDS.parse().expect("an identifier");
        generate(Design::from(self.generator()).named(Some(name)))
    }

    /// What the module does, in lines.
    fn about(&self) -> Vec<String> {
        let (words, bits, slices) = (self.words(), self.word_bits(), self.slices());
        let each = |count: u32, what: &str| if count == 1 { format!("one {what}") } else { format!("{count} {what}s") };
        vec![
            format!(
                "Self-test of {}: {} vectors of random operands, the results folded into a signature of {SLICE} bits. It ends {} \
                 clocks after the configuration of the device, or after the button was released.",
                self.unit.module,
                self.vectors,
                self.clocks()
            ),
            format!(
                "Operands: {} of {bits} bits from a shift register, the first word in the lowest bits; the ports follow in order.",
                each(words, "word")
            ),
            format!(
                "Signature: for each vector, {} of {SLICE} bits of the results, with the ports in order and the lowest bits first: the \
                 signature times x, plus the slice, modulo the polynomial of CRC-32 (IEEE 802.3, {POLYNOMIAL:#010x} and x^32). The right \
                 one is computed with Binade's golden models of the shift register and of the unit.",
                each(slices, "slice")
            ),
        ]
    }
}

/// Connects ports to the bits of `word`, from bit 0 up.
fn connected(ports: Vec<binade_spec::Port>, word: &str) -> Vec<String> {
    let mut low = 0;
    let mut connection = |port: &binade_spec::Port| {
        let (first, next) = (low, low + port.width());
        low = next;
        format!(".{} ({word}[{}:{first}])", Language::Verilog.identifier(port.name).trim_end(), next - 1)
    };
    ports.iter().map(&mut connection).collect()
}

/// Words wrapped into lines that fit after a comment's `//`.
fn wrapped<'w>(words: impl Iterator<Item = &'w str>) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= COLUMNS => *line = format!("{line} {word}"),
            Some(_) => lines.push(format!("  {word}")),
            None => lines.push(word.into()),
        }
    }
    lines
}
