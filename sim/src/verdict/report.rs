//! The outcome of a verification.

use super::dissent::Dissent;
use super::evidence::Evidence;
use super::mismatch::Mismatch;
use super::tolerance::Tolerance;
use super::violation::Violation;
use binade_stimulus::coverage::Coverage;
use serde::Serialize;

/// The outcome of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    /// The version of Binade.
    pub version: &'static str,
    /// The name of the unit's module.
    pub module: String,
    /// The vectors of the whole run, in words.
    pub plan: String,
    /// The part of the vectors that this run checked, in words.
    pub scope: String,
    /// Whether the plan covers all inputs, or all inputs in all reachable states.
    pub exhaustive: bool,
    /// The random disturbances of a clocked unit, as in `bubbles, stalls and resets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disturbances: Option<String>,
    /// The vectors of the whole run, of which this run may be a part.
    pub total: u64,
    /// Which part of the run this is, as in `2/4`; `1/1` is all of it.
    pub shard: String,
    /// An identifier that all parts of a run share, and no other run has.
    pub run: String,
    /// The vectors evaluated: all of the scope, unless there was a mismatch.
    pub checked: u64,
    /// How many of them were checked by an earlier run that this one resumed.
    pub resumed: u64,
    /// The time of the check in seconds, without building the model.
    pub seconds: f64,
    /// Vectors per second, without those of an earlier run.
    pub rate: f64,
    /// The time to build the model or to load it from the cache, in seconds.
    pub build_seconds: f64,
    /// Whether the model came from the cache.
    pub cached: bool,
    /// The seed of the random vectors, and of bubbles, stalls and resets.
    pub seed: u64,
    /// The simulator and its version.
    pub tool: String,
    /// What the unit was compared with, if not only with the golden model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// A disagreement between specification and golden model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dissent: Option<Dissent>,
    /// The wrong result, explained, if there is one.
    pub mismatch: Option<Mismatch>,
    /// The coverage of the vectors, if it was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// Vectors that reproduce the failure; for a right unit its first vectors.
    #[serde(skip)]
    pub evidence: Option<Evidence>,
    /// The number of the vector found, and names and codes of its operands.
    #[serde(skip)]
    pub found: Option<(u64, Vec<[String; 2]>)>,
    /// Which results were right besides the golden model's.
    #[serde(skip_serializing_if = "Tolerance::is_none")]
    pub tolerance: Tolerance,
    /// The options of `verify` that select the same vectors.
    #[serde(skip)]
    pub options: String,
    /// The clock at which a clocked unit failed; wrong results are explained in `mismatch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<Violation>,
    /// Notes for the user about an earlier run, or about a file that could not be written.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// The headline after this many vectors without a failure. The unit is called right only if the vectors were exhaustive. A clocked unit had
/// random disturbances.
pub fn nothing_wrong(is_everything: bool, checked: u64, disturbances: Option<&str>) -> String {
    let with = disturbances.map(|what| format!(", with random {what}")).unwrap_or_default();
    match is_everything {
        true if with.is_empty() => "right".into(),
        true => format!("right for all inputs{with}"),
        false => format!("no difference found in {checked} vectors{with}"),
    }
}

impl Verification {
    /// The verdict in a few words.
    pub fn headline(&self) -> String {
        let is_everything = self.exhaustive && self.checked == self.total;
        match self.is_right() {
            true => nothing_wrong(is_everything, self.checked, self.disturbances.as_deref()),
            false => "WRONG".into(),
        }
    }

    /// Whether nothing wrong was found.
    pub fn is_right(&self) -> bool {
        self.is_unit_right() && self.dissent.is_none()
    }

    /// Whether no fault of the unit was found; a dissent then shows a fault of its specification.
    pub fn is_unit_right(&self) -> bool {
        self.mismatch.is_none() && self.violation.is_none()
    }
}
