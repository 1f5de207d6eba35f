//! The words that choose a unit, and how to simplify them.

use crate::panics::caught;
use binade_generator::{BuildChoice, BuildError, Design};
use binade_spec::{Format, Formats, Operation, OperationError, Port, Selection, Setting, Unit, as_options};
use std::fmt;

/// Options of the command line with their words, in order; a flag has no word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Words(Vec<(String, Option<String>)>);

impl Words {
    /// Parses a line of words that chooses a unit.
    ///
    /// # Errors
    /// A sentence that says why it chooses no unit.
    pub fn read(line: &str) -> Result<Words, String> {
        let mut words = Words::default();
        for word in shlex::split(line).ok_or("--replay: a quotation mark has no partner")? {
            match (word.strip_prefix("--"), words.0.last_mut()) {
                (Some(option), _) => {
                    let (key, value) = option.split_once('=').map_or((option, None), |(key, value)| (key, Some(value)));
                    words.add(key, value.map(String::from));
                }
                (None, Some((_, value @ None))) => *value = Some(word),
                (None, _) => return Err(format!("--replay: `{word}` belongs to no option of a unit")),
            }
        }
        match caught(|| words.design()) {
            Ok(Err(why)) => Err(format!("--replay: {why}")),
            // A panic is what `fuzz` looks for.
            Ok(Ok(_)) | Err(_) => Ok(words),
        }
    }

    /// Adds an option.
    pub fn add(&mut self, key: &str, word: Option<String>) {
        self.0.push((key.into(), word));
    }

