//! Where the registers go: the shortest longest segment first, then few register bits.

use super::cut::fewest_bits;
use super::delay::Time;
use super::timing::{Timing, latest};
use crate::circuit::Netlist;

/// The rank of each node: after how many ranks of registers it is computed. Wiring has the rank of the last bit it carries.
pub fn place(netlist: &Netlist, timing: &Timing, stages: u32) -> Vec<u32> {
    let (bound, mut ranks) = shortest(netlist, timing, stages);
    fewest_bits(netlist, timing, stages, bound, &mut ranks);
    for id in 0..netlist.nodes.len() {
        ranks[id] = timing.sources(id).map(|(source, _)| ranks[source]).max().unwrap_or(0);
    }
    ranks
}

/// The smallest bound on the segments with which `stages` ranks suffice, and the earliest ranks within it.
fn shortest(netlist: &Netlist, timing: &Timing, stages: u32) -> (Time, Vec<u32>) {
    let slowest = timing.computing().map(|id| timing.alone(id)).max().unwrap_or(0);
    let whole = latest(&timing.depths(&vec![0; netlist.nodes.len()], 0));
    let mut best = earliest(netlist, timing, whole).expect("one segment takes all");
    // `low` is too short a bound, or as short as a single operator; `high` suffices.
    let (mut low, mut high) = (slowest - 1, whole);
    while high - low > 1 {
        let middle = low.midpoint(high);
        match earliest(netlist, timing, middle) {
            Some(ranks) if ranks.iter().all(|&rank| rank <= stages) => (best, high) = (ranks, middle),
            _ => low = middle,
        }
    }
    (high, best)
}

/// The earliest rank of each node if no segment is longer than `bound`; none if an operator alone is.
fn earliest(netlist: &Netlist, timing: &Timing, bound: Time) -> Option<Vec<u32>> {
    let mut ranks = vec![0; netlist.nodes.len()];
    let mut arrivals: Vec<Vec<Time>> = netlist.nodes.iter().map(|node| vec![0; node.width as usize]).collect();
    for id in timing.computing() {
        let operands = netlist.nodes[id].op.operands();
        let rank = operands.iter().flat_map(|&id| timing.sources(id)).map(|(id, _)| ranks[id]).max().unwrap_or(0);
        let at = |(source, bit): (usize, u32)| if ranks[source] == rank { arrivals[source][bit as usize] } else { 0 };
        let mut arrival = timing.arrival(id, at);
        ranks[id] = rank;
        if latest(&arrival) > bound {
            ranks[id] = rank + 1;
            arrival = timing.arrival(id, |_| 0);
            if latest(&arrival) > bound {
                return None;
            }
        }
        arrivals[id] = arrival;
    }
    Some(ranks)
}
