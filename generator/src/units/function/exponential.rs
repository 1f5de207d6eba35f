//! Exponentials: the operand in fixed point, which is exponent and fraction of the result's logarithm.
//!
//! ```text
//!   x -> unpack -> times log2(e) -> shift to fixed point -> n.f --+--> f: start, plus 1 from each threshold on --> fraction
//!                                                                 +--> n ----------------------------------------> exponent
//!   x -> diagram: results that this does not give -------------------------------------------------------------> y
//! ```
//!
//! A code of `2^(n + f)` is that of 1, plus `n` binades, plus `2^f - 1` in places of the trailing significand. The fraction is cut into
//! segments in which that number rises by one or two at most: a table has its start and the thresholds. Operands that are too large, NaN,
//! results that are no normal numbers, and the few operands that need more fraction bits than there are, have their results in a diagram.

use super::segments::{low, roundest};
use crate::units::{listed, unpack::unpack};
use binade_circuit::{Bits, Circuit, Int, Interpreter, concat, diagram_size};
use binade_spec::{Float, Format, Function};

/// Bits of `log2(e)` below the point that are tried for `exp`.
const CONSTANT_BITS: [u32; 5] = [14, 16, 18, 20, 22];

/// How many more fraction bits the fixed-point number has than the result's trailing significand: these are tried.
const MORE_FRACTION_BITS: [u32; 4] = [5, 6, 7, 8];

/// The widest trailing significand: a table has a start for each of its values, or two.
const MOST_TRAILING_BITS: u32 = 13;

/// Those with which the factor is chosen, and segments for each trailing significand.
const FIRST_SHAPE: (u32, u32) = (7, 1);

/// How an exponential is built.
#[derive(Clone, Debug)]
pub struct Exponential {
    /// `log2` of the base, with some bits below the point; none for base 2.
    factor: Option<u64>,
    /// The least exponent of operands that are too large for the fixed-point number.
    beyond: i64,
    /// Bits of the fixed-point number's fraction.
    fraction_bits: u32,
    /// Bits of the fraction below those that choose a segment.
    low_bits: u32,
    /// Bits of the result's trailing significand, and of its code.
    trailing_bits: u32,
    width: u32,
    /// The code of 1.
    one: u64,
    /// For each segment, where the fraction of the result starts, less the segment's number in places of the trailing significand.
    starts: Vec<u64>,
    /// For each segment, the fraction bits from which it is one more; two of them.
    thresholds: [Vec<u64>; 2],
    /// Whether the operand's code has its result in the diagram, and that result.
    is_listed: Vec<bool>,
    listed: Vec<u64>,
}

/// The exponential of a format's codes with these results, if the function is one.
pub fn exponential(function: Function, format: Format, target: Format, results: &[u64]) -> Option<Exponential> {
    let factor = |bits: u32| (std::f64::consts::LOG2_E * f64::from(1 << bits)).round() as u64;
    let factors = match function {
        Function::Exp2 => vec![None],
        Function::Exp => CONSTANT_BITS.map(|bits| Some(factor(bits))).to_vec(),
        _ => return None,
    };
    let (Format::Float(_), Format::Float(result)) = (format, target) else { return None };
    if !(1..=MOST_TRAILING_BITS).contains(&result.trailing_bits) || beyond(format, results)? < 1 {
        return None;
    }
    let new = |factor, shape| Exponential::new(factor, format, &result, results, shape);
    let smallest = |built: Vec<Exponential>| built.into_iter().min_by_key(Exponential::cost);
    let first = smallest(factors.into_iter().filter_map(|factor| new(factor, FIRST_SHAPE)).collect())?;
    let shapes = MORE_FRACTION_BITS.into_iter().flat_map(|more| [1, 2].map(|segments| (more, segments)));
    smallest(shapes.filter_map(|shape| new(first.factor, shape)).collect())
}

impl Exponential {
    /// With so many more fraction bits than the result has, and so many times more segments than it has trailing significands.
    fn new(
        factor: Option<u64>,
        format: Format,
        result: &Float,
        results: &[u64],
        (more, segments): (u32, u32),
    ) -> Option<Exponential> {
        let trailing_bits = result.trailing_bits;
        let low_bits = more + 1 - segments;
        let fraction_bits = trailing_bits + more;
        let count = 1 << (fraction_bits - low_bits);
        let mut built = Exponential {
            factor,
            beyond: beyond(format, results)?,
            fraction_bits,
            low_bits,
            trailing_bits,
            width: result.width(),
            one: results[0],
            starts: vec![0; count],
            thresholds: [vec![0; count], vec![0; count]],
            is_listed: vec![false; results.len()],
            listed: results.to_vec(),
        };
        let fixed = built.evaluated(format, |circuit| circuit.fixed);
        built.fill(&wanted(&built, &fixed, results));
        let codes = built.evaluated(format, |circuit| circuit.code);
        for ((is_listed, code), result) in built.is_listed.iter_mut().zip(codes).zip(results) {
            *is_listed = code != *result;
        }
        built.spread_listed();
        Some(built)
    }

