//! `binade explore`: the HTML page that needs no installation.

use crate::common::{binade_in, folder, names, outcome, run_in};
use std::fs;

#[test]
fn the_page_is_one_file() {
    let folder = folder();
    let (code, stdout, stderr) = run_in(folder.path(), &["explore", "--html", "a page.html"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert!(stderr.contains("a page.html: ") && stderr.contains(" kB, which a browser shows offline"), "{stderr}");
    assert_eq!(names(folder.path()), ["a page.html"]);
    let html = fs::read_to_string(folder.path().join("a page.html")).expect("the page");
    assert!((1_000_000..2_000_000).contains(&html.len()), "{}", html.len());
    assert!(
        html.contains("<h1>Number formats and their arithmetic units</h1>")
            && html.contains("Made by <code>binade explore</code>")
    );
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

/// If no browser can be started, the page is still written, and a message says what to do. Other systems start a browser without `PATH`.
#[cfg(target_os = "linux")]
#[test]
fn without_a_browser_the_page_is_written() {
    let folder = folder();
    let (code, _, stderr) = run_in(folder.path(), &["explore"]);
    assert_eq!(code, 0, "{stderr}");
    let output = binade_in(folder.path()).env("PATH", "").args(["explore", "--open"]).output();
    let (code, _, stderr) = outcome(&output.expect("the program starts"));
    assert_eq!(code, 3, "{stderr}");
    assert!(
        stderr.contains("error: a browser that can be started from here is missing; open `explore.html` in yours"),
        "{stderr}"
    );
    assert_eq!(names(folder.path()), ["explore.html"]);
}
