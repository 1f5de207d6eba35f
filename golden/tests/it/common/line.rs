//! A second definition of the formats: the number line of each, built step by step from zero as SEMANTICS.md sections 1
//! to 5 describe it, and a search for the two neighbours on that line in exact integers.
//!
//! It shares nothing with the golden model: no `Format`, no decoding of fields, no counting of units.

use binade_golden::{Exact, Value};
use binade_spec::{Overflow, Rounding};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// Magnitudes are integers in units of `2^-UNIT`, fine enough for exact products of all formats built here.
pub const UNIT: i64 = 700;

pub fn power_of_two(exponent: i64) -> BigUint {
    BigUint::from(1_u32) << u64::try_from(exponent + UNIT).expect("the unit is fine enough")
}

/// The value of a code, or an exact result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    Nan,
    Infinity { negative: bool },
    Real { negative: bool, magnitude: BigUint },
}

/// The meaning of exponent field 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Low {
    Subnormal,
    Flushed,
    Nosub,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    Infinity,
    Nan,
    Largest,
}

/// The nonnegative finite values of a format, by code, and what surrounds them.
#[derive(Clone, Debug)]
pub struct Line {
    pub name: String,
    /// Magnitude of each code from 0 to the largest finite one.
    pub magnitudes: Vec<BigUint>,
    /// The value after the largest, if there were one.
    pub after: BigUint,
    /// Smallest code that is not zero, and what lies below it if the exponent range had no end (zero if that is
    /// what lies below it).
    pub smallest: usize,
    pub before: BigUint,
    pub width: u32,
    pub signed: bool,
    pub minus_zero: bool,
    pub infinity: Option<u64>,
    /// The canonical NaN, and the magnitude codes of all of them (the sign alone: none).
    pub nan: Option<u64>,
    pub nan_magnitudes: std::ops::Range<u64>,
    pub beyond: Beyond,
    /// DLFloat16: signs of zero and NaN-infinity mean nothing.
    pub free_sign: bool,
}

/// Where a number lies on a line.
pub enum Place {
    Nan,
    Infinity { negative: bool },
    Real { negative: bool, among: Neighbours },
}

/// A magnitude at a code or between two; the code after the largest represents everything beyond it.
pub enum Neighbours {
    At(usize),
    Between { low_code: usize, high_code: usize, to_middle: Ordering },
}

/// Climbs from `first` over `codes` steps; the step up from code c is 2^step(c).
fn climb(start: Vec<BigUint>, codes: u64, step: impl Fn(i64) -> i64) -> Vec<BigUint> {
    let mut magnitudes = start;
    while (magnitudes.len() as u64) < codes {
        let code = magnitudes.len() as i64 - 1;
        magnitudes.push(&magnitudes[code as usize] + power_of_two(step(code)));
    }
    magnitudes
}

/// All `2^(w+t)` magnitudes and the one after them, as if no code were special, and the first code after zero.
fn ordinary(w: u32, t: u32, bias: i64, low: Low) -> (Vec<BigUint>, usize, BigUint) {
    let codes = (1_u64 << (w + t)) + 1;
    let zero = BigUint::ZERO;
    let ulp = move |field: i64| field - bias - i64::from(t);
    match low {
        Low::Nosub if t > 0 => {
            let first = power_of_two(-bias) + power_of_two(ulp(0));
            (climb(vec![zero.clone(), first], codes, |code| ulp(code >> t)), 1, zero)
        }
        Low::Subnormal | Low::Nosub => (climb(vec![zero.clone()], codes, |code| ulp((code >> t).max(1))), 1, zero),
        Low::Flushed => {
            let normal = power_of_two(1 - bias);
            let mut start = vec![zero; 1 << t];
            start.push(normal.clone());
            (climb(start, codes, |code| ulp(code >> t)), 1 << t, normal - power_of_two(ulp(0)))
        }
    }
}

impl Line {
    fn new(name: &str, width: u32, signed: bool, line: (Vec<BigUint>, usize, BigUint), last: u64) -> Line {
        let (mut magnitudes, smallest, before) = line;
        let after = magnitudes[last as usize + 1].clone();
        magnitudes.truncate(last as usize + 1);
        Line {
            name: name.into(),
            magnitudes,
            after,
            smallest,
            before,
            width,
            signed,
            minus_zero: true,
            infinity: None,
            nan: None,
            nan_magnitudes: 0..0,
            beyond: Beyond::Infinity,
            free_sign: false,
        }
    }

