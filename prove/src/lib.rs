//! Proves arithmetic units right for all inputs: unit and specification are compared case by case, and a SAT solver
//! shows that they are equal.
//!
//! The specification is a circuit built from the unit's formula: exact values, one rounding. It shares no arithmetic
//! with the generated circuits or the golden model. A case says where each operand lies (in which binades, at zero,
//! among the specials) and how far apart the terms of a sum are, so that shift distances are constant. Together, the
//! cases of a unit cover every input.
//!
//! | file | what it holds |
//! |---|---|
//! | `plans.rs` | the cases of a unit |
//! | `pieces.rs` | formats cut into pieces, whose exponent and significand are read at fixed places |
//! | `directions.rs`, `choices.rs` | units whose port `rm` chooses the rounding, or whose port `fmt` chooses the formats |
//! | `normalized.rs` | all numbers of a format that a unit normalizes, as one set |
//! | `number.rs`, `rounding.rs` | the specification: exact numbers and rounding |
//! | `window.rs` | sums of many numbers in fixed point |
//! | `functions.rs` | the specification of plain functions |
//! | `codebook.rs` | the values of a codebook's codes, by tables |
//! | `words.rs` | the arithmetic that the specification uses |
//! | `case/` | one case as a circuit: specification, unit and comparison |
//! | `specification.rs` | the specification as one circuit, without cases |
//! | `certificate/` | certificates of proofs, which other programs can check |
//! | `miter.rs` | a case as two circuits beside each other, and their clauses |
//! | `cover.rs` | the proof that the cases cover every input |
//! | `elements.rs` | matrix units, proven element by element |
//! | `part.rs` | a part of a unit as a unit of its own |
//! | `stages.rs` | units that round more than once, proven one rounding at a time |
//! | `tapered.rs` | the regimes of posits, b-posits and takums, as their definitions list them |
//! | `sweep.rs`, `tables.rs` | SAT sweeping: equal gates are merged, one by one, until nothing differs |
//! | `smt.rs` | a unit and its IEEE 754 operation as a question for other solvers, in SMT-LIB |
//! | `cadical.rs` | a second solver, with the feature `second-solver` |
//! | `dependence.rs` | what results depend on: operands alone, or undefined bits and other inputs too |
//! | `iterated.rs` | the control of units that take several clocks for an operation |
//! | `clocked.rs` | units with a clock: the contract for all sequences, and the unit without registers; one step of units with state |
//! | `shell.rs` | shells with valid and ready |
//! | `time.rs` | the time of a case, where threads have clocks |
//!
//! ```
//! use binade_generator::{Design, generate};
//! use binade_prove::{Proof, Question, prove};
//! use binade_gates::Graph;
//! use binade_spec::{Format, Operation, Unit};
//!
//! let operation = Operation::new(Unit::Add, Format::binary16(), Format::binary16());
//! let unit = generate(Design::new(operation, 0, Default::default()).unwrap());
//! let gates = Graph::of_circuit(&unit.netlist);
//! let proof: Proof = prove(Question::new(&gates, &operation), &|_| {}, &|| false).unwrap();
//! assert!(proof.is_whole());
//! ```

#[cfg(feature = "second-solver")]
mod cadical;
mod case;
mod certificate;
mod choices;
mod clocked;
mod codebook;
mod cover;
mod dependence;
mod digits;
mod directions;
mod elements;
mod functions;
mod iterated;
mod miter;
mod normalized;
mod number;
mod part;
mod pieces;
mod plans;
mod rounding;
mod shell;
mod smt;
mod specification;
mod stages;
mod sweep;
mod tables;
mod tapered;
#[cfg(test)]
mod tests;
mod time;
mod window;
mod words;

#[cfg(feature = "second-solver")]
pub use cadical::{Opinion, second_opinion};
pub use certificate::{
    Certified, CertifiedCase, CertifiedPart, CertifiedRegisters, Clocked, Evidence, Files, Instance, Results,
    certifiable, certify,
};
pub use clocked::{defined, flow, iterated_flow, latency, step};
pub use cover::{Coverage, coverage};
pub use dependence::{FlowFault, Undefined};
pub use plans::NotSpecified;
pub use shell::{Shell, ShellFault};
pub use smt::{NotInSmt, smt};
pub use specification::specification;
pub use stages::{of_first_output, second_output_of_first};

use binade_gates::{Graph, Literal};
use binade_spec::{Operation, Rounding, Word};
pub use case::AllowedResults;
use case::{Case, Expected};
use certificate::Certifier;
use choices::prove_choices;
use directions::prove_directions;
use elements::{element, prove_elements};
use plans::{Plan, plans, plans_of_shifted_product};
use rayon::prelude::*;
use stages::{prove_stages, stages};
use std::sync::atomic::{AtomicUsize, Ordering};
use sweep::{Effort, Outcome, simulated, sweep};
use tables::has_tables;
use time::ThreadTime;
use words::Multiplier;

