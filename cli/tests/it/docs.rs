//! Pages: code on them matches the file that they name, links lead somewhere, and statements about crates hold.

use crate::transcripts::{checkout, pages};
use regex::Regex;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
    assert!(count >= 7, "{count} blocks: those of adding-a-*.md and of generate-verify-measure.md");
}

/// The anchor that code hosts make of a heading.
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

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`.
fn expanded(path: &str) -> Vec<String> {
    let parts = path.split_once('{').and_then(|(start, rest)| Some((start, rest.split_once('}')?)));
    match parts {
        None => vec![path.into()],
        Some((start, (list, end))) => list.split(',').map(|item| format!("{start}{item}{end}")).collect(),
    }
}

/// A path between backticks that begins with a folder of the checkout is there; what is built or generated is not looked for.
#[test]
fn paths_on_pages_are_there() {
    let fence = Regex::new(r"(?ms)^```.*?^```").expect("a pattern");
    let path = Regex::new(r"`([\w.-]+/[\w./{},-]+)`").expect("a pattern");
    let mut count = 0;
    for page in pages().into_iter().chain([checkout().join("CONTRIBUTING.md")]) {
        let text = fs::read_to_string(&page).expect("the page is there");
        let text = fence.replace_all(&text, "");
        for found in path.captures_iter(&text) {
            let folder = found[1].split('/').next().unwrap_or_default();
            let is_built =
                ["target", ".tools", "rtl_out"].contains(&folder) && !found[1].starts_with("rtl_out/reference");
            if is_built || found[1].contains("..") || !checkout().join(folder).is_dir() {
                continue;
            }
            for path in expanded(&found[1]) {
                assert!(checkout().join(&path).exists(), "{}: `{path}` is not there", page.display());
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count} paths");
}

/// The circuits cannot depend on the golden model, nor the model on the circuits.
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

/// The manifest in a folder.
fn manifest(folder: &str) -> toml::Table {
    let manifest = fs::read_to_string(checkout().join(folder).join("Cargo.toml")).expect("a manifest");
    manifest.parse().expect("TOML")
}

/// The folders of the workspace's crates.
fn members() -> Vec<String> {
    let members = manifest(".")["workspace"]["members"].as_array().expect("a list").clone();
    members.iter().filter_map(toml::Value::as_str).map(String::from).collect()
}

/// The words between backticks.
fn words(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// The crates of ours among a manifest's normal dependencies.
fn uses(folder: &str) -> Vec<String> {
    let manifest = manifest(folder);
    let dependencies = manifest["dependencies"].as_table().expect("a table");
    let mut ours: Vec<String> =
        dependencies.keys().filter_map(|name| name.strip_prefix("binade-")).map(String::from).collect();
    ours.sort();
    ours
}

/// The table of crates matches the manifests, lists all crates, and names existing items as starting points.
#[test]
fn the_architecture_is_that_of_the_manifests() {
    let mut crates: Vec<String> = members().into_iter().chain(["python".into()]).collect();
    let page = fs::read_to_string(checkout().join("docs/architecture.md")).expect("the page is there");
    let rows = page.lines().skip_while(|line| !line.starts_with("| crate | uses ")).skip(2);
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').collect();
        let [folder, uses_of, begin] = [cells[1], cells[2], cells[4]].map(words);
        assert_eq!(uses_of, uses(&folder[0]), "{}", folder[0]);
        let sources = source_text(&checkout().join(&folder[0]));
        for name in begin.iter().flat_map(|name| name.split("::")).filter(|name| !name.contains('.')) {
            assert!(
                sources.contains(&format!("pub struct {name}"))
                    || sources.contains(&format!("pub enum {name}"))
                    || sources.contains(&format!("pub fn {name}"))
                    || sources.contains(&format!("mod {name}")),
                "{row}"
            );
        }
        crates.retain(|name| *name != folder[0]);
    }
    assert_eq!(crates, [""; 0], "all crates are in the table");
}

/// The crates of others in these tables of the manifests, each with the folders of the crates that depend on it.
fn dependencies(tables: &[&str]) -> BTreeMap<String, Vec<String>> {
    let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut folders: Vec<String> = members().into_iter().chain(["python", "site"].map(String::from)).collect();
    folders.sort();
    for folder in folders {
        let manifest = manifest(&folder);
        let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(|of| of.values());
        let places = targets.filter_map(toml::Value::as_table).chain([&manifest]);
        let tables = places.flat_map(|place| tables.iter().filter_map(|name| place.get(*name)?.as_table()));
        for name in tables.flat_map(|table| table.keys()).filter(|name| !name.starts_with("binade-")) {
            let users = users.entry(name.clone()).or_default();
            if !users.contains(&folder) {
                users.push(folder.clone());
            }
        }
    }
    users
}

/// The crates of a table of dependencies, each with the folders that stand beside it.
fn rows_of_dependencies(table: &str) -> BTreeMap<String, Vec<String>> {
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in
        table.lines().skip_while(|line| !line.starts_with("|---")).skip(1).take_while(|line| line.starts_with('|'))
    {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        for name in words(cells[1]) {
            let folders = cells[2].split(", ").map(String::from).collect();
            assert_eq!(rows.insert(name, folders), None, "{row}: two rows");
        }
    }
    rows
}

/// The tables of dependencies are those of the manifests: of what is built, and of what only tests need. The workspace lists no version
/// that no crate takes.
#[test]
fn dependencies_are_those_of_the_manifests() {
    let page = fs::read_to_string(checkout().join("docs/dependencies.md")).expect("the page is there");
    let (of_program, of_tests) = page.split_once("\n## Tests and CI\n").expect("two tables");
    let built = dependencies(&["dependencies", "build-dependencies"]);
    let tested = dependencies(&["dev-dependencies"]);
    assert_eq!(rows_of_dependencies(of_program), built, "the first table of docs/dependencies.md");
    assert_eq!(rows_of_dependencies(of_tests), tested, "the table of tests in docs/dependencies.md");
    let workspace = manifest(".")["workspace"]["dependencies"].as_table().expect("a table").clone();
    let mut unused: Vec<&String> = workspace.keys().filter(|name| !name.starts_with("binade-")).collect();
    unused.retain(|name| !built.contains_key(*name) && !tested.contains_key(*name));
    assert_eq!(unused, [""; 0], "versions in Cargo.toml");
}

/// The text of all sources of a crate.
fn source_text(folder: &Path) -> String {
    let mut folders = vec![folder.join("src")];
    let mut text = String::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                text += &fs::read_to_string(path).expect("a source");
            }
        }
    }
    text
}

/// The output of the commands on a page; the whole page if it has the table of the nightly parts.
fn printed(text: &str) -> String {
    if text.contains("| part ") {
        return text.into();
    }
    let blocks = text.split("\n```").skip(1).step_by(2);
    blocks.filter(|block| block.starts_with("console")).collect::<Vec<_>>().join("\n")
}