    /// Section 1: `e<w>m<t>` with the suffixes "", n, ns, fn, f.
    pub fn float(w: u32, t: u32, suffix: &str, bias: Option<i64>) -> Line {
        let low = match suffix {
            "n" => Low::Flushed,
            "ns" => Low::Nosub,
            _ => Low::Subnormal,
        };
        let option = bias.map(|bias| format!(",bias={bias}")).unwrap_or_default();
        let name = format!("e{w}m{t}{suffix}{option}");
        let line = ordinary(w, t, bias.unwrap_or((1 << (w - 1)) - 1), low);
        let (all, infinity) = (1_u64 << (w + t), ((1 << w) - 1) << t);
        let new = |last| Line::new(&name, 1 + w + t, true, line, last);
        match suffix {
            "f" => Line { beyond: Beyond::Largest, ..new(all - 1) },
            "fn" => Line { beyond: Beyond::Nan, nan: Some(all - 1), nan_magnitudes: all - 1..all, ..new(all - 2) },
            _ => Line {
                infinity: Some(infinity),
                nan: (t > 0).then(|| infinity + (1 << t) / 2),
                nan_magnitudes: infinity + 1..all,
                ..new(infinity - 1)
            },
        }
    }

    /// Section 4: `k<K>p<P>` in the domains se, sf, ue, uf, with or without ns.
    pub fn p3109(k: u32, p: u32, domain: &str, nosub: bool) -> Line {
        let (signed, extended) = (domain.starts_with('s'), domain.ends_with('e'));
        let (bias, w) = if signed { (1_i64 << (k - p - 1), k - p) } else { (1 << (k - p), k - p + 1) };
        let line = ordinary(w, p - 1, bias, if nosub { Low::Nosub } else { Low::Subnormal });
        let positive_codes = if signed { 1_u64 << (k - 1) } else { (1 << k) - 1 };
        let last = positive_codes - 1 - u64::from(extended);
        let name = format!("k{k}p{p}{domain}{}", if nosub { "ns" } else { "" });
        Line {
            minus_zero: false,
            infinity: extended.then_some(last + 1),
            nan: Some(if signed { 1 << (k - 1) } else { (1 << k) - 1 }),
            nan_magnitudes: if signed { 0..0 } else { positive_codes..positive_codes + 1 },
            beyond: if extended { Beyond::Infinity } else { Beyond::Largest },
            ..Line::new(&name, k, signed, line, last)
        }
    }

    /// Section 3: three runs of codes.
    pub fn supernormal(w: u32, t: u32, below: u32, above: u32, finite: bool) -> Line {
        let (bias, all) = (1_i64 << (w - 1), 1_i64 << (w + t));
        let lower_codes = i64::from(below) << t;
        let upper = (1_i64 << w) - i64::from(above);
        let mut magnitudes = vec![BigUint::ZERO];
        magnitudes.extend((1..lower_codes).map(|c| power_of_two(i64::from(below) - bias - lower_codes + c)));
        for field in i64::from(below)..upper {
            let ordinary = (0..1_i64 << t)
                .map(|m| power_of_two(field - bias) + power_of_two(field - bias - i64::from(t)) * m as u64);
            magnitudes.extend(ordinary);
        }
        magnitudes.extend((upper << t..=all).map(|c| power_of_two(upper - bias + c - (upper << t))));
        let up = if above == below { String::new() } else { format!("u{above}") };
        let name = format!("e{w}m{t}b{below}{up}{}", if finite { ",sat" } else { "" });
        let last = all as u64 - 1 - u64::from(!finite);
        Line {
            minus_zero: false,
            infinity: (!finite).then_some(last + 1),
            nan: Some(all as u64),
            beyond: if finite { Beyond::Largest } else { Beyond::Infinity },
            ..Line::new(&name, 1 + w + t, true, (magnitudes, 1, BigUint::ZERO), last)
        }
    }

    /// Section 5.
    pub fn dlfloat16() -> Line {
        let (magnitudes, smallest, _) = ordinary(6, 9, 31, Low::Nosub);
        Line {
            nan: Some(0x7fff),
            nan_magnitudes: 0x7fff..0x8000,
            beyond: Beyond::Nan,
            free_sign: true,
            ..Line::new("dlfloat16", 16, true, (magnitudes, smallest, power_of_two(-31)), 0x7ffe)
        }
    }

    pub fn largest(&self) -> usize {
        self.magnitudes.len() - 1
    }

    pub fn sign_bit(&self) -> u64 {
        if self.signed { 1 << (self.width - 1) } else { 0 }
    }

