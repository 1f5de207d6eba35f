//! `loss-scaler`.

use crate::{Bits, Codec, Exact, Model, Value};
use binade_spec::{Format, LossScaler, Overflow, Rounding};

/// Exponents of the powers of two in both e8m0 and binary32.
const LIMITS: [i32; 2] = [-127, 127];

/// One clock: the state is the scale's exponent + 127, the number of good steps so far, and whether a gradient
/// overflowed since the last step; the outputs are scale, scale32 and skip.
pub(super) fn step<W: Bits>(model: &Model, state: &mut [u128], inputs: &[W], outputs: &mut [u128]) {
    let exponent = state[0] as i32 + LIMITS[0];
    let overflows = state[2] == 1 || (0..model.lanes()).any(|lane| is_overflow(model, &inputs[0], lane));
    let is_step = inputs[1].field(0, 1) == 1;
    outputs.copy_from_slice(&[state[0], power_of_two(exponent), (is_step && overflows).into()]);
    if !is_step {
        state[2] = overflows.into();
        return;
    }
    let good_steps = if overflows { 0 } else { state[1] as u32 + 1 };
    let is_time = good_steps == model.settings::<LossScaler>().interval;
    let next = exponent + i32::from(is_time) - i32::from(overflows);
    state[0] = (next.clamp(LIMITS[0], LIMITS[1]) - LIMITS[0]) as u128;
    state[1] = if is_time { 0 } else { good_steps.into() };
    state[2] = 0;
}

fn is_overflow(model: &Model, gradients: &impl Bits, lane: u32) -> bool {
    let width = model.operand.width();
    match model.operand.decode(gradients.field(lane * width, width)) {
        Value::Infinite { .. } | Value::Nan => true,
        Value::Zero { .. } | Value::Finite(_) => false,
    }
}

/// The binary32 code of a power of two.
fn power_of_two(exponent: i32) -> u128 {
    let value = Value::Finite(Exact { negative: false, n: 1, k: exponent });
    Format::binary32().encode(value, Rounding::Rne, Overflow::Inf)
}
