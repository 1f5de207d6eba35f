//! Every input of every unit, for formats small enough to enumerate, on the interpreter against the golden model.

mod common;

use binade_golden::{Overflow, Unit};
use common::{all_vectors, check, operation};
use rayon::prelude::*;

#[test]
fn mul_and_add_of_small_formats() {
    let formats = ["e3m2", "e3m2n", "e3m2ns", "e3m2fn", "e3m2f", "e3m2b1", "e3m2b2u1", "k6p3se"];
    formats.par_iter().for_each(|format| {
        for unit in [Unit::Mul, Unit::Add] {
            for overflow in Overflow::ALL {
                let operation = operation(unit, format, None, overflow);
                check(&operation, all_vectors(&operation));
            }
        }
    });
}
