//! Product in a format with subnormals.
//!
//! Two subnormals multiply to less than half of the smallest value, so only one operand's leading zeros count. The
//! significands are multiplied as they are, and one shifter serves both ends: left by those zeros where the result is
//! normal, else to where the result's subnormals have their last bit, whichever way that is.
//!
//! ```text
//!   field of a, field of b       trailing of the subnormal operand        significands
//!            |                                  |                               |
//!      exponent of the product Z     leading zeros k (0 if normal)           multiply
//!            |__________________________________|                               |
//!                           |                                                   |
//!             Z - k: tiny, if below field 1                                     |
//!                           |                                                   |
//!          shift by k, or if tiny by Z less field 1 _________________________ shift
//!                           |                                                   |
//!                     field less 1         +          leading one, trailing bits, round up
//!                                          |
//!                                        code
//! ```

use super::super::{
    assemble::{Kind, assemble},
    flags::flags,
    product::classes_of_product,
    result::Coded,
    round::{ExactResult, Magnitude, Rounded, Tail, below_code_bits, rounds_up},
    unpack::{Unpacked, unpack},
};
use crate::circuit::{Bits, Int, concat};
use binade_golden::{Float, Operation, Rounding, Underflow};

/// Whether products are formed here: not where the result has another format, nor where two subnormals can multiply to
/// more than half of the smallest value.
pub fn applies(operation: &Operation, format: &Float) -> bool {
    operation.operand == operation.result
        && format.underflows_gradually()
        && format.underflow == Underflow::Nearest
        && format.trailing_bits > 0
        && format.bias >= 2
        && operation.rounding != Rounding::Mptorch
}

/// `a * b` in `format`, that of operands and result.
pub fn mul<'c>(operation: &Operation, format: &Float, [a, b]: [Bits<'c>; 2], random: Option<Bits<'c>>) -> Coded<'c> {
    let circuit = a.circuit();
    let operands = [unpack((*format).into(), a, "a"), unpack((*format).into(), b, "b")];
    circuit.section("Classes");
    let classes = classes_of_product(&operands[0], &operands[1]);
    let aligned = align(operation, format, &operands, classes.is_zero);
    let rounded = round(operation, format, classes.sign, &aligned, random);
    let exact = ExactResult {
        sign: classes.sign,
        magnitude: Magnitude {
            // As in the lowest binade: a leading one on top is a normal number's.
            exponent: Int::constant(circuit, 1 - i64::from(format.bias)),
            significand: aligned.significand,
        },
        // A product of zero rounds to code 0 by itself.
        is_zero: circuit.zero(),
        is_infinite: classes.is_infinite,
        is_nan: classes.is_nan,
        payload: None,
        is_invalid: classes.is_invalid,
    };
    Coded {
        code: assemble(operation, format, Kind::Arithmetic, &exact, &rounded),
        flags: operation.flags.map(|tininess| flags(operation, format, &exact, &rounded, random, tininess)),
    }
}

/// A product in the place where it is rounded.
struct Aligned<'c> {
    /// Less than the exponent field by `carry`; one bit wider.
    field: Bits<'c>,
    /// What the leading one adds to the field.
    carry: Bits<'c>,
    /// The leading one of a normal number or 0, the trailing significand, the bits below that are looked at, sticky.
    significand: Bits<'c>,
}

fn align<'c>(
    operation: &Operation,
    format: &Float,
    [a, b]: &[Unpacked<'c>; 2],
    is_zero: Bits<'c>,
) -> Aligned<'c> {
    let circuit = is_zero.circuit();
    let (w, t, p) = (format.exponent_bits, format.trailing_bits, format.precision());
    let bias = i64::from(format.bias);

    circuit.section("Multiply the significands");
    let product = a.significand.multiply_in_rows(b.significand).named("product");

    circuit.section("Leading zeros of the subnormal operand, less the width of its trailing significand");
    let a_is_subnormal = !a.significand.msb();
    let b_is_subnormal = !b.significand.msb();
    let one_is_subnormal = (a_is_subnormal | b_is_subnormal).named("one_is_subnormal");
    let subnormal =
        (a_is_subnormal.gate(a.significand.low(t)) | b_is_subnormal.gate(b.significand.low(t))).named("subnormal");
    let (_, index) = leading_one(subnormal.zeros_below(t.next_power_of_two() - t));
    let index = index.expect("t>1").named("leading_one");
    let j = index.width();

    circuit.section("Exponent");
    let sum = a.exponent.plus(bias).to_unsigned().zext(w + 1).add(b.exponent.plus(bias).to_unsigned().zext(w + 1));
    let sum = sum.named("field_sum");
    let width = (w + 1).max(j) + 1;
    let normalised = sum.zext(width).add(concat(&[one_is_subnormal.repeat(width - j), index])).named("normalised_sum");
    let field_less_1 = plus_constant(normalised, -(bias + 1)).named("field_less_1");
    let is_tiny = (field_less_1.msb() | is_zero).named("is_tiny");

    circuit.section("Shift");
    let extra = u32::from(operation.flags.is_some());
    let kept = p + below_code_bits(operation.rounding) + extra;
    let amount_bits = ((1 << j) + kept + 1).next_power_of_two().ilog2();
    let tiny_width = w.max(amount_bits).max(j + 1);
    let tiny_amount = plus_constant(!sum.zext(tiny_width.max(w + 1)).low(tiny_width), (1 << j) + bias + 1 - 0).named("tiny_amount");
    let normal_amount = concat(&[!one_is_subnormal, index]).zext(amount_bits);
    let tiny_amount = if tiny_width > amount_bits {
        let beyond = tiny_amount.slice(tiny_width - 1, amount_bits).any().named("beyond");
        tiny_amount.low(amount_bits) | beyond.repeat(amount_bits)
    } else {
        tiny_amount
    };
    let amount = is_tiny.select(tiny_amount, normal_amount).named("amount");
    let pad = (kept + 1).saturating_sub(2 * p);
    let word = product.zeros_below(pad + (1 << j));
    let base = 2 * p + pad - (kept + 1);
    let (shifted, sticky) = window(word, base, amount, kept + 1);
    let is_2_or_more = shifted.msb().named("is_2_or_more");
    let at_top = (is_tiny | is_2_or_more).named("at_top");
    let significand = at_top.select(shifted.high(kept), shifted.low(kept)).named("significand");
    let sticky = (sticky | (at_top & shifted.bit(0))).named("lost");
    let is_normal = !is_tiny;
    let integer = is_normal | is_2_or_more;
    let rest = if kept > 1 { concat(&[integer, significand.low(kept - 1), sticky]) } else { concat(&[integer, sticky]) };
    Aligned {
        field: is_normal.gate(field_less_1.low(w + 1)).named("field"),
        carry: concat(&[is_normal & is_2_or_more, is_normal ^ is_2_or_more]),
        significand: rest,
    }
}

