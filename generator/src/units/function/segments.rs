//! Tables of many codes, cut into segments on which the result is a line in the operand's lowest bits.
//!
//! ```text
//!   y = (intercept + slope * low) / 2^fraction [+ x, - x, + x/2 or - x/2]
//! ```
//!
//! Codes are integers here: those of floats and posits ascend with the logarithms of their values, so that most functions are smooth from code
//! to code. Intercept and slope are looked up by the bits above; every result is right, or the segment is cut in two.

use binade_circuit::diagram_size;

/// What is added to the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing.
    Zero,
    /// The operand's code.
    Plus,
    /// The same, subtracted.
    Minus,
    /// The operand's code without its last bit, shifted.
    PlusHalf,
    /// The same, subtracted.
    MinusHalf,
}

impl Base {
    const ALL: [Base; 5] = [Base::Zero, Base::Plus, Base::Minus, Base::PlusHalf, Base::MinusHalf];

    /// What is added for an operand's code.
    pub fn of(self, code: u64) -> u64 {
        match self {
            Base::Zero => 0,
            Base::Plus => code,
            Base::Minus => code.wrapping_neg(),
            Base::PlusHalf => code >> 1,
            Base::MinusHalf => (code >> 1).wrapping_neg(),
        }
    }
}

/// The lines for all operands.
pub struct Segments {
    pub base: Base,
    /// Lowest bits of the operand that slopes are multiplied by; without any, there are no slopes.
    pub low_bits: u32,
    /// Bits of the lines below those of the result.
    pub fraction_bits: u32,
    /// Lowest bits of the operand that no segment looks at in its tables.
    pub unused_bits: u32,
    pub slope_bits: u32,
    /// Intercept and slope for each operand's code, in two's complement of as many bits as they have.
    pub intercepts: Vec<u64>,
    pub slopes: Vec<u64>,
}

/// Lengths of segments, as a power of two, with bits of fractions that suffice for most of them.
const SHAPES: [(u32, u32); 5] = [(2, 2), (3, 3), (4, 4), (4, 5), (5, 5)];

/// LUTs that an adder of a bit, or the product of two bits, needs beside one selection of a diagram.
const ADDER: usize = 1;

/// The smallest circuit for results of `width` bits, one for each operand.
pub fn smallest(results: &[u64], width: u32) -> Segments {
    let plain = Base::ALL.map(|base| plain(results, width, base));
    let plain = plain.into_iter().min_by_key(|segments| segments.cost(width)).expect("some bases");
    let bases = if plain.base == Base::Zero { vec![Base::Zero] } else { vec![plain.base, Base::Zero] };
    let lines = bases.iter().flat_map(|&base| SHAPES.map(|shape| lines(results, width, base, shape)));
    std::iter::once(plain).chain(lines).min_by_key(|segments| segments.cost(width)).expect("one without lines")
}

/// The lowest `width` bits.
pub fn low(word: u64, width: u32) -> u64 {
    word & (u64::MAX >> (64 - width))
}

fn without_base(results: &[u64], width: u32, base: Base) -> Vec<u64> {
    (0..).zip(results).map(|(code, result)| low(result.wrapping_sub(base.of(code)), width)).collect()
}

fn plain(results: &[u64], width: u32, base: Base) -> Segments {
    let intercepts = without_base(results, width, base);
    Segments { base, low_bits: 0, fraction_bits: 0, unused_bits: 0, slope_bits: 0, intercepts, slopes: vec![] }
}

fn lines(results: &[u64], width: u32, base: Base, (low_bits, fraction_bits): (u32, u32)) -> Segments {
    let rest = without_base(results, width, base);
    let mut cutter = Cutter {
        results: &rest,
        low_bits,
        fraction_bits,
        width,
        unused_bits: low_bits,
        intercepts: vec![0; rest.len()],
        slopes: vec![0; rest.len()],
    };
    cutter.cut(0, rest.len());
    let Cutter { unused_bits, intercepts, slopes, .. } = cutter;
    let widest = slopes.iter().map(|slope| slope.unsigned_abs()).max().unwrap_or(0);
    let slope_bits = 64 - widest.leading_zeros() + 1;
    let slopes = slopes.iter().map(|&slope| low(slope as u64, slope_bits)).collect();
    Segments { base, low_bits, fraction_bits, unused_bits, slope_bits, intercepts, slopes }
}

