//! Every suite of the project can be read, and a share of it is checked; each day checks another share.

use crate::common::{folder, run_in, today};
use crate::transcripts::checkout;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// The approximate number of a suite's units checked per day; `.ci/nightly` checks many more.
const SHARE: u64 = 1;

fn suites() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(checkout().join("testbench/suites")).expect("the suites are there");
    let mut suites: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    suites.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    suites.sort();
    assert!(suites.len() > 10, "{suites:?}");
    suites
}

/// Today's part of this many, such as `3/100`.
fn shard(parts: u64) -> String {
    format!("{}/{parts}", 1 + today() % parts)
}

/// The number of units that the suite resolves to.
fn units(suite: &str) -> u64 {
    let (code, stdout, stderr) = run_in(&checkout(), &["suite", suite, "--json"]);
    assert_eq!(code, 0, "{suite}: {stderr}");
    let units: Value = serde_json::from_str(&stdout).expect("JSON");
    units["total"].as_u64().expect("a number")
}

#[test]
fn a_share_of_every_suite_is_right() {
    for path in suites() {
        let suite = path.to_str().expect("a path in UTF-8");
        let parts = (units(suite) / SHARE).max(1);
        let words = ["verify", "--engine", "lanes", "--vectors", "200", "--shard", &shard(parts), "--suite", suite];
        let (code, stdout, stderr) = run_in(&checkout(), &words);
        assert_eq!(code, 0, "{words:?}: {stdout}{stderr}");
    }
}

/// A unit of the proofs suite, and two mutants of each unit of the mutants suite.
#[test]
#[ignore = "long"]
fn a_share_of_proofs_and_mutants_is_as_on_their_pages() {
    let proofs = ["prove", "--suite", "testbench/suites/proofs.toml", "--shard", &shard(200)];
    let mutants = ["verify", "--suite", "testbench/suites/mutants.toml", "--mutate", "2"];
    for words in [&proofs[..], &mutants] {
        let (code, stdout, stderr) = run_in(&checkout(), words);
        assert_eq!(code, 0, "{words:?}: {stdout}{stderr}");
        assert!(stderr.contains(" 0 wrong, 0 open") || stderr.contains(" 0 survived, 0 undecided"), "{stderr}");
    }
}

/// A suite without units, and a part beyond its units, are no success.
#[test]
fn nothing_listed_is_no_success() {
    let folder = folder();
    fs::write(folder.path().join("none.toml"), "targets = [\"ice40\"]\n").unwrap();
    fs::write(folder.path().join("one.toml"), "[[unit]]\nformat = \"e2m1f\"\nunit = \"mul\"\n").unwrap();
    for command in ["verify", "prove", "synth"] {
        let (code, stdout, stderr) = run_in(folder.path(), &[command, "--suite", "none.toml"]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{command}: {stderr}");
        assert!(stderr.contains("no [[unit]] is listed"), "{command}: {stderr}");
        let (code, stdout, stderr) = run_in(folder.path(), &[command, "--suite", "one.toml", "--shard", "9/9"]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{command}: {stderr}");
        assert!(stderr.contains("--shard 9/9: a "), "{command}: {stderr}");
    }
}
