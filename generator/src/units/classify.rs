//! Classification: one bit for the class of a code.

use super::unpack::unpack;
use binade_circuit::{Bits, concat};
use binade_spec::{FieldZero, Format};

/// The ten classes of IEEE 754-2019 section 5.7.2, one bit each.
pub fn classify<'c>(format: Format, x: Bits<'c>) -> Bits<'c> {
    let class = unpack(format, x, "x").class;
    let circuit = x.circuit();
    circuit.section("Classify");
    let is_finite = !(class.is_zero | class.is_infinite | class.is_nan);
    let is_subnormal = match format.float() {
        Some(float) if float.field_zero == FieldZero::Subnormal && float.binades_below == 0 => {
            x.slice(float.magnitude_bits() - 1, float.trailing_bits).none()
        }
        Some(_) | None => circuit.zero(),
    };
    let (is_normal, is_subnormal) = (is_finite & !is_subnormal, is_finite & is_subnormal);
    let is_infinite = class.is_infinite & !class.is_nan;
    let is_zero = class.is_zero & !class.is_nan;
    let signed = |is: Bits<'c>, name: &str| {
        [
            (is & class.sign).named(format!("is_negative_{name}")),
            (is & !class.sign).named(format!("is_positive_{name}")),
        ]
    };
    let [minus_infinity, plus_infinity] = signed(is_infinite, "infinity");
    let [minus_normal, plus_normal] = signed(is_normal, "normal");
    let [minus_subnormal, plus_subnormal] = signed(is_subnormal, "subnormal");
    let [minus_zero, plus_zero] = signed(is_zero, "zero");
    let is_signaling = class.is_invalid.named("is_signaling");
    let is_quiet = (class.is_nan & !is_signaling).named("is_quiet");
    concat(&[
        is_quiet,
        is_signaling,
        plus_infinity,
        plus_normal,
        plus_subnormal,
        plus_zero,
        minus_zero,
        minus_subnormal,
        minus_normal,
        minus_infinity,
    ])
}
