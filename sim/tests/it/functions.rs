//! Units that compute nothing new (`compare`, `minmax`, `classify`) on the interpreter against the golden model: all inputs of
//! small formats of every family, both architectures.

use crate::common::{check, format};
use binade_sim::Choice;
use binade_spec::{Comparison, Extremum, Selection, Tininess, Unit};
use rayon::prelude::*;

/// All inputs are checked for those of up to 8 bits.
const FORMATS: [&str; 30] = [
    "e5m2",
    "e4m3",
    "e2m1",
    "e3m1n",
    "e4m3n",
    "e4m3ns",
    "e4m3fn",
    "e3m2f",
    "e5m0",
    "e2m5",
    "e8m0",
    "e5m2b1",
    "e4m3b2",
    "e3m2b1u2",
    "e5m2b1,sat",
    "k3p1se",
    "k6p3uf",
    "k8p3se",
    "k8p4ue",
    "k8p1se",
    "k8p4sens",
    "posit3_0",
    "posit6_1",
    "posit8_0",
    "posit8_2",
    "binary16",
    "e6m9n",
    "dlfloat16",
    "posit16_1",
    "binary32",
];

/// A unit with and without flags, as far as the format has them; how many vectors were checked.
fn check_selection(selection: Selection) -> u64 {
    let flagged = Selection { flags: Some(Tininess::After), ..selection };
    let operations = [selection, flagged].into_iter().filter_map(|selection| selection.operation().ok());
    operations.map(|operation| check(&operation, Choice::Sample(1 << 16))).sum()
}

#[test]
fn comparisons() {
    let checked: u64 = FORMATS
        .par_iter()
        .flat_map(|name| Comparison::ALL.map(|kind| (name, kind)))
        .map(|(name, kind)| {
            check_selection(Selection { comparison: Some(kind), ..Selection::new(Unit::Compare, format(name)) })
        })
        .sum();
    assert_eq!(checked, 3_716_352, "vectors");
}

#[test]
fn minima_and_maxima() {
    let checked: u64 = FORMATS
        .par_iter()
        .flat_map(|name| Extremum::ALL.map(|extremum| (name, extremum)))
        .map(|(name, extremum)| {
            check_selection(Selection { extremum: Some(extremum), ..Selection::new(Unit::Minmax, format(name)) })
        })
        .sum();
    assert_eq!(checked, 14_865_408, "vectors");
}

#[test]
fn classes() {
    let of = |name: &&str| check_selection(Selection::new(Unit::Classify, format(name)));
    assert_eq!(FORMATS.par_iter().map(of).sum::<u64>(), 332_160, "vectors");
}
