//! Bit-blasting: from a circuit on words to gates on bits.

use crate::graph::{Graph, Literal};
use binade_circuit::pipeline::{Pipeline, RankRegister};
use binade_circuit::{Iteration, Netlist, NodeId, Op, Register};
use std::fmt;
use std::ops::Range;

/// A word, the lowest bit first.
type Word = Vec<Literal>;

/// For each node of a circuit, the gates that it added.
pub type NodeGates = Vec<Range<usize>>;

impl Graph {
    /// The gates of a combinational circuit.
    ///
    /// # Panics
    /// When the circuit has registers.
    pub fn of_circuit(netlist: &Netlist) -> Graph {
        Graph::of_circuit_by_node(netlist).0
    }

    /// The gates of a combinational circuit, and those that each node of the circuit added.
    ///
    /// # Panics
    /// When the circuit has registers.
    pub fn of_circuit_by_node(netlist: &Netlist) -> (Graph, NodeGates) {
        assert!(netlist.registers.is_empty(), "{} registers in a circuit without a clock", netlist.registers.len());
        let mut graph = Graph::new(netlist.inputs.iter().map(|port| port.width));
        let inputs = graph.inputs().to_vec();
        let (words, gates) = graph.add_circuit(netlist, &inputs, &[]);
        netlist.outputs.iter().for_each(|(_, node)| graph.add_output(words[*node].clone()));
        (graph, gates)
    }

    /// The gates and registers of a unit with a clock. The inputs are `rst_n`, `en`, `in_valid` and the operands; the
    /// outputs are `out_valid` and the results; the flip-flops are those of [`kept_bits`].
    pub fn of_pipeline(pipeline: &Pipeline) -> Graph {
        Graph::of_pipeline_by_node(pipeline).0
    }

    /// Like [`of_pipeline`](Graph::of_pipeline), and for each node of each segment the gates that it added.
    ///
    /// # Panics
    /// When a segment does not have one output for each register behind it.
    pub fn of_pipeline_by_node(pipeline: &Pipeline) -> (Graph, Vec<NodeGates>) {
        let operands = pipeline.netlist.inputs.iter().map(|port| port.width);
        let mut graph = Graph::new([1, 1, 1].into_iter().chain(operands));
        let [rst_n, en, in_valid] = [0, 1, 2].map(|control: usize| graph.inputs()[control][0]);
        let mut flip_flops = |width: u32| -> Word { (0..width).map(|_| graph.add_flip_flop()).collect() };
        let valids = flip_flops(pipeline.stages);
        let ranks: Vec<Word> = pipeline.registers.iter().map(|register| flip_flops(register.width)).collect();
        let state: Vec<Word> = pipeline.netlist.registers.iter().map(|register| flip_flops(register.width)).collect();
        let holds: Word = [in_valid].into_iter().chain(valids.iter().copied()).collect();
        for (&valid, &before) in valids.iter().zip(&holds) {
            let next = graph.mux(en, before, valid);
            let next = graph.and(rst_n, next);
            graph.set_next(valid, next);
        }
        graph.add_output(vec![holds[valids.len()]]);

        let mut inputs = graph.inputs()[3..].to_vec();
        let mut gates = vec![];
        for (segment, (rank, &holds)) in pipeline.segments.iter().zip((0..).zip(&holds)) {
            let in_segment = |register: &usize| pipeline.state_segments[*register] == rank;
            let own: Vec<usize> = (0..state.len()).filter(in_segment).collect();
            let kept: Vec<Word> = own.iter().map(|&register| state[register].clone()).collect();
            let (words, of_nodes) = graph.add_circuit(segment, &inputs, &kept);
            gates.push(of_nodes);
            for (register, word) in segment.registers.iter().zip(&kept) {
                let takes = graph.and(en, holds);
                graph.load(takes, word, &words[register.next]);
                graph.reset(rst_n, word, register);
            }
            let values = segment.outputs.iter().map(|(_, node)| words[*node].clone());
            if rank == pipeline.stages {
                values.for_each(|bits| graph.add_output(bits));
                break;
            }
            let next_rank = |(_, register): &(&Word, &RankRegister)| register.rank == rank + 1;
            inputs = ranks.iter().zip(&pipeline.registers).filter(next_rank).map(|(word, _)| word.clone()).collect();
            assert_eq!(inputs.len(), segment.outputs.len(), "a value for each register");
            inputs.iter().zip(values).for_each(|(register, value)| graph.load(en, register, &value));
        }
        (graph, gates)
    }

    /// The gates and registers of a unit that takes several clocks for an operation, with the inputs and outputs of
    /// [`of_pipeline`](Graph::of_pipeline). The flip-flops are the bits of its registers, in order.
    pub fn of_iteration(iteration: &Iteration) -> Graph {
        Graph::of_iteration_by_node(iteration).0
    }

