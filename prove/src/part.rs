//! A part of a unit as a unit of its own: the gates between some literals, which become its inputs, and others, its outputs.

use binade_gates::{Gate, Graph, Literal};
use rustc_hash::FxHashMap;

/// The gates that compute these outputs from these operands; `None` if the outputs depend on anything else.
pub fn part(unit: &Graph, operands: &[Vec<Literal>], outputs: &[Vec<Literal>]) -> Option<Graph> {
    Part::new(unit, operands).with_outputs(outputs)
}

/// The gates that compute these outputs from these operands, with 0 on all other inputs; `None` if the outputs depend on undefined
/// bits.
pub fn part_with_zeros(unit: &Graph, operands: &[Vec<Literal>], outputs: &[Vec<Literal>]) -> Option<Graph> {
    let mut part = Part::new(unit, operands);
    for input in unit.inputs().iter().flatten() {
        part.images.entry(input.node()).or_insert(Literal::FALSE);
    }
    part.with_outputs(outputs)
}

struct Part<'u> {
    unit: &'u Graph,
    graph: Graph,
    /// The image of each gate of the unit.
    images: FxHashMap<usize, Literal>,
}

impl Part<'_> {
    fn new<'u>(unit: &'u Graph, operands: &[Vec<Literal>]) -> Part<'u> {
        let graph = Graph::new(operands.iter().map(|bits| bits.len() as u32));
        let mut images = FxHashMap::from_iter([(0, Literal::FALSE)]);
        for (&of_unit, bit) in operands.iter().flatten().zip(graph.sources()) {
            images.entry(of_unit.node()).or_insert(if of_unit.is_inverted() { !bit } else { bit });
        }
        Part { unit, graph, images }
    }

    fn with_outputs(mut self, outputs: &[Vec<Literal>]) -> Option<Graph> {
        for output in outputs.iter().flatten() {
            self.add(output.node())?;
        }
        for bits in outputs {
            let bits = bits.iter().map(|&bit| self.image(bit)).collect();
            self.graph.add_output(bits);
        }
        Some(self.graph)
    }

    fn image(&self, literal: Literal) -> Literal {
        let image = self.images[&literal.node()];
        if literal.is_inverted() { !image } else { image }
    }

    /// Adds a gate of the unit after the gates that it depends on; `None` if one of these is an input without an image.
    fn add(&mut self, node: usize) -> Option<()> {
        let mut waiting = vec![node];
        while let Some(&node) = waiting.last() {
            let gate = self.unit.gates()[node];
            let missing: Vec<usize> =
                gate.operands().map(Literal::node).filter(|operand| !self.images.contains_key(operand)).collect();
            if self.images.contains_key(&node) {
                waiting.pop();
            } else if missing.is_empty() {
                let copy = self.copied(gate)?;
                self.images.insert(node, copy);
            } else {
                waiting.extend(missing);
            }
        }
        Some(())
    }

    /// A gate with the images of its operands.
    fn copied(&mut self, gate: Gate) -> Option<Literal> {
        match gate {
            Gate::False | Gate::Input => None,
            Gate::And(a, b) => {
                let (a, b) = (self.image(a), self.image(b));
                Some(self.graph.and(a, b))
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.image(a), self.image(b));
                Some(self.graph.xor(a, b))
            }
            Gate::Mux { select, one, zero } => {
                let (select, one, zero) = (self.image(select), self.image(one), self.image(zero));
                Some(self.graph.mux(select, one, zero))
            }
        }
    }
}
