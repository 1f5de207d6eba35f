//! The header of a unit as a third party beside the golden model and the circuit, which agree wherever both follow the same formula. Each
//! sentence about overflow, infinities, NaN or zeros is read, and tried on the golden model at the ends of the formats: zeros, the smallest
//! and the largest values, infinities, NaN, and what lies beyond the largest result. A sentence that is not read fails the test.

mod formula;
mod number;
mod result;
mod special;

use crate::common::selected;
use binade_generator::description::computes;
use binade_golden::{Codec, Model};
use binade_spec::word::{field, low_bits};
use binade_spec::{Format, Operation, Overflow, Port, PositRange, Setting, Unit, Word};
use number::Number;
use rayon::prelude::*;
use result::{Claim, Direction, Values};
use special::Special;

/// A format of each family, and of each way to have zeros, infinities and NaN.
const FORMATS: [&str; 26] = [
    "e5m2",
    "e4m3",
    "e4m3n",
    "e3m2ns",
    "e4m3fn",
    "e3m2fn",
    "e2m1f",
    "e3m2f",
    "e1m2f",
    "e5m2b1",
    "e4m3b2,sat",
    "k8p3se",
    "k8p4sf",
    "k6p3ue",
    "k6p3uf",
    "ue4m3",
    "e8m0",
    "dlfloat16",
    "posit8_1",
    "posit8_2",
    "bposit8_3_1",
    "takum_linear8",
    "hifloat8",
    "nf4",
    "mxint8",
    "ufixed8_4",
];

/// Results of another format than the operands.
const RESULTS: [&str; 9] = ["e5m2", "e4m3fn", "e2m1f", "k6p3ue", "ue4m3", "posit8_1", "hifloat8", "int8", "binary16"];

/// A clause that holds one of these words makes a claim.
const WORDS: [&str; 20] = [
    "overflow",
    "infinit",
    "nan",
    "nar ",
    "satur",
    "beyond",
    "largest",
    "smallest",
    "zero",
    "-0",
    "+0",
    "limited",
    "minpos",
    "maxpos",
    "outermost",
    "sign",
    "never",
    "stay",
    "at least",
    "at most",
];

/// What a header says: of outputs that are rounded, and otherwise.
struct Header {
    text: String,
    outputs: Vec<Rounded>,
    specials: Vec<Special>,
}

/// A rounded output: its formula, if it is one of sums, products, quotients and roots.
struct Rounded {
    port: String,
    formula: Option<String>,
    claim: Claim,
}

impl Header {
    /// Reads a header; a clause that makes a claim and cannot be read is an error.
    fn read(operation: &Operation, lines: &[String]) -> Result<Header, String> {
        let text = lines.join(" ");
        let all = clauses(&text);
        let mut header = Header { text: text.clone(), outputs: vec![], specials: vec![] };
        let mut clauses = all.iter();
        while let Some(clause) = clauses.next() {
            if let Some((before, words)) = rounding(clause)
                && let Some(direction) = Direction::read(words)
            {
                let claim = match operation.unit {
                    Unit::MxQuantize => Some(Claim::of_elements(direction)),
                    // They may say nothing, if nothing overflows; an infinity stays one, or has an infinite root.
                    Unit::Sqrt | Unit::Decode | Unit::Encode | Unit::Convert | Unit::Function
                        if clauses.as_slice().first().is_none_or(|next| Claim::read(direction, next).is_none()) =>
                    {
                        Claim::read(direction, "overflow to infinity")
                    }
                    _ => clauses.next().and_then(|sentence| Claim::read(direction, sentence)),
                };
                let claim =
                    claim.ok_or_else(|| format!("after `{clause}` no claim about the range can be read: {text}"))?;
                header.outputs.push(Rounded::new(operation, &text, before, claim));
                continue;
            }
            let special = Special::read(operation, clause);
            let lower = format!("{} ", clause.to_lowercase());
            if special.is_none() && WORDS.iter().any(|word| lower.contains(word)) {
                return Err(format!("the claim `{clause}` cannot be read: {text}"));
            }
            header.specials.extend(special);
        }
        Ok(header)
    }
}

impl Rounded {
    /// The output that the words before a rounding name.
    fn new(operation: &Operation, text: &str, before: &str, claim: Claim) -> Rounded {
        match before.split_once(" = ") {
            Some((port, formula)) => Rounded { port: port.into(), formula: Some(formula.into()), claim },
            None => Rounded { port: operation.outputs()[0].name.into(), formula: in_words(operation, text), claim },
        }
    }
}

