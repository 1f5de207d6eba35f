//! Quotients and roots.

use super::Builder;
use crate::number::{Division, Number, Quotient, quotient, reciprocal, root, times};
use binade_spec::{Format, TermId};

impl Builder<'_> {
    /// The quotient of two codes: by a scale, which is a power of two, a product with its reciprocal.
    pub(super) fn quotient(&mut self, x: TermId, y: TermId) -> Number {
        let [of_x, of_y] = [x, y].map(|id| self.of(id).number.clone());
        if self.formula.format(y, &self.ports) == Some(Format::e8m0()) {
            let inverse = reciprocal(&mut self.graph, &of_y);
            return times(&mut self.graph, self.multiplier, &of_x, &inverse);
        }
        let division = self.division(y);
        let quotient = quotient(&mut self.graph, &of_x, &of_y, division);
        self.divided(quotient)
    }

    /// The root of a code, or its reciprocal.
    pub(super) fn root(&mut self, of: TermId, is_reciprocal: bool) -> Number {
        let (number, division) = (self.of(of).number.clone(), self.division(of));
        let root = root(&mut self.graph, &number, is_reciprocal, division);
        self.divided(root)
    }

    fn divided(&mut self, Quotient { number, is_by_zero }: Quotient) -> Number {
        self.by_zero.push(is_by_zero);
        number
    }

    /// How to divide by a code.
    fn division(&self, divisor: TermId) -> Division {
        let format = self.formula.format(divisor, &self.ports).expect("a divisor is a code");
        let target = self.operation.target();
        // A tiny result is also rounded one place further down, for the underflow flag.
        let below = target.rounding.tail_bits() + u32::from(target.flags.is_some());
        let digits = (target.format.precision() + below) as usize;
        Division { digits, zero_has_sign: format.has_minus_zero() }
    }
}
