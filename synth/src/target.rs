//! The targets to which a unit can be mapped.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A target of Yosys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// No technology: two-input gates, and an AND-inverter graph.
    Generic,
    /// Lattice iCE40: 4-input LUTs and a carry chain.
    Ice40,
    /// Lattice ECP5: 4-input LUTs, wide multiplexers and a two-bit carry cell.
    Ecp5,
    /// AMD (Xilinx) 7 series: 6-input LUTs and a four-bit carry cell.
    Xc7,
    /// Lattice iCE40 UltraPlus (UP5K), with DSP blocks.
    #[serde(rename = "up5k-dsp")]
    Up5kDsp,
    /// Lattice ECP5, with DSP blocks.
    #[serde(rename = "ecp5-dsp")]
    Ecp5Dsp,
    /// AMD (Xilinx) 7 series, with DSP blocks.
    #[serde(rename = "xc7-dsp")]
    Xc7Dsp,
    /// Intel (Altera) Cyclone V: adaptive logic modules (ALMs).
    Cyclonev,
    /// The standard cells of a [`Library`](crate::liberty::Library).
    Liberty,
}

/// Why a target needs a library.
pub(crate) const NEEDS_LIBRARY: &str = "a unit is mapped to standard cells by its library";

impl Target {
    /// Every target, in the order of a report.
    pub const ALL: [Target; 9] = [
        Target::Generic,
        Target::Ice40,
        Target::Ecp5,
        Target::Xc7,
        Target::Up5kDsp,
        Target::Ecp5Dsp,
        Target::Xc7Dsp,
        Target::Cyclonev,
        Target::Liberty,
    ];

    /// The targets that need no library.
    pub const BUILT_IN: [Target; 8] = [
        Target::Generic,
        Target::Ice40,
        Target::Ecp5,
        Target::Xc7,
        Target::Up5kDsp,
        Target::Ecp5Dsp,
        Target::Xc7Dsp,
        Target::Cyclonev,
    ];

    /// The target with its DSP blocks, if it has such; for iCE40 the device that has them.
    pub fn with_dsp_blocks(self) -> Option<Target> {
        match self {
            Target::Ice40 | Target::Up5kDsp => Some(Target::Up5kDsp),
            Target::Ecp5 | Target::Ecp5Dsp => Some(Target::Ecp5Dsp),
            Target::Xc7 | Target::Xc7Dsp => Some(Target::Xc7Dsp),
            Target::Generic | Target::Cyclonev | Target::Liberty => None,
        }
    }

    /// The target's name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Target::Generic => "generic",
            Target::Ice40 => "ice40",
            Target::Ecp5 => "ecp5",
            Target::Xc7 => "xc7",
            Target::Up5kDsp => "up5k-dsp",
            Target::Ecp5Dsp => "ecp5-dsp",
            Target::Xc7Dsp => "xc7-dsp",
            Target::Cyclonev => "cyclonev",
            Target::Liberty => "liberty",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(name: &str) -> Result<Target, UnknownTarget> {
        Target::ALL.into_iter().find(|target| target.name() == name).ok_or_else(|| UnknownTarget(name.to_string()))
    }
}

/// The name of an unknown target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTarget(pub String);

impl fmt::Display for UnknownTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Target::ALL.map(Target::name).join(", ");
        write!(f, "`{}` is not a synthesis target; use one of {names}", self.0)
    }
}

impl std::error::Error for UnknownTarget {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_on_the_command_line_and_in_json() {
        for target in Target::ALL {
            assert_eq!(target.to_string().parse(), Ok(target));
            assert_eq!(serde_json::to_string(&target).unwrap(), format!("\"{target}\""));
        }
    }

    #[test]
    fn a_wrong_name_lists_the_right_ones() {
        let error = "ice50".parse::<Target>().unwrap_err().to_string();
        assert_eq!(
            error,
            "`ice50` is not a synthesis target; use one of generic, ice40, ecp5, xc7, up5k-dsp, ecp5-dsp, xc7-dsp, cyclonev, liberty"
        );
    }
}
