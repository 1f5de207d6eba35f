//! Units evaluated by the golden model on all cores.

use crate::{ArrayError, CHUNK, Code, Random, Words};
use binade_golden::{Bits, Model};
use binade_spec::word::limbs;
use binade_spec::{Column, ColumnMut, Operation, Port, Rounding};
use rayon::prelude::*;

/// A unit for arrays: evaluates the golden model for each element. If the unit has several outputs, the result is one of them.
pub struct Arithmetic {
    model: Model,
    operands: Vec<Port>,
    /// The outputs, and which of them the result is.
    outputs: Vec<Port>,
    output: usize,
}

/// Codes of an operand that are evaluated together.
const MOST_CODES: usize = 1 << 16;

/// The words of one input port, as the golden model expects them.
struct Packed {
    limbs: usize,
    words: Vec<u64>,
}

impl Arithmetic {
    /// The model of `operation`, whose result is its first output.
    ///
    /// # Errors
    /// As for [`Arithmetic::of_output`].
    pub fn new(operation: &Operation) -> Result<Arithmetic, ArrayError> {
        Arithmetic::of_output(operation, 0)
    }

    /// The model of `operation`, whose result is the output with this number.
    ///
    /// # Errors
    /// When the unit has state or a port for the rounding or the formats, codes have more than 64 bits, or roundings take more
    /// random bits, or it has no such output.
    pub fn of_output(operation: &Operation, output: usize) -> Result<Arithmetic, ArrayError> {
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
        let outputs = operation.outputs();
        if output >= outputs.len() {
            return Err(ArrayError::NoOutput { unit: operation.unit, outputs: outputs.len(), output });
        }
        let wide = operands.iter().chain(&outputs).find(|port| port.width() / port.lanes > u64::BITS).copied();
        match wide {
            Some(port) => Err(ArrayError::TooWide { port: port.name.into(), width: port.width() / port.lanes }),
            None => Ok(Arithmetic { model, operands, outputs, output }),
        }
    }

    /// The operation computed.
    pub fn operation(&self) -> &Operation {
        self.model.operation()
    }

    /// The port of the result.
    pub fn output(&self) -> &Port {
        &self.outputs[self.output]
    }

    /// Evaluates the unit for each element of `results`. Operands and results are arrays of codes; if a port has several lanes, an element
    /// takes that many consecutive codes. Bits of a code above the format's width must be 0.
    ///
    /// # Panics
    /// When lengths do not match, an element is narrower than the result, or random words are missing.
    pub fn evaluate<Y: Code>(&self, operands: &[Words], random: Random, results: &mut [Y]) {
        assert_eq!(operands.len(), self.operands.len(), "as many operands as {} has", self.operation().unit);
        for (words, port) in operands.iter().zip(&self.operands) {
            let elements = results.len() / self.output().lanes as usize;
            assert_eq!(words.len(), elements * port.lanes as usize, "codes of {}", port.name);
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
        let lanes = self.output().lanes as usize;
        random.check(random_bits, results.len() / lanes);
        let width = self.output().lane_width();
        assert!(width <= Y::BITS, "results have {width} bits, not {}", Y::BITS);
        assert_eq!(results.len() % lanes, 0, "results of {lanes} codes each");
        let piece = self.elements_of_piece();
        results.par_chunks_mut(CHUNK * lanes).enumerate().for_each(|(chunk, results)| {
            let mut words = vec![0; if random_bits > 0 { results.len() / lanes } else { 0 }];
            if random_bits > 0 {
                random.words(random_bits, chunk * CHUNK, &mut words);
            }
            results.par_chunks_mut(piece * lanes).enumerate().for_each(|(at, results)| {
                let (first, count) = (at * piece, results.len() / lanes);
                let operand = |port: usize| operand(port, chunk * CHUNK + first, count);
                let mut inputs: Vec<Packed> = (0..self.operands.len()).map(operand).collect();
                if random_bits > 0 {
                    inputs.push(Packed { limbs: 1, words: words[first..][..count].to_vec() });
                }
                self.evaluate_piece(&inputs, count, results);
            });
        });
    }

    /// The elements that are evaluated together: of ports with many lanes fewer, so that the operands stay small, and all cores work.
    fn elements_of_piece(&self) -> usize {
        let most_lanes = self.operands.iter().map(|port| port.lanes).max().unwrap_or(1);
        (MOST_CODES / most_lanes as usize).clamp(1, CHUNK)
    }

    fn evaluate_piece<Y: Code>(&self, inputs: &[Packed], count: usize, results: &mut [Y]) {
        let inputs: Vec<Column> =
            inputs.iter().map(|input| Column { limbs: input.limbs, words: &input.words }).collect();
        let mut outputs: Vec<Packed> = self.outputs.iter().map(|port| Packed::zeros(port.width(), count)).collect();
        let mut columns: Vec<ColumnMut> =
            outputs.iter_mut().map(|output| ColumnMut { limbs: output.limbs, words: &mut output.words }).collect();
        self.model.evaluate_columns(&inputs, &mut columns);
        let result = &outputs[self.output];
        let (lanes, width) = (self.output().lanes as usize, self.output().lane_width());
        if lanes == 1 {
            return results.iter_mut().zip(&result.words).for_each(|(result, &word)| *result = Y::of(word));
        }
        for (words, results) in result.words.chunks(result.limbs).zip(results.chunks_mut(lanes)) {
            let code = |lane: usize| words.field(lane as u32 * width, width) as u64;
            results.iter_mut().enumerate().for_each(|(lane, result)| *result = Y::of(code(lane)));
        }
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
