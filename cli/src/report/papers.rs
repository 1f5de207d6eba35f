//! `binade report papers`.

use super::{DataOptions, PageOptions};
use crate::failure::Failure;
use crate::study::trained;
use binade_report::Section;
use binade_report::papers::page;
use binade_study::least_squares::{Setting, section};
use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  binade report papers --html papers.html")]
pub struct Arguments {
    #[command(flatten)]
    page: PageOptions,
    #[command(flatten)]
    data: DataOptions,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.page.check()?;
    let mut page = page(&super::command());
    let study = trained(&Setting::new("bfloat16".parse().expect("a format")))?;
    let title = "Zamirai et al.: Revisiting bfloat16 training".to_string();
    page.sections.push(Section { title, ..section(&study) });
    arguments.data.write(&page, &arguments.page)
}
