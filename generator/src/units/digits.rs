//! Digits of quotients and roots, a row each: a row subtracts, and what is left is kept if it is not negative (restoring
//! division and its kin; M. Ercegovac and T. Lang, Division and Square Root, 1994, chapters 1 and 3).
//!
//! ```text
//!   quotient          r < b           2r  - b              digit 1:  r = 2r - b
//!   root              r <= 2q         4r + x - (4q + 1)    digit 1:  r = that, q = 2q + 1
//!   reciprocal root   r = 1 - q^2 m   4r - (4p + m)        digit 1:  r = that, p = 2p + m, where p = q m
//! ```
//!
//! `x` are the next two digits of the radicand. The remainder behind the last row is not selected: it is zero if the row is, or
//! if what is left is. Digits of operands with few bits are looked up.

use super::{iterate::Clocks, listed};
use binade_circuit::{Bits, Circuit, Column, Part, concat};

/// A positive number from its leading digit down, which has one of two places.
pub struct ResultDigits<'c> {
    /// The digits below the leading one.
    pub fraction: Bits<'c>,
    /// Whether there are more that are not 0.
    pub sticky: Bits<'c>,
    /// Whether the leading digit has the upper place.
    pub is_upper: Bits<'c>,
}

/// Up to so many bits of operands, digits are looked up.
const MAX_TABLE_BITS: u32 = 6;

/// The digits of a number as constants: in a table.
struct Entry {
    fraction: u128,
    has_more: bool,
    is_upper: bool,
}

impl Entry {
    /// The digits behind the point in binary, `1.011` or below 1 `0.1011`.
    fn digits(&self, count: u32) -> String {
        let leading = if self.is_upper { "1." } else { "0.1" };
        format!("{leading}{:0count$b}", self.fraction, count = count as usize)
    }
}

/// Prints the table of a result: its operands, in binary, and `count` digits below the leading one.
fn print_entries(circuit: &Circuit, result: &'static str, count: u32, operands: Vec<Column>, entries: &[Entry]) {
    let about = format!("The digits of the {} in binary, and whether there are more:", result.replace('_', " "));
    circuit.table(&about, entries.len(), || {
        let more = |entry: &Entry| if entry.has_more { "yes" } else { "no" }.to_string();
        let columns = [
            (result, entries.iter().map(|entry| entry.digits(count)).collect()),
            ("more", entries.iter().map(more).collect()),
        ];
        operands.into_iter().chain(columns).collect()
    });
}

/// `count` digits below the leading one, each a function of the bits.
fn looked_up<'c>(bits: Bits<'c>, count: u32, entry: impl Fn(u128) -> Entry) -> ResultDigits<'c> {
    let digit = |place: u32| bits.decide(&format!("fraction_{place}"), |input| entry(input).fraction >> place & 1 == 1);
    ResultDigits {
        fraction: concat(&(0..count).rev().map(digit).collect::<Vec<_>>()).named("fraction"),
        sticky: bits.decide("has_more_digits", |input| entry(input).has_more).named("has_remainder"),
        is_upper: bits.decide("is_1_or_more", |input| entry(input).is_upper).named("is_1_or_more"),
    }
}

/// What a row leaves.
struct Row<'c> {
    /// 1 if the subtrahend fits.
    digit: Bits<'c>,
    /// `row - subtrahend` without its sign.
    rest: Bits<'c>,
}

