//! Combinational circuits as AND gates with inverters, as the format AIGER has them. (A. Biere, K. Heljanko, S. Wieringa, AIGER 1.9 and
//! beyond, 2011.)
//!
//! A literal of AIGER is twice a variable, plus 1 if it is inverted. Literal 0 is the constant 0, variables from 1 are the inputs, and
//! those after them the AND gates.

use crate::graph::{Gate, Graph, Literal};
use std::io::{self, Write};

/// A literal of AIGER.
pub type AigerLiteral = u32;

/// The gates of a combinational graph as AND gates.
#[derive(Clone, Debug)]
pub struct Ands {
    /// The number of inputs.
    pub inputs: u32,
    /// The operands of each AND gate, the larger literal first.
    pub ands: Vec<[AigerLiteral; 2]>,
    /// The literal of each node of the graph.
    literals: Vec<AigerLiteral>,
    /// The first AND gate of each node, and the number of all.
    firsts: Vec<u32>,
}

impl Ands {
    /// The AND gates of a graph: one for AND, three for XOR and for a multiplexer, in the order of the graph.
    ///
    /// # Panics
    /// When the graph has flip-flops.
    pub fn of(graph: &Graph) -> Ands {
        assert!(graph.flip_flops().is_empty(), "a combinational graph");
        let inputs = graph.sources().len() as u32;
        let mut ands = Ands::new(inputs);
        ands.firsts.resize(1 + inputs as usize, 0);
        for &gate in &graph.gates()[1 + inputs as usize..] {
            ands.firsts.push(ands.ands.len() as u32);
            let literal = ands.add_gate(gate);
            ands.literals.push(literal);
        }
        ands.firsts.push(ands.ands.len() as u32);
        ands
    }

    /// Inputs without gates.
    pub fn new(inputs: u32) -> Ands {
        Ands { inputs, ands: vec![], literals: (0..=inputs).map(|input| 2 * input).collect(), firsts: vec![] }
    }

    /// Adds the gates of another circuit with these literals in place of its inputs; returns the literal for each of its variables.
    ///
    /// # Panics
    /// When there is not one literal for each input.
    pub fn place(&mut self, other: &Ands, inputs: &[AigerLiteral]) -> Vec<AigerLiteral> {
        assert_eq!(inputs.len(), other.inputs as usize, "a literal for each input");
        let mut images: Vec<AigerLiteral> = [0].into_iter().chain(inputs.iter().copied()).collect();
        for operands in &other.ands {
            let [a, b] = operands.map(|operand| images[operand as usize >> 1] ^ (operand & 1));
            let image = self.and(a, b);
            images.push(image);
        }
        images
    }

    /// The same gates as a graph, with inputs of these widths and one output.
    pub fn graph(&self, widths: impl Iterator<Item = u32>, outputs: &[AigerLiteral]) -> Graph {
        let mut graph = Graph::new(widths);
        let mut nodes: Vec<Literal> = [Literal::FALSE].into_iter().chain(graph.sources()).collect();
        let of = |nodes: &[Literal], literal: AigerLiteral| {
            let node = nodes[literal as usize >> 1];
            if literal & 1 == 1 { !node } else { node }
        };
        for &[a, b] in &self.ands {
            nodes.push(graph.push(Gate::And(of(&nodes, a), of(&nodes, b))));
        }
        graph.add_output(outputs.iter().map(|&output| of(&nodes, output)).collect());
        graph
    }

    fn add_gate(&mut self, gate: Gate) -> AigerLiteral {
        match gate {
            Gate::False | Gate::Input => unreachable!("constant and inputs come first"),
            Gate::And(a, b) => {
                let [a, b] = [a, b].map(|operand| self.literal(operand));
                self.and(a, b)
            }
            Gate::Xor(a, b) => {
                let [a, b] = [a, b].map(|operand| self.literal(operand));
                let (both, neither) = (self.and(a, b), self.and(a ^ 1, b ^ 1));
                self.and(both ^ 1, neither ^ 1)
            }
            Gate::Mux { select, one, zero } => {
                let [select, one, zero] = [select, one, zero].map(|operand| self.literal(operand));
                let (of_one, of_zero) = (self.and(select, one), self.and(select ^ 1, zero));
                self.and(of_one ^ 1, of_zero ^ 1) ^ 1
            }
        }
    }

    fn and(&mut self, a: AigerLiteral, b: AigerLiteral) -> AigerLiteral {
        self.ands.push([a.max(b), a.min(b)]);
        2 * (self.inputs + self.ands.len() as u32)
    }

    /// The literal of AIGER for a literal of the graph.
    pub fn literal(&self, literal: Literal) -> AigerLiteral {
        self.literals[literal.node()] ^ u32::from(literal.is_inverted())
    }

    /// The AND gates of a node.
    pub fn of_node(&self, node: usize) -> std::ops::Range<u32> {
        self.firsts[node]..self.firsts[node + 1]
    }

    /// Writes the gates as binary AIGER, with names of inputs and outputs.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, names: &[String], outputs: &[(String, AigerLiteral)], to: &mut impl Write) -> io::Result<()> {
        let [inputs, ands] = [self.inputs as usize, self.ands.len()];
        writeln!(to, "aig {} {inputs} 0 {} {ands}", inputs + ands, outputs.len())?;
        for (_, literal) in outputs {
            writeln!(to, "{literal}")?;
        }
        for (at, [high, low]) in (0_u32..).zip(&self.ands) {
            let own = 2 * (self.inputs + 1 + at);
            write_number(own - high, to)?;
            write_number(high - low, to)?;
        }
        for (at, name) in names.iter().enumerate() {
            writeln!(to, "i{at} {name}")?;
        }
        for (at, (name, _)) in outputs.iter().enumerate() {
            writeln!(to, "o{at} {name}")?;
        }
        Ok(())
    }
}

/// Seven bits in each byte, lowest first; all bytes but the last have bit 7 set.
fn write_number(mut number: u32, to: &mut impl Write) -> io::Result<()> {
    while number > 0x7f {
        to.write_all(&[number as u8 | 0x80])?;
        number >>= 7;
    }
    to.write_all(&[number as u8])
}
