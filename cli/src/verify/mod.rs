//! `binade verify`: checks the Verilog against the golden model.
//!
//! | file | what it holds |
//! |---|---|
//! | `vectors.rs` | the options that choose vectors |
//! | `engine.rs` | the options that choose the engine |
//! | `dut.rs` | a user's module in place of the generated one |
//! | `verilog.rs` | finds the modules that a text declares |
//! | `policy.rs` | the options that allow other answers |
//! | `hang.rs` | handles a module that does not answer |
//! | `subprocess.rs` | checks a unit of a suite in its own process |
//! | `mutate.rs` | breaks units to test the vectors |
//! | `coverage.rs` | the option that counts coverage |
//! | `campaign.rs` | the options that divide a run, or resume a killed one |
//! | `suite.rs` | checks many units |
//! | `artefacts.rs` | the files that show a mismatch |
//! | `report.rs` | the report of a verification |
//! | `junit.rs` | the option that writes the outcome as JUnit XML |

mod artefacts;
mod campaign;
mod coverage;
mod dut;
mod engine;
mod hang;
mod junit;
mod mutate;
mod policy;
mod report;
mod subprocess;
mod suite;
mod vectors;
mod verilog;

pub use artefacts::{WaveOptions, runnable};
pub use dut::{Connected, DutOptions, MOST_LATENCY, parse as parse_dut};
use engine::EngineOptions;
pub use engine::netlist;
use hang::Audience;
pub use junit::JunitOptions;
use mutate::MutateOptions;
pub use policy::PolicyOptions;
pub use report::{Report, Setting};
use subprocess::Answer;
pub use suite::check_shard;
pub use vectors::{VectorOptions, code, seconds, whole};

use crate::failure::Failure;
use crate::known::KnownOptions;
use crate::output;
use crate::selection::{DEFAULT_OUT, ToolOptions, UnitOptions, leaving};
use crate::stages::{ClockTarget, StageOptions};
use binade_generator::GeneratedUnit;
use binade_generator::description::arguments as selection_words;
use binade_sim::verilator::Dut;
use binade_sim::{Choice, Hang, Run, Subject, Tolerance, Verification, Watchdog};
use binade_tools::{Error, Tools};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

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
    #[command(flatten)]
    known: KnownOptions,
    #[command(flatten)]
    dut: dut::DutOptions,
    #[command(flatten)]
    policy: policy::PolicyOptions,
    /// Time limit for one vector in your module; no answer until then counts as a hang
    #[arg(long, value_name = "SECONDS", default_value_t = 10, allow_negative_numbers = true, value_parser = vectors::seconds::<1>)]
    timeout: u32,
    #[command(flatten)]
    waves: artefacts::WaveOptions,
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
    /// The options for engine and policies as command line words, except defaults.
    fn words(&self) -> String {
        format!("{}{}", self.policy.words(), self.engine.words())
    }

    /// The time limit for one vector.
    fn limit(&self) -> Duration {
        Duration::from_secs(self.timeout.into())
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
    arguments.engine.check(&arguments.dut, &arguments.policy)?;
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
        (None, Some(options)) => run_unit(arguments, &tools, options),
        (None, None) => unreachable!("clap demands one of the two"),
    }
}

fn run_unit(arguments: &Arguments, tools: &Tools, options: &UnitOptions) -> Result<(), Failure> {
    let junit = arguments.junit.file()?;
    let unit = options.generate(&arguments.stages, arguments.clock.named())?;
    arguments.engine.check_interface(&unit, &arguments.dut)?;
    arguments.policy.check_unit(&unit)?;
    arguments.coverage.check_unit(&unit)?;
    let plan = leaving("vectors are being chosen", || arguments.vectors.plan(&unit.design.operation))?;
    let plan = arguments.engine.suited(plan);
    let specification = arguments.engine.specification(&unit)?;
    let policy = arguments.policy;
    let case = Case::new(arguments, tools, unit)?;
    let gates = arguments.engine.gates(tools, &case).map_err(|failure| case.about_files(failure))?;
    let setting = Setting {
        tools,
        case: &case,
        options: arguments.words(),
        out: Path::new(DEFAULT_OUT),
        waves: &arguments.waves,
    };
    let bark = |hang: &Hang| {
        hang::conclude(setting.module(), |vector| setting.replay(vector), hang, arguments.audience());
    };
    let run = Run {
        portion: arguments.campaign.portion(&plan)?,
        engine: engine::engine(&gates),
        against: specification.as_ref(),
        coverage: arguments.coverage.coverage,
        tolerance: policy.tolerance(),
        watchdog: case.dut().map(|_| Watchdog { limit: arguments.limit(), bark: &bark }),
        ..Run::new(case.subject(), &plan)
    };
    let verification = check(tools, run)
        .inspect_err(|failure| campaign::say_what_is_kept(tools, run, failure))
        .map_err(|failure| case.about_files(failure))?;
    if arguments.within_suite {
        return Answer::of(&Report::complete(&setting, verification)?).tell();
    }
    campaign::say_what_was_resumed(run, verification.resumed);
    let mut report = Report::new(&setting, verification);
    report.say_what_is_wrong();
    report.write_artefacts(&setting)?;
    if let Some(file) = junit {
        output::write_files(&[(&file, junit::of_unit(&report).as_bytes())])?;
    }
    output::print(&if arguments.json { output::json(&report) } else { report.summary() })?;
    report.conclude()
}

