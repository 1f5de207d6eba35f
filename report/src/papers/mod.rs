//! Figures about number formats printed in papers, compared with the golden model.
//!
//! | file | paper |
//! |---|---|
//! | `range_needs.rs` | Popescu et al., "Representation range needs for 16-bit neural network training" |
//! | `posits.rs` | De Silva et al., "Towards a Better 16-Bit Number Representation for Training Neural Networks" |
//! | `supernormals.rs` | Pun et al., "Range Extension with Supernormals for Mixed-Precision 8-bit DNN Training" |
//! | `mixed_precision.rs` | Zhang, "Mixed Precision Training", slides of CS 498 |
//!
//! Zamirai et al., "Revisiting BFloat16 Training", is a study (crate `study`).

mod mixed_precision;
mod posits;
mod range_needs;
mod supernormals;

use crate::formats::{full_precision, log2, value};
use crate::{Page, Section, Table};
use binade_golden::{Codes, Exact};
use binade_spec::Format;

/// The page of all papers except those that need a study.
pub fn page(command: &str) -> Page {
    Page {
        title: "Papers".into(),
        lead: "Figures from papers about formats for training, compared with the golden model. Accuracies of networks are not reproduced \
               here, since they need the authors' data."
            .into(),
        command: command.into(),
        sections: vec![range_needs::table_1(), posits::posits(), supernormals::curves(), mixed_precision::slides()],
    }
}

/// A figure printed in a paper.
struct Claim {
    what: String,
    printed: &'static str,
    ours: String,
    is_same: bool,
}

impl Claim {
    /// A whole number.
    fn exactly(what: impl Into<String>, printed: &'static str, ours: i64) -> Claim {
        Claim { what: what.into(), printed, ours: ours.to_string(), is_same: printed.parse() == Ok(ours) }
    }

    /// A number in scientific notation, correct to the last digit printed.
    fn about(what: impl Into<String>, printed: &'static str, ours: f64) -> Claim {
        let digits = printed.split('e').next().expect("a significand").chars().filter(char::is_ascii_digit).count();
        let number: f64 = printed.parse().expect("a number");
        let unit = 10_f64.powi(number.abs().log10().floor() as i32 + 1 - digits as i32);
        let is_same = (number - ours).abs() <= unit / 2.0;
        // One digit more than in the paper shows the direction of a difference.
        Claim { what: what.into(), printed, ours: format!("{ours:.digits$e}"), is_same }
    }

    fn words(what: impl Into<String>, printed: &'static str, ours: String) -> Claim {
        Claim { what: what.into(), is_same: printed == ours, printed, ours }
    }
}

/// A table with one claim per row.
fn table(caption: &str, claims: Vec<Claim>) -> Table {
    let row = |claim: Claim| {
        let verdict = if claim.is_same { "same" } else { "differs" };
        vec![claim.what, claim.printed.into(), claim.ours, verdict.into()]
    };
    Table::new(caption, &["figure", "paper", "golden model", "verdict"], claims.into_iter().map(row).collect())
}

/// The ends of a format's range.
struct Ends {
    smallest: Exact,
    /// The smallest value with full precision.
    normal: Exact,
    largest: Exact,
}

impl Ends {
    fn of(format: &Format) -> Ends {
        let codes = Codes::new(*format);
        let [smallest, normal, largest] =
            [format.min_code(), full_precision(format)[0], format.max_code()].map(|code| value(&codes, code));
        Ends { smallest, normal, largest }
    }
}

/// The exponent of the binade of a number.
fn exponent(exact: Exact) -> i64 {
    log2(exact).floor() as i64
}

fn number(exact: Exact) -> f64 {
    exact.n as f64 * 2_f64.powi(exact.k)
}

fn format(name: &str) -> Format {
    name.parse().expect("a format of the page")
}

/// A section of one paper.
fn section(title: &str, text: &[&str], tables: Vec<Table>) -> Section {
    let text = text.iter().map(|paragraph| paragraph.to_string()).collect();
    Section { title: title.into(), text, tables, figures: vec![] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All differences are misprints, except for a range that the paper calls approximate.
    #[test]
    fn all_figures_are_right_but_those_that_the_page_explains() {
        let rows: Vec<Vec<String>> =
            page("").sections.into_iter().flat_map(|section| section.tables).flat_map(|table| table.rows).collect();
        let differs: Vec<&str> = rows.iter().filter(|row| row[3] == "differs").map(|row| row[0].as_str()).collect();
        let slips = [
            "binary32: smallest normal value",
            "bfloat16: smallest normal value",
            "dlfloat16: smallest value",
            "where posit16_1 is more accurate than e6m9",
        ];
        assert_eq!(differs, slips);
        assert!(rows.len() > 50, "{} rows", rows.len());
    }

    #[test]
    fn figures_are_compared_to_their_last_digit() {
        assert!(Claim::about("", "6.6e4", 65504.0).is_same && !Claim::about("", "6.5e4", 65551.0).is_same);
        assert!(Claim::about("", "1.4e-45", 1.401e-45).is_same && !Claim::about("", "1.8e-38", 1.175e-38).is_same);
        assert_eq!(Claim::about("", "1.8e-38", 1.1755e-38).ours, "1.18e-38");
    }
}
