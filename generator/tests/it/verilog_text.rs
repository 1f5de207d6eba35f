//! Tests the text of every generated module; `sim/tests/it/lint.rs` tests it with tools.

use binade_circuit::pipeline::RankRegister;
use binade_circuit::{CLOCK_PORTS, ClockPort, Optimize};
use binade_generator::{Design, GeneratedUnit, description, generate};
use binade_spec::{
    Activation, Comparison, Dataflow, Extremum, Format, Function, Kind, Operation, Overflow, Port, PositRange,
    Rounding, Selection, Setting, Significand, Tininess, Unit,
};
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::LazyLock;

const FORMATS: [&str; 24] = [
    "e5m2",
    "e5m2n",
    "e4m3ns",
    "e4m3fn",
    "e3m2f",
    "e5m2b1",
    "e5m2b1u2,sat",
    "e4m0b2",
    "e2m0",
    "e8m0n",
    "k8p3se",
    "k8p1se",
    "k8p3ue",
    "k8p8uf",
    "e5m2,bias=-9",
    "binary16",
    "bfloat16",
    "dlfloat16",
    "e2m23",
    "binary32",
    "e8m0",
    "posit8_2",
    "posit16_1,scale=2^-3",
    "posit32_2",
];

/// Words of SystemVerilog, and words of Verilog that a plain module does not need.
const UNWANTED: [&str; 24] = [
    "logic",
    "always_comb",
    "always_ff",
    "always_latch",
    "bit",
    "int",
    "byte",
    "enum",
    "struct",
    "union",
    "typedef",
    "package",
    "import",
    "interface",
    "unique",
    "priority",
    "assert",
    "return",
    "function",
    "task",
    "parameter",
    "localparam",
    "defparam",
    "initial",
];

fn operations() -> Vec<Operation> {
    let format = |name: &str| name.parse::<Format>().unwrap_or_else(|error| panic!("{error}"));
    let mut operations = vec![];
    for (number, name) in FORMATS.iter().enumerate() {
        let other = format(FORMATS[(number * 7 + 3) % FORMATS.len()]);
        // Units of vectors are long, and made of the stages of others.
        let is_of_vectors = |unit| matches!(Operation::new(unit, other, other).kind, Kind::Vector(_));
        for unit in Unit::ALL.into_iter().filter(|&unit| !is_of_vectors(unit) || number % 4 == 0) {
            let accumulator = Some(other).filter(|_| unit.takes(Setting::Acc));
            let target = Some(other).filter(|_| unit == Unit::Convert);
            let extremum = unit.takes(Setting::Operation).then_some(Extremum::ALL[number % 8]);
            let function = unit.takes(Setting::Function).then_some(Function::ALL[number % 18]);
            // Large enough for elements that share operands.
            let [rows, columns, depth] = [2, 1, 2].map(|size| Some(size).filter(|_| unit == Unit::Mma));
            let plain = Selection::new(unit, format(name));
            let lanes = Some(2).filter(|_| unit == Unit::MxDot || is_of_vectors(unit));
            let plain = Selection { accumulator, target, extremum, function, rows, columns, depth, lanes, ..plain };
            // Each format has a third of the variants, so each variant has a third of the formats.
            let turn = variants(plain).into_iter().enumerate().filter(|(at, _)| at % 3 == number % 3);
            operations.extend(turn.filter_map(|(_, selection)| selection.operation().ok()));
            let arrays = if unit == Unit::Mma && number % 4 == 0 { &Dataflow::ALL[..] } else { &[] };
            let array = |&array| Selection { array: Some(array), depth: None, ..plain };
            operations.extend(arrays.iter().map(array).filter_map(|selection| selection.operation().ok()));
        }
    }
    operations
}

/// With other policies, random bits, flags and an output conversion; not all of them exist for every unit.
fn variants(plain: Selection) -> Vec<Selection> {
    let output = Some("e4m3fn".parse().expect("a format"));
    let mut variants = Overflow::ALL.map(|overflow| Selection { overflow, ..plain }).to_vec();
    variants.push(Selection { rounding: Some(Rounding::Sr(5)), ..plain });
    variants.push(Selection { rounding: Some(Rounding::Mptorch), ..plain });
    variants.push(Selection { flags: Some(Tininess::After), ..plain });
    variants.push(Selection { output, activation: Some(Activation::Relu), ..plain });
    variants.push(Selection { has_quire: true, ..plain });
    variants.push(Selection { posit_range: PositRange::Float, ..plain });
    variants.push(Selection { significand: Some(Significand::TwosComplement), ..plain });
    variants.push(Selection { comparison: Some(Comparison::Signaling), flags: Some(Tininess::After), ..plain });
    variants
}

