//! De Silva et al., "Towards a Better 16-Bit Number Representation for Training Neural Networks".

use super::{Claim, Ends, exponent, format, number, section, table};
use crate::formats::{RegionKind, Stretch, accuracy, log2, regions, stretches, value};
use crate::{Axis, Datum, Figure, Mark, Plot, Section, Series, Table};
use binade_golden::Codes;
use binade_spec::Format;
use std::collections::BTreeMap;

/// A row of Table 2 as printed: the exponents of the smallest, the smallest normal and the largest value, then these values.
type Row = (&'static str, [&'static str; 3], [&'static str; 3]);

/// Formats without subnormals have no entries for normal values.
const TABLE_2: [Row; 9] = [
    ("binary32", ["-149", "-126", "127"], ["1.4e-45", "1.8e-38", "3.4e38"]),
    ("bfloat16", ["-133", "-126", "127"], ["9.2e-41", "1.8e-38", "3.4e38"]),
    ("dlfloat16", ["-31", "", "32"], ["2.3e-10", "", "8.6e9"]),
    ("binary16", ["-24", "-14", "15"], ["6.0e-8", "6.1e-5", "6.6e4"]),
    ("e6m9", ["-39", "-30", "31"], ["1.8e-12", "9.3e-10", "4.3e9"]),
    ("e7m8", ["-70", "-62", "63"], ["8.5e-22", "2.2e-19", "1.8e19"]),
    ("posit16_1", ["-28", "", "28"], ["3.7e-9", "", "2.7e8"]),
    ("posit16_2", ["-56", "", "56"], ["1.4e-17", "", "7.2e16"]),
    ("posit16_3", ["-112", "", "112"], ["1.9e-34", "", "5.2e33"]),
];

/// Table 2, Figures 1, 4 and 5, and sections 7.1 and 8.
pub fn posits() -> Section {
    let formats =
        ["binary16", "e6m9", "e7m8", "bfloat16", "dlfloat16", "posit16_1", "posit16_2", "posit16_3"].map(format);
    let text = [
        "IEEE16_6 and IEEE16_7 are e6m9 and e7m8.",
        "Two values in the paper are misprints: 2^-126 is 1.18e-38, and the smallest value of DLFloat is 1.00195 * 2^-31, since the code \
         of 2^-31 stands for zero. Posits are more accurate than e6m9 in a wider range than the paper's, which it calls approximate.",
        "Figures 1 and 4 are drawn below from their definition, for a number halfway between two neighbours; the paper's Figure 4 has \
         points for numbers of binary32. Figure 5 shows the numbers that a format holds exactly: each value of the two formats is a number \
         of binary32.",
        "To compare the resources of Table 3 with those of this project: binade report units --suite testbench/suites/papers.toml.",
    ];
    let compared = ["e6m9", "posit16_1"].map(format);
    let figures = [drawn(&formats, "Figure 1"), drawn(&compared, "Figure 4"), Some(exact_values(&compared))];
    let figures = figures.into_iter().flatten().collect();
    let tables = vec![
        table("Table 2: exponents and ranges", ranges()),
        table("Sections 7.1 and 8: where posits are accurate", places()),
    ];
    Section {
        figures,
        ..section(
            "De Silva et al.: Towards a better 16-bit number representation for training neural networks",
            &text,
            tables,
        )
    }
}

/// The accuracy of formats, as the figure with this number.
fn drawn(formats: &[Format], number: &str) -> Option<Figure> {
    let Figure { plot, table } = accuracy(formats).figures.into_iter().next()?;
    Some(Figure { plot: Plot { title: format!("{number}: {}", plot.title), ..plot }, table })
}

/// Figure 5: how many values above zero two formats have in each binade.
fn exact_values(formats: &[Format; 2]) -> Figure {
    let counts = formats.each_ref().map(values_by_binade);
    let count = |of: usize, binade: i64| counts[of].get(&binade).copied().unwrap_or(0);
    let series = |(of, format): (usize, &Format)| Series {
        name: format.to_string(),
        mark: Mark::Line,
        data: counts[of].iter().map(|(&binade, &count)| Datum::at(binade as f64, f64::from(count).log2())).collect(),
    };
    let names = formats.each_ref().map(|format| format.to_string());
    let plot = Plot {
        title: "Figure 5: numbers of binary32 that a format has exactly".into(),
        description: "For each binade, how many values of binary32 are values of the format.".into(),
        x: Axis::linear("binade: exponent of its power of two"),
        y: Axis::powers_of_two("values"),
        height: 300,
        series: formats.iter().enumerate().map(series).collect(),
    };
    let [first, last] = [Ends::of(&formats[0]).smallest, Ends::of(&formats[0]).largest].map(exponent);
    let row = |binade| vec![format!("2^{binade}"), count(0, binade).to_string(), count(1, binade).to_string()];
    let columns = ["from", &names[0], &names[1]];
    Figure { plot, table: Table::new("Values in each binade", &columns, (first..=last).map(row).collect()) }
}

/// How many values above zero a format has in each binade.
fn values_by_binade(format: &Format) -> BTreeMap<i64, u32> {
    let codes = Codes::new(*format);
    let mut counts = BTreeMap::new();
    for code in format.min_code()..=format.max_code() {
        *counts.entry(exponent(value(&codes, code))).or_default() += 1;
    }
    counts
}

fn ranges() -> Vec<Claim> {
    let claims = TABLE_2.iter().flat_map(|&(name, exponents, values)| {
        let Ends { smallest, normal, largest } = Ends::of(&format(name));
        let ends = [("smallest value", smallest), ("smallest normal value", normal), ("largest value", largest)];
        let exponents = ends.into_iter().zip(exponents).filter(|(_, printed)| !printed.is_empty());
        let values = ends.into_iter().zip(values).filter(|(_, printed)| !printed.is_empty());
        let exponents: Vec<Claim> = exponents
            .map(|((what, exact), printed)| {
                Claim::exactly(format!("{name}: exponent of the {what}"), printed, exponent(exact))
            })
            .collect();
        exponents.into_iter().chain(
            values.map(move |((what, exact), printed)| Claim::about(format!("{name}: {what}"), printed, number(exact))),
        )
    });
    claims.collect()
}

fn places() -> Vec<Claim> {
    let shifted = |scale: &str| powers(&peak(&format(&format!("posit16_1{scale}"))));
    vec![
        Claim::words(
            "where posit16_1 is more accurate than e6m9",
            "2^-4 to 2^4",
            powers(&finer(&format("posit16_1"), &format("e6m9"))),
        ),
        Claim::words("where posit16_1 is most accurate", "2^-2 to 2^2", shifted("")),
        Claim::words("the same, scaled by 1/4", "2^-4 to 2^0", shifted(",scale=2^-2")),
    ]
}

fn powers([low, high]: &[i64; 2]) -> String {
    format!("2^{low} to 2^{high}")
}

/// The range in which values of a posit have the most bits.
fn peak(posit: &Format) -> [i64; 2] {
    let full = regions(posit).into_iter().find(|region| region.kind == RegionKind::Full).expect("every format has one");
    let [low, high] = full.reach(posit);
    [low.floor() as i64, high.ceil() as i64]
}

/// The binades, from the first to after the last, in which the neighbours of one format are closer than those of the other.
fn finer(one: &Format, other: &Format) -> [i64; 2] {
    let [one, other] = [stretches(one), stretches(other)];
    let finer: Vec<i64> = (-60..60).filter(|&binade| gap(&one, binade) < gap(&other, binade)).collect();
    [finer[0], finer[finer.len() - 1] + 1]
}

/// log2 of the distance of neighbours in the middle of a binade; infinite outside the format's range.
fn gap(stretches: &[Stretch], binade: i64) -> f64 {
    let middle = binade as f64 + 0.5;
    let holds =
        |stretch: &&Stretch| stretch.codes.is_some() && stretch.reach()[0] <= middle && middle < stretch.reach()[1];
    stretches.iter().find(holds).map_or(f64::INFINITY, |stretch| log2(stretch.gap))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's text on Figure 5: posits crowd around 1, the IEEE format is uniform.
    #[test]
    fn values_are_where_the_paper_has_them() {
        let [ieee, posit] = ["e6m9", "posit16_1"].map(|name| values_by_binade(&format(name)));
        assert!((-30..=31).all(|binade| ieee[&binade] == 512));
        assert_eq!(
            [ieee[&-39], ieee[&-31], posit[&-28], posit[&0], posit[&-1], posit[&2]],
            [1, 256, 1, 4096, 4096, 2048]
        );
        assert_eq!(posit.values().sum::<u32>(), (1 << 15) - 1);
    }
}
