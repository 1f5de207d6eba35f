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
    let (operand, significand) = match subnormals(&from, &to) {
        Subnormals::Rounded => (operand, operand.significand),
        Subnormals::Normalised => {
            let normalised = operand.normalised("x");
            (normalised, normalised.significand_of_nonzero())
        }
        Subnormals::NoneOrVanishing => (operand, operand.significand_of_nonzero()),
    };
    let rounded = round(operation, operand.sign, Magnitude { exponent: operand.exponent, significand });
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

/// What becomes of the operand's subnormals.
enum Subnormals {
    /// They are rounded as they are: where they go, results are subnormal, too.
    Rounded,
    /// They are normalised: the result has them as ordinary values.
    Normalised,
    /// There are none, or all of them round to zero by their exponent alone.
    NoneOrVanishing,
}

fn subnormals(from: &Format, to: &Format) -> Subnormals {
    let lowest_exponent = 1 - i64::from(from.bias);
    if !from.underflows_gradually() || from.trailing_bits == 0 {
        Subnormals::NoneOrVanishing
    } else if to.underflows_gradually() && to.bias <= from.bias {
        Subnormals::Rounded
    } else if lowest_exponent < to.min_exponent() - 1 {
        Subnormals::NoneOrVanishing
    } else {
        Subnormals::Normalised
    }
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
