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

/// Flags in an order of their own, of which one is missing or wrong.
#[test]
#[ignore = "long"]
fn flags_have_an_order_and_may_be_missing() {
    let folder = folder();
    let folder = folder.path();
    let core = ["gen", "--format", "e4m3", "--unit", "mul", "--flags", "--module", "core", "--out", "."];
    assert_eq!(run_in(folder, &core).0, 0);
    let module = |status: &str| {
        let text = format!(
            "module odd(input logic [7:0] a, b, output logic [7:0] y, output logic [3:0] status);
  logic [3:0] f;
  core u(.a, .b, .y, .flags(f));
  assign status = {status};
endmodule
"
        );
        fs::write(folder.join("odd.sv"), text).expect("written");
    };
    let judged = |command: &str, more: &[&str]| {
        let words: Vec<&str> = [command].into_iter().chain(UNIT).chain(["odd", "--flags", "--no-waves"]).collect();
        run_in(folder, &[&words[..], more].concat())
    };
    let expect = |command: &str, more: &[&str], expected: i32, says: &str| {
        let (code, stdout, stderr) = judged(command, more);
        assert!(code == expected && (stdout.clone() + &stderr).contains(says), "{more:?}: {code} {stdout}{stderr}");
    };
    // The unit has NV, OF, UF, NX from the top bit.
    module("{f[0], 1'b1, f[1], f[2]}");
    let order = ["--flag-order", "NX,-,UF,OF"];
    expect("verify", &order, 2, "odd does not have NV, which the unit has; add --policy any-invalid");
    expect("prove", &order, 2, "odd does not have NV");
    let without = [&order[..], &["--policy", "any-invalid"]].concat();
    expect(
        "verify",
        &without,
        0,
        "  flags    NX,-,UF,OF\n  allowed  the flag for an invalid operation is not looked at\n",
    );
    expect("verify", &[&without[..], &["--policy", "any-overflow"]].concat(), 0, "unneeded --policy any-overflow");
    module("{f[0], f[3], f[1], f[2]}");
    expect(
        "verify",
        &["--flag-order", "NX,NV,UF,OF"],
        0,
        "; ports flags[3]=status[2], flags[2]=status[0], flags[1]=status[1], flags[0]=status[3]\n",
    );
    expect("prove", &["--flag-order", "NX,NV,UF,OF"], 0, "is proven");
    expect("verify", &["--flag-order", "NX,NV,OF,UF"], 1, "mismatch in odd");
    module("{f[3:2], f[1] ^ (a == 8'h09 && b == 8'h09), f[0]}");
    expect("verify", &[], 1, "mismatch in odd");
    expect("verify", &["--policy", "any-underflow"], 0, "the flag for an underflow is not looked at");
    expect("verify", &["--policy", "any-inexact"], 1, "--policy any-inexact --replay 0x09,0x09");
    for order in ["NV,NV,OF,UF", "NV,XX", ""] {
        expect("verify", &["--flag-order", order], 2, "such as NV,OF,UF,NX");
    }
    expect("verify", &["--flag-order", "NV,OF,UF"], 2, "3 bits");
}
