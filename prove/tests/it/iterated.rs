//! Units that take several clocks for an operation: right ones are proven, and no broken one is.

use crate::families::format;
use binade_gates::Graph;
use binade_generator::{Design, GeneratedUnit, generate};
use binade_prove::{FlowFault, Question, iterated_flow, prove};
use binade_sim::mutate::{Breakable, Mutant, MutatedUnit};
use binade_sim::{Choice, Engine, Gates, Plan, Run, verify};
use binade_spec::contract::Property;
use binade_spec::{Selection, Unit};
use binade_tools::{Source, Tools};
use rayon::prelude::*;

fn unit(unit: Unit, name: &str, digits: u32) -> GeneratedUnit {
    let operation = Selection::new(unit, format(name)).operation().expect("an operation");
    generate(Design::from(operation).in_clocks(digits).expect("a unit with digits"))
}

fn graph(unit: &GeneratedUnit) -> Graph {
    Graph::of_iteration(unit.iteration.as_ref().expect("several clocks"))
}

/// Whether these gates are proven to be this unit.
fn is_proven(unit: &GeneratedUnit, graph: &Graph) -> Result<bool, FlowFault> {
    let flown = iterated_flow(graph, unit.design.pace().latency, &|| false)?;
    assert!(flown.flip_flops().is_empty());
    let question = Question::new(&flown, &unit.design.operation);
    Ok(prove(question, &|_| {}, &|| false).expect("a specification").is_whole())
}

#[test]
fn quotients_and_roots_are_proven() {
    let names = ["e5m2", "e4m3b1", "k8p3se", "posit8_2", "int8", "binary16", "bfloat16", "posit16_1"];
    let units: Vec<GeneratedUnit> = (1..)
        .zip(names)
        .flat_map(|(turn, name)| {
            [Unit::Divide, Unit::Sqrt, Unit::Reciprocal].map(|kind| unit(kind, name, 1 + turn % 3))
        })
        .chain([unit(Unit::Rsqrt, "e4m3", 1), unit(Unit::Divide, "binary32", 2)])
        .collect();
    units.par_iter().for_each(|unit| {
        let proven = is_proven(unit, &graph(unit));
        assert!(matches!(proven, Ok(true)), "{}: {proven:?}", unit.module);
    });
}

/// A clock more or less, a bit of the count stuck, a flip-flop that a stall does not stop.
#[test]
fn the_control_is_checked() {
    let unit = unit(Unit::Divide, "e5m2", 1);
    let sound = graph(&unit);
    let clocks = unit.design.pace().latency;
    for other in [clocks - 1, clocks + 1] {
        let fault = iterated_flow(&sound, other, &|| false);
        assert!(matches!(fault, Err(FlowFault::Broken(Property::OutValid))), "{other}: {fault:?}");
    }
    // Without the reset of the first flip-flop, operations before a reset have results after it.
    let mut unreset = sound.clone();
    let busy = unreset.flip_flops()[0].state;
    let [en, in_valid] = [1, 2].map(|control: usize| unreset.inputs()[control][0]);
    let next = unreset.or(busy, in_valid);
    let next = unreset.mux(en, next, busy);
    unreset.set_next(busy, next);
    assert!(matches!(iterated_flow(&unreset, clocks, &|| false), Err(FlowFault::Broken(Property::Reset))));
    // Without the enable, a stall changes the count.
    let mut unstalled = sound.clone();
    let count = unstalled.flip_flops()[1].state;
    unstalled.set_next(count, !count);
    assert!(matches!(iterated_flow(&unstalled, clocks, &|| false), Err(FlowFault::Broken(Property::Stall))));
}

/// Each gate of a small unit is broken in every way: what is proven is right on all inputs, in any pace.
#[test]
fn no_broken_unit_is_proven() {
    let unit = unit(Unit::Divide, "e2m1f", 1);
    let subject = MutatedUnit::new(&unit);
    let of_gates = |mutant: &Mutant| matches!(mutant, Mutant::Node { .. });
    let mutants: Vec<Mutant> = subject.mutants().into_iter().filter(of_gates).collect();
    let proven: Vec<Graph> = mutants
        .par_iter()
        .map(|mutant| subject.graph(mutant))
        .filter(|graph| is_proven(&unit, graph).unwrap_or(false))
        .collect();
    assert!(proven.len() * 5 < mutants.len(), "{} of {} are proven", proven.len(), mutants.len());
    proven.into_par_iter().for_each(|graph| {
        let plan = Plan::new(&unit.design.operation, Choice::Exhaustive, 9).expect("a plan for the operation");
        let gates = Gates { graph, origin: "a mutant".into() };
        let run = Run { engine: Engine::Lanes(&gates), ..Run::new(&unit, &plan) };
        let found = verify(&Tools::new(Source::Pinned), run, &|_| {}).expect("nobody interrupts a test");
        assert!(found.is_right(), "a proven mutant is wrong: {found:?}");
    });
}
