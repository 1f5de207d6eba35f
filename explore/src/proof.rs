//! A unit proven for all inputs in the page, as `binade prove` proves its circuit.

use crate::unit::{Request, generated, port_json};
use binade_gates::Graph;
use binade_generator::{Design, description};
use binade_golden::Model;
use binade_prove::{Progress, Question, prove};
use binade_spec::Word;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Units with so many input bits are proven in the page, and others if their operands have codes of so many bits.
const MOST_INPUT_BITS: u32 = 24;
const MOST_CODE_BITS: u32 = 8;

/// Hears how many cases are done, and how many there are by then.
pub type Hear<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Compares the unit with its specification, and says what is known then.
pub fn proven(request: &Request, hear: Hear) -> Result<Value, String> {
    let design = request.design()?;
    if let Some(why) = refusal(&design) {
        return Err(format!("{why}; {} proves this unit", command(&design)));
    }
    Ok(compared(&design, &Graph::of_circuit(&generated(design).netlist), hear))
}

fn command(design: &Design) -> String {
    format!("binade prove {}", description::arguments(design).join(" "))
}

/// What is known of a circuit, after it was compared with the specification of what it should compute.
pub fn compared(design: &Design, circuit: &Graph, hear: Hear) -> Value {
    let (all, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let progress = |progress: Progress| {
        match progress {
            Progress::Cases(cases) => all.fetch_add(cases, Relaxed),
            Progress::Done { .. } => done.fetch_add(1, Relaxed),
        };
        hear(done.load(Relaxed), all.load(Relaxed));
    };
    let bits = design.operation.input_bits();
    let mut wrong = vec![];
    let (verdict, text) = match prove(Question::new(circuit, &design.operation), &progress, &|| false) {
        Err(reason) => ("open", format!("not proven here: {reason}")),
        Ok(proof) => match (proof.differs, proof.open.len(), proof.cases) {
            (Some(words), ..) => {
                wrong = ports(design, &words);
                ("wrong", "wrong for these operands".into())
            }
            (None, 0, cases) => ("proven", format!("proven for all 2^{bits} inputs, in {cases} cases")),
            (None, open, cases) => ("open", format!("{open} of {cases} cases are neither proven nor refuted")),
        },
    };
    let module = description::module_name(design);
    json!({ "module": module, "verdict": verdict, "text": text, "wrong": wrong, "command": command(design) })
}

/// Why a unit is not proven in the page.
fn refusal(design: &Design) -> Option<&'static str> {
    let operation = &design.operation;
    let is_small = operation.operand.width() <= MOST_CODE_BITS || operation.input_bits() <= MOST_INPUT_BITS;
    if design.is_clocked() {
        Some("the page proves units without a clock")
    } else if operation.output.is_some() {
        Some("the page proves units with one result")
    } else if !is_small {
        Some("the page proves units of up to 2^24 inputs, and of operands of up to 8 bits")
    } else {
        None
    }
}

fn ports(design: &Design, words: &[Word]) -> Vec<Value> {
    let model = Model::new(&design.operation);
    model.input_ports().iter().zip(words).map(|(port, word)| port_json(&design.operation, port, word)).collect()
}