    /// Like [`of_iteration`](Graph::of_iteration), and for each node of the circuit the gates that it added.
    pub fn of_iteration_by_node(Iteration { netlist, .. }: &Iteration) -> (Graph, NodeGates) {
        let mut graph = Graph::new([1, 1].into_iter().chain(netlist.inputs.iter().map(|port| port.width)));
        let [rst_n, en] = [0, 1].map(|control: usize| graph.inputs()[control][0]);
        let inputs = graph.inputs()[2..].to_vec();
        let flip_flops =
            |graph: &mut Graph, width: u32| -> Word { (0..width).map(|_| graph.add_flip_flop()).collect() };
        let kept: Vec<Word> = netlist.registers.iter().map(|register| flip_flops(&mut graph, register.width)).collect();
        let (words, gates) = graph.add_circuit(netlist, &inputs, &kept);
        for (register, word) in netlist.registers.iter().zip(&kept) {
            graph.load(en, word, &words[register.next]);
        }
        if let (Some(register), Some(word)) = (netlist.registers.first(), kept.first()) {
            graph.reset(rst_n, word, register);
        }
        netlist.outputs.iter().for_each(|(_, node)| graph.add_output(words[*node].clone()));
        (graph, gates)
    }

    /// Makes a register load a value where `takes` is 1.
    fn load(&mut self, takes: Literal, register: &Word, value: &Word) {
        for (&state, &value) in register.iter().zip(value) {
            let next = self.mux(takes, value, state);
            self.set_next(state, next);
        }
    }

    /// Makes a register of the state load its reset value where `rst_n` is 0.
    fn reset(&mut self, rst_n: Literal, word: &Word, register: &Register) {
        for (&state, place) in word.iter().zip(0..) {
            let next = self.next(state);
            let next = if register.reset.bit(place) { self.or(!rst_n, next) } else { self.and(rst_n, next) };
            self.set_next(state, next);
        }
    }

    /// Adds the gates of a circuit whose registers, if any, are `state`. Returns the words of its nodes, and the gates
    /// that each added.
    fn add_circuit(&mut self, netlist: &Netlist, inputs: &[Word], state: &[Word]) -> (Vec<Word>, NodeGates) {
        let mut gates = vec![];
        let mut blaster = Blaster { netlist, inputs, state, graph: self, words: vec![] };
        for id in 0..netlist.nodes.len() {
            let first = blaster.graph.gates().len();
            let word = blaster.word(id);
            debug_assert_eq!(word.len(), netlist.nodes[id].width as usize);
            blaster.words.push(word);
            gates.push(first..blaster.graph.gates().len());
        }
        (blaster.words, gates)
    }
}

/// A bit of storage in a unit with a clock.
#[derive(Clone, Copy, Debug)]
pub enum KeptBit<'p> {
    /// The valid bit of a rank.
    Valid {
        /// The rank, 1 the first.
        rank: u32,
    },
    /// A bit of a pipeline register.
    Rank {
        /// The register that holds it.
        register: &'p RankRegister,
        /// The position of the bit in the register, 0 the lowest.
        bit: u32,
    },
    /// A bit of the state.
    State {
        /// The register that holds it.
        register: &'p Register,
        /// The position of the bit in the register, 0 the lowest.
        bit: u32,
    },
}

/// What the flip-flops of [`Graph::of_pipeline`] hold, in order.
pub fn kept_bits(pipeline: &Pipeline) -> Vec<KeptBit<'_>> {
    let valids = (1..=pipeline.stages).map(|rank| KeptBit::Valid { rank });
    let of_rank = |register| move |bit| KeptBit::Rank { register, bit };
    let ranks = pipeline.registers.iter().flat_map(|register| (0..register.width).map(of_rank(register)));
    let of_state = |register| move |bit| KeptBit::State { register, bit };
    let state = pipeline.netlist.registers.iter().flat_map(|register| (0..register.width).map(of_state(register)));
    valids.chain(ranks).chain(state).collect()
}

impl fmt::Display for KeptBit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeptBit::Valid { rank } => write!(f, "the valid bit of rank {rank}"),
            KeptBit::Rank { register, bit } => write!(f, "{}[{bit}]", register.name),
            KeptBit::State { register, bit } => write!(f, "{}[{bit}]", register.name),
        }
    }
}

struct Blaster<'a> {
    netlist: &'a Netlist,
    inputs: &'a [Word],
    /// What the registers hold.
    state: &'a [Word],
    graph: &'a mut Graph,
    /// The words of the nodes so far.
    words: Vec<Word>,
}

impl Blaster<'_> {
    fn word(&mut self, id: NodeId) -> Word {
        let node = &self.netlist.nodes[id];
        let width = node.width as usize;
        match node.op {
            Op::Input(port) => self.inputs[port].clone(),
            Op::Register(register) => self.state[register].clone(),
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

    /// `a - b`, and 1 if the difference is not negative.
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
            // The sum has no bit at this place yet.
            sum[shift + a.len()] = carry;
        }
        sum
    }
}
