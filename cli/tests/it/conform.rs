//! `binade conform`: right, wrong and odd vectors of other tools, in every syntax.

use crate::common::{self, BINADE, binade_in, folder, outcome, run_in};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The output of `conform` for a text on standard input.
fn piped(text: &str, arguments: &[&str]) -> (i32, String, String) {
    let mut command = binade_in(Path::new("."));
    let output = command.arg("conform").args(arguments).write_stdin(text).output().expect("the program starts");
    outcome(&output)
}

/// The output of `conform` for a file.
fn filed(name: &str, text: &str, more: &[&str]) -> (i32, String, String) {
    let folder = folder();
    fs::write(folder.path().join(name), text).unwrap();
    run_in(folder.path(), &[&["conform", name], more].concat())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// 1 + 1, 1 + an ulp rounded, the largest number twice, -infinity and infinity, a signaling NaN.
const ADD: &str = "3C00 3C00 4000 00\n3C01 3C00 4000 01\n7BFF 7BFF 7C00 05\nFC00 7C00 FE00 10\n7C01 3C00 7E00 10\n";

#[test]
fn lines_of_testfloat() {
    let words = ["--format", "binary16", "--unit", "add", "--round", "rne", "--flags"];
    for arguments in [&words[..], &["--function", "f16_add"], &["-", "--as", "TestFloat", "--function", "f16_add"]] {
        let (code, stdout, stderr) = piped(ADD, arguments);
        assert_eq!(code, 0, "{stderr}");
        assert!(stdout.contains("| rne      | tiny after |       5 |             0 |           0 |"), "{stdout}");
        assert_eq!(stderr, "golden model and RTL (lanes on the circuit) agree with all 5 vectors\n");
    }
}

#[test]
fn a_wrong_result_and_a_wrong_flag_are_found() {
    let wrong = ADD.replace("3C01 3C00 4000 01", "3C01 3C00 4001 01").replace("7BFF 7C00 05", "7BFF 7C00 04");
    let (code, stdout, stderr) = piped(&wrong, &["--function", "f16_add"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("|       5 |             2 |           2 |"), "{stdout}");
    insta::assert_snapshot!("conform_differences", stderr);
    let (code, stdout, _) = piped(&wrong, &["--function", "f16_add", "--json"]);
    let report = json(&stdout);
    assert_eq!((code, &report["rows"][0]["differences"][1]["line"]), (1, &3.into()));
    assert_eq!(report["rows"][0]["differences"][1]["flags"][0], "overflow");
    // Without --flags, the file's flags are ignored.
    let (code, _, _) = piped(&ADD.replace("05", "00"), &["--format", "binary16", "--unit", "add"]);
    assert_eq!(code, 0);
}

/// Rows of a unit with several lanes: the codes of each, or whole words; of a matrix, and of a module of the user.
#[test]
fn lanes_are_codes_separated_by_blanks() {
    let dot = ["--as", "csv", "--format", "binary16", "--unit", "dot", "--lanes", "2", "--acc", "binary32"];
    let right = "a,b,c,y\n0x3c00 0x4000,0x3c00 16384,0,0x40a00000\n0x40003c00,0x40003c00,0x0,0x40A00000\n";
    for more in [&[][..], &["--engine", "verilator"]] {
        let (code, stdout, stderr) = piped(right, &[&dot[..], more].concat());
        assert!(code == 0 && stderr.ends_with("agree with all 2 vectors\n"), "{stdout}{stderr}");
    }
    let (code, _, stderr) = piped("0x3c00 0x4000,0x3c00 0x4000,0,0x40a00001\n", &dot);
    let lane = "\n  b[1]   0x4000      0 10000 0000000000                  1*2^1  (binary16)\n";
    assert!(code == 1 && stderr.contains(lane) && stderr.contains("--replay 0x40003c00,0x40003c00,0x0"), "{stderr}");
    let mma = ["--as", "csv", "--format", "binary16", "--unit", "mma", "--acc", "binary16"];
    let mma = [&mma[..], &["--m", "2", "--n", "2", "--k", "2"]].concat();
    // The identity times a matrix, and one element wrong.
    let row = |last: &str| format!("0x3c00 0 0 0x3c00,1 2 3 4,0 0 0 0,1 2 3 {last}\n");
    let (code, stdout, stderr) = piped(&row("4"), &mma);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (code, _, stderr) = piped(&row("5"), &mma);
    assert!(stderr.contains("exact                                   1*2^-22\n"), "{stderr}");
    assert!(code == 1 && stderr.contains("d[3] file") && !stderr.contains("d[2] file"), "{stderr}");
    for (text, says) in [
        ("1 2 3,1 2,0,0\n", "a has 2 lanes: as many codes are expected, separated by blanks, not 3"),
        ("0x100000000,1 2,0,0\n", "0x100000000 has more than the 32 bits of a"),
        ("0x10000 0,1 2,0,0\n", "0x10000 has more than the 16 bits of a lane of a"),
        ("12,1 2,0,0\n", "`12` is not a word of 2 lanes such as 0x3c40"),
    ] {
        let (code, _, stderr) = piped(text, &dot);
        assert!(code == 2 && stderr.contains(says), "{stderr}");
    }
    let folder = folder();
    let unit = &dot[2..];
    let generated = [&["gen"], unit, &["--module", "mine", "--out", "."]].concat();
    assert_eq!(run_in(folder.path(), &generated).0, 0);
    fs::write(folder.path().join("rows.csv"), right).unwrap();
    let own = [&["conform", "rows.csv"], unit, &["--verilog", "mine.v", "--top", "mine"]].concat();
    let (code, stdout, stderr) = run_in(folder.path(), &own);
    assert_eq!(code, 0, "{stdout}{stderr}");
}

/// `--function` is that of the unit function, where that unit is named.
#[test]
fn vectors_of_a_function() {
    let words = ["--as", "csv", "--format", "e5m2", "--unit", "function", "--function", "exp2"];
    let (code, _, stderr) = piped("0x00,0x3c\n0x3c,0x40\n", &words);
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = piped("0x00,0x3c\n0x3c,0x41\n", &words);
    assert_eq!(code, 1, "{stderr}");
    let (code, _, stderr) = piped("", &[&words[..7], &["exp3"]].concat());
    assert_eq!(code, 2, "{stderr}");
}

/// Lines of TestFloat as RISC-V has it, for a unit with port rm and with boxes: codes of the format, and words of the registers.
#[test]
fn units_of_riscv() {
    let riscv = ["--function", "f16_add", "--profile", "riscv", "--nan-boxing", "32"];
    let boxed = ADD.replace("FC00 7C00 FE00", "FC00 7C00 7E00");
    let words = "FFFF3C00 FFFF3C00 FFFF4000 00\nFFFE3C00 FFFF3C00 FFFF7E00 00\n00003C00 3C00 7E00 00\n";
    for (rm, text) in [("0", boxed.as_str()), ("3", "3C01 3C00 4001 01\n"), ("2", "3C01 3C00 4000 01\n"), ("0", words)]
    {
        let (code, stdout, stderr) = piped(text, &[&riscv[..], &["--rm", rm]].concat());
        assert_eq!(code, 0, "{stderr}");
        let vectors = text.lines().count();
        assert!(stdout.contains(&format!("{vectors} |             0 |           0 |")), "{stdout}");
    }
    // Another rounding, a NaN with its sign, an operand without a box, a result without one.
    for (rm, text) in [
        ("3", "3C01 3C00 4000 01\n"),
        ("0", "FC00 7C00 FE00 10\n"),
        ("0", "FFFE3C00 FFFF3C00 FFFF4000 00\n"),
        ("0", "3C00 3C00 00004000 00\n"),
    ] {
        let (code, stdout, stderr) = piped(text, &[&riscv[..], &["--rm", rm]].concat());
        assert_eq!(code, 1, "{text}: {stderr}");
        assert!(stdout.contains("1 |             1 |           1 |"), "{stdout}");
    }
    // The value of rm in a column of its own.
    let (code, _, stderr) = piped("3C01 3C00 3 4001 01\n3C01 3C00 2 4000 01\n", &riscv);
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = piped(ADD, &["--function", "f16_add", "--rm", "2"]);
    assert_eq!(
        (code, stderr.as_str()),
        (2, "error: --rm: the unit has no port rm; add --round any, or leave --rm out\n")
    );
    let (code, _, stderr) = piped("", &["--function", "f16_add", "--round", "any", "--rm", "8"]);
    assert_eq!(code, 2, "{stderr}");
}

/// Subtractions, comparisons and conversions to integers are read as TestFloat defines them.
#[test]
fn functions_of_testfloat() {
    for (function, text) in [
        ("f16_div", "3C00 4200 3555 01\n3C00 0000 7C00 08\n0000 0000 7E00 10\n"),
        ("f32_sqrt", "40800000 40000000 00\n40000000 3FB504F3 01\nBF800000 7FC00000 10\n"),
        ("f16_sub", "3C00 3C00 0000 00\n3C00 BC00 4000 00\n7C00 7C00 7E00 10\n"),
        ("f16_le", "3C00 3C00 1 00\nBC00 3C00 1 00\n4000 3C00 0 00\n7E00 3C00 0 10\n"),
        ("f16_lt_quiet", "3C00 3C00 0 00\n7E00 3C00 0 00\n7C01 3C00 0 10\n"),
        ("f16_to_i32", "3E00 00000002 01\n7C00 80000000 10\nFC00 7FFFFFFF 10\n"),
        ("ui32_to_f16", "00000003 4200 00\nFFFFFFFF 7C00 05\n"),
        ("f32_mulAdd", "3F800000 40000000 3F800000 40400000 00\n"),
    ] {
        let (code, stdout, stderr) = piped(text, &["--function", function]);
        assert_eq!(code, 0, "{function}: {stderr}");
        let vectors = text.lines().count();
        assert!(stdout.contains(&format!("{vectors} |             0 |           0 |")), "{stdout}");
    }
    let (code, _, stderr) = piped("3E00 00000001 01\n", &["--function", "f16_to_i32"]);
    assert!(code == 1 && stderr.contains("standard input, line 1, f16_to_i32"), "{stderr}");
}

/// A conversion raises invalid for a signaling NaN and makes it quiet (IEEE 754-2019 section 6.2), for any formats.
#[test]
fn signaling_nans_become_quiet() {
    for (words, text) in [
        (&["--function", "f16_to_f32"][..], "7C01 7FC02000 10\nFDFF FFFFE000 10\n7E01 7FC02000 00\n"),
        (&["--function", "f32_to_f16"], "7F800001 7E00 10\nFFBFFFFF FFFF 10\n7FC00000 7E00 00\n"),
        (&["--function", "f16_to_f64"], "7C01 7FF8040000000000 10\n"),
        (&["--function", "f64_to_f32"], "7FF0000000000001 7FC00000 10\n"),
        (&["--format", "binary16", "--unit", "decode", "--flags"], "7C01 7FC02000 10\n7E01 7FC02000 00\n"),
        (&["--format", "binary16", "--unit", "encode", "--flags"], "7F800001 7E00 10\n"),
    ] {
        let (code, _, stderr) = piped(text, words);
        assert_eq!(code, 0, "{words:?}: {stderr}");
        let silent = text.replace(" 10", " 00");
        let (code, _, stderr) = piped(&silent, words);
        assert!(code == 1 && stderr.contains("file none; model invalid; RTL invalid"), "{words:?}: {stderr}");
    }
}

/// Two additions, a product that is tiny only before rounding, a conversion to binary64, a classification, and skipped cases.
const FPGEN: &str = "\
Floating point tests: A few

b32+ =0 i +1.000000P0 -Inf -> -Inf
b32- > x +1.000000P0 +0.000001P-126 -> +1.000000P0 x
b32* =0 +0.0012C8P-126 +1.5A1700P10 -> +1.000000P-126 xu
b32b64cff =0 i -0.000001P-126 -> -1.0000000000000P-149
b32?s =0 -0.000001P-126 -> 0x1
b32>C =0 +Zero -Zero -> -Zero
b32/ =0 +Zero +Zero -> Q i
b32V =0 +1.000000P2 -> +1.000000P1
b32% =0 +Zero +Zero -> Q i
b32+ =0 i S +Zero -> # i
b32<C =0 S +Zero -> Q i
";

#[test]
fn test_cases_of_fpgen() {
    let (code, stdout, stderr) = filed("few.fptest", FPGEN, &[]);
    assert_eq!((code, stderr.as_str()), (0, "golden model and RTL (lanes on the circuit) agree with all 8 vectors\n"));
    insta::assert_snapshot!("conform_fpgen", stdout);
    // The product is tiny before rounding, and the smallest normal number after rounding.
    let (code, _, stderr) = filed("few.fptest", FPGEN, &["--flags", "--tininess", "after"]);
    assert!(code == 1 && stderr.contains("few.fptest, line 5, b32*: golden model and RTL differ"), "{stderr}");
    let (code, stdout, stderr) =
        filed("few.fptest", FPGEN, &["--format", "binary32", "--unit", "sub", "--round", "rup"]);
    assert!(code == 0 && stdout.contains("left out 7: of other units than --unit"), "{stdout}{stderr}");
    let wrong = FPGEN.replace("-> -Inf", "-> +Inf");
    let (code, _, stderr) = filed("few.fptest", &wrong, &[]);
    assert!(code == 1 && stderr.contains("few.fptest, line 3, b32+: "), "{stderr}");
}

const K3P1UF: &str = "codepoint,value,subnormal\n0x00,0x0p+0, \n0x01,0x1p-3, \n0x02,0x1p-2, \n0x03,0x1p-1, \n\
    0x04,0x1p+0, \n0x05,0x1p+1, \n0x06,0x1p+2, \n0x07,NaN, \n";

#[test]
fn value_tables_of_p3109() {
    let (code, stdout, stderr) = filed("Binary3p1uf.csv", K3P1UF, &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stdout.contains("| Binary3p1uf.csv | decode    | rne      | -     |       8 |             0 |"),
        "{stdout}"
    );
    let (code, _, stderr) = filed("Binary3p1uf.csv", &K3P1UF.replace("0x1p+1", "0x1.8p+1"), &[]);
    assert!(code == 1 && stderr.contains("Binary3p1uf.csv, line 7, decode: "), "{stderr}");
    let (code, _, stderr) = filed("table.csv", K3P1UF, &["--as", "p3109", "--format", "k3p1uf"]);
    assert_eq!(code, 0, "{stderr}");
    // Beyond binary128, whose exponent field has 15 bits: this value needs 16.
    let (code, stdout, stderr) = filed("Binary16p1uf.csv", "0x0001,0x1p-32767, \n0xfffe,0x1p+32766, \n", &[]);
    assert!(code == 0 && stdout.contains("convert"), "{stdout}{stderr}");
}

#[test]
fn tables_of_codes() {
    let words = ["--format", "e5m2", "--unit", "mul"];
    let (code, _, stderr) = filed("products.csv", "a,b,y\n0x3c,0x40,0x40\n60,0b1000000,64\n", &words);
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = filed("products.csv", "0x3c,0x40,0x40\n0x3c,0x40,0x41\n", &words);
    assert!(code == 1 && stderr.contains("products.csv, line 2, mul e5m2: "), "{stderr}");
}

#[test]
fn what_cannot_be_read_is_said_with_its_line() {
    let function = ["--function", "f16_add"];
    for (text, arguments, sentence) in [
        ("", &function[..], "standard input: it contains no vectors"),
        (
            "3C00 3C00 4000 00\n3C00 3C00 4000\n",
            &function,
            "standard input, line 2: 4 columns are expected, a b y flags",
        ),
        ("3C00 13C00 4000 00\n", &function, "line 1: `13C00` has more than the 16 bits of b"),
        ("3C00 3C00 4000 0\n", &function, "line 1: `0` is not a byte of TestFloat's flags"),
        ("3C00 hello 4000 00\n", &function, "line 1: `hello` is not a hexadecimal number"),
        ("", &["--function", "f16_rem"], "--function f16_rem: no unit computes `f16_rem`"),
        ("", &[], "the name does not tell the syntax; give --as"),
        ("", &["--as", "testfloat"], "name the unit that the vectors test: --function f16_add"),
        ("", &["-", "-", "--function", "f16_add"], "- is standard input, and can be read only once"),
        ("", &["--function", "f16_add", "--format", "binary16", "--unit", "add"], "cannot be used with"),
        ("", &["--format", "e5m2", "--unit", "accumulate"], "accumulate has state"),
        ("", &["--format", "e5m2", "--unit", "dot"], "port a of the unit has several lanes"),
        ("", &["Profiles.yaml"], "contain no vectors"),
        ("", &["missing.fptest"], "cannot read `missing.fptest`"),
        ("", &["missing"], "cannot read `missing`"),
    ] {
        let (code, stdout, stderr) = piped(text, arguments);
        assert!(code == 2 && stdout.is_empty() && stderr.contains(sentence), "{arguments:?}: {code} {stderr}");
    }
    for (name, text, more, sentence) in [
        ("odd.fptest", "b32+ =0 +Zero -> +Zero\n", &[][..], "odd.fptest, line 1: 2 operands are expected"),
        ("Binary3p1uf.csv", "0x08,0x1p-3, \n", &[], "line 1: `0x08` is no code of k3p1uf"),
        ("odd.csv", "1,2\n", &["--format", "e5m2", "--unit", "mul"], "line 1: 3 columns are expected, a,b,y"),
        ("values.csv", "", &["--as", "p3109"], "the name is not that of a P3109 format"),
    ] {
        let (code, _, stderr) = filed(name, text, more);
        assert!(code == 2 && stderr.contains(sentence), "{name}: {code} {stderr}");
    }
}

/// The output of `vectors` is right, for every rounding and both kinds of tininess detection; with the other kind, it is wrong.
#[test]
fn vectors_come_back() {
    for (unit, rounding) in [
        ("--format binary16 --unit add", "rne"),
        ("--format binary16 --unit mul", "rtz"),
        ("--format e5m2 --unit fmac --acc e5m2", "rup"),
        ("--format bfloat16 --unit fmac --acc binary32", "rto"),
        ("--format binary32 --unit convert --to binary16", "rna"),
        ("--format binary16 --unit convert --to int8", "rdn"),
        ("--format e5m2 --unit mul", "sr5"),
    ] {
        let tininesses: &[&str] = if unit.contains("int8") { &["after"] } else { &["after", "before"] };
        for tininess in tininesses {
            let line = format!("{unit} --round {rounding} --flags --tininess {tininess}");
            let words: Vec<&str> = line.split(' ').collect();
            let listed = [&["vectors", "--as", "testfloat", "--vectors", "6000"], &words[..]].concat();
            let (code, text, stderr) = run_in(Path::new("."), &listed);
            assert_eq!((code, text.lines().count()), (0, 6000), "{stderr}");
            let (code, _, stderr) = piped(&text, &words);
            assert_eq!(code, 0, "{line}: {stderr}");
        }
    }
    let listed = "vectors --as testfloat --format e5m2 --unit mul --flags --tininess before --exhaustive";
    let (_, text, _) = run_in(Path::new("."), &listed.split(' ').collect::<Vec<_>>());
    let (code, _, stderr) = piped(&text, &["--format", "e5m2", "--unit", "mul", "--flags"]);
    assert!(code == 1 && stderr.contains("file underflow, inexact; model inexact; RTL inexact"), "{stderr}");
}

/// The printed Verilog, and a user's module with a fault in its flags.
#[test]
fn verilog_is_held_against_the_file() {
    let folder = folder();
    let unit = ["--format", "e5m2", "--unit", "mul", "--flags"];
    let (code, _, stderr) = run_in(folder.path(), &[&["gen"], &unit[..]].concat());
    assert_eq!(code, 0, "{stderr}");
    let (_, text, _) = run_in(folder.path(), &[&["vectors", "--as", "testfloat"], &unit[..]].concat());
    fs::write(folder.path().join("mul.txt"), text).unwrap();
    let conform = |more: &[&str]| run_in(folder.path(), &[&["conform", "mul.txt"], &unit[..], more].concat());
    let (code, stdout, stderr) = conform(&["--engine", "verilator"]);
    assert!(code == 0 && stderr.contains("RTL (Verilator 5."), "{stdout}{stderr}");
    let around = "module mine(input [7:0] x, input [7:0] y, output [7:0] product, output [3:0] fflags);\n\
        wire [3:0] f;\nmul_e5m2_rne_flags core (.a(x), .b(y), .y(product), .flags(f));\n\
        assign fflags = f & {1'b1, x != 8'h7b, 2'b11};\nendmodule\n";
    fs::write(folder.path().join("mine.v"), around).unwrap();
    let mine = ["--verilog", "rtl_out/mul_e5m2_rne_flags.v", "--verilog", "mine.v", "--top", "mine"];
    let ports = ["--port", "a=x", "--port", "b=y", "--port", "y=product", "--port", "flags=fflags"];
    let (code, stdout, stderr) = conform(&[&mine[..], &ports].concat());
    assert_eq!(code, 1, "{stderr}");
    let said = "mul e5m2: the RTL differs from the file, the golden model does not";
    assert!(stderr.contains(said) && stderr.contains("model overflow, inexact; RTL inexact"), "{stderr}");
    assert!(stderr.contains("--top mine") && stderr.contains("--replay 0x7b,"), "{stderr}");
    assert!(stdout.contains("|   65536 |             0 | "), "{stdout}");
    let (code, _, stderr) = conform(&[&mine[..], &ports, &["--engine", "lanes"]].concat());
    assert!(code == 2 && stderr.contains("your module runs in Verilator"), "{stderr}");
    let (code, _, stderr) = filed("few.fptest", FPGEN, &["--verilog", "mine.v"]);
    assert!(code == 2 && stderr.contains("choose the test cases that your module computes"), "{stderr}");
}

/// Ctrl-C ends a run that waits for lines.
#[test]
fn a_run_that_waits_is_interrupted() {
    let mut child = Command::new(BINADE)
        .args(["conform", "--function", "f16_add"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // More than the pipe and all pieces hold: once it is written, the run has read some lines.
    input.write_all(ADD.repeat(100_000).as_bytes()).unwrap();
    common::press_ctrl_c(&child);
    let (code, _, stderr) = outcome(&child.wait_with_output().unwrap());
    assert!(code == 130 && stderr.contains("interrupted"), "{code} {stderr}");
    drop(input);
}

/// Where nothing is compared, nothing agrees: a file whose every vector is left out, and a signaling NaN that no operation returns.
#[test]
fn what_is_left_out_is_no_agreement() {
    let folder = folder();
    fs::write(folder.path().join("y.fptest"), "b32% =0 +1.0P0 +1.0P0 -> +1.0P0\n").expect("written");
    let (code, _, stderr) = run_in(folder.path(), &["conform", "y.fptest"]);
    assert!(code == 2 && stderr.contains("no vector was compared"), "{code}: {stderr}");
    fs::write(folder.path().join("nan.txt"), "7C01 3C00 7C01 10\n").expect("written");
    let (code, _, stderr) = run_in(folder.path(), &["conform", "nan.txt", "--function", "f16_add"]);
    assert_eq!(code, 1, "{stderr}");
    fs::write(folder.path().join("quiet.txt"), "7C01 3C00 7E00 10\n").expect("written");
    assert_eq!(run_in(folder.path(), &["conform", "quiet.txt", "--function", "f16_add"]).0, 0);
}
