//! Functions of one operand, right for every code.
//!
//! ```text
//!   x  -> table -> y                                        codes of up to 8 bits, and for depth
//!   x  -> tables -> intercept, slope -> line -> y           codes of more bits
//!   x  -> fixed point -> tables -> fraction, binade -> y    exponentials of these
//!   x  -> table -> class, exponent, significand -> encode   the same, rounded stochastically
//! ```

mod exponential;
mod segments;
mod table;
mod value;

use super::{
    assemble::Origin,
    coded::Coded,
    divide::{digits_below_leading, with_division_by_zero},
    exact::{ExactResult, Magnitude},
    listed,
    result::encode,
    sums::Code,
    target::Target,
};
use binade_circuit::{Bits, Int, Optimize};
use binade_spec::{DIVISION_FLAG_BITS, Function};
use exponential::exponential;
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
    let width = target.format.width();
    let codes: Vec<u64> = words.iter().map(|word| word & (u64::MAX >> (u64::BITS - width))).collect();
    // A diagram is larger than lines, and has fewer levels.
    let is_diagram = x.bits.width() <= MAX_DIAGRAM_BITS || circuit.optimize() == Optimize::Depth;
    let exponential = if is_diagram { None } else { exponential(function, x.format, target.format, &codes) };
    let segments = if is_diagram { Segments::single(&codes, width) } else { smallest(&codes, width) };
    let code = match exponential.filter(|exponential| exponential.cost() < segments.cost(width)) {
        Some(exponential) => exponential.circuit(function, x.format, x.bits),
        None => in_segments(function, &segments, x.bits, width, || print_results(target, x, &words)),
    };
    let flags = target.flags.map(|_| {
        circuit.section("Look up the flags");
        x.bits.look_up("flag_entry", DIVISION_FLAG_BITS, |code| words[code as usize] >> width).named("raised")
    });
    Coded { code: code.named("value"), flags }
}

/// Up to so many bits, all results are looked up.
const MAX_DIAGRAM_BITS: u32 = 8;

/// What is below the title of a section with a diagram.
pub const DIAGRAM: &str = "A binary decision diagram: each bit of the operand selects between two functions of the other bits; equal functions \
                       are built once.";

/// What is below the title of a section with lines.
const LINES: &str = "The code is a line in the operand's lowest bits, whose intercept and slope the bits above select, by binary \
                     decision diagrams.";

/// What the operand is called outside of its table, if it is no port `x`.
fn here(x: &Code) -> String {
    match x.name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_') {
        "x" => String::new(),
        name => format!(", here {name},"),
    }
}

/// Prints the table of all operands.
fn print_results(target: &Target, x: &Code, words: &[u64]) {
    let width = target.format.width();
    let about = format!(
        "Each operand x ({}){} with its value, and the result y ({}) with its value:",
        x.format,
        here(x),
        target.format
    );
    x.bits.circuit().table(&about, words.len(), || {
        let operands: Vec<u64> = (0..words.len() as u64).collect();
        let codes: Vec<u64> = words.iter().map(|word| word & (u64::MAX >> (u64::BITS - width))).collect();
        let flags = target.flags.map(|_| {
            let flags: Vec<u64> = words.iter().map(|word| word >> width).collect();
            ("flags", listed::codes(&flags, DIVISION_FLAG_BITS))
        });
        let columns = [
            ("x", listed::codes(&operands, x.format.width())),
            ("value", listed::values(x.format, &operands)),
            ("y", listed::codes(&codes, width)),
            ("value", listed::values(target.format, &codes)),
        ];
        columns.into_iter().chain(flags).collect()
    });
}

