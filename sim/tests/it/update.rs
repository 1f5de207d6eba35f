//! Weight updates on the interpreter against the golden model: every rule, all inputs of small formats of every family.

use crate::common::{check, format};
use binade_sim::Choice;
use binade_spec::{Algorithm, Format, Operation, Optimizer, Overflow, Rounding, Selection, Tininess, Unit, UpdateRule};
use rayon::prelude::*;

/// The update by a rule, with a rate or without.
fn update(format: Format, rule: UpdateRule, has_fused_rate: bool) -> Operation {
    let algorithm = Some(Algorithm::Update(rule));
    let rounding = (rule == UpdateRule::Stochastic).then_some(Rounding::Sr(2));
    let chosen = Selection { algorithm, has_fused_rate, rounding, ..Selection::new(Unit::Update, format) };
    chosen.operation().unwrap()
}

fn ways(name: &str) -> Vec<Operation> {
    let of = |rule| [false, true].map(|has_rate| update(format(name), rule, has_rate));
    UpdateRule::ALL.into_iter().flat_map(of).collect()
}

/// Formats with and without infinities, NaN, minus zero and subnormals, posits, and fixed point, whose lowest code has no negative.
const SMALL: [&str; 8] = ["e2m1", "e2m1n", "e2m1b1", "k4p2sf", "k3p2se", "posit4_1", "int3", "fixed4_2"];

/// More of them, of more bits.
const MORE: [&str; 5] = ["e2m1f", "e2m2fn", "k4p2se", "posit5_1", "fixed5_3"];

#[test]
fn every_rule_of_small_formats() {
    SMALL.into_par_iter().flat_map(ways).for_each(|operation| {
        check(&operation, Choice::Exhaustive);
    });
}

#[test]
#[ignore = "takes minutes"]
fn nightly_every_rule_of_more_formats() {
    MORE.into_par_iter().flat_map(ways).for_each(|operation| {
        check(&operation, Choice::Exhaustive);
    });
}

#[test]
fn policies_and_flags() {
    let kahan = update(format("e2m1"), UpdateRule::Kahan, false);
    check(&Operation { overflow: Overflow::Saturate, ..kahan }, Choice::Exhaustive);
    check(&Operation { flags: Some(Tininess::Before), ..kahan }, Choice::Exhaustive);
    check(
        &Operation { flags: Some(Tininess::After), ..update(format("e3m2"), UpdateRule::Nearest, true) },
        Choice::Sample(100_000),
    );
}

/// Momentum and AdamW: every rule in small formats of every family, samples of others.
#[test]
fn optimizers() {
    let of = |name: &str, optimizer, rule| {
        let algorithm = Some(Algorithm::Update(rule));
        let rounding = (rule == UpdateRule::Stochastic).then_some(Rounding::Sr(2));
        let optimizer = Some(optimizer);
        let chosen = Selection { algorithm, rounding, optimizer, ..Selection::new(Unit::Update, format(name)) };
        chosen.operation().unwrap()
    };
    let ways = |name: &'static str| {
        [Optimizer::Momentum, Optimizer::Adamw]
            .into_iter()
            .flat_map(move |optimizer| UpdateRule::ALL.map(move |rule| of(name, optimizer, rule)))
    };
    SMALL.into_par_iter().flat_map_iter(ways).for_each(|operation| {
        check(&operation, Choice::Sample(10_000));
    });
    for name in ["bfloat16", "posit16_1"] {
        ways(name).for_each(|operation| _ = check(&operation, Choice::Sample(5_000)));
    }
    for tininess in Tininess::ALL {
        let flagged = Operation { flags: Some(tininess), ..of("e3m2", Optimizer::Adamw, UpdateRule::Kahan) };
        check(&flagged, Choice::Sample(50_000));
    }
}

#[test]
fn samples_of_formats_that_train() {
    for name in ["bfloat16", "binary16", "dlfloat16", "posit16_1"] {
        for rule in UpdateRule::ALL {
            if name != "dlfloat16" || rule != UpdateRule::Stochastic {
                check(&update(format(name), rule, rule == UpdateRule::Nearest), Choice::Sample(20_000));
            }
        }
    }
}