    /// The names of the options.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.as_str())
    }

    /// The options with their words.
    pub fn options(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.0.iter().map(|(key, word)| (key.as_str(), word.as_deref()))
    }

    /// The design that they choose, as they do on the command line.
    ///
    /// # Errors
    /// A sentence that says why they choose no design.
    pub fn design(&self) -> Result<Design, String> {
        self.check_keys()?;
        let builds = BuildChoice::ALL.into_iter().filter_map(|choice| Some((choice, self.word(choice.key())?)));
        let mut design = Design::from(self.operation()?);
        for (choice, word) in builds {
            let refused = |error: BuildError| match error {
                BuildError::Word(expected) => format!("--{choice} {word}: {expected}"),
                BuildError::Design(error) => as_options(&error.to_string()),
            };
            design = design.choose(choice, word).map_err(refused)?;
        }
        Ok(design)
    }

    fn operation(&self) -> Result<Operation, String> {
        let unit = self.word("unit").ok_or("--unit is missing")?;
        let unit: Unit = unit.parse().map_err(|error| format!("--unit {unit}: {error}"))?;
        let format = |name: &str| name.parse::<Formats>().map_err(|error| format!("--format {name}: {error}"));
        let format = self.word("format").map(format).transpose()?;
        let refused = |error: OperationError| as_options(&error.to_string());
        let mut selection = Selection::with_formats(unit, unit.format_or_none(format).map_err(refused)?);
        for setting in Setting::ALL {
            if let Some(word) = self.word(setting.key()) {
                selection.set(setting, word).map_err(|error| format!("--{setting} {word}: {error}"))?;
            }
        }
        selection.operation().map_err(refused)
    }

    /// Refuses options that choose no unit, that are given twice, and that lack a word.
    fn check_keys(&self) -> Result<(), String> {
        let settings = Setting::ALL.into_iter().map(|setting| (setting.key(), setting.is_flag()));
        let builds = BuildChoice::ALL.into_iter().map(|choice| (choice.key(), false));
        let known: Vec<(&str, bool)> =
            [("format", false), ("unit", false)].into_iter().chain(settings).chain(builds).collect();
        for (at, (key, word)) in self.0.iter().enumerate() {
            match known.iter().find(|(name, _)| name == key) {
                None => return Err(format!("--{key} is no option of a unit")),
                Some(_) if self.keys().take(at).any(|other| other == key) => {
                    return Err(format!("--{key} is given twice"));
                }
                Some((_, is_flag)) if *is_flag == word.is_some() => {
                    return Err(format!("--{key} takes {} word", if *is_flag { "no" } else { "a" }));
                }
                Some(_) => (),
            }
        }
        Ok(())
    }

    /// The word of an option; `true` for a flag.
    fn word(&self, key: &str) -> Option<&str> {
        let (_, word) = self.0.iter().find(|(other, _)| other == key)?;
        Some(word.as_deref().unwrap_or("true"))
    }

    /// The words without the option at this index.
    pub fn without(&self, at: usize) -> Words {
        let mut words = self.clone();
        words.0.remove(at);
        words
    }

    /// The words without the option of this name.
    pub fn without_key(&self, key: &str) -> Words {
        Words(self.0.iter().filter(|(other, _)| other != key).cloned().collect())
    }

    /// The words with default numbers, such as lanes, spelt out, if they choose the same design; the numbers can then be made smaller.
    pub fn with_numbers(&self) -> Words {
        let spelt = || {
            let design = self.design().ok()?;
            let mut words = self.clone();
            for (key, word) in design.operation.words() {
                if is_number(&word) && self.keys().all(|other| other != key) {
                    words.add(key, Some(word));
                }
            }
            (words.design() == Ok(design)).then_some(words)
        };
        caught(spelt).ok().flatten().unwrap_or_else(|| self.clone())
    }

    /// All words that are one step simpler and no larger: without one option, or with a smaller number in some word. Numbers shrink before
    /// their option is removed, since the default may be larger.
    pub fn simpler(&self) -> Vec<Words> {
        let size = self.size();
        let is_no_larger = |words: &Words| size.is_none_or(|size| words.size().is_some_and(|other| other <= size));
        let (numbers, others): (Vec<usize>, Vec<usize>) = (0..self.0.len()).partition(|&at| self.has_number(at));
        let without = |at: usize| self.without(at);
        let smaller = (0..self.0.len()).flat_map(|at| self.with_simpler_word(at));
        let all = others.into_iter().map(without).chain(smaller).chain(numbers.into_iter().map(without));
        all.filter(is_no_larger).collect()
    }

    fn has_number(&self, at: usize) -> bool {
        self.0[at].1.as_deref().is_some_and(is_number)
    }

    /// The bits of the unit's ports and registers together; none if there is no unit.
    fn size(&self) -> Option<u32> {
        caught(|| self.design().ok().map(|design| bits(&design.operation))).ok().flatten()
    }

    fn with_simpler_word(&self, at: usize) -> Vec<Words> {
        let (_, Some(word)) = &self.0[at] else { return vec![] };
        let with = |simpler: String| {
            let mut words = self.clone();
            words.0[at].1 = Some(simpler);
            words
        };
        simpler_words(word).into_iter().map(with).collect()
    }

    fn listed(&self) -> Vec<String> {
        let listed = |(key, word): &(String, Option<String>)| [Some(format!("--{key}")), word.clone()];
        self.0.iter().flat_map(listed).flatten().collect()
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.listed().join(" "))
    }
}

fn is_number(word: &str) -> bool {
    word.parse::<i64>().is_ok()
}

/// The bits of all ports and registers.
pub fn bits(operation: &Operation) -> u32 {
    let ports = [operation.inputs(), operation.outputs(), operation.registers()];
    ports.iter().flatten().map(Port::width).sum()
}

/// Simpler words in place of one: without the text after a comma, with a smaller number, or the IEEE 754 encoding of a float.
fn simpler_words(word: &str) -> Vec<String> {
    let format: Option<Format> = word.parse().ok();
    let plain = word.split(',').next().map(String::from);
    let float = format.as_ref().and_then(Format::float);
    let encoding = float.map(|float| format!("e{}m{}", float.exponent_bits, float.trailing_bits));
    let bases: Vec<String> = plain.into_iter().chain(encoding).collect();
    let smaller = bases.iter().flat_map(|base| with_smaller_numbers(base));
    let simpler = bases.iter().cloned().chain(smaller);
    // `e5m10` is another name of `binary16`.
    let is_same = |other: &String| other == word || format.is_some() && other.parse().ok() == format;
    simpler.filter(|other| !is_same(other)).collect()
}

