//! The possible exact magnitudes of an operation: their exponents, and the power of two that they are multiples of.
//!
//! This is an upper bound: every exact value is included, but not everything included need occur. So what it excludes
//! is impossible.

use binade_golden::{Codes, Exact, Value};
use binade_spec::{Class, Fixed, Format, Overflow, Rounding};

/// Nonzero magnitudes: for each possible exponent `e`, those in `[2^e, 2^(e+1))` are multiples of its quantum `2^q`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Magnitudes {
    first_exponent: i32,
    /// `q` for each exponent, starting at the first.
    quanta: Vec<Option<i32>>,
}

/// The values of a format with one exponent.
struct Binade {
    exponent: i32,
    quantum: i32,
    largest: Exact,
}

/// Neighbouring binades with the same number of bits and the same largest significand.
struct Run {
    first: i32,
    last: i32,
    /// Bits after the leading one.
    bits: i32,
    /// The significand of the largest number of a binade, in units of its last bit.
    largest: u128,
}

/// Formats up to this width have few values and few products: their significands produce only some patterns of bits.
const LISTED_WIDTH: u32 = 8;

/// The longest list of exact values.
const MOST_LISTED: usize = 1 << 15;

/// An upper bound for the bits of a quotient in the golden model.
const QUOTIENT_BITS: i32 = 300;

/// Bits of the significands for deciding whether a product carries: longer ones are rounded up.
const CARRY_BITS: u32 = 62;

fn has(format: &Format, class: Class) -> bool {
    format.class_codes(class).is_some()
}

/// The exponent of the largest positive value.
pub(crate) fn largest_exponent(fixed: &Fixed) -> i32 {
    fixed.min_exponent() as i32 + fixed.magnitude_bits() as i32 - 1
}

fn bit_length(n: u128) -> u32 {
    u128::BITS - n.leading_zeros()
}

/// The binades in which a format has values.
fn binades(format: &Format) -> Vec<Binade> {
    let codes = Codes::new(*format);
    let exponents = format.min_exponent() as i32..=format.max_exponent() as i32;
    let lowest = Some(format.max_exponent() as i32).filter(|_| has(format, Class::Lowest)).map(|exponent| Binade {
        exponent,
        quantum: exponent,
        largest: Exact { negative: true, n: 1, k: exponent },
    });
    exponents.filter_map(|exponent| binade(&codes, exponent)).chain(lowest).collect()
}

fn binade(format: &Codes, exponent: i32) -> Option<Binade> {
    let finite = |code: u128| match format.decode(code) {
        Value::Finite(exact) if exact.exponent() == exponent => Some(exact),
        _ => None,
    };
    // The largest number in the binade has 128 ones.
    let end = Exact { negative: false, n: u128::MAX, k: exponent - 127 };
    let code = format.encode(Value::Finite(end), Rounding::Rtz, Overflow::Saturate);
    let largest = finite(code)?;
    // The largest finite value may lack the last bit because NaN takes the code of all ones: the value before it has
    // the finer bits.
    let before = code.checked_sub(1).and_then(finite);
    let lowest_bit = |exact: Exact| exact.k + exact.n.trailing_zeros() as i32;
    let quantum = before.map_or(lowest_bit(largest), |before| lowest_bit(before).min(lowest_bit(largest)));
    Some(Binade { exponent, quantum, largest })
}

/// The binades of a format, with similar ones combined.
fn runs(format: &Format) -> Vec<Run> {
    let mut runs: Vec<Run> = vec![];
    for Binade { exponent, quantum, largest } in binades(format) {
        let (bits, largest) = (exponent - quantum, largest.n >> largest.n.trailing_zeros());
        match runs.last_mut() {
            Some(run) if run.last + 1 == exponent && (run.bits, run.largest) == (bits, largest) => run.last = exponent,
            _ => runs.push(Run { first: exponent, last: exponent, bits, largest }),
        }
    }
    runs
}

