//! Factors, and their product with one integer bit.

use crate::units::{
    class::Class,
    unpack::{Unpacked, unpack, with_integer_one},
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{Float, Format, Infinity, Nan};

/// Takes a factor apart; subnormals are normalised. The integer bit of the significand is a constant 1, also for zero.
pub fn unpack_factor<'c>(format: Format, code: Bits<'c>, operand: &str) -> Unpacked<'c> {
    let unpacked = unpack(format, code, operand);
    let significand = with_integer_one(unpacked.significand);
    match format.float() {
        Some(float) if unpacked.has_subnormals() => {
            let field = unpacked.magnitude.high(float.exponent_bits);
            normalised(&unpacked, field, float.bias.into(), operand)
        }
        Some(float) if is_symmetric(float) => supernormal(&unpacked, float, operand),
        _ => Unpacked { significand, ..unpacked },
    }
}

/// A subnormal's field is 0, and its exponent, shifted up by `s`, that of field `1 - s`: zero or negative, so that its
/// bits join those of the field with OR gates alone. Of `1 - s = 2 + ~s` the last bit is that of `~s`, and those above
/// are those of `-(s / 2)`: each is inverted if there is a 1 below it.
fn normalised<'c>(unpacked: &Unpacked<'c>, field: Bits<'c>, bias: i64, operand: &str) -> Unpacked<'c> {
    let circuit = field.circuit();
    let (significand, shift) = unpacked.significand.normalise_left(None, &format!("{operand}_up"));
    let is_subnormal = !unpacked.significand.msb();
    let mut bits = vec![(is_subnormal & !shift.bit(0)).called(format!("{operand}_correction_0"))];
    let mut below = circuit.zero();
    for place in 1..shift.width() {
        bits.push((shift.bit(place) ^ below).called(format!("{operand}_correction_{place}")));
        below = (below | shift.bit(place)).called(format!("{operand}_up_shift_any_{place}"));
    }
    bits.reverse();
    let width = (field.width() + 1).max(shift.width() + 1);
    let correction =
        concat(&[below.repeat(width - shift.width()), concat(&bits)]).called(format!("{operand}_correction"));
    let t = i64::from(unpacked.significand.width()) - 1;
    let exponent = Int::signed(field.zext(width) | correction).within(1 - t, unpacked.exponent.max() + bias);
    Unpacked {
        exponent: exponent.named(format!("{operand}_exponent")).plus(-bias),
        significand: with_integer_one(significand),
        ..*unpacked
    }
}

/// Whether the supernormal binades at both ends are as many, a power of two, and their codes several, but no more than
/// there are fields.
fn is_symmetric(float: &Float) -> bool {
    let (below, above) = (float.binades_below, float.binades_above);
    below == above
        && below.is_power_of_two()
        && (1..=float.exponent_bits).contains(&(float.trailing_bits + below.ilog2()))
}

/// With `2^k` supernormal binades at either end: there the field begins with zeros or ones, and the exponent counts codes.
///
/// Codes are counted from either end of the ordinary ones alike if those above are inverted, and the count inverted again:
/// of an inverted code `y` of `n` bits, the exponent is `y + 2^k - 2^n`. Its last `k` bits are those of `y`, its other
/// bits those of `y / 2^k + 1`, and it is negative without a carry out of these.
fn supernormal<'c>(unpacked: &Unpacked<'c>, float: &Float, operand: &str) -> Unpacked<'c> {
    let (t, w, k) = (float.trailing_bits, float.exponent_bits, float.binades_below.ilog2());
    let magnitude = unpacked.magnitude;
    let circuit = magnitude.circuit();
    let field = magnitude.high(w);
    let is_upper = field.msb();
    let name = |part: &str| format!("{operand}_{part}");
    let inverted = (magnitude.low(t + w - 1) ^ is_upper.repeat(t + w - 1)).called(name("from_end"));
    let is_ordinary = match w - 1 - k {
        0 => circuit.zero(),
        rest => inverted.high(rest).any().called(name("is_ordinary")),
    };
    let is_log = (!is_ordinary).named(format!("{operand}_is_power_of_two"));
    let code = inverted.low(t + k).named(format!("{operand}_code"));
    let one = circuit.constant(1, 1);
    let mut carry = one;
    let mut exponent = vec![];
    for place in 0..t + k {
        let digit = if place < k { code.bit(place) } else { code.bit(place) ^ carry };
        carry = if place < k { carry } else { carry & code.bit(place) };
        let digit = digit ^ is_upper;
        exponent.push(is_log.select(digit, field.bit(place)).called(name(&format!("exponent_{place}"))));
    }
    let beyond = (is_log & !carry).named(format!("{operand}_is_beyond"));
    exponent.extend((t + k..w).map(|place| (field.bit(place) ^ beyond).called(name(&format!("exponent_{place}")))));
    exponent.extend([beyond, (beyond & !is_upper).called(name(&format!("exponent_{}", w + 1)))]);
    exponent.reverse();
    let bias = i64::from(float.bias);
    let (min, max) = (float.min_exponent() + bias, float.max_exponent() + bias);
    let fraction = |t| (!is_log).gate(magnitude.low(t)).named(format!("{operand}_fraction"));
    let significand = if t == 0 { one } else { concat(&[one, fraction(t)]).named(format!("{operand}_significand")) };
    let exponent = Int::signed(concat(&exponent).named(format!("{operand}_exponent"))).within(min, max).plus(-bias);
    if (float.infinity, float.nan) != (Infinity::LastCode, Nan::SignAlone) {
        return Unpacked { exponent, significand, ..*unpacked };
    }
    // Zero and NaN are the first code, infinity is the last.
    let is_end = (is_log & code.none()).named(format!("{operand}_is_end"));
    let is_zero = (is_end & !is_upper).named(format!("{operand}_is_zero"));
    Unpacked {
        exponent,
        significand,
        class: Class {
            is_zero,
            is_infinite: (is_end & is_upper).named(format!("{operand}_is_infinite")),
            is_nan: (is_zero & unpacked.class.sign).named(format!("{operand}_is_nan")),
            ..unpacked.class
        },
        ..*unpacked
    }
}

