//! Units whose port `fmt` chooses the formats give, for each value of the port, the results of the plain unit.

use crate::common::Random;
use binade_golden::Model;
use binade_spec::{Column, ColumnMut, Formats, Operation, Port, Selection, Setting, Unit, Word, word};

fn selected(unit: Unit, formats: &str, words: &[(Setting, &str)]) -> Result<Operation, String> {
    let formats: Formats = formats.parse().map_err(|error: binade_spec::NameError| error.to_string())?;
    let mut selection = Selection::with_formats(unit, formats);
    words.iter().try_for_each(|(setting, word)| selection.set(*setting, word))?;
    selection.operation().map_err(|error| error.to_string())
}

fn operations() -> Vec<Operation> {
    let any = [(Setting::Round, "any"), (Setting::Flags, "true")];
    let of = |unit, formats, words: &[(Setting, &str)]| selected(unit, formats, words).expect("an operation");
    vec![
        of(Unit::Mul, "e4m3fn+e5m2", &[]),
        of(Unit::Add, "binary16+bfloat16", &any),
        of(Unit::Decode, "e2m1f+e5m2+binary16", &[]),
        of(Unit::Encode, "e4m3fn+e5m2", &[]),
        of(Unit::Convert, "binary32+binary16", &[(Setting::To, "e4m3fn+e5m2")]),
        of(Unit::Fmac, "e2m1f+e2m3f+e3m2f+e4m3fn+e5m2", &[]),
        of(Unit::Fmac, "binary32+binary16", &[(Setting::Acc, "binary32+binary16"), any[0], any[1]]),
        of(Unit::Divide, "e5m2+binary16", &[]),
        of(Unit::Dot, "e2m1f+e4m3fn", &[(Setting::Lanes, "3")]),
        of(Unit::Dot, "e5m2+e4m3fn", &[(Setting::FormatB, "e4m3fn+e5m2"), (Setting::Lanes, "2")]),
        of(Unit::Mma, "e2m1f+e5m2", &[(Setting::Acc, "bfloat16+binary32"), (Setting::M, "2"), (Setting::N, "1")]),
        of(Unit::MxDot, "e2m1f+e4m3fn", &[(Setting::Lanes, "20")]),
        of(Unit::Fmac, "posit8_2+e4m3", &[(Setting::Acc, "posit16_2+binary16")]),
    ]
}

const NAMES: [&str; 13] = [
    "mul_e4m3fn_or_e5m2_rne",
    "add_binary16_or_bfloat16_any_flags",
    "decode_e2m1f_or_e5m2_or_binary16_rne",
    "encode_e4m3fn_or_e5m2_rne",
    "convert_binary32_to_e4m3fn_or_binary16_to_e5m2_rne",
    "fmac_e2m1f_or_e2m3f_or_e3m2f_or_e4m3fn_or_e5m2_acc_binary16_rne",
    "fmac_binary32_acc_binary32_or_binary16_acc_binary16_any_flags",
    "divide_e5m2_or_binary16_rne",
    "dot3_e2m1f_or_e4m3fn_acc_binary16_rne",
    "dot2_e5m2_e4m3fn_or_e4m3fn_e5m2_acc_binary16_rne",
    "mma2x1x4_e2m1f_acc_bfloat16_or_e5m2_acc_binary32_rne",
    "mx_dot20_e2m1f_or_e4m3fn_acc_binary32_rne",
    "fmac_posit8_2_acc_posit16_2_or_e4m3_acc_binary16_rne",
];

const REFUSALS: [&str; 13] = [
    "unknown format e5m9x; names look like e5m2, e4m3fn, e5m2b1, k8p3se, posit16_1, int8 or binary16 (`binade formats` lists them)",
    "a format name is missing; names look like e5m2, e4m3fn, e5m2b1, k8p3se, posit16_1, int8 or binary16 (`binade formats` lists them)",
    "the formats of the list are all the same; give one format",
    "a list has at most 8 formats, not 9",
    "lists of formats are for mul, add, sub, fmac, divide, sqrt, reciprocal, rsqrt, dot, mx-dot, mma, convert, encode and decode, with one result and operands in their own formats; choose one format for compare",
    "lists of formats are for exact sums of exact products; leave `sum`, `like` and `product` out",
    "port fmt chooses the n-th format of each list: give lists of the same length, not of 3 and 2 formats",
    "lists of formats are for mul, add, sub, fmac, divide, sqrt, reciprocal, rsqrt, dot, mx-dot, mma, convert, encode and decode, with one result and operands in their own formats; choose one format for fmac",
    "lists of formats are not rounded stochastically; choose another rounding (`round`)",
    "int8 cannot be in a list of formats of mul: posits and floating-point formats with a sign can",
    "k8p3se cannot be in a list of formats of divide: posits and floating-point formats with a sign can, if they have -0",
    "e4m3fn has no exception flags; formats with the IEEE 754 encoding (e<w>m<t> and e<w>m<t>n) and fixed-point formats do",
    "e5m2+e4m3 is a list of formats, of which a port of a unit chooses; one format is expected here",
];

/// A random word of a port.
fn random_word(random: &mut Random, port: &Port) -> Word {
    let limbs: Vec<u64> = (0..word::limbs(port.width())).map(|_| random.below(u64::MAX)).collect();
    word::word_of_limbs(&limbs) & ((Word::from(1_u32) << port.width()) - 1_u32)
}

