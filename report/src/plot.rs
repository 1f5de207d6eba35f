//! What a plot shows, however it is drawn.

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The caption.
    pub title: String,
    /// What is to be seen, for who does not see it.
    pub description: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The height of the plotting area in CSS pixels; the width is that of the page.
    pub height: u32,
    /// What is drawn, in the order of drawing. Series of one name have one colour.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is along it, and in which unit.
    pub title: String,
    /// How its numbers are read.
    pub kind: AxisKind,
    /// From where to where it reaches; as far as the data otherwise.
    pub domain: Option<[f64; 2]>,
}

/// How numbers along an axis are read.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisKind {
    /// As they are.
    Linear,
    /// As exponents of 2.
    PowersOfTwo,
    /// As places in a list of names, from the top.
    Names(Vec<String>),
}

/// Data of one name and mark.
#[derive(Clone, Debug)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// How it is drawn.
    pub mark: Mark,
    /// Where.
    pub data: Vec<Datum>,
}

/// How data are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A line from each point to the next.
    Line,
    /// A point each.
    Points,
    /// A point each, with its note beside it.
    Labelled,
    /// A bar from `x` to `x2` on row `y`.
    Ranges,
    /// A short upright line on row `y`.
    Ticks,
    /// A bar from `x` to `x2`, from 0 to `y`.
    Columns,
}

/// A point, or a bar.
#[derive(Clone, Debug)]
pub struct Datum {
    /// Along the horizontal axis.
    pub x: f64,
    /// The other end of a bar.
    pub x2: f64,
    /// Along the vertical axis.
    pub y: f64,
    /// What is said when the pointer is there.
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

    /// The same, with what is said of it.
    pub fn with_note(self, note: impl Into<String>) -> Datum {
        Datum { note: note.into(), ..self }
    }
}

impl Plot {
    /// The names of the series, each once, in order.
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
