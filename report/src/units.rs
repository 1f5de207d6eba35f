//! The page of units: the cost of each, what is known about it, and which formats give the best accuracy for their area.

use crate::formats::most_digits;
use crate::{Axis, Datum, Figure, Mark, Page, Plot, Section, Series, Table};
use binade_spec::Format;

/// The figures of a unit.
#[derive(Clone, Debug)]
pub struct UnitFigures {
    /// The name of its module.
    pub module: String,
    /// What it computes, and how, without its format: units that differ only in format have the same text.
    pub kind: String,
    /// The format of its operands, if it has one.
    pub format: Option<Format>,
    /// Its cost on each target.
    pub costs: Vec<Cost>,
    /// Its clock on each device on which it was placed and routed.
    pub clocks: Vec<Clock>,
    /// The vectors for which it was verified.
    pub verified: String,
    /// The inputs for which it is proven, or why it is not.
    pub proven: String,
}

/// The cost of a unit on a target.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The target.
    pub target: String,
    /// The area as one number: gates or LUT sites.
    pub area: f64,
    /// What that number counts.
    pub counts: &'static str,
    /// The area in full.
    pub text: String,
    /// Cells on the longest path.
    pub depth: u32,
}

/// The fastest clock of a unit on a device, in MHz.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The device.
    pub device: String,
    /// The median clock of several placements.
    pub median: f64,
    /// The slowest clock.
    pub min: f64,
    /// The fastest clock.
    pub max: f64,
}

/// The accuracy of formats.
#[derive(Clone, Debug)]
pub struct Accuracy {
    /// The quantity and its unit.
    pub title: String,
    /// The formats, each with its accuracy: more is better. It is infinite for a format without any error.
    pub formats: Vec<(Format, f64)>,
}

impl Accuracy {
    /// The most correct decimal digits at a midpoint of each format's values.
    pub fn most_digits(formats: impl IntoIterator<Item = Format>) -> Accuracy {
        Accuracy {
            title: "most decimal digits (RDA at midpoints)".into(),
            formats: formats.into_iter().map(|format| (format, most_digits(&format))).collect(),
        }
    }

    fn of(&self, format: Format) -> Option<f64> {
        self.formats.iter().find(|(other, _)| *other == format).map(|(_, accuracy)| *accuracy)
    }
}

/// The page about units. `peers` is a table of other generators' figures and ours.
pub fn page(title: &str, units: &[UnitFigures], accuracy: &Accuracy, peers: Option<Table>, command: &str) -> Page {
    let mut sections = vec![overview(units)];
    sections.extend(fronts(units, accuracy));
    sections.extend(peers.map(beside_peers));
    Page {
        title: title.into(),
        lead: format!(
            "{} generated units: their area and depth as mapped by Yosys, before placement, and what was verified and proven.",
            units.len()
        ),
        command: command.into(),
        sections,
    }
}

fn overview(units: &[UnitFigures]) -> Section {
    let mut columns = vec!["unit".to_string()];
    for cost in units.iter().take(1).flat_map(|unit| &unit.costs) {
        columns.extend([format!("area on {}", cost.target), "depth".into()]);
    }
    let clocks = units.iter().take(1).flat_map(|unit| &unit.clocks);
    columns.extend(clocks.map(|clock| format!("clock on {}, MHz", clock.device)));
    columns.extend(["verified with".into(), "proven".into()]);
    let row = |unit: &UnitFigures| {
        let costs = unit.costs.iter().flat_map(|cost| [cost.text.clone(), cost.depth.to_string()]);
        let clocks =
            unit.clocks.iter().map(|Clock { median, min, max, .. }| format!("{median:.1} ({min:.1} to {max:.1})"));
        let known = [unit.verified.clone(), unit.proven.clone()];
        [unit.module.clone()].into_iter().chain(costs).chain(clocks).chain(known).collect()
    };
    let table = Table { caption: "Units".into(), columns, rows: units.iter().map(row).collect() };
    let mut text = vec![
        "Depth is in cells on the longest path. `binade prove`, which has no time limit, may prove units that were not proven here."
            .to_string(),
    ];
    if units.iter().any(|unit| !unit.clocks.is_empty()) {
        text.push("Clocks are those of a unit between registers, placed and routed with several seeds: median (slowest to fastest).".into());
    }
    Section { title: "Units".into(), text, tables: vec![table], figures: vec![] }
}

