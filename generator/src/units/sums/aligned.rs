//! Sums as in matrix units of GPUs: every term is shifted right to the largest exponent, and bits shifted out are lost, or with
//! rounding to odd joined into the last place.
//!
//! ```text
//!   | sign | carries | integer bits | F fraction bits |   of a term with the largest exponent
//! ```

use super::fixed::carries_in;
use super::number::Number;
use super::total::{Total, rounded};
use crate::units::{class::Class, coded::Coded, round::decide::makes_minus_zero, target::Target};
use binade_circuit::{Bits, Int, Part};
use binade_spec::{Alignment, Rounding};

/// The bits of a term with the largest exponent, above the section that aligns.
const PICTURE: &str = "| sign | carries | integer bits | fraction bits |";

const ALIGN: Part = Part::repeated("align", "A term shifted right to the largest exponent; bits shifted out are lost.");

const ALIGN_TO_ODD: Part =
    Part::repeated("align", "A term shifted right to the largest exponent; its last bit is 1 if bits shifted out are.");

/// Where terms are cut off, and how they are rounded there.
#[derive(Clone, Copy)]
pub struct Cut<'a> {
    pub alignment: &'a Alignment,
    pub rounding: Rounding,
}

/// A term, and whether its exponent does not count: that of zero, or of a sum whose scales are zero.
pub struct CutTerm<'c> {
    pub number: Number<'c>,
    pub has_no_exponent: Bits<'c>,
}

impl<'c> From<Number<'c>> for CutTerm<'c> {
    fn from(number: Number<'c>) -> CutTerm<'c> {
        CutTerm { has_no_exponent: number.class.is_zero, number }
    }
}

/// The sum of the terms that are cut off, rounded.
pub fn sum<'c>(target: &Target, cut: Cut, terms: Vec<CutTerm<'c>>, random: Option<Bits<'c>>) -> Coded<'c> {
    let classes: Vec<_> = terms.iter().map(|term| term.number.class).collect();
    // A term that is always zero only has a sign.
    let (without_exponent, numbers): (Vec<Bits>, Vec<Number>) = terms
        .into_iter()
        .filter(|term| term.number.class.is_zero.known() != Some(1))
        .map(|term| (term.has_no_exponent, term.number))
        .unzip();
    let (circuit, alignment) = (numbers[0].digits.circuit(), cut.alignment);
    circuit.section("The largest exponent of all terms that are not zero");
    let floor = alignment.floor.map(|floor| Int::constant(circuit, floor.into()));
    let least = numbers.iter().map(|number| number.exponent.min()).min().expect("a sum has terms");
    let least = alignment.floor.map_or(least, |floor| least.max(floor.into()));
    let exponents =
        numbers.iter().zip(&without_exponent).map(|(number, without)| exponent_or_least(number, *without, least));
    let largest = exponents
        .chain(floor)
        .enumerate()
        .reduce(|(_, x), (at, y)| (at, larger(x, y).named(format!("largest_exponent_{at}"))));
    let (_, largest) = largest.expect("a sum has terms");
    let integer_bits = numbers.iter().map(Number::integer_bits).max().expect("a sum has terms");
    let width = integer_bits + alignment.fraction_bits;
    let (about, part) = match cut.rounding {
        Rounding::Rto => ("Align: bits below the last fraction bit are joined into it", ALIGN_TO_ODD),
        _ => ("Align: bits below the last fraction bit are dropped", ALIGN),
    };
    circuit.section_with(about, &[PICTURE]);
    let cut_off =
        |number: &Number<'c>| circuit.part(part, &number.name, || aligned_magnitude(number, cut, largest, width));
    let aligned: Vec<Bits> = numbers.iter().map(cut_off).collect();
    circuit
        .section_with("Add: the complement of each negative term, and a 1 for each complement", &[carries_in(circuit)]);
    let complements = numbers.iter().zip(&aligned).map(|(number, aligned)| {
        let digits = aligned.zext(width + 1) ^ number.class.sign.repeat(width + 1);
        digits.named(format!("{}_digits", number.name))
    });
    let complements: Vec<Bits> = complements.collect();
    let signs: Vec<Bits> = numbers.iter().map(|number| number.class.sign).collect();
    let sum = Bits::sum_of_signed(&complements, &signs, "sum").named("sum");
    let top = largest.plus(i64::from(sum.width()) - 2 - i64::from(alignment.fraction_bits));
    let minus_zero = makes_minus_zero(target.rounding, sum.circuit(), random);
    let class = |negative, is_zero| {
        let class = Class::of_terms(minus_zero, &classes, negative, is_zero);
        // Infinities of both signs are invalid even beside a NaN.
        let opposite = Class::has_both_infinities(&classes);
        Class { is_invalid: class.is_invalid | opposite, ..class }
    };
    rounded(target, Total::new(sum, top), class, random)
}

/// The exponent of a number, or `least`, which is at most the largest exponent of all.
pub fn exponent_or_least<'c>(number: &Number<'c>, has_no_exponent: Bits<'c>, least: i64) -> Int<'c> {
    let least = Int::constant(number.digits.circuit(), least);
    Int::select(has_no_exponent, least, number.exponent).named(format!("{}_exponent_or_least", number.name))
}

/// The larger one.
pub fn larger<'c>(x: Int<'c>, y: Int<'c>) -> Int<'c> {
    let (least, most) = (x.min().max(y.min()), x.max().max(y.max()));
    Int::select(x.sub(y).less_than(0), y, x).within(least, most)
}

/// The magnitude, shifted to the largest exponent, in `width` bits.
pub fn aligned_magnitude<'c>(number: &Number<'c>, cut: Cut, largest: Int<'c>, width: u32) -> Bits<'c> {
    let Number { name, class, exponent, fraction_bits, .. } = number;
    let (magnitude, kept) = (number.magnitude(), cut.alignment.fraction_bits);
    let is_to_odd = cut.rounding == Rounding::Rto;
    let magnitude = match fraction_bits.checked_sub(kept) {
        Some(beyond) if beyond > 0 && is_to_odd => {
            joined(magnitude.high(magnitude.width() - beyond), magnitude.low(beyond).any())
        }
        Some(beyond) if beyond > 0 => magnitude.high(magnitude.width() - beyond),
        _ => magnitude.zeros_below(kept - fraction_bits),
    };
    // The exponent of a zero may be above the largest one, but a shifted zero is zero anyway.
    let distance = largest.sub(*exponent);
    let distance = distance.within(0, distance.max()).to_unsigned().named(format!("{name}_distance"));
    let (shifted, lost) = magnitude.zext(width).shift_right_out(distance, class.is_zero, &format!("{name}_aligned"));
    if is_to_odd { joined(shifted, lost).named(format!("{name}_to_odd")) } else { shifted }
}

/// A magnitude rounded to odd: its last bit is 1 if lost bits are.
fn joined<'c>(magnitude: Bits<'c>, lost: Bits<'c>) -> Bits<'c> {
    magnitude | lost.zext(magnitude.width())
}
