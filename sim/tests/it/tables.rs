//! The tables in the comments of generated files, read back: each row is compared with the golden model, with the integers of this file, or
//! with the values of the format. The decisions below a table are compared with the golden model by other tests.

use crate::common::{format, selected};
use binade_circuit::Optimize;
use binade_generator::{Design, generate};
use binade_golden::{Codec, Exact, Literal, Model, Policy, Value};
use binade_spec::word::low_bits;
use binade_spec::{
    Codebook, Format, Function, Listed, Listing, Operation, Overflow, Rounding, Selection, Setting, Unit, Word,
};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A table of a file.
#[derive(Debug)]
struct Table {
    /// The title of its section.
    title: String,
    /// The sentences between the title and the headings.
    about: String,
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// All tables of a file: a sentence that ends with a colon, then headings, then rows up to the end of the comment.
    fn all(text: &str) -> Vec<Table> {
        let body = text.split_once("\n  // ").map_or("", |(_, body)| body);
        let body = format!("  // {body}");
        let lines: Vec<Option<&str>> = body.lines().map(|line| line.trim_start().strip_prefix("// ")).collect();
        let comments = lines.split(Option::is_none).map(|lines| lines.iter().flatten().copied().collect::<Vec<&str>>());
        comments.flat_map(|comment| Table::of_comment(&comment)).collect()
    }

    fn of_comment(comment: &[&str]) -> Vec<Table> {
        let mut tables = vec![];
        let mut rest = comment;
        while let Some(end) = rest.iter().position(|line| line.ends_with(':')) {
            // Headings and rows are indented.
            let lines: Vec<&str> = rest[end + 1..].iter().map_while(|line| line.strip_prefix("  ")).collect();
            let Some((headings, rows)) = lines.split_first() else { break };
            tables.push(Table::new(comment[0], &rest[..=end].join(" "), headings, rows));
            rest = &rest[end + 1 + lines.len()..];
        }
        tables
    }

    fn new(title: &str, about: &str, headings: &str, lines: &[&str]) -> Table {
        let first = headings.split(" | ").next().expect("a heading");
        let names: Vec<String> = first.split_whitespace().map(String::from).collect();
        let mut starts = vec![];
        for name in &names {
            let from = starts.last().map_or(0, |&(start, length): &(usize, usize)| start + length);
            starts.push((from + first[from..].find(name.as_str()).expect("a heading"), name.len()));
        }
        let block = first.len() + " | ".len();
        let across = headings.split(" | ").count();
        let cell = |line: &str, from: usize, to: usize| {
            line.get(from.min(line.len())..to.min(line.len())).map(|cell| cell.trim().to_string())
        };
        let mut rows: Vec<Vec<String>> = vec![];
        for at in 0..across {
            for line in lines {
                let ends = starts[1..].iter().map(|(start, _)| *start).chain([if across == 1 {
                    usize::MAX / 2
                } else {
                    first.len()
                }]);
                let cells: Vec<String> = starts
                    .iter()
                    .zip(ends)
                    .map(|((start, _), end)| cell(line, at * block + start, at * block + end).expect("a row in ASCII"))
                    .collect();
                if !cells[0].is_empty() {
                    rows.push(cells);
                }
            }
        }
        Table { title: title.into(), about: about.into(), headings: names, rows }
    }

    /// The format in parentheses behind a name in the sentence.
    fn format_of(&self, port: &str) -> Format {
        let after =
            self.about.split_once(&format!(" {port} (")).unwrap_or_else(|| panic!("{port} in {}", self.about)).1;
        format(after.split_once(')').expect("the end of the format").0)
    }
}

fn hexadecimal(text: &str) -> u64 {
    u64::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text} is no code"))
}

/// The value that a cell has.
fn value(text: &str) -> Value {
    match text.parse::<Literal>().unwrap_or_else(|error| panic!("{error}")) {
        Literal::Special(value) => value,
        Literal::Number { negative, n, k } => {
            let zeros = n.trailing_zeros().expect("not 0");
            let n = (n >> zeros).try_into().expect("a short number");
            Value::Finite(Exact { negative, n, k: k + zeros as i32 })
        }
    }
}

