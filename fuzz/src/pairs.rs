//! Covers every unit, with a small format of each family, and every pair of words for its settings, with few selections.

use crate::draw::Draw;
use crate::words::Words;
use binade_generator::{BuildChoice, Design};
use binade_spec::{Format, Rounding, Selection, Setting, Unit, as_options};
use binade_verdict::Family;
use std::collections::VecDeque;

/// Words for settings that take a format: one per encoding of numbers.
const FORMATS: [&str; 3] = ["e4m3", "posit6_1", "fixed6_3"];

/// Words for settings that take a summation.
const SUMS: [&str; 9] = ["exact", "chain", "tree", "fmac8", "align:6", "bulk", "flushed", "grouped", "interleaved"];

/// Words for activations: all functions are built alike, and `rsqrt` has a pole.
const ACTIVATIONS: [&str; 3] = ["relu", "gelu", "rsqrt"];

/// Words for settings that take a number; only accepted ones are used.
const NUMBERS: [&str; 4] = ["1", "2", "4", "-3"];

/// A word for a setting or another option.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    setting: Option<Setting>,
    key: &'static str,
    word: String,
}

impl Choice {
    fn of(setting: Setting) -> Vec<Choice> {
        let listed = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        let words: Vec<String> = match (setting.names(), setting.placeholder()) {
            _ if setting.is_flag() => vec!["true".into()],
            _ if setting == Setting::Activation => listed(&ACTIVATIONS),
            _ if setting == Setting::NanBoxing => listed(&["64"]),
            (Some(names), _) => listed(&names),
            (None, "FORMAT") => listed(&FORMATS),
            (None, "ROUND") => Rounding::NAMED
                .iter()
                .chain(&[Rounding::Sr(3), Rounding::Srb(3), Rounding::Src(3)])
                .map(ToString::to_string)
                .collect(),
            (None, "SUM") => listed(&SUMS),
            (None, _) => listed(&NUMBERS),
        };
        let key = setting.key();
        let is_taken = |word: &String| setting.check(word).is_ok();
        words.into_iter().filter(is_taken).map(|word| Choice { setting: Some(setting), key, word }).collect()
    }

    fn all(unit: Unit) -> Vec<Choice> {
        let settings = Setting::ALL.into_iter().filter(|&setting| unit.takes(setting)).flat_map(Choice::of);
        // A shell takes some seconds to check.
        let builds =
            BuildChoice::ALL.into_iter().filter(|&build| build != BuildChoice::Interface && build.is_for(unit));
        let choice = |build: BuildChoice| {
            let word = build.tried().first()?.to_string();
            Some(Choice { setting: None, key: build.key(), word })
        };
        settings.chain(builds.filter_map(choice)).collect()
    }

    /// A setting without which this one has no effect.
    fn needs(&self) -> Option<Setting> {
        match self.setting? {
            Setting::Tininess => Some(Setting::Flags),
            Setting::Activation => Some(Setting::Out),
            _ => None,
        }
    }

    fn is_beside(&self, other: &Choice) -> bool {
        let keys = [self.key, other.key];
        // A unit that takes several clocks for an operation has no ranks of registers.
        let exclude = [BuildChoice::DigitsPerClock, BuildChoice::Stages].map(BuildChoice::key);
        self.key != other.key && !exclude.iter().all(|key| keys.contains(key))
    }
}

/// The design with a choice, if it is one of how the unit is built; else why there is none.
fn built_with(design: Design, choice: &&Choice) -> Result<Design, String> {
    match BuildChoice::ALL.into_iter().find(|build| build.key() == choice.key) {
        Some(build) => design.choose(build, &choice.word).map_err(|error| as_options(&error.to_string())),
        None => Ok(design),
    }
}

/// A unit with a family of formats.
#[derive(Clone, Copy)]
struct Subject {
    unit: Unit,
    /// None for units without a format.
    family: Option<Family>,
}

impl Subject {
    fn all() -> Vec<Subject> {
        let of_unit = |unit: Unit| {
            let families = Family::ALL.map(Some).to_vec();
            let families = if unit.has_format() { families } else { vec![None] };
            families.into_iter().map(move |family| Subject { unit, family })
        };
        Unit::ALL.into_iter().flat_map(of_unit).collect()
    }

