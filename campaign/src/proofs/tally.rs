//! The outcome of a suite of proofs: a report for each unit, and totals.

use binade_verdict::proof::{Certificate, Method, ProofReport};
use binade_verdict::{Verdict, counted};
use comfy_table::{Table, presets};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The columns of the table of proven units.
pub const PROVEN: [&str; 4] = ["unit", "verdict", "input_bits", "how"];

/// The reports of a suite, or of one part of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProofSuite {
    /// Version of Binade.
    pub version: String,
    /// The file that lists the units.
    pub suite: String,
    /// The part, such as `2/4`; `1/1` is the whole suite.
    pub shard: String,
    /// An identity that all parts of this run share and no other run has.
    pub run: String,
    /// The number of units in the whole suite.
    pub total: usize,
    /// The report of each unit.
    pub units: Vec<ProofReport>,
    /// The totals.
    pub totals: Totals,
}

/// The units of a suite counted by verdict, with their times summed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// All units.
    pub units: usize,
    /// Proven units.
    pub proven: usize,
    /// Wrong units.
    pub wrong: usize,
    /// Units neither proven nor wrong.
    pub open: usize,
    /// Units for which a tool failed.
    pub errors: usize,
    /// Units that an interrupt skipped.
    pub not_run: usize,
    /// Of these, units decided by an earlier run of this suite.
    pub earlier: usize,
    /// Of these, units known from earlier runs.
    #[serde(default)]
    pub known: usize,
    /// Families of formats among the proven units.
    pub families: usize,
    /// Input bits of the proven units: the fewest and the most.
    pub input_bits: Option<[u32; 2]>,
    /// Cases of all units.
    pub cases: usize,
    /// Seconds of one core.
    pub core_seconds: f64,
    /// Elapsed seconds; for merged parts, the sum.
    pub seconds: f64,
}

impl Totals {
    fn of(units: &[ProofReport], seconds: f64) -> Totals {
        let count = |verdict| units.iter().filter(|unit| unit.verdict == verdict).count();
        let proven = || units.iter().filter(|unit| unit.verdict == Verdict::Proven);
        let bits = || proven().map(|unit| unit.input_bits);
        Totals {
            units: units.len(),
            proven: count(Verdict::Proven),
            wrong: count(Verdict::Wrong),
            open: count(Verdict::Open),
            errors: count(Verdict::Error),
            not_run: count(Verdict::NotRun),
            earlier: units.iter().filter(|unit| unit.earlier).count(),
            known: units.iter().filter(|unit| unit.known).count(),
            families: proven().map(|unit| unit.family.as_str()).collect::<BTreeSet<_>>().len(),
            input_bits: bits().min().zip(bits().max()).map(|(fewest, most)| [fewest, most]),
            cases: units.iter().map(|unit| unit.cases).sum(),
            core_seconds: units.iter().map(|unit| unit.core_seconds).sum(),
            seconds,
        }
    }

    /// The worst verdict of a unit; an interrupt is worse than any verdict.
    pub fn worst(&self) -> Verdict {
        let worst = [
            (self.not_run, Verdict::NotRun),
            (self.wrong, Verdict::Wrong),
            (self.errors, Verdict::Error),
            (self.open, Verdict::Open),
        ];
        worst.iter().find(|(count, _)| *count > 0).map_or(Verdict::Proven, |(_, verdict)| *verdict)
    }

    /// A summary of the proven units.
    fn scope(&self) -> String {
        let families = if self.families == 1 { "1 family".into() } else { format!("{} families", self.families) };
        match self.input_bits {
            Some([fewest, most]) => format!(" ({families} of formats, 2^{fewest} to 2^{most} inputs each)"),
            None => String::new(),
        }
    }

    /// The number of units with each verdict.
    fn verdicts(&self) -> String {
        let Totals { proven, known, wrong, open, errors, not_run, .. } = self;
        let known = if *known > 0 { format!(", of these {known} known") } else { String::new() };
        let others = [(errors, "errors"), (not_run, "not run")];
        let others = others.iter().filter(|(count, _)| **count > 0).map(|(count, what)| format!(", {count} {what}"));
        format!("{proven} proven{known}, {wrong} wrong, {open} open{}", others.collect::<String>())
    }
}

