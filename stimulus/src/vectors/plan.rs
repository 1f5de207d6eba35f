//! The vectors to check.

use super::all_states::{DEFAULT_STEPS, MOST_STEPS, Tour};
use super::block::BLOCK;
use super::directed::{directed, directed_of_choices};
use super::sequences;
use crate::words::{side_by_side, top_mask};
use binade_spec::Word;
use binade_spec::word::limbs;
use binade_spec::{Operation, Port, Unit};
use thiserror::Error;

/// The most bits of an input space that is enumerated by default.
const EXHAUSTIVE_BITS: u32 = 24;

/// The most bits of an input space that can be enumerated in reasonable time.
const MAX_EXHAUSTIVE_BITS: u32 = 48;

/// The number of random vectors in a default run over a space that is too large to enumerate.
const DEFAULT_RANDOM: u64 = 1 << 23;

/// What the user asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// All combinations of up to 24 input bits (for a unit with state: all of up to 2^22 steps, states times inputs),
    /// else directed vectors and 2^23 random ones.
    Default,
    /// All combinations.
    Exhaustive,
    /// This many vectors: up to half of them directed, the others random; all combinations if there are no more.
    Sample(u64),
    /// One vector, or for a unit with state a sequence from a reset, as the operands' codes.
    Replay(Vec<Vec<Word>>),
}

impl Choice {
    /// The options of the command line for this choice and seed.
    pub fn options(&self, seed: u64) -> String {
        match self {
            Choice::Default => format!("--seed {seed}"),
            Choice::Exhaustive => format!("--exhaustive --seed {seed}"),
            Choice::Sample(count) => format!("--vectors {count} --seed {seed}"),
            Choice::Replay(vectors) => format!("--replay {} --seed {seed}", replay_words(vectors)),
        }
    }
}

/// The vectors to check.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) vectors: Vectors,
    /// The choice that they were made for.
    choice: Choice,
    seed: u64,
    /// Whether a block of vectors is a sequence.
    has_sequences: bool,
    /// Whether random vectors are generated as planes.
    is_in_planes: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Vectors {
    /// All combinations of this many input bits.
    All { bits: u32 },
    /// All inputs in all states.
    Tour(Tour),
    /// Listed vectors, then random ones. A vector is the limbs of all operands side by side, `limbs` of them.
    Sampled { directed: Vec<u64>, limbs: usize, random: u64 },
}

/// Why a choice is impossible. Users read the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// All combinations were requested, but there are too many.
    #[error(
        "--exhaustive over 2^{bits} input combinations would take years; at most 2^{MAX_EXHAUSTIVE_BITS} are enumerated, --vectors N samples"
    )]
    TooLarge {
        /// Bits of all inputs together.
        bits: u32,
    },
    /// All steps of a unit with state were requested, but there are too many.
    #[error("--exhaustive: {unit} has more than 2^24 steps from one state to the next; --vectors N samples")]
    TooManySteps {
        /// The unit.
        unit: Unit,
    },
    /// A sample without vectors was requested.
    #[error("--vectors 0 asks for nothing; give at least 1")]
    NoVectors,
    /// Several vectors for a unit without state.
    #[error("--replay has {given} vectors; {unit} keeps no state from one to the next, so give one")]
    NoSequence {
        /// The unit.
        unit: Unit,
        /// The number of given vectors.
        given: usize,
    },
    /// A sequence longer than a block.
    #[error("--replay has {given} vectors; a sequence has up to {BLOCK}")]
    SequenceTooLong {
        /// The number of given vectors.
        given: usize,
    },
    /// A vector that does not have one code for each operand.
    #[error("--replay has {given} codes; {wanted} are expected, for {names}")]
    OperandCount {
        /// The number of given codes.
        given: usize,
        /// The number of operands.
        wanted: usize,
        /// The names of the operands.
        names: String,
    },
    /// A code that is wider than its port.
    #[error("--replay: {code:#x} does not fit in {name}, which has {width} bits")]
    CodeTooWide {
        /// The code.
        code: Word,
        /// The name of the port.
        name: &'static str,
        /// Bits of the port.
        width: u32,
    },
}

impl Plan {
    /// Checks that `operation` supports the choice, for callers that check many units before the first run.
    ///
    /// # Errors
    /// When there would be too many vectors or none, or vectors to replay do not fit the ports.
    pub fn check(operation: &Operation, choice: &Choice) -> Result<(), PlanError> {
        let bits = operation.input_bits();
        match choice {
            Choice::Exhaustive if operation.has_state() => all_steps(operation).map(|_| ()),
            Choice::Exhaustive if bits > MAX_EXHAUSTIVE_BITS => Err(PlanError::TooLarge { bits }),
            Choice::Sample(0) => Err(PlanError::NoVectors),
            Choice::Replay(vectors) => check_vectors(operation, vectors),
            Choice::Default | Choice::Exhaustive | Choice::Sample(_) => Ok(()),
        }
    }

