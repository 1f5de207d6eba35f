//! Tests that need more than the crate's public items.

mod wide;
