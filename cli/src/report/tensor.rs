//! `binade report tensor`.

use crate::failure::Failure;
use crate::output;
use crate::page::{PageOptions, command};
use crate::synth::formats_of_list;
use binade_report::tensor::{Analysis, Array, Errors, Judgement, TensorError, TensorFile, analyze, page};
use binade_spec::Format;
use binade_tools::{Error, interrupted, left_on_interrupt};
use clap::Args;
use comfy_table::{Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "\
Numbers are rounded to nearest; values beyond the largest become the largest.

Examples:
  binade report tensor weights.npy --formats e5m2,e4m3fn,e5m2b1,posit8_1
  binade report tensor model.safetensors --tensor lm_head.weight --formats e4m3fn,bfloat16 --json")]
pub struct Arguments {
    /// The file: .npy, .npz or .safetensors, of any size
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Formats to try (comma-separated or repeated)
    #[arg(long, value_name = "FORMATS", required = true, value_parser = formats_of_list::<Format>)]
    formats: Vec<Vec<Format>>,
    /// Only the array of this name in the file
    #[arg(long, value_name = "NAME")]
    tensor: Option<String>,
    #[command(flatten)]
    page: PageOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The results for the arrays of a file, each and all together.
#[derive(Serialize)]
struct Figures {
    arrays: Vec<ArrayFigures>,
    all: Vec<FormatFigures>,
}

#[derive(Serialize)]
struct ArrayFigures {
    name: String,
    shape: Vec<u64>,
    elements_are: String,
    elements: u64,
    zeros: u64,
    nans: u64,
    infinities: u64,
    smallest: f64,
    largest: f64,
    formats: Vec<FormatFigures>,
}

#[derive(Serialize)]
struct FormatFigures {
    format: String,
    plain: ErrorFigures,
    /// log2 of the best scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_scale: Option<i32>,
    scaled: ErrorFigures,
    blocks: ErrorFigures,
}

#[derive(Serialize)]
struct ErrorFigures {
    flushed: u64,
    below_full_precision: u64,
    overflows: u64,
    mse: f64,
    /// None if the error is zero, or if there are no finite numbers.
    sqnr_db: Option<f64>,
    max_relative_error: f64,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.page.check()?;
    output::check_not_read(&arguments.page.html, &arguments.file)?;
    let formats = super::each_once(arguments.formats.iter().flatten().copied())?;
    let analysis = analyzed(&arguments.file, arguments.tensor.as_deref(), &formats)?;
    let name = arguments.file.file_name().unwrap_or_default().to_string_lossy();
    arguments.page.write(&page(&analysis, &name, &command()))?;
    output::print(&if arguments.json { output::json(&Figures::new(&analysis)) } else { table(&analysis.judgements) })
}

/// Encodes the arrays of a file, or one of them, in each format.
pub fn analyzed(path: &Path, tensor: Option<&str>, formats: &[Format]) -> Result<Analysis, Failure> {
    let file = TensorFile::open(path).map_err(failure)?;
    let arrays = chosen(&file, path, tensor)?;
    let bytes: u64 = arrays.iter().map(|array| array.len() * array.element.bytes() as u64).sum();
    let style = ProgressStyle::with_template("{bar:40} {bytes} of {total_bytes} read (twice), {elapsed}");
    let bar = ProgressBar::with_draw_target(Some(2 * bytes), ProgressDrawTarget::stderr())
        .with_style(style.expect("the template is valid"));
    let go_on = |bytes| {
        bar.inc(bytes);
        !interrupted()
    };
    let analysis = left_on_interrupt(|| analyze(&file, &arrays, formats, &go_on));
    bar.finish_and_clear();
    analysis.map_err(failure)
}

fn failure(error: TensorError) -> Failure {
    match error {
        TensorError::Stopped => Failure::Tool(Error::Interrupted),
        TensorError::TooWide { .. } | TensorError::Kind { .. } => Failure::Usage(error.to_string()),
        TensorError::Unreadable { .. } | TensorError::Damaged { .. } => Failure::File(error.to_string()),
    }
}

/// The selected arrays: the named one, or all.
fn chosen<'f>(file: &'f TensorFile, path: &Path, tensor: Option<&str>) -> Result<Vec<&'f Array>, Failure> {
    let usage = |message: String| Err(Failure::Usage(format!("`{}`: {message}", path.display())));
    let numbers = "arrays of floating-point numbers or of integers of up to 32 bits are accepted";
    if let Some(name) = tensor {
        if let Some(array) = file.arrays.iter().find(|array| array.name == name) {
            return Ok(vec![array]);
        }
        if let Some((_, what)) = file.others.iter().find(|(other, _)| other == name) {
            return usage(format!("`{name}` has elements of type {what}; {numbers}"));
        }
        let mut names: Vec<&str> = file.arrays.iter().map(|array| array.name.as_str()).take(10).collect();
        if file.arrays.len() > names.len() {
            names.push("..");
        }
        return usage(format!("there is no array `{name}`; there are {}", names.join(", ")));
    }
    if let Some((name, what)) = file.others.first() {
        if file.arrays.is_empty() {
            return usage(format!("`{name}` has elements of type {what}; {numbers}"));
        }
        let count = output::counted(file.others.len(), "array");
        output::say(format_args!("note: {count} left out, the first `{name}` of type {what}; {numbers}"));
    }
    let arrays: Vec<&Array> = file.arrays.iter().filter(|array| !array.is_empty()).collect();
    if arrays.is_empty() { usage("it contains no numbers".into()) } else { Ok(arrays) }
}