/// The lanes of a word, each cut to its lowest bits, packed as on another port.
fn lanes(word: &Word, from: &Port, to: &Port) -> Word {
    let mask = (Word::from(1_u32) << to.lane_width().min(from.lane_width())) - 1_u32;
    let mut packed = Word::ZERO;
    for lane in 0..from.lanes {
        packed |= ((word >> (lane * from.lane_width())) & &mask) << (lane * to.lane_width());
    }
    packed
}

#[test]
fn each_value_chooses_its_formats() {
    let mut random = Random(1);
    for operation in operations() {
        let (model, choices) = (Model::new(&operation), operation.choices());
        let plain: Vec<Model> = choices.iter().map(Model::new).collect();
        let ports = operation.inputs();
        let fmt = ports.last().expect("the port fmt");
        assert_eq!(fmt.name, "fmt");
        let mut columns: Vec<Vec<u64>> = vec![vec![]; ports.len()];
        let mut expected: Vec<Vec<Word>> = vec![];
        for turn in 0..600_u64 {
            let mut words: Vec<Word> = ports.iter().map(|port| random_word(&mut random, port)).collect();
            let value = turn % (1 << fmt.width());
            *words.last_mut().expect("the port fmt") = Word::from(value);
            let own = &plain[(value as usize).min(choices.len() - 1)];
            let operands: Vec<Word> = own
                .input_ports()
                .iter()
                .zip(&ports)
                .zip(&words)
                .map(|((own, wide), word)| lanes(word, wide, own))
                .collect();
            let results = own.evaluate(&operands);
            let results: Vec<Word> = results
                .iter()
                .zip(own.output_ports())
                .zip(model.output_ports())
                .map(|((word, own), wide)| lanes(word, own, wide))
                .collect();
            assert_eq!(model.evaluate(&words), results, "{}, {words:x?}", operation.module_name());
            for ((column, word), port) in columns.iter_mut().zip(&words).zip(&ports) {
                let start = column.len();
                column.resize(start + word::limbs(port.width()), 0);
                word::write_limbs(word, &mut column[start..]);
            }
            expected.push(results);
        }
        let limbs = |port: &Port| word::limbs(port.width());
        let inputs: Vec<Column> =
            columns.iter().zip(&ports).map(|(words, port)| Column { limbs: limbs(port), words }).collect();
        let mut results: Vec<Vec<u64>> = model.output_ports().iter().map(|port| vec![0; 600 * limbs(port)]).collect();
        let mut outputs: Vec<ColumnMut> = results
            .iter_mut()
            .zip(model.output_ports())
            .map(|(words, port)| ColumnMut { limbs: limbs(port), words })
            .collect();
        model.evaluate_columns(&inputs, &mut outputs);
        for (vector, results) in expected.iter().enumerate() {
            let columns: Vec<Word> = outputs.iter().map(|column| column.word(vector)).collect();
            assert_eq!(&columns, results, "{}, vector {vector}", operation.module_name());
        }
    }
}

#[test]
fn names_say_what_is_chosen() {
    let names: Vec<String> = operations().iter().map(Operation::module_name).collect();
    assert_eq!(names, NAMES);
    // The words of an operation give it again.
    for operation in operations() {
        let all = operation.words();
        let word = |key: &str| all.iter().find(|(known, _)| *known == key).map(|(_, word)| word.as_str());
        let settings = Setting::ALL.into_iter().filter_map(|setting| Some((setting, word(setting.key())?)));
        let settings: Vec<(Setting, &str)> = settings.collect();
        assert_eq!(selected(operation.unit, word("format").expect("formats"), &settings), Ok(operation));
    }
}

#[test]
fn what_is_refused() {
    let refused = |unit, formats, words: &[(Setting, &str)]| match selected(unit, formats, words) {
        Ok(operation) => panic!("{}", operation.module_name()),
        Err(error) => error,
    };
    let sentences = [
        refused(Unit::Mul, "e5m2+e5m9x", &[]),
        refused(Unit::Mul, "e5m2+", &[]),
        refused(Unit::Mul, "e5m2+e5m2", &[]),
        refused(Unit::Mul, "e5m2+e4m3+e3m2+e2m1+e5m2+e4m3+e3m2+e2m1+e2m3", &[]),
        refused(Unit::Compare, "e5m2+e4m3", &[]),
        refused(Unit::Dot, "e5m2+e4m3", &[(Setting::Sum, "chain")]),
        refused(Unit::Dot, "e5m2+e4m3", &[(Setting::Acc, "binary16+bfloat16+binary32")]),
        refused(Unit::Fmac, "e5m2+e4m3", &[(Setting::Out, "e5m2")]),
        refused(Unit::Mul, "e5m2+e4m3", &[(Setting::Round, "sr4")]),
        refused(Unit::Mul, "e5m2+int8", &[]),
        refused(Unit::Divide, "e5m2+k8p3se", &[]),
        refused(Unit::Mul, "e5m2+e4m3fn", &[(Setting::Flags, "true")]),
        "e5m2+e4m3".parse::<binade_spec::Format>().expect_err("one format").to_string(),
    ];
    assert_eq!(sentences.join("\n"), REFUSALS.join("\n"));
}
