//! The golden model's answers packed into one word a vector, the first output in the lowest bits.

use binade_golden::Model;
use binade_spec::word::low_bits;
use binade_spec::{Column, ColumnMut, Port};

/// The widths of the outputs.
fn widths(model: &Model) -> Vec<u32> {
    model.outputs().iter().map(Port::width).collect()
}

/// The packed answers for many vectors, one column an input.
pub fn evaluate(model: &Model, inputs: &[&[u64]], packed: &mut [u64]) {
    let inputs: Vec<Column> = inputs.iter().map(|words| Column::narrow(words)).collect();
    fill(model, packed, |outputs| model.evaluate_columns(&inputs, outputs));
}

/// The packed answers of a unit with one input for codes in a row.
pub(crate) fn evaluate_row(model: &Model, first: u64, packed: &mut [u64]) {
    fill(model, packed, |outputs| model.evaluate_row(first, outputs));
}

fn fill(model: &Model, packed: &mut [u64], answer: impl FnOnce(&mut [ColumnMut])) {
    let widths = widths(model);
    if widths.len() == 1 {
        return answer(&mut [ColumnMut::narrow(packed)]);
    }
    let mut columns = vec![vec![0; packed.len()]; widths.len()];
    let mut outputs: Vec<ColumnMut> = columns.iter_mut().map(|words| ColumnMut::narrow(words)).collect();
    answer(&mut outputs);
    packed.fill(0);
    let mut low = 0;
    for (column, width) in columns.iter().zip(widths) {
        packed.iter_mut().zip(column).for_each(|(packed, word)| *packed |= word << low);
        low += width;
    }
}

/// The answers for one vector, one word an output.
pub(crate) fn answers(model: &Model, inputs: &[u64]) -> Vec<u64> {
    model.evaluate(inputs).iter().map(|word| low_bits(word) as u64).collect()
}
