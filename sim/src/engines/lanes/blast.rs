//! From a circuit of words to gates on bits.

use super::graph::{Graph, Literal};
use binade_circuit::pipeline::{Pipeline, RankRegister};
use binade_circuit::{Netlist, NodeId, Op};

/// A word, the lowest bit first.
type Word = Vec<Literal>;

impl Graph {
    /// The gates of a circuit.
    pub fn of_circuit(netlist: &Netlist) -> Graph {
        Graph::of_circuit_by_node(netlist).0
    }

    /// The same, with the number of gates that there were after each node of the circuit.
    pub fn of_circuit_by_node(netlist: &Netlist) -> (Graph, Vec<usize>) {
        let mut graph = Graph::new(netlist.inputs.iter().map(|port| port.width));
        let inputs = graph.inputs().to_vec();
        let mut counts = vec![];
        let outputs = graph.add_circuit(netlist, &inputs, |gates| counts.push(gates));
        outputs.into_iter().for_each(|bits| graph.add_output(bits));
        (graph, counts)
    }

    /// The gates and registers of a pipelined unit. Its inputs are `rst_n`, `en`, `in_valid` and the operands, its outputs
    /// `out_valid` and the results.
    pub fn of_pipeline(pipeline: &Pipeline) -> Graph {
        let operands = pipeline.netlist.inputs.iter().map(|port| port.width);
        let mut graph = Graph::new([1, 1, 1].into_iter().chain(operands));
        let [rst_n, en, in_valid] = [0, 1, 2].map(|control: usize| graph.inputs()[control][0]);
        let valids: Word = (0..pipeline.stages).map(|_| graph.add_flip_flop()).collect();
        let words: Vec<Word> = pipeline
            .registers
            .iter()
            .map(|register| (0..register.width).map(|_| graph.add_flip_flop()).collect())
            .collect();
        let mut before = in_valid;
        for &valid in &valids {
            let next = graph.mux(en, before, valid);
            let next = graph.and(rst_n, next);
            graph.set_next(valid, next);
            before = valid;
        }
        graph.add_output(vec![before]);
        let mut inputs = graph.inputs()[3..].to_vec();
        for (segment, rank) in pipeline.segments.iter().zip(1..) {
            let values = graph.add_circuit(segment, &inputs, |_| {});
            let of_rank = |(_, register): &(&Word, &RankRegister)| register.rank == rank;
            inputs = words.iter().zip(&pipeline.registers).filter(of_rank).map(|(word, _)| word.clone()).collect();
            if rank > pipeline.stages {
                values.into_iter().for_each(|bits| graph.add_output(bits));
            } else {
                graph.load(en, &inputs, &values);
            }
        }
        graph
    }

    /// Registers take over values where `en` is 1.
    fn load(&mut self, en: Literal, registers: &[Word], values: &[Word]) {
        assert_eq!(registers.len(), values.len(), "a value for each register");
        for (&state, &value) in registers.iter().flatten().zip(values.iter().flatten()) {
            let next = self.mux(en, value, state);
            self.set_next(state, next);
        }
    }

    /// Adds the gates of a circuit; its outputs. `after_node` is told how many gates there are after each node.
    fn add_circuit(&mut self, netlist: &Netlist, inputs: &[Word], mut after_node: impl FnMut(usize)) -> Vec<Word> {
        let mut blaster = Blaster { netlist, inputs, graph: self, words: vec![] };
        for id in 0..netlist.nodes.len() {
            let word = blaster.word(id);
            debug_assert_eq!(word.len(), netlist.nodes[id].width as usize);
            blaster.words.push(word);
            after_node(blaster.graph.gates().len());
        }
        netlist.outputs.iter().map(|(_, node)| blaster.words[*node].clone()).collect()
    }
}

struct Blaster<'a> {
    netlist: &'a Netlist,
    inputs: &'a [Word],
    graph: &'a mut Graph,
    /// Of the nodes so far.
    words: Vec<Word>,
}

impl Blaster<'_> {
    fn word(&mut self, id: NodeId) -> Word {
        let node = &self.netlist.nodes[id];
        let width = node.width as usize;
        match node.op {
            Op::Input(port) => self.inputs[port].clone(),
            Op::Register(register) => {
                panic!("no gates are made of the register {}", self.netlist.registers[register].name)
            }
            Op::Constant(ref value) => {
                let bit = |place| if value.bit(place) { Literal::TRUE } else { Literal::FALSE };
                (0..width as u64).map(bit).collect()
            }
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
        pairs.map(|(&a, &b)| gate(self.graph, a, b)).collect()
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
