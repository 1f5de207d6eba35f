//! Broken units are reported as wrong, with inputs that show it, and equivalent ones as right.

use binade_gates::{Equivalence, equivalence};
use binade_gates::{GateFault, Graph, Literal};
use binade_generator::{Design, generate};
use binade_golden::Model;
use binade_prove::{Proof, Question, prove, specification};
use binade_spec::{Format, Formats, NanResult, Operation, Rounding, Selection, Summation, Tininess, Unit, Word};

/// Breaks every `every`-th gate of a unit; returns how many mutants are wrong, and how many equivalent.
fn breaks(operation: &Operation, every: usize) -> (usize, usize) {
    let unit = generate(Design::new(*operation, 0, Default::default()).expect("a design"));
    let sound = Graph::of_circuit(&unit.netlist);
    let model = Model::new(operation);
    let (mut wrong, mut equivalent) = (0, 0);
    for gate in (1 + sound.sources().len()..sound.gates().len()).step_by(every) {
        for fault in [GateFault::Zero, GateFault::One, GateFault::Operator] {
            let mutant = sound.with_fault(gate, fault);
            let proof = prove(Question::new(&mutant, operation), &|_| {}, &|| false).expect("a specification");
            match equivalence(&sound, &mutant, &|| false) {
                Equivalence::Proven => {
                    assert!(proof.is_whole(), "{} with {fault:?} at {gate} is the same unit: {proof:?}", unit.module);
                    equivalent += 1;
                }
                Equivalence::Differs(_) => {
                    let inputs = proof.differs.expect("what is wrong is found");
                    assert_ne!(mutant.answer(&inputs), model.evaluate(&inputs), "{inputs:x?}");
                    wrong += 1;
                }
                Equivalence::Open => {}
            }
        }
    }
    (wrong, equivalent)
}

/// The gates of a unit.
fn built(operation: Operation) -> Graph {
    Graph::of_circuit(&generate(Design::new(operation, 0, Default::default()).expect("a design")).netlist)
}

fn operation(unit: Unit, format: &str, accumulator: Option<&str>) -> Operation {
    let parsed = |name: &str| -> Format { name.parse().expect("a format") };
    let selection = Selection { accumulator: accumulator.map(parsed), ..Selection::new(unit, parsed(format)) };
    selection.operation().expect("an operation")
}

/// A fault that only one of the roundings of port `rm` meets is found, with the value of the port.
#[test]
fn a_fault_in_one_rounding_is_found() {
    let operation = Selection {
        rounding: Some(Rounding::Any),
        flags: Some(Tininess::After),
        ..Selection::new(Unit::Add, "e4m3".parse().expect("a format"))
    };
    let operation = operation.operation().expect("an operation");
    let (wrong, equivalent) = breaks(&operation, 7);
    assert!(wrong > 100, "{wrong} wrong and {equivalent} equivalent");
    let unit = generate(Design::new(operation, 0, Default::default()).expect("a design"));
    let sound = Graph::of_circuit(&unit.netlist);
    assert!(prove(Question::new(&sound, &operation), &|_| {}, &|| false).expect("a specification").is_whole());
    // A unit that ignores the port.
    let one = Operation { rounding: Rounding::Rne, ..operation };
    let one = Graph::of_circuit(&generate(Design::new(one, 0, Default::default()).expect("a design")).netlist);
    let mut ignoring = sound.bare();
    let operands: Vec<Literal> = ignoring.inputs()[..2].concat();
    let images = ignoring.add_gates(&one, operands, None);
    images.of_words(one.outputs()).into_iter().for_each(|bits| ignoring.add_output(bits));
    let proof = prove(Question::new(&ignoring, &operation), &|_| {}, &|| false).expect("a specification");
    assert_eq!(proof.differs.expect("what is wrong is found")[2], Word::from(1_u128));
    for rm in 0..8_u32 {
        let mut broken = sound.bare();
        let images = broken.add_gates(&sound, sound.sources(), None);
        let port: Vec<Literal> = broken.inputs()[2].clone();
        let is_here: Vec<Literal> = (0..3).map(|bit| if rm >> bit & 1 == 1 { port[bit] } else { !port[bit] }).collect();
        let is_here = broken.all(&is_here);
        for (at, mut bits) in images.of_words(sound.outputs()).into_iter().enumerate() {
            bits[0] = if at == 0 { broken.xor(bits[0], is_here) } else { bits[0] };
            broken.add_output(bits);
        }
        let proof = prove(Question::new(&broken, &operation), &|_| {}, &|| false).expect("a specification");
        let inputs = proof.differs.expect("what is wrong is found");
        assert_eq!(inputs[2], Word::from(u128::from(rm)));
    }
}

