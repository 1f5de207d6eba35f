//! Tests that values known while building cost nothing.

use crate::{Bits, Circuit, Op, concat, mask};

/// A circuit's nodes that are neither inputs nor constants.
fn gates(circuit: &Circuit) -> usize {
    let state = circuit.state.borrow();
    state.netlist.nodes.iter().filter(|node| !matches!(node.op, Op::Input(_) | Op::Constant(_))).count()
}

/// Checks that `build` gives the same node as `want`: an input or a constant.
#[track_caller]
fn folds(
    build: for<'c> fn(x: Bits<'c>, bit: Bits<'c>) -> Bits<'c>,
    want: for<'c> fn(x: Bits<'c>, bit: Bits<'c>) -> Bits<'c>,
) {
    let circuit = Circuit::new();
    let (x, bit) = (circuit.input("x", 4, ""), circuit.input("bit", 1, ""));
    assert_eq!(build(x, bit).node(), want(x, bit).node());
}

fn constant<'c>(like: Bits<'c>, value: u128) -> Bits<'c> {
    like.circuit().constant(value, like.width())
}

fn zeros(like: Bits) -> Bits {
    constant(like, 0)
}

fn ones(like: Bits) -> Bits {
    constant(like, mask(like.width()))
}

fn x<'c>(x: Bits<'c>, _: Bits<'c>) -> Bits<'c> {
    x
}

fn no_bit<'c>(_: Bits<'c>, bit: Bits<'c>) -> Bits<'c> {
    zeros(bit)
}

#[test]
fn gates_with_constants() {
    folds(|x, _| x & zeros(x), |x, _| zeros(x));
    folds(|x, _| ones(x) & x, x);
    folds(|x, _| zeros(x) | x, x);
    folds(|x, _| x | ones(x), |x, _| ones(x));
    folds(|x, _| x ^ zeros(x), x);
    folds(|x, _| constant(x, 5) ^ constant(x, 3), |x, _| constant(x, 6));
}

#[test]
fn gates_with_the_same_signal() {
    folds(|x, _| x & x, x);
    folds(|x, _| x | x, x);
    folds(|x, _| x ^ x, |x, _| zeros(x));
    folds(|x, _| x.sub(x), |x, _| zeros(x));
    folds(|x, _| x.equals(x), |_, bit| ones(bit));
    folds(|x, _| x.less_than(x), no_bit);
}

#[test]
fn arithmetic_with_constants() {
    folds(|x, _| x.add(zeros(x)), x);
    folds(|x, _| x.sub(zeros(x)), x);
    folds(|x, _| constant(x, 9).add(constant(x, 9)), |x, _| constant(x, 2));
    folds(|x, _| constant(x, 2).sub(constant(x, 3)), |x, _| ones(x));
    folds(|x, _| constant(x, 9).mul(constant(x, 9)), |x, _| x.circuit().constant(81, 8));
    folds(|x, _| x.less_than(zeros(x)), no_bit);
    folds(|x, _| ones(x).less_than(x), no_bit);
}

#[test]
fn choices() {
    folds(|x, bit| bit.select(x, x), x);
    folds(|x, bit| ones(bit).select(x, zeros(x)), x);
    folds(|x, bit| zeros(bit).select(zeros(x), x), x);
    folds(|_, bit| bit.select(ones(bit), zeros(bit)), |_, bit| bit);
}

#[test]
fn wires() {
    folds(|x, _| x.slice(3, 0), x);
    folds(|x, bit| concat(&[bit, x]).low(4), x);
    folds(|x, bit| concat(&[x, bit]).high(4), x);
    folds(|x, _| x.zeros_below(3).zext(12).slice(6, 3), x);
    folds(|x, _| x.zext(9).slice(8, 4), |x, _| x.circuit().constant(0, 5));
    folds(|_, bit| bit.repeat(1), |_, bit| bit);
    folds(|_, bit| bit.any(), |_, bit| bit);
    folds(|_, bit| bit.all(), |_, bit| bit);
    folds(|x, _| x.zext(9).all(), no_bit);
}

#[test]
fn neighbouring_slices_join() {
    let circuit = Circuit::new();
    let x = circuit.input("x", 8, "");
    assert_eq!(concat(&[x.slice(7, 4), x.slice(3, 0)]).node(), x.node());
    assert_eq!(concat(&[x.slice(5, 4), x.slice(3, 2)]).node(), x.slice(5, 2).node());
}

#[test]
fn complements() {
    let circuit = Circuit::new();
    let x = circuit.input("x", 4, "");
    assert_eq!((!!x).node(), x.node());
    assert_eq!((x & !x).known(), Some(0));
    assert_eq!((!x | x).known(), Some(15));
    assert_eq!((x ^ ones(x)).node(), (!x).node());
}

#[test]
fn equal_nodes_are_shared() {
    let circuit = Circuit::new();
    let (x, y) = (circuit.input("x", 4, ""), circuit.input("y", 4, ""));
    assert_eq!((x & y).node(), (y & x).node());
    assert_eq!(x.add(y).node(), y.add(x).node());
    assert_ne!(x.sub(y).node(), y.sub(x).node());
    assert_eq!(gates(&circuit), 4);
}
