//! Signs and classes of numbers, of their products and sums.

use binade_circuit::{Bits, concat};

/// Sign and class of a number. `is_nan` overrides `is_infinite`, which overrides `is_zero`, which overrides the
/// magnitude.
#[derive(Clone, Copy)]
pub struct Class<'c> {
    pub sign: Bits<'c>,
    pub is_zero: Bits<'c>,
    pub is_infinite: Bits<'c>,
    /// NaN, or NaR of a posit.
    pub is_nan: Bits<'c>,
    /// Whether the number comes from an invalid operation, or its use is an invalid operation (IEEE 754 section 7.2).
    pub is_invalid: Bits<'c>,
}

impl<'c> Class<'c> {
    /// The class of a product with this name.
    pub fn of_product(a: &Class<'c>, b: &Class<'c>, name: &str) -> Class<'c> {
        let infinity_times_zero = (a.is_infinite & b.is_zero) | (a.is_zero & b.is_infinite);
        let infinity_times_zero = infinity_times_zero.called(format!("{name}_is_infinity_times_zero"));
        Class {
            sign: (a.sign ^ b.sign).named(format!("{name}_sign")),
            is_zero: (a.is_zero | b.is_zero).named(format!("{name}_is_zero")),
            is_infinite: (a.is_infinite | b.is_infinite).named(format!("{name}_is_infinite")),
            is_nan: ((a.is_nan | b.is_nan).called("factor_is_nan") | infinity_times_zero)
                .named(format!("{name}_is_nan")),
            // A NaN may also be marked as zero.
            is_invalid: a.is_invalid | b.is_invalid | (infinity_times_zero & !a.is_nan & !b.is_nan),
        }
    }

    /// The class of a quotient, and whether it is a nonzero number divided by zero. Where zero has no sign, a quotient by zero is NaN.
    pub fn of_quotient(a: &Class<'c>, b: &Class<'c>, zero_has_sign: bool) -> (Class<'c>, Bits<'c>) {
        let no_quotient = ((a.is_zero & b.is_zero) | (a.is_infinite & b.is_infinite)).called("quotient_is_undefined");
        let is_by_zero = !(a.is_zero | a.is_infinite | a.is_nan) & b.is_zero & !b.is_nan;
        let by_zero_is_nan = if zero_has_sign { b.is_zero.circuit().zero() } else { b.is_zero };
        let class = Class {
            sign: (a.sign ^ b.sign).named("quotient_sign"),
            is_zero: (a.is_zero | b.is_infinite).named("quotient_is_zero"),
            is_infinite: (a.is_infinite | b.is_zero).named("quotient_is_infinite"),
            is_nan: (a.is_nan | b.is_nan | no_quotient | by_zero_is_nan).named("quotient_is_nan"),
            // A NaN may look like a zero beside its class.
            is_invalid: a.is_invalid | b.is_invalid | (no_quotient & !a.is_nan & !b.is_nan),
        };
        (class, is_by_zero)
    }

    /// The class of a square root or of its reciprocal, and whether that is 1 divided by zero. The root of -0 is -0.
    pub fn of_root(x: &Class<'c>, is_reciprocal: bool, zero_has_sign: bool) -> (Class<'c>, Bits<'c>) {
        let is_negative = (x.sign & !x.is_zero).named("radicand_is_negative");
        let by_zero_is_nan = if is_reciprocal && !zero_has_sign { x.is_zero } else { x.sign.circuit().zero() };
        let (is_zero, is_infinite) =
            if is_reciprocal { (x.is_infinite, x.is_zero) } else { (x.is_zero, x.is_infinite) };
        let class = Class {
            // That of a zero: other negative numbers have no root.
            sign: x.sign,
            is_zero,
            is_infinite,
            is_nan: (x.is_nan | is_negative | by_zero_is_nan).named("root_is_nan"),
            is_invalid: x.is_invalid | (is_negative & !x.is_nan),
        };
        (class, x.is_zero & !x.is_nan)
    }

    /// The class of a sum of any number of terms. The sum is zero if `is_zero`; else it has the sign `nonzero_sign` if it is
    /// finite. An exact zero from terms of
    /// different signs is negative if `minus_zero`.
    pub fn of_terms(minus_zero: Bits<'c>, terms: &[Class<'c>], nonzero_sign: Bits<'c>, is_zero: Bits<'c>) -> Class<'c> {
        let circuit = is_zero.circuit();
        circuit.section("Sign and class of the sum");
        let any = |bit: fn(&Class<'c>) -> Bits<'c>| concat(&terms.iter().map(bit).collect::<Vec<_>>()).any();
        let signs = concat(&terms.iter().map(|term| term.sign).collect::<Vec<_>>());
        let zero_sign =
            minus_zero.select(signs.any().called("any_is_negative"), signs.all().called("all_are_negative"));
        let above = any(|term| term.is_infinite & !term.sign).named("any_is_plus_infinity");
        let below = any(|term| term.is_infinite & term.sign).named("any_is_minus_infinity");
        let any_nan = any(|term| term.is_nan).named("any_is_nan");
        let opposite_infinities = (above & below).called("are_opposite_infinities");
        let is_infinite = (above | below).named("sum_is_infinite");
        let finite_sign = is_zero.select(zero_sign.called("zero_sign"), nonzero_sign).named("finite_sign");
        Class {
            sign: is_infinite.select(below, finite_sign).named("sum_sign"),
            is_zero,
            is_infinite,
            is_nan: (any_nan | opposite_infinities).named("sum_is_nan"),
            is_invalid: any(|term| term.is_invalid) | (opposite_infinities & !any_nan),
        }
    }

    /// Whether there are infinities of both signs among terms.
    pub fn has_both_infinities(terms: &[Class<'c>]) -> Bits<'c> {
        // A NaN may also be marked as infinite.
        let infinity = |term: &Class<'c>, sign: Bits<'c>| term.is_infinite & sign & !term.is_nan;
        let any = |bits: Vec<Bits<'c>>| concat(&bits).any();
        let above = any(terms.iter().map(|term| infinity(term, !term.sign)).collect());
        above & any(terms.iter().map(|term| infinity(term, term.sign)).collect())
    }

    /// The class of a sum. It is zero if `is_zero`; else it has the sign `nonzero_sign` if it is finite.
    /// An exact zero from terms of different signs is negative if `minus_zero`.
    pub fn of_sum(
        minus_zero: Bits<'c>,
        x: &Class<'c>,
        y: &Class<'c>,
        nonzero_sign: Bits<'c>,
        is_zero: Bits<'c>,
    ) -> Class<'c> {
        x.sign.circuit().section("Sign and class of the sum");
        // An exact zero is negative only if both terms are, or toward -infinity if one is.
        let both_are_negative = (x.sign & y.sign).called("both_terms_are_negative");
        let zero_sign = minus_zero.select(x.sign | y.sign, both_are_negative);
        let sign = is_zero.select(zero_sign, nonzero_sign).named("finite_sign");
        let opposite_infinities = (x.is_infinite & y.is_infinite & (x.sign ^ y.sign)).called("are_opposite_infinities");
        let infinity_sign = x.is_infinite.select(x.sign, y.sign).called("infinity_sign");
        let is_infinite = (x.is_infinite | y.is_infinite).named("sum_is_infinite");
        Class {
            sign: is_infinite.select(infinity_sign, sign).named("sum_sign"),
            is_zero,
            is_infinite,
            is_nan: (x.is_nan | y.is_nan | opposite_infinities).named("sum_is_nan"),
            is_invalid: x.is_invalid | y.is_invalid | (opposite_infinities & !x.is_nan & !y.is_nan),
        }
    }
}