/// A fault that only one choice of formats meets is found, with the value of the port; so is a unit that ignores the port, one that
/// reads the bits above narrower operands, and one with ones above narrower results.
#[test]
fn a_fault_in_one_choice_of_formats_is_found() {
    let formats = "e3m2+e2m1+e3m1".parse::<Formats>().expect("formats");
    let operation = Selection::with_formats(Unit::Add, formats).operation().expect("an operation");
    let sound = built(operation);
    let proof = |unit: &Graph| prove(Question::new(unit, &operation), &|_| {}, &|| false).expect("a specification");
    assert!(proof(&sound).is_whole());
    assert!(proof(&specification(&operation).expect("a specification")).is_whole());
    let (wrong, equivalent) = breaks(&operation, 41);
    assert!(wrong > 12, "{wrong} wrong and {equivalent} equivalent");
    let fmt = |found: &Proof| found.differs.as_ref().map(|words| words[2].clone());
    // The unit of the first format alone.
    let one = built(operation.choices()[0]);
    let mut ignoring = sound.bare();
    let operands = ignoring.inputs()[..2].concat();
    let images = ignoring.add_gates(&one, operands, None);
    images.of_words(one.outputs()).into_iter().for_each(|bits| ignoring.add_output(bits));
    assert_eq!(fmt(&proof(&ignoring)), Some(Word::from(1_u8)));
    for value in 0..4_u8 {
        // (the bit of the result that is wrong, a bit of operand a on which that depends)
        for (bit, of_operand) in [(0, None), (5, None), (5, Some(3)), (1, Some(5))] {
            let mut broken = sound.bare();
            let images = broken.add_gates(&sound, sound.sources(), None);
            let port = broken.inputs()[2].clone();
            let matches = |at: usize| if value >> at & 1 == 1 { port[at] } else { !port[at] };
            let mut here = vec![matches(0), matches(1)];
            here.extend(of_operand.map(|bit: usize| broken.inputs()[0][bit]));
            let is_here = broken.all(&here);
            let mut y = images.of_words(sound.outputs()).remove(0);
            y[bit] = broken.xor(y[bit], is_here);
            broken.add_output(y);
            let found = proof(&broken);
            assert_eq!(fmt(&found), Some(Word::from(value)), "bit {bit} at {value}");
            if let Some(bit) = of_operand {
                assert!(found.differs.expect("it is wrong")[0].bit(bit as u64));
            }
        }
    }
}

