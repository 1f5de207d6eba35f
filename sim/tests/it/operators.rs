//! Units whose products are the operator `*`, on the interpreter against the golden model.

use crate::common::{disagreement, format};
use binade_circuit::{Architecture, Multiplier, Op, Optimize};
use binade_generator::{Design, generate, units};
use binade_sim::{Choice, Plan};
use binade_spec::{Operation, Optimizer, Selection, Unit};
use rayon::prelude::*;

fn check(selection: &Selection) -> u64 {
    let operation = selection.operation().unwrap_or_else(|error| panic!("{error}"));
    let choice = if operation.input_bits() <= 16 { Choice::Exhaustive } else { Choice::Sample(5_000) };
    let plan = Plan::new(&operation, choice, 1).expect("a plan for the operation");
    for optimize in Optimize::ALL {
        let netlist = units::build(
            &operation,
            Architecture { optimize, multiplier: Multiplier::Operator, ..Architecture::default() },
        );
        let found = disagreement(&netlist, &operation, &plan);
        assert!(found.is_none(), "{} of {}, {optimize}", operation.unit, operation.operand);
    }
    plan.total()
}

/// Every unit with products and without state, in formats of every family.
#[test]
fn products_of_every_family() {
    let formats = ["e3m4", "e3m4ns", "e4m3b2", "k8p5se", "posit8_2", "int8", "bfloat16"];
    let units = Unit::ALL.into_iter().filter(|&unit| unit.multiplies());
    let stateless = units.filter(|unit| ![Unit::DotExact, Unit::DotStream].contains(unit));
    let selections: Vec<Selection> = stateless
        .flat_map(|unit| formats.map(|name| Selection::new(unit, format(name))))
        .map(|selection| match selection.unit {
            Unit::Dot | Unit::Reduce | Unit::Softmax | Unit::RmsNorm | Unit::LayerNorm => {
                Selection { lanes: Some(2), ..selection }
            }
            Unit::MxDot => Selection { lanes: Some(2), ..selection },
            Unit::Mma => Selection { rows: Some(2), columns: Some(1), depth: Some(2), ..selection },
            Unit::Update => Selection { optimizer: Some(Optimizer::Momentum), ..selection },
            _ => selection,
        })
        .filter(|selection| selection.operation().is_ok())
        .collect();
    assert!(selections.len() > 60, "{} units", selections.len());
    let vectors: u64 = selections.par_iter().map(check).sum();
    assert!(vectors > 300_000, "{vectors}");
}

/// The product of significands is one operator, which ranks of registers leave whole.
#[test]
fn a_product_is_one_operator() {
    let operation = |unit, name: &str| -> Operation { Selection::new(unit, format(name)).operation().expect("a unit") };
    for (unit, name, bits) in [(Unit::Mul, "binary16", 11), (Unit::Fmac, "bfloat16", 8), (Unit::Mul, "posit16_1", 12)] {
        for stages in [0, 4, 12] {
            let design = Design::pipelined(operation(unit, name), stages);
            let unit = generate(design.multiplied_by(Multiplier::Operator).expect("a unit with products"));
            assert!(
                unit.module
                    .ends_with(&format!("_operator{}", if stages > 0 { format!("_p{stages}") } else { String::new() }))
            );
            let nodes = &unit.circuit().nodes;
            let factors = nodes.iter().filter_map(|node| match node.op {
                Op::Mul(a, b) => Some([nodes[a].width, nodes[b].width]),
                _ => None,
            });
            assert_eq!(factors.collect::<Vec<_>>(), [[bits, bits]], "{}", unit.module);
            let code = unit.verilog.lines().map(|line| line.split("//").next().unwrap_or(line));
            assert_eq!(code.filter(|line| line.contains(" * ")).count(), 1, "{}", unit.module);
        }
    }
}

/// A unit without products has no multiplier to choose.
#[test]
fn units_without_products_are_refused() {
    let design = Design::from(Selection::new(Unit::Add, format("e5m2")).operation().expect("a unit"));
    let error = design.multiplied_by(Multiplier::Operator).expect_err("no product");
    assert_eq!(
        error.to_string(),
        "add has no products, so that it has no multiplier to choose; leave `multiplier` out"
    );
}