/// Whether the product of two numbers with significands up to these can have an exponent above the sum of theirs.
fn carries(a: u128, b: u128) -> bool {
    let shortened = |n: u128| {
        let excess = bit_length(n).saturating_sub(CARRY_BITS);
        ((n >> excess) + u128::from(excess > 0), bit_length(n) - excess)
    };
    let ((a, a_bits), (b, b_bits)) = (shortened(a), shortened(b));
    a * b >= 1 << (a_bits + b_bits - 1)
}

impl Magnitudes {
    /// The magnitudes of a format's values.
    pub fn of(format: &Format) -> Magnitudes {
        let mut all = Magnitudes::default();
        binades(format).iter().for_each(|binade| all.add(binade.exponent, binade.quantum));
        all
    }

    /// The magnitudes of the products of values of two formats.
    pub fn products(a: &Format, b: &Format) -> Magnitudes {
        let (a_runs, b_runs) = (runs(a), runs(b));
        let mut all = Magnitudes::default();
        for a in &a_runs {
            for b in &b_runs {
                let carry = i32::from(carries(a.largest, b.largest));
                let (first, last, bits) = (a.first + b.first, a.last + b.last, a.bits + b.bits);
                for exponent in first..=last {
                    (exponent..=exponent + carry).for_each(|carried| all.add(carried, exponent - bits));
                }
            }
        }
        all
    }

    /// The magnitudes of the products of any of these and any of the others.
    pub fn times(&self, others: &Magnitudes) -> Magnitudes {
        let mut all = Magnitudes::default();
        for (x, x_quantum) in self.iter() {
            for (y, y_quantum) in others.iter() {
                (x + y..=x + y + 1).for_each(|exponent| all.add(exponent, x_quantum + y_quantum));
            }
        }
        all
    }

    /// The magnitudes of the quotients of any of these and any of the others. Quotients by powers of two have as many
    /// bits as these, others any number.
    pub fn over(&self, others: &Magnitudes) -> Magnitudes {
        let mut all = Magnitudes::default();
        for (x, x_quantum) in self.iter() {
            for (y, y_quantum) in others.iter() {
                if y == y_quantum {
                    all.add(x - y, x_quantum - y);
                } else {
                    (x - y - 1..=x - y).for_each(|exponent| all.add(exponent, exponent - QUOTIENT_BITS));
                }
            }
        }
        all
    }

    /// The magnitudes of the roots of any of these.
    pub fn roots(&self) -> Magnitudes {
        let mut all = Magnitudes::default();
        for (exponent, _) in self.iter() {
            let root = exponent.div_euclid(2);
            all.add(root, root - QUOTIENT_BITS);
        }
        all
    }

    /// The magnitudes of the reciprocals of the roots of any of these.
    pub fn reciprocal_roots(&self) -> Magnitudes {
        let mut all = Magnitudes::default();
        for (exponent, _) in self.iter() {
            let root = -exponent.div_euclid(2);
            // Only that of a power of two reaches the upper binade.
            if exponent % 2 == 0 {
                all.add(root, root);
            }
            all.add(root - 1, root - 1 - QUOTIENT_BITS);
        }
        all
    }

    /// The lists of positive values and of magnitudes of negative values, for a narrow format.
    pub fn listed(format: &Format) -> Option<[Vec<Exact>; 2]> {
        if format.width() > LISTED_WIDTH {
            return None;
        }
        let codes = Codes::new(*format);
        let number = |code| match codes.decode(code) {
            Value::Finite(exact) => Some(exact),
            Value::Zero { .. } | Value::Infinite { .. } | Value::Nan => None,
        };
        let numbers: Vec<Exact> = (0..1 << format.width()).filter_map(number).collect();
        Some([false, true].map(|sign| {
            let own = numbers.iter().filter(|exact| exact.negative == sign);
            own.map(|exact| Exact { negative: false, ..*exact }).collect()
        }))
    }

