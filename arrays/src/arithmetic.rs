//! Units evaluated by the golden model on all cores.

use crate::{ArrayError, CHUNK, Code, Random, Words};
use binade_golden::Model;
use binade_spec::word::limbs;
use binade_spec::{Column, ColumnMut, Operation, Port, Rounding};
use rayon::prelude::*;

/// A unit for arrays: evaluates the golden model for each element. If the unit has several outputs, the result is the first.
pub struct Arithmetic {
    model: Model,
    operands: Vec<Port>,
}

/// The words of one input port, as the golden model expects them.
struct Packed {
    limbs: usize,
    words: Vec<u64>,
}

impl Arithmetic {
    /// The model of `operation`.
    ///
    /// # Errors
    /// When the unit has state or a port for the rounding or the formats, codes have more than 64 bits, or roundings take more
    /// random bits.
    pub fn new(operation: &Operation) -> Result<Arithmetic, ArrayError> {
        if operation.has_state() {
            return Err(ArrayError::HasState { unit: operation.unit });
        }
        if operation.rounding == Rounding::Any {
            return Err(ArrayError::ChosenRounding);
        }
        if operation.has_choices() {
            return Err(ArrayError::ChosenFormat);
        }
        let bits = operation.random_bits();
        if bits > u64::BITS {
            return Err(ArrayError::TooRandom { bits });
        }
        let model = Model::new(operation);
        let mut operands = operation.inputs();
        if operation.random_bits() > 0 {
            operands.pop();
        }
        let wide =
            operands.iter().chain(&operation.outputs()).find(|port| port.width() / port.lanes > u64::BITS).copied();
        match wide {
            Some(port) => Err(ArrayError::TooWide { port: port.name.into(), width: port.width() / port.lanes }),
            None => Ok(Arithmetic { model, operands }),
        }
    }

    /// The operation computed.
    pub fn operation(&self) -> &Operation {
        self.model.operation()
    }

    /// Evaluates the unit for each element of `results`. An operand is an array of codes; if its port has several lanes (`dot`), one result
    /// takes that many consecutive codes. Bits of a code above the format's width must be 0.
    ///
    /// # Panics
    /// When lengths do not match, an element is narrower than the result, or random words are missing.
    pub fn evaluate<Y: Code>(&self, operands: &[Words], random: Random, results: &mut [Y]) {
        assert_eq!(operands.len(), self.operands.len(), "as many operands as {} has", self.operation().unit);
        for (words, port) in operands.iter().zip(&self.operands) {
            assert_eq!(words.len(), results.len() * port.lanes as usize, "codes of {}", port.name);
        }
        self.run(results, random, |port, first, count| {
            let Port { lanes, .. } = self.operands[port];
            packed(&self.operands[port], count, |at| operands[port].word(first * lanes as usize + at))
        });
    }

    /// Evaluates the unit for each element of `results`. `code` gives an operand's code: its number, the element and the lane.
    pub(crate) fn gather<Y: Code>(
        &self,
        random: Random,
        results: &mut [Y],
        code: impl Fn(usize, usize, usize) -> u64 + Sync,
    ) {
        self.run(results, random, |port, first, count| {
            let lanes = self.operands[port].lanes as usize;
            packed(&self.operands[port], count, |at| code(port, first + at / lanes, at % lanes))
        });
    }

    /// Evaluates a unit with one operand.
    pub(crate) fn map<X: Code, Y: Code>(&self, codes: &[X], random: Random, results: &mut [Y]) {
        self.run(results, random, |port, first, count| {
            packed(&self.operands[port], count, |at| codes[first + at].word())
        });
    }

    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// `operand` gives the words of an operand: its number, the first element and the count.
    fn run<Y: Code>(&self, results: &mut [Y], random: Random, operand: impl Fn(usize, usize, usize) -> Packed + Sync) {
        let random_bits = self.operation().random_bits();
        random.check(random_bits, results.len());
        let width = self.operation().outputs()[0].width();
        assert!(width <= Y::BITS, "results have {width} bits, not {}", Y::BITS);
        results.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, results)| {
            let first = chunk * CHUNK;
            let count = results.len();
            let mut inputs: Vec<Packed> = (0..self.operands.len()).map(|port| operand(port, first, count)).collect();
            if random_bits > 0 {
                let mut words = vec![0; count];
                random.words(random_bits, first, &mut words);
                inputs.push(Packed { limbs: 1, words });
            }
            self.evaluate_chunk(&inputs, results);
        });
    }

    fn evaluate_chunk<Y: Code>(&self, inputs: &[Packed], results: &mut [Y]) {
        let inputs: Vec<Column> =
            inputs.iter().map(|input| Column { limbs: input.limbs, words: &input.words }).collect();
        let mut outputs: Vec<Packed> =
            self.operation().outputs().iter().map(|port| Packed::zeros(port.width(), results.len())).collect();
        let mut columns: Vec<ColumnMut> =
            outputs.iter_mut().map(|output| ColumnMut { limbs: output.limbs, words: &mut output.words }).collect();
        self.model.evaluate_columns(&inputs, &mut columns);
        results.iter_mut().zip(&outputs[0].words).for_each(|(result, &word)| *result = Y::of(word));
    }
}

impl Packed {
    fn zeros(width: u32, count: usize) -> Packed {
        let limbs = limbs(width);
        Packed { limbs, words: vec![0; limbs * count] }
    }
}

/// The codes of a port, with lanes side by side.
fn packed(port: &Port, count: usize, code: impl Fn(usize) -> u64) -> Packed {
    let lanes = port.lanes as usize;
    let mut packed = Packed::zeros(port.width(), count);
    if lanes == 1 {
        packed.words.iter_mut().enumerate().for_each(|(at, word)| *word = code(at));
        return packed;
    }
    let width = (port.width() / port.lanes) as usize;
    for (element, words) in packed.words.chunks_mut(packed.limbs).enumerate() {
        for lane in 0..lanes {
            let (low, code) = (lane * width, code(element * lanes + lane));
            let (limb, bit) = (low / 64, low % 64);
            words[limb] |= code << bit;
            if bit + width > 64 {
                words[limb + 1] |= code >> (64 - bit);
            }
        }
    }
    packed
}