fn of_words(operation: &Operation, words: &[u64]) -> Vec<u64> {
    let words: Vec<Word> = words.iter().map(|&word| word.into()).collect();
    Model::new(operation).evaluate(&words).iter().map(|word| low_bits(word) as u64).collect()
}

/// A cell and what it is to be.
fn expect<T: PartialEq + std::fmt::Debug>(table: &Table, row: &[String], is: T, wanted: T) {
    assert_eq!(is, wanted, "{row:?} under {} of {}", table.headings.join(" "), table.title);
}

/// The formats of the operands.
fn operands(operation: &Operation) -> impl Iterator<Item = Format> {
    operation.inputs().into_iter().filter_map(|port| port.format())
}

/// Checks each row of a table; the number of rows.
fn check(operation: &Operation, table: &Table) -> usize {
    let rows = &table.rows;
    match table.headings.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["x", "value", "y", "value", ..] if table.title.starts_with("Look up ") => check_function(operation, table),
        ["x", "value", "result", "digits"] => check_digits(table),
        ["code", "value", "biased_exponent", "significand", "magnitude"] => {
            let is_codebook = |format: &Format| matches!(format, Format::Codebook(_));
            check_codes(table, operands(operation).find(is_codebook).expect("a codebook is unpacked"));
        }
        ["sign", "place", "magnitude", "key", "code", "value"] => check_places(operation, table),
        ["code", "value", "exponent"] => check_powers(operation, table),
        ["a", "b", "quotient", "more"] => rows.iter().for_each(|row| check_quotient(table, row)),
        ["radicand", "root", "more"] => rows.iter().for_each(|row| check_root(table, row, false)),
        ["radicand", "reciprocal_root", "more"] => rows.iter().for_each(|row| check_root(table, row, true)),
        ["a", "b", "product", "beyond"] => rows.iter().for_each(|row| check_product(operation, table, row)),
        _ if table.about.contains("Each operand and its result:") => check_results(operation, table),
        _ => panic!("a table that no check knows: {table:?}"),
    }
    rows.len()
}

/// The results of a function, perhaps inside a larger unit.
fn check_function(operation: &Operation, table: &Table) {
    let name = table.title.strip_prefix("Look up ").expect("a function").to_string();
    let [x, y] = ["x", "y"].map(|port| table.format_of(port));
    let mut words =
        vec![(Setting::Function, name), (Setting::To, y.to_string()), (Setting::Round, operation.rounding.to_string())];
    words.extend(operation.flags.map(|_| (Setting::Flags, "true".to_string())));
    words.push((Setting::Overflow, operation.overflow.to_string()));
    let words: Vec<(Setting, &str)> = words.iter().map(|(setting, word)| (*setting, word.as_str())).collect();
    let function = selected(Unit::Function, &x.to_string(), &words).unwrap();
    assert_eq!(table.rows.len(), 1 << x.width(), "{}", table.title);
    for (code, row) in (0..).zip(&table.rows) {
        let results = of_words(&function, &[code]);
        expect(table, row, hexadecimal(&row[0]), code);
        expect(table, row, value(&row[1]), x.decode(code.into()));
        expect(table, row, hexadecimal(&row[2]), results[0]);
        expect(table, row, value(&row[3]), y.decode(results[0].into()));
        assert_eq!(row.len(), 3 + results.len(), "flags, if the unit has them");
        row.get(4).into_iter().for_each(|flags| expect(table, row, hexadecimal(flags), results[1]));
    }
}

