//! `binade prove`: proves a unit right for all inputs.
//!
//! | file | what it holds |
//! |---|---|
//! | `progress.rs` | progress |
//! | `suite.rs` | many units |

mod progress;
mod suite;

use crate::failure::{Failure, conclude_proof};
use crate::guard::guarded;
use crate::known::KnownOptions;
use crate::names::named;
use crate::output;
use crate::selection::{DEFAULT_OUT, ToolOptions, UnitOptions, leaving};
use crate::stages::{ClockTarget, StageOptions};
use crate::verify::{DutOptions, JunitOptions, PolicyOptions};
use binade_campaign::proofs::ProofSuite;
use binade_generator::GeneratedUnit;
use binade_sim::{Shard, Tolerance};
use binade_synth::Netlist;
use binade_tools::{Error, Tools, interrupted};
use binade_verdict::proof::{Budget, Certificates, ProofReport, Prover, Task, check_certifiable};
use binade_verdict::{ModuleOptions, Waves};
use clap::Args;
use progress::Meter;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    /// Write the gates and the operation of IEEE 754 into this file as a question in SMT-LIB, instead of a proof: solvers such as Z3, cvc5
    /// and Bitwuzla answer unsat if the unit is right for all inputs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "junit", "json"])]
    smt: Option<PathBuf>,
    /// Write a certificate of the proof into a folder of this one, which is named after the module: circuits, clauses and refutations that
    /// `binade check` and programs of others can check. In a suite, units that can have none are proven without
    #[arg(long, value_name = "FOLDER", conflicts_with = "resume")]
    certificate: Option<PathBuf>,
    /// Check each certificate right away as `binade check` does, and keep only its manifests, with the hashes of its files
    #[arg(long, requires = "certificate")]
    certificate_check: bool,
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
        (None, Some(options)) if arguments.dut.verilog.is_empty() => run_unit(arguments, &tools, options),
        (None, Some(options)) => guarded(|| run_unit(arguments, &tools, options)),
        (None, None) => unreachable!("clap demands one of the two"),
    }
}

/// The proof of a generated unit within this processor time.
pub fn within(tools: &Tools, unit: GeneratedUnit, limit: Duration) -> Result<ProofReport, Failure> {
    let (waves, meter) = (Waves::default(), Meter::of_unit());
    let prover = Prover {
        evidence: Some((Path::new(DEFAULT_OUT), &waves)),
        watch: &meter,
        budget: Some(Budget::new(limit)),
        ..Prover::silent(tools)
    };
    let proved = meter.watch(|| prover.prove(&Task::of_circuit(unit)));
    if interrupted() {
        return Err(Failure::Tool(Error::Interrupted));
    }
    Ok(proved?)
}

impl Arguments {
    fn waves(&self) -> Waves {
        Waves { file: None, none: self.no_waves }
    }

    fn prover<'a>(&'a self, tools: &'a Tools, waves: &'a Waves, meter: &'a Meter) -> Prover<'a> {
        let evidence = Some((Path::new(DEFAULT_OUT), waves));
        let certificates =
            self.certificate.as_deref().map(|folder| Certificates { folder, are_checked: self.certificate_check });
        Prover { evidence, watch: meter, certificates, ..Prover::silent(tools) }
    }

    /// What to prove: a generated unit, or a user's module in its place.
    fn task(
        &self,
        tools: &Tools,
        unit: GeneratedUnit,
        module: &ModuleOptions,
        tolerance: Tolerance,
    ) -> Result<Task, Failure> {
        match (module.is_given(), self.netlist) {
            (true, netlist) => {
                Ok(Task::of_module(tools, unit, module, netlist.unwrap_or(Netlist::Printed), tolerance)?)
            }
            (false, _) if !tolerance.is_none() => Err(Failure::Usage(
                "--nan, --zero-sign and --policy allow other answers of your module; add --verilog FILE".into(),
            )),
            (false, None) => Ok(Task::of_circuit(unit)),
            (false, Some(netlist)) => Ok(Task::of_netlist(unit, netlist)),
        }
    }
}

fn run_unit(arguments: &Arguments, tools: &Tools, options: &UnitOptions) -> Result<(), Failure> {
    if arguments.resume || arguments.shard != Shard::WHOLE {
        return Err(Failure::Usage("--resume and --shard are for a suite of proofs; add --suite FILE".into()));
    }
    let junit = arguments.junit.file()?;
    let unit = options.generate(&arguments.stages, arguments.clock.named())?;
    let task = arguments.task(tools, unit, &arguments.dut.module(), arguments.policy.tolerance())?;
    if let Some(file) = &arguments.smt {
        let question = leaving("the question is being written", || task.smt(tools))?;
        output::write_files(&[(file, question.as_bytes())])?;
        return output::print(&format!("{}: unsat if {} is right for all inputs", file.display(), task.module()));
    }
    if arguments.certificate.is_some() {
        check_certifiable(&task)?;
    }
    let (waves, meter) = (arguments.waves(), Meter::of_unit());
    let prover = arguments.prover(tools, &waves, &meter);
    let proved = meter.watch(|| prover.prove(&task));
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
