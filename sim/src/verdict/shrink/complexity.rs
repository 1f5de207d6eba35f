//! How complex a vector is.

use binade_golden::{Codec, Value};
use binade_spec::Word;
use binade_spec::word::low_bits;
use binade_spec::{Content, Format, Port};
use binade_stimulus::{Place, places, split};

/// The complexity of a vector. Complexities are compared item by item, and less is simpler.
///
/// 1. Classes of the operands, summed over their lanes: 0 for +0 or a zero word, 1 for a one, 2 for -0, another number or a
///    word, 3 for an infinity, 4 for NaN.
/// 2. Bits from the leading to the last one of all significands (for words: bits up to the leading one).
/// 3. Ones among them.
/// 4. Distances of the exponents from 0.
/// 5. Negative operands.
/// 6. The codes themselves, so that no two vectors are equally simple.
pub fn complexity(ports: &[Port], vector: &[Word]) -> ([u64; 5], Vec<Word>) {
    let places = places(ports);
    complexity_of_lanes(&places, split(&places, vector))
}

/// The complexity of a vector, given the words of all its lanes; see [`complexity`].
pub(super) fn complexity_of_lanes(places: &[Place], lanes: Vec<Word>) -> ([u64; 5], Vec<Word>) {
    let mut sums = [0; 5];
    for (place, word) in places.iter().zip(&lanes) {
        let terms = match place.content {
            Content::Code(format) => complexity_of_code(&format, low_bits(word)),
            Content::Chosen { .. } | Content::Word { .. } => {
                [if word.bits() == 0 { 0 } else { 2 }, word.bits(), word.count_ones(), 0, 0]
            }
        };
        sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }
    (sums, lanes)
}

fn complexity_of_code(format: &Format, code: u128) -> [u64; 5] {
    match format.decode(code) {
        Value::Zero { negative } => [if negative { 2 } else { 0 }, 0, 0, 0, u64::from(negative)],
        Value::Finite(exact) => {
            let is_one = exact.precision() == 1 && exact.exponent() == 0;
            let class = if is_one { 1 } else { 2 };
            let distance = u64::from(exact.exponent().unsigned_abs());
            [class, exact.precision().into(), exact.n.count_ones().into(), distance, exact.negative.into()]
        }
        Value::Infinite { negative } => [3, 0, 0, 0, negative.into()],
        // Among NaNs, the one with the fewest ones is simplest.
        Value::Nan => [4, 0, code.count_ones().into(), 0, 0],
    }
}
