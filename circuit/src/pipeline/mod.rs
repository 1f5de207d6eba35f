//! Registers in a unit: from a combinational netlist and a number of stages to ranks of registers and what lies between.
//!
//! Each node has a rank, the number of register ranks that its value has passed when it is computed; a value that is read at
//! a later rank goes through a register in each rank between. So every path from an operand to a result passes every rank
//! once, and `N` ranks make `N + 1` segments.
//!
//! | file | what it holds |
//! |---|---|
//! | `delay.rs` | the delay model: how long each operator takes |
//! | `timing.rs` | arrival times, bit by bit |
//! | `reads.rs` | who reads which bits of what |
//! | `place.rs` | the rank of each node: the shortest longest segment |
//! | `split.rs` | operators that take longer than a segment, in parts |
//! | `cut.rs` | few register bits, by minimum cuts |
//! | `target.rs` | nanoseconds on an FPGA, and how many ranks a clock needs |
//! | `segments.rs` | the registers with their names, and the netlists between |

mod cut;
mod delay;
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
use timing::Timing;

/// A netlist with ranks of registers in it.
pub struct Pipeline {
    /// Ranks of registers: the latency in clock cycles.
    pub stages: u32,
    /// What the ranks are ranks of: the unit's netlist, with operators in parts that take longer than a segment.
    pub netlist: Netlist,
    /// For each node, how many ranks lie before it.
    pub ranks: Vec<u32>,
    /// All registers but the valid bits, rank by rank.
    pub registers: Vec<Register>,
    /// The combinational netlists before, between and behind the ranks. The outputs of one are the registers of the next rank
    /// and the inputs of the next one, in the same order.
    pub segments: Vec<Netlist>,
}

/// Some neighbouring bits of a signal in one rank of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// The name of the signal, the bits if it is not all of them, and the rank: `product_21_10_s2`.
    pub name: String,
    /// From 1.
    pub rank: u32,
    /// The signal.
    pub node: NodeId,
    /// The lowest of its bits.
    pub low: u32,
    /// Bits.
    pub width: u32,
}

impl Pipeline {
    /// Places `stages` ranks of registers in a netlist that has none.
    pub fn new(netlist: &Netlist, stages: u32) -> Pipeline {
        assert!(netlist.registers.is_empty(), "no ranks are placed in a netlist with registers yet");
        let (netlist, ranks) = place::place(netlist, &Delays::LEVELS, stages);
        let (registers, segments) = segments::cut(&netlist, &ranks, stages);
        Pipeline { stages, netlist, ranks, registers, segments }
    }

    /// The estimated longest path of each segment, in the unit of `delays`.
    pub fn depths(&self, delays: &Delays) -> Vec<Time> {
        Timing::new(&self.netlist, delays).depths(&self.ranks, self.stages)
    }

    /// Estimated depth of each segment in levels of lookup tables.
    pub fn levels(&self) -> Vec<f64> {
        self.depths(&Delays::LEVELS).iter().map(|&depth| depth as f64 / Delays::LEVELS.level as f64).collect()
    }

    /// One-bit registers, those of the valid bits included.
    pub fn register_bits(&self) -> u32 {
        self.stages + self.registers.iter().map(|register| register.width).sum::<u32>()
    }
}