    /// The vectors for `operation`. The same seed gives the same vectors. `complete` returns vectors that the directed
    /// ones, side by side, still lack; it is called only if the vectors are not all combinations.
    pub(crate) fn with(
        operation: &Operation,
        choice: Choice,
        seed: u64,
        complete: impl Fn(&Operation, &[u64], u64) -> Vec<u64>,
    ) -> Result<Plan, PlanError> {
        Plan::check(operation, &choice)?;
        if operation.has_state() {
            return Plan::of_sequences(operation, choice, seed);
        }
        let bits = operation.input_bits();
        let ports = operation.inputs();
        let limbs = ports.iter().map(|port| limbs(port.width())).sum();
        let sampled = |directed, random| Vectors::Sampled { directed, limbs, random };
        let all_directed = || match operation.is_wrapped() {
            true => directed_of_choices(operation, seed, &complete),
            false => directed(operation, seed),
        };
        // The vectors of each choice are complete.
        let complete = |directed: &[u64]| match operation.is_wrapped() {
            true => vec![],
            false => complete(operation, directed, seed),
        };
        let vectors = match choice.clone() {
            Choice::Default if bits <= EXHAUSTIVE_BITS => Vectors::All { bits },
            Choice::Exhaustive => Vectors::All { bits },
            Choice::Default => {
                let mut directed = all_directed();
                directed.extend(complete(&directed));
                sampled(directed, DEFAULT_RANDOM)
            }
            Choice::Sample(count) if bits < u64::BITS && count >> bits != 0 => Vectors::All { bits },
            Choice::Sample(count) => {
                let directed = all_directed();
                let mut listed = spread(&directed, limbs, count.div_ceil(2));
                if listed.len() == directed.len() {
                    let room = count.div_ceil(2) - (listed.len() / limbs) as u64;
                    listed.extend(spread(&complete(&directed), limbs, room));
                }
                let random = count - (listed.len() / limbs) as u64;
                sampled(listed, random)
            }
            Choice::Replay(vectors) => sampled(all_side_by_side(&ports, &vectors), 0),
        };
        assert_fitting(&ports, &vectors);
        Ok(Plan { vectors, choice, seed, has_sequences: false, is_in_planes: false })
    }

    /// The vectors for a unit with state: a block of vectors is a sequence that starts from a reset.
    fn of_sequences(operation: &Operation, choice: Choice, seed: u64) -> Result<Plan, PlanError> {
        let ports = operation.inputs();
        let limbs: usize = ports.iter().map(|port| limbs(port.width())).sum();
        let sampled = |directed: Vec<u64>, random| Vectors::Sampled { directed, limbs, random };
        let vectors = match &choice {
            Choice::Default => match Tour::of(operation, DEFAULT_STEPS) {
                Some(tour) => Vectors::Tour(tour),
                None => sampled(sequences::directed(operation, seed), DEFAULT_RANDOM),
            },
            Choice::Exhaustive => Vectors::Tour(all_steps(operation)?),
            Choice::Sample(count) => {
                let mut directed = sequences::directed(operation, seed);
                directed.truncate(limbs.saturating_mul(count.div_ceil(2) as usize));
                let random = count - (directed.len() / limbs) as u64;
                sampled(directed, random)
            }
            Choice::Replay(vectors) => sampled(all_side_by_side(&ports, vectors), 0),
        };
        assert_fitting(&ports, &vectors);
        Ok(Plan { vectors, choice, seed, has_sequences: true, is_in_planes: false })
    }

    /// These vectors, independent of each other, for a unit without state.
    ///
    /// # Errors
    /// When a vector does not fit the ports.
    pub fn of_vectors(operation: &Operation, vectors: Vec<Vec<Word>>) -> Result<Plan, PlanError> {
        vectors.iter().try_for_each(|codes| check_codes(operation, codes))?;
        let ports = operation.inputs();
        let limbs = ports.iter().map(|port| limbs(port.width())).sum();
        let directed = all_side_by_side(&ports, &vectors);
        let listed = Vectors::Sampled { directed, limbs, random: 0 };
        Ok(Plan {
            vectors: listed,
            choice: Choice::Replay(vectors),
            seed: 1,
            has_sequences: false,
            is_in_planes: false,
        })
    }

    /// This many random vectors for any ports.
    pub fn random(inputs: &[Port], count: u64, seed: u64) -> Plan {
        let limbs = inputs.iter().map(|port| limbs(port.width())).sum();
        let vectors = Vectors::Sampled { directed: vec![], limbs, random: count };
        Plan { vectors, choice: Choice::Sample(count), seed, has_sequences: false, is_in_planes: false }
    }

    /// The same plan with other random vectors, which are faster to generate for gates: most of them have random bits,
    /// with as many ones as zeros, fewer or more, or common leading bits; one in 32 stays the same. Vectors of a unit
    /// with state stay the same.
    pub fn in_planes(self) -> Plan {
        Plan { is_in_planes: !self.has_sequences, ..self }
    }

