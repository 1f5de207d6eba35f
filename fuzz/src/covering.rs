//! Random words that soon meet every pair of settings: of several random words, the ones with most pairs that no unit had yet.

use crate::draw::Draw;
use crate::panics::caught;
use crate::words::Words;
use binade_spec::Format;
use binade_verdict::Family;
use std::collections::BTreeSet;

/// The number of random words of which one is taken.
const CANDIDATES: usize = 8;

/// How often words are extended by others.
const EXTENSIONS: usize = 3;

/// A new pair of settings counts as much as so many new pairs of their words.
const SETTINGS: usize = 16;

/// Draws words, and remembers the pairs that were met.
pub struct Covering {
    draw: Draw,
    met: BTreeSet<[String; 2]>,
}

impl Covering {
    /// Draws with this generator.
    pub fn new(draw: Draw) -> Covering {
        Covering { draw, met: BTreeSet::new() }
    }

    /// Words that choose a unit.
    pub fn next(&mut self) -> Words {
        let candidates: Vec<Words> = std::iter::repeat_with(|| self.candidate()).flatten().take(CANDIDATES).collect();
        let best = candidates.into_iter().rev().max_by_key(|words| self.worth(words));
        best.expect("there are candidates")
    }

    /// Random words; while they are refused, one of them is removed. None if the unit requires one that was removed.
    fn candidate(&mut self) -> Option<Words> {
        let mut words = self.draw.words();
        // A panic is what `fuzz` looks for.
        while let Ok(Err(_)) = caught(|| words.design()) {
            words = self.draw.fewer(&words)?;
        }
        Some((0..EXTENSIONS).fold(words, |words, _| self.extended(words)))
    }

    /// The words with those of other random words of the unit that are not refused beside them.
    fn extended(&mut self, mut words: Words) -> Words {
        let unit = words.options().find(|(key, _)| *key == "unit").and_then(|(_, unit)| unit?.parse().ok());
        let Some(unit) = unit else { return words };
        for (key, word) in self.draw.words_of(unit).options() {
            let mut more = words.clone();
            more.add(key, word.map(String::from));
            let is_new = words.keys().all(|own| own != key);
            if is_new && !matches!(caught(|| more.design()), Ok(Err(_))) {
                words = more;
            }
        }
        words
    }

    fn worth(&self, words: &Words) -> usize {
        let new = pairs(words).into_iter().filter(|pair| !self.met.contains(pair));
        new.map(|[one, other]| if is_setting(&one) && is_setting(&other) { SETTINGS } else { 1 }).sum()
    }

    /// Notes that a unit with these words was examined.
    pub fn meet(&mut self, words: &Words) {
        self.met.extend(pairs(words));
    }
}

/// Whether an item is a setting with any word.
fn is_setting(item: &str) -> bool {
    !item.contains(' ')
}

/// All pairs of two settings, and of a setting's kind of word with another's.
fn pairs(words: &Words) -> Vec<[String; 2]> {
    let options: Vec<(&str, String)> =
        words.options().map(|(key, word)| (key, format!("{key} {}", kind(word)))).collect();
    let mut pairs = vec![];
    for (at, (key, item)) in options.iter().enumerate() {
        for (other_key, other) in &options[at + 1..] {
            let sorted = |mut pair: [String; 2]| {
                pair.sort();
                pair
            };
            pairs.push(sorted([key.to_string(), other_key.to_string()]));
            pairs.push(sorted([item.clone(), other.clone()]));
        }
    }
    pairs
}

/// The kind of a word: of a format its family, else the name without numbers, such as `sr` of `sr8`.
fn kind(word: Option<&str>) -> String {
    let word = word.unwrap_or_default();
    match word.parse::<Format>() {
        Ok(format) => Family::of(&format).to_string(),
        Err(_) => word
            .split([':', ','])
            .next()
            .unwrap_or_default()
            .trim_end_matches(|sign: char| sign.is_ascii_digit())
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The units of a run of five minutes are at least so many.
    const UNITS: usize = 100;

    fn of_settings(words: &Words) -> impl Iterator<Item = [String; 2]> {
        pairs(words).into_iter().filter(|pair| pair.iter().all(|item| is_setting(item)))
    }

    #[test]
    #[ignore = "long"]
    fn a_short_run_meets_the_pairs_of_settings() {
        let mut draw = Covering::new(Draw::new(7));
        let candidates = (0..400).filter_map(|_| draw.candidate());
        let possible: BTreeSet<[String; 2]> =
            candidates.flat_map(|words| of_settings(&words).collect::<Vec<_>>()).collect();
        let mut covering = Covering::new(Draw::new(1));
        for _ in 0..UNITS {
            let words = covering.next();
            covering.meet(&words);
        }
        let met = possible.iter().filter(|pair| covering.met.contains(*pair)).count();
        assert!(possible.len() > 350 && met * 100 >= possible.len() * 95, "{met} of {}", possible.len());
    }

    #[test]
    fn pairs_are_of_settings_and_of_kinds() {
        let words = Words::read("--format e5m2 --unit dot --round sr8 --flags").expect("words");
        let pairs = pairs(&words);
        let pair = |one: &str, other: &str| [one.to_string(), other.to_string()];
        assert!(pairs.contains(&pair("flags", "round")) && pairs.contains(&pair("round sr", "unit dot")));
        assert!(pairs.contains(&pair("flags ", "round sr")));
    }
}
