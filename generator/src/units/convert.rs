//! Conversion: `decode`, `encode` and `convert`.

use super::{
    assemble::Origin,
    class::Class,
    coded::Coded,
    exact::{ExactResult, Magnitude},
    result::encode,
    sums::fixed_point_sum,
    target::Target,
    unpack::{
        Unpacked,
        posit::unpack_biased,
        supernormal::{has_equal_ends, rebiased},
        unpack,
    },
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{
    FieldZero, Float, Format, Infinity, Inward, Nan, NanResult, Overflow, Rounding, RoundingFacets, Ties,
};

/// Converts the code `x` of the format `from`; the signals are named after `x`.
pub fn convert<'c>(from: Format, target: &Target, (name, x): (&str, Bits<'c>), random: Option<Bits<'c>>) -> Coded<'c> {
    let to = target.format;
    if from.fixed().is_some() {
        return fixed_point_sum(target, None, &[(from, name, x)], random);
    }
    if target.overflow == Overflow::Inf
        && target.nan == NanResult::Payload
        && target.flags.is_none()
        && let Some(more) = more_trailing_bits(&from, &to)
    {
        x.circuit().section("The same format with more trailing bits");
        return Coded { code: x.zeros_below(more), flags: None };
    }
    let operand = operand(from, target, name, x);
    let subnormals = subnormals(&from, target);
    let (operand, significand) = match subnormals {
        Subnormals::Rounded => (operand, operand.significand),
        Subnormals::Normalized => {
            let normalized = operand.normalized(name);
            (normalized, normalized.significand_of_nonzero())
        }
        Subnormals::NoneOrVanishing => (operand, operand.significand_of_nonzero()),
    };
    let unless = |natural: bool, class: Bits<'c>| if natural { x.circuit().zero() } else { class };
    let class = operand.class;
    let exact = ExactResult {
        class: Class {
            // NaR has no sign to pass on.
            sign: if from.posit().is_some() { class.sign & !class.is_nan } else { class.sign },
            is_zero: unless(rounds_to_zero(&from, target, subnormals), class.is_zero),
            is_infinite: unless(keeps_infinity(&from, target), class.is_infinite),
            ..class
        },
        magnitude: Magnitude { exponent: operand.exponent, significand },
        payload: nan_payload(&from, target, x),
    };
    encode(target, Origin::Conversion, &exact, random)
}

/// The operand, with its exponent in the form that suits the result.
fn operand<'c>(from: Format, target: &Target, name: &str, x: Bits<'c>) -> Unpacked<'c> {
    match (&from, &target.format) {
        (Format::Posit(posit), Format::Float(float)) => {
            x.circuit().section(&format!("Unpack {name} ({from})"));
            unpack_biased(posit, float.bias.into(), x, name)
        }
        (Format::Float(source), Format::Float(float)) if has_equal_ends(source) => {
            let operand = unpack(from, x, name);
            Unpacked { exponent: rebiased(source, float.bias.into(), &operand, name), ..operand }
        }
        // The exponent of subnormals and zero may be one less, because they vanish anyway.
        (Format::Float(source), Format::Float(float)) if has_equal_ends(float) && is_far_below(source, target) => {
            let operand = unpack(from, x, name);
            let field = Int::unsigned(operand.magnitude.high(source.exponent_bits));
            Unpacked { exponent: field.plus(-i64::from(source.bias)), ..operand }
        }
        _ => unpack(from, x, name),
    }
}

/// The number of zeros that turn a code of `from` into one of `to`, if nothing else is needed.
fn more_trailing_bits(from: &Format, to: &Format) -> Option<u32> {
    if let (Format::Float(from), Format::Float(to)) = (from, to) {
        let same_trailing = Float { trailing_bits: from.trailing_bits, ..*to };
        let extends = from.trailing_bits <= to.trailing_bits
            && *from == same_trailing
            && from.nan == Nan::TopField
            && from.infinity == Infinity::TopField
            && from.field_zero != FieldZero::Zero;
        return extends.then(|| to.trailing_bits - from.trailing_bits);
    }
    None
}

