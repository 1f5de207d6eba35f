//! `binade prove`.

use crate::common::{self, binade_in, folder, names, notes, outcome, run_in, start, wait_until};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_unit_is_proven() {
    let folder = folder();
    let (code, stdout, _) = run_in(folder.path(), &["prove", "--format", "binary32", "--unit", "add", "--json"]);
    let report = json(&stdout);
    assert_eq!(code, 0, "{stdout}");
    assert_eq!((report["verdict"].as_str(), report["method"].as_str()), (Some("proven"), Some("cases")));
    assert!(report["cases"].as_u64().is_some_and(|cases| cases > 50), "{report}");
    assert_eq!(report["input_bits"], 64);
}

#[test]
fn what_has_no_specification_is_tried() {
    let unit = ["prove", "--format", "e2m1f", "--unit", "dot", "--lanes", "1", "--sum", "fmac8", "--acc", "e3m2f"];
    let (code, stdout, _) = run_in(folder().path(), &unit);
    assert_eq!(code, 0);
    assert!(stdout.contains("is proven for all 2^14 inputs: the circuit was evaluated for each"), "{stdout}");
}

/// Not all inputs of 1024 bits can be tried: the command says so at once.
#[test]
fn what_has_no_specification_and_many_inputs_is_open() {
    let unit = ["prove", "--format", "e2m1f", "--unit", "mx-quantize"];
    let (code, stdout, _) = run_in(folder().path(), &unit);
    assert_eq!(code, 4);
    assert!(stdout.contains("is open") && stdout.contains("binade verify checks samples"), "{stdout}");
}

#[test]
fn what_is_open_has_an_exit_code_of_its_own() {
    let unit = ["prove", "--format", "e5m2", "--unit", "accumulate", "--netlist", "generic"];
    let (code, stdout, _) = run_in(folder().path(), &unit);
    assert_eq!(code, 4);
    assert!(stdout.contains("is open") && stdout.contains("state"), "{stdout}");
}

#[test]
fn units_with_state_are_proven() {
    for (stages, says) in [("0", "s of one core\n"), ("2", "in its 2 ranks\n")] {
        let unit = ["prove", "--format", "e5m2", "--unit", "accumulate", "--acc", "e4m3", "--stages", stages];
        let (code, stdout, stderr) = run_in(folder().path(), &unit);
        assert_eq!(code, 0, "{stdout}{stderr}");
        let states = "is proven for all 2^9 inputs in all 2^8 states, and so for all sequences: the circuit is its";
        assert!(stdout.contains(states) && stdout.ends_with(says), "{stdout}");
    }
}

/// Registers that are reset asynchronously: in units, shells and netlists.
#[test]
fn resets_may_be_asynchronous() {
    let folder = folder();
    for more in [
        &["--unit", "mul", "--stages", "2"][..],
        &["--unit", "mul", "--stages", "2", "--interface", "ready-valid"],
        &["--unit", "mul", "--stages", "1", "--interface", "axi-stream"],
        &["--unit", "mul", "--interface", "ready-valid"],
        &["--unit", "divide", "--digits-per-clock", "1", "--interface", "ready-valid"],
        &["--unit", "accumulate"],
        &["--unit", "mul", "--stages", "2", "--netlist", "generic"],
        &["--unit", "mul", "--stages", "2", "--netlist", "xc7"],
    ] {
        let words = [&["--format", "e5m2", "--reset-type", "async"], more].concat();
        let engine: &[&str] = if more.contains(&"--netlist") { &["--engine", "lanes"] } else { &[] };
        for command in [&["prove"][..], &[&["verify"], engine].concat()] {
            let (code, stdout, stderr) = run_in(folder.path(), &[command, &words[..]].concat());
            assert_eq!(code, 0, "{command:?} {more:?}: {stdout}{stderr}");
        }
    }
}

