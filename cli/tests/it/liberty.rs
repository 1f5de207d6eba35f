//! `synth` and `sweep` with standard cells: a small library with the pinned tools, and the kit from Debian.

use crate::common::{SMALL_UNIT, folder, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Cells with round figures.
const SMALL: &str = include_str!("../../../testbench/cells/small.lib");

/// `binade` with the small library, in a folder whose name has a space.
fn run(folder: &Path, command: &str, more: &[&str]) -> (i32, String, String) {
    let file = folder.join("my kit").join("small cells.lib");
    fs::create_dir_all(file.parent().expect("a folder")).unwrap();
    fs::write(file, SMALL).unwrap();
    let cells = ["--target", "liberty", "--liberty", "my kit/small cells.lib"];
    run_in(folder, &[&[command], &SMALL_UNIT[..], &cells, more].concat())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The area is the sum of the listed cells.
#[test]
fn areas_are_those_of_the_cells() {
    let folder = folder();
    let (code, stdout, stderr) = run(folder.path(), "synth", &["--stages", "1", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let report = &json(&stdout)[0];
    let of = |cell: &str| match cell {
        "INV" => 1.0,
        "BUF" | "NAND2" | "NOR2" => 2.0,
        "DFF" => 8.0,
        other => panic!("{other} is no cell of the library"),
    };
    let cells = report["cells"].as_object().expect("cells");
    let sum: f64 = cells.iter().map(|(cell, count)| of(cell) * count.as_f64().expect("a number")).sum();
    assert_eq!(report["area"]["area_um2"].as_f64(), Some(sum));
    assert_eq!(report["area"]["nand2"].as_f64(), Some(sum / 2.0));
    assert_eq!((&report["target"], &report["flip_flops"]), (&"liberty".into(), &cells["DFF"]));
    assert!(report["area"]["tight_delay_ps"].as_f64() <= report["area"]["delay_ps"].as_f64(), "{report}");
    assert_eq!(report["kit"]["libraries"][0], "small");
    assert!(stderr.contains("measured on 1 target with Yosys 0.70; cells of small"), "{stderr}");
}

/// Figures for cells have their own table, below the others.
#[test]
fn tables_and_lines_of_other_targets_stay_as_they_are() {
    let folder = folder();
    let others = run_in(folder.path(), &[&["synth"], &SMALL_UNIT[..], &["--target", "ice40"]].concat()).1;
    let (code, both, stderr) = run(folder.path(), "synth", &["--target", "ice40"]);
    assert_eq!(code, 0, "{stderr}");
    let (first, second) = both.split_once("\n\n").expect("two tables");
    assert_eq!(first.trim_end(), others.trim_end());
    assert!(second.starts_with("| unit          | library | area, µm² |"), "{second}");
    let (_, lines, _) = run(folder.path(), "synth", &["--csv"]);
    let figures: Vec<&str> = lines.lines().skip(1).filter_map(|line| line.split(',').nth(2)).collect();
    let want = "area_um2 nand2 delay_ps tight_area_um2 tight_nand2 tight_delay_ps flip_flops depth";
    assert_eq!(figures.join(" "), want);
}

#[test]
#[ignore = "long"]
fn only_figures_of_one_kit_compare() {
    let folder = folder();
    let (_, earlier, _) = run(folder.path(), "synth", &["--json"]);
    let path = folder.path().join("earlier.json");
    let against = |text: &str, more: &[&str]| {
        fs::write(&path, text).unwrap();
        let (code, _, stderr) = run(folder.path(), "synth", &[&["--baseline", "earlier.json"], more].concat());
        (code, stderr)
    };
    let (code, stderr) = against(&earlier, &[]);
    assert!(code == 0 && stderr.contains("0 figures worse by more than 2 %, 0 better"), "{stderr}");
    let (code, stderr) = against(&earlier, &["--load", "3"]);
    assert!(code == 2 && stderr.contains("only figures of one kit, driver and load compare"), "{stderr}");
    let mut better = json(&earlier);
    better[0]["area"]["tight_delay_ps"] = 1.into();
    let (code, stderr) = against(&better.to_string(), &[]);
    assert!(code == 1 && stderr.contains("worse: mul_e3m2f_rne, liberty: tight_delay_ps 1 -> "), "{stderr}");
}

/// The parts of a run with `synth` or `sweep` merge to the whole; parts with other cells are refused.
#[test]
#[ignore = "takes half a minute"]
fn nightly_parts_are_the_whole_byte_for_byte() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    for (command, words) in
        [("synth", &["--target", "generic"][..]), ("sweep", &["--stages", "0,1", "--points", "3"][..])]
    {
        for part in ["1/2", "2/2"] {
            let (code, stdout, stderr) = run(folder.path(), command, &[words, &["--json", "--shard", part]].concat());
            assert_eq!(code, 0, "{stderr}");
            write(&format!("{}.json", &part[..1]), &stdout);
        }
        for form in [&["--json"][..], &["--csv"], &[]] {
            let (code, whole, _) = run(folder.path(), command, &[words, form].concat());
            assert_eq!(code, 0);
            let (code, merged, stderr) = run_in(folder.path(), &[&["merge", "1.json", "2.json"], form].concat());
            assert_eq!((code, merged), (0, whole), "{stderr}");
        }
        let other =
            run(folder.path(), command, &[words, &["--json", "--shard", "2/2", "--driving-cell", "INV"]].concat()).1;
        write("other.json", &other);
        let (code, _, stderr) = run_in(folder.path(), &["merge", "1.json", "other.json"]);
        assert!(code == 2 && stderr.contains("are of different runs"), "{stderr}");
    }
}

#[test]
fn a_sweep_goes_from_area_to_delay() {
    let folder = folder();
    let words = ["--driving-cell", "INV", "--load", "5", "--points", "4", "--svg", "curve.svg", "--json"];
    let (code, stdout, stderr) = run(folder.path(), "sweep", &words);
    assert_eq!(code, 0, "{stderr}");
    let curve = &json(&stdout)[0];
    let targets: Vec<u64> =
        curve["points"].as_array().unwrap().iter().map(|point| point["target_ps"].as_u64().unwrap()).collect();
    assert!(
        targets[0] == 100_000 && *targets.last().unwrap() == 1 && targets.is_sorted_by(|a, b| a > b),
        "{targets:?}"
    );
    let svg = fs::read_to_string(folder.path().join("curve.svg")).expect("the picture");
    assert!(svg.starts_with("<svg") && svg.contains("small, inputs driven by INV"), "{svg}");
}

/// A suite may name the target; the command line names its cells.
#[test]
fn a_suite_is_measured_in_cells() {
    let folder = folder();
    fs::write(folder.path().join("small.lib"), SMALL).unwrap();
    let suite = "targets = \"liberty\"\n\n[[unit]]\nformat = \"e2m1f\"\nunit = [\"mul\", \"add\"]\n";
    fs::write(folder.path().join("s.toml"), suite).unwrap();
    let (code, stdout, stderr) = run_in(folder.path(), &["synth", "--suite", "s.toml", "--liberty", "small.lib"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("| mul_e2m1f_rne | small ") && stdout.contains("| add_e2m1f_rne | small "), "{stdout}");
}

#[test]
fn what_cannot_be_mapped_is_a_sentence() {
    let folder = folder();
    let without_registers = SMALL.replace("ff (IQ, IQN)", "latch (IQ, IQN)");
    fs::write(folder.path().join("gates.lib"), without_registers).unwrap();
    let synth = ["synth", "--target", "liberty", "--liberty", "gates.lib"];
    for (words, sentence) in [
        (["--stages", "1"], "mul_e3m2f_rne_p1 has registers, and small has no flip-flop for them"),
        (["--driving-cell", "NAND3"], "--driving-cell NAND3: small has no such cell; did you mean NAND2?"),
    ] {
        let (code, stdout, stderr) = run_in(folder.path(), &[&synth, &SMALL_UNIT[..], &words].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(sentence), "{stderr}");
    }
}

/// Debian's package qflow-tech-osu018, which `.ci/run` installs.
#[test]
#[ignore = "long"]
fn the_kit_of_debian_is_found_by_its_name() {
    let folder = folder();
    let cells = ["--target", "liberty", "--liberty", "osu018", "--driving-cell", "INVX1", "--load", "20"];
    let unit = ["--format", "e5m2", "--unit", "mul", "--stages", "2", "--json"];
    let (code, stdout, stderr) = run_in(folder.path(), &[&["synth"], &unit[..], &cells].concat());
    assert_eq!(code, 0, "{stderr}");
    let report = &json(&stdout)[0];
    assert_eq!(
        (&report["kit"]["libraries"][0], &report["kit"]["nand2_um2"]),
        (&"osu018_stdcells".into(), &24.0.into())
    );
    assert_eq!((&report["flip_flops"], &report["cells"]["DFFPOSX1"]), (&34.into(), &34.into()));
}

/// The fewest ranks are taken whose longest path is short enough.
#[test]
fn a_clock_in_cells_is_measured() {
    let folder = folder();
    let path_ps = |stages: &str| {
        let (code, stdout, stderr) = run(folder.path(), "synth", &["--stages", stages, "--json"]);
        assert_eq!(code, 0, "{stderr}");
        json(&stdout)[0]["area"]["tight_delay_ps"].as_f64().expect("a delay")
    };
    let (without, two) = (path_ps("0"), path_ps("2"));
    assert!(two < without);
    for (mhz, stages) in [(0.99e6 / without, 0), (1.01e6 / without, 1)] {
        let (code, stdout, stderr) = run(folder.path(), "gen", &["--target-mhz", &mhz.to_string()]);
        assert_eq!(code, 0, "{stderr}");
        let name = if stages == 0 { "mul_e3m2f_rne.v".into() } else { format!("mul_e3m2f_rne_p{stages}.v") };
        assert!(stdout.contains(&name), "{stdout}");
        assert!(stderr.contains(&format!("MHz with --stages {stages} in small, mapped for delay")), "{stderr}");
    }
    let (code, stdout, stderr) = run(folder.path(), "gen", &["--target-mhz", "99999"]);
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    assert!(
        stderr.contains("MHz at most, with --stages ") && stderr.contains("try --optimize depth, or ask for"),
        "{stderr}"
    );
    let (code, _, stderr) = run(folder.path(), "gen", &["--target-mhz", "100", "--place"]);
    assert!(code == 2 && stderr.contains("leave --place out"), "{stderr}");
}
