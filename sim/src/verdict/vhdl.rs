//! The testbench in VHDL.

use super::testbench::{Files, answers, layout, planned};
use crate::Subject;
use askama::Template;
use binade_circuit::Language;
use binade_circuit::{Controls, Interface, OPERANDS, Packing, RESULTS};
use binade_golden::Model;
use binade_spec::{Port, Word};
use binade_stimulus::{Plan, SEQUENCE};

#[derive(Template)]
#[template(path = "vhdl/testbench.vhd", escape = "none")]
struct Testbench<'a> {
    module: &'a str,
    version: &'a str,
    /// The commands that run it.
    commands: [String; 2],
    /// A description of the vectors.
    remark: Vec<String>,
    inputs: Vec<Field>,
    outputs: Vec<Field>,
    /// The layout of a vector.
    layout: String,
    /// The width of a vector.
    bits: u32,
    /// The width of its outputs.
    want_bits: u32,
    latency: u32,
    interval: u32,
    is_clocked: bool,
    /// The control ports of a shell with valid and ready.
    controls: Option<&'static Controls>,
    packed: Option<Packed>,
    operands_port: &'static str,
    results_port: &'static str,
    has_state: bool,
    /// For a unit with state, the number of vectors in a sequence.
    sequence: usize,
    /// The vectors in hexadecimal.
    vectors: Vec<String>,
}

/// A port and its bits among all operands or results.
struct Field {
    name: &'static str,
    /// The name as written in VHDL.
    port: String,
    high: u32,
    low: u32,
    /// The bits as an index or range: `(3)` or `(7 downto 0)`.
    place: String,
    /// The bits in the port of an AXI4-Stream.
    packed: String,
    /// A literal with this many unknown bits.
    unknown: &'static str,
}

/// The ports of an AXI4-Stream.
struct Packed {
    /// The number of bits of the operands, and of the results.
    sent: u32,
    received: u32,
    /// The padding above each result, if there is any.
    padding: Vec<String>,
}

/// Commands that run a testbench of `module` in GHDL.
fn commands(module: &str, Files { testbench, module: file }: &Files) -> [String; 2] {
    [
        format!("ghdl -a --std=08 {file} {testbench}"),
        format!("ghdl --elab-run --std=08 {module}_tb --ieee-asserts=disable-at-0"),
    ]
}

/// A VHDL testbench of a unit in VHDL on the vectors of a plan.
pub fn vhdl_testbench<'s>(subject: impl Into<Subject<'s>>, plan: &Plan, files: &Files) -> String {
    let subject = subject.into();
    let Subject { operation, module, interface, .. } = subject;
    let (inputs, outputs) = (operation.inputs(), operation.outputs());
    let width = |ports: &[Port]| ports.iter().map(Port::width).sum::<u32>();
    let (vectors, remark) = planned(subject, plan);
    let words = vectors.iter().zip(answers(&Model::new(operation), &vectors));
    let template = Testbench {
        module,
        version: env!("CARGO_PKG_VERSION"),
        commands: commands(module, files),
        remark,
        inputs: fields(&inputs),
        outputs: fields(&outputs),
        layout: layout(&inputs, &outputs),
        bits: width(&inputs) + width(&outputs),
        want_bits: width(&outputs),
        latency: subject.pace.latency,
        interval: subject.pace.interval,
        is_clocked: subject.is_clocked(),
        controls: interface.controls(),
        packed: (interface == Interface::AxiStream).then(|| Packed::new(&inputs, &outputs)),
        operands_port: OPERANDS,
        results_port: RESULTS,
        has_state: operation.has_state(),
        sequence: SEQUENCE,
        vectors: words
            .map(|(operands, wanted)| vector(inputs.iter().zip(operands), outputs.iter().zip(&wanted)))
            .collect(),
    };
    template.text()
}

impl Testbench<'_> {
    fn text(&self) -> String {
        format!("{}\n", self.render().expect("a template of plain values"))
    }
}

/// A vector in hexadecimal: the first operand in the highest bits, the last result in the lowest.
fn vector<'w>(
    operands: impl Iterator<Item = (&'w Port, &'w Word)>,
    wanted: impl Iterator<Item = (&'w Port, &'w Word)>,
) -> String {
    let whole = operands.chain(wanted).fold(Word::ZERO, |whole, (port, word)| (whole << port.width()) | word);
    format!("{whole:x}")
}

/// The ports concatenated, the first one highest.
fn fields(ports: &[Port]) -> Vec<Field> {
    let packing = Packing::of(ports.iter().map(Port::width));
    let mut low: u32 = ports.iter().map(Port::width).sum();
    let field = |(port, packed): (&Port, &u32)| {
        let width = port.width();
        low -= width;
        // A port of one bit is not a vector.
        let bits = |low: u32| if width == 1 { format!("({low})") } else { slice(low, width) };
        Field {
            name: port.name,
            port: Language::Vhdl.identifier(port.name),
            high: low + width - 1,
            low,
            place: bits(low),
            packed: bits(*packed),
            unknown: if width == 1 { "'X'" } else { "(others => 'X')" },
        }
    };
    ports.iter().zip(&packing.lows).map(field).collect()
}

/// A range such as `(7 downto 4)`, even for a single bit.
fn slice(low: u32, width: u32) -> String {
    format!("({} downto {low})", low + width - 1)
}

impl Packed {
    fn new(inputs: &[Port], outputs: &[Port]) -> Packed {
        let [sent, received] = [inputs, outputs].map(|ports| Packing::of(ports.iter().map(Port::width)));
        let padding = outputs.iter().zip(&received.lows).filter_map(|(port, low)| {
            let pad = port.width().next_multiple_of(8) - port.width();
            (pad > 0).then(|| slice(low + port.width(), pad))
        });
        Packed { padding: padding.collect(), sent: sent.width, received: received.width }
    }
}