/// Faults of units with NaN-boxed codes are found: gates broken, boxes not opened, a bit of a box not looked at, no box around a result.
#[test]
fn a_fault_in_a_box_is_found() {
    let selection = |name: &str| Selection {
        boxing: Some(11),
        ..Selection::with_formats(Unit::Add, name.parse().expect("formats"))
    };
    for formats in ["e3m2", "e3m2+e3m3"] {
        let operation = selection(formats).operation().expect("an operation");
        let sound = built(operation);
        let proof = |unit: &Graph| prove(Question::new(unit, &operation), &|_| {}, &|| false).expect("a specification");
        assert!(proof(&sound).is_whole());
        assert!(proof(&specification(&operation).expect("a specification")).is_whole());
        let (wrong, equivalent) = breaks(&operation, 29);
        assert!(wrong > 12, "{wrong} wrong and {equivalent} equivalent");
        let model = Model::new(&operation);
        let refuted = |change: &dyn Fn(&mut Graph, &mut Vec<Literal>)| {
            let mut broken = sound.bare();
            let mut sources = broken.sources();
            change(&mut broken, &mut sources);
            let images = broken.add_gates(&sound, sources, None);
            images.of_words(sound.outputs()).into_iter().for_each(|bits| broken.add_output(bits));
            let inputs = proof(&broken).differs.expect("what is wrong is found");
            assert_ne!(broken.answer(&inputs), model.evaluate(&inputs), "{formats}: {inputs:x?}");
        };
        for bit in 7..11 {
            refuted(&|_, sources| sources[bit] = Literal::TRUE);
            // The box of b, only where a is one code.
            refuted(&|broken, sources| {
                let here: Vec<Literal> = (0..6)
                    .map(|place| if 0b001101 >> place & 1 == 1 { sources[place] } else { !sources[place] })
                    .collect();
                let here = broken.all(&here);
                sources[11 + bit] = broken.or(sources[11 + bit], here);
            });
            let mut open = sound.bare();
            let images = open.add_gates(&sound, open.sources(), None);
            let mut y = images.of_words(sound.outputs()).remove(0);
            let first = open.inputs()[0][0];
            y[bit] = open.and(y[bit], first);
            open.add_output(y);
            let inputs = proof(&open).differs.expect("what is wrong is found");
            assert_ne!(open.answer(&inputs), model.evaluate(&inputs), "{formats}: {inputs:x?}");
        }
    }
}

/// A conversion of a NaN as another choice has it is wrong, and a NaN shows it.
#[test]
fn other_nans_are_wrong() {
    let of = |to: &str, nan| {
        let plain = Selection::new(Unit::Convert, Format::binary16());
        Selection { target: Some(to.parse().expect("a format")), nan, ..plain }.operation().expect("a conversion")
    };
    let differ = [
        ("binary32", NanResult::Payload, NanResult::Canonical),
        ("binary32", NanResult::Riscv, NanResult::Payload),
        ("int8", NanResult::Riscv, NanResult::Canonical),
        ("ufixed9_3", NanResult::Payload, NanResult::Riscv),
    ];
    for (to, built, wanted) in differ {
        let unit = generate(Design::new(of(to, built), 0, Default::default()).expect("a design"));
        let unit = Graph::of_circuit(&unit.netlist);
        let proof = |nan| prove(Question::new(&unit, &of(to, nan)), &|_| {}, &|| false).expect("a specification");
        assert!(proof(built).is_whole(), "{to}, {built}");
        let code = proof(wanted).differs.expect("what is wrong is found")[0].clone();
        assert!(Format::binary16().is_nan(binade_spec::word::low_bits(&code)), "{to}, {code:x}");
    }
}

/// A unit whose last bit of one output is inverted is wrong, whichever output that is.
#[test]
fn every_output_counts() {
    let mul =
        Selection { flags: Some(Tininess::After), ..Selection::new(Unit::Mul, "e4m3".parse().expect("a format")) };
    let fmac = Selection { output: Some("e5m2".parse().expect("a format")), unit: Unit::Fmac, ..mul };
    for selection in [mul, fmac, Selection { unit: Unit::Divide, ..mul }, Selection { unit: Unit::Compare, ..mul }] {
        let operation = selection.operation().expect("an operation");
        let unit = generate(Design::new(operation, 0, Default::default()).expect("a design"));
        let sound = Graph::of_circuit(&unit.netlist);
        assert!(sound.outputs().len() > 1);
        for inverted in 0..sound.outputs().len() {
            let mut broken = sound.bare();
            let images = broken.add_gates(&sound, sound.sources(), None);
            for (at, mut bits) in images.of_words(sound.outputs()).into_iter().enumerate() {
                bits[0] = if at == inverted { !bits[0] } else { bits[0] };
                broken.add_output(bits);
            }
            let proof = prove(Question::new(&broken, &operation), &|_| {}, &|| false).expect("a specification");
            assert!(proof.differs.is_some(), "{}: output {inverted} is inverted", unit.module);
        }
    }
}