/// Digits of a function before it is rounded: those of the function in binary32, toward zero, as far as both go.
fn check_digits(table: &Table) {
    let name = table.title.strip_prefix("Look up ").and_then(|rest| rest.split_once(':')).expect("a function").0;
    let x = table.format_of("x");
    let words = [(Setting::Function, name), (Setting::To, "binary32"), (Setting::Round, "rtz")];
    let function = selected(Unit::Function, &x.to_string(), &words).unwrap();
    let kept: u32 =
        table.about.split_once("the first ").and_then(|(_, rest)| rest.split_once(',')).unwrap().0.parse().unwrap();
    assert!(kept <= 24, "binary32 has fewer digits");
    for (code, row) in (0..).zip(&table.rows) {
        expect(table, row, value(&row[1]), x.decode(code.into()));
        let wanted = format("binary32").decode(of_words(&function, &[code])[0].into());
        let result = match (&*row[2], wanted) {
            ("invalid" | "nan" | "nan, pole", _) => Value::Nan,
            ("+inf, pole" | "+inf", _) => Value::Infinite { negative: false },
            ("-inf, pole" | "-inf", _) => Value::Infinite { negative: true },
            ("+0", _) => Value::Zero { negative: false },
            ("-0", _) => Value::Zero { negative: true },
            (number, Value::Finite(exact)) => {
                let (sign, exponent) = number.split_once(" 2^").expect("a number");
                let of = hexadecimal(&row[3]);
                let below = exact.n.ilog2() as i32 + 1 - kept as i32;
                let leading = if below >= 0 { exact.n >> below } else { exact.n << -below };
                expect(table, row, u128::from(of >> 1), leading);
                expect(table, row, (sign == "-", exponent.parse().unwrap()), (exact.negative, exact.exponent()));
                continue;
            }
            (_, other) => other,
        };
        assert!(row[3].is_empty(), "{row:?}");
        expect(table, row, result, wanted);
    }
}

/// All operands of a unit and its results.
fn check_results(operation: &Operation, table: &Table) {
    let (inputs, outputs) = (operation.inputs(), operation.outputs());
    let bits: u32 = inputs.iter().map(|port| port.width()).sum();
    assert_eq!(table.rows.len(), 1 << bits, "{}", table.title);
    for (at, row) in table.rows.iter().enumerate() {
        let cells: BTreeMap<&str, &str> =
            table.headings.iter().zip(row).map(|(heading, cell)| (heading.as_str(), cell.as_str())).collect();
        let words: Vec<u64> = inputs.iter().map(|port| hexadecimal(cells[port.name])).collect();
        let packed = inputs.iter().zip(&words).rev().fold(0, |packed, (port, word)| packed << port.width() | word);
        expect(table, row, packed, at as u64);
        let results = of_words(operation, &words);
        for (port, result) in outputs.iter().zip(&results) {
            expect(table, row, hexadecimal(cells[port.name]), *result);
        }
        let valued = outputs[0].format().expect("a code").decode(results[0].into());
        expect(
            table,
            row,
            value(row.iter().zip(&table.headings).rfind(|(_, heading)| *heading == "value").unwrap().0),
            valued,
        );
        if inputs.len() == 1 {
            expect(table, row, value(&row[1]), inputs[0].format().expect("a code").decode(words[0].into()));
        }
    }
}

/// Each code of a codebook, unpacked.
fn check_codes(table: &Table, codebook: Format) {
    assert_eq!(table.rows.len(), 1 << codebook.width());
    let last: i32 = table
        .about
        .split_once("biased_exponent")
        .and_then(|(_, rest)| rest.split_once(')'))
        .unwrap()
        .0
        .parse()
        .unwrap();
    let mut ranks: Vec<(u64, Value)> = vec![];
    for (code, row) in (0..).zip(&table.rows) {
        let is = codebook.decode(code.into());
        expect(table, row, hexadecimal(&row[0]), code);
        expect(table, row, value(&row[1]), is);
        if let Value::Finite(Exact { negative, .. }) = is {
            let (exponent, n) = (row[2].parse::<i32>().unwrap(), hexadecimal(&row[3]).into());
            expect(table, row, Value::Finite(Exact { negative, n, k: exponent + last }), is);
            ranks.push((hexadecimal(&row[4]), Value::Finite(Exact { negative: false, n, k: exponent + last })));
        }
    }
    ranks.sort_by_key(|(rank, _)| *rank);
    let size = |value: Value| match value {
        Value::Finite(exact) => exact.n as f64 * f64::from(exact.k).exp2(),
        _ => panic!("a number"),
    };
    for pair in ranks.windows(2) {
        let [(lower, low), (higher, high)] = [pair[0], pair[1]];
        assert_eq!(lower == higher, low == high, "{pair:?}");
        assert!(size(low) <= size(high), "{pair:?}");
    }
}

