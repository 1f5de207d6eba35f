//! Supernormal codes: in the binades at either end, each code is a power of two. Its exponent counts codes, and its
//! significand is 1.

use super::{fields::Fields, unpacked::Unpacked};
use crate::units::listed;
use binade_circuit::{Bits, Circuit, Int, concat, unsigned_width};
use binade_spec::{Float, Infinity, Nan};

/// An unpacked supernormal code.
pub struct Supernormal<'c> {
    /// Biased.
    pub exponent: Int<'c>,
    /// Trailing significand; 0 if codes are powers of two.
    pub fraction: Option<Bits<'c>>,
    /// Whether it is the code of zero or NaN, and whether it is the code of infinity, if these are known at no cost.
    pub ends: Option<[Bits<'c>; 2]>,
}

/// Unpacks a supernormal code.
pub fn unpack<'c>(format: &Float, fields: &Fields<'c>, operand: &str) -> Supernormal<'c> {
    print_powers(format, fields.magnitude.circuit());
    if has_equal_ends(format) {
        from_either_end(format, fields, operand)
    } else {
        from_each_end(format, fields, operand)
    }
}

/// Prints the table of the codes that are powers of two, with their biased exponents.
fn print_powers(format: &Float, circuit: &Circuit) {
    let (bias, bits) = (format.bias, format.exponent_bits);
    let ends = match has_equal_ends(format) {
        true => "from_end is the code, inverted at the upper end, so that both ends count from 0. ",
        false => "",
    };
    let about = format!(
        "Codes at the ends are powers of two, the next code the next power; their exponents go beyond the {bits} bits of the field. {ends}These \
         codes, without sign, with their exponents, biased by {bias}:"
    );
    let (lower, upper) = (0..format.first_ordinary_code(), format.first_upper_code()..1 << format.magnitude_bits());
    let codes: Vec<u128> = lower.chain(upper).collect();
    let exponent = |code: u128| {
        let (first, field) = match code < format.first_ordinary_code() {
            true => (format.first_ordinary_code(), i64::from(format.binades_below)),
            false => (format.first_upper_code(), (1 << bits) - i64::from(format.binades_above)),
        };
        code as i64 - first as i64 + field
    };
    let value = |code: u128| match code {
        0 => "0".into(),
        code if format.infinity_code() == Some(code) => "inf".into(),
        code if code > format.max_code() => "nan".into(),
        code => format!("2^{}", exponent(code) - i64::from(bias)),
    };
    let is_number = |code: u128| (1..=format.max_code()).contains(&code);
    circuit.table(&about, codes.len(), || {
        let hexadecimal = |&code: &u128| listed::code(code, format.magnitude_bits());
        let biased = |&code: &u128| if is_number(code) { exponent(code).to_string() } else { "-".into() };
        vec![
            ("code", codes.iter().map(hexadecimal).collect()),
            ("value", codes.iter().map(|&code| value(code)).collect()),
            ("exponent", codes.iter().map(biased).collect()),
        ]
    });
}

/// Whether the numbers of supernormal binades at both ends are equal and a power of two, and each end has more than one
/// code but no more codes than there are fields.
pub fn has_equal_ends(format: &Float) -> bool {
    let (below, above) = (format.binades_below, format.binades_above);
    below == above
        && below.is_power_of_two()
        && (1..=format.exponent_bits).contains(&(format.trailing_bits + below.ilog2()))
}

/// With `2^k` supernormal binades at either end, where the field begins with zeros or ones and the exponent counts codes.
///
/// Both ends are counted in the same way if the codes above the ordinary ones are inverted, and the count is inverted again.
/// The exponent of an inverted code `y` of `n` bits is `y + 2^k - 2^n`. Its last `k` bits are those of `y`, its other bits
/// are those of `y / 2^k + 1`, and it is negative if these do not carry out.
fn from_either_end<'c>(format: &Float, fields: &Fields<'c>, operand: &str) -> Supernormal<'c> {
    let (t, w, k) = (format.trailing_bits, format.exponent_bits, format.binades_below.ilog2());
    let name = |part: &str| format!("{operand}_{part}");
    let (magnitude, field) = (fields.magnitude, fields.field);
    let circuit = magnitude.circuit();
    let is_upper = magnitude.msb();
    let inverted = (magnitude.low(t + w - 1) ^ is_upper.repeat(t + w - 1)).called(name("from_end"));
    let is_ordinary = match w - 1 - k {
        0 => circuit.zero(),
        rest => inverted.high(rest).any().called(name("is_ordinary")),
    };
    let is_log = (!is_ordinary).named(name("is_power_of_two"));
    let code = inverted.low(t + k).named(name("code"));
    let mut carry = circuit.constant(1, 1);
    let mut exponent = vec![];
    for place in 0..t + k {
        let digit = if place < k {
            is_log.select(magnitude.bit(place), field.bit(place))
        } else {
            // There the bits of the field are equal.
            let differs = (is_log & (code.bit(place) ^ carry)).called(name(&format!("differs_{place}")));
            carry = carry & code.bit(place);
            field.bit(place) ^ differs
        };
        exponent.push(digit.called(name(&format!("exponent_{place}"))));
    }
    let beyond = (is_log & !carry).named(name("is_beyond"));
    exponent.extend((t + k..w).map(|place| (field.bit(place) ^ beyond).called(name(&format!("exponent_{place}")))));
    exponent.extend([beyond, (beyond & !is_upper).called(name(&format!("exponent_{}", w + 1)))]);
    exponent.reverse();
    let note = "at the ends, the field with those bits inverted that differ from the exponent in the table";
    let exponent = concat(&exponent).explained(name("biased"), note);
    let is_end = (is_log & code.none()).called(name("is_end"));
    let has_ends = (format.infinity, format.nan) == (Infinity::LastCode, Nan::SignAlone);
    Supernormal {
        exponent: Int::signed(exponent),
        fraction: fields.trailing.map(|trailing| (!is_log).gate(trailing).called(name("fraction"))),
        ends: has_ends.then(|| [is_end & !is_upper, is_end & is_upper]),
    }
}

