//! NaN-boxed codes, as the RISC-V manual has them (Volume I, section "NaN Boxing of Narrower Values"), and the units of its profile.

use crate::common::Random;
use binade_golden::Model;
use binade_spec::{Column, ColumnMut, Operation, Profile, Selection, Setting, Unit, Word};

fn selected(unit: Unit, formats: &str, words: &[(Setting, &str)]) -> Result<Operation, String> {
    let formats: binade_spec::Formats = formats.parse().map_err(|error: binade_spec::NameError| error.to_string())?;
    let mut selection = Selection::with_formats(unit, formats);
    words.iter().try_for_each(|(setting, word)| selection.set(*setting, word))?;
    selection.operation().map_err(|error| error.to_string())
}

const RISCV: (Setting, &str) = (Setting::Profile, "riscv");
const IN_64: (Setting, &str) = (Setting::NanBoxing, "64");

fn results(operation: &Operation, inputs: &[u64]) -> Vec<u64> {
    let words = Model::new(operation).evaluate(inputs);
    words.iter().map(|word| u64::try_from(word).expect("a word of 64 bits")).collect()
}

/// Instructions with boxed operands, and with operands without a box, on a machine with registers of 64 bits.
#[test]
fn instructions() {
    let boxed16 = |code: u64| code | !0xffff;
    let boxed32 = |code: u64| code | !0xffff_ffff;
    let add = selected(Unit::Add, "binary32", &[RISCV, IN_64]).expect("an operation");
    assert_eq!(add.module_name(), "add_binary32_any_boxed64_flags");
    let one = boxed32(0x3f80_0000);
    assert_eq!(results(&add, &[one, one, 0]), [boxed32(0x4000_0000), 0]);
    // The code of 1 without a box, with one 0 in its box, and the code of a binary64: quiet NaNs, which are not invalid.
    for open in [0x3f80_0000, one ^ 1 << 63, one ^ 1 << 32, 0x3ff0_0000_0000_0000] {
        assert_eq!(results(&add, &[open, one, 0]), [boxed32(0x7fc0_0000), 0], "{open:#x}");
        assert_eq!(results(&add, &[one, open, 0]), [boxed32(0x7fc0_0000), 0], "{open:#x}");
    }
    let signaling = boxed32(0x7f80_0001);
    assert_eq!(results(&add, &[signaling, one, 0]), [boxed32(0x7fc0_0000), 0b1000]);
    assert_eq!(results(&add, &[signaling & !(1 << 40), one, 0]), [boxed32(0x7fc0_0000), 0]);
    // FCLASS.H, FCVT.W.H (the largest integer for a NaN), FCVT.D.H, FEQ.H.
    let classify = selected(Unit::Classify, "binary16", &[RISCV, IN_64]).expect("an operation");
    assert_eq!([results(&classify, &[boxed16(0x3c00)]), results(&classify, &[0x3c00])], [[1 << 6], [1 << 9]]);
    let to_integer = selected(Unit::Convert, "binary16", &[(Setting::To, "int32"), RISCV, IN_64]).expect("one");
    assert_eq!(results(&to_integer, &[boxed16(0x4200), 1]), [3, 0]);
    assert_eq!(results(&to_integer, &[0x4200, 1]), [0x7fff_ffff, 0b1000]);
    let widened = selected(Unit::Convert, "binary16", &[(Setting::To, "binary64"), RISCV]).expect("an operation");
    assert_eq!(widened.module_name(), "convert_binary16_to_binary64_any_riscv_nan_boxed64_flags");
    assert_eq!(results(&widened, &[boxed16(0x3c00), 0]), [0x3ff0_0000_0000_0000, 0]);
    assert_eq!(results(&widened, &[0x3c00, 0]), [0x7ff8_0000_0000_0000, 0]);
    let compare = selected(Unit::Compare, "binary16", &[RISCV, IN_64]).expect("an operation");
    assert_eq!(results(&compare, &[boxed16(0x3c00), boxed16(0x3c00)])[1], 1);
    assert_eq!(results(&compare, &[boxed16(0x3c00), 0x3c00])[1..4], [0, 0, 1]);
    // FSGNJ.S, FSGNJN.S, FSGNJX.S: an operand without a box is a positive NaN.
    let sgnj = selected(Unit::Sgnj, "binary32", &[RISCV, IN_64]).expect("an operation");
    let (minus, nan) = (boxed32(0xc000_0000), boxed32(0xffff_ffff));
    let ways = |a: u64, b: u64| [0, 1, 2, 3].map(|op| results(&sgnj, &[a, b, op])[0]);
    assert_eq!(ways(one, minus), [0xbf80_0000, 0x3f80_0000, 0xbf80_0000, 0xbf80_0000].map(boxed32));
    assert_eq!(ways(minus, minus), [0xc000_0000, 0x4000_0000, 0x4000_0000, 0x4000_0000].map(boxed32));
    assert_eq!(ways(nan, one), [0x7fff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff].map(boxed32));
    assert_eq!(ways(0xbf80_0000, minus), [0xffc0_0000, 0x7fc0_0000, 0xffc0_0000, 0xffc0_0000].map(boxed32));
}

