//! Inserts zeros, overflow, infinities and NaN into the result's code.

use super::{
    exact::ExactResult,
    round::{Rounded, decide::mode},
    target::FloatTarget,
};
use binade_circuit::{Bits, concat};
use binade_spec::{Infinity, Inward, Nan, Overflow, Rounding, Sign};

/// Where a result comes from. A sign that has no meaning in the format passes from an operand to the result of a conversion (DLFloat16).
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Conversion,
    /// A sum of two codes of the result's format, which is a multiple of its smallest value.
    Sum,
    Arithmetic,
}

/// The code of a result.
///
/// Zeros, infinities, NaN and overflow replace the lower code *before* the increment and suppress the increment. They
/// are known while the number is still being normalized, so nothing remains to be done after the increment's carry. `rm` is the port with the rounding, if there is one.
pub fn assemble<'c>(
    target: &FloatTarget,
    kind: Origin,
    exact: &ExactResult<'c>,
    rounded: &Rounded<'c>,
    rm: Option<Bits<'c>>,
) -> Bits<'c> {
    let circuit = exact.class.sign.circuit();
    circuit.section("Assemble the code");
    let format = &target.format;
    let mask = format.magnitude_mask();
    let limits = Limits::new(target);
    let nan_code = format.nan_code().unwrap_or(0) & mask;

    let is_zero = (exact.class.is_zero | rounded.vanishes).named("is_zero");
    let (is_nan, is_infinite) = (exact.class.is_nan, exact.class.is_infinite);
    let overflows = (rounded.too_large & !is_zero).named("is_large");
    let mut cases = vec![(is_zero, 0)];
    match limits.overflow {
        [positive, negative] if positive == negative => cases.push((overflows, positive)),
        [outward, inward] if target.rounding == Rounding::Any => {
            let mode = mode(rm, exact.class.sign);
            let reaches_infinity = (mode.is_nearest | mode.is_outward).named("overflows_outward");
            cases.extend([(overflows & reaches_infinity, outward), (overflows & !reaches_infinity, inward)])
        }
        [positive, negative] => {
            cases.extend([(overflows & !exact.class.sign, positive), (overflows & exact.class.sign, negative)])
        }
    }
    cases.push((is_infinite, limits.infinite));
    if exact.payload.is_none() {
        cases.push((is_nan, nan_code));
    }
    let is_special = (is_zero | overflows | is_infinite | is_nan).named("is_special");
    let stays =
        if limits.overflow.contains(&(format.max_code() + 1)) { is_special } else { is_special | rounded.at_largest };
    let lower = replaced(rounded.code, &cases).called("number_code");
    let lower = exact.payload.map_or(lower, |payload| is_nan.select(payload, lower)).named("lower_code");
    let round_up = (rounded.round_up & !stays.called("stays")).named("increment");
    let integer = (rounded.integer & !is_special).called("integer_bit");
    let step = match format.trailing_bits {
        0 => round_up,
        t => concat(&[integer, round_up.zext(t)]).called("step"),
    };
    let magnitude = lower.add(step.zext(lower.width()));
    let magnitude = match integer.known() {
        Some(_) => magnitude.named("magnitude"),
        None => {
            magnitude.explained("magnitude", "the field is one less than the exponent; the integer bit adds that one")
        }
    };

    let number = LowerCode { lower, round_up, is_nonzero: lower.any() | round_up };
    match format.sign {
        Sign::Unsigned => unsigned_result(target, exact, is_zero, &number, magnitude),
        Sign::Signed => {
            let sign = sign_of_result(target, kind, exact, &number);
            concat(&[sign.named("sign"), magnitude])
        }
    }
}

/// `code`, or the constant of the last case that holds.
fn replaced<'c>(code: Bits<'c>, cases: &[(Bits<'c>, u128)]) -> Bits<'c> {
    let circuit = code.circuit();
    let cases: Vec<(Bits, u128)> = cases.iter().copied().filter(|(here, _)| here.known() != Some(0)).collect();
    let any = |bits: &mut dyn Iterator<Item = Bits<'c>>| bits.fold(circuit.zero(), |any, bit| any | bit);
    // A later case overrides a case whose constant has a 1 that the later constant lacks.
    let exclusive: Vec<(Bits, u128)> = cases
        .iter()
        .enumerate()
        .map(|(i, &(here, constant))| {
            let mut later = cases[i + 1..].iter().filter(|(_, other)| constant & !other != 0).map(|(later, _)| *later);
            (here & !any(&mut later), constant)
        })
        .collect();
    let holds = any(&mut cases.iter().map(|(here, _)| *here));
    let ones = |bit: u32| -> Vec<bool> { cases.iter().map(|(_, constant)| constant >> bit & 1 == 1).collect() };
    let mut parts = vec![];
    let mut low = 0;
    while low < code.width() {
        let pattern = ones(low);
        let width = (low..code.width()).take_while(|&bit| ones(bit) == pattern).count() as u32;
        let set = any(&mut exclusive.iter().zip(&pattern).filter(|(_, one)| **one).map(|((here, _), _)| *here));
        let place = if width == 1 { format!("{low}") } else { format!("{}_{low}", low + width - 1) };
        let kept = code.slice(low + width - 1, low).called(format!("code_{place}"));
        let kept = if pattern.iter().all(|&one| one) { kept } else { (!holds).gate(kept) };
        let kept = kept.called(format!("kept_code_{place}"));
        parts.push((kept | set.called(format!("set_{place}")).repeat(width)).called(format!("lower_code_{place}")));
        low += width;
    }
    parts.reverse();
    concat(&parts)
}

/// A magnitude code before its increment.
pub struct LowerCode<'c> {
    pub lower: Bits<'c>,
    pub round_up: Bits<'c>,
    /// Whether the incremented code is not 0.
    pub is_nonzero: Bits<'c>,
}

impl<'c> LowerCode<'c> {
    /// Whether the incremented code is all ones. Only an even code can become all ones by an increment.
    fn all(&self) -> Bits<'c> {
        let last = self.lower.bit(0) | self.round_up;
        match self.lower.width() {
            1 => last,
            width => self.lower.high(width - 1).all() & last,
        }
    }
}

