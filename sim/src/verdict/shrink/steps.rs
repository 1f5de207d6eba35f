//! Vectors that are a small step away from a given one.

use binade_golden::{Codec, Exact, Value};
use binade_spec::Word;
use binade_spec::word::low_bits;
use binade_spec::{Content, Format, Overflow};
use binade_stimulus::Place;

/// Up to this many lanes, every pair is changed together; beyond it, only pairs among this many nonzero lanes.
const PAIRED_LANES: usize = 8;

/// For each lane, the words that are one step away.
pub fn steps(places: &[Place], lanes: &[Word]) -> Vec<Vec<Word>> {
    places.iter().zip(lanes).map(|(place, word)| neighbours(place, word)).collect()
}

/// The vectors that differ from `lanes` in one lane, or have a block of lanes set to zero.
pub fn single_steps(lanes: &[Word], steps: &[Vec<Word>]) -> Vec<Vec<Word>> {
    let changed = |at: usize| steps[at].iter().map(move |word| with(lanes, at, word));
    (0..lanes.len()).flat_map(changed).chain(emptied(lanes)).collect()
}

/// The vectors with a block of 2, 4, .. lanes set to zero.
fn emptied(lanes: &[Word]) -> impl Iterator<Item = Vec<Word>> {
    let count = lanes.len();
    let sizes = (1..).map(|power| 1 << power).take_while(move |&size: &usize| count > PAIRED_LANES && size < count);
    let blocks = sizes.flat_map(move |size| (0..count).step_by(size).map(move |start| start..count.min(start + size)));
    blocks.map(|block| {
        let mut emptied = lanes.to_vec();
        emptied[block].fill(Word::ZERO);
        emptied
    })
}

/// The vectors that differ from `lanes` in two lanes.
pub fn double_steps(lanes: &[Word], steps: &[Vec<Word>]) -> Vec<Vec<Word>> {
    let mut paired: Vec<usize> = (0..lanes.len()).collect();
    if paired.len() > PAIRED_LANES {
        paired.retain(|&at| lanes[at].bits() > 0);
        paired.truncate(PAIRED_LANES);
    }
    let pairs = paired
        .iter()
        .enumerate()
        .flat_map(|(count, second)| paired[..count].iter().map(move |first| (*first, *second)));
    pairs
        .flat_map(|(first, second)| {
            let firsts = steps[first].iter().map(move |word| with(lanes, first, word));
            firsts.flat_map(move |vector| {
                steps[second].iter().map(move |word| with(&vector, second, word)).collect::<Vec<_>>()
            })
        })
        .collect()
}

fn with(lanes: &[Word], at: usize, word: &Word) -> Vec<Word> {
    let mut changed = lanes.to_vec();
    changed[at].clone_from(word);
    changed
}

/// Words one step away from `word`, among them simpler ones.
fn neighbours(place: &Place, word: &Word) -> Vec<Word> {
    let one = Word::from(1_u32);
    if place.width > u64::BITS && matches!(place.content, Content::Word { .. }) {
        return wide_neighbours(place.width, word);
    }
    let mut steps: Vec<Word> = ones(place.width, word).map(|bit| word ^ (&one << bit)).collect();
    steps.extend([Word::ZERO, one]);
    match place.content {
        Content::Code(format) => steps.extend(neighbouring_codes(&format, low_bits(word)).into_iter().map(Word::from)),
        Content::Chosen { .. } => steps.extend((1..place.width).map(|bits| word >> bits)),
        Content::Word { width, .. } => steps.extend((1..width).map(|bits| word >> bits)),
    }
    steps
}

/// The positions of the ones of a word.
fn ones(width: u32, word: &Word) -> impl Iterator<Item = u32> {
    (0..width).filter(|&bit| word.bit(bit.into()))
}

/// For wide words: blocks of bits cleared, and shifts by powers of two.
fn wide_neighbours(width: u32, word: &Word) -> Vec<Word> {
    let one = Word::from(1_u32);
    let sizes = (0..=width.ilog2()).rev().map(|power| 1_u32 << power);
    let blocks = sizes.clone().flat_map(|size| (0..width).step_by(size as usize).map(move |low| (low, size)));
    let cleared = blocks.filter_map(|(low, size)| {
        let mask = ((&one << size) - &one) << low;
        let block = word & mask;
        (block.bits() > 0).then(|| word ^ block)
    });
    let mut steps: Vec<Word> = cleared.collect();
    steps.extend([Word::ZERO, one.clone()]);
    steps.extend(sizes.map(|bits| word >> bits));
    steps
}

fn neighbouring_codes(format: &Format, code: u128) -> Vec<u128> {
    let encode = |value| format.encode(value, format.default_rounding(), Overflow::Saturate);
    let one = |negative| encode(Value::Finite(Exact { negative, n: 1, k: 0 }));
    let mut steps = vec![format.zero_code(false), format.zero_code(true), one(false), one(true), format.negated(code)];
    steps.extend(format.infinity_code().into_iter().chain(format.nan_code()));
    let Value::Finite(exact) = format.decode(code) else { return steps };

    // The significand truncated at each bit, with the next larger one.
    let (magnitude, is_negative) = (format.magnitude(code), exact.negative);
    let cut = |places: u32| magnitude >> places << places;
    let cuts = (1..format.magnitude_bits()).flat_map(|places| [cut(places), cut(places) + (1 << places)]);
    let finite = cuts.filter(|magnitude| (1..=format.max_code()).contains(magnitude));
    steps.extend(finite.map(|magnitude| format.code(is_negative, magnitude)));

    // The exponent changed, if the format has that value.
    let distances = (0..16).flat_map(|power| [1 << power, -(1 << power)]).chain([-exact.exponent()]);
    let moved = distances.map(|distance| Value::Finite(Exact { k: exact.k + distance, ..exact }));
    let in_range =
        |value: &Value| matches!(value, Value::Finite(exact) if i64::from(exact.exponent().abs()) <= reach(format));
    steps.extend(
        moved
            .filter(in_range)
            .map(|value| (encode(value), value))
            .filter(|&(code, value)| format.decode(code) == value)
            .map(|(code, _)| code),
    );
    steps
}

/// The largest distance of a value's exponent from 0.
fn reach(format: &Format) -> i64 {
    format.max_exponent().abs().max(format.min_exponent().abs())
}
