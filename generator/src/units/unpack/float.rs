//! Float to sign, exponent, significand and class.

use super::{
    fields::Fields,
    supernormal::{self, Supernormal},
    unpacked::Unpacked,
};
use crate::units::class::Class;
use binade_circuit::{Bits, Int, concat};
use binade_spec::{FieldZero, Float, Infinity, Nan, Sign};

/// Unpacks `code`; the signals are named after the operand.
pub fn unpack<'c>(format: &Float, code: Bits<'c>, operand: &str) -> Unpacked<'c> {
    let circuit = code.circuit();
    let name = |part: &str| format!("{operand}_{part}");
    let fields = Fields::new(format, code, operand);
    let sign = match format.sign {
        Sign::Signed => code.msb().named(name("sign")),
        Sign::Unsigned => circuit.zero(),
    };
    let supernormal = (format.binades_below > 0).then(|| supernormal::unpack(format, &fields, operand));
    let (is_zero, is_infinite, is_nan) = match supernormal.as_ref().and_then(|supernormal| supernormal.ends) {
        Some([first, last]) => (first, last, first & sign),
        None => specials(format, sign, &fields, operand),
    };
    let is_zero = is_zero.named(name("is_zero"));
    let (exponent, significand) = match supernormal {
        Some(Supernormal { exponent, fraction, .. }) => {
            let bias = i64::from(format.bias);
            let exponent = exponent.within(format.min_exponent() + bias, format.max_exponent() + bias);
            (exponent.named(name("biased")).plus(-bias), with_integer_bit(!is_zero, fraction))
        }
        None => number(format, &fields, is_zero, operand),
    };
    let is_quiet = if format.nan == Nan::TopField { fields.trailing.map_or(is_nan, Bits::msb) } else { is_nan };
    Unpacked {
        format: (*format).into(),
        class: Class {
            sign,
            is_zero,
            is_infinite: is_infinite.named(name("is_infinite")),
            is_nan: is_nan.named(name("is_nan")),
            is_invalid: is_nan & !is_quiet,
        },
        magnitude: fields.magnitude,
        exponent,
        significand: significand.named(name("significand")),
    }
}

/// Whether the code is zero, infinity or NaN.
fn specials<'c>(format: &Float, sign: Bits<'c>, fields: &Fields<'c>, operand: &str) -> (Bits<'c>, Bits<'c>, Bits<'c>) {
    let never = sign.circuit().zero();
    let is_special = || fields.field.all().named(format!("{operand}_is_special"));
    let any_trailing = || fields.trailing.map_or(never, Bits::any).named(format!("{operand}_has_trailing"));
    let is_infinite = match format.infinity {
        Infinity::None => never,
        Infinity::TopField => is_special() & !any_trailing(),
        Infinity::LastCode => {
            let code = format.infinity_code().expect("the format has infinities");
            fields.magnitude.equals_constant(code)
        }
    };
    let is_nan = match format.nan {
        Nan::None => never,
        Nan::TopField => is_special() & any_trailing(),
        Nan::AllOnes | Nan::NanInfinity | Nan::LastCode => fields.magnitude.all(),
        Nan::SignAlone => sign & fields.magnitude.none(),
    };
    let is_zero = match format.field_zero {
        FieldZero::Zero => fields.field.none(),
        FieldZero::NoZero => never,
        FieldZero::Subnormal | FieldZero::Binade => fields.magnitude.none(),
    };
    (is_zero, is_infinite, is_nan)
}

/// Exponent and significand of a finite code.
fn number<'c>(format: &Float, fields: &Fields<'c>, is_zero: Bits<'c>, operand: &str) -> (Int<'c>, Bits<'c>) {
    let bias = i64::from(format.bias);
    let field = fields.field;
    let top_field = (format.max_code() >> format.trailing_bits) as i64;
    match format.field_zero {
        FieldZero::Subnormal => {
            let normal = field.any().named(format!("{operand}_is_normal"));
            // Field 0 has the exponent of field 1.
            let lowest = (field.bit(0) | !normal).called(format!("{operand}_biased_0"));
            let field = if field.width() == 1 { lowest } else { concat(&[field.high(field.width() - 1), lowest]) };
            let exponent = Int::unsigned(field.named(format!("{operand}_biased"))).within(1, top_field.max(1));
            (exponent.plus(-bias), with_integer_bit(normal, fields.trailing))
        }
        FieldZero::Zero => {
            let trailing = fields.trailing.map(|trailing| (!is_zero).gate(trailing));
            let exponent = Int::unsigned(field).within(1.min(top_field), top_field);
            (exponent.plus(-bias), with_integer_bit(!is_zero, trailing))
        }
        FieldZero::Binade | FieldZero::NoZero => {
            let exponent = Int::unsigned(field).within(0, top_field);
            (exponent.plus(-bias), with_integer_bit(!is_zero, fields.trailing))
        }
    }
}

fn with_integer_bit<'c>(integer: Bits<'c>, trailing: Option<Bits<'c>>) -> Bits<'c> {
    match trailing {
        Some(trailing) => concat(&[integer, trailing]),
        None => integer,
    }
}
