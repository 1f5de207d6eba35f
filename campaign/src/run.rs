//! The loop over the units of a suite: several at a time, with what earlier runs have found.

use crate::{Known, Recalled, UnitResult, Verdict, counted};
use binade_sim::Shard;
use binade_tools::{Error, interrupted};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Units that are built together, at most: more gain little, and one that cannot be built costs the others this time.
const MOST_TOGETHER: usize = 8;

/// A unit of a suite.
pub trait Job: Sync {
    /// The module that is checked.
    fn name(&self) -> &str;

    /// What decides its run ([`binade_sim::identity`]).
    fn run(&self) -> &str;

    /// Whether that is all that decides it, so that its verdict may be kept.
    fn is_closed(&self) -> bool;
}

/// What the user reads of a unit that is wrong.
pub type Shown = Option<String>;

/// Why there is no report of a unit.
pub enum Unchecked {
    /// The user pressed Ctrl-C.
    Interrupted,
    /// A tool failed; what it said.
    Failed(String),
}

/// Checks units.
pub trait Checker: Sync {
    /// A unit of the suite.
    type Job: Job;
    /// What units have in common that were built together.
    type Built;

    /// Builds units together.
    fn build(&self, jobs: &[&Self::Job]) -> Self::Built;

    /// Checks one unit: its report, as `verify --json` gives it, and what the user reads of it if it is wrong.
    ///
    /// # Errors
    /// When there is no verdict.
    fn check(&self, job: &Self::Job, built: &Self::Built) -> Result<(Value, Shown), Unchecked>;

    /// A unit is done.
    fn done(&self) {}

    /// A verdict could not be noted or kept, which changes no verdict.
    fn problem(&self, _error: Error) {}
}

/// Whether a suite of so many units can be divided into these parts.
///
/// # Errors
/// When there are more parts than units; the sentence says how many there may be.
pub fn check_parts(shard: Shard, units: usize) -> Result<(), String> {
    if shard.parts() <= units as u64 {
        return Ok(());
    }
    let (units, parts) = (counted(units, "unit"), counted(units, "part"));
    Err(format!("part {shard}: a suite of {units} has at most {parts}"))
}

/// The result of every unit, and what there is to show of it. What was found right by an earlier run is taken over. A tool that fails on
/// one unit does not end the suite.
///
/// # Errors
/// When the ledger of a suite that came to its end cannot be removed.
pub fn check_all<C: Checker>(checker: &C, jobs: &[C::Job], known: Known) -> Result<Vec<(UnitResult, Shown)>, Error> {
    let groups: Vec<&[C::Job]> = jobs.chunks(group_size(jobs.len())).collect();
    let results = side_by_side(&groups, |group| check_group(checker, group, &known));
    let not_run = |job: &C::Job| (UnitResult::without_report(job.name(), Verdict::NotRun, None), None);
    let results = groups.iter().zip(results);
    let results: Vec<(UnitResult, Shown)> =
        results.flat_map(|(group, results)| results.unwrap_or_else(|| group.iter().map(not_run).collect())).collect();
    if !results.iter().any(|(unit, _)| unit.verdict.is_open()) {
        known.conclude()?;
    }
    Ok(results)
}

fn check_group<C: Checker>(checker: &C, group: &[C::Job], known: &Known) -> Vec<(UnitResult, Shown)> {
    let recalled: Vec<Option<Recalled>> = group.iter().map(|job| known.recall(job.run())).collect();
    let left = group.iter().zip(&recalled).filter(|(_, recalled)| recalled.is_none()).map(|(job, _)| job);
    let built = checker.build(&left.collect::<Vec<_>>());
    let results = group.iter().zip(recalled).map(|(job, recalled)| {
        let result = match recalled {
            Some(recalled) => (result_of(recalled), None),
            None => check(checker, job, &built, known),
        };
        checker.done();
        result
    });
    results.collect()
}

/// Checks one unit. A tool that fails is a result, too; an interrupt leaves the unit undone.
fn check<C: Checker>(checker: &C, job: &C::Job, built: &C::Built, known: &Known) -> (UnitResult, Shown) {
    let without = |verdict, why| (UnitResult::without_report(job.name(), verdict, why), None);
    let (report, shown) = match checker.check(job, built) {
        Ok(checked) => checked,
        Err(Unchecked::Interrupted) => return without(Verdict::NotRun, None),
        Err(Unchecked::Failed(why)) => return without(Verdict::Error, Some(why)),
    };
    let result = UnitResult::of(report.clone());
    if result.verdict == Verdict::Right {
        let text = report.to_string();
        let noted = known.note(job.run(), &text);
        let kept = if job.is_closed() { known.keep(job.run(), &text) } else { Ok(()) };
        [noted, kept].into_iter().filter_map(Result::err).for_each(|error| checker.problem(error));
    }
    (result, shown)
}

/// A unit that an earlier run has checked.
fn result_of(recalled: Recalled) -> UnitResult {
    let read = |text: &str| UnitResult::of(serde_json::from_str(text).expect("what has its seal was written by us"));
    match recalled {
        Recalled::Earlier(text) => UnitResult { earlier: true, ..read(&text) },
        Recalled::Known(text) => UnitResult { known: true, ..read(&text) },
    }
}

/// Units that are built together: that takes less time a unit, but all workers should have something to do to the end.
fn group_size(units: usize) -> usize {
    (units / (4 * workers())).clamp(1, MOST_TOGETHER)
}

fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work` on all items, a few at a time, each on a thread of its own: the vectors of one unit are spread over all
/// cores by the check itself. The results are in order; there is none for items that an interrupt has left.
fn side_by_side<Item: Sync, Output: Send>(
    items: &[Item],
    work: impl Fn(&Item) -> Output + Sync,
) -> Vec<Option<Output>> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = vec![];
        while !interrupted() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            done.push((index, work(item)));
        }
        done
    };
    let mut results: Vec<Option<Output>> = items.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers()).map(|_| scope.spawn(worker)).collect();
        for thread in threads {
            for (index, output) in thread.join().expect("a worker does not panic") {
                results[index] = Some(output);
            }
        }
    });
    results
}
