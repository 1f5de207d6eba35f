//! `binade verify`: checks the Verilog against the golden model.
//!
//! | file | what it holds |
//! |---|---|
//! | `vectors.rs` | the options that choose vectors |
//! | `engine.rs` | the options that choose the engine |
//! | `dut.rs` | a user's module in place of the generated one |
//! | `policy.rs` | the options that allow other answers |
//! | `waves.rs` | the options that choose waves |
//! | `hang.rs` | handles a module that does not answer |
//! | `subprocess.rs` | checks a unit of a suite in its own process |
//! | `operations.rs` | several operations of one module |
//! | `mutate.rs` | breaks units to test the vectors |
//! | `coverage.rs` | the option that counts coverage |
//! | `campaign.rs` | the options that divide a run, or resume a killed one |
//! | `suite.rs` | checks many units |
//! | `junit.rs` | the option that writes the outcome as JUnit XML |

mod campaign;
mod coverage;
mod dut;
mod engine;
mod hang;
mod junit;
pub mod mutate;
pub mod operations;
mod policy;
mod subprocess;
mod suite;
mod vectors;
mod waves;

pub use dut::{DutOptions, parse as parse_dut};
use engine::EngineOptions;
use hang::Audience;
pub use junit::JunitOptions;
use mutate::MutateOptions;
pub use policy::PolicyOptions;
use subprocess::Answer;
pub use suite::check_shard;
pub use vectors::{VectorOptions, code, seconds, whole};
use waves::WaveOptions;