/// Netlists with carry chains, wide multiplexers and shift registers.
#[test]
fn netlists_are_proven() {
    for (target, operation, stages) in [("ecp5", "add", "2"), ("xc7", "mul", "16")] {
        let unit = ["prove", "--format", "e5m2", "--unit", operation, "--stages", stages, "--netlist", target];
        let (code, stdout, stderr) = run_in(folder().path(), &unit);
        assert_eq!(code, 0, "{stdout}{stderr}");
        assert!(stdout.contains(&format!("the {target} netlist of Yosys")), "{stdout}");
        assert!(stdout.contains(&format!("in its {stages} ranks")), "{stdout}");
    }
}

/// Blocks of 7 series with registers before the product, in it and behind it.
#[test]
fn netlists_with_registers_in_blocks_are_proven() {
    let mul = |format: &'static str, stages: &'static str| {
        ["--format", format, "--unit", "mul", "--multiplier", "operator", "--stages", stages, "--netlist", "xc7-dsp"]
    };
    for (format, stages) in [("bfloat16", "1"), ("e4m3fn", "2"), ("bfloat16", "3")] {
        let (code, stdout, stderr) = run_in(folder().path(), &[&["prove"], &mul(format, stages)[..]].concat());
        assert_eq!(code, 0, "{stages}: {stdout}{stderr}");
        assert!(stdout.contains("the xc7-dsp netlist of Yosys"), "{stdout}");
    }
    let lanes = ["--engine", "lanes", "--vectors", "100000"];
    let (code, stdout, stderr) = run_in(folder().path(), &[&["verify"], &mul("int16", "3")[..], &lanes].concat());
    assert_eq!(code, 0, "{stdout}{stderr}");
}

/// The Verilog itself, without synthesis: combinational, pipelined, and a unit in a shell.
#[test]
fn printed_verilog_is_proven() {
    for more in [&[][..], &["--stages", "2"], &["--interface", "ready-valid"]] {
        let unit = [&["prove", "--format", "e5m2", "--unit", "mul", "--netlist", "printed"], more].concat();
        let (code, stdout, stderr) = run_in(folder().path(), &unit);
        assert_eq!(code, 0, "{stdout}{stderr}");
        assert!(stdout.contains("is proven for all 2^16 inputs: the Verilog as Yosys 0.70 reads it"), "{stdout}");
    }
}

/// A module with a fault, and one with a fault in its registers: the proof gives inputs, waves and a testbench.
#[test]
fn a_wrong_module_comes_with_what_shows_it() {
    let folder = folder();
    for (stages, old, new, says) in [
        ("0", "round_up = guard & ", "round_up = guard | ", "gives y="),
        ("2", "if (en) begin", "if (in_valid) begin", "en is 0"),
    ] {
        let unit = ["--format", "binary16", "--unit", "add", "--stages", stages];
        let (code, written, _) = run_in(folder.path(), &[&["gen"], &unit[..]].concat());
        assert_eq!(code, 0);
        let file = written.lines().next().expect("a file").to_string();
        let text = fs::read_to_string(folder.path().join(&file)).expect("Verilog");
        assert!(text.contains(old), "{text}");
        fs::write(folder.path().join(&file), text.replace(old, new)).expect("written");
        let (code, stdout, stderr) = run_in(folder.path(), &[&["prove", "--verilog", &file], &unit[..]].concat());
        assert_eq!(code, 1, "{stdout}{stderr}");
        assert!(stdout.contains("is wrong") && stdout.contains(says), "{stdout}");
        let named = |label: &str| stdout.lines().find_map(|line| line.strip_prefix(label)).expect(label).to_string();
        let (code, _, _) = run_in(folder.path(), &named("replay: binade ").split(' ').collect::<Vec<_>>());
        assert_eq!(code, 1, "{stdout}");
        let stem = file.trim_end_matches(".v");
        assert_eq!(named("  waves  "), format!("{stem}_mismatch.fst"));
        assert_eq!(named("  bench  "), format!("{stem}_mismatch_tb.v"));
        let size = |file: &str| fs::metadata(folder.path().join(file)).expect("written").len();
        assert!(
            size(&named("  waves  ")) > 100 && size(&named("  bench  ")) > 100 && stdout.contains("  run it iverilog ")
        );

        let again = [&["prove", "--verilog", &file, "--json", "--no-waves"], &unit[..]].concat();
        let report = json(&run_in(folder.path(), &again).1);
        assert_eq!(report["testbench"], format!("{stem}_mismatch_tb.v").as_str(), "{report}");
        assert!(report["waves"].is_null() && report["replay"].is_string(), "{report}");
    }
}

