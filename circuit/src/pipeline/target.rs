//! Converts levels to nanoseconds on an FPGA.

use super::delay::{Delays, Time};
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
        let longest = pipeline.depths(&self.delays).into_iter().max().unwrap_or(0);
        1e6 / (longest + self.register) as f64
    }

    /// The fewest ranks of registers that reach a clock frequency in MHz, and the frequency that they reach.
    ///
    /// # Errors
    /// If no number of ranks reaches it: the fewest ranks for the fastest clock, and that clock.
    pub fn stages_for(&self, netlist: &Netlist, mhz: f64) -> Result<(u32, f64), (u32, f64)> {
        let mut best = (0, 0.0);
        for stages in 0..=MAX_STAGES {
            let reached = self.mhz(&Pipeline::new(netlist, stages));
            if reached >= mhz {
                return Ok((stages, reached));
            }
            if reached > best.1 {
                best = (stages, reached);
            }
        }
        Err(best)
    }
}
