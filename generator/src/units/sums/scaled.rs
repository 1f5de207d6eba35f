//! A fixed-point sum of products whose exponent comes from two scales, plus a code: the dot product of two blocks.
//!
//! ```text
//!   scales -> multiply -> exponent -----------+
//!   elements -> multiply -> one window -> sum * significand of the scales -> beside the code -> rounded
//! ```

use super::beside::{Beside, Window};
use super::code::Code;
use super::fixed::sum_in_window;
use super::number::Number;
use crate::units::{
    class::Class,
    coded::Coded,
    round::decide::{below_code_bits, makes_minus_zero},
    target::Target,
};
use binade_circuit::Bits;
use binade_spec::Format;

/// The sum of `terms` times both scales, and `addend`, rounded once.
pub fn sum<'c>(
    target: &Target,
    scales: &[Code<'c>; 2],
    terms: &[Number<'c>],
    addend: &Number<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let circuit = addend.digits.circuit();
    let lowest = terms.iter().map(Number::lowest).min().expect("a sum has terms");
    let elements = sum_in_window(&terms.iter().collect::<Vec<_>>(), lowest).named("sum_of_elements");
    let classes: Vec<Class> = terms.iter().map(|term| term.class).collect();
    let class = {
        let minus_zero = makes_minus_zero(target.rounding, circuit, random);
        let class =
            circuit.prefixed("elements", || Class::of_terms(minus_zero, &classes, elements.msb(), elements.none()));
        // The digits of infinities may add up to zero, which an infinite scale must not meet.
        Class { is_zero: class.is_zero & !class.is_infinite, ..class }
    };
    let scale = circuit.prefixed("scale", || Number::of_product(scales));
    circuit.section("Scale the sum of the elements");
    let sum = times(elements, &scale).named("scaled_sum");
    let class = Class::of_product(&scale.class, &class, "scaled_sum");
    let lowest = scale.exponent.plus(lowest - i64::from(scale.fraction_bits));
    let least = least_that_counts(target, sum.width());
    if lowest.min() < least {
        circuit.section("Exponent of the scaled sum: below the least that counts, it is that one");
    }
    let lowest = lowest.no_less_than(least).named("scaled_sum_exponent");
    Beside::new(target, addend, vec![]).sum(target, Window { sum, lowest, classes: vec![class] }, random)
}

/// A product of elements times a product of scales.
pub fn scaled_product<'c>(scale: &Number<'c>, product: &Number<'c>) -> Number<'c> {
    let name = format!("scaled_{}", product.name);
    let class = Class::of_product(&scale.class, &product.class, &name);
    let magnitude = magnified(product.magnitude(), scale).named(&name);
    Number {
        class,
        exponent: scale.exponent.add(product.exponent).named(format!("{name}_exponent")),
        digits: magnitude.zext(magnitude.width() + 1),
        negate: class.sign,
        fraction_bits: scale.fraction_bits + product.fraction_bits,
        may_be_lowest: false,
        name,
    }
}

/// The exact sum of terms times a product of scales, whose exponent it has.
pub fn scaled_sum<'c>(name: &str, scale: &Number<'c>, terms: &[Number<'c>], minus_zero: Bits<'c>) -> Number<'c> {
    let circuit = minus_zero.circuit();
    // Digits below the exponent's place are fraction bits.
    let lowest = terms.iter().map(Number::lowest).min().expect("a sum has terms").min(0);
    let (sum, class) = circuit.prefixed(name, || {
        let sum = sum_in_window(&terms.iter().collect::<Vec<_>>(), lowest);
        let classes: Vec<Class> = terms.iter().map(|term| term.class).collect();
        (sum, Class::of_terms(minus_zero, &classes, sum.msb(), sum.none()))
    });
    // The digits of infinities may add up to zero, which an infinite scale must not meet.
    let class = Class { is_zero: class.is_zero & !class.is_infinite, ..class };
    let negative = sum.msb();
    let magnitude = (sum ^ negative.repeat(sum.width())).add(negative.zext(sum.width())).low(sum.width() - 1);
    let magnitude = magnified(magnitude.named(format!("{name}_magnitude")), scale).named(name);
    let class = Class::of_product(&scale.class, &class, name);
    Number {
        class,
        exponent: scale.exponent,
        digits: magnitude.zext(magnitude.width() + 1),
        negate: class.sign,
        fraction_bits: scale.fraction_bits + (-lowest) as u32,
        may_be_lowest: false,
        name: name.into(),
    }
}

/// A magnitude times the significand of a scale.
fn magnified<'c>(magnitude: Bits<'c>, scale: &Number<'c>) -> Bits<'c> {
    let significand = scale.magnitude();
    match significand.width() {
        1 => significand.gate(magnitude),
        _ => magnitude.multiply(significand),
    }
}

/// The signed sum times the significand and the sign of the scale.
fn times<'c>(sum: Bits<'c>, scale: &Number<'c>) -> Bits<'c> {
    let significand = scale.magnitude();
    let width = sum.width() + significand.width();
    let product = match significand.width() {
        1 => significand.gate(sum).sext(width),
        _ => sum.multiply_signed(significand.zext(significand.width() + 1)).low(width),
    };
    let negative = scale.class.sign;
    (product ^ negative.repeat(width)).add(negative.zext(width))
}

/// An exponent of the lowest place at which a sum of this number of bits is far below the smallest value and the last place of every
/// addend. Then it only matters whether the sum is zero, so lower exponents need not be distinguished.
fn least_that_counts(target: &Target, width: u32) -> i64 {
    let format = target.format;
    let lowest = match format {
        Format::Posit(posit) => posit.least_place(),
        _ if format.underflows_gradually() => format.min_exponent(),
        _ => format.min_exponent() - i64::from(format.precision() - 1),
    };
    lowest - i64::from(2 + below_code_bits(target.rounding) + width)
}
