//! The contract of modules with a clock (`docs/contract.md`): `verify` and `prove` find right modules right, with any ports, and never find
//! broken ones right. The modules are right or broken by construction. Also modules whose results depend on undefined bits, with or without
//! a clock.

use crate::common::{folder, run_in};
use binade_circuit::Interface;
use binade_sim::formal::{FormalFiles, FormalSubject, formal_properties, formal_script};
use binade_spec::contract::{ControlPorts, Pace};
use binade_spec::{Selection, Unit};
use binade_tools::{Answer, Source, Tools};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The reset of a module.
#[derive(Clone, Copy, PartialEq)]
enum Reset {
    None,
    Low,
    High,
    AsyncLow,
    AsyncHigh,
}

use Reset::{AsyncHigh, AsyncLow, High, Low, None as NoReset};

/// Which ports a module has: the reset, `en`, `in_valid`, `out_valid`.
type Style = (Reset, bool, bool, bool);

/// Every port is present in some style and missing in another, with each kind of reset.
const STYLES: [Style; 12] = [
    (Low, true, true, true),
    (AsyncLow, true, true, true),
    (High, false, true, true),
    (AsyncHigh, false, true, true),
    (NoReset, true, true, true),
    (NoReset, false, true, true),
    (AsyncLow, true, false, true),
    (Low, false, false, true),
    (High, true, true, false),
    (AsyncHigh, false, false, false),
    (NoReset, true, false, false),
    (NoReset, false, false, false),
];

/// A multiplier of e5m2 with two ranks of registers and these ports.
fn module(name: &str, (reset, en, in_valid, out_valid): Style) -> String {
    let port = |is_there: bool, text: &str| if is_there { text.to_string() } else { String::new() };
    let (input, edge, condition) = match reset {
        NoReset => ("", "", "1'b0"),
        Low => ("input rst_n, ", "", "!rst_n"),
        High => ("input rst, ", "", "rst"),
        AsyncLow => ("input rst_n, ", " or negedge rst_n", "!rst_n"),
        AsyncHigh => ("input rst, ", " or posedge rst", "rst"),
    };
    format!(
        "module {name}(input clk, {input}{}{}input [7:0] a, b, {}output [7:0] y);\n\
         wire move = {};\nwire take = {};\nwire [7:0] p;\n\
         mul_e5m2_rne core(.a(a), .b(b), .y(p));\n\
         reg [7:0] r0, r1;\nreg v0, v1;\n\
         always @(posedge clk{edge}) if ({condition}) begin v0 <= 0; v1 <= 0; end\n\
         else if (move) begin v0 <= take; v1 <= v0; end\n\
         always @(posedge clk) if (move) begin r0 <= p; r1 <= r0; end\n\
         assign y = r1;\n{}endmodule\n",
        port(en, "input en, "),
        port(in_valid, "input in_valid, "),
        port(out_valid, "output out_valid, "),
        if en { "en" } else { "1'b1" },
        if in_valid { "in_valid" } else { "1'b1" },
        port(out_valid, "assign out_valid = v1;\n"),
    )
}

/// The truth about a module: right, wrong as vectors show, or wrong for so few sequences that vectors may miss it.
#[derive(Clone, Copy, PartialEq)]
enum Truth {
    Right,
    Wrong,
    Hidden,
}

use Truth::{Hidden, Right, Wrong};

/// An edit of the module that has all ports and a synchronous reset, and the truth about the result.
type Edit = (&'static str, &'static str, Truth);

const Y: &str = "assign y = r1";
const VALID: &str = "assign out_valid = v1";
const RANKS: &str = "if (move) begin r0 <= p; r1 <= r0; end";
const VALIDS: &str = "else if (move) begin v0 <= take; v1 <= v0; end";
const CLEARED: &str = "begin v0 <= 0; v1 <= 0; end";

