//! Who watches a proof.

use binade_prove::Progress;

/// Hears how a proof goes on; called from several threads.
pub trait Watch: Sync {
    /// A unit's proof begins.
    fn begin(&self, _module: &str) {}

    /// A unit has so many more cases, or one of them is done.
    fn hear(&self, _progress: Progress) {}

    /// So many inputs of all were tried.
    fn tried(&self, _inputs: u64, _total: u64) {}
}

/// Nobody.
pub struct Silent;

impl Watch for Silent {}
