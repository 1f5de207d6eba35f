//! `binade verify`: the Verilog against the golden model.

use crate::failure::Failure;
use crate::output;
use crate::selection::{DEFAULT_OUT, ToolOptions, UnitOptions};
use crate::suite::Suite;
use binade_generator::GeneratedUnit;
use binade_generator::description::arguments as selection_words;
use binade_golden::Operation;
use binade_sim::{Choice, Plan, Verification};
use binade_tools::{Error, Source, Tools};
use clap::Args;
use comfy_table::{Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, fs};

#[derive(Args, Debug)]
#[command(
    override_usage = "binade verify [OPTIONS] --format <FORMAT> --unit <UNIT>\n       \
                      binade verify [OPTIONS] --suite <FILE>",
    after_help = "Examples:\n  binade verify --format e5m2b1 --unit fmac --vectors 100000000\n  \
                  binade verify --suite testbench/suites/formats.toml"
)]
pub struct Arguments {
    #[command(flatten)]
    unit: Option<UnitOptions>,
    #[command(flatten)]
    vectors: VectorOptions,
    /// Check this file in place of the generated Verilog; its module is named as the generated one
    #[arg(long, value_name = "FILE")]
    verilog: Option<PathBuf>,
    /// Check the units that this file lists
    #[arg(long, value_name = "FILE", conflicts_with_all = ["UnitOptions", "verilog", "replay"])]
    suite: Option<PathBuf>,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Clone, Debug)]
pub struct VectorOptions {
    /// Check all input combinations (the default up to 2^24 of them; else directed and random vectors)
    #[arg(long, conflicts_with_all = ["vectors", "replay"])]
    exhaustive: bool,
    /// Check so many vectors, up to half of them directed, the others random
    #[arg(long, value_name = "N", conflicts_with = "replay", value_parser = whole)]
    vectors: Option<u64>,
    /// Seed of the random vectors
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Check one vector: the operands' codes, such as 0x7d,0x3c,0x1234
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = code)]
    replay: Vec<u64>,
}

/// A whole number.
pub fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a whole number up to {} is expected, such as 1000000", u64::MAX))
}

/// A code in hexadecimal (0x..), binary (0b..) or decimal.
pub fn code(text: &str) -> Result<u64, String> {
    let text = text.trim().to_lowercase();
    let parsed = match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
        (Some(digits), _) => u64::from_str_radix(digits, 16),
        (_, Some(digits)) => u64::from_str_radix(digits, 2),
        _ => text.parse(),
    };
    parsed.map_err(|_| "a code is a number such as 0x3c, 0b00111100 or 60".into())
}

impl VectorOptions {
    pub fn plan(&self, operation: &Operation) -> Result<Plan, Failure> {
        let choice = match (self.exhaustive, self.vectors, self.replay.as_slice()) {
            (true, _, _) => Choice::Exhaustive,
            (_, Some(count), _) => Choice::Sample(count),
            (_, _, []) => Choice::Default,
            (_, _, codes) => Choice::Replay(codes.to_vec()),
        };
        Plan::new(operation, choice, self.seed).map_err(|error| Failure::Usage(error.to_string()))
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tools = arguments.tools.tools();
    match (&arguments.suite, &arguments.unit) {
        (Some(path), _) => run_suite(arguments, &tools, path),
        (None, Some(options)) => run_unit(arguments, &tools, options),
        (None, None) => unreachable!("clap demands one of the two"),
    }
}

fn run_unit(arguments: &Arguments, tools: &Tools, options: &UnitOptions) -> Result<(), Failure> {
    let (operation, mut unit) = options.generate()?;
    let plan = arguments.vectors.plan(&operation)?;
    if let Some(file) = &arguments.verilog {
        unit.verilog = fs::read_to_string(file).map_err(|error| Failure::file("read", file, error))?;
        expect_module(&unit, file)?;
    }
    let verification =
        check(tools, &unit, &operation, &plan).map_err(|failure| about_file(failure, arguments.verilog.as_deref()))?;
    let file = arguments.verilog.as_deref();
    let report = Report::new(tools, &unit, &operation, verification, file, Path::new(DEFAULT_OUT));
    output::print(&if arguments.json { output::json(&report) } else { summary(&report.verification) })?;
    report.conclude()
}

/// Refuses a file without the module that the unit's options name.
fn expect_module(unit: &GeneratedUnit, file: &Path) -> Result<(), Failure> {
    let words = unit.verilog.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.windows(2).any(|pair| pair == ["module", unit.module.as_str()]) {
        return Ok(());
    }
    let file = file.display();
    Err(Failure::Usage(format!(
        "--verilog `{file}`: the module {} is expected, and the file does not declare it",
        unit.module
    )))
}

/// A tool knows the user's file only by the name of its module.
fn about_file(failure: Failure, file: Option<&Path>) -> Failure {
    match (failure, file) {
        (Failure::Tool(Error::Failed { what, status, output }), Some(file)) => {
            let what = format!("{what} (from `{}`)", file.display());
            Failure::Tool(Error::Failed { what, status, output })
        }
        (failure, _) => failure,
    }
}

/// All units of a suite, several at a time: while one is compiled, another is checked.
fn run_suite(arguments: &Arguments, tools: &Tools, path: &Path) -> Result<(), Failure> {
    let started = Instant::now();
    let suite = Suite::read(path)?;
    tools.verilator()?;
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} units, {elapsed}, {eta} left");
    let bar = ProgressBar::with_draw_target(Some(suite.units.len() as u64), ProgressDrawTarget::stderr())
        .with_style(style.expect("the template is valid"));
    let check = |(operation, unit): &(Operation, GeneratedUnit)| -> Result<Verification, Failure> {
        let plan = arguments.vectors.plan(operation)?;
        let verification = binade_sim::verify(tools, unit, operation, &plan, &|_| {})?;
        bar.inc(1);
        Ok(verification)
    };
    let results = side_by_side(&suite.units, check);
    bar.finish_and_clear();
    let results = results?;
    let report = |((operation, unit), result): (&(Operation, GeneratedUnit), Verification)| {
        Report::new(tools, unit, operation, result, None, Path::new(DEFAULT_OUT))
    };
    let reports: Vec<Report> = suite.units.iter().zip(results).map(report).collect();
    output::print(&if arguments.json { output::json(&reports) } else { suite_table(&reports) })?;
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

fn suite_table(reports: &[Report]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(["unit", "", "checked", "million/s"]);
    for Report { verification, verdict, .. } in reports {
        let Verification { module, scope, rate, .. } = verification;
        table.add_row([module, *verdict, scope, &format!("{:.1}", rate / 1e6)]);
    }
    table.to_string()
}

/// Verifies with a progress bar.
pub fn check(tools: &Tools, unit: &GeneratedUnit, operation: &Operation, plan: &Plan) -> Result<Verification, Failure> {
    let bar = progress_bar(plan.total());
    let (started, done) = (Instant::now(), AtomicU64::new(0));
    let progress = |count| {
        let done = done.fetch_add(count, Ordering::Relaxed) + count;
        // Short runs show nothing.
        if started.elapsed() > Duration::from_secs(1) {
            bar.set_position(done);
        }
    };
    let verification = binade_sim::verify(tools, unit, operation, plan, &progress);
    bar.finish_and_clear();
    Ok(verification?)
}

fn progress_bar(total: u64) -> ProgressBar {
    let style = "{bar:40} {percent:>3} %  {human_pos} of {human_len} vectors, {rate}, {eta} left";
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
    let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
        let _ = write!(text, "{:.1} million/s", state.per_sec() / 1e6);
    };
    bar.with_style(ProgressStyle::with_template(style).expect("the template is valid").with_key("rate", rate))
}

