//! `binade verify`: the Verilog against the golden model.
//!
//! | file | what it holds |
//! |---|---|
//! | `vectors.rs` | the options that choose vectors |
//! | `engine.rs` | the options that choose what evaluates the unit |
//! | `mutate.rs` | broken units: whether the vectors notice |
//! | `coverage.rs` | the option that counts coverage |
//! | `campaign.rs` | the options that divide a run and take up one that was killed |
//! | `suite.rs` | many units |
//! | `artefacts.rs` | the files that show a mismatch |
//! | `report.rs` | what is printed of a verification |
//! | `tally.rs`, `junit.rs` | what is printed and written of a suite |

mod artefacts;
mod campaign;
mod coverage;
mod engine;
mod junit;
mod mutate;
mod report;
mod suite;
mod tally;
mod vectors;

use engine::EngineOptions;
use mutate::MutateOptions;
pub use report::{Report, Setting};
pub use tally::{SuiteReport, UnitResult, Verdict};
pub use vectors::{VectorOptions, code, whole};

use crate::failure::Failure;
use crate::output;
use crate::selection::{DEFAULT_OUT, ToolOptions, UnitOptions};
use crate::stages::{ClockTarget, StageOptions};
use binade_generator::GeneratedUnit;
use binade_sim::{Run, Verification};
use binade_tools::{Error, Tools};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
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
    stages: StageOptions,
    #[command(flatten)]
    clock: ClockTarget,
    #[command(flatten)]
    vectors: VectorOptions,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    mutate: MutateOptions,
    #[command(flatten)]
    coverage: coverage::CoverageOptions,
    #[command(flatten)]
    campaign: campaign::CampaignOptions,
    /// Check this file in place of the generated Verilog; its module is named as the generated one
    #[arg(long, value_name = "FILE")]
    verilog: Option<PathBuf>,
    /// Check the units that this file lists
    #[arg(long, value_name = "FILE", conflicts_with_all = ["UnitOptions", "StageOptions", "verilog", "replay"])]
    suite: Option<PathBuf>,
    #[command(flatten)]
    junit: junit::JunitOptions,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tools = arguments.tools.tools();
    arguments.engine.check(arguments.verilog.as_deref())?;
    if let Some(most) = arguments.mutate.mutate {
        return mutate::run(arguments, &tools, most);
    }
    match (&arguments.suite, &arguments.unit) {
        (Some(path), _) => suite::run(arguments, &tools, path),
        (None, Some(options)) => run_unit(arguments, &tools, options),
        (None, None) => unreachable!("clap demands one of the two"),
    }
}

fn run_unit(arguments: &Arguments, tools: &Tools, options: &UnitOptions) -> Result<(), Failure> {
    arguments.junit.expect_none()?;
    let mut unit = options.generate(&arguments.stages, arguments.clock.named())?;
    let plan = arguments.vectors.plan(&unit.design.operation)?;
    if let Some(file) = &arguments.verilog {
        unit.verilog = fs::read_to_string(file).map_err(|error| Failure::file("read", file, error))?;
        expect_module(&unit, file)?;
    }
    let file = arguments.verilog.as_deref();
    let gates = arguments.engine.gates(tools, &unit).map_err(|failure| about_file(failure, file))?;
    let run = Run {
        portion: arguments.campaign.portion(&plan)?,
        engine: engine::engine(&gates),
        coverage: arguments.coverage.coverage,
        ..Run::new(&unit, &plan)
    };
    let verification = check(tools, run)
        .inspect_err(|failure| campaign::say_what_is_kept(tools, run, failure))
        .map_err(|failure| about_file(failure, file))?;
    campaign::say_what_was_resumed(run, verification.resumed);
    let setting = Setting { tools, file, engine: arguments.engine.words(), out: Path::new(DEFAULT_OUT) };
    let report = Report::new(&setting, &unit, verification);
    output::print(&if arguments.json { output::json(&report) } else { report::summary(&report.verification) })?;
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

/// Verifies with a progress bar.
pub fn check(tools: &Tools, run: Run) -> Result<Verification, Failure> {
    let bar = progress_bar(run.plan.total());
    let (started, done) = (Instant::now(), AtomicU64::new(0));
    let progress = |count| {
        let done = done.fetch_add(count, Ordering::Relaxed) + count;
        // Short runs show nothing.
        if started.elapsed() > Duration::from_secs(1) {
            bar.set_position(done);
        }
    };
    let verification = binade_sim::verify(tools, run, &progress);
    bar.finish_and_clear();
    let verification = verification?;
    verification.notes.iter().for_each(|note| output::say(format_args!("note: {note}")));
    Ok(verification)
}

fn progress_bar(total: u64) -> ProgressBar {
    let style = "{bar:40} {percent:>3} %  {human_pos} of {human_len} vectors, {rate}, {eta} left";
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
    let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
        let _ = write!(text, "{:.1} million/s", state.per_sec() / 1e6);
    };
    bar.with_style(ProgressStyle::with_template(style).expect("the template is valid").with_key("rate", rate))
}
