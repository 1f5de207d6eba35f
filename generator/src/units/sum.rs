//! Sum of two terms: exponent difference, alignment, addition, normalisation, for posits as accumulators; class and
//! normalisation for floats, too.
//!
//! One path. The term with the larger exponent stays, the other is shifted right under it; what falls off is kept as a
//! sticky bit in the lowest place:
//!
//! ```text
//!   | carry | integer bits | fraction bits            | sticky |
//!   |   0   | larger term                             | 0      |
//!   |   0   | smaller term, shifted right             | sticky |
//! ```

use super::{
    class::Class, exact::ExactResult, normalise::normalise, round::decide::below_code_bits, target::Target,
    unpack::Unpacked,
};
use binade_circuit::{Bits, Int, concat};

/// `significand * 2^exponent` with `integer_bits` before the point. A term that is not zero has its leading one among
/// the integer bits, unless it is a subnormal of the result's format.
#[derive(Clone, Copy)]
pub struct Term<'c> {
    pub name: &'static str,
    pub class: Class<'c>,
    /// Exponent of the last integer bit.
    pub exponent: Int<'c>,
    pub significand: Bits<'c>,
    pub integer_bits: u32,
}

/// The exact sum of `x` and `y`, but for bits so low that they only matter as sticky, where `y` is of the target's
/// format, a posit.
pub fn add_terms<'c>(target: &Target, x: Term<'c>, y: Term<'c>) -> ExactResult<'c> {
    let window = Window::new(target, &x, &y);
    let pair = align(&window, &x, &y);
    let (difference_sign, magnitude) = add_aligned(&pair);
    let is_zero = !magnitude.any().named("sum_is_nonzero");
    let positive = x.significand.circuit().zero();
    let magnitude = normalise(&target.format, window.integer_bits, pair.exponent, (positive, magnitude));
    let class = Class::of_sum(target.rounding, &x.class, &y.class, difference_sign, is_zero);
    ExactResult { class, magnitude, payload: None }
}

/// An operand as a term: one integer bit.
pub fn term<'c>(name: &'static str, operand: &Unpacked<'c>) -> Term<'c> {
    Term { name, class: operand.class, exponent: operand.exponent, significand: operand.significand, integer_bits: 1 }
}

/// Widths of the aligned terms.
struct Window {
    integer_bits: u32,
    fraction_bits: u32,
}

impl Window {
    /// With `i` integer bits, cancellation by more than one place needs an exponent difference of at most `i`, and then
    /// no bit may be lost: the fractions shifted by `i`. Otherwise the leading one of the sum is at most one place below
    /// the larger term's last integer bit: `p` bits and a guard bit (or as many as are random) from there make `p + 1`
    /// fraction bits.
    fn new(target: &Target, x: &Term, y: &Term) -> Window {
        let fraction = |term: &Term| term.significand.width() - term.integer_bits;
        let shifted_x = fraction(x) + x.integer_bits;
        let shifted_y = fraction(y) + y.integer_bits;
        Window {
            integer_bits: x.integer_bits.max(y.integer_bits),
            fraction_bits: (target.format.precision() + below_code_bits(target.rounding)).max(shifted_x).max(shifted_y),
        }
    }

    /// Integer and fraction bits.
    fn width(&self) -> u32 {
        self.integer_bits + self.fraction_bits
    }

    /// A term's significand with its point where the window has it.
    fn place<'c>(&self, term: &Term<'c>) -> Bits<'c> {
        let fraction = term.significand.width() - term.integer_bits;
        term.significand.zeros_below(self.fraction_bits - fraction).zext(self.width())
    }
}

/// Two terms under one exponent.
struct Aligned<'c> {
    /// Sign of the larger term.
    sign: Bits<'c>,
    subtract: Bits<'c>,
    /// Exponent of the last integer bit.
    exponent: Int<'c>,
    larger: Bits<'c>,
    /// Smaller term, shifted; its sticky bit is the last one.
    smaller: Bits<'c>,
}

fn align<'c>(window: &Window, x: &Term<'c>, y: &Term<'c>) -> Aligned<'c> {
    let circuit = x.significand.circuit();
    circuit.section("Align: the term with the larger exponent stays");
    let difference = x.exponent.sub(y.exponent).resolved().named("exponent_difference");
    // A zero has no exponent to go by.
    let x_is_larger =
        (!x.class.is_zero & (difference.at_least(0) | y.class.is_zero)).named(format!("{}_is_larger", x.name));
    let negated = Int::constant(circuit, 0).sub(difference);
    let distance = Int::select(x_is_larger, difference, negated);
    let distance = distance.within(0, distance.max()).to_unsigned().named("distance");
    let placed = |term: &Term<'c>| window.place(term).named(format!("{}_placed", term.name));
    let (x_placed, y_placed) = (placed(x), placed(y));
    let smaller = x_is_larger.select(y_placed, x_placed).named("smaller");
    let (shifted, sticky) = smaller.shift_right_sticky(distance, "aligned");
    Aligned {
        sign: x_is_larger.select(x.class.sign, y.class.sign).named("larger_sign"),
        subtract: (x.class.sign ^ y.class.sign).named("subtract"),
        exponent: Int::select(x_is_larger, x.exponent, y.exponent).named("larger_exponent"),
        larger: x_is_larger.select(x_placed, y_placed).named("larger"),
        smaller: concat(&[shifted, sticky.named("aligned_sticky")]).named("aligned"),
    }
}

/// Sign and magnitude of the sum, one bit wider for the carry.
fn add_aligned<'c>(pair: &Aligned<'c>) -> (Bits<'c>, Bits<'c>) {
    pair.sign.circuit().section("Add, or subtract as larger + ~smaller + 1");
    let width = pair.smaller.width() + 1;
    // The larger term has no sticky bit; its place carries the 1 of the complement in.
    let larger = concat(&[pair.larger, pair.subtract]).zext(width);
    let smaller = pair.smaller.zext(width) ^ pair.subtract.repeat(width);
    let sum = larger.add(smaller).named("sum");
    let negative = (pair.subtract & sum.msb()).named("difference_is_negative");
    let negated = (sum ^ negative.repeat(width)).add(negative.zext(width));
    (pair.sign ^ negative, negated.named("sum_magnitude"))
}
