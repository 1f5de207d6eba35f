//! The boards on which a unit can be placed and routed.

use std::fmt;
use std::str::FromStr;

use binade_tools::Device;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Target;

/// A device on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Board {
    /// The iCE40-HX8K breakout board.
    Ice40Hx8k,
    /// The iCEBreaker.
    Icebreaker,
    /// The ULX3S with the ECP5 of 25k LUTs.
    Ulx3s,
}

/// What a self-test needs from a board besides its device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Panel {
    /// The name of the board itself, as opposed to its device.
    pub name: &'static str,
    /// The file name extension of bitstreams.
    pub ending: &'static str,
    /// The frequency of the oscillator in MHz.
    pub clock_mhz: f64,
    /// Whether the LEDs for running, passed and failed are active low.
    pub are_lit_low: [bool; 3],
    /// Descriptions of the LEDs, in this order.
    pub leds: [&'static str; 3],
    /// The command that loads a bitstream; the file name is appended.
    pub loader: &'static str,
}

const ICEBREAKER: Panel = Panel {
    name: "icebreaker",
    ending: "bin",
    clock_mhz: 12.0,
    are_lit_low: [false, true, true],
    leds: ["LED 1", "green", "red"],
    loader: "iceprog",
};

const ULX3S: Panel = Panel {
    name: "ulx3s",
    ending: "bit",
    clock_mhz: 25.0,
    are_lit_low: [false; 3],
    leds: ["LED 0", "LED 1", "LED 2"],
    loader: "openFPGALoader -b ulx3s",
};

impl Board {
    /// Every board, in the order of a report.
    pub const ALL: [Board; 3] = [Board::Ice40Hx8k, Board::Icebreaker, Board::Ulx3s];

    /// The names that [`FromStr`] accepts: those in reports, and that of the ULX3S itself.
    pub const NAMES: [&str; 4] = ["ice40-hx8k", "icebreaker", "ecp5-25k", "ulx3s"];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Board::Ice40Hx8k => "ice40-hx8k",
            Board::Icebreaker => "icebreaker",
            Board::Ulx3s => "ecp5-25k",
        }
    }

    /// A description of device, package and board.
    pub fn part(self) -> &'static str {
        match self {
            Board::Ice40Hx8k => "iCE40 HX8K, CT256 (iCE40-HX8K breakout)",
            Board::Icebreaker => "iCE40 UP5K, SG48 (iCEBreaker)",
            Board::Ulx3s => "ECP5 LFE5U-25F, CABGA381, speed grade 6 (ULX3S)",
        }
    }

    /// What a self-test needs; none for a board without a button.
    pub fn panel(self) -> Option<&'static Panel> {
        match self {
            Board::Ice40Hx8k => None,
            Board::Icebreaker => Some(&ICEBREAKER),
            Board::Ulx3s => Some(&ULX3S),
        }
    }

    /// The target that Yosys maps to.
    pub fn target(self) -> Target {
        match self {
            Board::Ice40Hx8k | Board::Icebreaker => Target::Ice40,
            Board::Ulx3s => Target::Ecp5,
        }
    }

    /// The target that Yosys maps a unit to whose products are operators: with the device's DSP blocks, if it has such.
    pub(super) fn target_with_blocks(self) -> Target {
        match self {
            Board::Ice40Hx8k => Target::Ice40,
            Board::Icebreaker => Target::Up5kDsp,
            Board::Ulx3s => Target::Ecp5Dsp,
        }
    }

    /// The device family, which selects the nextpnr.
    pub fn device(self) -> Device {
        match self {
            Board::Ice40Hx8k | Board::Icebreaker => Device::Ice40,
            Board::Ulx3s => Device::Ecp5,
        }
    }

    /// The nextpnr arguments that select the device.
    pub(super) fn arguments(self) -> &'static [&'static str] {
        match self {
            Board::Ice40Hx8k => &["--hx8k", "--package", "ct256"],
            Board::Icebreaker => &["--up5k", "--package", "sg48"],
            Board::Ulx3s => &["--25k", "--package", "CABGA381", "--speed", "6"],
        }
    }

    /// The board's constraints: nextpnr's option for them, and the file.
    pub(super) fn constraints(self) -> Constraints {
        match self {
            Board::Ice40Hx8k => Constraints {
                option: "--pcf",
                file: "ice40-hx8k.pcf",
                text: include_str!("../../constraints/ice40-hx8k/ice40-hx8k.pcf"),
            },
            Board::Icebreaker => Constraints {
                option: "--pcf",
                file: "icebreaker.pcf",
                text: include_str!("../../constraints/icebreaker/icebreaker.pcf"),
            },
            Board::Ulx3s => Constraints {
                option: "--lpf",
                file: "ulx3s.lpf",
                text: include_str!("../../constraints/ulx3s/ulx3s.lpf"),
            },
        }
    }
}

/// The pins and clocks of a board.
pub(super) struct Constraints {
    pub option: &'static str,
    pub file: &'static str,
    pub text: &'static str,
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl FromStr for Board {
    type Err = UnknownBoard;

    fn from_str(name: &str) -> Result<Board, UnknownBoard> {
        match name {
            "ulx3s" => Ok(Board::Ulx3s),
            _ => {
                Board::ALL.into_iter().find(|board| board.name() == name).ok_or_else(|| UnknownBoard(name.to_string()))
            }
        }
    }
}

/// The name of an unknown board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a device to place and route on; use one of {names}", names = Board::NAMES.join(", "))]
pub struct UnknownBoard(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_that_of_a_board() {
        for board in Board::ALL {
            assert!(Board::NAMES.contains(&board.name()));
            assert_eq!(board.name().parse(), Ok(board));
        }
        assert!(Board::NAMES.iter().all(|name| name.parse::<Board>().is_ok()));
        assert_eq!("ulx3s".parse(), "ecp5-25k".parse::<Board>());
    }

    #[test]
    fn a_wrong_name_lists_the_right_ones() {
        let error = "ice40".parse::<Board>().unwrap_err().to_string();
        let want = "`ice40` is not a device to place and route on; use one of ice40-hx8k, icebreaker, ecp5-25k, ulx3s";
        assert_eq!(error, want);
    }

    fn check_placed(board: Board, ports: &[&str]) {
        let text = board.constraints().text;
        for port in ports {
            let named = [format!("set_io {port} "), format!("LOCATE COMP \"{port}\" ")];
            assert_eq!(named.iter().filter(|line| text.contains(line.as_str())).count(), 1, "{board}: {port}");
        }
    }

    #[test]
    fn the_constraints_place_every_port_of_the_shell_and_of_a_self_test() {
        for board in Board::ALL {
            check_placed(board, &["clk", "serial_in", "folded"]);
            if let Some(panel) = board.panel() {
                check_placed(board, &["rst_n", "led_running", "led_passed", "led_failed"]);
                assert_eq!(panel.name.parse(), Ok(board));
            }
        }
    }
}
