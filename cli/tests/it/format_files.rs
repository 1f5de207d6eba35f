//! Formats from files: `--format my.toml`.

use crate::common::{folder, names, run_in};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

const MINE: &str = r#"name = "mine"
bits = 5
segments = [
    { prefix = "00", linear = -4 },
    { prefix = "01", exponent = -2, binades = 2, trailing = 1 },
    { prefix = "1", exponent = 0, binades = 8 },
]
special = [[16, nan]]
"#;

#[test]
fn a_file_takes_the_place_of_a_name() {
    let folder = folder();
    let run = |words: &str| run_in(folder.path(), &words.split(' ').collect::<Vec<_>>());
    fs::write(folder.path().join("mine.toml"), MINE).expect("a file");
    let (code, about, _) = run("formats mine.toml --json");
    assert_eq!(code, 0);
    let about: serde_json::Value = serde_json::from_str(&about).expect("JSON");
    let name = about["name"].as_str().expect("a name").to_string();
    assert!(name.starts_with("mine_") && name.len() == 13, "{name}");
    let (code, stdout, stderr) = run("gen --format mine.toml --unit fmac --acc mine.toml --out .");
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    let module = format!("fmac_{name}_acc_{name}_rne");
    assert_eq!(names(folder.path()), [format!("{module}.json"), format!("{module}.v"), "mine.toml".into()]);
    let verilog = fs::read_to_string(folder.path().join(format!("{module}.v"))).expect("the module");
    assert!(verilog.contains(&format!("a, b, c, y: {name}, codebook of 5 bits")), "{verilog}");
    assert!(verilog.replace("\n//  ", "").contains("the path of its file takes the place of that name"), "{verilog}");
    let (code, stdout, _) = run("verify --format mine.toml --unit mul --round rna");
    assert!(code == 0 && stdout.contains("checked  all 1024 input combinations"), "{stdout}");
    let (code, stdout, _) = run("prove --format mine.toml --unit fmac");
    assert!(code == 0 && stdout.contains("is proven for all 2^26 inputs"), "{stdout}");
    let (code, stdout, _) = run("encode mine.toml 0.3");
    assert!(code == 0 && stdout.contains("0.25"), "{stdout}");
    // The name alone says nothing in another run.
    let (code, _, stderr) = run(&format!("formats {name}"));
    assert!(code == 2 && stderr.contains("give the path of the file"), "{stderr}");
    fs::write(folder.path().join("mine.toml"), MINE.replace("binades = 8", "binades = 4, trailing = 1"))
        .expect("a file");
    let (_, other, _) = run("formats mine.toml --json");
    assert!(!other.contains(&name), "another definition has another name");
}

#[test]
fn a_file_that_defines_nothing_is_refused() {
    let folder = folder();
    let run = |words: &str| run_in(folder.path(), &words.split(' ').collect::<Vec<_>>());
    let (code, _, stderr) = run("verify --format mine.toml --unit mul");
    assert!(code == 2 && stderr.contains("mine.toml: No such file"), "{stderr}");
    fs::write(folder.path().join("mine.toml"), MINE.replace("linear = -4", "linear = -4, color = 1")).expect("a file");
    for words in [
        "gen --format mine.toml --unit mul",
        "gen --format e5m2 --unit convert --to mine.toml",
        "gen --format e5m2 --unit fmac --out mine.toml",
    ] {
        let (code, _, stderr) = run(words);
        assert!(code == 2 && stderr.contains("unknown field `color`"), "{words}: {stderr}");
    }
    fs::write(folder.path().join("mine.toml"), MINE.replace("\"01\"", "\"00\"")).expect("a file");
    let (code, _, stderr) = run("formats mine.toml");
    assert!(code == 2 && stderr.contains("the format has two segments with the code 0x0"), "{stderr}");
    for (name, wanted) in [
        ("mine.tml", "a file that defines a format is called <name>.toml"),
        ("mine.toml,scale=2^3", "mine.toml: a format from a file has no options"),
        ("nf4,scale=2^3", "nf4 is defined by a file, and has no options"),
    ] {
        let (code, _, stderr) = run(&format!("formats {name}"));
        assert!(code == 2 && stderr.contains(wanted), "{name}: {stderr}");
    }
    assert_eq!(names(folder.path()), ["mine.toml"]);
    // Verilog has the line in a comment.
    fs::write(folder.path().join("mine.toml"), format!("about = \"x\\nendmodule\"\n{MINE}")).expect("a file");
    let (code, _, stderr) = run("formats mine.toml");
    assert!(code == 2 && stderr.contains("has an `about` with a line break"), "{stderr}");
}

