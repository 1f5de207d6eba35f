//! The fast paths agree with the plain walk over the formula.

use crate::common::{Random, format};
use binade_golden::Model;
use binade_spec::word::limbs;
use binade_spec::{
    Activation, Class, Column, ColumnMut, Function, Kind, Negation, Operation, OutputConversion, Overflow, Port,
    PositRange, Products, Rounding, Selection, Setting, Shape, Summation, Tininess, Unit, Word,
};

/// Checks random vectors, with every other word near zero, one or the largest value of its port. Returns the number of operations: 1.
fn check(operation: Operation, count: usize) -> usize {
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
    1
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
    let (mut shapes, mut checked) = (vec![], 0);
    for (operand, result) in PAIRS.map(|(operand, result)| (format(operand), format(result))) {
        for unit in Unit::ALL {
            let result = if unit.takes(Setting::Acc) || unit.takes(Setting::To) { result } else { operand };
            let plain = Operation::new(unit, operand, result);
            if plain.operand.posit().is_none() && [Unit::PositDecoder, Unit::PositEncoder].contains(&unit) {
                continue;
            }
            // Units with scales, quotients and roots, and those of vectors, have no fast path.
            let is_walked = matches!(plain.kind, Kind::Vector(_) | Kind::Scaled(_) | Kind::Function(_))
                || unit.computes_digits()
                || unit == Unit::Unscale;
            shapes.extend((!is_walked).then(|| plain.signed_shape().0));
            for rounding in [Rounding::Rne, Rounding::Rdn, Rounding::Rup, Rounding::Rto, Rounding::Sr(5)] {
                if result.check_rounding(rounding).is_err() {
                    continue;
                }
                for overflow in Overflow::ALL {
                    let flags = result.float().map(|_| Tininess::After);
                    let posit_range = if overflow == Overflow::Inf { PositRange::Float } else { PositRange::Saturate };
                    checked += check(Operation { rounding, overflow, posit_range, ..plain }, 400);
                    checked += check(Operation { rounding, overflow, flags, ..plain }, 400);
                }
            }
        }
    }
    for shape in [
        Shape::Conversion,
        Shape::Product,
        Shape::Sum,
        Shape::RunningSum,
        Shape::Accumulation,
        Shape::RoundedAccumulation,
    ] {
        assert!(shapes.contains(&shape), "{shape:?}");
    }
    assert!(shapes.contains(&Shape::Parts) && !shapes.contains(&Shape::Other));
    assert_eq!(checked, 11010, "operations");
}

/// Negated terms of the last sum.
#[test]
fn terms_with_the_other_sign() {
    let mut checked = 0;
    for (operand, result) in PAIRS.map(|(operand, result)| (format(operand), format(result))) {
        let negations = Negation::ALL.map(|negation| Selection {
            negation: Some(negation),
            accumulator: Some(result),
            ..Selection::new(Unit::Fmac, operand)
        });
        let fused = Selection { has_fused_rate: true, ..Selection::new(Unit::Update, operand) };
        // Formats without a sign have none of them.
        for operation in negations.into_iter().chain([fused]).filter_map(|selection| selection.operation().ok()) {
            let (shape, signs) = operation.signed_shape();
            assert!(shape == Shape::Accumulation && signs != [false; 2], "{operation:?}");
            for rounding in [operation.rounding, Rounding::Rdn, Rounding::Sr(5)] {
                if operation.result.check_rounding(rounding).is_ok() {
                    let flags = operation.result.float().map(|_| Tininess::Before);
                    checked += check(Operation { rounding, ..operation }, 1000);
                    checked += check(Operation { rounding, flags, ..operation }, 1000);
                }
            }
        }
    }
    assert_eq!(checked, 236, "operations");
}

#[test]
fn outputs_and_flags() {
    let mut checked = 0;
    for unit in [Unit::Fmac, Unit::Mac] {
        for out in ["e5m2", "posit8_2", "dlfloat16", "e4m3fn"] {
            let relu = Some(Activation::Relu);
            let gelu = Some(Activation::Function(Function::Gelu));
            let ways = [(relu, Rounding::Rne), (None, Rounding::Rdn), (relu, Rounding::Sr(3)), (gelu, Rounding::Rne)];
            for (activation, rounding) in ways {
                let output = Some(OutputConversion { format: format(out), activation });
                let plain = Operation::new(unit, format("e5m2"), format("binary16"));
                checked += check(Operation { output, rounding, ..plain }, 2000);
                checked += check(Operation { output, rounding, flags: Some(Tininess::Before), ..plain }, 2000);
            }
        }
    }
    assert_eq!(checked, 64, "operations");
}

