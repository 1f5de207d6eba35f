//! A cell of Yosys' netlist, and the bits at its pins.

use crate::flip_flop::Parameters;
use crate::graph::Literal;
use crate::netlist_error::NetlistError;
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
pub(super) struct Cell {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub parameters: Parameters,
    #[serde(default)]
    pub attributes: HashMap<String, String>,
    pub connections: HashMap<String, Vec<Bit>>,
}

/// A net, or a constant: "0", "1", "x".
#[derive(Clone, Deserialize, PartialEq, Eq, Hash)]
#[serde(untagged)]
pub(super) enum Bit {
    Net(u64),
    Constant(String),
}

/// A cell whose inputs are known.
#[derive(Clone, Copy)]
pub(super) struct Pins<'a> {
    pub cell: &'a Cell,
    pub known: &'a HashMap<u64, Literal>,
}

impl Pins<'_> {
    pub fn bit(&self, pin: &str) -> Result<Literal, NetlistError> {
        literal(self.known, connected(self.cell, pin)?)
    }

    pub fn bits<const N: usize>(&self, pins: [&str; N]) -> Result<[Literal; N], NetlistError> {
        let mut bits = [Literal::FALSE; N];
        for (bit, pin) in bits.iter_mut().zip(pins) {
            *bit = self.bit(pin)?;
        }
        Ok(bits)
    }

    /// All bits of a pin, lowest first.
    pub fn word(&self, pin: &str) -> Result<Vec<Literal>, NetlistError> {
        let bits = self.cell.connections.get(pin).ok_or_else(|| self.incomplete(format!("pin {pin}")))?;
        bits.iter().map(|bit| literal(self.known, bit)).collect()
    }

    /// A number, written in binary.
    pub fn number(&self, name: &str) -> Result<u64, NetlistError> {
        let text = self.cell.parameters.get(name).and_then(|text| u64::from_str_radix(text, 2).ok());
        text.ok_or_else(|| self.incomplete(format!("number {name}")))
    }

    /// Whether a parameter is "YES", the default.
    pub fn is_yes(&self, name: &str) -> bool {
        self.cell.parameters.get(name).is_none_or(|word| word == "YES")
    }

    pub fn incomplete(&self, what: String) -> NetlistError {
        NetlistError::Incomplete { kind: self.cell.kind.clone(), what }
    }
}

/// The literal of a bit whose net is known.
pub(super) fn literal(known: &HashMap<u64, Literal>, bit: &Bit) -> Result<Literal, NetlistError> {
    match bit {
        Bit::Net(net) => Ok(known[net]),
        Bit::Constant(text) if text == "0" => Ok(Literal::FALSE),
        Bit::Constant(text) if text == "1" => Ok(Literal::TRUE),
        Bit::Constant(text) => Err(NetlistError::Undriven(format!("an output depends on a bit that is `{text}`"))),
    }
}

/// The bit connected to a one-bit pin.
pub(super) fn connected<'c>(cell: &'c Cell, pin: &str) -> Result<&'c Bit, NetlistError> {
    let bit = cell.connections.get(pin).and_then(|bits| bits.first());
    bit.ok_or_else(|| NetlistError::Incomplete { kind: cell.kind.clone(), what: format!("pin {pin}") })
}

/// The net of a bit, unless it is constant.
pub(super) fn net(bit: &Bit) -> Option<u64> {
    match bit {
        Bit::Net(net) => Some(*net),
        Bit::Constant(_) => None,
    }
}
