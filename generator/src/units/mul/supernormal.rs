//! Products in supernormal formats: rounded before the exponents are added.
//!
//! Where a product is rounded depends on its fraction alone but for the outer binades, where it is rounded to a power of
//! two. So one adder sums the exponents, and the carry of the rounding: after it there is nothing to increment but powers
//! of two. A fraction that is rounded to the next binade is nothing more in that.

use crate::units::{
    assemble::Kind,
    class::Class,
    exact::{ExactResult, Magnitude},
    result::Coded,
    round::decide::{Tail, rounds_up},
    supernormal::{self, Between},
    target::FloatTarget,
    unpack::Unpacked,
};
use binade_circuit::{Bits, concat};
use binade_spec::Rounding;

/// Whether a product is rounded here: all that is rounded to the next binade must be rounded as that binade's first number
/// is. Half the smallest number is a tie, which goes away from zero if ties do; what is less is none.
pub fn applies(target: &FloatTarget) -> bool {
    let carries_alike = match target.rounding {
        Rounding::Rne | Rounding::Rtz | Rounding::Rup | Rounding::Rdn | Rounding::Rto => true,
        Rounding::Rna | Rounding::Rnu | Rounding::Sr(_) | Rounding::Mptorch => false,
    };
    carries_alike && target.format.trailing_bits > 0 && supernormal::applies(target)
}

/// The product of normalised operands, rounded.
pub fn mul<'c>(target: &FloatTarget, [a, b]: &[Unpacked<'c>; 2], fraction: Bits<'c>, carry: Bits<'c>) -> Coded<'c> {
    let format = &target.format;
    let circuit = carry.circuit();
    let class = Class::of_product(&a.class, &b.class);
    let t = format.trailing_bits;
    circuit.section("Round as an ordinary number, before the exponents are added");
    let fraction = fraction.zeros_below((t + 2).saturating_sub(fraction.width()));
    let (trailing, rest) = (fraction.high(t), fraction.low(fraction.width() - t));
    let up = rounds_up(target.rounding, class.sign, trailing.bit(0), &Tail::new(rest, 1), None);
    let rounded = trailing.zext(t + 1).plus_bit_in_logic(up.named("ordinary_rounds_up"));
    let reaches_next = rounded.msb().named("reaches_next_binade");

    circuit.section("Exponent");
    let exponent = a.exponent.add_with_carry(b.exponent, (carry | reaches_next).named("exponent_carry"));
    let exponent = exponent.named("exponent");
    let between = Between {
        exponent: exponent.plus(format.bias.into()),
        trailing: Some(rounded.low(t).named("rounded_trailing")),
        rounds_up: circuit.zero(),
        tail: Tail::new((!reaches_next).gate(fraction).named("above_power"), 1),
    };
    let magnitude = Magnitude { exponent, significand: concat(&[circuit.constant(1, 1), fraction]) };
    let exact = ExactResult { class, magnitude, payload: None };
    let code = supernormal::encode_between(target, Kind::Arithmetic, &exact, &between, None);
    Coded { code, flags: None }
}
