//! `binade report formats`.

use crate::failure::Failure;
use crate::page::{DataOptions, PageOptions, command};
use binade_report::formats::page;
use binade_spec::Format;
use clap::Args;

/// Wider formats have many times more binades than a plot has pixels.
const MOST_BITS: u32 = 64;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  binade report formats e5m2 e5m2b1 e4m3fn posit8_1
  binade report formats posit16_1 posit16_1,scale=2^-2 posit16_1,scale=2^-6 --html shifted.html")]
pub struct Arguments {
    /// The formats, by any name that `binade formats` takes
    #[arg(value_name = "NAME", required = true)]
    names: Vec<Format>,
    #[command(flatten)]
    page: PageOptions,
    #[command(flatten)]
    data: DataOptions,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let formats = super::each_once(arguments.names.iter().copied())?;
    if let Some(format) = formats.iter().find(|format| format.width() > MOST_BITS) {
        let bits = format.width();
        return Err(Failure::Usage(format!("{format} has {bits} bits; a page shows formats of up to {MOST_BITS}")));
    }
    arguments.page.check()?;
    arguments.data.write(&page(&formats, &command()), &arguments.page)
}
