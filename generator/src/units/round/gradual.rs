//! Formats with subnormals.

use super::located::{Located, field_limit, ordinary_code, split};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{Float, Infinity, Nan, Rounding, Sign, Underflow};

/// With subnormals: below field 1, the significand is shifted right, and an integer bit of 0 gives field 0.
pub fn locate<'c>(
    rounding: Rounding,
    format: &Float,
    biased: Int<'c>,
    significand: Bits<'c>,
    below: u32,
) -> Located<'c> {
    let circuit = significand.circuit();
    let (integer, fields) = (significand.msb(), format.exponent_bits);
    let (field, significand, integer) = if biased.min() < 1 {
        let is_tiny = biased.less_than(1).explained("is_tiny", "below the smallest normal number");
        let field = (!is_tiny & integer).gate(biased.low_bits(fields));
        (field, denormalize(format, biased, is_tiny, significand, below), circuit.zero())
    } else if adds_integer(rounding, format) && biased.plus(-1).is_resolved() && integer.known().is_none() {
        (biased.plus(-1).low_bits(fields), significand, integer)
    } else {
        (integer.gate(biased.low_bits(fields)), significand, circuit.zero())
    };
    let parts = split(format, significand, below);
    Located {
        code: ordinary_code(format, field.named("field"), &parts),
        integer,
        tail: parts.tail,
        is_log: circuit.zero(),
        too_large: biased.at_least(field_limit(format)),
        too_small: circuit.zero(),
        exception: None,
    }
}

/// Whether the integer bit can be added to the field with the increment: no logic before the increment tests the code as a
/// whole.
fn adds_integer(rounding: Rounding, format: &Float) -> bool {
    let looks_at_end = match format.nan {
        Nan::None | Nan::TopField => format.infinity != Infinity::TopField,
        Nan::AllOnes | Nan::NanInfinity | Nan::SignAlone | Nan::LastCode => true,
    };
    let flushes = format.underflow == Underflow::ToZero;
    let is_split = format.trailing_bits > 0 && format.sign == Sign::Signed;
    is_split && !looks_at_end && !flushes && rounding != Rounding::Mptorch
}

/// Shifts right by the distance of the exponent below that of field 1.
fn denormalize<'c>(format: &Float, biased: Int<'c>, is_tiny: Bits<'c>, significand: Bits<'c>, below: u32) -> Bits<'c> {
    let circuit = significand.circuit();
    // p bits and the individual bits below; the rest matters only as sticky.
    let kept = format.precision() + below;
    let rest = significand.width() - kept;
    let significand = concat(&[significand.high(kept), significand.low(rest).any().named("below_guard")]);
    let deficit = Int::constant(circuit, 1).sub(biased.called("biased_exponent"));
    let deficit = deficit.within(0, deficit.max()).to_unsigned().named("deficit");
    let (shifted, sticky) = significand.shift_right_sticky(is_tiny.gate(deficit).named("shift"), "subnormal");
    let last = shifted.bit(0) | sticky;
    let parts = [(format.precision(), "of the code's significand"), (below, "for rounding"), (1, "sticky")];
    concat(&[shifted.slice(kept, 1), last]).made_of("denormalized", &parts)
}
