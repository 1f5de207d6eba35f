//! A second definition of the posits: the list of all values, each parsed from its code written as a string of bits,
//! and a search for the two neighbours in that list in exact integers (SEMANTICS.md section 6).
//!
//! Values between two codes are found in longer posits, whose codes are the same strings with more bits: the midpoint
//! after code c is the posit 2c+1 of one bit more, and the fraction in k bits is the end of a code with k bits more.

use super::line::{Number, UNIT, power_of_two};
use binade_spec::{PositRange, Rounding};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// The magnitudes of a posit by code, from zero to maxpos.
pub struct Posits {
    pub name: String,
    pub bits: u32,
    exponent_bits: u32,
    scale: i64,
    pub magnitudes: Vec<BigUint>,
    /// Between each code and the next one.
    pub midpoints: Vec<BigUint>,
}

/// A magnitude among the codes; the code before the end is the largest one.
#[derive(Clone, Copy)]
pub enum Place {
    Nar,
    Zero,
    /// Below minpos; below half of it, too?
    BelowAll {
        below_half: bool,
    },
    AboveAll,
    At {
        code: u64,
    },
    Between {
        code: u64,
        to_middle: Ordering,
    },
}

impl Posits {
    pub fn new(bits: u32, exponent_bits: u32, scale: i64) -> Posits {
        let option = if scale == 0 { String::new() } else { format!(",scale=2^{scale}") };
        let longer = list(bits + 1, exponent_bits, scale);
        Posits {
            name: format!("posit{bits}_{exponent_bits}{option}"),
            bits,
            exponent_bits,
            scale,
            magnitudes: list(bits, exponent_bits, scale),
            midpoints: longer.into_iter().skip(1).step_by(2).collect(),
        }
    }

    pub fn nar(&self) -> u64 {
        1 << (self.bits - 1)
    }

    pub fn maxpos(&self) -> u64 {
        self.nar() - 1
    }

    pub fn decode(&self, code: u64) -> Number {
        if code == self.nar() {
            return Number::Nan;
        }
        let negative = code > self.nar();
        let magnitude = if negative { 2 * self.nar() - code } else { code };
        Number::Real { negative, magnitude: self.magnitudes[magnitude as usize].clone() }
    }

    /// Where a number lies, and whether it is negative.
    pub fn place(&self, number: &Number) -> (Place, bool) {
        match number {
            Number::Nan | Number::Infinity { .. } => (Place::Nar, false),
            Number::Real { negative, magnitude } => (self.place_magnitude(magnitude), *negative),
        }
    }

    fn place_magnitude(&self, x: &BigUint) -> Place {
        let code = self.magnitudes.partition_point(|magnitude| magnitude <= x) - 1;
        if code == 0 {
            return if x.bits() == 0 {
                Place::Zero
            } else {
                Place::BelowAll { below_half: x * 2_u32 < self.magnitudes[1] }
            };
        }
        if self.magnitudes[code] == *x {
            return Place::At { code: code as u64 };
        }
        if code as u64 == self.maxpos() {
            return Place::AboveAll;
        }
        Place::Between { code: code as u64, to_middle: x.cmp(&self.midpoints[code]) }
    }

    /// The code of a number that lies there.
    pub fn encode_at(&self, (place, negative): (Place, bool), rounding: Rounding, range: PositRange) -> u64 {
        let magnitude = match place {
            Place::Nar => return self.nar(),
            Place::Zero => return 0,
            Place::BelowAll { below_half: true } if range == PositRange::Float => return 0,
            Place::BelowAll { .. } => 1,
            Place::AboveAll if range == PositRange::Float => return self.nar(),
            Place::AboveAll => self.maxpos(),
            Place::At { code } => code,
            Place::Between { code, to_middle } => {
                let is_even = code % 2 == 0;
                let outward = match rounding {
                    Rounding::Rne => to_middle.is_gt() || to_middle.is_eq() && !is_even,
                    Rounding::Rna | Rounding::Rnu => to_middle.is_ge(),
                    Rounding::Rto => is_even,
                    Rounding::Rtz => false,
                    Rounding::Rup => !negative,
                    Rounding::Rdn => negative,
                    Rounding::Sr(_) | Rounding::Mptorch => {
                        panic!("{rounding} is none of the fixed roundings of posits")
                    }
                };
                code + u64::from(outward)
            }
        };
        self.with_sign(negative, magnitude)
    }

    pub fn encode(&self, number: &Number, rounding: Rounding, range: PositRange) -> u64 {
        self.encode_at(self.place(number), rounding, range)
    }

    pub fn with_sign(&self, negative: bool, magnitude: u64) -> u64 {
        if negative { 2 * self.nar() - magnitude } else { magnitude }
    }

    /// The values of the codes with `more` bits behind them: every so many of them is one of this posit.
    pub fn refined(&self, more: u32) -> Vec<BigUint> {
        list(self.bits + more, self.exponent_bits, self.scale)
    }

    /// Every value, every midpoint and what is just beside both; a bit and far beyond both ends. Half of minpos, too.
    pub fn probes(&self) -> Vec<BigUint> {
        let around = |x: &BigUint| {
            let tiny = x >> 24_u32;
            [x - &tiny, x.clone(), x + tiny]
        };
        let half = &self.magnitudes[1] >> 1_u32;
        let beyond = [1_u32, 2, 40].map(|doublings| &self.magnitudes[self.maxpos() as usize] << doublings);
        let below = [2_u32, 3, 40].map(|halvings| &self.magnitudes[1] >> halvings);
        let ladder = self.magnitudes[1..].iter().chain(&self.midpoints).chain([&half]);
        ladder.flat_map(around).chain(beyond).chain(below).collect()
    }
}

/// The values of the codes from 0 to maxpos.
fn list(bits: u32, exponent_bits: u32, scale: i64) -> Vec<BigUint> {
    let digits = bits as usize - 1;
    let value = |code: u64| value_of(&format!("{code:0digits$b}"), exponent_bits as usize, scale);
    [BigUint::ZERO].into_iter().chain((1..1 << digits).map(value)).collect()
}

/// The value of a magnitude with these bits: the regime is the run at the front.
fn value_of(text: &str, exponent_bits: usize, scale: i64) -> BigUint {
    let (first, other) = if text.starts_with('1') { ('1', '0') } else { ('0', '1') };
    let after_run = text.trim_start_matches(first);
    let run = (text.len() - after_run.len()) as i64;
    let regime = if first == '1' { run - 1 } else { -run };
    let rest = after_run.strip_prefix(other).unwrap_or("");
    let (exponent, fraction) = rest.split_at(exponent_bits.min(rest.len()));
    let exponent = binary(&format!("{exponent:0<exponent_bits$}"));
    let significand = binary(&format!("1{fraction}"));
    let shift = (regime << exponent_bits) + exponent as i64 + scale - fraction.len() as i64;
    assert!(shift > -UNIT, "the unit is fine enough");
    power_of_two(shift) * significand
}

fn binary(digits: &str) -> u64 {
    if digits.is_empty() { 0 } else { u64::from_str_radix(digits, 2).expect("binary digits") }
}
