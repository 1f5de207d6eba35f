//! What an operation rounds: its exact result, for people who look into a wrong one.

use crate::arithmetic::Random;
use crate::{Exact, Model, Value};
use binade_spec::{Rounding, Unit};
use std::fmt;

/// An exact result before its last rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrounded {
    Value(Value),
    /// The sum of two terms that lie too far apart for one integer of 128 bits.
    Sum(Exact, Exact),
}

impl fmt::Display for Unrounded {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unrounded::Value(value) => value.fmt(f),
            Unrounded::Sum(x, y) if y.negative => write!(f, "{x} - {}", Exact { negative: false, ..*y }),
            Unrounded::Sum(x, y) => write!(f, "{x} + {y}"),
        }
    }
}

impl Model {
    /// The exact result that is rounded to port `output` for these codes and words of the inputs; none for outputs that no
    /// rounding makes (those of `posit-decoder`).
    pub fn unrounded(&self, inputs: &[u64], output: &str) -> Option<Unrounded> {
        let operands = if self.random_bits() > 0 { &inputs[..inputs.len() - 1] } else { inputs };
        let value = match (self.unit, operands) {
            (Unit::PositDecoder, _) => return None,
            (Unit::PositEncoder, words) => self.value_of_parts(words),
            _ if self.output.is_some() && output == "out" => self.activated(inputs),
            (Unit::Mul, &[a, b]) => Value::product(self.operand.decode(a.into()), self.operand.decode(b.into())),
            (Unit::Add, &[a, b]) => {
                return Some(self.exact_sum(self.operand.decode(a.into()), self.operand.decode(b.into())));
            }
            (Unit::Fmac | Unit::Mac, &[a, b, c]) => {
                let product = Value::product(self.operand.decode(a.into()), self.operand.decode(b.into()));
                return Some(self.exact_sum(self.addend(product, inputs), self.result.decode(c.into())));
            }
            (_, operands) => self.operand.decode(operands[0].into()),
        };
        Some(Unrounded::Value(value))
    }

    /// The accumulator that is converted to the output format.
    fn activated(&self, inputs: &[u64]) -> Value {
        let y = self.result.decode(self.unpacked(self.evaluate(inputs))[0].into());
        let is_cleared = self.output.is_some_and(|output| output.relu) && y.is_negative();
        if is_cleared { Value::Zero { negative: false } } else { y }
    }

    /// The product as it is added: rounded, in a `mac`, with the first bits of the random word.
    fn addend(&self, product: Value, inputs: &[u64]) -> Value {
        if self.unit != Unit::Mac {
            return product;
        }
        let mut random = Random(if self.random_bits() > 0 { inputs[inputs.len() - 1] } else { 0 });
        self.result.decode(self.round(product, &mut random).code)
    }

    fn exact_sum(&self, x: Value, y: Value) -> Unrounded {
        use Value::*;
        let value = match (x, y) {
            (Finite(x), Finite(y)) => return self.finite_exact_sum(x, y),
            (Infinite { negative: s }, Infinite { negative: t }) if s != t => Nan,
            (Nan, _) | (_, Nan) => Nan,
            (inf @ Infinite { .. }, _) | (_, inf @ Infinite { .. }) => inf,
            (Zero { negative: s }, Zero { negative: t }) => Zero { negative: s && t || self.cancels_to_minus(s || t) },
            (Zero { .. }, finite) | (finite, Zero { .. }) => finite,
        };
        Unrounded::Value(value)
    }

    /// Whether zeros of unlike sign (or numbers that cancel) are -0.
    fn cancels_to_minus(&self, any_negative: bool) -> bool {
        any_negative && self.rounding == Rounding::Rdn
    }

    fn finite_exact_sum(&self, x: Exact, y: Exact) -> Unrounded {
        let k = x.k.min(y.k);
        let term = |exact: Exact| {
            let shift = (exact.k - k) as u32;
            // Two bits to spare: one for the sign, one for the carry.
            let fits = exact.n.ilog2() + shift + 3 <= i128::BITS;
            fits.then(|| if exact.negative { -((exact.n << shift) as i128) } else { (exact.n << shift) as i128 })
        };
        let (Some(a), Some(b)) = (term(x), term(y)) else { return Unrounded::Sum(x, y) };
        let sum = a + b;
        Unrounded::Value(match sum {
            0 => Value::Zero { negative: self.cancels_to_minus(true) },
            _ => Value::Finite(Exact { negative: sum < 0, n: sum.unsigned_abs(), k }),
        })
    }
}
