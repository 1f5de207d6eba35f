//! Draws random words: units, and values for their settings.

use crate::words::Words;
use binade_generator::BuildChoice;
use binade_spec::{Alignment, Rounding, Setting, Summation, Unit};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::iter::repeat_with;

/// One setting in this many is chosen.
const CHOSEN: u32 = 3;

/// One unit in this many has a shell, which takes some seconds to check.
const IN_SHELL: u32 = 16;

/// One unit in this many has a port that chooses its formats.
const IN_LISTS: u32 = 6;

/// Bits of NaN boxes; formats that have more are refused.
const BOXES: [u32; 4] = [9, 16, 32, 64];

/// A setting accepts at least one of this many drawn numbers.
const MOST_NUMBERS: usize = 1000;

/// Draws random words; the same seed gives the same words.
pub struct Draw(Xoshiro256PlusPlus);

impl Draw {
    /// The words of this seed.
    pub fn new(seed: u64) -> Draw {
        Draw(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Random words that choose a unit, or that are refused. Each setting of the unit keeps its default or gets a random word.
    pub fn words(&mut self) -> Words {
        let unit = *self.one_of(&Unit::ALL);
        self.words_of(unit)
    }

    /// Random words of this unit.
    pub(crate) fn words_of(&mut self, unit: Unit) -> Words {
        let mut words = Words::default();
        // Formats of a list, of which a port chooses one.
        let formats = if self.is_one_in(IN_LISTS) { self.between(2, 4) } else { 1 };
        if unit.has_format() {
            words.add("format", Some(self.formats(formats)));
        }
        words.add("unit", Some(unit.to_string()));
        for setting in Setting::ALL.into_iter().filter(|&setting| unit.takes(setting)) {
            if self.is_one_in(CHOSEN) {
                let takes_list = matches!(setting, Setting::Acc | Setting::To | Setting::FormatB);
                let formats = if takes_list && self.is_one_in(2) { formats } else { 1 };
                let word = (!setting.is_flag()).then(|| self.word(setting, formats));
                words.add(setting.key(), word);
            }
        }
        for choice in BuildChoice::ALL.into_iter().filter(|choice| choice.is_for(unit) && !choice.tried().is_empty()) {
            let rarity = if choice == BuildChoice::Interface { IN_SHELL } else { CHOSEN };
            // A unit that takes several clocks for an operation has no ranks of registers.
            let is_excluded =
                choice == BuildChoice::DigitsPerClock && words.keys().any(|key| key == BuildChoice::Stages.key());
            if self.is_one_in(rarity) && !is_excluded {
                words.add(choice.key(), Some(self.one_of(choice.tried()).to_string()));
            }
        }
        words
    }

    /// The same words without one random word other than unit and format; none if there is no such word.
    pub(crate) fn fewer(&mut self, words: &Words) -> Option<Words> {
        let settings: Vec<usize> =
            words.keys().enumerate().filter(|(_, key)| is_setting(key)).map(|(at, _)| at).collect();
        (!settings.is_empty()).then(|| words.without(*self.one_of(&settings)))
    }

    /// A random word for a setting, by its table: one of its names, or what its placeholder stands for; so many formats.
    fn word(&mut self, setting: Setting, formats: u32) -> String {
        match (setting.names(), setting.placeholder()) {
            (Some(names), _) => self.one_of(&names).to_string(),
            _ if setting == Setting::NanBoxing => self.one_of(&BOXES).to_string(),
            (None, "FORMAT") => self.formats(formats),
            (None, "ROUND") => self.rounding().to_string(),
            (None, "SUM") => self.summation().to_string(),
            (None, _) => self.number(setting),
        }
    }

    /// A list of random formats.
    fn formats(&mut self, count: u32) -> String {
        (0..count).map(|_| self.format()).collect::<Vec<String>>().join("+")
    }

    /// A random number that a setting accepts.
    fn number(&mut self, setting: Setting) -> String {
        let mut drawn = repeat_with(|| self.any_number().to_string()).take(MOST_NUMBERS);
        drawn.find(|word| setting.check(word).is_ok()).unwrap_or_default()
    }

    /// A random number near 0, or a power of two, of either sign.
    fn any_number(&mut self) -> i32 {
        let magnitude = if self.is_one_in(16) { 1_i32 << self.between(0, 12) } else { self.small() as i32 };
        if self.is_one_in(2) { -magnitude } else { magnitude }
    }

    fn rounding(&mut self) -> Rounding {
        if !self.is_one_in(4) {
            return *self.one_of(&Rounding::NAMED);
        }
        let kind = *self.one_of(&[Rounding::Sr, Rounding::Srb, Rounding::Src]);
        kind(self.between(1, 32))
    }

    fn summation(&mut self) -> Summation {
        let floor = self.is_one_in(2).then(|| self.between(0, 60) as i32 - 40);
        let result_bits = self.is_one_in(4).then(|| self.between(1, 22));
        let aligned = Summation::Aligned(Alignment { fraction_bits: self.between(1, 30), floor, result_bits });
        let named = [
            Summation::Exact,
            Summation::Chain,
            Summation::Tree,
            Summation::Blocks,
            Summation::Bulk,
            Summation::Flushed,
            Summation::Grouped,
            Summation::Interleaved,
        ];
        if self.is_one_in(3) { aligned } else { *self.one_of(&named) }
    }

    /// A random number from 0; larger numbers are rarer.
    fn small(&mut self) -> u32 {
        self.0.next_u64().trailing_zeros() + self.0.next_u64().trailing_zeros()
    }

    /// A random number in a range, both ends included.
    pub(crate) fn between(&mut self, first: u32, last: u32) -> u32 {
        self.0.random_range(first..=last)
    }

    pub(crate) fn shuffle<T>(&mut self, all: &mut [T]) {
        all.shuffle(&mut self.0);
    }

    pub(crate) fn is_one_in(&mut self, count: u32) -> bool {
        self.between(1, count) == 1
    }

    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.between(0, all.len() as u32 - 1) as usize]
    }
}