/// A printed unit with the data for the checks.
pub struct Printed {
    pub design: Design,
    pub module: String,
    pub verilog: String,
    pub registers: Vec<RankRegister>,
    /// Registers of the state.
    pub state: usize,
    /// The names from the unit's author.
    pub labels: HashSet<String>,
    /// The endings of these names, without numbers.
    ends: HashSet<String>,
}

impl Printed {
    /// Whether a name in a module of parts is an author's name without the number of its part.
    pub fn ends_a_label(&self, name: &str) -> bool {
        self.ends.contains(&without_numbers(name))
    }

    pub fn new(design: impl Into<Design>) -> Printed {
        let GeneratedUnit { design, module, verilog, pipeline, netlist, .. } = generate(design);
        let parted = pipeline.iter().flat_map(|pipeline| &pipeline.netlist.nodes);
        let labels = netlist.nodes.iter().chain(parted).filter_map(|node| Some(node.label.as_ref()?.name.clone()));
        let labels: HashSet<String> = labels.collect();
        let ends = labels.iter().flat_map(|label| ends(&without_numbers(label))).collect();
        let registers = pipeline.map_or(vec![], |pipeline| pipeline.registers);
        let state = netlist.registers.len();
        Printed { design, module, verilog, registers, state, labels, ends }
    }
}

/// The last words of a name, from all of them to one.
fn ends(name: &str) -> Vec<String> {
    let words: Vec<&str> = name.split('_').collect();
    (0..words.len()).map(|first| words[first..].join("_")).collect()
}

fn without_numbers(name: &str) -> String {
    let mut words: Vec<&str> = name.split('_').filter(|word| !word.bytes().all(|c| c.is_ascii_digit())).collect();
    words.dedup();
    words.join("_")
}

/// All operations, for area and depth, every third also with registers, and designs whose long operators are split.
static PRINTED: LazyLock<Vec<Printed>> = LazyLock::new(|| {
    let encoder = Selection::new(Unit::PositEncoder, "posit16_1".parse().expect("a format"));
    let encoder = Design::pipelined(encoder.operation().expect("an encoder of posits"), 16);
    let designs = operations().into_iter().enumerate().flat_map(|(number, operation)| {
        let pipelined = Design::pipelined(operation, 1 + number as u32 % 16);
        let small_and_shallow = Optimize::ALL.map(|optimize| Design::from(operation).optimized(optimize));
        small_and_shallow.into_iter().chain(number.is_multiple_of(3).then_some(pipelined))
    });
    let designs: Vec<Design> = designs.chain([encoder]).collect();
    designs.into_par_iter().map(Printed::new).collect()
});

pub fn all() -> &'static [Printed] {
    &PRINTED
}

pub fn for_all(check: impl Fn(&Printed) + Sync + Send) {
    PRINTED.par_iter().for_each(check);
}

/// The text without comments.
pub fn code(verilog: &str) -> String {
    verilog.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// Its words, numbers among them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || "_$`'".contains(c))).filter(|word| !word.is_empty())
}

#[test]
fn plain_verilog_2005() {
    for_all(|unit| {
        let code = code(&unit.verilog);
        for word in words(&code) {
            assert!(!UNWANTED.contains(&word), "{}: {word}", unit.module);
            assert!(!word.starts_with('$'), "{}: {word}", unit.module);
            let directive = word.strip_prefix('`');
            assert!(directive.is_none_or(|name| name == "default_nettype"), "{}: {word}", unit.module);
        }
        for unwanted in ["++", "|~", "&~", "^~", "'{", "'0", "'1", "::", "\\", "#", "/*"] {
            assert!(!code.contains(unwanted), "{}: {unwanted}", unit.module);
        }
    });
}

/// One block per rank, all at the same edge, and no register without a block.
#[test]
fn registers_are_clocked_rank_by_rank() {
    for_all(|unit| {
        let code = code(&unit.verilog);
        let count = |text: &str| code.matches(text).count() as u32;
        let stages = unit.design.stages;
        // Registers of the state have separate blocks, one for each segment with state.
        let state = unit.state as u32;
        let blocks = count("always @(posedge clk) begin");
        assert_eq!(count("always "), blocks, "{}", unit.module);
        assert!((state.min(1)..=state).contains(&(blocks - stages)), "{}: {blocks} blocks", unit.module);
        assert_eq!((count("if (!rst_n) "), count("else if (en) valid_s")), (blocks, stages), "{}", unit.module);
        let names: Vec<&str> = unit.registers.iter().map(|register| register.name.as_str()).collect();
        assert_eq!(count("\n  reg "), names.len() as u32 + stages + state, "{}", unit.module);
        let words = code.split_whitespace().collect::<Vec<_>>().join(" ");
        for name in names {
            assert_eq!(words.matches(&format!(" {name} <= ")).count(), 1, "{}: {name}", unit.module);
        }
        assert!(unit.verilog.contains(&format!("\n// Latency {stages}: ")), "{}", unit.module);
    });
}

