//! `binade prove`.

use crate::common::{folder, run_in};
use serde_json::Value;
use std::fs;

#[test]
fn a_unit_is_proven() {
    let folder = folder();
    let (code, stdout, _) = run_in(folder.path(), &["prove", "--format", "binary32", "--unit", "add", "--json"]);
    let report: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(code, 0, "{stdout}");
    assert_eq!((report["verdict"].as_str(), report["method"].as_str()), (Some("proven"), Some("cases")));
    assert!(report["cases"].as_u64().is_some_and(|cases| cases > 50), "{report}");
    assert_eq!(report["input_bits"], 64);
}

#[test]
fn what_has_no_specification_is_tried() {
    let arguments = ["prove", "--format", "posit8_1", "--unit", "posit-decoder"];
    let (code, stdout, _) = run_in(folder().path(), &arguments);
    assert_eq!(code, 0);
    assert!(stdout.contains("is proven for all 2^8 inputs: the circuit was tried with each"), "{stdout}");
}

#[test]
fn what_is_open_has_an_exit_code_of_its_own() {
    let (code, stdout, _) = run_in(folder().path(), &["prove", "--format", "e5m2", "--unit", "accumulate"]);
    assert_eq!(code, 4);
    assert!(stdout.contains("is open") && stdout.contains("state"), "{stdout}");
}

/// A module with a fault, and one with a fault in its registers.
#[test]
fn a_wrong_module_comes_with_inputs() {
    let folder = folder();
    for (stages, old, new, says) in [
        ("0", "round_up = guard & ", "round_up = guard | ", "gives y="),
        ("2", "if (en) begin", "if (in_valid) begin", "en is 0"),
    ] {
        let unit = ["--format", "binary16", "--unit", "add", "--stages", stages];
        let (code, written, _) = run_in(folder.path(), &[&["gen"], &unit[..]].concat());
        assert_eq!(code, 0);
        let file = written.lines().next().expect("a file").to_string();
        let text = fs::read_to_string(folder.path().join(&file)).expect("Verilog");
        assert!(text.contains(old), "{text}");
        fs::write(folder.path().join(&file), text.replace(old, new)).expect("written");
        let (code, stdout, stderr) = run_in(folder.path(), &[&["prove", "--verilog", &file], &unit[..]].concat());
        assert_eq!(code, 1, "{stdout}{stderr}");
        assert!(stdout.contains("is wrong") && stdout.contains(says), "{stdout}");
        if let Some(replay) = stdout.lines().find_map(|line| line.strip_prefix("replay: binade ")) {
            let (code, _, _) = run_in(folder.path(), &replay.split(' ').collect::<Vec<_>>());
            assert_eq!(code, 1, "{replay}");
        }
    }
}

#[test]
fn a_suite_has_a_row_for_each_unit() {
    let folder = folder();
    fs::write(folder.path().join("s.toml"), "[[unit]]\nunit = ['mul', 'add']\nformat = ['e5m2', 'posit6_1']\n")
        .expect("written");
    let (code, stdout, _) = run_in(folder.path(), &["prove", "--suite", "s.toml"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("4 proven, 0 wrong, 0 open"), "{stdout}");
}