/// `significand * 2^exponent`, one integer bit, the value in `[1, 2)`.
pub struct Product<'c> {
    pub name: &'static str,
    /// The class; exponent and significand are undefined for zero.
    pub class: Class<'c>,
    /// The exponents of the factors; the product's is their sum, and one more with a carry.
    pub exponents: [Int<'c>; 2],
    /// The name of the first of them.
    pub first_factor: &'static str,
    /// Whether the product of the significands is 2 or more.
    pub carry: Bits<'c>,
    /// `2p - 1` bits below the integer bit at the most.
    pub significand: Bits<'c>,
}

impl<'c> Product<'c> {
    /// A normalised operand as it is.
    pub fn of_one(name: &'static str, x: &Unpacked<'c>) -> Product<'c> {
        let circuit = x.significand.circuit();
        let exponents = [x.exponent, Int::constant(circuit, 0)];
        Product {
            name,
            class: x.class,
            exponents,
            first_factor: name,
            carry: circuit.zero(),
            significand: x.significand,
        }
    }
}

/// Product of normalised factors.
pub fn multiply<'c>(a: &Unpacked<'c>, b: &Unpacked<'c>) -> Product<'c> {
    a.significand.circuit().section("Multiply: the product of two significands is in [1, 4)");
    let product = significand_product(a.significand, b.significand);
    let parts = [(a.significand.width(), "of a's significand"), (b.significand.width(), "of b's")];
    let product = product.made_of("product", &parts);
    let width = product.width();
    let carry = product.msb().named("product_is_2_or_more");
    let below_integers = product.low(width - 1).called("product_below_2");
    let fraction = carry.select(below_integers, product.zeros_below(1).low(width - 1).called("product_doubled"));
    Product {
        name: "product",
        class: Class::of_product(&a.class, &b.class),
        exponents: [a.exponent, b.exponent],
        first_factor: "a",
        carry,
        significand: concat(&[a.significand.circuit().constant(1, 1), fraction.named("product_fraction")]),
    }
}

/// Product of significands with constant integer bits. Of up to four trailing bits in all, each bit of the product is a
/// single LUT: written without carry chains, which would keep it from becoming one.
fn significand_product<'c>(a: Bits<'c>, b: Bits<'c>) -> Bits<'c> {
    if a.width() + b.width() > MAX_SMALL {
        return a.multiply(b);
    }
    let width = a.width() + b.width();
    let row = |place: u32| b.bit(place).gate(a).named(format!("product_row_{place}")).zeros_below(place).zext(width);
    (1..b.width()).fold(row(0), |sum, place| add_gates(sum, row(place), place))
}

/// Widths of both factors together up to which gates are smaller.
const MAX_SMALL: u32 = 8;

/// The product up to a row: sum modulo 2^width, of gates. Bit 2 of the sum with row 1 is `product_sum_1_2`.
fn add_gates<'c>(x: Bits<'c>, y: Bits<'c>, row: u32) -> Bits<'c> {
    x.circuit().section(&format!("Product: add row {row}"));
    let mut carry = x.circuit().zero();
    let mut bits = vec![];
    for place in 0..x.width() {
        let (x, y) = (x.bit(place), y.bit(place));
        bits.push((x ^ y ^ carry).named(format!("product_sum_{row}_{place}")));
        carry = ((x & y) | (carry & (x | y))).named(format!("product_carry_{row}_{place}"));
    }
    bits.reverse();
    concat(&bits)
}
