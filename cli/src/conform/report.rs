//! The results: differences, a table, JSON.

use super::bench::{Judged, Outcome, Vectors};
use super::source::Source;
use crate::failure::Failure;
use crate::output;
use binade_sim::conform::{Difference, Tally};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The results of all sources.
#[derive(Serialize)]
pub struct ConformReport {
    /// How the RTL was evaluated.
    engine: String,
    /// One row per source and unit.
    rows: Vec<Row>,
    left_out: Vec<LeftOut>,
    vectors: u64,
    model_differs: u64,
    rtl_differs: u64,
}

/// The results of one unit's vectors.
#[derive(Clone, Default, Serialize)]
pub struct Row {
    pub sources: Vec<String>,
    /// The name of the operation in the file, or as the user gave it.
    pub operation: String,
    pub unit: String,
    pub rounding: String,
    pub flags: String,
    pub vectors: u64,
    pub model_differs: u64,
    pub rtl_differs: u64,
    pub differences: Vec<Shown>,
    /// What the RTL did wrong at its ports, with the line number.
    pub violations: Vec<(u64, String)>,
}

/// A difference, with the command that reproduces it.
#[derive(Clone, Serialize)]
pub struct Shown {
    #[serde(flatten)]
    difference: Difference,
    replay: String,
}

/// Skipped vectors.
#[derive(Serialize)]
struct LeftOut {
    source: String,
    why: String,
    vectors: u64,
}

impl ConformReport {
    pub fn new(engine: String) -> ConformReport {
        let (rows, left_out) = (vec![], vec![]);
        ConformReport { engine, rows, left_out, vectors: 0, model_differs: 0, rtl_differs: 0 }
    }

    /// Adds the results of a source; returns the operands of its vectors, if they are kept.
    pub fn add(&mut self, source: &Source, outcome: Outcome) -> Vec<Vectors> {
        for (judged, tally) in outcome.tallies {
            self.vectors += tally.vectors;
            self.model_differs += tally.model_differs;
            self.rtl_differs += tally.rtl_differs;
            self.rows.push(row(source, &judged, tally));
        }
        let left_out = outcome.left_out.into_iter();
        self.left_out.extend(left_out.map(|(why, vectors)| LeftOut { source: source.to_string(), why, vectors }));
        outcome.operands
    }

    /// Prints the differences on stderr.
    pub fn say_what_differs(&self) {
        for row in &self.rows {
            let source = &row.sources[0];
            for Shown { difference, replay } in &row.differences {
                let (line, who) = (difference.line, difference.who());
                output::say(format_args!(
                    "{source}, line {line}, {}: {who}\n{difference}\n  replay {replay}",
                    row.operation
                ));
            }
            for (line, violation) in &row.violations {
                output::say(format_args!("{source}, line {line}, {}: {violation}", row.operation));
            }
            let (differ, shown) = (row.model_differs.max(row.rtl_differs), row.differences.len() as u64);
            if differ > shown && shown > 0 {
                output::say(format_args!("{source}, {}: {} more differences", row.operation, differ - shown));
            }
        }
    }

    /// The table, and the skipped vectors.
    pub fn text(&self) -> String {
        let mut parts = vec![];
        if !self.rows.is_empty() {
            parts.push(table(&self.joined()));
        }
        let mut left_out: BTreeMap<&str, u64> = BTreeMap::new();
        self.left_out.iter().for_each(|left| *left_out.entry(&left.why).or_default() += left.vectors);
        parts.extend(left_out.into_iter().map(|(why, vectors)| format!("left out {vectors}: {why}")));
        parts.join("\n")
    }

    /// The rows of all sources, one per operation and rounding.
    fn joined(&self) -> Vec<Row> {
        let mut joined: Vec<Row> = vec![];
        for row in &self.rows {
            let key = |row: &Row| (row.operation.clone(), row.rounding.clone(), row.flags.clone());
            match joined.iter_mut().find(|other| key(other) == key(row)) {
                Some(other) => {
                    other.sources.extend(row.sources.clone());
                    other.vectors += row.vectors;
                    other.model_differs += row.model_differs;
                    other.rtl_differs += row.rtl_differs;
                }
                None => joined.push(row.clone()),
            }
        }
        joined
    }

    /// Whether there are vectors, and golden model and RTL agree with all of them.
    pub fn agrees(&self) -> bool {
        self.vectors > 0 && self.model_differs == 0 && self.rtl_differs == 0
    }

    /// Prints the verdict as a sentence, and returns it as the exit code.
    pub fn conclude(&self) -> Result<(), Failure> {
        let ConformReport { vectors, model_differs, rtl_differs, engine, .. } = self;
        if *vectors == 0 {
            return Err(Failure::Usage("no vector was compared, since all were left out".into()));
        }
        if self.agrees() {
            output::say(format_args!("golden model and RTL ({engine}) agree with all {vectors} vectors"));
            return Ok(());
        }
        output::say(format_args!(
            "of {vectors} vectors the golden model differs in {model_differs}, the RTL ({engine}) in {rtl_differs}"
        ));
        Err(Failure::Mismatch)
    }
}

fn row(source: &Source, judged: &Judged, tally: Tally) -> Row {
    let shown = |difference: Difference| {
        let replay = format!("{} --replay {}", judged.command, difference.replay);
        Shown { difference, replay }
    };
    Row {
        vectors: tally.vectors,
        model_differs: tally.model_differs,
        rtl_differs: tally.rtl_differs,
        differences: tally.differences.into_iter().map(shown).collect(),
        violations: tally.violations,
        ..Row::of(source, judged.subject.case())
    }
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["source", "operation", "rounding", "flags", "vectors", "model differs", "RTL differs"]);
    for column in 4..7 {
        table.column_mut(column).expect("there are so many").set_cell_alignment(CellAlignment::Right);
    }
    for row in rows {
        let source = match &row.sources[..] {
            [only] => Path::new(only).file_name().map_or(only.clone(), |name| name.to_string_lossy().into_owned()),
            several => format!("{} files", several.len()),
        };
        let [operation, rounding, flags] = [&row.operation, &row.rounding, &row.flags].map(String::clone);
        let [vectors, model, rtl] = [row.vectors, row.model_differs, row.rtl_differs].map(|count| count.to_string());
        table.add_row([source, operation, rounding, flags, vectors, model, rtl]);
    }
    table.to_string()
}
