//! `binade synth`: measures area and depth, or with `--pnr` the clock.

mod baseline;
pub mod liberty;
pub mod part;
pub mod pnr;
mod units;

use crate::failure::Failure;
use crate::known::KnownOptions;
use crate::names::named;
use crate::output;
use crate::selection::{ToolOptions, say_if_large};
use crate::stages::StageOptions;
use baseline::{Baseline, Clocks};
use binade_campaign::{Measured, Notes};
use binade_campaign::{Peers, Suite};
use binade_circuit::Optimize;
use binade_generator::GeneratedUnit;
use binade_generator::description::module_name;
use binade_synth::liberty::Library;
use binade_synth::peers::{self, Family, Ours};
use binade_synth::{MappedReport, Target, synthesize};
use binade_tools::Tools;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use liberty::LibertyOptions;
use part::PartOptions;
use pnr::GoalOptions;
use rayon::prelude::*;
use serde::Serialize;
use std::path::PathBuf;
pub use units::{UnitsOptions, formats as formats_of_list};

#[derive(Args, Debug)]
#[command(
    override_usage = "binade synth [OPTIONS] --format <FORMAT> --unit <UNIT>\n       binade synth [OPTIONS] --suite <FILE>",
    after_help = "Examples:\n  binade synth --format e5m2b1 --unit fmac --target ice40 --target xc7\n  \
                  binade synth --format e4m3,posit8_2 --unit mul,add\n  \
                  binade synth --suite testbench/suites/converters.toml\n  \
                  binade synth --format e5m2b1 --unit fmac --stages 4 --pnr --target ice40-hx8k,ecp5-25k\n  \
                  binade synth --format e5m2b1 --unit fmac --target liberty --liberty cells.lib.gz --driving-cell INVX1 --load 10"
)]
pub struct Arguments {
    #[command(flatten)]
    units: Option<UnitsOptions>,
    #[command(flatten)]
    stages: StageOptions,
    #[command(flatten)]
    goals: GoalOptions,
    #[command(flatten)]
    liberty: LibertyOptions,
    /// Measure the units that this suite file lists
    #[arg(long, value_name = "FILE", conflicts_with_all = ["UnitOptions", "StageOptions"])]
    suite: Option<PathBuf>,
    #[command(flatten)]
    part: PartOptions,
    #[command(flatten)]
    known: KnownOptions,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Compare with an earlier run, as printed with --json; exit code 1 if a unit, or with --pnr its clock, got worse by more than 2 %
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    baseline: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub struct TargetOptions {
    /// Targets to map to (comma-separated or repeated) [default: generic,ice40]
    #[arg(long = "target", value_name = "TARGET", value_delimiter = ',',
          value_parser = named::<Target>(&Target::BUILT_IN.map(Target::name)))]
    pub targets: Vec<Target>,
}