/// Whether a zero operand becomes code 0 if it is treated as a number.
fn rounds_to_zero(from: &Format, target: &Target, subnormals: Subnormals) -> bool {
    let (from, to) = (from.float(), target.format.float());
    let vanishes = from.zip(to).is_some_and(|(from, to)| has_equal_ends(to) && is_far_below(from, target));
    let gradual = [from, to].into_iter().all(|format| format.is_some_and(Float::underflows_gradually));
    let RoundingFacets { tie, inward, .. } = target.rounding.facets();
    let goes_to_zero = matches!(tie, Some(Ties::ToEven | Ties::Away)) || inward == Inward::Always;
    let rounds = match subnormals {
        Subnormals::Rounded => true,
        // It vanishes like the subnormals, because it has their exponent.
        Subnormals::NoneOrVanishing => from.is_some_and(|from| from.trailing_bits > 0) && goes_to_zero,
        Subnormals::Normalized => false,
    };
    (gradual || vanishes) && rounds && target.flags.is_none()
}

/// Whether numbers with the exponent of zero and of subnormals in `from` are too small for the result, for all random
/// bits.
fn is_far_below(from: &Float, target: &Target) -> bool {
    let lowest = target.format.min_exponent() - 1 - i64::from(target.rounding.random_bits());
    from.underflows_gradually() && 1 - i64::from(from.bias) < lowest
}

/// Whether an infinite operand becomes infinity if it is treated as a number: its exponent is too large, or its exponent
/// field is that of the result and its trailing significand stays 0.
fn keeps_infinity(from: &Format, target: &Target) -> bool {
    let Some((from, to)) = from.float().zip(target.format.float()) else {
        return false;
    };
    let is_above = has_equal_ends(to) && (1 << from.exponent_bits) - 1 - i64::from(from.bias) > to.max_exponent();
    let overflows_alike = matches!(
        target.rounding,
        Rounding::Rne | Rounding::Rna | Rounding::Rnu | Rounding::Sr(_) | Rounding::Srb(_) | Rounding::Src(_)
    );
    let overflows = is_above && overflows_alike && from.infinity == Infinity::TopField;
    let same_fields = (from.exponent_bits, from.bias) == (to.exponent_bits, to.bias);
    let same_ends = [from, to].into_iter().all(|format| format.infinity == Infinity::TopField);
    (overflows || (same_fields && same_ends)) && target.overflow == Overflow::Inf && target.flags.is_none()
}

/// The treatment of the operand's subnormals.
#[derive(Clone, Copy)]
enum Subnormals {
    /// Subnormals are rounded without normalization, because their results are also subnormal.
    Rounded,
    /// Subnormals are normalized, because they are ordinary values in the result format.
    Normalized,
    /// There are none, or their exponent alone rounds all of them to zero.
    NoneOrVanishing,
}

fn subnormals(from: &Format, target: &Target) -> Subnormals {
    // For fixed point, every number is shifted to its place anyway.
    if target.format.fixed().is_some() {
        return Subnormals::Rounded;
    }
    let Some(from) = from.float().filter(|from| from.underflows_gradually() && from.trailing_bits > 0) else {
        return Subnormals::NoneOrVanishing;
    };
    match &target.format {
        _ if is_far_below(from, target) => Subnormals::NoneOrVanishing,
        Format::Float(to) if to.underflows_gradually() && to.bias <= from.bias => Subnormals::Rounded,
        _ => Subnormals::Normalized,
    }
}

/// Between IEEE 754 encodings, a NaN keeps its sign and payload if the payload fits in the result; with flags, it
/// becomes quiet.
fn nan_payload<'c>(from: &Format, target: &Target, x: Bits<'c>) -> Option<Bits<'c>> {
    let (from, to) = (from.float()?, target.format.float()?);
    let keeps = target.nan == NanResult::Payload
        && from.nan == Nan::TopField
        && to.nan == Nan::TopField
        && to.trailing_bits >= from.trailing_bits;
    keeps.then(|| {
        let top_field = x.circuit().ones(to.exponent_bits);
        let payload = x.low(from.trailing_bits).zeros_below(to.trailing_bits - from.trailing_bits);
        let quiet = |bits: u32| x.circuit().constant(1 << (bits - 1), bits);
        let payload = match (target.flags, to.trailing_bits) {
            (None, _) | (Some(_), 0) => payload,
            (Some(_), bits) => payload | quiet(bits),
        };
        concat(&[top_field, payload])
    })
}
