//! The fast path of exact dot products gives what the definition gives.

use crate::common::Random;
use binade_golden::Model;
use binade_spec::{Column, ColumnMut, Formats, Operation, Port, Selection, Setting, Unit, Word, word};

fn operation(unit: Unit, format: &str, words: &[(Setting, &str)]) -> Operation {
    let formats: Formats = format.parse().expect("a format");
    let mut selection = Selection::with_formats(unit, formats);
    words.iter().for_each(|(setting, word)| selection.set(*setting, word).expect("a word"));
    selection.operation().unwrap_or_else(|error| panic!("{format}: {error}"))
}

/// A lane that is often zero, the largest or the smallest number, infinite or NaN; terms cancel because few codes are drawn.
fn lane(random: &mut Random, port: &Port) -> Word {
    let format = port.format().expect("a port with codes");
    let specials = [0, format.largest_code(), format.smallest_code(), format.nan_or_zero_code()];
    let drawn = random.below(u64::MAX);
    let code = match drawn % 16 {
        0..4 => format.zero_code(drawn & 16 != 0),
        4..6 => specials[(drawn >> 8) as usize % 4],
        6 => format.infinity_code().unwrap_or(0),
        7..10 => format.negated(specials[(drawn >> 8) as usize % 3]),
        10..13 => u128::from(drawn >> 16) & 0x81 & format.code_mask(),
        _ => u128::from(drawn >> 16) & format.code_mask(),
    };
    // A block with specials everywhere has no numbers: most have none.
    let is_special = format.is_nan(code) || format.infinity_code() == Some(format.magnitude(code));
    Word::from(if is_special && drawn >> 40 & 7 != 0 { format.zero_code(false) } else { code })
}

#[test]
fn columns_are_as_defined() {
    let rdn = (Setting::Round, "rdn");
    let operations = [
        operation(Unit::Dot, "e5m2", &[]),
        operation(Unit::Dot, "e5m2", &[rdn, (Setting::Acc, "binary32"), (Setting::Lanes, "3")]),
        operation(Unit::Dot, "e4m3fn", &[(Setting::Acc, "e5m2"), (Setting::Round, "rto"), (Setting::Lanes, "9")]),
        operation(Unit::Dot, "e5m2", &[(Setting::FormatB, "e2m1f"), (Setting::Acc, "bfloat16"), (Setting::Lanes, "2")]),
        operation(Unit::Dot, "binary16", &[(Setting::Lanes, "2"), rdn]),
        operation(Unit::Dot, "posit8_2", &[(Setting::Acc, "posit16_2")]),
        operation(Unit::Dot, "int8", &[(Setting::Acc, "int32")]),
        operation(Unit::Dot, "e4m3fn", &[(Setting::Round, "sr8"), (Setting::Acc, "bfloat16")]),
        operation(
            Unit::Mma,
            "e5m2",
            &[(Setting::M, "2"), (Setting::N, "3"), (Setting::K, "5"), (Setting::Acc, "binary32")],
        ),
        operation(Unit::Mma, "k8p3se", &[(Setting::M, "2"), (Setting::N, "2"), rdn]),
        operation(Unit::MxDot, "e4m3fn", &[]),
        operation(Unit::MxDot, "e5m2", &[rdn, (Setting::Lanes, "5")]),
        operation(Unit::MxDot, "e2m1f", &[(Setting::Scale, "e4m3"), (Setting::Lanes, "16"), rdn]),
        operation(
            Unit::MxDot,
            "e3m2f",
            &[(Setting::Scale, "ue4m3"), (Setting::Acc, "binary16"), (Setting::Lanes, "3")],
        ),
        operation(Unit::MxDot, "fixed8_6", &[(Setting::Lanes, "4"), (Setting::Round, "sr5")]),
    ];
    let mut random = Random(3);
    for operation in operations {
        let model = Model::new(&operation);
        let count = 3000;
        let mut vectors: Vec<Vec<Word>> = vec![];
        for _ in 0..count {
            let word = |port: &Port, random: &mut Random| match port.format() {
                None => Word::from(random.below(1 << port.width())),
                Some(_) => {
                    (0..port.lanes).fold(Word::ZERO, |all, at| all | lane(random, port) << (at * port.lane_width()))
                }
            };
            vectors.push(model.input_ports().iter().map(|port| word(port, &mut random)).collect());
        }
        let columns: Vec<(usize, Vec<u64>)> = model
            .input_ports()
            .iter()
            .enumerate()
            .map(|(at, port)| {
                let limbs = word::limbs(port.width());
                let mut words = vec![0; limbs * count];
                words.chunks_mut(limbs).zip(&vectors).for_each(|(limbs, vector)| word::write_limbs(&vector[at], limbs));
                (limbs, words)
            })
            .collect();
        let inputs: Vec<Column> = columns.iter().map(|(limbs, words)| Column { limbs: *limbs, words }).collect();
        let limbs = word::limbs(model.output_ports()[0].width());
        let mut results = vec![0; limbs * count];
        let mut outputs = [ColumnMut { limbs, words: &mut results }];
        model.evaluate_columns(&inputs, &mut outputs);
        let mut finite = 0;
        for (at, vector) in vectors.iter().enumerate() {
            let defined = model.evaluate_plainly(vector);
            assert_eq!(outputs[0].word(at), defined[0], "{}: {vector:x?}", operation.module_name());
            finite += usize::from(!operation.result.is_nan(word::low_bits(&defined[0]) & operation.result.code_mask()));
        }
        assert!(finite > count / 4, "{}: {finite} finite results", operation.module_name());
    }
}
