//! The scale of a block: the largest power of two in it, seen in exponent fields.
//!
//! ```text
//!   fields -> largest field --------------------------+
//!   trailing significands -> or -> leading-zero count +-> exponent - that of the largest element -> clamp -> code
//! ```
//!
//! Where all fields are 0 the leading one of all trailing significands together is that of the largest.

use super::Code;
use binade_circuit::{Bits, Int};
use binade_spec::Float;

/// The exponents of e8m0, which are the codes less this.
const BIAS: i64 = 127;

/// The e8m0 code of `2^(floor(log2 of the largest magnitude) - largest_exponent)`, or of the scale next to it; the smallest for zeros
/// alone, NaN where there is an infinity or a NaN.
pub fn of_block<'c>(codes: &[&Code<'c>], largest_exponent: i64) -> Bits<'c> {
    let circuit = codes[0].bits.circuit();
    let float = *codes[0].format.float().expect("blocks are made of floats");
    circuit.section("The largest exponent of the block");
    let fields: Vec<Bits> = codes.iter().map(|code| field(&float, code)).collect();
    let largest = largest(&fields).named("largest_field");
    let exponent = Int::unsigned(largest).plus(-i64::from(float.bias));
    // Whether subnormal numbers, and those of field 1, are below all scales.
    let least = largest_exponent - BIAS;
    let is_low = 1 - i64::from(float.bias) <= least;
    let exponent =
        if is_low { exponent } else { Int::select(largest.none(), of_subnormals(&float, codes, least), exponent) };
    circuit.section("The scale: that exponent, less the largest element's");
    let biased = exponent.plus(BIAS - largest_exponent);
    let code = biased.no_less_than(0).no_more_than(2 * BIAS).to_unsigned().zext(8).named("scale_unless_special");
    (code | largest.all().named("any_is_special").repeat(8)).named("scale")
}

fn field<'c>(float: &Float, code: &Code<'c>) -> Bits<'c> {
    let high = float.trailing_bits + float.exponent_bits - 1;
    code.bits.slice(high, float.trailing_bits).named(format!("{}_field", code.name))
}

/// The largest of some unsigned numbers, in pairs.
fn largest<'c>(fields: &[Bits<'c>]) -> Bits<'c> {
    match fields {
        [field] => *field,
        _ => {
            let (low, high) = fields.split_at(fields.len().div_ceil(2));
            let (x, y) = (largest(low), largest(high));
            x.less_than(y).select(y, x)
        }
    }
}

/// The exponent of the leading one of all trailing significands; without one, `least`.
fn of_subnormals<'c>(float: &Float, codes: &[&Code<'c>], least: i64) -> Int<'c> {
    let trailing = codes.iter().map(|code| code.bits.low(float.trailing_bits));
    let together = trailing.reduce(|all, trailing| all | trailing).expect("a block has codes").named("any_trailing");
    let circuit = together.circuit();
    let first = Int::constant(circuit, -i64::from(float.bias));
    let exponent = first.sub(Int::unsigned(together.leading_zeros("subnormal")));
    Int::select(together.none(), Int::constant(circuit, least), exponent)
}