    /// Start and thresholds of each segment, from the fractions of the result that are wanted for each fraction of the operand.
    fn fill(&mut self, wanted: &[Option<u64>]) {
        let length = 1 << self.low_bits;
        for (segment, wanted) in wanted.chunks(length).enumerate() {
            let places: Vec<(u64, u64)> = (0..).zip(wanted).filter_map(|(at, want)| Some((at, (*want)?))).collect();
            let first = self.first_of(segment);
            let outliers = |start: u64| places.iter().filter(|(_, want)| !(start..start + 3).contains(want)).count();
            let start =
                places.iter().map(|(_, want)| *want).min_by_key(|&start| (outliers(start), start)).unwrap_or(first);
            let places: Vec<(u64, u64)> =
                places.into_iter().filter(|(_, want)| (start..start + 3).contains(want)).collect();
            let threshold = |step: u64| {
                let below = places.iter().filter(|(_, want)| *want < start + step).map(|(at, _)| at + 1).max();
                let above = places.iter().filter(|(_, want)| *want >= start + step).map(|(at, _)| *at).min();
                let (from, to) = (below.unwrap_or(0), above?);
                Some(if from <= to { roundest(from as i64, to as i64) as u64 } else { to })
            };
            let steps = [1, 2].map(threshold);
            // Without a threshold, that of 0 gives one more everywhere.
            let missing = steps.iter().filter(|step| step.is_none()).count() as u64;
            self.starts[segment] = low(start.wrapping_sub(first).wrapping_sub(missing), self.trailing_bits + 1);
            for (thresholds, step) in self.thresholds.iter_mut().zip(steps) {
                thresholds[segment] = step.unwrap_or(0);
            }
        }
        // A threshold that no segment has is left out.
        for step in [1, 0] {
            if self.thresholds[step].iter().all(|&threshold| threshold == 0) {
                self.thresholds[step].clear();
                for start in &mut self.starts {
                    *start = low(*start + 1, self.trailing_bits + 1);
                }
            }
        }
    }

    /// The first fraction of a segment in places of the trailing significand.
    fn first_of(&self, segment: usize) -> u64 {
        (segment as u64) << self.low_bits >> (self.fraction_bits - self.trailing_bits)
    }

