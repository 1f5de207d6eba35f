//! A second definition of posits, b-posits and linear takums: the list of all values, each parsed from its code written as a string of bits,
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
    regime: Regime,
    scale: i64,
    pub magnitudes: Vec<BigUint>,
    /// Between each code and the next one.
    pub midpoints: Vec<BigUint>,
}

/// How the bits at the front of a magnitude are read.
#[derive(Clone, Copy)]
enum Regime {
    /// A run of equal bits, of any length or of at most so many, and so many exponent bits.
    Run { longest: usize, exponent_bits: usize },
    /// A direction bit, three bits with the length of the characteristic, and the characteristic.
    Takum,
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
        let regime = Regime::Run { longest: usize::MAX, exponent_bits: exponent_bits as usize };
        Posits::of_regime(format!("posit{bits}_{exponent_bits}"), bits, regime, scale)
    }

    /// The b-posit whose regime has at most `longest` bits.
    pub fn bounded(bits: u32, longest: u32, exponent_bits: u32, scale: i64) -> Posits {
        let regime = Regime::Run { longest: longest as usize, exponent_bits: exponent_bits as usize };
        Posits::of_regime(format!("bposit{bits}_{longest}_{exponent_bits}"), bits, regime, scale)
    }

    /// The linear takum.
    pub fn takum(bits: u32, scale: i64) -> Posits {
        Posits::of_regime(format!("takum_linear{bits}"), bits, Regime::Takum, scale)
    }

    fn of_regime(name: String, bits: u32, regime: Regime, scale: i64) -> Posits {
        let option = if scale == 0 { String::new() } else { format!(",scale=2^{scale}") };
        let longer = list(bits + 1, regime, scale);
        Posits {
            name: name + &option,
            bits,
            regime,
            scale,
            magnitudes: list(bits, regime, scale),
            midpoints: longer.into_iter().skip(1).step_by(2).collect(),
        }
    }

    /// Whether results beyond the range may become zero or NaR.
    pub fn has_range(&self) -> bool {
        matches!(self.regime, Regime::Run { longest: usize::MAX, .. })
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
                    Rounding::Sr(_) | Rounding::Srb(_) | Rounding::Src(_) | Rounding::Mptorch | Rounding::Any => {
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
        list(self.bits + more, self.regime, self.scale)
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
fn list(bits: u32, regime: Regime, scale: i64) -> Vec<BigUint> {
    let digits = bits as usize - 1;
    let value = |code: u64| value_of(&format!("{code:0digits$b}"), regime, scale);
    [BigUint::ZERO].into_iter().chain((1..1 << digits).map(value)).collect()
}

/// The value of a magnitude with these bits.
fn value_of(text: &str, regime: Regime, scale: i64) -> BigUint {
    let (exponent, fraction) = match regime {
        Regime::Run { longest, exponent_bits } => after_run(text, longest, exponent_bits),
        Regime::Takum => after_characteristic(text),
    };
    let shift = exponent + scale - fraction.len() as i64;
    assert!(shift > -UNIT, "the unit is fine enough");
    power_of_two(shift) * binary(&format!("1{fraction}"))
}

/// The exponent and the fraction's bits: the regime is the run at the front.
fn after_run(text: &str, longest: usize, exponent_bits: usize) -> (i64, &str) {
    let first = text.chars().next().expect("bits");
    let run = text.chars().take(longest).take_while(|&bit| bit == first).count();
    let regime = if first == '1' { run as i64 - 1 } else { -(run as i64) };
    // The bit that ends the run, unless the run is the longest one or the code ends first.
    let skipped = if run < longest { run + 1 } else { run };
    let rest = text.get(skipped..).unwrap_or("");
    let (exponent, fraction) = rest.split_at(exponent_bits.min(rest.len()));
    ((regime << exponent_bits) + binary(&format!("{exponent:0<exponent_bits$}")) as i64, fraction)
}

/// The exponent and the fraction's bits of a takum, with the sums of its definition: the characteristic is `2^r - 1 + C` or
/// `-2^(r + 1) + 1 + C` (arXiv 2404.18603, definition 2).
fn after_characteristic(text: &str) -> (i64, &str) {
    let regime = binary(&text[1..4]) as usize;
    let is_high = text.starts_with('1');
    let r = if is_high { regime } else { 7 - regime };
    let (bits, fraction) = text[4..].split_at(r.min(text.len() - 4));
    let c = binary(&format!("{bits:0<r$}")) as i64;
    (if is_high { (1 << r) - 1 + c } else { -(1 << (r + 1)) + 1 + c }, fraction)
}

fn binary(digits: &str) -> u64 {
    if digits.is_empty() { 0 } else { u64::from_str_radix(digits, 2).expect("binary digits") }
}
