//! Compares our figures with the best ones of the peers, row by row, with means.

use serde::Serialize;

use crate::area::Area;
use crate::report::Report;

use super::read::{Figures, Goal, Verdict};

/// The quality that a figure measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// The area of the small unit.
    Area,
    /// The cells on the longest path of the shallow unit.
    Depth,
}

/// A figure that both peers and our reports have.
pub(super) struct Metric {
    pub(super) title: &'static str,
    pub(super) quality: Quality,
    of_peer: fn(&Figures) -> Option<f64>,
    ours: fn(&Report) -> Option<f64>,
}

pub(super) const METRICS: [Metric; 7] = [
    Metric { title: "LUT4", quality: Quality::Area, of_peer: |peer| peer.lut4, ours: lut4 },
    Metric { title: "xc7 LUTs", quality: Quality::Area, of_peer: |peer| peer.xc7_luts, ours: xc7_luts },
    Metric { title: "ALM lo", quality: Quality::Area, of_peer: |peer| peer.alm_lo, ours: alm_lo },
    Metric { title: "gates", quality: Quality::Area, of_peer: |peer| peer.gates, ours: gates },
    Metric { title: "ice40 depth", quality: Quality::Depth, of_peer: |peer| peer.ice40_depth, ours: ice40_depth },
    Metric { title: "gate depth", quality: Quality::Depth, of_peer: |peer| peer.gate_depth, ours: gate_depth },
    Metric { title: "ALM depth", quality: Quality::Depth, of_peer: |peer| peer.alm_depth, ours: alm_depth },
];

fn lut4(report: &Report) -> Option<f64> {
    if let Area::Ice40(area) = report.area { Some(area.lut4.into()) } else { None }
}

fn xc7_luts(report: &Report) -> Option<f64> {
    if let Area::Xc7(area) = report.area { Some(area.luts.into()) } else { None }
}

fn alm_lo(report: &Report) -> Option<f64> {
    if let Area::Cyclonev(area) = report.area { Some(area.alm_lo) } else { None }
}

fn gates(report: &Report) -> Option<f64> {
    if let Area::Generic(area) = report.area { Some(area.gates.into()) } else { None }
}

fn ice40_depth(report: &Report) -> Option<f64> {
    matches!(report.area, Area::Ice40(_)).then(|| report.depth.into())
}

fn gate_depth(report: &Report) -> Option<f64> {
    matches!(report.area, Area::Generic(_)).then(|| report.depth.into())
}

fn alm_depth(report: &Report) -> Option<f64> {
    matches!(report.area, Area::Cyclonev(_)).then(|| report.depth.into())
}

/// The reports of one row: our units on all targets.
pub struct Ours<'r> {
    /// The name of the small unit.
    pub unit: &'r str,
    /// The reports of the unit built for area.
    pub small: Vec<&'r Report>,
    /// The reports of the unit built for depth.
    pub shallow: Vec<&'r Report>,
}

/// Which peers a row is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Against {
    /// Peers that compute the same function and are not known to be wrong.
    Right,
    /// Peers that compute the same function but are known to be wrong, if there are no others.
    Wrong,
    /// Peers that do less than our unit, if there are no others.
    Less,
}

/// One of our figures compared with the peers' best.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The column's title, as in `LUT4` or `gate depth`.
    pub figure: &'static str,
    /// Which of the row's two means the ratio is part of.
    pub quality: Quality,
    /// Our figure, in cells.
    pub ours: f64,
    /// The lowest figure of the peers, in cells.
    pub best: f64,
    /// The peer with the lowest figure.
    pub peer: String,
    /// `ours / best`.
    pub ratio: f64,
}

/// A unit and its peers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The name of our small unit.
    pub unit: String,
    /// Which peers its figures are compared with.
    pub against: Against,
    /// All figures that both our reports and at least one peer have.
    pub figures: Vec<Compared>,
    /// Geometric mean of the ratios of area; none if there are no figures, or ours are all 0.
    pub area: Option<f64>,
    /// Geometric mean of the ratios of depth; none if there are no figures, or ours are all 0.
    pub depth: Option<f64>,
}