fn summary(verification: &Verification) -> String {
    let Verification { module, scope, seconds, rate, tool, build_seconds, cached, checked, .. } = verification;
    let (verdict, scope) = match verification.mismatch {
        Some(_) => ("WRONG", format!("{checked} vectors, up to a mismatch, of {scope}")),
        None => ("right", scope.clone()),
    };
    let model = if *cached { "model from the cache".into() } else { format!("model built in {build_seconds:.1} s") };
    format!(
        "{module}: {verdict}\n  checked  {scope}\n  rate     {:.1} million vectors/s ({seconds:.2} s)\n  with     {tool}, {model}",
        rate / 1e6
    )
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map(String::from).unwrap_or(text.to_string())
}

/// A verification with what it takes to look into a mismatch.
#[derive(Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub verification: Verification,
    pub verdict: &'static str,
    /// The command that checks the mismatching vector alone.
    replay: Option<String>,
    /// Waves of that vector.
    waves: Option<PathBuf>,
    /// Why there are none.
    #[serde(skip)]
    waves_error: Option<Error>,
}

impl Report {
    /// Writes the waves of a mismatch into `out`.
    pub fn new(
        tools: &Tools,
        unit: &GeneratedUnit,
        operation: &Operation,
        verification: Verification,
        file: Option<&Path>,
        out: &Path,
    ) -> Report {
        let mut report = Report { verification, verdict: "right", replay: None, waves: None, waves_error: None };
        let Some(mismatch) = &report.verification.mismatch else { return report };
        report.verdict = "wrong";
        report.replay = Some(replay(tools, operation, file, &mismatch.replay()));
        let waves = out.join(format!("{}_mismatch.vcd", unit.module));
        match binade_sim::trace(tools, unit, mismatch, &waves) {
            Ok(()) => report.waves = Some(waves),
            Err(error) => report.waves_error = Some(error),
        }
        report
    }

    /// Shows a mismatch; says nothing of a unit that is right.
    fn conclude_if_wrong(&self) -> Result<(), Failure> {
        if self.verification.mismatch.is_some() { self.conclude() } else { Ok(()) }
    }

    /// Shows a mismatch; the last line says what was checked.
    pub fn conclude(&self) -> Result<(), Failure> {
        let Verification { module, scope, seconds, checked, mismatch, seed, .. } = &self.verification;
        let Some(mismatch) = mismatch else {
            output::say(format_args!("{module} agrees with the golden model on {scope} ({seconds:.1} s)"));
            return Ok(());
        };
        output::say(format_args!("mismatch in {module}, {mismatch}"));
        output::say(format_args!("  seed   {seed}"));
        if let Some(replay) = &self.replay {
            output::say(format_args!("  replay {replay}"));
        }
        match (&self.waves, &self.waves_error) {
            (Some(waves), _) => output::say(format_args!("  waves  {}", waves.display())),
            (None, Some(error)) => output::say(format_args!("  waves  none: {error}")),
            (None, None) => {}
        }
        output::say(format_args!(
            "{module} differs from the golden model; {checked} vectors were checked of {scope} ({seconds:.1} s)"
        ));
        Err(Failure::Mismatch)
    }
}

fn replay(tools: &Tools, operation: &Operation, file: Option<&Path>, codes: &str) -> String {
    let file = file.map(|file| format!(" --verilog {}", quoted(file))).unwrap_or_default();
    let source = match tools.source() {
        Source::Pinned => "",
        Source::System => " --tools system",
    };
    format!("binade verify {}{file}{source} --replay {codes}", selection_words(operation).join(" "))
}
