//! `binade units`: the list, the description of one unit, and the help with the settings of one unit.

use crate::common::{folder, run_in};
use binade_spec::{Setting, Unit};
use rayon::prelude::*;
use serde_json::Value;

fn printed(arguments: &[&str]) -> String {
    let (code, stdout, stderr) = run_in(folder().path(), arguments);
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}");
    stdout
}

/// Whether a help text lists an option; descriptions are indented further.
fn has_option(help: &str, key: &str) -> bool {
    help.contains(&format!("\n      --{key} "))
}

fn page(unit: Unit) -> String {
    printed(&["units", unit.name()])
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(&[&["units", "--json"], arguments].concat())).expect("JSON")
}

#[test]
fn list_and_explanations() {
    insta::assert_snapshot!("units", printed(&["units"]));
    for unit in [Unit::Fmac, Unit::Mma, Unit::Accumulate, Unit::Classify, Unit::Random] {
        insta::assert_snapshot!(format!("units_{unit}"), page(unit));
    }
}

#[test]
fn every_unit_is_listed() {
    let list = json(&[]);
    let text = printed(&["units"]);
    let entries = list.as_array().unwrap();
    assert_eq!(entries.len(), Unit::ALL.len());
    for (entry, unit) in entries.iter().zip(Unit::ALL) {
        assert_eq!(entry["name"], unit.name());
        let summary = entry["summary"].as_str().unwrap();
        assert!(!summary.is_empty() && !summary.contains(['`', '\n']) && !summary.contains("::"), "{summary}");
        let begins = |line: &&str| line.split_whitespace().next() == Some(unit.name());
        assert!(text.lines().find(begins).is_some_and(|row| row.ends_with(summary)), "{unit}");
    }
}

/// Name, direction and width of each port, sorted.
fn ports(description: &Value) -> Vec<String> {
    let port = |port: &Value| format!("{} {} {}", port["name"], port["direction"], port["width"]);
    let mut ports: Vec<String> = description["ports"].as_array().unwrap().iter().map(port).collect();
    ports.sort();
    ports
}

/// Each unit's description has an example that runs, and whose manifest has the same ports.
#[test]
fn every_example_runs() {
    Unit::ALL.into_par_iter().for_each(|unit| {
        let (page, description) = (page(unit), json(&[unit.name()]));
        let example = description["example"].as_str().unwrap();
        assert!(page.contains(example) && page.contains(&format!("| {unit} |")), "{page}");
        let words: Vec<&str> = example.split(' ').skip(1).chain(["--json"]).collect();
        let (code, stdout, stderr) = run_in(folder().path(), &words);
        assert_eq!(code, 0, "{example}: {stderr}");
        let manifest: Value = serde_json::from_str(&stdout).expect("a manifest");
        assert_eq!(ports(&description), ports(&manifest), "{unit}");
        assert_eq!(description["command"], manifest["command"]);
    });
}

#[test]
fn every_setting_of_a_unit_is_on_its_page() {
    Unit::ALL.into_par_iter().for_each(|unit| {
        let page = page(unit);
        for setting in Setting::ALL {
            assert_eq!(has_option(&page, setting.key()), unit.takes(setting), "{unit} {setting}");
        }
    });
}

#[test]
fn other_names_are_read_and_unknown_ones_refused() {
    assert_eq!(printed(&["units", "FMA"]), page(Unit::Fmac));
    let (code, stdout, stderr) = run_in(folder().path(), &["units", "fmca"]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("a similar value exists: 'fmac'"), "{stderr}");
}

/// The settings of the named units, and no others; `--out` of `gen` and `flow` also names a folder.
#[test]
fn help_beside_a_unit_has_its_settings() {
    let commands = ["gen", "verify", "prove", "vectors", "synth", "sweep", "flow", "report units"];
    commands.into_par_iter().for_each(|command| {
        for unit in [Unit::Mul, Unit::Dot, Unit::Random] {
            let line = format!("{command} --unit {unit} --help");
            let help = printed(&line.split(' ').collect::<Vec<_>>());
            let has_folder = ["gen", "flow"].contains(&command);
            for setting in Setting::ALL {
                let is_shown = unit.takes(setting) || setting == Setting::Out && has_folder;
                assert_eq!(has_option(&help, setting.key()), is_shown, "{line}: {setting}");
            }
            assert!(has_option(&help, "unit") && has_option(&help, "optimize"), "{help}");
        }
    });
    let gen_help = |more: &[&str]| printed(&[&["gen"], more].concat());
    assert!(!gen_help(&["--help", "--unit", "mul"]).contains("--lanes"));
    assert!(gen_help(&["--unit=DOT", "-h"]).contains("--lanes"));
    assert!(gen_help(&["--help"]).contains("--lanes"));
    let of_two = printed(&["synth", "--unit", "mul,dot", "--help"]);
    assert!(of_two.contains("--lanes") && !of_two.contains("--quire"), "{of_two}");
}
