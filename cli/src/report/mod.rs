//! `binade report`: pages about formats, tensors and units.

mod formats;
mod papers;
mod tensor;
mod units;

use crate::failure::Failure;
use binade_spec::Format;
use clap::{Args, Subcommand};

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

/// The most formats that a plot can distinguish.
const MOST_FORMATS: usize = 16;

/// The formats without duplicates.
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
