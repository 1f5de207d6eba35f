//! Exact sums of terms in a narrow window and one wide term whose exponent goes far beyond it, such as 8-bit products and a
//! binary32 accumulator. The window stays, and the wide term is shifted along it like the addend of a fused multiply-add:
//!
//! ```text
//!   | wide term, where it stays | gap | sum of the others | places below |
//!                   | wide term, shifted right  | sticky
//! ```
//!
//! - Above the window, the wide term stays in place, and its exponent counts: the gap separates it from the others.
//! - Below the window, only its sign and whether it is nonzero matter.
//! - If the sum of the others is zero, it also stays: it is the result.
//!
//! The window may have its own exponent, for example for elements with a common scale.

use super::fixed::{TermDigits, sum_in_window};
use super::number::Number;
use super::total::{Total, rounded};
use crate::units::{
    class::Class,
    coded::Coded,
    round::decide::{below_code_bits, makes_minus_zero},
    target::Target,
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::Format;

/// A sum with one wide term.
pub struct Beside<'n, 'c> {
    wide: &'n Number<'c>,
    others: Vec<&'n Number<'c>>,
    /// Free places between the wide term, when it stays, and the window.
    gap: u32,
    /// Places below the window, which cancellation can reach.
    below: u32,
}

/// A sum in two's complement.
pub struct Window<'c> {
    pub sum: Bits<'c>,
    /// Exponent of the lowest place.
    pub lowest: Int<'c>,
    /// The classes of all terms.
    pub classes: Vec<Class<'c>>,
}

impl<'n, 'c> Beside<'n, 'c> {
    /// Separates the wide term from the others.
    pub fn new(target: &Target, wide: &'n Number<'c>, others: Vec<&'n Number<'c>>) -> Beside<'n, 'c> {
        let (precision, own) = (target.format.precision(), wide.digits.width() - 1);
        let rounding = 2 + below_code_bits(target.rounding);
        Beside { wide, others, gap: precision.saturating_sub(own) + rounding, below: precision.max(own) + rounding }
    }

    /// `None` if one window for all terms is no wider, or if the result has no exponent that can follow the wide term.
    pub fn of(target: &Target, numbers: &'n [Number<'c>]) -> Option<Beside<'n, 'c>> {
        if matches!(target.format, Format::Fixed(_) | Format::Codebook(_)) {
            return None;
        }
        let (at, wide) = numbers.iter().enumerate().max_by_key(|(_, number)| number.top() - number.lowest())?;
        let others: Vec<&Number> =
            numbers.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, number)| number).collect();
        let lowest = others.iter().map(|number| number.lowest()).min()?;
        let top = others.iter().map(|number| number.top()).max()?;
        let beside = Beside::new(target, wide, others);
        let narrow = top - lowest + i64::from(wide.digits.width() - 1 + beside.gap + beside.below);
        let all = top.max(wide.top()) - lowest.min(wide.lowest());
        (narrow < all).then_some(beside)
    }

    /// The sum of the others.
    pub fn window(&self) -> Window<'c> {
        let lowest = self.others.iter().map(|number| number.lowest()).min().expect("there are other terms");
        let sum = sum_in_window(&self.others, lowest).named("narrow_sum");
        let classes = self.others.iter().map(|number| number.class).collect();
        Window { sum, lowest: Int::constant(sum.circuit(), lowest), classes }
    }

    /// The exact sum of the wide term and the window, rounded once.
    pub fn sum(&self, target: &Target, window: Window<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
        let Beside { wide, gap, below, .. } = self;
        let Window { sum: window, lowest, mut classes } = window;
        let circuit = wide.digits.circuit();
        let name = &wide.name;
        let pictures = [
            format!("| {name}, where it stays | gap | sum of the others | places below |"),
            format!("              | {name}, shifted right | sticky"),
        ];
        let title = format!("Align {name} with the sum of the others");
        circuit.section_with(&title, &pictures.each_ref().map(String::as_str));
        let last = lowest.plus(i64::from(window.width() + gap));
        let distance = last.sub(wide.exponent.plus(-i64::from(wide.fraction_bits))).named(format!("{name}_distance"));
        let is_above = (distance.less_than(0) & !wide.class.is_zero).named(format!("{name}_is_above"));
        let stays = (is_above | window.none().named("narrow_sum_is_zero")).named(format!("{name}_stays"));
        let distance = distance.within(0, distance.max().max(0)).to_unsigned();
        let shift = (!stays).gate(distance).named(format!("{name}_shift"));
        let digits = TermDigits::negated(wide).digits;
        // The sign of -0 is lost here.
        let placed = digits.zeros_below(gap + window.width() + below).named(format!("{name}_placed"));
        let (aligned, sticky) = placed.shift_right_filled(shift, digits.msb(), &format!("{name}_aligned"));
        circuit.section("Add");
        let aligned = concat(&[aligned, sticky]);
        let width = aligned.width() + 1;
        let sum = aligned.sext(width).add(window.zeros_below(below + 1).sext(width)).named("sum");
        let carry = i64::from(wide.integer_bits());
        let fixed = last.plus(i64::from(wide.fraction_bits));
        let top = Int::select(stays, wide.exponent, fixed).plus(carry).named("sum_top_exponent");
        classes.push(wide.class);
        let minus_zero = makes_minus_zero(target.rounding, sum.circuit(), random);
        let class = |negative, is_zero| Class::of_terms(minus_zero, &classes, negative, is_zero);
        let lowest = lowest.min().min(wide.lowest());
        rounded(target, Total { lowest, ..Total::new(sum, top) }, class, random)
    }
}
