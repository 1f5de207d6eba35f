//! Long runs: divided, killed, resumed, and merged.

use crate::common::{self, binade_in, folder, fresh_home, notes, outcome, run_in, start, wait_until};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Writes the JSON report of each part, and returns the files' names.
fn parts(folder: &Path, count: usize, arguments: &[&str]) -> Vec<String> {
    let report = |part: usize| {
        let shard = format!("{part}/{count}");
        let (code, stdout, stderr) = run_in(folder, &[&["verify"], arguments, &["--json", "--shard", &shard]].concat());
        assert_eq!(code, 0, "{stderr}");
        assert!(count == 1 || stderr.contains(&format!("part {shard}")), "{stderr}");
        let name = format!("{part}of{count}.json");
        fs::write(folder.join(&name), stdout).unwrap();
        name
    };
    (1..=count).map(report).collect()
}

fn merge(folder: &Path, files: &[&str]) -> (i32, String, String) {
    run_in(folder, &[&["merge"], files].concat())
}

#[test]
fn the_parts_of_a_unit_are_the_whole() {
    let folder = folder();
    let unit = ["--format", "e4m3fn", "--unit", "mul"];
    let files = parts(folder.path(), 3, &unit);
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let (code, stdout, stderr) = merge(folder.path(), &[names.as_slice(), &["--json"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let whole = json(&stdout);
    assert_eq!(
        (&whole["checked"], &whole["shard"], &whole["verdict"]),
        (&65536.into(), &"1/1".into(), &"right".into())
    );
    assert!(stderr.contains("agrees with the golden model on all 65536 input combinations (3 parts"), "{stderr}");
    // A merged report is a report like any other.
    fs::write(folder.path().join("whole.json"), stdout).unwrap();
    assert_eq!(merge(folder.path(), &["whole.json"]).0, 0);

    let other = parts(folder.path(), 1, &["--format", "e4m3fn", "--unit", "mul", "--seed", "2"]);
    fs::write(folder.path().join("text.json"), "{}").unwrap();
    let changed =
        fs::read_to_string(folder.path().join(names[2])).unwrap().replace("\"checked\": 20480", "\"checked\": 9");
    fs::write(folder.path().join("changed.json"), changed).unwrap();
    for (files, sentence) in [
        (vec![names[0], names[2]], "part 2/3 is missing"),
        (vec![names[1]], "parts 1/3, 3/3 are missing"),
        (vec![names[0], names[1], names[0]], "are both part 1/3"),
        (vec![names[0], other[0].as_str()], "has the seed 2"),
        (vec![names[0], names[1], "changed.json"], "a report was changed"),
        (vec!["text.json"], "is not a report of `binade verify --json`"),
        (vec!["absent.json"], "cannot read `absent.json`"),
    ] {
        let (code, stdout, stderr) = merge(folder.path(), &files);
        assert_eq!((code, stdout.as_str()), (2, ""), "{files:?}\n{stderr}");
        assert!(stderr.contains(sentence), "{stderr}");
    }
}

/// A unit that is wrong for a single input: one part finds it, and so does the merged run.
#[test]
#[ignore = "long"]
fn a_mismatch_in_one_part_is_a_mismatch_of_the_whole() {
    let folder = folder();
    let unit = ["--format", "e4m3fn", "--unit", "mul"];
    assert_eq!(run_in(folder.path(), &[&["gen"], unit.as_slice(), &["--out", "."]].concat()).0, 0);
    let verilog = fs::read_to_string(folder.path().join("mul_e4m3fn_rne.v")).unwrap();
    let start = verilog.rfind("assign ").unwrap();
    let (equals, end) = (start + verilog[start..].find('=').unwrap(), start + verilog[start..].find(';').unwrap());
    let wrong = format!("(({}) ^ {{7'd0, a == 8'h12 & b == 8'h34}})", &verilog[equals + 1..end]);
    let wrong = format!("{} {wrong}{}", &verilog[..equals + 1], &verilog[end..]);
    fs::write(folder.path().join("wrong.v"), wrong).unwrap();
    let mut codes = vec![];
    for part in 1..=2 {
        let shard = format!("{part}/2");
        let arguments = [&["verify"], unit.as_slice(), &["--verilog", "wrong.v", "--json", "--shard", &shard]].concat();
        let (code, stdout, _) = run_in(folder.path(), &arguments);
        fs::write(folder.path().join(format!("{part}.json")), stdout).unwrap();
        codes.push(code);
    }
    // Vector 0x1234 is in the second chunk of 4096.
    assert_eq!(codes, [0, 1]);
    let (code, stdout, stderr) = merge(folder.path(), &["1.json", "2.json"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("WRONG") && stderr.contains("vector 4660:") && stderr.contains("0x34"), "{stdout}{stderr}");
    assert!(stderr.contains("replay binade verify"), "{stderr}");

    let right = parts(folder.path(), 2, &unit);
    let (code, _, stderr) = merge(folder.path(), &[right[0].as_str(), "2.json"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("different runs"), "{stderr}");
}

/// All results are right, but `out_valid` is wrong: there is no mismatch to show, and the merged run is still wrong.
#[test]
fn a_violation_in_the_parts_is_one_of_the_whole() {
    let folder = folder();
    let unit = ["--format", "e3m2f", "--unit", "mul", "--stages", "1"];
    assert_eq!(run_in(folder.path(), &[&["gen"], unit.as_slice(), &["--out", "."]].concat()).0, 0);
    let verilog = fs::read_to_string(folder.path().join("mul_e3m2f_rne_p1.v")).unwrap();
    let wrong = verilog.replace("valid_s1 <= in_valid", "valid_s1 <= 1'b1");
    assert_ne!(wrong, verilog);
    fs::write(folder.path().join("wrong.v"), wrong).unwrap();
    let arguments = [&["verify"], unit.as_slice(), &["--verilog", "wrong.v", "--json"]].concat();
    let (code, stdout, _) = run_in(folder.path(), &arguments);
    assert_eq!(code, 1);
    assert!(json(&stdout)["mismatch"].is_null() && json(&stdout)["violation"]["fault"] == "out_valid", "{stdout}");
    fs::write(folder.path().join("1.json"), stdout).unwrap();
    let (code, stdout, stderr) = merge(folder.path(), &["1.json"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("WRONG") && stderr.contains("out_valid is high"), "{stdout}{stderr}");
}

const SUITE: &str =
    "[[unit]]\nformat = [\"e2m1f\", \"e3m2f\"]\nunit = [\"mul\", \"add\"]\nround = [\"rne\", \"rup\"]\n";

#[test]
fn the_parts_of_a_suite_are_the_whole() {
    let folder = folder();
    fs::write(folder.path().join("s.toml"), SUITE).unwrap();
    let (code, stdout, _) = run_in(folder.path(), &["verify", "--suite", "s.toml", "--json"]);
    let whole = json(&stdout);
    assert_eq!((code, &whole["totals"]["right"], &whole["totals"]["vectors"]), (0, &8.into(), &17408.into()));
    let files = parts(folder.path(), 3, &["--suite", "s.toml"]);
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let (code, stdout, stderr) = merge(folder.path(), &[names.as_slice(), &["--json"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let modules = |report: &Value| -> Vec<Value> {
        report["units"].as_array().unwrap().iter().map(|unit| unit["module"].clone()).collect()
    };
    let merged = json(&stdout);
    assert_eq!(modules(&merged), modules(&whole), "the units in their order");
    assert_eq!(merged["totals"]["vectors"], whole["totals"]["vectors"]);
    let (code, _, stderr) = merge(folder.path(), &names[1..]);
    assert_eq!(code, 2);
    assert!(stderr.contains("part 1/3 is missing"), "{stderr}");
    let (code, _, stderr) = run_in(folder.path(), &["verify", "--suite", "s.toml", "--shard", "1/9"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("a suite of 8 units has at most 8 parts"), "{stderr}");
}

/// A killed run resumes where it stopped, unless its notes are damaged; Ctrl-C prints how to resume.
#[test]
#[ignore = "long"]
fn a_killed_run_is_resumed() {
    let folder = folder();
    let home = fresh_home(folder.path());
    let arguments = ["verify", "--format", "e3m2f", "--unit", "fmac", "--vectors", "45000000", "--json"];
    let mut child = start(folder.path(), &home, &[], &arguments);
    wait_until("a note of what is done", || !notes(&home).is_empty());
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = notes(&home);
    assert_eq!(kept.len(), 1, "{kept:?}");
    let whole = fs::read(&kept[0]).unwrap();

    let resume = || {
        let mut command = binade_in(folder.path());
        let output = command.env("BINADE_HOME", &home).args(arguments).arg("--resume").output().unwrap();
        let (code, stdout, stderr) = outcome(&output);
        assert_eq!(code, 0, "{stderr}");
        let report = json(&stdout);
        assert_eq!((&report["checked"], &report["total"]), (&45000000.into(), &45000000.into()));
        assert!(notes(&home).is_empty(), "a run that is finished leaves no note");
        (report["resumed"].as_u64().unwrap(), stderr)
    };
    // Claims more progress than was made.
    let text = String::from_utf8_lossy(&whole).replace("\"stretch\":", "\"stretch\":1");
    fs::write(&kept[0], text.as_bytes()).unwrap();
    let (vectors, stderr) = resume();
    assert_eq!(vectors, 0);
    assert!(stderr.contains("is damaged or of another run, and was not used"), "{stderr}");

    fs::write(&kept[0], &whole).unwrap();
    let child = start(folder.path(), &home, &[], &[arguments.as_slice(), &["--resume"]].concat());
    wait_until("a note of what the resumed run did", || fs::read(&kept[0]).is_ok_and(|note| note != whole));
    common::press_ctrl_c(&child);
    let (code, stdout, stderr) = outcome(&child.wait_with_output().unwrap());
    assert_eq!((code, stdout.as_str()), (130, ""), "{stderr}");
    assert!(stderr.contains("were checked, as `") && stderr.contains("--resume goes on from there"), "{stderr}");

    let (vectors, stderr) = resume();
    assert!(vectors > 1_000_000, "{vectors} vectors were taken over");
    assert!(stderr.contains(&format!("{vectors} vectors were checked by an earlier run")), "{stderr}");
}
