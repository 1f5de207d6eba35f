//! `binade decode` and `binade encode`: explain codes and values.

use crate::common;
use std::process::Command;

fn run(line: &str) -> (i32, String, String) {
    common::outcome(&Command::new(common::BINADE).args(line.split_whitespace()).output().unwrap())
}

#[track_caller]
fn prints(line: &str, lines: &[&str]) {
    let (code, stdout, stderr) = run(line);
    assert_eq!(code, 0, "{stderr}");
    let got: Vec<&str> = stdout.lines().map(str::trim).collect();
    assert_eq!(got, lines);
}

/// The ties among SEMANTICS' witnesses go to the even code.
#[test]
fn values_are_rounded() {
    prints(
        "encode e5m2b1 1.5*2^16",
        &[
            "e5m2b1",
            "code            0x7e  0 11111 10  1*2^17 = 131072",
            "toward zero     0x7d  0 11111 01  1*2^16 = 65536",
        ],
    );
    prints(
        "encode e4m3fn --round rup -0.3",
        &[
            "e4m3fn",
            "code            0xa9  1 0101 001  -1.125*2^-2 = -0.28125",
            "toward zero     0xa8  1 0101 000  -1*2^-2 = -0.25",
            "away from zero  0xaa  1 0101 010  -1.25*2^-2 = -0.3125",
        ],
    );
    prints("encode e5m2 1e9 --overflow inf", &["e5m2", "code            0x7c  0 11111 00  inf"]);
}

#[test]
fn codes_are_explained() {
    prints("decode e5m2b1 0x80", &["e5m2b1", "code            0x80  1 00000 00  NaN"]);
    prints(
        "decode e2m1f 0b1111",
        &["e2m1f", "code            0xf  1 11 1  -1.5*2^2 = -6", "toward zero     0xe  1 11 0  -1*2^2 = -4"],
    );
    let infinity = format!("code            0xffff{:028}  1 {:1>15} {:0112}  -inf", 0, 1, 0);
    prints("decode fp128 0xffff0000000000000000000000000000", &["binary128", &infinity]);
    let (_, stdout, _) = run("decode binary16 0x3c01 --json");
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&json["code"], &json["decimal"]), (&"0x3c01".into(), &1.0009765625.into()));
    assert_eq!(json["toward_zero"]["value"], "1*2^0");
}

/// The second paper's example, a negative posit with its neighbours, and a code next to zero in a format without -0.
#[test]
fn posits_are_explained() {
    prints(
        "decode posit16_3 0b0000110111011101",
        &[
            "posit16_3",
            "code            0x0ddd  0 0001 101 11011101  1.86328125*2^-19 = 0.000003553926944732666",
            "toward zero     0x0ddc  0 0001 101 11011100  1.859375*2^-19 = 0.000003546476364135742",
            "away from zero  0x0dde  0 0001 101 11011110  1.8671875*2^-19 = 0.00000356137752532959",
        ],
    );
    prints(
        "encode posit8_2 -0.1",
        &[
            "posit8_2",
            "code            0xdb  1 01 00 101  -1.625*2^-4 = -0.1015625",
            "toward zero     0xdc  1 01 00 100  -1.5*2^-4 = -0.09375",
            "away from zero  0xda  1 01 00 110  -1.75*2^-4 = -0.109375",
        ],
    );
    prints("encode posit8_2 1e30 --posit-range float", &["posit8_2", "code            0x80  1 0000000  NaN"]);
    prints(
        "decode k3p2se 0b101",
        &[
            "k3p2se",
            "code            0x5  1 0 1  -1*2^-1 = -0.5",
            "toward zero     0x0  0 0 0  0 = 0",
            "away from zero  0x6  1 1 0  -1*2^0 = -1",
        ],
    );
}

/// 0.3 is 0.6 of the way from 0.28125 to the next value of e4m3fn, so 9 of 16 random integers round it up.
#[test]
fn stochastic_rounding_takes_its_random_integer() {
    let code = |random: u32| run(&format!("encode e4m3fn 0.3 --round sr4 --rand {random}")).1;
    let up = (0..16).filter(|&random| code(random).contains("code            0x2a")).count();
    assert_eq!(up, 9);
}

#[test]
fn what_cannot_be_is_refused() {
    for (line, sentence) in [
        ("decode e5m2 0x1ff", "0x1ff is no code of e5m2, which has 8 bits"),
        ("decode e5m2 x", "a code is a number such as 0x3c"),
        ("decode binary128 0x100000000000000000000000000000000", "a code is a number such as 0x3c"),
        ("encode e5m2 one", "\"one\" is no number; write 0.1"),
        ("encode e5m2 1 --round sr4", "--round sr4 needs its random integer: --rand, below 2^4"),
        ("encode e5m2 1 --round sr4 --rand 16", "--rand 16: sr4 takes less than 2^4"),
        ("encode e5m2 1 --rand 1", "--rand is for stochastic rounding"),
        ("encode e5m2 1 --round mptorch", "mptorch rounds to supernormal formats (e5m2b1); e5m2 is none"),
        ("encode dlfloat16 1 --round rne", "dlfloat16 is rounded only to nearest, ties away from zero"),
    ] {
        let (code, _, stderr) = run(line);
        assert_eq!(code, 2, "{line}");
        assert!(stderr.contains(sentence), "{stderr}");
    }
}
