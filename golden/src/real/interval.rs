//! Intervals of real numbers, in any precision. Their ends come from correctly rounded results that are moved outwards by
//! more than the last place.

use astro_float_num::{BigFloat, Consts, RoundingMode};

/// The results of `astro-float-num` err by at most one unit of the last place. Ends are moved by `2^SPARE_BITS` of them.
const SPARE_BITS: usize = 4;

const NEAREST: RoundingMode = RoundingMode::ToEven;

/// The precision of intervals, and the constants that functions need.
pub struct Precision {
    /// Bits of results.
    pub bits: usize,
    constants: Consts,
}

/// All numbers from `low` to `high`.
#[derive(Clone, Debug)]
pub struct Interval {
    pub low: BigFloat,
    pub high: BigFloat,
}

impl Interval {
    /// The smallest interval that includes both.
    pub fn union(self, other: Interval) -> Interval {
        let is_lower = |x: &BigFloat, y: &BigFloat| x.cmp(y).is_some_and(|order| order < 0);
        Interval {
            low: if is_lower(&other.low, &self.low) { other.low } else { self.low },
            high: if is_lower(&self.high, &other.high) { other.high } else { self.high },
        }
    }
}

impl Precision {
    /// Results with about this many correct bits.
    pub fn new(bits: usize) -> Precision {
        Precision { bits, constants: Consts::new().expect("memory for constants") }
    }

    /// `n * 2^k`, exactly.
    pub fn exact(&self, n: u128, k: i32) -> Interval {
        let mut number = BigFloat::from_u128(n, self.bits);
        if let Some(exponent) = number.exponent() {
            number.set_exponent(exponent + k);
        }
        Interval { low: number.clone(), high: number }
    }

    fn with_ends(&mut self, low: BigFloat, high: BigFloat) -> Interval {
        let (low, high) = (self.moved(low, true), self.moved(high, false));
        assert!(!low.is_nan() && !high.is_nan(), "an end of an interval is a number");
        Interval { low, high }
    }

    /// A result, moved beyond its error.
    fn moved(&self, result: BigFloat, down: bool) -> BigFloat {
        let Some(exponent) = result.exponent().filter(|_| !result.is_zero()) else { return result };
        let mut error = BigFloat::from_word(1, self.bits);
        error.set_exponent(exponent - (self.bits - SPARE_BITS) as i32);
        if down { result.sub(&error, self.bits, NEAREST) } else { result.add(&error, self.bits, NEAREST) }
    }

    /// The values of a function that increases on the interval.
    fn increasing(&mut self, x: &Interval, function: impl Fn(&BigFloat, usize, &mut Consts) -> BigFloat) -> Interval {
        let low = function(&x.low, self.bits, &mut self.constants);
        let high = function(&x.high, self.bits, &mut self.constants);
        self.with_ends(low, high)
    }

    /// `e^x`.
    pub fn exp(&mut self, x: &Interval) -> Interval {
        self.increasing(x, |x, bits, constants| x.exp(bits, NEAREST, constants))
    }

    /// The natural logarithm of 2.
    pub fn log_2(&mut self) -> Interval {
        let log = self.constants.ln_2(self.bits, NEAREST);
        self.with_ends(log.clone(), log)
    }

    /// The natural logarithm of a positive number.
    pub fn log(&mut self, x: &Interval) -> Interval {
        self.increasing(x, |x, bits, constants| x.ln(bits, NEAREST, constants))
    }

    /// The logarithm to base 2 of a positive number.
    pub fn log2(&mut self, x: &Interval) -> Interval {
        self.increasing(x, |x, bits, constants| x.log2(bits, NEAREST, constants))
    }

    /// The hyperbolic tangent.
    pub fn tanh(&mut self, x: &Interval) -> Interval {
        self.increasing(x, |x, bits, constants| x.tanh(bits, NEAREST, constants))
    }

    /// The square root.
    pub fn sqrt(&mut self, x: &Interval) -> Interval {
        self.increasing(x, |x, bits, _| x.sqrt(bits, NEAREST))
    }

    /// The sine of a single number.
    pub fn sin(&mut self, x: &Interval) -> Interval {
        let sine = x.low.sin(self.bits, NEAREST, &mut self.constants);
        self.with_ends(sine.clone(), sine)
    }

    /// The cosine of a single number.
    pub fn cos(&mut self, x: &Interval) -> Interval {
        let cosine = x.low.cos(self.bits, NEAREST, &mut self.constants);
        self.with_ends(cosine.clone(), cosine)
    }

    /// Pi.
    pub fn pi(&mut self) -> Interval {
        let pi = self.constants.pi(self.bits, NEAREST);
        self.with_ends(pi.clone(), pi)
    }

    /// The sum.
    pub fn add(&mut self, x: &Interval, y: &Interval) -> Interval {
        let [low, high] = [x.low.add(&y.low, self.bits, NEAREST), x.high.add(&y.high, self.bits, NEAREST)];
        self.with_ends(low, high)
    }

    /// The negated numbers.
    pub fn negated(&self, x: &Interval) -> Interval {
        Interval { low: x.high.neg(), high: x.low.neg() }
    }

    /// The product of positive numbers.
    pub fn times(&mut self, x: &Interval, y: &Interval) -> Interval {
        let [low, high] = [x.low.mul(&y.low, self.bits, NEAREST), x.high.mul(&y.high, self.bits, NEAREST)];
        self.with_ends(low, high)
    }

    /// The quotient of positive numbers.
    pub fn over(&mut self, x: &Interval, y: &Interval) -> Interval {
        let [low, high] = [x.low.div(&y.high, self.bits, NEAREST), x.high.div(&y.low, self.bits, NEAREST)];
        self.with_ends(low, high)
    }

    /// Whether a positive term is below the last places of a sum.
    pub fn is_negligible(&self, term: &Interval, sum: &Interval) -> bool {
        match (term.high.exponent(), sum.low.exponent()) {
            (Some(term), Some(sum)) => term < sum - self.bits as i32,
            _ => true,
        }
    }

    /// The numbers times a power of two.
    pub fn scaled(&self, x: &Interval, binades: i32) -> Interval {
        let scaled = |number: &BigFloat| {
            let mut number = number.clone();
            if let Some(exponent) = number.exponent() {
                number.set_exponent(exponent + binades);
            }
            number
        };
        Interval { low: scaled(&x.low), high: scaled(&x.high) }
    }
}
