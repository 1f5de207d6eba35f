//! The report of a verification.

use super::Case;
use super::artefacts::{Artefacts, WaveOptions};
use super::dut::About;
use super::runnable;
use crate::failure::Failure;
use crate::output;
use binade_campaign::proofs::Report as Proof;
use binade_generator::GeneratedUnit;
use binade_sim::{Dissent, Fault, Shard, Verification, Violation};
use binade_tools::{Source, Tools};
use serde::Serialize;
use std::path::Path;

/// A verification, with the evidence for a mismatch.
#[derive(Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub verification: Verification,
    pub verdict: &'static str,
    /// The user's module, if it was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    dut: Option<About>,
    /// The command that reproduces the failure: with only the failing vector if that suffices, else with all vectors.
    pub replay: Option<String>,
    /// Files that show the mismatch.
    #[serde(flatten)]
    artefacts: Option<Artefacts>,
}

/// How a unit was checked, and where to write the files of a mismatch.
pub struct Setting<'a> {
    pub tools: &'a Tools,
    pub case: &'a Case,
    /// The options for engine and policies.
    pub options: String,
    pub out: &'a Path,
    pub waves: &'a WaveOptions,
}

impl Setting<'_> {
    /// The name of the module under test.
    pub fn module(&self) -> &str {
        self.case.dut().map_or(&self.case.unit.module, |dut| &dut.top)
    }

    /// The command that checks these vectors again.
    pub fn replay(&self, vectors: &str) -> String {
        replay(self.tools, &self.case.words, &self.options, vectors)
    }
}

/// The command that checks vectors of a unit; `options` choose engine and policies.
pub fn replay(tools: &Tools, unit: &str, options: &str, vectors: &str) -> String {
    let source = match tools.source() {
        Source::Pinned => "",
        Source::System => " --tools system",
    };
    format!("binade verify {}{source}{options} {vectors}", runnable(unit))
}

impl Report {
    /// A report, with the command that reproduces the failure if the unit is wrong.
    pub fn new(setting: &Setting, verification: Verification) -> Report {
        let is_right = verification.is_right();
        let verdict = if is_right { "right" } else { "wrong" };
        let replay = (!is_right).then(|| setting.replay(&vectors(&setting.case.unit, &verification)));
        Report { verdict, dut: setting.case.about(), replay, artefacts: None, verification }
    }

    /// The same, with its files written.
    pub fn complete(setting: &Setting, verification: Verification) -> Result<Report, Failure> {
        let mut report = Report::new(setting, verification);
        report.write_artefacts(setting)?;
        Ok(report)
    }

    /// Writes waves and a testbench of a mismatch, or the requested waves of a right unit.
    ///
    /// # Errors
    /// When requested waves cannot be written.
    pub fn write_artefacts(&mut self, setting: &Setting) -> Result<(), Failure> {
        let Setting { tools, case, out, waves, .. } = *setting;
        let Some(evidence) = &self.verification.evidence else { return Ok(()) };
        self.artefacts = match (self.verification.is_right(), &waves.waves) {
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
    pub fn add_to(self, proof: &mut Proof) {
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
        lines.extend(self.verification.coverage.iter().map(|coverage| coverage.to_string()));
        lines.join("\n")
    }

    /// The answers allowed beside the golden model's.
    fn allowed(&self) -> Option<String> {
        let tolerance = &self.verification.tolerance;
        (!tolerance.is_none()).then(|| tolerance.to_string())
    }

    /// The failure, without the evidence files.
    fn wrong(&self) -> Vec<String> {
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
    fn rest(&self) -> Vec<String> {
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
        (!self.verification.is_right()).then(|| [self.wrong(), self.rest()].concat().join("\n"))
    }

    /// Prints the failure before its files are written, which takes a while.
    pub fn say_what_is_wrong(&self) {
        if !self.verification.is_right() {
            output::say(self.wrong().join("\n"));
        }
    }

    /// Prints the files of a mismatch; the last line says what was checked.
    pub fn conclude(&self) -> Result<(), Failure> {
        if !self.verification.is_right() {
            output::say(self.rest().join("\n"));
            return Err(Failure::Mismatch);
        }
        let Verification { module, scope, seconds, against, .. } = &self.verification;
        self.artefacts.iter().flat_map(Artefacts::lines).for_each(output::say);
        let other = if against.is_some() { "its specification" } else { "the golden model" };
        output::say(format_args!("{module} agrees with {other} on {scope} ({seconds:.1} s)"));
        Ok(())
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

/// A vector as an option.
pub fn replay_codes(operands: &[[String; 2]]) -> String {
    let codes: Vec<&str> = operands.iter().map(|[_, code]| code.as_str()).collect();
    format!("--replay {}", codes.join(","))
}

/// The option for the checked part of the vectors; empty if all were checked.
fn part(shard: &str) -> String {
    if shard == Shard::WHOLE.to_string() { String::new() } else { format!(" --shard {shard}") }
}
