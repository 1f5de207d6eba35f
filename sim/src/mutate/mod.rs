//! Would the verification have caught the bug? Breaks the circuit in many small ways and runs a plan's vectors on each mutant.
//!
//! | file | what it holds |
//! |---|---|
//! | `mutant.rs` | [`Mutant`]: the ways to break a circuit |
//! | `module.rs` | [`MutatedModule`]: the ways to break a user's module |
//! | `flip_flops.rs` | [`FlipFlopFault`]: the ways to break registers |
//! | `verdict.rs` | whether a surviving mutant is equivalent to the unit |

mod flip_flops;
mod module;
mod mutant;
mod verdict;

pub use flip_flops::{Control, FlipFlopFault};
pub use module::{ModuleMutant, MutatedModule};
pub use mutant::{Change, Mutant, MutatedUnit};

use crate::engines::lanes::{ClockedLanes, Feed, SequenceLanes};
use binade_gates::Equivalence;
use binade_gates::{Graph, Machine, Program};
use binade_golden::Model;
use binade_spec::Operation;
use binade_spec::Word;
use binade_spec::contract::Pace;
use binade_stimulus::Plan;
use binade_stimulus::Stimulus;
use binade_stimulus::words::hex;
use binade_stimulus::words::widths;
use binade_tools::{Error, interrupted};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Mutants that are checked together, with the same generated vectors.
const BATCH: usize = 32;

/// The outcome of a unit's mutants.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Mutations {
    /// Mutants that were made.
    pub mutants: usize,
    /// Mutants that a vector of the plan killed.
    pub killed: usize,
    /// Mutants that are proven equivalent to the unit.
    pub equivalent: usize,
    /// Mutants that no vector killed, though they are wrong.
    #[serde(skip_deserializing)]
    pub survived: Vec<Survivor>,
    /// Mutants that no vector killed and that may be equivalent.
    pub undecided: Vec<String>,
}

/// A mutant that the vectors missed.
#[derive(Clone, Debug, Serialize)]
pub struct Survivor {
    /// What was changed.
    pub mutant: String,
    /// Inputs that would have killed it.
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

/// What is broken, one thing at a time.
pub trait Breakable: Sync {
    /// What can be broken.
    type Mutant: Clone + Sync;

    /// What it should compute.
    fn operation(&self) -> &Operation;

    /// When it takes operands and answers; none without a clock.
    fn pace(&self) -> Option<Pace>;

    /// The gates with nothing broken.
    fn sound(&self) -> &Graph;

    /// Every mutant.
    fn mutants(&self) -> Vec<Self::Mutant>;

    /// The gates of a mutant.
    fn graph(&self, mutant: &Self::Mutant) -> Graph;

    /// Where the mutation is and what it changes, in terms of the Verilog.
    fn describe(&self, mutant: &Self::Mutant) -> String;

    /// Whether a mutant that no vector killed, with these gates, is equivalent; `all_tried` says that the vectors covered all operands in
    /// all states.
    fn judge(&self, mutant: &Self::Mutant, changed: &Graph, all_tried: bool) -> Equivalence;
}

/// Runs the plan's vectors on mutants of what is right on all of them. `progress` receives the number of mutants as they are
/// decided.
///
/// # Errors
/// [`Error::Interrupted`] after Ctrl-C.
pub fn mutate<Subject: Breakable>(
    subject: &Subject,
    chosen: &[Subject::Mutant],
    plan: &Plan,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Mutations, Error> {
    let operation = subject.operation();
    let (reference, stimulus) = (Model::new(operation), Stimulus::new(operation, plan));
    let sound = Program::new(subject.sound());
    let batch = |batch: &[Subject::Mutant]| -> Result<Mutations, Error> {
        let graphs: Vec<Graph> = batch.iter().map(|mutant| subject.graph(mutant)).collect();
        let survivors = match subject.pace() {
            None => survivors(&stimulus, operation, &sound, &graphs),
            Some(pace) => clocked_survivors(&stimulus, &reference, (pace, plan), &graphs),
        };
        let mut tally =
            Mutations { mutants: batch.len(), killed: batch.len() - survivors.len(), ..Mutations::default() };
        progress(tally.killed as u64);
        for survivor in survivors {
            let mutant = &batch[survivor];
            let verdict = subject.judge(mutant, &graphs[survivor], plan.is_exhaustive());
            tally.count(verdict, || subject.describe(mutant));
            progress(1);
        }
        if interrupted() { Err(Error::Interrupted) } else { Ok(tally) }
    };
    chosen.par_chunks(BATCH).map(batch).try_reduce(Mutations::default, |one, other| Ok(one.add(other)))
}

impl Mutations {
    /// Counts a mutant that no vector killed.
    fn count(&mut self, found: Equivalence, mutant: impl Fn() -> String) {
        match found {
            Equivalence::Proven => self.equivalent += 1,
            Equivalence::Differs(vector) => self.survived.push(Survivor { mutant: mutant(), vector }),
            Equivalence::Open => self.undecided.push(mutant()),
        }
    }
}

/// The graphs that agree with the sound one on all vectors, and so with the golden model.
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

/// The graphs that are right at every clock of all vectors, with bubbles, stalls and resets.
fn clocked_survivors(
    stimulus: &Stimulus,
    reference: &Model,
    (pace, plan): (Pace, &Plan),
    graphs: &[Graph],
) -> Vec<usize> {
    let is_right = |graph: &Graph| {
        let program = Program::new(graph);
        if reference.has_state() {
            let mut lanes = SequenceLanes::new(reference, stimulus, &program, pace, plan.seed());
            return !interrupted() && lanes.check(0..plan.total()).is_none();
        }
        let mut lanes = ClockedLanes::new(reference, stimulus, &program, pace, plan.seed());
        !interrupted() && lanes.check(0..plan.total()).is_none()
    };
    (0..graphs.len()).filter(|&index| is_right(&graphs[index])).collect()
}