    pub fn decode(&self, code: u64) -> Number {
        let negative = code & self.sign_bit() != 0;
        let magnitude = code & !self.sign_bit();
        if Some(code) == self.nan || self.nan_magnitudes.contains(&magnitude) {
            Number::Nan
        } else if Some(magnitude) == self.infinity {
            Number::Infinity { negative }
        } else {
            Number::Real { negative, magnitude: self.magnitudes[magnitude as usize].clone() }
        }
    }

    /// Section 2.
    pub fn encode(&self, number: &Number, rounding: Rounding, overflow: Overflow) -> u64 {
        self.encode_at(&self.place(number), rounding, overflow)
    }

    /// Where a number lies, whatever becomes of it.
    pub fn place(&self, number: &Number) -> Place {
        match number {
            Number::Nan => Place::Nan,
            Number::Infinity { negative } => Place::Infinity { negative: *negative },
            Number::Real { negative, magnitude } => {
                Place::Real { negative: *negative, among: self.neighbours(magnitude) }
            }
        }
    }

    fn neighbours(&self, x: &BigUint) -> Neighbours {
        let smallest = &self.magnitudes[self.smallest];
        if *x <= self.before {
            // Zero, or, with an exponent range without end, a value that there is no code for.
            return Neighbours::At(0);
        }
        let (low_code, upper_code, low, high) = if x < smallest {
            (0, self.smallest, &self.before, smallest)
        } else {
            let upper_code = self.magnitudes.partition_point(|magnitude| magnitude <= x);
            let high = self.magnitudes.get(upper_code).unwrap_or(&self.after);
            (upper_code - 1, upper_code, &self.magnitudes[upper_code - 1], high)
        };
        if low == x && low_code > 0 {
            return Neighbours::At(low_code);
        }
        Neighbours::Between { low_code, high_code: upper_code, to_middle: (x * 2_u32).cmp(&(low + high)) }
    }

    /// [`Line::encode`] for a number found before.
    pub fn encode_at(&self, place: &Place, rounding: Rounding, overflow: Overflow) -> u64 {
        let (negative, code) = match *place {
            Place::Nan => return self.nan.unwrap_or(0),
            Place::Infinity { negative } => return self.infinite(negative, overflow),
            Place::Real { negative, among: Neighbours::At(code) } => (negative, code),
            Place::Real { negative, among: Neighbours::Between { low_code, high_code, to_middle } } => {
                // Of two successive codes one is even; below the smallest value of flushed formats, too.
                let high_is_even = high_code % 2 == 0;
                let outward = match rounding {
                    Rounding::Rne => to_middle.is_gt() || to_middle.is_eq() && high_is_even,
                    Rounding::Rna | Rounding::Rnu => to_middle.is_ge(),
                    Rounding::Rto => !high_is_even,
                    Rounding::Rtz => false,
                    // The further neighbour of a positive number is the larger one.
                    Rounding::Rup => !negative,
                    Rounding::Rdn => negative,
                    Rounding::Sr(_) | Rounding::Srb(_) | Rounding::Src(_) | Rounding::Mptorch | Rounding::Any => {
                        panic!("{rounding} has tests of its own")
                    }
                };
                (negative, if outward { high_code } else { low_code })
            }
        };
        if negative && !self.signed {
            return self.below_zero(code == 0, rounding, overflow);
        }
        if code > self.largest() { self.too_large(negative, overflow) } else { self.with_sign(negative, code as u64) }
    }

    fn with_sign(&self, negative: bool, magnitude: u64) -> u64 {
        match magnitude {
            0 if !self.minus_zero => 0,
            _ if negative => magnitude | self.sign_bit(),
            _ => magnitude,
        }
    }

    /// A finite number rounded past the largest value, so by no inward direction.
    fn too_large(&self, negative: bool, overflow: Overflow) -> u64 {
        match overflow {
            Overflow::Inf | Overflow::ToInfinity => self.infinite(negative, overflow),
            Overflow::Saturate | Overflow::Propagate => self.with_sign(negative, self.largest() as u64),
        }
    }

    /// An infinite operand, or what overflow makes infinite.
    fn infinite(&self, negative: bool, overflow: Overflow) -> u64 {
        if negative && !self.signed {
            return if overflow == Overflow::Inf { self.nan.unwrap() } else { 0 };
        }
        match (self.beyond, self.infinity) {
            (Beyond::Infinity, Some(infinity)) if overflow != Overflow::Saturate => self.with_sign(negative, infinity),
            (Beyond::Nan, _) if overflow != Overflow::Saturate => self.nan.unwrap(),
            _ => self.with_sign(negative, self.largest() as u64),
        }
    }