/// For each value of `fmt`, a box leaves the bits of the format that it chooses.
#[test]
fn boxes_of_several_formats() {
    let words = [(Setting::NanBoxing, "40"), (Setting::Acc, "binary32+binary16"), (Setting::Flags, "true")];
    let operation = selected(Unit::Fmac, "binary32+binary16", &words).expect("an operation");
    assert_eq!(operation.module_name(), "fmac_binary32_acc_binary32_or_binary16_acc_binary16_rne_flags_boxed40");
    let plain: Vec<Model> = operation.choices().iter().map(Model::new).collect();
    let model = Model::new(&operation);
    let (mut random, mut columns, mut wanted) = (Random(1), vec![vec![]; 4], vec![]);
    for turn in 0..3000_u64 {
        let fmt = turn % 2;
        let (bits, nan) = if fmt == 0 { (32, 0x7fc0_0000) } else { (16, 0x7e00) };
        let box_bits = (1_u64 << 40) - (1 << bits);
        let mut word = || {
            let code = random.bits() & ((1 << bits) - 1);
            match random.bits() % 6 {
                0 => (code | random.bits() & box_bits, None),
                1 => ((code | box_bits) ^ 1 << (bits + random.bits() % (40 - bits)), None),
                _ => (code | box_bits, Some(code)),
            }
        };
        let operands = [word(), word(), word()];
        let is_boxed = |word: u64| word & box_bits == box_bits;
        let codes = operands.map(|(word, code)| code.unwrap_or(if is_boxed(word) { word & !box_bits } else { nan }));
        let mut expected = plain[fmt as usize].evaluate(&codes);
        expected[0] |= Word::from(box_bits);
        let inputs: Vec<u64> = operands.iter().map(|(word, _)| *word).chain([fmt]).collect();
        assert_eq!(model.evaluate(&inputs), expected, "{inputs:x?}");
        columns.iter_mut().zip(&inputs).for_each(|(column, word)| column.push(*word));
        wanted.push(expected);
    }
    let views: Vec<Column> = columns.iter().map(|words| Column { limbs: 1, words }).collect();
    let mut outputs = [vec![0; wanted.len()], vec![0; wanted.len()]];
    let mut into: Vec<ColumnMut> = outputs.iter_mut().map(|words| ColumnMut { limbs: 1, words }).collect();
    model.evaluate_columns(&views, &mut into);
    for (vector, expected) in wanted.iter().enumerate() {
        assert_eq!([outputs[0][vector], outputs[1][vector]].map(Word::from), expected[..], "vector {vector}");
    }
}

