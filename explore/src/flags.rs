//! The exception flags of a result.

use binade_spec::DIVISION_FLAG_BITS;

/// The flags on a port of `width` bits, from the top bit down.
fn names(width: u32) -> &'static [&'static str] {
    match width {
        DIVISION_FLAG_BITS => &["invalid", "division by zero", "overflow", "underflow", "inexact"],
        _ => &["invalid", "overflow", "underflow", "inexact"],
    }
}

/// The names of the flags that are set on a port of `width` bits.
pub fn raised(flags: u64, width: u32) -> Vec<&'static str> {
    let names = names(width).iter().rev().zip(0..);
    let mut raised: Vec<&str> = names.filter(|(_, bit)| flags >> bit & 1 == 1).map(|(name, _)| *name).collect();
    raised.reverse();
    raised
}
