//! The cases of a unit cover every input, and alternative computations in the specification agree.

use crate::case::Case;
use crate::cover::{Coverage, coverage, coverage_of};
use crate::number::{Number, SignedDigits, nonzero};
use crate::plans::{Meeting, Plan, plans};
use crate::rounding::rounded;
use crate::sweep::{Effort, Outcome, simulated, sweep};
use crate::words::{Multiplier, constant, differ, literal, negated_if, product};
use crate::{ATTEMPTS, Question, Way, first_multiplier, prove, tried};
use binade_gates::{Graph, Literal, counting};
use binade_generator::{Design, generate};
use binade_spec::word::low_bits;
use binade_spec::{
    FieldZero, Float, Format, NanResult, Operation, Overflow, PositRange, Products, Rounding, Selection, Summation,
    Target, Tininess, Underflow, Unit,
};
use std::sync::atomic::{AtomicUsize, Ordering};

fn operation(unit: Unit, format: &str, accumulator: Option<&str>) -> Operation {
    let parsed = |name: &str| -> Format { name.parse().expect("a format") };
    let selection = Selection::new(unit, parsed(format));
    let selection = Selection { accumulator: accumulator.map(parsed), ..selection };
    selection.operation().expect("an operation")
}

fn case(question: Question, plan: &Plan, multiplier: Multiplier) -> Case {
    Case::new(question, plan, multiplier).expect("a plan of the operation")
}

/// Products of significands built in different ways: without conflicts the solver shows nothing, and with many it shows them all.
#[test]
fn what_the_solver_does_not_show_stays_open() {
    let operation = operation(Unit::Mul, "binary16", None);
    let unit = generate(Design::new(operation, 0, Default::default()).expect("a design"));
    let unit = Graph::of_circuit(&unit.netlist);
    let outcomes = |guess: u64, goal: u64| -> Vec<Outcome> {
        let cases = plans(&operation).expect("a specification").into_iter().take(40);
        let cases = cases.map(|plan| case(Question::new(&unit, &operation), &plan, Multiplier::Tree));
        cases.map(|case| sweep(&case, Effort { guess, again: 0, left: usize::MAX, goal }, &|| false)).collect()
    };
    let open = |outcomes: &[Outcome]| outcomes.iter().filter(|&outcome| *outcome == Outcome::Open).count();
    let (without, with) = (outcomes(0, 0), outcomes(2_000, 20_000));
    assert!(open(&without) > 2, "{without:?}");
    assert!(
        open(&with) < open(&without) && !with.iter().any(|outcome| matches!(outcome, Outcome::Wrong(_))),
        "{with:?}"
    );
}

/// Units that multiply significands as they are, and units that shift subnormals up first, as those with formats on a port do, have
/// different cases.
#[test]
fn products_are_split_as_units_multiply() {
    let e5m12 = operation(Unit::Mul, "e5m12", None);
    let others: &'static [Operation] = Box::leak(Box::new([operation(Unit::Mul, "binary16", None)]));
    // Each number of leading zeros beside an ordinary number, and for shifted operands beside each other number, too.
    let as_they_are = |trailing: usize| 1 + 2 * trailing + 1 + 1;
    let shifted = |trailing: usize| 1 + (trailing + 1) * (trailing + 1);
    let of_both = Operation { others, ..e5m12 };
    for (operation, cases) in [(e5m12, as_they_are(12)), (of_both, shifted(12) + as_they_are(10))] {
        let unit = generate(Design::new(operation, 0, Default::default()).expect("a design"));
        let proof = prove(Question::new(&Graph::of_circuit(&unit.netlist), &operation), &|_| {}, &|| false);
        let proof = proof.expect("a specification");
        assert!(proof.is_whole(), "{proof:?}");
        assert_eq!(proof.cases, cases, "{operation:?}");
    }
}

