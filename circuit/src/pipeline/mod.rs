//! Registers in a unit: from a netlist and a number of stages to ranks of registers and what lies between.
//!
//! Each node has a rank, the number of register ranks that its value has passed when it is computed; a value that is read at
//! a later rank goes through a register in each rank between. So every path from an operand to a result passes every rank
//! once, and `N` ranks make `N + 1` segments.
//!
//! A netlist with registers of its own, which are state, keeps its meaning: results come `N` clocks later, and state changes in
//! the order of the operands. A register and all that lies between it and what it holds next are in one segment.
//!
//! | file | what it holds |
//! |---|---|
//! | `delay.rs` | the delay model: how long each operator takes |
//! | `timing.rs` | arrival times, bit by bit |
//! | `reads.rs` | who reads which bits of what |
//! | `loops.rs` | what has to be in one segment: a register and what lies between it and what it holds next |
//! | `place.rs` | the rank of each node: the shortest longest segment |
//! | `split.rs` | operators that take longer than a segment, in parts |
//! | `cut.rs` | few register bits, by minimum cuts |
//! | `target.rs` | nanoseconds on an FPGA, and how many ranks a clock needs |
//! | `segments.rs` | the registers with their names, and the netlists between |

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
    /// What the ranks are ranks of: the unit's netlist, with operators in parts that take longer than a segment.
    pub netlist: Netlist,
    /// For each node, how many ranks lie before it.
    pub ranks: Vec<u32>,
    /// All registers of the ranks but the valid bits, rank by rank.
    pub registers: Vec<RankRegister>,
    /// For each register of `netlist`, which is state, the number of the segment that it is in. It takes over what it holds
    /// next at a clock edge at which `en` is high and operands are in that segment: `in_valid` says so for segment 0, the valid
    /// bit of rank `s` for segment `s`.
    pub state_segments: Vec<u32>,
    /// The netlists before, between and behind the ranks. The outputs of one are the registers of the next rank and the inputs
    /// of the next one, in the same order. Each has those of the state's registers that are in it, in the order of `netlist`.
    pub segments: Vec<Netlist>,
}

/// Some neighbouring bits of a signal in one rank of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankRegister {
    /// The name of the signal, the bits if it is not all of them, and the rank: `product_21_10_s2`.
    pub name: String,
    /// The rank, 1 the first.
    pub rank: u32,
    /// The signal.
    pub node: NodeId,
    /// The place of the lowest bit in the signal.
    pub low: u32,
    /// How many bits there are.
    pub width: u32,
}

impl Pipeline {
    /// Places `stages` ranks of registers: before and behind loops of the state, never in them.
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

    /// The estimated longest path through a loop of the state, from registers to what they hold next, in the unit of `delays`:
    /// no rank makes it shorter. Nothing without state.
    pub fn loop_depth(&self, delays: &Delays) -> Option<Time> {
        let loops = Loops::new(&self.netlist);
        (loops.count > 0).then(|| Timing::new(&self.netlist, delays).longest_loop(&loops))
    }

    /// Whether a loop of the state is as long as the longest segment, so that more ranks make the clock no faster: a sentence
    /// that says so.
    pub fn limit(&self) -> Option<String> {
        let of_loop = self.loop_depth(&Delays::LEVELS)?;
        let longest = self.depths(&Delays::LEVELS).into_iter().max().unwrap_or(0);
        let levels = of_loop as f64 / Delays::LEVELS.level as f64;
        (of_loop > 0 && of_loop >= longest)
            .then(|| format!("the loop of {levels:.1} levels limits the clock; ranks are only before and behind it"))
    }

    /// One-bit registers, those of the valid bits and of the state included.
    pub fn register_bits(&self) -> u32 {
        let ranks = self.registers.iter().map(|register| register.width);
        self.stages + ranks.chain(self.netlist.registers.iter().map(|register| register.width)).sum::<u32>()
    }
}
