//! Weight-stationary: `a` moves along the rows, sums move down the columns, and each element adds the product of `a` and its
//! weight.
//!
//! The next weights move down the columns into a second register, `waiting`, while the others are in use. Between two elements there
//! is one more register, `passing`, because the element below does each step one step later.

use super::{delayed, multiply_add, register, skewed, taps, together};
use binade_circuit::Bits;
use binade_spec::Operation;

/// The commands to the elements, by the number of steps since they were on the ports.
struct Commands<'c> {
    load: Vec<Bits<'c>>,
    swap: Vec<Bits<'c>>,
}

/// The signals that an element passes on.
#[derive(Clone, Copy)]
struct Passed<'c> {
    a: Bits<'c>,
    weight: Bits<'c>,
    sum: Bits<'c>,
}

/// `d`, and `d_valid`.
pub fn weight_stationary<'c>(operation: &Operation, inputs: &[Bits<'c>]) -> [Bits<'c>; 2] {
    let (rows, columns) = (operation.rows(), operation.columns());
    let circuit = inputs[0].circuit();
    let farthest = rows + columns - 2;
    circuit.section("Delay operands and commands until their counterparts arrive");
    let a = skewed("a", inputs[0], rows, |row| row);
    let b = skewed("b", inputs[1], columns, |column| column);
    let c = skewed("c", inputs[2], columns, |column| column);
    let commands = Commands { load: taps("load", inputs[4], farthest), swap: taps("swap", inputs[5], farthest) };
    let mut above: Vec<Passed> = b.iter().zip(&c).map(|(&b, &c)| Passed { a: b, weight: b, sum: c }).collect();
    for row in 0..rows {
        let mut a = a[row as usize];
        for (column, above) in above.iter_mut().enumerate() {
            let from = Passed { a, ..*above };
            *above = element(operation, &commands, [row, column as u32], from);
            a = above.a;
        }
    }
    circuit.section("Delay results so that the results of a row leave together");
    let d = together(&above.iter().map(|passed| passed.sum).collect::<Vec<_>>());
    let valid = delayed("d_valid", inputs[3], farthest + 1);
    [valid.gate(d), valid]
}

/// An element, and the signals that it passes on.
fn element<'c>(
    operation: &Operation,
    commands: &Commands<'c>,
    [row, column]: [u32; 2],
    from: Passed<'c>,
) -> Passed<'c> {
    let circuit = from.a.circuit();
    let (rows, columns) = (operation.rows(), operation.columns());
    let step = (row + column) as usize;
    circuit.section(&format!("Element ({row}, {column})"));
    circuit.part_named(&format!("e{row}_{column}"), || {
        let width = from.weight.width();
        let waiting = circuit.register("waiting", width, 0, "waiting weight");
        let waiting_next = commands.load[step].select(from.weight, waiting).named("waiting_next");
        circuit.drive(waiting, waiting_next);
        let weight = circuit.register("weight", width, 0, "weight in use");
        circuit.drive(weight, commands.swap[step].select(waiting_next, weight).named("weight_next"));
        let sum = register(
            "sum",
            multiply_add(operation, [row, column], [from.a, weight, from.sum]),
            "sum down to this element",
        );
        let (goes_on, goes_down) = (column + 1 < columns, row + 1 < rows);
        Passed {
            a: if goes_on { register("a", from.a, "") } else { from.a },
            weight: if goes_down { register("passing", waiting, "") } else { waiting },
            sum,
        }
    })
}
