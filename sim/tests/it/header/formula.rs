//! The formulas of headers, such as `a * b + c`, read and evaluated.

use super::number::Number;

/// The value of a name, and whether a zero there has a sign.
pub type Named<'a> = &'a dyn Fn(&str) -> Option<(Number, bool)>;

/// The value of a formula of sums, products, quotients and roots; none for others, and with rounded steps, which are in parentheses.
pub fn value(text: &str, named: Named, is_down: bool) -> Option<Number> {
    let mut reader = Reader { rest: text, named, is_down, zero_has_sign: true };
    let value = reader.sum()?;
    reader.rest.trim().is_empty().then_some(value)
}

/// A function of one number, with its name in formulas.
type NamedFunction = (&'static str, fn(Number) -> Option<Number>);

/// Functions where their values are known: at zeros and infinities, far from zero, and outside their domain.
const FUNCTIONS: [NamedFunction; 3] = [("exp(", exponential), ("log(", logarithm), ("log1p(", logarithm_of_next)];

/// Beyond all formats, and below them.
const FAR: i32 = 2_000;

fn exponential(x: Number) -> Option<Number> {
    let (Number::Ratio(far), negative) = (Number::power_of_two(20), x.is_negative()) else { return None };
    match x {
        Number::Nan => Some(Number::Nan),
        Number::Infinite { negative: false } => Some(x),
        Number::Infinite { negative: true } => Some(Number::Zero { negative: false }),
        Number::Zero { .. } => Some(Number::power_of_two(0)),
        Number::Ratio(ratio) if ratio.compare(&far).is_lt() => None,
        Number::Ratio(_) => Some(Number::power_of_two(if negative { -FAR } else { FAR })),
    }
}

fn logarithm(x: Number) -> Option<Number> {
    match x {
        Number::Zero { .. } => Some(Number::Infinite { negative: true }),
        Number::Nan | Number::Infinite { negative: false } => Some(x),
        Number::Infinite { negative: true } => Some(Number::Nan),
        Number::Ratio(ratio) if ratio.negative => Some(Number::Nan),
        Number::Ratio(_) => None,
    }
}

fn logarithm_of_next(x: Number) -> Option<Number> {
    match x {
        Number::Zero { .. } | Number::Nan | Number::Infinite { negative: false } => Some(x),
        Number::Infinite { negative: true } => Some(Number::Nan),
        Number::Ratio(_) => None,
    }
}

struct Reader<'a> {
    rest: &'a str,
    named: Named<'a>,
    is_down: bool,
    /// Whether a zero of the last name has a sign.
    zero_has_sign: bool,
}

impl Reader<'_> {
    fn takes(&mut self, word: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<Number> {
        let mut terms = vec![self.product()?];
        loop {
            terms.push(if self.takes("+ ") {
                self.product()?
            } else if self.takes("- ") {
                self.product()?.negated()
            } else {
                break;
            });
        }
        Some(if terms.len() == 1 { terms.remove(0) } else { Number::sum(&terms, self.is_down) })
    }

    fn product(&mut self) -> Option<Number> {
        let mut value = self.factor()?;
        loop {
            value = if self.takes("* ") {
                value.product(&self.factor()?)
            } else if self.takes("/ ") {
                let divisor = self.factor()?;
                value.quotient(&divisor, self.zero_has_sign)
            } else {
                return Some(value);
            };
        }
    }

    fn factor(&mut self) -> Option<Number> {
        if self.takes("-") {
            return self.factor().map(Number::negated);
        }
        if self.takes("sqrt(") {
            let root = self.sum()?.root();
            return self.takes(")").then_some(root);
        }
        for (word, of) in FUNCTIONS {
            if self.takes(word) {
                let value = of(self.sum()?);
                return if self.takes(")") { value } else { None };
            }
        }
        let rest = self.rest.trim_start();
        let end = rest.find(|sign: char| !(sign.is_alphanumeric() || "_[]^".contains(sign))).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        self.rest = rest;
        let (number, has_sign) = match name {
            "0" => (Number::Zero { negative: false }, true),
            "1" => (Number::power_of_two(0), true),
            _ => (self.named)(name)?,
        };
        self.zero_has_sign = has_sign;
        Some(number)
    }
}