    /// The lists of positive and negative products of listed values, if they are short.
    pub fn listed_products([a, minus_a]: &[Vec<Exact>; 2], [b, minus_b]: &[Vec<Exact>; 2]) -> Option<[Vec<Exact>; 2]> {
        let both = |one: [&[Exact]; 2], other: [&[Exact]; 2]| {
            let [one, other] = [one, other].map(|[a, b]| Magnitudes::products_of_listed(a, b));
            let mut all = [one?, other?].concat();
            all.sort_unstable_by_key(|exact| (exact.n, exact.k));
            all.dedup();
            Some(all)
        };
        Some([both([a, b], [minus_a, minus_b])?, both([a, minus_b], [minus_a, b])?])
    }

    fn products_of_listed(a: &[Exact], b: &[Exact]) -> Option<Vec<Exact>> {
        if a.len() * b.len() > MOST_LISTED {
            return None;
        }
        let product = |a: &Exact, b: &Exact| {
            let (n, k) = (a.n.checked_mul(b.n)?, a.k + b.k);
            Some((n >> n.trailing_zeros(), k + n.trailing_zeros() as i32))
        };
        let products = a.iter().flat_map(|a| b.iter().map(move |b| product(a, b)));
        let mut products: Vec<(u128, i32)> = products.collect::<Option<_>>()?;
        products.sort_unstable();
        products.dedup();
        Some(products.into_iter().map(|(n, k)| Exact { negative: false, n, k }).collect())
    }

    /// Numbers of `bits` significand bits with these exponents.
    pub fn significands(exponents: std::ops::RangeInclusive<i32>, bits: i32) -> Magnitudes {
        let mut all = Magnitudes::default();
        exponents.for_each(|exponent| all.add(exponent, exponent - bits + 1));
        all
    }

    /// The union of these magnitudes and the others.
    pub fn union(&self, others: &Magnitudes) -> Magnitudes {
        let mut all = self.clone();
        others.iter().for_each(|(exponent, quantum)| all.add(exponent, quantum));
        all
    }

    /// The magnitudes among these that are multiples of `2^quantum`.
    pub fn multiples_of(&self, quantum: i32) -> Magnitudes {
        let mut all = Magnitudes::default();
        let whole = self.iter().filter(|(exponent, _)| *exponent >= quantum);
        whole.for_each(|(exponent, own)| all.add(exponent, own.max(quantum)));
        all
    }

    /// The magnitudes of the sums of one of these and one of the others (or of one of them and zero).
    pub fn sums(&self, others: &Magnitudes, with_subtractions: bool) -> Magnitudes {
        let mut all = self.union(others);
        all.add_sums_with_smaller(self, others, with_subtractions);
        all.add_sums_with_smaller(others, self, with_subtractions);
        all
    }

    /// Adds the sums of larger and smaller terms.
    fn add_sums_with_smaller(&mut self, larger: &Magnitudes, smaller: &Magnitudes, with_subtractions: bool) {
        let finest = smaller.finest_up_to();
        for (x, x_quantum) in larger.iter() {
            if let Some(y_quantum) = finest.at_or_below(x) {
                let quantum = x_quantum.min(y_quantum);
                self.add(x, quantum);
                // Only nearby terms carry or cancel, but a borrow comes from any distance.
                self.add(x + 1, quantum);
            }
            if !with_subtractions {
                continue;
            }
            if let Some(y_quantum) = finest.at_or_below(x - 2) {
                self.add(x - 1, x_quantum.min(y_quantum));
            }
            for y_quantum in [x, x - 1].into_iter().filter_map(|y| smaller.quantum(y)) {
                let quantum = x_quantum.min(y_quantum);
                (quantum..x).for_each(|exponent| self.add(exponent, quantum));
            }
        }
    }

