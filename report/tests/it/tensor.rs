//! Arrays in files, and what formats make of them.

use binade_golden::{Codec, Literal, Model, Policy, Value};
use binade_report::tensor::{Analysis, Errors, TensorError, TensorFile, analyze};
use binade_spec::word::{field, low_bits};
use binade_spec::{Format, Overflow, Selection, Unit, Word};
use safetensors::tensor::{Dtype, TensorView};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const NUMBERS: [f32; 10] = [1.0, 1.1, -0.3, 0.0, 60_000.0, 1e6, 1e-5, 1e-9, f32::NAN, f32::NEG_INFINITY];

fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    header.extend(std::iter::repeat_n(' ', 127 - (10 + header.len()) % 64));
    header.truncate(header.len() - (10 + header.len() + 1) % 64);
    header.push('\n');
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00".as_slice(), &length, header.as_bytes(), data].concat()
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn write(folder: &TempDir, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a file");
    path
}

fn format(name: &str) -> Format {
    name.parse().expect("a format")
}

fn analyzed(path: &Path, formats: &[&str]) -> Result<Analysis, TensorError> {
    let file = TensorFile::open(path)?;
    let formats: Vec<Format> = formats.iter().map(|name| format(name)).collect();
    analyze(&file, &file.arrays.iter().collect::<Vec<_>>(), &formats, &|_| true)
}

/// The same by the golden model, number by number.
fn by_hand(name: &str, numbers: &[f32], smallest_full: f64, largest: f64) -> Errors {
    let format = format(name);
    let mut errors = Errors::default();
    for number in numbers.iter().copied().filter(|number| number.is_finite()).map(f64::from) {
        let literal: Literal = format!("{number:e}").parse().expect("a number");
        let code = format.encode_literal(&literal, &Policy::new(format.default_rounding(), Overflow::Saturate));
        let value: f64 = match format.decode(code) {
            Value::Finite(exact) => {
                exact.n as f64 * f64::from(exact.k).exp2() * if exact.negative { -1.0 } else { 1.0 }
            }
            _ => 0.0,
        };
        errors.numbers += 1;
        errors.flushed += u64::from(number != 0.0 && value == 0.0);
        errors.below_full_precision += u64::from(value != 0.0 && value.abs() < smallest_full);
        errors.overflows += u64::from(number.abs() > largest);
        errors.inexact += u64::from(value != number);
        errors.squared_errors.add((value - number).abs(), 0);
        errors.squares.add(number.abs(), 0);
        if number != 0.0 {
            errors.max_relative_error = errors.max_relative_error.max(((value - number) / number).abs());
        }
    }
    errors
}

#[test]
fn figures_are_those_of_the_golden_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(&folder, "a name with spaces.npy", &npy("<f4", "(2, 5)", &bytes(&NUMBERS)));
    let expected = [
        ("e5m2", 2_f64.powi(-14), 57_344.0),
        ("e4m3fn", 2_f64.powi(-6), 448.0),
        ("e5m2b1", 2_f64.powi(-15), 131_072.0),
        ("posit8_1", 0.25, 4096.0),
        ("binary16", 2_f64.powi(-14), 65_504.0),
    ];
    let analysis = analyzed(&path, &expected.map(|(name, ..)| name)).expect("an analysis");
    let survey = &analysis.survey;
    assert_eq!((survey.elements, survey.zeros, survey.nans, survey.infinities), (10, 1, 1, 1));
    for (judgement, (name, full, largest)) in analysis.judgements.iter().zip(expected) {
        assert_eq!(judgement.plain, by_hand(name, &NUMBERS, full, largest), "{name}");
    }
}

/// Numbers that a format has after a scale have no error there, and blocks find their scales by themselves.
#[test]
fn scales_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let small: Vec<f32> = (0..64).map(|n| (1.0 + (n % 4) as f32 / 4.0) * 2_f32.powi(-40 - n % 9)).collect();
    let path = write(&folder, "small.npy", &npy("<f4", "(64,)", &bytes(&small)));
    let analysis = analyzed(&path, &["e5m2", "bfloat16"]).expect("an analysis");
    let [e5m2, bfloat16] = analysis.judgements.as_slice() else { panic!("two formats") };
    assert_eq!(e5m2.plain.flushed, 64);
    assert_eq!((e5m2.scaled.inexact, e5m2.scaled.sqnr_db(), e5m2.blocks.sqnr_db()), (0, None, None));
    assert!(e5m2.scale.is_some_and(|scale| (34..=55).contains(&scale)), "{:?}", e5m2.scale);
    // What needs no scale has none.
    assert_eq!((bfloat16.scale, bfloat16.plain.inexact), (Some(0), 0));
}

