//! Judges units by vectors.

use crate::{
    Case, CheckSetting, Hanging, Means, ModuleOptions, NoVerdict, Waves, check_tolerance, readings, replay,
    tolerance_words,
};
use binade_gates::Graph;
use binade_generator::GeneratedUnit;
use binade_sim::{Engine, Hang, Plan, Portion, Run, Tolerance, Verification, Watchdog};
use binade_tools::{Error, Tools};
use std::path::Path;
use std::time::Duration;

/// The random vectors that follow all combinations of a user's module with a clock.
const SHUFFLED: u64 = 1 << 20;

/// Judges units by vectors.
#[derive(Clone, Copy)]
pub struct Checker<'a> {
    /// The tools that evaluate the unit.
    pub tools: &'a Tools,
    /// What evaluates it.
    pub means: Means,
    /// The results that are right beside those of the golden model.
    pub tolerance: Tolerance,
    /// The folder for files that show what is wrong, and the waves among them.
    pub evidence: (&'a Path, &'a Waves),
    /// The limit for one vector in a user's module.
    pub limit: Duration,
    /// Called when a user's module does not answer within the limit, or after Ctrl-C. It cannot be stopped, so the process must be.
    pub bark: &'a (dyn Fn(&Hang, Hanging) + Sync),
}

/// The vectors of a check.
#[derive(Clone, Copy)]
pub struct Vectors<'a> {
    /// All of them.
    pub plan: &'a Plan,
    /// Which part of them is checked.
    pub portion: Portion,
    /// The specification that answers in place of the golden model ([`Means::specification`]).
    pub against: Option<&'a Graph>,
    /// Whether coverage is counted.
    pub coverage: bool,
}

impl Checker<'_> {
    /// The unit, with the user's module in its place if there is one. Runs a module whose latency must be measured.
    ///
    /// # Errors
    /// When these means cannot judge it, when the module cannot be connected, when no latency is right, and when Verilator fails.
    pub fn case(&self, unit: GeneratedUnit, module: &ModuleOptions) -> Result<Case, NoVerdict> {
        self.means.check(module, self.tolerance)?;
        self.means.check_interface(&unit, module)?;
        check_tolerance(self.tolerance, &unit)?;
        if !module.is_given() {
            return Ok(Case::generated(unit));
        }
        if self.means.lanes {
            return Case::of_file(unit, module);
        }
        let bark = |module: &str, unit: &str, hang: &Hang| {
            let replay = |vector: &str| replay(self.tools, unit, &self.options(), vector);
            (self.bark)(hang, Hanging::new(module, replay, hang));
        };
        Case::of_module(self.tools, unit, module, self.tolerance, (self.limit, &bark))
    }

    /// Judges a case, and a user's module also as other tools read it ([`readings`]). Returns the case that is wrong, or the first, with what
    /// was found. `verify` does a run; it may tell somebody about it.
    ///
    /// # Errors
    /// When a tool is missing or fails.
    pub fn check(
        &self,
        case: Case,
        vectors: Vectors,
        verify: &dyn Fn(Run) -> Result<Verification, Error>,
    ) -> Result<(Case, Verification), NoVerdict> {
        readings::verify(self.tools, case, |case| self.verify(case, vectors, verify))
    }

    /// What the vectors find in a case.
    ///
    /// # Errors
    /// When a tool is missing or fails.
    pub fn verify(
        &self,
        case: &Case,
        vectors: Vectors,
        verify: &dyn Fn(Run) -> Result<Verification, Error>,
    ) -> Result<Verification, NoVerdict> {
        let Vectors { plan, portion, against, coverage } = vectors;
        let gates = self.means.gates(self.tools, case).map_err(|why| case.about_files(why))?;
        let setting = self.setting(case);
        let bark =
            |hang: &Hang| (self.bark)(hang, Hanging::new(setting.module(), |vector| setting.replay(vector), hang));
        let watchdog = case.dut().map(|_| Watchdog { limit: self.limit, bark: &bark });
        let engine = gates.as_ref().map_or(Engine::Verilator, Engine::Lanes);
        let (subject, tolerance) = (case.subject(), self.tolerance);
        let run = Run { subject, plan, portion, engine, against, coverage, tolerance, watchdog };
        let mut verification = verify(run).map_err(|error| case.about_files(error.into()))?;
        // In the order of all combinations, hardly any operands follow each other: they do at random.
        let is_in_order = plan.is_exhaustive() && portion == Portion::WHOLE && !subject.operation.has_state();
        if case.dut().is_some() && subject.is_clocked() && is_in_order && verification.is_right() {
            let plan = Plan::random(&subject.operation.inputs(), SHUFFLED, plan.seed());
            let other =
                verify(Run { plan: &plan, coverage: false, ..run }).map_err(|error| case.about_files(error.into()))?;
            if !other.is_right() {
                return Ok(other);
            }
            verification.scope += &format!(", then {SHUFFLED} random vectors");
        }
        Ok(verification)
    }

    /// Options that allow other results, without which the case is right, too: each alone is left out.
    ///
    /// # Errors
    /// When a tool is missing or fails.
    pub fn unneeded(
        &self,
        case: &Case,
        vectors: Vectors,
        verify: &dyn Fn(Run) -> Result<Verification, Error>,
    ) -> Result<Vec<String>, NoVerdict> {
        let mut unneeded = vec![];
        for (option, tolerance) in self.tolerance.narrower() {
            let narrower = Checker { tolerance, ..*self };
            if narrower.verify(case, Vectors { coverage: false, ..vectors }, verify)?.is_right() {
                unneeded.push(option);
            }
        }
        Ok(unneeded)
    }

    /// The setting of a case's report.
    pub fn setting<'s>(&'s self, case: &'s Case) -> CheckSetting<'s> {
        let (out, waves) = self.evidence;
        CheckSetting { tools: self.tools, case, options: self.options(), out, waves }
    }

    fn options(&self) -> String {
        format!("{}{}", tolerance_words(self.tolerance), self.means.words())
    }
}
