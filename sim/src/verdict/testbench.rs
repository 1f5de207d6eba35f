//! A self-checking Verilog testbench that contains its vectors: it needs a simulator, but not Binade.

use super::evidence::Evidence;
use super::rules::{Judged, judged};
use super::tolerance::{Lenient, Tolerance};
use crate::Subject;
use crate::engines::{Packed, PortWidth};
use crate::reference::Reference;
use askama::Template;
use binade_circuit::{Controls, Interface};
use binade_spec::Port;
use binade_spec::Word;
use binade_spec::contract::{ControlPorts, Pace};
use binade_stimulus::Columns;
use binade_stimulus::words::widths;
use binade_stimulus::{Plan, SEQUENCE, list};
use std::convert::Infallible;

/// The file names of the testbench and of the module that it checks, quoted for a shell.
#[derive(Clone, Debug)]
pub struct Files {
    /// The file with the testbench.
    pub testbench: String,
    /// The file with the module.
    pub module: String,
}

#[derive(Template)]
#[template(path = "verilog/testbench.v", escape = "none")]
struct Testbench<'a> {
    module: &'a str,
    version: &'a str,
    /// The commands that run it.
    commands: [String; 2],
    /// A description of the vectors.
    remark: Vec<String>,
    inputs: Vec<PortWidth<'a>>,
    outputs: Vec<Judged>,
    /// Which results are right besides the wanted ones.
    tolerance: Tolerance,
    /// The layout of a vector.
    layout: String,
    /// The width of a vector.
    bits: u32,
    /// The width of its outputs.
    want_bits: u32,
    latency: u32,
    interval: u32,
    is_clocked: bool,
    /// Whether the module is a user's.
    is_foreign: bool,
    /// The control ports that the module has; nothing is disturbed for which there is none.
    ports: ControlPorts,
    has_bubbles: bool,
    /// What happens between operands, in words.
    disturbances: Option<String>,
    /// The control ports of a shell with valid and ready.
    controls: Option<&'static Controls>,
    packed: Option<Packed>,
    has_state: bool,
    /// For a unit with state, the number of vectors in a sequence.
    sequence: usize,
    /// The vectors as literals.
    vectors: Vec<String>,
}

/// Commands that run a testbench of `module`, in Icarus and in Verilator.
pub fn commands(module: &str, Files { testbench, module: file }: &Files) -> [String; 2] {
    [
        format!("iverilog -g2012 -o {module}_tb.vvp {testbench} {file} && vvp {module}_tb.vvp"),
        format!(
            "verilator --binary -CFLAGS -std=gnu++20 --output-split 0 --top-module {module}_tb {testbench} {file} && ./obj_dir/V{module}_tb"
        ),
    ]
}

/// A testbench of a unit on the vectors of a plan.
pub fn testbench<'s>(subject: impl Into<Subject<'s>>, plan: &Plan, files: &Files) -> String {
    let subject = subject.into();
    let (vectors, remark) = planned(subject, plan);
    render_for(subject, &vectors, files, remark, Tolerance::default())
}

/// The operands of a plan's vectors, and a description of them.
pub(super) fn planned(subject: Subject, plan: &Plan) -> (Vec<Vec<Word>>, Vec<String>) {
    let mut vectors = vec![];
    let Ok(()) = list(subject.operation, plan, |inputs, _| -> Result<(), Infallible> {
        vectors.push(inputs.to_vec());
        Ok(())
    });
    (vectors, vec![format!("Vectors: {}.", plan.describe())])
}

/// A testbench that reproduces a failure, with the same tolerance.
pub fn failing_testbench<'s>(
    subject: impl Into<Subject<'s>>,
    evidence: &Evidence,
    files: &Files,
    tolerance: Tolerance,
) -> String {
    let mut remark = evidence.remark.clone();
    if !tolerance.is_none() {
        remark.push(format!("Also right, as the verification was told: {tolerance}."));
    }
    let subject = subject.into();
    if subject.dut.is_some() && subject.is_clocked() {
        remark.push(
            "Pauses and resets are not those of the verification: a fault that needs many operations may not show."
                .into(),
        );
    }
    render_for(subject, &evidence.listed, files, remark, tolerance)
}

