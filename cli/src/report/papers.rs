//! `binade report papers`.

use crate::failure::Failure;
use crate::page::{DataOptions, PageOptions, command};
use crate::study::{trained, trained_networks};
use binade_report::Section;
use binade_report::papers::page;
use binade_study::{digits, least_squares};
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
    let mut page = page(&command());
    page.sections.extend([small_networks()?, weight_updates()?]);
    arguments.data.write(&page, &arguments.page)
}

/// A study with one seed and half the epochs, which takes a few seconds.
fn small_networks() -> Result<Section, Failure> {
    let formats = ["binary16", "e6m9"].map(|name| name.parse().expect("a format"));
    let setting = digits::Setting { seeds: 1, epochs: 4, ..digits::Setting::new(formats.to_vec()) };
    let title = "Popescu et al.: Representation range needs, Tables II and III in small".to_string();
    Ok(Section { title, ..digits::section(&trained_networks(&setting)?) })
}

fn weight_updates() -> Result<Section, Failure> {
    let setting = least_squares::Setting::new("bfloat16".parse().expect("a format"));
    let title = "Zamirai et al.: Revisiting bfloat16 training".to_string();
    Ok(Section { title, ..least_squares::section(&trained(&setting)?) })
}
