//! The report of a run.

use crate::fault::Fault;
use crate::words::Words;
use binade_verdict::counted;
use serde::Serialize;

/// The results of a run.
#[derive(Serialize)]
pub struct FuzzReport {
    version: &'static str,
    seed: u64,
    /// Vectors per unit.
    vectors: u64,
    totals: Totals,
    /// The faults found, each once.
    findings: Vec<Finding>,
    /// All units examined.
    units: Vec<Tried>,
    /// The length of the run.
    pub seconds: f64,
}

#[derive(Default, Serialize)]
struct Totals {
    units: usize,
    right: usize,
    wrong: usize,
    /// Selections that choose no unit.
    refused: usize,
    /// Selections of units that are too large.
    too_large: usize,
}

/// An examined unit.
#[derive(Serialize)]
pub struct Tried {
    selection: String,
    /// How it was found right; none if it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<Right>,
    /// Its fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<String>,
}

/// How a unit was found right, besides vectors on gates.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Right {
    /// By a proof for all inputs.
    pub proven: bool,
    /// By its Verilog in Verilator.
    pub simulated: bool,
}

/// A fault, with the simplest words that reproduce it.
#[derive(Serialize)]
pub struct Finding {
    #[serde(flatten)]
    fault: Fault,
    selection: String,
    /// The words that first found it.
    drawn: String,
}

impl FuzzReport {
    /// A run that has examined nothing.
    pub fn new(seed: u64, vectors: u64) -> FuzzReport {
        let version = env!("CARGO_PKG_VERSION");
        FuzzReport { version, seed, vectors, totals: Totals::default(), findings: vec![], units: vec![], seconds: 0.0 }
    }

    /// The number of units examined.
    pub fn tried(&self) -> usize {
        self.units.len()
    }

    /// The number of faults found.
    pub fn found(&self) -> usize {
        self.findings.len()
    }

    /// Counts words that choose no unit.
    pub fn refuse(&mut self) {
        self.totals.refused += 1;
    }

    /// Counts a unit that is too large.
    pub fn leave_out(&mut self) {
        self.totals.too_large += 1;
    }

    /// Adds an examined unit.
    pub fn note(&mut self, tried: Tried) {
        self.totals.units += 1;
        if tried.wrong.is_some() {
            self.totals.wrong += 1;
        } else {
            self.totals.right += 1;
        }
        self.units.push(tried);
    }

    /// Whether this command has already reproduced a fault.
    pub fn knows(&self, finding: &Finding) -> bool {
        self.findings.iter().any(|known| known.fault.command() == finding.fault.command())
    }

    /// Adds a fault.
    pub fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// The outcome in one line.
    pub fn sentence(&self) -> String {
        let found = match self.findings.len() {
            0 => "no fault".into(),
            count => counted(count, "fault"),
        };
        let refused = match self.totals.refused {
            0 => String::new(),
            count => format!(" ({} refused)", counted(count, "selection")),
        };
        let units = counted(self.totals.units, "unit");
        format!("{found} found in {units}{refused}, seed {}, in {:.0} s", self.seed, self.seconds)
    }
}

impl Tried {
    /// A unit without a fault.
    pub fn right(words: &Words, right: Right) -> Tried {
        Tried { selection: words.to_string(), right: Some(right), wrong: None }
    }

    /// A unit with a fault.
    pub fn wrong(words: &Words, fault: &Fault) -> Tried {
        Tried { selection: words.to_string(), right: None, wrong: Some(fault.sentence()) }
    }
}

impl Finding {
    /// The fault of the `simplest` words, first found with the drawn words.
    pub fn new(drawn: &Words, simplest: &Words, fault: Fault) -> Finding {
        Finding { fault, selection: simplest.to_string(), drawn: drawn.to_string() }
    }

    /// The fault, the command that reproduces it, and the words that first found it.
    pub fn text(&self) -> String {
        let (sentence, command) = (self.fault.sentence(), self.fault.command());
        format!("{sentence}\n  shown by  {command}\n  drawn as  {}", self.drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Step;

    #[test]
    fn a_run_is_summed_up() {
        let words = Words::read("--format e5m2 --unit mul --flags").expect("a unit");
        let simplest = words.without_key("flags");
        let fault = || Fault::wrong(Step::Lanes, "y is 0x1, not 0x2".into(), "binade verify ..".into());
        let mut report = FuzzReport::new(7, 100);
        report.note(Tried::right(&words, Right { proven: true, simulated: false }));
        assert_eq!(report.sentence(), "no fault found in 1 unit, seed 7, in 0 s");
        (0..2).for_each(|_| report.refuse());
        report.note(Tried::wrong(&words, &fault()));
        let finding = Finding::new(&words, &simplest, fault());
        assert!(!report.knows(&finding));
        let text = "wrong (lanes): y is 0x1, not 0x2\n  shown by  binade verify ..\n  drawn as  --format e5m2 --unit mul --flags";
        assert_eq!(finding.text(), text);
        report.add(finding);
        assert!(report.knows(&Finding::new(&words, &words, fault())));
        assert_eq!(report.sentence(), "1 fault found in 2 units (2 selections refused), seed 7, in 0 s");
        let json = serde_json::to_value(&report).expect("plain data");
        let totals = serde_json::json!({"units": 2, "right": 1, "wrong": 1, "refused": 2, "too_large": 0});
        assert_eq!(json["totals"], totals);
        assert_eq!(json["findings"][0]["kind"], "wrong");
        assert_eq!(json["findings"][0]["step"], "lanes");
    }
}
