//! `binade prove`: proves a unit right for all inputs.
//!
//! | file | what it holds |
//! |---|---|
//! | `users_module.rs` | a user's module, read by Yosys |
//! | `task.rs`, `loaded.rs` | what to prove: a unit and the source of its gates; the gates |
//! | `prover.rs` | one proof: cases, all inputs, registers, and the evidence files |
//! | `shell.rs` | the shell of a unit with valid and ready |
//! | `progress.rs` | progress |
//! | `suite.rs` | many units |

mod loaded;
mod progress;
mod prover;
mod shell;
mod suite;
mod task;
mod users_module;

use crate::failure::{Failure, conclude_proof};
use crate::known::KnownOptions;
use crate::names::named;
use crate::output;
use crate::selection::{ToolOptions, UnitOptions};
use crate::stages::{ClockTarget, StageOptions};
use crate::verify::{DutOptions, JunitOptions, PolicyOptions, WaveOptions};
use binade_campaign::proofs::{ProofSuite, Report};
use binade_generator::GeneratedUnit;
use binade_sim::Shard;
use binade_synth::Netlist;
use binade_tools::{Error, Tools, interrupted};
use clap::Args;
use progress::Meter;
pub use prover::MOST_ENUMERATED_BITS;
use prover::{Budget, Prover};
use std::path::PathBuf;
use std::time::Duration;
use task::Task;

#[derive(Args, Debug)]
#[command(
    override_usage = "binade prove [OPTIONS] --format <FORMAT> --unit <UNIT>\n       \
                      binade prove [OPTIONS] --suite <FILE>",
    after_help = "Examples:\n  binade prove --format binary32 --unit add\n  \
                  binade prove --format binary16 --unit fmac --acc binary16 --stages 4 --netlist ice40\n  \
                  binade prove --suite testbench/suites/proofs.toml\n\n\
                  Exit codes: 0 everything is proven, 1 a unit is wrong, 4 something is open."
)]
pub struct Arguments {
    #[command(flatten)]
    unit: Option<UnitOptions>,
    #[command(flatten)]
    stages: StageOptions,
    #[command(flatten)]
    clock: ClockTarget,
    /// Prove the gates that Yosys makes of the printed Verilog, as written (printed) or synthesized for a target, instead of the circuit
    /// that the Verilog is printed from
    #[arg(long, value_name = "NETLIST", value_parser = named::<Netlist>(&Netlist::NAMES))]
    netlist: Option<Netlist>,
    #[command(flatten)]
    dut: DutOptions,
    #[command(flatten)]
    policy: PolicyOptions,
    /// Skip the waves of inputs for which a unit is wrong, which take some seconds
    #[arg(long)]
    no_waves: bool,
    /// Prove the units that this suite file lists
    #[arg(long, value_name = "FILE", conflicts_with_all = ["UnitOptions", "StageOptions", "verilog"])]
    suite: Option<PathBuf>,
    /// Resume this suite after a kill or an interrupt; finished units are not proven again
    #[arg(long)]
    resume: bool,
    /// Prove one part of a suite's units, such as 2/4; `binade merge` merges the reports of all parts
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    shard: Shard,
    #[command(flatten)]
    known: KnownOptions,
    #[command(flatten)]
    junit: JunitOptions,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tools = arguments.tools.tools();
    arguments.known.check(arguments.suite.is_some())?;
    match (&arguments.suite, &arguments.unit) {
        (Some(path), _) => suite::run(arguments, &tools, path),
        (None, Some(options)) => run_unit(arguments, &tools, options),
        (None, None) => unreachable!("clap demands one of the two"),
    }
}

/// The proof of a generated unit within this processor time.
pub fn within(tools: &Tools, unit: GeneratedUnit, limit: Duration) -> Result<Report, Failure> {
    let (waves, meter) = (WaveOptions::default(), Meter::of_unit());
    let proved = meter.watch(|| proved_within(tools, unit, limit, (Some(&waves), &meter)));
    if interrupted() {
        return Err(Failure::Tool(Error::Interrupted));
    }
    proved
}

/// The same without output and evidence files. After Ctrl-C, the unit is open.
pub fn verdict_within(tools: &Tools, unit: GeneratedUnit, limit: Duration) -> Result<Report, Failure> {
    proved_within(tools, unit, limit, (None, &Meter::hidden()))
}

fn proved_within(
    tools: &Tools,
    unit: GeneratedUnit,
    limit: Duration,
    (waves, meter): (Option<&WaveOptions>, &Meter),
) -> Result<Report, Failure> {
    let task = Task::new(tools, unit, None, &DutOptions::default(), PolicyOptions::default())?;
    let prover = Prover { tools, waves, meter, budget: Some(Budget::new(limit)) };
    prover.prove(&task, task.load(tools)?)
}

impl Arguments {
    fn waves(&self) -> WaveOptions {
        WaveOptions { waves: None, no_waves: self.no_waves }
    }
}

fn run_unit(arguments: &Arguments, tools: &Tools, options: &UnitOptions) -> Result<(), Failure> {
    if arguments.resume || arguments.shard != Shard::WHOLE {
        return Err(Failure::Usage("--resume and --shard are for a suite of proofs; add --suite FILE".into()));
    }
    let junit = arguments.junit.file()?;
    let unit = options.generate(&arguments.stages, arguments.clock.named())?;
    let task = Task::new(tools, unit, arguments.netlist, &arguments.dut, arguments.policy)?;
    let (waves, meter) = (arguments.waves(), Meter::of_unit());
    let prover = Prover { tools, waves: Some(&waves), meter: &meter, budget: None };
    let proved = meter.watch(|| task.load(tools).and_then(|loaded| prover.prove(&task, loaded)));
    let report = proved?;
    if interrupted() {
        output::say(report.so_far());
        return Err(Failure::Tool(Error::Interrupted));
    }
    if let Some(file) = junit {
        output::write_files(&[(&file, ProofSuite::of_unit(&report).junit().as_bytes())])?;
    }
    output::print(&if arguments.json { output::json(&report) } else { report.shown() })?;
    conclude_proof(report.verdict)
}
