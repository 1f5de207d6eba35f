//! `binade verify --suite`: many units.

use super::{Arguments, Report, Setting, coverage, engine};
use crate::failure::Failure;
use crate::output;
use crate::selection::DEFAULT_OUT;
use crate::suite::Suite;
use binade_generator::GeneratedUnit;
use binade_sim::{Run, Verification};
use binade_tools::Tools;
use comfy_table::{Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// All units of a suite, several at a time: while one is compiled, another is checked.
pub fn run(arguments: &Arguments, tools: &Tools, path: &Path) -> Result<(), Failure> {
    let started = Instant::now();
    let suite = Suite::read(path)?;
    if arguments.engine.needs_verilator() {
        // Installed once, before there are threads that all want it.
        tools.verilator()?;
    }
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} units, {elapsed}, {eta} left");
    let bar = ProgressBar::with_draw_target(Some(suite.units.len() as u64), ProgressDrawTarget::stderr())
        .with_style(style.expect("the template is valid"));
    let check = |unit: &GeneratedUnit| -> Result<Verification, Failure> {
        let plan = arguments.vectors.plan(&unit.design.operation)?;
        let gates = arguments.engine.gates(tools, unit)?;
        let coverage = arguments.coverage.coverage;
        let run = Run { engine: engine::engine(&gates), coverage, ..Run::new(unit, &plan) };
        let verification = binade_sim::verify(tools, run, &|_| {})?;
        bar.inc(1);
        Ok(verification)
    };
    let results = side_by_side(&suite.units, check);
    bar.finish_and_clear();
    let results = results?;
    let setting = Setting { tools, file: None, engine: arguments.engine.words(), out: Path::new(DEFAULT_OUT) };
    let report = |(unit, result): (&GeneratedUnit, Verification)| Report::new(&setting, unit, result);
    let reports: Vec<Report> = suite.units.iter().zip(results).map(report).collect();
    output::print(&if arguments.json {
        output::json(&reports)
    } else {
        suite_table(&reports, arguments.coverage.coverage)
    })?;
    let wrong: Vec<&Report> = reports.iter().filter(|report| report.conclude_if_wrong().is_err()).collect();
    let checked: u64 = reports.iter().map(|report| report.verification.checked).sum();
    output::say(format_args!(
        "{} units, {} wrong: {checked} vectors checked against the golden model, seed {}, in {:.0} s",
        reports.len(),
        wrong.len(),
        arguments.vectors.seed,
        started.elapsed().as_secs_f64()
    ));
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Mismatch) }
}

/// Runs `work` on all items, a few at a time, each on a thread of its own: the vectors of one unit are spread over all
/// cores by the check itself. The results are in order; the first failure ends it.
fn side_by_side<Item: Sync, Output: Send>(
    items: &[Item],
    work: impl Fn(&Item) -> Result<Output, Failure> + Sync,
) -> Result<Vec<Output>, Failure> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let worker = || {
        let mut done = vec![];
        while !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let output = work(item).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
            done.push((index, output));
        }
        Ok(done)
    };
    let results: Vec<Result<Vec<(usize, Output)>, Failure>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a worker does not panic")).collect()
    });
    let mut done: Vec<(usize, Output)> = vec![];
    for result in results {
        done.extend(result?);
    }
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(_, output)| output).collect())
}

fn suite_table(reports: &[Report], with_coverage: bool) -> String {
    let mut table = Table::new();
    let coverage = with_coverage.then_some("bins hit");
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["unit", "", "checked", "million/s"].into_iter().chain(coverage));
    for Report { verification, verdict, .. } in reports {
        let Verification { module, scope, rate, .. } = verification;
        let coverage = with_coverage.then(|| coverage::cell(verification));
        let row = [module.clone(), verdict.to_string(), scope.clone(), format!("{:.1}", rate / 1e6)];
        table.add_row(row.into_iter().chain(coverage));
    }
    table.to_string()
}
