//! The operation that a file's vectors test.

use binade_spec::{Content, Format};
use binade_spec::{Operation, Port, WordKind};
use thiserror::Error;

/// The operation that a file's vectors test, and how the columns of the file map to the ports of its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConformCase {
    /// Its name in the file, or as the user gave it.
    pub name: String,
    /// What the unit computes.
    pub operation: Operation,
    /// Whether a zero result may have either sign, as in minNum of IEEE 754-2008 (section 5.3.1).
    pub any_zero_sign: bool,
    /// Which of the unit's outputs form the file's result.
    pub answer: Answer,
}

/// Which of a unit's outputs form the file's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All outputs, one result each.
    Outputs,
    /// Whether any of these bits is 1. Bits are numbered across all outputs except flags, starting from the lowest bit of the first output.
    AnyOf(u32),
}

/// Why the vectors of a unit cannot be read. The text is shown to the user.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CaseError {
    /// A unit with state.
    #[error("{0} has state, but the vectors of a file are independent of each other; check it with `binade verify`")]
    State(&'static str),
    /// A port with several lanes, for a syntax that has none.
    #[error("port {0} of the unit has several lanes, which only tables of codes have (--as csv)")]
    Lanes(&'static str),
    /// A port with wider codes.
    #[error("port {0} of the unit has codes of more than 128 bits, which files of vectors do not support")]
    WidePort(&'static str),
}

impl ConformCase {
    /// An operation whose ports match the columns of a file.
    pub fn new(name: impl Into<String>, operation: Operation) -> ConformCase {
        let name = name.into();
        ConformCase { name, operation, any_zero_sign: false, answer: Answer::Outputs }
    }

    /// Refuses units whose vectors cannot be written in a file; `has_lanes` says whether the file can have several lanes of a port.
    ///
    /// # Errors
    /// When the unit has state, or a port is wider than a code.
    pub fn check(&self, has_lanes: bool) -> Result<(), CaseError> {
        if self.operation.has_state() {
            return Err(CaseError::State(self.operation.unit.name()));
        }
        let ports = [self.operation.inputs(), self.operation.outputs()].concat();
        if let Some(port) = ports.iter().find(|port| port.lanes > 1).filter(|_| !has_lanes) {
            return Err(CaseError::Lanes(port.name));
        }
        if let Some(port) = ports.iter().find(|port| port.lane_width() > u128::BITS) {
            return Err(CaseError::WidePort(port.name));
        }
        Ok(())
    }

    /// The operands of the unit.
    pub fn operands(&self) -> Vec<Port> {
        self.operation.inputs()
    }

    /// The results that a file holds: all but the flags.
    pub fn results(&self) -> Vec<Port> {
        match self.answer {
            Answer::Outputs => self.operation.outputs().into_iter().filter(|port| !is_flags(port)).collect(),
            Answer::AnyOf(_) => vec![Port::word("result", 1, WordKind::Bit("it is so"))],
        }
    }

    /// Whether the unit has flags.
    pub fn has_flags(&self) -> bool {
        self.operation.outputs().iter().any(is_flags)
    }

    /// Bits of the port `flags`, 0 if there is none.
    pub fn flag_bits(&self) -> u32 {
        self.operation.outputs().iter().filter(|port| is_flags(port)).map(Port::width).sum()
    }

    /// Whether this converts a floating-point number to an integer or another fixed-point number. The result of an invalid conversion may
    /// be anything (IEEE 754-2019 section 5.8 does not define one; TestFloat: variations allowed by the standard).
    pub fn is_to_integer(&self) -> bool {
        matches!((self.operation.operand, self.operation.result), (Format::Float(_), Format::Fixed(_)))
    }
}

/// Whether a port holds exception flags.
pub(super) fn is_flags(port: &Port) -> bool {
    matches!(port.content, Content::Word { kind: WordKind::Flags, .. })
}
