//! `binade encode` and `binade decode` of many numbers: lines, binary streams, error figures, mistakes.

use crate::common::{self, BINADE, folder, outcome};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs a command line with these bytes on standard input.
fn feed(line: &str, input: &[u8]) -> Output {
    let mut command = Command::new(BINADE);
    command.args(line.split_whitespace()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    std::thread::scope(|scope| {
        // A program that refuses its input closes the pipe.
        scope.spawn(move || stdin.write_all(input).ok());
        child.wait_with_output().expect("the program ends")
    })
}

/// The output of a command line, which must succeed.
#[track_caller]
fn fed(line: &str, input: &[u8]) -> Vec<u8> {
    let output = feed(line, input);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn run(line: &str) -> (i32, String, String) {
    outcome(&feed(line, b""))
}

/// Numbers of all magnitudes in binary32, more than one block of them.
fn numbers() -> Vec<f32> {
    let mut state = 1_u64;
    let random = |_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        f32::from_bits((state >> 32) as u32)
    };
    let moderate = (0..30_000).map(|at| (at as f32 - 15_000.0) / 1024.0);
    (0..40_000).map(random).chain(moderate).filter(|number| number.is_finite()).collect()
}

/// A number in exact hexadecimal.
fn hexadecimal(number: f32) -> String {
    let (field, trailing) = (number.to_bits() >> 23 & 0xff, number.to_bits() & 0x7f_ffff);
    let (significand, exponent) = if field == 0 { (trailing, 1) } else { (trailing | 1 << 23, field) };
    format!("{}{significand:#x}p{}", if number.is_sign_negative() { "-" } else { "" }, exponent as i32 - 150)
}

#[test]
fn several_values_are_those_of_one() {
    let values = ["0.1", "-3e-5", "1.75*2^14", "0x1.8p3", "inf", "nan", "1e9", "-0"];
    for format in ["e4m3fn", "posit16_1", "binary128", "e8m0"] {
        let (code, stdout, stderr) = run(&format!("encode {format} --csv -- {}", values.join(" ")));
        assert_eq!((code, stderr.lines().count()), (0, 1), "{stderr}");
        let mut lines = stdout.lines();
        assert_eq!(lines.next(), Some("number,code,value"));
        for value in values {
            let line: Vec<&str> = lines.next().expect("a line a value").split(',').collect();
            let one: Value = serde_json::from_str(&run(&format!("encode {format} --json -- {value}")).1).unwrap();
            assert_eq!((line[0], line[1]), (value, one["code"].as_str().unwrap()));
        }
    }
    let (_, stdout, stderr) = run("encode e4m3fn 0.1 -0.2 1e9 1e-9 --json");
    let first: Value = serde_json::from_str(stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first, serde_json::json!({ "number": "0.1", "code": "0x1d", "value": "1.625*2^-4" }));
    let figures: Value = serde_json::from_str(&stderr).unwrap();
    let counts = ["numbers", "exact", "overflows", "underflows", "nans"].map(|key| figures[key].as_u64().unwrap());
    assert_eq!(counts, [4, 0, 1, 1, 1]);
    assert_eq!(run("encode e4m3fn -1 -2").1, "0xb8\n0xc0\n");
    assert_eq!(run("decode e4m3fn 0x1d 0xb8 0x7f 0").1, "0.1015625\n-1\nNaN\n0\n");
    assert_eq!(run("decode e4m3fn 0x1d 0xb8 --csv").1, "code,value\n0x1d,0.1015625\n0xb8,-1\n");
    assert_eq!(
        run("decode binary128 0x1 2 --json").1.lines().next(),
        Some("{\"code\":\"0x00000000000000000000000000000001\",\"value\":\"1*2^-16494\"}")
    );
}

/// Lines are read as exact literals, binary numbers go through the conversion unit's model: the codes are the same.
#[test]
fn lines_and_binary_numbers_have_the_same_codes() {
    let numbers = numbers();
    assert!(numbers.len() > 1 << 16, "more than one block");
    let lines: String = numbers.iter().map(|&number| hexadecimal(number) + "\n").collect();
    let narrow: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let wide: Vec<u8> = numbers.iter().flat_map(|&number| f64::from(number).to_le_bytes()).collect();
    for way in ["e4m3fn", "posit16_1 --round rup", "binary128", "e5m2b1 --overflow saturate --round rtz", "e3m2f"] {
        let bytes = fed(&format!("encode {way} - --out bytes"), lines.as_bytes());
        assert!(bytes == fed(&format!("encode {way} - --in f32le --out bytes"), &narrow), "{way}");
        assert!(bytes == fed(&format!("encode {way} - --in f64le --out bytes"), &wide), "{way}");
        let text = String::from_utf8(fed(&format!("encode {way} - --in f32le"), &narrow)).unwrap();
        let size = bytes.len() / numbers.len();
        assert!(text.lines().zip(bytes.chunks(size)).all(|(line, chunk)| {
            let code = chunk.iter().rev().fold(0, |code, &byte| code << 8 | u128::from(byte));
            u128::from_str_radix(&line[2..], 16) == Ok(code)
        }));
    }
}

/// Every code except NaNs round-trips through its value, and both ways of decoding agree.
#[test]
fn decoded_codes_encode_to_themselves() {
    let codes: Vec<u8> = (0..0x7c00_u16).chain(0x8000..0xfc01).flat_map(u16::to_le_bytes).collect();
    for kind in ["f32le", "f64le"] {
        let values = fed(&format!("decode binary16 - --in bytes --out {kind}"), &codes);
        assert!(fed(&format!("encode binary16 - --in {kind} --out bytes"), &values) == codes, "{kind}");
    }
    let text = fed("decode binary16 - --in bytes", &codes);
    assert!(fed("encode binary16 - --out bytes", &text) == codes);
}

/// 0.3 is 0.6 of the way from 0.28125 to the next value of e4m3fn.
#[test]
fn stochastic_rounding_has_a_seed() {
    let lines = "0.3\n".repeat(10_000);
    let codes = |options: &str| fed(&format!("encode e4m3fn - --round sr8 {options}"), lines.as_bytes());
    let once = codes("");
    let up = once.split(|&byte| byte == b'\n').filter(|code| *code == b"0x2a").count();
    assert!((5_700..6_300).contains(&up), "{up}");
    assert!(once == codes("--seed 1"));
    assert!(once != codes("--seed 2"));
}

#[test]
fn mistakes_name_their_place() {
    let long = format!("1\n{}\n", "1".repeat(20_000));
    for (line, input, sentence) in [
        ("encode e5m2 -", "1\n2\nx\n4\ny\n".as_bytes(), "standard input, line 3: \"x\" is no number; write 0.1"),
        ("encode e5m2 -", b"1\n\n2\n", "standard input, line 2: \"\" is no number"),
        ("encode e5m2 -", long.as_bytes(), "standard input, line 2: more than 10000 characters"),
        ("encode e5m2 -", b"1\n\xff\xfe\n", "standard input, line 2: this is not text (UTF-8)"),
        ("encode e5m2 - --in f32le", b"1234567", "standard input ends within a number: 3 of its 4 bytes are there"),
        ("decode e5m2 -", b"0x3c\n0x100\n", "standard input, line 2: 0x100 is no code of e5m2, which has 8 bits"),
        ("decode e3m2f - --in bytes", b"\x3f\x40", "standard input: 0x40 is no code of e3m2f, which has 6 bits"),
        ("decode e5m2 1 z", b"", "\"z\": a code is a number such as 0x3c"),
        ("encode e5m2 1 -", b"", "- is standard input, and excludes other values"),
        ("encode e5m2 1 2 --in f32le", b"", "--in is for standard input; give - as the value"),
        ("encode e5m2 1 2 --round sr4 --rand 3", b"", "--rand is for one value"),
        ("encode e5m2 1 2 --round mptorch", b"", "mptorch rounds to supernormal formats"),
    ] {
        let output = feed(line, input);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(stderr.contains(sentence), "{line}: {stderr}");
    }
    let empty = feed("encode e5m2 -", b"");
    assert_eq!((empty.status.code(), empty.stdout.len()), (Some(0), 0));
}

/// A reader that closes its end stops the stream silently, although more output remains than a pipe holds.
#[test]
fn a_reader_may_leave() {
    let folder = folder();
    let zeros = folder.path().join("zeros");
    std::fs::write(&zeros, vec![0; 4 << 20]).unwrap();
    let mut child = Command::new(BINADE)
        .args(["encode", "e5m2", "-", "--in", "f32le"])
        .stdin(std::fs::File::open(&zeros).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let (code, _, stderr) = common::outcome(&child.wait_with_output().unwrap());
    assert_eq!((code, stderr.as_str()), (0, ""));
}

#[test]
fn counts_are_read_as_people_write_them() {
    for count in ["2000", "2_000", "2e3", "2E3"] {
        let (code, stdout, _) = run(&format!("vectors --format e5m2 --unit mul --vectors {count}"));
        assert_eq!((code, stdout.lines().count()), (0, 2000), "{count}");
    }
    for count in ["2.5e3", "1e30", "e3", "_", "2e", "-1"] {
        let (code, _, stderr) = run(&format!("vectors --format e5m2 --unit mul --vectors={count}"));
        assert!(code == 2 && stderr.contains("such as 1000000, 1_000_000 or 1e6"), "{count}: {stderr}");
    }
}
