//! `binade flow`: generate, verify, measure.

use crate::failure::Failure;
use crate::generate::{self, Manifest};
use crate::output;
use crate::selection::{ToolOptions, UnitOptions};
use crate::stages::StageOptions;
use crate::synth::{TargetOptions, measure};
use crate::verify::{self, Case, Report, Setting, VectorOptions, WaveOptions};
use binade_sim::{Run, Verification};
use binade_tools::Error;
use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;
use std::time::Instant;

#[derive(Args, Debug)]
#[command(after_help = "Example: binade flow --format e5m2b1 --unit fmac")]
pub struct Arguments {
    #[command(flatten)]
    unit: UnitOptions,
    #[command(flatten)]
    stages: StageOptions,
    #[command(flatten)]
    vectors: VectorOptions,
    #[command(flatten)]
    targets: TargetOptions,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// All that a flow found out.
#[derive(Serialize)]
struct Summary {
    generated: Manifest,
    verified: Report,
    measured: Vec<binade_synth::Report>,
    seconds: f64,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let started = Instant::now();
    let (design, folder) = arguments.unit.design_for_folder(&arguments.stages, &arguments.targets.targets)?;
    let plan = arguments.vectors.plan(&design.operation)?;
    let tools = arguments.tools.tools();
    let unit = binade_generator::generate(design);
    let generated = generate::write(&unit, None, &folder)?;
    tools.fetch().map_err(all_told)?;
    let case = Case::generated(unit);
    let (options, waves) = (String::new(), WaveOptions::default());
    let setting = Setting { tools: &tools, case: &case, options, out: &folder, waves: &waves };
    let verified = Report::complete(&setting, verify::check(&tools, Run::new(&case.unit, &plan))?)?;
    verified.say_what_is_wrong();
    if let Err(failure) = verified.conclude() {
        let summary = Summary { generated, verified, measured: vec![], seconds: started.elapsed().as_secs_f64() };
        output::print(&if arguments.json { output::json(&summary) } else { table(&summary) })?;
        return Err(failure);
    }
    let measured = measure(&tools, std::slice::from_ref(&case.unit), &arguments.targets.or(&[]))?;
    let summary = Summary { generated, verified, measured, seconds: started.elapsed().as_secs_f64() };
    output::print(&if arguments.json { output::json(&summary) } else { table(&summary) })?;
    output::say(format_args!("{}: generated, verified and measured in {:.1} s", case.name, summary.seconds));
    Ok(())
}

/// Tells of all errors but the last, which is left to be told. One cause, such as a missing Python, may have stopped both tools.
fn all_told(mut errors: Vec<Error>) -> Failure {
    errors.dedup_by_key(|error| error.to_string());
    let last = errors.pop().expect("there is an error");
    for error in errors {
        output::say(format_args!("error: {error}"));
    }
    Failure::Tool(last)
}

fn table(summary: &Summary) -> String {
    let Verification { module, scope, rate, tool, .. } = &summary.verified.verification;
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.add_row(["module", module, ""]);
    for file in &summary.generated.files {
        table.add_row(["file", &file.display().to_string(), ""]);
    }
    let verdict = if summary.verified.verification.is_right() { "verified" } else { "WRONG" };
    table.add_row([verdict, scope, tool]);
    table.add_row(["rate", &format!("{:.1} million vectors/s", rate / 1e6), ""]);
    for report in &summary.measured {
        let name = report.target.to_string();
        table.add_row([&name, &format!("{}, depth {}", report.area, report.depth), &report.tool]);
    }
    table.to_string()
}