/// A product whose other factor is recoded.
#[test]
fn factors_may_be_exchanged() {
    let operation = operation(Unit::Mul, "e8m14", None);
    let unit = generate(Design::new(operation, 0, Default::default()).expect("a design"));
    let unit = Graph::of_circuit(&unit.netlist);
    let mut exchanged = Graph::new(operation.inputs().iter().map(|port| port.width()));
    let [a, b] = [0, 1].map(|port| exchanged.inputs()[port].clone());
    let images = exchanged.add_gates(&unit, [b, a].concat(), None);
    images.of_words(unit.outputs()).into_iter().for_each(|bits| exchanged.add_output(bits));
    let question = Question::new(&exchanged, &operation);
    let plans = plans(&operation).expect("a specification");
    let is_open = |plan: &Plan| {
        let effort = Effort { guess: 100, again: 0, left: usize::MAX, goal: 3_000 };
        sweep(&case(question, plan, Multiplier::Rows), effort, &|| false) == Outcome::Open
    };
    assert!(plans.iter().any(is_open), "the unit's own rows are as easily shown");
    let proof = prove(question, &|_| {}, &|| false).expect("a specification");
    assert!(proof.is_whole(), "{proof:?}");
}

/// The first attempt decides every case of a unit that was made for ranks, and would not if its rows were in sequence.
#[test]
fn units_with_ranks_multiply_in_pairs() {
    let operation = operation(Unit::Mul, "e6m13", None);
    let design = Design::new(operation, 4, Default::default()).expect("a design");
    let unit = Graph::of_circuit(&generate(design).without_ranks().netlist);
    let question = Question { has_ranks: true, ..Question::new(&unit, &operation) };
    let plans = plans(&operation).expect("a specification");
    let is_open = |plan: &Plan, first: Multiplier| {
        tried(question, plan, &Way { first, certifier: None, stem: String::new() }, &ATTEMPTS[..1], &|| false)
            .expect("a case")
            .is_open
    };
    let first = first_multiplier(question, &plans, &|| false);
    assert!(plans.iter().all(|plan| !is_open(plan, first)));
    assert!(plans.iter().any(|plan| is_open(plan, Multiplier::Rows)), "rows in sequence are as easily shown");
}

/// A unit that rounds several times is open as long as any case of any rounding is.
#[test]
fn what_time_does_not_suffice_for_stays_open() {
    let e3m2 = Format::ieee(3, 2);
    let chain = Selection {
        lanes: Some(2),
        summation: Some(Summation::Chain),
        accumulator: Some(e3m2),
        ..Selection::new(Unit::Dot, e3m2)
    };
    for operation in [operation(Unit::Mac, "e3m2", Some("e4m3")), chain.operation().expect("an operation")] {
        let unit = generate(Design::new(operation, 0, Default::default()).expect("a design"));
        let unit = Graph::of_circuit(&unit.netlist);
        let proof_of = |most: usize| {
            let asked = AtomicUsize::new(0);
            let is_over = || asked.fetch_add(1, Ordering::Relaxed) >= most;
            prove(Question::new(&unit, &operation), &|_| {}, &is_over).expect("a specification")
        };
        let cases = proof_of(usize::MAX).cases;
        assert!(proof_of(usize::MAX).is_whole() && cases > 5, "{cases} cases");
        for most in 0..cases {
            let proof = proof_of(most);
            assert!(!proof.is_whole() && !proof.open.is_empty(), "{most} of {cases} cases");
        }
    }
}

/// All cases of an operation, split into parts where possible.
fn parts(operation: &Operation, unit: &Graph) -> Vec<Plan> {
    let parts = |plan: Plan| {
        let parts = plan.parts(case(Question::new(unit, operation), &plan, Multiplier::Rows).sum_bits);
        if parts.is_empty() { vec![plan] } else { parts }
    };
    plans(operation).expect("a specification").into_iter().flat_map(parts).collect()
}

