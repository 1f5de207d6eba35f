//! Units whose port `fmt` chooses the formats, from the command line.

use crate::common::{folder, run_in};
use std::fs;

const MUL: [&str; 4] = ["--format", "e3m2+e2m3f", "--unit", "mul"];

/// A module of the user that is wrong in the second format: the operands are shown in that format, and the proof says which it is.
#[test]
fn a_wrong_result_is_shown_in_the_chosen_format() {
    let folder = folder();
    let (code, _, stderr) = run_in(folder.path(), &[&["gen"], &MUL[..]].concat());
    assert_eq!(code, 0, "{stderr}");
    let name = "mul_e3m2_or_e2m3f_rne";
    let path = folder.path().join(format!("rtl_out/{name}.v"));
    let right = fs::read_to_string(&path).unwrap();
    for part in [
        "fmt 0: a, b, y: e3m2; overflow to infinity\n",
        "fmt 1: a, b, y: e2m3f; overflow to the largest finite value\n",
        "input  wire       fmt,",
    ] {
        assert!(right.contains(part), "{part} is not in\n{right}");
    }
    let wrapper = format!(
        "module wrong(input [5:0] a, input [5:0] b, input fmt, output [5:0] y);\n  wire [5:0] own;\n  \
         {name} unit(.a(a), .b(b), .fmt(fmt), .y(own));\n  assign y = own ^ {{5'd0, fmt & (a == 6'h08)}};\nendmodule\n"
    );
    fs::write(folder.path().join("wrong.v"), wrapper).unwrap();
    let file = format!("rtl_out/{name}.v");
    let module = ["--verilog", "wrong.v", "--verilog", file.as_str(), "--top", "wrong"];
    let (code, stdout, stderr) = run_in(folder.path(), &[&["verify"], &MUL[..], &module[..]].concat());
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("e2m3f") && !stdout.contains("formats that fmt chooses"), "{stdout}");
    let (code, stdout, stderr) = run_in(folder.path(), &[&["prove"], &MUL[..], &module[..]].concat());
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("0x08"), "{stdout}");
}

#[test]
fn what_depends_on_one_format_is_refused() {
    let folder = folder();
    for (words, why) in [
        (&["verify", "--coverage"][..], "--coverage counts vectors of units with the codes of one format on each port"),
        (
            &["verify", "--nan", "any"],
            "--nan, --zero-sign and --policy are for units with the codes of one format on each port",
        ),
        (&["vectors", "--exhaustive", "--as", "testfloat", "--flags"], "e2m3f has no exception flags"),
    ] {
        let (code, stdout, stderr) = run_in(folder.path(), &[words, &MUL].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(why), "{stderr}");
    }
    let (code, _, stderr) = run_in(folder.path(), &["formats", "e3m2+e2m3f"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("is a list of formats, of which a port of a unit chooses"), "{stderr}");
}
