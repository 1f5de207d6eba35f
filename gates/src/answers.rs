//! Evaluates gates on columns of vectors, for callers that want words rather than planes.

use crate::graph::Graph;
use crate::packing::Packing;
use crate::pattern::all_if;
use crate::program::{LANES, Machine, Program, bit};
use binade_spec::contract::Pace;
use binade_spec::{Column, ColumnMut, Word};
use std::ops::Range;

impl Graph {
    /// The outputs of combinational gates for one vector, with one word per port.
    ///
    /// # Panics
    /// When the graph has registers.
    pub fn answer(&self, inputs: &[Word]) -> Vec<Word> {
        assert!(self.flip_flops().is_empty(), "gates without registers");
        let program = Program::new(self);
        let mut machine = Machine::new(&program);
        let ports = self.inputs().iter().zip(inputs);
        let bits = ports.flat_map(|(port, word)| (0..port.len() as u64).map(|place| word.bit(place)));
        machine.inputs().iter_mut().zip(bits).for_each(|(plane, bit)| plane.fill(all_if(bit)));
        machine.run();
        let mut bits = (0..machine.output_bits()).map(|plane| bit(machine.output(plane), 0));
        let mut word = |port: &Vec<_>| {
            let mut word = Word::ZERO;
            (0..port.len() as u64).for_each(|place| word.set_bit(place, bits.next().expect("a plane for each bit")));
            word
        };
        self.outputs().iter().map(&mut word).collect()
    }
}

impl Program {
    /// A function that evaluates the gates on many vectors, with one column per input and output of these widths. The
    /// results of a unit with registers appear after the latency.
    pub fn answers<'p>(
        &'p self,
        inputs: &[u32],
        outputs: &[u32],
        pace: Pace,
    ) -> impl FnMut(&[Column], &mut [ColumnMut]) + use<'p> {
        let mut machine = Machine::new(self);
        let (operands, mut results) = (Packing::new(inputs.iter().copied()), Packing::new(outputs.iter().copied()));
        // The controls come before the operands, `out_valid` before the results.
        let (first_operand, first_result) = if pace.latency > 0 { (3, 1) } else { (0, 0) };
        move |inputs, outputs| {
            let count = outputs[0].words.len() / outputs[0].limbs;
            for start in (0..count).step_by(LANES) {
                let vectors = start..count.min(start + LANES);
                let inputs: Vec<Column> = inputs.iter().map(|column| part(column, &vectors)).collect();
                operands.fill_planes(&inputs, vectors.len(), &mut machine.inputs()[first_operand..]);
                machine.settle(pace);
                results.fill_columns(|bit| machine.output(first_result + bit), outputs, vectors);
            }
        }
    }
}

/// A range of the vectors of a column.
fn part<'c>(&Column { limbs, words }: &Column<'c>, vectors: &Range<usize>) -> Column<'c> {
    Column { limbs, words: &words[vectors.start * limbs..vectors.end * limbs] }
}

impl Machine<'_> {
    /// Propagates the operands to the outputs.
    fn settle(&mut self, pace: Pace) {
        if pace.latency > 0 {
            // Not in reset, not stalled, and valid.
            self.inputs()[..3].iter_mut().for_each(|control| control.fill(all_if(true)));
        }
        for _ in 0..pace.latency {
            self.run();
            self.clock();
            if pace.is_iterated() {
                self.inputs()[2].fill(all_if(false));
            }
        }
        self.run();
    }
}
