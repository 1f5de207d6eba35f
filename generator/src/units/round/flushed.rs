//! Formats whose field 0 holds only zero, and formats without zero.

use super::{
    decide::Tail,
    located::{Located, field_limit, ordinary_code, split},
};
use binade_circuit::{Bits, Int};
use binade_spec::Float;

/// Without subnormals: below field 0, everything becomes zero; in field 0, rounding may still reach a value.
pub fn locate<'c>(format: &Float, biased: Int<'c>, significand: Bits<'c>, below: u32) -> Located<'c> {
    let parts = split(format, significand, below);
    let field = biased.low_bits(format.exponent_bits).named("field");
    Located {
        code: ordinary_code(format, field, &parts),
        integer: field.circuit().zero(),
        tail: parts.tail,
        is_log: field.circuit().zero(),
        too_large: biased.at_least(field_limit(format)),
        too_small: biased.less_than(0).named("too_small"),
        exception: None,
    }
}

/// Without zero: below field 0, everything becomes code 0.
pub fn locate_without_zero<'c>(format: &Float, biased: Int<'c>, significand: Bits<'c>, below: u32) -> Located<'c> {
    let Located { code, tail, too_small, .. } = locate(format, biased, significand, below);
    let keeps = !too_small;
    Located {
        code: keeps.gate(code),
        integer: code.circuit().zero(),
        tail: Tail { bits: keeps.gate(tail.bits), sticky: keeps & tail.sticky },
        is_log: code.circuit().zero(),
        too_large: biased.at_least(field_limit(format)),
        too_small: code.circuit().zero(),
        exception: None,
    }
}
