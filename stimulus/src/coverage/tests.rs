//! Coverage of formulas that no unit has: sums of products, sums of sums, and two results that share terms.

use super::subject::CoveredUnit;
use super::{Bins, Coverage, Look, Tally};
use crate::vectors::formulas::{dot, nested_sums, shared_product, sum_of_sums};
use binade_spec::{Format, Selection, Unit};

fn format(name: &str) -> Format {
    name.parse().unwrap()
}

/// Counts all inputs of a unit; a bin that is considered unreachable but hit is an error.
fn exhausted(subject: CoveredUnit) -> Coverage {
    let widths: Vec<u32> = subject.places.iter().map(|place| place.width).collect();
    let bits: u32 = widths.iter().sum();
    assert!(bits <= 21, "too many inputs");
    let bins = Bins::new(subject);
    let (mut look, mut counts) = (Look::default(), vec![0; bins.len()]);
    let mut lanes = vec![0; widths.len()];
    for index in 0..1_u128 << bits {
        let mut rest = index;
        for (lane, width) in lanes.iter_mut().zip(&widths) {
            *lane = rest & ((1 << width) - 1);
            rest >>= width;
        }
        look.each(&bins, &lanes, |bin| counts[bin] += 1);
    }
    let possible = bins.reach();
    for ((group, first), possible) in bins.groups.iter().zip(&bins.first).zip(&possible) {
        for bin in (0..group.len()).filter(|bin| counts[first + bin] > 0) {
            assert!(possible[bin], "{}: {} is argued to be unreachable, and hit", group.name, group.label(bin));
        }
    }
    Tally::of(bins, (1 << bits, counts)).coverage(false)
}

fn names(coverage: &Coverage) -> Vec<&str> {
    coverage.groups.iter().map(|group| group.name.as_str()).collect()
}

/// Requires that few bins are neither hit nor known to be unreachable: at most `share` in a thousand.
fn assert_mostly_told(coverage: &Coverage, share: usize) {
    assert!(coverage.hit > 50, "{coverage}");
    assert!(coverage.empty * 1000 <= coverage.bins * share, "{} of {} bins: {coverage}", coverage.empty, coverage.bins);
}

/// The sums of AMD's matrix units, in which terms are rounded down below the last place of the operands and the result.
#[test]
fn sums_of_amd_hit_nothing_unreachable() {
    for (operand, result, lanes) in [("e2m1", "e2m1", 2), ("e5m2", "e2m1", 1), ("e2m1", "e6m1", 1), ("e4m1", "e6m1", 1)]
    {
        for sum in ["flushed", "grouped", "interleaved"] {
            let selection = Selection {
                accumulator: Some(format(result)),
                summation: Some(sum.parse().unwrap()),
                lanes: Some(lanes),
                ..Selection::new(Unit::Dot, format(operand))
            };
            let coverage = exhausted(CoveredUnit::of(&selection.operation().unwrap()));
            assert!(coverage.hit > 50, "{sum}: {coverage}");
        }
    }
}

#[test]
fn dots_have_groups_for_every_product_and_the_sum() {
    let coverage = exhausted(CoveredUnit::new(dot(2, format("e2m0"), format("e2m1f"))));
    let expected = [
        "a[0]",
        "a[1]",
        "b[0]",
        "b[1]",
        "c",
        "a[0] x b[0] x sign",
        "a[1] x b[1] x sign",
        "exponent difference",
        "cancellation",
        "rounding",
        "carry",
        "regions",
    ];
    assert_eq!(names(&coverage), expected);
    assert_mostly_told(&coverage, 10);
    let cancellation = &coverage.groups[8];
    assert!(cancellation.hit.iter().any(|bin| bin.bin == "all: exactly zero"), "{coverage}");
    assert!(cancellation.hit.iter().any(|bin| bin.bin.ends_with("bits or more")), "{coverage}");
}

#[test]
fn no_bin_of_dots_and_sums_is_hit_against_an_argument() {
    for (products, operand, result) in [(3, "e2m0", "e2m0"), (2, "e2m0", "e3m2"), (2, "posit3_0", "posit5_1")] {
        let coverage = exhausted(CoveredUnit::new(dot(products, format(operand), format(result))));
        assert_mostly_told(&coverage, 80);
    }
    for name in ["e3m1", "e2m2f", "posit5_1", "e3m1b1", "k5p2uf"] {
        assert_mostly_told(&exhausted(CoveredUnit::new(sum_of_sums(format(name)))), 40);
        assert_mostly_told(&exhausted(CoveredUnit::new(nested_sums(format(name)))), 40);
        assert_mostly_told(&exhausted(CoveredUnit::new(shared_product(format(name)))), 40);
    }
}

#[test]
fn every_sum_and_every_rounding_has_groups_with_its_name() {
    let coverage = exhausted(CoveredUnit::new(sum_of_sums(format("e2m1f"))));
    for name in ["cancellation of a + b", "cancellation of (a + b) + c", "rounding", "rounding of a + b"] {
        assert!(names(&coverage).contains(&name), "{name}: {:?}", names(&coverage));
    }
    let coverage = exhausted(CoveredUnit::new(shared_product(format("e2m1f"))));
    for name in ["a x b x c x sign x result", "cancellation", "rounding", "rounding of product", "regions of product"] {
        assert!(names(&coverage).contains(&name), "{name}: {:?}", names(&coverage));
    }
}