/// A Pareto front for each kind of unit that has several formats, on each target.
fn fronts(units: &[UnitFigures], accuracy: &Accuracy) -> Option<Section> {
    let mut kinds: Vec<&str> = vec![];
    for unit in units {
        if !kinds.contains(&unit.kind.as_str()) {
            kinds.push(&unit.kind);
        }
    }
    let figures: Vec<Figure> = kinds
        .iter()
        .flat_map(|kind| {
            let same: Vec<&UnitFigures> = units.iter().filter(|unit| unit.kind == *kind).collect();
            let targets = same.first().map_or(0, |unit| unit.costs.len());
            (0..targets).filter_map(move |target| front(kind, &same, target, accuracy)).collect::<Vec<_>>()
        })
        .collect();
    let mut text = vec![];
    if !figures.is_empty() {
        text.push("The front consists of the formats for which no other has both less area and more accuracy.".into());
    }
    text.push(format!("Accuracy is {}.", accuracy.title));
    let exact = accuracy.formats.iter().filter(|(_, accuracy)| accuracy.is_infinite());
    let exact: Vec<String> = exact.map(|(format, _)| format.to_string()).collect();
    if !exact.is_empty() {
        text.push(format!("Not drawn, since they have no error at all: {}.", exact.join(", ")));
    }
    (!figures.is_empty() || !exact.is_empty()).then(|| Section {
        title: "Area and accuracy".into(),
        text,
        tables: vec![],
        figures,
    })
}

/// A unit on a target: its format, area, accuracy.
struct Candidate {
    format: Format,
    area: f64,
    accuracy: f64,
}

impl Candidate {
    /// A format without any error is not drawn.
    fn is_in_plot(&self) -> bool {
        self.accuracy.is_finite()
    }

    /// Whether the other is better in one respect and not worse in the other.
    fn is_beaten_by(&self, other: &Candidate) -> bool {
        let no_worse = other.area <= self.area && other.accuracy >= self.accuracy;
        no_worse && (other.area < self.area || other.accuracy > self.accuracy)
    }
}

fn front(kind: &str, units: &[&UnitFigures], target: usize, accuracy: &Accuracy) -> Option<Figure> {
    let candidate = |unit: &&UnitFigures| {
        let format = unit.format?;
        Some(Candidate { format, area: unit.costs[target].area, accuracy: accuracy.of(format)? })
    };
    let mut all: Vec<Candidate> = units.iter().filter_map(candidate).collect();
    if all.len() < 2 || !all.iter().any(Candidate::is_in_plot) {
        return None;
    }
    all.sort_by(|a, b| a.area.total_cmp(&b.area));
    let (best, beaten): (Vec<&Candidate>, Vec<&Candidate>) =
        all.iter().partition(|one| !all.iter().any(|other| one.is_beaten_by(other)));
    let cost = &units[0].costs[target];
    let point = |one: &&Candidate| Datum::at(one.area, one.accuracy).with_note(one.format.to_string());
    let labeled = |name: &str, of: &[&Candidate]| Series {
        name: name.into(),
        mark: Mark::Labeled,
        data: of.iter().filter(|one| one.is_in_plot()).map(point).collect(),
    };
    let front = labeled("on the front", &best);
    let mut series = vec![Series { mark: Mark::Line, ..front.clone() }, front];
    if !beaten.is_empty() {
        series.push(labeled("beaten", &beaten));
    }
    let names: Vec<String> = best.iter().map(|one| one.format.to_string()).collect();
    let plot = Plot {
        title: format!("{kind} on {}", cost.target),
        description: format!(
            "Accuracy over area in {}. On the front, from small to large: {}.",
            cost.counts,
            names.join(", ")
        ),
        x: Axis { domain: Some(domain(&all, |one| one.area)), ..Axis::linear(&format!("area in {}", cost.counts)) },
        y: Axis { domain: Some(domain(&all, |one| one.accuracy)), ..Axis::linear(&accuracy.title) },
        height: 320,
        series,
    };
    let row = |one: &Candidate| {
        let state = if best.iter().any(|other| std::ptr::eq(*other, one)) { "on the front" } else { "beaten" };
        let accuracy = if one.is_in_plot() { format!("{:.2}", one.accuracy) } else { "no error".into() };
        vec![one.format.to_string(), one.area.to_string(), accuracy, state.into()]
    };
    let area = format!("area in {}", cost.counts);
    let table =
        Table::new("Formats by area", &["format", &area, &accuracy.title, "front"], all.iter().map(row).collect());
    Some(Figure { plot, table })
}

