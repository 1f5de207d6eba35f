//! Posit adder.
//!
//! One path. The term with the larger exponent stays, the other is shifted right under it, both in two's complement:
//!
//! ```text
//!   | sign | 2 | 1 | fraction bits                                |
//!   | sign | s | . | larger term                    | 0           |
//!   | sign | s | s | smaller term, shifted right with its sign    | sticky
//! ```

use super::{
    operand::{Operand, fraction_bits, largest_exponent},
    result::{SignedResult, encode},
    run::strip_run,
};
use crate::units::{round::decide::below_code_bits, target::PositTarget};
use binade_circuit::{Bits, Int, Optimize, concat, signed_width, unsigned_width};
use binade_spec::{Posit, Rounding};

/// The sum of two codes of the target's format; the signals are named after them.
pub fn add<'c>(
    target: &PositTarget,
    [(x_name, x), (y_name, y)]: [(&'static str, Bits<'c>); 2],
    random: Option<Bits<'c>>,
) -> Bits<'c> {
    let posit = &target.format;
    let x = Operand::new(posit, x, x_name);
    let y = Operand::new(posit, y, y_name);
    let circuit = x.sign.circuit();
    let pair = align(target.rounding, posit, &x, &y, [x_name, y_name]);

    circuit.section("Add");
    let width = pair.smaller.width() + 1;
    // The smaller term's bits below the larger term's last one stay.
    let low_bits = pair.smaller.width() - pair.larger.width();
    let larger = pair.larger.sext(width - low_bits);
    let sum = larger.add(pair.smaller.high(pair.larger.width()).sext(width - low_bits)).named("upper_sum");
    let sum = concat(&[sum, pair.smaller.low(low_bits)]).named("sum");

    circuit.section("Normalise: the digit after a run of signs to the top");
    let sign = sum.msb().named("sum_sign");
    let (normalised, run) = strip_run(sum.low(width - 1), sign, width - 2, "normalised");
    let is_zero = match circuit.optimize() {
        Optimize::Area => run.all() & !sign,
        Optimize::Depth => sum.none(),
    };
    let result = SignedResult {
        sign,
        is_zero: is_zero.named("sum_is_zero"),
        is_nar: (x.is_nar | y.is_nar).named("sum_is_nar"),
        exponent: sum_exponent(posit, pair.exponent, run).plus(posit.scale.into()),
        fraction: normalised.low(width - 2),
        sticky: pair.sticky,
    };
    encode(target, &result, random)
}

/// Two terms under one exponent: sign, a digit of weight 1, fraction.
struct Aligned<'c> {
    exponent: Bits<'c>,
    larger: Bits<'c>,
    smaller: Bits<'c>,
    /// Whether the smaller term is a little more than that.
    sticky: Bits<'c>,
}

fn align<'c>(
    rounding: Rounding,
    posit: &Posit,
    x: &Operand<'c>,
    y: &Operand<'c>,
    [x_name, y_name]: [&str; 2],
) -> Aligned<'c> {
    let circuit = x.sign.circuit();
    circuit.section("Align: the term with the larger exponent stays");
    let exponent_bits = x.exponent.width();
    let difference = x.exponent.sext(exponent_bits + 1).sub(y.exponent.sext(exponent_bits + 1));
    let y_is_larger = difference.named("exponent_difference").msb().named(format!("{y_name}_is_larger"));
    let (x_term, y_term) =
        (x.significand().named(format!("{x_name}_term")), y.significand().named(format!("{y_name}_term")));
    let fraction = fraction_bits(posit);
    // A negative difference is one less than its bits inverted say: x starts one place lower.
    let x_lowered = concat(&[x.sign, x_term]);
    let smaller = y_is_larger.select(x_lowered, y_term.zeros_below(1)).named("smaller");
    // An exact sum of terms whose exponents differ by at most 1 has one bit more. Else the sum's leading digit is at most
    // one place below the larger term's: as many bits from there, and those that a rounding looks at.
    let window = fraction + 1 + below_code_bits(rounding);
    let smaller = smaller.zeros_below(window - fraction - 1);
    let distance = difference.low(exponent_bits) ^ y_is_larger.repeat(exponent_bits);
    let (distance, beyond) = saturated(distance, window + 1);
    let (shifted, lost) = smaller.shift_right_filled(distance, smaller.msb(), "aligned");
    // -2 shifted by `window + 1` places is the last bit, and nothing is lost; were it further, something would be.
    let exactly_below = if (1 << distance.width()) - 1 == window + 1 { beyond & smaller.msb() } else { circuit.zero() };
    Aligned {
        exponent: y_is_larger.select(y.exponent, x.exponent).named("larger_exponent"),
        larger: y_is_larger.select(y_term, x_term).named("larger"),
        smaller: shifted.named("aligned"),
        sticky: (lost | exactly_below).named("aligned_sticky"),
    }
}

/// `number` in as many bits as `enough` takes, all ones if it does not fit; and whether it does not.
fn saturated(number: Bits, enough: u32) -> (Bits, Bits) {
    let bits = unsigned_width(enough);
    if number.width() <= bits {
        return (number.named("distance"), number.circuit().zero());
    }
    let beyond = number.high(number.width() - bits).any().named("is_far");
    ((number.low(bits) | beyond.repeat(bits)).named("distance"), beyond)
}

/// `exponent + 1 - run`: a run of no more signs is that of a sum above the larger term's binade.
fn sum_exponent<'c>(posit: &Posit, exponent: Bits<'c>, run: Bits<'c>) -> Int<'c> {
    let largest = largest_exponent(posit);
    // Sums are multiples of minpos, and at most twice maxpos.
    let bits = signed_width(largest + 1);
    let fit = |word: Bits<'c>| word.sext(bits.max(word.width())).low(bits);
    let less_one = less_one(run).named("run_less_1");
    Int::signed(fit(exponent).sub(fit(less_one)).named("sum_exponent")).within(-largest - 1, largest + 1)
}

/// An unsigned number less 1, in two's complement, one bit wider.
fn less_one(number: Bits) -> Bits {
    let borrow = |index: u32| if index == 0 { number.circuit().constant(1, 1) } else { number.low(index).none() };
    let mut parts = vec![number.none()];
    parts.extend((0..number.width()).rev().map(|index| number.bit(index) ^ borrow(index)));
    concat(&parts)
}
