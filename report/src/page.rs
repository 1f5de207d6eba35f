//! A page: sections with text, plots and tables.

use crate::Plot;
use serde::Serialize;
use serde_json::{Value, json};

/// A report.
#[derive(Clone, Debug)]
pub struct Page {
    /// What it is about; the heading.
    pub title: String,
    /// The first sentences below the heading.
    pub lead: String,
    /// The command that makes the page.
    pub command: String,
    /// What it says.
    pub sections: Vec<Section>,
}

/// A part of a page.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// What is to be said, paragraph by paragraph.
    pub text: Vec<String>,
    /// Tables that are seen at once.
    pub tables: Vec<Table>,
    /// Plots, one below the other.
    pub figures: Vec<Figure>,
}

impl Section {
    /// Those that are seen at once, then those behind plots.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().chain(self.figures.iter().map(|figure| &figure.table))
    }
}

/// A plot, and the numbers behind it.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The plot.
    pub plot: Plot,
    /// The numbers, for who cannot or will not look at the plot.
    pub table: Table,
}

/// Rows of cells below the names of their columns.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// What the table shows.
    pub caption: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The cells; as many in each row as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of rows; the first cell of each names it.
    pub fn new(caption: impl Into<String>, columns: &[&str], rows: Vec<Vec<String>>) -> Table {
        Table { caption: caption.into(), columns: columns.iter().map(|name| name.to_string()).collect(), rows }
    }
}

/// A page's tables, for programs.
#[derive(Debug, Serialize)]
pub struct Data<'p> {
    title: &'p str,
    /// The command that makes the page.
    command: &'p str,
    /// All tables, those behind plots, too, in the order of the page.
    tables: Vec<TableOfSection<'p>>,
}

#[derive(Debug, Serialize)]
struct TableOfSection<'p> {
    /// The heading of its section.
    section: &'p str,
    #[serde(flatten)]
    table: &'p Table,
}

impl Page {
    /// What the tables of the page have.
    pub fn data(&self) -> Data<'_> {
        let tables = self.sections.iter().flat_map(|section| {
            let title = section.title.as_str();
            section.tables().map(move |table| TableOfSection { section: title, table })
        });
        let tables = tables.collect();
        Data { title: &self.title, command: &self.command, tables }
    }

    /// The page as data, for pages that draw while they are looked at: of each plot there is its Vega-Lite specification.
    pub fn json(&self) -> Value {
        let figure = |Figure { plot, table }: &Figure| json!({ "title": plot.title, "specification": crate::vega::specification(plot), "table": table });
        let section = |Section { title, text, tables, figures }: &Section| {
            let figures: Vec<Value> = figures.iter().map(figure).collect();
            json!({ "title": title, "text": text, "tables": tables, "figures": figures })
        };
        let sections: Vec<Value> = self.sections.iter().map(section).collect();
        json!({ "title": self.title, "lead": self.lead, "sections": sections })
    }
}
