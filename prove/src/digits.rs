//! Quotients and roots, digit after digit: restoring division and its kin. Each row keeps its invariant, which the tests
//! check: with the digits so far `q` and the remainder `r`, the dividend is `q * divisor + r`, and `r` is less than the
//! divisor; or the radicand is `q * q + r`, and `r` is at most `2 * q`.

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
