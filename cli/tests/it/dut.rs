//! A user's modules: other names and interfaces, several files, behavior beside the computation, and the effect of policies.

use crate::common::{self, folder, home, names, outcome, run_in, start};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const MUL: [&str; 5] = ["verify", "--format", "e2m1f", "--unit", "mul"];

/// A folder with `core.v`, a right multiplier of e2m1f, and another file.
fn site(file: &str, text: &str) -> tempfile::TempDir {
    site_of("e2m1f", file, text)
}

fn site_of(format: &str, file: &str, text: &str) -> tempfile::TempDir {
    let folder = folder();
    let (code, _, stderr) = run_in(folder.path(), &["gen", "--format", format, "--unit", "mul"]);
    assert_eq!(code, 0, "{stderr}");
    let core = folder.path().join(format!("rtl_out/mul_{format}_rne.v"));
    fs::rename(core, folder.path().join("core.v")).unwrap();
    fs::write(folder.path().join(file), text).unwrap();
    folder
}

fn verify(folder: &Path, more: &[&str]) -> (i32, String, String) {
    run_in(folder, &[&MUL, more].concat())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Everything at once: a package, a parameter, a macro, an included file, other names, an operation input, Latin-1 text, a timescale,
/// warnings, and printed text.
#[test]
fn a_module_with_names_and_files_of_its_own() {
    let folder = site("params.vh", "`define TOPBIT (W - 1)\n");
    let package = "package fpu_pkg; typedef enum logic [1:0] { ADD, MUL } op_e; endpackage\n";
    let unit = b"// module commented; \xa9 Soci\xe9t\xe9\n`timescale 1ns/1ps\n`include \"params.vh\"\n\
        module fpu #(parameter W = 8) (input fpu_pkg::op_e op, input [1:0][`TOPBIT:0] operands,\n\
        output logic [`TOPBIT:0] result, output logic [4:0] extra);\n\
        wire [W-1:0] product;\n\
        mul_e2m1f_rne core (.a(operands[0]), .b(operands[1]), .y(product));\n\
        initial $display(\"hello\");\n\
        assign extra = W;\n\
        always_comb result = op == fpu_pkg::`OPERATION ? product : 'x;\nendmodule\n";
    fs::write(folder.path().join("pkg.sv"), package).unwrap();
    fs::create_dir(folder.path().join("rtl")).unwrap();
    fs::write(folder.path().join("rtl/fpu.sv"), unit).unwrap();
    let files =
        ["--verilog", "pkg.sv", "--verilog", "core.v", "--verilog", "rtl/fpu.sv", "-I", ".", "-D", "OPERATION=MUL"];
    let ports =
        ["--port", "a=operands[3:0]", "--port", "b=operands[7:4]", "--tie", "op=fpu_pkg::MUL", "--parameter", "W=4"];
    let all = [&files[..], &ports, &["--top", "fpu"]].concat();
    let (code, stdout, stderr) = verify(folder.path(), &[&all[..], &["--json"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let report = json(&stdout);
    assert_eq!((&report["module"], &report["verdict"]), (&"fpu".into(), &"right".into()));
    assert_eq!(report["dut"]["ignored"][0], "extra");
    assert_eq!(report["dut"]["ports"][2], "y=result", "found by its name");
    assert!(report["dut"]["warnings"]["WIDTHTRUNC"].as_u64() > Some(0), "{stdout}");
    assert!(stderr.contains("hello"), "{stderr}");
    let (_, stdout, stderr) = verify(folder.path(), &[&all[..], &["--lint"]].concat());
    assert!(stderr.contains("%Warning-WIDTHTRUNC: ") && stderr.contains("rtl/fpu.sv:"), "{stderr}");
    assert!(stdout.contains("as mul_e2m1f_rne; parameters W=4; ports a=operands[3:0]"), "{stdout}");
    // A change of an included file is noticed.
    fs::write(folder.path().join("params.vh"), "`define TOPBIT (W - 1 + W)\n").unwrap();
    let (code, _, stderr) = verify(folder.path(), &all);
    assert!(code == 2 && stderr.contains("y of the unit has 4 bits, result of fpu has 8 bits"), "{stderr}");
}

const PIPELINE: &str = "module pipe(input clock, input rst, input [3:0] a, b, output reg [3:0] y);\n\
    reg [3:0] p, q; wire [3:0] r;\n\
    mul_e2m1f_rne core (.a(p), .b(q), .y(r));\n\
    reg [3:0] s;\n\
    always @(posedge clock) if (rst) {p, q, s, y} <= 0; else begin p <= a; q <= b; s <= r; y <= s; end\nendmodule\n";

#[test]
fn a_pipeline_that_has_only_a_latency() {
    let folder = site("pipe.v", PIPELINE);
    let files = ["--verilog", "core.v", "--verilog", "pipe.v", "--top", "pipe"];
    let (code, stdout, stderr) = verify(folder.path(), &files);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("latency  3 clocks, measured"), "{stdout}");
    assert!(stdout.contains("it has no enable; it does not say"), "{stdout}");
    let (code, _, stderr) = verify(folder.path(), &[&files[..], &["--latency", "2", "--no-waves"]].concat());
    assert!(code == 1 && stderr.contains("--top pipe --latency 2"), "{stderr}");
    assert!(stderr.contains("waves  none: --no-waves"), "{stderr}");
    assert!(names(&folder.path().join("rtl_out")).contains(&"mul_e2m1f_rne_mismatch_tb.v".into()));
}

/// The printed testbench blames a module for the planted fault alone, whichever control ports the module has.
#[test]
#[ignore = "needs Icarus on PATH"]
fn a_testbench_blames_what_is_wrong_and_nothing_else() {
    let modules = [
        ("input rst_n, ", "if (!rst_n) y <= 0; else y <= m", ""),
        ("", "y <= m", ""),
        ("input en, ", "if (en) y <= m", ""),
        (
            "input rst_n, en, in_valid, output reg out_valid, ",
            "if (en) y <= m",
            "if (!rst_n) out_valid <= 0; else if (en) out_valid <= in_valid;",
        ),
        ("input rst_n, in_valid, output reg out_valid, ", "y <= m", "out_valid <= rst_n & in_valid;"),
    ];
    for (controls, loads, more) in modules {
        let module = |result: &str| {
            format!(
                "module pipe(input clk, {controls}input [3:0] a, b, output reg [3:0] y);\nwire [3:0] r, m;\n\
                 mul_e2m1f_rne core (.a(a), .b(b), .y(r));\nassign m = {result};\n\
                 always @(posedge clk) begin {loads}; {more} end\nendmodule\n"
            )
        };
        let folder = site("pipe.v", &module("a == 4'h3 & b == 4'hd ? ~r : r"));
        let files = ["--verilog", "core.v", "--verilog", "pipe.v", "--top", "pipe", "--no-waves"];
        let (code, _, stderr) = verify(folder.path(), &files);
        assert_eq!(code, 1, "{controls}: {stderr}");
        let command = stderr.lines().find_map(|line| line.trim().strip_prefix("run it ")).expect("a command");
        let run = || {
            let output = Command::new("sh").args(["-c", command]).current_dir(folder.path()).output().unwrap();
            String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
        };
        // Once in each of eight passes, and once more for each clock in which a result is held.
        let said = run();
        let blamed: Vec<&str> = said.lines().filter(|line| line.starts_with("clock ")).collect();
        assert!(blamed.len() >= 8, "{controls}: {said}");
        assert!(blamed.iter().all(|line| line.contains("a 0x3, b 0xd;")), "{controls}: {said}");
        assert!(controls.contains("en") || blamed.len() == 8, "{controls}: {said}");
        fs::write(folder.path().join("pipe.v"), module("r")).unwrap();
        let said = run();
        assert!(said.contains("is right on "), "{controls}: {said}");
    }
    // A module that needs time to start, with a fault; without the fault, its testbench finds nothing.
    let folder = site("late.v", &late("", "is_ready", "(a == 4'h3 & b == 4'hd ? ~r : r)"));
    let files = ["--verilog", "core.v", "--verilog", "late.v", "--top", "late", "--latency", "1", "--startup", "3"];
    let (code, _, stderr) = verify(folder.path(), &[&files[..], &["--no-waves"]].concat());
    assert_eq!(code, 1, "{stderr}");
    let command = stderr.lines().find_map(|line| line.trim().strip_prefix("run it ")).expect("a command");
    for (result, said) in [("(a == 4'h3 & b == 4'hd ? ~r : r)", "is wrong 8 times on "), ("r", "is right on ")] {
        fs::write(folder.path().join("late.v"), late("", "is_ready", result)).unwrap();
        let output = Command::new("sh").args(["-c", command]).current_dir(folder.path()).output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.contains(said), "{text}");
    }
}

/// A module that takes operands from the third clock cycle after a reset on; `valid` are its valid ports, `takes` is when it takes operands.
fn late(valid: &str, takes: &str, result: &str) -> String {
    let valid_out = if valid.is_empty() { "" } else { "out_valid <= rst_n & in_valid & is_ready;" };
    format!(
        "module late(input clk, rst_n, {valid}input [3:0] a, b, output reg [3:0] y);\nwire [3:0] r;\nreg [1:0] waited;\nreg is_first;\n\
         wire is_ready = waited == 3;\nmul_e2m1f_rne core (.a(a), .b(b), .y(r));\n\
         always @(posedge clk) begin\n  waited <= !rst_n ? 0 : is_ready ? 3 : waited + 1;\n\
         is_first <= !rst_n | is_first & !({takes});\n  y <= {takes} ? {result} : 4'h0;\n  {valid_out}\nend\nendmodule\n"
    )
}

/// A module that needs time after a reset is right if it gets it, and a result that it loses afterwards is found.
#[test]
fn a_module_may_need_time_to_start() {
    for (valid, takes) in [("", "is_ready"), ("input in_valid, output reg out_valid, ", "in_valid & is_ready")] {
        let folder = site("late.v", &late(valid, takes, "r"));
        let files = ["--verilog", "core.v", "--verilog", "late.v", "--top", "late", "--latency", "1", "--no-waves"];
        let checked = |startup: &str| verify(folder.path(), &[&files[..], &["--startup", startup]].concat());
        let (code, stdout, stderr) = checked("3");
        assert_eq!(code, 0, "{valid}: {stderr}");
        assert!(stdout.contains("  startup  3 clocks after a reset without operands\n"), "{stdout}");
        for startup in ["0", "2"] {
            let (code, _, stderr) = checked(startup);
            assert_eq!(code, 1, "{valid}, {startup}: {stderr}");
        }
        // The first result after the start is lost.
        fs::write(folder.path().join("late.v"), late(valid, takes, "(is_first ? 4'h0 : r)")).unwrap();
        let (code, _, stderr) = checked("3");
        assert_eq!(code, 1, "{valid}: {stderr}");
        assert!(stderr.contains("--startup 3 --replay") || stderr.contains("after the reset"), "{stderr}");
    }
    let folder = site("late.v", &late("", "is_ready", "r"));
    let mutants = ["--verilog", "core.v", "--verilog", "late.v", "--top", "late", "--startup", "3", "--mutate", "9"];
    let (code, _, stderr) = verify(folder.path(), &mutants);
    assert!(code == 2 && stderr.contains("--mutate: mutants are given operands"), "{stderr}");
    let folder =
        site("late.v", "module late(input [3:0] a, b, output [3:0] y);\nmul_e2m1f_rne core (.a, .b, .y);\nendmodule\n");
    let (code, _, stderr) =
        verify(folder.path(), &["--verilog", "core.v", "--verilog", "late.v", "--top", "late", "--startup", "1"]);
    assert!(code == 2 && stderr.contains("--startup: late has no latency"), "{stderr}");
    let valid_out = "module late(input clk, input [3:0] a, b, output reg out_valid, output reg [3:0] y);\nwire [3:0] r;\n\
                     mul_e2m1f_rne core (.a, .b, .y(r));\nalways @(posedge clk) {out_valid, y} <= {1'b1, r};\nendmodule\n";
    let folder = site("late.v", valid_out);
    let files = ["--verilog", "core.v", "--verilog", "late.v", "--top", "late", "--latency", "1", "--startup", "1"];
    let (code, _, stderr) = verify(folder.path(), &files);
    assert!(code == 2 && stderr.contains("it has no in_valid"), "{stderr}");
}

#[test]
fn what_does_not_fit_is_said_with_what_to_do() {
    let folder = site(
        "dut.v",
        "// module mul_e2m1f_rne\nmodule dut(input [3:0] a, in2, input mode, output [3:0] y);\nassign y = a\nendmodule\n",
    );
    let (code, _, stderr) = verify(folder.path(), &["--verilog", "dut.v"]);
    assert!(code == 2 && stderr.contains("dut.v:4:1: syntax error"), "{code} {stderr}");
    let fixed = fs::read_to_string(folder.path().join("dut.v")).unwrap().replace("= a\n", "= a;\n");
    fs::write(folder.path().join("dut.v"), fixed).unwrap();
    let refusals: [(&[&str], &str); 6] = [
        (&[], "no input of dut is named like b of the unit (4 bits); name yours with --port b=NAME"),
        (&["--port", "b=in2"], "its input mode (1 bit) is not connected; set constants with --tie mode=VALUE"),
        (&["--port", "b=mode"], "b of the unit has 4 bits, mode of dut has 1 bit"),
        (&["--port", "b=in3"], "dut has no port in3; it has input a (4 bits)"),
        (&["--port", "q=in2"], "the unit has no port q; it has a, b, y"),
        (&["--top", "other"], "--top other: `dut.v` has no such module; it declares dut"),
    ];
    for (more, text) in refusals {
        let (code, _, stderr) = verify(folder.path(), &[&["--verilog", "dut.v"], more].concat());
        assert!(code == 2 && stderr.contains(text), "{more:?}: {code} {stderr}");
    }
    fs::write(folder.path().join("shell.v"), around("// $system\ninitial $system(\"touch there\");")).unwrap();
    let (code, _, stderr) = verify(folder.path(), &["--verilog", "core.v", "--verilog", "shell.v", "--top", "dut"]);
    assert!(code == 2 && stderr.contains("shell.v:4: $system runs a program, writes a file"), "{code} {stderr}");
    let (code, _, stderr) = verify(folder.path(), &["--verilog", "dut.v", "--port", "b=in2", "--tie", "mode=nothing"]);
    assert!(code == 2 && stderr.contains("with these ports and constants"), "{code} {stderr}");
}

/// Operands and results in packed structures, one in another, with an operation that is an enumeration.
const STRUCTURES: &str = "package types; typedef enum logic [1:0] { ADD, MUL } op_e;\n\
    typedef struct packed { op_e op; logic [3:0] a; logic [3:0] b; } request_t;\n\
    typedef struct packed { request_t inner; logic valid; } outer_t;\n\
    typedef struct packed { logic [1:0] spare; logic [3:0] y; } answer_t; endpackage\n\
    module dut import types::*; (input outer_t req, output answer_t ans);\n\
    wire [3:0] y;\n\
    mul_e2m1f_rne core (.a(req.inner.a), .b(req.inner.b), .y(y));\n\
    assign ans.spare = 0;\n\
    assign ans.y = req.valid && req.inner.op == MUL ? y : 4'd5;\nendmodule\n";

#[test]
fn members_of_structures_are_ports() {
    let folder = site("dut.sv", STRUCTURES);
    let files = ["--verilog", "core.v", "--verilog", "dut.sv", "--top", "dut"];
    let ports = ["--port", "a=req.inner.a", "--port", "b=req.inner.b", "--port", "y=ans.y", "--tie", "req.valid=1"];
    let all = [&files[..], &ports, &["--tie", "req.inner.op=types::MUL"]].concat();
    let (code, stdout, stderr) = verify(folder.path(), &all);
    assert_eq!(code, 0, "{stderr}");
    let connected = "ports a=req[8:5], b=req[4:1], y=ans[3:0]; constants req[0:0]=1, req[10:9]=types::MUL";
    assert!(stdout.contains(connected), "{stdout}");
    let prove = [&["prove", "--format", "e2m1f", "--unit", "mul"], &all[..]].concat();
    let (code, stdout, stderr) = run_in(folder.path(), &prove);
    assert!(code == 0 && stdout.contains("dut is proven for all 2^8 inputs"), "{stdout} {stderr}");
    let refusals: [(&[&str], &str); 4] = [
        (&ports, "req.inner.op of its input req is not connected; set constants with --tie req.inner.op=VALUE"),
        (&["--port", "a=req.inner.c"], "dut has no req.inner.c; req has req.inner (10 bits), req.inner.op (2 bits)"),
        (&["--port", "a=req.inner.a[4:1]"], "req.inner.a[4:1] reaches beyond its 4 bits"),
        (&["--port", "a=ans.y.z"], "dut has no ans.y.z; ans has ans.spare (2 bits), ans.y (4 bits)"),
    ];
    for (more, text) in refusals {
        let (code, _, stderr) = verify(folder.path(), &[&files[..], more].concat());
        assert!(code == 2 && stderr.contains(text), "{more:?}: {code} {stderr}");
    }
    // The operands exchanged are right, too; another operation is not.
    let wrong = [&files[..], &ports, &["--tie", "req.inner.op=types::ADD", "--no-waves"]].concat();
    assert_eq!(verify(folder.path(), &wrong).0, 1);
}

/// A module around the core with some statements.
fn around(statements: &str) -> String {
    format!(
        "module dut(input [3:0] a, b, output [3:0] y);\nmul_e2m1f_rne core (.a(a), .b(b), .y(y));\n{statements}\nendmodule\n"
    )
}

#[test]
fn a_module_that_stops_the_simulation() {
    let folder = site("dut.v", &around("always @(*) if (a == 4'h5 && b == 4'h3) $error(\"bad\");"));
    let files = ["--verilog", "core.v", "--verilog", "dut.v", "--top", "dut", "--no-waves"];
    let (code, stdout, stderr) = verify(folder.path(), &[&files[..], &["--json"]].concat());
    assert_eq!(code, 1, "{stderr}");
    let report = json(&stdout);
    assert_eq!((&report["verdict"], &report["violation"]["fault"]), (&"wrong".into(), &"stopped".into()));
    assert!(stderr.contains("wrong in dut, vector 83 (a 0x5, b 0x3): the simulation was stopped by"), "{stderr}");
    assert!(stderr.contains("dut.v:3") && stderr.contains("--replay 0x5,0x3"), "{stderr}");
    fs::write(folder.path().join("dut.v"), around("initial $finish;")).unwrap();
    let (code, _, stderr) = verify(folder.path(), &files);
    assert!(code == 1 && stderr.contains("stopped by $finish"), "{stderr}");
}

/// Copies bit by bit, and never ends at a = 5.
const ENDLESS: &str = "module dut(input [3:0] a, b, output reg [3:0] y);\nwire [3:0] p;\n\
    mul_e2m1f_rne core (.a(a), .b(b), .y(p));\n\
    integer i;\nalways @(*) begin i = 0; y = 0; while (i < 4 || a == 4'h5) begin\n\
    y = y | (p & (4'h1 << i)); if (a != 4'h5) i = i + 1; end end\nendmodule\n";

#[test]
#[ignore = "long"]
fn a_module_that_loops_for_ever() {
    let dut = ENDLESS;
    let folder = site("dut.v", dut);
    let files = ["--verilog", "core.v", "--verilog", "dut.v", "--top", "dut", "--timeout", "1", "--json"];
    let (code, stdout, stderr) = verify(folder.path(), &files);
    assert!(
        code == 1 && stderr.contains("wrong in dut: no answer for 1 s at vector 80 (a 0x5, b 0x0)"),
        "{code} {stderr}"
    );
    assert_eq!(json(&stdout)["hang"]["index"], 80);

    // A module whose latency is measured hangs, too.
    let clocked = dut.replace("(input", "(input clk, input").replace("always @(*)", "always @(posedge clk)");
    fs::write(folder.path().join("dut.v"), clocked).unwrap();
    let (code, stdout, stderr) = verify(folder.path(), &files);
    assert!(code == 1 && stderr.contains("wrong in dut: no answer for 1 s at vector "), "{code} {stderr}");
    assert!(stderr.contains("(a 0x5, b 0x") && stderr.contains("--replay 0x5,0x"), "{stderr}");
    assert_eq!(json(&stdout)["verdict"], "wrong");
    fs::write(folder.path().join("dut.v"), dut).unwrap();

    // The model is compiled now: the run hangs at once, and the first Ctrl-C ends it long before its time limit.
    let patient = [&MUL[..], &files[..6], &["--timeout", "600"]].concat();
    let run = start(folder.path(), &home(), &[], &patient);
    std::thread::sleep(Duration::from_secs(2));
    common::press_ctrl_c(&run);
    let (code, _, stderr) = outcome(&run.wait_with_output().unwrap());
    assert!(code == 130 && stderr.contains("interrupted"), "{code} {stderr}");
}

/// A user's modules in a suite, and the JUnit XML of the suite and of a single unit.
#[test]
fn suites_and_reports_of_modules() {
    let folder = site("dut.v", &around(""));
    fs::write(folder.path().join("wrong.v"), around("").replace("module dut", "module wrong").replace(".y(y)", ".y()"))
        .unwrap();
    let unit = |top: &str, file: &str| {
        format!("[[unit]]\nformat = \"e2m1f\"\nunit = \"mul\"\nverilog = [\"core.v\", \"{file}\"]\ntop = \"{top}\"\n\n")
    };
    fs::write(folder.path().join("own.toml"), unit("dut", "dut.v") + &unit("wrong", "wrong.v")).unwrap();
    let suite = ["verify", "--suite", "own.toml", "--junit", "suite.xml", "--no-waves"];
    let (code, stdout, stderr) = run_in(folder.path(), &suite);
    assert!(code == 1 && stderr.contains("2 units, 1 wrong"), "{code} {stderr}");
    let verdict =
        |module: &str| stdout.lines().find(|line| line.contains(&format!("| {module} "))).unwrap().to_string();
    assert!(verdict("dut").contains("right") && verdict("wrong").contains("WRONG"), "{stdout}");
    let report = fs::read_to_string(folder.path().join("suite.xml")).unwrap();
    assert!(report.contains("tests=\"2\"") && report.contains("failures=\"1\""), "{report}");
    assert!(report.contains("mismatch in wrong"), "{report}");

    let single = ["--verilog", "core.v", "--verilog", "dut.v", "--top", "dut", "--junit", "unit.xml"];
    let (code, _, stderr) = verify(folder.path(), &single);
    assert_eq!(code, 0, "{stderr}");
    let report = fs::read_to_string(folder.path().join("unit.xml")).unwrap();
    assert!(report.contains("tests=\"1\"") && report.contains("failures=\"0\""), "{report}");
    assert!(report.contains("name=\"dut\""), "{report}");
}

/// A module that never answers, or that kills its process, fails alone: the suite goes on.
#[test]
fn a_suite_outlives_its_modules() {
    let folder = site("good.v", &around("initial $display(\"hello\");").replace("dut", "good"));
    // Calls without end, which break the process.
    let crash = "function automatic [3:0] f(input [3:0] x, input [31:0] n); f = n == 0 ? x : f(f(x, n - 1), n - 1); endfunction\n\
                 wire [3:0] z = a == 4'h5 ? f(b, 32'hffffffff) : b;\nalways @(*) if (z[0] & 1'b0) $display;";
    let crash = around(crash).replace("dut", "crash");
    fs::write(folder.path().join("crash.v"), crash).unwrap();
    fs::write(folder.path().join("endless.v"), ENDLESS.replace("dut", "endless")).unwrap();
    let unit = |top: &str| {
        format!(
            "[[unit]]\nformat = \"e2m1f\"\nunit = \"mul\"\nverilog = [\"core.v\", \"{top}.v\"]\ntop = \"{top}\"\n\n"
        )
    };
    fs::write(folder.path().join("own.toml"), ["endless", "crash", "good"].map(unit).concat()).unwrap();
    let suite = ["verify", "--suite", "own.toml", "--timeout", "1", "--junit", "suite.xml", "--json"];
    let (code, stdout, stderr) = run_in(folder.path(), &suite);
    assert_eq!(code, 1, "{stderr}");
    let report = json(&stdout);
    let verdict = |unit: usize| [&report["units"][unit]["module"], &report["units"][unit]["verdict"]];
    assert_eq!([verdict(0), verdict(1), verdict(2)], [["endless", "wrong"], ["crash", "error"], ["good", "right"]]);
    assert_eq!(report["units"][0]["hang"]["index"], 80, "{stdout}");
    assert!(stderr.contains("hello\n"), "{stderr}");
    assert!(stderr.contains("wrong in endless: no answer for 1 s at vector 80 (a 0x5, b 0x0)\n  replay "), "{stderr}");
    assert!(stderr.contains("error in crash: the process that checked it ended before it had a verdict (signal: "));
    assert!(stderr.contains("3 units, 1 wrong, 1 without a verdict since a tool failed"), "{stderr}");
    let junit = fs::read_to_string(folder.path().join("suite.xml")).unwrap();
    assert!(junit.contains("failures=\"1\" errors=\"1\""), "{junit}");
    assert!(junit.contains("<failure message=\"does not answer\">wrong in endless: no answer for 1 s"), "{junit}");

    // Units found right are not checked again.
    let (code, stdout, stderr) = run_in(folder.path(), &[&suite[..], &["--resume"]].concat());
    assert_eq!((code, &json(&stdout)["units"][2]["earlier"]), (1, &true.into()), "{stderr}");
}

/// A random seed is printed, and reproduces the run.
#[test]
fn a_seed_that_nobody_chose() {
    let folder = folder();
    let run = |seed: &str| {
        let unit = ["verify", "--format", "e5m2", "--unit", "fmac", "--vectors", "1000", "--engine", "lanes", "--json"];
        let (code, stdout, stderr) = run_in(folder.path(), &[&unit[..], &["--seed", seed]].concat());
        assert_eq!(code, 0, "{stderr}");
        (json(&stdout)["seed"].as_u64().unwrap(), stderr)
    };
    let [(first, said), (second, _)] = ["random", "random"].map(run);
    assert!(first != second && said.contains(&format!("seed {first}")), "{first} {second} {said}");
    assert_eq!(run(&first.to_string()).0, first);
}

/// Another NaN, another zero, flags in another order: wrong unless the user allows them; then the output says so.
#[test]
fn what_standards_leave_open_is_the_users_choice() {
    let dut = "module dut(input [7:0] a, b, output [7:0] y);\nwire [7:0] r;\nmul_e5m2_rne core (.a(a), .b(b), .y(r));\n\
        assign y = r[6:0] > 7'h7c ? 8'hff : r[6:0] == 0 ? 8'h00 : r;\nendmodule\n";
    let folder = site_of("e5m2", "dut.v", dut);
    let run = |more: &[&str]| {
        let files = ["--verilog", "core.v", "--verilog", "dut.v", "--top", "dut", "--no-waves"];
        run_in(folder.path(), &[&["verify", "--format", "e5m2", "--unit", "mul"], &files[..], more].concat())
    };
    for more in [&["--nan", "any"][..], &["--zero-sign", "Any"], &["--nan", "Payload", "--zero-sign", "any"]] {
        let (code, _, stderr) = run(more);
        assert_eq!(code, 1, "{more:?}: {stderr}");
    }
    // The testbench of a mismatch uses the same policies.
    let bench = || fs::read_to_string(folder.path().join("rtl_out/mul_e5m2_rne_mismatch_tb.v")).unwrap();
    run(&["--nan", "any"]);
    let told = "// Also right, as the verification was told: any NaN is right where a NaN is wanted.\n";
    let rule = "&& (got[7:0] == want[7:0] || got[6:0] > 7'h7c && want[6:0] > 7'h7c);";
    assert!(bench().contains(told) && bench().contains(rule), "{}", bench());
    run(&[]);
    assert!(!bench().contains("is_right") && bench().contains("if (y !== want_y)"), "{}", bench());
    let (code, stdout, stderr) = run(&["--nan", "any", "--zero-sign", "any"]);
    assert_eq!(code, 0, "{stderr}");
    let allowed = "any NaN is right where a NaN is wanted; a zero may have either sign";
    assert!(stdout.contains(&format!("  allowed  {allowed}\n")), "{stdout}");
    let (_, stdout, _) = run(&["--nan", "any", "--zero-sign", "any", "--json"]);
    assert_eq!(json(&stdout)["tolerance"], allowed);
    // A proof accepts the same policies, and fails without one of them.
    let prove = |more: &[&str]| {
        let files = ["--verilog", "core.v", "--verilog", "dut.v", "--top", "dut", "--no-waves"];
        run_in(folder.path(), &[&["prove", "--format", "e5m2", "--unit", "mul"], &files[..], more].concat())
    };
    let (code, stdout, stderr) = prove(&["--nan", "any", "--zero-sign", "any"]);
    assert!(code == 0 && stdout.contains(&format!("is its specification ({allowed}) in ")), "{stdout}{stderr}");
    for more in [&["--nan", "any"][..], &["--zero-sign", "any"], &[]] {
        let (code, stdout, stderr) = prove(more);
        assert!(code == 1 && stdout.contains("dut is wrong"), "{more:?}: {stdout}{stderr}");
    }
    let lanes = ["--engine", "lanes", "--nan", "any"];
    let (code, _, stderr) = run_in(folder.path(), &[&MUL[..], &lanes].concat());
    assert!(code == 2 && stderr.contains("for --engine verilator"), "{stderr}");
}

#[test]
fn flags_in_the_order_of_risc_v() {
    let folder = folder();
    let unit = ["--format", "e5m2", "--unit", "mul", "--flags"];
    run_in(folder.path(), &[&["gen"], &unit[..]].concat());
    let dut = |divides: &str| {
        format!(
            "module dut(input [7:0] a, b, output [7:0] y, output [4:0] fflags);\nwire [3:0] f;\n\
             mul_e5m2_rne_flags core (.a(a), .b(b), .y(y), .flags(f));\n\
             assign fflags = {{f[3], {divides}, f[2:0]}};\nendmodule\n"
        )
    };
    let run = |divides: &str| {
        fs::write(folder.path().join("dut.v"), dut(divides)).unwrap();
        let files = ["--verilog", "rtl_out/mul_e5m2_rne_flags.v", "--verilog", "dut.v", "--top", "dut", "--no-waves"];
        run_in(folder.path(), &[&["verify"], &unit[..], &files, &["--flag-order", "riscv"]].concat())
    };
    let (code, stdout, stderr) = run("1'b0");
    assert!(code == 0 && stdout.contains("in the order of RISC-V"), "{stdout} {stderr}");
    let (code, _, stderr) = run("a == 8'h3c & b == 8'h42");
    assert!(code == 1 && stderr.contains("(a 0x3c, b 0x42): the simulation was stopped"), "{stderr}");
    assert!(stderr.contains("the flag for a division by zero is 1"), "{stderr}");
    // What registers hold at the start raises no flag: with a reset, without one, with valid and ready.
    let clocked = |reset: &str, divides: &str| {
        let (port, clears) = match reset {
            "" => ("", "full <= in_valid;"),
            _ => ("input rst_n, ", "full <= in_valid && rst_n;"),
        };
        format!(
            "module dut(input clk, {port}input in_valid, input [7:0] a, b, output in_ready, out_valid, output [7:0] y, output [4:0] fflags);\n\
             reg full, bad; reg [7:0] q; reg [3:0] f; wire [3:0] g; wire [7:0] p;\n\
             mul_e5m2_rne_flags core (.a(a), .b(b), .y(p), .flags(g));\n\
             assign in_ready = 1, out_valid = full, y = q, fflags = {{f[3], bad, f[2:0]}};\n\
             always @(posedge clk) begin {clears} q <= p; f <= g; bad <= {divides}; end\nendmodule\n"
        )
    };
    let exchange = ["--interface", "ready-valid"];
    for (reset, more) in [("rst_n", &["--latency", "1"][..]), ("", &["--latency", "1"]), ("rst_n", &exchange)] {
        for (divides, expected) in [("0", 0), ("a == 8'h3c & b == 8'h42", 1)] {
            fs::write(folder.path().join("dut.v"), clocked(reset, divides)).unwrap();
            let files =
                ["--verilog", "rtl_out/mul_e5m2_rne_flags.v", "--verilog", "dut.v", "--top", "dut", "--no-waves"];
            let all = [&["verify"], &unit[..], &files, &["--flag-order", "riscv"], more].concat();
            let (code, stdout, stderr) = run_in(folder.path(), &all);
            assert_eq!(code, expected, "{reset} {more:?} {divides}: {stdout}{stderr}");
        }
    }
}

#[test]
fn waves_are_made_when_the_user_wants_them() {
    let folder = folder();
    let (code, _, stderr) = verify(folder.path(), &["--waves", "w/right.fst"]);
    assert!(code == 0 && stderr.contains("waves  w/right.fst"), "{stderr}");
    assert!(fs::metadata(folder.path().join("w/right.fst")).unwrap().len() > 100);
}

/// Verilog's tools quote file names with quotation marks; a dollar sign is an ordinary character.
#[test]
fn paths_that_verilog_cannot_name() {
    let folder = site("notes", "");
    for (odd, code) in [("a\"b.v", 2), ("a\nb.v", 2), ("a$b.v", 0)] {
        fs::copy(folder.path().join("core.v"), folder.path().join(odd)).unwrap();
        for command in ["verify", "prove"] {
            let words = [command, "--format", "e2m1f", "--unit", "mul", "--verilog", odd];
            let (found, _, stderr) = run_in(folder.path(), &words);
            assert_eq!(found, code, "{command} {odd}: {stderr}");
            assert!(code == 0 || stderr.contains("a quotation mark or a line break; rename it"), "{stderr}");
        }
    }
}

/// A module that ends the process of its simulation has no verdict, whatever the exit code.
#[test]
fn what_ends_its_process_has_no_verdict() {
    let folder = site("dut.v", &around("initial $c(\"_exit(0);\");"));
    let files = ["--verilog", "core.v", "--verilog", "dut.v", "--top", "dut", "--no-waves"];
    let (code, _, stderr) = verify(folder.path(), &files);
    assert!(
        code == 2 && stderr.contains("dut.v:3: $c runs a program, writes a file or holds foreign code"),
        "{stderr}"
    );
    let (code, stdout, stderr) = verify(folder.path(), &[&files[..], &["--allow-system-tasks"]].concat());
    assert!(code == 3 && stdout.is_empty() && stderr.contains("before there was a verdict"), "{code} {stdout}{stderr}");
}

/// A module with state and without `in_valid` takes operands in each clock.
#[test]
fn a_module_with_state_that_always_takes_operands() {
    let folder = folder();
    let (code, _, stderr) = run_in(folder.path(), &["gen", "--format", "e5m2", "--unit", "add", "--out", "."]);
    assert_eq!(code, 0, "{stderr}");
    let text = "module sums(input clk, rst_n, clear, input [7:0] x, output reg [7:0] y);\n\
        wire [7:0] sum;\n\
        add_e5m2_rne add(.a(clear ? 8'h80 : y), .b(x), .y(sum));\n\
        always @(posedge clk) if (!rst_n) y <= 0; else y <= sum;\nendmodule\n";
    fs::write(folder.path().join("sums.v"), text).unwrap();
    let words = ["--format", "e5m2", "--unit", "accumulate", "--acc", "e5m2", "--top", "sums", "--verilog", "sums.v"];
    let all = [&["verify"], &words[..], &["--verilog", "add_e5m2_rne.v", "--vectors", "100000"]].concat();
    let (code, stdout, stderr) = run_in(folder.path(), &[&all[..], &["--latency", "1"]].concat());
    assert!(code == 0 && stdout.contains("with random resets"), "{stdout} {stderr}");
    // The latency that was taken stands in the report.
    let (code, stdout, stderr) = run_in(folder.path(), &[&all[..], &["--no-waves"]].concat());
    let latency = "latency  0 clocks, not measured since it has state; --latency gives another";
    assert!(code == 1 && stdout.contains(latency), "{stdout} {stderr}");
    fs::write(folder.path().join("sums.v"), text.replace("y <= sum;", "y <= sum ^ (sum == 8'h3c);")).unwrap();
    let (code, _, stderr) = run_in(folder.path(), &[&all[..], &["--latency", "1", "--no-waves"]].concat());
    assert!(code == 1 && stderr.contains("mismatch"), "{stderr}");
}