#[test]
fn mutants_of_small_units() {
    for (unit, format, accumulator) in [
        (Unit::Add, "e4m3", None),
        (Unit::Mul, "e5m2b1", None),
        (Unit::Fmac, "e3m2f", Some("e4m3")),
        (Unit::Mac, "e2m1", Some("e3m2")),
        (Unit::Encode, "k8p3se", None),
        (Unit::Decode, "posit8_1", None),
        (Unit::Mul, "posit6_1", None),
        (Unit::Add, "posit6_1", None),
        (Unit::Compare, "e4m3", None),
        (Unit::Classify, "e4m3", None),
    ] {
        let (wrong, _) = breaks(&operation(unit, format, accumulator), 29);
        assert!(wrong > 1, "{wrong} mutants of {unit} {format} are wrong");
    }
}

fn dot(summation: Summation) -> Operation {
    let [operand, accumulator] = ["e2m0f", "e2m1"].map(|name| name.parse().expect("a format"));
    let selection = Selection { accumulator: Some(accumulator), lanes: Some(2), ..Selection::new(Unit::Dot, operand) };
    Selection { summation: Some(summation), ..selection }.operation().expect("an operation")
}

#[test]
fn mutants_of_dot_products() {
    for summation in [Summation::Exact, "align:1".parse().expect("a summation")] {
        let (wrong, _) = breaks(&dot(summation), 17);
        assert!(wrong > 10, "{wrong} mutants of {summation} are wrong");
    }
}

/// A dot product that is wrong for one of its 2^32 inputs.
#[test]
fn one_wrong_input_of_a_dot_product_is_found() {
    let selection = Selection { lanes: Some(2), ..Selection::new(Unit::Dot, "e2m1f".parse().expect("a format")) };
    let operation = selection.operation().expect("an operation");
    let sound = built(operation);
    let mut broken = sound.bare();
    let images = broken.add_gates(&sound, sound.sources(), None);
    let wrong = 0x3c01_a75e_u32;
    let sources = broken.sources();
    let is_it = |(bit, &source): (usize, &Literal)| if wrong >> bit & 1 == 1 { source } else { !source };
    let are_all: Vec<Literal> = sources.iter().enumerate().map(is_it).collect();
    let is_here = broken.all(&are_all);
    let mut y = images.of_words(sound.outputs()).remove(0);
    y[0] = broken.xor(y[0], is_here);
    broken.add_output(y);
    let proof = prove(Question::new(&broken, &operation), &|_| {}, &|| false).expect("a specification");
    let found: Vec<Word> = vec![0x5e_u32.into(), 0xa7_u32.into(), 0x3c01_u32.into()];
    assert_eq!(proof.differs, Some(found));
}

/// Mutants of blocks with scales, and of one element of a matrix unit among others that are right.
#[test]
fn mutants_of_blocks_and_matrix_units() {
    let parsed = |name: &str| -> Format { name.parse().expect("a format") };
    let accumulator = Some(parsed("e3m1"));
    let mx_dot =
        Selection { scale: Some(parsed("e2m1")), lanes: Some(2), ..Selection::new(Unit::MxDot, parsed("e2m0f")) };
    let mma =
        Selection { rows: Some(2), columns: Some(2), depth: Some(1), ..Selection::new(Unit::Mma, parsed("e2m0f")) };
    for (selection, every) in [(mx_dot, 83), (mma, 89)] {
        let operation = Selection { accumulator, ..selection }.operation().expect("an operation");
        let (wrong, _) = breaks(&operation, every);
        assert!(wrong > 10, "{wrong} mutants of {operation:?} are wrong");
    }
}

