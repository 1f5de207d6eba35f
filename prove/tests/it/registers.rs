//! Registers that keep the contract, and registers that break it.

use binade_gates::{GateFault, Graph, Literal};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_prove::{Clocked, Files, FlowFault, Question, certify, flow, latency, prove};
use binade_spec::contract::{ControlPorts, Property};
use binade_spec::{Format, Operation, Unit, Word};
use std::collections::BTreeSet;
use std::io::{self, Write};

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
    let left = flow(&graph(&unit), STAGES, ControlPorts::ALL, &|| false).expect("registers that do what they should");
    assert!(left.flip_flops().is_empty());
    let proof = prove(Question::new(&left, &unit.design.operation), &|_| {}, &|| false).expect("a specification");
    assert!(proof.is_whole(), "{proof:?}");
}

/// Equality is functional, not only structural: here a flip-flop holds its bit through redundant logic.
#[test]
fn what_is_not_seen_is_shown() {
    let rests = with_next(STAGES as usize, |graph, state, next| {
        let en = graph.inputs()[1][0];
        // (state & en | state & !en) in place of state.
        let (one, other) = (graph.and(state, en), graph.and(state, !en));
        let same = graph.or(one, other);
        graph.mux(en, next, same)
    });
    assert!(rests.is_ok());
}

#[test]
fn the_latency_is_found() {
    assert_eq!(latency(&graph(&unit()), 8, &|| false), Some(STAGES));
    assert_eq!(latency(&graph(&unit()), STAGES - 1, &|| false), None);
}

/// A unit that cannot stall is right if the property is not required.
#[test]
fn what_a_unit_has_not_is_not_asked_of_it() {
    let mut graph = graph(&unit());
    let flip_flop = graph.flip_flops()[STAGES as usize];
    let en = graph.inputs()[1][0];
    let odd = graph.xor(flip_flop.next, !en);
    graph.set_next(flip_flop.state, odd);
    assert_eq!(broken(flow(&graph, STAGES, ControlPorts::ALL, &|| false)), Some(Property::Stall));
    assert!(flow(&graph, STAGES, ControlPorts { has_enable: false, ..ControlPorts::ALL }, &|| false).is_ok());
}

/// Files that nobody keeps.
struct Nowhere;

impl Files for Nowhere {
    fn write(&self, _: &str, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        content(&mut io::sink()).expect("a sink takes all");
    }

    fn remove(&self, _: &str) {}
}

/// With one wrong gate, a certificate of the registers is found exactly where the unit keeps the contract and computes the same.
#[test]
fn wrong_gates_have_no_certificate() {
    let format: Format = "e2m1f".parse().expect("a format");
    let design = Design::new(Operation::new(Unit::Mul, format, format), 2, Default::default()).expect("a design");
    let unit = generate(design);
    let sound = graph(&unit);
    let (operation, ports) = (&unit.design.operation, ControlPorts::ALL);
    let left = flow(&sound, 2, ports, &|| false).expect("a pipeline that is right");
    let question = Question::new(&left, operation);
    let certified = certify(question, &|_, _| vec![], &Nowhere, &|_| {}, &|| false).expect("a specification");
    assert!(certified.is_whole());
    let all = |graph: &Graph| -> Vec<Vec<Word>> {
        let codes = (0..256_u128).map(|code| [Word::from(code & 15), Word::from(code >> 4)]);
        codes.map(|words| graph.answer(&words)).collect()
    };
    let of_sound = all(&left);
    let first_gate = 1 + sound.sources().len() + sound.flip_flops().len();
    let faults = [GateFault::Operator, GateFault::One, GateFault::Zero];
    let mut counts = [0; 2];
    for (gate, fault) in (first_gate..sound.gates().len()).flat_map(|gate| faults.map(|fault| (gate, fault))) {
        let wrong = sound.with_fault(gate, fault);
        let keeps = flow(&wrong, 2, ports, &|| false).is_ok_and(|left| all(&left) == of_sound);
        let clocked = Clocked { gates: &wrong, latency: 2, ports };
        let registers = clocked.certify(&question, &certified, &Nowhere, &|| false);
        assert_eq!(registers.is_some(), keeps, "{fault:?} at gate {gate}");
        counts[usize::from(keeps)] += 1;
    }
    assert!(counts[0] > 150 && counts[1] > 20, "{counts:?}");
    for latency in [0, 1, 3] {
        let clocked = Clocked { gates: &sound, latency, ports };
        assert!(clocked.certify(&question, &certified, &Nowhere, &|| false).is_none(), "latency {latency}");
    }
}

#[test]
fn another_latency_is_none() {
    for latency in [STAGES - 1, STAGES + 1] {
        let property = broken(flow(&graph(&unit()), latency, ControlPorts::ALL, &|| false));
        assert!(matches!(property, Some(Property::OutValid | Property::Reset)), "{latency}: {property:?}");
    }
}

