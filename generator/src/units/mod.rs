//! The units. Each is a function that reads from top to bottom like its figure:
//!
//! ```text
//! convert      unpack                        -> round -> assemble
//! mul          unpack -> multiply            -> round -> assemble
//! add          unpack             -> sum     -> round -> assemble
//! fmac         unpack -> multiply -> sum     -> round -> assemble
//! mac          mul, then add
//! ```
//!
//! | file | stage |
//! |---|---|
//! | `unpack.rs` | code to sign, exponent, significand and class |
//! | `product.rs` | exact product of two operands |
//! | `sum.rs` | exponent difference, alignment, addition, normalisation |
//! | `round.rs` | where a magnitude lies among the codes of a format, and rounding |
//! | `assemble.rs` | zeros, overflow, infinities and NaN into the result's code |

mod add;
mod assemble;
mod convert;
mod fmac;
mod mac;
mod mul;
mod product;
mod round;
mod sum;
mod unpack;

use crate::circuit::{Bits, Circuit, Netlist};
use binade_golden::{Operation, Port, Unit};

/// The circuit of an operation.
pub fn build(operation: &Operation) -> Netlist {
    let circuit = Circuit::new();
    let inputs: Vec<Bits> = operation.inputs().iter().map(|port| input(&circuit, port)).collect();
    let output = match (operation.unit, inputs.as_slice()) {
        (Unit::Decode | Unit::Encode | Unit::Convert, &[x]) => convert::convert(operation, x),
        (Unit::Mul, &[a, b]) => mul::mul(operation, a, b),
        (Unit::Add, &[a, b]) => add::add(operation, a, b),
        (Unit::Fmac, &[a, b, c]) => fmac::fmac(operation, a, b, c),
        (Unit::Mac, &[a, b, c]) => mac::mac(operation, a, b, c),
        (unit, inputs) => unreachable!("{unit} with {} operands", inputs.len()),
    };
    let (port, node) = (operation.output(), output.node());
    circuit.finish(port.name, node, &port.format.to_string())
}

fn input<'c>(circuit: &'c Circuit, port: &Port) -> Bits<'c> {
    circuit.input(port.name, port.format.width(), &port.format.to_string())
}
