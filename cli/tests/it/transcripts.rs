//! Transcripts on pages match the program's output. A fenced block of a page,
//!
//! ````text
//! ```console
//! $ binade formats
//! e5m2
//! ..
//! ```
//! ````
//!
//! contains a shell command after each `$`, followed by its output; `..` stands for any lines. The commands of a page run one after the
//! other in a folder of the page's own, in which `testbench/` and `examples/` are the project's. Times and rates may differ. Long blocks are marked
//! `console nightly`, and run once a night.

use crate::common::{self, BINADE, home};
use rayon::prelude::*;
use regex::Regex;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// When a block runs, according to its language tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tier {
    Everyday,
    Nightly,
}

/// A command of a block, and its output according to the page.
#[derive(Debug)]
struct Step {
    tier: Tier,
    line: usize,
    command: String,
    prints: Vec<String>,
}

impl Step {
    /// Whether the next line continues the command.
    fn goes_on(&self) -> bool {
        let is_document = self.command.contains("<<'EOF'") && !self.command.ends_with("\nEOF");
        is_document || self.command.ends_with('\\')
    }
}

/// The root folder of the project.
pub fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the checkout is there")
}

/// The README and the pages of `docs/`.
pub fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(checkout().join("docs")).expect("docs/ is there");
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.push(checkout().join("README.md"));
    pages.sort();
    pages
}

/// The commands of a page.
///
/// # Panics
/// When a block has commands that no tier would run.
fn steps(page: &Path) -> Vec<Step> {
    let text = fs::read_to_string(page).expect("the page is there");
    let mut steps: Vec<Step> = vec![];
    let mut language: Option<String> = None;
    for (at, line) in text.lines().enumerate() {
        let place = format!("{}:{}", page.display(), at + 1);
        let tier = match (&language, line.strip_prefix("```")) {
            (None, Some(name)) => {
                language = Some(name.into());
                continue;
            }
            (Some(_), Some(_)) => {
                language = None;
                continue;
            }
            (Some(name), None) if name == "console" => Tier::Everyday,
            (Some(name), None) if name == "console nightly" => Tier::Nightly,
            (_, None) => {
                let is_command = line.trim_start().starts_with("$ ");
                assert!(!is_command, "{place}: a command outside of a `console` block is run by no test");
                continue;
            }
        };
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step { tier, line: at + 1, command: command.into(), prints: vec![] }),
            (None, Some(step)) if step.prints.is_empty() && step.goes_on() => {
                step.command.push('\n');
                step.command.push_str(line);
            }
            (None, Some(step)) => step.prints.push(line.into()),
            (None, None) => panic!("{place}: output without a command"),
        }
    }
    steps
}

/// Lines without what differs between runs: measured values, the progress of other threads when one found a mismatch, verdicts known from
/// earlier runs, and notes about long work.
fn settled(text: &str) -> Vec<String> {
    static MEASURED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b[0-9]+(\.[0-9]+)? (s|ms|million vectors/s|million values/s|million/s)\b").expect("a pattern")
    });
    static UNTIL_A_MISMATCH: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b[0-9]+ vectors(, up to a mismatch| were checked of)").expect("a pattern"));
    static KNOWN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r", (of these )?[0-9]+ known| \([0-9]+ of [0-9]+ units? known\)| \(known\)").expect("a pattern")
    });
    const BUILT: &str = "model built in N s";
    static BLANKS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r" {2,}").expect("a pattern"));
    let settle = |line: &str| {
        let line = KNOWN.replace_all(line, "");
        let measured = MEASURED.replace_all(line.trim_end(), "N $2");
        let measured = UNTIL_A_MISMATCH.replace_all(&measured, "N vectors$1").replace("model from the cache", BUILT);
        // A column is as wide as its widest figure.
        if measured.contains("N ") { BLANKS.replace_all(&measured, "  ").trim_end().into() } else { measured }
    };
    let is_of_this_run = |line: &&str| {
        let (is_known, is_heartbeat) = (line.ends_with(" known"), line.contains(" s: "));
        !(line.starts_with("note: ") && is_known || line.starts_with("after ") && is_heartbeat)
    };
    text.lines().filter(is_of_this_run).map(settle).collect()
}

