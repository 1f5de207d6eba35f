//! The vectors of a block as planes of operands.

use super::program::Plane;
use super::transpose::to_planes;
use crate::vectors::stimulus::{BLOCK, Stimulus};
use binade_spec::{Operation, Port};

/// One thread's columns, and how they become planes.
pub(crate) struct Feed {
    /// Which inputs are put side by side into one word, and how many bits each has.
    groups: Vec<Vec<(usize, u32)>>,
    columns: Vec<Vec<u64>>,
    words: Vec<u64>,
}

impl Feed {
    pub fn new(operation: &Operation) -> Feed {
        let inputs = operation.inputs();
        Feed { groups: groups(&inputs), columns: vec![vec![]; inputs.len()], words: vec![0; BLOCK] }
    }

    /// Takes the vectors of a block; how many there are.
    pub fn read(&mut self, stimulus: &Stimulus, block: u64) -> usize {
        stimulus.fill(block, &mut self.columns);
        self.columns[0].len()
    }

    /// The vectors taken, one column an input.
    pub fn columns(&self) -> Vec<&[u64]> {
        self.columns.iter().map(Vec::as_slice).collect()
    }

    /// Fills the planes of the operands with them.
    pub fn fill(&mut self, planes: &mut [Plane]) {
        let count = self.columns[0].len();
        let mut first = 0;
        for group in &self.groups {
            let bits: u32 = group.iter().map(|(_, width)| width).sum();
            for (vector, word) in self.words[..count].iter_mut().enumerate() {
                let side_by_side =
                    |word: u64, (port, width): &(usize, u32)| word << (width % 64) | self.columns[*port][vector];
                *word = group.iter().rev().fold(0, side_by_side);
            }
            to_planes(&self.words[..count], &mut planes[first..first + bits as usize]);
            first += bits as usize;
        }
    }
}

/// As many neighbouring inputs to a word as fit.
fn groups(inputs: &[Port]) -> Vec<Vec<(usize, u32)>> {
    let mut groups: Vec<Vec<(usize, u32)>> = vec![];
    for (index, port) in inputs.iter().enumerate() {
        let width = port.width();
        match groups.last_mut() {
            Some(group) if group.iter().map(|(_, width)| width).sum::<u32>() + width <= 64 => {
                group.push((index, width))
            }
            _ => groups.push(vec![(index, width)]),
        }
    }
    groups
}
