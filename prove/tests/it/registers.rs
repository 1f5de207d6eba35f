//! Registers that do what they are there for, and those that do not.

use binade_generator::{Design, GeneratedUnit, generate};
use binade_prove::{FlowFault, flow, prove};
use binade_sim::lanes::{Graph, Literal};
use binade_spec::{Format, Operation, Unit};

const STAGES: u32 = 3;

fn unit() -> GeneratedUnit {
    let format: Format = "e4m3".parse().expect("a format");
    generate(Design::new(Operation::new(Unit::Add, format, format), STAGES, Default::default()).expect("a design"))
}

fn graph(unit: &GeneratedUnit) -> Graph {
    Graph::of_pipeline(unit.pipeline.as_ref().expect("a pipeline"))
}

#[test]
fn a_pipeline_is_its_unit() {
    let unit = unit();
    let left = flow(&graph(&unit), STAGES).expect("registers that do what they should");
    assert!(left.flip_flops().is_empty());
    let proof = prove(&left, &unit.design.operation, &|_| {}).expect("a specification");
    assert!(proof.is_whole(), "{proof:?}");
}

#[test]
fn another_latency_is_none() {
    for latency in [STAGES - 1, STAGES + 1] {
        assert!(matches!(flow(&graph(&unit()), latency), Err(FlowFault::Valid | FlowFault::Reset)));
    }
}

/// The unit with one flip-flop that takes over something else.
fn with_next(place: usize, next: impl Fn(&mut Graph, Literal, Literal) -> Literal) -> Result<Graph, FlowFault> {
    let mut graph = graph(&unit());
    let flip_flop = graph.flip_flops()[place];
    let changed = next(&mut graph, flip_flop.state, flip_flop.next);
    graph.set_next(flip_flop.state, changed);
    flow(&graph, STAGES)
}

#[test]
fn every_flip_flop_counts() {
    let flip_flops = graph(&unit()).flip_flops().len();
    let rst_n = graph(&unit()).inputs()[0][0];
    for place in 0..flip_flops {
        // One that forgets in a stall, one that keeps what it has, one that a reset sets.
        let forgets = with_next(place, |graph, state, next| graph.xor(state, next));
        assert!(forgets.is_err(), "flip-flop {place} forgets");
        assert!(with_next(place, |_, state, _| state).is_err(), "flip-flop {place} takes nothing over");
        let is_valid_bit = place < STAGES as usize;
        let set = with_next(place, |graph, _, next| graph.or(!rst_n, next));
        assert_eq!(set.is_err(), is_valid_bit, "flip-flop {place} is set by a reset");
    }
}
