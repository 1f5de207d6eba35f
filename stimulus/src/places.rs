//! The lanes of the ports of a vector.

use crate::words::{bits_of_limbs, put_bits};
use binade_spec::Word;
use binade_spec::{Content, Port};

/// One lane of a port.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The index of the port.
    pub port: usize,
    /// The lane, from 0 in the lowest bits.
    pub lane: u32,
    /// Whether the port has several lanes.
    pub is_one_of_many: bool,
    /// The position of the lane's lowest bit in the port.
    low: u32,
    /// Bits of the lane.
    pub width: u32,
    /// The content of the lane.
    pub content: Content,
}

impl Place {
    /// The same lane with this content.
    pub fn with_content(self, content: Content) -> Place {
        Place { content, ..self }
    }

    /// The lane's lowest 128 bits, from the limbs of the port's word.
    pub fn low_bits_of(&self, word: &[u64]) -> u128 {
        let bits = |start: u32| match self.width.saturating_sub(start).min(u64::BITS) {
            0 => 0,
            width => u128::from(bits_of_limbs(word, self.low + start, width)),
        };
        bits(0) | bits(u64::BITS) << u64::BITS
    }

    /// Writes a code or word into the limbs of the port's word, over zeros.
    pub fn put(&self, code: u128, word: &mut [u64]) {
        for start in (0..self.width.min(u128::BITS)).step_by(64) {
            let width = u64::BITS.min(self.width - start);
            let bits = (code >> start) as u64 & u64::MAX >> (u64::BITS - width);
            put_bits(word, self.low + start, width, bits);
        }
    }

    /// These bits of a word, in Verilog.
    pub fn bits(&self, word: &str) -> String {
        self.lowest_bits(word, self.width)
    }

    /// The lowest `width` of these bits of a word, in Verilog.
    pub fn lowest_bits(&self, word: &str, width: u32) -> String {
        format!("{word}[{}:{}]", self.low + width - 1, self.low)
    }

    /// The port's name, with the index of the lane if there are several.
    pub fn name(&self, port: &str) -> String {
        if self.is_one_of_many { format!("{port}[{}]", self.lane) } else { port.into() }
    }
}

/// The lanes of all ports.
pub fn places(ports: &[Port]) -> Vec<Place> {
    let of_port = |(at, port): (usize, &Port)| {
        let (lanes, width, content) = (port.lanes, port.lane_width(), port.content);
        let place = move |lane| Place { port: at, lane, is_one_of_many: lanes > 1, low: lane * width, width, content };
        (0..lanes).map(place)
    };
    ports.iter().enumerate().flat_map(of_port).collect()
}

/// The words of the lanes.
pub fn split(places: &[Place], words: &[Word]) -> Vec<Word> {
    places.iter().map(|place| low_bits(&words[place.port] >> place.low, place.width)).collect()
}

fn low_bits(word: Word, width: u32) -> Word {
    if word.bits() <= u64::from(width) { word } else { word & ((Word::from(1_u32) << width) - 1_u32) }
}

/// The words of the ports with these lanes.
pub fn join(places: &[Place], lanes: &[Word]) -> Vec<Word> {
    let ports = places.last().map_or(0, |place| place.port + 1);
    let mut words = vec![Word::ZERO; ports];
    for (place, lane) in places.iter().zip(lanes) {
        words[place.port] |= lane << place.low;
    }
    words
}
