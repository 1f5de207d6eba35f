//! The options that choose a unit, the same in every command.

use crate::failure::Failure;
use binade_generator::{GeneratedUnit, generate};
use binade_golden::{Format, Operation, Overflow, Rounding, Selection, Unit};
use binade_tools::{Source, Tools};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::str::FromStr;

/// Widest format that units are built for.
const MAX_WIDTH: u32 = 32;

/// Names of the roundings and of the ways to overflow.
pub const ROUNDINGS: &[&str] = &["rne", "rna", "rtz", "rup", "rdn", "rto", "rnu"];
pub const OVERFLOWS: &[&str] = &["inf", "saturate", "propagate"];

#[derive(Args, Clone, Debug)]
pub struct UnitOptions {
    /// Number format, such as e5m2, e4m3fn, e5m2b1, k8p3se, binary16 (see `binade formats`)
    #[arg(long, value_name = "FORMAT")]
    pub format: Format,
    /// What the unit computes
    #[arg(long, value_parser = named::<Unit>(&Unit::ALL.map(Unit::name)))]
    pub unit: Unit,
    /// Accumulator format of fmac and mac: that of c and y [default: binary16 for formats of up to 8 bits, else binary32]
    #[arg(long, value_name = "FORMAT")]
    pub acc: Option<Format>,
    /// Format that convert converts to
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<Format>,
    /// Rounding: to nearest with ties to even (rne), away (rna; rnu is DLFloat16's name for it), toward zero (rtz), up
    /// (rup), down (rdn), to odd (rto) [default: rne, for DLFloat16 rnu]
    #[arg(long, value_parser = named::<Rounding>(ROUNDINGS))]
    pub round: Option<Rounding>,
    /// What results beyond the largest finite value become: infinity or what the format has in its place, the largest
    /// value (saturate), or that but for infinite operands (propagate)
    #[arg(long, default_value = "inf", value_parser = named::<Overflow>(OVERFLOWS))]
    pub overflow: Overflow,
}

#[derive(Args, Clone, Debug)]
pub struct ToolOptions {
    /// Where Verilator and Yosys come from: pinned versions, installed at first need, or what is on PATH
    #[arg(long, value_name = "SOURCE", default_value = "pinned", value_parser = named::<Source>(&["pinned", "system"]))]
    pub tools: Source,
}

impl ToolOptions {
    pub fn tools(&self) -> Tools {
        Tools::new(self.tools)
    }
}

/// Accepts exactly these names; clap suggests the nearest for others.
pub fn named<T>(names: &[&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: std::fmt::Debug> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names.to_vec()).map(|name| name.parse().expect("each listed name parses"))
}

impl UnitOptions {
    /// The operation that the options choose.
    pub fn operation(&self) -> Result<Operation, Failure> {
        for (option, format) in [("--format", Some(self.format)), ("--acc", self.acc), ("--to", self.to)] {
            refuse_wide(option, format)?;
        }
        let selection = Selection {
            unit: self.unit,
            format: self.format,
            accumulator: self.acc,
            target: self.to,
            rounding: self.round,
            overflow: self.overflow,
        };
        selection.operation().map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The operation and its unit.
    pub fn generate(&self) -> Result<(Operation, GeneratedUnit), Failure> {
        let operation = self.operation()?;
        Ok((operation, generate(&operation)))
    }
}

fn refuse_wide(option: &str, format: Option<Format>) -> Result<(), Failure> {
    match format {
        Some(format) if format.width() > MAX_WIDTH => Err(Failure::Usage(format!(
            "{option} {format}: it has {} bits, and units are built for formats of up to {MAX_WIDTH}",
            format.width()
        ))),
        _ => Ok(()),
    }
}