/// The inputs that the cases cover, indexed by the bits of the ports, the first lowest.
fn covered(operation: &Operation, plans: &[Plan]) -> Vec<bool> {
    let unit = generate(Design::new(*operation, 0, Default::default()).expect("a design"));
    let unit = Graph::of_circuit(&unit.netlist);
    let mut covered = vec![false; 1 << operation.input_bits()];
    for plan in plans {
        let case = case(Question::new(&unit, operation), plan, Multiplier::Rows);
        let bits: Vec<Literal> = case.inputs.concat();
        let free = used_inputs(&case, &bits);
        let sources = case.graph.sources().len();
        for block in 0..(1_u64 << free.len()).div_ceil(64) {
            let mut words = vec![0; sources];
            free.iter().zip(0..).for_each(|(&input, place)| words[input - 1] = counting(block, place));
            let values = simulated(case.graph.gates(), &words);
            let value = |literal: Literal| values[literal.node()] ^ if literal.is_inverted() { u64::MAX } else { 0 };
            for lane in 0..64 {
                if value(case.valid) >> lane & 1 == 1 {
                    let input = bits.iter().rev().fold(0, |input, &bit| input << 1 | (value(bit) >> lane & 1) as usize);
                    covered[input] = true;
                }
            }
        }
    }
    covered
}

/// The inputs of a case's graph that its condition and the ports depend on.
fn used_inputs(case: &Case, bits: &[Literal]) -> Vec<usize> {
    let mut used = vec![false; case.graph.gates().len()];
    bits.iter().chain([&case.valid]).for_each(|literal| used[literal.node()] = true);
    for id in (1..used.len()).rev().filter(|&id| id > 0) {
        if used[id] {
            case.graph.gates()[id].operands().for_each(|operand| used[operand.node()] = true);
        }
    }
    (1..=case.graph.sources().len()).filter(|&id| used[id]).collect()
}

fn assert_covers(operation: &Operation) {
    assert_eq!(coverage(operation), Ok(Coverage::Whole), "{operation:?}");
    let missing =
        covered(operation, &plans(operation).expect("a specification")).iter().position(|&is_covered| !is_covered);
    assert_eq!(missing, None, "an input of {operation:?} that no case has");
}

const SMALL: [&str; 14] = [
    "e2m1f",
    "e3m2",
    "e3m1b1",
    "e2m2n",
    "e2m2ns",
    "e3m1b2u1,sat",
    "k5p2se",
    "k4p2uf",
    "e3m1fn",
    "posit5_1",
    "posit4_0",
    "posit5_2",
    "e3m0",
    "e4m1,bias=3",
];

#[test]
fn cases_of_one_and_two_operands_cover_every_input() {
    for format in SMALL.iter().chain(&["e8m0"]) {
        for unit in [Unit::Decode, Unit::Mul, Unit::Add, Unit::Divide, Unit::Sqrt] {
            assert_covers(&operation(unit, format, None));
        }
    }
}

#[test]
fn cases_of_three_operands_cover_every_input() {
    for (format, accumulator) in [
        ("e2m1f", "e3m2"),
        ("e3m2", "e2m1"),
        ("e2m1", "e4m0"),
        ("e3m1b1", "e3m1b1"),
        ("k4p2se", "posit5_1"),
        ("posit4_1", "e3m1"),
        ("e2m2n", "e2m1ns"),
        ("int3", "e3m1"),
        ("uint3", "posit4_1"),
    ] {
        for unit in [Unit::Fmac, Unit::Mac] {
            assert_covers(&operation(unit, format, Some(accumulator)));
        }
    }
}