/// The unit with one flip-flop that loads something else.
fn with_next(place: usize, next: impl Fn(&mut Graph, Literal, Literal) -> Literal) -> Result<Graph, FlowFault> {
    let mut graph = graph(&unit());
    let flip_flop = graph.flip_flops()[place];
    let changed = next(&mut graph, flip_flop.state, flip_flop.next);
    graph.set_next(flip_flop.state, changed);
    flow(&graph, STAGES, ControlPorts::ALL, &|| false)
}

/// The unit with other outputs, made without a register from its outputs and inputs.
fn with_outputs(change: impl Fn(&mut Graph, &mut [Vec<Literal>])) -> Result<Graph, FlowFault> {
    let unit = graph(&unit());
    let mut graph = unit.bare();
    let sources = graph.sources();
    let images = graph.add_gates(&unit, sources, None);
    for flip_flop in unit.flip_flops() {
        graph.set_next(flip_flop.state, images.of(flip_flop.next));
    }
    let mut outputs = images.of_words(unit.outputs());
    change(&mut graph, &mut outputs);
    outputs.into_iter().for_each(|word| graph.add_output(word));
    flow(&graph, STAGES, ControlPorts::ALL, &|| false)
}

/// Outputs are looked at with the enable and the reset at either level.
#[test]
fn outputs_count_in_stalls_and_in_reset() {
    assert!(with_outputs(|_, _| ()).is_ok());
    let [rst_n, en] = [0, 1].map(|control: usize| graph(&unit()).inputs()[control][0]);
    let in_reset = with_outputs(|graph, outputs| outputs[0][0] = graph.or(outputs[0][0], !rst_n));
    assert_eq!(broken(in_reset), Some(Property::Reset));
    let in_stalls = with_outputs(|graph, outputs| outputs[0][0] = graph.and(outputs[0][0], en));
    assert_eq!(broken(in_stalls), Some(Property::OutValid));
    let in_stalls = with_outputs(|graph, outputs| outputs[1][0] = graph.xor(outputs[1][0], !en));
    assert_eq!(broken(in_stalls), Some(Property::Results));
    // Results must not depend on the operands beside them, which are later ones.
    let a = graph(&unit()).inputs()[3][0];
    let with_later = with_outputs(|graph, outputs| outputs[1][0] = graph.xor(outputs[1][0], a));
    assert_eq!(broken(with_later), Some(Property::Results));
}

/// Whether the next value of a flip-flop depends on another one.
fn is_behind_a_rank(graph: &Graph, own: Literal, next: Literal) -> bool {
    let is_other = |node: usize| {
        let mut states = graph.flip_flops().iter().map(|flip_flop| flip_flop.state);
        states.any(|state| state.node() == node && state != own)
    };
    let (mut waiting, mut seen) = (vec![next.node()], BTreeSet::new());
    while let Some(node) = waiting.pop() {
        if is_other(node) {
            return true;
        }
        if seen.insert(node) {
            waiting.extend(graph.gates()[node].operands().map(Literal::node));
        }
    }
    false
}

/// Data that depend on the valid bit beside them: in the first rank it is 1, in all others it belongs to later operands.
#[test]
fn results_do_not_depend_on_later_valid_bits() {
    let unit = graph(&unit());
    let [en, valid] = [1, 2].map(|control: usize| unit.inputs()[control][0]);
    for (place, flip_flop) in unit.flip_flops().iter().enumerate().skip(STAGES as usize) {
        let changed = with_next(place, |graph, state, next| {
            let odd = graph.xor(next, valid);
            graph.mux(en, odd, state)
        });
        let is_later = is_behind_a_rank(&unit, flip_flop.state, flip_flop.next);
        let property = broken(changed);
        assert_eq!(property == Some(Property::Results), is_later, "flip-flop {place}: {property:?}");
    }
}

/// The broken property, if any.
fn broken(flow: Result<Graph, FlowFault>) -> Option<Property> {
    match flow {
        Err(FlowFault::Broken(property)) => Some(property),
        Ok(_) | Err(FlowFault::Undefined(_)) => None,
    }
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
        // One that is wrong in stalls alone.
        let moves = with_next(place, |graph, state, next| {
            let en = graph.inputs()[1][0];
            graph.mux(en, next, !state)
        });
        assert_eq!(broken(moves), Some(Property::Stall), "flip-flop {place} changes in a stall");
        let is_valid_bit = place < STAGES as usize;
        let set = with_next(place, |graph, _, next| graph.or(!rst_n, next));
        assert_eq!(set.is_err(), is_valid_bit, "flip-flop {place} is set by a reset");
    }
}
