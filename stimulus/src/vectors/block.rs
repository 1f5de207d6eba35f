//! How many vectors are generated together.

/// The most steps of a sequence: those of a block.
pub const SEQUENCE: usize = BLOCK;

/// The most vectors of a block, few enough for the columns to stay in a core's cache.
pub const BLOCK: usize = 4096;

/// Consecutive random vectors of one kind: choosing the kind once per run is cheaper.
pub(super) const RUN: usize = 64;
