//! Multiply-accumulate: `y = a * b + c`, the product rounded to the accumulator format first.

use super::{add::add_codes, mul::mul};
use crate::circuit::Bits;
use binade_golden::Operation;

pub fn mac<'c>(operation: &Operation, a: Bits<'c>, b: Bits<'c>, c: Bits<'c>) -> Bits<'c> {
    let product = mul(operation, a, b).named("product_code");
    add_codes(operation, [("p", product), ("c", c)])
}