impl<'c> Row<'c> {
    /// One row: of unsigned numbers of which the first is less than twice the second, or a little more in roots.
    fn new(row: Bits<'c>, subtrahend: Bits<'c>, place: u32) -> Row<'c> {
        let width = row.width().max(subtrahend.width());
        let row = row.zext(width).called(format!("row_{place}"));
        let subtrahend = subtrahend.zext(width).called(format!("subtrahend_{place}"));
        let rest = row.sub(subtrahend).named(format!("rest_{place}"));
        Row { digit: (!rest.msb()).named(format!("digit_{place}")), rest: rest.low(width - 1) }
    }

    /// The remainder, in `width` bits.
    fn remainder(&self, row: Bits<'c>, width: u32, place: u32) -> Bits<'c> {
        self.digit.select(self.rest.low(width), row.low(width)).named(format!("remainder_{place}"))
    }

    /// Whether there is a remainder: what is left of a row other than zero is not zero unless it fits exactly.
    fn has_remainder(&self, row: Bits<'c>) -> Bits<'c> {
        (self.rest.any() | !self.digit) & row.any()
    }
}

/// What the remainder of the last row, which is not computed, would be.
const NO_REMAINDER: &str = "0 if the last row is 0, or its subtrahend fits exactly; its remainder need not be computed";

/// What is below the title of the section that divides.
const ROWS: &str = "A row doubles the remainder and subtracts the divisor: the digit is 1 if the difference is not negative, which then is \
                    the remainder.";

/// What is below the title of the section that extracts a root.
const ROOT_ROWS: &str = "A row appends two digits of the radicand to the remainder r and subtracts 4q + 1, where q are the digits of the \
                         root so far: the digit is 1 if the difference is not negative, which then is the remainder.";

/// What is below the title of the section for the reciprocal of a root.
const RECIPROCAL_ROWS: &str = "With the digits q so far and the radicand m, the remainder r is 1 - q^2 m, and p is q m: a row subtracts \
                               4p + m from 4r. The digit is 1 if the difference is not negative, which then is the remainder.";

const DIVIDE: Part = Part::repeated("divide", "One digit of a quotient, and the remainder.");

/// The quotient of two significands of the same width with a leading 1: `count` digits below the leading one, which is that
/// of 1 or of 1/2.
pub fn quotient<'c>(dividend: Bits<'c>, divisor: Bits<'c>, count: u32) -> ResultDigits<'c> {
    let (circuit, trailing) = (divisor.circuit(), divisor.width() - 1);
    match dividend.known() {
        Some(dividend) if trailing <= MAX_TABLE_BITS => {
            circuit.section("Divide the significands, by tables");
            print_quotients(circuit, Some(dividend), trailing, count);
            looked_up(low_or_zero(divisor, trailing), count, |b| quotient_entry(dividend, b | 1 << trailing, count))
        }
        None if 2 * trailing <= MAX_TABLE_BITS && trailing > 0 => {
            circuit.section("Divide the significands, by tables");
            print_quotients(circuit, None, trailing, count);
            // Bits of the same place are looked at together.
            let pairs = (0..trailing).rev().flat_map(|place| [dividend.bit(place), divisor.bit(place)]);
            let bits = concat(&pairs.collect::<Vec<_>>());
            let part = |input: u128, first: u32| {
                (0..trailing).fold(1 << trailing, |part, place| part | (input >> (2 * place + first) & 1) << place)
            };
            looked_up(bits, count, |input| quotient_entry(part(input, 1), part(input, 0), count))
        }
        _ => quotient_in_rows(dividend, divisor, count),
    }
}

/// Prints the quotients of a dividend, or of all of them, by all divisors.
fn print_quotients(circuit: &Circuit, dividend: Option<u128>, trailing: u32, count: u32) {
    let significands = 1_u128 << trailing..2 << trailing;
    let dividends = dividend.map_or_else(|| significands.clone().collect(), |dividend| vec![dividend]);
    let pairs: Vec<(u128, u128)> =
        dividends.into_iter().flat_map(|a| significands.clone().map(move |b| (a, b))).collect();
    let column =
        |number: fn(&(u128, u128)) -> u128| pairs.iter().map(|pair| listed::binary(number(pair), trailing)).collect();
    let entries: Vec<Entry> = pairs.iter().map(|&(a, b)| quotient_entry(a, b, count)).collect();
    let operands = vec![("a", column(|pair| pair.0)), ("b", column(|pair| pair.1))];
    print_entries(circuit, "quotient", count, operands, &entries);
}

/// Prints what `entry` gives of all numbers with two digits in front of the point, not both 0.
fn print_roots(circuit: &Circuit, width: u32, result: &'static str, count: u32, entry: impl Fn(u128) -> Entry) {
    let radicands = 1_u128 << (width - 2)..1 << width;
    let column = radicands.clone().map(|radicand| listed::binary(radicand, width - 2)).collect();
    let entries: Vec<Entry> = radicands.map(entry).collect();
    print_entries(circuit, result, count, vec![("radicand", column)], &entries);
}

/// The lowest bits; a single 0 if there are none.
fn low_or_zero(bits: Bits<'_>, width: u32) -> Bits<'_> {
    if width == 0 { bits.circuit().zero() } else { bits.low(width) }
}

fn quotient_entry(a: u128, b: u128, count: u32) -> Entry {
    let is_upper = a >= b;
    let places = count + u32::from(!is_upper);
    let (digits, rest) = ((a << places) / b, (a << places) % b);
    Entry { fraction: digits - (1 << count), has_more: rest > 0, is_upper }
}

fn quotient_in_rows<'c>(dividend: Bits<'c>, divisor: Bits<'c>, count: u32) -> ResultDigits<'c> {
    let circuit = divisor.circuit();
    circuit.section_with("Divide the significands, a digit in each row", &[ROWS]);
    let width = divisor.width();
    let mut row = dividend.zext(width + 1);
    let mut digits = vec![];
    for place in 0..=count {
        let (digit, remainder) = circuit.part(DIVIDE, &place.to_string(), || {
            let reached = Row::new(row, divisor, place);
            (reached.digit, reached.remainder(row, width, place))
        });
        digits.push(digit);
        row = remainder.zeros_below(1);
    }
    let last = Row::new(row, divisor, count + 1);
    digits.push(last.digit);
    let more = last.has_remainder(row).explained("has_remainder", NO_REMAINDER);

    circuit.section("Normalize: the quotient of two significands is in (1/2, 2)");
    let is_upper = digits[0].called("quotient_is_1_or_more");
    let upper = concat(&digits[1..=count as usize]).called("fraction_of_1_or_more");
    let lower = concat(&digits[2..]).called("fraction_of_less_than_1");
    ResultDigits {
        fraction: is_upper.select(upper, lower).named("fraction"),
        sticky: (more | (is_upper & last.digit).called("last_digit_of_1_or_more")).called("has_more_digits"),
        is_upper,
    }
}

/// The root of a number with two digits in front of the point, not both 0: `count` digits behind the leading one, which is
/// that of 1.
pub fn root<'c>(radicand: Bits<'c>, count: u32) -> ResultDigits<'c> {
    let (circuit, places) = (radicand.circuit(), radicand.width() - 2);
    if radicand.width() <= MAX_TABLE_BITS {
        circuit.section("Root, by tables");
        print_roots(circuit, radicand.width(), "root", count, |m| root_entry(m, places, count));
        return looked_up(radicand, count, |m| root_entry(m, places, count));
    }
    circuit.section_with("Root, a digit in each row", &[ROOT_ROWS]);
    let padded = radicand.zeros_below((2 * count + 2).saturating_sub(radicand.width()));
    let pair = |place: u32| padded.high(2 * place + 2).low(2);
    let mut root = circuit.constant(1, 1);
    // 1, 2 or 3 less 1.
    let mut remainder = pair(0).sub(circuit.constant(1, 2)).named("remainder_0");
    for place in 1..count {
        let row = concat(&[remainder, pair(place)]).zext(place + 4);
        let reached = Row::new(row, root_trial(root), place);
        // At most twice the root.
        remainder = reached.remainder(row, place + 2, place);
        root = concat(&[root, reached.digit]).named(format!("root_{place}"));
    }
    let row = concat(&[remainder, pair(count)]).zext(count + 4);
    let last = Row::new(row, root_trial(root), count);
    let below = padded.width() - 2 * count - 2;
    let more = if below > 0 { padded.low(below).any() } else { circuit.zero() };
    ResultDigits {
        fraction: concat(&[root, last.digit]).low(count).named("fraction"),
        sticky: (last.has_remainder(row) | more).explained("has_remainder", NO_REMAINDER),
        is_upper: circuit.ones(1),
    }
}

