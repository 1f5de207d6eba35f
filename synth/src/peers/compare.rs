//! Compares our figures with the best ones of the peers, row by row, with means.

use binade_circuit::Optimize;
use serde::{Serialize, Serializer};

use crate::area::Area;
use crate::report::MappedReport;

use super::read::{Figures, Goal, Verdict};

/// The quality that a figure measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// The area.
    Area,
    /// The cells on the longest path.
    Depth,
}

/// A figure that both peers and our reports have.
pub(super) struct Metric {
    pub(super) title: &'static str,
    pub(super) quality: Quality,
    of_peer: fn(&Figures) -> Option<f64>,
    ours: fn(&MappedReport) -> Option<f64>,
}

pub(super) const METRICS: [Metric; 8] = [
    Metric { title: "LUT4", quality: Quality::Area, of_peer: |peer| peer.lut4, ours: lut4 },
    Metric { title: "xc7 LUTs", quality: Quality::Area, of_peer: |peer| peer.xc7_luts, ours: xc7_luts },
    Metric { title: "ECP5 LUTs", quality: Quality::Area, of_peer: |peer| peer.ecp5_luts, ours: ecp5_luts },
    Metric { title: "ALM lo", quality: Quality::Area, of_peer: |peer| peer.alm_lo, ours: alm_lo },
    Metric { title: "gates", quality: Quality::Area, of_peer: |peer| peer.gates, ours: gates },
    Metric { title: "ice40 depth", quality: Quality::Depth, of_peer: |peer| peer.ice40_depth, ours: ice40_depth },
    Metric { title: "gate depth", quality: Quality::Depth, of_peer: |peer| peer.gate_depth, ours: gate_depth },
    Metric { title: "ALM depth", quality: Quality::Depth, of_peer: |peer| peer.alm_depth, ours: alm_depth },
];

fn lut4(report: &MappedReport) -> Option<f64> {
    if let Area::Ice40(area) = report.area { Some(area.lut4.into()) } else { None }
}

fn xc7_luts(report: &MappedReport) -> Option<f64> {
    if let Area::Xc7(area) = report.area { Some(area.luts.into()) } else { None }
}

fn ecp5_luts(report: &MappedReport) -> Option<f64> {
    if let Area::Ecp5(area) = report.area { Some(area.luts.into()) } else { None }
}

fn alm_lo(report: &MappedReport) -> Option<f64> {
    if let Area::Cyclonev(area) = report.area { Some(area.alm_lo) } else { None }
}

fn gates(report: &MappedReport) -> Option<f64> {
    if let Area::Generic(area) = report.area { Some(area.gates.into()) } else { None }
}

fn ice40_depth(report: &MappedReport) -> Option<f64> {
    matches!(report.area, Area::Ice40(_)).then(|| report.depth.into())
}

fn gate_depth(report: &MappedReport) -> Option<f64> {
    matches!(report.area, Area::Generic(_)).then(|| report.depth.into())
}

fn alm_depth(report: &MappedReport) -> Option<f64> {
    matches!(report.area, Area::Cyclonev(_)).then(|| report.depth.into())
}

/// One of our units, measured on all targets.
pub struct Ours<'r> {
    /// The name of the unit built for area, by which peers' figures are found.
    pub of: &'r str,
    /// The unit's name.
    pub unit: &'r str,
    /// What the unit is built for.
    pub built_for: Optimize,
    /// The unit's reports.
    pub reports: Vec<&'r MappedReport>,
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

/// Geometric means of ratios.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Means {
    /// That of the ratios of area; none if there are no figures, or ours are all 0.
    pub area: Option<f64>,
    /// That of the ratios of depth; none if there are no figures, or ours are all 0.
    pub depth: Option<f64>,
}

/// A unit and its peers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The unit's name.
    pub unit: String,
    /// What the unit is built for.
    #[serde(serialize_with = "by_name")]
    pub built_for: Optimize,
    /// Which peers its figures are compared with.
    pub against: Against,
    /// All figures that both our reports and at least one peer have.
    pub figures: Vec<Compared>,
    /// The means of the figures.
    pub means: Means,
}

/// The units of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Family {
    /// The family's name, as in [`Goal::name`].
    pub name: String,
    /// The rows that the means cover: those compared with right peers, or, if there are none, all rows.
    pub against: Against,
    /// The means of units built for area.
    pub small: Means,
    /// The means of units built for depth.
    pub shallow: Means,
    /// The target for the area of units built for area.
    pub area_goal: Option<f64>,
    /// The target for the depth of units built for depth.
    pub depth_goal: Option<f64>,
    /// The family's units for which the peers have figures.
    pub rows: Vec<Row>,
}

fn by_name<S: Serializer>(optimize: &Optimize, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(optimize.name())
}

/// All families with all rows: our units and the peers' figures.
pub fn compare(peers: &[Figures], goals: &[Goal], ours: &[Ours]) -> Vec<Family> {
    goals.iter().map(|goal| family(goal, peers, ours)).collect()
}

fn family(goal: &Goal, peers: &[Figures], ours: &[Ours]) -> Family {
    let rows: Vec<Row> = ours
        .iter()
        .filter_map(|ours| {
            let of_row = peers.iter().filter(|peer| peer.family == goal.name && peer.unit == ours.of);
            let of_row: Vec<&Figures> = of_row.collect();
            (!of_row.is_empty()).then(|| row(ours, &of_row))
        })
        .collect();
    let against = rows.iter().map(|row| row.against).min().unwrap_or(Against::Right);
    let counts = |row: &&Row| against != Against::Right || row.against == Against::Right;
    let means_of = |goal: Optimize| {
        means(rows.iter().filter(counts).filter(|row| row.built_for == goal).flat_map(|row| &row.figures))
    };
    let [small, shallow] = Optimize::ALL.map(means_of);
    let name = goal.name.clone();
    Family { name, against, small, shallow, area_goal: goal.area, depth_goal: goal.depth, rows }
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
    let means = means(figures.iter());
    Row { unit: ours.unit.into(), built_for: ours.built_for, against, figures, means }
}

/// Our figure compared with the best one; none if either is missing.
fn compared(metric: &Metric, ours: &Ours, peers: &[&Figures]) -> Option<Compared> {
    let ours = ours.reports.iter().find_map(|report| (metric.ours)(report))?;
    let figures = peers.iter().filter_map(|peer| Some(((metric.of_peer)(peer)?, &peer.peer)));
    let (best, peer) = figures.min_by(|one, other| one.0.total_cmp(&other.0))?;
    // Zero against zero is a tie.
    let ratio = if ours == best { 1.0 } else { ours / best };
    let peer = peer.clone();
    Some(Compared { figure: metric.title, quality: metric.quality, ours, best, peer, ratio })
}

/// The means of figures of area and of depth.
fn means<'f>(figures: impl Iterator<Item = &'f Compared> + Clone) -> Means {
    let of = |quality| mean(figures.clone().filter(|figure| figure.quality == quality));
    Means { area: of(Quality::Area), depth: of(Quality::Depth) }
}

/// Geometric mean of the ratios. Ratios of 0 are left out.
fn mean<'f>(figures: impl Iterator<Item = &'f Compared>) -> Option<f64> {
    let logarithms: Vec<f64> = figures.map(|figure| figure.ratio).filter(|ratio| *ratio > 0.0).map(f64::ln).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}
