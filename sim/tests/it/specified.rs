//! Gates against a specification in place of the golden model: what each of the three can be wrong about.

use binade_gates::{GateFault, Graph};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::{Choice, Engine, Gates, Plan, Run, Verification, verify};
use binade_spec::{Selection, Unit};
use binade_tools::{Source, Tools};

fn unit(stages: u32) -> GeneratedUnit {
    let selection = Selection::new(Unit::Add, "binary16".parse().expect("a format"));
    generate(Design::new(selection.operation().expect("an operation"), stages, Default::default()).expect("a design"))
}

fn run(unit: &GeneratedUnit, graph: Graph, specification: &Graph, choice: Choice) -> Verification {
    let gates = Gates { graph, origin: "gates of a test".into() };
    let plan = Plan::new(&unit.design.operation, choice, 1).expect("a plan").in_planes();
    let run = Run { engine: Engine::Lanes(&gates), against: Some(specification), ..Run::new(unit, &plan) };
    verify(&Tools::new(Source::Pinned), run, &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// Gates that compute what the circuit does, but for one that is wrong where few vectors see it.
fn broken(sound: &Graph) -> Graph {
    let gate = sound.gates().len() - sound.gates().len() / 3;
    sound.with_fault(gate, GateFault::Operator)
}

const SAMPLE: Choice = Choice::Sample(3_000_000);

#[test]
fn a_right_unit_is_right() {
    let (plain, pipelined) = (unit(0), unit(2));
    let specification = Graph::of_circuit(&plain.netlist);
    for unit in [&plain, &pipelined] {
        let found = run(unit, Gates::of_circuit(unit).graph, &specification, SAMPLE);
        assert!(found.is_right() && found.checked == 3_000_000, "{:?}", found.mismatch);
        assert!(found.against.is_some());
    }
}

#[test]
fn a_wrong_unit_is_shown_with_what_the_golden_model_says() {
    let unit = unit(0);
    let specification = Graph::of_circuit(&unit.netlist);
    let found = run(&unit, broken(&specification), &specification, SAMPLE);
    let mismatch = found.mismatch.expect("a mismatch");
    assert!(mismatch.fails_alone && mismatch.is_shrunk() && found.dissent.is_none(), "{:?}", found.dissent);
    // The same vector alone is wrong for the golden model, too.
    let vector = mismatch.found.disagreement.codes().to_vec();
    let alone = run(&unit, broken(&specification), &specification, Choice::Replay(vec![vector]));
    assert!(!alone.is_unit_right());
}

#[test]
fn a_wrong_specification_is_called_so() {
    for stages in [0, 2] {
        let (plain, unit) = (unit(0), unit(stages));
        let sound = Graph::of_circuit(&plain.netlist);
        let found = run(&unit, Gates::of_circuit(&unit).graph, &broken(&sound), SAMPLE);
        let dissent = found.dissent.as_ref().expect("specification and golden model differ");
        assert!(dissent.is_unit_right && found.is_unit_right() && !found.is_right());
        assert!(dissent.to_string().ends_with(", as the unit does; please report this"), "{dissent}");
    }
}

/// Unit and specification with the same fault: one vector in a million is enough for a coarse one.
#[test]
fn the_golden_model_looks_now_and_then() {
    let unit = unit(0);
    let sound = Graph::of_circuit(&unit.netlist);
    let mut inverted = sound.bare();
    let outputs = inverted.add_graph(&sound);
    outputs.into_iter().for_each(|bits| inverted.add_output(bits.into_iter().map(|bit| !bit).collect()));
    let found = run(&unit, inverted.clone(), &inverted, SAMPLE);
    assert!(found.mismatch.is_some_and(|mismatch| mismatch.found.index == 0));
    assert!(found.dissent.is_some_and(|dissent| !dissent.is_unit_right));
}
