//! Compares the reference files, Verilog of representative units under version control: a review shows every change of the
//! generator as a change of these files.
//!
//! To update them after an intended change:
//!
//! ```sh
//! BINADE_UPDATE_REFERENCE=1 cargo test -p binade-generator --test it reference
//! ```

use binade_circuit::Language;
use binade_generator::{BuildChoice, Design, generate};
use binade_spec::{Formats, Selection, Setting, Unit};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const UPDATE: &str = "BINADE_UPDATE_REFERENCE";

/// A unit: its name, its formats, the words of its settings and of how it is built, and the language, if it is not Verilog.
type Reference = (Unit, &'static str, &'static [(&'static str, &'static str)], Language);

const VERILOG: Language = Language::Verilog;

const UNITS: [Reference; 44] = [
    (Unit::Decode, "e5m2b1", &[], VERILOG),
    (Unit::Encode, "e5m2b1", &[], VERILOG),
    (Unit::Mul, "e5m2b1", &[], VERILOG),
    (Unit::Mul, "e5m2b1", &[("optimize", "depth")], VERILOG),
    (Unit::Add, "e5m2b1", &[], VERILOG),
    (Unit::Fmac, "e5m2b1", &[], VERILOG),
    (Unit::Fmac, "e5m2b1", &[("optimize", "depth")], VERILOG),
    (Unit::Fmac, "e5m2b1", &[("stages", "3")], VERILOG),
    (Unit::Fmac, "e5m2", &[], VERILOG),
    (Unit::Fmac, "e4m3fn", &[], VERILOG),
    (Unit::Fmac, "k8p3se", &[], VERILOG),
    (Unit::Fmac, "binary16", &[("acc", "binary16")], VERILOG),
    (Unit::Fmac, "hifloat8", &[], VERILOG),
    (Unit::Mul, "e4m3fn", &[("overflow", "saturate")], VERILOG),
    (Unit::Mul, "e2m1f", &[], VERILOG),
    (Unit::Mul, "nf4", &[], VERILOG),
    (Unit::Mul, "e4m3fn+e5m2", &[], VERILOG),
    (Unit::Mul, "e5m2", &[("stages", "2"), ("interface", "ready-valid")], Language::SystemVerilog),
    (Unit::Add, "bfloat16", &[], VERILOG),
    (Unit::Add, "e5m2", &[("stages", "1")], Language::Vhdl),
    (Unit::Add, "e5m2", &[("stages", "1"), ("reset-type", "async")], VERILOG),
    (Unit::Encode, "binary16", &[], VERILOG),
    (Unit::Encode, "dlfloat16", &[], VERILOG),
    (Unit::Encode, "e4m3ns", &[("overflow", "saturate")], VERILOG),
    (Unit::Convert, "e4m3fn", &[("to", "e5m2")], VERILOG),
    (Unit::Convert, "bfloat16", &[("to", "binary32")], VERILOG),
    (Unit::PositDecoder, "posit16_1", &[], VERILOG),
    (Unit::PositEncoder, "posit16_1", &[], VERILOG),
    (Unit::Encode, "posit16_1", &[], VERILOG),
    (Unit::Encode, "posit16_1", &[("stages", "1")], VERILOG),
    (Unit::Mul, "posit8_2", &[], VERILOG),
    (Unit::Fmac, "posit8_2", &[("acc", "posit16_2")], VERILOG),
    (Unit::Dot, "e5m2", &[], VERILOG),
    (Unit::MxDot, "e4m3fn", &[("lanes", "4")], VERILOG),
    (Unit::Mma, "e5m2", &[], VERILOG),
    (Unit::Accumulate, "e5m2", &[], VERILOG),
    (Unit::DotExact, "e5m2", &[], VERILOG),
    (Unit::Update, "bfloat16", &[], VERILOG),
    (Unit::LossScaler, "e5m2", &[], VERILOG),
    (Unit::Divide, "e5m2", &[], VERILOG),
    (Unit::Divide, "binary16", &[("digits-per-clock", "1")], VERILOG),
    (Unit::Sqrt, "binary16", &[], VERILOG),
    (Unit::Function, "e5m2", &[("function", "tanh")], VERILOG),
    (Unit::Softmax, "e5m2", &[("lanes", "4")], VERILOG),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl_out/reference")
}

/// The design of a unit.
fn design((unit, formats, words, _): &Reference) -> Design {
    let formats: Formats = formats.parse().unwrap_or_else(|error| panic!("{error}"));
    let mut selection = Selection::with_formats(*unit, formats);
    let choice = |key: &str| BuildChoice::ALL.into_iter().find(|choice| choice.key() == key);
    for (key, word) in words.iter().filter(|(key, _)| choice(key).is_none()) {
        let setting = Setting::ALL.into_iter().find(|setting| setting.key() == *key).expect("a setting");
        selection.set(setting, word).unwrap_or_else(|error| panic!("{key} {word}: {error}"));
    }
    let design = Design::from(selection.operation().unwrap_or_else(|error| panic!("{unit}: {error}")));
    let chosen = words.iter().filter_map(|(key, word)| Some((choice(key)?, word)));
    chosen.fold(design, |design, (choice, word)| design.choose(choice, word).expect("a design that exists"))
}

/// The units with reference files in Verilog.
pub fn designs() -> Vec<Design> {
    UNITS.iter().filter(|(.., language)| *language == VERILOG).map(design).collect()
}

/// The expected file names and contents.
fn wanted() -> Vec<(String, String)> {
    let file = |reference: &Reference| {
        let (unit, language) = (generate(design(reference)), reference.3);
        (format!("{}{}", unit.module, language.ending()), unit.text(language))
    };
    UNITS.iter().map(file).collect()
}

fn present() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).expect("rtl_out/reference is there");
    let names = entries.map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned());
    names.collect()
}

/// The actual names and contents of the files in Verilog.
pub fn files() -> Vec<(String, String)> {
    let read = |name: &str| fs::read_to_string(folder().join(name)).expect("a file of the folder can be read");
    present().into_iter().filter(|name| name.ends_with(".v")).map(|name| (name.clone(), read(&name))).collect()
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