/// Bits `base` and up of `word` shifted right, `width` of them; and whether any bit below was 1.
fn window<'c>(word: Bits<'c>, base: u32, amount: Bits<'c>, width: u32) -> (Bits<'c>, Bits<'c>) {
    let circuit = word.circuit();
    let mut sticky = if base > 0 { word.low(base).any() } else { circuit.zero() };
    let mut kept = word.slice(word.width() - 1, base);
    for stage in (0..amount.width()).rev() {
        let (step, here) = (1 << stage, amount.bit(stage));
        let needed = (width + step - 1).min(kept.width());
        let lost = step.min(kept.width());
        sticky = (sticky | (here & kept.low(lost).any())).named(format!("sticky_{step}"));
        let moved = if kept.width() > step {
            let rest = kept.high(kept.width() - step);
            if rest.width() >= needed { rest.low(needed) } else { rest.zext(needed) }
        } else {
            circuit.constant(0, needed)
        };
        kept = here.select(moved, kept.low(needed)).named(format!("shifted_{step}"));
    }
    (kept.zext(width), sticky)
}

/// Whether a word of a power of two bits has a 1, and the index of the highest.
fn leading_one(word: Bits) -> (Bits, Option<Bits>) {
    if word.width() == 1 {
        return (word, None);
    }
    let half = word.width() / 2;
    let (any_high, high) = leading_one(word.high(half));
    let (any_low, low) = leading_one(word.low(half));
    let index = match (high, low) {
        (Some(high), Some(low)) => concat(&[any_high, any_high.select(high, low)]),
        _ => any_high,
    };
    (any_high | any_low, Some(index))
}

/// Sum with a constant, modulo 2^width.
fn plus_constant(bits: Bits, constant: i64) -> Bits {
    let width = bits.width();
    let constant = constant as u128 & crate::circuit::mask(width);
    let zeros = constant.trailing_zeros().min(width);
    if zeros == width {
        return bits;
    }
    let high = bits.high(width - zeros);
    let constant = constant >> zeros;
    let sum = if high.width() <= 4 {
        let mut carry = bits.circuit().zero();
        let mut sum = vec![];
        for i in 0..high.width() {
            let bit = high.bit(i);
            if constant >> i & 1 == 1 {
                sum.insert(0, !(bit ^ carry));
                carry = bit | carry;
            } else {
                sum.insert(0, bit ^ carry);
                carry = bit & carry;
            }
        }
        concat(&sum)
    } else {
        high.add(bits.circuit().constant(constant, high.width()))
    };
    if zeros == 0 { sum } else { concat(&[sum, bits.low(zeros)]) }
}

/// 1 if at least a constant.
fn at_least(bits: Bits, constant: u64) -> Bits {
    let mut result = bits.circuit().constant(1, 1);
    for i in 0..bits.width() {
        result = if constant >> i & 1 == 1 { bits.bit(i) & result } else { bits.bit(i) | result };
    }
    result
}

/// Rounds a product: the leading one, a carry into the next binade and the rounding go into the code with one addition.
fn round<'c>(
    operation: &Operation,
    format: &Float,
    sign: Bits<'c>,
    aligned: &Aligned<'c>,
    random: Option<Bits<'c>>,
) -> Rounded<'c> {
    sign.circuit().section("Round");
    let t = format.trailing_bits;
    let rest = aligned.significand.low(aligned.significand.width() - 1);
    let trailing = rest.high(t);
    let below = below_code_bits(operation.rounding);
    let tail = rest.low(rest.width() - t);
    let tail = Tail { bits: tail.high(below), sticky: tail.low(tail.width() - below).any() };
    let up = rounds_up(operation.rounding, sign, trailing.bit(0), &tail, random).named("round_up");
    let code = concat(&[aligned.field, trailing]);
    let steps = concat(&[aligned.carry, up.zext(t)]).zext(code.width());
    let code = code.add(steps).named("rounded");
    let overflows = at_least(code, format.max_code() + 1).named("overflows");
    Rounded {
        code: code.low(format.magnitude_bits()),
        overflows,
        vanishes: sign.circuit().zero(),
        is_too_large: overflows,
        is_inexact: tail.bits.any() | tail.sticky | overflows,
    }
}