/// The figures of blocks are those of `mx-quantize`, in every family.
#[test]
fn blocks_are_those_of_the_unit() {
    let folder = folder_of_blocks();
    let names = [
        "e5m2",
        "e4m3fn",
        "e2m1f",
        "e5m2b1",
        "e4m3b2",
        "k8p4se",
        "dlfloat16",
        "posit8_1",
        "bposit8",
        "takum_linear8",
        "hifloat8",
        "nf4",
        "mxint8",
    ];
    let analysis = analyzed(&folder.path().join("blocks.npy"), &names).expect("an analysis");
    for (judgement, name) in analysis.judgements.iter().zip(names) {
        let (mut errors, mut squares, mut beyond) = (0.0, 0.0, 0);
        for block in blocks() {
            for (x, y) in block.iter().zip(of_unit(name, &block)) {
                let x = f64::from(*x);
                (errors, squares) = (errors + (x - y) * (x - y), squares + x * x);
                beyond += u64::from(!y.is_finite());
            }
        }
        let decibels = judgement.blocks.sqnr_db().unwrap_or(f64::INFINITY);
        let of_unit = 10.0 * f64::log10(squares / errors);
        let is_same = decibels == of_unit || (decibels - of_unit).abs() < 1e-6;
        assert!(beyond == 0 && is_same, "{name}: {decibels} dB, {of_unit} dB of the unit");
    }
}

/// 40 blocks of numbers over some binades.
fn blocks() -> Vec<[f32; 32]> {
    let number = |at: i32| {
        (1.0 + (at * 37 % 128) as f32 / 128.0) * 2_f32.powi(at * 11 % 9 - 6) * if at % 3 == 0 { -1.0 } else { 1.0 }
    };
    (0..40).map(|block| std::array::from_fn(|at| number(block * 32 + at as i32) * 2_f32.powi(block - 20))).collect()
}

fn folder_of_blocks() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, "blocks.npy", &npy("<f4", "(40, 32)", &bytes(blocks().as_flattened())));
    folder
}

/// The numbers that the unit `mx-quantize` makes of a block: elements times scale.
fn of_unit(name: &str, block: &[f32; 32]) -> Vec<f64> {
    let element = format(name);
    let model = Model::new(&Selection::new(Unit::MxQuantize, element).operation().expect("a unit"));
    let x = block.iter().rev().fold(Word::ZERO, |x, number| x << 32 | Word::from(number.to_bits()));
    let results = model.evaluate(&[x]);
    let number = |format: Format, code| match format.decode(code) {
        Value::Finite(exact) => exact.n as f64 * f64::from(exact.k).exp2() * if exact.negative { -1.0 } else { 1.0 },
        Value::Zero { .. } => 0.0,
        Value::Infinite { .. } | Value::Nan => f64::INFINITY,
    };
    let scale = number(Format::e8m0(), low_bits(&results[1]));
    (0..32).map(|lane| number(element, field(&results[0], lane * element.width(), element.width())) * scale).collect()
}

/// Numbers beyond the largest value of a codebook with infinities saturate, and the page has plots of them.
#[test]
fn numbers_beyond_a_codebook_saturate() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(&folder, "a.npy", &npy("<f4", "(2,)", &bytes(&[0.3, 5e5])));
    let analysis = analyzed(&path, &["hifloat8"]).expect("an analysis");
    let judgement = &analysis.judgements[0];
    assert_eq!((judgement.plain.overflows, judgement.plain.max_relative_error), (1, (5e5 - 32768.0) / 5e5));
    assert!(judgement.plain.sqnr_db().is_some_and(f64::is_finite));
    let html = binade_report::tensor::page(&analysis, "a.npy", "binade report tensor a.npy").html("");
    assert!(html.contains("hifloat8"));
}

/// One number far above all others decides about the scale, wherever it is among them.
#[test]
fn an_outlier_is_not_scaled_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut numbers: Vec<f32> = (0..100_000).map(|n| 0.001 * (1.0 + (n % 977) as f32 / 977.0)).collect();
    numbers[77_777] = 300.0;
    let path = write(&folder, "outlier.npy", &npy("<f4", "(100000,)", &bytes(&numbers)));
    let analysis = analyzed(&path, &["e4m3fn"]).expect("an analysis");
    let judgement = &analysis.judgements[0];
    assert!(judgement.scale.is_some_and(|scale| scale <= 0), "{:?}", judgement.scale);
    assert_eq!(judgement.scaled.overflows, 0);
    assert!(!judgement.plain.squared_errors.is_below(&judgement.scaled.squared_errors));
}

