//! Breaks units with registers in every way that there is: operators and gates between the ranks, and every flip-flop of them.

use crate::common::{format, operation};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::mutate::{Breakable, FlipFlopFault, Mutant, MutatedUnit, Mutations, mutate};
use binade_sim::{Choice, Engine, Gates, Plan, Run, Verification, verify};
use binade_spec::{Overflow, Unit};
use binade_tools::{Source, Tools};

const SEED: u64 = 5;

fn pipelined(unit: Unit, name: &str, acc: Option<&str>, stages: u32) -> GeneratedUnit {
    generate(Design::pipelined(operation(unit, format(name), acc.map(format), Overflow::Inf), stages))
}

fn broken(unit: &GeneratedUnit, mutants: &[Mutant], choice: Choice) -> Mutations {
    let plan = Plan::new(&unit.design.operation, choice, SEED).expect("a plan for the operation");
    mutate(&MutatedUnit::new(unit), mutants, &plan, &|_| {}).expect("nobody interrupts a test")
}

/// A mutant against the golden model.
fn checked(unit: &GeneratedUnit, mutant: &Mutant, choice: Choice, seed: u64) -> Verification {
    let plan = Plan::new(&unit.design.operation, choice, seed).expect("a plan for the operation");
    let gates = Gates { graph: MutatedUnit::new(unit).graph(mutant), origin: "a mutant".into() };
    let run = Run { engine: Engine::Lanes(&gates), ..Run::new(unit, &plan) };
    verify(&Tools::new(Source::Pinned), run, &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_mutant_is_decided() {
    let units = [
        pipelined(Unit::Mul, "e4m3fn", None, 1),
        pipelined(Unit::Add, "e3m2", None, 3),
        pipelined(Unit::Fmac, "e2m1b1", Some("e3m2"), 2),
        pipelined(Unit::Convert, "e5m5", Some("posit6_1"), 16),
    ];
    for unit in units {
        let mutants = MutatedUnit::new(&unit).mutants();
        let found = broken(&unit, &mutants, Choice::Sample(20_000));
        assert!(found.survived.is_empty(), "{}: {:?}", unit.module, found.survived);
        assert!(found.undecided.is_empty(), "{}: {:?}", unit.module, found.undecided);
        assert_eq!(found.mutants, mutants.len());
        assert!(found.killed > 4 * found.equivalent, "{}: too many mutants change nothing", unit.module);
    }
}

/// All inputs of a unit, counted, still are vectors that differ from one clock to the next in every bit of a rank: what
/// ignores a stall takes another one's bit.
#[test]
fn counted_inputs_show_what_ignores_a_stall() {
    let unit = pipelined(Unit::Mul, "e5m2b1", None, 3);
    let of_stalls = |mutant: &Mutant| matches!(mutant, Mutant::FlipFlop { fault: FlipFlopFault::Ignores(_), .. });
    let mutants: Vec<Mutant> = MutatedUnit::new(&unit).mutants().into_iter().filter(of_stalls).collect();
    let found = broken(&unit, &mutants, Choice::Exhaustive);
    assert!(mutants.len() > 50 && found.survived.is_empty() && found.undecided.is_empty(), "{found:?}");
}

/// Flip-flops are broken in every way, and what is proven to change nothing does not under other stalls and bubbles either.
#[test]
fn flip_flops() {
    let unit = pipelined(Unit::Mul, "e4m2", None, 6);
    let subject = MutatedUnit::new(&unit);
    let (mut killed, mut equivalent) = ([0; 3], 0);
    for mutant in subject.mutants() {
        let Mutant::FlipFlop { fault, .. } = mutant else { continue };
        let found = broken(&unit, std::slice::from_ref(&mutant), Choice::Exhaustive);
        let kind = match fault {
            FlipFlopFault::StuckAt(_) => 0,
            FlipFlopFault::Ignores(_) => 1,
            FlipFlopFault::Missing => 2,
        };
        killed[kind] += found.killed;
        equivalent += found.equivalent;
        assert_eq!(found.killed + found.equivalent, 1, "{}", subject.describe(&mutant));
        for seed in [SEED + 1, SEED + 2] {
            let is_right = checked(&unit, &mutant, Choice::Exhaustive, seed).is_right();
            assert_eq!(is_right, found.equivalent == 1, "{}, seed {seed}", subject.describe(&mutant));
        }
    }
    assert!(killed.into_iter().all(|killed| killed > 50) && equivalent > 0, "{killed:?}, {equivalent}");
}

/// A vector that is said to show a mutant shows it.
#[test]
fn vectors_of_survivors() {
    let unit = pipelined(Unit::Add, "e4m3fn", None, 2);
    let subject = MutatedUnit::new(&unit);
    let mut survivors = 0;
    for mutant in subject.mutants().iter().step_by(7) {
        let poor = Choice::Replay(vec![vec![0x38_u64.into(), 0_u64.into()]]);
        for survivor in broken(&unit, std::slice::from_ref(mutant), poor).survived {
            assert!(
                !checked(&unit, mutant, Choice::Replay(vec![survivor.vector]), SEED).is_right(),
                "{}",
                survivor.mutant
            );
            survivors += 1;
        }
    }
    assert!(survivors > 50, "{survivors}");
}

/// Of a small unit with state every mutant of the logic is decided, too: all states were tried with all operands. A bit
/// that is not reset may stay unseen, as only the first step shows it, and only if the bit was set.
#[test]
fn state() {
    let unit = pipelined(Unit::Accumulate, "e2m1", Some("e3m2"), 1);
    let mutants = MutatedUnit::new(&unit).mutants();
    let found = broken(&unit, &mutants, Choice::Default);
    assert!(found.survived.is_empty(), "{found:?}");
    assert!(found.undecided.iter().all(|mutant| mutant.ends_with("ignores rst_n")), "{found:?}");
    assert!(found.killed > 4 * found.equivalent, "{found:?}");
}
