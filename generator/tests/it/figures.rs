//! Figures of units: those of `docs/images`, and what holds for every figure.
//!
//! To update them after an intended change:
//!
//! ```sh
//! BINADE_UPDATE_FIGURES=1 cargo test -p binade-generator --test it figures
//! ```

use crate::verilog_text::{Printed, all};
use binade_circuit::Language;
use binade_generator::generate;
use binade_spec::{Selection, Unit};
use rayon::prelude::*;
use std::fs;
use std::path::Path;

const UPDATE: &str = "BINADE_UPDATE_FIGURES";

/// The units with a figure in `docs/images`, and their formats.
const DRAWN: [(Unit, &str); 4] =
    [(Unit::Mul, "bfloat16"), (Unit::Add, "e5m2"), (Unit::Fmac, "bfloat16"), (Unit::Divide, "bfloat16")];

#[test]
fn figures_of_pages_have_not_changed() {
    for (unit, format) in DRAWN {
        let operation = Selection::new(unit, format.parse().expect("a format")).operation().expect("an operation");
        let figure = generate(operation).figure(Language::Verilog);
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/images/{unit}.svg"));
        if std::env::var_os(UPDATE).is_some() {
            fs::write(&file, figure).expect("the folder can be written");
            continue;
        }
        let is_same = fs::read_to_string(&file).is_ok_and(|old| old == figure);
        assert!(
            is_same,
            "docs/images/{unit}.svg is not what `binade gen --format {format} --unit {unit} --figure` draws.\n\
             If the change is meant: {UPDATE}=1 cargo test -p binade-generator --test it figures"
        );
    }
}

/// A box, or a text from its left end.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn meets(&self, other: &Area) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

/// The number of an attribute.
fn number(element: &str, attribute: &str) -> f64 {
    let rest = element.split(&format!(" {attribute}=\"")).nth(1).unwrap_or_else(|| panic!("{attribute} in {element}"));
    rest.split('"').next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{attribute} in {element}"))
}

/// The boxes of a figure, and its labels.
fn areas(figure: &str) -> [Vec<Area>; 2] {
    let lines = |start: &'static str| figure.lines().filter(move |line| line.starts_with(start));
    let boxes = lines("<rect class").map(|line| {
        let [left, top, width, height] = ["x", "y", "width", "height"].map(|attribute| number(line, attribute));
        Area { left, top, right: left + width, bottom: top + height }
    });
    let labels = lines("<text class=\"code\"").filter(|line| line.contains("xml:space")).map(|line| {
        let text = line.replace("<tspan>", "").replace("</tspan>", "");
        let text = text.split('>').nth(1).and_then(|rest| rest.split('<').next()).expect("a text");
        let [left, bottom] = ["x", "y"].map(|attribute| number(line, attribute));
        Area { left, top: bottom - 9.0, right: left + 6.63 * text.chars().count() as f64, bottom: bottom + 2.0 }
    });
    [boxes.collect(), labels.collect()]
}

/// The vertical lines of a figure.
fn lines(figure: &str) -> Vec<Area> {
    let mut lines = vec![];
    let paths = figure.split(" d=\"M").skip(1).filter_map(|rest| rest.split('"').next());
    for part in paths.flat_map(|path| path.split('M')) {
        let Some((x, [from, to])) = part.split_once(' ').and_then(|(x, rest)| {
            let (from, to) = rest.split_once('V')?;
            Some((x.parse::<f64>().ok()?, [from, to].map(|y| y.parse::<f64>().unwrap_or(0.0))))
        }) else {
            continue;
        };
        lines.push(Area { left: x - 0.5, top: from.min(to), right: x + 0.5, bottom: from.max(to) });
    }
    lines
}

/// No two boxes or labels overlap, and no vertical line goes through a label.
fn is_legible(figure: &str, name: &str) {
    let [boxes, labels] = areas(figure);
    let all = [boxes.as_slice(), &labels].concat();
    for (at, area) in all.iter().enumerate() {
        assert!(!all[..at].iter().any(|other| other.meets(area)), "{name}: two boxes or labels overlap\n{figure}");
    }
    for line in lines(figure) {
        let inner = Area { top: line.top + 2.0, bottom: line.bottom - 2.0, ..line };
        assert!(!all.iter().any(|other| other.meets(&inner)), "{name}: a line goes through {inner:?}\n{figure}");
    }
}

/// The figures of a share of all units, each in one language.
fn check_units(share: usize) {
    let chosen: Vec<(usize, &Printed)> = all().iter().enumerate().step_by(share).collect();
    chosen.par_iter().for_each(|(at, printed)| {
        let unit = generate(printed.design);
        is_legible(&unit.figure(Language::ALL[at / share % Language::ALL.len()]), &unit.module);
    });
}

#[test]
fn units_have_legible_figures() {
    check_units(13);
}

#[test]
#[ignore = "half a minute"]
fn nightly_every_unit_has_a_legible_figure() {
    check_units(1);
}
