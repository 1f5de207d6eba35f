//! `mutate`: the everyday vectors notice every gate of a unit that is broken, and what they would miss is shown.

use crate::common::{format, operation};
use binade_generator::generate;
use binade_sim::mutate::{Breakable, MutatedUnit, Mutations, mutate};
use binade_sim::{Choice, Plan};
use binade_spec::{Operation, Overflow, Selection, Tininess, Unit, Word};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

fn run(operation: &Operation, choice: Choice, step: usize) -> Mutations {
    let unit = generate(*operation);
    let subject = MutatedUnit::new(&unit);
    let chosen: Vec<_> = subject.mutants().into_iter().step_by(step).collect();
    let plan = Plan::new(operation, choice, 1).expect("a plan for the operation");
    let decided = AtomicU64::new(0);
    let progress = |count| _ = decided.fetch_add(count, Ordering::Relaxed);
    let mutations = mutate(&subject, &chosen, &plan, &progress).expect("nobody interrupts a test");
    assert_eq!(mutations.mutants, chosen.len());
    assert_eq!(decided.into_inner(), chosen.len() as u64, "progress is told of every mutant");
    let Mutations { mutants, killed, equivalent, survived, undecided } = &mutations;
    assert_eq!(*mutants, killed + equivalent + survived.len() + undecided.len());
    mutations
}

/// Wide units, of which the vectors are a small part of all inputs.
#[test]
#[ignore = "long"]
fn everyday_vectors_notice_every_fault_of_wide_units() {
    let plain = |unit, name: &str| operation(unit, format(name), None, Overflow::Inf);
    let units = [
        plain(Unit::Mul, "binary16"),
        plain(Unit::Add, "bfloat16"),
        plain(Unit::Add, "e6m9n"),
        plain(Unit::Encode, "e5m2b1"),
        plain(Unit::Encode, "posit8_2"),
        plain(Unit::Fmac, "e4m3fn"),
        Selection { flags: Some(Tininess::After), ..Selection::new(Unit::Mul, format("binary16")) }
            .operation()
            .unwrap(),
    ];
    units.into_par_iter().for_each(|operation| {
        let mutations = run(&operation, Choice::Default, 53);
        assert!(mutations.survived.is_empty(), "{operation:?}: {:?}", mutations.survived);
        assert!(mutations.undecided.is_empty(), "{operation:?}: {:?}", mutations.undecided);
        assert!(mutations.killed > 2 * mutations.equivalent, "{operation:?}: {mutations:?}");
    });
}

/// One vector notices little; each survivor comes with inputs that the solver found, and these kill it.
#[test]
fn survivors_come_with_a_vector_that_kills_them() {
    let operation = operation(Unit::Mul, format("e4m3fn"), None, Overflow::Inf);
    let weak = run(&operation, Choice::Replay(vec![[0x38_u64, 0x38].map(Word::from).to_vec()]), 5);
    assert!(weak.survived.len() > 50, "{}", weak.survived.len());
    let unit = generate(operation);
    let subject = MutatedUnit::new(&unit);
    let mutants = subject.mutants();
    for survivor in &weak.survived {
        let mutant = mutants.iter().find(|mutant| subject.describe(mutant) == survivor.mutant).cloned();
        let plan =
            Plan::new(&operation, Choice::Replay(vec![survivor.vector.clone()]), 1).expect("a vector of the unit");
        let killed = mutate(&subject, &[mutant.expect("a mutant")], &plan, &|_| {}).unwrap();
        assert_eq!(killed.killed, 1, "{survivor:?}");
    }
}