fn render_for(
    subject: Subject,
    operands: &[Vec<Word>],
    files: &Files,
    remark: Vec<String>,
    tolerance: Tolerance,
) -> String {
    let reference = Lenient::new(subject.operation, tolerance);
    let ports = subject.dut.map_or(ControlPorts::ALL, |dut| dut.controls);
    let module = (subject.module, subject.interface, ports, subject.dut.is_some());
    render(module, subject.pace, (&reference, tolerance), operands, files, remark)
}

/// A testbench of any module.
pub(crate) fn render(
    (module, interface, controls, is_foreign): (&str, Interface, ControlPorts, bool),
    pace: Pace,
    (reference, tolerance): (&dyn Reference, Tolerance),
    operands: &[Vec<Word>],
    files: &Files,
    remark: Vec<String>,
) -> String {
    let (inputs, outputs) = (reference.inputs(), reference.outputs());
    let fields: Vec<&Port> = inputs.iter().chain(&outputs).collect();
    let vector = |(codes, wanted): (&Vec<Word>, Vec<Word>)| {
        let words = fields.iter().zip(codes.iter().chain(&wanted));
        let literals = words.map(|(port, word)| format!("{}'h{word:0digits$x}", port.width(), digits = digits(port)));
        format!("{{{}}}", literals.collect::<Vec<_>>().join(", "))
    };
    let ports: [Vec<PortWidth>; 2] = [&inputs, &outputs].map(|ports| ports.iter().map(PortWidth::of).collect());
    let nets: Vec<String> = ports[0].iter().map(PortWidth::net).collect();
    let template = Testbench {
        module,
        version: env!("CARGO_PKG_VERSION"),
        // A path may contain line breaks, which would end the comment.
        commands: commands(module, files).map(|command| command.replace(char::is_control, "?")),
        remark,
        inputs: inputs.iter().map(PortWidth::of).collect(),
        outputs: judged(tolerance, &inputs, &outputs),
        tolerance,
        layout: layout(&inputs, &outputs),
        bits: fields.iter().map(|port| port.width()).sum(),
        want_bits: outputs.iter().map(Port::width).sum(),
        latency: pace.latency,
        interval: pace.interval,
        controls: interface.controls(),
        packed: (interface == Interface::AxiStream).then(|| Packed::new(&nets, &ports[0], &ports[1])),
        is_clocked: pace.latency > 0 || reference.has_state(),
        is_foreign,
        ports: controls,
        disturbances: controls.disturbances(reference.has_state()),
        has_bubbles: controls.has_bubbles(reference.has_state()),
        has_state: reference.has_state(),
        sequence: SEQUENCE,
        vectors: operands.iter().zip(answers(reference, operands)).map(vector).collect(),
    };
    format!("{}\n", template.render().expect("a template of plain values"))
}

/// The layout of a vector.
pub(super) fn layout(inputs: &[Port], outputs: &[Port]) -> String {
    let wanted = outputs.iter().map(|port| format!("wanted {}", named(port)));
    inputs.iter().map(named).chain(wanted).collect::<Vec<_>>().join(", ")
}

/// The right results; with state, those of sequences.
pub(super) fn answers(reference: &dyn Reference, operands: &[Vec<Word>]) -> Vec<Vec<Word>> {
    let answers = operands.chunks(SEQUENCE).flat_map(|vectors| {
        let inputs = Columns::of_vectors(widths(&reference.inputs()), vectors);
        let mut outputs = Columns::zeros(widths(&reference.outputs()), vectors.len());
        reference.evaluate_columns(&inputs.views(), &mut outputs.views_mut(vectors.len()));
        (0..vectors.len()).map(move |vector| outputs.vector(vector))
    });
    answers.collect()
}

/// The name of a port, with its number of lanes if it has several.
fn named(port: &Port) -> String {
    match port.lanes {
        1 => port.name.into(),
        lanes => format!("{} of {lanes} lanes", port.name),
    }
}

/// The number of hexadecimal digits of a port.
fn digits(port: &Port) -> usize {
    port.width().div_ceil(4) as usize
}
