//! Figures of other generators, and ours beside them.
//!
//! The figures are measured in the same flows, command for command (`script.rs`). Ours are those of two units: the small
//! one for area and the shallow one for depth. Each is compared with the best figure of the peers in its row that
//! compute the same function and are not known to be wrong.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::area::Area;
use crate::report::Report;

/// One line of a file of peers' figures (CSV): a peer's netlist of one unit.
#[derive(Clone, Debug, Deserialize)]
pub struct Figures {
    /// What kind of unit it is.
    family: String,
    /// The name of our small unit of this row.
    unit: String,
    peer: String,
    /// `same`, or in what it does less than ours.
    function: String,
    /// Whether it computes what it should, where somebody has looked.
    right: Verdict,
    #[serde(default)]
    lut4: Option<f64>,
    #[serde(default)]
    xc7_luts: Option<f64>,
    #[serde(default)]
    alm_lo: Option<f64>,
    #[serde(default)]
    gates: Option<f64>,
    #[serde(default)]
    ice40_depth: Option<f64>,
    #[serde(default)]
    gate_depth: Option<f64>,
    #[serde(default)]
    alm_depth: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Right,
    Unchecked,
    Wrong,
}

/// What a figure is compared for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    Area,
    Depth,
}

/// A figure that peers and our reports have.
struct Metric {
    title: &'static str,
    quality: Quality,
    of_peer: fn(&Figures) -> Option<f64>,
    ours: fn(&Report) -> Option<f64>,
}

const METRICS: [Metric; 7] = [
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

/// Reports of one row: our units, on any targets.
pub struct Ours<'r> {
    /// The name of the small unit.
    pub unit: &'r str,
    pub small: Vec<&'r Report>,
    pub shallow: Vec<&'r Report>,
}

/// A family of units, with the ratios that we want to reach.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// As in the file of peers' figures.
    pub name: String,
    pub area: Option<f64>,
    pub depth: Option<f64>,
}

/// Which peers a row is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Against {
    /// Those that compute the same function and are not known to be wrong.
    Right,
    /// There are only wrong ones.
    Wrong,
    /// There are only some that do less.
    Less,
}

/// One of our figures beside the best of the peers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    pub figure: &'static str,
    pub quality: Quality,
    pub ours: f64,
    pub best: f64,
    /// Who has it.
    pub peer: String,
    /// `ours / best`.
    pub ratio: f64,
}

/// A unit beside its peers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub unit: String,
    pub against: Against,
    pub figures: Vec<Compared>,
    /// Geometric mean of the ratios; nothing if no figure is there, or ours is 0.
    pub area: Option<f64>,
    pub depth: Option<f64>,
}

/// The units of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Family {
    pub name: String,
    /// What the means are over: the rows that are compared with right peers, or if there are none, all rows.
    pub against: Against,
    /// Geometric mean over all those ratios.
    pub area: Option<f64>,
    pub depth: Option<f64>,
    pub area_goal: Option<f64>,
    pub depth_goal: Option<f64>,
    pub rows: Vec<Row>,
}

/// What is wrong with a comparison's input.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PeersError {
    #[error("{0}")]
    Unreadable(String),
    #[error("no row of peers' figures is about `{0}`")]
    NoPeers(String),
    #[error("no unit of the suite is that of the rows for `{0}`")]
    NoUnit(String),
    #[error("no family of the suite is `{0}`, which has rows of peers' figures")]
    NoFamily(String),
}

/// Peers' figures from CSV.
///
/// # Errors
/// A line that is not as the header says, with its number.
pub fn read(csv: &str) -> Result<Vec<Figures>, PeersError> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().map_err(|error| PeersError::Unreadable(error.to_string()))
}

/// Whether the rows are about these units (the names of the small ones) and families.
///
/// # Errors
/// A unit without peers, peers without a unit, rows of an unknown family: a table has no holes.
pub fn check(peers: &[Figures], goals: &[Goal], units: &[&str]) -> Result<(), PeersError> {
    if let Some(unknown) = peers.iter().find(|peer| !goals.iter().any(|goal| goal.name == peer.family)) {
        return Err(PeersError::NoFamily(unknown.family.clone()));
    }
    if let Some(missing) = peers.iter().find(|peer| !units.contains(&peer.unit.as_str())) {
        return Err(PeersError::NoUnit(missing.unit.clone()));
    }
    match units.iter().find(|unit| !peers.iter().any(|peer| peer.unit == **unit)) {
        Some(alone) => Err(PeersError::NoPeers(alone.to_string())),
        None => Ok(()),
    }
}

