//! What is printed of a verification.

use super::artefacts::{Artefacts, quoted};
use crate::failure::Failure;
use crate::output;
use binade_generator::GeneratedUnit;
use binade_generator::description::arguments as selection_words;
use binade_sim::{Mismatch, Verification};
use binade_tools::{Source, Tools};
use serde::Serialize;
use std::path::Path;

/// A verification in a few lines.
pub fn summary(verification: &Verification) -> String {
    let Verification { module, scope, seconds, rate, tool, build_seconds, cached, checked, .. } = verification;
    let (verdict, scope) = match verification.is_right() {
        false => ("WRONG", format!("{checked} vectors, up to a mismatch, of {scope}")),
        true => ("right", scope.clone()),
    };
    let model = if *cached { "model from the cache".into() } else { format!("model built in {build_seconds:.1} s") };
    let coverage = verification.coverage.as_ref().map(|coverage| format!("\n{coverage}")).unwrap_or_default();
    format!(
        "{module}: {verdict}\n  checked  {scope}\n  rate     {:.1} million vectors/s ({seconds:.2} s)\n  with     {tool}, {model}{coverage}",
        rate / 1e6
    )
}

/// A verification with what it takes to look into a mismatch.
#[derive(Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub verification: Verification,
    pub verdict: &'static str,
    /// The command that finds it again: with the vector alone, if it fails so, else with the same vectors around it.
    replay: Option<String>,
    /// Files that show the mismatch.
    #[serde(flatten)]
    artefacts: Option<Artefacts>,
}

/// How a unit was checked, and where files that show a mismatch go.
pub struct Setting<'a> {
    pub tools: &'a Tools,
    /// The user's Verilog, if it was not the generated one that was checked.
    pub file: Option<&'a Path>,
    /// The options that choose the engine.
    pub engine: String,
    pub out: &'a Path,
}

impl Report {
    /// Writes waves and a testbench of a mismatch.
    pub fn new(setting: &Setting, unit: &GeneratedUnit, verification: Verification) -> Report {
        let Setting { tools, file, out, .. } = *setting;
        let mut report = Report { verification, verdict: "right", replay: None, artefacts: None };
        if report.verification.is_right() {
            return report;
        }
        report.verdict = "wrong";
        let vectors = match &report.verification.mismatch {
            Some(mismatch) if mismatch.fails_alone => replay_options(unit, mismatch, report.verification.seed),
            _ => report.verification.options.clone(),
        };
        report.replay = Some(replay(setting, unit, &vectors));
        let evidence = report.verification.evidence.as_ref();
        report.artefacts = evidence.map(|evidence| Artefacts::write(tools, unit, evidence, file, out));
        report
    }

    /// Shows a mismatch; says nothing of a unit that is right.
    pub fn conclude_if_wrong(&self) -> Result<(), Failure> {
        if self.verification.is_right() { Ok(()) } else { self.conclude() }
    }

    /// Shows a mismatch; the last line says what was checked.
    pub fn conclude(&self) -> Result<(), Failure> {
        let Verification { module, scope, seconds, checked, mismatch, violation, seed, .. } = &self.verification;
        if self.verification.is_right() {
            output::say(format_args!("{module} agrees with the golden model on {scope} ({seconds:.1} s)"));
            return Ok(());
        }
        if let Some(violation) = violation {
            output::say(format_args!("wrong in {module}, {violation}"));
        }
        if let Some(mismatch) = mismatch {
            output::say(format_args!("mismatch in {module}, {mismatch}"));
        }
        output::say(format_args!("  seed   {seed}"));
        if let Some(replay) = &self.replay {
            output::say(format_args!("  replay {replay}"));
        }
        if let Some(artefacts) = &self.artefacts {
            artefacts.say();
        }
        output::say(format_args!(
            "{module} differs from the golden model; {checked} vectors were checked of {scope} ({seconds:.1} s)"
        ));
        Err(Failure::Mismatch)
    }
}

/// The options for the vector alone; bubbles and stalls around it come from the seed.
fn replay_options(unit: &GeneratedUnit, mismatch: &Mismatch, seed: u64) -> String {
    let seed = if unit.design.stages > 0 { format!(" --seed {seed}") } else { String::new() };
    format!("--replay {}{seed}", mismatch.replay())
}

fn replay(setting: &Setting, unit: &GeneratedUnit, vectors: &str) -> String {
    let Setting { tools, file, engine, .. } = setting;
    let file = file.map(|file| format!(" --verilog {}", quoted(file))).unwrap_or_default();
    let source = match tools.source() {
        Source::Pinned => "",
        Source::System => " --tools system",
    };
    format!("binade verify {}{file}{source}{engine} {vectors}", selection_words(&unit.design).join(" "))
}