/// Each place of a codebook: a magnitude of its bound gets the code, and a smaller one that before.
fn check_places(operation: &Operation, table: &Table) {
    let result = operation.result;
    let policy = Policy::new(operation.rounding, operation.overflow);
    let mut before: BTreeMap<&str, (u64, u128)> = BTreeMap::new();
    for row in &table.rows {
        let negative = row[0] == "-";
        let (sign, bound) = row[2].split_once(' ').expect("a bound");
        let code = hexadecimal(&row[4]);
        expect(table, row, value(&row[5]), result.decode(code.into()));
        let at = |n: u128, k: i32| result.encode_by(Value::Finite(Exact { negative, n, k }), &policy) as u64;
        let (below, bound, above) = match value(bound) {
            Value::Finite(Exact { n, k, .. }) => {
                let more = n.leading_zeros().min(60) as i32;
                (at((n << more) - 1, k - more), at(n, k), at((n << more) + 1, k - more))
            }
            // Just above zero.
            _ => {
                let zero = result.encode_by(Value::Zero { negative }, &policy) as u64;
                (zero, zero, if sign == ">" { at(1, -10_000) } else { code })
            }
        };
        let key = u128::from_str_radix(&row[3], 16).expect("a key");
        let last = before.insert(if negative { "-" } else { "+" }, (code, key));
        assert!(last.is_none_or(|(_, last)| last < key), "{row:?}: keys ascend");
        // The sign of a zero that has none is dropped.
        let same = |one: u64, other: u64| result.decode(one.into()) == result.decode(other.into());
        assert!(same(above, code), "{row:?}: just above the bound the code is {above:x}");
        let before = last.map_or(code, |(code, _)| code);
        assert!(same(if sign == ">" { bound } else { below }, before), "{row:?}: {bound:x}, {below:x}, not {before:x}");
        assert!(sign == ">" || same(bound, code), "{row:?}: {bound:x}");
    }
    // All values have a place.
    let places = |negative: bool| result.max_magnitude(negative) as usize + 1;
    assert!(table.rows.len() >= places(false) + places(true), "{} rows", table.rows.len());
}

/// The codes of powers of two in a supernormal format.
fn check_powers(operation: &Operation, table: &Table) {
    let is_supernormal =
        |format: &Format| format.float().is_some_and(|float| float.binades_below + float.binades_above > 0);
    let supernormal = operands(operation).find(is_supernormal).expect("a supernormal format");
    let float = supernormal.float().expect("a float");
    let count = (float.binades_below + float.binades_above) << float.trailing_bits;
    assert_eq!(table.rows.len(), count as usize, "{supernormal}");
    for row in &table.rows {
        let is = supernormal.decode(hexadecimal(&row[0]).into());
        expect(table, row, value(&row[1].replace("2^", "1*2^")), is);
        if let Value::Finite(exact) = is {
            let exponent: i32 = row[2].parse().unwrap();
            expect(table, row, exponent - float.bias, exact.exponent());
        }
    }
}

/// Digits with a point as an integer, and how many of them are behind the point.
fn binary(text: &str) -> (u128, u32) {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    (u128::from_str_radix(&format!("{whole}{fraction}"), 2).expect("digits"), fraction.len() as u32)
}

fn check_quotient(table: &Table, row: &[String]) {
    let ([(a, _), (b, _)], (quotient, places)) = ([&row[0], &row[1]].map(|text| binary(text)), binary(&row[2]));
    expect(table, row, quotient, (a << places) / b);
    expect(table, row, row[3] == "yes", (a << places) % b > 0);
}