/// Sums of several products.
#[test]
fn cases_of_dot_products_cover_every_input() {
    let dot = |lanes, format: &str, second: &str, accumulator: &str| {
        let [format, second, accumulator] = [format, second, accumulator].map(|name| name.parse().expect("a format"));
        let selection = Selection::new(Unit::Dot, format);
        let selection =
            Selection { lanes: Some(lanes), second: Some(second), accumulator: Some(accumulator), ..selection };
        selection.operation().expect("an operation")
    };
    for operation in [
        dot(2, "e2m0", "e2m0", "e3m1"),
        dot(2, "e2m0ns", "e2m0", "e2m2"),
        dot(1, "e2m1f", "e3m1", "e2m2"),
        dot(1, "e2m0", "int3", "e3m1"),
        dot(2, "int2", "int2", "e2m1"),
        dot(2, "e2m0", "e2m0", "e3m1")
            .with_products(|products| Products { summation: "align:2".parse().expect("a summation"), ..products }),
    ] {
        assert_covers(&operation);
    }
    for operation in
        [dot(4, "e2m1f", "e2m1f", "binary16"), dot(3, "e4m3", "e5m2", "e2m3"), dot(2, "e2m1f", "posit5_1", "e8m3")]
    {
        assert_eq!(coverage(&operation), Ok(Coverage::Whole), "{operation:?}");
        let mut plans = plans(&operation).expect("a specification");
        plans.remove(plans.len() / 2);
        assert!(matches!(coverage_of(&operation, &plans), Ok(Coverage::Lacks(_))), "{operation:?}");
    }
}

/// When one case is removed, some input is uncovered, unless the others cover it; enumeration agrees.
#[test]
fn a_case_less_is_noticed() {
    for (unit, format, accumulator) in [
        (Unit::Add, "e2m2", None),
        (Unit::Add, "e2m1b1", None),
        (Unit::Mul, "e2m1ns", None),
        (Unit::Add, "posit4_1", None),
        (Unit::Decode, "k4p2uf", None),
        (Unit::Fmac, "e2m0", Some("e2m1")),
    ] {
        let operation = operation(unit, format, accumulator);
        let all = plans(&operation).expect("a specification");
        let mut noticed = 0;
        for left_out in 0..all.len() {
            let mut plans = all.clone();
            let plan = plans.remove(left_out);
            let covered = covered(&operation, &plans);
            match coverage_of(&operation, &plans).expect("plans of the operation") {
                Coverage::Whole => assert!(covered.iter().all(|&is_covered| is_covered), "{plan}"),
                Coverage::Lacks(inputs) => {
                    let ports = operation.inputs();
                    let bits = ports.iter().zip(&inputs).rev();
                    let input = bits.fold(0, |input, (port, word)| input << port.width() | low_bits(word) as usize);
                    assert!(!covered[input], "{plan}: a case has {inputs:x?}");
                    noticed += 1;
                }
                Coverage::Open => panic!("{plan} is undecided"),
            }
        }
        assert!(noticed > all.len() / 2, "{noticed} of {} of {unit} {format}", all.len());
    }
}

/// Units too wide to enumerate.
#[test]
fn cases_of_wide_units_cover_every_input() {
    for (unit, format) in [(Unit::Add, "binary32"), (Unit::Mul, "binary16"), (Unit::Add, "dlfloat16")] {
        assert_eq!(coverage(&operation(unit, format, None)), Ok(Coverage::Whole), "{unit} {format}");
    }
}

/// Operands with any code in the register.
#[test]
fn cases_of_units_with_state_cover_every_input() {
    for (format, accumulator) in [
        ("e2m1f", "e3m2"),
        ("e4m3", "e4m3"),
        ("e3m2b1", "binary16"),
        ("e3m2ns", "e2m3"),
        ("posit6_1", "e4m3"),
        ("posit6_1", "posit8_2"),
        ("e8m0", "posit8_0"),
    ] {
        let operation = operation(Unit::Accumulate, format, Some(accumulator));
        assert_eq!(coverage(&operation), Ok(Coverage::Whole), "{format} {accumulator}");
        let mut plans = plans(&operation).expect("a specification");
        // The case in which an operand replaces the sum.
        plans.remove(1);
        assert!(matches!(coverage_of(&operation, &plans), Ok(Coverage::Lacks(_))), "{format} {accumulator}");
    }
}

