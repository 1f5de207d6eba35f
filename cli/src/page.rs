//! The options for pages, and code shared by the commands that write one.

use crate::failure::Failure;
use crate::output;
use crate::words;
use binade_report::Page;
use binade_tools::{Source, Tools, left_on_interrupt};
use clap::Args;
use std::path::{Path, PathBuf};

/// The option for the page's file.
#[derive(Args, Debug)]
pub struct PageOptions {
    /// The page to write, one self-contained HTML file
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    pub html: PathBuf,
}

impl PageOptions {
    /// A page in this file.
    pub fn new(html: PathBuf) -> PageOptions {
        PageOptions { html }
    }

    /// Refuses a path that cannot be written, before any work is done.
    pub fn check(&self) -> Result<(), Failure> {
        check_place(&self.html)
    }

    /// Writes the page.
    pub fn write(&self, page: &Page) -> Result<(), Failure> {
        let script = Tools::new(Source::Pinned).vega()?;
        let html = left_on_interrupt(|| page.html(&script));
        output::write_files(&[(&self.html, html.as_bytes())])?;
        output::say(format_args!("{}: {} kB, which a browser shows offline", self.html.display(), html.len() / 1000));
        Ok(())
    }
}

/// Refuses a page path that cannot be written.
pub fn check_place(html: &Path) -> Result<(), Failure> {
    let folder = html.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if html.is_dir() || !folder.is_dir() {
        let html = html.display();
        return Err(Failure::Usage(format!("--html {html}: name a file in an existing folder")));
    }
    Ok(())
}

/// Whether to print the page's tables, too.
#[derive(Args, Debug)]
pub struct DataOptions {
    /// Print the tables of the page as JSON
    #[arg(long)]
    json: bool,
}

impl DataOptions {
    /// Writes the page, and prints its tables if requested.
    pub fn write(&self, page: &Page, options: &PageOptions) -> Result<(), Failure> {
        options.write(page)?;
        if self.json { output::print(&output::json(&page.data())) } else { Ok(()) }
    }
}

/// The command line as given, for the page's footer.
pub fn command() -> String {
    let words = words::given().iter().map(|word| word.to_string_lossy().into_owned());
    let quoted = words.map(|word| shlex::try_quote(&word).map_or(word.clone(), |quoted| quoted.into_owned()));
    ["binade".to_string()].into_iter().chain(quoted).collect::<Vec<_>>().join(" ")
}
