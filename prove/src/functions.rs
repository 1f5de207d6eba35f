//! The specification of units that are plain functions of codes. Magnitude codes ascend with their values, so these
//! units compare codes. A posit decoder returns the power and fraction that the code is read as.

use crate::codebook::{self, table};
use crate::normalized::Wide;
use crate::number::{CodeClass, kind};
use crate::plans::{Specified, UNSPECIFIED};
use crate::words::{
    Word, choose, constant, is_equal, is_less, is_within, literal, negated_if, plus, resized, sign_extended,
};
use binade_gates::{Graph, Literal};
use binade_spec::{
    CLASSES, Compare, Comparison, Decoder, Format, Minmax, Operation, PlainFunction, Posit, Significand,
};

/// An operand of a comparison.
struct Operand {
    code: Word,
    kind: CodeClass,
    /// The magnitude code, 0 for all zeros.
    magnitude: Word,
    /// Less than zero.
    is_negative: Literal,
}

/// The words of the outputs.
pub fn outputs(
    graph: &mut Graph,
    function: PlainFunction,
    operation: &Operation,
    codes: &[Word],
) -> Specified<Vec<Word>> {
    Ok(match function {
        PlainFunction::Compare => compared(graph, operation, codes),
        PlainFunction::Minmax => extremum(graph, operation, codes),
        PlainFunction::Classify => vec![class(graph, &operation.operand, &codes[0])],
        PlainFunction::PositDecoder(posit) => posit_parts(graph, operation, &posit, &codes[0]),
        PlainFunction::Sgnj => vec![with_sign(graph, &codes[0], &codes[1], &codes[2])],
        PlainFunction::OfChoice => return Err(UNSPECIFIED),
    })
}

/// The code `a` with the sign of `b` (`op` 0), its opposite (1), or minus where one of both has it (2 and 3).
fn with_sign(graph: &mut Graph, a: &[Literal], b: &[Literal], op: &[Literal]) -> Word {
    let (place, magnitude) = a.split_last().expect("a code has bits");
    let sign_of_b = b[b.len() - 1];
    let [plain_a, plain_b] = [graph.and(*place, !sign_of_b), graph.and(!*place, sign_of_b)];
    let product = graph.or(plain_a, plain_b);
    let copied = graph.mux(op[0], !sign_of_b, sign_of_b);
    let sign = graph.mux(op[1], product, copied);
    [magnitude, &[sign]].concat()
}

fn operand(graph: &mut Graph, format: &Format, code: &[Literal]) -> Operand {
    let kind = kind(graph, format, code);
    let (bits, width) = (format.magnitude_bits() as usize, format.width() as usize);
    let (magnitude, bits) = match format {
        Format::Float(_) => (code[..bits].to_vec(), bits),
        Format::Posit(_) => (negated_if(graph, kind.negative, code)[..bits].to_vec(), bits),
        // The magnitude of the lowest code has as many bits as the code.
        Format::Fixed(_) => (negated_if(graph, kind.negative, code), width),
        Format::Codebook(codebook) => {
            // One place more than magnitudes of one sign, since those of the other may differ.
            let ranks = table(graph, code, width, |code| codebook::rank(codebook, code));
            (ranks, width)
        }
    };
    let magnitude = choose(graph, kind.zero, &constant(0, bits), &magnitude);
    let is_negative = graph.and(kind.negative, !kind.zero);
    Operand { code: code.to_vec(), kind, magnitude, is_negative }
}

/// Whether the magnitude of `a` is less than that of `b`.
fn is_smaller(graph: &mut Graph, a: &Operand, b: &Operand) -> Literal {
    is_less(graph, &a.magnitude, &b.magnitude)
}

/// Whether `a` is less than `b`.
fn is_lower(graph: &mut Graph, a: &Operand, b: &Operand) -> Literal {
    let (smaller, larger) = (is_smaller(graph, a, b), is_smaller(graph, b, a));
    let unlike = graph.and(a.is_negative, !b.is_negative);
    let below_zero = graph.all(&[a.is_negative, b.is_negative, larger]);
    let above_zero = graph.all(&[!a.is_negative, !b.is_negative, smaller]);
    graph.any(&[unlike, below_zero, above_zero])
}

fn compared(graph: &mut Graph, operation: &Operation, codes: &[Word]) -> Vec<Word> {
    let [a, b] = &[0, 1].map(|port| operand(graph, &operation.operand, &codes[port]));
    let (nan_a, nan_b) = (a.kind.nan, b.kind.nan);
    let any_nan = graph.or(nan_a, nan_b);
    let [below, above] = [is_lower(graph, a, b), is_lower(graph, b, a)];
    let (below, above) = (graph.and(below, !any_nan), graph.and(above, !any_nan));
    let equal = graph.all(&[!below, !above, !any_nan]);
    let relations = match operation.operand {
        Format::Float(_) | Format::Fixed(_) | Format::Codebook(_) => [below, equal, above, any_nan],
        Format::Posit(_) => {
            let (only_a, only_b, both) = (graph.and(nan_a, !nan_b), graph.and(nan_b, !nan_a), graph.and(nan_a, nan_b));
            [graph.or(below, only_a), graph.or(equal, both), graph.or(above, only_b), Literal::FALSE]
        }
    };
    let mut words: Vec<Word> = relations.map(|relation| vec![relation]).into();
    if operation.flags.is_some() {
        let invalid = match operation.settings::<Compare>().comparison {
            Comparison::Quiet => graph.or(a.kind.signaling, b.kind.signaling),
            Comparison::Signaling => any_nan,
        };
        words.push(flags(invalid));
    }
    words
}

