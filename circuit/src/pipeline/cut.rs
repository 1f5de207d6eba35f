//! Minimizes register bits: moves each rank in turn to where the fewest bits cross, between the ranks before and after it,
//! until no move gains.
//!
//! A rank cuts the nodes between its two neighbours in two. A node can be before the cut only if all its operands are, and
//! its bits that a node after the cut reads cross the cut. So the best place is a minimum cut of a network with one edge for
//! each such bit. Nodes that arrive too late must be after the rank, and nodes with too long a path after them before it.
//! Neither condition depends on the place of the rank, so the cut is optimal.

use super::delay::Time;
use super::reads::{Read, is_wiring, reads_of, reads_of_output};
use super::timing::{Timing, latest};
use crate::{Netlist, NodeId};
use petgraph::Direction;
use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

/// More than all registers together.
const ENDLESS: u32 = u32::MAX / 4;

/// Moves nodes to other ranks, with no segment longer than `bound`, until no rank can have fewer bits.
pub fn fewest_bits(netlist: &Netlist, timing: &Timing, stages: u32, bound: Time, ranks: &mut [u32]) {
    let atoms = atoms(netlist);
    let mut bits = u32::MAX;
    loop {
        // From the last rank, because nodes start as early as possible.
        for rank in (1..=stages).rev() {
            Cut::new(netlist, timing, &atoms, ranks, rank, bound).apply(ranks);
        }
        let now = crossing_bits(&atoms, ranks, stages);
        if now >= bits {
            return;
        }
        bits = now;
    }
}

/// Neighbouring bits of a node with the same readers.
struct Atom {
    node: NodeId,
    width: u32,
    readers: Vec<Reader>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    Node(NodeId),
    /// After all ranks.
    Output,
}

impl Reader {
    fn rank(self, ranks: &[u32]) -> u32 {
        match self {
            Reader::Node(id) => ranks[id],
            Reader::Output => u32::MAX,
        }
    }
}

fn atoms(netlist: &Netlist) -> Vec<Atom> {
    let mut readers: Vec<Vec<(Read, Reader)>> = vec![vec![]; netlist.nodes.len()];
    for id in (0..netlist.nodes.len()).filter(|&id| !is_wiring(&netlist.nodes[id].op)) {
        for read in reads_of(netlist, id) {
            readers[read.node].push((read, Reader::Node(id)));
        }
    }
    for read in netlist.outputs.iter().flat_map(|(_, node)| reads_of_output(netlist, *node)) {
        readers[read.node].push((read, Reader::Output));
    }
    readers.iter().enumerate().flat_map(|(node, readers)| atoms_of(node, readers)).collect()
}

/// The bits of a node, split where a reader begins or ends.
fn atoms_of(node: NodeId, reads: &[(Read, Reader)]) -> Vec<Atom> {
    let mut edges: Vec<u32> = reads.iter().flat_map(|(read, _)| [read.low, read.high + 1]).collect();
    edges.sort_unstable();
    edges.dedup();
    let atom = |pair: &[u32]| {
        let over =
            |(read, reader): &(Read, Reader)| (read.low <= pair[0] && pair[1] <= read.high + 1).then_some(*reader);
        Atom { node, width: pair[1] - pair[0], readers: reads.iter().filter_map(over).collect() }
    };
    edges.windows(2).map(atom).filter(|atom| !atom.readers.is_empty()).collect()
}

/// Bits in all ranks together.
fn crossing_bits(atoms: &[Atom], ranks: &[u32], stages: u32) -> u32 {
    let bits = |atom: &Atom| {
        let last = atom.readers.iter().map(|reader| reader.rank(ranks).min(stages)).max().unwrap_or(0);
        atom.width * last.saturating_sub(ranks[atom.node])
    };
    atoms.iter().map(bits).sum()
}

/// The network in which one rank is placed.
struct Cut {
    network: DiGraph<(), u32>,
    before: NodeIndex,
    behind: NodeIndex,
    /// The nodes that can be on either side.
    movable: Vec<(NodeId, NodeIndex)>,
    rank: u32,
}