/// The exponent of an operand in such a format, with the bias of another format. Each range of codes adds its own
/// constant, so nothing is added after their selection.
pub fn rebiased<'c>(format: &Float, bias: i64, operand: &Unpacked<'c>, name: &str) -> Int<'c> {
    let exponent = operand.exponent;
    if exponent.min() + bias < 0 {
        return exponent;
    }
    let (t, w, k) = (format.trailing_bits, format.exponent_bits, format.binades_below.ilog2());
    let (magnitude, more) = (operand.magnitude, bias - i64::from(format.bias));
    let field = magnitude.high(w);
    let width = unsigned_width((exponent.max() + bias) as u64 as u32);
    let (is_upper, count) = (field.msb(), magnitude.low(t + k));
    let from_end = magnitude.low(t + w - 1) ^ is_upper.repeat(t + w - 1);
    let is_log = if w - 1 - k == 0 { is_upper.circuit().constant(1, 1) } else { from_end.high(w - 1 - k).none() };
    field.circuit().section(&format!("Exponent of {name} with the bias {bias} of the result, {more} more"));
    let plus = |part: &str, (what, bits): (&str, Bits<'c>), constant: i64| {
        let sum = bits.zext(width).called(format!("{name}_{part}")).plus_constant_in_logic(constant);
        sum.explained(format!("{name}_{part}"), format!("the {what} + {constant}"))
    };
    let last = format!("last {} bits of the code", t + k);
    let counted = (&*last, count);
    let lower = plus("lower", counted, more + (1 << k) - (1 << (t + k)));
    let upper = plus("upper", counted, more + (1 << w) - (1 << k));
    let ordinary = plus("ordinary", ("field", field), more);
    let raw = is_log.select(is_upper.select(upper, lower), ordinary).named(format!("{name}_rebiased"));
    Int::unsigned(raw).within(exponent.min() + bias, exponent.max() + bias).plus(-bias)
}

/// With any number of supernormal binades at each end: the exponent is the field, or a distance of codes.
fn from_each_end<'c>(format: &Float, fields: &Fields<'c>, operand: &str) -> Supernormal<'c> {
    let name = |part: &str| format!("{operand}_{part}");
    let (below, above) = (i64::from(format.binades_below), i64::from(format.binades_above));
    let top_fields = (1 << format.exponent_bits) - above;
    let (field, code) = (Int::unsigned(fields.field), Int::unsigned(fields.magnitude));
    let first_ordinary = format.first_ordinary_code() as i64;
    let first_upper = format.first_upper_code() as i64;
    let is_lower = field.less_than(below).named(name("is_lower"));
    let lower = code.within(0, first_ordinary - 1).plus(below - first_ordinary).called(name("lower"));
    let mut exponent = Int::select(is_lower, lower, field).called(name("biased_below_upper"));
    let mut is_log = is_lower;
    if above > 0 {
        let is_upper = field.at_least(top_fields).named(name("is_upper"));
        let codes_above = (above << format.trailing_bits) - 1;
        // The first code of the upper binades has zeros in all bits that count codes.
        let count =
            fields.magnitude.sub(fields.magnitude.circuit().constant(first_upper as u128, format.magnitude_bits()));
        let upper = Int::unsigned(count).within(0, codes_above).plus(top_fields).called(name("upper"));
        exponent = Int::select(is_upper, upper, exponent);
        is_log = (is_log | is_upper).named(name("is_power_of_two"));
    }
    Supernormal { exponent, fraction: fields.trailing.map(|trailing| (!is_log).gate(trailing)), ends: None }
}
