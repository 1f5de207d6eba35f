//! Pages: code on them is the code in the file that they name, links lead somewhere, and what is said of crates holds.

use crate::transcripts::{checkout, pages};
use regex::Regex;
use std::fs;

/// The blocks of a page that name a file, each with its text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let opened = ["```rust ", "```verilog "].into_iter().flat_map(|fence| page.split(fence).skip(1));
    opened
        .map(|rest| {
            let (path, rest) = rest.split_once('\n').expect("a block has lines");
            (path, rest.split_once("\n```").expect("a block ends").0)
        })
        .collect()
}

#[test]
fn code_on_pages_is_code_of_files() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("the page is there");
        for (path, code) in blocks(&text) {
            let source = fs::read_to_string(checkout().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(source.contains(code), "{}: {path} has not\n{code}", page.display());
            count += 1;
        }
    }
    assert!(count >= 7, "{count} blocks: those of adding-a-unit.md and of the README");
}

/// What links to a heading ends with, as code hosts make it of the heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'));
    kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect()
}

#[test]
fn links_lead_somewhere() {
    let link = Regex::new(r"\]\(\s*([^)#\s]*)(?:#([^)\s]+))?\)").expect("a pattern");
    for page in pages().into_iter().chain([checkout().join("CONTRIBUTING.md")]) {
        let text = fs::read_to_string(&page).expect("the page is there");
        for found in link.captures_iter(&text) {
            if found[1].contains("://") {
                continue;
            }
            let target = if found[1].is_empty() { page.clone() } else { page.parent().unwrap().join(&found[1]) };
            assert!(target.exists(), "{}: {} is not there", page.display(), &found[1]);
            let Some(wanted) = found.get(2) else { continue };
            let text = fs::read_to_string(&target).expect("a page");
            let has = text.lines().any(|line| line.starts_with('#') && anchor(line) == wanted.as_str());
            assert!(has, "{}: {} has no heading #{}", page.display(), target.display(), wanted.as_str());
        }
    }
}

/// The circuits cannot name the golden model, nor the model the circuits.
#[test]
fn golden_model_and_circuits_are_strangers() {
    for (folder, others) in [
        ("spec", &["golden", "circuit", "generator"][..]),
        ("golden", &["circuit", "generator"]),
        ("circuit", &["spec", "golden"]),
        ("generator", &["golden"]),
    ] {
        let manifest = fs::read_to_string(checkout().join(folder).join("Cargo.toml")).expect("a manifest");
        for other in others {
            assert!(!manifest.contains(&format!("binade-{other}")), "{folder} depends on {other}");
        }
    }
}

/// What the commands on a page print; of the page with the table of the nightly parts, all of it.
fn printed(text: &str) -> String {
    if text.contains("| part ") {
        return text.into();
    }
    let blocks = text.split("\n```").skip(1).step_by(2);
    blocks.filter(|block| block.starts_with("console")).collect::<Vec<_>>().join("\n")
}

/// Figures of suites are those that a command on a page prints, or a nightly part: a test or a part runs each of these.
#[test]
fn figures_of_suites_are_printed_by_commands() {
    let texts: Vec<_> =
        pages().into_iter().map(|page| (fs::read_to_string(&page).expect("the page is there"), page)).collect();
    let printed: String = texts.iter().map(|(text, _)| printed(text)).collect();
    let figure = Regex::new(r"\b([0-9]{3,}) (mutants|units|proven|killed|cases)\b").expect("a pattern");
    let mut count = 0;
    for (text, page) in &texts {
        for found in figure.captures_iter(text) {
            let number = Regex::new(&format!(r"\b{}\b", &found[1])).expect("a pattern");
            assert!(number.is_match(&printed), "{}: no command prints `{}`", page.display(), &found[0]);
            count += 1;
        }
    }
    assert!(count > 10, "{count} figures");
}
