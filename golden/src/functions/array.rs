//! `mma --array`: the expected results of a systolic array, as matrices: an element's sum is the dot product of all
//! operands since the last clear, product after product, and a row appears a fixed number of steps after its last
//! operands. This model passes nothing from element to element.

use crate::{Bits, Model};
use binade_spec::Dataflow;

/// One step: the outputs are the lanes of `d`, and `d_valid`.
pub(super) fn step<W: Bits>(model: &Model, dataflow: Dataflow, state: &mut [u128], inputs: &[W], outputs: &mut [u128]) {
    match dataflow {
        Dataflow::OutputStationary => output_stationary(model, state, inputs, outputs),
        Dataflow::WeightStationary => weight_stationary(model, state, inputs, outputs),
    }
}

/// The sums are `d`; when they are taken, row `i` appears `i` steps after the first one.
fn output_stationary<W: Bits>(model: &Model, state: &mut [u128], inputs: &[W], outputs: &mut [u128]) {
    let (sums, leaving) = state.split_at_mut((model.rows() * model.columns()) as usize);
    let mut leaving = Leaving::new(model, leaving);
    leaving.next(outputs);
    let [feed, clear, last] = [2, 3, 4].map(|port| bit(inputs, port));
    if clear {
        sums.fill(model.result.zero_code(false));
    }
    let columns = model.columns() as usize;
    if feed {
        let [a, b] = operands(model, inputs);
        for (at, sum) in sums.iter_mut().enumerate() {
            *sum = model.element([a[at / columns], b[at % columns], *sum]);
        }
    }
    if last {
        for (row, codes) in sums.chunks(columns).enumerate() {
            leaving.put(model.array_latency() as usize + row, codes);
        }
    }
}

/// Multiplies each row of `a` by the active weights, starting from `c`; then weights move on.
fn weight_stationary<W: Bits>(model: &Model, state: &mut [u128], inputs: &[W], outputs: &mut [u128]) {
    let (columns, elements) = (model.columns() as usize, (model.rows() * model.columns()) as usize);
    let (weights, rest) = state.split_at_mut(elements);
    let (waiting, leaving) = rest.split_at_mut(elements);
    let mut leaving = Leaving::new(model, leaving);
    leaving.next(outputs);
    let [feed, load, swap] = [3, 4, 5].map(|port| bit(inputs, port));
    let [a, b] = operands(model, inputs);
    if feed {
        let mut row = lanes(&inputs[2], model.result.width(), model.columns());
        for (j, sum) in row.iter_mut().enumerate() {
            *sum = (0..a.len()).fold(*sum, |sum, i| model.element([a[i], weights[i * columns + j], sum]));
        }
        leaving.put(model.array_latency() as usize, &row);
    }
    if load {
        waiting.copy_within(..elements - columns, columns);
        waiting[..columns].copy_from_slice(&b);
    }
    if swap {
        weights.copy_from_slice(waiting);
    }
}

/// The rows on their way out: the first one is due in the next step.
struct Leaving<'s> {
    codes: &'s mut [u128],
    is_valid: &'s mut [u128],
    columns: usize,
}

impl<'s> Leaving<'s> {
    fn new(model: &Model, state: &'s mut [u128]) -> Leaving<'s> {
        let columns = model.columns() as usize;
        let rows = state.len() / (columns + 1);
        let (codes, is_valid) = state.split_at_mut(rows * columns);
        Leaving { codes, is_valid, columns }
    }

    /// Outputs the row that is due now.
    fn next(&mut self, outputs: &mut [u128]) {
        outputs[..self.columns].copy_from_slice(&self.codes[..self.columns]);
        outputs[self.columns] = self.is_valid[0];
        self.codes.rotate_left(self.columns);
        self.is_valid.rotate_left(1);
        let last = self.is_valid.len() - 1;
        self.codes[last * self.columns..].fill(0);
        self.is_valid[last] = 0;
    }

    /// Schedules a row after this many steps.
    fn put(&mut self, steps: usize, row: &[u128]) {
        self.codes[(steps - 1) * self.columns..][..self.columns].copy_from_slice(row);
        self.is_valid[steps - 1] = 1;
    }
}

fn bit<W: Bits>(inputs: &[W], port: usize) -> bool {
    inputs[port].field(0, 1) == 1
}

fn lanes<W: Bits>(word: &W, width: u32, count: u32) -> Vec<u128> {
    (0..count).map(|lane| word.field(lane * width, width)).collect()
}

/// The codes of `a`, and of `b`.
fn operands<W: Bits>(model: &Model, inputs: &[W]) -> [Vec<u128>; 2] {
    let [a, b] = model.operation().factors().map(|format| format.width());
    [lanes(&inputs[0], a, model.rows()), lanes(&inputs[1], b, model.columns())]
}
