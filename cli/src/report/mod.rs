//! `binade report`: pages about formats, tensors and units.

mod formats;
mod papers;
mod tensor;
mod units;

use crate::failure::Failure;
use crate::output;
use binade_report::Page;
use binade_spec::Format;
use binade_tools::{Source, Tools};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand, Debug)]
enum Subject {
    /// How far formats reach, how close their values lie, how accurate they are
    Formats(formats::Arguments),
    /// Which format suits your numbers: errors, losses and scales on arrays of a file
    Tensor(tensor::Arguments),
    /// What papers about formats for training print, beside what the golden model says
    Papers(papers::Arguments),
    /// What units cost and what is known of them, and which formats give most accuracy for the area
    Units(Box<units::Arguments>),
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.subject {
        Subject::Formats(arguments) => formats::run(arguments),
        Subject::Tensor(arguments) => tensor::run(arguments),
        Subject::Papers(arguments) => papers::run(arguments),
        Subject::Units(arguments) => units::run(arguments),
    }
}

/// Where the page goes.
#[derive(Args, Debug)]
pub struct PageOptions {
    /// The page to write, one HTML file that needs no other
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    html: PathBuf,
}

impl PageOptions {
    /// A page in this file.
    pub fn new(html: PathBuf) -> PageOptions {
        PageOptions { html }
    }

    /// Refuses a place that cannot be written before work is done for it.
    pub fn check(&self) -> Result<(), Failure> {
        check_place(&self.html)
    }

    /// Writes the page.
    pub fn write(&self, page: &Page) -> Result<(), Failure> {
        let script = Tools::new(Source::Pinned).vega()?;
        let html = page.html(&script);
        output::write_files(&[(&self.html, html.as_bytes())])?;
        output::say(format_args!("{}: {} kB, which a browser shows offline", self.html.display(), html.len() / 1000));
        Ok(())
    }
}

/// Refuses a page in a place that cannot be written.
pub fn check_place(html: &Path) -> Result<(), Failure> {
    let folder = html.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if html.is_dir() || !folder.is_dir() {
        let html = html.display();
        return Err(Failure::Usage(format!("--html {html}: name a file in a folder that is there")));
    }
    Ok(())
}

/// Whether the page is printed as data, too.
#[derive(Args, Debug)]
pub struct DataOptions {
    /// Print the tables of the page as JSON
    #[arg(long)]
    json: bool,
}

impl DataOptions {
    /// Writes the page, and prints its tables if they are asked for.
    pub fn write(&self, page: &Page, options: &PageOptions) -> Result<(), Failure> {
        options.write(page)?;
        if self.json { output::print(&output::json(&page.data())) } else { Ok(()) }
    }
}

/// More formats are no longer told apart in a plot.
const MOST_FORMATS: usize = 16;

/// Formats without those that are named again.
fn each_once(named: impl IntoIterator<Item = Format>) -> Result<Vec<Format>, Failure> {
    let mut formats: Vec<Format> = vec![];
    for format in named {
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    if formats.len() > MOST_FORMATS {
        return Err(Failure::Usage(format!("{} formats are named; a page shows up to {MOST_FORMATS}", formats.len())));
    }
    Ok(formats)
}

/// The command line, as it was given, for the foot of the page.
pub fn command() -> String {
    let words = std::env::args().skip(1);
    let quoted = words.map(|word| shlex::try_quote(&word).map_or(word.clone(), |quoted| quoted.into_owned()));
    ["binade".to_string()].into_iter().chain(quoted).collect::<Vec<_>>().join(" ")
}