/// The units of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Family {
    /// The family's name, as in [`Goal::name`].
    pub name: String,
    /// The rows that the means cover: those compared with right peers, or, if there are none, all rows.
    pub against: Against,
    /// Geometric mean of the ratios of area in all those rows.
    pub area: Option<f64>,
    /// Geometric mean of the ratios of depth in all those rows.
    pub depth: Option<f64>,
    /// The target for the ratio of area.
    pub area_goal: Option<f64>,
    /// The target for the ratio of depth.
    pub depth_goal: Option<f64>,
    /// The family's units for which the peers have figures.
    pub rows: Vec<Row>,
}

/// All families with all rows: our units and the peers' figures.
pub fn compare(peers: &[Figures], goals: &[Goal], ours: &[Ours]) -> Vec<Family> {
    goals.iter().map(|goal| family(goal, peers, ours)).collect()
}

fn family(goal: &Goal, peers: &[Figures], ours: &[Ours]) -> Family {
    let rows: Vec<Row> = ours
        .iter()
        .filter_map(|ours| {
            let of_row = peers.iter().filter(|peer| peer.family == goal.name && peer.unit == ours.unit);
            let of_row: Vec<&Figures> = of_row.collect();
            (!of_row.is_empty()).then(|| row(ours, &of_row))
        })
        .collect();
    let against = rows.iter().map(|row| row.against).min().unwrap_or(Against::Right);
    let counted = || rows.iter().filter(|row| against != Against::Right || row.against == Against::Right);
    let mean_of = |quality| mean(counted().flat_map(|row| &row.figures).filter(|figure| figure.quality == quality));
    let (area, depth) = (mean_of(Quality::Area), mean_of(Quality::Depth));
    let name = goal.name.clone();
    Family { name, against, area, depth, area_goal: goal.area, depth_goal: goal.depth, rows }
}

fn row(ours: &Ours, peers: &[&Figures]) -> Row {
    let same = |peer: &&&Figures| peer.function == "same";
    let right = |peer: &&&Figures| peer.right != Verdict::Wrong;
    let against = match (peers.iter().any(|peer| same(&peer) && right(&peer)), peers.iter().any(|peer| same(&peer))) {
        (true, _) => Against::Right,
        (false, true) => Against::Wrong,
        (false, false) => Against::Less,
    };
    let counts = |peer: &&&Figures| match against {
        Against::Right => same(peer) && right(peer),
        Against::Wrong => same(peer),
        Against::Less => true,
    };
    let counted: Vec<&Figures> = peers.iter().filter(counts).copied().collect();
    let figures: Vec<Compared> = METRICS.iter().filter_map(|metric| compared(metric, ours, &counted)).collect();
    let mean_of = |quality| mean(figures.iter().filter(|figure| figure.quality == quality));
    let (area, depth) = (mean_of(Quality::Area), mean_of(Quality::Depth));
    Row { unit: ours.unit.into(), against, area, depth, figures }
}

/// Our figure compared with the best one; none if either is missing.
fn compared(metric: &Metric, ours: &Ours, peers: &[&Figures]) -> Option<Compared> {
    let reports = match metric.quality {
        Quality::Area => &ours.small,
        Quality::Depth => &ours.shallow,
    };
    let ours = reports.iter().find_map(|report| (metric.ours)(report))?;
    let figures = peers.iter().filter_map(|peer| Some(((metric.of_peer)(peer)?, &peer.peer)));
    let (best, peer) = figures.min_by(|one, other| one.0.total_cmp(&other.0))?;
    // Zero against zero is a tie.
    let ratio = if ours == best { 1.0 } else { ours / best };
    let peer = peer.clone();
    Some(Compared { figure: metric.title, quality: metric.quality, ours, best, peer, ratio })
}

/// Geometric mean of the ratios. Ratios of 0 are left out.
fn mean<'f>(figures: impl Iterator<Item = &'f Compared>) -> Option<f64> {
    let logarithms: Vec<f64> = figures.map(|figure| figure.ratio).filter(|ratio| *ratio > 0.0).map(f64::ln).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}
