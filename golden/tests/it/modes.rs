//! Units whose port `rm` chooses the rounding give, for each value of the port, the results of the unit with that rounding.

use crate::common::{Random, format, words};
use binade_golden::Model;
use binade_spec::{Column, ColumnMut, Format, Operation, Rounding, Selection, Tininess, Unit};

/// RISC-V's encoding; the values that are reserved there mean the same as 4.
const MODES: [Rounding; 8] = [
    Rounding::Rne,
    Rounding::Rtz,
    Rounding::Rdn,
    Rounding::Rup,
    Rounding::Rna,
    Rounding::Rna,
    Rounding::Rna,
    Rounding::Rna,
];

fn operations() -> Vec<Operation> {
    let of = |unit, name: &str, other: Option<&str>, flags| {
        let other: Option<Format> = other.map(format);
        let selection = Selection {
            rounding: Some(Rounding::Any),
            accumulator: other.filter(|_| unit == Unit::Fmac),
            target: other.filter(|_| unit == Unit::Convert),
            flags,
            ..Selection::new(unit, format(name))
        };
        selection.operation().unwrap_or_else(|error| panic!("{error}"))
    };
    let flags = Some(Tininess::After);
    vec![
        of(Unit::Mul, "e4m3fn", None, None),
        of(Unit::Mul, "e5m2", None, flags),
        of(Unit::Add, "e5m2", None, flags),
        of(Unit::Sub, "binary32", None, flags),
        of(Unit::Divide, "binary16", None, flags),
        of(Unit::Sqrt, "bfloat16", None, flags),
        of(Unit::Fmac, "e5m2", Some("e5m2"), flags),
        of(Unit::Fmac, "binary64", Some("binary64"), flags),
        of(Unit::Convert, "binary32", Some("int8"), flags),
        of(Unit::Convert, "posit16_1", Some("binary16"), None),
        of(Unit::Add, "int8", None, None),
    ]
}

#[test]
fn each_value_chooses_its_rounding() {
    let mut random = Random(1);
    for operation in operations() {
        let model = Model::new(&operation);
        let ports = operation.inputs();
        assert_eq!(ports.last().map(|port| (port.name, port.width())), Some(("rm", 3)));
        let operands = &ports[..ports.len() - 1];
        let mut columns: Vec<Vec<u64>> = vec![vec![]; ports.len()];
        let mut expected: Vec<Vec<u64>> = vec![];
        for turn in 0..4_000 {
            let first = random.below(u64::MAX);
            // Every third sum is near zero or exact.
            let code =
                |at: usize| if turn % 3 == 0 { first ^ (at as u64) << 3 } else { first.rotate_left(17 * at as u32) };
            let vector: Vec<u64> = operands
                .iter()
                .enumerate()
                .map(|(at, port)| code(at) & (u64::MAX >> (u64::BITS - port.width())))
                .collect();
            for (rm, rounding) in (0..).zip(MODES) {
                let want = words(&Operation { rounding, ..operation }, &vector);
                let with_mode: Vec<u64> = vector.iter().copied().chain([rm]).collect();
                assert_eq!(words(&operation, &with_mode), want, "{} {with_mode:x?}", operation.unit);
                columns.iter_mut().zip(&with_mode).for_each(|(column, &word)| column.push(word));
                expected.push(want);
            }
        }
        let count = expected.len();
        let inputs: Vec<Column> = columns.iter().map(|words| Column::narrow(words)).collect();
        let mut results = vec![vec![0; count]; operation.outputs().len()];
        let mut outputs: Vec<ColumnMut> =
            results.iter_mut().map(|words| ColumnMut { limbs: 1, words: &mut words[..] }).collect();
        model.evaluate_columns(&inputs, &mut outputs);
        for (vector, want) in expected.iter().enumerate() {
            let got: Vec<u64> = results.iter().map(|column| column[vector]).collect();
            assert_eq!(got, *want, "{} vector {vector}", operation.unit);
        }
    }
}

/// A sum of zeros and a difference of equal numbers are -0 only toward -infinity (IEEE 754-2019 section 6.3), and the sign
/// decides which overflows become infinity.
#[test]
fn zeros_and_overflows_follow_the_mode() {
    let add = Selection { rounding: Some(Rounding::Any), ..Selection::new(Unit::Add, format("e5m2")) };
    let add = add.operation().expect("an operation");
    let sum = |a: u64, b: u64| [0, 1, 2, 3, 4].map(|rm| words(&add, &[a, b, rm])[0]);
    let (one, minus_one, largest) = (0x3c, 0xbc, 0x7b);
    assert_eq!(sum(one, minus_one), [0x00, 0x00, 0x80, 0x00, 0x00]);
    assert_eq!(sum(largest, largest), [0x7c, 0x7b, 0x7b, 0x7c, 0x7c]);
    assert_eq!(sum(largest | 0x80, largest | 0x80), [0xfc, 0xfb, 0xfc, 0xfb, 0xfc]);
}

/// Where there is no port for the rounding, or one rounding alone is defined, the refusal says so.
#[test]
fn what_takes_one_rounding_only() {
    let refused = |unit, name: &str, output: Option<Format>| {
        let selection = Selection { rounding: Some(Rounding::Any), output, ..Selection::new(unit, format(name)) };
        selection.operation().expect_err("one rounding").to_string()
    };
    assert!(refused(Unit::Dot, "e5m2", None).ends_with("choose one rounding for dot"));
    assert!(refused(Unit::Fmac, "e5m2", Some(format("e5m2"))).ends_with("choose one rounding for fmac"));
    for name in ["posit8_1", "takum_linear16", "e5m2b1", "ue4m3", "e8m0", "nf4", "dlfloat16"] {
        let why = refused(Unit::Encode, name, None);
        assert!(why.ends_with(&format!("choose one rounding for {}", format(name))), "{why}");
    }
    let why = format("e5m2").check_rounding(Rounding::Any).expect_err("no port").to_string();
    assert_eq!(
        why,
        "`round any` is for units, whose port rm chooses the rounding; choose one rounding here, such as rne"
    );
}
