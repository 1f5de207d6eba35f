//! `binade flow`: generates, verifies, proves and measures a unit; with a board, builds a bitstream with a self-test.

mod board;

use crate::failure::Failure;
use crate::generate;
use crate::output;
use crate::prove;
use crate::selection::{ToolOptions, UnitOptions, generated, leaving};
use crate::stages::StageOptions;
use crate::synth::{TargetOptions, measure};
use crate::verify::{self, VectorOptions, conclude};
use binade_generator::description::arguments as selection_words;
use binade_generator::{GeneratedUnit, Manifest, generate as unit_of};
use binade_sim::{Choice, Plan, Run, Verification};
use binade_tools::{Error, Tools};
use binade_verdict::proof::ProofReport;
use binade_verdict::{Case, CheckSetting, Report, Verdict, Waves, runnable};
use board::{BoardOptions, Made};
use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The number of open cases listed.
const SHOWN_CASES: usize = 10;

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  binade flow --format e5m2b1 --unit fmac\n  binade flow --format e5m2 --unit mul --board icebreaker"
)]
pub struct Arguments {
    #[command(flatten)]
    unit: UnitOptions,
    #[command(flatten)]
    stages: StageOptions,
    #[command(flatten)]
    vectors: VectorOptions,
    /// Stop the proof after this processor time; `binade prove` has no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 60, allow_negative_numbers = true, value_parser = verify::seconds::<0>)]
    prove_within: u32,
    #[command(flatten)]
    targets: TargetOptions,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// All results of a flow.
#[derive(Serialize)]
struct Summary {
    generated: Manifest,
    verified: Report,
    /// None if the unit is wrong for a vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Proof>,
    measured: Vec<binade_synth::MappedReport>,
    /// The bitstream, if a board is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Made>,
    seconds: f64,
}

/// The result of the proof.
#[derive(Serialize)]
struct Proof {
    #[serde(flatten)]
    report: ProofReport,
    /// The number of open cases; the report lists the first ones.
    open_cases: usize,
    /// The command that proves without a limit, if it can show more.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    limit_seconds: u32,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let started = Instant::now();
    let (design, folder) = arguments.unit.design_for_folder(&arguments.stages, &arguments.targets.targets)?;
    let plan = leaving("vectors are being chosen", || arguments.vectors.plan(&design.operation))?;
    let tools = arguments.tools.tools();
    let case = Case::generated(generated(design));
    let on_board = arguments.board.plan(&case.unit, &arguments.vectors)?;
    let generated = generate::write(&case.unit, &folder)?;
    tools.fetch().map_err(all_told)?;
    on_board.as_ref().map_or(Ok(()), |on_board| on_board.fetch(&tools))?;
    let (options, waves) = (String::new(), Waves::default());
    let setting = CheckSetting { tools: &tools, case: &case, options, out: &folder, waves: &waves };
    let verified = Report::complete(&setting, verify::check(&tools, Run::new(&case.unit, &plan))?)?;
    verified.wrong().iter().for_each(output::say);
    let mut summary = Summary { generated, verified, proof: None, measured: vec![], board: None, seconds: 0.0 };
    let mut outcome = arguments.prove_and_measure(&tools, &case, &plan, &mut summary);
    if let (Ok(()), Some(on_board)) = (&outcome, &on_board) {
        outcome = on_board.make(&tools, &folder).map(|made| summary.board = Some(made));
    }
    if matches!(outcome, Ok(()) | Err(Failure::Mismatch | Failure::DoesNotFit(_))) {
        summary.seconds = started.elapsed().as_secs_f64();
        output::print(&if arguments.json { output::json(&summary) } else { table(&summary) })?;
    }
    outcome?;
    let done = if summary.is_proven() { "generated, verified, proven" } else { "generated, verified" };
    let built = summary.board.as_ref().map(|made| format!(", measured and built for {}", made.board()));
    let built = built.as_deref().unwrap_or(" and measured");
    output::say(format_args!("{}: {done}{built} in {:.1} s", case.name, summary.seconds));
    Ok(())
}

impl Arguments {
    /// The proof and the measurements, which follow the vectors; none if a vector is wrong.
    fn prove_and_measure(&self, tools: &Tools, case: &Case, plan: &Plan, summary: &mut Summary) -> Result<(), Failure> {
        conclude(&summary.verified)?;
        let proof = summary.proof.insert(self.prove(tools, &case.unit, plan)?);
        if proof.report.verdict == Verdict::Wrong {
            output::say(proof.report.shown());
            return Err(Failure::Mismatch);
        }
        summary.measured = measure(tools, std::slice::from_ref(&case.unit), &self.targets.or(&[]))?;
        Ok(())
    }

