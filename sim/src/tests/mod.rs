//! Tests that need more than the crate's doors offer.

mod wide;
