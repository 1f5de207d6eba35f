//! What a run checks, and how.

use super::identity::identity_of;
use super::portion::Portion;
use super::watchdog::Watchdog;
use crate::Subject;
use crate::engines::Engine;
use crate::verdict::Tolerance;
use binade_gates::Graph;
use binade_stimulus::Plan;
use binade_tools::checksummed;

/// What a run checks, and how.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The module and its operation.
    pub subject: Subject<'a>,
    /// The vectors.
    pub plan: &'a Plan,
    /// Which part of the plan is checked.
    pub portion: Portion,
    /// How the unit is evaluated.
    pub engine: Engine<'a>,
    /// For gates only: a specification with the unit's operands and results as ports, without registers. It answers in place of the golden
    /// model, which then checks one vector in a million. The vectors of [`Plan::in_planes`] are fast then.
    pub against: Option<&'a Graph>,
    /// Whether coverage is counted, which slows the run down.
    pub coverage: bool,
    /// Which results are right besides the golden model's.
    pub tolerance: Tolerance,
    /// Watches a compiled model.
    pub watchdog: Option<Watchdog<'a>>,
}

impl<'a> Run<'a> {
    /// A run of all these vectors on the module's Verilog.
    pub fn new(subject: impl Into<Subject<'a>>, plan: &'a Plan) -> Run<'a> {
        Run {
            subject: subject.into(),
            plan,
            portion: Portion::WHOLE,
            engine: Engine::Verilator,
            against: None,
            coverage: false,
            tolerance: Tolerance::default(),
            watchdog: None,
        }
    }

    pub(super) fn identity(&self) -> String {
        let identity = identity_of(self.subject, self.plan.choice(), self.plan.seed(), self.tolerance);
        match self.against {
            None => identity,
            Some(_) => checksummed::key([identity.as_str(), "against the specification"]),
        }
    }
}
