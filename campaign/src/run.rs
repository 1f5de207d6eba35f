//! The loop over the units of a suite: several at a time, reusing the results of earlier runs.

use crate::{Known, Recalled};
use binade_sim::Shard;
use binade_tools::{Error, interrupted};
use binade_verdict::{Verdict, counted};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

/// The most units built together: more gain little, and if one cannot be built, the time for the others is lost.
const MOST_TOGETHER: usize = 8;

/// A unit of a suite.
pub trait Job: Sync {
    /// The module under test.
    fn name(&self) -> &str;

    /// Determines the unit's run ([`binade_sim::identity`]).
    fn run(&self) -> &str;

    /// Whether `run` covers everything the verdict depends on, so that the verdict may be kept.
    fn is_closed(&self) -> bool;
}

/// What the user reads about a wrong unit.
pub type Shown = Option<String>;

/// Why a unit has no report.
pub enum Unchecked {
    /// The user pressed Ctrl-C.
    Interrupted,
    /// A tool failed, with its message.
    Failed(String),
}

/// What a run finds of a unit.
pub trait Outcome: Send {
    /// That of an earlier run, from what [`Outcome::report`] gave.
    fn recalled(recalled: Recalled) -> Self;

    /// The verdict.
    fn verdict(&self) -> Verdict;

    /// The report in JSON, for later runs.
    fn report(&self) -> String;
}

/// Inspects the units of a suite.
pub trait Inspector: Sync {
    /// A unit of the suite.
    type Job: Job;
    /// What is built for units before they are inspected.
    type Built;
    /// What is found.
    type Outcome: Outcome;
    /// Whether a unit takes all cores, so that only the next one is built meanwhile.
    const ONE_BY_ONE: bool = false;

    /// Builds units together.
    fn build(&self, jobs: &[&Self::Job]) -> Self::Built;

    /// Inspects one unit.
    ///
    /// # Errors
    /// When there is no verdict.
    fn inspect(&self, job: &Self::Job, built: &mut Self::Built) -> Result<Self::Outcome, Unchecked>;

    /// The outcome of a unit without a verdict; the text says which tool failed.
    fn missing(&self, job: &Self::Job, verdict: Verdict, why: Option<String>) -> Self::Outcome;

    /// Called when a unit is done.
    fn done(&self, _outcome: &Self::Outcome) {}

    /// Called when a verdict could not be noted or kept; this changes no verdict.
    fn problem(&self, _error: Error) {}
}

/// Checks that a suite of this many units can be divided into these parts.
///
/// # Errors
/// When there are more parts than units; the message gives the maximum.
pub fn check_parts(shard: Shard, units: usize) -> Result<(), String> {
    if shard.parts() <= units as u64 {
        return Ok(());
    }
    let (units, parts) = (counted(units, "unit"), counted(units, "part"));
    Err(format!("a suite of {units} has at most {parts}"))
}

/// Inspects every unit. Reuses what earlier runs found. A tool that fails on one unit does not end the suite; an interrupt skips the
/// remaining units.
///
/// # Errors
/// When the ledger of a finished suite cannot be removed.
pub fn check_all<I: Inspector>(inspector: &I, jobs: &[I::Job], known: Known) -> Result<Vec<I::Outcome>, Error> {
    // One unit is inspected, another one built.
    let (size, workers) = if I::ONE_BY_ONE { (1, 2) } else { (group_size(jobs.len()), workers()) };
    let groups: Vec<&[I::Job]> = jobs.chunks(size).collect();
    let turns = Turns::default();
    let outcomes = side_by_side(&groups, workers, |turn, group| {
        let turn = I::ONE_BY_ONE.then_some((&turns, turn));
        check_group(inspector, group, &known, turn)
    });
    let not_run = |job: &I::Job| match known.recall(job.run()) {
        Some(recalled) => I::Outcome::recalled(recalled),
        None => inspector.missing(job, Verdict::NotRun, None),
    };
    let outcomes = groups.iter().zip(outcomes);
    let outcomes: Vec<I::Outcome> = outcomes
        .flat_map(|(group, outcomes)| outcomes.unwrap_or_else(|| group.iter().map(not_run).collect()))
        .collect();
    if !outcomes.iter().any(|outcome| outcome.verdict().is_missing()) {
        known.conclude()?;
    }
    Ok(outcomes)
}

/// Whose turn it is, where units are inspected one by one, in their order.
#[derive(Default)]
struct Turns {
    next: Mutex<usize>,
    passed: Condvar,
}

impl Turns {
    /// Does work when it is this one's turn.
    fn take<T>(&self, turn: usize, work: impl FnOnce() -> T) -> T {
        let next = self.next.lock().expect("a number is counted without a panic");
        drop(self.passed.wait_while(next, |next| *next != turn).expect("a number is counted without a panic"));
        let _turn = Turn(self);
        work()
    }
}

