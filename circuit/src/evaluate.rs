//! An interpreter: runs a netlist over many vectors at once, node by node, with no external tool.

use crate::{Netlist, NodeId, Op, mask};

/// Vectors a node is evaluated over before the next node's turn: small enough for all columns to stay in the cache.
const BLOCK: usize = 64;

/// Runs one netlist.
pub struct Interpreter<'n> {
    netlist: &'n Netlist,
    /// One column of words a node.
    columns: Vec<[u128; BLOCK]>,
}

impl<'n> Interpreter<'n> {
    pub fn new(netlist: &'n Netlist) -> Interpreter<'n> {
        Interpreter { netlist, columns: vec![[0; BLOCK]; netlist.nodes.len()] }
    }

    /// The outputs for every vector, packed into one word, the first in the lowest bits; `inputs` holds one column a port.
    pub fn evaluate(&mut self, inputs: &[&[u64]], output: &mut [u64]) {
        assert_eq!(inputs.len(), self.netlist.inputs.len(), "one column a port");
        for start in (0..output.len()).step_by(BLOCK) {
            let end = output.len().min(start + BLOCK);
            let block: Vec<&[u64]> = inputs.iter().map(|column| &column[start..end]).collect();
            self.run_block(&block);
            self.pack(&mut output[start..end]);
        }
    }

    /// The outputs for a single vector, each by itself and of any width; one word a port.
    pub fn run_vector(&mut self, inputs: &[u128]) -> Vec<u128> {
        let columns: Vec<&[u128]> = inputs.chunks(1).collect();
        self.run_block(&columns);
        self.netlist.outputs.iter().map(|(_, node)| self.columns[*node][0]).collect()
    }

    fn pack(&self, output: &mut [u64]) {
        output.fill(0);
        let mut low = 0;
        for (port, node) in &self.netlist.outputs {
            for (out, &word) in output.iter_mut().zip(&self.columns[*node]) {
                *out |= (word as u64) << low;
            }
            low += port.width;
        }
    }

    fn run_block<Word: Copy + Into<u128>>(&mut self, inputs: &[&[Word]]) {
        for id in 0..self.netlist.nodes.len() {
            let mut result = [0; BLOCK];
            match self.netlist.nodes[id].op {
                Op::Input(port) => {
                    for (word, &input) in result.iter_mut().zip(inputs[port]) {
                        *word = input.into();
                    }
                }
                ref op => self.run(op, mask(self.netlist.nodes[id].width), &mut result),
            }
            self.columns[id] = result;
        }
    }

    fn run(&self, op: &Op, ones: u128, result: &mut [u128; BLOCK]) {
        match *op {
            Op::Input(_) => unreachable!("inputs are copied"),
            Op::Constant(value) => result.fill(value),
            Op::Not(a) => self.map(result, a, |x| !x & ones),
            Op::And(a, b) => self.map2(result, a, b, |x, y| x & y),
            Op::Or(a, b) => self.map2(result, a, b, |x, y| x | y),
            Op::Xor(a, b) => self.map2(result, a, b, |x, y| x ^ y),
            Op::Add(a, b) => self.map2(result, a, b, |x, y| x.wrapping_add(y) & ones),
            Op::Sub(a, b) => self.map2(result, a, b, |x, y| x.wrapping_sub(y) & ones),
            Op::Eq(a, b) => self.map2(result, a, b, |x, y| u128::from(x == y)),
            Op::Lt(a, b) => self.map2(result, a, b, |x, y| u128::from(x < y)),
            Op::Mul(a, b) => self.map2(result, a, b, |x, y| x.wrapping_mul(y)),
            Op::Mux { select, one, zero } => {
                let (one, zero) = (&self.columns[one], &self.columns[zero]);
                for (i, (word, &choice)) in result.iter_mut().zip(&self.columns[select]).enumerate() {
                    *word = if choice == 1 { one[i] } else { zero[i] };
                }
            }
            Op::AnyOne(a) => self.map(result, a, |x| u128::from(x != 0)),
            Op::AllOnes(a) => {
                let all = mask(self.netlist.nodes[a].width);
                self.map(result, a, |x| u128::from(x == all));
            }
            Op::Slice { of, low } => self.map(result, of, |x| x >> low & ones),
            Op::Concat(ref parts) => {
                for &part in parts {
                    let width = self.netlist.nodes[part].width;
                    for (word, &low) in result.iter_mut().zip(&self.columns[part]) {
                        *word = *word << width | low;
                    }
                }
            }
            Op::Repeat(bit) => self.map(result, bit, |x| if x == 1 { ones } else { 0 }),
        }
    }

    fn map(&self, result: &mut [u128; BLOCK], a: NodeId, f: impl Fn(u128) -> u128) {
        for (word, &x) in result.iter_mut().zip(&self.columns[a]) {
            *word = f(x);
        }
    }

    fn map2(&self, result: &mut [u128; BLOCK], a: NodeId, b: NodeId, f: impl Fn(u128, u128) -> u128) {
        for ((word, &x), &y) in result.iter_mut().zip(&self.columns[a]).zip(&self.columns[b]) {
            *word = f(x, y);
        }
    }
}
