//! `synth` beside peers' figures, and compared with an earlier run.

use crate::common::{folder, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

const SUITE: &str = r#"
targets = ["generic", "ice40"]
peers = "peers.csv"

[[family]]
name = "mul"
area = 0.5

[[unit]]
format = "e2m1f"
unit = "mul"
optimize = ["area", "depth"]
"#;

const PEERS: &str = "\
family,unit,peer,function,right,gates,gate_depth,lut4,ice40_depth
mul,mul_e2m1f_rne,Somebody,same,right,1000,100,500,50
mul,mul_e2m1f_rne,Nobody,same,wrong,1,1,1,1
";

fn run(folder: &Path, more: &[&str]) -> (i32, String, String) {
    fs::write(folder.join("suite.toml"), SUITE).unwrap();
    fs::write(folder.join("peers.csv"), PEERS).unwrap();
    run_in(folder, &[&["synth", "--suite", "suite.toml"], more].concat())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
#[ignore = "long"]
fn units_stand_beside_their_peers() {
    let folder = folder();
    let (code, stdout, stderr) = run(folder.path(), &["--json"]);
    assert_eq!(code, 0, "{stderr}");
    let result = json(&stdout);
    let modules: Vec<&Value> = result["reports"].as_array().unwrap().iter().map(|report| &report["module"]).collect();
    assert_eq!(modules, ["mul_e2m1f_rne", "mul_e2m1f_rne", "mul_e2m1f_rne_depth", "mul_e2m1f_rne_depth"]);
    let figure = |row: usize, place: usize| &result["families"][0]["rows"][row]["figures"][place];
    assert_eq!(figure(0, 0)["figure"], "LUT4");
    for (row, report) in [(0, 1), (1, 3)] {
        let lut4 = result["reports"][report]["area"]["lut4"].as_f64().unwrap();
        assert_eq!(
            (figure(row, 0)["ours"].as_f64(), figure(row, 0)["ratio"].as_f64()),
            (Some(lut4), Some(lut4 / 500.0))
        );
    }
    let shallow = result["reports"][2]["depth"].as_f64();
    assert_eq!((figure(1, 3)["figure"].as_str(), figure(1, 3)["ours"].as_f64()), (Some("gate depth"), shallow));

    let (_, stdout, _) = run(folder.path(), &[]);
    assert!(stdout.contains("| mul | 0.") && stdout.contains("| 0.50 |") && stdout.contains("Somebody"), "{stdout}");
    assert!(stdout.contains("- ice40: `read_verilog design.v; synth_ice40 -flatten -top <module>;"), "{stdout}");
    let (_, stdout, _) = run(folder.path(), &["--csv"]);
    assert!(stdout.contains("mul,mul_e2m1f_rne,area,right,area,LUT4,"), "{stdout}");
}

#[test]
#[ignore = "long"]
fn a_run_is_compared_with_an_earlier_one() {
    let folder = folder();
    let (_, earlier, _) = run(folder.path(), &["--json"]);
    let path = folder.path().join("with space.json");
    let against = |text: &str| {
        fs::write(&path, text).unwrap();
        let (code, _, stderr) = run(folder.path(), &["--csv", "--baseline", "with space.json"]);
        (code, stderr)
    };
    let (code, stderr) = against(&earlier);
    assert!(code == 0 && stderr.contains("0 figures worse by more than 2 %, 0 better"), "{stderr}");

    let mut better = json(&earlier);
    better["reports"][1]["area"]["lut4"] = 1.into();
    better["reports"].as_array_mut().unwrap().remove(3);
    let (code, stderr) = against(&better.to_string());
    assert!(code == 1 && stderr.contains("worse: mul_e2m1f_rne, ice40: lut4 1 -> "), "{stderr}");
    assert!(stderr.contains("not in the baseline: mul_e2m1f_rne_depth (ice40)"), "{stderr}");

    let (code, stderr) = against(&earlier.replace("Yosys 0", "Yosys 1"));
    assert!(code == 2 && stderr.contains("only figures of one version can be compared"), "{stderr}");
    let (code, stderr) = against("[]");
    assert!(code == 2 && stderr.contains("it has none of these units"), "{stderr}");
    let (code, stderr) = against("half a f");
    assert!(code == 2 && stderr.contains("not what `synth --json` prints"), "{stderr}");
}