/// All texts with one of the numbers halved or decremented.
fn with_smaller_numbers(text: &str) -> Vec<String> {
    let (mut all, mut end) = (vec![], 0);
    while let Some(start) = text[end..].find(|sign: char| sign.is_ascii_digit()).map(|length| end + length) {
        end = text[start..].find(|sign: char| !sign.is_ascii_digit()).map_or(text.len(), |length| start + length);
        let number: u64 = text[start..end].parse().unwrap_or(0);
        let smaller = [number / 2, number.saturating_sub(1)].into_iter().filter(|&smaller| smaller < number);
        all.extend(smaller.map(|smaller| format!("{}{smaller}{}", &text[..start], &text[end..])));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_shown() {
        for line in [
            "--format e5m2b1,sat --unit fmac --acc binary16 --flags --stages 2",
            "--unit loss-scaler --format e5m2 --start -9",
            "--unit random --bits 3",
        ] {
            // Only IEEE 754 encodings, such as binary16, have flags.
            assert_eq!(Words::read(line).map(|words| words.to_string()), Ok(line.to_string()));
        }
        assert_eq!(Words::read("--format=e5m2 --unit=mul").unwrap().to_string(), "--format e5m2 --unit mul");
    }

    #[test]
    fn what_chooses_no_unit_is_refused() {
        for (line, why) in [
            ("e5m2 --unit mul", "--replay: `e5m2` belongs to no option"),
            ("--format e5m2 mul", "--replay: `mul` belongs to no option"),
            ("--format 'e5m2", "--replay: a quotation mark has no partner"),
            ("--format e5m2", "--replay: --unit is missing"),
            ("--format e5m2 --unit convert", "--replay: convert needs the format to convert to (--to)"),
            ("--format e5m2 --unit mul --flags true", "--replay: --flags takes no word"),
            ("--format e5m2 --unit mul --acc", "--replay: --acc takes a word"),
            ("--format e5m2 --unit mul --unit add", "--replay: --unit is given twice"),
            ("--format e5m2x --unit mul", "--replay: --format e5m2x: unknown format"),
            ("--format e5m2 --unit mull", "--replay: --unit mull: "),
            ("--format e5m2 --unit mul --stages many", "--replay: --stages many: "),
            ("--format e5m2 --unit mul --vectors 3", "--replay: --vectors is no option of a unit"),
        ] {
            let error = Words::read(line).expect_err(line);
            assert!(error.starts_with(why), "{line}: {error}");
        }
    }

    /// A default number of lanes can be reduced.
    #[test]
    fn numbers_are_spelt_out() {
        let spelt = |line: &str| Words::read(line).expect(line).with_numbers().to_string();
        assert_eq!(spelt("--format e5m2 --unit dot"), "--format e5m2 --unit dot --lanes 4");
        assert_eq!(spelt("--format e5m2 --unit mul --stages 1"), "--format e5m2 --unit mul --stages 1");
        // The GPU determines the block length, and no other is accepted.
        let gpu = "--format binary16 --unit dot --like a100";
        assert_eq!(spelt(gpu), gpu);
    }

    #[test]
    fn words_have_simpler_ones() {
        assert_eq!(
            with_smaller_numbers("align:13,floor=-20"),
            ["align:6,floor=-20", "align:12,floor=-20", "align:13,floor=-10", "align:13,floor=-19"]
        );
        assert_eq!(with_smaller_numbers("e0m1"), ["e0m0", "e0m0"]);
        assert_eq!(simpler_words("binary16")[..2], ["binary8", "binary15"]);
        let of_posit = simpler_words("posit8_2,scale=2^3");
        assert_eq!(of_posit, ["posit8_2", "posit4_2", "posit7_2", "posit8_1", "posit8_1"]);
        assert_eq!(simpler_words("chain"), Vec::<String>::new());
    }
}
