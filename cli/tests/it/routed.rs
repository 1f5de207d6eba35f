//! `synth --pnr` and `sweep` with the pinned tools, and the errors of both.

use crate::common::{SMALL_UNIT, folder, names, run_in};
use serde_json::Value;
use std::collections::HashMap;

fn run(folder: &std::path::Path, command: &str, arguments: &[&str]) -> (i32, String, String) {
    run_in(folder, &[&[command], &SMALL_UNIT[..], arguments].concat())
}

#[test]
#[ignore = "long"]
fn a_unit_is_placed_and_routed_on_each_device() {
    let arguments = ["--pnr", "--target", "ice40-hx8k,ulx3s", "--seeds", "2", "--json"];
    let (code, stdout, stderr) = run(folder().path(), "synth", &arguments);
    assert_eq!(code, 0, "{stderr}");
    let reports: Vec<Value> = serde_json::from_str(&stdout).expect("JSON");
    let targets: Vec<&str> = reports.iter().filter_map(|report| report["target"].as_str()).collect();
    assert_eq!(targets, ["ice40-hx8k", "ecp5-25k"]);
    for report in &reports {
        assert_eq!(report["seeds"].as_array().map(Vec::len), Some(2));
        assert!(report["fmax_mhz"]["median"].as_f64().is_some_and(|mhz| mhz > 20.0), "{report}");
        assert!(report["nextpnr"].as_str().is_some_and(|tool| tool.starts_with("nextpnr-")), "{report}");
    }
    assert!(stderr.ends_with("nextpnr-ice40 0.11.1.0.post826\n"), "{stderr}");
}

