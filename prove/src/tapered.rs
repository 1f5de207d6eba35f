//! The regimes of a tapered format, as its definition lists them. Each is a prefix of the code below the sign and a set of
//! consecutive exponents.

use crate::words::{Word, bits_of, choose, literal, plus, sign_extended};
use binade_gates::{Graph, Literal};
use binade_spec::{Posit, Regime};

/// The codes whose bits below the sign begin with one prefix. Exponent bits and fraction follow, as far as there is room.
pub struct Stretch {
    /// Run of `r` ones: `r - 1`. Run of `r` zeros: `-r`. In a takum, `r` or `-1 - r` for a characteristic of `r` bits.
    pub regime: i32,
    /// The prefix, lowest bit first.
    pub prefix: Vec<bool>,
    /// The exponent of the first code with this prefix, without the scale.
    pub first: i128,
    /// Exponent bits, with those for which there is no room.
    pub exponent_bits: usize,
}

/// The stretches of a format.
pub fn stretches(posit: &Posit) -> Vec<Stretch> {
    match posit.regime {
        Regime::Run { exponent_bits, longest } => {
            let longest = longest as i32;
            (-longest..longest).map(|regime| stretch_of_run(regime, longest, exponent_bits as usize)).collect()
        }
        Regime::Takum => (0..16).map(stretch_of_takum).collect(),
    }
}

fn stretch_of_run(regime: i32, longest: i32, exponent_bits: usize) -> Stretch {
    let is_ones = regime >= 0;
    let run = if is_ones { regime + 1 } else { -regime };
    let mut prefix = vec![is_ones; run as usize];
    // The bit that ends the run.
    if run < longest {
        prefix.insert(0, !is_ones);
    }
    Stretch { regime, prefix, first: i128::from(regime) << exponent_bits, exponent_bits }
}

/// The takums whose direction bit and regime field are the number `head`. With `r` bits, the characteristics begin at `2^r - 1`
/// or at `1 - 2^(r + 1)`.
fn stretch_of_takum(head: i32) -> Stretch {
    let is_high = head >= 8;
    let r = if is_high { head - 8 } else { 7 - head };
    Stretch {
        regime: if is_high { r } else { -1 - r },
        prefix: (0..4).map(|bit| head >> bit & 1 == 1).collect(),
        first: if is_high { (1 << r) - 1 } else { 1 - (2 << r) },
        exponent_bits: r as usize,
    }
}

/// The bit string below the sign of `2^exponent * 1.fraction`: whether the exponent belongs to a stretch, the first `kept` bits,
/// and whether any bit below them is 1.
pub fn bit_string(
    graph: &mut Graph,
    posit: &Posit,
    exponent: &[Literal],
    fraction: &[Literal],
    kept: usize,
) -> (Literal, Word, Literal) {
    let (mut belongs, mut string, mut sticky) = (Literal::FALSE, vec![Literal::FALSE; kept], Literal::FALSE);
    let stretches = stretches(posit);
    let widest = stretches.iter().map(|stretch| bits_of(stretch.first)).max().unwrap_or(0);
    let exponent = sign_extended(exponent, exponent.len().max(widest) + 1);
    for stretch in stretches {
        let place = plus(graph, &exponent, -stretch.first);
        let (low, high) = place.split_at(stretch.exponent_bits);
        let is_here = !graph.any(high);
        let prefix: Word = stretch.prefix.iter().map(|&bit| literal(bit)).collect();
        let whole = [fraction, low, &prefix].concat();
        let whole = [vec![Literal::FALSE; kept.saturating_sub(whole.len())], whole].concat();
        let (rest, first) = whole.split_at(whole.len() - kept);
        let rest = graph.any(rest);
        belongs = graph.or(belongs, is_here);
        string = choose(graph, is_here, first, &string);
        sticky = graph.mux(is_here, rest, sticky);
    }
    (belongs, string, sticky)
}
