//! The order of a module's flags.

use binade_spec::FLAG_BITS;
use std::fmt;
use std::str::FromStr;

/// An exception flag of IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// Invalid operation.
    Invalid,
    /// Division by zero.
    DivisionByZero,
    /// Overflow.
    Overflow,
    /// Underflow.
    Underflow,
    /// Inexact.
    Inexact,
}

impl Flag {
    /// All flags, in the order of RISC-V.
    pub const ALL: [Flag; 5] = [Flag::Invalid, Flag::DivisionByZero, Flag::Overflow, Flag::Underflow, Flag::Inexact];

    /// The name in RISC-V.
    pub fn name(self) -> &'static str {
        match self {
            Flag::Invalid => "NV",
            Flag::DivisionByZero => "DZ",
            Flag::Overflow => "OF",
            Flag::Underflow => "UF",
            Flag::Inexact => "NX",
        }
    }

    /// The flags of a unit's port `flags` with this many bits, from the top bit.
    pub fn of_port(width: u32) -> Vec<Flag> {
        Flag::ALL.into_iter().filter(|&flag| width > FLAG_BITS || flag != Flag::DivisionByZero).collect()
    }

    /// The bit of the flag in a unit's port of this many bits.
    pub fn bit(self, width: u32) -> Option<u32> {
        let place = Flag::of_port(width).into_iter().position(|flag| flag == self)?;
        Some(width - 1 - place as u32)
    }
}

/// The order of a module's flags, from the top bit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FlagOrder {
    /// That of a generated unit.
    #[default]
    Binade,
    /// These flags; `None` is a bit that is not looked at.
    Listed(Vec<Option<Flag>>),
}

impl FlagOrder {
    /// RISC-V's order, which has all five flags.
    pub fn riscv() -> FlagOrder {
        FlagOrder::Listed(Flag::ALL.map(Some).to_vec())
    }
}

impl fmt::Display for FlagOrder {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FlagOrder::Binade => f.write_str("binade"),
            order if *order == FlagOrder::riscv() => f.write_str("riscv"),
            FlagOrder::Listed(flags) => {
                let names: Vec<&str> = flags.iter().map(|flag| flag.map_or("-", Flag::name)).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

impl FromStr for FlagOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<FlagOrder, String> {
        match text.to_lowercase().as_str() {
            "binade" => return Ok(FlagOrder::Binade),
            "riscv" => return Ok(FlagOrder::riscv()),
            _ => {}
        }
        let flag = |name: &str| match name {
            "-" => Some(None),
            _ => Flag::ALL.into_iter().find(|flag| flag.name().eq_ignore_ascii_case(name)).map(Some),
        };
        let flags: Option<Vec<Option<Flag>>> = text.split(',').map(|name| flag(name.trim())).collect();
        let is_once = |flags: &Vec<Option<Flag>>| {
            Flag::ALL.iter().all(|flag| flags.iter().filter(|listed| **listed == Some(*flag)).count() <= 1)
        };
        flags.filter(is_once).map(FlagOrder::Listed).ok_or_else(|| {
            "binade, riscv, or your flags from the top bit are expected, each once, such as NV,OF,UF,NX; - is a bit that is not looked at"
                .into()
        })
    }
}