    /// Whether the vectors from `first` on are random ones that are generated as planes.
    pub(crate) fn is_in_planes(&self, first: u64) -> bool {
        self.is_in_planes && matches!(self.vectors, Vectors::Sampled { .. }) && first >= self.listed()
    }

    /// The number of vectors.
    pub fn total(&self) -> u64 {
        match &self.vectors {
            Vectors::All { bits } => 1 << bits,
            Vectors::Tour(tour) => tour.len(),
            Vectors::Sampled { random, .. } => self.listed() + random,
        }
    }

    /// Whether these are all input combinations, for a unit with state in all its states.
    pub fn is_exhaustive(&self) -> bool {
        matches!(self.vectors, Vectors::All { .. } | Vectors::Tour(_))
    }

    /// Whether a block of vectors is a sequence that starts from a reset.
    pub fn has_sequences(&self) -> bool {
        self.has_sequences
    }

    /// The seed of the random vectors, and of bubbles, stalls and resets.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The choice that they were made for.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The command-line options that select these vectors.
    pub fn options(&self) -> String {
        self.choice.options(self.seed)
    }

    /// A description of the vectors.
    pub fn describe(&self) -> String {
        match &self.vectors {
            Vectors::All { .. } => format!("all {} input combinations", self.total()),
            Vectors::Tour(tour) => tour.describe(),
            Vectors::Sampled { random: 0, .. } if self.listed() == 1 => "1 vector".into(),
            Vectors::Sampled { random: 0, .. } => format!("{} listed vectors", self.listed()),
            Vectors::Sampled { random, .. } => {
                format!("{} directed and {random} random vectors, seed {}", self.listed(), self.seed)
            }
        }
    }

    fn listed(&self) -> u64 {
        match &self.vectors {
            Vectors::All { .. } | Vectors::Tour(_) => 0,
            Vectors::Sampled { directed, limbs, .. } => (directed.len() / limbs) as u64,
        }
    }
}

/// The simulator would truncate a directed word that is wider than its port, so it would never be checked: a bug in the
/// code that made it.
fn assert_fitting(ports: &[Port], vectors: &Vectors) {
    let Vectors::Sampled { directed, limbs: of_vector, .. } = vectors else { return };
    for mut vector in directed.chunks_exact(*of_vector) {
        for port in ports {
            let (word, rest) = vector.split_at(limbs(port.width()));
            let top = word[word.len() - 1];
            assert!(top & !top_mask(port.width()) == 0, "{top:#x} does not fit in the top of {}", port.name);
            vector = rest;
        }
    }
}

/// The limbs of several vectors, each with those of all operands side by side.
fn all_side_by_side(ports: &[Port], vectors: &[Vec<Word>]) -> Vec<u64> {
    vectors.iter().flat_map(|words| side_by_side(ports, words)).collect()
}

/// Vectors in the syntax of `--replay`: codes separated by commas, vectors by slashes.
pub(crate) fn replay_words(vectors: &[Vec<Word>]) -> String {
    let codes = |vector: &Vec<Word>| vector.iter().map(|code| format!("{code:#x}")).collect::<Vec<_>>().join(",");
    vectors.iter().map(codes).collect::<Vec<_>>().join("/")
}

fn all_steps(operation: &Operation) -> Result<Tour, PlanError> {
    Tour::of(operation, MOST_STEPS).ok_or(PlanError::TooManySteps { unit: operation.unit })
}

/// At most `most` of the vectors, sampled evenly.
fn spread(vectors: &[u64], limbs: usize, most: u64) -> Vec<u64> {
    let count = vectors.len() / limbs;
    let kept = count.min(most as usize);
    let vector = |index: usize| &vectors[index * limbs..(index + 1) * limbs];
    (0..kept).flat_map(|index| vector(index * count / kept)).copied().collect()
}

/// Checks that the codes are a vector, or for a unit with state a sequence.
fn check_vectors(operation: &Operation, vectors: &[Vec<Word>]) -> Result<(), PlanError> {
    let (unit, given) = (operation.unit, vectors.len());
    match operation.has_state() {
        false if given > 1 => return Err(PlanError::NoSequence { unit, given }),
        true if given > BLOCK => return Err(PlanError::SequenceTooLong { given }),
        true | false => {}
    }
    vectors.iter().try_for_each(|codes| check_codes(operation, codes))
}

/// Checks that the codes are a vector.
fn check_codes(operation: &Operation, codes: &[Word]) -> Result<(), PlanError> {
    let ports = operation.inputs();
    if codes.len() != ports.len() {
        let names = ports.iter().map(|port| port.name).collect::<Vec<_>>().join(", ");
        return Err(PlanError::OperandCount { given: codes.len(), wanted: ports.len(), names });
    }
    for (port, code) in ports.iter().zip(codes) {
        let width = port.width();
        if code.bits() > u64::from(width) {
            return Err(PlanError::CodeTooWide { code: code.clone(), name: port.name, width });
        }
    }
    Ok(())
}
