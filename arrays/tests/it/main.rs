//! Arrays against the golden model, in one program: it links once.

mod arithmetic;
mod conversions;
mod every_number;
mod matrices;
mod running_sums;

use binade_golden::Model;
use binade_spec::{Format, Operation, Overflow, PositRange, Rounding, Selection, Unit};

fn format(name: &str) -> Format {
    name.parse().unwrap()
}

/// All ways to round to a format deterministically, of `selection`.
fn ways(selection: Selection) -> Vec<Operation> {
    let mut all = vec![];
    for rounding in Rounding::NAMED.into_iter().filter(|&rounding| rounding != Rounding::Any) {
        for overflow in Overflow::ALL {
            for posit_range in PositRange::ALL {
                let rounding = Some(rounding);
                // A format has no use for some of them.
                all.extend(Selection { rounding, overflow, posit_range, ..selection }.operation());
            }
        }
    }
    all
}

/// The operation that words choose, as in `e5m2 saturate rtz`: a format, policies, a rounding.
fn encode(words: &str) -> Operation {
    let mut words = words.split(' ');
    let mut selection = Selection::new(Unit::Encode, format(words.next().unwrap()));
    for word in words {
        if let Ok(rounding) = word.parse() {
            selection.rounding = Some(rounding);
        } else if let Ok(overflow) = word.parse() {
            selection.overflow = overflow;
        } else {
            selection.posit_range = word.parse().unwrap();
        }
    }
    selection.operation().unwrap()
}

/// What the golden model gives for one code.
fn golden(model: &Model, code: u64) -> u64 {
    model.first_result(&[code.into()]) as u64
}