    /// The proof of a unit that is right for the vectors of a plan.
    fn prove(&self, tools: &Tools, unit: &GeneratedUnit, plan: &Plan) -> Result<Proof, Failure> {
        let operation = unit.design.operation;
        let mut report = prove::within(tools, unit_of(unit.design), Duration::from_secs(self.prove_within.into()))?;
        report.take_vectors(&unit.design, plan);
        // Without a specification, `prove` tries all inputs if there are few enough.
        let has_more =
            report.reason.is_none() || (!operation.has_state() && Plan::new(&operation, Choice::Exhaustive, 1).is_ok());
        let words = || format!("binade prove {}", runnable(&selection_words(&unit.design).join(" ")));
        let command = (report.verdict == Verdict::Open && has_more).then(words);
        let open_cases = report.open.len();
        report.open.truncate(SHOWN_CASES);
        Ok(Proof { report, open_cases, command, limit_seconds: self.prove_within })
    }
}

impl Summary {
    fn is_proven(&self) -> bool {
        self.proof.as_ref().is_some_and(|proof| proof.report.verdict == Verdict::Proven)
    }
}

impl Proof {
    /// The verdict, its extent, and what to try next.
    fn row(&self) -> [String; 3] {
        let Proof { report, command, limit_seconds, .. } = self;
        let why = || match (&report.reason, command) {
            (None, Some(command)) => format!("not in {limit_seconds} s of processor time; without a limit: {command}"),
            (Some(reason), Some(command)) => format!("{reason}; to try all inputs: {command}"),
            (reason, None) => reason.as_ref().map(ToString::to_string).unwrap_or_default(),
        };
        match report.verdict {
            Verdict::Proven | Verdict::Right => ["proven".into(), report.extent(), String::new()],
            Verdict::Wrong => ["WRONG".into(), "by proof".into(), report.sentence()],
            Verdict::Open | Verdict::Error | Verdict::NotRun => {
                ["open".into(), "not proven for all inputs".into(), why()]
            }
        }
    }
}

/// Prints all errors but the last, which the caller reports. One cause, such as a missing Python, may have stopped both tools.
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
    if let Some(proof) = &summary.proof {
        table.add_row(proof.row());
    }
    for report in &summary.measured {
        let name = report.target.to_string();
        table.add_row([&name, &format!("{}, depth {}", report.area, report.depth), &report.tool]);
    }
    for row in summary.board.iter().flat_map(Made::rows) {
        table.add_row(row);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_gates::{Graph, Literal};
    use binade_spec::{Operation, Unit, Word};
    use binade_verdict::proof::Counterexample;

    /// The output for a unit that the vectors find right and the proof finds wrong.
    #[test]
    fn a_proof_may_find_a_unit_wrong() {
        let format = "e2m1f".parse().expect("a format");
        let operation = Operation::new(Unit::Mul, format, format);
        let mut zero = Graph::new([4, 4]);
        zero.add_output(vec![Literal::FALSE; 4]);
        let inputs = [Word::from(2_u128), Word::from(3_u128)];
        let mut report = ProofReport::new("mul_e2m1f_rne", &operation, 0);
        report.verdict = Verdict::Wrong;
        report.subject = "the circuit".into();
        report.counterexample = Some(Counterexample::new(&operation, &zero, &inputs));
        let proof = Proof { report, open_cases: 0, command: None, limit_seconds: 10 };
        let sentence = "mul_e2m1f_rne is wrong (the circuit): a=0x2 b=0x3 gives y=0x0, not y=0x3";
        assert_eq!(proof.row(), ["WRONG", "by proof", sentence].map(String::from));
    }
}