impl Figures {
    fn new(analysis: &Analysis) -> Figures {
        let array = |measured: &binade_report::tensor::Measured| ArrayFigures {
            name: measured.array.name.clone(),
            shape: measured.array.shape.clone(),
            elements_are: measured.array.element.to_string(),
            elements: measured.survey.elements,
            zeros: measured.survey.zeros,
            nans: measured.survey.nans,
            infinities: measured.survey.infinities,
            smallest: measured.survey.smallest,
            largest: measured.survey.largest,
            formats: measured.judgements.iter().map(FormatFigures::new).collect(),
        };
        Figures {
            arrays: analysis.arrays.iter().map(array).collect(),
            all: analysis.judgements.iter().map(FormatFigures::new).collect(),
        }
    }
}

impl FormatFigures {
    fn new(judgement: &Judgement) -> FormatFigures {
        FormatFigures {
            format: judgement.format.to_string(),
            plain: ErrorFigures::new(&judgement.plain),
            best_scale: judgement.scale,
            scaled: ErrorFigures::new(&judgement.scaled),
            blocks: ErrorFigures::new(&judgement.blocks),
        }
    }
}

impl ErrorFigures {
    fn new(errors: &Errors) -> ErrorFigures {
        let Errors { flushed, below_full_precision, overflows, max_relative_error, .. } = *errors;
        ErrorFigures {
            flushed,
            below_full_precision,
            overflows,
            mse: errors.mse(),
            sqnr_db: errors.sqnr_db(),
            max_relative_error,
        }
    }
}

/// A table that compares the formats.
fn table(judgements: &[Judgement]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        "format",
        "bits",
        "SQNR",
        "with a scale",
        "a scale per block (OCP)",
        "flushed",
        "below full",
        "beyond",
    ]);
    for Judgement { format, plain, scale, scaled, blocks } in judgements {
        let at = scale.filter(|_| plain.numbers > 0).map_or(String::new(), |scale| format!(" at 2^{scale}"));
        let shares = [plain.flushed, plain.below_full_precision, plain.overflows]
            .map(|count| format!("{:.2} %", 100.0 * plain.share(count)));
        let [flushed, below, beyond] = shares;
        table.add_row([
            format.to_string(),
            format.width().to_string(),
            plain.sqnr_text(),
            format!("{}{at}", scaled.sqnr_text()),
            blocks.sqnr_text(),
            flushed,
            below,
            beyond,
        ]);
    }
    table.to_string()
}
