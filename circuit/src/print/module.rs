//! A module to be printed, independent of a language: its ports, and the items of its body from top to bottom.

use super::expression::{Expression, Signal};
use crate::{Language, Port, Reset};

/// The header of a file.
#[derive(Clone, Copy)]
pub struct Heading<'a> {
    /// Name of the module.
    pub name: &'a str,
    /// The commands that generate it again and check it, each on a line of its own, so that they can be copied.
    pub commands: &'a [String],
    /// The lines of the header that say what it computes.
    pub about: &'a [String],
    /// The language.
    pub language: Language,
    /// How registers are reset.
    pub reset: Reset,
}

/// A module.
pub struct Module<'a> {
    pub name: &'a str,
    /// Its ports, and whether it drives each of them.
    pub ports: Vec<(bool, Port)>,
    /// Whether the comments of the ports are aligned.
    pub is_aligned: bool,
    /// Whether it is a part; ports of parts have the types of internal signals.
    pub is_part: bool,
    pub items: Vec<Item>,
}

/// The module of a unit, and the texts of those of its parts.
pub struct Unit<'a> {
    pub module: Module<'a>,
    pub parts: Vec<String>,
}

/// An item in the body of a module.
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
    Instance(ModuleInstance),
    /// Instances that loops make, the outer loop first.
    Loops {
        loops: Vec<Loop>,
        instance: ModuleInstance,
    },
    /// Unused bits, gathered in a wire so that lint can distinguish them from forgotten ones.
    Unused {
        name: &'static str,
        about: Option<&'static str>,
        bits: Vec<Expression>,
    },
}

/// Signals, each with its driver.
pub struct Wires {
    pub wires: Vec<Wire>,
    /// The columns are as wide as for a signal of this number of bits.
    pub widest: u32,
    /// Whether the drivers are aligned.
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

/// Registers, under their title if they have one; columns as wide as for a register of `widest` bits.
pub struct Registers {
    pub title: Option<&'static str>,
    /// Each with its comment, which may be empty.
    pub registers: Vec<(Signal, String)>,
    pub widest: u32,
}

/// The statements at the rising edges of a clock.
pub struct Clocked {
    pub clock: &'static str,
    /// The reset, low, if it acts between the edges of the clock, too: in the first branch of the only statement.
    pub reset: Option<String>,
    pub statements: Vec<When>,
}

impl Module<'_> {
    /// The module with registers that are reset so.
    pub fn reset(self, reset: Reset) -> Self {
        if reset == Reset::Sync {
            return self;
        }
        let ports = self.ports.into_iter().map(|(is_output, port)| {
            let about = port.about.replace("synchronous reset", "asynchronous reset");
            (is_output, Port { about, ..port })
        });
        let items = self.items.into_iter().flat_map(|item| match item {
            Item::Clocked(clocked) => clocked.asynchronous(),
            item => vec![item],
        });
        Module { ports: ports.collect(), items: items.collect(), ..self }
    }
}

impl Clocked {
    /// The statements with a reset, each for itself and reset asynchronously; the others after them.
    fn asynchronous(self) -> Vec<Item> {
        let Clocked { clock, statements, .. } = self;
        let reset = |when: &When| match &when.branches[0].condition[..] {
            [(name, false)] if ["rst_n", "aresetn"].contains(&name.as_str()) => Some(name.clone()),
            _ => None,
        };
        let (with, without): (Vec<When>, Vec<When>) = statements.into_iter().partition(|when| reset(when).is_some());
        let alone = |when: When| Clocked { clock, reset: reset(&when), statements: vec![when] };
        let others = (!without.is_empty()).then_some(Clocked { clock, reset: None, statements: without });
        with.into_iter().map(alone).chain(others).map(Item::Clocked).collect()
    }
}

/// The assignments of the first branch whose condition holds.
pub struct When {
    pub branches: Vec<Branch>,
    /// Whether each branch has one assignment, on the same line.
    pub is_short: bool,
}

/// The assignments to registers under a condition.
pub struct Branch {
    /// Signals and their required levels; none for an `else`.
    pub condition: Vec<(String, bool)>,
    pub assignments: Vec<(Signal, Expression)>,
}

/// A loop: its variable, its number of iterations, and its label.
pub struct Loop {
    pub variable: &'static str,
    pub count: usize,
    pub block: String,
}

/// An instance of a module.
pub struct ModuleInstance {
    pub module: String,
    pub name: String,
    /// Ports, each with the expression that is connected to it.
    pub connections: Vec<(String, Expression)>,
    /// Whether each connection has a line.
    pub is_listed: bool,
}
