//! `synth` and `sweep` in parts, resumed after a kill, and merged.

use crate::common::{binade_in, folder, fresh_home, notes, outcome, run_in, start, wait_until};
use serde_json::Value;
use std::fs;
use std::path::Path;

const SUITE: &str =
    "targets = [\"generic\", \"cyclonev\"]\n\n[[unit]]\nformat = \"e2m1f\"\nunit = [\"mul\", \"add\", \"decode\"]\n";

/// Writes the report of each part, and returns the files' names.
fn parts(folder: &Path, count: usize, arguments: &[&str]) -> Vec<String> {
    let report = |part: usize| {
        let shard = format!("{part}/{count}");
        let (code, stdout, stderr) = run_in(folder, &[arguments, &["--json", "--shard", &shard]].concat());
        assert_eq!(code, 0, "{stderr}");
        let name = format!("{}-{part}of{count}.json", arguments[0]);
        fs::write(folder.join(&name), stdout).unwrap();
        name
    };
    (1..=count).map(report).collect()
}

#[test]
fn the_parts_of_measurements_are_the_whole_byte_for_byte() {
    let folder = folder();
    fs::write(folder.path().join("s.toml"), SUITE).unwrap();
    let suite = ["synth", "--suite", "s.toml"];
    let files = parts(folder.path(), 4, &suite);
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    for words in [&["--json"][..], &["--csv"], &[]] {
        let (code, whole, _) = run_in(folder.path(), &[&suite, words].concat());
        assert_eq!(code, 0);
        let (code, merged, stderr) = run_in(folder.path(), &[&["merge"], names.as_slice(), words].concat());
        assert_eq!((code, merged), (0, whole), "{stderr}");
    }
    let one = parts(folder.path(), 1, &["synth", "--suite", "s.toml", "--target", "ice40"]);
    let first = fs::read_to_string(folder.path().join(names[0])).unwrap();
    fs::write(folder.path().join("other.json"), first.replace("Yosys 0.", "Yosys 1.")).unwrap();
    for (files, sentence) in [
        (vec![names[0], names[2]], "parts 2/4, 4/4 are missing; `binade synth --shard 2/4 --json`"),
        (vec![names[0], names[0]], "are both part 1/4"),
        (vec![names[0], one[0].as_str()], "are of different runs"),
        (vec!["other.json", names[1], names[2], names[3]], "only figures of one version can be compared"),
    ] {
        let (code, stdout, stderr) = run_in(folder.path(), &[&["merge"], files.as_slice()].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(sentence), "{stderr}");
    }
    let (code, _, stderr) = run_in(folder.path(), &[&suite[..], &["--shard", "1/7"]].concat());
    assert_eq!(code, 2);
    assert!(stderr.contains("a run of 6 measurements has at most 6 parts"), "{stderr}");
}

/// The notes of a killed run are reused, and nothing else.
#[test]
#[ignore = "long"]
fn killed_measurements_are_resumed() {
    let folder = folder();
    let home = fresh_home(folder.path());
    for entry in fs::read_dir(crate::common::home()).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().starts_with("pyosys-") {
            std::os::unix::fs::symlink(fs::canonicalize(entry.path()).unwrap(), home.join(entry.file_name())).unwrap();
        }
    }
    let suite = "targets = [\"ice40\"]\n\n[[unit]]\nformat = [\"e5m2\", \"e4m3\", \"e5m2b1\", \"e4m3fn\"]\nunit = [\"mul\", \"add\", \"encode\"]\n";
    fs::write(folder.path().join("s.toml"), suite).unwrap();
    let arguments = ["synth", "--suite", "s.toml", "--json"];
    let mut child = start(folder.path(), &home, &[], &arguments);
    let lines = || notes(&home).first().map_or(0, |note| fs::read_to_string(note).unwrap_or_default().lines().count());
    wait_until("three measurements", || lines() >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    let run = |words: &[&str]| {
        let output = binade_in(folder.path()).env("BINADE_HOME", &home).args(words).output().unwrap();
        let (code, stdout, stderr) = outcome(&output);
        assert_eq!(code, 0, "{stderr}");
        (stdout, stderr)
    };
    let (resumed, stderr) = run(&[&arguments[..], &["--resume"]].concat());
    assert!(stderr.contains("of 12 taken over from an earlier run"), "{stderr}");
    assert!(notes(&home).is_empty(), "a run that is finished leaves no note");
    assert_eq!(resumed, run(&arguments).0);
}

#[test]
#[ignore = "places and routes for a minute"]
fn nightly_a_sweep_in_parts_is_the_whole_byte_for_byte() {
    let folder = folder();
    let words = "sweep --format e2m1f --unit mul --stages 0..1 --target ice40-hx8k,ecp5-25k --seeds 2";
    let words: Vec<&str> = words.split(' ').collect();
    let files = parts(folder.path(), 2, &words);
    let (_, whole, _) = run_in(folder.path(), &[words.as_slice(), &["--json"]].concat());
    let (code, merged, stderr) = run_in(folder.path(), &["merge", &files[0], &files[1], "--json"]);
    assert_eq!((code, merged), (0, whole), "{stderr}");
}

#[test]
fn a_suite_names_its_jobs() {
    let folder = folder();
    fs::write(folder.path().join("s.toml"), SUITE).unwrap();
    let (code, stdout, stderr) = run_in(folder.path(), &["suite", "s.toml", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let list: Value = serde_json::from_str(&stdout).unwrap();
    let second = &list["units"][1];
    assert_eq!((&list["total"], &second["number"], &second["module"]), (&3.into(), &2.into(), &"add_e2m1f_rne".into()));
    let words: Vec<&str> = second["arguments"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let (code, stdout, _) = run_in(folder.path(), &[&["gen", "--json"], words.as_slice(), &["--out", "."]].concat());
    assert!(code == 0 && stdout.contains("add_e2m1f_rne"), "the words choose the unit: {stdout}");
    assert!(run_in(folder.path(), &["suite", "s.toml"]).1.contains("--unit add"));
}

/// A table without times is the same for any parts.
#[test]
fn merged_tables_do_not_depend_on_the_parts() {
    let folder = folder();
    fs::write(folder.path().join("s.toml"), "[[unit]]\nformat = \"e2m1f\"\nunit = [\"mul\", \"add\"]\n").unwrap();
    for (command, row) in
        [("verify", "mul_e2m1f_rne,right,all 256 input combinations,256"), ("prove", "mul_e2m1f_rne,proven,8,")]
    {
        let tables = [1, 2].map(|count| {
            let files = parts(folder.path(), count, &[command, "--suite", "s.toml"]);
            let names: Vec<&str> = files.iter().map(String::as_str).collect();
            run_in(folder.path(), &[&["merge", "--csv"], names.as_slice()].concat()).1
        });
        assert_eq!(tables[0], tables[1]);
        assert!(tables[0].contains(row), "{}", tables[0]);
    }
}
