//! The page of the study.

use super::{Study, Summary, Tensor};
use crate::spread::Spread;
use binade_report::{Axis, Datum, Figure, Mark, Page, Plot, Section, Series, Table};

/// The page of the study.
pub fn page(study: &Study, command: &str) -> Page {
    Page {
        title: "Handwritten digits".into(),
        lead: format!(
            "A network with 64 inputs, 32 hidden units and 10 outputs learns {} images in {} epochs. Which share of its tensors is below \
             the full precision of a format, and does it matter?",
            super::IMAGES_TO_LEARN,
            study.epochs
        ),
        command: command.into(),
        sections: vec![section(study)],
    }
}

/// The results of the study: accuracies, shares, tensors.
pub fn section(study: &Study) -> Section {
    let rows = study.summaries().into_iter().map(|summary| {
        let Summary { way, accuracy, below_full_precision: [below, mean], flushed: [flushed, mean_flushed] } = summary;
        let spreads = [accuracy, below, mean, flushed, mean_flushed].map(|spread| spread.to_string());
        [vec![way.to_string()], spreads.to_vec()].concat()
    });
    let columns = [
        "way",
        "read right",
        "below full precision, at most",
        "in the mean",
        "flushed to zero, at most",
        "flushed in the mean",
    ];
    let table = Table::new("Shares: middle (least to most) of the seeds", &columns, rows.collect());
    Section {
        title: "Handwritten digits: the range that a training needs".into(),
        text: vec![
            "After Popescu et al., Representation range needs for 16-bit neural network training (2021), Tables II and III, on a small \
             scale: the paper uses other networks and data, so only the ranking of the variants can be compared. Every sum and product is \
             computed by the golden model."
                .into(),
            "Shares are fractions of a tensor's elements over an epoch, among those that are not zero before rounding: the largest over \
             all tensors and epochs, and their mean. Below full precision are subnormals, supernormal powers of two, and posits with long \
             regimes. Differences in accuracy within the spread of the seeds are not significant."
                .into(),
        ],
        tables: vec![table],
        figures: vec![tensors(study)],
    }
}

/// The largest share of each tensor in any epoch that is below full precision or flushed.
fn tensors(study: &Study) -> Figure {
    let most = |summary: &Summary, tensor: usize| {
        let of_way = study.trainings.iter().filter(|trained| trained.way == summary.way);
        Spread::of(of_way.map(|trained| lost(&trained.tensors[tensor]))).middle
    };
    let names: Vec<&str> = study.trainings[0].tensors.iter().map(|tensor| tensor.name).collect();
    let summaries = &study.summaries()[1..];
    let series = |summary: &Summary| Series {
        name: summary.way.to_string(),
        mark: Mark::Points,
        data: names
            .iter()
            .enumerate()
            .map(|(tensor, name)| Datum::at((tensor + 1) as f64, most(summary, tensor)).with_note(*name))
            .collect(),
    };
    let plot = Plot {
        title: "What tensors lose".into(),
        description: "For each tensor, the largest share of its elements in any epoch that is below full precision or becomes zero.".into(),
        x: Axis::linear("tensor, as in the table"),
        y: Axis::linear("share"),
        height: 360,
        series: summaries.iter().map(series).collect(),
    };
    let columns: Vec<String> =
        names.iter().enumerate().map(|(number, name)| format!("{}: {name}", number + 1)).collect();
    let columns: Vec<&str> = ["way"].into_iter().chain(columns.iter().map(String::as_str)).collect();
    let rows = summaries.iter().map(|summary| {
        let shares = (0..names.len()).map(|tensor| format!("{:.3}", most(summary, tensor)));
        [summary.way.to_string()].into_iter().chain(shares).collect()
    });
    let caption = "Largest share below full precision or flushed, median of the seeds";
    Figure { plot, table: Table::new(caption, &columns, rows.collect()) }
}

/// The largest share in any epoch that is below full precision or flushed.
fn lost(tensor: &Tensor) -> f64 {
    let shares = tensor.below_full_precision.iter().zip(&tensor.flushed);
    shares.map(|(below, flushed)| below + flushed).fold(0.0, f64::max)
}