/// `4q + 1`.
fn root_trial<'c>(root: Bits<'c>) -> Bits<'c> {
    concat(&[root, root.circuit().constant(1, 2)])
}

/// The root of `m`, in units of `2^-places`. Numbers below 1 do not occur.
fn root_entry(m: u128, places: u32, count: u32) -> Entry {
    let m = m.max(1 << places);
    let shift = 2 * count + places % 2;
    let radicand = m << shift;
    // The root has count + places / 2 digits behind the point; those beyond count are cut off.
    let root = radicand.isqrt();
    let extra = places.div_ceil(2);
    let digits = root >> extra;
    let has_more = (digits << extra) * (digits << extra) != radicand;
    Entry { fraction: digits - (1 << count), has_more, is_upper: true }
}

/// `1 / sqrt(m)`, where `m` has two digits in front of the point, not both 0: `count` digits behind the leading one, which
/// is that of 1 for `m = 1`, else that of 1/2.
pub fn reciprocal_root<'c>(m: Bits<'c>, count: u32) -> ResultDigits<'c> {
    let (circuit, width) = (m.circuit(), m.width());
    let places = width - 2;
    if width <= MAX_TABLE_BITS {
        circuit.section("Reciprocal of the root, by tables");
        print_roots(circuit, width, "reciprocal_root", count, |m| reciprocal_root_entry(m, places, count));
        return looked_up(m, count, |m| reciprocal_root_entry(m, places, count));
    }
    circuit.section_with("Reciprocal of the root, a digit in each row", &[RECIPROCAL_ROWS]);
    // The first digit is 1: 4 - m is left, in units of m's last place, and q m is m.
    let four = circuit.constant(1, 1).zeros_below(width);
    let mut remainder = four.sub(m.zext(width + 1)).low(width).named("remainder_1");
    let mut product = m;
    let mut digits = vec![];
    for place in 2..=count {
        // q m is less than 2^(width + place - 1), the remainder at most twice that and m.
        let bits = width + place + 1;
        let (row, trial) = reciprocal_root_row(m, remainder, product, place);
        let reached = Row::new(row, trial, place);
        remainder = reached.remainder(row, bits, place);
        let double = product.zeros_below(1).zext(width + place);
        let added = reached.digit.gate(m).zext(width + place);
        product = double.add(added).named(format!("product_{place}"));
        digits.push(reached.digit);
    }
    let (row, trial) = reciprocal_root_row(m, remainder, product, count + 1);
    let last = Row::new(row, trial, count + 1);
    digits.push(last.digit);
    let is_one = m.equals_constant(1 << places).named("radicand_is_1");
    ResultDigits {
        fraction: (!is_one).gate(concat(&digits)).named("fraction"),
        sticky: (!is_one & last.has_remainder(row)).named("has_remainder"),
        is_upper: is_one,
    }
}