/// An element that depends on an operand of another one is wrong, unless the operand never changes the result; so is one with the
/// gates of another one, but an inverted result.
#[test]
fn elements_that_are_not_as_the_others() {
    let parsed = |name: &str| -> Format { name.parse().expect("a format") };
    let accumulator = parsed("e3m1");
    let mma =
        Selection { rows: Some(1), columns: Some(2), depth: Some(1), ..Selection::new(Unit::Mma, parsed("e2m0f")) };
    let operation = Selection { accumulator: Some(accumulator), ..mma }.operation().expect("an operation");
    let sound = built(operation);
    let changed = |change: &dyn Fn(&mut Graph, &mut Vec<Literal>)| {
        let mut graph = sound.bare();
        let images = graph.add_gates(&sound, sound.sources(), None);
        let mut results = images.of_words(sound.outputs());
        change(&mut graph, &mut results[0]);
        results.into_iter().for_each(|bits| graph.add_output(bits));
        graph
    };
    let proof = |unit: &Graph| prove(Question::new(unit, &operation), &|_| {}, &|| false);
    let second = accumulator.width() as usize;
    let inverted = changed(&|_, bits| bits[second] = !bits[second]);
    let of_first_column = changed(&|graph, bits| bits[second] = graph.xor(bits[second], graph.inputs()[1][0]));
    for broken in [inverted, of_first_column] {
        let words = proof(&broken).expect("a specification").differs.expect("a difference");
        assert_ne!(broken.answer(&words), sound.answer(&words));
    }
    let harmless = changed(&|graph, bits| {
        let other = graph.inputs()[1][0];
        let [one, zero] = [bits[second], !bits[second]].map(|bit| graph.and(bit, other));
        let never = graph.and(one, zero);
        bits[second] = graph.xor(bits[second], never);
    });
    assert!(harmless.gates().len() > sound.gates().len());
    for right in [&sound, &harmless] {
        assert!(proof(right).expect("a specification").is_whole());
    }
}

/// Intermediate codes cannot be observed from outside, so inputs that make one wrong are not reported as a difference.
#[test]
#[ignore = "long"]
fn no_wrong_chain_and_no_wrong_tree_is_proven() {
    for summation in [Summation::Chain, Summation::Tree] {
        let operation = dot(summation);
        let unit = generate(Design::new(operation, 0, Default::default()).expect("a design"));
        let sound = Graph::of_circuit(&unit.netlist);
        let (mut wrong, mut proven) = (0, 0);
        for gate in (1 + sound.sources().len()..sound.gates().len()).step_by(5) {
            for fault in [GateFault::Zero, GateFault::One, GateFault::Operator] {
                let mutant = sound.with_fault(gate, fault);
                let is_proven =
                    prove(Question::new(&mutant, &operation), &|_| {}, &|| false).is_ok_and(|proof| proof.is_whole());
                match equivalence(&sound, &mutant, &|| false) {
                    Equivalence::Proven => proven += usize::from(is_proven),
                    Equivalence::Differs(inputs) => {
                        assert!(!is_proven, "{summation}: {fault:?} at {gate} changes what comes of {inputs:x?}");
                        wrong += 1;
                    }
                    Equivalence::Open => {}
                }
            }
        }
        assert!(wrong > 50 && proven > 2, "{summation}: {wrong} mutants are wrong, {proven} proven");
    }
}

#[test]
fn mutants_of_wide_units() {
    for (unit, format) in [(Unit::Add, "binary32"), (Unit::Mul, "binary16")] {
        let (wrong, _) = breaks(&operation(unit, format, None), 301);
        assert!(wrong > 5, "{wrong} mutants of {unit} {format} are wrong");
    }
}

#[test]
fn some_mutants_are_equivalent() {
    let (wrong, equivalent) = breaks(&operation(Unit::Mul, "e3m2", None), 1);
    assert!(wrong > 200 && equivalent > 3, "{wrong} mutants are wrong, {equivalent} equivalent");
}
