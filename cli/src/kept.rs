//! `gen --target-mhz` with a clock that is measured: the fewest ranks of registers with which a unit keeps it, after place and route or in
//! standard cells.

use crate::failure::Failure;
use crate::heartbeat::with_heartbeat;
use crate::names::named;
use crate::output;
use crate::selection::{ToolOptions, UnitOptions, generated};
use crate::stages::{StageOptions, speed_of, with_ranks};
use crate::synth::liberty::LibertyOptions;
use binade_circuit::Optimize;
use binade_circuit::pipeline::MAX_STAGES;
use binade_generator::description::module_name;
use binade_generator::{Design, units};
use binade_synth::liberty::Library;
use binade_synth::pnr::{Board, map};
use binade_synth::{Area, Target};
use binade_tools::{Nextpnr, Tools};
use clap::Args;
use rayon::prelude::*;
use std::path::PathBuf;

/// The targets of `--target-mhz` of `gen`.
const TARGETS: [&str; 3] = ["ecp5", "ice40", "liberty"];

/// The seeds with which a unit is placed and routed.
const SEEDS: u32 = 5;

#[derive(Args, Clone, Debug)]
pub struct ClockOptions {
    /// Target of --target-mhz: an FPGA, or with --liberty standard cells, for which ABC measures the clock
    #[arg(long, value_name = "TARGET", requires = "target_mhz", value_parser = named::<Target>(&TARGETS))]
    target: Option<Target>,
    /// Place and route the unit with nextpnr between registers, and use the fewest ranks with which it reaches the clock of --target-mhz
    /// with each of 5 seeds
    #[arg(long, requires = "target_mhz")]
    place: bool,
    #[command(flatten)]
    liberty: LibertyOptions,
    #[command(flatten)]
    tools: ToolOptions,
}

impl ClockOptions {
    /// The design that the options choose, and the folder for its files.
    pub fn design(&self, unit: &UnitOptions, stages: &StageOptions) -> Result<(Design, PathBuf), Failure> {
        let is_liberty = self.target == Some(Target::Liberty);
        let tools = self.tools.tools();
        let library = self.liberty.open(&tools, is_liberty)?;
        let Some(mhz) = stages.clock().filter(|_| self.place || is_liberty) else {
            return unit.design_for_folder(stages, self.target.as_slice());
        };
        let (design, folder) = unit.design_for_folder(&StageOptions::default(), &[])?;
        let speed = self.target.and_then(speed_of);
        let (way, guess) = match (library, self.target, speed) {
            (Some(_), ..) if self.place => {
                let why = "--place: standard cells are not placed; --target liberty measures their delays anyway, so leave --place out";
                return Err(Failure::Usage(why.into()));
            }
            (Some(library), ..) => (Way::Cells(Box::new(library)), None),
            (None, Some(target), Some(speed)) => {
                let netlist = units::build(&design.operation, with_ranks(design.architecture()));
                let (Ok((guess, _)) | Err((guess, _))) = speed.stages_for(&netlist, mhz);
                let board = if target == Target::Ecp5 { Board::Ulx3s } else { Board::Ice40Hx8k };
                tools.yosys()?;
                (Way::Routed(board, tools.nextpnr(board.device())?), Some(guess))
            }
            _ => return Err(Failure::Usage("--place needs one target: --target ecp5 or --target ice40".into())),
        };
        let clock = Clock { tools, way, design };
        let stages = fewest(mhz, guess, |stages| clock.reached(stages))?.map_err(|(stages, reached)| {
            Failure::Usage(format!(
                "--target-mhz {mhz}: {} reaches {reached:.1} MHz at most, with --stages {stages}; {}ask for {:.0} MHz or less",
                module_name(&clock.of(0)),
                if design.optimize == Optimize::Area { "try --optimize depth, or " } else { "" },
                reached.floor()
            ))
        })?;
        Ok((clock.of(stages), folder))
    }
}

/// How a clock is measured.
enum Way {
    /// The slowest of some seeds of nextpnr.
    Routed(Board, Nextpnr),
    /// The longest path between registers in standard cells, mapped for delay.
    Cells(Box<Library>),
}

