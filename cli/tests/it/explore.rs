//! `binade explore`: the HTML page that needs no installation.

use crate::common::{self, binade_in, folder, home, names, outcome, run_in, runs, start, wait_until};
use binade_tools::{Source, Tools};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What the compilers of these tests make.
const MODULE: &[u8] = b"\0asm and some instructions\n";

/// A compiler for every target.
const RUSTC: &str = "echo /";

/// A cargo that writes [`MODULE`], and notes that it did.
const CARGO: &str = r#"[ "$1" = build ] || exit 0
folder="$CARGO_TARGET_DIR/wasm32-unknown-unknown/wasm/examples"
mkdir -p "$folder"
echo built >>"$CARGO_TARGET_DIR/log"
printf '\0asm and some instructions\n' >"$folder/binade_wasm.wasm"
"#;

/// Programs of these names and scripts, in a folder for `PATH`.
fn programs(folder: &Path, scripts: &[(&str, &str)]) -> PathBuf {
    let programs = folder.join("programs");
    fs::create_dir_all(&programs).expect("a folder");
    for (name, script) in scripts {
        let file = programs.join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("a program");
    }
    programs
}

/// The script of Vega-Lite, which is also put into the cache of `home`.
fn with_vega(new_home: &Path) -> String {
    let vega = Tools::with_home(Source::Pinned, home()).vega().expect("Vega-Lite");
    let (from, to) = (home().join("cache/pages"), new_home.join("cache/pages"));
    fs::create_dir_all(&to).expect("a folder");
    for name in names(&from).iter().filter(|name| name.starts_with("vega-")) {
        fs::copy(from.join(name), to.join(name)).expect("a copy");
    }
    vega
}

#[test]
fn a_place_that_cannot_be_written_is_refused() {
    let folder = folder();
    let (code, _, stderr) = run_in(folder.path(), &["explore", "--html", "nowhere/page.html"]);
    assert_eq!((code, stderr.as_str()), (2, "error: --html nowhere/page.html: name a file in an existing folder\n"));
    let (code, _, stderr) = run_in(folder.path(), &["explore", "--html", "."]);
    assert_eq!(code, 2, "{stderr}");
    assert_eq!(names(folder.path()), [""; 0]);
}

