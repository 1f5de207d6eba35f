//! A minimal selection for each unit; everything else has its default.

use binade_spec::{Operation, Selection, Setting, Unit};

/// The format, if the unit has one.
pub fn format(unit: Unit) -> Option<&'static str> {
    match unit {
        Unit::Random => None,
        Unit::PositDecoder | Unit::PositEncoder => Some("posit16_1"),
        Unit::Sgnj => Some("binary16"),
        Unit::MxDot | Unit::MxQuantize => Some("e4m3fn"),
        _ => Some("e5m2b1"),
    }
}

/// The words for the settings that the unit requires.
fn words(unit: Unit) -> &'static [(Setting, &'static str)] {
    match unit {
        Unit::Convert => &[(Setting::To, "binary16")],
        Unit::Function => &[(Setting::Function, "tanh")],
        Unit::Minmax => &[(Setting::Operation, "minimum")],
        _ => &[],
    }
}

/// The selection.
pub fn operation(unit: Unit) -> Operation {
    let format = format(unit).map(|name| name.parse().expect("a format"));
    let format = unit.format_or_none(format).expect("a format where the unit has one");
    let mut selection = Selection::with_formats(unit, format);
    for (setting, word) in words(unit) {
        selection.set(*setting, word).expect("a word for the setting");
    }
    selection.operation().expect("an operation")
}

/// The command that generates it.
pub fn command(unit: Unit) -> String {
    let format = format(unit).map(|format| format!(" --format {format}")).unwrap_or_default();
    let words: String = words(unit).iter().map(|(setting, word)| format!(" --{setting} {word}")).collect();
    format!("binade gen{format} --unit {unit}{words}")
}
