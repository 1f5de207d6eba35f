//! The command that reproduces a failure.

use crate::NoVerdict;
use binade_generator::GeneratedUnit;
use binade_sim::{NanRule, Policy, Tolerance};
use binade_spec::{Rounding, definition};
use binade_tools::{Source, Tools};
use std::path::Path;

/// The command that checks vectors of a unit; `options` choose engine and allowed answers.
pub fn replay(tools: &Tools, unit: &str, options: &str, vectors: &str) -> String {
    let source = match tools.source() {
        Source::Pinned => "",
        Source::System => " --tools system",
    };
    format!("binade verify {}{source}{options} {vectors}", runnable(unit))
}

/// A vector as an option.
pub fn replay_codes(operands: &[[String; 2]]) -> String {
    let codes: Vec<&str> = operands.iter().map(|[_, code]| code.as_str()).collect();
    format!("--replay {}", codes.join(","))
}

/// Allowed answers as command line words; empty if only the golden model's is right.
pub fn tolerance_words(tolerance: Tolerance) -> String {
    let nan = match tolerance.nan {
        NanRule::Canonical => "",
        NanRule::Any => " --nan any",
        NanRule::Payload => " --nan payload",
    };
    let zero = if tolerance.any_zero_sign { " --zero-sign any" } else { "" };
    let policies: String = tolerance.policies.iter().map(|policy| format!(" --policy {policy}")).collect();
    format!("{nan}{zero}{policies}")
}

/// Refuses to allow other answers for a unit whose port chooses the formats, or whose codes are boxed: which NaNs and zeros are equal
/// depends on them. Policies are for results that depend on operands alone.
///
/// # Errors
/// When the unit is such a one; the text names it.
pub fn check_tolerance(tolerance: Tolerance, unit: &GeneratedUnit) -> Result<(), NoVerdict> {
    if !tolerance.policies.is_empty() && unit.design.operation.has_state() {
        return Err(NoVerdict::Usage(format!("--policy: {} has state, for which there are no policies", unit.module)));
    }
    if let Some([one, other]) = tolerance.policies.contradiction() {
        return Err(NoVerdict::Usage(format!("--policy {one} contradicts --policy {other}; give one of them")));
    }
    let operation = &unit.design.operation;
    if tolerance.policies.has(Policy::FtzExact) && (operation.rounding == Rounding::Any || operation.random_bits() > 0)
    {
        return Err(NoVerdict::Usage(format!(
            "--policy {}: {} has no fixed direction of rounding",
            Policy::FtzExact,
            unit.module
        )));
    }
    if tolerance.is_none() || !unit.design.operation.is_wrapped() {
        return Ok(());
    }
    Err(NoVerdict::Usage(format!(
        "--nan, --zero-sign and --policy are for units with the codes of one format on each port; those of {} are boxed, or port fmt chooses their format",
        unit.module
    )))
}

/// A command with the paths of files in place of the names of their formats, which mean nothing in another run.
pub fn runnable(command: &str) -> String {
    let word = |word: &str| definition::file_of(word).map_or_else(|| word.into(), |path| quoted(&path));
    command.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Quotes a path for a shell.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map(String::from).unwrap_or(text.to_string())
}