/// Every family with every row: our units beside the peers' figures.
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

/// Our figure beside the best one; nothing if one of them is not there.
fn compared(metric: &Metric, ours: &Ours, peers: &[&Figures]) -> Option<Compared> {
    let reports = match metric.quality {
        Quality::Area => &ours.small,
        Quality::Depth => &ours.shallow,
    };
    let ours = reports.iter().find_map(|report| (metric.ours)(report))?;
    let figures = peers.iter().filter_map(|peer| Some(((metric.of_peer)(peer)?, &peer.peer)));
    let (best, peer) = figures.min_by(|one, other| one.0.total_cmp(&other.0))?;
    let (peer, ratio) = (peer.clone(), ours / best);
    Some(Compared { figure: metric.title, quality: metric.quality, ours, best, peer, ratio })
}

/// Geometric mean of the ratios. What costs us nothing is no part of it.
fn mean<'f>(figures: impl Iterator<Item = &'f Compared>) -> Option<f64> {
    let logarithms: Vec<f64> = figures.map(|figure| figure.ratio).filter(|ratio| *ratio > 0.0).map(f64::ln).collect();
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

impl Against {
    /// A mark behind a ratio, explained below the table.
    fn mark(self) -> &'static str {
        match self {
            Against::Right => "",
            Against::Wrong => " (w)",
            Against::Less => " (l)",
        }
    }
}

/// The families with their means and goals, then every row, as Markdown.
pub fn markdown(families: &[Family]) -> String {
    let mut text = String::from("| family | area | goal | depth | goal |\n|---|---:|---:|---:|---:|\n");
    for family in families {
        let Family { name, area, area_goal, depth, depth_goal, .. } = family;
        let mark = family.against.mark();
        let (area, area_goal) = (two_places(*area), two_places(*area_goal));
        let (depth, depth_goal) = (two_places(*depth), two_places(*depth_goal));
        text += &format!("| {name}{mark} | {area} | {area_goal} | {depth} | {depth_goal} |\n");
    }
    for family in families {
        text += &format!("\n### {}\n\n{}", family.name, rows(family));
    }
    text + "\nours/best peer's; area and depth: geometric means of the ratios. (w): all peers are wrong, (l): all do less.\n"
}

fn rows(family: &Family) -> String {
    let titles = |quality| METRICS.iter().filter(move |metric| metric.quality == quality).map(|metric| metric.title);
    let columns: Vec<&str> = ["unit"]
        .into_iter()
        .chain(titles(Quality::Area))
        .chain(["area"])
        .chain(titles(Quality::Depth))
        .chain(["depth", "best peers"])
        .collect();
    let mut text = format!("| {} |\n|---|{}---|\n", columns.join(" | "), "---:|".repeat(columns.len() - 2));
    for row in &family.rows {
        let cell = |title: &str| match title {
            "unit" => format!("{}{}", row.unit, row.against.mark()),
            "area" => two_places(row.area),
            "depth" => two_places(row.depth),
            "best peers" => best_peers(row),
            title => {
                row.figures.iter().find(|figure| figure.figure == title).map(Compared::to_string).unwrap_or_default()
            }
        };
        let cells: Vec<String> = columns.iter().map(|title| cell(title)).collect();
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.ours, self.best)
    }
}

/// Those who have a best figure, each once.
fn best_peers(row: &Row) -> String {
    let mut names: Vec<&str> = vec![];
    for figure in &row.figures {
        if !names.contains(&figure.peer.as_str()) {
            names.push(&figure.peer);
        }
    }
    names.join(", ")
}

fn two_places(ratio: Option<f64>) -> String {
    ratio.map_or("–".into(), |ratio| format!("{ratio:.2}"))
}

