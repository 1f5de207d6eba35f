//! The files of a crate do not import each other in circles, and facts about units stand in their definitions.

use crate::transcripts::checkout;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file as a module: the names from the crate's root down.
type Module = Vec<String>;

/// The files below a folder, each as a module, with its text up to its tests and without comments.
fn modules(folder: &Path) -> BTreeMap<Module, String> {
    let (mut folders, mut modules) = (vec![folder.to_path_buf()], BTreeMap::new());
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path.strip_prefix(folder).expect("a file of the folder").with_extension("");
                let mut name: Module = name.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                if ["mod", "lib", "main"].contains(&name.last().expect("a name").as_str()) {
                    name.pop();
                }
                modules.insert(name, code(&fs::read_to_string(path).expect("a source")));
            }
        }
    }
    modules
}

fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Each path of a tree of imports: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((start, rest)) = tree.split_once('{') else { return vec![tree.into()] };
    let inner = rest.trim_end().strip_suffix('}').expect("a tree ends");
    let (mut depth, mut items) = (0, vec![String::new()]);
    for sign in inner.chars() {
        match sign {
            ',' if depth == 0 => items.push(String::new()),
            sign => {
                depth += i32::from(sign == '{') - i32::from(sign == '}');
                items.last_mut().expect("an item").push(sign);
            }
        }
    }
    let items = items.into_iter().filter(|item| !item.trim().is_empty());
    items.flat_map(|item| paths(&item)).map(|path| format!("{start}{path}")).collect()
}

/// The modules that a module imports from, without itself and those below it, which it is made of.
fn imports(module: &Module, text: &str, all: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let import = Regex::new(r"(?m)^use ([^;]+);").expect("a pattern");
    let found = import.captures_iter(text).flat_map(|found| paths(&found[1])).filter_map(|path| {
        let mut whole = module.clone();
        for part in path.split("::").map(str::trim) {
            match part {
                "crate" => whole.clear(),
                "super" => _ = whole.pop(),
                part => whole.push(part.into()),
            }
        }
        let is_own = path.starts_with("crate") || path.starts_with("super");
        while is_own && !all.contains_key(&whole) {
            whole.pop();
        }
        is_own.then_some(whole)
    });
    // The root of a crate only names what it is made of.
    found.filter(|target| !target.is_empty() && !target.starts_with(module)).collect()
}

/// Removes the modules that import from none of those left, until there are none such; what is left is in a circle, or imports from one.
fn in_circles(folder: &Path) -> Vec<String> {
    let all = modules(folder);
    let mut left: BTreeMap<&Module, BTreeSet<Module>> =
        all.iter().map(|(module, text)| (module, imports(module, text, &all))).collect();
    loop {
        let names: BTreeSet<Module> = left.keys().map(|module| (*module).clone()).collect();
        let before = left.len();
        left.retain(|_, imported| imported.iter().any(|target| names.contains(target)));
        if left.len() == before {
            return left.into_keys().map(|module| module.join("/")).collect();
        }
    }
}

/// The folders with the sources of the crates.
fn crates() -> Vec<PathBuf> {
    let manifest = fs::read_to_string(checkout().join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let members = manifest["workspace"]["members"].as_array().expect("a list");
    members.iter().filter_map(toml::Value::as_str).map(|member| checkout().join(member).join("src")).collect()
}

#[test]
fn files_import_each_other_in_no_circle() {
    for folder in crates() {
        let circles = in_circles(&folder);
        assert!(circles.is_empty(), "{}: {circles:?}", folder.display());
    }
}

/// From each match of the pattern to the bracket that closes its last one.
fn bracketed<'t>(text: &'t str, pattern: &str) -> Vec<&'t str> {
    let end = |inner: usize| {
        let mut depth = 0;
        let closes = |sign: char| {
            depth += i32::from("({".contains(sign)) - i32::from(")}".contains(sign));
            depth < 0
        };
        text[inner..].find(closes).map_or(text.len(), |at| inner + at)
    };
    let pattern = Regex::new(pattern).expect("a pattern");
    pattern.find_iter(text).map(|found| &text[found.start()..end(found.end())]).collect()
}

/// The places where a text decides by the names of some units whether something is true of a unit.
fn facts_by_name(text: &str) -> Vec<&str> {
    let names = Regex::new(r"\bUnit::[A-Z]").expect("a pattern");
    let lists = bracketed(text, r"matches!\(").into_iter().filter(|list| names.is_match(list));
    let rest = Regex::new(r"_ => (false|true|None)\b").expect("a pattern");
    let matches = bracketed(text, r"match [^{};]*\bunit\b[^{};]*\{").into_iter().filter(|all| rest.is_match(all));
    lists.chain(matches).collect()
}

#[test]
fn facts_about_units_stand_in_their_definitions() {
    for folder in crates() {
        for (module, text) in modules(&folder) {
            let defines_units = folder.ends_with("spec/src") && module.first().is_some_and(|first| first == "units");
            let found = if defines_units { vec![] } else { facts_by_name(&text) };
            assert!(found.is_empty() || module == ["tests"], "{}: {module:?}: {found:#?}", folder.display());
        }
    }
    assert_eq!(facts_by_name("matches!(unit, Unit::Add | Unit::Sub); matches!(term, Term::Sum(_))").len(), 1);
    assert_eq!(facts_by_name("match operation.unit {\n    Unit::Add => { true }\n    _ => false,\n}").len(), 1);
}

#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("lib.rs", "mod a;\nmod b;\nmod c;\nuse a::A;\n");
    write("a.rs", "use crate::{b::B, c};\n");
    write("b.rs", "use super::c::C;\n");
    write("c.rs", "pub struct C;\n");
    assert_eq!(in_circles(folder.path()), [""; 0]);
    write("c.rs", "use crate::a::{\n    A,\n    Other,\n};\n");
    assert_eq!(in_circles(folder.path()), ["a", "b", "c"]);
}
