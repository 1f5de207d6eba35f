//! Help and error sentences, word for word. After a change on purpose: `INSTA_UPDATE=always cargo test -p binade-cli`.

mod common;

use common::{folder, run_in};
use std::fmt::Write;
use std::fs;

#[test]
fn help() {
    for command in ["", "gen", "verify", "synth", "flow", "formats", "doctor"] {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let (code, stdout, stderr) = run_in(folder().path(), &arguments);
        assert_eq!((code, stderr.as_str()), (0, ""), "{command}");
        insta::assert_snapshot!(format!("help_{command}"), stdout);
    }
}

#[test]
fn version() {
    let (code, stdout, _) = run_in(folder().path(), &["--version"]);
    assert_eq!((code, stdout.as_str()), (0, concat!("binade ", env!("CARGO_PKG_VERSION"), "\n")));
}

/// Wrong command lines. Each gives its code and one message on stderr, and leaves no file.
const WRONG: &[(i32, &str)] = &[
    (2, ""),
    (2, "gne"),
    (2, "verfy"),
    (2, "gen --format e5m2"),
    (2, "gen --fromat e5m2 --unit mul"),
    (2, "gen --format e5m2x --unit mul"),
    (2, "gen --format bfloat61 --unit mul"),
    (2, "gen --format e9m2 --unit mul"),
    (2, "gen --format e4m3b9 --unit mul"),
    (2, "gen --format e5m2,bais=3 --unit mul"),
    (2, "gen --format e5m2 --unit fmca"),
    (2, "gen --format e5m2 --unit mul --round rnee"),
    (2, "gen --format e5m2 --unit mul --overflow sat"),
    (2, "gen --format e5m2 --unit convert"),
    (2, "gen --format e5m2 --unit mul --to e4m3"),
    (2, "gen --format e5m2 --unit add --acc binary16"),
    (2, "gen --format dlfloat16 --unit mul --round rne"),
    (2, "gen --format binary64 --unit mul"),
    (2, "gen --format e5m2 --unit fmac --acc binary64"),
    (2, "verify --format e5m2 --unit mul --vectors 0"),
    (2, "verify --format e5m2 --unit mul --vectors many"),
    (2, "verify --format e5m2 --unit mul --vectors -5"),
    (2, "verify --format e5m2 --unit mul --seed 0.5"),
    (2, "verify --format e5m2 --unit mul --vectors 9 --exhaustive"),
    (2, "verify --format binary32 --unit fmac --exhaustive"),
    (2, "verify --format e5m2 --unit mul --replay 0x12"),
    (2, "verify --format e5m2 --unit mul --replay 0x12,0x123"),
    (2, "verify --format e5m2 --unit mul --replay 0x12,x"),
    (2, "verify --format e5m2 --unit mul --tools pinnd"),
    (2, "synth"),
    (2, "synth --format e5m2 --unit mul --target ice50"),
    (2, "synth --format e5m2 --unit mul --suite suite.toml"),
    (2, "synth --suite misspelt.toml"),
    (2, "synth --suite format.toml"),
    (2, "synth --suite empty.toml"),
    (1, "synth --suite absent.toml"),
    (2, "formats e5m2b"),
    (1, "gen --format e5m2 --unit mul --out file"),
    (1, "gen --format e5m2 --unit mul --out file/below"),
    (1, "flow --format e5m2 --unit mul --out file"),
    (1, "gen --format e5m2 --unit mul --out /proc/binade"),
];

#[test]
fn errors() {
    let folder = folder();
    let suites = [
        ("misspelt.toml", "[[unit]]\nformat = \"e5m2\"\nunit = \"mul\"\nrouding = \"rne\"\n"),
        ("format.toml", "[[unit]]\nformat = \"e5m2x\"\nunit = \"mul\"\n"),
        ("empty.toml", "unit = []\n"),
        ("file", "a file\n"),
    ];
    for (name, text) in suites {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let before = common::names(folder.path());
    let mut transcript = String::new();
    for &(expected, line) in WRONG {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (code, stdout, stderr) = run_in(folder.path(), &words);
        assert_eq!((code, stdout.as_str()), (expected, ""), "binade {line}\n{stderr}");
        writeln!(transcript, "$ binade {line}\n{}\n[exit {code}]\n", stderr.trim_end()).unwrap();
    }
    assert_eq!(common::names(folder.path()), before);
    insta::assert_snapshot!("errors", transcript);
}

#[test]
fn missing_tools() {
    let unit = "--format e5m2 --unit mul --tools system";
    let lines =
        [format!("verify {unit}"), format!("synth {unit}"), format!("flow {unit}"), "doctor --tools system".into()];
    let mut transcript = String::new();
    for line in lines {
        let folder = folder();
        let output = common::binade_in(folder.path()).env("PATH", "").args(line.split(' ')).output().unwrap();
        let (code, stdout, stderr) = common::outcome(&output);
        assert_eq!(code, 3, "binade {line}\n{stderr}");
        writeln!(transcript, "$ binade {line}\n{stdout}{stderr}[exit {code}]\n").unwrap();
    }
    insta::assert_snapshot!("missing_tools", trimmed(&transcript));
}

/// Without the spaces that fill up the last column of a table.
fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
