//! `verify --op`: modules with several operations, chosen by a port. State that leaks from one operation to the next shows only where they
//! alternate.

use crate::common::{folder, run_in};
use std::fs;
use std::path::Path;

const HEADER: &str = "package p; typedef enum logic [1:0] {ADD, SUB, MUL} op_e; endpackage
module fpu(input logic clk, rst_n, input p::op_e op_i, input logic in_valid, output logic out_valid,
           input logic [7:0] a, b, output logic [7:0] y);
  logic [7:0] m, s, x, z;
  p::op_e op;
  logic v;
  mulc u(.a(x), .b(z), .y(m));
  addc w(.a(x), .b(op == p::SUB ? z ^ 8'h80 : z), .y(s));
  always_ff @(posedge clk) begin
    v <= in_valid && rst_n;
    out_valid <= v && rst_n;
    x <= a;
    z <= b;
  end
";

/// Right: the operation moves with its operands, always, or with those that are valid.
const RIGHT: [(&str, &str); 3] = [
    ("plain", "always_ff @(posedge clk) begin op <= op_i; y <= op == p::MUL ? m : s; end"),
    ("valid", "always_ff @(posedge clk) begin if (in_valid) op <= op_i; if (v) y <= op == p::MUL ? m : s; end"),
    (
        "counts",
        "logic [6:0] n; always_ff @(posedge clk) begin op <= op_i; n <= rst_n ? n + 7'(op != op_i) : 0; y <= op == p::MUL ? m : s; end",
    ),
];

/// Each is right as long as the operation stays.
const LEAKS: [(&str, &str); 8] = [
    ("late", "always_ff @(posedge clk) begin op <= op_i; y <= op_i == p::MUL ? m : s; end"),
    (
        "early",
        "p::op_e held; assign op = held; always_ff @(posedge clk) begin held <= op_i; y <= op_i == p::MUL ? m : s; end",
    ),
    (
        "after_a_difference",
        "logic bad = 0; always_ff @(posedge clk) begin op <= op_i; if (!rst_n) bad <= 0; else if (v) bad <= op == p::SUB && x == 8'h31; y <= op == p::MUL ? m ^ 8'(bad) : s; end",
    ),
    (
        "sticks",
        "logic bad = 0; always_ff @(posedge clk) begin op <= op_i; if (!rst_n) bad <= 0; else if (v && op != p::ADD) bad <= op == p::SUB && x[3:0] == 9; y <= op == p::MUL ? m : s ^ 8'(bad && op == p::ADD); end",
    ),
    (
        "third_in_a_row",
        "p::op_e o1, o2; always_ff @(posedge clk) begin op <= op_i; o1 <= op; o2 <= o1; y <= op == p::MUL && o1 == p::ADD && o2 == p::SUB && v ? s : op == p::MUL ? m : s; end",
    ),
    (
        "kept_for_zero",
        "p::op_e last; always_ff @(posedge clk) begin op <= op_i; last <= op; if (!(v && op == p::ADD && last == p::MUL && z[6:0] == 0)) y <= op == p::MUL ? m : s; end",
    ),
    (
        "counter",
        "logic [6:0] n = 0; always_ff @(posedge clk) begin op <= op_i; if (!rst_n) n <= 0; else if (v && op == p::SUB) n <= n + 1; y <= op == p::MUL && n == 100 ? m ^ 8'h80 : op == p::MUL ? m : s; end",
    ),
    (
        "after_a_difference_of_equals",
        "logic hot = 0; always_ff @(posedge clk) begin op <= op_i; if (!rst_n) hot <= 0; else if (v) hot <= op == p::SUB; y <= op == p::MUL ? m : op == p::ADD && hot && x == z ? m : s; end",
    ),
];

fn verify(folder: &Path, name: &str, words: &[&str]) -> (i32, String) {
    let module = ["--verilog", name, "--verilog", "mulc.v", "--verilog", "addc.v", "--top", "fpu", "--latency", "2"];
    let all = [&["verify", "--format", "e4m3", "--no-waves"], &module[..], words].concat();
    let (code, stdout, stderr) = run_in(folder, &all);
    (code, stdout + &stderr)
}

#[test]
#[ignore = "long"]
fn leaks_between_operations_are_found() {
    let folder = folder();
    let folder = folder.path();
    for (unit, module) in [("mul", "mulc"), ("add", "addc")] {
        let gen_words = ["gen", "--format", "e4m3", "--unit", unit, "--module", module, "--out", "."];
        assert_eq!(run_in(folder, &gen_words).0, 0);
    }
    let ops = ["--op", "add:op_i=p::ADD", "--op", "sub:op_i=p::SUB", "--op", "mul:op_i=p::MUL"];
    for ((name, body), expected) in RIGHT.iter().zip([0; 3]).chain(LEAKS.iter().zip([1; 8])) {
        let file = format!("{name}.sv");
        fs::write(folder.join(&file), format!("{HEADER}  {body}\nendmodule\n")).expect("written");
        let (code, said) = verify(folder, &file, &ops);
        assert_eq!(code, expected, "{name}: {said}");
        assert_eq!(said.matches(" with op_i=p::").count(), 6, "a heading and the others for each: {said}");
        if expected == 1 {
            let (code, said) = verify(folder, &file, &["--unit", "mul", "--tie", "op_i=p::MUL"]);
            assert_eq!(code, 0, "{name} is right alone: {said}");
        }
    }
    let refused = |words: &[&str], says: &str| {
        let (code, said) = verify(folder, "plain.sv", words);
        assert!(code == 2 && said.contains(says), "{code}: {said}");
    };
    refused(&["--op", "add"], "a unit, a colon and the constants");
    refused(&["--op", "add:op_i=p::ADD", "--unit", "mul"], "--op names the units itself; leave --unit out");
    refused(&["--unit", "add", "--beside", "op_i=p::SUB"], "add --tie op_i=VALUE");
    let (code, _, stderr) = run_in(
        folder,
        &[
            "prove",
            "--format",
            "e4m3",
            "--unit",
            "add",
            "--verilog",
            "plain.sv",
            "--verilog",
            "mulc.v",
            "--verilog",
            "addc.v",
            "--top",
            "fpu",
            "--tie",
            "op_i=p::ADD",
            "--beside",
            "op_i=p::SUB",
        ],
    );
    assert!(code == 2 && stderr.contains("--beside is for `binade verify`"), "{stderr}");
}
