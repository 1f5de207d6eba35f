//! Arrival times, bit by bit.

use super::delay::{Delays, Path, Time};
use super::loops::Loops;
use super::reads::is_wiring;
use crate::{Netlist, NodeId, Op};

/// A bit of a computing node or input.
type Source = (NodeId, u32);

/// A netlist with the data for its timing.
pub struct Timing<'n> {
    netlist: &'n Netlist,
    /// The source of each bit of each node; none for a constant.
    sources: Vec<Vec<Option<Source>>>,
    /// The paths through each node; none for wiring.
    paths: Vec<Vec<(NodeId, Path)>>,
}

impl<'n> Timing<'n> {
    pub fn new(netlist: &'n Netlist, delays: &Delays) -> Timing<'n> {
        let mut sources: Vec<Vec<Option<Source>>> = vec![];
        for (id, node) in netlist.nodes.iter().enumerate() {
            let bits = match node.op {
                Op::Constant(_) => vec![None; node.width as usize],
                Op::Not(a) => sources[a].clone(),
                Op::Repeat(bit) => vec![sources[bit][0]; node.width as usize],
                Op::Slice { of, low } => sources[of][low as usize..(low + node.width) as usize].to_vec(),
                Op::Concat(ref parts) => parts.iter().rev().flat_map(|&part| sources[part].clone()).collect(),
                _ => (0..node.width).map(|bit| Some((id, bit))).collect(),
            };
            sources.push(bits);
        }
        let paths = (0..netlist.nodes.len()).map(|id| delays.paths(netlist, id)).collect();
        Timing { netlist, sources, paths }
    }

    /// The sources of the bits of a node.
    pub fn sources(&self, id: NodeId) -> impl Iterator<Item = Source> {
        self.sources[id].iter().filter_map(|source| *source)
    }

    /// The nodes that are neither wiring nor inputs: operators, which take time, and registers.
    pub fn computing(&self) -> impl DoubleEndedIterator<Item = NodeId> {
        let nodes = &self.netlist.nodes;
        (0..nodes.len()).filter(|&id| !is_wiring(&nodes[id].op) && !matches!(nodes[id].op, Op::Input(_)))
    }

    /// The arrival times of a node's bits, given those of the bits it is computed from.
    pub fn arrival(&self, id: NodeId, at: impl Fn(Source) -> Time) -> Vec<Time> {
        let mut result = vec![0; self.netlist.nodes[id].width as usize];
        for &(operand, path) in &self.paths[id] {
            let times: Vec<Option<Time>> = self.sources[operand].iter().map(|source| source.map(&at)).collect();
            path.forward(&times, &mut result);
        }
        result
    }

    /// Tells `limit` the latest time of each bit that a node is computed from, given those of its own bits.
    pub fn deadlines(&self, id: NodeId, result: &[Time], mut limit: impl FnMut(Source, Time)) {
        for &(operand, path) in &self.paths[id] {
            let mut times = vec![Time::MAX; self.sources[operand].len()];
            path.backward(result, &mut times);
            for (source, time) in self.sources[operand].iter().zip(times) {
                source.iter().for_each(|&source| limit(source, time));
            }
        }
    }

    /// The delay of a node by itself.
    pub fn alone(&self, id: NodeId) -> Time {
        latest(&self.arrival(id, |_| 0))
    }

    /// The longest path within a loop; values from outside arrive at time 0.
    pub fn longest_loop(&self, loops: &Loops) -> Time {
        let mut arrivals: Vec<Vec<Time>> = vec![vec![]; self.netlist.nodes.len()];
        for id in self.computing().filter(|&id| loops.of(id).is_some()) {
            let inside = |source: NodeId| loops.of(source) == loops.of(id);
            let at = |(source, bit): Source| if inside(source) { arrivals[source][bit as usize] } else { 0 };
            arrivals[id] = self.arrival(id, at);
        }
        arrivals.iter().map(|times| latest(times)).max().unwrap_or(0)
    }

    /// The longest path within each segment, for nodes of these ranks.
    pub fn depths(&self, ranks: &[u32], stages: u32) -> Vec<Time> {
        let mut arrivals: Vec<Vec<Time>> = vec![vec![]; ranks.len()];
        let mut depths = vec![0; stages as usize + 1];
        for id in self.computing() {
            let at = |(source, bit): Source| {
                if ranks[source] == ranks[id] { arrivals[source].get(bit as usize).copied().unwrap_or(0) } else { 0 }
            };
            arrivals[id] = self.arrival(id, at);
            let depth: &mut Time = &mut depths[ranks[id] as usize];
            *depth = (*depth).max(latest(&arrivals[id]));
        }
        depths
    }
}

pub fn latest(times: &[Time]) -> Time {
    times.iter().copied().max().unwrap_or(0)
}