/// Attempts on a case while it is open; the first suffices for most. An attempt that leaves many gates unmerged is given up early.
const ATTEMPTS: [(Multiplier, Effort); 7] = [
    (Multiplier::Rows, Effort { guess: 100, again: 0, left: 30, goal: 3_000 }),
    (Multiplier::Tree, Effort { guess: 100, again: 0, left: 30, goal: 3_000 }),
    (Multiplier::RowsExchanged, Effort { guess: 100, again: 0, left: 30, goal: 3_000 }),
    (Multiplier::Pairs, Effort { guess: 100, again: 0, left: 30, goal: 3_000 }),
    (Multiplier::Rows, Effort { guess: 2_000, again: 0, left: usize::MAX, goal: 20_000 }),
    (Multiplier::Tree, Effort { guess: 2_000, again: 0, left: usize::MAX, goal: 20_000 }),
    (Multiplier::Tree, Effort { guess: 20_000, again: 0, left: usize::MAX, goal: 500_000 }),
];

/// Conflicts of a second try at two gates of a sum of products.
const SECOND_TRY: u64 = 2_000;

/// The first attempts, which cost little.
const CHEAP: usize = 4;

/// Attempts after which an open case is split, if possible: the last one takes longest, and the parts are easier.
const BEFORE_SPLIT: usize = 5;

/// The result of comparing a unit with its specification.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proof {
    /// The number of cases.
    pub cases: usize,
    /// The cases that remained undecided within the effort.
    pub open: Vec<String>,
    /// Input words for which unit and specification differ, if found; the remaining cases were skipped then.
    pub differs: Option<Vec<Word>>,
    /// The slowest case.
    pub slowest: String,
    /// The time of the slowest case in seconds.
    pub slowest_seconds: f64,
    /// The time of all cases on one core in seconds.
    pub seconds: f64,
}

impl Proof {
    /// Whether unit and specification agree on every input.
    pub fn is_whole(&self) -> bool {
        self.open.is_empty() && self.differs.is_none()
    }

    /// Adds the cases of a part of the unit, whose names begin with that of the part.
    pub(crate) fn join(&mut self, part: Proof, name: &str) {
        let within = |case: &String| format!("{name}: {case}");
        self.cases += part.cases;
        self.seconds += part.seconds;
        self.open.extend(part.open.iter().map(within));
        if part.slowest_seconds > self.slowest_seconds {
            (self.slowest, self.slowest_seconds) = (within(&part.slowest), part.slowest_seconds);
        }
    }
}

/// The question: does a combinational unit give the results of an operation, or others that count as right?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The unit's gates.
    pub unit: &'a Graph,
    /// The operation that it should compute.
    pub operation: &'a Operation,
    /// Other results that count as right.
    pub tolerance: AllowedResults,
    /// Whether the unit was made for ranks of registers. Its multipliers add rows in pairs then, and the proof begins with that way to
    /// multiply. No verdict depends on it.
    pub has_ranks: bool,
}

impl<'a> Question<'a> {
    /// Asks whether the unit gives exactly these results.
    pub fn new(unit: &'a Graph, operation: &'a Operation) -> Question<'a> {
        Question { unit, operation, tolerance: AllowedResults::default(), has_ranks: false }
    }
}

