//! `binade vectors`: columns, JSON lines, and the last line.

use crate::common;
use std::process::{Command, Stdio};

fn run(line: &str) -> (i32, String, String) {
    common::outcome(&Command::new(common::BINADE).args(line.split_whitespace()).output().unwrap())
}

/// Small input spaces are printed in full, with operands counting up, in hexadecimal with the width of each port.
#[test]
fn small_units_are_printed_whole() {
    let (code, stdout, stderr) = run("vectors --format e2m1f --unit mul");
    assert_eq!((code, stdout.lines().count()), (0, 256));
    let lines: Vec<&str> = stdout.lines().collect();
    // 1 * 1.5 = 1.5, -0.5 * 6 = -3
    assert_eq!((lines[0x23], lines[0x97]), ("2 3 3", "9 7 D"));
    assert_eq!(stderr, "256 vectors (all 256 input combinations): a b y\n");
}

#[test]
fn other_units_are_sampled_with_a_seed() {
    let line = "vectors --format posit8_2 --unit fmac --acc posit16_1 --round sr5 --vectors 1000";
    let (code, stdout, stderr) = run(line);
    assert_eq!((code, stdout.lines().count()), (0, 1000));
    assert!(stdout.lines().all(|line| line.split(' ').map(str::len).eq([2, 2, 4, 2, 4])), "{stdout}");
    assert!(stderr.ends_with(": a b c random_bits y\n"), "{stderr}");
    assert_eq!(run(line).1, stdout);
    assert_ne!(run(&format!("{line} --seed 2")).1, stdout);
}

#[test]
fn json_names_the_ports() {
    let (_, stdout, _) = run("vectors --format e5m2 --unit add --flags --vectors 9 --json");
    for line in stdout.lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        let keys: Vec<&String> = vector.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["a", "b", "y", "flags"]);
    }
    assert_eq!(stdout.lines().count(), 9);
}

/// TestFloat's byte has a bit for division by zero, which the port lacks: 1 * a signaling NaN, inf * 0, the largest number squared.
#[test]
fn testfloat_has_its_own_byte_of_flags() {
    let (code, stdout, _) = run("vectors --format e5m2 --unit mul --flags --as testfloat");
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!((code, lines.len()), (0, 1 << 16));
    let of = |a: usize, b: usize| lines[a << 8 | b];
    assert_eq!([of(0x3c, 0x7d), of(0x7c, 0), of(0x7b, 0x7b)], ["3C 7D 7E 10", "7C 00 7E 10", "7B 7B 7C 05"]);
}

/// A closed pipe ends the listing silently.
#[test]
fn a_reader_may_leave() {
    let mut child = Command::new(common::BINADE)
        .args("vectors --format e5m2 --unit mul".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn impossible_counts_are_refused() {
    for (line, sentence) in [
        ("vectors --format e5m2 --unit mul --vectors 0", "--vectors 0 asks for nothing"),
        ("vectors --format binary32 --unit fmac --exhaustive", "would take years"),
        ("vectors --format e5m2 --unit mul --out made", "only gen and flow write to a folder"),
        (
            "vectors --format e5m2 --unit mul --as testfloat",
            "the last column of its lines holds the flags; add --flags",
        ),
        ("vectors --format e5m2 --unit dot --flags --as testfloat", "port a of the unit has several lanes"),
        ("vectors --format e5m2 --unit mul --flags --as testfloat --json", "cannot be used with"),
    ] {
        let (code, stdout, stderr) = run(line);
        assert_eq!((code, stdout.as_str()), (2, ""), "{line}");
        assert!(stderr.contains(sentence), "{stderr}");
    }
}