fn check_root(table: &Table, row: &[String], is_reciprocal: bool) {
    let ((radicand, of_radicand), (root, places)) = (binary(&row[0]), binary(&row[1]));
    let square = |root: u128| root * root;
    // Both sides of root^2 <= radicand, or of root^2 * radicand <= 1, as integers.
    let sides = |root: u128| match is_reciprocal {
        false => (square(root) << of_radicand, radicand << (2 * places)),
        true => (square(root) * radicand, 1 << (2 * places + of_radicand)),
    };
    let [(low, wanted), (high, _)] = [sides(root), sides(root + 1)];
    assert!(low <= wanted && wanted < high, "{row:?}");
    expect(table, row, row[2] == "yes", low < wanted);
}

fn check_product(operation: &Operation, table: &Table, row: &[String]) {
    let [(a, places_of_a), (b, places_of_b)] = [&row[0], &row[1]].map(|text| binary(text));
    let places = places_of_a + places_of_b;
    let (significand, power) = row[2].split_once("*2^").expect("a power");
    let ((rounded, kept), power) = (binary(significand), power.parse::<u32>().unwrap());
    // The ordinary numbers of the result, in a format without an end near 1.
    let exact = Value::Finite(Exact { negative: false, n: a * b, k: -(places as i32) });
    let precision = operation.result.precision();
    let wide = format(&format!("e11m{}", precision - 1));
    let code = wide.encode(exact, operation.rounding, Overflow::Inf);
    expect(
        table,
        row,
        wide.decode(code),
        Value::Finite(Exact { negative: false, n: rounded << power, k: -(kept as i32) }),
    );
    // How far the product is above its power of two, which the rounding may have reached.
    let of_product = ((a * b) >> (places + 1)) as u32;
    let low = 1_u128 << (places + of_product);
    let rest = if power > of_product { 0 } else { a * b - low };
    let wanted = match (2 * rest).cmp(&low) {
        _ if rest == 0 => "0",
        std::cmp::Ordering::Less => "< 1/2",
        std::cmp::Ordering::Equal => "1/2",
        std::cmp::Ordering::Greater => "> 1/2",
    };
    expect(table, row, row[3].as_str(), wanted);
}

/// The tables of a unit, each checked; the headings of all.
fn checked(operation: &Operation, optimize: Optimize) -> Vec<(String, usize)> {
    let text = generate(Design::from(operation).optimized(optimize)).verilog;
    let tables = Table::all(&text);
    tables.iter().map(|table| (table.headings.join(" "), check(operation, table))).collect()
}

#[test]
fn functions() {
    let formats = ["e5m2", "e4m3fn", "e2m3f", "posit8_1", "hifloat8", "e5m2b1"];
    let rows: usize = formats
        .par_iter()
        .flat_map(|name| Function::ALL.map(|function| (*name, function)))
        .map(|(name, function)| {
            let function = function.to_string();
            let with = |more: &[(Setting, &str)]| {
                let words = [&[(Setting::Function, function.as_str())], more].concat();
                selected(Unit::Function, name, &words)
            };
            let flagged = with(&[(Setting::Flags, "true")]).ok();
            let plain = with(&[]).unwrap();
            let all = [Some(plain), flagged].into_iter().flatten();
            all.map(|operation| {
                let tables = checked(&operation, Optimize::Area);
                assert_eq!(tables.len(), 1, "{name} {function}: {tables:?}");
                tables[0].1
            })
            .sum::<usize>()
        })
        .sum();
    assert!(rows > 6 * 256 * Function::ALL.len() / 2, "{rows} rows");
}

