//! Finds the simplest failing input.

use std::collections::HashSet;
use std::hash::Hash;

/// A simplest subject that fails as `first` does: nothing simpler does. `simpler` lists the subjects one step simpler, the most promising
/// first; no subject is tried twice.
pub fn shrink<Subject: Clone + Eq + Hash>(
    first: Subject,
    simpler: impl Fn(&Subject) -> Vec<Subject>,
    mut fails: impl FnMut(&Subject) -> bool,
) -> Subject {
    let mut tried = HashSet::from([first.clone()]);
    let mut simplest = first;
    loop {
        let mut candidates = simpler(&simplest).into_iter();
        match candidates.find(|subject| tried.insert(subject.clone()) && fails(subject)) {
            Some(subject) => simplest = subject,
            None => return simplest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;

    #[test]
    fn numbers_shrink_to_the_smallest_that_fails() {
        let mut asked = vec![];
        let smallest = shrink(
            100_u32,
            |&number| vec![number / 2, number.saturating_sub(1)],
            |&number| {
                asked.push(number);
                number >= 7
            },
        );
        assert_eq!(smallest, 7);
        asked.sort_unstable();
        assert!(asked.windows(2).all(|pair| pair[0] < pair[1]), "asked twice: {asked:?}");
    }

    /// A fault that needs flags and some lanes loses everything else: settings, bits of formats, spare lanes.
    #[test]
    fn words_shrink_to_those_that_matter() {
        let words = Words::read(
            "--format binary16 --unit dot --acc binary32 --lanes 4 --sum chain --product rounded --round sr8 --flags --optimize depth --stages 3",
        );
        let fails = |words: &Words| {
            let design = words.design().expect("only units are asked for");
            design.operation.flags.is_some() && design.operation.lanes() > 1 && design.operation.operand.width() > 4
        };
        let shrunk = shrink(words.expect("a unit"), Words::simpler, fails);
        let design = shrunk.design().expect("a unit");
        let text = shrunk.to_string();
        assert_eq!((design.operation.lanes(), design.stages, design.operation.operand.width()), (2, 0, 5), "{text}");
        assert!(["--flags", "--lanes 2"].iter().all(|kept| text.contains(kept)), "{text}");
        assert!(["chain", "rounded", "depth", "--stages", "sr"].iter().all(|gone| !text.contains(gone)), "{text}");
    }

    #[test]
    fn what_is_simplest_stays() {
        let words = Words::read("--format e2m1 --unit mul").expect("a unit");
        assert_eq!(shrink(words.clone(), Words::simpler, |_| false), words);
    }
}