impl ProofSuite {
    /// The report of a single unit as a suite of one unit.
    pub fn of_unit(report: &ProofReport) -> ProofSuite {
        let suite = ProofSuite {
            version: env!("CARGO_PKG_VERSION").into(),
            suite: "binade prove".into(),
            shard: "1/1".into(),
            run: String::new(),
            total: 1,
            units: vec![report.clone()],
            totals: Totals::default(),
        };
        suite.counted(report.seconds)
    }

    /// Computes the totals; `seconds` is the elapsed time.
    pub fn counted(mut self, seconds: f64) -> ProofSuite {
        self.totals = Totals::of(&self.units, seconds);
        self
    }

    /// A row for each unit, and the totals.
    pub fn table(&self) -> String {
        let mut table = Table::new();
        let has_certificates = self.units.iter().any(|unit| unit.certificate.is_some());
        let certificate = has_certificates.then(|| "certificate".to_string());
        let header = ["unit", "", "inputs", "how", "of one core"].map(String::from);
        table.load_style(presets::ASCII_MARKDOWN).set_header(header.into_iter().chain(certificate));
        for unit in &self.units {
            let size = has_certificates.then(|| unit.certificate.as_ref().map_or(String::new(), Certificate::size));
            table.add_row(row(unit).into_iter().chain(size));
        }
        let Totals { units, cases, seconds, .. } = self.totals;
        let (verdicts, seconds) = (self.totals.verdicts(), format!("{seconds:.1} s (wall)"));
        table.add_row([counted(units, "unit"), verdicts, String::new(), counted(cases, "case"), seconds]);
        table.to_string()
    }

    /// A row for each unit under the columns [`PROVEN`], without anything that depends on the machine.
    pub fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        self.units.iter().map(|unit| {
            let verdict = unit.verdict.word().to_lowercase();
            vec![unit.module.clone(), verdict, unit.input_bits.to_string(), unit.scope()]
        })
    }

    /// The last line of the output.
    pub fn sentence(&self) -> String {
        let Totals { units, earlier, seconds, .. } = self.totals;
        let part = if self.shard == "1/1" { String::new() } else { format!("part {} of {}: ", self.shard, self.total) };
        let earlier = if earlier > 0 { format!(", {earlier} of them by an earlier run") } else { String::new() };
        let (units, verdicts, scope) = (counted(units, "unit"), self.totals.verdicts(), self.totals.scope());
        format!("{part}{units}, {verdicts}{scope}{earlier}, in {seconds:.0} s")
    }
}

/// The columns of a unit in the table of a suite.
fn row(unit: &ProofReport) -> [String; 5] {
    let seconds = if unit.method == Method::Cases { unit.core_seconds } else { unit.seconds };
    let verdict = format!("{}{}", unit.verdict.word(), unit.of_earlier());
    let inputs = format!("2^{}", unit.input_bits);
    [unit.module.clone(), verdict, inputs, unit.scope(), format!("{seconds:.1} s")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Suite, SuiteError};
    use binade_generator::description::module_name;
    use std::fs;
    use std::path::Path;

    /// The last line of a fully proven run of the large suite matches the page and the README's badge; a nightly test compares the page
    /// with a run.
    #[test]
    fn page_and_badge_are_those_of_the_suite() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let read = |file: &str| fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let Ok(suite) = Suite::read(&root.join("testbench/suites/proofs.toml"), |path| {
            fs::read_to_string(path).map_err(|error| SuiteError::Impossible(error.to_string()))
        }) else {
            panic!("the suite is read")
        };
        let proven = |design: &binade_generator::Design| ProofReport {
            verdict: Verdict::Proven,
            ..ProofReport::new(&module_name(design), &design.operation, design.pace().latency)
        };
        let totals = Totals::of(&suite.designs.iter().map(proven).collect::<Vec<_>>(), 0.0);
        let last = format!("{} units, {}{}, in ", totals.units, totals.verdicts(), totals.scope());
        assert!(read("docs/proofs.md").contains(&format!("\n{last}")), "docs/proofs.md: {last}");
        let [fewest, most] = totals.input_bits.expect("units");
        let badge = format!("{} units, {} families, 2^{fewest} to 2^{most} inputs", totals.units, totals.families);
        assert!(read("docs/images/proofs.svg").contains(&format!(">{badge}<")), "docs/images/proofs.svg: {badge}");
        assert!(read("README.md").contains(&format!("[![Proven: {badge}](docs/images/proofs.svg)](docs/proofs.md)")));
    }
}