const EDITS: [Edit; 39] = [
    // Freedoms of a module.
    (Y, "assign y = r1 ^ {8{~rst_n}}", Right),
    (Y, "assign y = v1 ? r1 : ~r1 ^ a", Right),
    (VALID, "assign out_valid = v1 & rst_n", Right),
    (CLEARED, "begin v0 <= 0; v1 <= 0; end // data may stay", Right),
    (RANKS, "if (!rst_n) begin r0 <= 8'h5a; r1 <= 8'ha5; end else if (move) begin r0 <= p; r1 <= r0; end", Right),
    (RANKS, "if (move) begin if (take) r0 <= p; if (v0) r1 <= r0; end", Right),
    (RANKS, "begin r0 <= move ? p : r0; r1 <= move ? r0 : r1; end", Right),
    // results
    (Y, "assign y = r1 ^ {7'd0, ~en}", Wrong),
    (Y, "assign y = r1 ^ {7'd0, ~en & r1 == 8'h3c}", Wrong),
    (Y, "assign y = r1 ^ {7'd0, in_valid}", Wrong),
    (Y, "assign y = r1 ^ {7'd0, ~in_valid}", Wrong),
    (Y, "assign y = r1 ^ {7'd0, a == 8'h17}", Wrong),
    (RANKS, "if (move) begin r0 <= p; r1 <= r0 ^ {8{r0 == 8'h17 & a == 8'h37 & b == 8'h51}}; end", Hidden),
    (RANKS, "if (move) begin r0 <= p; r1 <= p; end", Wrong),
    // out-valid
    (VALID, "assign out_valid = v1 & en", Wrong),
    (VALID, "assign out_valid = v1 | ~en", Wrong),
    (VALID, "assign out_valid = v0", Wrong),
    (VALID, "assign out_valid = v1 | (in_valid & a == 8'h37 & b == 8'h51)", Hidden),
    (VALIDS, "else if (move) begin v0 <= take & p != 8'h3c; v1 <= v0; end", Wrong),
    (VALIDS, "else if (move) begin v0 <= take; v1 <= v0 | r0 == 8'h17 & a == 8'h37 & b == 8'h51; end", Hidden),
    // stall
    (RANKS, "begin r0 <= p; if (move) r1 <= r0; end", Wrong),
    (RANKS, "begin if (move) r0 <= p; r1 <= r0; end", Wrong),
    (VALIDS, "else begin if (move) v0 <= take; v1 <= v0; end", Wrong),
    (VALIDS, "else begin v0 <= take & move; if (move) v1 <= v0; end", Wrong),
    (RANKS, "if (move | a == 8'h17 & r0 == 8'h3c) begin r0 <= p; r1 <= r0; end", Hidden),
    (
        RANKS,
        "begin if (move) begin r0 <= p; r1 <= r0; end else if (stalls == 2'd2) r1 <= ~r1; stalls <= en ? 2'd0 : stalls + 2'd1; end\n\
         reg [1:0] stalls;",
        Wrong,
    ),
    // reset
    (CLEARED, "begin v0 <= 0; end", Wrong),
    (CLEARED, "begin v1 <= 0; end", Wrong),
    (CLEARED, "begin if (en) v0 <= 0; v1 <= 0; end", Wrong),
    (CLEARED, "begin v0 <= in_valid & a == 8'h37; v1 <= 0; end", Hidden),
    (CLEARED, "begin v0 <= v0 & r0 == 8'h17 & ~en; v1 <= 0; end", Hidden),
    (VALID, "assign out_valid = v1 | ~rst_n", Wrong),
    (
        VALID,
        "reg fresh; always @(posedge clk) fresh <= !rst_n | fresh & ~en; assign out_valid = v1 | fresh & in_valid",
        Wrong,
    ),
    (
        VALIDS,
        "else if (move) begin v0 <= take; v1 <= v0 | fresh & in_valid & a == 8'h37 & b == 8'h51; end\n\
         reg fresh; always @(posedge clk) if (!rst_n) fresh <= 1; else if (en) fresh <= 0;",
        Hidden,
    ),
    // defined
    (Y, "assign y = r1 == 8'h3c ? 8'hxx : r1", Hidden),
    (Y, "wire nobody; assign y = {r1[7:1], r1 == 8'h3c ? nobody : r1[0]}", Hidden),
    (RANKS, "if (move) begin r0 <= a == 8'h5a ? 8'bx0000000 : p; r1 <= r0; end", Hidden),
    (Y, "reg once; always @(posedge clk) if (a == 8'h37) once <= 1'b1; assign y = r1 ^ {7'd0, ~once}", Hidden),
    // Faults that take too long for any vector.
    (
        Y,
        "reg [15:0] clocks; always @(posedge clk) if (!rst_n) clocks <= 0; else if (en) clocks <= clocks + 16'd1;\n\
         assign y = r1 ^ {7'd0, &clocks}",
        Hidden,
    ),
];

/// A folder with `core.v`, which is right, these modules, and a suite of them.
fn site(modules: &[(String, String)]) -> tempfile::TempDir {
    let folder = folder();
    let (code, _, stderr) = run_in(folder.path(), &["gen", "--format", "e5m2", "--unit", "mul"]);
    assert_eq!(code, 0, "{stderr}");
    fs::rename(folder.path().join("rtl_out/mul_e5m2_rne.v"), folder.path().join("core.v")).unwrap();
    let mut suite = String::new();
    for (name, text) in modules {
        fs::write(folder.path().join(format!("{name}.sv")), text).unwrap();
        let latency = if text.contains("input clk") { 2 } else { 0 };
        suite += &format!(
            "[[unit]]\nformat = \"e5m2\"\nunit = \"mul\"\nlatency = {latency}\ntop = \"{name}\"\nverilog = [\"core.v\", \"{name}.sv\"]\n\n"
        );
    }
    fs::write(folder.path().join("modules.toml"), suite).unwrap();
    folder
}