    /// The magnitudes of the differences in which one of these is the larger term, and these themselves.
    pub fn excesses(&self, others: &Magnitudes) -> Magnitudes {
        let (mut all, finest) = (self.clone(), others.finest_up_to());
        for (x, x_quantum) in self.iter() {
            if let Some(y_quantum) = finest.at_or_below(x - 2) {
                (x - 1..=x).for_each(|exponent| all.add(exponent, x_quantum.min(y_quantum)));
            }
            for y_quantum in [x, x - 1].into_iter().filter_map(|y| others.quantum(y)) {
                let quantum = x_quantum.min(y_quantum);
                (quantum..=x).for_each(|exponent| all.add(exponent, quantum));
            }
        }
        all
    }

    /// For each exponent, the finest quantum up to there.
    fn finest_up_to(&self) -> Magnitudes {
        let mut finest = self.clone();
        let mut least: Option<i32> = None;
        for quantum in &mut finest.quanta {
            least = least.into_iter().chain(*quantum).min();
            *quantum = least;
        }
        finest
    }

    /// The quantum of the largest exponent up to this one.
    fn at_or_below(&self, exponent: i32) -> Option<i32> {
        self.last_up_to(exponent).and_then(|exponent| self.quantum(exponent))
    }

    /// The largest exponent up to this one.
    pub fn last_up_to(&self, exponent: i32) -> Option<i32> {
        let last = self.first_exponent + self.quanta.len() as i32 - 1;
        (self.first_exponent..=last.min(exponent)).rev().find(|&exponent| self.quantum(exponent).is_some())
    }

    /// The smallest exponent from this one on.
    pub fn first_from(&self, exponent: i32) -> Option<i32> {
        let end = self.first_exponent + self.quanta.len() as i32;
        (self.first_exponent.max(exponent)..end).find(|&exponent| self.quantum(exponent).is_some())
    }

    /// The magnitudes of these numbers after rounding to a format.
    pub fn rounded(&self, format: &Format) -> Magnitudes {
        let values = Magnitudes::of(format);
        let mut all = Magnitudes::default();
        for (exponent, quantum) in self.iter() {
            let own = values.quantum(exponent);
            let below = values.last_up_to(exponent - 1);
            match (own, below) {
                (Some(step), _) => all.add(exponent, quantum.max(step)),
                (None, Some(below)) => all.add(below, values.quantum(below).unwrap_or(below)),
                (None, None) => {}
            }
            if let Format::Fixed(fixed) = format
                && i64::from(exponent) >= fixed.max_exponent() - 1
            {
                // Magnitudes beyond the range become the largest value.
                all.add(largest_exponent(fixed), fixed.min_exponent() as i32);
            }
            if let Some(next) = values.first_from(exponent + 1) {
                // Rounding up into a binade gives its first value, a power of two unless it is the smallest value of
                // all.
                all.add(next, if own.is_some() { next } else { values.quantum(next).unwrap_or(next) });
            }
        }
        all
    }

    pub fn add(&mut self, exponent: i32, quantum: i32) {
        let quantum = quantum.min(exponent);
        if self.quanta.is_empty() {
            self.first_exponent = exponent;
        }
        if exponent < self.first_exponent {
            let more = (self.first_exponent - exponent) as usize;
            self.quanta.splice(0..0, vec![None; more]);
            self.first_exponent = exponent;
        }
        let index = (exponent - self.first_exponent) as usize;
        if index >= self.quanta.len() {
            self.quanta.resize(index + 1, None);
        }
        let known = &mut self.quanta[index];
        *known = Some(known.map_or(quantum, |other| other.min(quantum)));
    }

    /// Exponents and their quanta.
    pub fn iter(&self) -> impl Iterator<Item = (i32, i32)> {
        self.quanta.iter().zip(self.first_exponent..).filter_map(|(quantum, exponent)| Some((exponent, (*quantum)?)))
    }

    /// The smallest and the largest exponent.
    pub fn ends(&self) -> Option<(i32, i32)> {
        Some((self.iter().next()?.0, self.iter().last()?.0))
    }

    pub fn quantum(&self, exponent: i32) -> Option<i32> {
        let index = usize::try_from(exponent - self.first_exponent).ok()?;
        *self.quanta.get(index)?
    }
}
