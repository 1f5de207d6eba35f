//! Fixed-point code to sign, exponent, significand and class.

use super::unpacked::Unpacked;
use crate::units::class::Class;
use binade_circuit::{Bits, Int};
use binade_spec::{Fixed, Sign};

/// Unpacks `code`: its magnitude is the significand, not normalized, with the exponent of the top bit.
pub fn unpack<'c>(format: &Fixed, code: Bits<'c>, operand: &str) -> Unpacked<'c> {
    let circuit = code.circuit();
    let name = |part: &str| format!("{operand}_{part}");
    let never = circuit.zero();
    let (sign, magnitude) = match format.sign {
        Sign::Unsigned => (never, code),
        Sign::Signed => {
            let sign = code.msb().named(name("sign"));
            let inverted = (code ^ sign.repeat(code.width())).called(name("or_complement"));
            (sign, inverted.add(sign.zext(code.width())).named(name("magnitude")))
        }
    };
    Unpacked {
        format: (*format).into(),
        class: Class {
            sign,
            is_zero: code.none().named(name("is_zero")),
            is_infinite: never,
            is_nan: never,
            is_invalid: never,
        },
        magnitude,
        exponent: Int::constant(circuit, format.max_exponent()),
        significand: magnitude,
    }
}
