//! `binade fuzz`.

use crate::common::{self, binade_in, folder, home, names, outcome, run_in, start};
use serde_json::Value;
use std::time::Duration;

/// Exit code, report and last line of a run.
fn fuzz(words: &[&str]) -> (i32, Value, String) {
    let (code, stdout, stderr) = run_in(folder().path(), &[&["fuzz", "--json"][..], words].concat());
    let report = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    (code, report, stderr.lines().last().unwrap_or_default().into())
}

/// The distinct selections that were tried.
fn tried(report: &Value) -> Vec<&str> {
    let units = report["units"].as_array().expect("units");
    units.iter().map(|unit| unit["selection"].as_str().expect("words")).collect()
}

#[test]
fn a_seed_tries_the_same_units() {
    let words = |seed| ["--seed", seed, "--units", "3", "--vectors", "500", "--prove-within", "0"];
    let (code, first, last) = fuzz(&words("1"));
    assert_eq!(code, 0, "{first}");
    assert_eq!((tried(&first).len(), &first["totals"]["right"]), (3, &Value::from(3)));
    assert!(last.starts_with("no fault found in 3 units, seed 1, in "), "{last}");
    let (_, again, _) = fuzz(&words("1"));
    assert_eq!((tried(&again), &again["totals"]), (tried(&first), &first["totals"]));
    assert_ne!(tried(&fuzz(&words("2")).1), tried(&first));
}

/// Checked like a drawn unit: with vectors on gates, by a proof, and in Verilator.
#[test]
fn a_selection_is_checked_again() {
    let folder = folder();
    let unit = "--format e2m1f --unit mul --stages 1";
    let (code, report, last) = fuzz(&["--replay", unit, "--seed", "1", "--vectors", "500"]);
    assert_eq!(code, 0, "{report}");
    assert!(last.starts_with("no fault found in 1 unit, seed 1, in "), "{last}");
    assert_eq!(tried(&report), [unit]);
    assert_eq!(report["units"][0]["right"], serde_json::json!({"proven": true, "simulated": true}));
    let (code, stdout, _) = run_in(folder.path(), &["fuzz", "--prove-within", "0", "--vectors", "9", "--replay", unit]);
    assert_eq!((code, stdout.as_str()), (0, ""), "there is nothing to show");
    assert!(names(folder.path()).is_empty(), "no file is left");
}

/// A shell is simulated and proven, and the unit inside is checked on gates.
#[test]
fn a_unit_in_a_shell_is_checked_again() {
    let unit = "--format e2m1f --unit add --interface ready-valid";
    let (code, report, _) = fuzz(&["--replay", unit, "--seed", "1", "--vectors", "500"]);
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["units"][0]["right"], serde_json::json!({"proven": true, "simulated": true}));
}

#[test]
fn wrong_options_are_refused() {
    let lines: [(&[&str], &str); 7] = [
        (&["--units", "0"], "a whole number from 1 to 4294967295 is expected"),
        (&["--vectors", "0"], "a whole number from 1 to 4294967295 is expected"),
        (&["--minutes", "-1"], "a whole number from 1 to 4294967295 is expected"),
        (&["--minutes", "1", "--units", "2"], "cannot be used with"),
        (&["--units", "1", "--replay", "--format e5m2 --unit mul"], "cannot be used with"),
        (&["--replay", "--format e5m2 --unit convert"], "--replay: convert needs the format to convert to (--to)"),
        (&["--replay", "mul"], "--replay: `mul` belongs to no option of a unit"),
    ];
    for (words, why) in lines {
        let (code, stdout, stderr) = run_in(folder().path(), &[&["fuzz"][..], words].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{words:?}: {stderr}");
        assert!(stderr.contains(why), "{words:?}: {stderr}");
    }
}

/// A missing tool is not a fault of a unit, and earlier findings are still reported.
#[test]
fn a_missing_tool_ends_the_run() {
    let words = ["fuzz", "--replay", "--format e2m1f --unit mul", "--tools", "system", "--prove-within", "0"];
    let output = binade_in(folder().path()).env("PATH", "").args(words).output().expect("the program starts");
    let (code, stdout, stderr) = outcome(&output);
    assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
    assert!(stderr.contains("found in 0 units") && stderr.contains("Verilator is missing"), "{stderr}");
}

#[test]
fn an_interrupted_run_says_what_it_has_found() {
    let words = ["fuzz", "--seed", "1", "--vectors", "500", "--prove-within", "0", "--json"];
    let folder = folder();
    let child = start(folder.path(), &home(), &[], &words);
    std::thread::sleep(Duration::from_secs(1));
    common::press_ctrl_c(&child);
    let (code, stdout, stderr) = outcome(&child.wait_with_output().expect("a process"));
    assert_eq!(code, 130, "{stdout}{stderr}");
    let report: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(tried(&report).len() as u64, report["totals"]["units"].as_u64().expect("a number"));
    assert!(stderr.contains("no fault found in ") && stderr.contains("error: interrupted"), "{stderr}");
}