/// Compares a combinational unit with the specification of an operation. `progress` is called with the number of cases
/// and after each case. `is_over` is called before each case and each attempt at it; once it returns true, the
/// remaining cases stay open.
///
/// # Errors
/// When the operation has no specification.
///
/// # Panics
/// When the unit does not have the ports of the operation.
pub fn prove(
    question: Question,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Proof, NotSpecified> {
    let operation = question.operation;
    if operation.is_wrapped() {
        return prove_choices(question, progress, is_over);
    }
    if operation.rounding == Rounding::Any {
        return prove_directions(question, progress, is_over);
    }
    if let Some(dot) = element(operation) {
        return prove_elements(question, &dot, progress, is_over);
    }
    if let Some(stages) = stages(operation) {
        let proof = prove_stages(question, &stages, progress, is_over);
        if proof.as_ref().is_ok_and(Proof::is_whole) || plans(operation).is_err() || is_over() {
            return proof;
        }
    }
    let plans = plans(operation)?;
    let of_shifted = plans_of_shifted_product(operation).filter(|_| is_product_shifted(question, &plans, is_over));
    let (proof, _) = prove_plans(question, of_shifted.as_ref().unwrap_or(&plans), None, progress, is_over)?;
    match of_shifted {
        Some(_) if proof.differs.is_none() && !proof.open.is_empty() && !is_over() => {
            Ok(prove_plans(question, &plans, None, progress, is_over)?.0)
        }
        _ => Ok(proof),
    }
}

/// Whether there is a specification of an operation, with which [`prove`] can compare a unit.
///
/// # Errors
/// When there is none, and why.
pub fn specified(operation: &Operation) -> Result<(), NotSpecified> {
    directions::of_all(operation).iter().try_for_each(|operation| match (element(operation), stages(operation)) {
        (Some(dot), _) => specified(&dot),
        (None, Some(_)) => Ok(()),
        (None, None) => plans::check(operation),
    })
}

/// Compares a unit with the specification in these cases, and writes their certificates if there is someone who does.
fn prove_plans(
    question: Question,
    plans: &[Plan],
    certifier: Option<&Certifier>,
    progress: &(dyn Fn(Progress) + Sync),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<(Proof, Vec<CertifiedCase>), NotSpecified> {
    progress(Progress::Cases(plans.len()));
    let first = first_multiplier(question, plans, is_over);
    // Cases before the first wrong one continue, so that the result does not depend on the number of cores.
    let first_wrong = AtomicUsize::new(usize::MAX);
    let shown = plans
        .par_iter()
        .with_max_len(1)
        .enumerate()
        .map(|(at, plan)| {
            let is_needed = at < first_wrong.load(Ordering::Relaxed) && !is_over();
            let way = Way { first, certifier, stem: format!("case-{:04}", at + 1) };
            let shown = is_needed.then(|| show(question, plan, &way, is_over)).transpose()?;
            if shown.as_ref().is_some_and(|shown| shown.differs.is_some()) {
                first_wrong.fetch_min(at, Ordering::Relaxed);
            }
            progress(Progress::Done { is_open: shown.as_ref().is_none_or(|shown| shown.is_open) });
            Ok(shown)
        })
        .collect::<Result<Vec<Option<Shown>>, NotSpecified>>()?;
    let mut proof = Proof { cases: plans.len(), ..Proof::default() };
    let mut certified = vec![];
    for (plan, mut shown) in plans.iter().zip(shown) {
        shown.iter_mut().for_each(|shown| certified.append(&mut shown.certified));
        proof.take(plan, shown);
    }
    Ok((proof, certified))
}

/// The progress of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many cases begin, beside those that began before.
    Cases(usize),
    /// One more case is done.
    Done {
        /// Whether the case is undecided.
        is_open: bool,
    },
}

/// How a case is decided.
struct Way<'a> {
    /// The first way to multiply.
    first: Multiplier,
    certifier: Option<&'a Certifier<'a>>,
    /// The beginning of the names of the case's files.
    stem: String,
}

/// The result of one case.
struct Shown {
    is_open: bool,
    differs: Option<Vec<Word>>,
    certified: Vec<CertifiedCase>,
    seconds: f64,
}

impl Proof {
    fn take(&mut self, plan: &Plan, shown: Option<Shown>) {
        let Some(shown) = shown else { return self.open.push(plan.to_string()) };
        self.seconds += shown.seconds;
        if shown.seconds > self.slowest_seconds {
            (self.slowest, self.slowest_seconds) = (plan.to_string(), shown.seconds);
        }
        if shown.is_open {
            self.open.push(plan.to_string());
        }
        if self.differs.is_none() {
            self.differs = shown.differs;
        }
    }
}

/// Whether a unit shifts subnormals up before it multiplies: then a product of one with an odd number of leading zeros has
/// other rows.
fn is_product_shifted(question: Question, plans: &[Plan], is_over: &(dyn Fn() -> bool + Sync)) -> bool {
    let first = usual_multiplier(question);
    let way = Way { first, certifier: None, stem: String::new() };
    let is_open =
        |plan: &Plan| tried(question, plan, &way, &ATTEMPTS[..CHEAP], is_over).is_ok_and(|tried| tried.is_open);
    plans.par_iter().filter(|plan| plan.has_one_zero_above()).any(is_open)
}

/// How the units that Binade generates multiply.
fn usual_multiplier(question: Question) -> Multiplier {
    if question.has_ranks { Multiplier::Pairs } else { Multiplier::Rows }
}

