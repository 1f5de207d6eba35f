//! `dot-stream` against dot products with all operands at once.

use crate::common::{Random, format};
use binade_golden::Model;
use binade_spec::word::low_bits;
use binade_spec::{Format, Operation, Overflow, Rounding, Selection, Summation, Unit, Word};

/// A dot product as a stream and in lanes.
fn both([operand, result]: [&str; 2], summation: Summation, block: u32, lanes: u32) -> [Selection; 2] {
    let block = (summation == Summation::Blocks).then_some(block);
    let plain = |unit| Selection {
        accumulator: Some(format(result)),
        summation: Some(summation),
        block,
        ..Selection::new(unit, format(operand))
    };
    [plain(Unit::DotStream), Selection { lanes: Some(lanes), ..plain(Unit::Dot) }]
}

/// A code that is rarely an infinity or NaN.
fn code(format: &Format, random: &mut Random) -> u128 {
    let code = u128::from(random.bits()) & (format.magnitude_mask() | format.sign_mask());
    let magnitude = format.magnitude(code);
    let is_special = format.is_nan(code) || Some(magnitude) == format.infinity_code();
    if is_special && random.below(50) > 0 { format.min_code() } else { code }
}

/// After each clock, y is the dot product of all operands since the last clear, and zero.
fn agree([stream, dots]: [Selection; 2]) {
    let operation = stream.operation().unwrap();
    let model = Model::new(&operation);
    let Operation { operand, result, .. } = operation;
    let most = dots.lanes.expect("the most products");
    let of_lanes: Vec<Model> =
        (1..=most).map(|lanes| Model::new(&Selection { lanes: Some(lanes), ..dots }.operation().unwrap())).collect();
    let mut random = Random(5);
    let mut state = model.reset();
    for sequence in 0..200 {
        let length = 1 + random.below(most.into());
        let [mut a, mut b] = [Word::ZERO; 2];
        for lane in 0..length {
            let [x, y] = [0; 2].map(|_| Word::from(code(&operand, &mut random)));
            // A reset does what clear does.
            let clear = lane == 0 && sequence > 0;
            a |= x.clone() << (lane as u32 * operand.width());
            b |= y.clone() << (lane as u32 * operand.width());
            let (next, outputs) = model.step(&state, &[x, y, Word::from(u128::from(clear))]);
            state = next;
            let inputs = [a.clone(), b.clone(), Word::from(result.zero_code(false))];
            let wanted = of_lanes[lane as usize].evaluate(&inputs);
            assert_eq!(low_bits(&outputs[0]), low_bits(&wanted[0]), "{operation:?} {inputs:x?}");
        }
    }
}

#[test]
fn streams_are_dot_products() {
    for formats in [["e5m2", "binary16"], ["e4m3fn", "bfloat16"], ["posit8_1", "posit16_1"], ["e5m2b1", "dlfloat16"]] {
        agree(both(formats, Summation::Chain, 1, 8));
        agree(both(formats, Summation::Blocks, 8, 24));
        agree(both(formats, Summation::Blocks, 1, 5));
    }
    for rounding in [Rounding::Rtz, Rounding::Rdn, Rounding::Rup, Rounding::Rto] {
        let policies = |selection: Selection| Selection {
            rounding: Some(rounding),
            overflow: Overflow::Saturate,
            rounds_products: selection.summation == Some(Summation::Chain),
            ..selection
        };
        agree(both(["e4m3", "e5m2"], Summation::Chain, 1, 6).map(policies));
        agree(both(["e4m3", "e5m2"], Summation::Blocks, 3, 9).map(policies));
    }
}
