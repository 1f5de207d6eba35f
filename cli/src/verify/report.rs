//! What is printed of a verification.

use crate::failure::Failure;
use crate::output;
use binade_generator::GeneratedUnit;
use binade_generator::description::arguments as selection_words;
use binade_sim::Verification;
use binade_tools::{Error, Source, Tools};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A verification in a few lines.
pub fn summary(verification: &Verification) -> String {
    let Verification { module, scope, seconds, rate, tool, build_seconds, cached, checked, .. } = verification;
    let (verdict, scope) = match verification.mismatch {
        Some(_) => ("WRONG", format!("{checked} vectors, up to a mismatch, of {scope}")),
        None => ("right", scope.clone()),
    };
    let model = if *cached { "model from the cache".into() } else { format!("model built in {build_seconds:.1} s") };
    format!(
        "{module}: {verdict}\n  checked  {scope}\n  rate     {:.1} million vectors/s ({seconds:.2} s)\n  with     {tool}, {model}",
        rate / 1e6
    )
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map(String::from).unwrap_or(text.to_string())
}

/// A verification with what it takes to look into a mismatch.
#[derive(Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub verification: Verification,
    pub verdict: &'static str,
    /// The command that checks the mismatching vector alone.
    replay: Option<String>,
    /// Waves of that vector.
    waves: Option<PathBuf>,
    /// Why there are none.
    #[serde(skip)]
    waves_error: Option<Error>,
}

impl Report {
    /// Writes the waves of a mismatch into `out`.
    pub fn new(
        tools: &Tools,
        unit: &GeneratedUnit,
        verification: Verification,
        file: Option<&Path>,
        out: &Path,
    ) -> Report {
        let mut report = Report { verification, verdict: "right", replay: None, waves: None, waves_error: None };
        let Some(mismatch) = &report.verification.mismatch else { return report };
        report.verdict = "wrong";
        report.replay = Some(replay(tools, unit, file, &mismatch.replay()));
        let waves = out.join(format!("{}_mismatch.vcd", unit.module));
        match binade_sim::trace(tools, unit, mismatch, &waves) {
            Ok(()) => report.waves = Some(waves),
            Err(error) => report.waves_error = Some(error),
        }
        report
    }

    /// A mismatch in full, as the user reads it.
    pub fn shown(&self) -> Option<String> {
        let Verification { module, scope, seconds, checked, mismatch, seed, .. } = &self.verification;
        let mismatch = mismatch.as_ref()?;
        let mut lines = vec![format!("mismatch in {module}, {mismatch}"), format!("  seed   {seed}")];
        lines.extend(self.replay.iter().map(|replay| format!("  replay {replay}")));
        match (&self.waves, &self.waves_error) {
            (Some(waves), _) => lines.push(format!("  waves  {}", waves.display())),
            (None, Some(error)) => lines.push(format!("  waves  none: {error}")),
            (None, None) => {}
        }
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

fn replay(tools: &Tools, unit: &GeneratedUnit, file: Option<&Path>, codes: &str) -> String {
    let file = file.map(|file| format!(" --verilog {}", quoted(file))).unwrap_or_default();
    let source = match tools.source() {
        Source::Pinned => "",
        Source::System => " --tools system",
    };
    format!("binade verify {}{file}{source} --replay {codes}", selection_words(&unit.design).join(" "))
}