/// How products and sums of products are added in the first attempts: as in the unit, if that shows in one of the sums.
fn first_multiplier(question: Question, plans: &[Plan], is_over: &dyn Fn() -> bool) -> Multiplier {
    let usual = usual_multiplier(question);
    let sums: Vec<&Plan> = plans.iter().filter(|plan| plan.is_sum_of_products()).collect();
    let Some(plan) = sums.get(sums.len() / 2) else { return usual };
    let (_, effort) = ATTEMPTS[0];
    let shows = |multiplier: &Multiplier| {
        let effort = Effort { again: SECOND_TRY, ..effort };
        Case::new(question, plan, *multiplier).is_ok_and(|case| sweep(&case, effort, is_over) != Outcome::Open)
    };
    [usual, Multiplier::Tree].into_iter().find(shows).unwrap_or(usual)
}

fn show(question: Question, plan: &Plan, way: &Way, is_over: &dyn Fn() -> bool) -> Result<Shown, NotSpecified> {
    // One thread works on a case, and its own time is measured, whatever else runs beside it.
    let started = ThreadTime::now();
    let Conclusion { is_open, differs, certified, .. } = concluded(question, plan, way, is_over)?;
    Ok(Shown { is_open, differs, certified, seconds: started.elapsed().as_secs_f64() })
}

/// What is known about a case.
#[derive(Default)]
struct Conclusion {
    is_open: bool,
    differs: Option<Vec<Word>>,
    certified: Vec<CertifiedCase>,
    /// The width of the sum, by whose leading 1 the case can be split.
    sum_bits: usize,
}

/// Decides a case, in parts if it stays open as a whole.
fn concluded(
    question: Question,
    plan: &Plan,
    way: &Way,
    is_over: &dyn Fn() -> bool,
) -> Result<Conclusion, NotSpecified> {
    let (before, last) = ATTEMPTS.split_at(BEFORE_SPLIT);
    let whole = tried(question, plan, way, before, is_over)?;
    if !whole.is_open || is_over() {
        return Ok(whole);
    }
    let parts = plan.parts(whole.sum_bits);
    if parts.is_empty() {
        return tried(question, plan, way, last, is_over);
    }
    let mut all = Conclusion::default();
    for (at, part) in parts.iter().enumerate() {
        let mut of_part =
            concluded(question, part, &Way { stem: format!("{}-{:03}", way.stem, at + 1), ..*way }, is_over)?;
        all.is_open |= of_part.is_open;
        if of_part.differs.is_some() {
            return Ok(of_part);
        }
        all.certified.append(&mut of_part.certified);
    }
    Ok(all)
}

/// Tries to decide a case; the first way to multiply is exchanged with that of the unit.
fn tried(
    question: Question,
    plan: &Plan,
    way: &Way,
    attempts: &[(Multiplier, Effort)],
    is_over: &dyn Fn() -> bool,
) -> Result<Conclusion, NotSpecified> {
    let mut conclusion = Conclusion { is_open: true, ..Conclusion::default() };
    for &(turn, effort) in attempts.iter().take_while(|_| !is_over()) {
        let case = Case::new(question, plan, turn.exchanged(way.first))?;
        conclusion.sum_bits = case.sum_bits;
        // A certificate has no tables.
        let effort = match (way.certifier.is_none() && has_tables(&case.factors), turn) {
            _ if plan.is_sum_of_products() => Effort { again: SECOND_TRY, ..effort },
            // Where factors are compared by tables, it does not matter how they are multiplied.
            (true, Multiplier::Rows) => effort,
            (true, _) => continue,
            (false, Multiplier::RowsExchanged | Multiplier::Pairs) if case.factors.iter().all(Vec::is_empty) => {
                continue;
            }
            (false, _) => Effort { left: usize::MAX, ..effort },
        };
        let outcome = match way.certifier {
            None => sweep(&case, effort, is_over),
            Some(certifier) => {
                let expected = Expected::new(question, plan, turn.exchanged(way.first))?;
                let (outcome, certified) = certifier.decide_plan(&way.stem, plan, expected, effort, is_over);
                conclusion.certified.extend(certified);
                outcome
            }
        };
        match outcome {
            Outcome::Open => continue,
            Outcome::Proven => {}
            Outcome::Wrong(bits) => conclusion.differs = Some(inputs(&case, &bits)),
        }
        conclusion.is_open = false;
        break;
    }
    Ok(conclusion)
}

/// The input words of the unit for these free bits.
fn inputs(case: &Case, bits: &[bool]) -> Vec<Word> {
    let words: Vec<u64> = bits.iter().map(|&bit| u64::from(bit)).collect();
    let values = simulated(case.graph.gates(), &words);
    let bit = |literal: Literal| (values[literal.node()] & 1 == 1) != literal.is_inverted();
    case.inputs.iter().map(|bits| words::word_of(bits, bit)).collect()
}
