//! Which exact magnitudes an operation can meet: by exponent, and in multiples of which power of two.
//!
//! This bounds the exact values from above: every one of them is here, and not all that is here needs to occur. So what it
//! excludes cannot happen.

use binade_golden::{Codec, Exact, Value};
use binade_spec::{Format, Overflow, Rounding};

/// Nonzero magnitudes: for each exponent `e` that occurs, those in `[2^e, 2^(e+1))` are multiples of its quantum `2^q`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Magnitudes {
    first_exponent: i32,
    /// `q` for each exponent from the first on.
    quanta: Vec<Option<i32>>,
}

/// The values of a format with one exponent.
struct Binade {
    exponent: i32,
    quantum: i32,
    largest: Exact,
}

/// Formats up to this width have few products: their significands make some patterns of bits and not others.
const LISTED_WIDTH: u32 = 8;

/// The binades in which a format has values.
fn binades(format: &Format) -> Vec<Binade> {
    let exponents = format.min_exponent() as i32..=format.max_exponent() as i32;
    exponents.filter_map(|exponent| binade(format, exponent)).collect()
}

fn binade(format: &Format, exponent: i32) -> Option<Binade> {
    let finite = |code: u128| match format.decode(code) {
        Value::Finite(exact) if exact.exponent() == exponent => Some(exact),
        _ => None,
    };
    // The last number before the next binade has 128 ones.
    let end = Exact { negative: false, n: u128::MAX, k: exponent - 127 };
    let code = format.encode(Value::Finite(end), Rounding::Rtz, Overflow::Saturate);
    let largest = finite(code)?;
    // The largest finite value may be followed by NaN where all ones would be: the value before it has the finer bits.
    let before = code.checked_sub(1).and_then(finite);
    let lowest_bit = |exact: Exact| exact.k + exact.n.trailing_zeros() as i32;
    let quantum = before.map_or(lowest_bit(largest), |before| lowest_bit(before).min(lowest_bit(largest)));
    Some(Binade { exponent, quantum, largest })
}

impl Magnitudes {
    /// The magnitudes of a format's values.
    pub fn of(format: &Format) -> Magnitudes {
        let mut all = Magnitudes::default();
        binades(format).iter().for_each(|binade| all.add(binade.exponent, binade.quantum));
        all
    }

    /// The magnitudes of the products of two values.
    pub fn products(format: &Format) -> Magnitudes {
        let binades = binades(format);
        let mut all = Magnitudes::default();
        for a in &binades {
            for b in &binades {
                let (exponent, quantum) = (a.exponent + b.exponent, a.quantum + b.quantum);
                let largest = Exact { negative: false, n: a.largest.n * b.largest.n, k: a.largest.k + b.largest.k };
                (exponent..=largest.exponent()).for_each(|exponent| all.add(exponent, quantum));
            }
        }
        all
    }

    /// The products of two values, one by one, if the format is so narrow that they are few.
    pub fn listed_products(format: &Format) -> Option<Vec<Exact>> {
        if format.width() > LISTED_WIDTH {
            return None;
        }
        let numbers: Vec<Exact> = (0..=format.magnitude_mask())
            .filter_map(|code| match format.decode(code) {
                Value::Finite(exact) => Some(exact),
                _ => None,
            })
            .collect();
        let product = |a: &Exact, b: &Exact| {
            let (n, k) = (a.n * b.n, a.k + b.k);
            (n >> n.trailing_zeros(), k + n.trailing_zeros() as i32)
        };
        let mut products: Vec<(u128, i32)> =
            numbers.iter().flat_map(|a| numbers.iter().map(move |b| product(a, b))).collect();
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

    /// The magnitudes of the sums of one of these and one of the others (or of one of them and zero).
    pub fn sums(&self, others: &Magnitudes, with_subtractions: bool) -> Magnitudes {
        let mut all = self.clone();
        others.iter().for_each(|(exponent, quantum)| all.add(exponent, quantum));
        for (x, x_quantum) in self.iter() {
            for (y, y_quantum) in others.iter() {
                let (larger, quantum) = (x.max(y), x_quantum.min(y_quantum));
                all.add(larger, quantum);
                // Only terms that lie close together carry or cancel, but a borrow comes from any distance.
                all.add(larger + 1, quantum);
                if with_subtractions {
                    let lowest = if (x - y).abs() <= 1 { quantum } else { larger - 1 };
                    (lowest..larger).for_each(|exponent| all.add(exponent, quantum));
                }
            }
        }
        all
    }

    /// The magnitudes of the differences in which one of these is the larger one, and these themselves.
    pub fn excesses(&self, others: &Magnitudes) -> Magnitudes {
        let mut all = self.clone();
        for (x, x_quantum) in self.iter() {
            for (y, y_quantum) in others.iter().take_while(|(y, _)| *y <= x) {
                let quantum = x_quantum.min(y_quantum);
                let lowest = if x - y <= 1 { quantum } else { x - 1 };
                (lowest..=x).for_each(|exponent| all.add(exponent, quantum));
            }
        }
        all
    }

    /// The magnitudes of these numbers rounded into a format.
    pub fn rounded(&self, format: &Format) -> Magnitudes {
        let values = Magnitudes::of(format);
        let mut all = Magnitudes::default();
        for (exponent, quantum) in self.iter() {
            let own = values.quantum(exponent);
            let below = values.iter().take_while(|(other, _)| *other < exponent).last();
            let above = values.iter().find(|(other, _)| *other > exponent);
            match (own, below) {
                (Some(step), _) => all.add(exponent, quantum.max(step)),
                (None, Some((exponent, step))) => all.add(exponent, step),
                (None, None) => {}
            }
            if let Some((next, step)) = above {
                // What is rounded up into a binade is its first value, a power of two but for the smallest value of all.
                all.add(next, if own.is_some() { next } else { step });
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
