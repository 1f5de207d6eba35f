//! Pipelining: from a netlist and a number of stages to ranks of registers and the segments between them.
//!
//! Each node has a rank: the number of register ranks before it. A value that is read at a later rank goes through a
//! register in each rank between. So every path from an operand to a result passes every rank once, and `N` ranks make `N +
//! 1` segments.
//!
//! A netlist with registers of its own, which are state, keeps its meaning: results come `N` clocks later, and the state
//! changes in the order of the operands. A register and all nodes from it to its next value are in one segment.
//!
//! | file | contents |
//! |---|---|
//! | `delay.rs` | the delay model: the delay of each operator |
//! | `timing.rs` | arrival times, bit by bit |
//! | `reads.rs` | the readers of each bit |
//! | `loops.rs` | nodes that must be in one segment: those from a register to its next value |
//! | `place.rs` | the rank of each node: the shortest longest segment |
//! | `split.rs` | splits operators that take longer than a segment |
//! | `cut.rs` | minimizes register bits, by minimum cuts |
//! | `target.rs` | nanoseconds on an FPGA, and the ranks that a clock frequency needs |
//! | `segments.rs` | the registers with their names, and the netlists between them |

mod cut;
mod delay;
mod loops;
mod place;
mod reads;
mod segments;
mod split;
mod target;
#[cfg(test)]
mod tests;
mod timing;

pub use crate::clock::MAX_STAGES;
pub use delay::{Delays, Time};
pub use target::Speed;

use crate::{Netlist, NodeId};
use loops::Loops;
pub(crate) use reads::is_wiring;
use timing::Timing;

/// A netlist with ranks of registers in it.
#[derive(Clone)]
pub struct Pipeline {
    /// Ranks of registers: the latency in clock cycles.
    pub stages: u32,
    /// The pipelined netlist: that of the unit, with operators that take longer than a segment split.
    pub netlist: Netlist,
    /// For each node, the number of ranks before it.
    pub ranks: Vec<u32>,
    /// All registers of the ranks except the valid bits, rank by rank.
    pub registers: Vec<RankRegister>,
    /// For each register of `netlist`, which is state, the number of its segment. It takes its next value at a clock edge with
    /// `en` high and operands in that segment: `in_valid` indicates this for segment 0, the valid bit of rank `s` for segment
    /// `s`.
    pub state_segments: Vec<u32>,
    /// The netlists before, between and after the ranks. The outputs of each are the registers of the next rank and the inputs
    /// of the next netlist, in the same order. Each has the registers of state that are in it, in the order of `netlist`.
    pub segments: Vec<Netlist>,
}

/// Neighbouring bits of a signal in one rank of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankRegister {
    /// The name of the signal, the bits if these are not all, and the rank: `product_21_10_s2`.
    pub name: String,
    /// The rank; the first is 1.
    pub rank: u32,
    /// The signal.
    pub node: NodeId,
    /// The place of the lowest bit in the signal.
    pub low: u32,
    /// The number of bits.
    pub width: u32,
}

impl Pipeline {
    /// Places `stages` ranks of registers before and after the loops of the state, never in them.
    pub fn new(netlist: &Netlist, stages: u32) -> Pipeline {
        let (netlist, ranks) = place::place(netlist, &Delays::LEVELS, stages);
        let state_segments = segments::state_segments(&netlist, &ranks);
        let (registers, segments) = segments::cut(&netlist, &ranks, stages);
        Pipeline { stages, netlist, ranks, registers, state_segments, segments }
    }

    /// The estimated longest path of each segment, in the unit of `delays`.
    pub fn depths(&self, delays: &Delays) -> Vec<Time> {
        Timing::new(&self.netlist, delays).depths(&self.ranks, self.stages)
    }

    /// Estimated depth of each segment in levels of lookup tables.
    pub fn levels(&self) -> Vec<f64> {
        self.depths(&Delays::LEVELS).iter().map(|&depth| depth as f64 / Delays::LEVELS.level as f64).collect()
    }

    /// The estimated longest path through a loop of the state, from registers to their next values, in the unit of `delays`.
    /// No rank can shorten it. `None` without state.
    pub fn loop_depth(&self, delays: &Delays) -> Option<Time> {
        let loops = Loops::new(&self.netlist);
        (loops.count > 0).then(|| Timing::new(&self.netlist, delays).longest_loop(&loops))
    }

    /// A sentence that says that more ranks cannot make the clock faster, if a loop of the state is as long as the longest
    /// segment.
    pub fn limit(&self) -> Option<String> {
        let of_loop = self.loop_depth(&Delays::LEVELS)?;
        let longest = self.depths(&Delays::LEVELS).into_iter().max().unwrap_or(0);
        let levels = of_loop as f64 / Delays::LEVELS.level as f64;
        (of_loop > 0 && of_loop >= longest)
            .then(|| format!("the loop of {levels:.1} levels limits the clock; ranks are only before and behind it"))
    }

    /// The number of one-bit registers, including the valid bits and the state.
    pub fn register_bits(&self) -> u32 {
        let ranks = self.registers.iter().map(|register| register.width);
        self.stages + ranks.chain(self.netlist.registers.iter().map(|register| register.width)).sum::<u32>()
    }
}
