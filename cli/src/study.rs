//! `binade study`: small trainings in a format.

use crate::failure::Failure;
use crate::output;
use crate::report::{PageOptions, command};
use binade_spec::Format;
use binade_study::least_squares::{self, Setting, Study, StudyError, Way};
use binade_tools::{Error, interrupted};
use clap::{Args, Subcommand};
use comfy_table::{Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand, Debug)]
enum Subject {
    /// A linear model, trained with weights, activations and gradients in a format: nearest rounding, stochastic rounding, Kahan's summation
    LeastSquares(LeastSquares),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  binade study least-squares
  binade study least-squares --format posit16_1 --seeds 9 --html posit16.html")]
struct LeastSquares {
    /// Number format of weights, activations and gradients, of up to 16 bits
    #[arg(long, default_value = "bfloat16")]
    format: Format,
    /// How often all is done, each time with other numbers
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    seeds: u64,
    /// Steps of each training, one sample each
    #[arg(long, value_name = "COUNT", default_value_t = 20_000)]
    steps: usize,
    /// What gradients are multiplied by
    #[arg(long, default_value_t = 0.01, allow_negative_numbers = true)]
    rate: f32,
    /// Write a page with the losses on the way, too: one HTML file that needs no other
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.subject {
        Subject::LeastSquares(arguments) => least_squares(arguments),
    }
}

fn least_squares(arguments: &LeastSquares) -> Result<(), Failure> {
    let LeastSquares { format, seeds, steps, rate, .. } = *arguments;
    let page = arguments.html.clone().map(PageOptions::new);
    page.as_ref().map_or(Ok(()), PageOptions::check)?;
    let study = trained(&Setting { format, seeds, steps, rate })?;
    output::print(&if arguments.json { output::json(&study) } else { table(&study) })?;
    page.map_or(Ok(()), |page| page.write(&least_squares::page(&study, &command())))
}

/// The trainings, with a bar of progress.
pub fn trained(setting: &Setting) -> Result<Study, Failure> {
    let bar = ProgressBar::with_draw_target(Some(setting.points()), ProgressDrawTarget::stderr());
    let go_on = || {
        bar.inc(1);
        !interrupted()
    };
    let study = least_squares::study(setting, &go_on);
    bar.finish_and_clear();
    study.map_err(|error| match error {
        StudyError::Stopped => Failure::Tool(Error::Interrupted),
        StudyError::TooWide { .. }
        | StudyError::NotStochastic { .. }
        | StudyError::NoUnit(_)
        | StudyError::Setting(_) => Failure::Usage(error.to_string()),
    })
}

fn table(study: &Study) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(["rounding", "mean squared error", "distance"]);
    for way in Way::ALL {
        let summary = study.summary(way);
        table.add_row([way.to_string(), summary.loss.to_string(), summary.distance.to_string()]);
    }
    let Setting { format, seeds, steps, rate } = study.setting;
    format!(
        "{table}\n\n{steps} steps, rate {rate}; middle (least to most) of {seeds} seeds\n\
         the true weights, rounded to {format}: mean squared error {}\n\
         nearest updates stay away from the true weights by at least {} (Theorem 1, for labels without noise)\n",
        study.floor(),
        study.theorem()
    )
}
