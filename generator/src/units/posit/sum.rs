//! Sum of two terms in two's complement: align, add, normalize.
//!
//! There is a single path. The term with the larger exponent stays, and the other is shifted right under it:
//!
//! ```text
//!   | sign | integer digits | fraction bits                            |
//!   | sign | larger term                            | 0               |
//!   | sign | s .. s | smaller term, shifted right with its sign        | sticky
//! ```

use super::{operand::fraction_bits, run::strip_run};
use crate::units::{
    round::decide::below_code_bits,
    tapered::{Form, TaperedNumber},
    target::PositTarget,
};
use binade_circuit::{Bits, Int, Optimize, concat, unsigned_width};

/// The bits of the terms, above the section that aligns them.
const PICTURE: [&str; 2] = [
    "| sign | larger term                            | 0               |",
    "| sign | s .. s | smaller term, shifted right with its sign        | sticky",
];

/// `digits * 2^exponent`, with a magnitude from 1 to `2^reach` times `2^exponent` unless it is zero.
#[derive(Clone, Copy)]
pub struct PositTerm<'c> {
    pub name: &'static str,
    pub is_nar: Bits<'c>,
    /// Whether it is zero; `None` if a zero has the lowest exponent.
    pub is_zero: Option<Bits<'c>>,
    pub exponent: Int<'c>,
    /// All values are multiples of `2^quantum`.
    pub quantum: i64,
    /// In two's complement.
    pub digits: Bits<'c>,
    pub fraction_bits: u32,
    pub reach: u32,
}

impl<'c> PositTerm<'c> {
    /// The digits, named after the term.
    fn labeled(&self) -> Bits<'c> {
        let integers = self.digits.width() - self.fraction_bits;
        let parts = [(integers, "for sign and integers"), (self.fraction_bits, "of fraction")];
        self.digits.made_of(format!("{}_term", self.name), &parts)
    }
}

/// Two terms under one exponent.
struct Aligned<'c> {
    exponent: Int<'c>,
    larger: Bits<'c>,
    smaller: Bits<'c>,
    /// Whether the exact smaller term is larger than `smaller`, by less than one last place.
    sticky: Bits<'c>,
}

/// Widths of the aligned terms.
struct Window {
    /// Sign and integer digits.
    integer_bits: u32,
    /// Fraction bits of the terms before alignment.
    term_bits: u32,
    fraction_bits: u32,
    reach: u32,
    /// Whether a sum may have its only 1 in the last place.
    is_tight: bool,
}

impl Window {
    /// A sum that cancels by more than one place requires exponents that differ by at most the reach of a term, and then no
    /// bit may be lost. Otherwise its leading digit is at most one place below that of the term with the larger exponent.
    /// From there, the window has the bits of the result and the bits for rounding.
    fn new(target: &PositTarget, terms: [&PositTerm; 2]) -> Window {
        let most = |count: fn(&PositTerm) -> u32| terms.into_iter().map(count).max().expect("there are two");
        let exact = most(|term| term.fraction_bits + term.reach);
        let rounded = fraction_bits(&target.format) + 1 + below_code_bits(target.rounding);
        Window {
            integer_bits: most(|term| term.digits.width() - term.fraction_bits),
            term_bits: most(|term| term.fraction_bits),
            fraction_bits: rounded.max(exact),
            reach: most(|term| term.reach),
            is_tight: exact >= rounded,
        }
    }

    /// The parts of a word with the window's fraction bits.
    fn parts(&self, integer_bits: u32) -> [(u32, &'static str); 2] {
        let fraction = match self.is_tight {
            true => "for whole terms shifted by their reach",
            false => "for the result's fraction and rounding one place down",
        };
        [(integer_bits, "for sign and integers"), (self.fraction_bits, fraction)]
    }

    /// Digits with `fraction_bits` fraction bits, extended to `places` fraction bits and the window's integer digits.
    fn place<'c>(&self, digits: Bits<'c>, fraction_bits: u32, places: u32) -> Bits<'c> {
        digits.zeros_below(places - fraction_bits).sext(self.integer_bits + places)
    }
}

/// The sum of `x` and `y`, where `y` is at most two units of its exponent.
pub fn sum<'c>(target: &PositTarget, x: &PositTerm<'c>, y: &PositTerm<'c>) -> TaperedNumber<'c> {
    let circuit = x.digits.circuit();
    let window = Window::new(target, [x, y]);
    let pair = align(&window, x, y);

    circuit.section("Add");
    let width = window.fraction_bits + window.reach + 2;
    // The smaller term's bits below the larger term's last bit stay.
    let low_bits = window.fraction_bits - window.term_bits;
    let upper = pair.smaller.high(pair.larger.width()).sext(width - low_bits);
    let sum = pair.larger.sext(width - low_bits).add(upper).named("upper_sum");
    let sum = match low_bits {
        0 => sum,
        bits => concat(&[sum, pair.smaller.low(bits)]),
    };
    let sum = sum.made_of("sum", &window.parts(window.reach + 2));

    circuit.section("Normalize: move the digit after the run of sign bits to the top");
    let sign = sum.msb().named("sum_sign");
    let longest = width - 2;
    let (normalized, run) = strip_run(sum.low(width - 1), sign, longest, "normalized");
    // All stages shift for a zero, and also for a lone 1 in the last place if that is the longest shift.
    let counts_zero = !window.is_tight || u64::from(longest) + 1 < 1 << run.width();
    let is_zero = match circuit.optimize() {
        Optimize::Area if counts_zero => run.all() & !sign,
        Optimize::Area | Optimize::Depth => sum.none(),
    };
    TaperedNumber {
        form: Form::TwosComplement,
        sign,
        is_zero: is_zero.named("sum_is_zero"),
        is_nar: (x.is_nar | y.is_nar).named("sum_is_nar"),
        exponent: sum_exponent(&window, [x, y], pair.exponent, run),
        fraction: normalized.low(longest),
        sticky: pair.sticky,
    }
}

