//! The horizontal lines of the nets: each space between two rows has tracks, in an order with few crossings.

use super::diagram::Diagram;
use super::rows::Rows;
use super::wires::Wires;

/// The vertical distance of two tracks, of the first one from the labels above, and of the last one from the blocks below.
const TRACK: i32 = 9;
const ABOVE: i32 = 6;
const BELOW: i32 = 16;

/// The least horizontal distance of two lines on a track.
const APART: i32 = 8;

/// A net in a space: its vertical lines, and the track that joins them.
#[derive(Clone)]
pub struct Crossing {
    pub net: usize,
    /// The line from above.
    pub enters: i32,
    /// The lines that go down, from left to right.
    pub leaves: Vec<i32>,
    pub track: usize,
}

impl Crossing {
    pub fn left(&self) -> i32 {
        self.leaves[0].min(self.enters)
    }

    pub fn right(&self) -> i32 {
        self.leaves[self.leaves.len() - 1].max(self.enters)
    }

    fn spans(&self, x: i32) -> bool {
        self.left() < x && x < self.right()
    }

    fn overlaps(&self, other: &Crossing) -> bool {
        self.left() - APART < other.right() && other.left() - APART < self.right()
    }

    /// The number of crossings if this net is on a track above the other's.
    fn crossings_above(&self, other: &Crossing) -> usize {
        usize::from(self.spans(other.enters)) + self.leaves.iter().filter(|x| other.spans(**x)).count()
    }

    /// The places of this track where three lines or more meet.
    pub fn joints(&self) -> Vec<i32> {
        let lines = |x: i32| {
            let down = self.leaves.contains(&x);
            [x == self.enters, down, self.left() < x, x < self.right()].into_iter().filter(|is| *is).count()
        };
        let mut ends = self.leaves.clone();
        ends.push(self.enters);
        ends.sort_unstable();
        ends.dedup();
        ends.into_iter().filter(|x| lines(*x) > 2).collect()
    }
}

/// The nets in each space, and the heights of everything.
pub struct Tracks {
    pub crossings: Vec<Vec<Crossing>>,
    /// The top of each row; the last number is the bottom of the last row.
    pub tops: Vec<i32>,
    /// The height of the first track of each space.
    firsts: Vec<i32>,
}

impl Tracks {
    pub fn new(diagram: &Diagram, rows: &Rows, wires: &Wires) -> Tracks {
        let spaces = 0..rows.rows.len() - 1;
        let crossings: Vec<Vec<Crossing>> =
            spaces.map(|space| ordered(in_space(diagram, rows, wires, space))).collect();
        let (mut tops, mut firsts) = (vec![0], vec![]);
        for (row, nets) in crossings.iter().enumerate() {
            let tracks = nets.iter().map(|net| net.track as i32).max().unwrap_or(0);
            let first = tops[row] + rows.heights[row] + rows.labels[row] + ABOVE;
            firsts.push(first);
            tops.push(first + TRACK * tracks + BELOW);
        }
        tops.push(tops[tops.len() - 1] + rows.heights[rows.heights.len() - 1]);
        Tracks { crossings, tops, firsts }
    }

    pub fn height(&self, space: usize, track: usize) -> i32 {
        self.firsts[space] + TRACK * track as i32
    }
}

/// The nets with lines in a space, those that pass it without a reader left out.
fn in_space(diagram: &Diagram, rows: &Rows, wires: &Wires, space: usize) -> Vec<Crossing> {
    let mut found = vec![];
    for (number, net) in diagram.nets.iter().enumerate() {
        let ends = wires.ends[space].iter().filter(|(of, ..)| *of == number).map(|(.., x)| *x);
        let mut leaves: Vec<i32> = ends.collect();
        let begins = rows.row_of(net) == space;
        if !begins && leaves.is_empty() {
            continue;
        }
        let goes_on = rows.rows_read(net).into_iter().any(|row| row > space + 1);
        leaves.extend(wires.trunks[number].filter(|_| goes_on));
        leaves.sort_unstable();
        let enters = wires.enters(rows, &diagram.nets, number, space);
        found.push(Crossing { net: number, enters, leaves, track: 0 });
    }
    found
}

/// Puts nets on tracks: neighbors change places while that takes crossings away, then each goes as high as it can.
fn ordered(mut nets: Vec<Crossing>) -> Vec<Crossing> {
    for _ in 0..nets.len() {
        for at in 1..nets.len() {
            if nets[at].crossings_above(&nets[at - 1]) < nets[at - 1].crossings_above(&nets[at]) {
                nets.swap(at - 1, at);
            }
        }
    }
    for at in 0..nets.len() {
        if nets[at].left() == nets[at].right() {
            continue;
        }
        let above = nets[..at].iter().filter(|above| above.left() < above.right() && above.overlaps(&nets[at]));
        nets[at].track = above.map(|above| above.track + 1).max().unwrap_or(0);
    }
    nets
}
