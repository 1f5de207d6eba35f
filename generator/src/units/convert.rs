//! Conversion: `decode`, `encode` and `convert`.

use super::{
    assemble::Kind,
    class::Class,
    exact::{ExactResult, Magnitude},
    formula::fixed_point_sum,
    result::{Coded, encode},
    target::Target,
    unpack::{posit::unpack_biased, unpack},
};
use binade_circuit::{Bits, concat};
use binade_spec::{FieldZero, Float, Format, Infinity, Nan, Overflow, Rounding};

/// Converts the code `x` of the format `from`; the signals are named after it.
pub fn convert<'c>(from: Format, target: &Target, (name, x): (&str, Bits<'c>), random: Option<Bits<'c>>) -> Coded<'c> {
    let to = target.format;
    if from.fixed().is_some() {
        return fixed_point_sum(target, None, &[(from, name, x)], random);
    }
    if target.overflow == Overflow::Inf
        && target.flags.is_none()
        && let Some(more) = more_trailing_bits(&from, &to)
    {
        x.circuit().section("The same format with more trailing bits");
        return Coded { code: x.zeros_below(more), flags: None };
    }
    let operand = match (&from, &to) {
        (Format::Posit(posit), Format::Float(float)) => {
            x.circuit().section(&format!("Unpack {name} ({from})"));
            unpack_biased(posit, float.bias.into(), x, name)
        }
        _ => unpack(from, x, name),
    };
    let subnormals = subnormals(&from, target);
    let (operand, significand) = match subnormals {
        Subnormals::Rounded => (operand, operand.significand),
        Subnormals::Normalised => {
            let normalised = operand.normalised(name);
            (normalised, normalised.significand_of_nonzero())
        }
        Subnormals::NoneOrVanishing => (operand, operand.significand_of_nonzero()),
    };
    let unless = |natural: bool, class: Bits<'c>| if natural { x.circuit().zero() } else { class };
    let class = operand.class;
    let exact = ExactResult {
        class: Class {
            // NaR has no sign to hand on.
            sign: if from.posit().is_some() { class.sign & !class.is_nan } else { class.sign },
            is_zero: unless(rounds_to_zero(&from, target, subnormals), class.is_zero),
            is_infinite: unless(keeps_infinity(&from, target), class.is_infinite),
            ..class
        },
        magnitude: Magnitude { exponent: operand.exponent, significand },
        payload: nan_payload(&from, &to, x),
    };
    encode(target, Kind::Conversion, &exact, random)
}

/// How many zeros make a code of `from` one of `to`, if that is all it takes.
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

/// Whether a zero operand, taken for a number, becomes code 0.
fn rounds_to_zero(from: &Format, target: &Target, subnormals: Subnormals) -> bool {
    let (from, to) = (from.float(), target.format.float());
    let gradual = [from, to].into_iter().all(|format| format.is_some_and(Float::underflows_gradually));
    let is_nearest = match target.rounding {
        Rounding::Rne | Rounding::Rna | Rounding::Rnu | Rounding::Rtz => true,
        Rounding::Rup | Rounding::Rdn | Rounding::Rto | Rounding::Sr(_) | Rounding::Mptorch => false,
    };
    let rounds = match subnormals {
        Subnormals::Rounded => true,
        // It vanishes with the subnormals, as its exponent is theirs.
        Subnormals::NoneOrVanishing => from.is_some_and(|from| from.trailing_bits > 0) && is_nearest,
        Subnormals::Normalised => false,
    };
    gradual && rounds && target.flags.is_none()
}

/// Whether an infinite operand, taken for a number, becomes infinity: its exponent field is the result's and its trailing
/// significand stays 0.
fn keeps_infinity(from: &Format, target: &Target) -> bool {
    let Some((from, to)) = from.float().zip(target.format.float()) else {
        return false;
    };
    let same_fields = (from.exponent_bits, from.bias) == (to.exponent_bits, to.bias);
    let same_ends = [from, to].into_iter().all(|format| format.infinity == Infinity::TopField);
    same_fields && same_ends && target.overflow == Overflow::Inf && target.flags.is_none()
}

/// What becomes of the operand's subnormals.
#[derive(Clone, Copy)]
enum Subnormals {
    /// Subnormals are rounded as they are: where they go, results are subnormal, too.
    Rounded,
    /// Subnormals are normalised: the result has them as ordinary values.
    Normalised,
    /// There are none, or all of them round to zero by their exponent alone.
    NoneOrVanishing,
}

fn subnormals(from: &Format, target: &Target) -> Subnormals {
    // In fixed point every number is shifted to its place anyway.
    if target.format.fixed().is_some() {
        return Subnormals::Rounded;
    }
    let Some(from) = from.float().filter(|from| from.underflows_gradually() && from.trailing_bits > 0) else {
        return Subnormals::NoneOrVanishing;
    };
    let lowest_exponent = 1 - i64::from(from.bias);
    match &target.format {
        // Random bits reach further down.
        _ if lowest_exponent < target.format.min_exponent() - 1 - i64::from(target.rounding.random_bits()) => {
            Subnormals::NoneOrVanishing
        }
        Format::Float(to) if to.underflows_gradually() && to.bias <= from.bias => Subnormals::Rounded,
        _ => Subnormals::Normalised,
    }
}

/// A NaN between IEEE 754 encodings keeps sign and payload if the result has room for it.
fn nan_payload<'c>(from: &Format, to: &Format, x: Bits<'c>) -> Option<Bits<'c>> {
    let (from, to) = (from.float()?, to.float()?);
    let keeps = from.nan == Nan::TopField && to.nan == Nan::TopField && to.trailing_bits >= from.trailing_bits;
    keeps.then(|| {
        let top_field = x.circuit().ones(to.exponent_bits);
        concat(&[top_field, x.low(from.trailing_bits).zeros_below(to.trailing_bits - from.trailing_bits)])
    })
}