/// Every quoted figure of a suite is printed by a command on a page or by a nightly part: a test or a part runs each of these.
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

/// The figures in the picture of a flow are those of transcripts, which run.
#[test]
fn figures_of_the_picture_are_those_of_transcripts() {
    let read = |path: &str| fs::read_to_string(checkout().join(path)).expect("a file of this repository");
    let transcripts = read("docs/generate-verify-measure.md") + &read("docs/clock-frequency.md");
    let figure = Regex::new(r">([0-9.]+ (gates|LUT4|carry|MHz))\b").expect("a pattern");
    let picture = read("docs/images/binade.svg");
    let figures: Vec<&str> = figure.captures_iter(&picture).map(|found| found.extract::<2>().1[0]).collect();
    assert_eq!(figures.len(), 4, "{figures:?}");
    for figure in figures {
        assert!(transcripts.contains(figure), "{figure}");
    }
}

/// Each fault of the prover changes one place of its sources, and the page says how many there are.
#[test]
fn faults_of_the_prover_can_be_planted() {
    let read = |file: &str| fs::read_to_string(checkout().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let faults: toml::Table = read("prove/tests/faults.toml").parse().expect("TOML");
    let faults = faults["fault"].as_array().expect("a list");
    for fault in faults {
        let [file, from] = ["file", "from"].map(|key| fault[key].as_str().expect("a text"));
        assert_eq!(read(&format!("prove/src/{file}")).matches(from).count(), 1, "{file}: {from}");
    }
    let said = format!("every eighth of the {} faults", faults.len());
    assert!(read("docs/checks.md").contains(&said), "docs/checks.md: {said}");
}
