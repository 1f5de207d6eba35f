//! Conversion: `decode`, `encode` and `convert`.

use super::{
    assemble::{Kind, Outcome, assemble},
    round::{Magnitude, round},
    unpack::{Unpacked, unpack},
};
use crate::circuit::{Bits, concat};
use binade_golden::{FieldZero, Format, Infinity, Nan, Operation, Overflow};

pub fn convert<'c>(operation: &Operation, x: Bits<'c>) -> Bits<'c> {
    let (from, to) = (operation.operand, operation.result);
    if extends(&from, &to) && operation.overflow == Overflow::Inf {
        x.circuit().section("The same format with more trailing bits");
        return x.zeros_below(to.trailing_bits - from.trailing_bits);
    }
    let operand = unpack(from, x, "x");
    let operand = if rounds_unnormalised(&from, &to) { operand } else { operand.normalised("x") };
    let significand = if operand.has_subnormals() && rounds_unnormalised(&from, &to) {
        operand.significand
    } else {
        operand.significand_of_nonzero()
    };
    let rounded = round(operation, Magnitude { exponent: operand.exponent, significand });
    assemble(
        operation,
        Kind::Conversion,
        Outcome {
            sign: operand.sign,
            rounded,
            is_zero: operand.is_zero,
            is_infinite: operand.is_infinite,
            is_nan: operand.is_nan,
            payload: nan_payload(&operand, &to, x),
        },
    )
}

/// Whether a code of `to` is a code of `from` with zeros appended.
fn extends(from: &Format, to: &Format) -> bool {
    let same_trailing = Format { trailing_bits: from.trailing_bits, ..*to };
    from.trailing_bits <= to.trailing_bits
        && *from == same_trailing
        && from.nan == Nan::TopField
        && from.infinity == Infinity::TopField
        && from.field_zero != FieldZero::Zero
}

/// Whether subnormals can be rounded as they are, since they are subnormal or less in the result, too.
fn rounds_unnormalised(from: &Format, to: &Format) -> bool {
    let gradual = |format: &Format| format.field_zero == FieldZero::Subnormal && format.binades_below == 0;
    gradual(from) && gradual(to) && to.bias <= from.bias
}

/// A NaN between IEEE 754 encodings keeps sign and payload if the result has room for it.
fn nan_payload<'c>(operand: &Unpacked<'c>, to: &Format, x: Bits<'c>) -> Option<Bits<'c>> {
    let from = operand.format;
    let keeps = from.nan == Nan::TopField && to.nan == Nan::TopField && to.trailing_bits >= from.trailing_bits;
    keeps.then(|| {
        let top_field = x.circuit().ones(to.exponent_bits);
        concat(&[top_field, x.low(from.trailing_bits).zeros_below(to.trailing_bits - from.trailing_bits)])
    })
}
