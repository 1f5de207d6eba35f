//! Places the registers: first minimizes the longest segment, then the register bits.

use super::cut::fewest_bits;
use super::delay::{Delays, Time};
use super::loops::Loops;
use super::reads::reads_of;
use super::split::split;
use super::timing::{Timing, latest};
use crate::Netlist;

/// A netlist with the rank of each node: the number of ranks before it. Operators that take longer than a segment are split.
/// Wiring has the rank of the last bit it carries.
pub fn place(netlist: &Netlist, delays: &Delays, stages: u32) -> (Netlist, Vec<u32>) {
    let (bound, netlist, mut ranks) = shortest(netlist, delays, stages, 1);
    let timing = Timing::new(&netlist, delays);
    fewest_bits(&netlist, &timing, stages, bound, &mut ranks);
    for id in 0..netlist.nodes.len() {
        ranks[id] = timing.sources(id).map(|(source, _)| ranks[source]).max().unwrap_or(0);
    }
    (netlist, ranks)
}

/// The netlist and the ranks of its operators before the register bits are minimized: each as early as possible. The longest segment can be
/// longer by a fiftieth of a level than it must be.
pub fn earliest_ranks(netlist: &Netlist, stages: u32) -> (Netlist, Vec<u32>) {
    let (_, netlist, ranks) = shortest(netlist, &Delays::LEVELS, stages, Delays::LEVELS.level / 50);
    (netlist, ranks)
}

/// The smallest bound on the segments for which `stages` ranks suffice, to within `tolerance`, and the earliest ranks within this bound.
fn shortest(netlist: &Netlist, delays: &Delays, stages: u32, tolerance: Time) -> (Time, Netlist, Vec<u32>) {
    let timing = Timing::new(netlist, delays);
    let one_segment = vec![0; netlist.nodes.len()];
    // `low` is too small a bound; `high` suffices.
    let (mut low, mut high) = (-1, latest(&timing.depths(&one_segment, 0)));
    let mut best = (netlist.clone(), one_segment);
    while high - low > tolerance {
        let middle = low.midpoint(high);
        let placed = match split(netlist, &timing, delays, middle) {
            None => earliest(netlist, &timing, stages, middle).map(|ranks| (netlist.clone(), ranks)),
            Some(parts) => earliest(&parts, &Timing::new(&parts, delays), stages, middle).map(|ranks| (parts, ranks)),
        };
        match placed.filter(|(_, ranks)| ranks.iter().all(|&rank| rank <= stages)) {
            Some(placed) => (best, high) = (placed, middle),
            None => low = middle,
        }
    }
    (high, best.0, best.1)
}

/// The earliest rank of each node if no segment is longer than `bound`; `None` if an operator or a loop alone is
/// longer.
fn earliest(netlist: &Netlist, timing: &Timing, stages: u32, bound: Time) -> Option<Vec<u32>> {
    let loops = Loops::new(netlist);
    // All nodes of a loop have one rank. It rises until it is late enough for each of them.
    let mut loop_ranks = vec![0; loops.count];
    while loop_ranks.iter().all(|&rank| rank <= stages) {
        let ranks = earliest_outside(netlist, timing, &loops, &loop_ranks, bound)?;
        let before = loop_ranks.clone();
        for id in timing.computing() {
            let Some(of) = loops.of(id) else { continue };
            let read = reads_of(netlist, id).into_iter().map(|read| ranks[read.node]);
            loop_ranks[of] = read.chain([ranks[id], loop_ranks[of]]).max().unwrap_or(0);
        }
        if loop_ranks == before {
            return Some(ranks);
        }
    }
    None
}

/// The earliest rank of each node, for loops that are not before these ranks.
fn earliest_outside(
    netlist: &Netlist,
    timing: &Timing,
    loops: &Loops,
    loop_ranks: &[u32],
    bound: Time,
) -> Option<Vec<u32>> {
    let mut ranks = vec![0; netlist.nodes.len()];
    let mut arrivals: Vec<Vec<Time>> = netlist.nodes.iter().map(|node| vec![0; node.width as usize]).collect();
    for id in timing.computing() {
        let operands = netlist.nodes[id].op.operands();
        let of_operands = operands.iter().flat_map(|&id| timing.sources(id)).map(|(id, _)| ranks[id]);
        let rank = of_operands.chain(loops.of(id).map(|of| loop_ranks[of])).max().unwrap_or(0);
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
