//! From a circuit of words to gates on bits.

use super::graph::{Graph, Literal};
use binade_generator::circuit::{Netlist, NodeId, Op};

/// A word, the lowest bit first.
type Word = Vec<Literal>;

impl Graph {
    /// The gates of a circuit.
    pub fn of_circuit(netlist: &Netlist) -> Graph {
        Graph::of_circuit_by_node(netlist).0
    }

    /// The same, with the number of gates that there were after each node of the circuit.
    pub fn of_circuit_by_node(netlist: &Netlist) -> (Graph, Vec<usize>) {
        let graph = Graph::new(netlist.inputs.iter().map(|port| port.width));
        let mut blaster = Blaster { netlist, graph, words: vec![] };
        let mut counts = vec![];
        for id in 0..netlist.nodes.len() {
            let word = blaster.word(id);
            debug_assert_eq!(word.len(), netlist.nodes[id].width as usize);
            blaster.words.push(word);
            counts.push(blaster.graph.gates().len());
        }
        let Blaster { mut graph, words, .. } = blaster;
        netlist.outputs.iter().for_each(|(_, node)| graph.add_output(words[*node].clone()));
        (graph, counts)
    }
}

struct Blaster<'n> {
    netlist: &'n Netlist,
    graph: Graph,
    /// Of the nodes so far.
    words: Vec<Word>,
}

impl Blaster<'_> {
    fn word(&mut self, id: NodeId) -> Word {
        let node = &self.netlist.nodes[id];
        let width = node.width as usize;
        match node.op {
            Op::Input(port) => self.graph.inputs()[port].clone(),
            Op::Constant(value) => constant(value, width),
            Op::Not(a) => self.words[a].iter().map(|&bit| !bit).collect(),
            Op::And(a, b) => self.bitwise(a, b, Graph::and),
            Op::Or(a, b) => self.bitwise(a, b, Graph::or),
            Op::Xor(a, b) => self.bitwise(a, b, Graph::xor),
            Op::Add(a, b) => self.graph.add(&self.words[a], &self.words[b], Literal::FALSE).0,
            Op::Sub(a, b) => self.difference(a, b).0,
            Op::Eq(a, b) => {
                let differing = self.bitwise(a, b, Graph::xor);
                vec![!self.graph.any(&differing)]
            }
            Op::Lt(a, b) => vec![!self.difference(a, b).1],
            Op::Mul(a, b) => self.product(a, b),
            Op::Mux { select, one, zero } => {
                let select = self.words[select][0];
                self.bitwise(one, zero, |graph, one, zero| graph.mux(select, one, zero))
            }
            Op::AnyOne(a) => vec![self.graph.any(&self.words[a])],
            Op::AllOnes(a) => vec![self.graph.all(&self.words[a])],
            Op::Slice { of, low } => self.words[of][low as usize..][..width].to_vec(),
            Op::Concat(ref parts) => parts.iter().rev().flat_map(|&part| self.words[part].iter().copied()).collect(),
            Op::Repeat(bit) => vec![self.words[bit][0]; width],
        }
    }

    fn bitwise(&mut self, a: NodeId, b: NodeId, mut gate: impl FnMut(&mut Graph, Literal, Literal) -> Literal) -> Word {
        let pairs = self.words[a].iter().zip(&self.words[b]);
        pairs.map(|(&a, &b)| gate(&mut self.graph, a, b)).collect()
    }

    /// `a - b`, and 1 if it is not negative.
    fn difference(&mut self, a: NodeId, b: NodeId) -> (Word, Literal) {
        let inverted: Word = self.words[b].iter().map(|&bit| !bit).collect();
        self.graph.add(&self.words[a], &inverted, Literal::TRUE)
    }

    /// Rows of partial products, added one after the other.
    fn product(&mut self, a: NodeId, b: NodeId) -> Word {
        let (a, b) = (self.words[a].clone(), self.words[b].clone());
        let mut sum = vec![Literal::FALSE; a.len() + b.len()];
        for (shift, &digit) in b.iter().enumerate() {
            let row: Word = a.iter().map(|&bit| self.graph.and(bit, digit)).collect();
            let (low, carry) = self.graph.add(&sum[shift..shift + a.len()], &row, Literal::FALSE);
            sum[shift..shift + a.len()].copy_from_slice(&low);
            // Nothing is above this bit yet.
            sum[shift + a.len()] = carry;
        }
        sum
    }
}

fn constant(value: u128, width: usize) -> Word {
    (0..width).map(|bit| if value >> bit & 1 == 1 { Literal::TRUE } else { Literal::FALSE }).collect()
}
