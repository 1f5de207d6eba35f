//! What a unit keeps from step to step where its meaning is a plain function and no formula.

use crate::{Port, WordKind};

/// A word that is part of the state of a unit: a step makes new ones, and the outputs, of these and the operands.
///
/// The golden model goes by these words. A circuit may keep the same state in other ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateWord {
    /// What the word is called in reports.
    pub name: &'static str,
    /// Bits of each lane, up to 128.
    pub width: u32,
    /// How many such words there are side by side, the first one lowest.
    pub lanes: u32,
    /// What the bits mean.
    pub kind: WordKind,
    /// Each lane after a reset.
    pub reset: u128,
}

impl StateWord {
    /// The word as a port would carry it.
    pub fn port(&self) -> Port {
        Port { lanes: self.lanes, ..Port::word(self.name, self.width, self.kind) }
    }
}
