//! A page: sections with text, plots and tables.

use crate::Plot;
use serde::Serialize;
use serde_json::{Value, json};

/// A report.
#[derive(Clone, Debug)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// The first sentences below the heading.
    pub lead: String,
    /// The command that makes the page.
    pub command: String,
    /// The sections.
    pub sections: Vec<Section>,
}

/// A part of a page.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// The text, paragraph by paragraph.
    pub text: Vec<String>,
    /// Tables that are always visible.
    pub tables: Vec<Table>,
    /// Plots, one below the other.
    pub figures: Vec<Figure>,
}

impl Section {
    /// The visible tables, then those behind plots.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().chain(self.figures.iter().map(|figure| &figure.table))
    }
}

/// A plot and its numbers.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The plot.
    pub plot: Plot,
    /// The numbers, for readers who cannot see the plot.
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
    /// A table of rows; the first cell of each row is its header.
    pub fn new(caption: impl Into<String>, columns: &[&str], rows: Vec<Vec<String>>) -> Table {
        Table { caption: caption.into(), columns: columns.iter().map(|name| name.to_string()).collect(), rows }
    }
}

/// The tables of a page, for programs.
#[derive(Debug, Serialize)]
pub struct Data<'p> {
    title: &'p str,
    /// The command that makes the page.
    command: &'p str,
    /// All tables in page order, including those behind plots.
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
    /// The tables of the page as data.
    pub fn data(&self) -> Data<'_> {
        let tables = self.sections.iter().flat_map(|section| {
            let title = section.title.as_str();
            section.tables().map(move |table| TableOfSection { section: title, table })
        });
        let tables = tables.collect();
        Data { title: &self.title, command: &self.command, tables }
    }

    /// The page as data for dynamic pages, with the Vega-Lite specification of each plot.
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