/// A domain with room for labels.
fn domain(all: &[Candidate], of: fn(&Candidate) -> f64) -> [f64; 2] {
    let (low, high) = all
        .iter()
        .filter(|one| one.is_in_plot())
        .map(of)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
    let room = if low == high { 1.0 } else { 0.12 * (high - low) };
    [low - room, high + 1.5 * room]
}

fn beside_peers(table: Table) -> Section {
    let text = "Each row compares our figure with the best one of the peers, or of a paper; a ratio below 1 is in our favour. The figures \
                of other generators are measured in the same flows; those of papers are from vendors' tools.";
    Section { title: "Beside others".into(), text: vec![text.into()], tables: vec![table], figures: vec![] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(name: &str, area: f64) -> UnitFigures {
        UnitFigures {
            module: format!("fmac_{name}"),
            kind: "fmac".into(),
            format: Some(name.parse().expect("a format")),
            costs: vec![Cost { target: "ice40".into(), area, counts: "LUT4", text: format!("{area} LUT4"), depth: 9 }],
            clocks: vec![],
            verified: String::new(),
            proven: String::new(),
        }
    }

    #[test]
    fn clocks_are_in_the_table_where_there_are_some() {
        let plain = unit("e5m2", 300.0);
        let clock = Clock { device: "ice40-hx8k".into(), median: 101.25, min: 99.0, max: 104.5 };
        let clocked = UnitFigures { clocks: vec![clock], ..plain.clone() };
        let [without, with] = [plain, clocked].map(|unit| overview(&[unit]));
        let table = &with.tables[0];
        assert_eq!(table.columns[3..], ["clock on ice40-hx8k, MHz", "verified with", "proven"]);
        assert_eq!(table.rows[0][3], "101.2 (99.0 to 104.5)");
        assert_eq!([without.tables[0].columns.len(), without.text.len()], [5, 1]);
        assert!(with.text[1].starts_with("Clocks are"));
    }

    #[test]
    fn the_front_has_what_nothing_beats() {
        let units = [unit("e5m2", 300.0), unit("e4m3fn", 350.0), unit("e3m4", 340.0), unit("e5m2b1", 300.0)];
        let accuracy = Accuracy::most_digits(units.iter().filter_map(|unit| unit.format));
        let page = page("units", &units, &accuracy, None, "binade report units");
        let rows = &page.sections[1].figures[0].table.rows;
        let states: Vec<(&str, &str)> = rows.iter().map(|row| (row[0].as_str(), row[3].as_str())).collect();
        assert_eq!(
            states,
            [("e5m2", "on the front"), ("e5m2b1", "on the front"), ("e3m4", "on the front"), ("e4m3fn", "beaten")]
        );
    }

    /// Formats without any error are named and listed in the table, since nothing is drawn at infinity.
    #[test]
    fn formats_without_error_are_named() {
        let units = [unit("e5m2", 300.0), unit("e4m3fn", 350.0), unit("binary16", 320.0)];
        let of = |accuracies: [f64; 3]| Accuracy {
            title: "SQNR".into(),
            formats: units.iter().filter_map(|unit| unit.format).zip(accuracies).collect(),
        };
        let page_of = |accuracy| page("units", &units, &accuracy, None, "binade report units").sections.remove(1);
        let section = page_of(of([10.0, 20.0, f64::INFINITY]));
        assert!(section.text.iter().any(|text| text.starts_with("Not drawn") && text.ends_with(": binary16.")));
        let Figure { plot, table } = &section.figures[0];
        let rows: Vec<(&str, &str, &str)> =
            table.rows.iter().map(|row| (row[0].as_str(), row[2].as_str(), row[3].as_str())).collect();
        let expected = [
            ("e5m2", "10.00", "on the front"),
            ("binary16", "no error", "on the front"),
            ("e4m3fn", "20.00", "beaten"),
        ];
        assert_eq!(rows, expected);
        assert!(plot.series.iter().flat_map(|series| &series.data).all(|datum| datum.y.is_finite()));
        assert!(plot.y.domain.is_some_and(|domain| domain.iter().all(|end| end.is_finite())));
        let section = page_of(of([f64::INFINITY; 3]));
        assert!(
            section.figures.is_empty() && section.text.iter().any(|text| text.ends_with("e5m2, e4m3fn, binary16."))
        );
    }

    /// A single format has no front.
    #[test]
    fn a_front_needs_two_formats() {
        let units = [unit("e5m2", 300.0)];
        let page = page("units", &units, &Accuracy::most_digits([]), None, "binade report units");
        assert_eq!(page.sections.len(), 1);
    }
}
