//! The state of a unit that computes a plain function rather than a formula.

use crate::{Port, WordKind};

/// A word of the state of a unit: a step computes new words, and the outputs, from these and the operands.
///
/// The golden model uses these words. A circuit may store the same state in another form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateWord {
    /// The name of the word in reports.
    pub name: &'static str,
    /// Bits of each lane, up to 128.
    pub width: u32,
    /// The number of lanes, the first one lowest.
    pub lanes: u32,
    /// The meaning of the bits.
    pub kind: WordKind,
    /// The value of each lane after a reset.
    pub reset: u128,
}

impl StateWord {
    /// The word as a port.
    pub fn port(&self) -> Port {
        Port { lanes: self.lanes, ..Port::word(self.name, self.width, self.kind) }
    }
}