const SUITE: &str = "[[unit]]\nunit = ['mul', 'add']\nformat = ['e5m2', 'posit6_1']\n";

#[test]
fn a_suite_has_a_row_for_each_unit_and_a_line_before() {
    let folder = folder();
    fs::write(folder.path().join("s.toml"), format!("{SUITE}[[unit]]\nunit = 'accumulate'\nformat = 'e5m2'\n"))
        .expect("written");
    let (code, stdout, stderr) =
        run_in(folder.path(), &["prove", "--suite", "s.toml", "--netlist", "generic", "--junit", "s.xml", "--fresh"]);
    assert_eq!(code, 4, "{stdout}");
    assert!(stdout.contains("4 proven, 0 wrong, 1 open"), "{stdout}");
    let place = |line: &str| stderr.find(line).unwrap_or_else(|| panic!("{line}: {stderr}"));
    assert!(place("mul_e5m2_rne: proven, 7 cases\n") < place("add_e5m2_rne: proven, "), "{stderr}");
    let junit = fs::read_to_string(folder.path().join("s.xml")).expect("written");
    assert!(junit.contains("tests=\"5\" skipped=\"0\" failures=\"0\" errors=\"1\""), "{junit}");
    assert!(junit.contains("<error message=\"not proven\">accumulate_e5m2_acc_binary16_rne is open"), "{junit}");
}

/// A user's modules in a suite: one is right, one is wrong; policies are for `verify`.
#[test]
fn a_suite_may_have_files() {
    let folder = folder();
    for operation in ["mul", "add"] {
        let (code, _, _) = run_in(folder.path(), &["gen", "--format", "e5m2", "--unit", operation, "--out", "."]);
        assert_eq!(code, 0);
    }
    let file = folder.path().join("add_e5m2_rne.v");
    let text = fs::read_to_string(&file).expect("Verilog");
    fs::write(&file, text.replace("round_up = guard & ", "round_up = guard | ")).expect("written");
    let unit = |unit: &str, more: &str| {
        format!("[[unit]]\nformat = 'e5m2'\nunit = '{unit}'\nverilog = '{unit}_e5m2_rne.v'\n{more}\n")
    };
    let suite = |text: String| {
        fs::write(folder.path().join("s.toml"), text).expect("written");
        run_in(folder.path(), &["prove", "--suite", "s.toml", "--no-waves", "--json", "--junit", "s.xml"])
    };
    let (code, stdout, stderr) = suite(unit("mul", "") + &unit("add", ""));
    assert_eq!(code, 1, "{stderr}");
    let report = json(&stdout);
    let verdicts = [&report["units"][0]["verdict"], &report["units"][1]["verdict"]];
    assert_eq!(verdicts, ["proven", "wrong"], "{stdout}");
    assert_eq!(report["units"][1]["testbench"], "rtl_out/add_e5m2_rne_mismatch_tb.v");
    assert!(stderr.contains("add_e5m2_rne is wrong (add_e5m2_rne.v (the Verilog as Yosys "), "{stderr}");
    let junit = fs::read_to_string(folder.path().join("s.xml")).expect("written");
    assert!(junit.contains("failures=\"1\" errors=\"0\"") && junit.contains("gives y="), "{junit}");

    let (code, _, stderr) = suite(unit("mul", "nan = 'payload'"));
    assert!(code == 2 && stderr.contains("mul_e5m2_rne: --nan payload is for `binade verify`"), "{stderr}");
    let (code, stdout, stderr) = suite(unit("mul", "nan = 'any'"));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(json(&stdout)["units"][0]["allowed"], "any NaN is right where a NaN is wanted");
}

