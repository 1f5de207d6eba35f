//! Orders nodes and pieces so that each comes after everything that it reads.

use super::demand::Demands;
use super::runs::Run;
use crate::{Netlist, NodeId};
use petgraph::Direction::Incoming;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A step in the order of the remaining netlist.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderedStep {
    Node(NodeId),
    /// A run of pieces, by its number.
    Run(usize),
}

/// The nodes around the pieces, and the runs of pieces, in the order of nodes as far as possible.
///
/// # Errors
/// The number of a run that depends on its own outputs.
pub fn order(netlist: &Netlist, demands: &Demands, runs: &[Run]) -> Result<Vec<OrderedStep>, usize> {
    let graph = graph(netlist, demands, runs);
    let first = first_nodes(demands);
    let entry = |at: NodeIndex| match graph[at] {
        OrderedStep::Node(id) => Reverse((id, at)),
        OrderedStep::Run(run) => Reverse((first[&runs[run].pieces[0]], at)),
    };
    let mut missing: Vec<usize> =
        graph.node_indices().map(|at| graph.neighbors_directed(at, Incoming).count()).collect();
    let mut ready: BinaryHeap<_> = graph.node_indices().filter(|at| missing[at.index()] == 0).map(entry).collect();
    let mut order = vec![];
    while let Some(Reverse((_, at))) = ready.pop() {
        order.push(graph[at]);
        for reader in graph.neighbors(at) {
            missing[reader.index()] -= 1;
            if missing[reader.index()] == 0 {
                ready.push(entry(reader));
            }
        }
    }
    if order.len() == graph.node_count() { Ok(order) } else { Err(in_loop(&graph, runs)) }
}

/// The graph of nodes and runs with an edge to each reader.
fn graph(netlist: &Netlist, demands: &Demands, runs: &[Run]) -> DiGraph<OrderedStep, ()> {
    let rest = &demands.of[&None];
    let mut graph = DiGraph::new();
    let nodes = rest.nodes.iter().map(|&id| OrderedStep::Node(id));
    let steps = nodes.chain((0..runs.len()).map(OrderedStep::Run));
    let places: FxHashMap<OrderedStep, NodeIndex> = steps.map(|step| (step, graph.add_node(step))).collect();
    let numbered = runs.iter().enumerate().flat_map(|(run, of)| of.pieces.iter().map(move |&piece| (piece, run)));
    let run_of: FxHashMap<usize, usize> = numbered.collect();
    let step_of = |id: NodeId| match demands.owners[id] {
        Some(instance) if !rest.nodes.contains(&id) => OrderedStep::Run(run_of[&instance]),
        _ => OrderedStep::Node(id),
    };
    let edges = places.iter().flat_map(|(step, &at)| {
        let reads = match *step {
            OrderedStep::Node(id) => netlist.nodes[id].op.operands(),
            OrderedStep::Run(run) => {
                let pieces = runs[run].pieces.iter();
                pieces.flat_map(|&instance| demands.of[&Some(instance)].inputs.iter().copied()).collect()
            }
        };
        reads.into_iter().map(move |read| (read, at))
    });
    for (read, at) in edges {
        graph.add_edge(places[&step_of(read)], at, ());
    }
    graph
}

/// The first node of each piece.
fn first_nodes(demands: &Demands) -> FxHashMap<usize, NodeId> {
    let mut first = FxHashMap::default();
    for (id, owner) in demands.owners.iter().enumerate() {
        if let Some(instance) = owner {
            first.entry(*instance).or_insert(id);
        }
    }
    first
}

/// A run that depends on its own outputs; one of several pieces, if there is one.
fn in_loop(graph: &DiGraph<OrderedStep, ()>, runs: &[Run]) -> usize {
    let is_loop = |steps: &Vec<NodeIndex>| steps.len() > 1 || graph.contains_edge(steps[0], steps[0]);
    let loops = tarjan_scc(graph).into_iter().filter(is_loop).flatten();
    let in_loops = loops.filter_map(|at| if let OrderedStep::Run(run) = graph[at] { Some(run) } else { None });
    let first = |run: &usize| (runs[*run].pieces.len() == 1, runs[*run].pieces[0]);
    in_loops.min_by_key(first).expect("nodes alone make no loop")
}