#[test]
fn parts_of_cases_cover_every_input() {
    for (format, accumulator) in [("e2m1", "e3m1"), ("posit3_1", "posit4_1")] {
        let operation = operation(Unit::Fmac, format, Some(accumulator));
        let unit = generate(Design::new(operation, 0, Default::default()).expect("a design"));
        let parts = parts(&operation, &Graph::of_circuit(&unit.netlist));
        let missing = covered(&operation, &parts).iter().position(|&is_covered| !is_covered);
        assert_eq!(missing, None, "an input of {operation:?} that no part of a case has");
    }
}

/// A term below every place that matters, nearer ones of which a unit may still add exactly.
#[test]
fn parts_by_distance_are_proven_like_the_whole() {
    for (format, accumulator) in [("e4m3", "e4m3"), ("e5m2", "e4m5"), ("e5m2ns", "e5m2ns")] {
        let operation = operation(Unit::Fmac, format, Some(accumulator));
        let unit = generate(Design::new(operation, 0, Default::default()).expect("a design"));
        let unit = Graph::of_circuit(&unit.netlist);
        let plans = plans(&operation).expect("a specification").into_iter();
        let (distant, mut rest): (Vec<Plan>, Vec<Plan>) =
            plans.partition(|plan| matches!(plan.meeting, Meeting::Above(_)));
        let parts: Vec<Plan> = distant.iter().flat_map(|plan| plan.parts(0)).collect();
        assert!(parts.len() > 2 * distant.len() && !distant.is_empty(), "{operation:?}");
        for part in &parts {
            let effort = Effort { guess: 2_000, again: 0, left: usize::MAX, goal: 20_000 };
            let case = case(Question::new(&unit, &operation), part, Multiplier::Rows);
            assert_eq!(sweep(&case, effort, &|| false), Outcome::Proven, "{operation:?}: {part}");
        }
        rest.extend(parts);
        assert_eq!(coverage_of(&operation, &rest), Ok(Coverage::Whole), "{operation:?}");
    }
}

#[test]
fn every_multiplier_multiplies() {
    for (m, n) in [(1, 1), (1, 5), (5, 1), (4, 4), (5, 3), (6, 6), (3, 9)] {
        for multiplier in [Multiplier::Rows, Multiplier::RowsExchanged, Multiplier::Pairs, Multiplier::Tree] {
            let mut graph = Graph::new([m, n]);
            let [a, b] = [0, 1].map(|input| graph.inputs()[input].clone());
            let bits = product(&mut graph, multiplier, &a, &b);
            for x in 0..1_u64 << m {
                for y in 0..1_u64 << n {
                    let inputs = (0..m + n).map(|place| (x | y << m) >> place & 1).collect::<Vec<_>>();
                    let values = simulated(graph.gates(), &inputs);
                    let bit = |literal: &Literal| (values[literal.node()] & 1) ^ u64::from(literal.is_inverted());
                    let got = bits.iter().rev().fold(0, |word, literal| word << 1 | bit(literal));
                    assert_eq!(got, x * y, "{x} * {y} of {m} and {n} bits, {multiplier:?}");
                }
            }
        }
    }
}

/// A number in two's complement is rounded to the same code as its sign and magnitude, in every rounding and with
/// either range.
#[test]
fn both_lines_of_a_posit_round_alike() {
    for format in ["posit3_0", "posit5_1", "posit6_0", "posit6_2,scale=2^3"] {
        for rounding in ["rne", "rna", "rtz", "rup", "rdn", "rto", "sr3"] {
            for posit_range in [PositRange::Saturate, PositRange::Float] {
                let format: Format = format.parse().expect("a format");
                let rounding = Some(rounding.parse().expect("a rounding"));
                let selection = Selection { rounding, posit_range, ..Selection::new(Unit::Encode, format) };
                let target = selection.operation().expect("an operation").target();
                assert_eq!(first_between_lines(&target), None, "{target:?}");
            }
        }
    }
}

