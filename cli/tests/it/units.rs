//! `verify`, `synth` and `flow` with the pinned tools, mismatches, closed pipes, Ctrl-C.

use crate::common::{self, BINADE, SMALL_UNIT, binade_in, folder, home, names, outcome, run_in};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn run(folder: &Path, command: &str, more: &[&str]) -> (i32, String, String) {
    run_in(folder, &[&[command], SMALL_UNIT.as_slice(), more].concat())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn verify_checks_every_combination() {
    let folder = folder();
    let (code, stdout, stderr) = run(folder.path(), "verify", &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("all 4096 input combinations") && stdout.contains("Verilator"), "{stdout}");
    let last = stderr.lines().last().unwrap();
    assert!(last.starts_with("mul_e3m2f_rne agrees with the golden model on all 4096 input combinations"), "{last}");
    assert_eq!(names(folder.path()), [""; 0], "a clean run leaves no files");
}

#[test]
fn verify_samples_with_a_seed() {
    let (code, stdout, _) = run(folder().path(), "verify", &["--vectors", "1000", "--seed", "7", "--json"]);
    let result = json(&stdout);
    assert_eq!((code, &result["checked"], &result["seed"]), (0, &1000.into(), &7.into()));
    assert_eq!(result["mismatch"], Value::Null);
    assert!(result["scope"].as_str().unwrap().ends_with("seed 7"), "{stdout}");
}

/// Wide formats work in the same commands; codes are shown and replayed in full.
#[test]
fn wide_formats_are_units_too() {
    let folder = folder();
    let fused = ["--format", "binary64", "--unit", "fmac", "--acc", "binary128"];
    let of_unit = |command: &str, more: &[&str]| run_in(folder.path(), &[&[command], fused.as_slice(), more].concat());
    let (code, stdout, stderr) = of_unit("gen", &[]);
    assert!(code == 0 && stdout.contains("fmac_binary64_acc_binary128_rne.v"), "{stdout}{stderr}");
    for engine in ["lanes", "verilator"] {
        let (code, stdout, stderr) = of_unit("verify", &["--engine", engine, "--vectors", "1000"]);
        assert!(code == 0 && stdout.contains("no difference found in 1000 vectors"), "{stdout}{stderr}");
    }
    let vector = "0x3ff8000000000000,0x4000000000000000,0xc0008000000000000000000000000000";
    let (code, stdout, stderr) = of_unit("verify", &["--engine", "lanes", "--replay", vector]);
    assert!(code == 0 && stdout.contains("1 vector"), "{stdout}{stderr}");
}

#[test]
#[ignore = "long"]
fn synth_measures_the_targets_in_order() {
    let (code, stdout, stderr) =
        run(folder().path(), "synth", &["--target", "ice40,generic", "--target", "xc7", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let reports = json(&stdout);
    let targets: Vec<&Value> = reports.as_array().unwrap().iter().map(|report| &report["target"]).collect();
    assert_eq!(targets, ["ice40", "generic", "xc7"]);
    assert!(reports[0]["area"]["lut4"].as_u64().unwrap() > 0);
    assert!(stderr.lines().last().unwrap().contains("Yosys"), "{stderr}");
}

#[test]
fn synth_measures_a_suite() {
    let folder = folder();
    let units = ["decode", "encode"].map(|unit| format!("[[unit]]\nformat = \"e2m1f\"\nunit = \"{unit}\"\n"));
    fs::write(folder.path().join("s.toml"), format!("targets = [\"ice40\"]\n{}", units.concat())).unwrap();
    let (code, stdout, stderr) = run_in(folder.path(), &["synth", "--suite", "s.toml", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let reports = json(&stdout);
    let modules: Vec<&Value> = reports.as_array().unwrap().iter().map(|report| &report["module"]).collect();
    assert_eq!(modules, ["decode_e2m1f_rne", "encode_e2m1f_rne"]);
    let (_, stdout, _) = run_in(folder.path(), &["synth", "--suite", "s.toml"]);
    assert!(stdout.contains("decode_e2m1f_rne") && stdout.contains("encode_e2m1f_rne"), "{stdout}");
}

/// Lists on the command line give the same measurements as a suite; a format keeps its options.
#[test]
#[ignore = "long"]
fn synth_measures_lists() {
    let folder = folder();
    let suite = "targets = \"generic\"\n[[unit]]\nformat = [\"e2m1f\", \"e2m1,bias=3\", \"e2m2b1,sat\"]\n\
                 unit = [\"decode\", \"classify\"]\n";
    fs::write(folder.path().join("s.toml"), suite).unwrap();
    let of_suite = run_in(folder.path(), &["synth", "--suite", "s.toml", "--fresh"]);
    assert_eq!(of_suite.0, 0, "{}", of_suite.2);
    let lists = ["--format", "e2m1f,e2m1,bias=3,e2m2b1,sat", "--unit", "decode,classify"];
    let repeated =
        ["--format=e2m1f", "--format=e2m1,bias=3", "--format=e2m2b1,sat", "--unit=decode", "--unit=classify"];
    for words in [lists.as_slice(), &repeated] {
        let of_lists = run_in(folder.path(), &[&["synth", "--target", "generic"], words].concat());
        assert_eq!(of_lists, of_suite, "{words:?}");
    }
    let units: Vec<&str> = of_suite.1.lines().skip(2).map(|row| row.split('|').nth(1).unwrap().trim()).collect();
    assert_eq!(units.len(), 6, "{units:?}");
    assert_eq!(units[2..4], ["decode_e2m1_bias3_rne", "classify_e2m1_bias3"]);
}

/// Every 16-bit float format of the papers, in both directions; every entry builds.
#[test]
fn the_converters_suite_is_complete() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbench/suites/converters.toml");
    let output = std::process::Command::new(common::BINADE)
        .args(["verify", "--vectors", "100", "--json", "--suite"])
        .arg(path)
        .output()
        .unwrap();
    let (code, stdout, stderr) = common::outcome(&output);
    assert_eq!(code, 0, "{stderr}");
    let results = json(&stdout);
    // Without the rounding at the end of the name.
    let module = |result: &Value| result["module"].as_str().unwrap().rsplit_once('_').unwrap().0.to_string();
    let mut modules: Vec<String> = results["units"].as_array().unwrap().iter().map(module).collect();
    modules.sort();
    let formats = ["bfloat16", "binary16", "dlfloat16", "e5m10n", "e6m9", "e6m9n", "e7m8", "e8m7n"];
    let mut want: Vec<String> =
        ["decode", "encode"].iter().flat_map(|unit| formats.map(|format| format!("{unit}_{format}"))).collect();
    want.sort();
    assert_eq!(modules, want);
}

#[test]
fn flow_does_all_three() {
    let folder = folder();
    let out = "with space $(x)";
    let (code, stdout, stderr) = run(folder.path(), "flow", &["--out", out, "--target", "ice40"]);
    assert_eq!(code, 0, "{stderr}");
    for part in ["mul_e3m2f_rne", "with space $(x)/mul_e3m2f_rne.v", "all 4096 input combinations", "ice40", "LUT4"] {
        assert!(stdout.contains(part), "{part} is not in\n{stdout}");
    }
    assert!(stdout.contains("proven    for all 2^12 inputs, in "), "{stdout}");
    assert!(stderr.lines().last().unwrap().contains("generated, verified, proven and measured"), "{stderr}");
    assert_eq!(names(&folder.path().join(out)), ["mul_e3m2f_rne.json", "mul_e3m2f_rne.v"]);

    let (code, stdout, _) = run(folder.path(), "flow", &["--target", "ice40", "--json"]);
    let summary = json(&stdout);
    assert_eq!(code, 0);
    assert_eq!(summary["generated"]["module"], "mul_e3m2f_rne");
    assert_eq!(summary["verified"]["checked"], 4096);
    assert_eq!(summary["proof"]["verdict"], "proven");
    assert_eq!(summary["measured"][0]["target"], "ice40");
}

/// The stdout and stderr of `flow` for a right unit.
fn flow(words: &str) -> (String, String) {
    let folder = folder();
    let arguments: Vec<&str> = ["flow", "--target", "ice40"].into_iter().chain(words.split(' ')).collect();
    let (code, stdout, stderr) = common::run_in(folder.path(), &arguments);
    assert_eq!(code, 0, "{stderr}");
    (stdout, stderr)
}

#[test]
fn flow_proves_what_it_can_in_time() {
    let (stdout, _) = flow("--format e3m2f --unit mul --stages 2");
    assert!(stdout.contains("for all 2^12 inputs, and all sequences of stalls and bubbles, in "), "{stdout}");

    let (stdout, stderr) = flow("--format e3m2f --unit fmac --acc e5m2 --prove-within 0 --vectors 100");
    let command = "binade prove --format e3m2f --unit fmac --acc e5m2 --round rne --overflow inf";
    let open = format!("not in 0 s of processor time; without a limit: {command}\n");
    assert!(stdout.contains(" open ") && stdout.contains(&open), "{stdout}");
    assert!(stderr.ends_with(" s\n") && stderr.contains("generated, verified and measured in"), "{stderr}");
    let (proved, _, stderr) = common::run_in(folder().path(), &command.split(' ').skip(1).collect::<Vec<_>>());
    assert_eq!(proved, 0, "{stderr}");

    let (stdout, _) = flow("--format e3m2f --unit fmac --acc e5m2 --prove-within 0 --vectors 100 --json");
    let proof = &json(&stdout)["proof"];
    assert_eq!(
        (&proof["verdict"], &proof["open_cases"], &proof["command"]),
        (&"open".into(), &proof["cases"], &command.into())
    );
    assert_eq!(proof["open"].as_array().unwrap().len(), 10);
}

#[test]
fn flow_says_what_no_proof_is_made_of() {
    const IN_BLOCKS: &str = "--format e2m1f --unit dot --acc e3m2f --lanes 1 --sum fmac8";
    let (stdout, _) = flow(IN_BLOCKS);
    assert!(stdout.contains("proven    for all 2^14 inputs; each was tried"), "{stdout}");
    let (stdout, _) = flow(&format!("{IN_BLOCKS} --vectors 100"));
    assert!(stdout.contains("proven    for all 2^14 inputs; each was tried"), "{stdout}");
    let (stdout, _) = flow(&format!("{IN_BLOCKS} --vectors 100 --prove-within 0"));
    assert!(stdout.contains("to try all inputs: binade prove --format e2m1f --unit dot"), "{stdout}");
    let (stdout, _) = flow("--format e2m1f --unit accumulate --acc e3m2f --vectors 100");
    assert!(stdout.contains("proven    for all 2^5 inputs in all 2^6 states, in "), "{stdout}");
}

/// A fake Python whose pip waits until two packages are being installed, at most ten seconds, and then has no network.
const OFFLINE: &str = r#"#!/bin/sh
case "$*" in
    "-c "*) echo 3.99 ;;
    *--version) echo pip ;;
    *)
        touch "$STARTED/$$"
        for _ in $(seq 100); do
            if [ "$(ls "$STARTED" | wc -l)" = 2 ]; then echo "both at once, and no network"; exit 1; fi
            sleep 0.1
        done
        exit 1 ;;
esac
"#;

#[test]
fn flow_fetches_both_tools_first() {
    let folder = folder();
    let (bin, started) = (folder.path().join("bin"), folder.path().join("started"));
    fs::create_dir(&bin).unwrap();
    fs::create_dir(&started).unwrap();
    fs::write(bin.join("python3"), OFFLINE).unwrap();
    fs::set_permissions(bin.join("python3"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut flow = binade_in(folder.path());
    flow.args(["flow"]).args(SMALL_UNIT).env("BINADE_HOME", folder.path().join("home"));
    let (code, stdout, stderr) = outcome(&flow.env("PATH", path).env("STARTED", &started).output().unwrap());
    assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
    let first = stderr.lines().next().unwrap();
    let is_told = |tool: &str| first.starts_with("installing verilator ") && first.contains(tool);
    assert!(is_told(" and pyosys ") && is_told("about half a minute"), "{stderr}");
    let refusals: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(refusals.len() == 2 && refusals[0].contains("verilator") && refusals[1].contains("pyosys"), "{stderr}");
    assert_eq!(stderr.matches("both at once, and no network").count(), 2, "{stderr}");
    assert_eq!(names(&folder.path().join("home")), ["lock-pyosys", "lock-verilator"], "nothing half-installed");
}

/// The small unit's Verilog with a result that is always 0, in `wrong one.v`.
fn write_wrong_unit(folder: &Path) {
    assert_eq!(run(folder, "gen", &["--out", "."]).0, 0);
    let verilog = fs::read_to_string(folder.join("mul_e3m2f_rne.v")).unwrap();
    let start = verilog.rfind("assign y").or(verilog.rfind("assign     y")).expect("y is assigned");
    let end = start + verilog[start..].find(';').unwrap();
    let wrong = format!("{}assign y = 6'd0{}", &verilog[..start], &verilog[end..]);
    fs::write(folder.join("wrong one.v"), wrong).unwrap();
}

#[test]
fn a_mismatch_is_shown_and_can_be_replayed() {
    let folder = folder();
    write_wrong_unit(folder.path());
    let (code, stdout, stderr) = run(folder.path(), "verify", &["--verilog", "wrong one.v"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("WRONG"), "{stdout}");
    for part in ["shrunk to:", "exact", "want", "got", "(e3m2f)", "seed   1", "waves  rtl_out/", "bench  rtl_out/"] {
        assert!(stderr.contains(part), "{part} is not in\n{stderr}");
    }
    assert_eq!(
        names(&folder.path().join("rtl_out")),
        ["mul_e3m2f_rne_adapter.sv", "mul_e3m2f_rne_mismatch.fst", "mul_e3m2f_rne_mismatch_tb.v"]
    );
    let bench = fs::read_to_string(folder.path().join("rtl_out/mul_e3m2f_rne_mismatch_tb.v")).unwrap();
    assert!(bench.contains("rtl_out/mul_e3m2f_rne_adapter.sv 'wrong one.v'"), "{bench}");
    let replay = stderr.lines().find_map(|line| line.trim().strip_prefix("replay binade ")).expect("a replay command");
    // Pasted into a shell, as a user would. The wrong unit is compiled for waves each time, so this also tests JSON.
    let shell = format!("'{BINADE}' {replay} --json");
    let (code, stdout, stderr) = outcome(&binade_shell(folder.path(), &shell));
    assert_eq!(code, 1, "{shell}\n{stderr}");
    let result = json(&stdout);
    assert_eq!((&result["checked"], &result["scope"]), (&1.into(), &"1 vector".into()));
    let mismatch = &result["mismatch"];
    // The simplest product whose code is not 0 is -0.
    let operands: Vec<&Value> = mismatch["operands"].as_array().unwrap().iter().map(|code| &code["value"]).collect();
    assert_eq!((operands, &mismatch["exact"]), (vec![&"0".into(), &"-1*2^0".into()], &"-0".into()));
    assert_ne!(mismatch["got"]["code"], mismatch["want"]["code"]);
    assert_eq!(mismatch["found"]["operands"], mismatch["operands"]);
    assert_eq!(
        (&result["testbench"], &result["waves"]),
        (&"rtl_out/mul_e3m2f_rne_mismatch_tb.v".into(), &"rtl_out/mul_e3m2f_rne_mismatch.fst".into())
    );
}

/// A failed write hides no mismatch.
#[test]
fn a_mismatch_is_told_where_nothing_can_be_written() {
    let folder = folder();
    write_wrong_unit(folder.path());
    fs::write(folder.path().join("rtl_out"), "a file").unwrap();
    let (code, _, stderr) = run(folder.path(), "verify", &["--verilog", "wrong one.v"]);
    assert_eq!(code, 1, "{stderr}");
    for part in
        ["mismatch in mul_e3m2f_rne", "waves  none: cannot make the folder `rtl_out`", "bench  none: cannot make"]
    {
        assert!(stderr.contains(part), "{part} is not in\n{stderr}");
    }
    assert!(!stderr.contains("run it"), "{stderr}");
}

/// Icarus reads only a part of SystemVerilog.
#[test]
fn the_testbench_of_a_file_in_systemverilog_is_for_verilator() {
    let folder = folder();
    write_wrong_unit(folder.path());
    fs::rename(folder.path().join("wrong one.v"), folder.path().join("wrong.sv")).unwrap();
    let (code, _, stderr) = run(folder.path(), "verify", &["--verilog", "wrong.sv"]);
    assert_eq!(code, 1, "{stderr}");
    let command = stderr.lines().find_map(|line| line.trim().strip_prefix("run it ")).expect("a command");
    assert!(command.starts_with("verilator --binary ") && command.contains(" wrong.sv "), "{command}");
}

/// A broken unit's testbench fails without Binade, run by the printed command; a good unit's passes.
#[test]
#[ignore = "needs Icarus on PATH"]
fn testbenches_run_as_the_report_and_the_file_say() {
    let folder = folder();
    write_wrong_unit(folder.path());
    let (_, _, stderr) = run(folder.path(), "verify", &["--verilog", "wrong one.v"]);
    let command = stderr.lines().find_map(|line| line.trim().strip_prefix("run it ")).expect("a command");
    let (code, stdout, _) = outcome(&binade_shell(folder.path(), command));
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("vector 0: a 0x00, b 0x2c; y is 0x00, want 0x20"), "{stdout}");

    let (code, stdout, stderr) = run(folder.path(), "gen", &["--out", "new\nline", "--testbench"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout.lines().last(), Some("line/mul_e3m2f_rne_tb.v"));
    let made = folder.path().join("new\nline");
    let bench = fs::read_to_string(made.join("mul_e3m2f_rne_tb.v")).unwrap();
    let command = bench.lines().find_map(|line| line.strip_prefix("//   $ iverilog")).expect("a command");
    let (code, stdout, _) = outcome(&binade_shell(&made, &format!("iverilog{command}")));
    assert_eq!((code, stdout.lines().next()), (0, Some("mul_e3m2f_rne is right on 300 vectors")));
}

fn binade_shell(folder: &Path, line: &str) -> std::process::Output {
    Command::new("sh").args(["-c", line]).current_dir(folder).env("BINADE_HOME", home()).output().unwrap()
}

/// A pipe with a closed read end.
fn abandoned_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    for arguments in [["formats", "e5m2b1"], ["formats", "--json"], ["gen", "--help"]] {
        let output = Command::new(BINADE).args(arguments).stdout(abandoned_pipe()).output().unwrap();
        let (code, _, stderr) = outcome(&output);
        assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_leaves_hides_no_mismatch_and_no_missing_tool() {
    let folder = folder();
    write_wrong_unit(folder.path());
    let command = |arguments: &[&str]| {
        let mut command = Command::new(BINADE);
        command.args(arguments).current_dir(folder.path()).env("BINADE_HOME", home()).stdout(abandoned_pipe());
        command
    };
    let wrong = [&["verify"], SMALL_UNIT.as_slice(), &["--verilog", "wrong one.v"]].concat();
    assert_eq!(outcome(&command(&wrong).output().unwrap()).0, 1);
    let doctor = command(&["doctor", "--tools", "system"]).env("PATH", "").output().unwrap();
    assert_eq!(outcome(&doctor).0, 3);
}

#[test]
fn a_stderr_that_is_full_changes_no_exit_code() {
    let status = |arguments: &[&str]| {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(BINADE);
        command.args(arguments).env("BINADE_HOME", home()).stdout(Stdio::null()).stderr(full);
        command.status().unwrap().code()
    };
    assert_eq!(status(&["gen", "--format", "binary65", "--unit", "mul"]), Some(2));
    assert_eq!(status(&[&["verify"], SMALL_UNIT.as_slice()].concat()), Some(0));
}

#[test]
fn doctor_tells_of_every_tool() {
    let output = binade_in(folder().path()).args(["doctor", "--json"]).output().unwrap();
    let (code, stdout, stderr) = outcome(&output);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let findings = json(&stdout);
    let tools: Vec<&Value> = findings.as_array().unwrap().iter().map(|finding| &finding["tool"]).collect();
    assert_eq!(tools, ["C++ compiler", "Python", "Verilator", "Yosys", "nextpnr-ecp5", "nextpnr-ice40", "vl-convert"]);
}

#[test]
fn doctor_refuses_what_is_no_archive_of_tools() {
    let folder = folder();
    let file = folder.path().join("tools.tar.gz");
    fs::write(&file, "text").unwrap();
    let mut doctor = binade_in(folder.path());
    let output =
        doctor.env("BINADE_HOME", folder.path().join("home")).args(["doctor", "--from", "tools.tar.gz"]).output();
    let (code, stdout, stderr) = outcome(&output.unwrap());
    let sentence = "cannot unpack `tools.tar.gz`: it is damaged, or `binade doctor --bundle` has not made it";
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (2, "", format!("error: {sentence}\n").as_str()));
}

/// Waits until `done`, as long as a first build of the model may take.
fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}: not within a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn ctrl_c_leaves_nothing_half_written() {
    let folder = folder();
    let scratch = folder.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    // So that the interrupt arrives during the check, not the build.
    let unit = ["--format", "e3m2f", "--unit", "fmac"];
    let warm_up = [&["verify"], unit.as_slice(), &["--vectors", "1"]].concat();
    assert_eq!(common::run_in(folder.path(), &warm_up).0, 0);
    let arguments = [&["flow"], unit.as_slice(), &["--exhaustive", "--out", "out"]].concat();
    let mut flow = Command::new(BINADE);
    flow.args(arguments).current_dir(folder.path()).env("BINADE_HOME", home()).env("TMPDIR", &scratch);
    let mut child = flow.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the manifest", || folder.path().join("out/fmac_e3m2f_acc_binary16_rne.json").exists());
    std::thread::sleep(Duration::from_secs(1));
    assert!(child.try_wait().unwrap().is_none(), "still at work");
    common::press_ctrl_c(&child);
    let sent = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), None);
    assert_eq!(outcome(&output), (130, String::new(), "error: interrupted\n".into()));
    assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
    assert_eq!(
        names(&folder.path().join("out")),
        ["fmac_e3m2f_acc_binary16_rne.json", "fmac_e3m2f_acc_binary16_rne.v"]
    );
    assert_eq!(names(&scratch), [""; 0]);
}

#[test]
fn a_suite_is_checked_unit_by_unit() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.toml");
    let text = "[[unit]]\nformat = [\"e2m1f\", \"e3m2f\"]\nunit = [\"mul\", \"add\"]\nround = [\"rne\", \"rup\"]\n";
    std::fs::write(&suite, text).unwrap();
    let output =
        std::process::Command::new(common::BINADE).args(["verify", "--fresh", "--suite"]).arg(&suite).output().unwrap();
    let (code, stdout, stderr) = common::outcome(&output);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout.matches("| right ").count(), 8, "{stdout}");
    assert!(stdout.contains("add_e3m2f_rup"), "{stdout}");
    assert!(stderr.contains("8 units, 0 wrong: 17408 vectors checked"), "{stderr}");
}