fn align<'c>(window: &Window, x: &PositTerm<'c>, y: &PositTerm<'c>) -> Aligned<'c> {
    let circuit = x.digits.circuit();
    circuit.section_with("Align: the term with the larger exponent stays", &PICTURE);
    let difference = x.exponent.sub(y.exponent).to_signed().named("exponent_difference");
    let exponent_is_larger = difference.msb();
    let y_stays = y.is_zero.map_or(exponent_is_larger, |zero| exponent_is_larger & !zero);
    // If both are zero, `y` stays, and the digits of `x` do not matter.
    let y_stays = x.is_zero.map_or(y_stays, |zero| y_stays | zero).named(format!("{}_is_larger", y.name));
    let (x_digits, y_digits) = (x.labeled(), y.labeled());
    let place = |digits: Bits<'c>, term: &PositTerm| window.place(digits, term.fraction_bits, window.term_bits);
    let larger = y_stays.select(place(y_digits, y), place(x_digits, x));
    let parts = [(window.integer_bits, "for sign and integers"), (window.term_bits, "for the finer fraction")];
    let larger = larger.made_of("larger", &parts);

    // The distance of a negative difference is its inverted bits plus 1, so x starts one place lower.
    let places = (x.fraction_bits + 1).max(y.fraction_bits);
    let x_lowered = window.place(x_digits, x.fraction_bits + 1, places);
    let y_placed = window.place(y_digits, y.fraction_bits, places);
    let smaller = y_stays.select(x_lowered, y_placed);
    let smaller = x.is_zero.map_or(smaller, |zero| (!zero).gate(smaller)).named("smaller");
    let smaller = smaller.zeros_below(window.fraction_bits - places);
    let magnitude = difference.low(difference.width() - 1);
    let distance = (magnitude ^ exponent_is_larger.repeat(magnitude.width())).called("whole_distance");
    let (distance, beyond) = saturated(distance, window);
    let (shifted, lost) = smaller.shift_right_filled(distance, smaller.msb(), "aligned");
    // A negative power of two that is shifted exactly to the last place loses nothing, but one that is shifted further
    // does.
    let farthest = window.fraction_bits + window.reach;
    let is_exact = (1 << distance.width()) - 1 == u64::from(farthest);
    let exactly_below = if is_exact { beyond & smaller.msb() } else { circuit.zero() };
    Aligned {
        exponent: Int::select(!y_stays, x.exponent, y.exponent).named("larger_exponent"),
        larger,
        smaller: shifted.made_of("aligned", &window.parts(window.integer_bits)),
        sticky: (lost | exactly_below).named("aligned_sticky"),
    }
}

/// A distance in as many bits as a shift to the last place needs, all ones if it does not fit, and whether it does not fit.
fn saturated<'c>(distance: Bits<'c>, window: &Window) -> (Bits<'c>, Bits<'c>) {
    let bits = unsigned_width(window.fraction_bits + window.reach);
    if distance.width() <= bits {
        return (distance.named("distance"), distance.circuit().zero());
    }
    let beyond = distance.high(distance.width() - bits).any().named("is_far");
    ((distance.low(bits) | beyond.repeat(bits)).named("distance"), beyond)
}

/// `exponent + reach - run`: a sum with no further sign bits is `reach` places above the larger term's exponent.
fn sum_exponent<'c>(window: &Window, terms: [&PositTerm<'c>; 2], exponent: Int<'c>, run: Bits<'c>) -> Int<'c> {
    let reach = i64::from(window.reach);
    let highest = terms.map(|term| term.exponent.max()).into_iter().max().expect("there are two") + reach;
    let lowest = terms.map(|term| term.quantum).into_iter().min().expect("there are two") - 1;
    let most = (1 << run.width()) - 1;
    let fall = Int::signed(less_power(run, window.reach).named("run_less_reach")).within(-reach, most - reach);
    exponent.sub(fall).within(lowest, highest).named("sum_exponent")
}

/// An unsigned number less a power of two, in two's complement, one bit wider.
fn less_power(number: Bits, power: u32) -> Bits {
    assert!(power.is_power_of_two());
    let kept = power.ilog2();
    let upper = number.high(number.width() - kept);
    let borrow = |index: u32| {
        if index == 0 {
            number.circuit().constant(1, 1)
        } else {
            upper.low(index).none().called(format!("run_borrow_{index}"))
        }
    };
    let mut parts = vec![upper.none()];
    parts.extend((0..upper.width()).rev().map(|index| upper.bit(index) ^ borrow(index)));
    if kept > 0 {
        parts.push(number.low(kept));
    }
    concat(&parts)
}