/// An integer of 7 bits, an exponent of 7 bits and random bits, in one word, for which the two code lines of a posit
/// round differently.
fn first_between_lines(target: &Target) -> Option<u64> {
    let mut graph = Graph::new([7, 7, target.rounding.random_bits()]);
    let [integer, exponent, random] = [0, 1, 2].map(|input| graph.inputs()[input].clone());
    let negative = integer[6];
    let magnitude = negated_if(&mut graph, negative, &integer);
    let of_magnitude = nonzero(negative, magnitude, exponent);
    let of_signed = Number { signed: Some(SignedDigits::Integer(integer.clone())), ..of_magnitude.clone() };
    let [one, other] =
        [of_magnitude, of_signed].map(|number| rounded(&mut graph, target, &number, &random).expect("a rounding").code);
    let (is_other, is_number) = (differ(&mut graph, &one, &other), graph.any(&integer));
    let is_wrong = graph.and(is_other, is_number);
    let bits = graph.sources().len() as u32;
    (0..1 << (bits - 6)).find(|&block| {
        let inputs: Vec<u64> = (0..bits).map(|place| counting(block, place)).collect();
        let values = simulated(graph.gates(), &inputs);
        (values[is_wrong.node()] ^ if is_wrong.is_inverted() { u64::MAX } else { 0 }) != 0
    })
}

/// The rows of `theorem/rounding.txt` are results of the function that is proven to be Flocq's rounding; those of the specification are
/// the same.
#[test]
fn rounding_is_that_of_the_theorem() {
    let table = include_str!("../theorem/rounding.txt");
    let mut rows = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [w, t, zero, direction, sign, exponent, cells] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let ieee = Float::ieee(w.parse().expect("bits"), t.parse().expect("bits"));
        let float = match zero {
            "s" => ieee,
            _ => Float { field_zero: FieldZero::Zero, underflow: Underflow::ToZero, ..ieee },
        };
        let rounding = direction.parse().expect("a rounding");
        for (significand, cell) in (1..).zip(cells.as_bytes().chunks(3)) {
            for tininess in [Tininess::Before, Tininess::After] {
                let found = rounded_to(
                    float,
                    rounding,
                    tininess,
                    sign == "-",
                    significand,
                    exponent.parse().expect("a number"),
                );
                let code = u128::from_str_radix(std::str::from_utf8(&cell[..2]).expect("digits"), 16).expect("digits");
                // Overflow, underflow, inexact.
                let flags = match (cell[2], tininess) {
                    (b'=', _) => [false, false, false],
                    (b'~', _) | (b'b', Tininess::After) => [false, false, true],
                    (b'u', _) | (b'b', Tininess::Before) => [false, true, true],
                    (b'o', _) => [true, false, true],
                    (other, _) => panic!("{line}: {other}"),
                };
                assert_eq!(found, (code, flags), "{line}, significand {significand}, {tininess:?}");
            }
        }
        rows += 1;
    }
    assert_eq!(rows, 456);
}

/// The code of `significand * 2^exponent`, and the flags overflow, underflow and inexact.
fn rounded_to(
    float: Float,
    rounding: Rounding,
    tininess: Tininess,
    is_negative: bool,
    significand: i128,
    exponent: i128,
) -> (u128, [bool; 3]) {
    let target = Target {
        format: Format::Float(float),
        rounding,
        overflow: Overflow::Inf,
        posit_range: PositRange::Saturate,
        flags: Some(tininess),
        nan: NanResult::Canonical,
    };
    let mut graph = Graph::new([]);
    let number = nonzero(literal(is_negative), constant(significand, 6), constant(exponent, 8));
    let result = rounded(&mut graph, &target, &number, &[]).expect("a rounding");
    let is_one = |bit: Literal| match bit {
        Literal::TRUE => true,
        Literal::FALSE => false,
        other => panic!("{other:?} is no constant"),
    };
    let code = result.code.iter().rev().fold(0, |code, &bit| code << 1 | u128::from(is_one(bit)));
    (code, [result.overflow, result.underflow, result.inexact].map(is_one))
}
