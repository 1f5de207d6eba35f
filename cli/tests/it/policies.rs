//! `--policy`: what a module does otherwise than the golden model, said by name.

use crate::common::{folder, run_in};
use std::fs;
use std::path::Path;

/// A product of e4m3 codes that departs in five ways, written by hand around the generated one.
const MODULE: &str = "module odd(input logic [7:0] a, b, output logic [7:0] y);
  function automatic logic [7:0] flushed(input logic [7:0] x); return x[6:3] == 0 ? {x[7], 7'd0} : x; endfunction
  logic [7:0] p, x, z, q, r;
  assign x = flushed(a);
  assign z = flushed(b);
  core u(.a(x), .b(z), .y(p));
  wire is_zero = x[6:0] == 0 || z[6:0] == 0;
  wire is_infinite = x[6:0] == 7'h78 || z[6:0] == 7'h78;
  wire is_nan = x[6:0] > 7'h78 || z[6:0] > 7'h78;
  assign q = is_zero && is_infinite && !is_nan ? {x[7] ^ z[7], 7'd0} : p;
  assign r = q[6:0] == 7'h78 ? {q[7], 7'h77} : flushed(q);
  assign y = r == 8'h80 ? 8'd0 : r;
endmodule
";

const UNIT: [&str; 9] = ["--format", "e4m3", "--unit", "mul", "--verilog", "odd.sv", "--verilog", "core.v", "--top"];

const POLICIES: [&str; 5] = ["daz", "ftz", "zero-times-inf", "inf-to-max", "no-negative-zero"];

fn run(folder: &Path, command: &str, policies: &[&str], more: &[&str]) -> (i32, String, String) {
    let policies = policies.iter().flat_map(|policy| ["--policy", policy]);
    let words: Vec<&str> = [command].into_iter().chain(UNIT).chain(["odd"]).chain(policies).collect();
    run_in(folder, &[&words[..], more].concat())
}

/// Each policy is needed, and the verdict repeats them; one that is not needed is named.
#[test]
#[ignore = "long"]
fn policies_are_said_and_needed() {
    let folder = folder();
    let folder = folder.path();
    let core = ["gen", "--format", "e4m3", "--unit", "mul", "--module", "core", "--out", "."];
    assert_eq!(run_in(folder, &core).0, 0);
    fs::write(folder.join("odd.sv"), MODULE).expect("written");
    let (code, stdout, stderr) = run(folder, "verify", &POLICIES, &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let allowed = "  allowed  subnormal operands are zeros of their sign; the product of zero and infinity is a zero; ";
    assert!(stdout.contains(allowed) && !stdout.contains("unneeded"), "{stdout}");
    for policy in POLICIES {
        let others: Vec<&str> = POLICIES.into_iter().filter(|other| *other != policy).collect();
        let (code, stdout, stderr) = run(folder, "verify", &others, &["--no-waves"]);
        assert_eq!(code, 1, "without {policy}: {stdout}{stderr}");
        let replay = others.iter().map(|other| format!(" --policy {other}")).all(|word| stderr.contains(&word));
        assert!(replay, "the command that repeats it has the policies: {stderr}");
    }
    let (code, stdout, _) = run(folder, "verify", &POLICIES, &["--nan", "any"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("  unneeded --nan: right also without\n"), "{stdout}");
    let (_, stdout, _) = run(folder, "verify", &POLICIES, &["--nan", "any", "--json"]);
    assert!(stdout.contains("\"unneeded\": [\n    \"--nan\"\n  ]"), "{stdout}");
    let refused = |command: &str, policies: &[&str], more: &[&str], says: &str| {
        let (code, stdout, stderr) = run(folder, command, policies, more);
        assert_eq!(code, 2, "{stdout}{stderr}");
        assert!(stderr.contains(says), "{stderr}");
    };
    refused("verify", &["ftz", "ftz-exact"], &[], "--policy ftz contradicts --policy ftz-exact");
    refused("verify", &["ftz-exact"], &["--round", "any"], "no fixed direction of rounding");
    refused("prove", &["ftz"], &[], "--policy is for `binade verify`");
    refused("verify", &["flush"], &[], "possible values: daz");
    let generated = ["verify", "--format", "e4m3", "--unit", "mul", "--policy", "ftz"];
    let (code, _, stderr) = run_in(folder, &generated);
    assert!(code == 2 && stderr.contains("add --verilog FILE"), "{stderr}");
    let suite = "[[unit]]\nunit = \"mul\"\nformat = \"e4m3\"\nverilog = [\"odd.sv\", \"core.v\"]\ntop = \"odd\"\npolicies = [\"daz\", \"ftz\", \"zero-times-inf\", \"inf-to-max\", \"no-negative-zero\"]\n";
    fs::write(folder.join("suite.toml"), suite).expect("written");
    let (code, stdout, stderr) = run_in(folder, &["verify", "--suite", "suite.toml"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
}
