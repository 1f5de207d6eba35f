//! The options that choose the units to measure: several formats, several units, or one of each.

use crate::failure::Failure;
use crate::names::named;
use crate::selection::{BuildOptions, UnitOptions, one_name_for_many};
use crate::settings::GROUP;
use crate::stages::StageOptions;
use binade_generator::GeneratedUnit;
use binade_spec::{Formats, NameError, Unit};
use binade_synth::Target;
use clap::Args;
use std::str::FromStr;

/// Every combination of formats and units, as in an entry of a suite.
#[derive(Args, Clone, Debug)]
#[group(id = GROUP)]
pub struct UnitsOptions {
    /// Number formats, such as e5m2, e4m3fn, e5m2b1, k8p3se, posit16_1, binary16 (see `binade formats`; comma-separated or repeated)
    #[arg(long = "format", value_name = "FORMAT", group = GROUP, value_parser = formats::<Formats>)]
    formats: Vec<Vec<Formats>>,
    /// What the units compute (see `binade units`; comma-separated or repeated)
    #[arg(long = "unit", value_name = "UNIT", group = GROUP, required = true, value_delimiter = ',',
          value_parser = named::<Unit>(&Unit::ALL.map(Unit::name)))]
    units: Vec<Unit>,
    #[command(flatten)]
    build: BuildOptions,
}

impl UnitsOptions {
    /// The units, format by format. `targets` are those on the command line.
    pub fn generate(&self, stages: &StageOptions, targets: &[Target]) -> Result<Vec<GeneratedUnit>, Failure> {
        let formats: Vec<Option<Formats>> = self.formats.iter().flatten().copied().map(Some).collect();
        let formats = if formats.is_empty() { vec![None] } else { formats };
        let each = formats.iter().flat_map(|&format| self.units.iter().map(move |&unit| (format, unit)));
        let count = formats.len() * self.units.len();
        let several = count > 1;
        if let Some(name) = self.build.choices.name().filter(|_| several) {
            return Err(one_name_for_many(name, count));
        }
        each.map(|(format, unit)| {
            let generated = UnitOptions { format, unit, build: self.build.clone() }.generate(stages, targets);
            let place = || format.map_or(unit.to_string(), |format| format!("{unit} of {format}"));
            generated.map_err(|failure| if several { failure.within(&place()) } else { failure })
        })
        .collect()
    }
}

/// Splits a comma-separated list of formats. A format's own options also follow commas, and stay with its name.
pub fn formats<T: FromStr<Err = NameError>>(list: &str) -> Result<Vec<T>, NameError> {
    let mut names: Vec<String> = vec![];
    for word in list.split(',') {
        match names.last_mut() {
            Some(name) if continues(name, word.trim()) => *name += &format!(",{word}"),
            Some(_) | None => names.push(word.into()),
        }
    }
    names.iter().map(|name| name.parse()).collect()
}

/// Whether a word after a comma belongs to the name before it: an option, an empty word, or the rest of `posit<16,1>`.
fn continues(name: &str, word: &str) -> bool {
    let is_option = word.contains('=') || word.eq_ignore_ascii_case("sat");
    is_option || word.is_empty() || (name.contains('<') && !name.contains('>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Vec<String> {
        formats::<Formats>(list).unwrap().iter().map(Formats::to_string).collect()
    }

    #[test]
    fn options_stay_with_their_formats() {
        assert_eq!(names("e5m2"), ["e5m2"]);
        assert_eq!(names("e4m3,bias=9"), ["e4m3,bias=9"]);
        assert_eq!(names("e4m3,bias=9,e5m2b1,SAT, half"), ["e4m3,bias=9", "e5m2b1,sat", "binary16"]);
        assert_eq!(names("posit<16,1>,scale=2^-4,e5m2,"), ["posit16_1,scale=2^-4", "e5m2"]);
    }

    /// A list is refused with the same error as the format in it.
    #[test]
    fn errors_are_those_of_one_format() {
        for name in ["", "e5m2x", "e5m2,bais=3", "e5m2,bias=x", "e5m2,sat", "bias=3", "posit<16,1"] {
            let alone = name.parse::<Formats>().expect_err(name);
            assert_eq!(formats::<Formats>(name).expect_err(name), alone);
            assert!(formats::<Formats>(&format!("{name},e4m3")).is_err(), "{name}");
        }
        assert_eq!(formats::<Formats>("e4m3,e5m2,bais=3"), Err("e5m2,bais=3".parse::<Formats>().unwrap_err()));
    }
}
