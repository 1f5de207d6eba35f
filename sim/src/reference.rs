//! What is right: the model that a device is held against.

use binade_golden::Model;
use binade_spec::Port;
use binade_spec::{Column, ColumnMut, Word};
use binade_stimulus::{Columns, words::widths};

/// A model of what a device should answer: the golden one, or a test's own.
pub trait Reference: Sync {
    /// The ports of the operands, in the order of the columns.
    fn inputs(&self) -> Vec<Port>;

    /// The ports of the answers, in the order of the columns.
    fn outputs(&self) -> Vec<Port>;

    /// Whether answers depend on the vectors before.
    fn has_state(&self) -> bool {
        false
    }

    /// Answers vectors: one column an input, and one to be filled for each output. With state they are a sequence from
    /// a reset on.
    fn evaluate_columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]);

    /// Answers the codes of the only input from `first` on. There is no answer by default: a reference that hands on to
    /// another one would lose that one's fast way in silence.
    fn evaluate_row(&self, first: u64, outputs: &mut [ColumnMut]);

    /// The exact value that is rounded to a lane of an output, in words, if the output comes from a rounding; with
    /// state, `before` are the vectors since the reset.
    fn unrounded(&self, before: &[Vec<Word>], operands: &[Word], output: &str, lane: u32) -> Option<String>;

    /// What is in the registers after these vectors from a reset on.
    fn state(&self, _before: &[Vec<Word>]) -> Vec<(Port, Word)> {
        vec![]
    }

    /// Whether another answer than the wanted one is right, too.
    fn allows(&self, _operands: &[Word], _got: &[Word], _want: &[Word]) -> bool {
        false
    }

    /// Answers one vector.
    fn evaluate(&self, operands: &[Word]) -> Vec<Word> {
        let inputs = Columns::of_vectors(widths(&self.inputs()), &[operands.to_vec()]);
        let mut outputs = Columns::zeros(widths(&self.outputs()), 1);
        self.evaluate_columns(&inputs.views(), &mut outputs.views_mut(1));
        outputs.vector(0)
    }
}

/// Answers a row of codes one column at a time.
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
