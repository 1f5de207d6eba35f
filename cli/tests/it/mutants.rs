//! `--mutate` on a user's module, and with the vectors of files.

use crate::common::{folder, run_in};
use std::fs;
use std::path::Path;

const MUL: [&str; 4] = ["--format", "e2m1f", "--unit", "mul"];

/// A folder with `core.v`, a right multiplier of e2m1f, and a module around it.
fn site(text: &str) -> tempfile::TempDir {
    let folder = folder();
    let (code, _, stderr) = run_in(folder.path(), &[&["gen"], &MUL[..]].concat());
    assert_eq!(code, 0, "{stderr}");
    fs::rename(folder.path().join("rtl_out/mul_e2m1f_rne.v"), folder.path().join("core.v")).unwrap();
    fs::write(folder.path().join("top.sv"), text).unwrap();
    folder
}

fn verify(folder: &Path, more: &[&str]) -> (i32, String, String) {
    let files = ["--verilog", "core.v", "--verilog", "top.sv", "--top", "top"];
    run_in(folder, &[&["verify"], &MUL[..], &files, more].concat())
}

/// The numbers in the row of the table: mutants, killed, equivalent, survived, undecided.
fn counts(stdout: &str) -> Vec<usize> {
    let row = stdout.lines().find(|line| line.starts_with("| top ") || line.starts_with("| mul_")).expect("a row");
    row.split('|').filter_map(|cell| cell.trim().parse().ok()).collect()
}

/// A gate that changes nothing, since no code is below 0, and an output that nobody reads.
const PLAIN: &str = "module top(input [3:0] a, b, output [3:0] y, output odd);\n\
    wire [3:0] product;\n\
    mul_e2m1f_rne core (.a(a), .b(b), .y(product));\n\
    wire never = (a[0] & b[0]) & ~(a[0] | b[1]);\n\
    assign y = product ^ {3'b0, never};\n\
    assign odd = a[0] ^ b[0];\nendmodule\n";

#[test]
fn mutants_of_a_module_are_killed_or_equivalent() {
    let folder = site(PLAIN);
    let (code, stdout, stderr) = verify(folder.path(), &["--mutate", "100000"]);
    assert_eq!(code, 0, "{stdout} {stderr}");
    let [mutants, killed, equivalent, survived, undecided] = counts(&stdout)[..] else { panic!("{stdout}") };
    assert!(mutants > 100 && killed > 100 && equivalent > 0 && survived + undecided == 0, "{stdout}");
    assert_eq!(killed + equivalent, mutants, "{stdout}");
}

/// Few vectors miss mutants, each of which is named by file and line, with a vector that shows it.
#[test]
fn a_missed_mutant_has_its_place_and_a_vector() {
    let folder = site(PLAIN);
    let (code, stdout, stderr) = verify(folder.path(), &["--mutate", "100000", "--vectors", "3"]);
    assert!(code == 1 && counts(&stdout)[3] > 0, "{stdout} {stderr}");
    let line = stderr.lines().find(|line| line.starts_with("top survives core.v:")).expect("a survivor in the core");
    let vector = line.split("--replay ").nth(1).expect("a vector");
    let (code, _, stderr) = verify(folder.path(), &["--replay", vector]);
    assert_eq!(code, 0, "the module itself is right there: {stderr}");
}

#[test]
fn mutants_of_a_pipeline_without_controls() {
    let text = "module top(input clk, input rst, input [3:0] a, b, output reg [3:0] y);\n\
        reg [3:0] p, q; wire [3:0] r;\n\
        mul_e2m1f_rne core (.a(p), .b(q), .y(r));\n\
        always @(posedge clk) if (rst) {p, q, y} <= 0; else begin p <= a; q <= b; y <= r; end\nendmodule\n";
    let folder = site(text);
    let (code, stdout, stderr) = verify(folder.path(), &["--mutate", "100000"]);
    assert_eq!(code, 0, "{stdout} {stderr}");
    let [mutants, killed, _, survived, undecided] = counts(&stdout)[..] else { panic!("{stdout}") };
    assert!(killed > 150 && killed < mutants && survived == 0, "{stdout} {stderr}");
    // Without valid bits, nothing says that a reset clears the registers.
    assert!(undecided < 30, "{stdout} {stderr}");
}

#[test]
fn what_cannot_be_broken_is_refused() {
    let folder = site(&PLAIN.replace("product ^", "~product ^"));
    let (code, _, stderr) = verify(folder.path(), &["--mutate", "5"]);
    assert!(code == 1 && stderr.contains("mismatch in top before anything was broken"), "{code} {stderr}");
    let (code, _, stderr) = verify(folder.path(), &["--mutate", "5", "--nan", "any"]);
    assert!(
        code == 2 && stderr.contains("--mutate compares bit for bit; leave --nan, --zero-sign and --policy out"),
        "{stderr}"
    );
    let (code, _, stderr) = run_in(folder.path(), &["conform", "x.csv", "--format", "e5m2", "--mutate", "0"]);
    assert!(code == 2 && stderr.contains("--mutate 0 breaks nothing"), "{stderr}");
}

/// Rows of a file, as vectors for mutants of the unit and of a module: all of them leave nothing alive, few do.
#[test]
fn rows_of_files_kill_mutants() {
    let folder = site(PLAIN);
    let vectors = ["vectors", "--format", "e2m1f", "--unit", "mul", "--exhaustive"];
    let (code, rows, stderr) = run_in(folder.path(), &vectors);
    assert_eq!(code, 0, "{stderr}");
    let cells = |row: &str| row.split(' ').map(|code| format!("0x{code}")).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = rows.lines().map(cells).collect();
    fs::write(folder.path().join("all.csv"), rows.join("\n")).unwrap();
    let few: Vec<String> = rows.into_iter().take(20).collect();
    fs::write(folder.path().join("few.csv"), few.join("\n")).unwrap();
    let conform = |file: &str, more: &[&str]| {
        run_in(folder.path(), &[&["conform", file], &MUL[..], &["--mutate", "100000"], more].concat())
    };
    let module = ["--verilog", "core.v", "--verilog", "top.sv", "--top", "top"];
    for more in [&[][..], &module] {
        let (code, stdout, stderr) = conform("all.csv", more);
        assert!(code == 0 && counts(&stdout)[3] == 0, "{more:?}: {stdout} {stderr}");
        let (code, stdout, stderr) = conform("few.csv", more);
        assert!(code == 1 && counts(&stdout)[3] > 0, "{more:?}: {stdout} {stderr}");
    }
    fs::write(folder.path().join("wrong.csv"), "0x2,0x2,0x7\n").unwrap();
    let (code, _, stderr) = conform("wrong.csv", &[]);
    assert!(code == 1 && stderr.contains("wrong.csv, line 1"), "{stderr}");
}
