//! Compares the reference files, Verilog of representative units under version control: a review shows every change of the
//! generator as a change of these files.
//!
//! To update them after an intended change:
//!
//! ```sh
//! BINADE_UPDATE_REFERENCE=1 cargo test -p binade-generator --test it reference
//! ```

use binade_circuit::Optimize;
use binade_generator::{Design, generate};
use binade_spec::{Format, Operation, Overflow, Selection, Unit};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const UPDATE: &str = "BINADE_UPDATE_REFERENCE";

/// Unit, format, accumulator or target, overflow policy.
const UNITS: [(Unit, &str, Option<&str>, Overflow); 30] = [
    (Unit::Decode, "e5m2b1", None, Overflow::Inf),
    (Unit::Encode, "e5m2b1", None, Overflow::Inf),
    (Unit::Mul, "e5m2b1", None, Overflow::Inf),
    (Unit::Add, "e5m2b1", None, Overflow::Inf),
    (Unit::Fmac, "e5m2b1", None, Overflow::Inf),
    (Unit::Fmac, "e5m2", None, Overflow::Inf),
    (Unit::Fmac, "e4m3fn", None, Overflow::Inf),
    (Unit::Fmac, "k8p3se", None, Overflow::Inf),
    (Unit::Fmac, "binary16", Some("binary16"), Overflow::Inf),
    (Unit::Mul, "e4m3fn", None, Overflow::Saturate),
    (Unit::Mul, "e2m1f", None, Overflow::Inf),
    (Unit::Add, "bfloat16", None, Overflow::Inf),
    (Unit::Encode, "binary16", None, Overflow::Inf),
    (Unit::Encode, "dlfloat16", None, Overflow::Inf),
    (Unit::Encode, "e4m3ns", None, Overflow::Saturate),
    (Unit::Convert, "e4m3fn", Some("e5m2"), Overflow::Inf),
    (Unit::Convert, "bfloat16", Some("binary32"), Overflow::Inf),
    (Unit::PositDecoder, "posit16_1", None, Overflow::Inf),
    (Unit::PositEncoder, "posit16_1", None, Overflow::Inf),
    (Unit::Encode, "posit16_1", None, Overflow::Inf),
    (Unit::Mul, "posit8_2", None, Overflow::Inf),
    (Unit::Fmac, "posit8_2", Some("posit16_2"), Overflow::Inf),
    (Unit::Dot, "e5m2", None, Overflow::Inf),
    (Unit::Mma, "e5m2", None, Overflow::Inf),
    (Unit::Accumulate, "e5m2", None, Overflow::Inf),
    (Unit::DotExact, "e5m2", None, Overflow::Inf),
    (Unit::Update, "bfloat16", None, Overflow::Inf),
    (Unit::LossScaler, "e5m2", None, Overflow::Inf),
    (Unit::Divide, "e5m2", None, Overflow::Inf),
    (Unit::Sqrt, "binary16", None, Overflow::Inf),
];

/// The units that are also generated for depth: places in the list.
const SHALLOW: [usize; 2] = [2, 4];

/// The units that are also generated with registers: place in the list, and stages.
const PIPELINED: [(usize, u32); 2] = [(4, 3), (19, 1)];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl_out/reference")
}

fn operation(&(unit, name, other, overflow): &(Unit, &str, Option<&str>, Overflow)) -> Operation {
    let format = |name: &str| name.parse::<Format>().unwrap_or_else(|error| panic!("{error}"));
    let other = other.map(format);
    Selection {
        accumulator: other.filter(|_| unit == Unit::Fmac),
        target: other.filter(|_| unit == Unit::Convert),
        overflow,
        ..Selection::new(unit, format(name))
    }
    .operation()
    .expect("an operation that exists")
}

/// The units with reference files.
pub fn designs() -> Vec<Design> {
    let combinational = UNITS.iter().map(|unit| Design::from(operation(unit)));
    let pipelined = PIPELINED.iter().map(|&(unit, stages)| Design::pipelined(operation(&UNITS[unit]), stages));
    let shallow = SHALLOW.iter().map(|&unit| Design::from(operation(&UNITS[unit])).optimized(Optimize::Depth));
    combinational.chain(shallow).chain(pipelined).collect()
}

/// The expected file names and contents.
fn wanted() -> Vec<(String, String)> {
    designs().into_iter().map(generate).map(|unit| (format!("{}.v", unit.module), unit.verilog)).collect()
}

fn present() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).expect("rtl_out/reference is there");
    let names = entries.map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".v")).collect()
}

/// The actual names and contents of the files.
pub fn files() -> Vec<(String, String)> {
    let read = |name: &str| fs::read_to_string(folder().join(name)).expect("a file of the folder can be read");
    present().into_iter().map(|name| (name.clone(), read(&name))).collect()
}

/// The number of common lines before two texts differ.
fn common<'a>(old: impl Iterator<Item = &'a &'a str>, new: impl Iterator<Item = &'a &'a str>) -> usize {
    old.zip(new).take_while(|(old, new)| old == new).count()
}

/// The difference between two texts: the lines between their common beginning and their common end.
fn difference(old: &str, new: &str) -> String {
    const SHOWN: usize = 6;
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = common(old.iter(), new.iter());
    let (old, new) = (&old[start..], &new[start..]);
    let end = common(old.iter().rev(), new.iter().rev());
    let mut text = format!("from line {}:", start + 1);
    for (sign, lines) in [('-', &old[..old.len() - end]), ('+', &new[..new.len() - end])] {
        lines.iter().take(SHOWN).for_each(|line| text += &format!("\n  {sign} {line}"));
        if lines.len() > SHOWN {
            text += &format!("\n  {sign} .. {} more lines", lines.len() - SHOWN);
        }
    }
    text
}

fn update() {
    let wanted = wanted();
    for name in present() {
        if wanted.iter().all(|(kept, _)| *kept != name) {
            fs::remove_file(folder().join(name)).expect("a file of the folder can be removed");
        }
    }
    for (name, text) in wanted {
        fs::write(folder().join(name), text).expect("the folder can be written");
    }
}

#[test]
fn reference_units_have_not_changed() {
    if std::env::var_os(UPDATE).is_some() {
        return update();
    }
    let mut complaints = vec![];
    let mut extra = present();
    for (name, new) in wanted() {
        extra.remove(&name);
        match fs::read_to_string(folder().join(&name)) {
            Err(error) => complaints.push(format!("{name}: {error}")),
            Ok(old) if old != new => complaints.push(format!("{name} differs {}", difference(&old, &new))),
            Ok(_) => {}
        }
    }
    complaints.extend(extra.into_iter().map(|name| format!("{name} is no reference unit")));
    assert!(
        complaints.is_empty(),
        "rtl_out/reference is not what the generator writes:\n{}\n\
         If the change is meant: {UPDATE}=1 cargo test -p binade-generator --test it reference",
        complaints.join("\n")
    );
}

#[test]
fn differences_are_short() {
    assert_eq!(difference("a\nb\nc\n", "a\nx\nc\n"), "from line 2:\n  - b\n  + x");
    assert_eq!(difference("a\na\n", "a\n"), "from line 2:\n  - a");
    assert!(difference("", &"x\n".repeat(100)).ends_with("+ .. 94 more lines"));
}