/// `4r` and `4p + m`.
fn reciprocal_root_row<'c>(m: Bits<'c>, remainder: Bits<'c>, product: Bits<'c>, place: u32) -> (Bits<'c>, Bits<'c>) {
    let bits = m.width() + place + 1;
    let trial = product.zeros_below(2).zext(bits + 1).add(m.zext(bits + 1)).named(format!("trial_{place}"));
    (remainder.zeros_below(2).zext(bits + 2), trial)
}

/// The reciprocal root of `m`, in units of `2^-places`. Numbers below 1 do not occur.
fn reciprocal_root_entry(m: u128, places: u32, count: u32) -> Entry {
    let m = m.max(1 << places);
    let is_upper = m == 1 << places;
    if is_upper {
        return Entry { fraction: 0, has_more: false, is_upper };
    }
    // 2^(2 (count + 1)) / m, in integers: q^2 m <= 2^(2 count + 2 + places).
    let one = 1_u128 << (2 * count + 2 + places);
    let digits = (one / m).isqrt();
    Entry { fraction: digits - (1 << count), has_more: digits * digits * m != one, is_upper }
}

/// What is below the title of a section that computes digits clock after clock.
const IN_CLOCKS: &str = "Each clock continues where the one before has ended; registers hold what it leaves.";

/// The quotient of [`quotient`], clock after clock, with at least as many digits.
pub fn quotient_in_clocks<'c>(dividend: Bits<'c>, divisor: Bits<'c>, clocks: &Clocks<'c>) -> ResultDigits<'c> {
    let (circuit, width) = (divisor.circuit(), divisor.width());
    let row = clocks.register("doubled_remainder", width + 1, "remainder of the digits so far, times 2");
    let digits = clocks.register("digits", clocks.steps, "digits of the quotient so far");
    let divisor = clocks.held("divisor", divisor);
    circuit.section_with("Divide the significands, clock after clock", &[ROWS, IN_CLOCKS]);
    let (mut next, mut found) = (row, vec![digits]);
    for step in 0..clocks.per_clock {
        let (digit, remainder) = circuit.part(DIVIDE, &step.to_string(), || {
            let reached = Row::new(next, divisor, step);
            (reached.digit, reached.remainder(next, width, step))
        });
        next = remainder.zeros_below(1);
        found.push(digit);
    }
    clocks.step(row, dividend.zext(width + 1), next);
    circuit.drive(digits, concat(&found).low(clocks.steps));

    circuit.section("Normalize: the quotient of two significands is in (1/2, 2)");
    let is_upper = digits.msb().called("quotient_is_1_or_more");
    let upper = digits.slice(clocks.steps - 2, 1).called("fraction_of_1_or_more");
    let lower = digits.low(clocks.steps - 2).called("fraction_of_less_than_1");
    ResultDigits {
        fraction: is_upper.select(upper, lower).named("fraction"),
        sticky: (row.any() | (is_upper & digits.bit(0)).called("last_digit_of_1_or_more")).called("has_more_digits"),
        is_upper,
    }
}

