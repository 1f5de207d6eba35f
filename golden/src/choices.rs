//! Units whose port `fmt` chooses the formats, or whose codes are NaN-boxed: each vector is one of a plain unit.

use crate::Model;
use binade_spec::word::{limbs, write_limbs};
use binade_spec::{Column, ColumnMut, Port, Word};

impl Model {
    /// The model of the plain unit that these inputs choose, and its inputs.
    pub fn chosen(&self, inputs: &[Word]) -> Option<(&Model, Vec<Word>)> {
        if !self.is_wrapped() {
            return None;
        }
        let fmt = inputs.last().filter(|_| self.has_choices()).and_then(|fmt| fmt.iter_u64_digits().next());
        let model = &self.choices[self.index_of_choice(fmt.unwrap_or(0))];
        let words = inputs.iter().zip(&self.inputs).zip(&model.inputs).map(|((word, wide), own)| wide.moved(word, own));
        Some((model, words.collect()))
    }

    /// The outputs of such a unit.
    pub(crate) fn evaluate_chosen(&self, inputs: &[Word]) -> Vec<Word> {
        let (model, words) = self.chosen(inputs).expect("a unit with plain units");
        let outputs = model.evaluate(&words);
        outputs.iter().zip(&model.outputs).zip(&self.outputs).map(|((word, own), wide)| own.moved(word, wide)).collect()
    }

    /// [`Model::evaluate_columns`] for such a unit: the vectors of each choice together.
    pub(crate) fn choice_columns(&self, inputs: &[Column], outputs: &mut [ColumnMut]) {
        let fmt = inputs.last().filter(|_| self.has_choices());
        let count = inputs[0].words.len() / inputs[0].limbs;
        for (index, model) in self.choices.iter().enumerate() {
            let is_its = |vector: &usize| fmt.is_none_or(|fmt| self.index_of_choice(fmt.words[*vector]) == index);
            let vectors: Vec<usize> = (0..count).filter(is_its).collect();
            if vectors.is_empty() {
                continue;
            }
            let narrowed: Vec<Vec<u64>> = inputs
                .iter()
                .zip(self.inputs.iter().zip(&model.inputs))
                .map(|(column, (wide, own))| gathered(column, wide, own, &vectors))
                .collect();
            let columns: Vec<Column> = narrowed
                .iter()
                .zip(&model.inputs)
                .map(|(words, port)| Column { limbs: limbs(port.width()), words })
                .collect();
            let mut results: Vec<Vec<u64>> =
                model.outputs.iter().map(|port| vec![0; limbs(port.width()) * vectors.len()]).collect();
            let mut into: Vec<ColumnMut> = results
                .iter_mut()
                .zip(&model.outputs)
                .map(|(words, port)| ColumnMut { limbs: limbs(port.width()), words })
                .collect();
            model.evaluate_columns(&columns, &mut into);
            for ((column, into), (own, wide)) in
                into.iter().zip(&mut *outputs).zip(model.outputs.iter().zip(&self.outputs))
            {
                scatter(column, own, wide, &vectors, into);
            }
        }
    }
}

/// Whether words of two ports have one lane of up to 64 bits.
fn is_simple(one: &Port, other: &Port) -> bool {
    one.lanes == 1 && one.width().max(other.width()) <= u64::BITS
}

/// The words of these vectors on a port with lanes of another width.
fn gathered(column: &Column, from: &Port, to: &Port, vectors: &[usize]) -> Vec<u64> {
    if is_simple(from, to) {
        return vectors.iter().map(|&vector| from.moved_code(column.words[vector], to)).collect();
    }
    let limbs = limbs(to.width());
    let mut words = vec![0; limbs * vectors.len()];
    for (words, &vector) in words.chunks_mut(limbs).zip(vectors) {
        write_limbs(&from.moved(&column.word(vector), to), words);
    }
    words
}

/// Writes the words of these vectors to a port with lanes of another width.
fn scatter(column: &ColumnMut, from: &Port, to: &Port, vectors: &[usize], into: &mut ColumnMut) {
    for (at, &vector) in vectors.iter().enumerate() {
        match is_simple(from, to) {
            true => into.words[vector] = from.moved_code(column.words[at], to),
            false => into.set(vector, &from.moved(&column.word(at), to)),
        }
    }
}
