//! Faults, and the commands that reproduce them.

use crate::panics::Panic;
use binade_sim::Verification;
use binade_tools::Error;
use serde::Serialize;

/// The step that found the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// From words to a circuit, and to its text in each language.
    Generation,
    /// Gates against the golden model.
    Lanes,
    /// The printed Verilog against the golden model, in Verilator.
    Simulation,
    /// Gates against the specification.
    Proof,
}

/// The kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Panic,
    /// The unit is wrong.
    Wrong,
    /// A proof succeeds for a unit that vectors show to be wrong.
    Contradiction,
    /// An error that is not a refusal.
    Error,
}

/// A fault in a unit, or in what checks it.
#[derive(Clone, Debug, Serialize)]
pub struct Fault {
    /// The step that found it.
    pub step: Step,
    kind: Kind,
    /// The source location of a panic.
    #[serde(skip_serializing_if = "String::is_empty")]
    place: String,
    says: String,
    /// The command that reproduces the fault.
    command: String,
}

/// Why a step has no result.
pub enum Stop {
    Fault(Fault),
    /// The run ends: it was interrupted, or a tool is unusable.
    Ended(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Ended(error)
    }
}

impl Fault {
    fn new(step: Step, kind: Kind, says: String, command: String) -> Fault {
        Fault { step, kind, place: String::new(), says, command }
    }

    pub(crate) fn panic(step: Step, panic: Panic, command: &str) -> Fault {
        Fault { place: panic.place, ..Fault::new(step, Kind::Panic, panic.says, command.into()) }
    }

    pub(crate) fn error(step: Step, error: impl ToString, command: &str) -> Fault {
        Fault::new(step, Kind::Error, error.to_string(), command.into())
    }

    /// A wrong unit, described by a sentence.
    pub(crate) fn wrong(step: Step, says: String, command: String) -> Fault {
        Fault::new(step, Kind::Wrong, says, command)
    }

    /// This fault for a unit that another command proves right.
    pub(crate) fn contradicted(self, command: String) -> Fault {
        let says = format!("it is proven right, and `{}` finds: {}", self.command, self.says);
        Fault::new(Step::Proof, Kind::Contradiction, says, command)
    }

    /// Whether another fault has the same symptoms, and so may be the same one.
    pub fn is_like(&self, other: &Fault) -> bool {
        (self.step, self.kind, &self.place) == (other.step, other.kind, &other.place)
    }

    /// The command that reproduces the fault.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// What happened, and where.
    pub fn sentence(&self) -> String {
        let Fault { says, place, .. } = self;
        let at_work = match self.step {
            Step::Generation => "generation",
            Step::Lanes => "lanes",
            Step::Simulation => "simulation",
            Step::Proof => "proof",
        };
        match self.kind {
            Kind::Panic => format!("panic ({at_work}) at {place}: {says}"),
            Kind::Wrong => format!("wrong ({at_work}): {says}"),
            Kind::Contradiction => format!("contradiction: {says}"),
            Kind::Error => format!("error ({at_work}): {says}"),
        }
    }
}

/// The mismatch or violation that a verification found, in one line.
pub fn difference(verification: &Verification) -> String {
    let mismatch = verification.mismatch.as_ref().map(|mismatch| {
        let wrong = &mismatch.simplest;
        format!("{} is {}, not {}", wrong.output, wrong.got.code, wrong.want.code)
    });
    let violation = || verification.violation.as_ref().map(ToString::to_string).unwrap_or_default();
    mismatch.unwrap_or_else(violation).lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// While words are simplified, a panic must stay at the same place.
    #[test]
    fn faults_are_told_apart() {
        let panic = |place: &str| {
            let panic = Panic { place: place.into(), says: "too wide".into() };
            Fault::panic(Step::Generation, panic, "binade gen ..")
        };
        let wrong = |says: &str| Fault::wrong(Step::Lanes, says.into(), "binade verify ..".into());
        assert!(panic("a.rs:1:2").is_like(&panic("a.rs:1:2")));
        assert!(!panic("a.rs:1:2").is_like(&panic("b.rs:1:2")));
        assert!(wrong("y is 0x1, not 0x2").is_like(&wrong("y is 0x3, not 0x4")));
        assert!(!wrong("y is 0x1, not 0x2").is_like(&panic("")));
        let contradiction = wrong("y is 0x1, not 0x2").contradicted("binade prove ..".into());
        assert!(!contradiction.is_like(&wrong("")));
        assert_eq!(panic("a.rs:1:2").sentence(), "panic (generation) at a.rs:1:2: too wide");
        let sentence = "contradiction: it is proven right, and `binade verify ..` finds: y is 0x1, not 0x2";
        assert_eq!((contradiction.sentence().as_str(), contradiction.command()), (sentence, "binade prove .."));
    }
}