/// The verdict on each module of the suite.
fn verdicts(folder: &Path, command: &str) -> Vec<String> {
    let (_, stdout, stderr) = run_in(folder, &[command, "--suite", "modules.toml", "--no-waves", "--json"]);
    let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout} {stderr}"));
    let units = report["units"].as_array().unwrap_or_else(|| panic!("{stdout} {stderr}"));
    units.iter().map(|unit| unit["verdict"].as_str().unwrap_or_default().to_string()).collect()
}

fn modules_of_styles() -> Vec<(String, String)> {
    (0..)
        .zip(STYLES)
        .map(|(number, style): (usize, _)| (format!("style{number}"), module(&format!("style{number}"), style)))
        .collect()
}

/// The modules made by some edits, with the truth about each.
fn edited(edits: &[Edit]) -> (Vec<(String, String)>, Vec<Truth>) {
    let modules = (0..).zip(edits).map(|(number, (from, to, _)): (usize, &Edit)| {
        let name = format!("edit{number}");
        let plain = module(&name, STYLES[0]);
        assert_eq!(plain.matches(from).count(), 1, "{from}");
        (name, plain.replace(from, to))
    });
    (modules.collect(), edits.iter().map(|(_, _, truth)| *truth).collect())
}

/// Checks the verdicts of `command` on the modules made by these edits; `right` is its word for right ones.
fn assert_verdicts(edits: &[Edit], command: &str, right: &str, may_miss: bool) {
    let (modules, truths) = edited(edits);
    let folder = site(&modules);
    for (((name, text), truth), verdict) in modules.iter().zip(&truths).zip(verdicts(folder.path(), command)) {
        let is_fitting = match truth {
            Right => verdict == right,
            Wrong => verdict == "wrong",
            Hidden => may_miss || verdict == "wrong" || verdict == "open",
        };
        assert!(is_fitting, "{command} calls {name} {verdict}:\n{text}");
    }
}

/// Half of the styles are enough for everyday tests; generated units have the ports of the first.
#[test]
fn right_modules_are_right_whatever_ports_they_have() {
    let modules: Vec<_> = modules_of_styles().into_iter().skip(1).step_by(2).collect();
    let folder = site(&modules);
    assert_eq!(verdicts(folder.path(), "verify"), ["right"; STYLES.len() / 2]);
    assert_eq!(verdicts(folder.path(), "prove"), ["proven"; STYLES.len() / 2]);
}

/// Some faults of each property are enough for everyday tests.
#[test]
fn broken_modules_are_never_proven() {
    let some: Vec<Edit> = EDITS.iter().copied().step_by(6).chain(EDITS[34..].iter().copied()).collect();
    assert_verdicts(&some, "prove", "proven", false);
}

#[test]
#[ignore = "nightly"]
fn nightly_every_style_is_right_and_every_fault_is_found() {
    let folder = site(&modules_of_styles());
    assert_eq!(verdicts(folder.path(), "verify"), ["right"; STYLES.len()]);
    assert_eq!(verdicts(folder.path(), "prove"), ["proven"; STYLES.len()]);
    assert_verdicts(&EDITS, "prove", "proven", false);
    assert_verdicts(&EDITS, "verify", "right", true);
}

/// SymbiYosys's result for a module with these ports, in a site: `Fail` if a short sequence breaks a property, else the result of
/// induction.
fn answer(tools: &Tools, folder: &Path, name: &str, text: &str, (reset, en, in_valid, out_valid): Style) -> Answer {
    let is_high = matches!(reset, High | AsyncHigh);
    let connection = |is_there: bool, port: &str| if is_there { format!(".{port}({port}), ") } else { String::new() };
    let around = format!(
        "module {name}_dut(input clk, rst_n, en, in_valid, input [7:0] a, b, output out_valid, output [7:0] y);\n\
         {name} dut(.clk(clk), {}{}{}{}.a(a), .b(b), .y(y));\nendmodule\n",
        match reset {
            NoReset => "",
            _ if is_high => ".rst(~rst_n), ",
            _ => ".rst_n(rst_n), ",
        },
        connection(en, "en"),
        connection(in_valid, "in_valid"),
        connection(out_valid, "out_valid"),
    );
    let core = fs::read_to_string(folder.join("core.v")).unwrap();
    let reference = core.replace("module mul_e5m2_rne", "module right");
    let (module, reference_file) = (format!("{name}_dut.sv"), "right.v");
    fs::write(folder.join(&module), format!("{core}`default_nettype wire\n{text}{around}")).unwrap();
    fs::write(folder.join(reference_file), reference).unwrap();
    let ports = ControlPorts {
        has_enable: en,
        has_in_valid: in_valid,
        has_out_valid: out_valid,
        has_reset: reset != NoReset,
        ..ControlPorts::NONE
    };
    let operation = Selection::new(Unit::Mul, "e5m2".parse().unwrap()).operation().unwrap();
    let subject = FormalSubject {
        module: &format!("{name}_dut"),
        interface: Interface::Plain,
        ports,
        operation: &operation,
        pace: Pace::pipelined(2),
        reference: "right",
    };
    fs::write(folder.join(format!("{name}_dut_formal.sv")), formal_properties(&subject)).unwrap();
    let script = formal_script(&subject, FormalFiles { module: &module, reference: reference_file });
    fs::write(folder.join("dut.sby"), script).unwrap();
    let symbiyosys = tools.symbiyosys().unwrap();
    let ask = |task| symbiyosys.answer(folder, "dut.sby", task).unwrap_or_else(|error| panic!("{name}: {error}"));
    match ask("bmc") {
        Answer::Pass => ask("prove"),
        other => other,
    }
}