/// A product of two formats plus an addend is not an accumulation like `fmac`, whose factors share a format.
#[test]
fn one_product_of_two_formats() {
    for summation in [Summation::Exact, Summation::Chain] {
        let selection = Selection {
            second: Some(format("e4m3fn")),
            accumulator: Some(format("bfloat16")),
            lanes: Some(1),
            summation: Some(summation),
            ..Selection::new(Unit::Dot, format("e5m2"))
        };
        let operation = selection.operation().expect("an operation");
        assert_eq!(operation.shape(), Shape::Other);
        assert_eq!(check(operation, 2000), 1);
        let codes = [0x3c, 0x38, 0].map(|code: u128| Word::from(code));
        assert_eq!(Model::new(&operation).evaluate(&codes), [Word::from(0x3f80_u128)], "1 * 1 + 0");
    }
}

/// The steps of one machine, and of many side by side: each agrees with the plain walk from the state before it.
#[test]
fn sequences_go_on_from_what_was_before() {
    let mut checked = 0;
    for (operand, result) in PAIRS.map(|(operand, result)| (format(operand), format(result))) {
        if result.class_codes(Class::Zero).is_none() {
            continue;
        }
        for rounding in [Rounding::Rne, Rounding::Rdn, Rounding::Rnu, Rounding::Sr(5)] {
            if result.check_rounding(rounding).is_err() {
                continue;
            }
            let plain = Operation { rounding, ..Operation::new(Unit::Accumulate, operand, result) };
            let flags = result.float().map(|_| Tininess::Before);
            for operation in [plain, Operation { flags, overflow: Overflow::Saturate, ..plain }] {
                check_sequence(&operation);
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 82, "operations");
    // By the plain walk alone.
    check_sequence(&Operation::new(Unit::Accumulate, format("binary64"), format("binary128")));
}

fn check_sequence(operation: &Operation) {
    const STEPS: usize = 300;
    let model = Model::new(operation);
    let mut random = Random(STEPS as u64);
    let columns = |ports: &[Port]| -> Vec<(usize, Vec<u64>)> {
        ports.iter().map(|port| (limbs(port.width()), vec![0; limbs(port.width()) * STEPS])).collect()
    };
    let mut inputs = columns(&operation.inputs());
    let vectors: Vec<Vec<Word>> = (0..STEPS)
        .map(|_| {
            let word = |port: &Port| {
                let word = (0..2).fold(Word::ZERO, |word, _| word << 64_u32 | Word::from(random.bits()));
                let clear = port.name == "clear";
                if clear { Word::from(u8::from(random.bits().is_multiple_of(8))) } else { word >> (128 - port.width()) }
            };
            operation.inputs().iter().map(word).collect()
        })
        .collect();
    for (port, (limbs, words)) in inputs.iter_mut().enumerate() {
        let mut column = ColumnMut { limbs: *limbs, words };
        vectors.iter().enumerate().for_each(|(at, vector)| column.set(at, &vector[port]));
    }
    let inputs: Vec<Column> = inputs.iter().map(|(limbs, words)| Column { limbs: *limbs, words }).collect();
    let mut outputs = columns(&operation.outputs());
    let mut results: Vec<ColumnMut> =
        outputs.iter_mut().map(|(limbs, words)| ColumnMut { limbs: *limbs, words }).collect();
    model.evaluate_columns(&inputs, &mut results);
    let (mut state, mut states) = (model.reset(), vec![]);
    for (step, vector) in vectors.iter().enumerate() {
        states.push(state.clone());
        let (next, wanted) = model.step(&state, vector);
        let got: Vec<Word> = results.iter().map(|column| column.word(step)).collect();
        assert_eq!(got, wanted, "{operation:?}, step {step}: {vector:x?} on {state:x?}");
        assert_eq!(next[0], wanted[0], "the result is what the accumulator becomes");
        state = next;
    }
    assert_eq!(model.state_after(&vectors), state);
    let limbs = limbs(operation.result.width());
    let mut registers = vec![0; limbs * STEPS];
    let mut register = ColumnMut { limbs, words: &mut registers };
    states.iter().enumerate().for_each(|(at, state)| register.set(at, &state[0]));
    let before: Vec<Word> = (0..STEPS).map(|step| results[0].word(step)).collect();
    let mut registers = [register];
    model.step_columns(&mut registers, &inputs, &mut results);
    let after: Vec<Word> = (0..STEPS).map(|step| registers[0].word(step)).collect();
    let again: Vec<Word> = (0..STEPS).map(|step| results[0].word(step)).collect();
    assert!(after == before && again == before, "{operation:?}");
}

/// Exact dot products, and matrices of them, have a fast path for columns: in words of several limbs, with canceling
/// and special terms.
#[test]
fn exact_dots() {
    for (operand, second, result, [rows, lanes, columns], rounding) in [
        ("e5m2", "e5m2", "binary16", [1, 8, 1], Rounding::Rne),
        ("e4m3fn", "e5m2b1", "e4m3b2", [1, 20, 1], Rounding::Sr(5)),
        ("e5m2", "e4m3", "binary16", [4, 4, 4], Rounding::Rne),
        ("e2m1f", "e2m3f", "e3m3", [3, 5, 2], Rounding::Sr(9)),
        ("e2m1f", "e2m3f", "e3m3", [5, 2, 3], Rounding::Sr(9)),
        ("e4m3", "e4m3fn", "e5m2", [1, 3, 1], Rounding::Rdn),
        ("e5m2", "e4m3", "binary16", [1, 1, 1], Rounding::Rne),
        ("posit8_0", "e2m1f", "posit8_0", [1, 17, 1], Rounding::Rto),
        ("k8p3se", "k8p3sf", "dlfloat16", [1, 9, 1], Rounding::Rnu),
    ] {
        let second = Some(format(second)).filter(|second| *second != format(operand));
        let unit = if rows * columns == 1 { Unit::Dot } else { Unit::Mma };
        let plain = Operation::new(unit, format(operand), format(result));
        let operation = Operation { rounding, ..plain }.with_products(|products| Products {
            rows,
            lanes,
            columns,
            second,
            ..products
        });
        let model = Model::new(&operation);
        const COUNT: usize = 1000;
        let mut random = Random(7);
        let ports = operation.inputs();
        let mut inputs: Vec<(usize, Vec<u64>)> =
            ports.iter().map(|port| (limbs(port.width()), vec![0; limbs(port.width()) * COUNT])).collect();
        for vector in 0..COUNT {
            // In every other vector most lanes are zero or all of one code, so that special results come about.
            let (repeats, repeated) = (random.bits() % 3, random.bits());
            for (port, (limbs, words)) in ports.iter().zip(&mut inputs) {
                let word = (0..port.lanes.max(1)).fold(Word::ZERO, |word, _| {
                    let bits = if repeats < 2 && !random.bits().is_multiple_of(8) {
                        repeated * repeats
                    } else {
                        random.bits()
                    };
                    word << port.lane_width() | Word::from(bits >> 8 & ((1 << port.lane_width()) - 1))
                });
                ColumnMut { limbs: *limbs, words }.set(vector, &word);
            }
        }
        let columns: Vec<Column> = inputs.iter().map(|(limbs, words)| Column { limbs: *limbs, words }).collect();
        let limbs = limbs(operation.outputs()[0].width());
        let mut results = vec![u64::MAX; limbs * COUNT];
        let mut column = ColumnMut { limbs, words: &mut results };
        model.evaluate_columns(&columns, std::slice::from_mut(&mut column));
        for vector in 0..COUNT {
            let words: Vec<Word> = columns.iter().map(|column| column.word(vector)).collect();
            assert_eq!([column.word(vector)].as_slice(), model.evaluate_plainly(&words), "{operation:?} {words:x?}");
        }
    }
}

/// Sums computed by the processor.
#[test]
fn running_sums_are_those_of_the_processor() {
    let operation = Operation::new(Unit::Accumulate, format("binary32"), format("binary32"));
    let model = Model::new(&operation);
    let mut random = Random(7);
    let numbers: Vec<f32> = (0..100_000)
        .map(|_| {
            let bits = random.bits();
            let exponent = 127 - 12 + (bits >> 40) % 24;
            f32::from_bits((bits as u32 & 0x807f_ffff) | (exponent as u32) << 23)
        })
        .collect();
    let x: Vec<u64> = numbers.iter().map(|x| x.to_bits().into()).collect();
    let clear: Vec<u64> = (0..x.len()).map(|step| u64::from(step % 1000 == 999)).collect();
    let mut y = vec![0; x.len()];
    model.evaluate_columns(&[Column::narrow(&x), Column::narrow(&clear)], &mut [ColumnMut::narrow(&mut y)]);
    let mut sum = 0.0_f32;
    for (step, &x) in numbers.iter().enumerate() {
        sum = if clear[step] == 1 { x } else { sum + x };
        assert_eq!(y[step], u64::from(sum.to_bits()), "step {step}");
    }
}
