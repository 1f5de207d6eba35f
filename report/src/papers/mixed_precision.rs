//! Zhang, "Mixed Precision Training", slides of CS 498 (2025).

use super::{Claim, Ends, exponent, format, number, section, table};
use crate::Section;
use binade_golden::{Codec, Model, Value};
use binade_spec::{Column, ColumnMut, Selection, Unit};

/// Steps after which the scale doubles, according to the slides.
const GOOD_STEPS: usize = 2000;

/// The numbers on the slides.
pub fn slides() -> Section {
    let binary16 = Ends::of(&format("binary16"));
    let binades = exponent(binary16.largest) - exponent(binary16.smallest) + 1;
    let value = match format("binary32").decode(0x40d0_0000) {
        Value::Finite(exact) => number(exact),
        other => unreachable!("a finite code, not {other}"),
    };
    let claims = vec![
        Claim::exactly("powers of two in binary16", "40", binades),
        Claim::about("0 10000001 1010.. in binary32", "6.5", value),
    ];
    let [start, halved, doubled] = scales();
    let scaling = vec![
        Claim::exactly("exponent of the scale at the start", "24", start),
        Claim::exactly("after an overflow", "23", halved),
        Claim::exactly(format!("after {GOOD_STEPS} steps without one"), "24", doubled),
    ];
    section(
        "Zhang: Mixed precision training (CS 498)",
        &[
            "Loss scaling as on the slides (starting at 2^24, halved at each overflow, doubled after 2000 steps without one) is the unit \
             loss-scaler: binade gen --format binary16 --unit loss-scaler. Here its operand was an infinity in the first step, and 1 in \
             all others.",
        ],
        vec![table("Numbers on the slides", claims), table("Loss scaling", scaling)],
    )
}

/// The exponents of the scale before a step whose gradient overflows, after it, and after many steps without overflow.
fn scales() -> [i64; 3] {
    let selection = Selection::new(Unit::LossScaler, format("binary16"));
    let model = Model::new(&selection.operation().expect("a unit of the page"));
    let [infinity, one] = [0x7c00, 0x3c00];
    let mut gradients = vec![one; GOOD_STEPS + 2];
    gradients[0] = infinity;
    let step = vec![1; gradients.len()];
    let mut outputs = [(); 3].map(|()| vec![0; gradients.len()]);
    let mut columns = outputs.each_mut().map(|words| ColumnMut::narrow(words));
    model.evaluate_columns(&[Column::narrow(&gradients), Column::narrow(&step)], &mut columns);
    let [_, scales, _] = outputs;
    [0, 1, GOOD_STEPS + 1].map(|at| i64::from(f32::from_bits(scales[at] as u32).log2() as i32))
}
