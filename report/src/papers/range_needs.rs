//! Popescu et al., "Representation range needs for 16-bit neural network training".

use super::{Claim, Ends, exponent, format, section, table};
use crate::Section;

/// Table I, in which 1/5/10/d has 5 exponent bits, 10 trailing bits, and subnormals ("denormals").
pub fn table_1() -> Section {
    let mut claims = vec![];
    for (name, [least, most], denormal) in [
        ("binary16", ["-14", "15"], Some("-24")),
        ("e6m9", ["-30", "31"], Some("-39")),
        ("e8m7n", ["-126", "127"], None),
    ] {
        let ends = Ends::of(&format(name));
        claims.push(Claim::exactly(format!("{name}: E min"), least, exponent(ends.normal)));
        claims.push(Claim::exactly(format!("{name}: E max"), most, exponent(ends.largest)));
        let smallest = exponent(ends.smallest);
        claims.extend(
            denormal.map(|printed| Claim::exactly(format!("{name}: log2 of the smallest denormal"), printed, smallest)),
        );
    }
    section(
        "Popescu et al.: Representation range needs for 16-bit neural network training",
        &[
            "1/5/10/d is binary16, 1/6/9/d is e6m9, 1/8/7/n is e8m7n: bfloat16 without subnormals.",
            "The dot product FMAC-8 of Algorithm 1 is the unit dot --sum fmac8 in any format; FMAC and MAC, FMACS and MACS are fmac and mac with --acc of the \
             format itself and of binary32. For Tables II and III, the shares of subnormal numbers in tensors, run report tensor on your own tensors.",
        ],
        vec![table("Table I: 16-bit formats", claims)],
    )
}
