//! The fast paths give what the plain walk over the formula gives.

use crate::common::{Random, format};
use binade_golden::Model;
use binade_spec::{
    Operation, OutputConversion, Overflow, Port, PositRange, Rounding, Setting, Shape, Tininess, Unit, Word,
};

/// Random vectors, every other word near zero, one or the largest value of its port.
fn check(operation: Operation, count: usize) {
    let model = Model::new(&operation);
    let widths: Vec<u32> = operation.inputs().iter().map(Port::width).collect();
    let mut random = Random(count as u64);
    for _ in 0..count {
        let vector: Vec<Word> = widths
            .iter()
            .map(|width| {
                let bits = random.bits();
                Word::from(if bits & 1 == 0 { bits >> (64 - width) } else { (bits >> 60) << width.saturating_sub(4) })
            })
            .collect();
        assert_eq!(model.evaluate(&vector), model.evaluate_plainly(&vector), "{operation:?} {vector:x?}");
    }
}

const PAIRS: [(&str, &str); 12] = [
    ("e5m2", "binary16"),
    ("e5m2b1", "binary16"),
    ("e5m2b1,sat", "e4m3b2"),
    ("e4m3fn", "bfloat16"),
    ("e4m3ns", "e6m9n"),
    ("k8p3se", "k6p3uf"),
    ("dlfloat16", "dlfloat16"),
    ("posit8_2", "posit16_1"),
    ("posit16_3", "binary32"),
    ("binary16", "posit32_2"),
    ("binary32", "binary32"),
    ("e2m1f", "e8m0"),
];

#[test]
fn every_shape_in_every_policy() {
    let mut shapes = vec![];
    for (operand, result) in PAIRS.map(|(operand, result)| (format(operand), format(result))) {
        for unit in Unit::ALL {
            let result = if unit.takes(Setting::Acc) || unit.takes(Setting::To) { result } else { operand };
            let plain = Operation::new(unit, operand, result);
            if plain.operand.posit().is_none() && [Unit::PositDecoder, Unit::PositEncoder].contains(&unit) {
                continue;
            }
            shapes.push(plain.shape());
            for rounding in [Rounding::Rne, Rounding::Rdn, Rounding::Rup, Rounding::Rto, Rounding::Sr(5)] {
                if result.check_rounding(rounding).is_err() {
                    continue;
                }
                for overflow in Overflow::ALL {
                    let flags = result.float().map(|_| Tininess::After);
                    let posit_range = if overflow == Overflow::Inf { PositRange::Float } else { PositRange::Saturate };
                    check(Operation { rounding, overflow, posit_range, ..plain }, 400);
                    check(Operation { rounding, overflow, flags, ..plain }, 400);
                }
            }
        }
    }
    for shape in [Shape::Conversion, Shape::Product, Shape::Sum, Shape::Accumulation, Shape::RoundedAccumulation] {
        assert!(shapes.contains(&shape), "{shape:?}");
    }
    assert!(shapes.contains(&Shape::Parts) && !shapes.contains(&Shape::Other));
}

#[test]
fn outputs_and_flags() {
    for unit in [Unit::Fmac, Unit::Mac] {
        for out in ["e5m2", "posit8_2", "dlfloat16", "e4m3fn"] {
            for (relu, rounding) in [(true, Rounding::Rne), (false, Rounding::Rdn), (true, Rounding::Sr(3))] {
                let output = Some(OutputConversion { format: format(out), relu });
                let plain = Operation::new(unit, format("e5m2"), format("binary16"));
                check(Operation { output, rounding, ..plain }, 2000);
                check(Operation { output, rounding, flags: Some(Tininess::Before), ..plain }, 2000);
            }
        }
    }
}