/// A result of `width` bits, from lines. `print_results` prints the table of all operands.
fn in_segments<'c>(
    function: Function,
    segments: &Segments,
    x: Bits<'c>,
    width: u32,
    print_results: impl FnOnce(),
) -> Bits<'c> {
    let circuit = x.circuit();
    let address = x.high(x.width() - segments.unused_bits).called("address");
    let entry = |entries: &[u64], address: u32| entries[(address as usize) << segments.unused_bits];
    let sum_bits = width + segments.fraction_bits;
    let intercept = |name: &str| address.look_up(name, sum_bits, |at| entry(&segments.intercepts, at));
    let line = if segments.slopes.is_empty() {
        circuit.section_with(&format!("Look up {function}"), &[DIAGRAM]);
        print_results();
        intercept("entry")
    } else {
        circuit.section_with(&format!("Look up {function}: intercept and slope"), &[LINES]);
        let count = 1 << address.width();
        circuit.table("The bits above, with their intercept and slope:", count, || {
            let addresses = 0..count as u32;
            let codes = |entries: &[u64], width| {
                listed::codes(&addresses.clone().map(|at| entry(entries, at)).collect::<Vec<_>>(), width)
            };
            vec![
                ("above", listed::codes(&addresses.clone().map(u64::from).collect::<Vec<_>>(), address.width())),
                ("intercept", codes(&segments.intercepts, sum_bits)),
                ("slope", codes(&segments.slopes, segments.slope_bits)),
            ]
        });
        let intercept = intercept("intercept_entry").named("intercept");
        let slope =
            address.look_up("slope_entry", segments.slope_bits, |at| entry(&segments.slopes, at)).named("slope");
        circuit.section("The line");
        let rise = slope.multiply_signed(x.low(segments.low_bits).zext(segments.low_bits + 1)).named("rise");
        let rise = if rise.width() < sum_bits { rise.sext(sum_bits) } else { rise.low(sum_bits) };
        intercept.add(rise).named("line").high(width)
    };
    with_base(segments.base, line, x)
}

/// The sum of a line and what is added to all of them.
fn with_base<'c>(base: Base, line: Bits<'c>, x: Bits<'c>) -> Bits<'c> {
    let width = line.width();
    let as_wide = |bits: Bits<'c>| if bits.width() < width { bits.zext(width) } else { bits.low(width) };
    let half = || as_wide(x.high(x.width() - 1));
    match base {
        Base::Zero => line,
        Base::Plus => line.add(as_wide(x)),
        Base::Minus => line.sub(as_wide(x)),
        Base::PlusHalf => line.add(half()),
        Base::MinusHalf => line.sub(half()),
    }
}

/// The digits from a table, rounded with random bits.
fn drawn<'c>(
    target: &Target,
    function: Function,
    results: &[Unrounded],
    x: &Code<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let circuit = x.bits.circuit();
    circuit.section_with(&format!("Look up {function}: class, exponent and digits"), &[DIAGRAM]);
    let entry = |code: u32| &results[code as usize];
    let kept = digits_below_leading(target) + 1;
    print_digits(x, results, kept);
    let class = x.bits.look_up("class_entry", 6, |code| entry(code).class()).named("class");
    let numbers = || results.iter().filter(|result| result.significand != 0).map(|result| i64::from(result.exponent));
    let [least, most] = [numbers().min().unwrap_or(0), numbers().max().unwrap_or(0)];
    let width = 64 - (most - least).leading_zeros().min(63);
    let exponent = x.bits.look_up("exponent_entry", width, |code| match entry(code) {
        result if result.significand != 0 => (i64::from(result.exponent) - least) as u64,
        _ => 0,
    });
    let exponent = Int::unsigned(exponent.named("biased_exponent")).within(0, most - least).plus(least);
    let significand = x.bits.look_up("digit_entry", kept + 1, |code| entry(code).leading(kept));
    coded(target, class, exponent, significand.named("digits"), random)
}

/// Prints the class, exponent and digits of all results: the first `kept` digits, and one for those below.
fn print_digits(x: &Code, results: &[Unrounded], kept: u32) {
    let about = format!(
        "Each operand x ({}){} with its value, and the result: its class, or sign, exponent and digits. The digits are the first {kept}, \
         and one that is 1 if there are more:",
        x.format,
        here(x)
    );
    x.bits.circuit().table(&about, results.len(), || {
        let operands: Vec<u64> = (0..results.len() as u64).collect();
        let digits = |result: &Unrounded| match result.significand {
            0 => String::new(),
            _ => listed::code(result.leading(kept), kept + 1),
        };
        vec![
            ("x", listed::codes(&operands, x.format.width())),
            ("value", listed::values(x.format, &operands)),
            ("result", results.iter().map(ToString::to_string).collect()),
            ("digits", results.iter().map(digits).collect()),
        ]
    });
}

/// A result of this class and magnitude, rounded; division by zero is among its flags.
fn coded<'c>(
    target: &Target,
    class: Bits<'c>,
    exponent: Int<'c>,
    significand: Bits<'c>,
    random: Option<Bits<'c>>,
) -> Coded<'c> {
    let (class, is_pole) = class_of(class);
    let exact = ExactResult { class, magnitude: Magnitude { exponent, significand }, payload: None };
    with_division_by_zero(encode(target, Origin::Arithmetic, &exact, random), is_pole)
}