/// A unit to check, and the source of its Verilog.
pub struct Case {
    pub unit: GeneratedUnit,
    /// The name of the generated module.
    pub name: String,
    /// The options that choose the unit.
    pub words: String,
    source: Source,
}

enum Source {
    Generated,
    /// A user's module to simulate.
    Dut(Box<Connected>),
    /// A user's file for Yosys, with its text.
    File(PathBuf, String),
}

impl Case {
    /// A generated unit.
    pub fn generated(unit: GeneratedUnit) -> Case {
        let words = selection_words(&unit.design).join(" ");
        Case { name: unit.module.clone(), words, unit, source: Source::Generated }
    }

    /// The unit of the command line, with the user's Verilog if given.
    fn new(arguments: &Arguments, tools: &Tools, unit: GeneratedUnit) -> Result<Case, Failure> {
        match arguments.dut.verilog.first() {
            None => Ok(Case::generated(unit)),
            Some(_) if !arguments.engine.needs_verilator() => Case::of_file(unit, &arguments.dut),
            Some(_) => Case::of_dut(arguments, tools, unit),
        }
    }

    /// A unit whose gates Yosys reads from the user's only file.
    fn of_file(unit: GeneratedUnit, options: &dut::DutOptions) -> Result<Case, Failure> {
        let file = &options.verilog[0];
        let Case { unit, name, words, .. } = Case::generated(unit);
        let text = dut::read(file)?;
        dut::expect_module(&unit.module, &text, file)?;
        let words = format!("{words}{}", options.words(None));
        Ok(Case { unit, name, words, source: Source::File(file.into(), text) })
    }

    /// A user's module as a unit; runs it if its latency must be measured.
    fn of_dut(arguments: &Arguments, tools: &Tools, unit: GeneratedUnit) -> Result<Case, Failure> {
        let (options, audience) = (&arguments.dut, arguments.audience());
        let Case { unit, name, words, .. } = Case::generated(unit);
        let outline = options.outline(tools, &unit)?;
        let (module, given) = (outline.0.top.clone(), format!("{words}{}", options.given_words()));
        let replay = |vector: &str| report::replay(tools, &given, &arguments.words(), vector);
        let bark = |hang: &Hang| hang::conclude(&module, replay, hang, audience);
        let watchdog = Watchdog { limit: arguments.limit(), bark: &bark };
        let tolerance = arguments.policy.tolerance();
        let connected = options.connected(tools, &unit.design.operation, outline, tolerance, watchdog)?;
        Ok(Case::around(unit, (name, words), options, connected))
    }

    /// A user's module with known latency; does not run it.
    pub fn of_known_dut(unit: GeneratedUnit, options: &DutOptions, dut: Dut, latency: u32) -> Result<Case, Failure> {
        let Case { unit, name, words, .. } = Case::generated(unit);
        let connected = options.connected_with(&unit.design.operation, dut, latency)?;
        Ok(Case::around(unit, (name, words), options, connected))
    }

    /// A connected module in place of the unit.
    fn around(
        unit: GeneratedUnit,
        (name, words): (String, String),
        options: &DutOptions,
        connected: Connected,
    ) -> Case {
        let latency = Some(connected.latency).filter(|&latency| latency != unit.design.pace().latency);
        let words = format!("{words}{}", options.words(latency));
        Case { unit, name, words, source: Source::Dut(Box::new(connected)) }
    }

    /// The subject to check.
    pub fn subject(&self) -> Subject<'_> {
        match &self.source {
            Source::Generated => (&self.unit).into(),
            Source::Dut(connected) => connected.subject(&self.unit),
            Source::File(_, verilog) => Subject { verilog, circuit: None, ..(&self.unit).into() },
        }
    }

    /// The user's module, if it is simulated.
    pub fn dut(&self) -> Option<&Dut> {
        self.connected().map(|connected| &connected.dut)
    }

    fn connected(&self) -> Option<&Connected> {
        match &self.source {
            Source::Dut(connected) => Some(connected),
            Source::Generated | Source::File(..) => None,
        }
    }

    /// Whether the subject's Verilog (generated unit or adapter) is in none of the user's files.
    pub fn writes_module(&self) -> bool {
        match &self.source {
            Source::Generated | Source::Dut(_) => true,
            Source::File(..) => false,
        }
    }

    /// A description of the user's module.
    pub fn about(&self) -> Option<dut::About> {
        self.connected().map(|connected| connected.about(&self.name))
    }

    /// Identifies a run of it.
    pub fn identity(&self, choice: &Choice, seed: u64, tolerance: Tolerance) -> String {
        binade_sim::identity_of(self.subject(), choice, seed, tolerance)
    }

    /// The user's files.
    pub fn files(&self) -> Vec<PathBuf> {
        match &self.source {
            Source::Generated => vec![],
            Source::Dut(connected) => connected.dut.sources.files.clone(),
            Source::File(file, _) => vec![file.clone()],
        }
    }

    /// Names the user's files in a tool's failure; if Verilator rejects a module, the failure becomes a usage error.
    pub fn about_files(&self, failure: Failure) -> Failure {
        match (failure, &self.source) {
            (Failure::Tool(Error::Failed { what, status, output }), Source::File(file, _)) => {
                let what = format!("{what} (from `{}`)", file.display());
                Failure::Tool(Error::Failed { what, status, output })
            }
            (failure, Source::Dut(connected)) => dut::about(failure, &connected.dut),
            (failure, Source::Generated | Source::File(..)) => failure,
        }
    }
}

/// Verifies with a progress bar.
pub fn check(tools: &Tools, run: Run) -> Result<Verification, Failure> {
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