/// The module is built when it is first needed, and not again, also without a compiler. If no browser can be started, the page is still
/// written, and a message says what to do. Other systems start a browser without `PATH`.
#[test]
fn the_module_is_built_once() {
    let folder = folder();
    let (home, target) = (folder.path().join("home"), folder.path().join("target"));
    let vega = with_vega(&home);
    let programs = programs(folder.path(), &[("rustc", RUSTC), ("cargo", CARGO)]);
    let explore = |path: &str, more: &[&str]| {
        let mut command = binade_in(folder.path());
        command.env("BINADE_HOME", &home).env("CARGO_TARGET_DIR", &target).env("PATH", path);
        outcome(&command.arg("explore").args(more).output().expect("the program starts"))
    };
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    let (code, stdout, stderr) = explore(&path, &["--html", "first.html"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert!(stderr.starts_with("building the module of the page, which takes about two minutes; "), "{stderr}");
    assert!(stderr.contains("first.html: ") && stderr.contains(" kB, which a browser shows offline"), "{stderr}");
    let html = fs::read_to_string(folder.path().join("first.html")).expect("the page");
    assert!(html == binade_explore::page(&vega, MODULE), "the page has another module");

    let (code, _, stderr) = explore("", &["--html", "second.html"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.starts_with("second.html: "), "{stderr}");
    assert!(html == fs::read_to_string(folder.path().join("second.html")).expect("the page"), "the pages differ");
    assert_eq!(fs::read_to_string(target.join("page/log")).expect("the log"), "built\n");

    #[cfg(target_os = "linux")]
    {
        let (code, _, stderr) = explore("", &["--open"]);
        assert_eq!(code, 3, "{stderr}");
        let missing = "error: a browser that can be started from here is missing; open `explore.html` in yours";
        assert!(stderr.contains(missing), "{stderr}");
        assert_eq!(names(folder.path()), ["explore.html", "first.html", "home", "programs", "second.html", "target"]);
    }
}

/// What is missing is said, with what to do.
#[test]
fn without_a_compiler_the_page_is_refused() {
    let of_rust = "install Rust with rustup (https://rustup.rs), or use the program of a release, which has the page's module inside";
    let adding = "adding wasm32-unknown-unknown to Rust, which the module of the page is compiled for ...\n";
    let by_hand = "run `rustup target add wasm32-unknown-unknown`, which failed just now, where there is a network";
    let old = ("rustc", "echo /nowhere");
    let offline = ("rustup", r#"[ "$1" = --version ]"#);
    let target = "Rust's target wasm32-unknown-unknown";
    for (scripts, first, tool, advice) in [
        (&[][..], "", "cargo", of_rust),
        (&[("cargo", CARGO)][..], "", "rustc", of_rust),
        (&[("cargo", CARGO), old][..], "", target, of_rust),
        (&[("cargo", CARGO), old, offline][..], adding, target, by_hand),
    ] {
        let folder = folder();
        let mut command = binade_in(folder.path());
        command.env("BINADE_HOME", folder.path().join("home")).env("PATH", programs(folder.path(), scripts));
        let (code, _, stderr) = outcome(&command.arg("explore").output().expect("the program starts"));
        let said = format!("{first}error: {tool}, which builds the module of the page, is missing; {advice}\n");
        assert_eq!((code, stderr), (3, said));
        assert_eq!(names(&folder.path().join("home/cache/pages")), ["lock"]);
        assert_eq!(names(folder.path()), ["home", "programs"]);
    }
}

/// Ctrl-C ends the compiler, and nothing half-written is left.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_build() {
    let folder = folder();
    let home = folder.path().join("home");
    let slow = r#"[ "$1" = build ] || exit 0; echo $$ >"$CARGO_TARGET_DIR.process"; exec sleep 600"#;
    let programs = programs(folder.path(), &[("rustc", RUSTC), ("cargo", slow)]);
    let path = PathBuf::from(format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display()));
    fs::create_dir(folder.path().join("target")).expect("a folder");
    let target = folder.path().join("target");
    let child = start(folder.path(), &home, &[("PATH", &path), ("CARGO_TARGET_DIR", &target)], &["explore"]);
    let process = target.join("page.process");
    wait_until("the build begins", || fs::read_to_string(&process).is_ok_and(|text| text.ends_with('\n')));
    common::press_ctrl_c(&child);
    let (code, _, stderr) = outcome(&child.wait_with_output().expect("the program ends"));
    assert_eq!(code, 130, "{stderr}");
    assert!(stderr.ends_with("error: interrupted\n"), "{stderr}");
    assert_eq!(names(&home.join("cache/pages")), ["lock"]);
    assert!(!folder.path().join("explore.html").exists());
    let compiler = fs::read_to_string(process).expect("its number");
    wait_until("the compiler ends", || !runs(compiler.trim()));
}

/// The page with the module of the sources, which is built if it was not before.
#[test]
#[ignore = "long"]
fn the_page_is_one_file() {
    let folder = folder();
    let (code, stdout, stderr) = run_in(folder.path(), &["explore", "--html", "a page.html"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert!(stderr.contains("a page.html: ") && stderr.contains(" kB, which a browser shows offline"), "{stderr}");
    assert_eq!(names(folder.path()), ["a page.html"]);
    let html = fs::read_to_string(folder.path().join("a page.html")).expect("the page");
    assert!((1_000_000..2_350_000).contains(&html.len()), "{}", html.len());
    assert!(
        html.contains("<h1>Number formats and their arithmetic units</h1>")
            && html.contains("Made by <code>binade explore</code>")
    );
}
