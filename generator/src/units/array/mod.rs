//! Systolic arrays: operands enter at two sides of the array and move on by one element per step. Operands enter each further row
//! or column a step later (the skew), so that operands that belong together meet; results also leave skewed. Registers at the
//! sides add and remove the skew: the ports have whole rows and columns of matrices.
//!
//! ```text
//! output-stationary              weight-stationary
//!
//!   d[0]  d[1]                     c[0]  c[1]     b[0]  b[1], row by row, the last first
//!    ^     ^                        v     v
//!   e00   e01  <- a[0]  (from the  e00   e01  <- a[0]
//!    ^     ^            left)       v     v
//!   e10   e11  <- a[1]             e10   e11  <- a[1]
//!    ^     ^                        v     v
//!   b[0]  b[1]                     d[0]  d[1]
//! ```
//!
//! Element (i, j) of an output-stationary array processes the operands that came `m - 1 - i + j` steps ago. Row `m - 1` is the first one,
//! so that the rows of `D`, which move in the direction of `b`, leave in their order. In a weight-stationary array, it is `i + j` steps.

mod output_stationary;
mod weight_stationary;

use super::computed;
use binade_circuit::{Bits, Part, concat};
use binade_spec::{Dataflow, Operation};

/// `d`, and `d_valid`.
pub fn array<'c>(operation: &Operation, array: Dataflow, inputs: &[Bits<'c>]) -> Vec<Bits<'c>> {
    let [d, valid] = match array {
        Dataflow::OutputStationary => output_stationary::output_stationary(operation, inputs),
        Dataflow::WeightStationary => weight_stationary::weight_stationary(operation, inputs),
    };
    vec![d, valid]
}

const MULTIPLY_ADD: Part = Part::repeated("multiply_add", "A sum and one more product, rounded.");

/// The new sum of an element from a code of `a`, a code of `b` and the old sum.
fn multiply_add<'c>(operation: &Operation, [row, column]: [u32; 2], operands: [Bits<'c>; 3]) -> Bits<'c> {
    let circuit = operands[0].circuit();
    circuit.part(MULTIPLY_ADD, &format!("{row}_{column}"), || computed(&operation.array_element(), &operands)[0])
}

/// A register that takes the value of a signal in each step.
fn register<'c>(name: &str, next: Bits<'c>, about: &str) -> Bits<'c> {
    let register = next.circuit().register(name, next.width(), 0, about);
    next.circuit().drive(register, next);
    register
}

/// A signal, delayed by a number of steps.
fn delayed<'c>(name: &str, signal: Bits<'c>, steps: u32) -> Bits<'c> {
    (1..=steps).fold(signal, |signal, step| register(&format!("{name}_after_{step}"), signal, ""))
}

/// A signal now, and after each step up to the last.
fn taps<'c>(name: &str, signal: Bits<'c>, steps: u32) -> Vec<Bits<'c>> {
    let mut taps = vec![signal];
    for step in 1..=steps {
        taps.push(register(&format!("{name}_after_{step}"), taps[taps.len() - 1], ""));
    }
    taps
}

/// The lanes of a port; lane `i` is delayed by `steps(i)` steps.
fn skewed<'c>(name: &str, port: Bits<'c>, lanes: u32, steps: impl Fn(u32) -> u32) -> Vec<Bits<'c>> {
    let width = port.width() / lanes;
    let lane = |lane: u32| {
        let name = format!("{name}_{lane}");
        let code = port.slice((lane + 1) * width - 1, lane * width);
        delayed(&name, if lanes > 1 { code.named(&name) } else { code }, steps(lane))
    };
    (0..lanes).map(lane).collect()
}

/// The sums of all columns as one row of results; they leave the elements one step after another.
fn together<'c>(sums: &[Bits<'c>]) -> Bits<'c> {
    let last = sums.len() - 1;
    let lanes = sums.iter().enumerate().map(|(at, &sum)| delayed(&format!("d_{at}"), sum, (last - at) as u32));
    concat(&lanes.rev().collect::<Vec<_>>())
}