/// The name of a rank register: the signal, its bits if these are not all, and the rank.
#[test]
fn registers_are_named_after_signal_and_rank() {
    for_all(|unit| {
        for register in &unit.registers {
            let signal = register.name.strip_suffix(&format!("_s{}", register.rank));
            assert!(signal.is_some_and(|signal| !signal.is_empty()), "{}: {}", unit.module, register.name);
        }
    });
}

#[test]
fn the_first_module_is_named_like_its_file() {
    for_all(|unit| {
        assert_eq!(unit.module, description::module_name(&unit.design));
        let code = code(&unit.verilog);
        let modules: Vec<&str> = code.lines().filter_map(|line| line.strip_prefix("module ")).collect();
        assert_eq!(modules[0], format!("{} (", unit.module));
        let own = |module: &&str| module.starts_with(&format!("{}_", unit.module));
        assert!(modules[1..].iter().all(own), "{}: {modules:?}", unit.module);
        assert_eq!(code.matches("endmodule").count(), modules.len(), "{}", unit.module);
        let directives: Vec<&str> = code.lines().filter(|line| line.starts_with('`')).collect();
        assert_eq!(directives, ["`default_nettype none", "`default_nettype wire"], "{}", unit.module);
    });
}

#[test]
fn ports_are_those_of_the_operation() {
    let declared_as = |direction: &str, port: Port| match port.width() {
        1 => format!("{direction} wire {}", port.name),
        width => format!("{direction} wire [{}:0] {}", width - 1, port.name),
    };
    let clock_port =
        |port: &ClockPort| format!("{} wire {}", if port.is_output { "output" } else { "input" }, port.name);
    for_all(|unit| {
        let operation = &unit.design.operation;
        let mut wanted: Vec<String> = vec![];
        if unit.design.stages > 0 || operation.has_state() {
            wanted.extend(CLOCK_PORTS.iter().map(clock_port));
        }
        wanted.extend(operation.inputs().into_iter().map(|port| declared_as("input", port)));
        wanted.extend(operation.outputs().into_iter().map(|port| declared_as("output", port)));
        let code = code(&unit.verilog);
        let ports = code.split(");").next().expect("there is a module");
        let lines = ports.lines().map(|line| line.trim().trim_end_matches(',').trim_end());
        let declared: Vec<String> = lines
            .filter(|line| line.starts_with("input ") || line.starts_with("output "))
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(declared, wanted, "{}", unit.module);
    });
}

#[test]
fn header_says_how_to_regenerate() {
    for_all(|unit| {
        let mut lines = unit.verilog.lines();
        let version = env!("CARGO_PKG_VERSION");
        let first = format!(
            "// Verilog-2005, generated by binade {version} - do not edit. To generate it again, and to check it:"
        );
        assert_eq!(lines.next().unwrap(), first);
        let commands: Vec<&str> = lines.take_while(|line| *line != "//").map(|line| line[2..].trim()).collect();
        assert_eq!(commands, [description::command(&unit.design), description::check(&unit.design)]);
    });
}

#[test]
fn tidy() {
    let folder = env!("CARGO_MANIFEST_DIR");
    for_all(|unit| {
        let text = &unit.verilog;
        assert!(text.is_ascii() && !text.contains(['\t', '\r']), "{}", unit.module);
        assert!(text.ends_with('\n') && !text.ends_with("\n\n") && !text.contains("\n\n\n"), "{}", unit.module);
        assert!(text.lines().all(|line| line == line.trim_end()), "{}: trailing whitespace", unit.module);
        assert!(!text.contains(folder) && !text.contains("/tmp") && !text.contains("/home"), "{}", unit.module);
    });
}

/// The everyday tests check this for the units that are generated again for other languages.
#[test]
#[ignore = "takes half a minute"]
fn nightly_same_input_same_bytes() {
    for_all(|unit| assert_eq!(generate(unit.design).verilog, unit.verilog));
}

/// A letter and a number are not a name.
#[test]
fn wires_have_names() {
    let is_number = |word: &str| word.len() > 2 && word[1..].bytes().all(|c| c.is_ascii_digit());
    for_all(|unit| {
        let code = code(&unit.verilog);
        let bad = words(&code).find(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()) && is_number(word));
        assert_eq!(bad, None, "{}", unit.module);
    });
}