    /// Results of operands that are not listed do not matter: they become those of the largest number of the same sign.
    fn spread_listed(&mut self) {
        let half = self.listed.len() / 2;
        for half in [0..half, half..self.listed.len()] {
            let Some(last) = half.clone().rev().find(|&code| self.is_listed[code]) else { continue };
            let is_before = |code: &usize| self.is_listed[*code] && self.listed[*code] != self.listed[last];
            let fill = half.clone().rev().find(is_before).map_or(self.listed[last], |code| self.listed[code]);
            half.filter(|&code| !self.is_listed[code])
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|code| self.listed[code] = fill);
        }
    }

    /// Bits of the fixed-point number: a sign, integer bits, and the fraction.
    fn fixed_bits(&self) -> u32 {
        // The product with log2(e) has one integer bit more.
        let integer_bits = self.beyond + i64::from(self.factor.is_some());
        1 + integer_bits as u32 + self.fraction_bits
    }

    /// An estimate of the size of the circuit.
    pub fn cost(&self) -> usize {
        let bits = |entries: &[u64]| 64 - entries.iter().max().copied().unwrap_or(0).leading_zeros();
        let tables = [&self.starts, &self.thresholds[0], &self.thresholds[1]];
        let looked_up: usize =
            tables.iter().filter(|table| !table.is_empty()).map(|table| diagram_size(table, bits(table))).sum();
        let compared = self.thresholds.iter().filter(|table| !table.is_empty()).count() as u32 * self.low_bits;
        let is_listed: Vec<u64> = self.is_listed.iter().map(|&is_listed| u64::from(is_listed)).collect();
        let shifter = self.fraction_bits * 5;
        // A row for each 1 or run of ones.
        let rows = self.factor.map_or(0, |factor| (factor ^ (factor * 3)).count_ones() / 2 * (self.trailing_bits + 4));
        looked_up
            + diagram_size(&is_listed, 1)
            + diagram_size(&self.listed, self.width)
            + (compared + shifter + rows) as usize
    }

    /// A signal of the circuit for each code of the format.
    fn evaluated(&self, format: Format, signal: impl for<'c> Fn(Parts<'c>) -> Bits<'c>) -> Vec<u64> {
        let circuit = Circuit::new();
        let node = {
            let x = circuit.input("x", format.width(), "");
            signal(self.parts(format, x)).node()
        };
        let netlist = circuit.finish(&[("signal", node, String::new())]);
        let codes: Vec<u64> = (0..1 << format.width()).collect();
        let mut values = vec![0; codes.len()];
        Interpreter::new(&netlist).evaluate(&[&codes], &mut [&mut values]);
        values
    }

    /// The circuit for an operand.
    pub fn circuit<'c>(&self, function: Function, format: Format, x: Bits<'c>) -> Bits<'c> {
        let circuit = x.circuit();
        let code = self.parts(format, x).code.named("code_of_number");
        circuit.section_with(
            &format!("Results of {function} that are no normal numbers, and those that the segments give wrongly"),
            &[&self.listed_codes(format), super::DIAGRAM],
        );
        let is_listed = x.decide("is_listed", |code| self.is_listed[code as usize]).named("is_listed");
        let listed = x.look_up("listed_entry", self.width, |code| self.listed[code as usize]).named("listed");
        is_listed.select(listed, code)
    }

    /// Which operands are listed, as ranges of codes.
    fn listed_codes(&self, format: Format) -> String {
        let mut ranges: Vec<[usize; 2]> = vec![];
        for code in (0..self.is_listed.len()).filter(|&code| self.is_listed[code]) {
            match ranges.last_mut() {
                Some([_, last]) if *last + 1 == code => *last = code,
                _ => ranges.push([code, code]),
            }
        }
        let hexadecimal = |code: usize| listed::code(code as u128, format.width());
        let text = |&[first, last]: &[usize; 2]| match first == last {
            true => hexadecimal(first),
            false => format!("{} to {}", hexadecimal(first), hexadecimal(last)),
        };
        let texts: Vec<String> = ranges.iter().take(MOST_RANGES).map(text).collect();
        match ranges.len().saturating_sub(MOST_RANGES) {
            0 => format!("These are the operands {}.", texts.join(", ")),
            more => format!("These are the operands {}, and {more} more ranges.", texts.join(", ")),
        }
    }

    fn parts<'c>(&self, format: Format, x: Bits<'c>) -> Parts<'c> {
        let circuit = x.circuit();
        let fixed = self.fixed(format, x);
        let fraction = fixed.low(self.fraction_bits);
        circuit.section_with(
            "Fraction of the result",
            &["In a segment of the operand's fraction, the result's fraction starts at a number, and is one more from each threshold on."],
        );
        self.print_segments(circuit);
        let (segment, below) =
            (fraction.high(fraction.width() - self.low_bits).called("segment"), fraction.low(self.low_bits));
        let start =
            segment.look_up("start_entry", self.trailing_bits + 1, |at| self.starts[at as usize]).named("start");
        let segments_first = fraction.high(self.trailing_bits);
        let mut wide = segments_first.zext(self.trailing_bits + 1).add(start);
        for (thresholds, name) in self.thresholds.iter().zip(["first", "second"]) {
            if thresholds.is_empty() {
                continue;
            }
            let entry = segment.look_up(&format!("{name}_entry"), self.low_bits, |at| thresholds[at as usize]);
            let threshold = entry.named(format!("{name}_threshold"));
            let reaches = (!below.less_than(threshold)).named(format!("reaches_{name}"));
            wide = wide.add(reaches.zext(wide.width()));
        }
        let result = wide.named("fraction_of_result");
        circuit.section("Code of the result: that of 1, and as many binades as the operand's integer part says");
        let integer = fixed.high(fixed.width() - self.fraction_bits);
        let places = self.width - self.trailing_bits;
        let integer = if integer.width() < places { integer.sext(places) } else { integer.low(places) };
        let one = circuit.constant(u128::from(self.one >> self.trailing_bits), places);
        let binade = integer.add(one).named("binade_of_fraction");
        let code = concat(&[binade, circuit.constant(0, self.trailing_bits)]).add(result.zext(self.width));
        Parts { fixed, code }
    }

    /// Prints the table of segments: where each starts, as it is added to the segment's first fraction, and its thresholds.
    fn print_segments(&self, circuit: &Circuit) {
        circuit.table("Each segment, what is added at its start, and its thresholds:", self.starts.len(), || {
            let segments: Vec<u64> = (0..self.starts.len() as u64).collect();
            let mut columns = vec![
                ("segment", listed::codes(&segments, self.fraction_bits - self.low_bits)),
                ("start", listed::codes(&self.starts, self.trailing_bits + 1)),
            ];
            for (thresholds, name) in self.thresholds.iter().zip(["first", "second"]) {
                columns.extend((!thresholds.is_empty()).then(|| (name, listed::codes(thresholds, self.low_bits))));
            }
            columns
        });
    }

    /// The operand's logarithm of the result in fixed point, rounded down: in two's complement, or for exact negative numbers one less.
    fn fixed<'c>(&self, format: Format, x: Bits<'c>) -> Bits<'c> {
        let circuit = x.circuit();
        let unpacked = unpack(format, x, "x");
        // Subnormals have the logarithm 0 or -1, whatever their digits.
        let is_below = format.min_exponent() + 2 < -i64::from(self.fraction_bits);
        let significand = if is_below { unpacked.significand_of_nonzero() } else { unpacked.significand };
        let significand = match self.factor {
            None => significand,
            Some(factor) => {
                circuit.section("Times log2(e)");
                let bits = 64 - factor.leading_zeros();
                circuit.constant(factor.into(), bits).multiply(significand).named("scaled")
            }
        };
        circuit.section("Logarithm of the result in fixed point");
        let largest = self.beyond - 1;
        let width = self.fixed_bits() - 1;
        let top = if significand.width() < width {
            significand.zeros_below(width - significand.width())
        } else {
            significand.high(width)
        };
        let distance = Int::constant(circuit, largest).sub(unpacked.exponent);
        let bits = 64 - (distance.max().max(1) as u64).leading_zeros();
        let (magnitude, _) = top.shift_right_out(distance.low_bits(bits).named("distance"), circuit.zero(), "fixed");
        let sign = unpacked.class.sign;
        let signed = concat(&[circuit.zero(), magnitude]) ^ sign.repeat(width + 1);
        match sign.known() {
            Some(0) => signed.named("logarithm"),
            _ => signed.explained(
                "logarithm",
                "a negative one as its complement, so that it is rounded down; if exact, 1 less",
            ),
        }
    }
}

