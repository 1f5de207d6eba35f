//! `binade verify --mutate`: checks whether the vectors would catch a bug.

use super::{Arguments, whole};
use crate::failure::Failure;
use crate::output;
use binade_campaign::{Suite, Verdicts, verdicts as kept_verdicts};
use binade_gates::Graph;
use binade_generator::GeneratedUnit;
use binade_sim::mutate::{Breakable, MutatedUnit, Mutations, mutate};
use binade_sim::{Engine, Gates, Plan, Run, Subject, identity};
use binade_tools::Tools;
use binade_verdict::ModuleOptions;
use binade_verdict::proof::mutated_module;
use clap::Args;
use comfy_table::{Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::time::Instant;

#[derive(Args, Clone, Debug)]
pub struct MutateOptions {
    /// Break up to this many gates, constants, operators and flip-flops of the circuit, or gates and flip-flops of your module, one at a
    /// time, and report whether the vectors notice
    #[arg(long, value_name = "N", value_parser = whole, conflicts_with_all =
        ["replay", "engine", "netlist", "against", "coverage", "resume", "shard", "junit"])]
    pub mutate: Option<u64>,
}

/// The mutants of one unit.
#[derive(Serialize, Deserialize)]
pub struct Report {
    module: String,
    /// The number of possible mutants.
    possible: usize,
    #[serde(flatten)]
    mutations: Mutations,
    seconds: f64,
    /// Whether this was kept from an earlier run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    known: bool,
}

pub fn run(arguments: &Arguments, tools: &Tools, most: u64) -> Result<(), Failure> {
    check_most(most)?;
    let units = units(arguments)?;
    let question = format!("at most {most} mutants");
    let verdicts = arguments.suite.as_ref().map(|_| kept_verdicts(tools, "lanes", &question));
    let mut reports = vec![];
    for unit in &units {
        let report = look_up_or_break(tools, arguments, unit, most, verdicts.as_ref())?;
        report.say_missed();
        reports.push(report);
    }
    tell(&reports, arguments.json)
}

/// Prints the reports.
pub fn tell(reports: &[Report], json: bool) -> Result<(), Failure> {
    output::print(&if json { output::plain_json(&reports) } else { table(reports) })?;
    conclude(reports)
}

/// Refuses to break nothing.
pub fn check_most(most: u64) -> Result<(), Failure> {
    match most {
        0 => Err(Failure::Usage("--mutate 0 breaks nothing; give at least 1".into())),
        _ => Ok(()),
    }
}

fn units(arguments: &Arguments) -> Result<Vec<GeneratedUnit>, Failure> {
    match (&arguments.suite, &arguments.unit) {
        (Some(path), _) => Ok(Suite::read(path, output::read_text)?.units()?),
        (None, Some(options)) => Ok(vec![options.generate(&arguments.stages, arguments.clock.named())?]),
        (None, None) => unreachable!("clap demands one of the two"),
    }
}

/// The kept report of a unit's mutants, or a new one. Keeps a new report if the vectors killed all mutants.
fn look_up_or_break(
    tools: &Tools,
    arguments: &Arguments,
    unit: &GeneratedUnit,
    most: u64,
    verdicts: Option<&Verdicts>,
) -> Result<Report, Failure> {
    let vectors = &arguments.vectors;
    let run = identity(unit, &vectors.choice(), vectors.seed);
    let recalled = verdicts.filter(|_| !arguments.known.fresh);
    if let Some(text) = recalled.and_then(|verdicts| verdicts.known(&run)) {
        let report: Report = serde_json::from_str(&text).expect("what has its seal was written by us");
        return Ok(Report { known: true, ..report });
    }
    let report = break_unit(tools, arguments, unit, most)?;
    let Mutations { survived, undecided, .. } = &report.mutations;
    if let Some(verdicts) = verdicts.filter(|_| survived.is_empty() && undecided.is_empty()) {
        let kept = verdicts.keep(&run, &serde_json::to_string(&report).expect("reports are plain data"));
        kept.unwrap_or_else(|error| output::say(format_args!("note: {error}")));
    }
    Ok(report)
}

fn break_unit(tools: &Tools, arguments: &Arguments, unit: &GeneratedUnit, most: u64) -> Result<Report, Failure> {
    if let Some(unit) = &unit.within_shell {
        return Err(Failure::Usage(format!(
            "--mutate breaks circuits, not shells; leave --interface out to break {unit}"
        )));
    }
    if !arguments.policy.tolerance().is_none() {
        return Err(Failure::Usage("--mutate compares bit for bit; leave --nan, --zero-sign and --policy out".into()));
    }
    let plan = arguments.vectors.plan(&unit.design.operation)?;
    mutants(tools, (unit, &arguments.dut.module()), &plan, most)
}