use crate::failure::Failure;
use crate::guard::guarded;
use crate::known::KnownOptions;
use crate::output;
use crate::selection::{DEFAULT_OUT, ToolOptions, UnitOptions, leaving};
use crate::stages::{ClockTarget, StageOptions};
use binade_sim::{Hang, Run, Verification};
use binade_tools::{Error, Tools};
use binade_verdict::{Checker, Hanging, Report, Vectors, Waves, check_tolerance};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
#[command(
    override_usage = "binade verify [OPTIONS] --format <FORMAT> --unit <UNIT>\n       \
                      binade verify [OPTIONS] --suite <FILE>\n       \
                      binade verify [OPTIONS] --format <FORMAT> --verilog <FILE> --op <UNIT:YOURS=VALUE,..>",
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
    #[command(flatten)]
    known: KnownOptions,
    #[command(flatten)]
    dut: dut::DutOptions,
    /// An operation of your module in place of --unit, with the constants that choose it, such as `mul:op_i=3` or
    /// `fmac --acc binary32:op_i=my_pkg::FMADD`. Give one for each: each is checked while the others run in between
    #[arg(long = "op", value_name = "UNIT:YOURS=VALUE,..")]
    _operations: Vec<operations::Operation>,
    #[command(flatten)]
    policy: policy::PolicyOptions,
    /// Time limit for one vector in your module; no answer until then counts as a hang
    #[arg(long, value_name = "SECONDS", default_value_t = 10, allow_negative_numbers = true, value_parser = vectors::seconds::<1>)]
    timeout: u32,
    #[command(flatten)]
    waves: WaveOptions,
    /// Check the units that this suite file lists
    #[arg(long, value_name = "FILE", conflicts_with_all = ["UnitOptions", "StageOptions", "verilog", "replay", "waves"])]
    suite: Option<PathBuf>,
    /// Report to the process that checks a suite
    #[arg(long, hide = true)]
    within_suite: bool,
    #[command(flatten)]
    junit: junit::JunitOptions,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Judges by vectors as these options say.
    fn checker<'a>(
        &self,
        tools: &'a Tools,
        waves: &'a Waves,
        bark: &'a (dyn Fn(&Hang, Hanging) + Sync),
    ) -> Checker<'a> {
        Checker {
            tools,
            means: self.engine.means(),
            tolerance: self.policy.tolerance(),
            evidence: (Path::new(DEFAULT_OUT), waves),
            limit: Duration::from_secs(self.timeout.into()),
            bark,
        }
    }

    /// The recipient of a message about a hang.
    fn audience(&self) -> Audience {
        match (self.within_suite, self.json) {
            (true, _) => Audience::Suite,
            (false, true) => Audience::Json,
            (false, false) => Audience::User,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tools = arguments.tools.tools();
    arguments.engine.means().check(&arguments.dut.module(), arguments.policy.tolerance())?;
    arguments.known.check(arguments.suite.is_some())?;
    if let Some(most) = arguments.mutate.mutate {
        return mutate::run(arguments, &tools, most);
    }
    match (&arguments.suite, &arguments.unit) {
        (Some(path), _) => suite::run(arguments, &tools, path),
        (None, Some(options)) if arguments.within_suite => match run_unit(arguments, &tools, options) {
            Err(failure) => Answer::of_failure(&failure).tell(),
            Ok(()) => Ok(()),
        },
        (None, Some(options)) if arguments.dut.verilog.is_empty() => run_unit(arguments, &tools, options),
        (None, Some(options)) => guarded(|| run_unit(arguments, &tools, options)),
        (None, None) => unreachable!("clap demands one of the two"),
    }
}

fn run_unit(arguments: &Arguments, tools: &Tools, options: &UnitOptions) -> Result<(), Failure> {
    let junit = arguments.junit.file()?;
    let unit = options.generate(&arguments.stages, arguments.clock.named())?;
    let (module, waves) = (arguments.dut.module(), arguments.waves.waves());
    arguments.engine.means().check_interface(&unit, &module)?;
    check_tolerance(arguments.policy.tolerance(), &unit)?;
    arguments.coverage.check_unit(&unit)?;
    let plan = leaving("vectors are being chosen", || arguments.vectors.plan(&unit.design.operation))?;
    let plan = arguments.engine.means().suited(plan);
    let against = arguments.engine.specification(&unit)?;
    let bark = |hang: &Hang, report: Hanging| hang::conclude(hang, report, arguments.audience());
    let checker = arguments.checker(tools, &waves, &bark);
    let case = checker.case(unit, &module)?;
    let portion = arguments.campaign.portion(&plan)?;
    let vectors = Vectors { plan: &plan, portion, against: against.as_ref(), coverage: arguments.coverage.coverage };
    let verify = |run: Run| {
        let verification = check(tools, run).inspect_err(|error| campaign::say_what_is_kept(tools, run, error))?;
        if !arguments.within_suite {
            campaign::say_what_was_resumed(run, verification.resumed);
        }
        Ok(verification)
    };
    let (case, verification) = checker.check(case, vectors, &verify)?;
    let setting = checker.setting(&case);
    if arguments.within_suite {
        let report = Report::complete(&setting, verification)?;
        return Answer::of(&report, report.shown()).tell();
    }
    let mut report = Report::new(&setting, verification);
    if report.verification.is_right() {
        report.unneeded = checker.unneeded(&case, vectors, &|run| binade_sim::verify(tools, run, &|_| {}))?;
    }
    report.wrong().iter().for_each(output::say);
    report.write_artefacts(&setting)?;
    if let Some(file) = junit {
        output::write_files(&[(&file, junit::of_unit(&report).as_bytes())])?;
    }
    output::print(&if arguments.json { output::json(&report) } else { report.summary() })?;
    conclude(&report)
}

/// Prints the files of a mismatch, or what was checked; a wrong unit is a failure.
pub fn conclude(report: &Report) -> Result<(), Failure> {
    output::say(report.rest());
    if report.verification.is_right() { Ok(()) } else { Err(Failure::Mismatch) }
}

/// Verifies with a progress bar.
pub fn check(tools: &Tools, run: Run) -> Result<Verification, Error> {
    let bar = progress_bar(run.plan.total());
    let (started, done) = (Instant::now(), AtomicU64::new(0));
    let progress = |count| {
        let done = done.fetch_add(count, Ordering::Relaxed) + count;
        // Short runs show no bar.
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
