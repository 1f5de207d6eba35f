//! The content of a plot, independent of how it is drawn.

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The caption.
    pub title: String,
    /// A description for readers who cannot see the plot.
    pub description: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The height of the plotting area in CSS pixels; it is as wide as the page.
    pub height: u32,
    /// The series, in drawing order. Series with the same name have the same color.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The quantity and its unit.
    pub title: String,
    /// How its numbers are interpreted.
    pub kind: AxisKind,
    /// The range; that of the data if missing.
    pub domain: Option<[f64; 2]>,
}

/// How numbers along an axis are interpreted.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisKind {
    /// As they are.
    Linear,
    /// Exponents of 2.
    PowersOfTwo,
    /// Indices into a list of names, from the top.
    Names(Vec<String>),
}

/// Data with one name and mark.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// How it is drawn.
    pub mark: Mark,
    /// The data.
    pub data: Vec<Datum>,
}

/// How data are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A line from each point to the next.
    Line,
    /// A point for each datum.
    Points,
    /// A point for each datum, with its note beside it.
    Labeled,
    /// A bar from `x` to `x2` on row `y`.
    Ranges,
    /// A short vertical line on row `y`.
    Ticks,
    /// A bar from `x` to `x2`, with height `y`.
    Columns,
}

/// A point, or a bar.
#[derive(Clone, Debug)]
pub struct Datum {
    /// The horizontal position.
    pub x: f64,
    /// The other end of a bar.
    pub x2: f64,
    /// The vertical position.
    pub y: f64,
    /// The tooltip.
    pub note: String,
}

impl Axis {
    /// An axis of numbers.
    pub fn linear(title: &str) -> Axis {
        Axis { title: title.into(), kind: AxisKind::Linear, domain: None }
    }

    /// An axis of exponents of 2.
    pub fn powers_of_two(title: &str) -> Axis {
        Axis { title: title.into(), kind: AxisKind::PowersOfTwo, domain: None }
    }

    /// An axis of names, the first at the top.
    pub fn names(title: &str, names: Vec<String>) -> Axis {
        Axis { title: title.into(), kind: AxisKind::Names(names), domain: None }
    }
}

impl Datum {
    /// A point.
    pub fn at(x: f64, y: f64) -> Datum {
        Datum { x, x2: x, y, note: String::new() }
    }

    /// A bar.
    pub fn bar(x: f64, x2: f64, y: f64) -> Datum {
        Datum { x, x2, y, note: String::new() }
    }

    /// The same datum with a tooltip.
    pub fn with_note(self, note: impl Into<String>) -> Datum {
        Datum { note: note.into(), ..self }
    }
}

impl Plot {
    /// The names of the series in order, without duplicates.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names = vec![];
        for series in &self.series {
            if !names.contains(&series.name.as_str()) {
                names.push(series.name.as_str());
            }
        }
        names
    }
}
