//! A page as one HTML file.

use crate::{Figure, PLOTS, Page, STYLE, Section, Table};
use askama::Template;

/// The template of the file.
#[derive(Template)]
#[template(path = "page.html")]
struct Html<'p> {
    page: &'p Page,
    sections: Vec<SectionHtml<'p>>,
    /// The colors of series in static pictures, which the page replaces.
    colors: Vec<String>,
    style: &'static str,
    plots: &'static str,
    script: &'p str,
    version: &'static str,
}

impl Html<'_> {
    /// Text as HTML, with what is between two backticks as code.
    fn text(&self, text: &str) -> String {
        let escaped = crate::svg::escaped(text);
        let parts: Vec<&str> = escaped.split('`').collect();
        // The last of an odd number of backticks is one without a partner.
        let paired = parts.len() - 1 - (parts.len() - 1) % 2;
        let mut html = String::new();
        for (at, part) in parts.iter().enumerate() {
            html.push_str(part);
            html.push_str(match at {
                _ if at + 1 == parts.len() => "",
                _ if at >= paired => "`",
                _ if at % 2 == 0 => "<code>",
                _ => "</code>",
            });
        }
        html
    }
}

struct SectionHtml<'p> {
    section: &'p Section,
    figures: Vec<FigureHtml<'p>>,
}

struct FigureHtml<'p> {
    figure: &'p Figure,
    /// Its number on the page, from 1.
    number: usize,
    svg: String,
    specification: String,
}

impl Table {
    /// The number of rows, in words.
    fn size(&self) -> String {
        format!("{} row{}", self.rows.len(), if self.rows.len() == 1 { "" } else { "s" })
    }
}

impl Page {
    /// The page as one file. `script` is that of Vega-Lite; it sets `window.vegaEmbed`.
    ///
    /// # Panics
    /// When the number of cells in a table's row differs from the number of columns.
    pub fn html(&self, script: &str) -> String {
        let mut number = 0;
        let mut sections = vec![];
        for section in &self.sections {
            let mut figures = vec![];
            for figure in &section.figures {
                number += 1;
                figures.push(FigureHtml::new(figure, number));
            }
            let tables = section.tables();
            for table in tables {
                let is_whole = |row: &Vec<String>| row.len() == table.columns.len();
                assert!(table.rows.iter().all(is_whole), "the table `{}` has ragged rows", table.caption);
            }
            sections.push(SectionHtml { section, figures });
        }
        let script = &closed(script);
        let colors = crate::svg::colors();
        let html = Html {
            page: self,
            sections,
            colors,
            style: STYLE,
            plots: PLOTS,
            script,
            version: env!("CARGO_PKG_VERSION"),
        };
        html.render().expect("the template is complete")
    }
}

/// A script to embed in a page; the end tag of an element must not occur in it.
pub fn closed(script: &str) -> String {
    script.replace("</script", "<\\/script")
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
    use crate::{Axis, Datum, Mark, Plot, Series};

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

    #[test]
    fn what_is_between_backticks_is_code() {
        let lead = |text: &str| {
            let html = Page { lead: text.into(), ..page("x") }.html("");
            let [_, rest] = html.split("<p>").take(2).collect::<Vec<_>>()[..] else { panic!("a page has a lead") };
            rest.split("</p>").next().unwrap().to_string()
        };
        assert_eq!(lead("`a<b` and `c` of one ` alone"), "<code>a&lt;b</code> and <code>c</code> of one ` alone");
        assert_eq!(lead("none"), "none");
    }

    /// File names are arbitrary text; they must not become an element, an attribute or a script.
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
