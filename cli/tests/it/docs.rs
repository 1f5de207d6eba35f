//! Code on pages of docs is the code in the file that it names.

use std::fs;
use std::path::Path;

/// The blocks of a page that name a file, each with its text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let opened = page.split("```rust ").skip(1);
    opened
        .map(|rest| {
            let (path, rest) = rest.split_once('\n').expect("a block has lines");
            (path, rest.split_once("\n```").expect("a block ends").0)
        })
        .collect()
}

#[test]
fn the_story_of_a_unit_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/adding-a-unit.md")).expect("the page is there");
    let blocks = blocks(&page);
    assert!(blocks.len() >= 6, "{} blocks", blocks.len());
    for (path, code) in blocks {
        let source = fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(source.contains(code), "{path} has not\n{code}");
    }
}
