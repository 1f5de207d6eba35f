//! What sums are made of: codes and products of codes as magnitudes that are scaled by powers of two.

use super::Code;
use crate::units::{class::Class, unpack::unpack};
use binade_circuit::{Bits, Int, Optimize};

/// `magnitude / 2^fraction_bits * 2^exponent`, with a sign and a class. Subnormals are not normalised.
pub struct Number<'c> {
    pub name: String,
    /// Zeros have a magnitude of 0; that of infinities and NaN means nothing.
    pub class: Class<'c>,
    /// Exponent of the place above the fraction.
    pub exponent: Int<'c>,
    pub magnitude: Bits<'c>,
    pub fraction_bits: u32,
}

/// What the product of two codes is called: after the lane of both, or that of each.
fn product_name(a: &str, b: &str) -> String {
    let lane = |name: &str| name.rsplit_once('_').map(|(_, lane)| lane.to_string());
    match (lane(a), lane(b)) {
        (Some(a), Some(b)) if a == b => format!("product_{a}"),
        (Some(a), Some(b)) => format!("product_{a}_{b}"),
        (None, _) | (_, None) => "product".into(),
    }
}

impl<'c> Number<'c> {
    /// A code taken apart.
    pub fn of_code(code: &Code<'c>) -> Number<'c> {
        let x = unpack(code.format, code.bits, &code.name);
        Number {
            name: code.name.clone(),
            class: x.class,
            exponent: x.exponent,
            magnitude: x.significand,
            fraction_bits: x.significand.width() - 1,
        }
    }

    /// The exact product of two codes.
    pub fn of_product([a, b]: &[Code<'c>; 2]) -> Number<'c> {
        let name = product_name(&a.name, &b.name);
        let [a, b] = [a, b].map(|code| unpack(code.format, code.bits, &code.name));
        let circuit = a.significand.circuit();
        circuit.section(&format!("Multiply: {name}"));
        let magnitude = match a.significand.width().min(b.significand.width()) {
            0..=3 if circuit.optimize() == Optimize::Area => a.significand.mul(b.significand),
            _ => circuit.prefixed(&name, || a.significand.multiply(b.significand)),
        };
        let class = circuit.prefixed(&name, || Class::of_product(&a.class, &b.class));
        Number {
            class,
            exponent: a.exponent.add(b.exponent).named(format!("{name}_exponent")),
            magnitude: magnitude.named(&name),
            fraction_bits: a.significand.width() + b.significand.width() - 2,
            name,
        }
    }

    /// Exponent of the lowest place that a digit can have.
    pub fn lowest(&self) -> i64 {
        self.exponent.min() - i64::from(self.fraction_bits)
    }

    /// Exponent of the place above the highest that a digit can have.
    pub fn top(&self) -> i64 {
        self.exponent.max() + i64::from(self.integer_bits())
    }

    /// The bits above the fraction.
    pub fn integer_bits(&self) -> u32 {
        self.magnitude.width() - self.fraction_bits
    }
}