    /// Why these choices give no unit, if they do not.
    fn refusal(self, choices: &[&Choice]) -> Option<String> {
        let has = |setting| choices.iter().any(|choice| choice.setting == Some(setting));
        if has(Setting::Tininess) && !has(Setting::Flags) {
            return Some("--tininess is for --flags".into());
        }
        let format = self.family.map_or(Ok(Format::binary32()), |family| family.example().parse());
        let mut selection = Selection::new(self.unit, format.expect("an example"));
        let set = |choice: &&Choice| choice.setting.map_or(Ok(()), |setting| selection.set(setting, &choice.word));
        let words = choices.iter().try_for_each(set);
        words.err().or_else(|| match selection.operation() {
            Ok(operation) => choices.iter().try_fold(Design::from(operation), built_with).err(),
            Err(error) => Some(as_options(&error.to_string())),
        })
    }

    fn words(self, choices: &[&Choice]) -> Words {
        let mut words = Words::default();
        if let Some(family) = self.family {
            words.add("format", Some(family.example().into()));
        }
        words.add("unit", Some(self.unit.to_string()));
        for choice in choices {
            let is_flag = choice.setting.is_some_and(Setting::is_flag);
            words.add(choice.key, (!is_flag).then(|| choice.word.clone()));
        }
        words
    }

    /// Selections that cover each pair of choices that some unit has. Calls `refuse` with each impossible pair and the reason. A pair of a
    /// choice with itself is the choice alone.
    fn rows(self, draw: &mut Draw, mut refuse: impl FnMut([&Choice; 2], String)) -> Vec<Words> {
        let mut choices = Choice::all(self.unit);
        draw.shuffle(&mut choices);
        let (mut rows, mut refused) = (vec![], vec![]);
        let mut is_left = vec![vec![true; choices.len()]; choices.len()];
        for (first, one) in choices.iter().enumerate() {
            for (second, other) in choices.iter().enumerate().skip(first) {
                if !is_left[first][second] || first != second && !one.is_beside(other) {
                    continue;
                }
                match self.chosen(&choices, [first, second], &is_left) {
                    Err(why) => refused.push(([first, second], why)),
                    Ok(row) => {
                        row.iter().for_each(|&at| row.iter().for_each(|&beside| is_left[at][beside] = false));
                        rows.push(self.words(&row.iter().map(|&at| &choices[at]).collect::<Vec<_>>()));
                    }
                }
            }
        }
        // What needs two more settings may be in the row of another pair.
        for ([first, second], why) in refused {
            if is_left[first][second] {
                refuse([&choices[first], &choices[second]], why);
            }
        }
        rows
    }

    /// A selection with these two choices and as many others as cover a remaining pair; the indices are sorted.
    fn chosen(self, choices: &[Choice], pair: [usize; 2], is_left: &[Vec<bool>]) -> Result<Vec<usize>, String> {
        let mut row: Vec<usize> = pair.to_vec();
        row.dedup();
        let listed = |row: &[usize]| row.iter().map(|&at| &choices[at]).collect::<Vec<_>>();
        let may_join = |row: &[usize], at: usize| row.iter().all(|&other| choices[at].is_beside(&choices[other]));
        let with = |row: &[usize], at: usize| [row, &[at]].concat();
        for needed in pair.into_iter().filter_map(|at| choices[at].needs()) {
            let is_it = |&at: &usize| choices[at].setting == Some(needed);
            if row.iter().any(is_it) {
                continue;
            }
            // One with which the pair is a unit, or any.
            let gives_unit = |&at: &usize| self.refusal(&listed(&with(&row, at))).is_none();
            let all = || (0..choices.len()).filter(is_it);
            row.extend(all().find(gives_unit).or_else(|| all().next()));
        }
        if let Some(why) = self.refusal(&listed(&row)) {
            // Some units require a setting, such as the format to convert to.
            let third =
                (0..choices.len()).find(|&at| may_join(&row, at) && self.refusal(&listed(&with(&row, at))).is_none());
            row = with(&row, third.ok_or(why)?);
        }
        for at in 0..choices.len() {
            let is_new = |&&other: &&usize| is_left[at.min(other)][at.max(other)];
            if may_join(&row, at)
                && row.iter().any(|other| is_new(&other))
                && self.refusal(&listed(&with(&row, at))).is_none()
            {
                row = with(&row, at);
            }
        }
        row.sort_unstable();
        Ok(row)
    }
}