impl Cut {
    fn new(netlist: &Netlist, timing: &Timing, atoms: &[Atom], ranks: &[u32], rank: u32, bound: Time) -> Cut {
        let mut network = DiGraph::new();
        let (before, behind) = (network.add_node(()), network.add_node(()));
        let is_near = |id: &NodeId| ranks[*id] + 1 == rank || ranks[*id] == rank;
        let near: Vec<NodeId> = timing.computing().filter(is_near).collect();
        let fixed = sides(netlist, timing, &near, bound);
        let mut places: Vec<Option<NodeIndex>> = vec![None; netlist.nodes.len()];
        let mut movable = vec![];
        for (&id, fixed) in near.iter().zip(fixed) {
            places[id] = Some(match fixed {
                Some(Side::Before) => before,
                Some(Side::Behind) => behind,
                None => network.add_node(()),
            });
            movable.extend(fixed.is_none().then(|| (id, places[id].expect("just set"))));
        }
        let mut cut = Cut { network, before, behind, movable, rank };
        let place = |id: NodeId| places[id].unwrap_or(if ranks[id] < rank { before } else { behind });
        for atom in atoms.iter().filter(|atom| place(atom.node) != behind) {
            let reader = |reader: &Reader| match reader {
                Reader::Node(id) => place(*id),
                Reader::Output => behind,
            };
            cut.cross(place(atom.node), atom.width, atom.readers.iter().map(reader));
        }
        for &id in &near {
            for read in reads_of(netlist, id) {
                cut.edge(place(id), place(read.node), ENDLESS);
            }
        }
        cut
    }

    /// `width` bits cross if a reader is after the rank.
    fn cross(&mut self, from: NodeIndex, width: u32, readers: impl Iterator<Item = NodeIndex>) {
        let bits = self.network.add_node(());
        self.edge(from, bits, width);
        for reader in readers {
            self.edge(bits, reader, ENDLESS);
        }
    }

    fn edge(&mut self, from: NodeIndex, to: NodeIndex, capacity: u32) {
        if from != to && from != self.behind && to != self.before {
            self.network.add_edge(from, to, capacity);
        }
    }

    /// Puts each node on its side of the smallest cut.
    fn apply(&self, ranks: &mut [u32]) {
        let (_, flows) = dinics(&self.network, self.before, self.behind);
        let mut reached = vec![false; self.network.node_count()];
        let mut open = vec![self.before];
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut reached[place.index()], true) {
                continue;
            }
            let onward = self.network.edges(place).filter(|edge| flows[edge.id().index()] < *edge.weight());
            open.extend(onward.map(|edge| edge.target()));
            let back = self.network.edges_directed(place, Direction::Incoming);
            open.extend(back.filter(|edge| flows[edge.id().index()] > 0).map(|edge| edge.source()));
        }
        for &(id, place) in &self.movable {
            ranks[id] = if reached[place.index()] { self.rank - 1 } else { self.rank };
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
}

/// The side of a rank on which each node must be, if only one is possible. `near` are the nodes between the ranks before and
/// after it.
fn sides(netlist: &Netlist, timing: &Timing, near: &[NodeId], bound: Time) -> Vec<Option<Side>> {
    let mut arrivals: Vec<Vec<Time>> = vec![vec![]; netlist.nodes.len()];
    let mut deadlines: Vec<Vec<Time>> = vec![vec![]; netlist.nodes.len()];
    for &id in near {
        arrivals[id] = timing.arrival(id, |(source, bit)| arrivals[source].get(bit as usize).copied().unwrap_or(0));
        deadlines[id] = vec![bound; netlist.nodes[id].width as usize];
    }
    let mut is_too_long = vec![false; netlist.nodes.len()];
    for &id in near.iter().rev() {
        let own = std::mem::take(&mut deadlines[id]);
        timing.deadlines(id, &own, |(source, bit), time| {
            is_too_long[id] |= time < 0;
            if let Some(deadline) = deadlines[source].get_mut(bit as usize) {
                *deadline = (*deadline).min(time);
            }
        });
    }
    let side = |&id: &NodeId| match latest(&arrivals[id]) > bound {
        true => Some(Side::Behind),
        false => is_too_long[id].then_some(Side::Before),
    };
    near.iter().map(side).collect()
}
