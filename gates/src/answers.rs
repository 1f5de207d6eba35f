//! The gates as a unit that answers columns of vectors, for those who want words and not planes.

use crate::graph::Graph;
use crate::packing::Packing;
use crate::pattern::all_if;
use crate::program::{LANES, Machine, Program, bit};
use binade_spec::{Column, ColumnMut, Word};
use std::ops::Range;

impl Graph {
    /// What gates without registers answer to one vector: a word an input and an output.
    ///
    /// # Panics
    /// When there are registers.
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
    /// A copy of the unit that answers many vectors: one column an input and an output, whose widths are these; a unit
    /// with registers gives its results after `latency` clocks.
    pub fn answers<'p>(
        &'p self,
        inputs: &[u32],
        outputs: &[u32],
        latency: u32,
    ) -> impl FnMut(&[Column], &mut [ColumnMut]) + use<'p> {
        let mut machine = Machine::new(self);
        let (operands, mut results) = (Packing::new(inputs.iter().copied()), Packing::new(outputs.iter().copied()));
        // The controls come before the operands, `out_valid` before the results.
        let (first_operand, first_result) = if latency > 0 { (3, 1) } else { (0, 0) };
        move |inputs, outputs| {
            let count = outputs[0].words.len() / outputs[0].limbs;
            for start in (0..count).step_by(LANES) {
                let vectors = start..count.min(start + LANES);
                let inputs: Vec<Column> = inputs.iter().map(|column| part(column, &vectors)).collect();
                operands.fill_planes(&inputs, vectors.len(), &mut machine.inputs()[first_operand..]);
                machine.settle(latency);
                results.fill_columns(|bit| machine.output(first_result + bit), outputs, vectors);
            }
        }
    }
}

/// Some vectors of a column.
fn part<'c>(&Column { limbs, words }: &Column<'c>, vectors: &Range<usize>) -> Column<'c> {
    Column { limbs, words: &words[vectors.start * limbs..vectors.end * limbs] }
}

impl Machine<'_> {
    /// Lets the operands go through to the outputs.
    fn settle(&mut self, latency: u32) {
        if latency > 0 {
            // Neither reset nor stalled, and valid.
            self.inputs()[..3].iter_mut().for_each(|control| control.fill(all_if(true)));
        }
        for _ in 0..latency {
            self.run();
            self.clock();
        }
        self.run();
    }
}
