//! The model of the right results, with which a device is compared.

use binade_golden::Model;
use binade_spec::Port;
use binade_spec::{Column, ColumnMut, Word};
use binade_stimulus::{Columns, words::widths};

/// A model of a device's right results: the golden model, or one that a test defines.
pub trait Reference: Sync {
    /// The ports of the operands, in the order of the columns.
    fn inputs(&self) -> Vec<Port>;

    /// The ports of the results, in the order of the columns.
    fn outputs(&self) -> Vec<Port>;

    /// Whether results depend on earlier vectors.
    fn has_state(&self) -> bool {
        false
    }

    /// Computes results: one column per input, and one column per output to fill in. With state, the vectors are a sequence from a reset
    /// on.
    fn evaluate_columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]);

    /// Computes the results of the codes of the only input from `first` on. There is no default implementation, since a wrapper around
    /// another reference could then silently lose that one's fast version.
    fn evaluate_row(&self, first: u64, outputs: &mut [ColumnMut]);

    /// The exact value before rounding, in words, for one lane of an output, if that output is rounded. With state, `before` holds the
    /// vectors since the reset.
    fn unrounded(&self, before: &[Vec<Word>], operands: &[Word], output: &str, lane: u32) -> Option<String>;

    /// The content of the registers after these vectors from a reset on.
    fn state(&self, _before: &[Vec<Word>]) -> Vec<(Port, Word)> {
        vec![]
    }

    /// Whether a result other than the wanted one is right too.
    fn allows(&self, _operands: &[Word], _got: &[Word], _want: &[Word]) -> bool {
        false
    }

    /// Computes the results of one vector.
    fn evaluate(&self, operands: &[Word]) -> Vec<Word> {
        let inputs = Columns::of_vectors(widths(&self.inputs()), &[operands.to_vec()]);
        let mut outputs = Columns::zeros(widths(&self.outputs()), 1);
        self.evaluate_columns(&inputs.views(), &mut outputs.views_mut(1));
        outputs.vector(0)
    }
}

/// Computes a row of codes by means of `evaluate_columns`.
pub(crate) fn row_by_columns(reference: &dyn Reference, first: u64, outputs: &mut [ColumnMut]) {
    let vectors = outputs[0].words.len() / outputs[0].limbs;
    let codes: Vec<u64> = (first..first + vectors as u64).collect();
    reference.evaluate_columns(&[Column::narrow(&codes)], outputs);
}

impl Reference for Model {
    fn inputs(&self) -> Vec<Port> {
        self.operation().inputs()
    }

    fn outputs(&self) -> Vec<Port> {
        self.operation().outputs()
    }

    fn has_state(&self) -> bool {
        self.has_state()
    }

    fn evaluate_columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        self.evaluate_columns(inputs, outputs);
    }

    fn evaluate_row(&self, first: u64, outputs: &mut [ColumnMut]) {
        self.evaluate_row(first, outputs);
    }

    fn unrounded(&self, before: &[Vec<Word>], operands: &[Word], output: &str, lane: u32) -> Option<String> {
        self.unrounded_in(&self.state_after(before), operands, (output, lane)).map(|exact| exact.to_string())
    }

    fn state(&self, before: &[Vec<Word>]) -> Vec<(Port, Word)> {
        self.registers().into_iter().zip(self.state_after(before)).collect()
    }
}
