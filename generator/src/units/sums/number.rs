//! The terms of sums: codes and products of codes, as digits that are scaled by powers of two.

use super::code::Code;
use crate::units::{
    class::Class,
    unpack::{Unpacked, unpack},
};
use binade_circuit::{Bits, Int, Optimize, Part};
use binade_spec::{Fixed, Format, Sign};

/// `digits / 2^fraction_bits * 2^exponent`, or the negative of that, with a class. Subnormals are not normalized.
pub struct Number<'c> {
    pub name: String,
    /// The digits of zeros are 0; those of infinities and NaN are meaningless.
    pub class: Class<'c>,
    /// Exponent of the place just above the fraction.
    pub exponent: Int<'c>,
    /// In two's complement: a magnitude with a 0 above it, or for fixed-point codes the signed number itself.
    pub digits: Bits<'c>,
    /// Whether the digits must be negated: the sign of a magnitude.
    pub negate: Bits<'c>,
    pub fraction_bits: u32,
    /// Whether the digits may be the lowest number of their width, like a code in two's complement: its magnitude occupies the place of the
    /// sign.
    pub may_be_lowest: bool,
}

const DECODE: Part = Part::shared("decode", "Unpacks a code.");

const MULTIPLY: Part = Part::repeated("multiply", "The exact product of two codes.");

/// Unpacks a code, as a part of the unit.
pub fn decoded<'c>(code: &Code<'c>) -> Unpacked<'c> {
    code.bits.circuit().part(DECODE, &code.name, || unpack(code.format, code.bits, &code.name))
}

/// The name of the product of two codes: after the lane of both, or the lane of each.
fn product_name(a: &str, b: &str) -> String {
    let lane = |name: &str| name.rsplit_once('_').map(|(_, lane)| lane.to_string());
    match (lane(a), lane(b)) {
        (Some(a), Some(b)) if a == b => format!("product_{a}"),
        (Some(a), Some(b)) => format!("product_{a}_{b}"),
        (None, _) | (_, None) => "product".into(),
    }
}

impl<'c> Number<'c> {
    /// An unpacked code.
    pub fn of_code(code: &Code<'c>) -> Number<'c> {
        let x = decoded(code);
        let (digits, negate) = match code.format {
            Format::Fixed(fixed) => (signed_code(&fixed, code.bits), x.class.sign.circuit().zero()),
            Format::Float(_) | Format::Posit(_) | Format::Codebook(_) => {
                (x.significand.zext(x.significand.width() + 1), x.class.sign)
            }
        };
        Number {
            name: code.name.clone(),
            class: x.class,
            exponent: x.exponent,
            digits,
            negate,
            fraction_bits: x.significand.width() - 1,
            may_be_lowest: code.format.fixed().is_some_and(|fixed| fixed.sign == Sign::Signed),
        }
    }

    /// The number, negated if `negate`.
    pub fn negated_if(self, negate: Bits<'c>) -> Number<'c> {
        let name = |what: &str| format!("{}_{what}", self.name);
        let class = Class { sign: (self.class.sign ^ negate).named(name("sign_in_sum")), ..self.class };
        Number { negate: (self.negate ^ negate).named(name("negated")), class, ..self }
    }

    /// The exact product of two codes.
    pub fn of_product(factors: &[Code<'c>; 2]) -> Number<'c> {
        let zero = factors[0].bits.circuit().zero();
        Number::of_signed_product(factors, zero)
    }

    /// The same, negated if `negate`.
    pub fn of_signed_product(factors: &[Code<'c>; 2], negate: Bits<'c>) -> Number<'c> {
        let name = product_name(&factors[0].name, &factors[1].name);
        let which = name.split_once('_').map_or("", |(_, lane)| lane);
        let multiplied = || Number::multiplied(factors, name.clone());
        negate.circuit().part(MULTIPLY, which, || match negate.known() {
            Some(0) => multiplied(),
            _ => multiplied().negated_if(negate),
        })
    }

    fn multiplied([a, b]: &[Code<'c>; 2], name: String) -> Number<'c> {
        let codes = [a, b];
        let [a, b] = codes.map(decoded);
        let circuit = a.significand.circuit();
        match codes.iter().find(|code| code.bits.known().is_none()) {
            Some(other) if codes.iter().any(|code| code.bits.known().is_some()) => {
                circuit.section(&format!("Scale {} by a power of two", other.name));
            }
            _ => circuit.section(&format!("Multiply: {name}")),
        }
        let class = Class::of_product(&a.class, &b.class, &name);
        let (digits, negate) = match codes.map(|code| code.format) {
            [Format::Fixed(a), Format::Fixed(b)] => {
                let factors = [signed_code(&a, codes[0].bits), signed_code(&b, codes[1].bits)];
                (circuit.prefixed(&name, || signed_product(factors)).named(&name), circuit.zero())
            }
            _ => {
                let magnitude = match a.significand.width().min(b.significand.width()) {
                    0..=3 if circuit.optimize() == Optimize::Area => a.significand.mul(b.significand),
                    _ => circuit.prefixed(&name, || a.significand.multiply(b.significand)),
                };
                (magnitude.named(&name).zext(magnitude.width() + 1), class.sign)
            }
        };
        Number {
            class,
            exponent: a.exponent.add(b.exponent).named(format!("{name}_exponent")),
            digits,
            negate,
            fraction_bits: a.significand.width() + b.significand.width() - 2,
            may_be_lowest: false,
            name,
        }
    }

    /// The digits without their sign.
    pub fn magnitude(&self) -> Bits<'c> {
        self.digits.low(self.digits.width() - 1)
    }

    /// Exponent of the lowest place in which a digit can be.
    pub fn lowest(&self) -> i64 {
        self.exponent.min() - i64::from(self.fraction_bits)
    }

    /// Exponent of the place above the highest in which a digit can be.
    pub fn top(&self) -> i64 {
        self.exponent.max() + i64::from(self.integer_bits())
    }

    /// The bits above the fraction.
    pub fn integer_bits(&self) -> u32 {
        self.digits.width() - 1 - self.fraction_bits
    }
}

/// A fixed-point code as a number in two's complement.
fn signed_code<'c>(format: &Fixed, code: Bits<'c>) -> Bits<'c> {
    match format.sign {
        Sign::Signed => code,
        Sign::Unsigned => code.zext(code.width() + 1),
    }
}

/// The product of numbers in two's complement. A factor whose sign is a constant 0 is unsigned.
fn signed_product<'c>([a, b]: [Bits<'c>; 2]) -> Bits<'c> {
    let unsigned = |factor: Bits<'c>| (factor.msb().known() == Some(0)).then(|| factor.low(factor.width() - 1));
    match (unsigned(a), unsigned(b)) {
        (Some(a), Some(b)) => {
            let product = a.multiply(b);
            product.zext(product.width() + 1)
        }
        _ => a.multiply_signed(b),
    }
}
