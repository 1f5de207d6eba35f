//! Runs of equal pieces that read successive lanes of the same signals: they are printed as a loop, or as two nested loops.
//!
//! ```text
//!   multiply_0 reads a[7:0], multiply_1 reads a[15:8], ..  ->  for lane: multiply reads a[8*lane +: 8]
//! ```
//!
//! The outputs of such pieces lie side by side in one signal, so that pieces that read it may also be a run.

use super::group::Group;
use super::piece::{MIN_PIECES, Piece, PieceRead};
use crate::{MAX_WIDTH, Netlist, NodeId, Op};
use rustc_hash::{FxHashMap, FxHashSet};

/// The pieces of a loop, or a single piece.
pub struct Run {
    /// The pieces, by their numbers among the instances.
    pub pieces: Vec<usize>,
    /// The number of iterations of each loop, the outer loop first; none for a single piece.
    pub counts: Vec<usize>,
}

/// The source of an input of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Node(NodeId),
    /// An output of pieces, by their group or run and the node in each of them.
    Lanes(usize, NodeId),
}

/// An output of a piece.
struct Handed {
    group: usize,
    /// The number of the piece in its group.
    place: usize,
    /// The node in the piece.
    node: NodeId,
    width: u32,
}

/// Neighbouring pieces of a group that may be a run.
#[derive(Clone)]
struct Candidate {
    group: usize,
    begin: usize,
    end: usize,
    counts: Vec<usize>,
}

/// All pieces in runs, except those in `alone`.
pub fn runs(netlist: &Netlist, groups: &[Group], alone: &FxHashSet<usize>) -> Vec<Run> {
    let mut runs = Runs::new(netlist, groups, alone);
    while runs.separate() {}
    let run = |Candidate { group, begin, end, counts }: Candidate| {
        let pieces = groups[group].pieces[begin..end].iter().map(|piece| piece.instance).collect();
        Run { pieces, counts }
    };
    runs.candidates.into_iter().map(run).collect()
}

struct Runs<'a> {
    netlist: &'a Netlist,
    groups: &'a [Group],
    handed: FxHashMap<NodeId, Handed>,
    candidates: Vec<Candidate>,
    /// The candidate that each piece of each group is in.
    places: Vec<Vec<usize>>,
}

