//! Quotients and roots, digit after digit: restoring division and its kin. Each row keeps an invariant: with the
//! digits so far `q` and the remainder `r`, the dividend is `q * divisor + r`, and `r` is less than the divisor; or the
//! radicand is `q * q + r`, and `r` is at most `2 * q`. The tests check the results against integer arithmetic.

use crate::words::{Word, choose, difference, raised, resized, sum};
use binade_gates::{Graph, Literal};

/// `digits` binary digits of a result, the lowest first, and whether there is a remainder.
pub struct Digits {
    /// The digits, as a number.
    pub word: Word,
    /// Whether the remainder is not zero.
    pub sticky: Literal,
}

/// The digits of `dividend / divisor`, words of the same length with a leading 1: one in front of the point and `places`
/// behind it.
pub fn quotient(graph: &mut Graph, dividend: &[Literal], divisor: &[Literal], places: usize) -> Digits {
    let width = divisor.len() + 1;
    // Without its last digit the dividend is less than the divisor.
    let mut remainder = dividend[1..].to_vec();
    let mut quotient = vec![];
    for digit in [dividend[0]].into_iter().chain([Literal::FALSE].repeat(places)) {
        let row = resized(&[vec![digit], remainder].concat(), width);
        let rest = difference(graph, &row, &resized(divisor, width));
        let is_reached = !rest[width - 1];
        remainder = choose(graph, is_reached, &rest, &row)[..width - 1].to_vec();
        quotient.insert(0, is_reached);
    }
    Digits { word: quotient, sticky: graph.any(&remainder) }
}

/// `count` digits of the root of a number that has two digits in front of the point and `places` behind it, and of which
/// the two in front are not both 0. The first digit is the one in front of the root's point.
pub fn root(graph: &mut Graph, radicand: &[Literal], count: usize) -> Digits {
    let pad = radicand.len() % 2;
    let digits = [vec![Literal::FALSE; pad], radicand.to_vec()].concat();
    let mut pairs = digits.chunks(2).rev().map(<[Literal]>::to_vec);
    let (mut remainder, mut root): (Word, Word) = (vec![], vec![]);
    for _ in 0..count {
        let pair = pairs.next().unwrap_or(vec![Literal::FALSE; 2]);
        // 4r and two more digits, less 4q + 1.
        let width = root.len() + 4;
        let row = resized(&[pair, remainder].concat(), width);
        let trial = resized(&[vec![Literal::TRUE, Literal::FALSE], root.clone()].concat(), width);
        let rest = difference(graph, &row, &trial);
        let is_reached = !rest[width - 1];
        remainder = choose(graph, is_reached, &rest, &row)[..root.len() + 2].to_vec();
        root.insert(0, is_reached);
    }
    let more: Word = pairs.flatten().collect();
    let rest = graph.any(&remainder);
    let more = graph.any(&more);
    Digits { word: root, sticky: graph.or(rest, more) }
}