fn is_setting(key: &str) -> bool {
    !["format", "unit"].contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_verdict::Family;
    use std::collections::BTreeSet;

    /// The words drawn with a fixed seed, each with the family of the operands' format if they choose a unit.
    fn drawn(count: usize) -> Vec<(Words, Option<Family>)> {
        let mut draw = Draw::new(1);
        let with_family = |words: Words| {
            let family = words.design().ok().map(|design| Family::of(&design.operation.operand));
            (words, family)
        };
        (0..count).map(|_| with_family(draw.words())).collect()
    }

    #[test]
    fn a_seed_gives_the_same_words() {
        let words = |seed| {
            let mut draw = Draw::new(seed);
            (0..20).map(|_| draw.words()).collect::<Vec<_>>()
        };
        assert_eq!(words(1), words(1));
        assert_ne!(words(1), words(2));
    }

    #[test]
    fn each_unit_each_setting_and_each_family_is_drawn() {
        let drawn = drawn(800);
        let keys: BTreeSet<&str> = drawn.iter().flat_map(|(words, _)| words.keys()).collect();
        assert!(Setting::ALL.iter().all(|setting| keys.contains(setting.key())), "{keys:?}");
        assert!(
            BuildChoice::ALL.iter().all(|choice| keys.contains(choice.key()) != choice.tried().is_empty()),
            "{keys:?}"
        );
        let text: String = drawn.iter().map(|(words, _)| format!("{words} ")).collect();
        assert!(Unit::ALL.iter().all(|unit| text.contains(&format!("--unit {unit} "))), "a unit is not drawn");
        let families: BTreeSet<Family> = drawn.iter().filter_map(|(_, family)| *family).collect();
        assert_eq!(families, BTreeSet::from(Family::ALL));
    }

    /// Most words are refused at first; removing settings leads to a unit, unless the unit requires one.
    #[test]
    fn fewer_words_are_not_refused() {
        let mut draw = Draw::new(2);
        let units = (0..100).filter(|_| {
            let mut words = Some(draw.words());
            while let Some(refused) = words.take_if(|words| words.design().is_err()) {
                words = draw.fewer(&refused);
            }
            words.is_some()
        });
        let units = units.count();
        assert!(units > 40, "{units} of 100");
    }

    #[test]
    fn each_setting_has_words_that_can_be_read() {
        let mut draw = Draw::new(3);
        for setting in Setting::ALL.into_iter().filter(|setting| setting.placeholder() != "FORMAT") {
            for _ in 0..20 {
                let word = draw.word(setting, 1);
                assert_eq!(setting.check(&word), Ok(()), "--{setting} {word}");
            }
        }
    }
}
