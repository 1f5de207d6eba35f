//! Other results that count as right.

use super::Word;
use crate::number::{CodeClass, kind};
use crate::words::{choose, constant};
use binade_gates::{Graph, Literal};
use binade_spec::{Content, Format, Operation, Port};

/// Which results count as right besides the specification's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllowedResults {
    /// Any NaN where a NaN is expected.
    pub any_nan: bool,
    /// A zero of the other sign where a zero is expected.
    pub any_zero_sign: bool,
}

impl AllowedResults {
    /// Maps equivalent codes in the words of the outputs and of the next state to one representative: results are right where these
    /// words are equal.
    pub fn settled_words(self, graph: &mut Graph, operation: &Operation, words: &[Word]) -> Vec<Word> {
        let outputs = [operation.outputs(), operation.registers()].concat();
        outputs.iter().zip(words).map(|(port, word)| self.settled(graph, port, word)).collect()
    }

    fn settled(self, graph: &mut Graph, port: &Port, word: &[Literal]) -> Word {
        match port.content {
            Content::Code(format) if self != AllowedResults::default() => word
                .chunks(port.lane_width() as usize)
                .flat_map(|code| self.settled_code(graph, &format, code))
                .collect(),
            _ => word.to_vec(),
        }
    }

    fn settled_code(self, graph: &mut Graph, format: &Format, code: &[Literal]) -> Word {
        let CodeClass { nan, zero, .. } = kind(graph, format, code);
        let mut settled = code.to_vec();
        let mut settle = |is_one: Literal, code: u128| {
            settled = choose(graph, is_one, &constant(code as i128, settled.len()), &settled);
        };
        if let (true, Some(canonical)) = (self.any_nan, format.nan_code()) {
            settle(nan, canonical);
        }
        if self.any_zero_sign {
            settle(zero, format.zero_code(false));
        }
        settled
    }
}
