//! One evaluation of an operation: by a fast path, or by the definition, for a unit with state step by step.

use crate::walk::Walk;
use crate::{Model, functions, port_lanes};
use binade_spec::word::low_bits;
use binade_spec::{Meaning, PlainFunction, Word};

impl Model {
    /// The words of all outputs for the words of all inputs, in the order of the ports; a unit with state starts from a
    /// reset.
    ///
    /// # Panics
    /// When the number of words is not that of the inputs.
    pub fn evaluate<W: Clone + Into<Word>>(&self, inputs: &[W]) -> Vec<Word> {
        let inputs: Vec<Word> = inputs.iter().cloned().map(Into::into).collect();
        assert_eq!(inputs.len(), self.inputs.len(), "one word an input of {}", self.unit);
        if let Some(words) = self.fast(&inputs) {
            return words;
        }
        self.step(&self.reset(), &inputs).1
    }

    /// [`Model::evaluate`] without the fast paths: the definition.
    pub fn evaluate_plainly(&self, inputs: &[Word]) -> Vec<Word> {
        self.step(&self.reset(), inputs).1
    }

    /// One clock of a unit with state: the new words in the registers, and the words of all outputs.
    pub fn step(&self, state: &[Word], inputs: &[Word]) -> (Vec<Word>, Vec<Word>) {
        match &self.meaning {
            Meaning::Formula(formula) => {
                let walk = Walk::new(self, formula, inputs, state);
                (walk.next_state().map(Word::from).collect(), walk.words(&self.outputs))
            }
            Meaning::Function(PlainFunction::OfChoice) => (vec![], self.evaluate_chosen(inputs)),
            &Meaning::Function(function) => {
                let words: Vec<u128> = inputs.iter().map(low_bits).collect();
                let mut outputs = vec![0; self.outputs.len()];
                functions::evaluate(self, function, &words, &mut outputs);
                (vec![], outputs.into_iter().map(Word::from).collect())
            }
            &Meaning::Machine(function, _) => {
                let registers = self.registers();
                let mut state: Vec<u128> = port_lanes::split(&registers, state.iter().cloned()).collect();
                let mut outputs = vec![0; port_lanes::count(&self.outputs)];
                functions::step(self, function, &mut state, inputs, &mut outputs);
                (port_lanes::join(&registers, &state), port_lanes::join(&self.outputs, &outputs))
            }
        }
    }

    /// The result of an element of a systolic array for a code of `a`, one of `b` and a sum.
    pub(crate) fn element(&self, codes: [u128; 3]) -> u128 {
        self.element.as_ref().expect("the unit is an array").first_result(&codes)
    }
}
