//! The blocks in rows: those side by side do not read from each other.

use super::diagram::{Block, Diagram, Kind, Line, Net};
use crate::print::layout::wrapped;

/// The width of a character of a title, of a note and of a label, in tenths of a pixel, rounded up.
const TITLE: i32 = 80;
const NOTE: i32 = 66;
const LABEL: i32 = 67;

/// The most characters in a line of a title or a note, if labels do not make the block wider.
const COLUMNS: usize = 32;

/// The widest row of several blocks.
const WIDEST: i32 = 1000;

/// The space between two blocks, and around the text in them.
const GAP: i32 = 40;
const PADDING: i32 = 12;

/// The height of a line of a title, and of a note or a label.
pub const TITLE_LINE: i32 = 17;
pub const LINE: i32 = 14;

/// From a line that leaves a block to its label.
pub const BESIDE: i32 = 5;

/// The place of a block in its row; the middle of the figure is 0.
#[derive(Clone)]
pub struct Place {
    pub row: usize,
    pub left: i32,
    pub width: i32,
    pub title: Vec<String>,
    pub note: Vec<String>,
}

impl Place {
    pub fn right(&self) -> i32 {
        self.left + self.width
    }

    pub fn middle(&self) -> i32 {
        self.left + self.width / 2
    }

    /// The height that the text needs.
    fn height(&self) -> i32 {
        TITLE_LINE * self.title.len() as i32 + LINE * self.note.len() as i32 + 11
    }
}

/// Where blocks are, and where nets leave them.
pub struct Rows {
    /// The blocks in each row.
    pub rows: Vec<Vec<usize>>,
    pub places: Vec<Place>,
    /// For each net, where it leaves its block.
    pub leaves: Vec<i32>,
    /// The height of the blocks of each row, and of the labels below them.
    pub heights: Vec<i32>,
    pub labels: Vec<i32>,
}

impl Rows {
    pub fn new(diagram: &Diagram) -> Rows {
        let mut places: Vec<Place> = (0..diagram.blocks.len()).map(|block| sized(diagram, block)).collect();
        let rows = in_rows(diagram, &places);
        for (row, blocks) in rows.iter().enumerate() {
            let whole: i32 = blocks.iter().map(|&block| places[block].width + GAP).sum();
            let mut left = -(whole - GAP) / 2;
            for &block in blocks {
                (places[block].row, places[block].left) = (row, left);
                left += places[block].width + GAP;
            }
        }
        let largest = |row: &Vec<usize>, size: &dyn Fn(usize) -> i32| row.iter().map(|&block| size(block)).max();
        let height = |row| largest(row, &|block| places[block].height()).unwrap_or(0);
        let lines = |block: usize| nets(diagram, block).map(|(_, net)| net.label.len() as i32).max().unwrap_or(0);
        let heights = rows.iter().map(height).collect();
        let labels = rows.iter().map(|row| LINE * largest(row, &lines).unwrap_or(0)).collect();
        let leaves = leaves(diagram, &places);
        Rows { rows, places, leaves, heights, labels }
    }

    /// The row of the block that a net comes from.
    pub fn row_of(&self, net: &Net) -> usize {
        self.places[net.source].row
    }

    /// The rows with readers of a net, in order.
    pub fn rows_read(&self, net: &Net) -> Vec<usize> {
        let mut rows: Vec<usize> = net.readers.iter().map(|&reader| self.places[reader].row).collect();
        rows.dedup();
        rows
    }

    /// Both ends of each row, from left to right.
    pub fn ends(&self) -> [i32; 2] {
        let places = || self.places.iter();
        [places().map(|place| place.left).min().unwrap_or(0), places().map(Place::right).max().unwrap_or(0)]
    }
}

/// The nets that come from a block, with their numbers.
fn nets(diagram: &Diagram, block: usize) -> impl Iterator<Item = (usize, &Net)> {
    diagram.nets.iter().enumerate().filter(move |(_, net)| net.source == block)
}

/// The width of a net below its block, with its label.
fn column(net: &Net) -> i32 {
    let characters = net.label.iter().map(Line::characters).max().unwrap_or(0);
    BESIDE + characters as i32 * LABEL / 10 + PADDING
}

/// A block with its size; its place is not known yet.
fn sized(diagram: &Diagram, block: usize) -> Place {
    let Block { kind, title, note } = &diagram.blocks[block];
    let (kind, below) = (*kind, nets(diagram, block).map(|(_, net)| column(net)).sum::<i32>());
    if matches!(kind, Kind::Input | Kind::Output) {
        let characters = (title.len() + note.len()) as i32;
        let width = (characters * LABEL / 10 + 2 * PADDING).max(48);
        return Place { row: 0, left: 0, width, title: vec![format!("{title}{note}")], note: vec![] };
    }
    let entering = diagram.nets.iter().filter(|net| net.readers.contains(&block)).count() as i32;
    let wide = below.max(14 * entering);
    let lines = |text: &str, character: i32| match text {
        "" => vec![],
        text => wrapped(text.split(' '), "", "", COLUMNS.max(((wide - 2 * PADDING) * 10 / character).max(0) as usize)),
    };
    let (title, note) = (lines(title, TITLE), lines(note, NOTE));
    let widest =
        |lines: &[String], character: i32| lines.iter().map(|line| line.chars().count() as i32 * character / 10).max();
    let text = widest(&title, TITLE).max(widest(&note, NOTE)).unwrap_or(0) + 2 * PADDING;
    Place { row: 0, left: 0, width: text.max(wide), title, note }
}

/// The rows: operands, sections in the order of the text, results.
fn in_rows(diagram: &Diagram, places: &[Place]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = vec![];
    for (block, Block { kind, .. }) in diagram.blocks.iter().enumerate() {
        match rows.last_mut() {
            Some(row) if can_join(diagram, places, row, block, *kind) => row.push(block),
            _ => rows.push(vec![block]),
        }
    }
    rows
}

/// Whether a block can stand beside those of a row: it does not read from them, and there is space. Ports have rows of their own, and a
/// rank of registers is alone.
fn can_join(diagram: &Diagram, places: &[Place], row: &[usize], block: usize, kind: Kind) -> bool {
    let first = diagram.blocks[row[0]].kind;
    let is_port = |kind| matches!(kind, Kind::Input | Kind::Output);
    let reads = |source: usize| nets(diagram, source).any(|(_, net)| net.readers.contains(&block));
    let width: i32 = row.iter().map(|&other| places[other].width + GAP).sum::<i32>() + places[block].width;
    match (first, kind) {
        (Kind::Rank, _) | (_, Kind::Rank) => false,
        _ if is_port(first) || is_port(kind) => first == kind,
        _ => width <= WIDEST && !row.iter().any(|&source| reads(source)),
    }
}

/// Where each net leaves its block: at the left of its label, and the labels in the middle of the block.
fn leaves(diagram: &Diagram, places: &[Place]) -> Vec<i32> {
    let mut leaves = vec![0; diagram.nets.len()];
    for (block, place) in places.iter().enumerate() {
        let whole: i32 = nets(diagram, block).map(|(_, net)| column(net)).sum();
        let mut left = place.middle() - whole / 2;
        for (number, net) in nets(diagram, block) {
            leaves[number] = if net.label.is_empty() { left + column(net) / 2 } else { left + PADDING / 2 };
            left += column(net);
        }
    }
    leaves
}
