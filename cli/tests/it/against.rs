//! `verify --against specification`.

use crate::common::{folder, run_in};
use serde_json::Value;
use std::fs;

const ADD: [&str; 9] =
    ["verify", "--format", "binary32", "--unit", "add", "--engine", "lanes", "--against", "specification"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn the_report_says_what_answers_were_held_against() {
    let folder = folder();
    let (code, stdout, stderr) = run_in(folder.path(), &[&ADD[..], &["--vectors", "5000000"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let against = "the specification circuit, 1 vector in 1000000 the golden model, too";
    assert!(stdout.contains(&format!("\n  against  {against}\n")), "{stdout}");
    assert!(stderr.starts_with("add_binary32_rne agrees with its specification on "), "{stderr}");
    let parts = ["1/2", "2/2"].map(|part| {
        let file = format!("{}.json", &part[..1]);
        let more = ["--vectors", "5000000", "--shard", part, "--json"];
        let (code, stdout, stderr) = run_in(folder.path(), &[&ADD[..], &more].concat());
        assert_eq!((code, &json(&stdout)["against"]), (0, &against.into()), "{stderr}");
        fs::write(folder.path().join(&file), stdout).expect("written");
        file
    });
    let (code, _, stderr) = run_in(folder.path(), &["merge", &parts[0], &parts[1]]);
    assert!(code == 0 && stderr.starts_with("add_binary32_rne agrees with its specification on "), "{stderr}");

    // A part checked against the golden model belongs to another run.
    let golden = [&ADD[..7], &["--vectors", "5000000", "--shard", "2/2", "--json"]].concat();
    let (_, stdout, _) = run_in(folder.path(), &golden);
    fs::write(folder.path().join("golden.json"), stdout).expect("written");
    let (code, _, stderr) = run_in(folder.path(), &["merge", &parts[0], "golden.json"]);
    assert!(code == 2 && stderr.contains("are of different runs"), "{stderr}");
}

/// A module with each kind of fault, the vector that shows it, and the golden model's result.
#[test]
fn a_wrong_module_is_found() {
    let folder = folder();
    for stages in ["0", "2"] {
        let (code, written, _) =
            run_in(folder.path(), &["gen", "--format", "binary32", "--unit", "add", "--stages", stages]);
        assert_eq!(code, 0);
        let file = written.lines().next().expect("a file").to_string();
        let text = fs::read_to_string(folder.path().join(&file)).expect("Verilog");
        let wrong = text.replace("round_up = guard & ", "round_up = guard | ");
        assert_ne!(text, wrong);
        fs::write(folder.path().join(&file), wrong).expect("written");
        let more = ["--netlist", "generic", "--verilog", &file, "--stages", stages, "--no-waves", "--json"];
        let (code, stdout, stderr) = run_in(folder.path(), &[&ADD[..], &more].concat());
        let report = json(&stdout);
        assert_eq!((code, report["verdict"].as_str()), (1, Some("wrong")), "{stderr}");
        assert!(report["dissent"].is_null() && report["mismatch"]["want"]["code"].is_string(), "{stdout}");
        let replay = report["replay"].as_str().expect("a command").trim_start_matches("binade ");
        assert!(replay.contains(" --against specification "), "{replay}");
        let (code, _, stderr) = run_in(folder.path(), &replay.split(' ').collect::<Vec<_>>());
        assert!(code == 1 && stderr.contains("differs from the golden model"), "{stderr}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = folder();
    for (arguments, says) in [
        (&["--format", "e4m3", "--unit", "add"][..], "--against specification is for --engine lanes; give both"),
        (
            &["--format", "e4m3", "--unit", "accumulate", "--engine", "lanes"],
            "accumulate_e4m3_acc_binary16_rne: a unit with state",
        ),
        (&["--format", "e4m3", "--unit", "add", "--engine", "lanes", "--nan", "any"], "lanes compare bit for bit"),
        (&["--format", "e4m3", "--unit", "add", "--mutate", "10"], "cannot be used with"),
        (
            &["--suite", "suite.toml", "--engine", "lanes"],
            "dot2_fmac8_blocks_of_8_e2m1f_acc_e3m2f_rne: this sequence of roundings",
        ),
    ] {
        let suite = "[[unit]]\nformat = 'e2m1f'\nunit = 'dot'\nlanes = 2\nsum = ['exact', 'fmac8']\nacc = 'e3m2f'\n";
        fs::write(folder.path().join("suite.toml"), suite).expect("written");
        let against = ["verify", "--against", "specification"];
        let (code, _, stderr) = run_in(folder.path(), &[&against[..], arguments].concat());
        assert!(code == 2 && stderr.contains(says), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_suite_is_held_against_specifications() {
    let folder = folder();
    let suite = "[[unit]]\nformat = [\"e4m3\", \"posit8_0\"]\nunit = [\"mul\", \"add\"]\n";
    fs::write(folder.path().join("suite.toml"), suite).expect("written");
    let arguments = ["verify", "--suite", "suite.toml", "--engine", "lanes", "--against", "specification", "--json"];
    let (code, stdout, stderr) = run_in(folder.path(), &arguments);
    let report = json(&stdout);
    assert_eq!(code, 0, "{stderr}");
    assert!(report["units"].as_array().is_some_and(|units| units.len() == 4), "{stdout}");
    assert!(stdout.contains("the specification circuit, 1 vector in"), "{stdout}");
}
