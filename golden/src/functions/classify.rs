//! `classify`.

use crate::{Model, Value};
use binade_spec::{CLASSES, Class};

/// One bit for the class of `x` (IEEE 754-2019 section 5.7.2).
pub(super) fn classify(model: &Model, inputs: &[u128], outputs: &mut [u128]) {
    let (format, x) = (&model.operand, inputs[0]);
    let sign = |negative: bool| if negative { "-" } else { "+" };
    let name = match (format.decode(x), format.class(x)) {
        (Value::Nan, Class::SignalingNan) => "signaling NaN".to_string(),
        (Value::Nan, _) => "quiet NaN".into(),
        (Value::Infinite { negative }, _) => format!("{}infinity", sign(negative)),
        (Value::Zero { negative }, _) => format!("{}0", sign(negative)),
        (Value::Finite(exact), Class::Subnormal) => format!("{}subnormal", sign(exact.negative)),
        (Value::Finite(exact), _) => format!("{}normal", sign(exact.negative)),
    };
    let bit = CLASSES.iter().position(|class| *class == name).expect("each value is of one of the ten classes");
    outputs[0] = 1 << bit;
}