/// Passes the turn on when it is dropped, also by a panic.
struct Turn<'a>(&'a Turns);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.next.lock().expect("a number is counted without a panic") += 1;
        self.0.passed.notify_all();
    }
}

/// Inspects units, when it is their turn if they have one.
fn check_group<I: Inspector>(
    inspector: &I,
    group: &[I::Job],
    known: &Known,
    turn: Option<(&Turns, usize)>,
) -> Vec<I::Outcome> {
    let recalled: Vec<Option<Recalled>> = group.iter().map(|job| known.recall(job.run())).collect();
    let left: Vec<&I::Job> =
        group.iter().zip(&recalled).filter(|(_, recalled)| recalled.is_none()).map(|(job, _)| job).collect();
    let mut built = (!left.is_empty()).then(|| inspector.build(&left));
    let inspect = || inspect_group(inspector, (group, recalled), &mut built, known);
    match turn {
        Some((turns, turn)) => turns.take(turn, inspect),
        None => inspect(),
    }
}

fn inspect_group<I: Inspector>(
    inspector: &I,
    (group, recalled): (&[I::Job], Vec<Option<Recalled>>),
    built: &mut Option<I::Built>,
    known: &Known,
) -> Vec<I::Outcome> {
    let outcomes = group.iter().zip(recalled).map(|(job, recalled)| {
        let outcome = match (recalled, built.as_mut()) {
            (Some(recalled), _) => I::Outcome::recalled(recalled),
            (None, Some(built)) => check(inspector, job, built, known),
            (None, None) => inspector.missing(job, Verdict::NotRun, None),
        };
        if outcome.verdict() != Verdict::NotRun {
            inspector.done(&outcome);
        }
        outcome
    });
    outcomes.collect()
}

/// Inspects one unit. A tool failure is an outcome, too; an interrupt leaves the unit unchecked. A later run of the suite need not repeat what
/// is right, proven, or open after all attempts; other runs are told only what is right or proven.
fn check<I: Inspector>(inspector: &I, job: &I::Job, built: &mut I::Built, known: &Known) -> I::Outcome {
    let outcome = match inspector.inspect(job, built) {
        _ if interrupted() && I::ONE_BY_ONE => return inspector.missing(job, Verdict::NotRun, None),
        Ok(outcome) => outcome,
        Err(Unchecked::Interrupted) => return inspector.missing(job, Verdict::NotRun, None),
        Err(Unchecked::Failed(why)) => return inspector.missing(job, Verdict::Error, Some(why)),
    };
    let is_kept = match outcome.verdict() {
        Verdict::Right | Verdict::Proven => job.is_closed(),
        Verdict::Open => false,
        Verdict::Wrong | Verdict::Error | Verdict::NotRun => return outcome,
    };
    let report = outcome.report();
    let noted = known.note(job.run(), &report);
    let kept = if is_kept { known.keep(job.run(), &report) } else { Ok(()) };
    [noted, kept].into_iter().filter_map(Result::err).for_each(|error| inspector.problem(error));
    outcome
}

/// The number of units built together: larger groups take less time per unit, but every worker should stay busy to the end.
fn group_size(units: usize) -> usize {
    (units / (4 * workers())).clamp(1, MOST_TOGETHER)
}

fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work` on all items, a few at a time, each on its own thread; the check itself spreads a unit's vectors over all cores. Results are
/// in order; items that an interrupt skipped have none.
fn side_by_side<Item: Sync, Output: Send>(
    items: &[Item],
    workers: usize,
    work: impl Fn(usize, &Item) -> Output + Sync,
) -> Vec<Option<Output>> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = vec![];
        while !interrupted() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            done.push((index, work(index, item)));
        }
        done
    };
    let mut results: Vec<Option<Output>> = items.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        for thread in threads {
            for (index, output) in thread.join().expect("a worker does not panic") {
                results[index] = Some(output);
            }
        }
    });
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_taken_in_order_and_passed_on_by_a_panic() {
        let (turns, order) = (Turns::default(), Mutex::new(vec![]));
        let take = |turn| {
            turns.take(turn, || {
                order.lock().expect("no panic with the lock").push(turn);
                assert_ne!(turn, 1, "a panic");
            });
        };
        std::thread::scope(|scope| {
            let take = &take;
            let threads: Vec<_> = (0..4).rev().map(|turn| scope.spawn(move || take(turn))).collect();
            let ends: Vec<bool> = threads.into_iter().map(|thread| thread.join().is_ok()).collect();
            assert_eq!(ends, [true, true, false, true]);
        });
        assert_eq!(order.into_inner().expect("no panic with the lock"), [0, 1, 2, 3]);
    }
}
