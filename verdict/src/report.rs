//! The verdict of vectors, with its evidence.

use crate::proof::ProofReport;
use crate::{About, Artefacts, Case, NoVerdict, Verdict, Waves, replay, replay_codes};
use binade_generator::GeneratedUnit;
use binade_sim::{Dissent, Fault, Hang, Shard, Verification, Violation};
use binade_tools::Tools;
use serde::Serialize;
use std::path::Path;

/// A verification, with the evidence for a mismatch.
#[derive(Serialize)]
pub struct Report {
    #[serde(flatten)]
    /// The outcome of the run.
    pub verification: Verification,
    /// Right or wrong.
    pub verdict: Verdict,
    /// The user's module, if it was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    dut: Option<About>,
    /// The command that reproduces the failure: with only the failing vector if that suffices, else with all vectors.
    pub replay: Option<String>,
    /// Files that show the mismatch.
    #[serde(flatten)]
    artefacts: Option<Artefacts>,
    /// Options that allow other results, without which the unit is right, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unneeded: Vec<String>,
}

/// How a unit was checked, and where to write the files of a mismatch.
pub struct CheckSetting<'a> {
    /// The tools that make waves.
    pub tools: &'a Tools,
    /// What was checked.
    pub case: &'a Case,
    /// The options for engine and allowed answers.
    pub options: String,
    /// The folder for the files.
    pub out: &'a Path,
    /// Which waves are written.
    pub waves: &'a Waves,
}

impl CheckSetting<'_> {
    /// The name of the module under test.
    pub fn module(&self) -> &str {
        self.case.dut().map_or(&self.case.unit.module, |dut| &dut.top)
    }

    /// The command that checks these vectors again.
    pub fn replay(&self, vectors: &str) -> String {
        replay(self.tools, &self.case.words, &self.options, vectors)
    }
}

impl Report {
    /// A report, with the command that reproduces the failure if the unit is wrong.
    pub fn new(setting: &CheckSetting, verification: Verification) -> Report {
        let is_right = verification.is_right();
        let verdict = Verdict::of_vectors(is_right);
        let replay = (!is_right).then(|| setting.replay(&vectors(&setting.case.unit, &verification)));
        Report { verdict, dut: setting.case.about(), replay, artefacts: None, unneeded: vec![], verification }
    }

    /// The same, with its files written.
    ///
    /// # Errors
    /// When requested waves cannot be written.
    pub fn complete(setting: &CheckSetting, verification: Verification) -> Result<Report, NoVerdict> {
        let mut report = Report::new(setting, verification);
        report.write_artefacts(setting)?;
        Ok(report)
    }

    /// Writes waves and a testbench of a mismatch, or the requested waves of a right unit.
    ///
    /// # Errors
    /// When requested waves cannot be written.
    pub fn write_artefacts(&mut self, setting: &CheckSetting) -> Result<(), NoVerdict> {
        let CheckSetting { tools, case, out, waves, .. } = *setting;
        let Some(evidence) = &self.verification.evidence else { return Ok(()) };
        self.artefacts = match (self.verification.is_right(), &waves.file) {
            (false, _) if self.verification.is_unit_right() => None,
            (false, _) => {
                Some(Artefacts::of_mismatch(tools, case, (evidence, self.verification.tolerance), waves, out))
            }
            (true, Some(path)) => Some(Artefacts::of_right(tools, case, evidence, path)?),
            (true, None) => None,
        };
        Ok(())
    }

    /// Adds the evidence to the report of a wrong unit's proof: the command that reproduces the failure, and files.
    pub(crate) fn add_to(self, proof: &mut ProofReport) {
        let lines = self.artefacts.iter().flat_map(Artefacts::lines).collect();
        let files = self.artefacts.map(|artefacts| serde_json::to_value(&artefacts).expect("paths are plain data"));
        let files = files.and_then(|files| files.as_object().cloned()).unwrap_or_default();
        proof.take_evidence(self.replay, files, lines);
    }

    /// The verification in a few lines.
    pub fn summary(&self) -> String {
        let Verification { module, scope, seconds, rate, tool, build_seconds, cached, checked, .. } =
            &self.verification;
        let scope = match self.verification.is_right() {
            false => format!("{checked} vectors, up to a mismatch, of {scope}"),
            true => scope.clone(),
        };
        let model =
            if *cached { "model from the cache".into() } else { format!("model built in {build_seconds:.1} s") };
        let mut lines = vec![
            format!("{module}: {}", self.verification.headline()),
            format!("  checked  {scope}"),
            format!("  rate     {:.1} million vectors/s ({seconds:.2} s)", rate / 1e6),
            format!("  with     {tool}, {model}"),
        ];
        lines.extend(self.verification.against.iter().map(|against| format!("  against  {against}")));
        lines.extend(self.dut.iter().flat_map(About::lines));
        lines.extend(self.allowed().map(|allowed| format!("  allowed  {allowed}")));
        lines.extend(self.unneeded.iter().map(|option| format!("  unneeded {option}: right also without")));
        lines.extend(self.verification.coverage.iter().map(|coverage| coverage.to_string()));
        lines.join("\n")
    }

