//! `binade report`: pages about formats, tensors, functions and units.

mod formats;
mod function;
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
    /// Range, density and accuracy of formats
    Formats(formats::Arguments),
    /// Which format suits your numbers: errors, losses and scales for the arrays of a file
    Tensor(tensor::Arguments),
    /// A function of one number in several formats: curve, error of every result, and cost
    Function(function::Arguments),
    /// Figures from papers on training formats, beside those of the golden model
    Papers(papers::Arguments),
    /// Cost of units, what is verified and proven, and which formats give the most accuracy for the area
    Units(Box<units::Arguments>),
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.subject {
        Subject::Formats(arguments) => formats::run(arguments),
        Subject::Tensor(arguments) => tensor::run(arguments),
        Subject::Function(arguments) => function::run(arguments),
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
