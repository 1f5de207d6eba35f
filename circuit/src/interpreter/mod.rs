//! An interpreter: runs a netlist over many vectors at once, node by node, with no external tool.
//!
//! A port or register has a column: `limbs(width)` words of 64 bits for each vector, the lowest first, vector behind vector. So the column
//! of a port of up to 64 bits has one word for each vector.

mod limbs;
mod narrow;
mod wide;

use crate::word::limbs;
use crate::{Netlist, Op};
use std::ops::Range;
use wide::{is_wide, join, split};

/// Vectors a node is evaluated over before the next node's turn: small enough for all columns to stay in the cache.
const BLOCK: usize = 64;

/// Widest node whose values are single words.
const MAX_NARROW: u32 = 128;

/// Some neighbouring vectors, no more than [`BLOCK`].
#[derive(Clone, Copy)]
struct Block {
    start: usize,
    count: usize,
}

impl Block {
    /// Where these vectors are in the column of a signal of `width` bits.
    fn range(self, width: u32) -> Range<usize> {
        let limbs = limbs(width);
        self.start * limbs..(self.start + self.count) * limbs
    }
}

/// Runs one netlist.
pub struct Interpreter<'n> {
    netlist: &'n Netlist,
    /// Whether each node has or reads values of more than 128 bits.
    is_wide: Vec<bool>,
    /// One column of words a node; those of wider nodes mean nothing.
    narrow: Vec<[u128; BLOCK]>,
    /// One column of limbs a node of more than 128 bits.
    wide: Vec<Vec<u64>>,
}

impl<'n> Interpreter<'n> {
    pub fn new(netlist: &'n Netlist) -> Interpreter<'n> {
        let nodes = netlist.nodes.len();
        let is_wide = (0..nodes).map(|id| is_wide(netlist, id)).collect();
        Interpreter { netlist, is_wide, narrow: vec![[0; BLOCK]; nodes], wide: vec![vec![]; nodes] }
    }

    /// Fills a column for each output, given one for each input: slices, vectors or arrays of words. In inputs, bits above the
    /// port's width are 0.
    ///
    /// # Panics
    /// If the netlist has registers, if there are more or fewer columns than ports, or if the columns are not for the same
    /// number of vectors.
    #[track_caller]
    pub fn evaluate<I: AsRef<[u64]>, O: AsMut<[u64]>>(&mut self, inputs: &[I], outputs: &mut [O]) {
        self.step(inputs, &mut [] as &mut [&mut [u64]], outputs);
    }

    /// One step of many independent machines, each with its own operands: fills a column for each output from those of the
    /// inputs and of the registers, and replaces the latter by what the registers hold next.
    ///
    /// # Panics
    /// If there are more or fewer columns than ports or registers, or if the columns are not for the same number of machines.
    #[track_caller]
    pub fn step<I, S, O>(&mut self, inputs: &[I], states: &mut [S], outputs: &mut [O])
    where
        I: AsRef<[u64]>,
        S: AsMut<[u64]>,
        O: AsMut<[u64]>,
    {
        let inputs: Vec<&[u64]> = inputs.iter().map(AsRef::as_ref).collect();
        let mut states: Vec<&mut [u64]> = states.iter_mut().map(AsMut::as_mut).collect();
        let mut outputs: Vec<&mut [u64]> = outputs.iter_mut().map(AsMut::as_mut).collect();
        let vectors = self.vectors(&inputs, &states, &outputs);
        let Netlist { outputs: ports, registers, .. } = self.netlist;
        for start in (0..vectors).step_by(BLOCK) {
            let block = Block { start, count: BLOCK.min(vectors - start) };
            self.run_block(&inputs, &states, block);
            for ((port, node), column) in ports.iter().zip(&mut outputs) {
                self.store(*node, &mut column[block.range(port.width)]);
            }
            for (register, column) in registers.iter().zip(&mut states) {
                self.store(register.next, &mut column[block.range(register.width)]);
            }
        }
    }

    /// For how many vectors the columns are.
    #[track_caller]
    fn vectors(&self, inputs: &[&[u64]], states: &[&mut [u64]], outputs: &[&mut [u64]]) -> usize {
        let netlist = self.netlist;
        assert_eq!(
            [inputs.len(), states.len(), outputs.len()],
            [netlist.inputs.len(), netlist.registers.len(), netlist.outputs.len()],
            "there is one column for each of the inputs, the registers and the outputs"
        );
        let inputs = netlist.inputs.iter().zip(inputs).map(|(port, column)| (&port.name, port.width, column.len()));
        let states = netlist.registers.iter().zip(states).map(|(it, column)| (&it.name, it.width, column.len()));
        let outputs = netlist.outputs.iter().zip(outputs).map(|((port, _), it)| (&port.name, port.width, it.len()));
        let mut vectors = None;
        for (name, width, length) in inputs.chain(states).chain(outputs) {
            let vectors = *vectors.get_or_insert(length / limbs(width));
            let wanted = vectors * limbs(width);
            assert!(
                length == wanted,
                "the column of {name} has {length} words; those of {vectors} vectors are {wanted}"
            );
        }
        vectors.unwrap_or(0)
    }

    /// The values of all nodes for a block of vectors.
    fn run_block(&mut self, inputs: &[&[u64]], states: &[&mut [u64]], block: Block) {
        for id in 0..self.netlist.nodes.len() {
            let node = &self.netlist.nodes[id];
            match node.op {
                Op::Input(port) => self.load(id, &inputs[port][block.range(node.width)]),
                Op::Register(register) => self.load(id, &states[register][block.range(node.width)]),
                _ if self.is_wide[id] => self.run_wide(id, block.count),
                ref op => {
                    let mut result = [0; BLOCK];
                    self.run_narrow(op, node.width, &mut result);
                    self.narrow[id] = result;
                }
            }
        }
    }

    /// Takes a node's values from a column.
    fn load(&mut self, id: usize, column: &[u64]) {
        match self.netlist.nodes[id].width {
            ..=64 => self.narrow[id].iter_mut().zip(column).for_each(|(word, &limb)| *word = limb.into()),
            65..=MAX_NARROW => {
                self.narrow[id].iter_mut().zip(column.chunks_exact(2)).for_each(|(word, limbs)| *word = join(limbs));
            }
            width => {
                let values = &mut self.wide[id];
                values.resize(limbs(width) * BLOCK, 0);
                values[..column.len()].copy_from_slice(column);
            }
        }
    }

    /// Writes a node's values to a column.
    fn store(&self, id: usize, column: &mut [u64]) {
        match self.netlist.nodes[id].width {
            ..=64 => column.iter_mut().zip(&self.narrow[id]).for_each(|(limb, &word)| *limb = word as u64),
            65..=MAX_NARROW => {
                let pairs = column.chunks_exact_mut(2).zip(&self.narrow[id]);
                pairs.for_each(|(limbs, &word)| limbs.copy_from_slice(&split(word)));
            }
            _ => column.copy_from_slice(&self.wide[id][..column.len()]),
        }
    }
}
