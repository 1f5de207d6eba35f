//! The values of a codebook's codes, by tables.

use crate::words::{Word, choose, constant};
use binade_gates::{Graph, Literal};
use binade_spec::{Codebook, Family, Listed};

/// The entry of a table at a word, whose bits select from the highest down.
pub fn table(graph: &mut Graph, at: &[Literal], width: usize, entry: impl Fn(u128) -> u128) -> Word {
    let mut words: Vec<Word> = (0..1_u128 << at.len()).map(|code| constant(entry(code) as i128, width)).collect();
    for &bit in at {
        words = words.chunks(2).map(|pair| choose(graph, bit, &pair[1], &pair[0])).collect();
    }
    words.swap_remove(0)
}

/// Whether a code is NaN, infinite, zero and negative.
pub fn class(graph: &mut Graph, codebook: &Codebook, code: &[Literal]) -> [Literal; 4] {
    let kinds: [fn(Listed) -> bool; 4] = [
        |value| value == Listed::Nan,
        |value| matches!(value, Listed::Infinity { .. }),
        |value| matches!(value, Listed::Zero { .. }),
        Listed::is_negative,
    ];
    kinds.map(|is| table(graph, code, 1, |code| u128::from(is(codebook.value(code))))[0])
}

/// The significand of a number with its leading 1 on top, and the exponent of its last place in a word of this width.
pub fn parts(graph: &mut Graph, codebook: &Codebook, code: &[Literal], width: usize) -> [Word; 2] {
    let precision = codebook.precision();
    let parts = |code| match codebook.value(code) {
        Listed::Number { n, k, .. } => {
            let zeros = precision - (u64::BITS - n.leading_zeros());
            (u128::from(n) << zeros, k - zeros as i32)
        }
        Listed::Zero { .. } | Listed::Infinity { .. } | Listed::Nan => (0, 0),
    };
    let significand = table(graph, code, precision as usize, |code| parts(code).0);
    [significand, table(graph, code, width, |code| i128::from(parts(code).1) as u128)]
}

/// Ascends with the magnitudes of both signs; 0 for zero.
pub fn rank(codebook: &Codebook, code: u128) -> u128 {
    let magnitude = |value: Listed| match value {
        Listed::Zero { .. } | Listed::Nan => None,
        Listed::Number { n, k, .. } => Some((k + n.ilog2() as i32, n << n.leading_zeros())),
        Listed::Infinity { .. } => Some((i32::MAX, 0)),
    };
    let mut below: Vec<(i32, u64)> = codebook.values.iter().filter_map(|value| magnitude(*value)).collect();
    below.sort_unstable();
    below.dedup();
    magnitude(codebook.value(code)).map_or(0, |own| 1 + below.iter().filter(|other| **other < own).count() as u128)
}
