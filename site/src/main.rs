//! Builds the documentation as a site: the Markdown pages of the checkout, in the order of `docs/README.md`, through mdBook.
//!
//! Pages keep their places relative to each other, so that the links between them hold. `links.rs` checks the site that comes out.

mod links;
mod pages;

use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The configuration of mdBook, as `book.toml` would have it.
const CONFIG: &str = r#"
[book]
title = "Binade"
description = "Arithmetic hardware for any number format: generated, verified, proven, measured"
language = "en"

[output.html]
default-theme = "light"
preferred-dark-theme = "navy"
no-section-label = true
input-404 = ""
"#;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(command), Some(folder), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        eprintln!("usage: binade-site build FOLDER, in the checkout, or binade-site check FOLDER");
        return ExitCode::from(2);
    };
    let done = match command.to_str() {
        Some("build") => build(Path::new("."), &folder),
        Some("check") => check(&folder),
        _ => Err("the first word is build or check".into()),
    };
    match done {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the site of a checkout into a folder, which becomes empty first.
fn build(checkout: &Path, folder: &Path) -> Result<String, Box<dyn Error>> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let book = tempfile::tempdir()?;
    let count = pages::write(checkout, &book.path().join("src"))?;
    let mut config: Config = CONFIG.parse()?;
    config.build.build_dir = std::path::absolute(folder)?;
    MDBook::load_with_config(book.path(), config)?.build()?;
    Ok(format!("{count} pages in `{}`", folder.display()))
}

/// Refuses a site with a link that leads nowhere.
fn check(folder: &Path) -> Result<String, Box<dyn Error>> {
    let links::Checked { pages, links, broken } = links::check(folder)?;
    match broken.as_slice() {
        [] => Ok(format!("{links} links on {pages} pages lead somewhere")),
        broken => Err(format!("links that lead nowhere:\n{}", broken.join("\n")).into()),
    }
}