/// A multiplier in several files: a package, a parameter, an included file, other names, two ranks of registers with an asynchronous reset,
/// no enable, code only for simulation, and a fault if the macro is defined.
const FPU: &str = "`include \"params.vh\"\n\
    module fpu #(parameter W = 4) (input logic clock, input logic arst, input logic valid_in, output logic valid_out,\n\
    input fpu_pkg::op_e op, input logic [1:0][`TOPBIT:0] operands, output logic [`TOPBIT:0] result, output logic busy);\n\
    logic [1:0][W-1:0] taken; logic [W-1:0] product; logic valid;\n\
    mul_e5m2_rne core (.a(taken[0]), .b(taken[1]), .y(product));\n\
    initial $display(\"hello\");\n\
    assign busy = valid;\n\
    `ifndef SYNTHESIS\n\
    always @* if (1'b0) $error(\"never\");\n\
    `endif\n\
    always_ff @(posedge clock or posedge arst)\n\
    if (arst) {taken, result, valid, valid_out} <= '0;\n\
    else begin\n\
    taken <= operands; valid <= valid_in; valid_out <= valid;\n\
    result <= op == fpu_pkg::MUL ? product ^ (`FAULT) : 'x;\n\
    end\nendmodule\n";

fn fpu() -> tempfile::TempDir {
    let folder = folder();
    let (code, _, _) = run_in(folder.path(), &["gen", "--format", "e5m2", "--unit", "mul", "--out", "."]);
    assert_eq!(code, 0);
    let package = "package fpu_pkg; typedef enum logic [1:0] { ADD, MUL } op_e; endpackage\n";
    fs::create_dir(folder.path().join("inc")).expect("a folder");
    for (name, text) in [("pkg.sv", package), ("fpu.sv", FPU), ("inc/params.vh", "`define TOPBIT (W - 1)\n")] {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

fn prove_fpu(folder: &Path, fault: &str, more: &[&str]) -> (i32, String, String) {
    let files =
        ["--verilog", "pkg.sv", "--verilog", "fpu.sv", "--verilog", "mul_e5m2_rne.v", "--top", "fpu", "-I", "inc"];
    let ports = ["--port", "a=operands[7:0]", "--port", "b=operands[15:8]", "--tie", "op=fpu_pkg::MUL"];
    let unit = ["prove", "--format", "e5m2", "--unit", "mul", "--parameter", "W=8", "-D", fault];
    run_in(folder, &[&unit[..], &files, &ports, more].concat())
}

#[test]
fn a_module_of_the_users_is_proven() {
    let folder = fpu();
    let (code, stdout, stderr) = prove_fpu(folder.path(), "FAULT=0", &["--json"]);
    assert_eq!(code, 0, "{stderr}");
    let report = json(&stdout);
    assert_eq!((&report["module"], &report["stages"]), (&"fpu".into(), &2.into()), "{report}");
    assert_eq!(report["not_shown"], serde_json::json!(["it has no enable"]));
    let (code, stdout, stderr) = prove_fpu(folder.path(), "FAULT=0", &["--netlist", "ice40", "--latency", "2"]);
    assert!(code == 0 && stdout.contains("the results are those of the operands 2 clocks before"), "{stdout}{stderr}");

    // One of 2^16 inputs is wrong.
    let fault = "FAULT=taken[0] == 8'h3c && taken[1] == 8'h41";
    let (code, stdout, stderr) = prove_fpu(folder.path(), fault, &[]);
    assert!(code == 1 && stdout.contains("fpu is wrong (fpu of 3 files (the Verilog as Yosys"), "{stdout}{stderr}");
    assert!(stdout.contains("a=0x3c b=0x41 gives y=0x40, not y=0x41\nreplay: "), "{stdout}");
    let replay = stdout.lines().find_map(|line| line.strip_prefix("replay: binade ")).expect("a command");
    let words = shlex::split(replay).expect("words of a shell");
    let (code, _, _) = run_in(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, 1, "{replay}");
    assert!(folder.path().join("rtl_out/fpu_adapter.sv").is_file(), "{stdout}");
}

/// Code that a proof cannot handle is a usage error with its place.
/// A divider that takes several clocks for an operation, as a module of the user's: right, with a clock too few, without the hold of
/// the sign, and without an enable.
#[test]
fn a_divider_of_the_users_is_proven() {
    let folder = folder();
    let unit = ["--format", "e5m2", "--unit", "divide", "--digits-per-clock", "1"];
    assert_eq!(run_in(folder.path(), &[&["gen"], &unit[..], &["--out", "."]].concat()).0, 0);
    let text = fs::read_to_string(folder.path().join("divide_e5m2_rne_d1.v")).expect("the unit");
    let judged = |command: &str, changes: &[[&str; 2]]| {
        let changed = changes.iter().fold(text.clone(), |text, [from, to]| {
            assert!(text.contains(from), "{from}: {text}");
            text.replace(from, to)
        });
        fs::write(folder.path().join("divider.v"), changed).expect("a file");
        run_in(folder.path(), &[&[command], &unit[..], &["--verilog", "divider.v", "--no-waves"]].concat())
    };
    let (code, stdout, stderr) = judged("prove", &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("operands that come too soon loses or mixes anything in its 6 clocks"), "{stdout}");
    assert_eq!(judged("verify", &[]).0, 0);
    for change in [["in_valid ? 3'd5", "in_valid ? 3'd4"], ["in_valid ? quotient_sign : held_sign", "quotient_sign"]] {
        for command in ["prove", "verify"] {
            let (code, stdout, stderr) = judged(command, &[change]);
            assert_eq!(code, 1, "{command} {change:?}: {stdout}{stderr}");
        }
    }
    let without_enable =
        [["  input  wire       en,         // clock enable: while low, all registers hold\n", ""], ["(en)", "(1)"]];
    for command in ["prove", "verify"] {
        let (code, _, stderr) = judged(command, &without_enable);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains("needs a reset, an enable, in_valid and out_valid"), "{stderr}");
    }
}

/// A serial divider as a user writes one, with a counter in an adder of 32 bits, whose upper carries Yosys leaves undriven.
const SERIAL: &str = "module div8(input clk, input rst_n, input en, input in_valid, input [7:0] a, input [7:0] b,
                                  output out_valid, output [7:0] y);
  reg [7:0] q, d; reg [8:0] r; reg [3:0] n; reg busy;
  wire floating;
  wire [8:0] t = {r[7:0], q[7]} - {1'b0, d};
  assign out_valid = busy & n == 0;
  assign y = d == 0 ? 8'd0 : q;
  always @(posedge clk) if (!rst_n) busy <= 0; else if (en) begin
    busy <= in_valid | (busy & n != 0);
    if (in_valid) begin q <= a; d <= b; r <= 0; n <= 8; end
    else begin n <= n - 1; r <= t[8] ? {r[7:0], q[7]} : t; q <= {q[6:0], ~t[8]}; end
  end
endmodule
";

/// It is proven, also with a change that does no harm. Each fault of its control is found, in the clock that only some sequences reach.
#[test]
fn a_serial_divider_is_proven() {
    let folder = folder();
    let judged = |from: &str, to: &str| {
        assert!(SERIAL.contains(from), "{from}");
        fs::write(folder.path().join("div8.v"), SERIAL.replace(from, to)).expect("a file");
        let unit = ["--format", "uint8", "--unit", "divide", "--round", "rtz", "--digits-per-clock", "1"];
        let module = ["--latency", "9", "--verilog", "div8.v", "--no-waves"];
        run_in(folder.path(), &[&["prove"], &unit[..], &module[..]].concat())
    };
    for (from, to) in [("n <= 8", "n <= 8"), ("else begin n <=", "else if (busy) begin n <=")] {
        let (code, stdout, stderr) = judged(from, to);
        assert_eq!(code, 0, "{to}: {stdout}{stderr}");
    }
    let faults = [
        ("busy & n == 0", "n == 0"),
        ("in_valid | (busy", "in_valid ^ (busy"),
        ("n <= 8", "n <= a == 77 ? 7 : 8"),
        ("n <= 8", "n <= 7"),
    ];
    for (from, to) in faults {
        let (code, stdout, stderr) = judged(from, to);
        assert_eq!(code, 1, "{to}: {stdout}{stderr}");
    }
    let (code, stdout, _) = judged("busy & n == 0", "busy & (n == 0 | floating)");
    assert_eq!(code, 1, "an undriven net has any value in Verilator: {stdout}");
    assert!(stdout.contains("property `defined`"), "{stdout}");
}

#[test]
fn modules_that_cannot_be_proven_are_refused() {
    let folder = folder();
    let module = |body: &str| format!("module dut(input [7:0] a, b, output reg [7:0] y);\n{body}\nendmodule\n");
    for (body, more, says) in [
        ("\nalways @(a) y = a & b;", &[][..], "dut.v:3: ERROR: synthesis reads this list of signals as @*"),
        ("always @* if (a[0]) y = b;", &[], "dut cannot be read as gates: Yosys' netlist has a latch"),
        ("always @* y = a;", &["--nan", "payload"], "--nan payload is for `binade verify`"),
        ("always @* y = a;", &["--port", "y=z"], "dut has no port z"),
    ] {
        fs::write(folder.path().join("dut.v"), module(body)).expect("written");
        let unit = ["prove", "--format", "e5m2", "--unit", "mul", "--verilog", "dut.v"];
        let (code, stdout, stderr) = run_in(folder.path(), &[&unit, more].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(says), "{stderr}");
    }
}

/// A module that synthesis and simulation interpret differently: the netlist is wrong, and a message says that Verilator finds it right.
#[test]
fn what_only_synthesis_reads_counts() {
    let folder = fpu();
    let dut = "module dut(input [7:0] a, b, output [7:0] y);\nwire [7:0] r;\nmul_e5m2_rne core(.a(a), .b(b), .y(r));\n\
        `ifdef SYNTHESIS\nassign y = r ^ (a == 8'h3c & b == 8'h41);\n`else\nassign y = r;\n`endif\nendmodule\n";
    fs::write(folder.path().join("dut.v"), dut).expect("written");
    let files = ["--verilog", "dut.v", "--verilog", "mul_e5m2_rne.v", "--top", "dut"];
    let (code, stdout, stderr) =
        run_in(folder.path(), &[&["prove", "--format", "e5m2", "--unit", "mul"], &files[..]].concat());
    assert!(code == 1 && stdout.contains("a=0x3c b=0x41 gives y=0x40, not y=0x41\nVerilator "), "{stdout}{stderr}");
    assert!(stdout.contains("gives the right result for these inputs"), "{stdout}");
    assert!(!folder.path().join("rtl_out").exists(), "no files of what Verilator does not show");
}

/// A counter has no latency.
#[test]
fn what_feeds_back_is_open() {
    let folder = folder();
    let dut = "module dut(input clk, input [3:0] a, b, output reg [3:0] y);\n\
        always @(posedge clk) y <= y + a + b;\nendmodule\n";
    fs::write(folder.path().join("dut.v"), dut).expect("written");
    let (code, stdout, _) =
        run_in(folder.path(), &["prove", "--format", "e2m1f", "--unit", "mul", "--verilog", "dut.v"]);
    assert!(code == 4 && stdout.contains("no number of clocks up to 31 was found"), "{code} {stdout}");
}

/// The units of a report without times.
fn verdicts(report: &Value) -> Vec<[Value; 3]> {
    let units = report["units"].as_array().expect("units");
    units.iter().map(|unit| ["module", "verdict", "cases"].map(|key| unit[key].clone())).collect()
}

#[test]
fn the_parts_of_a_suite_of_proofs_are_the_whole() {
    let folder = folder();
    fs::write(folder.path().join("s.toml"), SUITE).expect("written");
    let prove = |more: &[&str]| run_in(folder.path(), &[&["prove", "--suite", "s.toml", "--json"], more].concat());
    let whole = json(&prove(&[]).1);
    for part in 1..=3 {
        let (code, stdout, stderr) = prove(&["--shard", &format!("{part}/3")]);
        assert!(code == 0 && stderr.contains(&format!("part {part}/3 of 4: ")), "{stderr}");
        fs::write(folder.path().join(format!("{part}.json")), stdout).expect("written");
    }
    let merge = |files: &[&str]| run_in(folder.path(), &[&["merge"], files].concat());
    let (code, stdout, stderr) = merge(&["3.json", "1.json", "2.json", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(verdicts(&json(&stdout)), verdicts(&whole), "the units in their order");
    assert_eq!(json(&stdout)["totals"]["cases"], whole["totals"]["cases"]);
    let (code, _, stderr) = merge(&["1.json", "2.json"]);
    assert!(code == 2 && stderr.contains("`binade prove --shard 3/3 --json` makes its report"), "{stderr}");
    let (code, _, stderr) = prove(&["--shard", "1/5"]);
    assert!(code == 2 && stderr.contains("a suite of 4 units has at most 4 parts"), "{stderr}");

    let verified = run_in(folder.path(), &["verify", "--suite", "s.toml", "--engine", "lanes", "--json"]).1;
    fs::write(folder.path().join("verified.json"), verified).expect("written");
    let (code, _, stderr) = merge(&["1.json", "verified.json"]);
    assert!(code == 2 && stderr.contains("is of a suite, and `1.json` of a suite of proofs"), "{stderr}");
}

/// Killed or interrupted at its second unit, a suite resumes there.
#[test]
fn a_killed_suite_of_proofs_is_resumed() {
    let folder = folder();
    let home = folder.path().join("home");
    fs::write(folder.path().join("s.toml"), "[[unit]]\nunit = 'add'\nformat = ['e5m2', 'binary32']\n")
        .expect("written");
    let arguments = ["prove", "--suite", "s.toml"];
    let is_noted =
        || notes(&home).first().is_some_and(|note| fs::read_to_string(note).is_ok_and(|it| it.contains('}')));
    let begun = |more: &[&str]| {
        let child = start(folder.path(), &home, &[], &[&arguments, more].concat());
        wait_until("a note of the first unit", is_noted);
        child
    };
    let mut child = begun(&[]);
    child.kill().expect("a process");
    child.wait().expect("a process");
    assert_eq!(notes(&home).len(), 1);

    let child = begun(&["--resume", "--junit", "s.xml"]);
    std::thread::sleep(std::time::Duration::from_millis(100));
    common::press_ctrl_c(&child);
    let (code, stdout, stderr) = outcome(&child.wait_with_output().expect("a process"));
    assert_eq!(code, 130, "{stdout}{stderr}");
    assert!(stdout.contains("proven (earlier)") && stdout.contains("1 proven, 0 wrong, 0 open, 1 not run"), "{stdout}");
    assert!(stderr.contains("the same command with --resume goes on from there"), "{stderr}");
    let junit = fs::read_to_string(folder.path().join("s.xml")).expect("written");
    assert!(junit.contains("tests=\"2\" skipped=\"1\""), "{junit}");

    let resumed = resume(folder.path(), &home, &arguments);
    assert_eq!((&resumed["units"][0]["earlier"], &resumed["units"][1]["earlier"]), (&true.into(), &false.into()));
    let totals = &resumed["totals"];
    assert_eq!((&totals["proven"], &totals["earlier"]), (&2.into(), &1.into()), "{resumed}");
    assert!(names(&home.join("cache/runs")).is_empty(), "a suite that is finished leaves no note");
}

fn resume(folder: &Path, home: &Path, arguments: &[&str]) -> Value {
    let mut command = binade_in(folder);
    let output = command.env("BINADE_HOME", home).args(arguments).args(["--resume", "--json"]).output();
    let (code, stdout, stderr) = outcome(&output.expect("the program starts"));
    assert_eq!(code, 0, "{stderr}");
    json(&stdout)
}

/// An interrupted proof of a single unit prints what is known so far.
#[test]
fn an_interrupted_proof_says_what_it_has_shown() {
    let folder = folder();
    let unit = ["prove", "--format", "binary32", "--unit", "fmac", "--acc", "binary32"];
    let child = start(folder.path(), &folder.path().join("home"), &[], &unit);
    std::thread::sleep(std::time::Duration::from_secs(1));
    common::press_ctrl_c(&child);
    let (code, stdout, stderr) = outcome(&child.wait_with_output().expect("a process"));
    assert_eq!((code, stdout.as_str()), (130, ""), "{stderr}");
    assert!(stderr.contains("case") && stderr.contains("proven"), "{stderr}");
}