/// Numbers whose squares binary64 does not hold have the figures of the same numbers near 1.
#[test]
fn squares_beyond_binary64_have_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    let near_one: Vec<f64> = (0..100).map(|n| 1.0 + f64::from(n) / 77.0).collect();
    let analysis = |factor: f64| {
        let data: Vec<u8> = near_one.iter().flat_map(|number| (number * factor).to_le_bytes()).collect();
        let path = write(&folder, "a.npy", &npy("<f8", "(100,)", &data));
        analyzed(&path, &["e4m3fn", "posit8_1", "binary64"]).expect("an analysis")
    };
    let decibels = |errors: &Errors| errors.sqnr_db().expect("an error");
    let expected = analysis(1.0);
    for (exponent, flushed, plain) in [(-665, 100, 0.0..1e-9), (664, 0, 0.0..1e-9), (-1020, 100, 0.0..1e-9)] {
        let analysis = analysis(2_f64.powi(exponent));
        let [e4m3fn, posit, binary64] = analysis.judgements.as_slice() else { panic!("three formats") };
        assert_eq!(e4m3fn.plain.flushed, flushed, "2^{exponent}");
        assert!(plain.contains(&decibels(&e4m3fn.plain)), "2^{exponent}: {:?}", e4m3fn.plain.sqnr_db());
        assert!(decibels(&posit.plain).is_finite(), "2^{exponent}");
        for (one, other) in [e4m3fn, posit].into_iter().zip(&expected.judgements) {
            let difference = decibels(&one.scaled) - decibels(&other.scaled);
            assert!(difference.abs() < 1e-9, "2^{exponent}, {}: {difference}", one.format);
        }
        assert_eq!(binary64.plain.sqnr_db(), None);
        let html = binade_report::tensor::page(&analysis, "a.npy", "binade report tensor a.npy").html("");
        assert!(html.contains("Of these formats binary64 keeps most of it as it is (no error)"), "2^{exponent}");
        assert!(!html.contains("NaN dB") && !html.contains("inf dB"), "2^{exponent}");
    }
}

/// The same numbers in every kind of file, in either byte order, compressed or not, give the same figures.
#[test]
fn files_of_all_kinds_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = npy("<f4", "(10,)", &bytes(&NUMBERS));
    let plain = analyzed(&write(&folder, "a.npy", &data), &["e5m2"]).expect("an analysis").judgements[0].plain.clone();
    let big: Vec<u8> = NUMBERS.iter().flat_map(|number| number.to_be_bytes()).collect();
    let wide: Vec<u8> = NUMBERS.iter().flat_map(|number| f64::from(*number).to_le_bytes()).collect();
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(vec![]));
    for (name, method) in [("stored", zip::CompressionMethod::Stored), ("deflated", zip::CompressionMethod::Deflated)] {
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        archive.start_file(format!("{name}.npy"), options).expect("a member");
        archive.write_all(&data).expect("memory");
    }
    let archive = archive.finish().expect("an archive").into_inner();
    let numbers = bytes(&NUMBERS);
    let view = TensorView::new(Dtype::F32, vec![10], &numbers).expect("a tensor");
    let flags = TensorView::new(Dtype::BOOL, vec![2], &[0, 1]).expect("a tensor");
    let tensors = safetensors::serialize([("weight", view), ("mask", flags)], None).expect("a file");
    let files = [
        ("b.npy", npy(">f4", "(10,)", &big)),
        ("c.NPY", npy("<f8", "(5, 2)", &wide)),
        ("d.npz", archive),
        ("e.safetensors", tensors),
    ];
    for (name, content) in files {
        let path = write(&folder, name, &content);
        let analysis = analyzed(&path, &["e5m2"]).expect(name);
        assert!(!analysis.arrays.is_empty(), "{name}");
        for measured in &analysis.arrays {
            assert_eq!(measured.judgements[0].plain, plain, "{name}");
        }
    }
    let file = TensorFile::open(&folder.path().join("e.safetensors")).expect("a file");
    assert_eq!(file.others, [("mask".to_string(), "BOOL".to_string())]);
    assert_eq!(TensorFile::open(&folder.path().join("d.npz")).expect("a file").arrays.len(), 2);
}

