//! Pun et al., "Range Extension with Supernormals for Mixed-Precision 8-bit DNN Training".

use super::{format, section};
use crate::Section;
use crate::formats::values;

/// The curves of values by code.
pub fn curves() -> Section {
    let formats = ["e5m2", "e5m2b1", "e4m3", "e4m3b1", "e4m3b2", "k8p3se", "k8p4se"].map(format);
    let text = [
        "In its outermost binades (1 of e5m2b1, 2 of e4m3b2, at each end) a supernormal format has powers of two where others have \
         subnormals, infinities and NaNs: one binade per code. e4m3b2 covers more than k8p3se, 2^-21 to 2^20; e4m3b1 covers less.",
        "The slides give 27.0, 182.5 and 210.0 ALMs (Altera's tools) for multiplier, adder and fused unit of e5m2, and 24.5, 185.0 and \
         210.0 for e5m2b1. To compare them with this project: binade report units --suite testbench/suites/papers.toml.",
    ];
    let figures = values(&formats).expect("narrow formats").figures.into_iter().skip(1).collect();
    Section { figures, ..section("Pun et al.: Range extension with supernormals", &text, vec![]) }
}