    /// The answers allowed beside the golden model's.
    fn allowed(&self) -> Option<String> {
        let tolerance = &self.verification.tolerance;
        (!tolerance.is_none()).then(|| tolerance.to_string())
    }

    /// The failure, without the evidence files.
    fn wrong_lines(&self) -> Vec<String> {
        let Verification { module, mismatch, violation, dissent, seed, found, .. } = &self.verification;
        let place = |violation: &Violation| match (violation.fault, found) {
            (Fault::Stopped, Some((index, operands))) => {
                let codes: Vec<String> = operands.iter().map(|[name, code]| format!("{name} {code}")).collect();
                format!("vector {index} ({}): {violation}", codes.join(", "))
            }
            _ => violation.to_string(),
        };
        let mut lines: Vec<String> = vec![];
        lines.extend(violation.iter().map(|violation| format!("wrong in {module}, {}", place(violation))));
        lines.extend(mismatch.iter().map(|mismatch| format!("mismatch in {module}, {mismatch}")));
        lines.extend(dissent.iter().map(Dissent::to_string));
        lines.extend(self.allowed().map(|allowed| format!("  allowed {allowed}")));
        lines.push(format!("  seed   {seed}"));
        lines.extend(self.replay.iter().map(|replay| format!("  replay {replay}")));
        lines
    }

    /// The evidence files, and the vectors checked up to the mismatch.
    fn rest_lines(&self) -> Vec<String> {
        let Verification { module, scope, seconds, checked, .. } = &self.verification;
        let mut lines: Vec<String> = self.artefacts.iter().flat_map(Artefacts::lines).collect();
        let other = match self.verification.is_unit_right() {
            true => "its specification, not from the golden model",
            false => "the golden model",
        };
        lines
            .push(format!("{module} differs from {other}; {checked} vectors were checked of {scope} ({seconds:.1} s)"));
        lines
    }

    /// The full failure, as shown to the user.
    pub fn shown(&self) -> Option<String> {
        (!self.verification.is_right()).then(|| [self.wrong_lines(), self.rest_lines()].concat().join("\n"))
    }

    /// The failure without its files, which take a while to write; none if the unit is right.
    pub fn wrong(&self) -> Option<String> {
        (!self.verification.is_right()).then(|| self.wrong_lines().join("\n"))
    }

    /// What follows [`Report::wrong`], or what is shown of a right unit: files, and what was checked.
    pub fn rest(&self) -> String {
        if !self.verification.is_right() {
            return self.rest_lines().join("\n");
        }
        let Verification { module, scope, seconds, against, .. } = &self.verification;
        let mut lines: Vec<String> = self.artefacts.iter().flat_map(Artefacts::lines).collect();
        let other = if against.is_some() { "its specification" } else { "the golden model" };
        lines.push(format!("{module} agrees with {other} on {scope} ({seconds:.1} s)"));
        lines.join("\n")
    }
}

/// The options for the failure: only the vector if that suffices, else the same vectors.
fn vectors(unit: &GeneratedUnit, verification: &Verification) -> String {
    let is_clocked = unit.design.is_clocked();
    // The seed determines the bubbles and stalls around a vector.
    let seed = if is_clocked { format!(" --seed {}", verification.seed) } else { String::new() };
    match (&verification.mismatch, &verification.found) {
        (Some(mismatch), _) if mismatch.fails_alone => format!("--replay {}{seed}", mismatch.replay()),
        // The module stopped. Without a clock, it stops again at the same operands.
        (None, Some((_, operands))) if !is_clocked => replay_codes(operands),
        _ => format!("{}{}", verification.options, part(&verification.shard)),
    }
}

/// The option for the checked part of the vectors; empty if all were checked.
fn part(shard: &str) -> String {
    if shard == Shard::WHOLE.to_string() { String::new() } else { format!(" --shard {shard}") }
}

/// The report of a module that does not answer.
#[derive(Serialize)]
pub struct Hanging {
    module: String,
    verdict: Verdict,
    scope: String,
    hang: Still,
    replay: Option<String>,
}

/// The vector that a module does not answer.
#[derive(Serialize)]
struct Still {
    index: u64,
    operands: Vec<String>,
    seconds: u64,
}

impl Hanging {
    /// A report; `replay` turns the options for a vector into a command.
    pub fn new(module: &str, replay: impl Fn(&str) -> String, hang: &Hang) -> Hanging {
        let operands: Vec<String> = hang.operands.iter().map(|[name, code]| format!("{name} {code}")).collect();
        let place = match operands.is_empty() {
            true => "before the first vector".into(),
            false => format!("at vector {} ({})", hang.index, operands.join(", ")),
        };
        let seconds = hang.limit.as_secs();
        Hanging {
            module: module.into(),
            verdict: Verdict::Wrong,
            scope: format!("no answer for {seconds} s {place}"),
            replay: (!operands.is_empty()).then(|| replay(&replay_codes(&hang.operands))),
            hang: Still { index: hang.index, operands, seconds },
        }
    }

    /// The text for the user.
    pub fn shown(&self) -> String {
        let mut shown = format!("wrong in {}: {}", self.module, self.scope);
        shown.extend(self.replay.iter().map(|replay| format!("\n  replay {replay}")));
        shown
    }
}
