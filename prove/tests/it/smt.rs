//! Questions in SMT-LIB: their gates are those of the unit, and what the theory lacks is refused. Z3, which is independent of this project,
//! agrees with the specification, and with units of small formats.

use binade_gates::{GateFault, Graph};
use binade_generator::{Design, generate};
use binade_prove::{NotInSmt, smt, specification};
use binade_spec::{Extremum, Format, Kind, Minmax, MultiplyAdd, Negation, Operation, Overflow, Rounding, Unit, Word};
use binade_tools::{Source, Tools};
use std::collections::HashMap;

fn operation(unit: Unit, format: &str) -> Operation {
    let format: Format = format.parse().unwrap();
    Operation::new(unit, format, format)
}

fn gates(operation: Operation) -> Graph {
    Graph::of_circuit(&generate(Design::new(operation, 0, Default::default()).unwrap()).netlist)
}

fn asked(operation: Operation) -> Result<String, NotInSmt> {
    smt("unit", &operation, &gates(operation))
}

/// A term of SMT-LIB: a word, or a list.
enum Term {
    Word(String),
    List(Vec<Term>),
}

fn term(words: &mut std::iter::Peekable<std::vec::IntoIter<String>>) -> Term {
    match words.next().expect("a term").as_str() {
        "(" => {
            let mut list = vec![];
            while words.peek().is_some_and(|word| word != ")") {
                list.push(term(words));
            }
            words.next();
            Term::List(list)
        }
        word => Term::Word(word.into()),
    }
}

