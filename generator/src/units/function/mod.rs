//! Functions of one operand, right for every code.
//!
//! ```text
//!   x  -> table -> y                                        codes of up to 8 bits, and for depth
//!   x  -> tables -> intercept, slope -> line -> y           codes of more bits
//!   x  -> table -> class, exponent, significand -> encode   the same, rounded stochastically
//! ```

mod segments;
mod table;
mod value;

use super::{
    assemble::Kind,
    coded::Coded,
    exact::{ExactResult, Magnitude},
    result::encode,
    sums::Code,
    target::Target,
};
use binade_circuit::{Bits, Int, Optimize, concat};
use binade_spec::{DIVISION_FLAG_BITS, Function};
use segments::{Base, Segments, smallest};
use table::{Unrounded, class_of, rounded, unrounded};

/// The function of a code, rounded.
pub fn function<'c>(target: &Target, function: Function, x: &Code<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
    let results = unrounded(function, x.format);
    match random {
        None => looked_up(target, function, &results, x),
        Some(_) => drawn(target, function, &results, x, random),
    }
}

/// Code and flags from a table of all operands.
fn looked_up<'c>(target: &Target, function: Function, results: &[Unrounded], x: &Code<'c>) -> Coded<'c> {
    let words = rounded(target, results);
    let circuit = x.bits.circuit();
    circuit.section_with(&format!("Look up {function}"), &[TABLE]);
    let width = target.format.width();
    let code = match x.bits.width() {
        // A diagram is larger than lines, and has fewer levels.
        bits if bits <= MAX_PLAIN_BITS || circuit.optimize() == Optimize::Depth => {
            x.bits.look_up("entry", width, |code| words[code as usize])
        }
        _ => in_segments(
            &smallest(&words.iter().map(|word| word & ((1 << width) - 1)).collect::<Vec<_>>(), width),
            x.bits,
            width,
        ),
    };
    let code = code.named("value");
    let flags = target.flags.map(|_| {
        x.bits.look_up("flag_entry", DIVISION_FLAG_BITS, |code| words[code as usize] >> width).named("raised")
    });
    Coded { code, flags }
}

/// Up to so many bits, all results are looked up.
const MAX_PLAIN_BITS: u32 = 8;

/// A result of `width` bits, from lines.
fn in_segments<'c>(segments: &Segments, x: Bits<'c>, width: u32) -> Bits<'c> {
    let Segments { base, low_bits, fraction_bits, unused_bits, slope_bits, .. } = *segments;
    let circuit = x.circuit();
    let address = x.high(x.width() - unused_bits).called("address");
    let sum_bits = width + fraction_bits;
    let entry = |entries: &[u64], address: u32| entries[(address as usize) << unused_bits];
    let intercept =
        address.look_up("intercept_entry", sum_bits, |at| entry(&segments.intercepts, at)).called("intercept");
    let sum = match low_bits {
        0 => intercept,
        _ => {
            let slope = address.look_up("slope_entry", slope_bits, |at| entry(&segments.slopes, at)).named("slope");
            let product = slope.multiply_signed(x.low(low_bits).zext(low_bits + 1)).named("rise");
            let product = if product.width() < sum_bits { product.sext(sum_bits) } else { product.low(sum_bits) };
            intercept.add(product).named("line").high(width)
        }
    };
    let x = if x.width() < width { x.zext(width) } else { x };
    let half = || concat(&[circuit.zero(), x.high(x.width() - 1)]).low(width);
    match base {
        Base::Zero => sum,
        Base::Plus => sum.add(x.low(width)),
        Base::Minus => sum.sub(x.low(width)),
        Base::PlusHalf => sum.add(half()),
        Base::MinusHalf => sum.sub(half()),
    }
}

/// What is below the title of a table's section.
const TABLE: &str = "A diagram of decisions: each bit of the operand selects between two functions of the other bits, and equal functions \
                     are built once.";

/// The digits from a table, rounded with random bits.
fn drawn<'c>(
    target: &Target,
    function: Function,
    results: &[Unrounded],
    x: &Code<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let circuit = x.bits.circuit();
    circuit.section_with(&format!("Look up {function}: class, exponent and digits"), &[TABLE]);
    let entry = |code: u32| &results[code as usize];
    let class = x.bits.look_up("class_entry", 6, |code| entry(code).class()).named("class");
    let numbers = || results.iter().filter(|result| result.significand != 0).map(|result| i64::from(result.exponent));
    let [least, most] = [numbers().min().unwrap_or(0), numbers().max().unwrap_or(0)];
    let width = 64 - (most - least).leading_zeros().min(63);
    let exponent = x.bits.look_up("exponent_entry", width, |code| match entry(code) {
        result if result.significand != 0 => (i64::from(result.exponent) - least) as u64,
        _ => 0,
    });
    let exponent = Int::unsigned(exponent.named("biased_exponent")).within(0, most - least).plus(least);
    let kept = super::divide::digits_below_leading(target) + 1;
    let below = value::DIGITS + 1 - kept;
    let significand = x.bits.look_up("digit_entry", kept + 1, |code| {
        let significand = entry(code).significand;
        (significand >> below) << 1 | u64::from(significand & ((1 << below) - 1) != 0)
    });
    let (coded, is_pole) = coded(target, class, exponent, significand.named("digits"), random);
    let flags = coded.flags.map(|flags| concat(&[flags.msb(), is_pole, flags.low(flags.width() - 1)]));
    Coded { flags, ..coded }
}

/// A result of this class and magnitude, rounded, with the flags of a rounding; and whether the operand is a pole.
fn coded<'c>(
    target: &Target,
    class: Bits<'c>,
    exponent: Int<'c>,
    significand: Bits<'c>,
    random: Option<Bits<'c>>,
) -> (Coded<'c>, Bits<'c>) {
    let (class, is_pole) = class_of(class);
    let exact = ExactResult { class, magnitude: Magnitude { exponent, significand }, payload: None };
    (encode(target, Kind::Arithmetic, &exact, random), is_pole)
}
