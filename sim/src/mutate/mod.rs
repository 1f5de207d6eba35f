//! Would a verification have caught the bug? Breaks the circuit in many small ways and runs the vectors of a plan on each.
//!
//! | file | what it holds |
//! |---|---|
//! | `mutant.rs` | [`Mutant`]: the ways to break a circuit |

mod mutant;

pub use mutant::{Change, Mutant, mutants};

use crate::engines::lanes::{Feed, Graph, Machine, Program};
use crate::prove::{Equivalence, equivalence};
use crate::reference::widths;
use crate::vectors::Plan;
use crate::vectors::stimulus::Stimulus;
use crate::words::hex;
use binade_circuit::Netlist;
use binade_spec::Operation;
use binade_spec::Word;
use binade_tools::{Error, interrupted};
use rayon::prelude::*;
use serde::Serialize;

/// Mutants that share the making of the vectors.
const BATCH: usize = 32;

/// What became of a unit's mutants.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Mutations {
    /// Mutants that were made.
    pub mutants: usize,
    /// Those that a vector of the plan noticed.
    pub killed: usize,
    /// Those that are proven to compute the same.
    pub equivalent: usize,
    /// Those that no vector noticed, though they are wrong.
    pub survived: Vec<Survivor>,
    /// Those that no vector noticed, and of which it is not known whether they are wrong.
    pub undecided: Vec<String>,
}

/// A mutant that the vectors missed.
#[derive(Clone, Debug, Serialize)]
pub struct Survivor {
    /// What was changed.
    pub mutant: String,
    /// The inputs that would have shown it.
    #[serde(with = "hex")]
    pub vector: Vec<Word>,
}

impl Mutations {
    fn add(mut self, other: Mutations) -> Mutations {
        self.mutants += other.mutants;
        self.killed += other.killed;
        self.equivalent += other.equivalent;
        self.survived.extend(other.survived);
        self.undecided.extend(other.undecided);
        self
    }
}

/// Runs the plan's vectors on mutants of a circuit that is right on all of them: what differs from the circuit differs from
/// the golden model. `progress` is told of mutants as they are decided.
pub fn mutate(
    operation: &Operation,
    netlist: &Netlist,
    chosen: &[Mutant],
    plan: &Plan,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Mutations, Error> {
    let stimulus = Stimulus::new(operation, plan);
    let sound = Graph::of_circuit(netlist);
    let program = Program::new(&sound);
    let batch = |batch: &[Mutant]| -> Result<Mutations, Error> {
        let graphs: Vec<Graph> = batch.iter().map(|mutant| mutant.graph(netlist, &sound)).collect();
        let survivors = survivors(&stimulus, operation, &program, &graphs);
        let mut tally =
            Mutations { mutants: batch.len(), killed: batch.len() - survivors.len(), ..Mutations::default() };
        progress(tally.killed as u64);
        for survivor in survivors {
            tally.judge(equivalence(&sound, &graphs[survivor]), || batch[survivor].describe(netlist));
            progress(1);
        }
        if interrupted() { Err(Error::Interrupted) } else { Ok(tally) }
    };
    chosen.par_chunks(BATCH).map(batch).try_reduce(Mutations::default, |one, other| Ok(one.add(other)))
}

impl Mutations {
    /// Counts a mutant that no vector noticed.
    fn judge(&mut self, found: Equivalence, mutant: impl Fn() -> String) {
        match found {
            Equivalence::Proven => self.equivalent += 1,
            Equivalence::Differs(vector) => self.survived.push(Survivor { mutant: mutant(), vector }),
            Equivalence::Open => self.undecided.push(mutant()),
        }
    }
}

/// Which of the graphs give the same as the sound one on all vectors.
fn survivors(stimulus: &Stimulus, operation: &Operation, sound: &Program, graphs: &[Graph]) -> Vec<usize> {
    let programs: Vec<Program> = graphs.iter().map(Program::new).collect();
    let mut alive: Vec<(usize, Machine)> = programs.iter().map(Machine::new).enumerate().collect();
    let mut sound = Machine::new(sound);
    let mut feed = Feed::new(widths(&operation.inputs()).collect::<Vec<_>>());
    for block in 0..stimulus.blocks() {
        if alive.is_empty() || interrupted() {
            break;
        }
        let lanes = feed.read(stimulus, block);
        feed.fill(sound.inputs());
        sound.run();
        alive.retain_mut(|(_, machine)| {
            machine.inputs().copy_from_slice(sound.inputs());
            machine.run();
            machine.first_difference(&sound, lanes).is_none()
        });
    }
    alive.into_iter().map(|(index, _)| index).collect()
}
