//! What a reader of the Verilog relies on: notes that are about what is below them, and lines that fit on a screen.

use crate::verilog_text::{self, Printed, code};
use binade_circuit::Optimize;
use binade_generator::Design;
use binade_spec::{Extremum, Format, Selection, Unit};
use rayon::prelude::*;
use std::sync::{LazyLock, Mutex};

/// Columns of the longest line.
const COLUMNS: usize = 120;

/// Units of wide formats, whose words and names are the longest.
static WIDE: LazyLock<Vec<Printed>> = LazyLock::new(|| {
    let units = [Unit::Encode, Unit::Mul, Unit::Add, Unit::Fmac, Unit::Minmax];
    let formats = ["binary64", "binary128", "e15m16n", "posit64", "posit64_5"];
    let format = |name: &str| name.parse::<Format>().unwrap_or_else(|error| panic!("{error}"));
    let selections = formats.iter().flat_map(|name| units.map(|unit| Selection::new(unit, format(name))));
    let selections = selections.map(|plain| match plain.unit {
        Unit::Fmac => Selection { accumulator: Some(plain.format), ..plain },
        Unit::Minmax => Selection { extremum: Some(Extremum::Maximum), ..plain },
        _ => plain,
    });
    let operations: Vec<_> =
        selections.map(|selection| selection.operation().expect("an operation that exists")).collect();
    let designs = operations
        .iter()
        .flat_map(|operation| Optimize::ALL.map(|optimize| Design::from(operation).optimized(optimize)));
    let designs: Vec<Design> = designs.chain([Design::pipelined(operations[1], 3)]).collect();
    designs.into_par_iter().map(Printed::new).collect()
});

/// Units of every kind, and wide ones.
fn for_all(check: impl Fn(&Printed) + Sync + Send) {
    verilog_text::for_all(&check);
    WIDE.par_iter().for_each(check);
}

#[test]
fn lines_fit() {
    for_all(|unit| {
        let long = unit.verilog.lines().find(|line| line.len() > COLUMNS);
        assert_eq!(long, None, "{}", unit.module);
    });
}

/// The lines of the module's body.
fn body(unit: &Printed) -> impl Iterator<Item = &str> {
    unit.verilog.lines().skip_while(|line| *line != ");").skip(1).map(str::trim)
}

/// The name that a line declares.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().filter(|word| !word.starts_with('['));
    words.next().filter(|kind| ["wire", "reg"].contains(kind))?;
    words.next().map(|name| name.trim_end_matches(';'))
}

/// A note begins with a name, and a title with a capital letter.
#[test]
fn notes_are_about_the_wire_below() {
    let seen = Mutex::new(0);
    for_all(|unit| {
        let mut note = None;
        for line in body(unit) {
            match line.strip_prefix("// ") {
                Some(text) if text.starts_with(|c: char| c.is_ascii_lowercase()) => {
                    assert_eq!(note, None, "{}: two notes: {line}", unit.module);
                    note = text.split_once(':').map(|(name, _)| name);
                    assert!(note.is_some(), "{}: {line}", unit.module);
                }
                Some(_) => {}
                None => {
                    if let Some(name) = note.take() {
                        assert_eq!(declared(line), Some(name), "{}", unit.module);
                        *seen.lock().expect("no check panicked") += 1;
                    }
                }
            }
        }
    });
    let seen = seen.into_inner().expect("no check panicked");
    assert!(seen > 1000, "only {seen} notes");
}

/// The parts of every concatenation.
fn concatenations(code: &str) -> Vec<Vec<String>> {
    let mut open: Vec<(Vec<String>, u32)> = vec![];
    let mut all = vec![];
    for character in code.chars() {
        if let Some((parts, parentheses)) = open.last_mut() {
            match character {
                '(' => *parentheses += 1,
                ')' => *parentheses -= 1,
                ',' if *parentheses == 0 => parts.push(String::new()),
                '}' => all.extend(open.pop().map(|(parts, _)| parts)),
                _ => {}
            }
        }
        open.iter_mut().filter_map(|(parts, _)| parts.last_mut()).for_each(|part| part.push(character));
        if character == '{' {
            open.push((vec![String::new()], 0));
        }
    }
    all
}

#[test]
fn parts_of_long_concatenations_are_plain() {
    assert_eq!(concatenations("{a, {2{b & c}}, (d, e)}")[2], ["a", ", {2{b & c}}", ", (d, e)"]);
    for_all(|unit| {
        let code = code(&unit.verilog);
        let modules_body = code.split_once(");").expect("ports end").1;
        for parts in concatenations(modules_body).into_iter().filter(|parts| parts.len() > 3) {
            let operators = [" & ", " | ", " ^ ", " + ", " - ", " ? "];
            let part = parts.iter().find(|part| operators.iter().any(|operator| part.contains(operator)));
            assert_eq!(part, None, "{}", unit.module);
        }
    });
}
