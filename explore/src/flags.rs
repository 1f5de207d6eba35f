//! The exception flags of a result.

use binade_spec::FLAG_BITS;

/// The flags, from the top bit down.
const FLAGS: [&str; FLAG_BITS as usize] = ["invalid", "overflow", "underflow", "inexact"];

/// The names of the flags that are set.
pub fn raised(flags: u64) -> Vec<&'static str> {
    let is_set = |place: &usize| flags >> (FLAGS.len() - 1 - place) & 1 == 1;
    (0..FLAGS.len()).filter(is_set).map(|place| FLAGS[place]).collect()
}