/// Sums that a header has in words instead of a formula, in the units of [`UNITS`].
const SUMS: [(Unit, &str, &str); 4] = [
    (Unit::Reduce, "y is the exact sum of 2 numbers.", "x[0] + x[1]"),
    (Unit::Reduce, "y is the exact sum of the squares of 2 numbers.", "x[0] * x[0] + x[1] * x[1]"),
    (Unit::Mma, "A has 1 x 2 elements, B 2 x 1, C and D 1 x 1.", "c + a[0] * b[0] + a[1] * b[1]"),
    (Unit::MxDot, "two blocks of 2 elements", "a_scale * b_scale * a[0] * b[0] + a_scale * b_scale * a[1] * b[1] + c"),
];

/// The formula of such a sum, if it is exact.
fn in_words(operation: &Operation, text: &str) -> Option<String> {
    let is_exact = text.contains("exact");
    let found = SUMS.iter().find(|(unit, words, _)| *unit == operation.unit && text.contains(words) && is_exact);
    found.map(|(_, _, formula)| formula.to_string())
}

/// The clauses of a text, which end with a full stop or a semicolon.
fn clauses(text: &str) -> Vec<String> {
    let text = format!("{} ", text.replace("..", "\u{2026}"));
    let clauses =
        text.split("; ").flat_map(|part| part.split(". ")).map(|clause| clause.trim().trim_end_matches(['.', ';']));
    clauses.filter(|clause| !clause.is_empty()).map(|clause| clause.replace('\u{2026}', "..")).collect()
}

/// What is before the words of a rounding, and these words: `y = a * b`, `toward zero`.
fn rounding(clause: &str) -> Option<(&str, &str)> {
    if let Some(before) = clause.strip_suffix(", exact") {
        return Some((before, "exact"));
    }
    let lower = clause.find("ounded ")?;
    let (before, after) = (&clause[..lower.saturating_sub(1)], &clause[lower + "ounded ".len()..]);
    let words = match after.split_once(", ") {
        Some((times, words)) if times.starts_with("once") || times.starts_with("twice") || times.ends_with("times") => {
            words
        }
        _ => after,
    };
    Some((before.trim().trim_end_matches(','), words))
}

