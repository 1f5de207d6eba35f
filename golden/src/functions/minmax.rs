//! `minmax`.

use super::compare::{magnitude_ordering, ordering};
use crate::flags::INVALID;
use crate::{Model, Policy, Value};
use binade_spec::{Extremum, Minmax};
use std::cmp::Ordering;

/// The minimum or maximum, and the flags if requested (IEEE 754-2019 section 9.6).
pub(super) fn minmax(model: &Model, inputs: &[u128], outputs: &mut [u128]) {
    let format = &model.operand;
    let codes = [inputs[0], inputs[1]];
    let values = codes.map(|code| format.decode(code));
    let chosen = extremum(model.settings::<Minmax>().extremum, values);
    let policy = Policy::new(model.rounding, model.overflow);
    let code = format.encode_by(chosen, &policy);
    // An ignored sign of a zero or NaN becomes +.
    let ignored = format.ignores_sign_of_specials() && (chosen == Value::Nan || matches!(chosen, Value::Zero { .. }));
    outputs[0] = if ignored { code & format.magnitude_mask() } else { code };
    if model.flags.is_some() {
        let is_invalid = codes.iter().any(|&code| format.is_signaling(code));
        outputs[1] = if is_invalid { INVALID.into() } else { 0 };
    }
}

fn extremum(which: Extremum, [a, b]: [Value; 2]) -> Value {
    let by_magnitude = if which.is_of_magnitudes() { magnitude_ordering(a, b) } else { Some(Ordering::Equal) };
    let Some((by_magnitude, by_value)) = by_magnitude.zip(ordering(a, b)) else {
        let other = if a == Value::Nan { b } else { a };
        return if which.prefers_number() { other } else { Value::Nan };
    };
    // Zeros are ordered by their signs.
    let order = by_magnitude.then(by_value).then(b.is_negative().cmp(&a.is_negative()));
    let takes_a = if which.is_maximum() { order.is_ge() } else { order.is_le() };
    if takes_a { a } else { b }
}