impl Segments {
    /// All results as intercepts.
    pub fn single(results: &[u64], width: u32) -> Segments {
        plain(results, width, Base::Zero)
    }

    /// An estimate of the size of the circuit.
    pub fn cost(&self, width: u32) -> usize {
        let looked_up = |entries: &[u64]| entries.iter().step_by(1 << self.unused_bits).copied().collect::<Vec<_>>();
        let sum_bits = width + self.fraction_bits;
        let intercepts = diagram_size(&looked_up(&self.intercepts), sum_bits);
        let slopes = if self.slopes.is_empty() { 0 } else { diagram_size(&looked_up(&self.slopes), self.slope_bits) };
        let product = self.low_bits * self.slope_bits + if self.slopes.is_empty() { 0 } else { sum_bits };
        let base = if self.base == Base::Zero { 0 } else { width };
        intercepts + slopes + ADDER * (product + base) as usize
    }
}

/// Cuts a table into segments.
struct Cutter<'t> {
    results: &'t [u64],
    low_bits: u32,
    fraction_bits: u32,
    width: u32,
    unused_bits: u32,
    intercepts: Vec<u64>,
    slopes: Vec<i64>,
}

impl Cutter<'_> {
    /// Finds lines for the operands from `first` on, `count` of them: one line, or those of both halves.
    fn cut(&mut self, first: usize, count: usize) {
        let results = &self.results[first..first + count];
        let is_short = count <= 1 << self.low_bits;
        let line = match results.iter().all(|result| result == &results[0]) {
            true => Some((results[0] << self.fraction_bits, 0)),
            false if is_short => self.line(results),
            false => None,
        };
        match line {
            Some((intercept, slope)) => {
                // The slope is multiplied by all low bits of the operand, also by those that are the same in this segment.
                let before = slope * (first % (1 << self.low_bits)) as i64;
                let intercept = low(intercept.wrapping_sub(before as u64), self.width + self.fraction_bits);
                self.intercepts[first..first + count].fill(intercept);
                self.slopes[first..first + count].fill(slope);
            }
            None => {
                if is_short {
                    self.unused_bits = self.unused_bits.min(count.ilog2() - 1);
                }
                self.cut(first, count / 2);
                self.cut(first + count / 2, count / 2);
            }
        }
    }

    /// Intercept and slope of a line from the first result on that, rounded down, gives all of them.
    fn line(&self, results: &[u64]) -> Option<(u64, i64)> {
        let half = 1_i64 << (self.width - 1);
        let unit = 1_i64 << self.fraction_bits;
        // Relative to the first result, as steps may cross the end of the codes.
        let wrapped =
            |result: u64| low(result.wrapping_sub(results[0]).wrapping_add(half as u64), self.width) as i64 - half;
        let least: Vec<i64> = results.iter().map(|&result| wrapped(result) * unit).collect();
        let (mut lowest, mut highest) = (i64::MIN, i64::MAX);
        for (at, first) in least.iter().enumerate() {
            for (distance, second) in (1..).zip(&least[at + 1..]) {
                let (least_rise, most_rise) = (second - first - (unit - 1), second - first + (unit - 1));
                // Rounded up, and down.
                lowest = lowest.max(-(-least_rise).div_euclid(distance));
                highest = highest.min(most_rise.div_euclid(distance));
                if lowest > highest {
                    return None;
                }
            }
        }
        let slope = roundest(lowest, highest);
        let bounds = || (0..).zip(&least).map(|(at, least)| least - slope * at);
        let (from, to) = (bounds().max()?, bounds().min()? + unit - 1);
        let intercept = (from <= to).then(|| roundest(from, to))?;
        Some(((results[0] << self.fraction_bits).wrapping_add(intercept as u64), slope))
    }
}

/// The number from `lowest` to `highest` with most zeros at its end.
pub fn roundest(lowest: i64, highest: i64) -> i64 {
    if lowest <= 0 && highest >= 0 {
        return 0;
    }
    let multiple = |zeros: u32| ((lowest >> zeros) + i64::from(lowest & ((1 << zeros) - 1) != 0)) << zeros;
    (0..40).rev().map(multiple).find(|&multiple| multiple <= highest).expect("a number is a multiple of 1")
}