    /// A negative number where there are none, section 4: zero is the nearest value inward and upward; in other
    /// directions the number is rounded as if there were negative ones, and is zero only if that is.
    fn below_zero(&self, rounds_to_zero: bool, rounding: Rounding, overflow: Overflow) -> u64 {
        let up_to_zero = [Rounding::Rtz, Rounding::Rup].contains(&rounding);
        if rounds_to_zero || up_to_zero || overflow != Overflow::Inf { 0 } else { self.nan.unwrap() }
    }

    /// The same code, or two codes that differ only in a sign that means nothing.
    pub fn same(&self, got: u64, want: u64) -> bool {
        let magnitude = got & !self.sign_bit();
        let free = self.free_sign && (magnitude == 0 || Some(magnitude) == self.nan);
        got == want || free && magnitude == want & !self.sign_bit()
    }

    /// `low`, the midpoint and what is just beside them, for every pair of neighbours on the line and beyond its end.
    pub fn probes(&self) -> Vec<BigUint> {
        let values = self.magnitudes[self.smallest..].iter();
        let ladder: Vec<&BigUint> = [&self.before].into_iter().chain(values).chain([&self.after]).collect();
        let around = |pair: &[&BigUint]| {
            let (low, high) = (pair[0], pair[1]);
            let tiny = (high - low) >> 20_u32;
            let middle = (low + high) >> 1_u32;
            [low.clone(), low + &tiny, &middle - &tiny, middle.clone(), middle + &tiny, high - tiny]
        };
        let beyond = [0_u32, 1, 2, 90].map(|doublings| &self.after << doublings);
        let below = [1_u32, 2, 3, 90].map(|halvings| &self.magnitudes[self.smallest] >> halvings);
        ladder.windows(2).flat_map(around).chain(beyond).chain(below).filter(|probe| probe.bits() > 0).collect()
    }
}

impl Number {
    pub fn times(&self, other: &Number) -> Number {
        use Number::{Infinity, Nan, Real};
        let is_zero = |magnitude: &BigUint| magnitude.bits() == 0;
        match (self, other) {
            (Nan, _) | (_, Nan) => Nan,
            (Real { negative: s, magnitude: x }, Real { negative: t, magnitude: y }) => {
                let product = x * y;
                assert!(is_zero(&product) || product.trailing_zeros() >= Some(UNIT as u64), "the unit is too coarse");
                Real { negative: s ^ t, magnitude: product >> UNIT }
            }
            (Infinity { .. }, Real { magnitude, .. }) | (Real { magnitude, .. }, Infinity { .. })
                if is_zero(magnitude) =>
            {
                Nan
            }
            (
                Infinity { negative: s } | Real { negative: s, .. },
                Infinity { negative: t } | Real { negative: t, .. },
            ) => Infinity { negative: s ^ t },
        }
    }

    /// The sum; a zero from unlike signs is negative toward -infinity alone.
    pub fn plus(&self, other: &Number, rounding: Rounding) -> Number {
        use Number::{Infinity, Nan, Real};
        match (self, other) {
            (Nan, _) | (_, Nan) => Nan,
            (Infinity { negative: s }, Infinity { negative: t }) if s != t => Nan,
            (Infinity { negative }, _) | (_, Infinity { negative }) => Infinity { negative: *negative },
            (Real { negative: s, magnitude: x }, Real { negative: t, magnitude: y }) => {
                if s == t {
                    Real { negative: *s, magnitude: x + y }
                } else if x > y {
                    Real { negative: *s, magnitude: x - y }
                } else {
                    let negative = if x == y { rounding == Rounding::Rdn } else { *t };
                    Real { negative, magnitude: y - x }
                }
            }
        }
    }

    /// As the golden model writes it.
    pub fn value(&self) -> Value {
        match self {
            Number::Nan => Value::Nan,
            Number::Infinity { negative } => Value::Infinite { negative: *negative },
            Number::Real { negative, magnitude } => match magnitude.trailing_zeros() {
                None => Value::Zero { negative: *negative },
                Some(zeros) => Value::Finite(Exact {
                    negative: *negative,
                    n: (magnitude >> zeros).try_into().expect("128 significant bits are enough"),
                    k: (zeros as i64 - UNIT) as i32,
                }),
            },
        }
    }
}
