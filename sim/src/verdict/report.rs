//! What a verification found.

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
    /// Version of Binade.
    pub version: &'static str,
    /// Name of the unit's module.
    pub module: String,
    /// The vectors of the whole run, in words.
    pub plan: String,
    /// The part of the vectors that this run checked, in words.
    pub scope: String,
    /// Whether the plan has all inputs, or all inputs in all states that can be reached.
    pub exhaustive: bool,
    /// What a unit with a clock went through at random beside its vectors, as in `bubbles, stalls and resets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disturbances: Option<String>,
    /// Vectors of the whole run, of which this may be one part.
    pub total: u64,
    /// Which part of how many, as in `2/4`; `1/1` is all.
    pub shard: String,
    /// An identity that all parts of a run share, and no other run has.
    pub run: String,
    /// Vectors that were evaluated: all of the scope, unless there was a mismatch.
    pub checked: u64,
    /// How many of them an earlier run has checked, which this one resumed.
    pub resumed: u64,
    /// Time of the check, without building the model.
    pub seconds: f64,
    /// Vectors a second, without those of an earlier run.
    pub rate: f64,
    /// Time to build the model, or to load it from the cache.
    pub build_seconds: f64,
    /// Whether the model came from the cache.
    pub cached: bool,
    /// The seed of the random vectors, and of bubbles, stalls and resets.
    pub seed: u64,
    /// Simulator and version.
    pub tool: String,
    /// What the unit was held against, if not against the golden model alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// What specification and golden model do not agree on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dissent: Option<Dissent>,
    /// The wrong result, explained, if there is one.
    pub mismatch: Option<Mismatch>,
    /// Which kinds of vectors were checked, if that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// Vectors that show what is wrong; of a unit that is right the first ones.
    #[serde(skip)]
    pub evidence: Option<Evidence>,
    /// Number, operands' names and codes of the vector found.
    #[serde(skip)]
    pub found: Option<(u64, Vec<[String; 2]>)>,
    /// What was right beside the golden model's answers.
    #[serde(skip_serializing_if = "Tolerance::is_none")]
    pub tolerance: Tolerance,
    /// The options of `verify` that choose the same vectors.
    #[serde(skip)]
    pub options: String,
    /// The clock at which a unit with a clock went wrong; results that are wrong are explained in `mismatch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<Violation>,
    /// What the user should know of an earlier run, or of a file that could not be written.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// What is said where nothing wrong was found in so many vectors: only where they are everything, the unit is right. A unit with a clock
/// went through random disturbances.
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

    /// Whether nothing wrong was found in the unit: what is wrong then is its specification.
    pub fn is_unit_right(&self) -> bool {
        self.mismatch.is_none() && self.violation.is_none()
    }
}
