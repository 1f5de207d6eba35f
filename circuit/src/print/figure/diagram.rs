//! Blocks, and the nets between them.

use std::collections::{BTreeMap, BTreeSet};

/// What a figure shows.
pub struct Diagram {
    /// In the order of the text: each block reads only from blocks before it.
    pub blocks: Vec<Block>,
    pub nets: Vec<Net>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An operand of the unit.
    Input,
    Section,
    /// The values that registers have.
    State,
    /// A rank of registers.
    Rank,
    /// A result of the unit.
    Output,
}

pub struct Block {
    pub kind: Kind,
    pub title: String,
    /// Text below the title; may be empty.
    pub note: String,
}

/// A signal that a block hands on.
pub struct Handed {
    pub name: String,
    pub width: u32,
    /// The block that makes it.
    pub source: usize,
    /// The other blocks that read it.
    pub readers: BTreeSet<usize>,
}

/// Signals from one block to the same blocks.
pub struct Net {
    pub source: usize,
    pub readers: Vec<usize>,
    /// The lines of its label, each a name and a width.
    pub label: Vec<Line>,
    /// Whether all signals are single bits.
    pub is_thin: bool,
}

/// A line of a label: a name, and what stands after it in grey.
pub struct Line {
    pub name: String,
    pub after: String,
}

impl Line {
    pub fn characters(&self) -> usize {
        self.name.chars().count() + self.after.chars().count()
    }
}

/// The most lines of a label.
const LINES: usize = 3;

impl Diagram {
    /// The signals that have readers, as nets.
    pub fn new(blocks: Vec<Block>, signals: Vec<Handed>) -> Diagram {
        let mut together: BTreeMap<(usize, BTreeSet<usize>), Vec<Handed>> = BTreeMap::new();
        for signal in signals.into_iter().filter(|signal| !signal.readers.is_empty()) {
            together.entry((signal.source, signal.readers.clone())).or_default().push(signal);
        }
        let net = |((source, readers), signals): ((usize, BTreeSet<usize>), Vec<Handed>)| Net {
            source,
            readers: readers.into_iter().collect(),
            is_thin: signals.iter().all(|signal| signal.width == 1),
            label: if blocks[source].kind == Kind::Input { vec![] } else { label(signals) },
        };
        let nets = together.into_iter().map(net).collect();
        Diagram { blocks, nets }
    }
}

/// The widest signals by name, and the number of the others.
fn label(mut signals: Vec<Handed>) -> Vec<Line> {
    signals.sort_by_key(|signal| std::cmp::Reverse(signal.width));
    let shown = if signals.len() > LINES { LINES - 1 } else { LINES };
    let line = |signal: &Handed| Line { name: signal.name.clone(), after: width(signal.width) };
    let rest = signals.get(shown..).unwrap_or_default();
    let more = match rest {
        [] => None,
        _ if rest[0].width == 1 => Some(format!("+ {} bits", rest.len())),
        _ => Some(format!("+ {} more", rest.len())),
    };
    let more = more.map(|after| Line { name: String::new(), after });
    signals.iter().take(shown).map(line).chain(more).collect()
}

/// A width as at a bus: `/8`; nothing for a single bit.
pub fn width(bits: u32) -> String {
    if bits == 1 { String::new() } else { format!(" /{bits}") }
}
