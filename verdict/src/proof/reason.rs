//! Why a unit is open, or what is wrong with it beside its results.

use crate::MOST_LATENCY;
use binade_prove::{NotSpecified, ShellFault};
use binade_sim::verilator::Reader;
use binade_spec::contract::Property;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a unit is open, or what is wrong with it beside its results. As JSON, it is its sentence.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Reason {
    /// The unit's state is not a formula.
    Machine,
    /// A user's module keeps a state.
    StateOfModule,
    /// No latency was found.
    NoLatency,
    /// A shell with valid and ready is wrong.
    Shell(ShellFault),
    /// A function of the accumulator with flags or random bits.
    Function,
    /// The operation has no specification circuit.
    NotSpecified(NotSpecified),
    /// The gates of the function of the accumulator depend on more than it.
    FunctionOfMore {
        /// The function, such as `out = tanh(y)`.
        function: String,
    },
    /// The function is wrong for a code that no operands were found to give.
    FunctionOfUnreached {
        /// The function, such as `out = tanh(y)`.
        function: String,
        /// The code.
        code: String,
    },
    /// A step is wrong from a state that no sequence was found to reach.
    StepOfUnreached {
        /// The step, with its results.
        step: String,
    },
    /// A clocked unit does not have this property; the second text says what shows it.
    Breaks(Property, Option<String>),
    /// Trying all inputs would take so many seconds of processor time.
    TooManyInputs {
        /// All seconds.
        seconds: u64,
    },
    /// Another tool's reading of the files was not proven.
    Reading {
        /// The tool.
        reader: Reader,
        /// The number of vectors that are right, if there are any.
        checked: Option<u64>,
        /// Why it was not proven.
        why: String,
    },
    /// What vectors found.
    Vectors(String),
    /// A tool failed, with its message; or the sentence of an earlier run's report.
    Said(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reason::Machine => write!(f, "a state that is not a formula has no specification circuit yet"),
            Reason::StateOfModule => write!(f, "it keeps a state, of which proofs are made in the circuit alone"),
            Reason::NoLatency => write!(
                f,
                "no number of clocks up to {MOST_LATENCY} was found after which each result depends only on one clock's operands"
            ),
            Reason::Shell(fault) => fault.fmt(f),
            Reason::Function => {
                write!(f, "flags and random bits of a function of the accumulator have no specification circuit yet")
            }
            Reason::NotSpecified(why) => why.fmt(f),
            Reason::FunctionOfMore { function } => {
                write!(f, "y is proven; {function} is not: its gates depend on more than y")
            }
            Reason::FunctionOfUnreached { function, code } => {
                write!(f, "{function} is wrong for y = {code}, and no operands were found that give this y")
            }
            Reason::StepOfUnreached { step } => {
                write!(f, "{step}, but no sequence was found that reaches this state")
            }
            Reason::Breaks(property, None) => write!(f, "{property}, but no vector was found that shows it"),
            Reason::Breaks(property, Some(found)) => write!(f, "{property}; {found}"),
            Reason::TooManyInputs { seconds } => {
                write!(f, "to try all inputs would take {seconds} s of processor time")
            }
            Reason::Reading { reader, checked: None, why } => write!(f, "{reader}: not proven ({why})"),
            Reason::Reading { reader, checked: Some(vectors), why } => {
                write!(f, "{reader}: {vectors} vectors are right, but it is not proven ({why})")
            }
            Reason::Vectors(text) | Reason::Said(text) => f.write_str(text),
        }
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> String {
        reason.to_string()
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Reason {
        Reason::Said(text)
    }
}