/// The mutants of a unit, or of the user's module that stands in for it.
pub fn mutants(
    tools: &Tools,
    (unit, options): (&GeneratedUnit, &ModuleOptions),
    plan: &Plan,
    most: u64,
) -> Result<Report, Failure> {
    match options.is_given() {
        true => {
            let module = mutated_module(tools, unit, options)?;
            check_sound(tools, module.subject(), plan, module.sound())?;
            broken(&module, module.subject().module, plan, most)
        }
        false => {
            let subject = MutatedUnit::new(unit);
            check_sound(tools, unit.into(), plan, subject.sound())?;
            broken(&subject, &unit.module, plan, most)
        }
    }
}

/// Refuses what is wrong before anything is broken: mutants are compared with it.
fn check_sound(tools: &Tools, subject: Subject, plan: &Plan, sound: &Graph) -> Result<(), Failure> {
    let gates = Gates { graph: sound.clone(), origin: "its gates".into() };
    let sound = binade_sim::verify(tools, Run { engine: Engine::Lanes(&gates), ..Run::new(subject, plan) }, &|_| {})?;
    let Some(mismatch) = sound.mismatch else { return Ok(()) };
    output::say(format_args!("mismatch in {} before anything was broken, {mismatch}", subject.module));
    Err(Failure::Mismatch)
}

fn broken<Subject: Breakable>(subject: &Subject, name: &str, plan: &Plan, most: u64) -> Result<Report, Failure> {
    let started = Instant::now();
    let all = subject.mutants();
    let chosen = spread(&all, most);
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} mutants, {elapsed}, {eta} left");
    let bar = ProgressBar::with_draw_target(Some(chosen.len() as u64), ProgressDrawTarget::stderr())
        .with_style(style.expect("the template is valid"));
    let mutations = mutate(subject, &chosen, plan, &|count| bar.inc(count));
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    Ok(Report { module: name.into(), possible: all.len(), mutations: mutations?, seconds, known: false })
}

impl Report {
    /// Prints the mutants that the vectors missed.
    pub fn say_missed(&self) {
        let Report { module, mutations, .. } = self;
        for survivor in &mutations.survived {
            let vector: Vec<String> = survivor.vector.iter().map(|word| format!("{word:#x}")).collect();
            output::say(format_args!("{module} survives {}; seen with --replay {}", survivor.mutant, vector.join(",")));
        }
        for mutant in &mutations.undecided {
            output::say(format_args!("{module}: undecided {mutant}"));
        }
    }
}

/// At most `most` mutants, evenly spread over all of them.
fn spread<Mutant: Clone>(all: &[Mutant], most: u64) -> Vec<Mutant> {
    let count = all.len().min(usize::try_from(most).unwrap_or(usize::MAX));
    (0..count).map(|index| all[index * all.len() / count].clone()).collect()
}

fn table(reports: &[Report]) -> String {
    let mut table = Table::new();
    let header = ["unit", "mutants", "killed", "equivalent", "survived", "undecided"];
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for Report { module, mutations, .. } in reports {
        table.add_row([module.clone()].into_iter().chain(counts(mutations).map(|count| count.to_string())));
    }
    table.to_string()
}

/// In the order of the table's columns.
fn counts(mutations: &Mutations) -> [usize; 5] {
    let Mutations { mutants, killed, equivalent, survived, undecided } = mutations;
    [*mutants, *killed, *equivalent, survived.len(), undecided.len()]
}

/// Prints the sums as the last line.
fn conclude(reports: &[Report]) -> Result<(), Failure> {
    let mut sums = [0; 5];
    for Report { mutations, .. } in reports {
        for (sum, count) in sums.iter_mut().zip(counts(mutations)) {
            *sum += count;
        }
    }
    let [mutants, killed, equivalent, survived, undecided] = sums;
    // A sum over no numbers is -0.
    let seconds = reports.iter().filter(|report| !report.known).fold(0.0, |sum, report| sum + report.seconds);
    let known = match reports.iter().filter(|report| report.known).count() {
        0 => String::new(),
        count => format!(" ({count} of {} known)", output::counted(reports.len(), "unit")),
    };
    output::say(format_args!(
        "{mutants} mutants{known}: {killed} killed, {equivalent} proven equivalent, {survived} survived, {undecided} undecided, in {seconds:.1} s"
    ));
    if survived == 0 { Ok(()) } else { Err(Failure::Mismatch) }
}