impl TargetOptions {
    /// The targets that the user named, else `others`, else the default.
    pub fn or(&self, others: &[Target]) -> Vec<Target> {
        let named = [self.targets.as_slice(), others].into_iter().find(|targets| !targets.is_empty());
        let mut targets = vec![];
        for &target in named.unwrap_or(&[Target::Generic, Target::Ice40]) {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        targets
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.known.check(arguments.suite.is_some())?;
    if arguments.goals.pnr {
        return place_and_route(arguments);
    }
    let earlier = arguments.baseline.as_deref().map(Baseline::read).transpose()?;
    let named = arguments.goals.targets()?;
    let (units, targets, peers) = match (&arguments.suite, &arguments.units) {
        (Some(path), _) => {
            let suite = Suite::read(path, output::read_text)?;
            (suite.units()?, named.or(&suite.targets), suite.peers)
        }
        (None, Some(options)) => (options.generate(&arguments.stages, &named.targets)?, named.or(&[]), None),
        (None, None) => unreachable!("clap demands one of the two"),
    };
    if let (Some(_), Some(path), true) = (&peers, &arguments.suite, arguments.part.shard().is_some()) {
        return Err(Failure::Usage(format!(
            "--shard: `{}` compares its units with peers, which needs all of them; measure it as a whole",
            path.display()
        )));
    }
    units.iter().for_each(say_if_large);
    let tools = arguments.tools.tools();
    let library = arguments.liberty.open(&tools, targets.contains(&Target::Liberty))?;
    let measured = measure_parts(&tools, &units, &targets, library.as_ref(), &arguments.part())?;
    output::print(&arguments.text(&units, &measured, peers.as_ref()))?;
    match arguments.part.shard() {
        None => say_what_was_measured(&units, &targets, &measured.reports),
        Some(shard) => part::say_what_was_measured(shard, measured.reports.len(), units.len() * targets.len()),
    }
    earlier.map_or(Ok(()), |earlier| earlier.judge(&measured.reports))
}

impl Arguments {
    /// Which part to measure, and whether figures are kept.
    fn part(&self) -> PartOptions {
        match &self.suite {
            Some(_) => self.part.of_suite(self.known.fresh),
            None => self.part.clone(),
        }
    }

    /// The measurements in the requested output format.
    fn text(&self, units: &[GeneratedUnit], measured: &Measured<MappedReport>, peers: Option<&Peers>) -> String {
        let reports = &measured.reports;
        let families = peers.map(|peers| beside_peers(units, reports, peers));
        match (families, self.json, self.csv) {
            (Some(families), true, _) => output::json(&WithPeers { families: &families, reports }),
            (Some(families), _, true) => peers::csv(&families),
            (Some(families), ..) => format!("{}{}", peers::markdown(&families), flows(reports)),
            (None, true, _) => part::json(measured),
            (None, _, true) => binade_synth::csv(reports),
            (None, ..) => binade_synth::table(reports),
        }
    }
}

/// The reports of a suite that has peers.
#[derive(Serialize)]
struct WithPeers<'r> {
    families: &'r [Family],
    reports: &'r [MappedReport],
}

/// A table of the units beside their peers' figures.
pub fn beside_peers(units: &[GeneratedUnit], reports: &[MappedReport], peers: &Peers) -> Vec<Family> {
    let ours: Vec<(String, &GeneratedUnit)> =
        units.iter().map(|unit| (module_name(&unit.design.optimized(Optimize::Area)), unit)).collect();
    let ours: Vec<Ours> = ours
        .iter()
        .map(|(of, unit)| Ours {
            of,
            unit: &unit.module,
            built_for: unit.design.optimize,
            reports: reports.iter().filter(|report| report.module == unit.module).collect(),
        })
        .collect();
    peers::compare(&peers.figures, &peers.goals, &ours)
}

/// How each target was mapped, for the table's footer.
fn flows(reports: &[MappedReport]) -> String {
    let mut text = format!("\n{}, combinational units, the same commands for peers and for us:\n\n", reports[0].tool);
    let first = &reports[0].module;
    for report in reports.iter().filter(|report| report.module == *first) {
        let script = report.script.join("; ").replace(first, "<module>");
        text += &format!("- {}: `{script}`\n", report.target);
    }
    text
}

fn say_what_was_measured(units: &[GeneratedUnit], targets: &[Target], reports: &[MappedReport]) {
    let names: Vec<&str> = units.iter().take(3).map(|unit| unit.module.as_str()).collect();
    let more = if units.len() > 3 { ", .." } else { "" };
    let (names, tool) = (names.join(", "), &reports[0].tool);
    output::say(format_args!(
        "{} ({names}{more}) measured on {} with {tool}{}",
        output::counted(units.len(), "unit"),
        output::counted(targets.len(), "target"),
        kit_of(reports)
    ));
}

/// The standard cells among the targets, for the end of a sentence.
fn kit_of(reports: &[MappedReport]) -> String {
    let kit = reports.iter().find_map(|report| report.kit.as_ref());
    kit.map_or(String::new(), |kit| format!("; cells of {kit}"))
}

fn place_and_route(arguments: &Arguments) -> Result<(), Failure> {
    let earlier = arguments.baseline.as_deref().map(Clocks::read).transpose()?;
    let clock = arguments.goals.clock_targets(&arguments.stages)?;
    arguments.liberty.check(false)?;
    let units = match (&arguments.suite, &arguments.units) {
        (Some(path), _) => Suite::read(path, output::read_text)?.units()?,
        (None, Some(options)) => options.generate(&arguments.stages, &clock)?,
        (None, None) => unreachable!("clap demands one of the two"),
    };
    units.iter().for_each(say_if_large);
    let measured = pnr::run(&arguments.goals, &arguments.tools.tools(), &units, &arguments.part())?;
    output::print(&pnr::text(&measured, arguments.json, arguments.csv))?;
    pnr::conclude(&measured.reports);
    earlier.map_or(Ok(()), |earlier| earlier.judge(&measured.reports))
}

/// Measures all units on all targets that need no library, on all cores; results are in order.
pub fn measure(tools: &Tools, units: &[GeneratedUnit], targets: &[Target]) -> Result<Vec<MappedReport>, Failure> {
    if targets.contains(&Target::Liberty) {
        let message = "the suite's target liberty needs standard cells, which `binade synth --suite .. --liberty FILE` takes; name other targets with --target";
        return Err(Failure::Usage(message.into()));
    }
    Ok(measure_parts(tools, units, targets, None, &PartOptions::default())?.reports)
}

/// The same, or one part of it.
fn measure_parts(
    tools: &Tools,
    units: &[GeneratedUnit],
    targets: &[Target],
    library: Option<&Library>,
    options: &PartOptions,
) -> Result<Measured<MappedReport>, Failure> {
    let all = units.iter().flat_map(|unit| targets.iter().map(move |&target| (unit, target))).collect();
    let jobs = part::jobs(all, &library.map_or(String::new(), liberty::identity), options)?;
    // Installs the tools once, before the threads start.
    let yosys = format!("Yosys {}", tools.yosys()?.version);
    jobs.measure(tools, "binade synth", &yosys, |jobs, notes| synthesize_all(tools, jobs, library, notes))
}

fn synthesize_all(
    tools: &Tools,
    jobs: &[(&GeneratedUnit, Target)],
    library: Option<&Library>,
    notes: &Notes,
) -> Result<Vec<MappedReport>, Failure> {
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} runs of Yosys, {elapsed}");
    let bar = ProgressBar::with_draw_target(Some(jobs.len() as u64), ProgressDrawTarget::stderr())
        .with_style(style.expect("the template is valid"));
    let reports = jobs
        .par_iter()
        .enumerate()
        .map(|(job, (unit, target))| {
            let report = match library.filter(|_| *target == Target::Liberty) {
                Some(library) => library.synthesize(tools, &unit.module, &unit.verilog)?,
                None => synthesize(tools, &unit.module, &unit.verilog, *target)?,
            };
            notes.note(job, &report);
            bar.inc(1);
            Ok(report)
        })
        .collect();
    bar.finish_and_clear();
    reports
}