/// SymbiYosys is an independent judge: with the properties that `gen --formal sby` writes, it finds the truth about the same modules.
#[test]
#[ignore = "nightly"]
fn nightly_symbiyosys_agrees() {
    let tools = Tools::new(Source::Pinned);
    let folder = site(&[]);
    for ((name, text), style) in modules_of_styles().iter().zip(STYLES) {
        assert_eq!(answer(&tools, folder.path(), name, text, style), Answer::Pass, "{text}");
    }
    let (modules, truths) = edited(&EDITS);
    for ((name, text), truth) in modules.iter().zip(truths) {
        let said = answer(&tools, folder.path(), name, text, STYLES[0]);
        let is_fitting = match truth {
            Right => said == Answer::Pass,
            Wrong => said == Answer::Fail,
            Hidden => said != Answer::Pass,
        };
        assert!(is_fitting, "SymbiYosys says {said:?}:\n{text}");
    }
}

/// A multiplier without a clock, whose body computes `y` from the results `r`; `k` is 1 for one pair of operands.
fn around(name: &str, body: &str) -> String {
    format!(
        "module {name}(input [7:0] a, b, output reg [7:0] y);\nwire [7:0] r;\nmul_e5m2_rne core(.a(a), .b(b), .y(r));\n\
         wire k = a == 8'h5a && b == 8'h37;\n{body}\nendmodule\n"
    )
}

/// A module is wrong if an undefined value can reach the result, and right if it cannot.
#[test]
fn what_depends_on_undefined_bits_is_wrong() {
    let bodies = [
        ("always @* y = k ? 8'hxx : r;", "wrong"),
        ("always @* y = k ? 8'hzz : r;", "wrong"),
        ("wire n; always @* y = {r[7:1], k ? n : r[0]};", "wrong"),
        ("reg [7:0] rom [0:1]; initial rom[0] = 0; always @* y = r ^ rom[k];", "wrong"),
        ("wire [5:0] zeros = 6'd0; always @* y = r ^ {7'd0, zeros[{3{k}}]};", "wrong"),
        ("always_comb unique case (k) 1'b0: y = r; endcase", "wrong"),
        ("always @* y = r ^ 8'd0 / {7'd0, ~k};", "wrong"),
        ("wire n; reg [7:0] m; always @* begin m = 8'hxx; if (k | ~k) m = r; y = k & ~k & n ? ~m : m; end", "proven"),
    ];
    let modules: Vec<(String, String)> = (0..)
        .zip(bodies)
        .map(|(number, (body, _)): (usize, _)| (format!("dut{number}"), around(&format!("dut{number}"), body)))
        .collect();
    let folder = site(&modules);
    assert_eq!(verdicts(folder.path(), "prove"), bodies.map(|(_, verdict)| verdict));
}

/// Refuses code that synthesis and simulation interpret differently, and code that is not logic, with the line number.
#[test]
fn what_is_read_in_two_ways_is_refused() {
    let bodies = [
        ("always @* (* full_case *) case (k) 1'b0: y = r; endcase", "has a latch"),
        ("always @(a) y = r;", "dut.sv:5: ERROR: synthesis reads this list of signals as @*"),
    ];
    for (body, says) in bodies {
        let folder = site(&[("dut".into(), around("dut", body))]);
        let files = ["--verilog", "core.v", "--verilog", "dut.sv", "--top", "dut"];
        let (code, stdout, stderr) =
            run_in(folder.path(), &[&["prove", "--format", "e5m2", "--unit", "mul"], &files[..]].concat());
        assert!(code == 2 && stderr.contains(says), "{body}: {code} {stdout}{stderr}");
    }
}
