//! The lanes engine: its gates compute what the circuit does, on every way through the vectors, and a broken gate is found.

use crate::common::{all_ways, format, interpreted, operation};
use binade_gates::{Equivalence, equivalence};
use binade_gates::{Gate, GateFault, Graph, NetlistError};
use binade_generator::{Design, GeneratedUnit, generate};
use binade_sim::mutate::{Breakable, Change, Mutant, MutatedUnit};
use binade_sim::{Choice, Counterexample, Engine, Gates, Plan, Run, Verification, compare, verify};
use binade_spec::{Activation, Operation, Overflow, Selection, Tininess, Unit};
use binade_synth::{Netlist, Target, netlist};
use binade_tools::{Source, Tools};
use rayon::prelude::*;
use serde_json::Value;

fn plain(unit: Unit, name: &str, other: Option<&str>) -> Operation {
    operation(unit, format(name), other.map(format), Overflow::Inf)
}

fn verify_gates(unit: &GeneratedUnit, gates: &Gates, choice: Choice) -> Verification {
    let plan = Plan::new(&unit.design.operation, choice, 1).expect("a plan for the operation");
    let run = Run { engine: Engine::Lanes(gates), ..Run::new(unit, &plan) };
    verify(&Tools::new(Source::Pinned), run, &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// Units whose vectors come in every order: counted, by product, listed; words of more than 64 bits together.
fn units() -> Vec<Operation> {
    let selected = [
        Selection { flags: Some(Tininess::After), ..Selection::new(Unit::Mul, format("e5m2")) },
        Selection {
            output: Some(format("e4m3fn")),
            activation: Some(Activation::Relu),
            ..Selection::new(Unit::Fmac, format("e5m2b1"))
        },
        Selection { rounding: Some("sr8".parse().unwrap()), ..Selection::new(Unit::Add, format("e4m3")) },
        Selection { rounding: Some("sr2".parse().unwrap()), ..Selection::new(Unit::Fmac, format("e2m1")) },
        Selection::new(Unit::PositDecoder, format("posit16_1")),
        Selection::new(Unit::PositEncoder, format("posit8_1")),
        Selection::new(Unit::Fmac, format("binary32")),
    ];
    let mut units: Vec<Operation> = selected.map(|selection| selection.operation().unwrap()).to_vec();
    units.extend(all_ways(plain(Unit::Fmac, "e2m1", Some("e5m6"))));
    units.extend([
        plain(Unit::Fmac, "e2m1f", Some("e3m3")),
        // A chunk is less than the addends of one product.
        plain(Unit::Fmac, "e2m0", Some("e5m8")),
        plain(Unit::Mac, "e2m2b1", Some("e5m7b1")),
        plain(Unit::Add, "posit8_0", None),
        plain(Unit::Convert, "e5m4", Some("e3m2")),
        plain(Unit::Mul, "e2m1", None),
    ]);
    units
}

#[test]
fn right_units_are_right() {
    units().into_par_iter().for_each(|operation| {
        let unit = generate(operation);
        let found = verify_gates(&unit, &Gates::of_circuit(&unit), Choice::Sample(1 << 20));
        assert!(found.is_right(), "{}: {:?}", found.module, found.mismatch);
        let all = 1_u64.checked_shl(operation.input_bits()).unwrap_or(u64::MAX);
        assert_eq!(found.checked, all.min(1 << 20), "{}", found.module);
    });
}

/// The counterexample is the one that the interpreter finds on the word that was changed.
#[test]
#[ignore = "long"]
fn a_wrong_vector_is_found_where_it_is() {
    units().into_par_iter().for_each(|operation| {
        let mut unit = generate(operation);
        let sound = generate(operation);
        let subject = MutatedUnit::new(&sound);
        for mutant in subject.mutants().iter().step_by(97) {
            let Mutant::Node { node, change: Change::Op(op), .. } = mutant else { continue };
            unit.netlist = sound.netlist.clone();
            unit.netlist.nodes[*node].op = op.clone();
            let plan = Plan::new(&operation, Choice::Sample(50_000), 1).expect("a plan for the operation");
            let want =
                compare(&operation, &plan, || interpreted(&unit.netlist), &|_| {}).expect("nobody interrupts a test");
            let gates = Gates { graph: subject.graph(mutant), origin: "a mutant".into() };
            let found = verify_gates(&unit, &gates, Choice::Sample(50_000)).mismatch;
            let want = want.map(|Counterexample { index, operands, .. }| (index, operands));
            let found = found.map(|mismatch| (mismatch.found.index, mismatch.found.disagreement.codes().to_vec()));
            assert_eq!(found, want, "{}: {}", unit.module, subject.describe(mutant));
        }
    });
}

/// A fault is found by running all inputs exactly if the solver says that it makes a difference.
#[test]
fn faults_are_found_if_they_make_a_difference() {
    let (mut harmless, mut found) = (0, 0);
    for operation in [plain(Unit::Add, "e3m2", None), plain(Unit::Convert, "e4m5", Some("e3m2b1"))] {
        let unit = generate(operation);
        let sound = Graph::of_circuit(&unit.netlist);
        for (gate, kind) in sound.gates().iter().enumerate() {
            if matches!(kind, Gate::False | Gate::Input) {
                continue;
            }
            for fault in [GateFault::Zero, GateFault::One, GateFault::Operator] {
                let graph = sound.with_fault(gate, fault);
                let verdict = equivalence(&sound, &graph, &|| false);
                let gates = Gates { graph, origin: "a faulty circuit".into() };
                let is_right = verify_gates(&unit, &gates, Choice::Exhaustive).is_right();
                match verdict {
                    Equivalence::Proven => assert!(is_right, "gate {gate} {fault:?}"),
                    Equivalence::Differs(vector) => {
                        assert!(!is_right, "gate {gate} {fault:?}");
                        let replayed = verify_gates(&unit, &gates, Choice::Replay(vec![vector]));
                        assert!(!replayed.is_right(), "the solver's vector shows gate {gate} {fault:?}");
                    }
                    Equivalence::Open => panic!("gate {gate} {fault:?} is undecided"),
                }
                *if is_right { &mut harmless } else { &mut found } += 1;
            }
        }
    }
    assert!(harmless > 10 && found > 5 * harmless, "{found} faults found, {harmless} harmless");
}

fn mapped(unit: &GeneratedUnit, kind: Netlist) -> Result<Gates, NetlistError> {
    let tools = Tools::new(Source::Pinned);
    let json = netlist(&tools, &unit.module, &unit.verilog, kind).unwrap_or_else(|error| panic!("{error}"));
    Gates::of_netlist(unit, &json, kind.to_string())
}

/// Verilog through Yosys, as every `step`th kind of netlist: right ones are right, and a change of the text is found.
fn check_synthesized(designs: &[Design], step: usize) {
    designs.par_iter().for_each(|&design| {
        for kind in Netlist::NAMES.into_iter().step_by(step).map(|name| name.parse().expect("a name")) {
            let mut unit = generate(design);
            let gates = mapped(&unit, kind).unwrap_or_else(|error| panic!("{error}"));
            let found = verify_gates(&unit, &gates, Choice::Sample(100_000));
            assert!(found.is_right(), "{} on {kind}: {:?} {:?}", found.module, found.mismatch, found.violation);
            unit.verilog = unit.verilog.replacen(" & ", " | ", 1);
            let gates = mapped(&unit, kind).unwrap_or_else(|error| panic!("{error}"));
            assert!(!verify_gates(&unit, &gates, Choice::Sample(100_000)).is_right(), "{} on {kind}", unit.module);
        }
    });
}

#[test]
#[ignore = "long"]
fn synthesized_netlists() {
    check_synthesized(&[plain(Unit::Mul, "e4m3fn", None).into()], 3);
}

#[test]
#[ignore = "takes minutes"]
fn nightly_synthesized_netlists() {
    let fmac = plain(Unit::Fmac, "e5m2b1", None);
    let designs = [
        fmac.into(),
        plain(Unit::Mul, "e4m3fn", None).into(),
        Design::pipelined(plain(Unit::Add, "e5m2b1", None), 3),
        plain(Unit::PositEncoder, "posit8_1", None).into(),
        Design::pipelined(plain(Unit::Add, "binary16", None), 1),
        Design::pipelined(fmac, 3),
        Design::pipelined(fmac, 16),
    ];
    check_synthesized(&designs, 1);
}

/// Netlists of both families with one bit of one lookup table changed: what differs from the right one is found, and nothing else.
#[test]
#[ignore = "takes minutes"]
fn nightly_mutants_of_netlists() {
    let (unit, tools) = (generate(plain(Unit::Add, "e3m2f", None)), Tools::new(Source::Pinned));
    for target in [Target::Ecp5, Target::Xc7] {
        let json = netlist(&tools, &unit.module, &unit.verilog, target).unwrap_or_else(|error| panic!("{error}"));
        let whole = Gates::of_netlist(&unit, &json, target.to_string()).expect("known cells");
        assert!(verify_gates(&unit, &whole, Choice::Exhaustive).is_right(), "{target}");
        let sound: Value = serde_json::from_str(&json).expect("JSON");
        let cells = sound["modules"][&unit.module]["cells"].as_object().expect("cells");
        let tables: Vec<&String> =
            cells.iter().filter(|(_, cell)| !cell["parameters"]["INIT"].is_null()).map(|(name, _)| name).collect();
        let (mut found, mut harmless) = (0, 0);
        for (at, name) in tables.iter().enumerate().step_by(5) {
            let mut mutant = sound.clone();
            let init = &mut mutant["modules"][&unit.module]["cells"][*name]["parameters"]["INIT"];
            let mut bits = init.as_str().expect("bits").as_bytes().to_vec();
            let place = at % bits.len();
            bits[place] ^= 1;
            *init = String::from_utf8(bits).expect("zeros and ones").into();
            let gates = Gates::of_netlist(&unit, &mutant.to_string(), target.to_string()).expect("known cells");
            let is_right = verify_gates(&unit, &gates, Choice::Exhaustive).is_right();
            let is_same = equivalence(&whole.graph, &gates.graph, &|| false) == Equivalence::Proven;
            assert_eq!(is_right, is_same, "{target}, bit {place} of {name}");
            *if is_right { &mut harmless } else { &mut found } += 1;
        }
        // Entries of a table that an input tied to a constant excludes are harmless.
        assert!(found > 5 && harmless > 0, "{target}: {found} mutants found, {harmless} harmless");
    }
}

#[test]
fn netlists_that_cannot_be_run_are_refused() {
    let unit = generate(plain(Unit::Mul, "e2m1", None));
    let json = |cell: &str| {
        format!(
            r#"{{"modules": {{"{}": {{"ports": {{"a": {{"bits": [2, 3, 4, 5]}}, "b": {{"bits": [6, 7, 8, 9]}}, "y": {{"bits": [2, 2, 2, 10]}}}},
            "cells": {{"c": {cell}}}}}}}}}"#,
            unit.module
        )
    };
    let said = |json: &str| Gates::of_netlist(&unit, json, String::new()).err().expect("an error").to_string();
    let unknown = said(&json(r#"{"type": "$_DLATCH_P_", "connections": {"D": [2], "E": [3], "Q": [10]}}"#));
    assert!(unknown.contains("`$_DLATCH_P_`"), "{unknown}");
    let looped = said(&json(r#"{"type": "$_AND_", "connections": {"A": [2], "B": [10], "Y": [10]}}"#));
    assert!(looped.contains("depends on itself"), "{looped}");
    let loose = said(&json(r#"{"type": "$_AND_", "connections": {"A": [2], "B": [11], "Y": [10]}}"#));
    assert!(loose.contains("nothing drives net 11"), "{loose}");
    let undefined = said(&json(r#"{"type": "$_NOT_", "connections": {"A": ["x"], "Y": [10]}}"#));
    assert!(undefined.contains("`x`"), "{undefined}");
    assert!(said(r#"{"modules": {}}"#).contains("no module mul_e2m1_rne"));
    assert!(said("{").contains("cannot be read"));
}
