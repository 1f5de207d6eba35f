//! Zeros, overflow, infinities and NaN into the result's code.

use super::round::{ExactResult, Rounded};
use crate::circuit::{Bits, concat};
use binade_golden::{Float, Infinity, Nan, Operation, Overflow, Rounding, Sign};

/// Whether the sign of an operand passes through where the format gives it no meaning (DLFloat16).
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Conversion,
    Arithmetic,
}

/// The code of a result in the result format of `operation`, which is `format`.
pub fn assemble<'c>(
    operation: &Operation,
    format: &Float,
    kind: Kind,
    exact: &ExactResult<'c>,
    rounded: &Rounded<'c>,
) -> Bits<'c> {
    let circuit = exact.sign.circuit();
    circuit.section("Assemble the result");
    let width = format.magnitude_bits();
    let constant = |code: u64| circuit.constant(u128::from(code & format.magnitude_mask()), width);

    let is_zero = (exact.is_zero | rounded.vanishes).named("is_zero");
    let overflows = rounded.overflows & !is_zero;
    let finite = is_zero.select(constant(0), rounded.code);
    let limits = Limits::new(operation, format);
    let number = if limits.overflow == [limits.infinite; 2] {
        let is_large = (overflows | exact.is_infinite).named("is_large");
        is_large.select(constant(limits.infinite), finite)
    } else {
        let [positive, negative] = limits.overflow.map(constant);
        let finite = overflows.select(exact.sign.select(negative, positive), finite);
        exact.is_infinite.select(constant(limits.infinite), finite)
    };
    let number = number.named("number");
    let nan = exact.payload.unwrap_or(constant(format.nan_code().unwrap_or(0)));
    let magnitude = exact.is_nan.select(nan, number);

    match format.sign {
        Sign::Unsigned => unsigned_result(operation, format, exact, is_zero, [number, magnitude]),
        Sign::Signed => {
            let sign = sign_of_result(operation, format, kind, exact, number);
            concat(&[sign.named("sign"), magnitude.named("magnitude")])
        }
    }
}

/// What stands for magnitudes beyond the largest finite one.
struct Limits {
    /// For a positive and a negative overflow.
    overflow: [u64; 2],
    infinite: u64,
}

impl Limits {
    fn new(operation: &Operation, format: &Float) -> Limits {
        let largest = format.max_code();
        let infinity = match format.infinity {
            Infinity::TopField | Infinity::LastCode => format.infinity_code().expect("the format has infinities"),
            Infinity::None if matches!(format.nan, Nan::AllOnes | Nan::NanInfinity) => format.magnitude_mask(),
            Infinity::None => largest,
        };
        let to_infinity = |rounds_out: bool| if rounds_out { infinity } else { largest };
        match operation.overflow {
            Overflow::Saturate => Limits { overflow: [largest; 2], infinite: largest },
            Overflow::Propagate => Limits { overflow: [largest; 2], infinite: infinity },
            Overflow::Inf => {
                let overflow = match operation.rounding {
                    Rounding::Rne | Rounding::Rna | Rounding::Rnu | Rounding::Sr(_) | Rounding::Mptorch => {
                        [infinity; 2]
                    }
                    Rounding::Rtz => [largest; 2],
                    Rounding::Rup => [infinity, largest],
                    Rounding::Rdn => [largest, infinity],
                    // Of the largest value and what follows it, the odd code.
                    Rounding::Rto => [to_infinity(largest & 1 == 0); 2],
                };
                Limits { overflow, infinite: infinity }
            }
        }
    }
}

fn sign_of_result<'c>(
    operation: &Operation,
    format: &Float,
    kind: Kind,
    exact: &ExactResult<'c>,
    number: Bits<'c>,
) -> Bits<'c> {
    let (sign, is_nan) = (exact.sign, exact.is_nan);
    match format.nan {
        // The payload comes with its sign.
        Nan::TopField if exact.payload.is_some() => sign,
        Nan::None | Nan::TopField => sign & !is_nan,
        // Where infinity would be there is the NaN, which has no sign.
        Nan::AllOnes if operation.overflow == Overflow::Saturate => sign & !is_nan,
        Nan::AllOnes => sign & !is_nan & !number.all(),
        Nan::NanInfinity if kind == Kind::Conversion => sign,
        Nan::NanInfinity => sign & number.any() & !number.all() & !is_nan,
        Nan::SignAlone => is_nan | (sign & number.any()),
        Nan::LastCode => unreachable!("only unsigned formats have NaN as their last code"),
    }
}

/// A negative number is NaN, or 0 if the result saturates or is rounded upward to there.
fn unsigned_result<'c>(
    operation: &Operation,
    format: &Float,
    exact: &ExactResult<'c>,
    is_zero: Bits<'c>,
    [number, magnitude]: [Bits<'c>; 2],
) -> Bits<'c> {
    let circuit = number.circuit();
    let constant = |code: u64| circuit.constant(code.into(), magnitude.width());
    let (zero, nan) = (constant(0), constant(format.nan_code().unwrap_or(0)));
    // Where zero has no code, code 0 is a number.
    let is_number = if format.has_zero() { number.any() } else { !is_zero | exact.is_infinite };
    let is_negative = (exact.sign & is_number & !exact.is_nan).named("is_negative");
    let replacement = match (operation.overflow, operation.rounding) {
        (Overflow::Saturate | Overflow::Propagate, _) => zero,
        (Overflow::Inf, Rounding::Rtz | Rounding::Rup) => exact.is_infinite.select(nan, zero),
        (
            Overflow::Inf,
            Rounding::Rne
            | Rounding::Rna
            | Rounding::Rnu
            | Rounding::Rdn
            | Rounding::Rto
            | Rounding::Sr(_)
            | Rounding::Mptorch,
        ) => nan,
    };
    is_negative.select(replacement, magnitude)
}
