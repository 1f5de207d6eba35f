//! The specification of IEEE formats equals Z3's interpretation of SMT-LIB's theory of floating point, which is
//! independent of this project.

use binade_gates::{Gate, GateFault, Graph, Literal};
use binade_prove::specification;
use binade_spec::{Format, Operation, Rounding, Selection, Unit};
use binade_tools::{Source, Tools};
use std::fmt::Write;

/// The roundings of IEEE 754 and their names in SMT-LIB.
const ROUNDINGS: [(Rounding, &str); 5] = [
    (Rounding::Rne, "RNE"),
    (Rounding::Rna, "RNA"),
    (Rounding::Rtz, "RTZ"),
    (Rounding::Rup, "RTP"),
    (Rounding::Rdn, "RTN"),
];

fn sort(format: &Format) -> String {
    let float = format.float().expect("a float");
    format!("(_ to_fp {} {})", float.exponent_bits, float.trailing_bits + 1)
}

fn literal(literal: Literal) -> String {
    if literal.is_inverted() { format!("(not n{})", literal.node()) } else { format!("n{}", literal.node()) }
}

/// The gates as Boolean terms.
fn gates(graph: &Graph) -> String {
    let mut text = String::new();
    for (node, gate) in graph.gates().iter().enumerate() {
        let of = match gate {
            Gate::Input => None,
            Gate::False => Some("false".to_string()),
            Gate::And(a, b) => Some(format!("(and {} {})", literal(*a), literal(*b))),
            Gate::Xor(a, b) => Some(format!("(xor {} {})", literal(*a), literal(*b))),
            Gate::Mux { select, one, zero } => {
                Some(format!("(ite {} {} {})", literal(*select), literal(*one), literal(*zero)))
            }
        };
        writeln!(text, "(declare-const n{node} Bool)").expect("written");
        of.into_iter().for_each(|of| writeln!(text, "(assert (= n{node} {of}))").expect("written"));
    }
    text
}

/// A port's bits as a number of a format.
fn number(format: &Format, bits: &[Literal]) -> String {
    let bits: Vec<String> = bits.iter().rev().map(|&bit| format!("(ite {} #b1 #b0)", literal(bit))).collect();
    format!("({} (concat {}))", sort(format), bits.join(" "))
}

/// Whether circuit and theory give the same numbers for all inputs; the theory has a single NaN.
fn is_same(graph: &Graph, operation: &Operation, rounding: &str) -> bool {
    let formats: Vec<Format> = operation.inputs().iter().map(|port| port.format().expect("a code")).collect();
    let operands: Vec<String> = formats.iter().zip(graph.inputs()).map(|(format, bits)| number(format, bits)).collect();
    let function = match operation.unit {
        Unit::Add => format!("fp.add {rounding}"),
        Unit::Mul => format!("fp.mul {rounding}"),
        Unit::Encode => format!("{} {rounding}", sort(&operation.result)),
        other => panic!("{other} is not asked about"),
    };
    let wanted = format!("({function} {})", operands.join(" "));
    let given = number(&operation.result, &graph.outputs()[0]);
    let text = format!("(set-logic QF_BVFP)\n{}(assert (not (= {given} {wanted})))\n(check-sat)\n", gates(graph));
    let z3 = Tools::new(Source::Pinned).z3().unwrap_or_else(|error| panic!("{error}"));
    let answer = z3.answer(&text).unwrap_or_else(|error| panic!("{error}"));
    match answer.trim() {
        "sat" => false,
        "unsat" => true,
        other => panic!("Z3 says: {other}"),
    }
}

fn operation(unit: Unit, format: &str, rounding: Rounding) -> Operation {
    let selection = Selection::new(unit, format.parse().expect("a format"));
    Selection { rounding: Some(rounding), ..selection }.operation().expect("an operation")
}

/// Z3 does not add numbers with more bits of exponent than of significand, such as those of e5m2.
#[test]
#[ignore = "installs Z3"]
fn nightly_z3_agrees() {
    for (rounding, name) in ROUNDINGS {
        for (unit, format) in [
            (Unit::Add, "e3m2"),
            (Unit::Add, "e4m3"),
            (Unit::Add, "binary16"),
            (Unit::Mul, "e3m2"),
            (Unit::Mul, "e5m2"),
            (Unit::Encode, "e5m2"),
            (Unit::Encode, "binary16"),
        ] {
            let operation = operation(unit, format, rounding);
            let graph = specification(&operation).expect("a specification");
            assert!(is_same(&graph, &operation, name), "{unit} {format} {rounding}");
        }
    }
}

#[test]
#[ignore = "installs Z3"]
fn nightly_z3_notices_a_fault() {
    let operation = operation(Unit::Add, "e3m2", Rounding::Rne);
    let graph = specification(&operation).expect("a specification");
    let last = graph.outputs()[0][0].node();
    assert!(!is_same(&graph.with_fault(last, GateFault::Zero), &operation, "RNE"));
    assert!(!is_same(&graph, &operation, "RTZ"));
}
