//! `sgnj`.

use crate::Model;

/// The code of `a` with another sign.
pub(super) fn sgnj(model: &Model, inputs: &[u128], outputs: &mut [u128]) {
    let [a, b, op] = [inputs[0], inputs[1], inputs[2]];
    let [a_is_negative, b_is_negative] = [a, b].map(|code| model.operand.is_negative(code));
    let is_negative = match op {
        0 => b_is_negative,
        1 => !b_is_negative,
        _ => a_is_negative != b_is_negative,
    };
    outputs[0] = model.operand.code(is_negative, model.operand.magnitude(a));
}
