//! Units with state: right ones are proven, and no broken one is proven if a sequence shows the fault.

use crate::families::format;
use binade_circuit::Optimize;
use binade_gates::{GateFault, Graph, Literal};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_golden::Model;
use binade_prove::{FlowFault, Proof, Question, prove, step};
use binade_sim::{Choice, Engine, Gates, Plan, Run, verify};
use binade_spec::contract::Property;
use binade_spec::{Operation, Overflow, Rounding, Selection, Tininess, Unit};
use binade_tools::{Source, Tools};

fn selection(operand: &str, accumulator: &str) -> Selection {
    Selection { accumulator: Some(format(accumulator)), ..Selection::new(Unit::Accumulate, format(operand)) }
}

fn unit(selection: &Selection, stages: u32, optimize: Optimize) -> GeneratedUnit {
    generate(Design::new(selection.operation().expect("an operation"), stages, optimize).expect("a design"))
}

fn graph(unit: &GeneratedUnit) -> Graph {
    Graph::of_pipeline(unit.pipeline.as_ref().expect("a clock"))
}

/// One step of a unit, and its proof.
fn proven(graph: &Graph, operation: &Operation, stages: u32) -> Result<(Graph, Proof), FlowFault> {
    let width = operation.result.width();
    let zero = operation.result.zero_code(false);
    let first: Vec<bool> = (0..width).map(|bit| zero >> bit & 1 == 1).collect();
    let step = step(graph, stages, &first, &[width], &|| false)?;
    let proof = prove(Question::new(&step, operation), &|_| {}, &|| false).expect("a specification");
    Ok((step, proof))
}

fn assert_proven(selection: &Selection) {
    for (stages, optimize) in [(0, Optimize::Area), (2, Optimize::Depth)] {
        let unit = unit(selection, stages, optimize);
        let (_, proof) = proven(&graph(&unit), &unit.design.operation, stages).expect("registers as they should be");
        assert!(proof.is_whole(), "{}: {proof:?}", unit.module);
    }
}

#[test]
fn accumulators_of_each_family() {
    for (operand, accumulator) in [
        ("e5m2", "e5m2"),
        ("e5m2b1", "e4m3fn"),
        ("e4m3b2", "e5m2b1"),
        ("e2m1f", "e3m2f"),
        ("binary16", "e4m3"),
        ("e4m3", "dlfloat16"),
        ("k8p3se", "k8p4uf"),
        ("e6m9n", "e6m9n"),
        ("e8m0", "binary16"),
        ("posit8_2", "posit8_2"),
        ("posit8_2", "binary16"),
        ("e4m3", "posit8_1"),
    ] {
        assert_proven(&selection(operand, accumulator));
    }
}

#[test]
fn roundings_policies_and_flags() {
    let plain = selection("e5m2", "e4m3");
    for rounding in [Rounding::Rdn, Rounding::Rto, Rounding::Sr(3)] {
        assert_proven(&Selection { rounding: Some(rounding), ..plain });
    }
    assert_proven(&Selection { overflow: Overflow::Saturate, flags: Some(Tininess::After), ..plain });
    assert_proven(&Selection { rounding: Some(Rounding::Sr(3)), ..selection("e3m2", "e3m2ns") });
}

/// The fault of an accumulator whose lowest state bit takes over something else; `next` is given the controls `rst_n`,
/// `en` and `in_valid`, the bit and its next value.
fn fault_with(next: impl Fn(&mut Graph, [Literal; 3], Literal, Literal) -> Literal) -> Option<Property> {
    let unit = unit(&selection("e2m1f", "e3m2f"), 0, Optimize::Area);
    let (mut graph, operation) = (graph(&unit), unit.design.operation);
    let controls = [0, 1, 2].map(|control: usize| graph.inputs()[control][0]);
    let bits = graph.flip_flops().len() - operation.result.width() as usize;
    let flip_flop = graph.flip_flops()[bits];
    let changed = next(&mut graph, controls, flip_flop.state, flip_flop.next);
    graph.set_next(flip_flop.state, changed);
    match proven(&graph, &operation, 0) {
        Err(FlowFault::Broken(property)) => Some(property),
        Ok(_) | Err(FlowFault::Undefined(_)) => None,
    }
}

/// A state that a reset leaves as it is, and one that changes where no operands are valid.
#[test]
fn a_state_begins_with_a_reset_and_rests_in_bubbles() {
    assert_eq!(fault_with(|_, _, _, next| next), None);
    let not_reset = fault_with(|graph, [rst_n, ..], state, next| graph.mux(rst_n, next, state));
    assert_eq!(not_reset, Some(Property::State));
    let moved = fault_with(|graph, [rst_n, en, valid], state, next| {
        let is_bubble = graph.all(&[rst_n, en, !valid]);
        graph.mux(is_bubble, !state, next)
    });
    assert_eq!(moved, Some(Property::State));
}

/// Gates and flip-flops of a unit with ranks, broken one at a time; all states and inputs of each are tried.
#[test]
fn no_wrong_unit_is_proven() {
    const STAGES: u32 = 2;
    let unit = unit(&selection("e2m1f", "e3m2f"), STAGES, Optimize::Area);
    let (sound, operation) = (graph(&unit), unit.design.operation);
    let model = Model::new(&operation);
    let (mut differ, mut faulty, mut right) = (0, 0, 0);
    let first_gate = 1 + sound.sources().len() + sound.flip_flops().len();
    for gate in (first_gate..sound.gates().len()).step_by(7) {
        for fault in [GateFault::Zero, GateFault::One, GateFault::Operator] {
            let mutant = Gates { graph: sound.with_fault(gate, fault), origin: "a mutant".into() };
            let plan = Plan::new(&operation, Choice::Default, 1).expect("a plan");
            let run = Run { engine: Engine::Lanes(&mutant), ..Run::new(&unit, &plan) };
            let tried = verify(&Tools::new(Source::Pinned), run, &|_| {}).expect("no tool is needed");
            match proven(&mutant.graph, &operation, STAGES) {
                Err(_) => faulty += 1,
                Ok((step, Proof { differs: Some(words), .. })) => {
                    let (inputs, state) = words.split_at(operation.inputs().len());
                    let (next, results) = model.step(state, inputs);
                    assert_ne!(step.answer(&words), [results, next].concat(), "{words:x?}");
                    differ += 1;
                }
                Ok((_, proof)) => {
                    assert!(proof.is_whole() && tried.is_right(), "{fault:?} at {gate}: {:?}", tried.mismatch);
                    right += 1;
                }
            }
        }
    }
    assert!(differ > 50 && faulty > 5 && right > 0, "{differ} differ, {faulty} have faults, {right} are right");
}
