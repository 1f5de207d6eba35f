//! What can be wrong, and the command that shows it.

use super::panics::Panic;
use crate::failure::Failure;
use binade_sim::Verification;
use serde::Serialize;

/// What was at work.
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

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Panic,
    /// The unit is wrong.
    Wrong,
    /// A proof holds of a unit that vectors show to be wrong.
    Contradiction,
    /// An error that is no refusal.
    Error,
}

/// Something that is wrong with a unit, or with what looks at it.
#[derive(Clone, Debug, Serialize)]
pub struct Fault {
    pub step: Step,
    kind: Kind,
    /// Of a panic, where it was.
    #[serde(skip_serializing_if = "String::is_empty")]
    place: String,
    says: String,
    /// Shows it.
    command: String,
}

/// Why a step has no result.
pub enum Stop {
    Fault(Fault),
    /// The run ends: it was interrupted, or a tool is not usable.
    Ended(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Ended(failure)
    }
}

impl Fault {
    fn new(step: Step, kind: Kind, says: String, command: String) -> Fault {
        Fault { step, kind, place: String::new(), says, command }
    }

    pub fn panic(step: Step, panic: Panic, command: &str) -> Fault {
        Fault { place: panic.place, ..Fault::new(step, Kind::Panic, panic.says, command.into()) }
    }

    pub fn error(step: Step, failure: &Failure, command: &str) -> Fault {
        Fault::new(step, Kind::Error, failure.message().unwrap_or_default(), command.into())
    }

    /// A unit that is wrong, as a sentence says.
    pub fn wrong(step: Step, says: String, command: String) -> Fault {
        Fault::new(step, Kind::Wrong, says, command)
    }

    /// This fault of a unit that is proven, as another command shows.
    pub fn contradicted(self, command: String) -> Fault {
        let says = format!("it is proven right, and `{}` finds: {}", self.command, self.says);
        Fault::new(Step::Proof, Kind::Contradiction, says, command)
    }

    /// Whether another fault shows in the same way, and so may be the same one.
    pub fn is_like(&self, other: &Fault) -> bool {
        (self.step, self.kind, &self.place) == (other.step, other.kind, &other.place)
    }

    /// The command that shows it.
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

/// What a verification found wrong, in one line.
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

    /// While words are made simpler, a panic stays the one at its place.
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