/// Whether lines match the expected ones, where `..` stands for any number of lines.
fn is_as_expected(expected: &[String], got: &[String]) -> bool {
    match (expected.split_first(), got.split_first()) {
        (None, None) => true,
        (Some((first, rest)), _) if first.trim() == ".." => {
            (0..=got.len()).any(|skipped| is_as_expected(rest, &got[skipped..]))
        }
        (Some((first, rest)), Some((line, others))) => first == line && is_as_expected(rest, others),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// Runs a page's commands, one after the other.
struct Shell {
    folder: tempfile::TempDir,
    /// The folder with the program under test, `binade`.
    path: String,
    last: i32,
}

impl Shell {
    fn new() -> Shell {
        let folder = common::folder();
        let bin = Path::new(BINADE).parent().expect("the program is in a folder");
        for name in ["testbench", "examples"] {
            symlink(checkout().join(name), folder.path().join(name)).expect("a link");
        }
        symlink(checkout().join("rtl_out/reference"), folder.path().join("reference")).expect("a link");
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("there is a PATH"));
        Shell { folder, path, last: 0 }
    }

    /// The exit code and all output of a command.
    fn run(&mut self, command: &str) -> String {
        // `$?` is the exit code of the previous command.
        let command = command.replace("cargo run --release -- ", "binade ");
        let script = format!("exec 2>&1\n(exit {})\n{command}", self.last);
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(self.folder.path()).env("PATH", &self.path);
        let output = shell.env("BINADE_HOME", home()).env_remove("COLUMNS").output().expect("there is a shell");
        self.last = output.status.code().expect("not killed");
        String::from_utf8(output.stdout).expect("output is UTF-8")
    }
}

/// Runs the commands of a page up to a tier; returns the differences from the page.
fn differences(page: &Path, tiers: &[Tier]) -> Vec<String> {
    let mut shell = Shell::new();
    let mut wrong = vec![];
    let steps = steps(page);
    for (at, step) in steps.iter().enumerate().filter(|(_, step)| tiers.contains(&step.tier)) {
        let got = shell.run(&step.command);
        let mut expected = step.prints.join("\n");
        expected.truncate(expected.trim_end().len());
        let place = format!("{}:{}: $ {}", page.display(), step.line, step.command);
        if !is_as_expected(&settled(&expected), &settled(got.trim_end())) {
            wrong.push(format!("{place}\n--- the page says\n{expected}\n--- the program prints\n{got}"));
        }
        let is_said = steps.get(at + 1).is_some_and(|next| next.command == "echo $?");
        if shell.last != 0 && !is_said {
            wrong.push(format!("{place}\n--- ends with exit code {}, and the page does not say so", shell.last));
        }
    }
    wrong
}

fn check(tiers: &[Tier]) {
    // Only the first run prints what it installs.
    let (code, _, stderr) = common::run_in(common::folder().path(), &["flow", "--format", "e2m1f", "--unit", "mul"]);
    assert_eq!(code, 0, "the tools are installed: {stderr}");
    let pages = pages();
    let wrong: Vec<String> = pages
        .par_iter()
        .filter(|page| steps(page).iter().any(|step| tiers.contains(&step.tier)))
        .flat_map_iter(|page| differences(page, tiers))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
#[ignore = "long"]
fn pages_show_what_the_program_prints() {
    check(&[Tier::Everyday]);
}

#[test]
#[ignore = "runs the large suites"]
fn nightly_pages_show_what_the_program_prints() {
    check(&[Tier::Everyday, Tier::Nightly]);
}

#[test]
fn elided_lines_may_be_any_and_others_not() {
    let lines = |text: &str| settled(text);
    for (expected, got, same) in [
        ("a\nb", "a\nb", true),
        ("a\nb", "a\nc", false),
        ("a\nb", "a", false),
        ("a", "a\nb", false),
        ("..\nb", "a\na\nb", true),
        ("a\n..\nb\n..", "a\nb\nb\nc", true),
        ("a\n..\nd", "a\nb\nc", false),
        ("rate  18.0 million vectors/s (0.25 s)", "rate  7 million vectors/s (10.1 s)", true),
        ("rate  18.0 million vectors/s", "rate  18.0 thousand vectors/s", false),
        ("area  18.0 gates", "area  19.0 gates", false),
    ] {
        assert_eq!(is_as_expected(&lines(expected), &lines(got)), same, "{expected:?} {got:?}");
    }
}