/// A file that is not whole says so, and so does one of another kind.
#[test]
fn wrong_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = npy("<f4", "(10,)", &bytes(&NUMBERS));
    let header = br#"{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}"#;
    let short = [&(header.len() as u64).to_le_bytes()[..], header, &[0; 8]].concat();
    // Of version 2, whose lengths have 32 bits.
    let long = [b"\x93NUMPY\x02\x00\xf0\xff\xff\xff".as_slice(), &data[10..]].concat();
    let wide = npy("<f4", "(4294967296, 4294967296)", &[]);
    for (name, content, said) in [
        ("long.npy", long.as_slice(), "is damaged: its header is longer than 1 MB"),
        ("wide.npy", &wide, "is damaged: the shape of `wide` is larger than any file"),
        ("short.npy", &data[..data.len() - 1], "is damaged: it ends before its last element"),
        ("text.npy", b"1.0\n2.0\n".as_slice(), "is damaged"),
        ("empty.npy", b"", "is damaged"),
        ("text.npz", b"not an archive", "is damaged"),
        ("short.safetensors", &short, "is damaged: `a` is not where the header says"),
        ("huge.safetensors", &[0xff; 16], "is damaged: its header is longer"),
        ("a.csv", b"1,2", "is not an array file, which ends in .npy, .npz or .safetensors"),
    ] {
        let error = analyzed(&write(&folder, name, content), &["e5m2"]).expect_err(name).to_string();
        assert!(error.contains(said) && error.contains(name), "{name}: {error}");
    }
    let absent = analyzed(&folder.path().join("absent.npy"), &["e5m2"]).expect_err("no file").to_string();
    assert!(absent.starts_with("cannot read"), "{absent}");
}

#[test]
fn formats_beyond_binary64_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(&folder, "a.npy", &npy("<f4", "(10,)", &bytes(&NUMBERS)));
    assert!(matches!(analyzed(&path, &["binary128"]), Err(TensorError::TooWide { .. })));
}

/// The user may stop it at any piece.
#[test]
fn an_analysis_can_be_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(&folder, "a.npy", &npy("<f4", "(10,)", &bytes(&NUMBERS)));
    let file = TensorFile::open(&path).expect("a file");
    let stopped = analyze(&file, &[&file.arrays[0]], &[format("e5m2")], &|_| false);
    assert!(matches!(stopped, Err(TensorError::Stopped)));
}

/// Nothing but zeros, or nothing at all, has figures, too.
#[test]
fn arrays_without_numbers_are_no_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for (shape, numbers, said) in [
        ("(3,)", vec![0.0_f32; 3], "no error"),
        ("(2,)", vec![f32::NAN; 2], "no numbers"),
        ("(0,)", vec![], "no numbers"),
    ] {
        let path = write(&folder, "a.npy", &npy("<f4", shape, &bytes(&numbers)));
        let analysis = analyzed(&path, &["e5m2", "posit8_1"]).expect("an analysis");
        let errors = &analysis.judgements[0].plain;
        assert_eq!((errors.sqnr_db(), errors.sqnr_text().as_str()), (None, said));
        let html = binade_report::tensor::page(&analysis, "a.npy", "binade report tensor a.npy").html("");
        assert!(!html.contains("NaN to") && !html.contains(">inf<") && !html.contains("magnitudes from"));
        for kind in ["<td>subnormal</td>", "<td>tapered</td>"] {
            assert!(html.contains(kind), "{kind}");
        }
    }
}

/// In a browser there are no files: the bytes are read as those of a file are.
#[test]
fn bytes_in_memory_are_a_file() {
    let content = npy("<f4", "(10,)", &bytes(&NUMBERS));
    let folder = TempDir::new().expect("a folder");
    let path = write(&folder, "n.npy", &content);
    let in_memory = TensorFile::of_bytes("n.npy", content.clone()).expect("an array");
    let formats = [format("e5m2"), format("posit8_1")];
    let judged = |file: &TensorFile| {
        let analysis = analyze(file, &file.arrays.iter().collect::<Vec<_>>(), &formats, &|_| true).expect("figures");
        analysis.judgements.into_iter().map(|of| [of.plain, of.scaled, of.blocks]).collect::<Vec<_>>()
    };
    assert_eq!(judged(&in_memory), judged(&TensorFile::open(&path).expect("an array")));
    let cut = TensorFile::of_bytes("n.npy", content[..content.len() - 1].to_vec()).expect("a header");
    let error = analyze(&cut, &[&cut.arrays[0]], &formats, &|_| true).expect_err("the last element is missing");
    assert_eq!(error.to_string(), "`n.npy` is damaged: it ends before its last element");
    assert!(TensorFile::of_bytes("n.txt", content).is_err());
}
