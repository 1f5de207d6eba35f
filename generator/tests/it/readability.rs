//! Tests the readability of the Verilog: notes belong to the line below them, lines fit on a screen, and names describe
//! values.

use crate::reference;
use crate::verilog_text::{self, Printed, code};
use binade_circuit::Optimize;
use binade_generator::Design;
use binade_spec::{Extremum, Format, Selection, Unit};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::{LazyLock, Mutex};

/// Columns of the longest line.
const COLUMNS: usize = 100;

/// The largest percentage of wires whose names come from their operators.
const MAX_DERIVED: f64 = 0.75;

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
        // Commands are there to be copied.
        let mut lines = unit.verilog.lines().filter(|line| !line.starts_with("//   binade "));
        let long = lines.find(|line| line.len() > COLUMNS);
        assert_eq!(long, None, "{}", unit.module);
    });
}

/// The lines of the module's body.
fn body(unit: &Printed) -> impl Iterator<Item = &str> {
    unit.verilog.lines().skip_while(|line| *line != ");").skip(1).map(str::trim)
}

/// The names that a line declares, or the output that it assigns.
fn declared(line: &str) -> Vec<&str> {
    let mut words = line.split_whitespace().filter(|word| !word.starts_with('['));
    if !words.next().is_some_and(|kind| ["wire", "reg", "assign"].contains(&kind)) {
        return vec![];
    }
    let names = words.take_while(|word| *word != "=");
    names.map(|name| name.trim_end_matches([';', ','])).collect()
}

/// A note begins with a name, and a title with a capital letter.
#[test]
fn notes_are_about_the_wire_below() {
    let seen = Mutex::new(0);
    for_all(|unit| {
        let mut note = None;
        for line in body(unit) {
            match line.strip_prefix("// ").filter(|text| !text.starts_with("verilator lint_")) {
                Some(text) if text.starts_with(|c: char| c.is_ascii_lowercase()) => {
                    assert_eq!(note, None, "{}: two notes: {line}", unit.module);
                    note = text.split_once(':').map(|(name, _)| name);
                    assert!(note.is_some(), "{}: {line}", unit.module);
                }
                Some(_) => {}
                None => {
                    if let Some(name) = note.take() {
                        assert_eq!(declared(line), [name], "{}", unit.module);
                        *seen.lock().expect("no check panicked") += 1;
                    }
                }
            }
        }
    });
    let seen = seen.into_inner().expect("no check panicked");
    assert!(seen > 1000, "only {seen} notes");
}

/// Bits of the wire that a line declares.
fn declared_width(line: &str) -> usize {
    let range = line.split_once('[').and_then(|(_, rest)| rest.split_once(":0]"));
    range.map_or(1, |(high, _)| high.parse::<usize>().expect("a number") + 1)
}

/// If a note lists the parts of a wire, their widths add up to the width of the wire.
#[test]
fn widths_and_their_reasons_agree() {
    let seen = Mutex::new(0);
    for_all(|unit| {
        let mut lines = body(unit).peekable();
        // Those of the part that is being read.
        let mut outputs: HashMap<&str, usize> = HashMap::new();
        while let Some(line) = lines.next() {
            if line.starts_with("output wire") {
                let name = line.split("  //").next().and_then(|line| line.split_whitespace().last());
                outputs.insert(name.expect("a name").trim_end_matches(','), declared_width(line));
            }
            let Some((width, parts)) = line.strip_prefix("// ").and_then(|line| {
                let (_, text) = line.split_once(": ")?;
                let (width, parts) = text.split_once(" bits: ")?;
                Some((width.parse::<usize>().ok()?, parts))
            }) else {
                continue;
            };
            let mut parts = parts.to_string();
            while let Some(more) = lines.next_if(|line| line.starts_with("//")) {
                parts = format!("{parts} {}", more.trim_start_matches("//").trim());
            }
            let counts = parts.split(", ").filter_map(|part| part.split(' ').next()?.parse::<usize>().ok());
            assert_eq!(counts.sum::<usize>(), width, "{}: {line}", unit.module);
            let declaration = lines.peek().expect("a wire is below");
            let assigned = declaration.strip_prefix("assign").and_then(|line| line.split_whitespace().next());
            let declared = assigned.map_or_else(|| declared_width(declaration), |name| outputs[name]);
            assert_eq!(declared, width, "{}: {declaration}", unit.module);
            *seen.lock().expect("no check panicked") += 1;
        }
    });
    let seen = seen.into_inner().expect("no check panicked");
    assert!(seen > 1000, "only {seen} widths with their reasons");
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

/// Whether the author of the unit gave a wire its name, apart from a number after it, the bits of a named concatenation, or
/// the rank of a pipeline.
fn is_authored(unit: &Printed, name: &str) -> bool {
    let mut rest = name.strip_prefix("not_").unwrap_or(name);
    loop {
        let is_port = unit
            .design
            .operation
            .outputs()
            .iter()
            .any(|port| rest.strip_prefix(port.name).is_some_and(|part| part == "_code"));
        if is_port || unit.labels.contains(rest) || rest == "unused_bits" || unit.ends_a_label(rest) {
            return true;
        }
        let Some((before, last)) = rest.rsplit_once('_') else { return false };
        let number = last.strip_prefix('s').unwrap_or(last);
        if last != "next" && !number.bytes().all(|c| c.is_ascii_digit()) {
            return false;
        }
        rest = before;
    }
}

/// The number of wires in units, and the names among them that come from operators.
fn derived<'u>(units: impl IntoIterator<Item = &'u Printed>) -> (usize, Vec<&'u str>) {
    let (mut wires, mut derived) = (0, vec![]);
    for unit in units {
        let names: Vec<&str> = body(unit).filter(|line| line.starts_with("wire ")).flat_map(declared).collect();
        wires += names.len();
        derived.extend(names.into_iter().filter(|name| !is_authored(unit, name)));
    }
    (wires, derived)
}

#[test]
fn names_say_what_a_value_is() {
    let reference: Vec<Printed> = reference::designs().into_iter().map(Printed::new).collect();
    let sample: Vec<&Printed> = verilog_text::all().iter().chain(&*WIDE).collect();
    for (wires, derived) in [derived(&reference), derived(sample)] {
        let share = 100.0 * derived.len() as f64 / wires as f64;
        assert!(share < MAX_DERIVED, "{share:.2} % of {wires} wires: {derived:?}");
    }
}

/// No name repeats a word: the sign of a product is `product_0_sign`, not `product_0_product_sign`.
#[test]
fn names_say_each_word_once() {
    let doubled = Mutex::new(BTreeSet::new());
    for_all(|unit| {
        let is_word = |word: &&str| !word.bytes().all(|c| c.is_ascii_digit());
        let is_doubled = |name: &&str| {
            let words: Vec<&str> = name.split('_').filter(is_word).collect();
            words.windows(2).any(|pair| pair[0] == pair[1])
        };
        let names = body(unit).flat_map(declared).filter(is_doubled).map(String::from);
        doubled.lock().expect("no check panicked").extend(names);
    });
    assert_eq!(doubled.into_inner().expect("no check panicked"), BTreeSet::new());
}