/// The most ranges of operands that a comment names.
const MOST_RANGES: usize = 12;

/// Signals of the circuit.
struct Parts<'c> {
    fixed: Bits<'c>,
    code: Bits<'c>,
}

/// The least exponent of operands of which each has the result of the outermost operand of its sign.
fn beyond(format: Format, results: &[u64]) -> Option<i64> {
    let Format::Float(float) = format else { return None };
    let largest = float.max_code() as usize;
    let signs = if float.sign_bits() == 0 { vec![0] } else { vec![0, results.len() / 2] };
    let inner = |&first: &usize| (0..largest).rev().find(|code| results[first + code] != results[first + largest]);
    let code = signs.iter().filter_map(inner).max()? as u128;
    let field = (code >> float.trailing_bits) as i64;
    Some(field.max(1) - i64::from(float.bias) + 1)
}

/// For each fraction of the operand, the result's fraction that most operands with it want.
fn wanted(built: &Exponential, fixed: &[u64], results: &[u64]) -> Vec<Option<u64>> {
    let mut counted: Vec<Vec<(u64, u32)>> = vec![vec![]; 1 << built.fraction_bits];
    for (&fixed, &result) in fixed.iter().zip(results) {
        // In two's complement.
        let unused = 64 - built.fixed_bits();
        let integer = ((fixed << unused) as i64 >> unused >> built.fraction_bits) as u64;
        let fraction = fixed & ((1 << built.fraction_bits) - 1);
        let above_one = result.wrapping_sub(built.one).wrapping_sub(integer << built.trailing_bits);
        let above_one = low(above_one, built.width);
        if above_one <= 1 << built.trailing_bits {
            let counts = &mut counted[fraction as usize];
            match counts.iter_mut().find(|(number, _)| *number == above_one) {
                Some((_, count)) => *count += 1,
                None => counts.push((above_one, 1)),
            }
        }
    }
    counted
        .into_iter()
        .map(|counts| counts.into_iter().max_by_key(|(_, count)| *count).map(|(number, _)| number))
        .collect()
}
