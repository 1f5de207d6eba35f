//! Why Yosys' netlist cannot be run.

use thiserror::Error;

/// Why a netlist cannot be run.
#[derive(Debug, Error)]
pub enum NetlistError {
    /// The text is not JSON as `write_json` writes it.
    #[error("Yosys' netlist cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// No module has this name.
    #[error("Yosys' netlist has no module {0}")]
    NoModule(String),
    /// A port of the unit is missing, or has another width.
    #[error("Yosys' netlist has no port {name} of {width} bits")]
    NoPort {
        /// The name of the port.
        name: String,
        /// The width of the port in the unit.
        width: u32,
    },
    /// A cell of an unknown kind.
    #[error("Yosys' netlist has {} `{kind}`", named(kind))]
    UnknownCell {
        /// The kind, as Yosys calls it.
        kind: String,
    },
    /// A cell without a port or parameter that its kind requires.
    #[error("Yosys' netlist: cell `{kind}` has no {what}")]
    Incomplete {
        /// The kind, as Yosys calls it.
        kind: String,
        /// The missing port or parameter.
        what: String,
    },
    /// A flip-flop that is not clocked by the unit's clock.
    #[error("Yosys' netlist has a flip-flop `{kind}` whose clock is not the unit's")]
    Clock {
        /// The kind of flip-flop, as Yosys calls it.
        kind: String,
    },
    /// A bit without a value: its net has no driver, or depends on itself, or it is `x`; in words.
    #[error("Yosys' netlist: {0}")]
    Undriven(String),
}

/// What a kind of cell is, as far as it is known.
fn named(kind: &str) -> &'static str {
    match kind {
        "$_FF_" => "a latch, which has no place in a unit: a cell",
        "$_TBUF_" => "a driver whose output may be z: a cell",
        _ => "a cell of an unknown kind:",
    }
}
