//! `binade explore`: the HTML page that needs no installation.

use crate::failure::Failure;
use crate::output;
use crate::page::check_place;
use binade_tools::{Error, Source, Tools};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  binade explore
  binade explore --html page.html --open")]
pub struct Arguments {
    /// The page to write, one self-contained HTML file
    #[arg(long, value_name = "FILE", default_value = "explore.html")]
    html: PathBuf,
    /// Open it in the browser
    #[arg(long)]
    open: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { html, open } = arguments;
    check_place(html)?;
    let page = binade_explore::page(&Tools::new(Source::Pinned).vega()?);
    output::write_files(&[(html, page.as_bytes())])?;
    output::say(format_args!("{}: {} kB, which a browser shows offline", html.display(), page.len() / 1000));
    if *open {
        let advice = format!("open `{}` in yours", html.display());
        open::that_detached(html)
            .map_err(|_| Error::Missing { tool: "a browser that can be started from here".into(), advice })?;
    }
    Ok(())
}
