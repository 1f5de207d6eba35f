//! Zhang, "Mixed Precision Training", slides of CS 498 (2025).

use super::{Claim, Ends, exponent, format, number, section, table};
use crate::Section;
use binade_golden::{Codec, Value};

/// The numbers on the slides.
pub fn slides() -> Section {
    let binary16 = Ends::of(&format("binary16"));
    let binades = exponent(binary16.largest) - exponent(binary16.smallest) + 1;
    let value = match format("binary32").decode(0x40d0_0000) {
        Value::Finite(exact) => number(exact),
        other => unreachable!("a finite code, not {other}"),
    };
    let claims = vec![
        Claim::exactly("powers of two in binary16", "40", binades),
        Claim::about("0 10000001 1010.. in binary32", "6.5", value),
    ];
    section(
        "Zhang: Mixed precision training (CS 498)",
        &[
            "Loss scaling as on the slides, from 2^24, half at each overflow, twice after 2000 steps without one, is the unit loss-scaler.",
        ],
        vec![table("Numbers on the slides", claims)],
    )
}