/// The codes for magnitudes beyond the largest finite one.
pub struct Limits {
    /// For a positive and a negative overflow; if `rm` chooses the rounding, for one away from zero and one toward zero.
    pub overflow: [u128; 2],
    pub infinite: u128,
}

impl Limits {
    pub fn new(target: &FloatTarget) -> Limits {
        let format = &target.format;
        let largest = format.max_code();
        let infinity = match format.infinity {
            Infinity::TopField | Infinity::LastCode => format.infinity_code().expect("the format has infinities"),
            Infinity::None if matches!(format.nan, Nan::AllOnes | Nan::NanInfinity) => format.magnitude_mask(),
            Infinity::None => largest,
        };
        let to_infinity = |rounds_out: bool| if rounds_out { infinity } else { largest };
        match target.overflow {
            Overflow::Saturate => Limits { overflow: [largest; 2], infinite: largest },
            Overflow::Propagate => Limits { overflow: [largest; 2], infinite: infinity },
            Overflow::ToInfinity => Limits { overflow: [infinity; 2], infinite: infinity },
            Overflow::Inf => {
                let overflow = match target.rounding.facets().inward {
                    Inward::Never => [infinity; 2],
                    Inward::Always => [largest; 2],
                    Inward::IfNegative | Inward::ByPort => [infinity, largest],
                    Inward::IfPositive => [largest, infinity],
                    // The odd one of the codes of the largest value and of its successor.
                    Inward::IfOdd => [to_infinity(largest & 1 == 0); 2],
                };
                Limits { overflow, infinite: infinity }
            }
        }
    }
}

/// The sign of a result in a signed format.
pub fn sign_of_result<'c>(
    target: &FloatTarget,
    kind: Origin,
    exact: &ExactResult<'c>,
    number: &LowerCode<'c>,
) -> Bits<'c> {
    let (sign, is_nan) = (exact.class.sign, exact.class.is_nan);
    match target.format.nan {
        // The payload keeps its sign.
        Nan::TopField if exact.payload.is_some() => sign,
        Nan::None | Nan::TopField => sign & !is_nan,
        // The NaN, which has no sign, takes the place of infinity.
        Nan::AllOnes if target.overflow == Overflow::Saturate => sign & !is_nan,
        Nan::AllOnes => sign & !is_nan & !number.all(),
        Nan::NanInfinity if kind == Origin::Conversion => sign,
        Nan::NanInfinity => sign & number.is_nonzero & !number.all() & !is_nan,
        Nan::SignAlone => is_nan | (sign & number.is_nonzero),
        Nan::LastCode => unreachable!("only unsigned formats have NaN as their last code"),
    }
}

/// A negative number becomes NaN, or 0 if the result saturates or is rounded up to 0.
fn unsigned_result<'c>(
    target: &FloatTarget,
    exact: &ExactResult<'c>,
    is_zero: Bits<'c>,
    number: &LowerCode<'c>,
    magnitude: Bits<'c>,
) -> Bits<'c> {
    let (format, circuit) = (&target.format, magnitude.circuit());
    let constant = |code: u128| circuit.constant(code, magnitude.width());
    let (zero, nan) = (constant(0), constant(format.nan_code().unwrap_or(0)));
    // In formats without zero, code 0 is a number.
    let is_number = if format.has_zero() { number.is_nonzero } else { !is_zero | exact.class.is_infinite };
    let is_negative = (exact.class.sign & is_number & !exact.class.is_nan).named("is_negative");
    let replacement = match (target.overflow, target.rounding.facets().inward) {
        (Overflow::Saturate | Overflow::Propagate, _) => zero,
        (Overflow::Inf | Overflow::ToInfinity, Inward::Always | Inward::IfNegative) => {
            exact.class.is_infinite.select(nan, zero)
        }
        (Overflow::Inf | Overflow::ToInfinity, Inward::Never | Inward::IfPositive | Inward::IfOdd | Inward::ByPort) => {
            nan
        }
    };
    is_negative.select(replacement, magnitude)
}
