//! `binade explore`: the HTML page that needs no installation.

#[cfg(not(feature = "module"))]
mod built;

use crate::failure::Failure;
use crate::output;
use crate::page::check_place;
use binade_tools::{Error, Source, Tools};
use clap::Args;
use std::borrow::Cow;
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
    let tools = Tools::new(Source::Pinned);
    let (module, vega) = (module(&tools)?, tools.vega()?);
    let page = binade_explore::page(&vega, &module);
    output::write_files(&[(html, page.as_bytes())])?;
    output::say(format_args!("{}: {} kB, which a browser shows offline", html.display(), page.len() / 1000));
    if *open {
        let advice = format!("open `{}` in yours", html.display());
        open::that_detached(html)
            .map_err(|_| Error::Missing { tool: "a browser that can be started from here".into(), advice })?;
    }
    Ok(())
}

/// The WebAssembly module of the page: the file that `BINADE_MODULE` named when this program was compiled.
#[cfg(feature = "module")]
fn module(_: &Tools) -> Result<Cow<'static, [u8]>, Error> {
    Ok(Cow::Borrowed(include_bytes!(env!("BINADE_MODULE"))))
}

/// The WebAssembly module of the page, built from the checkout that this program is from.
#[cfg(not(feature = "module"))]
fn module(tools: &Tools) -> Result<Cow<'static, [u8]>, Error> {
    built::module(tools).map(Cow::Owned)
}
