//! The interpreter: it runs a netlist over many vectors at once, node by node, without an external tool.
//!
//! A port or register has a column: `limbs(width)` words of 64 bits for each vector, the lowest first, vector after vector. The column of
//! a port of up to 64 bits thus has one word for each vector.

mod limbs;
mod narrow;
mod wide;

use crate::word::limbs;
use crate::{Netlist, NodeId, Op};
use narrow::compute;
use std::ops::Range;
use wide::{join, split};

/// The number of vectors for which a node is evaluated before the next node: small enough for all columns to stay in
/// the cache.
const BLOCK: usize = 64;

/// Widest node whose values are 64-bit words.
const MAX_SINGLE: u32 = 64;

/// Widest node whose values are 128-bit words.
const MAX_DOUBLE: u32 = 128;

/// The words in which a node is computed: wide enough for its values and those that it reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    /// 64-bit words.
    Single,
    /// 128-bit words.
    Double,
    /// Limbs.
    Wide,
}

/// Neighbouring vectors, at most [`BLOCK`].
#[derive(Clone, Copy)]
struct Block {
    start: usize,
    count: usize,
}

impl Block {
    /// The range of these vectors in the column of a signal of `width` bits.
    fn range(self, width: u32) -> Range<usize> {
        let limbs = limbs(width);
        self.start * limbs..(self.start + self.count) * limbs
    }
}

/// Runs one netlist.
pub struct Interpreter<'n> {
    netlist: &'n Netlist,
    sizes: Vec<Size>,
    /// A column of words for each node of up to 64 bits.
    single: Vec<[u64; BLOCK]>,
    /// A column of words for each node of up to 128 bits that has more than 64, or is read as a 128-bit word.
    double: Vec<[u128; BLOCK]>,
    is_double: Vec<bool>,
    /// A column of limbs for each node of more than 128 bits.
    wide: Vec<Vec<u64>>,
}

impl<'n> Interpreter<'n> {
    /// An interpreter of `netlist`, with a column for each node that every call reuses.
    pub fn new(netlist: &'n Netlist) -> Interpreter<'n> {
        let nodes = netlist.nodes.len();
        let sizes: Vec<Size> = (0..nodes).map(|id| size(netlist, id)).collect();
        let mut is_double: Vec<bool> =
            netlist.nodes.iter().map(|node| (65..=MAX_DOUBLE).contains(&node.width)).collect();
        for (id, _) in sizes.iter().enumerate().filter(|(_, size)| **size == Size::Double) {
            is_double[id] = true;
            netlist.nodes[id].op.operands().into_iter().for_each(|operand| is_double[operand] = true);
        }
        let doubles = if is_double.contains(&true) { nodes } else { 0 };
        Interpreter {
            netlist,
            sizes,
            single: vec![[0; BLOCK]; nodes],
            double: vec![[0; BLOCK]; doubles],
            is_double,
            wide: vec![vec![]; nodes],
        }
    }

    /// Fills a column for each output, given a column for each input: slices, vectors or arrays of words. Input bits above the
    /// port's width must be 0.
    ///
    /// # Panics
    /// If the netlist has registers, if the numbers of columns and ports differ, or if the columns are not for the same
    /// number of vectors.
    #[track_caller]
    pub fn evaluate<I: AsRef<[u64]>, O: AsMut<[u64]>>(&mut self, inputs: &[I], outputs: &mut [O]) {
        self.step(inputs, &mut [] as &mut [&mut [u64]], outputs);
    }

    /// One step of many independent machines, each with its own operands. Fills a column for each output from those of the
    /// inputs and registers, and replaces the columns of the registers by their next values.
    ///
    /// # Panics
    /// If the number of columns differs from that of the ports or registers, or if the columns are not for the same number of
    /// machines.
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

    /// The number of vectors in the columns.
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
        for (id, node) in self.netlist.nodes.iter().enumerate() {
            match (&node.op, self.sizes[id]) {
                (Op::Input(port), _) => self.load(id, &inputs[*port][block.range(node.width)]),
                (Op::Register(register), _) => self.load(id, &states[*register][block.range(node.width)]),
                (_, Size::Single) => {
                    let (read, rest) = self.single.split_at_mut(id);
                    compute(self.netlist, id, read, &mut rest[0]);
                    self.widen(id);
                }
                (_, Size::Double) => {
                    let (read, rest) = self.double.split_at_mut(id);
                    compute(self.netlist, id, read, &mut rest[0]);
                    self.single[id].iter_mut().zip(&rest[0]).for_each(|(low, word)| *low = *word as u64);
                }
                (_, Size::Wide) => self.run_wide(id, block.count),
            }
        }
    }

    /// Takes a node's values from a column.
    fn load(&mut self, id: usize, column: &[u64]) {
        match self.netlist.nodes[id].width {
            ..=MAX_SINGLE => {
                self.single[id][..column.len()].copy_from_slice(column);
                self.widen(id);
            }
            65..=MAX_DOUBLE => {
                self.double[id].iter_mut().zip(column.chunks_exact(2)).for_each(|(word, limbs)| *word = join(limbs));
            }
            width => {
                let values = &mut self.wide[id];
                values.resize(limbs(width) * BLOCK, 0);
                values[..column.len()].copy_from_slice(column);
            }
        }
    }

    /// Copies a node's 64-bit words to 128-bit words, if they are read as such.
    fn widen(&mut self, id: usize) {
        if self.is_double[id] {
            self.double[id].iter_mut().zip(&self.single[id]).for_each(|(word, &low)| *word = low.into());
        }
    }

    /// Writes a node's values to a column.
    fn store(&self, id: usize, column: &mut [u64]) {
        match self.netlist.nodes[id].width {
            ..=MAX_SINGLE => column.copy_from_slice(&self.single[id][..column.len()]),
            65..=MAX_DOUBLE => {
                let pairs = column.chunks_exact_mut(2).zip(&self.double[id]);
                pairs.for_each(|(limbs, &word)| limbs.copy_from_slice(&split(word)));
            }
            _ => column.copy_from_slice(&self.wide[id][..column.len()]),
        }
    }
}

fn size(netlist: &Netlist, id: NodeId) -> Size {
    let operands = netlist.nodes[id].op.operands().into_iter();
    match operands.chain([id]).map(|id| netlist.nodes[id].width).max() {
        None | Some(..=MAX_SINGLE) => Size::Single,
        Some(65..=MAX_DOUBLE) => Size::Double,
        Some(_) => Size::Wide,
    }
}
