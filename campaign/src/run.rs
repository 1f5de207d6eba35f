//! The loop over the units of a suite: several at a time, reusing the results of earlier runs.

use crate::{Known, Recalled, UnitResult, Verdict, counted};
use binade_sim::Shard;
use binade_tools::{Error, interrupted};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Checks units.
pub trait Checker: Sync {
    /// A unit of the suite.
    type Job: Job;
    /// What units that were built together share.
    type Built;

    /// Builds units together.
    fn build(&self, jobs: &[&Self::Job]) -> Self::Built;

    /// Checks one unit. Returns its report, as `verify --json` prints it, and what the user reads if the unit is wrong.
    ///
    /// # Errors
    /// When there is no verdict.
    fn check(&self, job: &Self::Job, built: &Self::Built) -> Result<(Value, Shown), Unchecked>;

    /// Called when a unit is done.
    fn done(&self) {}

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

/// Checks every unit, and returns its report with the text for the user. Reuses reports of units that an earlier run found right. A tool
/// that fails on one unit does not end the suite.
///
/// # Errors
/// When the ledger of a finished suite cannot be removed.
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

/// Checks one unit. A tool failure is a result, too; an interrupt leaves the unit unchecked.
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

/// Recalls a unit that an earlier run has checked.
fn result_of(recalled: Recalled) -> UnitResult {
    let read = |text: &str| UnitResult::of(serde_json::from_str(text).expect("what has its seal was written by us"));
    match recalled {
        Recalled::Earlier(text) => UnitResult { earlier: true, ..read(&text) },
        Recalled::Known(text) => UnitResult { known: true, ..read(&text) },
    }
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