#[test]
#[ignore = "long"]
fn a_clock_may_not_fall() {
    let folder = folder();
    let synth = ["--pnr", "--target", "ice40-hx8k", "--seeds", "1"];
    let (code, stdout, stderr) = run(folder.path(), "synth", &[&synth[..], &["--json"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let report: Vec<Value> = serde_json::from_str(&stdout).expect("JSON");
    let median = report[0]["fmax_mhz"]["median"].as_f64().expect("a clock");
    let against = |factor: f64, more: &[&str]| {
        let mut earlier = report.clone();
        earlier[0]["fmax_mhz"]["median"] = (median * factor).into();
        std::fs::write(folder.path().join("earlier.json"), Value::from(earlier).to_string()).unwrap();
        let (code, _, stderr) =
            run(folder.path(), "synth", &[&synth[..3], more, &["--baseline", "earlier.json"]].concat());
        (code, stderr)
    };
    let one_seed = ["--seeds", "1"];
    let (code, stderr) = against(1.0, &one_seed);
    assert!(code == 0 && stderr.ends_with("0 figures worse by more than 2 %, 0 better\n"), "{stderr}");
    let (code, stderr) = against(1.1, &one_seed);
    assert!(code == 1 && stderr.contains("worse: mul_e3m2f_rne, ice40-hx8k: fmax_mhz"), "{stderr}");
    let (code, stderr) = against(1.0, &["--seeds", "2"]);
    assert!(code == 2 && stderr.contains("and 1 seed, this run with"), "{stderr}");
}

#[test]
#[ignore = "long"]
fn a_sweep_has_a_row_for_each_depth_and_a_picture() {
    let folder = folder();
    let arguments = ["--stages", "0..1", "--target", "ice40-hx8k", "--seeds", "1", "--csv", "--svg", "sweep.svg"];
    let (code, stdout, stderr) = run(folder.path(), "sweep", &arguments);
    assert_eq!(code, 0, "{stderr}");
    let rows: Vec<&str> = stdout.lines().skip(1).collect();
    assert!(rows[0].starts_with("ice40-hx8k,mul_e3m2f_rne,0,"), "{stdout}");
    assert!(rows[1].starts_with("ice40-hx8k,mul_e3m2f_rne_p1,1,") && rows.len() == 2, "{stdout}");
    assert_eq!(names(folder.path()), ["sweep.svg"]);
    let svg = std::fs::read_to_string(folder.path().join("sweep.svg")).expect("the picture");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.contains("nextpnr-ice40"), "{svg}");
}

/// The signature of the small unit as defined in `docs/integrating.md`, from its table of products.
fn signature(folder: &std::path::Path) -> u32 {
    let (code, stdout, _) = run(folder, "vectors", &["--exhaustive"]);
    assert_eq!((code, stdout.lines().count()), (0, 1 << 12));
    let code = |word| u32::from_str_radix(word, 16).expect("a code");
    let rows = stdout.lines().map(|line| line.split(' ').map(code).collect::<Vec<_>>());
    let products: HashMap<u32, u32> = rows.map(|row| (row[1] << 6 | row[0], row[2])).collect();
    let (mut state, mut signature) = (0x243f_6a88_u32, 0_u32);
    for _ in 0..1 << 20 {
        let folded = if signature >> 31 == 1 { 0x04c1_1db7 } else { 0 };
        signature = signature << 1 ^ folded ^ products[&(state & 0xfff)];
        for _ in 0..12 {
            let new = [31, 21, 1, 0].iter().fold(0, |sum, bit| sum ^ state >> bit & 1);
            state = state << 1 | new;
        }
    }
    signature
}

/// A self-test in Verilog and a bitstream, in addition to the usual files of a flow.
#[test]
#[ignore = "long"]
fn a_flow_for_a_board_ends_with_a_bitstream() {
    let signature = signature(folder().path());
    for (board, file, load) in
        [("icebreaker", "icebreaker.bin", "iceprog"), ("ulx3s", "ulx3s.bit", "openFPGALoader -b ulx3s")]
    {
        let folder = folder();
        let arguments = ["--out", "out", "--board", board, "--target", "ice40", "--json"];
        let (code, stdout, stderr) = run(folder.path(), "flow", &arguments);
        assert_eq!(code, 0, "{stderr}");
        assert!(stderr.contains(&format!("proven, measured and built for {board} in ")), "{stderr}");
        let (verilog, bitstream) = (format!("mul_e3m2f_rne_{board}.v"), format!("mul_e3m2f_rne_{file}"));
        let mut files = [bitstream.as_str(), &verilog, "mul_e3m2f_rne.json", "mul_e3m2f_rne.v"];
        files.sort_unstable();
        assert_eq!(names(&folder.path().join("out")), files);
        let summary: Value = serde_json::from_str(&stdout).expect("JSON");
        let made = &summary["board"];
        assert_eq!(made["load"], format!("{load} out/{bitstream}"));
        assert_eq!((&made["vectors"], &made["clocks"]), (&(1 << 20).into(), &((1 << 20) + 5).into()));
        assert_eq!(made["signature"], format!("{signature:#010x}"));
        assert!(made["fmax_mhz"].as_f64() > made["clock_mhz"].as_f64(), "{made}");
        let text = std::fs::read_to_string(folder.path().join("out").join(&verilog)).expect("the self-test");
        assert!(text.contains(&format!("--board {board}\n")), "{text}");
    }
}

/// The clock of a unit with each of five seeds, in MHz: the slowest.
fn slowest(folder: &std::path::Path, unit: &[&str], board: &str) -> f64 {
    let (code, stdout, stderr) = run_in(folder, &[&["synth", "--pnr", "--json", "--target", board], unit].concat());
    assert_eq!(code, 0, "{stderr}");
    let reports: Vec<Value> = serde_json::from_str(&stdout).expect("JSON");
    reports[0]["fmax_mhz"]["min"].as_f64().expect("a clock")
}

/// The unit of `gen --place` for a clock on a target: its ranks.
fn placed(folder: &std::path::Path, unit: &[&str], mhz: &str, target: &str) -> u64 {
    let place = ["gen", "--json", "--place", "--target-mhz", mhz, "--target", target];
    let (code, stdout, stderr) = run_in(folder, &[&place, unit].concat());
    assert_eq!(code, 0, "{stderr}");
    let manifest: Value = serde_json::from_str(&stdout).expect("JSON");
    manifest["pipeline"]["stages"].as_u64().unwrap_or(0)
}

#[test]
#[ignore = "places and routes for a minute"]
fn nightly_a_placed_unit_keeps_its_clock() {
    let folder = folder();
    let stages = placed(folder.path(), &SMALL_UNIT, "140", "ice40");
    assert!(stages > 0);
    let with = |stages: u64| {
        let stages = stages.to_string();
        slowest(folder.path(), &[&SMALL_UNIT[..], &["--stages", &stages]].concat(), "ice40-hx8k")
    };
    assert!(with(stages - 1) < 140.0 && 140.0 <= with(stages));
}

/// Units with a clock on each device.
#[test]
#[ignore = "nightly"]
fn nightly_placed_units_keep_their_clocks() {
    let folder = folder();
    for (unit, ecp5, ice40) in [
        ("--unit mul --format e5m2", "180", "150"),
        ("--unit mul --format binary16", "110", "90"),
        ("--unit add --format e4m3fn", "150", "120"),
        ("--unit add --format binary16", "150", "120"),
        ("--unit add --format bfloat16", "170", "140"),
        ("--unit fmac --format e5m2b1", "165", "130"),
        ("--unit fmac --format binary16 --acc binary16", "100", "90"),
        ("--unit encode --format e5m2", "200", "150"),
        ("--unit decode --format posit16_1", "150", "120"),
        ("--unit divide --format e5m2", "100", "80"),
    ] {
        let unit: Vec<&str> = unit.split(' ').collect();
        for (target, board, mhz) in [("ecp5", "ecp5-25k", ecp5), ("ice40", "ice40-hx8k", ice40)] {
            let stages = placed(folder.path(), &unit, mhz, target).to_string();
            let reached = slowest(folder.path(), &[&unit[..], &["--stages", &stages]].concat(), board);
            println!("{unit:?} on {board}: {reached:.1} MHz with {stages} ranks, {mhz} asked for");
            assert!(reached >= mhz.parse().expect("a clock"), "{unit:?} on {board}: {reached} MHz");
        }
    }
}

/// Each is refused before any tool runs, with the reason in the message.
#[test]
fn what_cannot_be_placed_and_routed_is_a_usage_error() {
    for (command, arguments, message) in [
        ("synth", "--pnr --target ice40", "use one of ice40-hx8k, icebreaker, ecp5-25k, ulx3s"),
        ("synth", "--target ice40-hx8k", "add --pnr, or map to ice40"),
        ("synth", "--pnr --target ecp5-85k", "a similar value exists: 'ecp5-25k'"),
        ("synth", "--pnr --seeds 0", "a number of seeds from 1 to 1000 is expected"),
        ("synth", "--seeds 3", "--pnr"),
        ("synth", "--pnr --target icebreaker --target-mhz 20", "delays are known for ice40-hx8k and ecp5-25k"),
        ("sweep", "--stages 3..1", "a range begins with the smaller number"),
        ("sweep", "--stages 0..17", "a unit can have up to 16"),
        ("sweep", "--target ice40", "ice40-hx8k"),
        ("flow", "--board icebraker", "a similar value exists: 'icebreaker'"),
        ("flow", "--board ice40-hx8k", "[possible values: icebreaker, ulx3s]"),
        ("flow", "--board ulx3s --interface axi-stream", "leave --interface axi-stream out"),
        ("flow", "--board ulx3s --module self_test_words", "a module of this name beside the unit"),
        ("flow", "--board ulx3s --vectors 5e9", "a self-test on a board has 1 to 4294967296"),
        ("gen", "--place", "--target-mhz <MHZ>"),
        ("gen", "--place --target-mhz 100", "--place needs one target: --target ecp5 or --target ice40"),
        ("gen", "--target-mhz 100 --target liberty", "--target liberty needs standard cells: add --liberty FILE"),
        ("gen", "--liberty cells.lib", "--liberty: nothing is mapped to standard cells; add --target liberty"),
        ("sweep", "--json --csv", "cannot be used with"),
        ("sweep", "--svg nowhere/sweep.svg", "cannot write `nowhere/sweep.svg`"),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let (code, stdout, stderr) = run(folder().path(), command, &arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{command} {arguments:?}: {stderr}");
        assert!(stderr.contains(message), "{command} {arguments:?}: {stderr}");
    }
}
