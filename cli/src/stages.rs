//! The number of register ranks of a unit.

use crate::choices::cannot_be_built;
use crate::failure::Failure;
use crate::names::named;
use crate::output;
use binade_circuit::pipeline::Speed;
use binade_circuit::{Architecture, Optimize};
use binade_generator::description::module_name;
use binade_generator::{BuildChoice, Design, Stages, units};
use binade_synth::Target;
use clap::Args;

/// The requested pipeline depth.
#[derive(Clone, Copy, Debug)]
pub enum Depth {
    Stages(Stages),
    /// Digits of the result in each clock, in a unit that takes several clocks for an operation.
    Digits(u32),
    /// A clock in MHz; the unit gets as many ranks as the clock needs.
    Clock(f64),
}

/// The options for the pipeline depth, shared by all commands but `sweep`.
/// A number of digits in each clock.
fn digits(word: &str) -> Result<u32, String> {
    let number = word.parse().ok().filter(|digits| (1..=128).contains(digits));
    number.ok_or_else(|| "a number of digits from 1 to 128 is expected".into())
}

#[derive(Args, Clone, Copy, Debug, Default)]
pub struct StageOptions {
    #[arg(long, help = BuildChoice::Stages.about(), value_name = "N", default_value = "0", allow_negative_numbers = true)]
    stages: Stages,
    #[arg(long, help = BuildChoice::DigitsPerClock.about(), value_name = "N", conflicts_with_all = ["stages", "target_mhz"], value_parser = digits)]
    digits_per_clock: Option<u32>,
    /// Use the fewest ranks of registers with which the unit is estimated to reach this clock on the target (ecp5 or ice40)
    #[arg(long, value_name = "MHZ", allow_negative_numbers = true, value_parser = megahertz, conflicts_with = "stages")]
    target_mhz: Option<f64>,
}

impl StageOptions {
    /// This many ranks.
    pub fn ranks(stages: Stages) -> StageOptions {
        StageOptions { stages, digits_per_clock: None, target_mhz: None }
    }

    /// Whether `--target-mhz` is given.
    pub fn names_a_clock(&self) -> bool {
        self.clock().is_some()
    }

    /// The requested clock in MHz.
    pub fn clock(&self) -> Option<f64> {
        self.target_mhz
    }

    pub fn depth(&self) -> Depth {
        match (self.digits_per_clock, self.target_mhz) {
            (Some(digits), _) => Depth::Digits(digits),
            (None, Some(mhz)) => Depth::Clock(mhz),
            (None, None) => Depth::Stages(self.stages),
        }
    }
}

/// The target of `--target-mhz`, for commands that measure nothing.
#[derive(Args, Clone, Copy, Debug)]
pub struct ClockTarget {
    /// Target of --target-mhz
    #[arg(long, value_name = "TARGET", requires = "target_mhz", value_parser = named::<Target>(&["ecp5", "ice40"]))]
    target: Option<Target>,
}

impl ClockTarget {
    pub fn named(&self) -> &[Target] {
        self.target.as_slice()
    }
}

impl Depth {
    /// The design with this depth. `targets` are those on the command line.
    pub fn design(self, design: Design, targets: &[Target]) -> Result<Design, Failure> {
        let mhz = match self {
            Depth::Stages(stages) => return design.with_stages(stages.ranks()).map_err(cannot_be_built),
            Depth::Digits(digits) => return design.in_clocks(digits).map_err(cannot_be_built),
            Depth::Clock(mhz) => mhz,
        };
        let &[target] = targets else {
            let message = format!("--target-mhz {mhz} needs one target: --target ecp5 or --target ice40");
            return Err(Failure::Usage(message));
        };
        let Some(speed) = speed_of(target) else {
            let message = format!("--target-mhz {mhz}: delays are known for ecp5 and ice40, not for {target}");
            return Err(Failure::Usage(message));
        };
        match stages_for(&design, &speed, mhz) {
            Ok((stages, reached)) => {
                output::say(format_args!("{target}: an estimated {reached:.0} MHz with --stages {stages}"));
                design.with_stages(stages).map_err(cannot_be_built)
            }
            Err((stages, reached)) => Err(Failure::Usage(format!(
                "--target-mhz {mhz}: {} reaches an estimated {reached:.0} MHz on {target} at most, with --stages {stages}; {}",
                module_name(&design),
                advice(&design, &speed, mhz, reached)
            ))),
        }
    }
}

/// The fewest ranks with which a design is estimated to reach a clock, and the clock; an error with the best it can do.
fn stages_for(design: &Design, speed: &Speed, mhz: f64) -> Result<(u32, f64), (u32, f64)> {
    speed.stages_for(&units::build(&design.operation, with_ranks(design.architecture())), mhz)
}

/// The architecture of a unit that gets ranks.
pub fn with_ranks(architecture: Architecture) -> Architecture {
    Architecture { has_ranks: true, ..architecture }
}

/// The delays of a target, if they are known.
pub fn speed_of(target: Target) -> Option<Speed> {
    match target {
        Target::Ecp5 => Some(Speed::ECP5),
        Target::Ice40 => Some(Speed::ICE40),
        _ => None,
    }
}

/// Suggests what to try if no number of ranks reaches a clock: the other architecture if it is faster, or a slower clock.
fn advice(design: &Design, speed: &Speed, mhz: f64, reached: f64) -> String {
    let other = match design.optimize {
        Optimize::Area => Optimize::Depth,
        Optimize::Depth => Optimize::Area,
    };
    let (Ok((stages, clock)) | Err((stages, clock))) = stages_for(&design.optimized(other), speed, mhz);
    match clock > reached {
        true => format!("--optimize {other} reaches {clock:.0} MHz with --stages {stages}"),
        false => format!("--optimize {other} is no faster: ask for {:.0} MHz or less", reached.floor()),
    }
}

/// A clock in MHz above that of any device.
const FASTEST: f64 = 100_000.0;

/// Parses a clock.
pub fn megahertz(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(mhz) if mhz > 0.0 && mhz <= FASTEST => Ok(mhz),
        _ => Err(format!("a clock in MHz is expected, such as 150, up to {FASTEST}")),
    }
}
