//! Tables for the reader of a file: rows in a comment below the title of a section.
//!
//! ```text
//! // Each operand and its result:
//! //   x   value  y   value | x   value  y   value
//! //   00  0      3c  1     | 02  0.5    3d  1.25
//! //   01  0.25   3c  1     | 03  1      3f  1.75
//! ```
//!
//! Rows run down the first column of rows, then down the next one.

use crate::{Circuit, Section};
use std::sync::Arc;

/// The most rows of a table.
const MOST_ROWS: usize = 256;

/// The most characters of a line.
const COLUMNS: usize = 92;

/// What stands between two rows of a line.
const BETWEEN: &str = " | ";

impl Circuit {
    /// Prints a table below the title of the section that began last: a sentence about it, and `count` rows, by their columns with a heading
    /// each. A table that an earlier section has is named there, not printed again. Tables of more than 256 rows are not printed.
    pub fn table(&self, about: &str, count: usize, columns: impl FnOnce() -> Vec<Column>) {
        let is_long = count > MOST_ROWS;
        let lines =
            if is_long { vec![format!("The table has {count} rows, and is not printed.")] } else { lines(&columns()) };
        let mut state = self.state.borrow_mut();
        let Some((last, earlier)) = Arc::make_mut(&mut state.netlist.sections).split_last_mut() else { return };
        let is_here = |section: &&mut Section| section.notes.windows(lines.len()).any(|window| window == lines);
        match earlier.iter_mut().find(is_here) {
            _ if is_long => last.notes.extend(lines),
            Some(section) => last.notes.push(format!("The table is the one under \"{}\".", section.title)),
            None => last.notes.extend([about.to_string()].into_iter().chain(lines)),
        }
    }
}

/// A heading, and the cell of each row.
pub type Column = (&'static str, Vec<String>);

/// The lines of a table, the headings first.
fn lines(columns: &[Column]) -> Vec<String> {
    let rows = columns.first().map_or(0, |(_, cells)| cells.len());
    let widths: Vec<usize> =
        columns.iter().map(|(heading, cells)| cells.iter().map(String::len).fold(heading.len(), usize::max)).collect();
    let padded = |row: Vec<&str>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ")
    };
    let width = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
    let across = ((COLUMNS + BETWEEN.len()) / (width + BETWEEN.len())).clamp(1, rows.max(1));
    let down = rows.div_ceil(across).max(1);
    let heading =
        vec![padded(columns.iter().map(|(heading, _)| *heading).collect()); rows.div_ceil(down)].join(BETWEEN);
    let row = |at: usize| padded(columns.iter().map(|(_, cells)| &*cells[at]).collect());
    let line = |at: usize| (at..rows).step_by(down).map(row).collect::<Vec<_>>().join(BETWEEN);
    // Indented as the further lines of a sentence are.
    std::iter::once(heading).chain((0..down).map(line)).map(|line| format!("  {}", line.trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(count: usize) -> Vec<Column> {
        let cells = |cell: fn(usize) -> String| (0..count).map(cell).collect();
        vec![("n", cells(|row| row.to_string())), ("text", cells(|row| "x".repeat(row % 3)))]
    }

    #[test]
    fn rows_stand_side_by_side() {
        let of_14 = lines(&columns(14));
        assert_eq!(of_14[0], format!("  {}", ["n   text"; 7].join(BETWEEN)));
        assert_eq!(of_14[1], "  0        | 2   xx   | 4   x    | 6        | 8   xx   | 10  x    | 12");
        assert_eq!(of_14.len(), 3);
        assert_eq!(lines(&columns(1)), ["  n  text", "  0"]);
    }

    #[test]
    fn a_table_is_printed_once_and_not_if_it_is_long() {
        let circuit = Circuit::new();
        for title in ["first", "second"] {
            circuit.section(title);
            circuit.table("Rows.", 3, || columns(3));
        }
        circuit.section("third");
        circuit.table("Rows.", 257, || columns(257));
        let notes: Vec<Vec<String>> =
            circuit.state.borrow().netlist.sections.iter().map(|section| section.notes.clone()).collect();
        assert_eq!(notes[0].len(), 3);
        assert_eq!(notes[1], ["The table is the one under \"first\"."]);
        assert_eq!(notes[2], ["The table has 257 rows, and is not printed."]);
    }
}