/// The selections that cover all pairs, in an order that `draw` determines: each unit with each family of formats has its turn. They are made
/// when their turn comes, since all of them take minutes.
pub fn pairs(draw: &mut Draw) -> impl Iterator<Item = Words> {
    let mut subjects = Subject::all();
    draw.shuffle(&mut subjects);
    let mut waiting: VecDeque<(Subject, Option<Vec<Words>>)> =
        subjects.into_iter().map(|subject| (subject, None)).collect();
    std::iter::from_fn(move || {
        while let Some((subject, rows)) = waiting.pop_front() {
            let mut rows = rows.unwrap_or_else(|| {
                let mut rows = subject.rows(draw, |_, _| {});
                draw.shuffle(&mut rows);
                rows
            });
            if let Some(words) = rows.pop() {
                waiting.push_back((subject, Some(rows)));
                return Some(words);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::Meaning;
    use rayon::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn each_pair_is_there_or_refused() {
        let subject = Subject { unit: Unit::Fmac, family: Some(Family::Ieee) };
        let mut refused: Vec<[Choice; 2]> = vec![];
        let rows = subject.rows(&mut Draw::new(1), |pair, _| refused.push(pair.map(Clone::clone)));
        assert!(rows.iter().all(|words| words.design().is_ok()));
        let texts: Vec<String> = rows.iter().map(|words| format!("{words} ")).collect();
        let text = |choice: &Choice| match choice.setting.is_some_and(Setting::is_flag) {
            true => format!("--{} ", choice.key),
            false => format!("--{} {} ", choice.key, choice.word),
        };
        let choices = Choice::all(subject.unit);
        let mut pairs = 0;
        for (at, first) in choices.iter().enumerate() {
            for second in choices[at..].iter().filter(|second| first == *second || first.is_beside(second)) {
                let has = texts.iter().any(|row| row.contains(&text(first)) && row.contains(&text(second)));
                let pair = [first.clone(), second.clone()];
                let is_refused = refused
                    .iter()
                    .any(|[one, other]| pair == [one.clone(), other.clone()] || pair == [other.clone(), one.clone()]);
                assert!(has != is_refused, "{}{}", text(first), text(second));
                pairs += 1;
            }
        }
        assert!(pairs > 300 && rows.len() < pairs / 4, "{pairs} pairs in {} selections", rows.len());
    }

    /// A reason for a refusal, with a unit and the settings that it refuses.
    type Refusal = (String, String);

    /// Every unit has a valid formula with any two settings. Returns their number, and the refusals with their reasons. If a choice is refused
    /// alone, its pairs are not listed.
    fn check(subject: Subject) -> (usize, Vec<Refusal>) {
        let mut refused: Vec<([Choice; 2], String)> = vec![];
        let rows = subject.rows(&mut Draw::new(1), |pair, why| refused.push((pair.map(Clone::clone), why)));
        for words in &rows {
            let operation = words.design().unwrap_or_else(|why| panic!("{words}: {why}")).operation;
            if let Meaning::Formula(formula) = operation.meaning() {
                assert_eq!(formula.check(&operation.inputs()), Ok(()), "{words}");
            }
        }
        let is_alone = |[one, other]: &[Choice; 2]| one == other;
        let alone: Vec<&Choice> =
            refused.iter().map(|(pair, _)| pair).filter(|pair| is_alone(pair)).map(|pair| &pair[0]).collect();
        let is_listed = |pair: &[Choice; 2]| is_alone(pair) || !pair.iter().any(|choice| alone.contains(&choice));
        let refusal = |(pair, why): &([Choice; 2], String)| {
            let keys: BTreeSet<&str> = pair.iter().map(|choice| choice.key).collect();
            let keys: Vec<&str> = keys.into_iter().collect();
            is_listed(pair).then(|| (why.clone(), format!("{} {}", subject.unit, keys.join(" + "))))
        };
        (rows.len(), refused.iter().filter_map(refusal).collect())
    }

    #[test]
    fn formulas_have_a_meaning() {
        let subjects: Vec<Subject> = Subject::all().into_iter().step_by(9).collect();
        let counts: Vec<usize> = subjects.into_par_iter().map(|subject| check(subject).0).collect();
        // A unit that a family does not have counts none.
        assert!(counts.iter().sum::<usize>() > 200, "{counts:?}");
    }

    /// The snapshot shows a setting that becomes refused, or accepted again.
    #[test]
    #[ignore = "takes a minute"]
    fn nightly_each_formula_has_a_meaning_and_each_refusal_a_reason() {
        let checked: Vec<(usize, Vec<Refusal>)> = Subject::all().into_par_iter().map(check).collect();
        let count: usize = checked.iter().map(|(count, _)| count).sum();
        let mut whys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (why, what) in checked.into_iter().flat_map(|(_, refusals)| refusals) {
            whys.entry(why).or_default().insert(what);
        }
        let line = |(why, whats): (&String, &BTreeSet<String>)| {
            format!("{why}\n    {}", whats.iter().cloned().collect::<Vec<_>>().join(", "))
        };
        let lines: Vec<String> = whys.iter().map(line).collect();
        insta::assert_snapshot!("what_is_refused", format!("{count} selections\n{}", lines.join("\n")));
    }
}
