//! The gates as a unit that answers columns of vectors, for those who want words and not planes.

use super::pattern::all_if;
use super::program::{LANES, Machine, Program};
use super::transpose::{to_planes, to_words};

impl Program {
    /// A copy of the unit that answers many vectors: one column an input, the outputs packed into a word, the first in the lowest
    /// bits. `widths` are those of the operands; a unit with registers gives its results after `latency` clocks.
    pub fn answers(&self, widths: Vec<u32>, latency: u32) -> impl FnMut(&[&[u64]], &mut [u64]) {
        let mut machine = Machine::new(self);
        move |inputs, output| {
            for start in (0..output.len()).step_by(LANES) {
                let end = output.len().min(start + LANES);
                // The controls come before the operands.
                let mut first = if latency > 0 { 3 } else { 0 };
                for (column, &width) in inputs.iter().zip(&widths) {
                    to_planes(&column[start..end], &mut machine.inputs()[first..first + width as usize]);
                    first += width as usize;
                }
                machine.settle(latency);
                to_words(|bit| machine.result(bit, latency), self.results(latency), &mut output[start..end]);
            }
        }
    }

    /// Bits of all results.
    fn results(&self, latency: u32) -> usize {
        self.output_bits() - usize::from(latency > 0)
    }
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

    fn result(&self, bit: usize, latency: u32) -> &super::Plane {
        self.output(bit + usize::from(latency > 0))
    }
}
