//! The page of the study.

use super::{POINTS, Study, Way};
use crate::spread::Spread;
use binade_report::{Axis, Datum, Figure, Mark, Page, Plot, Section, Series, Table};

/// The page of the study.
pub fn page(study: &Study, command: &str) -> Page {
    let setting = &study.setting;
    Page {
        title: format!("Least squares in {}", setting.format),
        lead: format!(
            "A linear model of {} weights, trained by {} steps of one sample with {} and rate {}, {} seeds. Nearest rounding of weights loses \
             small updates; that of activations and gradients costs little.",
            super::WEIGHTS,
            setting.steps,
            setting.optimizer,
            setting.rate,
            setting.seeds
        ),
        command: command.into(),
        sections: vec![section(study)],
    }
}

/// The results of the study: losses, distances, curves.
pub fn section(study: &Study) -> Section {
    let rows = Way::ALL.iter().map(|&way| {
        let summary = study.summary(way);
        vec![way.to_string(), summary.loss.to_string(), summary.distance.to_string()]
    });
    let caption = "At the end: middle (least to most) of the seeds";
    let columns = ["rounding", "mean squared error", "distance to the true weights"];
    let limits = format!(
        "The true weights, rounded to {}, have a mean squared error of {}: no training in this format can be expected to do better. By \
         Theorem 1 of the paper, weights whose updates are rounded to nearest stay at least {} away from the true ones, if labels have no \
         noise (here they do).",
        study.setting.format,
        study.floor(),
        study.theorem()
    );
    Section {
        title: "What stops a training".into(),
        text: vec![
            "After Zamirai et al., Revisiting BFloat16 Training (2020), Figure 2. Every operation is computed by the golden model; sums of \
             products are in binary32. The paper does not state the number of samples, steps or seeds, so only the ranking of the variants \
             can be compared."
                .into(),
            limits,
        ],
        tables: vec![Table::new(caption, &columns, rows.collect())],
        figures: vec![curves(study)],
    }
}

/// The median of all seeds at each point.
fn curves(study: &Study) -> Figure {
    let points = study.trainings[0].curve.len();
    let step = |point: usize| (point * study.setting.steps).div_ceil(POINTS.min(study.setting.steps));
    let middle = |way: Way, point: usize| {
        let losses = study.trainings.iter().filter(|trained| trained.way == way).map(|trained| trained.curve[point]);
        Spread::of(losses).middle
    };
    let line = |&way: &Way| {
        let datum = |point| {
            let loss: f64 = middle(way, point);
            Datum::at(step(point) as f64, loss.log2()).with_note(format!("{loss:.4}"))
        };
        Series {
            name: way.to_string(),
            mark: Mark::Line,
            data: (0..points).map(datum).filter(|datum| datum.y.is_finite()).collect(),
        }
    };
    let plot = Plot {
        title: "Loss during training".into(),
        description: "Mean squared error over the number of steps, for each kind of rounding.".into(),
        x: Axis::linear("steps"),
        y: Axis::powers_of_two("mean squared error"),
        height: 360,
        series: Way::ALL.iter().map(line).collect(),
    };
    let names: Vec<String> = Way::ALL.map(|way| way.to_string()).to_vec();
    let columns: Vec<&str> = ["steps"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let row = |point| {
        let losses = Way::ALL.map(|way| format!("{:.4}", middle(way, point)));
        [vec![step(point).to_string()], losses.to_vec()].concat()
    };
    Figure {
        plot,
        table: Table::new("Median of the mean squared errors of all seeds", &columns, (0..points).map(row).collect()),
    }
}
