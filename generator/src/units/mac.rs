//! Multiply-accumulate: `y = a * b + c`, the product rounded to the accumulator format first.

use super::{add::add_codes, coded::Coded, mul::mul, target::Target};
use binade_circuit::Bits;
use binade_spec::Format;

/// `random` holds the random words of both roundings.
pub fn mac<'c>(operand: Format, target: &Target, [a, b, c]: [Bits<'c>; 3], random: [Option<Bits<'c>>; 2]) -> Coded<'c> {
    let product = mul([operand; 2], target, [("a", a), ("b", b)], random[0]);
    let sum = add_codes(target, [("p", product.code.named("product_code")), ("c", c)], random[1]);
    let flags = product.flags.zip(sum.flags).map(|(product, sum)| product | sum);
    Coded { flags, ..sum }
}
