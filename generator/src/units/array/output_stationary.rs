//! Output-stationary: `a` moves along the rows, `b` moves up the columns, and each element adds the products of the
//! operands that meet in it.
//!
//! A finished sum moves into a second register, `leaving`, and from there up with those behind it, while the next sums begin.
//! Between two elements there is one more register, `passing`, because the element above does each step one step later.

use super::{delayed, multiply_add, register, skewed, taps, together};
use binade_circuit::Bits;
use binade_spec::Operation;

/// The commands to the elements, by the number of steps since they were on the ports.
struct Commands<'c> {
    feed: Vec<Bits<'c>>,
    clear: Vec<Bits<'c>>,
    last: Vec<Bits<'c>>,
}

/// The signals that an element passes on.
#[derive(Clone, Copy)]
struct Passed<'c> {
    a: Bits<'c>,
    b: Bits<'c>,
    sum: Bits<'c>,
}

/// `d`, and `d_valid`.
pub fn output_stationary<'c>(operation: &Operation, inputs: &[Bits<'c>]) -> [Bits<'c>; 2] {
    let (rows, columns) = (operation.rows(), operation.columns());
    let circuit = inputs[0].circuit();
    let farthest = rows + columns - 2;
    circuit.section("Delay operands and commands until their counterparts arrive");
    let a = skewed("a", inputs[0], rows, |row| rows - 1 - row);
    let b = skewed("b", inputs[1], columns, |column| column);
    let commands = Commands {
        feed: taps("feed", inputs[2], farthest),
        clear: taps("clear", inputs[3], farthest),
        last: taps("last", inputs[4], farthest),
    };
    let no_sum = circuit.constant(0, operation.result.width());
    let mut below: Vec<Passed> = b.iter().map(|&b| Passed { a: b, b, sum: no_sum }).collect();
    for row in (0..rows).rev() {
        let mut a = a[row as usize];
        for (column, below) in below.iter_mut().enumerate() {
            let from = Passed { a, ..*below };
            *below = element(operation, &commands, [row, column as u32], from);
            a = below.a;
        }
    }
    circuit.section("Delay results so that the results of a row leave together");
    let d = together(&below.iter().map(|passed| passed.sum).collect::<Vec<_>>());
    [d, delayed("d_valid", has_row(operation, inputs[4]), farthest)]
}

/// An element, and the signals that it passes on.
fn element<'c>(
    operation: &Operation,
    commands: &Commands<'c>,
    [row, column]: [u32; 2],
    from: Passed<'c>,
) -> Passed<'c> {
    let circuit = from.a.circuit();
    let (rows, columns, result) = (operation.rows(), operation.columns(), operation.result);
    let step = (rows - 1 - row + column) as usize;
    circuit.section(&format!("Element ({row}, {column})"));
    circuit.part_named(&format!("e{row}_{column}"), || {
        let zero = circuit.constant(result.zero_code(false), result.width());
        let sum = circuit.register("sum", result.width(), result.zero_code(false), "sum since the last clear");
        let kept = commands.clear[step].select(zero, sum).named("sum_or_zero");
        let added = multiply_add(operation, [row, column], [from.a, from.b, kept]);
        let next = commands.feed[step].select(added, kept).named("sum_next");
        circuit.drive(sum, next);
        let leaving = register("leaving", commands.last[step].select(next, from.sum), "finished sum that moves up");
        let (goes_on, goes_up) = (column + 1 < columns, row > 0);
        Passed {
            a: if goes_on { register("a", from.a, "") } else { from.a },
            b: if goes_up { register("b", from.b, "") } else { from.b },
            sum: if goes_up { register("passing", leaving, "") } else { leaving },
        }
    })
}

/// Whether a row of results is at the top of the first column. A register holds a 1 for each row that is left.
fn has_row<'c>(operation: &Operation, last: Bits<'c>) -> Bits<'c> {
    let circuit = last.circuit();
    let rows = operation.rows();
    let left = circuit.register("rows_left", rows, 0, "one bit per row that has not left yet");
    let fewer = if rows > 1 { left.high(rows - 1).zext(rows) } else { circuit.zero() };
    circuit.drive(left, (last.repeat(rows) | fewer).named("rows_left_next"));
    left.bit(0)
}
