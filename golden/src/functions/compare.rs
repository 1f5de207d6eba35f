//! `compare`.

use crate::flags::INVALID;
use crate::{Exact, Model, Value};
use binade_spec::{Compare, Comparison};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// lt, eq, gt, unordered, and the flags if requested (IEEE 754-2019 section 5.11). NaR is less than every other posit
/// and equals itself (posit standard 2022 section 5.4).
pub(super) fn compare(model: &Model, inputs: &[u128], outputs: &mut [u128]) {
    let format = &model.operand;
    let codes = [inputs[0], inputs[1]];
    let [a, b] = codes.map(|code| format.decode(code));
    let of_nar = || format.posit().map(|_| (b == Value::Nan).cmp(&(a == Value::Nan)));
    let order = ordering(a, b).or_else(of_nar);
    let relations = [Some(Ordering::Less), Some(Ordering::Equal), Some(Ordering::Greater), None];
    outputs.iter_mut().zip(relations).for_each(|(output, relation)| *output = (relation == order).into());
    if model.flags.is_some() {
        let is_invalid = match model.settings::<Compare>().comparison {
            Comparison::Quiet => codes.iter().any(|&code| format.is_signaling(code)),
            Comparison::Signaling => order.is_none(),
        };
        outputs[4] = if is_invalid { INVALID.into() } else { 0 };
    }
}

/// The order of two values, unless one is NaN; zeros are equal.
pub(super) fn ordering(a: Value, b: Value) -> Option<Ordering> {
    let sign = |value: Value| match value {
        Value::Zero { .. } => 0,
        _ if value.is_negative() => -1,
        _ => 1,
    };
    let magnitudes = if sign(a) < 0 { magnitude_ordering(b, a) } else { magnitude_ordering(a, b) };
    Some(sign(a).cmp(&sign(b)).then(magnitudes?))
}

/// The order of the magnitudes of two values, unless one is NaN.
pub(super) fn magnitude_ordering(a: Value, b: Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Finite(x), Value::Finite(y)) => {
            let least = x.k.min(y.k);
            let scaled = |x: Exact| BigUint::from(x.n) << (x.k - least) as u32;
            Some(x.exponent().cmp(&y.exponent()).then_with(|| scaled(x).cmp(&scaled(y))))
        }
        _ => Some(rank(a)?.cmp(&rank(b)?)),
    }
}

/// Zero, numbers, infinity; NaN has no rank.
fn rank(value: Value) -> Option<u32> {
    match value {
        Value::Zero { .. } => Some(0),
        Value::Finite(_) => Some(1),
        Value::Infinite { .. } => Some(2),
        Value::Nan => None,
    }
}