#[test]
fn what_a_profile_leaves_to_the_user() {
    let of = |unit, formats, words: &[(Setting, &str)]| selected(unit, formats, words).expect("an operation");
    let name = |operation: Operation| operation.module_name();
    assert_eq!(name(of(Unit::Mul, "binary32", &[RISCV])), "mul_binary32_any_flags");
    assert_eq!(name(of(Unit::Mul, "binary32", &[RISCV, (Setting::Round, "rtz")])), "mul_binary32_rtz_flags");
    // FMADD.H has one format; the accumulator's default of binary16 is binary32.
    assert_eq!(name(of(Unit::Fmac, "binary16", &[RISCV])), "fmac_binary16_acc_binary16_any_flags");
    let both = of(Unit::Fmac, "binary32+binary16", &[RISCV]);
    assert_eq!(name(both), "fmac_binary32_acc_binary32_or_binary16_acc_binary16_any_flags_boxed32");
    let wide = [(Setting::Acc, "binary32"), RISCV];
    assert_eq!(name(of(Unit::Fmac, "binary16", &wide)), "fmac_binary16_acc_binary32_any_boxed32_flags");
    let before = (Setting::Tininess, "before");
    assert_eq!(name(of(Unit::Mul, "binary32", &[before, RISCV])), "mul_binary32_any_flags_before");
    assert_eq!(name(of(Unit::Mul, "binary32+binary16", &[RISCV])), "mul_binary32_or_binary16_any_flags_boxed32");
    assert_eq!(name(of(Unit::Mul, "binary64", &[RISCV, IN_64])), "mul_binary64_any_flags");
    let canonical = [(Setting::To, "int32"), (Setting::NanResult, "canonical"), RISCV];
    assert_eq!(name(of(Unit::Convert, "binary32", &canonical)), "convert_binary32_to_int32_any_canonical_nan_flags");
    let words = of(Unit::Mul, "binary32+binary16", &[RISCV]).words();
    for word in [("format", "binary32+binary16"), ("round", "any"), ("nan-boxing", "32"), ("flags", "true")] {
        assert!(words.contains(&(word.0, word.1.to_string())), "{words:?}");
    }
    assert_eq!(Profile::ALL.map(Profile::name), ["riscv"]);
}

#[test]
fn what_has_no_boxes() {
    let refused = |unit, formats, words: &[(Setting, &str)]| selected(unit, formats, words).expect_err("no operation");
    let in_16 = (Setting::NanBoxing, "16");
    assert_eq!(
        refused(Unit::Mul, "binary32", &[in_16]),
        "`nan-boxing 16` is too narrow for binary32, which has 32 bits"
    );
    for format in ["posit8_2", "e2m1f", "int8", "nf4", "dlfloat16"] {
        let why = refused(Unit::Compare, format, &[in_16]);
        let wanted = "cannot be NaN-boxed, those of floating-point formats with a sign and a NaN can; leave `nan-boxing` and `profile` out";
        assert!(why.contains(wanted), "{format}: {why}");
    }
    for (unit, words) in [
        (Unit::Fmac, &[(Setting::Out, "e5m2"), in_16][..]),
        (Unit::Add, &[(Setting::Round, "sr4"), (Setting::Random, "internal"), in_16]),
    ] {
        let why = refused(unit, "binary16", words);
        assert!(why.contains("units without a second output and without internal random bits"), "{why}");
    }
    assert!(
        refused(Unit::Dot, "binary16", &[in_16]).contains("dot takes no boxes (`nan-boxing`); only decode, encode,")
    );
    let why = refused(Unit::Mma, "binary16", &[RISCV]);
    assert!(why.contains("mma does not follow an instruction set (`profile`); only decode"), "{why}");
    for format in ["posit8_2", "int8", "k8p3se", "e8m0"] {
        let why = refused(Unit::Sgnj, format, &[]);
        assert!(
            why.contains("needs a floating-point format in which every code, zeros and NaNs included, has a sign bit"),
            "{why}"
        );
    }
}
