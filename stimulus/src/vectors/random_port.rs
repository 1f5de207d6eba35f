//! Random words of one port.

use super::corners::lane_edges;
use crate::words::{put_bits, top_mask};
use binade_spec::word::limbs;
use binade_spec::{Content, Port};
use rand::Rng;

/// Generates random words of a port, uniform or at the edges of its content.
pub(super) struct RandomPort {
    lanes: u32,
    lane_width: u32,
    edges: Edges,
}

/// The edges of a lane.
enum Edges {
    /// Codes or words of up to 64 bits.
    Narrow(Vec<u64>),
    /// Codes of up to 128 bits.
    Codes(Vec<u128>),
    /// Wider words, which have so many edges that they are generated one by one.
    Words,
}

impl RandomPort {
    pub fn new(port: &Port) -> RandomPort {
        let (lanes, lane_width) = (port.lanes, port.lane_width());
        let edges = match port.content {
            _ if lane_width <= u64::BITS => {
                Edges::Narrow(lane_edges(port.content).into_iter().map(|word| word as u64).collect())
            }
            Content::Code(_) | Content::Chosen { .. } => Edges::Codes(lane_edges(port.content)),
            Content::Word { .. } => Edges::Words,
        };
        RandomPort { lanes, lane_width, edges }
    }

    /// Appends the limbs of `count` uniform words.
    pub fn push_uniform(&self, count: usize, random: &mut impl Rng, column: &mut Vec<u64>) {
        let width = self.lanes * self.lane_width;
        let (limbs, mask) = (limbs(width), top_mask(width));
        if limbs == 1 {
            return column.extend((0..count).map(|_| random.next_u64() & mask));
        }
        for _ in 0..count {
            column.extend((0..limbs).map(|_| random.next_u64()));
            *column.last_mut().expect("a word has limbs") &= mask;
        }
    }

    /// Appends the limbs of `count` words at edges; with several lanes, about half of the lanes are at edges.
    pub fn push_edges(&self, count: usize, random: &mut impl Rng, column: &mut Vec<u64>) {
        if let (1, Edges::Narrow(edges)) = (self.lanes, &self.edges) {
            return column.extend((0..count).map(|_| *pick(edges, random.next_u64())));
        }
        let limbs = limbs(self.lanes * self.lane_width);
        for _ in 0..count {
            let start = column.len();
            column.resize(start + limbs, 0);
            for lane in 0..self.lanes {
                let is_uniform = self.lanes > 1 && random.next_u64() >> 63 == 1;
                self.put_lane(&mut column[start..], lane * self.lane_width, is_uniform, random);
            }
        }
    }

    /// Writes a lane, at an edge or uniform, into the word of the port from bit `low` up.
    fn put_lane(&self, word: &mut [u64], low: u32, is_uniform: bool, random: &mut impl Rng) {
        let width = self.lane_width;
        match &self.edges {
            _ if is_uniform => put(word, low, width, |_| random.next_u64()),
            Edges::Narrow(edges) => put_bits(word, low, width, *pick(edges, random.next_u64())),
            Edges::Codes(edges) => {
                let code = *pick(edges, random.next_u64());
                put(word, low, width, |bit| (code >> bit) as u64);
            }
            Edges::Words => put_wide_edge(word, low, width, random),
        }
    }
}

/// Writes `width` bits into a word from `low` up; `bits` returns those from a given bit on.
fn put(word: &mut [u64], low: u32, width: u32, mut bits: impl FnMut(u32) -> u64) {
    for start in (0..width).step_by(64) {
        let part = u64::BITS.min(width - start);
        put_bits(word, low + start, part, bits(start) & u64::MAX >> (u64::BITS - part));
    }
}

/// Writes an edge of `width` bits into a word from `low` up: a single one or a single zero, or a run of ones at either
/// end.
fn put_wide_edge(word: &mut [u64], low: u32, width: u32, random: &mut impl Rng) {
    let number = random.next_u64();
    let place = (((number >> 32) * u64::from(width)) >> 32) as u32;
    let is_one = |bit: u32| match number & 3 {
        0 => bit == place,
        1 => bit != place,
        2 => bit < place,
        _ => bit >= place,
    };
    put(word, low, width, |start| (0..64).fold(0, |bits, bit| bits | u64::from(is_one(start + bit)) << bit));
}

/// An element selected by the high half of `random`.
fn pick<Code>(codes: &[Code], random: u64) -> &Code {
    &codes[(((random >> 32) * codes.len() as u64) >> 32) as usize]
}
