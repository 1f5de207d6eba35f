//! Converts levels to nanoseconds on an FPGA.

use super::delay::{Delays, Time};
use super::place::earliest_ranks;
use super::timing::Timing;
use super::{MAX_STAGES, Pipeline};
use crate::Netlist;

/// The delay of a path on an FPGA, calibrated with place and route (`cargo bench -p binade-synth`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    /// The delays of a level and of a carry, in picoseconds.
    pub delays: Delays,
    /// The time from clock edge to a register's output, and setup at the next, in picoseconds.
    pub register: Time,
}

impl Speed {
    /// Lattice ECP5, speed grade 6.
    pub const ECP5: Speed = Speed { delays: Delays { level: 950, carry: 38 }, register: 1850 };

    /// Lattice iCE40 HX.
    pub const ICE40: Speed = Speed { delays: Delays { level: 1030, carry: 103 }, register: 1850 };

    /// The estimated fastest clock of a pipeline between registers at its ports, in MHz.
    pub fn mhz(&self, pipeline: &Pipeline) -> f64 {
        self.mhz_of(pipeline.depths(&self.delays))
    }

    /// The fewest ranks of registers that reach a clock frequency in MHz, and the frequency that they reach. More ranks are taken to be no
    /// slower, so few numbers of ranks are tried.
    ///
    /// # Errors
    /// If no number of ranks reaches it: the fewest ranks for the fastest clock, and that clock.
    pub fn stages_for(&self, netlist: &Netlist, mhz: f64) -> Result<(u32, f64), (u32, f64)> {
        let exact = |stages: u32| (stages, self.mhz(&Pipeline::new(netlist, stages)));
        let fewest = |mhz: f64| fewest(|stages| self.mhz_before_minimizing(netlist, stages) >= mhz);
        let Some(stages) = fewest(mhz) else {
            let fastest = self.mhz_before_minimizing(netlist, MAX_STAGES);
            return Err(exact(fewest(fastest).unwrap_or(MAX_STAGES)));
        };
        // Where registers are few, a segment can have another longest path.
        let near = (stages.saturating_sub(1)..=MAX_STAGES).map(exact);
        near.into_iter().find(|(_, reached)| *reached >= mhz).ok_or_else(|| exact(MAX_STAGES))
    }

    /// The estimated clock before the register bits are minimized, which takes the most time and changes it little.
    fn mhz_before_minimizing(&self, netlist: &Netlist, stages: u32) -> f64 {
        let (netlist, ranks) = earliest_ranks(netlist, stages);
        let depths = Timing::new(&netlist, &self.delays).depths(&ranks, stages);
        self.mhz_of(depths)
    }

    fn mhz_of(&self, depths: Vec<Time>) -> f64 {
        1e6 / (depths.into_iter().max().unwrap_or(0) + self.register) as f64
    }
}

/// The fewest ranks that suffice, if more than enough suffice as well.
fn fewest(suffices: impl Fn(u32) -> bool) -> Option<u32> {
    if !suffices(MAX_STAGES) {
        return None;
    }
    // Fewer than `low` ranks do not suffice; `high` ranks do.
    let (mut low, mut high) = (0, MAX_STAGES);
    while low < high {
        let middle = low.midpoint(high);
        if suffices(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(high)
}