fn extremum(graph: &mut Graph, operation: &Operation, codes: &[Word]) -> Vec<Word> {
    let [a, b] = &[0, 1].map(|port| operand(graph, &operation.operand, &codes[port]));
    let (format, which) = (&operation.operand, operation.settings::<Minmax>().extremum);
    let below = before(graph, which.is_of_magnitudes(), a, b);
    let takes_a = if which.is_maximum() { !below } else { below };
    let (nan_a, nan_b) = (a.kind.nan, b.kind.nan);
    // NaN orders before numbers, or after them.
    let of_nans =
        if which.prefers_number() { (Literal::FALSE, Literal::TRUE) } else { (Literal::TRUE, Literal::FALSE) };
    let takes_a = graph.mux(nan_b, of_nans.1, takes_a);
    let takes_a = graph.mux(nan_a, of_nans.0, takes_a);
    let code = choose(graph, takes_a, &a.code, &b.code);
    let CodeClass { nan, zero, negative, .. } = kind(graph, format, &code);
    let fixed = |code: u128| constant(code as i128, format.width() as usize);
    let ignored = format.ignores_sign_of_specials();
    let minus_zero = fixed(format.zero_code(!ignored));
    let of_zero = choose(graph, negative, &minus_zero, &fixed(format.zero_code(false)));
    let code = choose(graph, zero, &of_zero, &code);
    let code = choose(graph, nan, &fixed(format.nan_or_zero_code()), &code);
    let signals = graph.or(a.kind.signaling, b.kind.signaling);
    [code].into_iter().chain(operation.flags.map(|_| flags(signals))).collect()
}

/// Whether one operand orders before the other or equals it: -0 before +0, and magnitudes first if they take
/// precedence.
fn before(graph: &mut Graph, magnitudes_first: bool, a: &Operand, b: &Operand) -> Literal {
    let [below, above] = [is_lower(graph, a, b), is_lower(graph, b, a)];
    let minus_first = graph.or(a.kind.negative, !b.kind.negative);
    let by_value = graph.mux(above, Literal::FALSE, minus_first);
    let by_value = graph.or(below, by_value);
    if !magnitudes_first {
        return by_value;
    }
    let [smaller, larger] = [is_smaller(graph, a, b), is_smaller(graph, b, a)];
    let by_value = graph.and(by_value, !larger);
    graph.or(smaller, by_value)
}

/// The flags of a comparison: invalid or none.
fn flags(invalid: Literal) -> Word {
    let [rest, invalid] = [literal(false), invalid];
    vec![rest, rest, rest, invalid]
}

/// One bit per class, in the order of [`CLASSES`].
fn class(graph: &mut Graph, format: &Format, code: &[Literal]) -> Word {
    let x = operand(graph, format, code);
    let CodeClass { nan, signaling, infinite, zero, negative } = x.kind;
    let subnormal = match format {
        Format::Float(float) if float.underflows_gradually() => {
            let magnitude = resized(&x.magnitude, x.magnitude.len() + 1);
            is_within(graph, &magnitude, 1, (1 << float.trailing_bits) - 1)
        }
        Format::Float(_) | Format::Posit(_) | Format::Fixed(_) | Format::Codebook(_) => Literal::FALSE,
    };
    let other = graph.any(&[nan, infinite, zero, subnormal]);
    let mut bit = |name: &str| match name {
        "signaling NaN" => signaling,
        "quiet NaN" => graph.and(nan, !signaling),
        _ => {
            let what = match &name[1..] {
                "infinity" => infinite,
                "0" => zero,
                "subnormal" => subnormal,
                _ => !other,
            };
            let has_sign = if name.starts_with('-') { negative } else { !negative };
            graph.and(what, has_sign)
        }
    };
    CLASSES.iter().map(|name| bit(name)).collect()
}

/// Sign, zero, nar, exponent and significand of a posit. Zero and NaR have significand 0, and the exponent of the
/// longest regime of zeros.
fn posit_parts(graph: &mut Graph, operation: &Operation, posit: &Posit, code: &[Literal]) -> Vec<Word> {
    let x = operand(graph, &operation.operand, code);
    let CodeClass { nan, zero, negative, .. } = x.kind;
    let is_number = graph.and(!nan, !zero);
    let width = posit.exponent_port_bits() as usize;
    let numbers = Wide::PositMagnitude(*posit);
    let (power, fraction) = numbers.read(graph, &x.magnitude, &[], width.max(numbers.power_bits()));
    let mut exponent = plus(graph, &sign_extended(&power, width), posit.scale.into());
    let mut significand = [fraction, vec![Literal::TRUE]].concat();
    if operation.settings::<Decoder>().significand == Significand::TwosComplement {
        // -1 is -2 with the next lower exponent.
        let is_one = is_equal(graph, &significand, 1 << (significand.len() - 1));
        let is_minus_one = graph.and(is_one, negative);
        let lower = plus(graph, &exponent, -1);
        exponent = choose(graph, is_minus_one, &lower, &exponent);
        let minus_two = constant(-(1 << significand.len()), significand.len() + 1);
        let negated = negated_if(graph, negative, &resized(&significand, significand.len() + 1));
        significand = choose(graph, is_minus_one, &minus_two, &negated);
    }
    let of_zero = constant(posit.exponent_of_code_0().into(), width);
    let exponent = choose(graph, is_number, &exponent, &of_zero);
    let significand = choose(graph, is_number, &significand, &[]);
    vec![vec![negative], vec![zero], vec![nan], exponent[..width].to_vec(), significand]
}