#[test]
fn a_suite_that_cannot_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.toml");
    for (text, sentence) in [
        ("[[unit]]\nformat = \"e4m3b9\"\nunit = \"mul\"\n", "format = \"e4m3b9\": e4m3b9 leaves no ordinary binade"),
        ("[[unit]]\nformat = \"e4m3\"\nunit = \"mull\"\n", "unit = \"mull\": one of decode, encode"),
        ("[[unit]]\nformat = \"e4m3\"\nunit = \"convert\"\n", "convert needs the format to convert to"),
        ("[[unit]]\nformat = \"e4m3\"\nunits = \"mul\"\n", "unknown field `units`"),
        ("unit = []\n", "no [[unit]] is listed"),
    ] {
        std::fs::write(&suite, text).unwrap();
        for command in ["verify", "synth"] {
            let output =
                std::process::Command::new(common::BINADE).args([command, "--suite"]).arg(&suite).output().unwrap();
            let (code, _, stderr) = common::outcome(&output);
            assert_eq!(code, 2, "{stderr}");
            assert!(stderr.contains(sentence), "{stderr}");
        }
    }
}

/// Vectors stream through a unit with registers; a protocol violation is shown with its clock cycle, and reproduced.
#[test]
fn a_pipelined_unit_is_checked_at_every_clock() {
    let folder = folder();
    let (code, _, stderr) = run(folder.path(), "verify", &["--stages", "3"]);
    assert_eq!(code, 0, "{stderr}");
    let last = stderr.lines().last().unwrap();
    assert!(last.starts_with("mul_e3m2f_rne_p3 agrees with the golden model on all 4096 input combinations"), "{last}");

    assert_eq!(run(folder.path(), "gen", &["--stages", "3", "--out", "."]).0, 0);
    let verilog = fs::read_to_string(folder.path().join("mul_e3m2f_rne_p3.v")).unwrap();
    fs::write(folder.path().join("tied.v"), verilog.replace("out_valid = valid_s3", "out_valid = 1'b1")).unwrap();
    let (code, stdout, stderr) = run(folder.path(), "verify", &["--stages", "3", "--verilog", "tied.v", "--seed", "5"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("mul_e3m2f_rne_p3: WRONG"), "{stdout}");
    for part in ["wrong in mul_e3m2f_rne_p3, clock 0 ", "out_valid is high, and no results are due", "seed   5"] {
        assert!(stderr.contains(part), "{part} is not in\n{stderr}");
    }
    let replay = stderr.lines().find_map(|line| line.trim().strip_prefix("replay binade ")).expect("a replay command");
    let (code, stdout, stderr) = outcome(&binade_shell(folder.path(), &format!("'{BINADE}' {replay} --json")));
    assert_eq!(code, 1, "{replay}\n{stderr}");
    let violation = &json(&stdout)["violation"];
    assert_eq!((&violation["fault"], &violation["clock"]), (&"out_valid".into(), &0.into()));
}
