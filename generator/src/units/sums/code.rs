//! Codes with names.

use binade_circuit::Bits;
use binade_spec::Format;

/// A code with its name.
#[derive(Clone)]
pub struct Code<'c> {
    pub format: Format,
    pub bits: Bits<'c>,
    pub name: String,
}

impl<'c> Code<'c> {
    /// The code in a lane of a port, or the only code of the port.
    pub fn of_lane(format: Format, bits: Bits<'c>, port: &str, lane: Option<u32>) -> Code<'c> {
        let Some(lane) = lane else { return Code { format, bits, name: port.into() } };
        let (width, name) = (format.width(), format!("{port}_{lane}"));
        Code { format, bits: bits.slice((lane + 1) * width - 1, lane * width).named(&name), name }
    }
}
