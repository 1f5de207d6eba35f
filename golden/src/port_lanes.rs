//! Words of ports, split into lanes: state machines compute in 128-bit lanes, however wide the ports are. A wider lane
//! is split into several of these, lowest bits first.

use crate::Bits;
use binade_spec::word::word_of_limbs;
use binade_spec::{Port, Word, word};

/// Bits of a lane.
const LANE_BITS: u32 = u128::BITS;

/// The lanes of all ports, port by port, the first lane of each first.
pub(crate) fn split<'p, W: Bits>(ports: &'p [Port], words: impl Iterator<Item = W> + 'p) -> impl Iterator<Item = u128> {
    ports.iter().zip(words).flat_map(|(port, word)| places(port).map(move |(low, width)| word.field(low, width)))
}

/// The lowest bit and the width of each lane of a port.
fn places(port: &Port) -> impl Iterator<Item = (u32, u32)> {
    let width = port.lane_width();
    let parts = move |lane| (0..width).step_by(LANE_BITS as usize).map(move |low| (lane * width + low, width - low));
    (0..port.lanes).flat_map(parts).map(|(low, width)| (low, width.min(LANE_BITS)))
}

/// The number of lanes.
pub(crate) fn count(ports: &[Port]) -> usize {
    ports.iter().map(lanes_of).sum()
}

fn lanes_of(port: &Port) -> usize {
    port.lanes as usize * port.lane_width().div_ceil(LANE_BITS) as usize
}

/// Writes the limbs of each port's word, given the lanes of all ports.
pub(crate) fn store<'l>(ports: &[Port], mut lanes: &[u128], words: impl Iterator<Item = &'l mut [u64]>) {
    for (port, limbs) in ports.iter().zip(words) {
        let (own, rest) = lanes.split_at(lanes_of(port));
        lanes = rest;
        limbs.fill(0);
        own.iter().zip(places(port)).for_each(|(&lane, (low, _))| put(lane, low, limbs));
    }
}

/// The words of all ports.
pub(crate) fn join(ports: &[Port], lanes: &[u128]) -> Vec<Word> {
    let mut words: Vec<Vec<u64>> = ports.iter().map(|port| vec![0; word::limbs(port.width())]).collect();
    store(ports, lanes, words.iter_mut().map(Vec::as_mut_slice));
    words.iter().map(|limbs| word_of_limbs(limbs)).collect()
}

/// Writes a lane over zeros, from bit `low` up.
fn put(lane: u128, low: u32, limbs: &mut [u64]) {
    let (first, shift) = ((low / u64::BITS) as usize, low % u64::BITS);
    let low_bits = lane << shift;
    let above = if shift == 0 { 0 } else { lane >> (u128::BITS - shift) };
    let parts = [low_bits as u64, (low_bits >> u64::BITS) as u64, above as u64];
    limbs[first..].iter_mut().zip(parts).for_each(|(limb, part)| *limb |= part);
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::WordKind;

    /// The same for words of wide lanes.
    #[test]
    fn wide_lanes_come_back() {
        for width in [129, 144, 256, 1000] {
            let ports = [Port { lanes: 2, ..Port::word("p", width, WordKind::Digits) }];
            let word = (Word::from(3_u8) << (2 * width - 2)) + (Word::from(0x1234_u16) << (width - 5)) + 9_u8;
            let lanes: Vec<u128> = split(&ports, [word.clone()].into_iter()).collect();
            assert_eq!(lanes.len(), count(&ports), "{width} bits");
            assert_eq!(join(&ports, &lanes), [word], "{width} bits");
        }
    }

    /// Lanes of every width, across limb boundaries, survive a round trip through words.
    #[test]
    fn lanes_come_back() {
        for width in 1..=128 {
            let port = |lanes| Port { lanes, ..Port::word("p", width, WordKind::Digits) };
            let ports = [port(5), port(1), port(9)];
            let mask = u128::MAX >> (128 - width);
            let lanes: Vec<u128> = (1..=count(&ports) as u128).map(|at| (at * (u128::MAX / 47)) & mask).collect();
            let words = join(&ports, &lanes);
            assert_eq!(split(&ports, words.iter().cloned()).collect::<Vec<_>>(), lanes, "{width} bits");
        }
    }
}