/// One line a figure, as CSV.
pub fn csv(families: &[Family]) -> String {
    let mut text = String::from("family,unit,against,quality,figure,ours,best,peer,ratio\n");
    for (family, row) in families.iter().flat_map(|family| family.rows.iter().map(move |row| (family, row))) {
        let against = format!("{:?}", row.against).to_lowercase();
        for Compared { figure, quality, ours, best, peer, ratio } in &row.figures {
            let quality = format!("{quality:?}").to_lowercase();
            let (family, unit) = (&family.name, &row.unit);
            text += &format!("{family},{unit},{against},{quality},{figure},{ours},{best},{peer},{ratio:.4}\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::area::{GenericArea, Ice40Area};
    use crate::target::Target;

    const PEERS: &str = "\
family,unit,peer,function,right,gates,gate_depth,lut4,ice40_depth
add,add_e5m2_rne,One,same,right,100,40,50,
add,add_e5m2_rne,Two,same,wrong,10,4,5,
add,add_e5m2_rne,Three,own encoding,right,20,10,10,
add,add_e5m2_rne,Four,same,unchecked,200,20,40,30
mul,mul_e5m2_rne,Two,same,wrong,100,20,40,30
";

    fn report(area: Area, depth: u32) -> Report {
        let target = if matches!(area, Area::Generic(_)) { Target::Generic } else { Target::Ice40 };
        let (module, tool) = ("unit".into(), "Yosys".into());
        Report { target, module, tool, script: vec![], area, flip_flops: 0, depth, cells: BTreeMap::new() }
    }

    fn reports() -> [Report; 2] {
        let generic = Area::Generic(GenericArea { gates: 80, aig_ands: 60, aig_levels: 15 });
        [report(generic, 10), report(Area::Ice40(Ice40Area { lut4: 20, carry: 3 }), 15)]
    }

    fn families() -> Vec<Family> {
        let reports = reports();
        let ours = ["add_e5m2_rne", "mul_e5m2_rne"].map(|unit| Ours {
            unit,
            small: reports.iter().collect(),
            shallow: reports.iter().collect(),
        });
        let goals = ["add", "mul"].map(|name| Goal { name: name.into(), area: Some(0.85), depth: None });
        compare(&read(PEERS).unwrap(), &goals, &ours)
    }

    #[test]
    fn the_best_figure_of_those_that_are_right_counts() {
        let families = families();
        let ratios: Vec<(f64, &str)> =
            families[0].rows[0].figures.iter().map(|figure| (figure.ratio, figure.peer.as_str())).collect();
        assert_eq!(ratios, [(0.5, "Four"), (0.8, "One"), (0.5, "Four"), (0.5, "Four")]);
        assert!((families[0].area.unwrap() - 0.4_f64.sqrt()).abs() < 1e-9);
        assert_eq!(families[0].depth.map(|depth| (depth * 1e6).round()), Some(5e5));
        assert_eq!((families[0].against, families[1].against), (Against::Right, Against::Wrong));
    }

    #[test]
    fn tables_show_every_figure() {
        let families = families();
        let text = markdown(&families);
        assert!(text.contains("| add | 0.63 | 0.85 | 0.50 | – |"), "{text}");
        assert!(
            text.contains("| mul_e5m2_rne (w) | 20/40 |  |  | 80/100 | 0.63 | 15/30 | 10/20 |  | 0.50 | Two |"),
            "{text}"
        );
        assert!(csv(&families).contains("add,add_e5m2_rne,right,area,gates,80,100,One,0.8000\n"));
    }

    #[test]
    fn nothing_is_left_out_in_silence() {
        let peers = read(PEERS).unwrap();
        let goals = ["add", "mul"].map(|name| Goal { name: name.into(), area: None, depth: None });
        let refused = |goals: &[Goal], units: &[&str]| check(&peers, goals, units).unwrap_err();
        assert_eq!(refused(&goals[..1], &[]), PeersError::NoFamily("mul".into()));
        assert_eq!(refused(&goals, &["add_e5m2_rne"]), PeersError::NoUnit("mul_e5m2_rne".into()));
        let all = ["add_e5m2_rne", "mul_e5m2_rne", "add_e4m3_rne"];
        assert_eq!(refused(&goals, &all), PeersError::NoPeers("add_e4m3_rne".into()));
        assert_eq!(check(&peers, &goals, &all[..2]), Ok(()));
        assert!(matches!(read("family,unit\nadd"), Err(PeersError::Unreadable(_))));
    }
}