impl<'a> Runs<'a> {
    fn new(netlist: &'a Netlist, groups: &'a [Group], alone: &FxHashSet<usize>) -> Runs<'a> {
        let mut handed = FxHashMap::default();
        for (number, group) in groups.iter().enumerate() {
            for (node, (place, piece)) in
                group.outputs().into_iter().flat_map(|node| group.pieces.iter().enumerate().map(move |at| (node, at)))
            {
                let width = piece.netlist.nodes[node].width;
                handed.insert(piece.origins[node], Handed { group: number, place, node, width });
            }
        }
        let mut runs = Runs { netlist, groups, handed, candidates: vec![], places: vec![] };
        runs.candidates = (0..groups.len()).flat_map(|group| runs.candidates_of(group, alone)).collect();
        runs
    }

    /// Neighbours that read the same signals.
    fn candidates_of(&self, group: usize, alone: &FxHashSet<usize>) -> Vec<Candidate> {
        let pieces = &self.groups[group].pieces;
        let sources: Vec<Vec<Source>> = pieces
            .iter()
            .map(|piece| piece.inputs.iter().map(|read| self.source(*read, |handed| (handed.group, 0)).0).collect())
            .collect();
        let mut candidates: Vec<Candidate> = vec![];
        for (at, piece) in pieces.iter().enumerate() {
            match candidates.last_mut() {
                Some(last)
                    if sources[last.begin] == sources[at]
                        && !alone.contains(&piece.instance)
                        && !alone.contains(&pieces[last.begin].instance) =>
                {
                    last.end = at + 1;
                }
                _ => candidates.push(Candidate { group, begin: at, end: at + 1, counts: vec![] }),
            }
        }
        candidates
    }

    /// Finds the loops of each candidate, and separates candidates without loops into their pieces. Returns whether it
    /// separated any, because others may read them.
    fn separate(&mut self) -> bool {
        self.places = self.groups.iter().map(|group| vec![0; group.pieces.len()]).collect();
        for (number, Candidate { group, begin, end, .. }) in self.candidates.iter().enumerate() {
            self.places[*group][*begin..*end].fill(number);
        }
        let before = self.candidates.len();
        let separated = self.candidates.iter().flat_map(|candidate| match self.counts(candidate) {
            Some(counts) => vec![Candidate { counts, ..candidate.clone() }],
            None => (candidate.begin..candidate.end)
                .map(|begin| Candidate { begin, end: begin + 1, counts: vec![], ..*candidate })
                .collect(),
        });
        self.candidates = separated.collect();
        self.candidates.len() > before
    }

    /// The loops of the pieces; none for a single piece.
    fn counts(&self, candidate: &Candidate) -> Option<Vec<usize>> {
        let group = &self.groups[candidate.group];
        let pieces = &group.pieces[candidate.begin..candidate.end];
        let widest = group.outputs().into_iter().map(|node| pieces[0].netlist.nodes[node].width).max();
        match pieces.len() {
            1 => Some(vec![]),
            0..MIN_PIECES => None,
            count if widest.is_some_and(|width| width as usize * count > MAX_WIDTH as usize) => None,
            _ => {
                let inputs = 0..pieces[0].inputs.len();
                let places: Option<Vec<Vec<usize>>> = inputs.map(|input| self.bits(pieces, input)).collect();
                loops(pieces.len(), &places?)
            }
        }
    }

    /// The lowest of the bits that each piece reads, if all are bits of one signal.
    fn bits(&self, pieces: &[Piece], input: usize) -> Option<Vec<usize>> {
        let in_run = |handed: &Handed| {
            let run = self.places[handed.group][handed.place];
            (run, handed.place - self.candidates[run].begin)
        };
        let read: Vec<(Source, usize)> = pieces.iter().map(|piece| self.source(piece.inputs[input], in_run)).collect();
        let bits: Vec<usize> = read.iter().map(|(_, low)| *low).collect();
        let is_one = read.iter().all(|(source, _)| *source == read[0].0);
        let width = pieces[0].inputs[input].width as usize;
        (is_one && self.are_in_lanes(read[0].0, &bits, width)).then_some(bits)
    }

    /// Whether bits of a port with lanes are whole lanes, or the same part of each lane.
    fn are_in_lanes(&self, source: Source, bits: &[usize], width: usize) -> bool {
        let Source::Node(node) = source else { return true };
        let Op::Input(input) = self.netlist.nodes[node].op else { return true };
        let port = &self.netlist.inputs[input];
        let lane = (port.width / port.lanes) as usize;
        let are_whole = width.is_multiple_of(lane) && bits.iter().all(|low| low.is_multiple_of(lane));
        let are_alike = bits.iter().all(|low| low % lane == bits[0] % lane) && bits[0] % lane + width <= lane;
        port.lanes == 1 || are_whole || are_alike
    }

    /// The signal that bits belong to, and the place of the lowest; `run_of` gives the run of a piece and its place in
    /// it.
    fn source(&self, read: PieceRead, run_of: impl Fn(&Handed) -> (usize, usize)) -> (Source, usize) {
        let PieceRead { mut node, low, .. } = read;
        let mut low = low as usize;
        loop {
            if let Some(handed) = self.handed.get(&node) {
                let (run, place) = run_of(handed);
                return (Source::Lanes(run, handed.node), place * handed.width as usize + low);
            }
            match self.netlist.nodes[node].op {
                Op::Slice { of, low: begin } => (node, low) = (of, low + begin as usize),
                _ => return (Source::Node(node), low),
            }
        }
    }
}

/// The loops in which all places go up by constant steps: one loop, or two nested loops.
fn loops(pieces: usize, places: &[Vec<usize>]) -> Option<Vec<usize>> {
    let inner = (2..=pieces).rev().filter(|inner| pieces.is_multiple_of(*inner));
    let are_regular = |inner: &usize| places.iter().all(|places| is_regular(places, *inner));
    inner
        .filter(are_regular)
        .map(|inner| if inner == pieces { vec![pieces] } else { vec![pieces / inner, inner] })
        .next()
}

/// Whether places go up by one constant step in the inner loop, and by another in the outer loop.
fn is_regular(places: &[usize], inner: usize) -> bool {
    let [step, outer] = [1, inner].map(|next| places.get(next).map_or(Some(0), |next| next.checked_sub(places[0])));
    let (Some(step), Some(outer)) = (step, outer) else { return false };
    places.iter().enumerate().all(|(at, place)| *place == places[0] + outer * (at / inner) + step * (at % inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_go_up_by_steps_are_loops() {
        assert_eq!(loops(4, &[vec![0, 8, 16, 24], vec![3, 3, 3, 3]]), Some(vec![4]));
        assert_eq!(loops(6, &[vec![0, 0, 0, 8, 8, 8], vec![1, 3, 5, 1, 3, 5]]), Some(vec![2, 3]));
        assert_eq!(loops(6, &[vec![0, 0, 0, 8, 8, 8], vec![0, 1, 0, 1, 0, 1]]), None);
        assert_eq!(loops(3, &[vec![2, 1, 0]]), None);
        assert_eq!(loops(3, &[vec![0, 1, 3]]), None);
        assert_eq!(loops(3, &[]), Some(vec![3]));
    }
}
