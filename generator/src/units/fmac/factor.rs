//! Factors, and their product with one integer bit.

use crate::units::{
    class::Class,
    unpack::{Unpacked, unpack, with_integer_one},
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::Format;

/// Unpacks a factor and normalizes subnormals. The integer bit of the significand is a constant 1, even for zero.
pub fn unpack_factor<'c>(format: Format, code: Bits<'c>, operand: &str) -> Unpacked<'c> {
    let unpacked = unpack(format, code, operand);
    let significand = with_integer_one(unpacked.significand);
    match format.float() {
        Some(float) if unpacked.has_subnormals() => {
            let field = unpacked.magnitude.high(float.exponent_bits);
            normalized(&unpacked, field, float.bias.into(), operand)
        }
        _ => Unpacked { significand, ..unpacked },
    }
}

/// A subnormal's field is 0; shifted up by `s`, it has the exponent of field `1 - s`. This is zero or negative, so its
/// bits are combined with those of the field by OR gates alone. In `1 - s = 2 + ~s`, the last bit is that of `~s`, and
/// the bits above are those of `-(s / 2)`: each is inverted if there is a 1 below it.
fn normalized<'c>(unpacked: &Unpacked<'c>, field: Bits<'c>, bias: i64, operand: &str) -> Unpacked<'c> {
    let circuit = field.circuit();
    let (significand, shift) = unpacked.significand.normalize_left(None, &format!("{operand}_up"));
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

/// `significand * 2^exponent`, one integer bit, the value in `[1, 2)`.
pub struct FmacProduct<'c> {
    pub name: &'static str,
    /// The class; exponent and significand are undefined for zero.
    pub class: Class<'c>,
    /// The exponents of the factors; the product's exponent is their sum, plus 1 with a carry.
    pub exponents: [Int<'c>; 2],
    /// The name of the first factor.
    pub first_factor: &'static str,
    /// Whether the product of the significands is 2 or more.
    pub carry: Bits<'c>,
    /// At most `2p - 1` bits below the integer bit.
    pub significand: Bits<'c>,
}

impl<'c> FmacProduct<'c> {
    /// A normalized operand without a second factor.
    pub fn of_one(name: &'static str, x: &Unpacked<'c>) -> FmacProduct<'c> {
        let circuit = x.significand.circuit();
        let exponents = [x.exponent, Int::constant(circuit, 0)];
        FmacProduct {
            name,
            class: x.class,
            exponents,
            first_factor: name,
            carry: circuit.zero(),
            significand: x.significand,
        }
    }
}

/// Product of normalized factors.
pub fn multiply<'c>(a: &Unpacked<'c>, b: &Unpacked<'c>) -> FmacProduct<'c> {
    a.significand.circuit().section("Multiply: the product of two significands is in [1, 4)");
    let product = significand_product(a.significand, b.significand);
    let parts = [(a.significand.width(), "of a's significand"), (b.significand.width(), "of b's")];
    let product = product.made_of("product", &parts);
    let width = product.width();
    let carry = product.msb().named("product_is_2_or_more");
    let if_2_or_more = product.low(width - 1).called("product_fraction_if_2_or_more");
    let if_below_2 = product.zeros_below(1).low(width - 1).called("product_fraction_if_below_2");
    let fraction = carry.select(if_2_or_more, if_below_2).named("product_fraction");
    let circuit = a.significand.circuit();
    circuit.section("Sign and class of the product");
    FmacProduct {
        name: "product",
        class: Class::of_product(&a.class, &b.class, "product"),
        exponents: [a.exponent, b.exponent],
        first_factor: "a",
        carry,
        significand: concat(&[circuit.constant(1, 1), fraction]),
    }
}

/// Product of significands with constant integer bits. With up to four trailing bits in all, each bit of the product
/// fits in a single LUT. So it is built without carry chains, which would prevent this.
fn significand_product<'c>(a: Bits<'c>, b: Bits<'c>) -> Bits<'c> {
    if a.width() + b.width() > MAX_SMALL {
        return a.multiply(b);
    }
    let width = a.width() + b.width();
    let a = a.called("a_normalized");
    let row = |place: u32| {
        let row = b.bit(place).gate(a);
        // The row of the integer bit is the other significand, which has a name.
        let row = if b.bit(place).known() == Some(1) { row } else { row.named(format!("product_row_{place}")) };
        row.zeros_below(place).zext(width)
    };
    (1..b.width()).fold(row(0), |sum, place| add_gates(sum, row(place), place, place + 1 == b.width()))
}

/// The largest width of both factors together for which gates are smaller.
const MAX_SMALL: u32 = 8;

/// The product up to a row: the sum modulo 2^width, in gates. Bit 2 of the sum with row 1 is `product_sum_1_2`. The last carry of the last
/// row is the top bit of the product.
fn add_gates<'c>(x: Bits<'c>, y: Bits<'c>, row: u32, is_last: bool) -> Bits<'c> {
    x.circuit().section(&format!("Product: add row {row}"));
    let mut carry = x.circuit().zero();
    let mut bits = vec![];
    let bits_in_all = x.width();
    for place in 0..bits_in_all {
        let (x, y) = (x.bit(place), y.bit(place));
        let sum = x ^ y ^ carry;
        let is_top = is_last && place + 1 == bits_in_all;
        bits.push(if is_top { sum } else { sum.named(format!("product_sum_{row}_{place}")) });
        let next = (x & y) | (carry & (x | y));
        let is_product = is_last && place + 2 >= bits_in_all;
        carry = if is_product { next } else { next.named(format!("product_carry_{row}_{place}")) };
    }
    bits.reverse();
    concat(&bits)
}