/// The commands of a text.
fn commands(text: &str) -> Vec<Term> {
    let lines = text.lines().filter(|line| !line.starts_with(';'));
    let spaced = lines.collect::<Vec<_>>().join(" ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().map(String::from).collect::<Vec<_>>().into_iter().peekable();
    let mut commands = vec![];
    while words.peek().is_some() {
        commands.push(term(&mut words));
    }
    commands
}

/// The value of a term of gates; numbers are words, and truths are 0 and 1.
fn value(term: &Term, known: &HashMap<String, u64>) -> u64 {
    let list = match term {
        Term::Word(word) => {
            return match word.as_str() {
                "false" | "#b0" => 0,
                "#b1" => 1,
                name => known[name],
            };
        }
        Term::List(list) => list,
    };
    let of = |at: usize| value(&list[at], known);
    match &list[0] {
        Term::Word(word) => match word.as_str() {
            "not" => 1 - of(1),
            "and" => of(1) & of(2),
            "xor" => of(1) ^ of(2),
            "ite" => of(if of(1) == 1 { 2 } else { 3 }),
            "=" => u64::from(of(1) == of(2)),
            "concat" => (1..list.len()).fold(0, |word, at| word << 1 | of(at)),
            other => panic!("{other}"),
        },
        Term::List(extract) => {
            let Term::Word(place) = &extract[2] else { panic!("a place") };
            of(1) >> place.parse::<u32>().unwrap() & 1
        }
    }
}

#[test]
fn gates_are_those_of_the_unit() {
    for unit in [Unit::Add, Unit::Mul, Unit::Divide] {
        let operation = operation(unit, "e2m2");
        let (graph, text) = (gates(operation), asked(operation).unwrap());
        let (definitions, _) = text.split_once("; the operation\n").expect("two parts");
        let commands = commands(definitions);
        for input in 0..1_u64 << 10 {
            let operands = [input & 31, input >> 5];
            let mut known = HashMap::from([("a".to_string(), operands[0]), ("b".to_string(), operands[1])]);
            for command in &commands {
                let Term::List(list) = command else { panic!("a command") };
                if let [Term::Word(kind), Term::Word(name), .., body] = &list[..]
                    && kind == "define-fun"
                {
                    let value = value(body, &known);
                    known.insert(name.clone(), value);
                }
            }
            let wanted = graph.answer(&operands.map(Word::from));
            assert_eq!(Word::from(known["y"]), wanted[0], "{unit} of {operands:?}");
        }
    }
}

#[test]
fn operations_are_those_of_the_theory() {
    let text = asked(operation(Unit::Mul, "e5m2")).unwrap();
    let wanted = "(define-fun wanted () (_ FloatingPoint 5 3) (fp.mul RNE ((_ to_fp 5 3) a) ((_ to_fp 5 3) b)))\n\
        (define-fun is_right () Bool (and (= ((_ to_fp 5 3) y) wanted) (=> (fp.isNaN wanted) (= y (_ bv126 8)))))\n\
        (assert (not is_right))\n(check-sat)\n";
    assert!(text.ends_with(wanted), "{text}");
    let acc = Operation { result: Format::binary16(), rounding: Rounding::Any, ..operation(Unit::Fmac, "e5m2") };
    let text = asked(acc).unwrap();
    let wanted = "(fp.fma (ite (= rm #b000) RNE (ite (= rm #b001) RTZ (ite (= rm #b010) RTN (ite (= rm #b011) RTP RNA)))) \
        ((_ to_fp 5 11) RNE ((_ to_fp 5 3) a)) ((_ to_fp 5 11) RNE ((_ to_fp 5 3) b)) ((_ to_fp 5 11) c))";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn what_the_theory_lacks_is_refused() {
    for format in ["e4m3fn", "e5m2b1", "posit8_1", "k8p3se", "int8"] {
        let refused = asked(operation(Unit::Add, format)).unwrap_err();
        assert!(matches!(refused, NotInSmt::Format(_)), "{format}: {refused}");
    }
    assert!(matches!(asked(operation(Unit::Rsqrt, "e5m2")), Err(NotInSmt::Operation(Unit::Rsqrt))));
    for rounding in [Rounding::Rto, Rounding::Sr(4)] {
        let refused = asked(Operation { rounding, ..operation(Unit::Add, "e5m2") });
        assert!(matches!(refused, Err(NotInSmt::Result(_))), "{rounding}");
    }
    let saturating = Operation { overflow: Overflow::Saturate, ..operation(Unit::Add, "e5m2") };
    assert!(matches!(asked(saturating), Err(NotInSmt::Result(_))));
    let fmac = operation(Unit::Fmac, "e5m2");
    let plain = operation(Unit::Mul, "e5m2");
    let others: &'static [Operation] = Vec::leak(vec![operation(Unit::Mul, "e4m3")]);
    let settings = [
        Operation { boxing: Some(16), ..plain },
        Operation { others, ..plain },
        Operation {
            kind: Kind::Minmax(Minmax { extremum: Extremum::MaximumMagnitude }),
            ..operation(Unit::Minmax, "e5m2")
        },
    ];
    for operation in settings {
        let refused = smt("unit", &operation, &gates(fmac)).unwrap_err();
        assert_eq!(refused, NotInSmt::Setting, "{operation:?}");
    }
    // binary16 does not have all numbers of bfloat16.
    let narrow = Operation { result: Format::binary16(), ..operation(Unit::Fmac, "bfloat16") };
    assert!(matches!(asked(narrow), Err(NotInSmt::Result(_))));
}

/// Whether Z3 finds no input for which a circuit differs from the operation.
fn is_right(graph: &Graph, operation: &Operation) -> bool {
    let text = smt("the circuit", operation, graph).unwrap_or_else(|error| panic!("{error}"));
    let z3 = Tools::new(Source::Pinned).z3().unwrap_or_else(|error| panic!("{error}"));
    match z3.answer(&text).unwrap_or_else(|error| panic!("{error}")).trim() {
        "sat" => false,
        "unsat" => true,
        other => panic!("Z3 says: {other}"),
    }
}

const DIRECTIONS: [Rounding; 6] =
    [Rounding::Rne, Rounding::Rna, Rounding::Rtz, Rounding::Rup, Rounding::Rdn, Rounding::Any];

/// Z3 does not add numbers with more bits of exponent than of significand, such as those of e5m2.
#[test]
#[ignore = "installs Z3"]
fn nightly_z3_agrees() {
    for rounding in DIRECTIONS {
        for (unit, format) in [
            (Unit::Add, "e3m2"),
            (Unit::Add, "e4m3"),
            (Unit::Add, "binary16"),
            (Unit::Mul, "e3m2"),
            (Unit::Mul, "e5m2"),
            (Unit::Divide, "e3m2"),
        ] {
            let operation = Operation { rounding, ..operation(unit, format) };
            let graph = specification(&operation).expect("a specification");
            assert!(is_right(&graph, &operation), "{unit} {format} {rounding}");
        }
    }
}

/// The circuits of each operation and rounding.
#[test]
#[ignore = "installs Z3"]
fn nightly_z3_agrees_with_units_of_small_formats() {
    let of = |unit: Unit, format: &str, result: &str| {
        let result = result.parse().expect("a format");
        Operation { result, ..operation(unit, format) }
    };
    let mut asked = vec![];
    for format in ["e2m1", "e2m2", "e3m2", "e2m3", "e3m4"] {
        for unit in [Unit::Add, Unit::Sub, Unit::Mul, Unit::Divide, Unit::Sqrt] {
            asked.extend(DIRECTIONS.map(|rounding| Operation { rounding, ..operation(unit, format) }));
        }
        for result in ["e2m1", "e4m4", "e5m2"] {
            asked.extend(DIRECTIONS.map(|rounding| Operation { rounding, ..of(Unit::Convert, format, result) }));
        }
        asked.push(of(Unit::Decode, format, "binary32"));
        asked.extend(DIRECTIONS.map(|rounding| Operation { rounding, ..of(Unit::Encode, "binary32", format) }));
        asked.push(operation(Unit::Compare, format));
        for extremum in [Extremum::Minimum, Extremum::Maximum, Extremum::MinimumNumber, Extremum::MaximumNumber] {
            asked.push(Operation { kind: Kind::Minmax(Minmax { extremum }), ..operation(Unit::Minmax, format) });
        }
    }
    for (format, result) in [("e2m1", "e2m1"), ("e2m2", "e3m3"), ("e3m2", "e3m2")] {
        let fmac = of(Unit::Fmac, format, result);
        asked.extend(DIRECTIONS.map(|rounding| Operation { rounding, ..fmac }));
        let negated = |negation| Kind::MultiplyAdd(MultiplyAdd { negation: Some(negation) });
        let negations = [Negation::Product, Negation::Addend, Negation::Both];
        asked.extend(negations.map(|negation| Operation { kind: negated(negation), ..fmac }));
    }
    for operation in asked {
        assert!(is_right(&gates(operation), &operation), "{operation:?}");
    }
}

#[test]
#[ignore = "installs Z3"]
fn nightly_z3_notices_a_fault() {
    let operation = operation(Unit::Add, "e3m2");
    let graph = specification(&operation).expect("a specification");
    let last = graph.outputs()[0][0].node();
    assert!(!is_right(&graph.with_fault(last, GateFault::Zero), &operation));
    assert!(!is_right(&graph, &Operation { rounding: Rounding::Rtz, ..operation }));
}
