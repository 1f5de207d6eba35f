//! Whether each link of a site leads to a file of the site, and to a place in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders whose own pages are checked by the tool that made them.
const APART: [&str; 1] = ["rustdoc"];

/// What was checked.
pub struct Checked {
    pub pages: usize,
    pub links: usize,
    /// A page and a link that leads nowhere, in each.
    pub broken: Vec<String>,
}

/// Checks all pages in a folder.
///
/// # Errors
/// When a file cannot be read.
pub fn check(folder: &Path) -> io::Result<Checked> {
    let mut texts = BTreeMap::new();
    for page in pages(folder, folder)? {
        texts.insert(page.clone(), fs::read_to_string(page)?);
    }
    let names: BTreeMap<&PathBuf, BTreeSet<&str>> =
        texts.iter().map(|(page, text)| (page, values(text, &["id", "name"]).collect())).collect();
    let mut checked = Checked { pages: texts.len(), links: 0, broken: vec![] };
    for (page, text) in &texts {
        for link in values(text, &["href", "src"]).filter(|link| is_own(link)) {
            checked.links += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = path.split('?').next().unwrap_or(path);
            let target = if path.is_empty() { page.clone() } else { beside(page, path) };
            let has_place = anchor.is_empty() || names.get(&target).is_none_or(|names| names.contains(anchor));
            if !target.is_file() || !has_place {
                checked.broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    Ok(checked)
}

/// The HTML files in a folder and below.
fn pages(folder: &Path, root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_apart = APART.iter().any(|apart| path == root.join(apart));
        if path.is_dir() && !is_apart {
            all.extend(pages(&path, root)?);
        } else if path.extension().is_some_and(|ending| ending == "html") {
            all.push(path);
        }
    }
    Ok(all)
}

/// The values of attributes in the tags of a page.
fn values<'t>(text: &'t str, attributes: &[&str]) -> impl Iterator<Item = &'t str> {
    let starts: Vec<String> = attributes.iter().map(|attribute| format!(" {attribute}=\"")).collect();
    let tags = text.split('<').skip(1).filter(|tag| !tag.starts_with('!'));
    tags.flat_map(move |tag| {
        let tag = tag.split('>').next().unwrap_or(tag);
        let value = |start: &String| Some(tag.split_once(start.as_str())?.1.split('"').next().unwrap_or_default());
        starts.iter().filter_map(value).collect::<Vec<_>>()
    })
}

/// Whether a link leads to a file of the site.
fn is_own(link: &str) -> bool {
    let is_elsewhere =
        ["http:", "https:", "mailto:", "data:", "javascript:"].iter().any(|start| link.starts_with(start));
    !is_elsewhere && !link.is_empty()
}

fn beside(page: &Path, path: &str) -> PathBuf {
    let mut whole = page.parent().unwrap_or(Path::new("")).to_path_buf();
    for part in path.split('/') {
        match part {
            ".." => _ = whole.pop(),
            "." | "" => {}
            part => whole.push(part),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("docs")).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write(
            "index.html",
            r##"<a href="docs/a.html#here">x</a> <a href="#top" id="top">y</a> <a href="https://a.b">z</a>"##,
        );
        write("docs/a.html", r#"<h2 id="here"></h2><img src="../picture.svg"><a href="../index.html#gone">x</a>"#);
        let Checked { pages, links, broken } = check(folder.path()).unwrap();
        assert_eq!((pages, links), (2, 4));
        assert_eq!(broken.len(), 2);
        assert!(broken.iter().any(|link| link.ends_with("../picture.svg")), "{broken:?}");
        assert!(broken.iter().any(|link| link.ends_with("../index.html#gone")), "{broken:?}");
    }
}
