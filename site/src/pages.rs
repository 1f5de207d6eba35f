//! The pages of the checkout as the source of a book.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The page with the table that orders the others.
const LIST: &str = "docs/README.md";

/// What the site has beside the pages.
const BESIDE: &str = "\nThis site also has the page of [`binade explore`](../explore.html), which needs no installation, and the \
                      [documentation of the crates](../rustdoc/binade_spec/index.html).\n";

/// A part of the book: what a reader needs, and the pages for it.
struct Part {
    need: String,
    pages: Vec<PathBuf>,
}

/// Writes the pages and their summary into a folder; how many there are.
///
/// # Errors
/// When a page is not there, or a file cannot be written.
pub fn write(checkout: &Path, folder: &Path) -> Result<usize, Box<dyn Error>> {
    let parts = parts(&fs::read_to_string(checkout.join(LIST))?);
    let mut left: Vec<PathBuf> = ["README.md", LIST, "CHANGELOG.md"].map(PathBuf::from).into();
    left.extend(parts.iter().flat_map(|part| part.pages.iter().cloned()));
    let mut pages = BTreeSet::new();
    // A page that others link to belongs to the site, too.
    while let Some(page) = left.pop() {
        if !pages.insert(page.clone()) {
            continue;
        }
        let text =
            fs::read_to_string(checkout.join(&page)).map_err(|error| format!("`{}`: {error}", page.display()))?;
        let (mut text, linked) = with_links(checkout, &page, &text);
        if page == Path::new(LIST) {
            text += BESIDE;
        }
        write_file(&folder.join(place(&page)), text.as_bytes())?;
        for file in linked {
            if file.extension().is_some_and(|ending| ending == "md") {
                left.push(file);
            } else {
                write_file(&folder.join(&file), &fs::read(checkout.join(&file))?)?;
            }
        }
    }
    write_file(&folder.join("SUMMARY.md"), summary(checkout, &parts, &pages)?.as_bytes())?;
    Ok(pages.len())
}

fn write_file(path: &Path, content: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    fs::write(path, content)
}

/// The parts, from the rows `| **need** | [page](page.md) | .. |`; a row without a need belongs to the one above.
fn parts(list: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = vec![];
    for row in list.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        if let Some(need) = cells[1].strip_prefix("**").and_then(|need| need.strip_suffix("**")) {
            parts.push(Part { need: need.into(), pages: vec![] });
        }
        let pages = targets(cells[2]).map(|target| page_of(&normal(&Path::new("docs").join(target))));
        if let Some(part) = parts.last_mut() {
            part.pages.extend(pages);
        }
    }
    parts
}

/// The targets of the links in a text.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// The page that stands for a folder is its `README.md`.
fn page_of(path: &Path) -> PathBuf {
    if path.extension().is_none() && path.file_name().is_some_and(|name| name != "LICENSE") {
        return path.join("README.md");
    }
    path.into()
}

/// Where a page stands in the book: mdBook shows `index.md` for a folder.
fn place(page: &Path) -> PathBuf {
    let is_index = page.file_name().is_some_and(|name| name == "README.md");
    if is_index { page.with_file_name("index.md") } else { page.into() }
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => _ = whole.pop(),
            Component::CurDir => {}
            other => whole.push(other),
        }
    }
    whole
}

/// A page with its links to folders as links to the pages of these folders, and the files that it links to.
fn with_links(checkout: &Path, page: &Path, text: &str) -> (String, Vec<PathBuf>) {
    let (mut written, mut files, mut is_code) = (String::new(), vec![], false);
    for line in text.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        let mut pieces = line.split("](");
        written += pieces.next().unwrap_or_default();
        for piece in pieces {
            written += "](";
            match piece.split_once(')').filter(|_| !is_code) {
                Some((target, rest)) => {
                    let (link, file) = linked(checkout, page, target);
                    written += &format!("{link}){rest}");
                    files.extend(file);
                }
                None => written += piece,
            }
        }
    }
    (written, files)
}

/// A link as the site has it, and the file of the checkout that it leads to. A folder is its page, or that of the folder above.
fn linked(checkout: &Path, page: &Path, target: &str) -> (String, Option<PathBuf>) {
    let path = target.split('#').next().unwrap_or(target);
    if path.is_empty() || target.contains("://") {
        return (target.into(), None);
    }
    let file = normal(&page.parent().unwrap_or(Path::new("")).join(path));
    if !checkout.join(&file).is_dir() {
        return (target.replace("README.md", "index.md"), Some(file));
    }
    let pages = file.ancestors().map(|folder| folder.join("README.md"));
    let file = pages.into_iter().find(|page| checkout.join(page).is_file()).unwrap_or("README.md".into());
    let up = "../".repeat(page.components().count() - 1);
    (format!("{up}{}", place(&file).display()), Some(file))
}

/// The summary that mdBook reads.
fn summary(checkout: &Path, parts: &[Part], all: &BTreeSet<PathBuf>) -> Result<String, Box<dyn Error>> {
    let mut text = "# Summary\n\n[Binade](index.md)\n[All pages](docs/index.md)\n".to_string();
    let mut seen: BTreeSet<PathBuf> = ["README.md", LIST, "CHANGELOG.md"].map(PathBuf::from).into();
    let link = |page: &Path| -> Result<String, Box<dyn Error>> {
        Ok(format!("[{}]({})", title(&fs::read_to_string(checkout.join(page))?), place(page).display()))
    };
    for Part { need, pages } in parts {
        let mut letters = need.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        text += &format!("\n# {}{}\n\n", first.collect::<String>(), letters.as_str());
        for page in pages.iter().filter(|page| seen.insert((*page).clone())) {
            text += &format!("- {}\n", link(page)?);
        }
    }
    text += "\n---\n\n";
    for page in all.iter().filter(|page| !seen.contains(*page)).map(PathBuf::as_path).chain([Path::new("CHANGELOG.md")])
    {
        text += &format!("{}\n", link(page)?);
    }
    Ok(text)
}

/// The first heading of a page, without what follows a colon.
fn title(page: &str) -> String {
    let heading = page.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Untitled");
    heading.split(':').next().unwrap_or(heading).replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_parts() {
        let parts = parts("| need | page |\n|---|---|\n| **try** | [a](a.md) | x |\n| | [b](../b), [c](c.md) | y |\n");
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].need, "try");
        assert_eq!(parts[0].pages, ["docs/a.md", "b/README.md", "docs/c.md"].map(PathBuf::from));
    }

    #[test]
    fn titles_are_short() {
        assert_eq!(title("text\n# Campaigns: runs in parts\n"), "Campaigns");
    }
}