/// Measures the clock of a design with different numbers of ranks.
struct Clock {
    tools: Tools,
    way: Way,
    design: Design,
}

impl Clock {
    /// The design with this number of ranks.
    fn of(&self, stages: u32) -> Design {
        let mut design = self.design;
        design.stages = stages;
        design
    }

    /// The clock with this number of ranks, in MHz. Says what it is.
    fn reached(&self, stages: u32) -> Result<f64, Failure> {
        let unit = generated(self.of(stages));
        let (reached, how) = with_heartbeat(
            || format!("the clock of {} is being measured", unit.module),
            || match &self.way {
                Way::Routed(board, nextpnr) => {
                    let mapped = map(&self.tools, &unit, *board)?;
                    let routed: Vec<_> = (1..=SEEDS)
                        .into_par_iter()
                        .map(|seed| mapped.route(nextpnr, seed))
                        .collect::<Result<_, _>>()?;
                    let slowest = mapped.report(nextpnr, routed)?.fmax_mhz.min;
                    Ok::<_, Failure>((slowest, format!("on {board}, the slowest of {SEEDS} seeds")))
                }
                Way::Cells(library) => {
                    let report = library.synthesize(&self.tools, &unit.module, &unit.verilog)?;
                    let Area::Liberty(area) = report.area else {
                        unreachable!("a library gives the area of its cells")
                    };
                    let how =
                        format!("in {}, mapped for delay, without the times of the registers", library.kit().name());
                    Ok((1e6 / area.tight_delay_ps, how))
                }
            },
        )?;
        output::say(format_args!("{reached:.1} MHz with --stages {stages} {how}"));
        Ok(reached)
    }
}

/// The fewest ranks near `guess` that reach a clock; the number with the fastest clock, and that clock, if none does. Without a guess, the
/// clock without ranks gives one.
fn fewest(
    mhz: f64,
    guess: Option<u32>,
    mut reached: impl FnMut(u32) -> Result<f64, Failure>,
) -> Result<Result<u32, (u32, f64)>, Failure> {
    let guess = match guess {
        Some(guess) => guess,
        None => match mhz / reached(0)? {
            ..=1.0 => return Ok(Ok(0)),
            times => (times.ceil() as u32 - 1).min(MAX_STAGES),
        },
    };
    let mut best = (guess, reached(guess)?);
    let mut enough = (best.1 >= mhz).then_some(guess);
    // One rank less can be faster, even where the guess does not suffice.
    for stages in (0..guess).rev() {
        let now = reached(stages)?;
        if now < mhz {
            break;
        }
        enough = Some(stages);
    }
    if let Some(stages) = enough {
        return Ok(Ok(stages));
    }
    for stages in guess + 1..=MAX_STAGES {
        let now = reached(stages)?;
        if now >= mhz {
            return Ok(Ok(stages));
        }
        if now > best.1 {
            best = (stages, now);
        }
    }
    Ok(Err(best))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit with 100 MHz in each segment.
    fn ideal(stages: u32) -> Result<f64, Failure> {
        Ok(100.0 * f64::from(stages + 1))
    }

    #[test]
    fn the_fewest_ranks_are_found_from_above_and_below() {
        for guess in [None, Some(0), Some(3), Some(4), Some(16)] {
            assert_eq!(fewest(450.0, guess, ideal).unwrap(), Ok(4), "{guess:?}");
        }
        assert_eq!(fewest(100.0, None, ideal).unwrap(), Ok(0));
    }

    #[test]
    fn a_clock_out_of_reach_names_the_fastest() {
        assert_eq!(fewest(5000.0, Some(9), ideal).unwrap(), Err((16, 1700.0)));
        // One more rank can be slower.
        let uneven = |stages: u32| Ok(if stages == 12 { 300.0 } else { 200.0 });
        assert_eq!(fewest(400.0, Some(10), uneven).unwrap(), Err((12, 300.0)));
        assert_eq!(fewest(300.0, Some(10), uneven).unwrap(), Ok(12));
        assert_eq!(fewest(300.0, Some(13), uneven).unwrap(), Ok(12));
    }
}
