//! Loops: the next value of a register may depend on its present value within one clock, so no rank can be in between.

use super::reads::reads_of;
use crate::{Netlist, NodeId, Op};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The loops of a netlist; each register is in one, possibly alone.
pub struct Loops {
    /// The number of the loop that each node is in.
    of: Vec<Option<usize>>,
    pub count: usize,
}

impl Loops {
    pub fn new(netlist: &Netlist) -> Loops {
        let mut loops = Loops { of: vec![None; netlist.nodes.len()], count: 0 };
        if netlist.registers.is_empty() {
            return loops;
        }
        let mut reads: DiGraph<(), ()> = DiGraph::new();
        for _ in &netlist.nodes {
            reads.add_node(());
        }
        for id in 0..netlist.nodes.len() {
            for read in reads_of(netlist, id) {
                reads.add_edge(NodeIndex::new(read.node), NodeIndex::new(id), ());
            }
        }
        let has_register =
            |nodes: &Vec<NodeIndex>| nodes.iter().any(|node| matches!(netlist.nodes[node.index()].op, Op::Register(_)));
        for nodes in kosaraju_scc(&reads).into_iter().filter(has_register) {
            nodes.into_iter().for_each(|node| loops.of[node.index()] = Some(loops.count));
            loops.count += 1;
        }
        loops
    }

    /// The loop that a node is in.
    pub fn of(&self, id: NodeId) -> Option<usize> {
        self.of[id]
    }
}
