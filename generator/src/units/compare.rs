//! Comparison: whether `a` is less than, equal to, or greater than `b`, or unordered with it.

use super::order::ordered;
use binade_circuit::{Bits, concat};
use binade_spec::{Compare, Comparison, Format, Operation};

/// lt, eq, gt, unordered, and the flags if they are selected.
pub fn compare<'c>(operation: &Operation, [a, b]: [Bits<'c>; 2]) -> Vec<Bits<'c>> {
    let format = operation.operand;
    let circuit = a.circuit();
    let (a, b) = (ordered(format, a, "a"), ordered(format, b, "b"));
    circuit.section("Compare");
    let (a_key, b_key, unordered) = match format {
        // NaR is less than all other posits and equal to itself.
        Format::Posit(_) | Format::Fixed(_) => (a.key, b.key, circuit.zero()),
        Format::Float(_) | Format::Codebook(_) => {
            (a.numeric_key("a"), b.numeric_key("b"), a.class.is_nan | b.class.is_nan)
        }
    };
    let unordered = unordered.named("is_unordered");
    let is_less = a_key.less_than(b_key).named("is_less");
    let is_equal = a_key.equals(b_key).named("is_equal");
    let relations =
        [is_less, is_equal, !(is_less | is_equal).called("is_less_or_equal")].map(|relation| relation & !unordered);
    let mut outputs = [relations.as_slice(), &[unordered]].concat();
    if operation.flags.is_some() {
        let invalid = match operation.settings::<Compare>().comparison {
            Comparison::Quiet => a.class.is_invalid | b.class.is_invalid,
            Comparison::Signaling => unordered,
        };
        outputs.push(concat(&[invalid.named("invalid"), circuit.constant(0, 3)]));
    }
    outputs
}