/// `count` digits behind the point of `1 / sqrt(m)`, where `m` has two digits in front of the point, which are not both
/// 0. For `m = 1` they are all 1, and there is a remainder.
///
/// With the digits `q` so far, after `k` places, the remainder is `(1 - q^2 m) * 2^(2k)`.
pub fn reciprocal_root(graph: &mut Graph, radicand: &[Literal], count: usize) -> Digits {
    let places = radicand.len() - 2;
    // 1, in units of the radicand's last place, and q * m.
    let mut remainder = raised(&[Literal::TRUE], places);
    let (mut product, mut root): (Word, Word) = (vec![Literal::FALSE], vec![]);
    for _ in 0..count {
        let width = remainder.len().max(product.len()).max(radicand.len()) + 3;
        let row = resized(&raised(&remainder, 2), width);
        let trial = sum(graph, &resized(&raised(&product, 2), width), &resized(radicand, width));
        let rest = difference(graph, &row, &trial);
        let is_reached = !rest[width - 1];
        let double = raised(&product, 1);
        let bits = double.len().max(radicand.len()) + 1;
        let added: Word = radicand.iter().map(|&bit| graph.and(bit, is_reached)).collect();
        remainder = choose(graph, is_reached, &rest, &row);
        product = sum(graph, &resized(&double, bits), &resized(&added, bits));
        root.insert(0, is_reached);
        // q m < 2^(k + 2) in its units; the remainder is at most twice that and m.
        let bits = root.len() + radicand.len();
        product.truncate(bits);
        remainder.truncate(bits + 2);
    }
    Digits { word: root, sticky: graph.any(&remainder) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::simulated;
    use binade_gates::counting;

    /// The digits and the sticky bit for every input of `bits` bits.
    fn all(bits: u32, digits: impl FnOnce(&mut Graph, &[Literal]) -> Digits) -> Vec<(u64, bool)> {
        let mut graph = Graph::new([bits]);
        let input = graph.inputs()[0].clone();
        let Digits { word, sticky } = digits(&mut graph, &input);
        let mut results = vec![];
        for block in 0..(1_u64 << bits).div_ceil(64) {
            let sources: Vec<u64> = (0..bits).map(|place| counting(block, place)).collect();
            let values = simulated(graph.gates(), &sources);
            let bit = |literal: Literal, lane: u32| {
                (values[literal.node()] ^ if literal.is_inverted() { u64::MAX } else { 0 }) >> lane & 1
            };
            results.extend((0..64).map(|lane| {
                let number = word.iter().rev().fold(0, |number, &digit| number << 1 | bit(digit, lane));
                (number, bit(sticky, lane) == 1)
            }));
        }
        results.truncate(1 << bits);
        results
    }

    /// A significand: its fraction below a leading 1.
    fn significand(fraction: &[Literal]) -> Word {
        [fraction.to_vec(), vec![Literal::TRUE]].concat()
    }

    #[test]
    fn quotients() {
        for (fraction, places) in [(0_u32, 3_u32), (3, 4), (4, 7)] {
            let bits = 2 * fraction;
            let results = all(bits, |graph, input| {
                let (a, b) = input.split_at(fraction as usize);
                quotient(graph, &significand(a), &significand(b), places as usize)
            });
            for (input, &(digits, sticky)) in (0..).zip(&results) {
                let [a, b] = [input & ((1 << fraction) - 1), input >> fraction].map(|part: u64| part | 1 << fraction);
                assert_eq!((digits, sticky), ((a << places) / b, (a << places) % b > 0), "{a} / {b}");
            }
        }
    }

    /// The digits are those of the largest number whose square is not above the radicand.
    #[test]
    fn roots() {
        for (places, count) in [(2_u32, 6_u32), (5, 4), (6, 7), (6, 2)] {
            for (input, &(digits, sticky)) in
                (0..).zip(&all(places + 2, |graph, input| root(graph, input, count as usize)))
            {
                if input >> places == 0 {
                    continue;
                }
                // The root has `count - 1` digits behind the point.
                let radicand = u128::from(input as u64) << (2 * (count - 1));
                let square = |digits: u64| (u128::from(digits) * u128::from(digits)) << places;
                assert!(square(digits) <= radicand && square(digits + 1) > radicand, "root of {input}: {digits}");
                assert_eq!(sticky, square(digits) != radicand, "root of {input}");
            }
        }
    }

    #[test]
    fn reciprocal_roots() {
        for (places, count) in [(2_u32, 6_u32), (5, 4), (6, 7)] {
            let results = all(places + 2, |graph, input| reciprocal_root(graph, input, count as usize));
            for (input, &(digits, sticky)) in (0..).zip(&results) {
                if input >> places == 0 || input == 1 << places {
                    continue;
                }
                let one = 1_u128 << (2 * count + places);
                let product = |digits: u64| u128::from(digits) * u128::from(digits) * u128::from(input as u64);
                assert!(product(digits) <= one && product(digits + 1) > one, "1 / root of {input}: {digits}");
                assert_eq!(sticky, product(digits) != one, "1 / root of {input}");
            }
        }
    }
}
