//! The C functions by themselves, and in a bench of SystemVerilog that Verilator builds.

use binade_c::{binade_close, binade_error, binade_eval, binade_eval_output, binade_open, binade_outputs};
use binade_generator::generate;
use binade_spec::{Selection, Unit};
use binade_tools::{Source, Tools, run};
use std::ffi::{CStr, CString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn result(words: &str, operands: [u64; 4]) -> Result<u64, String> {
    let words = CString::new(words).unwrap();
    // SAFETY: a string that ends with a zero, and a unit that is open.
    unsafe {
        let unit = binade_open(words.as_ptr());
        if unit.is_null() {
            return Err(CStr::from_ptr(binade_error()).to_str().unwrap().into());
        }
        let [a, b, c, d] = operands;
        let result = binade_eval(unit, a, b, c, d);
        binade_close(unit);
        Ok(result)
    }
}

#[test]
fn units_are_opened_by_words() {
    assert_eq!(result("unit=add format=e5m2", [0x3c, 0x40, 0, 0]), Ok(0x42));
    // Bits above a code's do not count, nor do operands that the unit does not have.
    assert_eq!(result(" format=e5m2  unit=add", [0xff3c, 0x340, 7, 7]), Ok(0x42));
    assert_eq!(result("unit=mul format=binary16 round=rtz", [0x3c01, 0x3c01, 0, 0]), Ok(0x3c02));
    // Half of the way up, with and without the top bit of the random word.
    assert_eq!(result("unit=encode format=e4m3fn round=sr1", [0x3f88_0000, 1, 0, 0]), Ok(0x39));
    assert_eq!(result("unit=encode format=e4m3fn round=sr1", [0x3f88_0000, 0, 0, 0]), Ok(0x38));
}

/// Each output of a unit.
fn results(words: &str, operands: [u64; 4]) -> Vec<u64> {
    let words = CString::new(words).unwrap();
    // SAFETY: a string that ends with a zero, and a unit that is open.
    unsafe {
        let unit = binade_open(words.as_ptr());
        assert!(!unit.is_null());
        let [a, b, c, d] = operands;
        let results = (0..binade_outputs(unit)).map(|output| binade_eval_output(unit, output, a, b, c, d)).collect();
        assert_eq!(binade_eval_output(unit, 9, a, b, c, d), 0);
        binade_close(unit);
        results
    }
}

#[test]
fn each_output_is_evaluated() {
    // Overflow and inexact; invalid; none.
    let mul = "unit=mul format=binary16 flags=true";
    assert_eq!(results(mul, [0x7bff, 0x7bff, 0, 0]), [0x7c00, 0b0101]);
    assert_eq!(results(mul, [0x7c00, 0, 0, 0]), [0x7e00, 0b1000]);
    assert_eq!(results(mul, [0x13c00, 0x3c00, 7, 7]), [0x3c00, 0]);
    assert_eq!(results("unit=fmac format=e5m2 out=e4m3fn", [0x3c, 0x3c, 0x3c00, 0]), [0x4000, 0x40]);
}

#[test]
fn what_is_no_unit_is_refused_in_a_sentence() {
    let error = |words: &str| result(words, [0; 4]).unwrap_err();
    assert_eq!(error("add e5m2"), "\"add\": words look like unit=fmac format=e5m2b1 round=rtz");
    assert_eq!(error("format=e5m2"), "the unit is missing, as in unit=fmac format=e5m2b1");
    assert!(error("unit=add format=e4m3b9").contains("use at most b7"));
    assert!(error("unit=add format=e5m2 round=up").contains("one of rne"));
    assert!(error("unit=add format=e5m2 color=red").contains("there is no setting color"));
    assert!(error("unit=add format=binary128").contains("port a of add has 128 bits"));
    assert!(error("unit=accumulate format=e5m2").contains("keeps a state"));
}

#[test]
fn null_can_be_closed() {
    // SAFETY: null is no unit.
    unsafe { binade_close(std::ptr::null_mut()) };
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The shared library, which is built beside the tests.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().join("libbinade_c.so")
}

/// The header is what C takes, and the library has what it declares.
#[test]
#[ignore = "long"]
fn a_program_in_c_calls_the_golden_model() {
    let scratch = tempfile::tempdir().unwrap();
    let mut command = Tools::new(Source::Pinned).compiler().unwrap().command();
    command.args(["-x", "c", "-Wall", "-Wextra", "-Werror", "-o", "example", "-I"]).arg(folder());
    command.arg(folder().join("example.c")).args(["-x", "none"]).arg(library());
    run(command.current_dir(scratch.path()), "compiling the example").unwrap();
    let said = run(&mut Command::new(scratch.path().join("example")), "running the example").unwrap();
    assert_eq!(said.stdout, "0x3dc0\n");
}

/// Says what the example bench says of this Verilog.
fn bench(verilog: &str) -> Result<String, String> {
    let scratch = tempfile::tempdir().unwrap();
    let unit = scratch.path().join("fmac_e5m2b1_acc_binary16_rne.v");
    fs::write(&unit, verilog).unwrap();
    let mut command = Tools::new(Source::Pinned).verilator().unwrap().command();
    // The pinned Verilator does not say how its compiler takes coroutines.
    command.args([
        "--binary",
        "-CFLAGS",
        "-std=gnu++20 -fcoroutines",
        "--output-split",
        "0",
        "--top-module",
        "example_tb",
    ]);
    command.args([folder().join("binade_pkg.sv"), unit, folder().join("example_tb.sv"), library()]);
    // Most of the time goes into compiling Verilator's runtime.
    command.env("MAKEFLAGS", "OPT_GLOBAL=-O0");
    run(command.current_dir(scratch.path()), "building the bench").map_err(|error| error.to_string())?;
    let said = Command::new(scratch.path().join("obj_dir/Vexample_tb")).output().unwrap();
    let text = String::from_utf8(said.stdout).unwrap() + &String::from_utf8(said.stderr).unwrap();
    if said.status.success() { Ok(text) } else { Err(text) }
}

#[test]
#[ignore = "long"]
fn a_bench_of_systemverilog_calls_the_golden_model() {
    let fmac = Selection::new(Unit::Fmac, "e5m2b1".parse().unwrap()).operation().unwrap();
    let right = generate(fmac).verilog;
    let said = bench(&right).unwrap();
    assert!(said.contains("0 of 1000000 vectors are wrong"), "{said}");
    // Ties go wrong.
    let tie = "guard & (sticky | trailing[0])";
    assert!(right.contains(tie));
    let said = bench(&right.replace(tie, "guard")).unwrap_err();
    assert!(said.contains("the unit is not what the golden model says"), "{said}");
}