/// The codes at the ends of a format: zeros, the smallest and the largest numbers, 1, infinities and NaN.
fn ends(format: Format) -> Vec<u128> {
    let mut codes = vec![];
    for negative in [false, true] {
        let largest = format.max_magnitude(negative);
        let least = u128::from(format.class_codes(binade_spec::Class::Zero).is_some());
        codes.extend(
            [0, least, least + 1, largest.saturating_sub(1), largest]
                .map(|magnitude| format.code(negative, magnitude.min(largest))),
        );
        let infinity = match format {
            Format::Codebook(codebook) => codebook.infinity(negative),
            Format::Float(_) | Format::Posit(_) | Format::Fixed(_) => {
                format.infinity_code().map(|code| if negative { code | format.sign_mask() } else { code })
            }
        };
        codes.extend(infinity);
        let one = binade_golden::Value::Finite(binade_golden::Exact { negative, n: 1, k: 0 });
        codes.push(format.encode(one, format.default_rounding(), Overflow::Inf));
    }
    codes.extend(format.nan_code());
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Numbers of `format` around the ends of a result's range.
fn around(format: Format, result: Format) -> Vec<u128> {
    let mut codes = vec![];
    for code in [result.largest_code(), result.smallest_code()] {
        let binade_golden::Value::Finite(exact) = result.decode(code) else { continue };
        for (n, k) in [(1, 0), (1, 1), (3, -1), (1, 2), (1, -1), (1, -2), (5, -2)] {
            let number = binade_golden::Exact { n: exact.n * n, k: exact.k + k, ..exact };
            let code = format.encode(binade_golden::Value::Finite(number), format.default_rounding(), Overflow::Inf);
            codes.extend([code, format.negated(code)]);
            let magnitude = format.magnitude(code);
            if magnitude < format.max_magnitude(false) {
                codes.push(format.code(false, magnitude + 1));
            }
        }
    }
    codes
}

/// Words of a port: codes at the ends of its format and around those of the result, or the ends of a number.
fn words(operation: &Operation, port: &Port) -> Vec<Word> {
    let Some(of_port) = port.format() else {
        let all = (1_u128 << port.width().min(100)) - 1;
        return if port.width() <= 3 {
            (0..=all).map(Word::from).collect()
        } else {
            [0, all, all / 2].map(Word::from).into()
        };
    };
    let mut codes = ends(of_port);
    codes.extend(around(of_port, operation.result));
    codes.sort_unstable();
    codes.dedup();
    let mut words: Vec<Word> = codes.iter().map(|&code| Word::from(code)).collect();
    for _ in 1..port.lanes {
        let pick = |word: &Word, at: usize| word << of_port.width() | Word::from(codes[at % codes.len()]);
        words = words.iter().enumerate().flat_map(|(at, word)| [pick(word, at), pick(word, 7 * at + 3)]).collect();
    }
    words
}

/// At most `most` vectors of all that these words make, evenly spread.
fn vectors(of_ports: &[Vec<Word>], most: u64) -> Vec<Vec<Word>> {
    let all: u64 = of_ports.iter().map(|words| words.len() as u64).product();
    let step = all.div_ceil(most).max(1) | 1;
    let at = |index: u64| {
        let mut rest = index;
        let mut next = |words: &Vec<Word>| {
            let place = rest % words.len() as u64;
            rest /= words.len() as u64;
            words[place as usize].clone()
        };
        of_ports.iter().map(&mut next).collect()
    };
    (0..all).step_by(step as usize).map(at).collect()
}

/// The number on a port or a lane of it, and whether a zero there has a sign.
fn named(ports: &[Port], words: &[Word], name: &str) -> Option<(Number, bool)> {
    let (name, lane) = match name.split_once('[') {
        Some((name, lane)) => (name, lane.trim_end_matches(']').parse().ok()?),
        None => (name, 0),
    };
    let at = ports.iter().position(|port| port.name == name)?;
    let format = ports[at].format()?;
    let code = field(&words[at], lane * format.width(), format.width());
    Some((format.decode(code).into(), format.has_minus_zero()))
}

/// The claims of a header, tried on the golden model.
fn check(operation: &Operation, most: u64) -> Result<(), String> {
    check_lines(operation, &computes(operation), most)
}

fn check_lines(operation: &Operation, lines: &[String], most: u64) -> Result<(), String> {
    let header = Header::read(operation, lines)?;
    let model = Model::new(operation);
    for special in &header.specials {
        special.check(&model).map_err(|what| format!("{what}: {}", header.text))?;
    }
    if operation.has_state() {
        let of_output = |output: &Rounded| special::check_states(&model, &output.claim, output.formula.as_deref());
        let checked = header.outputs.first().map_or(Ok(()), of_output);
        return checked.map_err(|what| format!("{what}: {}", header.text));
    }
    let (inputs, outputs) = (operation.inputs(), operation.outputs());
    let of_ports: Vec<Vec<Word>> = inputs.iter().map(|port| words(operation, port)).collect();
    for output in &header.outputs {
        let at = outputs
            .iter()
            .position(|port| output.port == port.name)
            .ok_or(format!("no port {}: {}", output.port, header.text))?;
        let format = outputs[at].format().expect("a result is a code");
        let values = Values::new(format);
        for vector in vectors(&of_ports, most) {
            let results = model.evaluate(&vector);
            let rm = if operation.rounding_port().is_some_and(|port| port.name == "rm") {
                low_bits(vector.last().expect("rm")) as u64
            } else {
                0
            };
            let claim = Claim { direction: output.claim.direction.chosen(rm), ..output.claim };
            let all_inputs: Vec<Port> = inputs.iter().chain(&outputs).copied().collect();
            let all_words: Vec<Word> = vector.iter().chain(&results).cloned().collect();
            let is_down = claim.direction == Direction::Down;
            let exact = output
                .formula
                .as_ref()
                .and_then(|text| formula::value(text, &|name| named(&all_inputs, &all_words, name), is_down));
            for lane in 0..outputs[at].lanes {
                let code = field(&results[at], lane * format.width(), format.width());
                let is_allowed = match &exact {
                    Some(exact) => values.allow(&claim, exact, code),
                    None => special::is_possible(&values, &claim, code),
                };
                if !is_allowed {
                    return Err(format!(
                        "{vector:x?} gives {code:#x} ({}) on {}: {}",
                        format.decode(code),
                        output.port,
                        header.text
                    ));
                }
            }
        }
    }
    Ok(())
}

/// All roundings with all policies beyond the range, as words.
fn ways() -> Vec<Vec<(Setting, String)>> {
    let roundings = ["", "rna", "rtz", "rup", "rdn", "rto", "sr3", "any", "mptorch"];
    let overflows = Overflow::ALL.map(|overflow| (Setting::Overflow, overflow.to_string()));
    let ranges = PositRange::ALL.map(|range| (Setting::PositRange, range.to_string()));
    let policies: Vec<(Setting, String)> = overflows.into_iter().chain(ranges).collect();
    let of = |rounding: &str| {
        let rounding = Some((Setting::Round, rounding.to_string())).filter(|(_, word)| !word.is_empty());
        policies
            .iter()
            .map(move |policy| rounding.iter().cloned().chain([policy.clone()]).collect())
            .collect::<Vec<Vec<_>>>()
    };
    roundings.iter().flat_map(|rounding| of(rounding)).collect()
}

/// The units, with the settings that they need; `R` stands for the format of a result.
const UNITS: [(Unit, &[(Setting, &str)]); 52] = [
    (Unit::Decode, &[]),
    (Unit::Encode, &[]),
    (Unit::Convert, &[(Setting::To, "R")]),
    (Unit::Convert, &[(Setting::To, "R"), (Setting::NanResult, "riscv")]),
    (Unit::Mul, &[]),
    (Unit::Add, &[]),
    (Unit::Sub, &[]),
    (Unit::Divide, &[]),
    (Unit::Reciprocal, &[]),
    (Unit::Sqrt, &[]),
    (Unit::Rsqrt, &[]),
    (Unit::Function, &[(Setting::Function, "exp")]),
    (Unit::Function, &[(Setting::Function, "log")]),
    (Unit::Function, &[(Setting::Function, "log1p"), (Setting::To, "R")]),
    (Unit::Fmac, &[(Setting::Acc, "R")]),
    (Unit::Fmac, &[(Setting::Acc, "R"), (Setting::Negate, "product")]),
    (Unit::Fmac, &[(Setting::Acc, "R"), (Setting::Out, "e4m3fn")]),
    (Unit::Fmac, &[(Setting::Acc, "R"), (Setting::Out, "hifloat8"), (Setting::Activation, "relu")]),
    (Unit::Mac, &[(Setting::Acc, "R")]),
    (Unit::Dot, &[(Setting::Lanes, "2"), (Setting::Acc, "R")]),
    (Unit::Dot, &[(Setting::Lanes, "2"), (Setting::Acc, "R"), (Setting::Sum, "chain")]),
    (Unit::Dot, &[(Setting::Lanes, "2"), (Setting::Acc, "R"), (Setting::Sum, "align:12")]),
    (Unit::Dot, &[(Setting::Lanes, "2"), (Setting::Acc, "R"), (Setting::Sum, "bulk")]),
    (Unit::Dot, &[(Setting::Lanes, "2"), (Setting::Acc, "R"), (Setting::Sum, "grouped")]),
    (Unit::Dot, &[(Setting::Lanes, "2"), (Setting::Acc, "R"), (Setting::Sum, "fmac8")]),
    (Unit::Mma, &[(Setting::M, "1"), (Setting::N, "1"), (Setting::K, "2"), (Setting::Acc, "R")]),
    (Unit::MxDot, &[(Setting::Lanes, "2"), (Setting::Acc, "R")]),
    (Unit::MxQuantize, &[(Setting::Lanes, "2")]),
    (Unit::MxQuantize, &[(Setting::Lanes, "2"), (Setting::ScaleRule, "rceil")]),
    (Unit::MxQuantize, &[(Setting::Lanes, "2"), (Setting::Scale, "e4m3fn"), (Setting::QuantizeFrom, "binary16")]),
    (Unit::MxQuantize, &[(Setting::Lanes, "2"), (Setting::TensorScale, "binary32")]),
    (Unit::Unscale, &[(Setting::To, "R")]),
    (Unit::Accumulate, &[(Setting::Acc, "R")]),
    (Unit::DotStream, &[(Setting::Acc, "R")]),
    (Unit::DotExact, &[(Setting::Acc, "R")]),
    (Unit::Update, &[]),
    (Unit::Softmax, &[(Setting::Lanes, "2"), (Setting::Acc, "R")]),
    (Unit::RmsNorm, &[(Setting::Lanes, "2"), (Setting::Acc, "R")]),
    (Unit::LayerNorm, &[(Setting::Lanes, "2"), (Setting::Acc, "R")]),
    (Unit::Hadamard, &[(Setting::Lanes, "4"), (Setting::Acc, "R")]),
    (Unit::Reduce, &[(Setting::Lanes, "2"), (Setting::Acc, "R")]),
    (Unit::Reduce, &[(Setting::Lanes, "2"), (Setting::Acc, "R"), (Setting::Reduction, "squares")]),
    (Unit::Reduce, &[(Setting::Lanes, "2"), (Setting::Reduction, "max")]),
    (Unit::Compare, &[]),
    (Unit::Minmax, &[(Setting::Operation, "minimum")]),
    (Unit::Minmax, &[(Setting::Operation, "maximum-number")]),
    (Unit::Minmax, &[(Setting::Operation, "maximum-magnitude")]),
    (Unit::Classify, &[]),
    (Unit::Sgnj, &[]),
    (Unit::LossScaler, &[]),
    (Unit::PositDecoder, &[]),
    (Unit::PositEncoder, &[]),
];

/// What was checked of a format: how many units of each row of [`UNITS`], and the first fault of each.
#[derive(Default)]
struct Checked {
    counts: Vec<u32>,
    faults: Vec<String>,
}

/// Checks one in `share` units of a format.
fn check_format(name: &str, share: usize, most: u64) -> Checked {
    let (mut all, mut turn) = (Checked::default(), name.len());
    for (unit, settings) in UNITS {
        let has_result = settings.iter().any(|(_, word)| *word == "R");
        let results: &[&str] = if has_result { &RESULTS } else { &["e5m2"] };
        let of_unit = results.iter().flat_map(|result| ways().into_iter().map(move |way| (*result, way)));
        let mut checked = 0;
        let fault = of_unit.into_iter().find_map(|(result, way)| {
            turn += 1;
            if !turn.is_multiple_of(share) {
                return None;
            }
            let taken = way.iter().filter(|(setting, _)| unit.takes(*setting));
            let taken = taken.map(|(setting, word)| (*setting, word.as_str()));
            let of_result =
                settings.iter().map(|(setting, word)| (*setting, if *word == "R" { result } else { *word }));
            let words: Vec<(Setting, &str)> = of_result.chain(taken).collect();
            let operation = selected(unit, name, &words).ok()?;
            checked += 1;
            check(&operation, most).err().map(|what| format!("{unit} of {name} {words:?}: {what}"))
        });
        all.counts.push(checked);
        all.faults.extend(fault);
    }
    all
}

fn check_all(share: usize, most: u64) {
    let all: Vec<Checked> = FORMATS.par_iter().map(|name| check_format(name, share, most)).collect();
    let faults: Vec<&String> = all.iter().flat_map(|checked| &checked.faults).collect();
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
    for (row, (unit, settings)) in UNITS.iter().enumerate() {
        let checked: u32 = all.iter().map(|checked| checked.counts[row]).sum();
        assert!(checked > 0, "no format has a {unit} with {settings:?}");
    }
    // A generator of random words has no numbers.
    let is_tried = |unit: &Unit| *unit == Unit::Random || UNITS.iter().any(|(tried, _)| tried == unit);
    assert!(Unit::ALL.iter().all(is_tried), "a unit is not tried");
}

#[test]
fn headers_are_true_at_the_ends_of_formats() {
    check_all(17, 20);
}

#[test]
#[ignore = "minutes"]
fn nightly_headers_are_true_at_more_of_the_ends() {
    check_all(1, 500);
}

/// A unit, a format, settings, a sentence of its header, and a wrong one in its place.
type Wrong = (Unit, &'static str, &'static [(Setting, &'static str)], &'static str, &'static str);

/// A header with one sentence changed is found to be wrong, or cannot be read.
#[test]
fn wrong_sentences_are_found() {
    let saturate: &'static [_] = &[(Setting::Overflow, "saturate")];
    let cases: [Wrong; 17] = [
        (Unit::Encode, "e5m2", &[], "rounded once, to nearest, ties to even", "exact"),
        (Unit::Mul, "e5m2", &[], "overflow to infinity", "overflow and infinities to the largest finite value"),
        (Unit::Mul, "e5m2", &[], "overflow to infinity", "overflow and infinities to NaN"),
        (Unit::Mul, "e4m3fn", &[], "overflow to NaN", "overflow to the largest finite value"),
        (Unit::Mul, "e2m1f", &[], "overflow to the largest finite value", "overflow to infinity"),
        (Unit::Encode, "ue4m3", &[], ", results below zero to NaN, or to 0 if they round to it", ""),
        (Unit::Mul, "e5m2", saturate, "overflow and infinities to the largest", "overflow to the largest"),
        (Unit::Add, "hifloat8", &[], "overflow to infinity", "overflow to the outermost number, infinities stay"),
        (
            Unit::Fmac,
            "posit8_1",
            &[(Setting::Acc, "posit8_1")],
            "never to zero or NaR",
            "zero below minpos/2, NaR above maxpos",
        ),
        (Unit::Divide, "e5m2", &[], "y = a / b", "y = b / a"),
        (Unit::Sub, "k8p3se", &[], "y = a - b", "y = a + b"),
        (Unit::Encode, "e4m3", &[(Setting::Round, "rtz")], "toward zero", "toward +infinity"),
        (Unit::Convert, "e5m2", &[(Setting::To, "int8")], "NaN to 0", "NaN to the largest value"),
        (Unit::Minmax, "e5m2", &[(Setting::Operation, "minimum")], "NaN overrides numbers", "numbers override NaN"),
        (Unit::MxQuantize, "e2m1f", &[(Setting::Lanes, "2")], "y[i] is zero", "y[i] is NaN"),
        (Unit::MxQuantize, "e2m1f", &[(Setting::Lanes, "2")], "limited to 2^-127", "limited to 2^-100"),
        (Unit::Mul, "e5m2", &[], "overflow to infinity", "overflow to zero"),
    ];
    for (unit, format, words, right, wrong) in cases {
        let operation = selected(unit, format, words).expect("an operation");
        let lines = computes(&operation);
        assert_eq!(check_lines(&operation, &lines, 500), Ok(()), "{unit} of {format}");
        let changed: Vec<String> = lines.iter().map(|line| line.replace(right, wrong)).collect();
        assert_ne!(changed, lines, "{unit} of {format}: {lines:?}");
        assert!(check_lines(&operation, &changed, 500).is_err(), "{unit} of {format}: {changed:?}");
    }
}

/// A unit that does something else than its header says is found.
#[test]
fn wrong_results_are_found() {
    let of = |unit, format: &str, words: &[(Setting, &str)]| selected(unit, format, words).expect("an operation");
    let lanes = [(Setting::Lanes, "2")];
    let blocks = of(Unit::MxQuantize, "hifloat8", &lanes);
    let sum = of(Unit::Reduce, "e5m2", &lanes);
    let cases = [
        (blocks, Operation { overflow: Overflow::Inf, ..blocks }),
        (
            of(Unit::MxQuantize, "e4m3", &lanes),
            Operation { overflow: Overflow::Inf, ..of(Unit::MxQuantize, "e4m3", &lanes) },
        ),
        (of(Unit::Encode, "e5m2", &[]), of(Unit::Encode, "e5m2", &[(Setting::Overflow, "propagate")])),
        (of(Unit::Encode, "ue4m3", &[(Setting::Overflow, "saturate")]), of(Unit::Encode, "ue4m3", &[])),
        (of(Unit::Mul, "posit8_1", &[]), of(Unit::Mul, "posit8_1", &[(Setting::PositRange, "float")])),
        (of(Unit::Add, "e4m3fn", &[]), of(Unit::Add, "e4m3fn", &[(Setting::Round, "rdn")])),
        (of(Unit::Sqrt, "e5m2", &[]), of(Unit::Rsqrt, "e5m2", &[])),
        (sum, Operation { overflow: Overflow::Saturate, ..sum }),
        (
            of(Unit::Accumulate, "e4m3", &[(Setting::Acc, "e4m3")]),
            of(Unit::Accumulate, "e4m3", &[(Setting::Acc, "e4m3"), (Setting::Overflow, "saturate")]),
        ),
        (
            of(Unit::Convert, "e5m2", &[(Setting::To, "int8")]),
            of(Unit::Convert, "e5m2", &[(Setting::To, "int8"), (Setting::NanResult, "riscv")]),
        ),
    ];
    for (said, done) in cases {
        assert_eq!(check(&said, 500), Ok(()));
        assert!(check_lines(&done, &computes(&said), 500).is_err(), "{:?}", computes(&said));
    }
}
