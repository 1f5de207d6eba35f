//! Adder: `y = a + b`.
//!
//! | file | sums of floats |
//! |---|---|
//! | `add/by_exponent.rs` | ordered by exponent, for long significands rounded to nearest, optimized for area |
//! | `add/float.rs` | ordered by magnitude, for all others |

mod by_exponent;
mod float;

use crate::units::{
    assemble::Origin,
    coded::Coded,
    posit,
    result::encode_float,
    sums::fixed_point_sum,
    target::{FamilyTarget, Target},
};
use binade_circuit::Bits;
use float::sum_of_codes;

pub fn add<'c>(target: &Target, [a, b]: [Bits<'c>; 2], random: Option<Bits<'c>>) -> Coded<'c> {
    add_codes(target, [("a", a), ("b", b)], random)
}

/// The sum of two codes of the result format; the signals are named after the operands.
pub fn add_codes<'c>(target: &Target, [x, y]: [(&'static str, Bits<'c>); 2], random: Option<Bits<'c>>) -> Coded<'c> {
    match FamilyTarget::from(target) {
        FamilyTarget::Float(target) => {
            let sum = match by_exponent::is_better(&target, x.1.circuit().optimize()) {
                true => by_exponent::sum_of_codes(&target, x, y),
                false => sum_of_codes(&target, x, y, random),
            };
            encode_float(&target, Origin::Sum, &sum, random)
        }
        FamilyTarget::Fixed(_) | FamilyTarget::Codebook(_) => {
            let codes = [x, y].map(|(name, code)| (target.format, name, code));
            fixed_point_sum(target, None, &codes, random)
        }
        FamilyTarget::Posit(target) => Coded { code: posit::add(&target, [x, y], random), flags: None },
    }
}
