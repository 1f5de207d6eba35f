//! The comparison as Markdown and as CSV.

use std::fmt;

use super::compare::{Against, Compared, Family, METRICS, Quality, Row};

impl Against {
    /// A mark after a ratio, explained below the table.
    fn mark(self) -> &'static str {
        match self {
            Against::Right => "",
            Against::Wrong => " (w)",
            Against::Less => " (l)",
        }
    }
}

/// The families with their means and goals, then every unit, as Markdown.
pub fn markdown(families: &[Family]) -> String {
    let mut text = String::from(
        "| family | built for area: area | goal | depth | built for depth: area | depth | goal |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
    );
    for family in families {
        let Family { name, small, area_goal, shallow, depth_goal, .. } = family;
        let ratios = [small.area, *area_goal, small.depth, shallow.area, shallow.depth, *depth_goal].map(two_places);
        text += &format!("| {name}{} | {} |\n", family.against.mark(), ratios.join(" | "));
    }
    for family in families {
        text += &format!("\n### {}\n\n{}", family.name, rows(family));
    }
    text + "\nours/best peer's; area and depth: geometric means of the ratios. (w): all peers are wrong, (l): all do less.\n"
}

/// The units of a family, each with all its figures.
fn rows(family: &Family) -> String {
    let has = |title: &str| family.rows.iter().any(|row| row.figures.iter().any(|figure| figure.figure == title));
    let titles = |quality| {
        let metrics = METRICS.iter().filter(move |metric| metric.quality == quality);
        metrics.map(|metric| metric.title).filter(|title| has(title))
    };
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
            "area" => two_places(row.means.area),
            "depth" => two_places(row.means.depth),
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

/// The peers that have a best figure, without duplicates.
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

/// The comparison as CSV, one line per figure.
pub fn csv(families: &[Family]) -> String {
    let mut text = String::from("family,unit,built_for,against,quality,figure,ours,best,peer,ratio\n");
    for (family, row) in families.iter().flat_map(|family| family.rows.iter().map(move |row| (family, row))) {
        let against = format!("{:?}", row.against).to_lowercase();
        for Compared { figure, quality, ours, best, peer, ratio } in &row.figures {
            let quality = format!("{quality:?}").to_lowercase();
            let (family, unit, built_for) = (&family.name, &row.unit, row.built_for);
            text +=
                &format!("{family},{unit},{built_for},{against},{quality},{figure},{ours},{best},{peer},{ratio:.4}\n");
        }
    }
    text
}
