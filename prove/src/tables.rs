//! Gates that depend only on the significands of two factors, compared by their complete truth tables: so it does not
//! matter how a multiplier is built.

use binade_gates::{Gate, Graph, Literal, counting};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The most inputs of a table: 128 KiB.
const MOST_INPUTS: usize = 20;

/// Whether the products of all these factors are compared by tables, so that it does not matter how they are built.
pub fn has_tables(factors: &[Vec<Literal>]) -> bool {
    factors.iter().all(|factors| factors.len() <= MOST_INPUTS) && factors.iter().any(|factors| !factors.is_empty())
}

/// The tables of the gates so far.
#[derive(Debug, Default)]
pub struct Tables {
    tables: FxHashMap<usize, Rc<[u64]>>,
    /// The gates by a hash of their tables.
    gates: FxHashMap<u64, Vec<usize>>,
}

impl Tables {
    /// Tables over these inputs; none if there are too many.
    pub fn new(inputs: &[Literal]) -> Tables {
        let mut tables = Tables::default();
        if inputs.is_empty() || inputs.len() > MOST_INPUTS {
            return tables;
        }
        let words = (1_usize << inputs.len()).div_ceil(64);
        tables.insert(0, vec![0; words].into());
        for (place, input) in (0..).zip(inputs) {
            tables.insert(input.node(), (0..words as u64).map(|word| counting(word, place)).collect());
        }
        tables
    }

    /// An earlier literal with the same table as a gate, or the gate itself if there is none; `None` if the gate has no
    /// table.
    pub fn equal(&mut self, graph: &Graph, node: usize) -> Option<Literal> {
        let table = self.table(graph.gates()[node])?;
        for &other in self.gates.get(&hash(&table)).into_iter().flatten() {
            let of_other = &self.tables[&other];
            let inverts = (of_other[0] ^ table[0]) & 1 == 1;
            let flip = if inverts { u64::MAX } else { 0 };
            if of_other.iter().zip(table.iter()).all(|(one, other)| one ^ flip == *other) {
                let literal = Literal::of(other);
                return Some(if inverts { !literal } else { literal });
            }
        }
        self.insert(node, table);
        Some(Literal::of(node))
    }

    fn insert(&mut self, node: usize, table: Rc<[u64]>) {
        self.gates.entry(hash(&table)).or_default().push(node);
        self.tables.insert(node, table);
    }

    fn table(&self, gate: Gate) -> Option<Rc<[u64]>> {
        let get = |literal: Literal| {
            let flip = if literal.is_inverted() { u64::MAX } else { 0 };
            self.tables.get(&literal.node()).map(|table| table.iter().map(move |word| word ^ flip))
        };
        match gate {
            Gate::False | Gate::Input => None,
            Gate::And(a, b) => Some(get(a)?.zip(get(b)?).map(|(a, b)| a & b).collect()),
            Gate::Xor(a, b) => Some(get(a)?.zip(get(b)?).map(|(a, b)| a ^ b).collect()),
            Gate::Mux { select, one, zero } => {
                let pairs = get(one)?.zip(get(zero)?);
                Some(get(select)?.zip(pairs).map(|(select, (one, zero))| select & one | !select & zero).collect())
            }
        }
    }
}

/// A hash that is the same for a table and its inverse.
fn hash(table: &[u64]) -> u64 {
    let flip = if table[0] & 1 == 1 { u64::MAX } else { 0 };
    table.iter().fold(0, |hash: u64, word| (hash ^ word ^ flip).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function with these 256 values.
    fn function(graph: &mut Graph, inputs: &[Literal], table: &[u64]) -> Literal {
        let bit = |at: usize| if table[at / 64] >> (at % 64) & 1 == 1 { !Literal::FALSE } else { Literal::FALSE };
        let mut values: Vec<Literal> = (0..1 << inputs.len()).map(bit).collect();
        for &input in inputs {
            values = values.chunks(2).map(|pair| graph.mux(input, pair[1], pair[0])).collect();
        }
        values[0]
    }

    /// Tables with the same hash, of which some words are equal, too.
    #[test]
    fn equal_hashes_do_not_suffice() {
        let mixed = |word: u64| hash(&[0, word]);
        let (one, other, next) = (0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4320, 0x55aa_0ff0_3cc3_9696);
        let hashed = |word: u64| hash(&[word]);
        let collides = hashed(one) ^ hashed(other) ^ next;
        let tables = [[one, next, 6, mixed(1)], [other, collides, 6, mixed(1)]];
        assert_eq!(hash(&tables[0]), hash(&tables[1]));
        let mut graph = Graph::new([8]);
        let inputs = graph.inputs()[0].clone();
        let [first, second] = tables.map(|table| function(&mut graph, &inputs, &table));
        let mut known = Tables::new(&inputs);
        let mut last = FxHashMap::default();
        for node in 1 + graph.sources().len()..graph.gates().len() {
            last.insert(node, known.equal(&graph, node));
        }
        assert_ne!(first.node(), second.node());
        assert_eq!(last[&first.node()], Some(Literal::of(first.node())));
        assert_eq!(last[&second.node()], Some(Literal::of(second.node())), "not the first one");
    }
}