/// The root of [`root`], clock after clock, with at least as many digits.
pub fn root_in_clocks<'c>(radicand: Bits<'c>, clocks: &Clocks<'c>) -> ResultDigits<'c> {
    let (circuit, count) = (radicand.circuit(), clocks.steps);
    let below = radicand.width() - 2;
    let left = clocks.register("radicand_left", below.max(2 * clocks.per_clock), "digits of the radicand to come");
    let remainder = clocks.register("remainder", count + 2, "remainder of the digits so far");
    let root = clocks.register("root", count + 1, "digits of the root so far");
    circuit.section_with("Root, clock after clock", &[ROOT_ROWS, IN_CLOCKS]);
    let (mut rest, mut so_far, mut to_come) = (remainder, root, left);
    for step in 0..clocks.per_clock {
        let row = concat(&[rest, to_come.high(2)]).low(count + 4);
        let reached = Row::new(row, root_trial(so_far).zext(count + 4), step);
        rest = reached.remainder(row, count + 2, step);
        so_far = concat(&[so_far, reached.digit]).low(count + 1);
        to_come = to_come.zeros_below(2).low(left.width());
    }
    // 1, 2 or 3 less 1, and a root of 1.
    let first = radicand.high(2).sub(circuit.constant(1, 2)).named("first_remainder");
    clocks.step(remainder, first.zext(count + 2), rest);
    clocks.step(root, circuit.constant(1, count + 1), so_far);
    let pad = left.width() - below;
    let digits = if below == 0 { circuit.constant(0, pad) } else { radicand.low(below).zeros_below(pad) };
    clocks.step(left, digits, to_come);
    ResultDigits {
        fraction: root.low(count).called("fraction"),
        sticky: (remainder.any() | if below > 2 * count { left.any() } else { circuit.zero() }).named("has_remainder"),
        is_upper: circuit.ones(1),
    }
}

/// The reciprocal root of [`reciprocal_root`], clock after clock, with at least as many digits.
pub fn reciprocal_root_in_clocks<'c>(m: Bits<'c>, clocks: &Clocks<'c>) -> ResultDigits<'c> {
    let (circuit, width, count) = (m.circuit(), m.width(), clocks.steps);
    let bits = width + count + 2;
    let remainder = clocks.register("remainder", bits, "1 - q^2 m, where q are the digits so far");
    let product = clocks.register("product", bits - 1, "q m");
    let digits = clocks.register("digits", count, "digits of the reciprocal root so far");
    let is_one = clocks.held("radicand_is_1", m.equals_constant(1 << (width - 2)).named("is_1"));
    let radicand = clocks.held("radicand_in_use", m);
    circuit.section_with("Reciprocal of the root, clock after clock", &[RECIPROCAL_ROWS, IN_CLOCKS]);
    let (mut rest, mut so_far, mut found) = (remainder, product, vec![digits]);
    for step in 0..clocks.per_clock {
        let trial = so_far.zeros_below(2).zext(bits + 1).add(radicand.zext(bits + 1)).named(format!("trial_{step}"));
        let row = rest.zeros_below(2);
        let reached = Row::new(row, trial, step);
        rest = reached.remainder(row, bits, step);
        let added = reached.digit.gate(radicand).zext(bits - 1);
        so_far = so_far.zeros_below(1).low(bits - 1).add(added).named(format!("product_{step}"));
        found.push(reached.digit);
    }
    // The first digit is 1: 4 - m is left, in units of m's last place, and q m is m.
    let four = circuit.constant(1, 1).zeros_below(width);
    let first = four.sub(m.zext(width + 1)).low(width).named("first_remainder");
    clocks.step(remainder, first.zext(bits), rest);
    clocks.step(product, m.zext(bits - 1), so_far);
    circuit.drive(digits, concat(&found).low(count));
    ResultDigits {
        fraction: (!is_one).gate(digits).named("fraction"),
        sticky: (!is_one & remainder.any()).named("has_remainder"),
        is_upper: is_one,
    }
}
