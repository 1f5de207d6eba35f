//! Codes with names.

use binade_circuit::{Bits, Circuit};
use binade_spec::Format;

/// A code with its name.
#[derive(Clone)]
pub struct Code<'c> {
    pub format: Format,
    pub bits: Bits<'c>,
    pub name: String,
}

impl<'c> Code<'c> {
    /// The number 1, in e2m1.
    pub fn one(circuit: &'c Circuit) -> Code<'c> {
        Code::small(circuit, 1 << 1, "one")
    }

    /// A code of e2m1.
    pub fn small(circuit: &'c Circuit, code: u128, name: &str) -> Code<'c> {
        let format = Format::ieee(2, 1);
        Code { format, bits: circuit.constant(code, format.width()), name: name.into() }
    }

    /// The code in a lane of a port, or the only code of the port.
    pub fn of_lane(format: Format, bits: Bits<'c>, port: &str, lane: Option<u32>) -> Code<'c> {
        let Some(lane) = lane else { return Code { format, bits, name: port.into() } };
        let (width, name) = (format.width(), format!("{port}_{lane}"));
        Code { format, bits: bits.slice((lane + 1) * width - 1, lane * width).named(&name), name }
    }
}
