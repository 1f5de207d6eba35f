//! An interpreter: runs a netlist over many vectors at once, node by node, with no external tool.
//!
//! A port has a column: `limbs(width)` words of 64 bits for each vector, the lowest first, vector behind vector. So the column
//! of a port of up to 64 bits has one word for each vector.

mod limbs;
mod narrow;
mod wide;

use crate::word::limbs;
use crate::{Netlist, Op, Port};
use wide::{is_wide, join, split};

/// Vectors a node is evaluated over before the next node's turn: small enough for all columns to stay in the cache.
const BLOCK: usize = 64;

/// Widest node whose values are single words.
const MAX_NARROW: u32 = 128;

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
    /// If there are more or fewer columns than ports, or the columns are not for the same number of vectors.
    #[track_caller]
    pub fn evaluate<I: AsRef<[u64]>, O: AsMut<[u64]>>(&mut self, inputs: &[I], outputs: &mut [O]) {
        let inputs: Vec<&[u64]> = inputs.iter().map(AsRef::as_ref).collect();
        let mut outputs: Vec<&mut [u64]> = outputs.iter_mut().map(AsMut::as_mut).collect();
        let vectors = self.vectors(&inputs, &outputs);
        for start in (0..vectors).step_by(BLOCK) {
            let count = BLOCK.min(vectors - start);
            self.run_block(&inputs, start, count);
            for ((port, node), column) in self.netlist.outputs.iter().zip(&mut outputs) {
                self.store(*node, &mut column[start * limbs(port.width)..][..count * limbs(port.width)]);
            }
        }
    }

    /// For how many vectors the columns are.
    #[track_caller]
    fn vectors(&self, inputs: &[&[u64]], outputs: &[&mut [u64]]) -> usize {
        let Netlist { inputs: in_ports, outputs: out_ports, .. } = self.netlist;
        let columns = (inputs.len(), outputs.len());
        assert_eq!(columns, (in_ports.len(), out_ports.len()), "columns of inputs and outputs: one a port");
        let ports = in_ports.iter().chain(out_ports.iter().map(|(port, _)| port));
        let lengths = inputs.iter().map(|column| column.len()).chain(outputs.iter().map(|column| column.len()));
        let mut vectors = None;
        for (Port { name, width, .. }, length) in ports.zip(lengths) {
            let of_port = length / limbs(*width);
            let first = *vectors.get_or_insert(of_port);
            assert!(
                length == first * limbs(*width),
                "the column of {name} has {length} words; {} are those of {first} vectors",
                first * limbs(*width)
            );
        }
        vectors.unwrap_or(0)
    }

    /// The values of all nodes for `count` vectors from `start` on.
    fn run_block(&mut self, inputs: &[&[u64]], start: usize, count: usize) {
        for id in 0..self.netlist.nodes.len() {
            let node = &self.netlist.nodes[id];
            match node.op {
                Op::Input(port) => {
                    self.load(id, &inputs[port][start * limbs(node.width)..][..count * limbs(node.width)])
                }
                _ if self.is_wide[id] => self.run_wide(id, count),
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
