//! `verify --coverage`.

use crate::common::{SMALL_UNIT, folder, run_in};
use serde_json::Value;
use std::fs;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn group<'v>(coverage: &'v Value, name: &str) -> &'v Value {
    let groups = coverage["groups"].as_array().unwrap();
    groups.iter().find(|group| group["name"] == name).unwrap_or_else(|| panic!("no group {name} in {coverage}"))
}

#[test]
fn coverage_is_printed_after_the_summary() {
    let folder = folder();
    let (code, stdout, stderr) = run_in(folder.path(), &[&["verify", "--coverage"], SMALL_UNIT.as_slice()].concat());
    assert_eq!(code, 0, "{stderr}");
    for part in ["coverage of 4096 vectors", "a x b x sign x result", "e3m2f has no infinity", "rare: "] {
        assert!(stdout.contains(part), "{part} is not in\n{stdout}");
    }
    let last = stdout.lines().last().unwrap();
    assert!(last.ends_with("bins that can be reached were hit, 0 are empty"), "{last}");
    let (_, stdout, _) = run_in(folder.path(), &[&["verify"], SMALL_UNIT.as_slice()].concat());
    assert!(!stdout.contains("coverage"), "it is only counted when asked for: {stdout}");
}

/// Registers are operands, and their results are counted.
#[test]
fn units_with_state_have_groups_for_their_registers() {
    let folder = folder();
    let unit = ["verify", "--coverage", "--json", "--engine", "lanes", "--format", "e3m2", "--unit", "accumulate"];
    let (code, stdout, stderr) = run_in(folder.path(), &[unit.as_slice(), &["--acc", "e3m2"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let coverage = &json(&stdout)["coverage"];
    for name in ["acc", "clear", "x x acc x clear x sign x result", "exponent difference", "cancellation", "rounding"] {
        assert!(group(coverage, name)["hit"].as_array().unwrap().len() > 1, "{name}");
    }
    assert_eq!(coverage["empty"], 0);
}

#[test]
fn json_holds_every_bin() {
    let folder = folder();
    let unit = ["verify", "--coverage", "--json", "--format", "binary16", "--unit", "add", "--vectors", "2000"];
    let (code, stdout, stderr) = run_in(folder.path(), &unit);
    assert_eq!(code, 0, "empty bins are no failure: {stderr}");
    let report = json(&stdout);
    let coverage = &report["coverage"];
    assert_eq!(coverage["vectors"], 2000);
    assert!(coverage["empty"].as_u64().unwrap() > 0, "2000 vectors cannot hit all");
    let classes = group(coverage, "a");
    let unreachable = classes["unreachable"].as_array().unwrap();
    let no_supernormal =
        unreachable.iter().find(|argument| argument["reason"] == "binary16 has no lower supernormal values");
    let bins = no_supernormal.unwrap()["bins"].as_array().unwrap();
    assert_eq!(bins, &["lower supernormal, positive", "lower supernormal, negative"]);
    for group in coverage["groups"].as_array().unwrap() {
        let count = |key: &str| group[key].as_array().unwrap().len() as u64;
        let argued: u64 =
            group["unreachable"].as_array().unwrap().iter().map(|a| a["bins"].as_array().unwrap().len() as u64).sum();
        assert_eq!(group["bins"].as_u64().unwrap(), count("hit") + count("empty") + argued, "{group}");
        assert!(group["hit"].as_array().unwrap().iter().all(|bin| bin["vectors"].as_u64().unwrap() > 0));
    }
    let vectors: u64 = classes["hit"].as_array().unwrap().iter().map(|bin| bin["vectors"].as_u64().unwrap()).sum();
    assert_eq!(vectors, 2000, "each vector is in one of these bins");
    let (_, stdout, _) = run_in(folder.path(), &[&["verify", "--json"], SMALL_UNIT.as_slice()].concat());
    assert_eq!(json(&stdout).get("coverage"), None);
}

#[test]
fn suites_say_how_many_bins_were_hit() {
    let folder = folder();
    fs::write(folder.path().join("s.toml"), "[[unit]]\nformat = \"e2m1f\"\nunit = [\"mul\", \"add\"]\n").unwrap();
    let (code, stdout, stderr) = run_in(folder.path(), &["verify", "--suite", "s.toml", "--coverage"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("bins hit"), "{stdout}");
    let (_, text, _) = run_in(folder.path(), &["verify", "--suite", "s.toml", "--coverage", "--json"]);
    for report in json(&text)["units"].as_array().unwrap() {
        let coverage = &report["coverage"];
        assert_eq!(coverage["empty"], 0);
        let cell = format!("{}/{}", coverage["hit"], coverage["reachable"]);
        assert!(stdout.contains(&cell), "{cell} is not in\n{stdout}");
    }
}