/// A unit and its formats, the words that select it, its goal, and the tables that it has, by their headings, with their rows.
type Tabled = (Unit, &'static str, &'static [(Setting, &'static str)], Optimize, &'static [(&'static str, usize)]);

const UNITS: [Tabled; 15] = [
    (Unit::Mul, "nf4", &[], Optimize::Area, &[("a b y value", 256)]),
    (Unit::Convert, "e5m2", &[(Setting::To, "hifloat8")], Optimize::Area, &[("x value y value", 256)]),
    (Unit::Convert, "hifloat8", &[(Setting::To, "e4m3fn")], Optimize::Area, &[("x value y value", 256)]),
    (
        Unit::Fmac,
        "hifloat8",
        &[(Setting::Acc, "binary16")],
        Optimize::Area,
        &[("code value biased_exponent significand magnitude", 256)],
    ),
    (Unit::Encode, "hifloat8", &[], Optimize::Area, &[("sign place magnitude key code value", 256)]),
    (Unit::Encode, "nf4", &[(Setting::Round, "rup")], Optimize::Area, &[("sign place magnitude key code value", 17)]),
    (Unit::Divide, "e5m2", &[], Optimize::Area, &[("a b quotient more", 16)]),
    (Unit::Divide, "e4m3fn", &[], Optimize::Area, &[("a b quotient more", 64)]),
    (Unit::Sqrt, "e4m3fn", &[], Optimize::Area, &[("radicand root more", 24)]),
    (Unit::Rsqrt, "e4m3fn", &[], Optimize::Area, &[("radicand reciprocal_root more", 24)]),
    (Unit::Reciprocal, "e4m3fn", &[], Optimize::Area, &[("a b quotient more", 8)]),
    (Unit::Mul, "e5m2b1", &[], Optimize::Area, &[("code value exponent", 8), ("a b product beyond", 16)]),
    (Unit::Fmac, "e4m3b2", &[(Setting::Acc, "binary16")], Optimize::Depth, &[("code value exponent", 32)]),
    (Unit::Softmax, "e5m2", &[(Setting::Lanes, "4")], Optimize::Area, &[("x value y value", 256)]),
    (
        Unit::Function,
        "e4m3fn",
        &[(Setting::Function, "log"), (Setting::Round, "sr8")],
        Optimize::Area,
        &[("x value result digits", 256)],
    ),
];

#[test]
fn each_unit_has_its_tables() {
    UNITS.par_iter().for_each(|(unit, formats, words, optimize, tables)| {
        let operation = selected(*unit, formats, words).unwrap_or_else(|error| panic!("{unit} of {formats}: {error}"));
        let found = checked(&operation, *optimize);
        let wanted: Vec<(String, usize)> =
            tables.iter().map(|(headings, rows)| (headings.to_string(), *rows)).collect();
        assert_eq!(found, wanted, "{unit} of {formats}");
    });
}

/// Neighbors that are far apart: what lies halfway between them has more digits than a word.
#[test]
fn bounds_may_have_many_digits() {
    let number = |negative, n, k| Listed::Number { negative, n, k };
    let values = vec![
        Listed::Zero { negative: false },
        number(false, 4_951_760_157_141_521, -92),
        number(false, 1, 0),
        number(false, 3, 0),
        number(true, 1, 0),
        number(true, 1, -39),
        Listed::Nan,
        number(false, 3, -2),
    ];
    let listing = Listing::new("gap", 3, values).with(String::new(), Rounding::Rne, None);
    let gap: Format = Codebook::new(listing).expect("a codebook").into();
    let operation = Selection::new(Unit::Encode, gap).operation().expect("an encoder");
    let found = checked(&operation, Optimize::Area);
    assert_eq!(found, [("sign place magnitude key code value".to_string(), 8)]);
}

/// A table that says something else than the unit does is found, in each column.
#[test]
fn wrong_rows_are_found() {
    let operation = selected(Unit::Function, "e5m2", &[(Setting::Function, "tanh")]).unwrap();
    let text = generate(Design::from(&operation)).verilog;
    let row = "3c  1            3a  0.75";
    assert!(text.contains(row), "{text}");
    for wrong in [
        "3d  1            3a  0.75",
        "3c  1.5          3a  0.75",
        "3c  1            3b  0.75",
        "3c  1            3a  0.7500001",
    ] {
        let tables = Table::all(&text.replace(row, wrong));
        let result = std::panic::catch_unwind(|| check(&operation, &tables[0]));
        assert!(result.is_err(), "{wrong}");
    }
}
