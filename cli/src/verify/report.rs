//! What is printed of a verification.

use super::artefacts::{Artefacts, quoted};
use crate::failure::Failure;
use crate::output;
use binade_generator::GeneratedUnit;
use binade_generator::description::arguments as selection_words;
use binade_sim::{Mismatch, Shard, Verification};
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
            _ => format!("{}{}", report.verification.options, part(&report.verification.shard)),
        };
        report.replay = Some(replay(setting, unit, &vectors));
        let evidence = report.verification.evidence.as_ref();
        report.artefacts = evidence.map(|evidence| Artefacts::write(tools, unit, evidence, file, out));
        report
    }

    /// What is wrong, in full, as the user reads it.
    pub fn shown(&self) -> Option<String> {
        let Verification { module, scope, seconds, checked, mismatch, violation, seed, .. } = &self.verification;
        if self.verification.is_right() {
            return None;
        }
        let mut lines: Vec<String> = vec![];
        lines.extend(violation.iter().map(|violation| format!("wrong in {module}, {violation}")));
        lines.extend(mismatch.iter().map(|mismatch| format!("mismatch in {module}, {mismatch}")));
        lines.push(format!("  seed   {seed}"));
        lines.extend(self.replay.iter().map(|replay| format!("  replay {replay}")));
        lines.extend(self.artefacts.iter().flat_map(Artefacts::lines));
        lines.push(format!(
            "{module} differs from the golden model; {checked} vectors were checked of {scope} ({seconds:.1} s)"
        ));
        Some(lines.join("\n"))
    }

    /// Shows a mismatch; the last line says what was checked.
    pub fn conclude(&self) -> Result<(), Failure> {
        if let Some(shown) = self.shown() {
            output::say(shown);
            return Err(Failure::Mismatch);
        }
        let Verification { module, scope, seconds, .. } = &self.verification;
        output::say(format_args!("{module} agrees with the golden model on {scope} ({seconds:.1} s)"));
        Ok(())
    }
}

/// The option for the part of the vectors that was checked, unless that was all.
fn part(shard: &str) -> String {
    if shard == Shard::WHOLE.to_string() { String::new() } else { format!(" --shard {shard}") }
}

/// The options for the vector alone; bubbles and stalls around it come from the seed.
fn replay_options(unit: &GeneratedUnit, mismatch: &Mismatch, seed: u64) -> String {
    let seed = if unit.pipeline.is_some() { format!(" --seed {seed}") } else { String::new() };
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
