//! A module as it is printed, in no language: ports, and what stands in its body, from top to bottom.

use super::expression::{Expression, Signal};
use crate::Language;
use crate::Port;

/// What a file says of its module.
#[derive(Clone, Copy)]
pub struct Heading<'a> {
    /// Name of the module.
    pub name: &'a str,
    /// Regenerates it.
    pub command: &'a str,
    /// The lines of the header that say what it computes.
    pub about: &'a [String],
    /// What it is printed in.
    pub language: Language,
}

/// A module.
pub struct Module<'a> {
    pub name: &'a str,
    /// Whether it drives each port, and what that is.
    pub ports: Vec<(bool, Port)>,
    /// Whether the comments of the ports stand in a column.
    pub is_aligned: bool,
    /// Whether it is a part, whose ports are signals as those within.
    pub is_part: bool,
    pub items: Vec<Item>,
}

/// The module of a unit, and the texts of those of its parts.
pub struct Unit<'a> {
    pub module: Module<'a>,
    pub parts: Vec<String>,
}

/// Something in the body of a module.
pub enum Item {
    Blank,
    Comment(String),
    Wires(Wires),
    /// Signals that an instance drives; columns as wide as for a signal of `widest` bits.
    Declared {
        signals: Vec<Signal>,
        widest: u32,
    },
    /// A port.
    Assign {
        port: Signal,
        driver: Expression,
    },
    Registers(Registers),
    Clocked(Clocked),
    Instance(Instance),
    /// Instances that loops make, the outer loop first.
    Loops {
        loops: Vec<Loop>,
        instance: Instance,
    },
    /// Bits that nobody reads, gathered in a wire so that lint can tell them from forgotten ones.
    Unused {
        name: &'static str,
        about: Option<&'static str>,
        bits: Vec<Expression>,
    },
}

/// Signals, each with its driver.
pub struct Wires {
    pub wires: Vec<Wire>,
    /// Columns are as wide as for a signal of so many bits.
    pub widest: u32,
    /// Whether the drivers stand in a column.
    pub is_aligned: bool,
}

/// A signal with its driver.
pub struct Wire {
    pub signal: Signal,
    pub driver: Expression,
    pub note: Option<String>,
    /// Whether it is an output port, which is declared already.
    pub is_output: bool,
}

/// Registers, under their title if they have one; columns as wide as for one of `widest` bits.
pub struct Registers {
    pub title: Option<&'static str>,
    /// Each with its comment, which may be empty.
    pub registers: Vec<(Signal, String)>,
    pub widest: u32,
}

/// What happens at the rising edges of a clock.
pub struct Clocked {
    pub clock: &'static str,
    pub statements: Vec<When>,
}

/// The assignments of the first branch whose condition holds.
pub struct When {
    pub branches: Vec<Branch>,
    /// Whether each branch has one assignment, on its line.
    pub is_short: bool,
}

/// What registers take over under a condition.
pub struct Branch {
    /// Signals that are all high, or low; none of an `else`.
    pub condition: Vec<(String, bool)>,
    pub assignments: Vec<(Signal, Expression)>,
}

/// A loop: how often it is run through, and what it is called.
pub struct Loop {
    pub variable: &'static str,
    pub count: usize,
    pub block: String,
}

/// An instance of a module.
pub struct Instance {
    pub module: String,
    pub name: String,
    /// Ports, each with what is connected to it.
    pub connections: Vec<(String, Expression)>,
    /// Whether each connection has a line.
    pub is_listed: bool,
}
