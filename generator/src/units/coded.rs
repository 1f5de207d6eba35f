//! What rounding gives: a code, and its exception flags.

use binade_circuit::Bits;

/// A rounded result.
#[derive(Clone, Copy)]
pub struct Coded<'c> {
    pub code: Bits<'c>,
    /// invalid, overflow, underflow, inexact, where they are asked for.
    pub flags: Option<Bits<'c>>,
}
