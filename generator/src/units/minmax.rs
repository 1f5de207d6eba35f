//! Minimum and maximum: the smaller or larger of `a` and `b`.

use super::order::{canonical, ordered};
use binade_circuit::{Bits, concat};
use binade_spec::{Minmax, Operation};

/// The chosen operand, and the flags if they are selected.
pub fn minmax<'c>(operation: &Operation, [a_code, b_code]: [Bits<'c>; 2]) -> Vec<Bits<'c>> {
    let (format, extremum) = (operation.operand, operation.settings::<Minmax>().extremum);
    let circuit = a_code.circuit();
    let (a, b) = (ordered(format, a_code, "a"), ordered(format, b_code, "b"));
    circuit.section("Compare");
    let mut a_is_less = a.key.less_than(b.key).named("a_is_less");
    if extremum.is_of_magnitudes() {
        let is_smaller = a.magnitude.less_than(b.magnitude).named("a_is_smaller");
        let are_equal = a.magnitude.equals(b.magnitude).named("magnitudes_are_equal");
        a_is_less = (is_smaller | (are_equal & a_is_less)).named("a_comes_first");
    }
    circuit.section("Choose");
    let takes_a = if extremum.is_maximum() { !a_is_less } else { a_is_less };
    // A number overrides NaN, or NaN overrides a number.
    let takes_a = if extremum.prefers_number() {
        (!a.class.is_nan & (takes_a | b.class.is_nan)).named("takes_a")
    } else {
        takes_a.named("takes_a")
    };
    let chosen = takes_a.select(canonical(format, a_code, &a), canonical(format, b_code, &b)).named("chosen");
    let is_nan =
        if extremum.prefers_number() { a.class.is_nan & b.class.is_nan } else { a.class.is_nan | b.class.is_nan };
    let y = match format.nan_code() {
        Some(nan) => is_nan.named("is_nan").select(circuit.constant(nan, format.width()), chosen),
        None => chosen,
    };
    let mut outputs = vec![y];
    if operation.flags.is_some() {
        let invalid = (a.class.is_invalid | b.class.is_invalid).named("invalid");
        outputs.push(concat(&[invalid, circuit.constant(0, 3)]));
    }
    outputs
}
