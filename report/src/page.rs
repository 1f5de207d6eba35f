//! A page: sections with text, plots and tables, as one HTML file.

use crate::Plot;
use askama::Template;
use serde::Serialize;

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
    fn tables(&self) -> impl Iterator<Item = &Table> {
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

    fn size(&self) -> String {
        format!("{} row{}", self.rows.len(), if self.rows.len() == 1 { "" } else { "s" })
    }
}

/// The file.
#[derive(Template)]
#[template(path = "page.html")]
struct Html<'p> {
    page: &'p Page,
    sections: Vec<SectionHtml<'p>>,
    /// Those of series in static pictures, which the page has others for.
    colors: Vec<String>,
    script: &'p str,
    version: &'static str,
}

struct SectionHtml<'p> {
    section: &'p Section,
    figures: Vec<FigureHtml<'p>>,
}

struct FigureHtml<'p> {
    figure: &'p Figure,
    /// The number in the page, from 1.
    number: usize,
    svg: String,
    specification: String,
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

    /// The page as one file. `script` is that of Vega-Lite, which sets `window.vegaEmbed`.
    ///
    /// # Panics
    /// When a table's row has another number of cells than there are columns.
    pub fn html(&self, script: &str) -> String {
        let mut number = 0;
        let mut sections = vec![];
        for section in &self.sections {
            let mut figures = vec![];
            for figure in &section.figures {
                number += 1;
                figures.push(FigureHtml::new(figure, number));
            }
            for table in section.tables() {
                let is_whole = |row: &Vec<String>| row.len() == table.columns.len();
                assert!(table.rows.iter().all(is_whole), "the table `{}` has ragged rows", table.caption);
            }
            sections.push(SectionHtml { section, figures });
        }
        // The end of an element must not occur inside of it.
        let script = script.replace("</script", "<\\/script");
        let colors = crate::svg::colors();
        let html = Html { page: self, sections, colors, script: &script, version: env!("CARGO_PKG_VERSION") };
        html.render().expect("the template is complete")
    }
}

impl<'p> FigureHtml<'p> {
    fn new(figure: &'p Figure, number: usize) -> FigureHtml<'p> {
        let specification = crate::vega::specification(&figure.plot).to_string().replace('<', "\\u003c");
        FigureHtml { figure, number, svg: crate::svg::draw(&figure.plot), specification }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Datum, Mark, Series};

    fn page(text: &str) -> Page {
        let plot = Plot {
            title: text.into(),
            description: text.into(),
            x: Axis::linear("x"),
            y: Axis::linear("y"),
            height: 200,
            series: vec![Series {
                name: text.into(),
                mark: Mark::Line,
                data: vec![Datum::at(0.0, 1.0), Datum::at(2.0, 3.0)],
            }],
        };
        let table = Table::new(text, &["a"], vec![vec![text.into()]]);
        let figure = Figure { plot, table: table.clone() };
        let section =
            Section { title: text.into(), text: vec![text.into()], tables: vec![table], figures: vec![figure] };
        Page { title: text.into(), lead: text.into(), command: text.into(), sections: vec![section] }
    }

    /// Names of files may be anything: none becomes an element, an attribute or a script.
    #[test]
    fn no_text_becomes_markup() {
        let html = page("</script><b onload='x'>\"&").html("a('</script>')");
        assert!(!html.contains("<b onload"), "{html}");
        assert!(html.contains("a('<\\/script>')"));
        assert_eq!(html.matches("</script>").count(), html.matches("<script").count());
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let html = page("x").html("");
        assert!(html.contains("default-src 'none'"));
        assert!(!html.contains("src=") && !html.contains("<link") && !html.contains("@import"), "{html}");
    }
}
