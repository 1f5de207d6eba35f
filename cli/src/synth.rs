//! `binade synth`: area and depth, and with `--pnr` the clock.

use crate::failure::Failure;
use crate::output;
use crate::pnr::{self, GoalOptions};
use crate::selection::{ToolOptions, UnitOptions, named};
use crate::stages::StageOptions;
use crate::suite::Suite;
use binade_generator::GeneratedUnit;
use binade_synth::{Report, Target, synthesize};
use binade_tools::Tools;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(
    override_usage = "binade synth [OPTIONS] --format <FORMAT> --unit <UNIT>\n       binade synth [OPTIONS] --suite <FILE>",
    after_help = "Examples:\n  binade synth --format e5m2b1 --unit fmac --target ice40 --target xc7\n  \
                  binade synth --suite testbench/suites/converters.toml\n  \
                  binade synth --format e5m2b1 --unit fmac --stages 4 --pnr --target ice40-hx8k,ecp5-25k"
)]
pub struct Arguments {
    #[command(flatten)]
    unit: Option<UnitOptions>,
    #[command(flatten)]
    stages: StageOptions,
    #[command(flatten)]
    goals: GoalOptions,
    /// Measure the units that this file lists
    #[arg(long, value_name = "FILE", conflicts_with_all = ["UnitOptions", "StageOptions"])]
    suite: Option<PathBuf>,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Clone, Debug)]
pub struct TargetOptions {
    /// What to map to; several may be given, with commas or by repetition [default: generic,ice40]
    #[arg(long = "target", value_name = "TARGET", value_delimiter = ',',
          value_parser = named::<Target>(&Target::ALL.map(Target::name)))]
    pub targets: Vec<Target>,
}

impl TargetOptions {
    /// What the user named, else `others`, else the default.
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
    if arguments.goals.pnr {
        return place_and_route(arguments);
    }
    let named = arguments.goals.targets()?;
    let (units, targets) = match (&arguments.suite, &arguments.unit) {
        (Some(path), _) => {
            let Suite { units, targets } = Suite::read(path)?;
            (units, named.or(&targets))
        }
        (None, Some(options)) => (vec![options.generate(&arguments.stages, &named.targets)?], named.or(&[])),
        (None, None) => unreachable!("clap demands one of the two"),
    };
    let reports = measure(&arguments.tools.tools(), &units, &targets)?;
    let text = if arguments.json { output::json(&reports) } else { binade_synth::table(&reports) };
    output::print(&text)?;
    let plural = if units.len() == 1 { "unit" } else { "units" };
    let names: Vec<&str> = units.iter().take(3).map(|unit| unit.module.as_str()).collect();
    let more = if units.len() > 3 { ", .." } else { "" };
    let (names, tool) = (names.join(", "), &reports[0].tool);
    output::say(format_args!(
        "{} {plural} ({names}{more}) measured on {} targets with {tool}",
        units.len(),
        targets.len()
    ));
    Ok(())
}

fn place_and_route(arguments: &Arguments) -> Result<(), Failure> {
    let clock = arguments.goals.clock_targets(&arguments.stages)?;
    let units = match (&arguments.suite, &arguments.unit) {
        (Some(path), _) => Suite::read(path)?.units,
        (None, Some(options)) => vec![options.generate(&arguments.stages, &clock)?],
        (None, None) => unreachable!("clap demands one of the two"),
    };
    pnr::run(&arguments.goals, &arguments.tools.tools(), &units, arguments.json)
}

/// All units on all targets, on all cores, in order.
pub fn measure(tools: &Tools, units: &[GeneratedUnit], targets: &[Target]) -> Result<Vec<Report>, Failure> {
    // Installed once, before there are threads that all want it.
    tools.yosys()?;
    let jobs: Vec<(&GeneratedUnit, Target)> =
        units.iter().flat_map(|unit| targets.iter().map(move |&target| (unit, target))).collect();
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} runs of Yosys, {elapsed}");
    let bar = ProgressBar::with_draw_target(Some(jobs.len() as u64), ProgressDrawTarget::stderr())
        .with_style(style.expect("the template is valid"));
    let reports = jobs
        .par_iter()
        .map(|(unit, target)| {
            let report = synthesize(tools, &unit.module, &unit.verilog, *target);
            bar.inc(1);
            report
        })
        .collect::<Result<Vec<_>, _>>();
    bar.finish_and_clear();
    Ok(reports?)
}
