//! `binade study`: trains small models in a format.

use crate::failure::Failure;
use crate::names::named;
use crate::output;
use crate::page::{PageOptions, command};
use crate::settings::refused;
use crate::synth::formats_of_list;
use binade_spec::{Format, Optimizer};
use binade_study::least_squares::{self, Setting, Study, Way};
use binade_study::{Spread, StudyError, digits};
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
    /// Train a linear model with weights, activations and gradients in a format: nearest rounding, stochastic rounding, Kahan summation
    LeastSquares(LeastSquares),
    /// Train a small network on handwritten digits: the share of its tensors below full precision, with and without a scaled loss
    Digits(Digits),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  binade study least-squares
  binade study least-squares --optimizer adamw --rate 0.5
  binade study least-squares --format posit16_1 --seeds 9 --html posit16.html")]
struct LeastSquares {
    /// Number format of weights, activations and gradients, of up to 16 bits
    #[arg(long, default_value = "bfloat16")]
    format: Format,
    /// Number of repetitions, each with other random numbers
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    seeds: u64,
    /// Steps of each training, one sample each
    #[arg(long, value_name = "COUNT", default_value_t = 20_000)]
    steps: usize,
    /// Learning rate, by which gradients are multiplied
    #[arg(long, default_value_t = 0.01, allow_negative_numbers = true)]
    rate: f32,
    /// What the update of a weight is made of: sgd, momentum or adamw
    #[arg(long, value_name = "OPTIMIZER", default_value = "sgd", value_parser = named::<Optimizer>(&Optimizer::ALL.map(Optimizer::name)))]
    optimizer: Optimizer,
    /// Also write a page with the losses during training, one self-contained HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  binade study digits
  binade study digits --formats e5m2,e5m2b1 --loss-scale 4096 --html digits.html")]
struct Digits {
    /// Number formats of weights, activations and gradients, of up to 16 bits
    #[arg(long, value_name = "FORMATS", value_parser = formats_of_list::<Format>, default_value = "binary16,e6m9")]
    formats: Vec<Vec<Format>>,
    /// Number of repetitions, each with other initial weights and other images to learn
    #[arg(long, value_name = "COUNT", default_value_t = 3)]
    seeds: u64,
    /// Number of passes over all images
    #[arg(long, value_name = "COUNT", default_value_t = 8)]
    epochs: usize,
    /// Learning rate, by which gradients are multiplied
    #[arg(long, default_value_t = 0.25, allow_negative_numbers = true)]
    rate: f32,
    /// Factor of the scaled loss, a power of two
    #[arg(long, value_name = "POWER", default_value_t = 1024.0, allow_negative_numbers = true)]
    loss_scale: f32,
    /// Also write a page with the shares of each tensor, one self-contained HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.subject {
        Subject::LeastSquares(arguments) => least_squares(arguments),
        Subject::Digits(arguments) => handwritten(arguments),
    }
}

fn least_squares(arguments: &LeastSquares) -> Result<(), Failure> {
    let LeastSquares { format, seeds, steps, rate, optimizer, .. } = *arguments;
    let page = arguments.html.clone().map(PageOptions::new);
    page.as_ref().map_or(Ok(()), PageOptions::check)?;
    let study = trained(&Setting { format, seeds, steps, rate, optimizer })?;
    output::print(&if arguments.json { output::json(&study) } else { table(&study) })?;
    page.map_or(Ok(()), |page| page.write(&least_squares::page(&study, &command())))
}

/// Runs the trainings with a progress bar.
pub fn trained(setting: &Setting) -> Result<Study, Failure> {
    with_progress(setting.points(), |go_on| least_squares::study(setting, go_on))
}

/// Runs the trainings of networks with a progress bar.
pub fn trained_networks(setting: &digits::Setting) -> Result<digits::Study, Failure> {
    with_progress(setting.epochs_of_all(), |go_on| digits::study(setting, go_on))
}

/// Runs a study of `parts` parts, which asks before each part whether to go on.
fn with_progress<S>(
    parts: u64,
    study: impl Fn(&(dyn Fn() -> bool + Sync)) -> Result<S, StudyError>,
) -> Result<S, Failure> {
    let bar = ProgressBar::with_draw_target(Some(parts), ProgressDrawTarget::stderr());
    let go_on = || {
        bar.inc(1);
        !interrupted()
    };
    let study = study(&go_on);
    bar.finish_and_clear();
    study.map_err(|error| match error {
        StudyError::Stopped => Failure::Tool(Error::Interrupted),
        StudyError::NoUnit(error) => refused(error),
        StudyError::TooWide { .. }
        | StudyError::NotStochastic { .. }
        | StudyError::Unsigned { .. }
        | StudyError::Range { .. }
        | StudyError::Coarse { .. }
        | StudyError::Beyond { .. }
        | StudyError::Setting(_) => Failure::Usage(error.to_string()),
    })
}

fn handwritten(arguments: &Digits) -> Result<(), Failure> {
    let Digits { formats, seeds, epochs, rate, loss_scale, .. } = arguments;
    let (seeds, epochs, rate, loss_scale) = (*seeds, *epochs, *rate, *loss_scale);
    let setting = digits::Setting { formats: formats.concat(), seeds, epochs, rate, loss_scale };
    let page = arguments.html.clone().map(PageOptions::new);
    page.as_ref().map_or(Ok(()), PageOptions::check)?;
    let study = trained_networks(&setting)?;
    output::print(&if arguments.json { output::json(&study) } else { table_of_networks(&study, seeds) })?;
    page.map_or(Ok(()), |page| page.write(&digits::page(&study, &command())))
}

fn table_of_networks(study: &digits::Study, seeds: u64) -> String {
    let mut table = Table::new();
    let header = ["way", "read right", "below full precision", "mean", "flushed to zero", "mean"];
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for summary in study.summaries() {
        let [below, mean_below] = summary.below_full_precision;
        let [flushed, mean_flushed] = summary.flushed;
        let mean = |spread: Spread| format!("{:.3}", spread.middle);
        table.add_row([
            summary.way.to_string(),
            summary.accuracy.to_string(),
            below.to_string(),
            mean(mean_below),
            flushed.to_string(),
            mean(mean_flushed),
        ]);
    }
    let digits::Study { epochs, rate, .. } = study;
    format!(
        "{table}\n\n{epochs} epochs, rate {rate}; middle (least to most) of {seeds} seeds\n\
         shares: the largest of any tensor in an epoch, of what is not zero before it is rounded, and their mean\n"
    )
}

fn table(study: &Study) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(["rounding", "mean squared error", "distance"]);
    for way in Way::ALL {
        let summary = study.summary(way);
        table.add_row([way.to_string(), summary.loss.to_string(), summary.distance.to_string()]);
    }
    let Setting { format, seeds, steps, rate, optimizer } = study.setting;
    let made = if optimizer == Optimizer::Sgd { String::new() } else { format!(" of {optimizer}") };
    format!(
        "{table}\n\n{steps} steps{made}, rate {rate}; middle (least to most) of {seeds} seeds\n\
         the true weights, rounded to {format}: mean squared error {}\n\
         nearest updates stay away from the true weights by at least {} (Theorem 1, for labels without noise)\n",
        study.floor(),
        study.theorem()
    )
}