/// A device may have no end, and nobody may write into a pipe.
#[test]
fn only_regular_files_are_read() {
    let folder = folder();
    let run = |words: &str| run_in(folder.path(), &words.split(' ').collect::<Vec<_>>());
    symlink("/dev/zero", folder.path().join("zero.toml")).expect("a link");
    let made = Command::new("mkfifo").arg(folder.path().join("pipe.toml")).status().expect("mkfifo");
    assert!(made.success());
    for file in ["zero.toml", "pipe.toml"] {
        let (code, _, stderr) = run(&format!("gen --format {file} --unit mul"));
        assert!(code == 2 && stderr.contains("is no regular file"), "{file}: {stderr}");
        let (code, _, stderr) = run(&format!("verify --format e2m1f --unit mul --verilog {file}"));
        assert!(code == 2 && stderr.contains("it is no regular file"), "{file}: {stderr}");
    }
    let large = fs::File::create(folder.path().join("large.toml")).expect("a file");
    large.set_len(1 << 27).expect("a sparse file");
    let (code, _, stderr) = run("gen --format large.toml --unit mul");
    assert!(code == 2 && stderr.contains("has more than 64 MiB"), "{stderr}");
}

/// The command that shows a difference again can be run: it has the path of the format's file.
#[test]
fn a_difference_can_be_shown_again() {
    let folder = folder();
    let path = folder.path().join("my formats.toml");
    fs::write(&path, MINE).expect("a file");
    let run = |words: &[&str]| run_in(folder.path(), words);
    let (code, _, stderr) =
        run(&["gen", "--format", "my formats.toml", "--unit", "mul", "--module", "theirs", "--out", "."]);
    assert_eq!(code, 0, "{stderr}");
    let module = folder.path().join("theirs.v");
    let text = fs::read_to_string(&module).expect("the module");
    fs::write(&module, text.replacen(" & ", " | ", 1)).expect("a file");
    let wrong = ["verify", "--format", "my formats.toml", "--unit", "mul", "--verilog", "theirs.v"];
    let (code, stdout, stderr) = run(&wrong);
    assert_eq!(code, 1, "{stdout}");
    let replay = stderr.lines().find_map(|line| line.trim_start().strip_prefix("replay")).expect("a command").trim();
    assert!(replay.contains("--format 'my formats.toml' --unit mul"), "{replay}");
}

/// Reports show codes in the order of their values, whatever the codes are.
#[test]
fn reports_show_codebooks() {
    let folder = folder();
    fs::write(folder.path().join("mine.toml"), MINE).expect("a file");
    for words in ["report formats nf4 hifloat8 mine.toml", "report function tanh nf4"] {
        let (code, _, stderr) = run_in(folder.path(), &words.split(' ').collect::<Vec<_>>());
        assert_eq!(code, 0, "{words}: {stderr}");
    }
}

/// The vectors notice every broken gate of a search among bounds that have digits in every place.
#[test]
#[ignore = "takes half a minute"]
fn nightly_vectors_are_near_every_bound() {
    let folder = folder();
    let words = "verify --format nf4 --unit encode --mutate 100000";
    let (code, stdout, _) = run_in(folder.path(), &words.split(' ').collect::<Vec<_>>());
    assert!(code == 0 && stdout.contains("| 779        | 0        | 0         |"), "{stdout}");
}
