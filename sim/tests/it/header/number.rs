//! Numbers as the formulas of headers have them, exact, with the zeros, infinities and NaN of IEEE 754-2019.

use binade_golden::{Exact, Value};
use binade_spec::Word;
use std::cmp::Ordering;

/// A number, exactly.
#[derive(Clone, Debug)]
pub enum Number {
    Nan,
    Infinite { negative: bool },
    Zero { negative: bool },
    Ratio(Ratio),
}

/// `over / under`, or its square root, with a sign; it is not 0.
#[derive(Clone, Debug)]
pub struct Ratio {
    pub negative: bool,
    over: Word,
    under: Word,
    is_root: bool,
}

impl From<Value> for Number {
    fn from(value: Value) -> Number {
        match value {
            Value::Nan => Number::Nan,
            Value::Infinite { negative } => Number::Infinite { negative },
            Value::Zero { negative } => Number::Zero { negative },
            Value::Finite(Exact { negative, n, k }) => {
                let [over, under] = [k.max(0), (-k).max(0)].map(|places| Word::from(1_u32) << places as u32);
                Number::Ratio(Ratio { negative, over: over * n, under, is_root: false })
            }
        }
    }
}

impl Ratio {
    /// Numerator and denominator of the magnitude; of its square, if that is wanted.
    fn as_root(&self, is_wanted: bool) -> (Word, Word) {
        match is_wanted && !self.is_root {
            true => (&self.over * &self.over, &self.under * &self.under),
            false => (self.over.clone(), self.under.clone()),
        }
    }

    /// How its magnitude compares with another one.
    pub fn compare(&self, other: &Ratio) -> Ordering {
        let is_root = self.is_root || other.is_root;
        let [(a, b), (c, d)] = [self, other].map(|of| of.as_root(is_root));
        (a * d).cmp(&(c * b))
    }

    /// The number times a power of two.
    pub fn times(&self, exponent: i32) -> Ratio {
        let exponent = if self.is_root { 2 * exponent } else { exponent };
        let [up, down] = [exponent.max(0), (-exponent).max(0)];
        Ratio { over: &self.over << up as u32, under: &self.under << down as u32, ..self.clone() }
    }
}

impl Number {
    pub fn power_of_two(exponent: i32) -> Number {
        Value::Finite(Exact { negative: false, n: 1, k: exponent }).into()
    }

    pub fn is_negative(&self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } | Number::Zero { negative } => *negative,
            Number::Ratio(ratio) => ratio.negative,
        }
    }

    pub fn negated(self) -> Number {
        match self {
            Number::Nan => Number::Nan,
            Number::Infinite { negative } => Number::Infinite { negative: !negative },
            Number::Zero { negative } => Number::Zero { negative: !negative },
            Number::Ratio(ratio) => Number::Ratio(Ratio { negative: !ratio.negative, ..ratio }),
        }
    }

    pub fn product(&self, other: &Number) -> Number {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
            (Number::Infinite { .. }, Number::Zero { .. }) | (Number::Zero { .. }, Number::Infinite { .. }) => {
                Number::Nan
            }
            (Number::Infinite { .. }, _) | (_, Number::Infinite { .. }) => Number::Infinite { negative },
            (Number::Zero { .. }, _) | (_, Number::Zero { .. }) => Number::Zero { negative },
            (Number::Ratio(x), Number::Ratio(y)) => {
                let is_root = x.is_root || y.is_root;
                let [(a, b), (c, d)] = [x, y].map(|of| of.as_root(is_root));
                Number::Ratio(Ratio { negative, over: a * c, under: b * d, is_root })
            }
        }
    }

    /// One over the number; a zero without a sign has none.
    pub fn reciprocal(self, zero_has_sign: bool) -> Number {
        match self {
            Number::Nan => Number::Nan,
            Number::Infinite { negative } => Number::Zero { negative },
            Number::Zero { negative } if zero_has_sign => Number::Infinite { negative },
            Number::Zero { .. } => Number::Nan,
            Number::Ratio(ratio) => {
                Number::Ratio(Ratio { over: ratio.under.clone(), under: ratio.over.clone(), ..ratio })
            }
        }
    }

    /// `self / divisor`.
    pub fn quotient(&self, divisor: &Number, zero_has_sign: bool) -> Number {
        let negative = self.is_negative() != divisor.is_negative();
        match (self, divisor) {
            (Number::Zero { .. }, Number::Zero { .. }) | (Number::Infinite { .. }, Number::Infinite { .. }) => {
                Number::Nan
            }
            (Number::Infinite { .. }, Number::Zero { .. }) if zero_has_sign => Number::Infinite { negative },
            _ => self.product(&divisor.clone().reciprocal(zero_has_sign)),
        }
    }

    /// The square root; that of -0 is -0.
    pub fn root(self) -> Number {
        match self {
            Number::Zero { .. } | Number::Infinite { negative: false } | Number::Nan => self,
            Number::Infinite { negative: true } => Number::Nan,
            Number::Ratio(ratio) if ratio.negative => Number::Nan,
            Number::Ratio(ratio) => Number::Ratio(Ratio { is_root: true, ..ratio }),
        }
    }

    /// The exact sum; one that cancels is +0, rounded down -0.
    pub fn sum(terms: &[Number], is_down: bool) -> Number {
        let infinity =
            |wanted| terms.iter().any(|term| matches!(term, Number::Infinite { negative } if *negative == wanted));
        let is_nan = terms.iter().any(|term| matches!(term, Number::Nan));
        match [infinity(false), infinity(true)] {
            [true, true] => return Number::Nan,
            _ if is_nan => return Number::Nan,
            [false, false] => {}
            [_, negative] => return Number::Infinite { negative },
        }
        let ratios: Vec<&Ratio> =
            terms.iter().filter_map(|term| if let Number::Ratio(ratio) = term { Some(ratio) } else { None }).collect();
        if let [only] = ratios.as_slice() {
            return Number::Ratio((*only).clone());
        }
        let under = ratios.iter().fold(Word::from(1_u32), |under, ratio| under * &ratio.under);
        let part = |negative| {
            let of_sign = ratios.iter().filter(|ratio| ratio.negative == negative);
            of_sign.fold(Word::ZERO, |sum, ratio| sum + &ratio.over * (&under / &ratio.under))
        };
        let [above, below] = [false, true].map(part);
        let negative = below > above;
        let over = if negative { &below - &above } else { &above - &below };
        let signs: Vec<bool> = terms.iter().map(Number::is_negative).collect();
        match over == Word::ZERO {
            true if ratios.is_empty() && signs.iter().all(|sign| *sign == signs[0]) => {
                Number::Zero { negative: signs[0] }
            }
            true => Number::Zero { negative: is_down },
            false => Number::Ratio(Ratio { negative, over, under, is_root: false }),
        }
    }
}
