//! Dot product over time: each clock adds a product to the sum so far and rounds the new sum. With blocks, the sums of blocks are
//! added in binary32.
//!
//! ```text
//!   a, b -> fmac -> acc -+            (chain: that is all)
//!            ^-----------+-> add in binary32 -> y
//!                            ^ total <- where a block is complete
//! ```

use super::accumulate::added_to;
use super::{coded::Coded, convert::convert, fmac::fmac, mac::mac, target::Target};
use binade_circuit::{Bits, Circuit};
use binade_spec::{Format, Operation, Overflow, PositRange, Products, Summation};

/// The code of the sum after this clock.
pub fn dot_stream<'c>(operation: &Operation, target: &Target, [a, b, clear]: [Bits<'c>; 3]) -> Coded<'c> {
    let circuit = a.circuit();
    let (operand, format) = (operation.operand, target.format);
    let zero = circuit.constant(format.zero_code(false), format.width());
    let acc = code_register(circuit, "acc", format, "sum since the last clear");
    let kept = clear.select(zero, acc).named("acc_or_zero");
    let sum = circuit.prefixed("step", || match operation.rounds_products() {
        true => mac(operand, target, [a, b, kept], [None; 2]),
        false => fmac(operand, target, [a, b, kept], None),
    });
    if operation.settings::<Products>().summation == Summation::Chain {
        circuit.drive(acc, sum.code);
        return sum;
    }
    let sum = sum.code.named("sum_of_block");
    let (is_last, total) = blocks(operation, clear);
    circuit.drive(acc, is_last.select(zero, sum).named("acc_next"));
    let wide = wide(target);
    let kept = (!clear).gate(total).named("total_or_zero");
    let new_total = circuit.prefixed("total", || added_to(&wide, format, ("block", sum), ("before", kept), None));
    let new_total = new_total.code.named("new_total");
    circuit.drive(total, is_last.select(new_total, kept).named("total_next"));
    circuit.prefixed("y", || convert(wide.format, target, ("x", new_total), None))
}

/// Whether this clock's product is the last of a block, and the register with the sum of the complete blocks.
fn blocks<'c>(operation: &Operation, clear: Bits<'c>) -> (Bits<'c>, Bits<'c>) {
    let circuit = clear.circuit();
    let total = code_register(circuit, "total", Format::binary32(), "sum of the complete blocks");
    circuit.section("Position in the block");
    let last = u128::from(operation.block() - 1);
    let bits = (operation.block() - 1).max(1).ilog2() + 1;
    let count = circuit.register("count", bits, 0, "products of the block so far");
    let place = (!clear).gate(count).named("place");
    let is_last = place.equals_constant(last).named("is_last");
    circuit.drive(count, (!is_last).gate(place.add(circuit.constant(1, bits))).named("count_next"));
    (is_last, total)
}

fn code_register<'c>(circuit: &'c Circuit, name: &str, format: Format, what: &str) -> Bits<'c> {
    circuit.register(name, format.width(), format.zero_code(false), &format!("{what}, {format}"))
}

/// The sum of blocks is rounded like results, but with the policies of binary32.
fn wide(target: &Target) -> Target {
    let format = Format::binary32();
    let rounding = format.own_rounding(target.rounding);
    Target { format, rounding, overflow: Overflow::default(), posit_range: PositRange::default(), ..*target }
}
