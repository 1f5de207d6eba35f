//! A width mistake panics and names both operands.

use crate::{Bits, Circuit, MAX_WIDTH};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message about `mistake`, applied to a signal `sum` of four bits and a port of three.
fn complaint(mistake: impl Fn(Bits, Bits)) -> String {
    let circuit = Circuit::new();
    let (a, narrow) = (circuit.input("a", 4, ""), circuit.input("b", 3, ""));
    let sum = a.add(circuit.constant(3, 4)).named("sum");
    let panic = catch_unwind(AssertUnwindSafe(|| mistake(sum, (!narrow).named("inverted")))).expect_err("a panic");
    panic.downcast_ref::<String>().cloned().or(panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap()
}

#[test]
fn operators_name_both_operands() {
    let wanted = "sum [4 bits] meets inverted [3 bits]";
    assert_eq!(complaint(|sum, inverted| _ = sum & inverted), wanted);
    assert_eq!(complaint(|sum, inverted| _ = sum | inverted), wanted);
    assert_eq!(complaint(|sum, inverted| _ = sum ^ inverted), wanted);
    assert_eq!(complaint(|sum, inverted| _ = sum.add(inverted)), wanted);
    assert_eq!(complaint(|sum, inverted| _ = sum.sub(inverted)), wanted);
    assert_eq!(complaint(|sum, inverted| _ = sum.equals(inverted)), wanted);
    assert_eq!(complaint(|sum, inverted| _ = sum.less_than(inverted)), wanted);
    assert_eq!(complaint(|sum, inverted| _ = sum.bit(0).select(sum, inverted)), wanted);
}

#[test]
fn bits_that_do_not_exist() {
    assert_eq!(complaint(|sum, _| _ = sum.slice(4, 1)), "bits [4:1] of sum [4 bits] do not exist");
    assert_eq!(complaint(|sum, _| _ = sum.bit(9)), "bits [9:9] of sum [4 bits] do not exist");
    assert_eq!(complaint(|sum, _| _ = sum.slice(1, 2)), "bits [1:2] of sum [4 bits] do not exist");
}

#[test]
fn widths_that_cannot_be() {
    assert_eq!(complaint(|sum, _| _ = sum.zext(3)), "sum [4 bits] cannot be extended to 3 bits");
    assert_eq!(complaint(|sum, _| _ = sum.sext(2)), "sum [4 bits] cannot be extended to 2 bits");
    assert_eq!(complaint(|sum, _| _ = sum.circuit().constant(16, 4)), "16 does not fit in 4 bits");
    let too_wide = format!("a signal of 70000 bits; 1 to {MAX_WIDTH} are possible");
    assert_eq!(complaint(|sum, _| _ = sum.zeros_below(70_000)), too_wide);
    assert!(complaint(|sum, _| _ = sum.repeat(2)).contains("only a single bit is repeated"));
    assert!(complaint(|sum, _| _ = sum.select(sum, sum)).contains("only a single bit selects"));
}
