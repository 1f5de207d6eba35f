//! The result of rounding: a code and its exception flags.

use binade_circuit::Bits;

/// A rounded result.
#[derive(Clone, Copy)]
pub struct Coded<'c> {
    pub code: Bits<'c>,
    /// invalid, overflow, underflow and inexact, if they are selected.
    pub flags: Option<Bits<'c>>,
}
