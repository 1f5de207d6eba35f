//! Product in a format with subnormals: align, round, assemble.

use super::align::{Aligned, align};
use crate::units::{
    assemble::{Origin, assemble},
    class::Class,
    coded::Coded,
    exact::{ExactResult, Magnitude},
    flags::flags,
    round::Rounded,
    round::decide::{Tail, below_code_bits, rounds_up},
    target::FloatTarget,
    unpack::{Unpacked, unpack},
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{Float, Nan, Rounding, Underflow};

/// Whether this module computes the product. It does not if the result has another format, if subnormals span more binades
/// than there are below 1, or if the bias is not near the middle. With such a bias, two subnormals may have a normal
/// product, or two normal numbers a product far below all values.
pub fn applies(operand: &Float, target: &FloatTarget) -> bool {
    let format = &target.format;
    operand == format
        && format.underflows_gradually()
        && format.underflow == Underflow::Nearest
        && format.trailing_bits > 0
        && has_bias_in_the_middle(format)
        && format.trailing_bits < 1 << (format.exponent_bits - 1)
        && target.rounding != Rounding::Mptorch
}

/// Whether the numbers of binades below and above 1 are about equal, and more than one.
fn has_bias_in_the_middle(format: &Float) -> bool {
    let middle = 1 << (format.exponent_bits - 1);
    let bias = i64::from(format.bias);
    bias >= 2 && (bias == middle || bias == middle - 1)
}

/// The product of two codes with their names; the operands have the target's format.
pub fn mul<'c>(target: &FloatTarget, named: [(&str, Bits<'c>); 2], random: Option<Bits<'c>>) -> Coded<'c> {
    let (format, circuit) = (&target.format, named[0].1.circuit());
    let operands = named.map(|(name, code)| unpack((*format).into(), code, name));
    circuit.section("Sign and class of the product");
    let class = Class::of_product(&operands[0].class, &operands[1].class, "product");
    let aligned = align(target, &operands, class.is_zero);
    let rounded = round(target, class.sign, &aligned, random);
    let exact = ExactResult {
        class: Class { is_infinite: is_infinite(format, &operands, &class), ..class },
        magnitude: Magnitude {
            // The exponent is that of field 1; the top bit distinguishes normal numbers from subnormals.
            exponent: Int::constant(circuit, 1 - i64::from(format.bias)),
            significand: aligned.significand,
        },
        payload: None,
    };
    Coded {
        code: assemble(target, Origin::Arithmetic, &exact, &rounded, random),
        flags: target.flags.map(|tininess| flags(target, Origin::Arithmetic, &exact, &rounded, random, tininess)),
    }
}

/// Whether the product is infinite, if it is not NaN: the top field has no other values.
fn is_infinite<'c>(format: &Float, operands: &[Unpacked<'c>; 2], class: &Class<'c>) -> Bits<'c> {
    match format.nan {
        Nan::TopField => {
            let [a, b] = operands.map(|operand| operand.magnitude.high(format.exponent_bits).all());
            (a | b).named("one_is_special")
        }
        Nan::None | Nan::AllOnes | Nan::NanInfinity | Nan::SignAlone | Nan::LastCode => class.is_infinite,
    }
}

/// Rounds an aligned product: one addition adds its leading one and the rounding to the code.
fn round<'c>(target: &FloatTarget, sign: Bits<'c>, aligned: &Aligned<'c>, random: Option<Bits<'c>>) -> Rounded<'c> {
    sign.circuit().section("Round");
    let (format, below) = (&target.format, below_code_bits(target.rounding));
    let t = format.trailing_bits;
    let fraction = aligned.significand.low(aligned.significand.width() - 1);
    let (trailing, rest) = (fraction.high(t), fraction.low(fraction.width() - t));
    let tail = Tail { bits: rest.high(below), sticky: rest.low(rest.width() - below).any() };
    let round_up = rounds_up(target.rounding, sign, trailing.bit(0), &tail, random).named("round_up");
    let code = concat(&[aligned.field, trailing]).named("code");
    let steps = concat(&[aligned.carry, round_up.zext(t)]).zext(code.width());
    let code = code.add(steps).explained("rounded", aligned.about_carry);
    let overflows = code.at_least_constant(format.max_code() + 1).named("overflows");
    let never = sign.circuit().zero();
    // All increments are already added.
    Rounded {
        code: code.low(format.magnitude_bits()),
        integer: never,
        round_up: never,
        too_large: overflows,
        at_largest: never,
        vanishes: never,
        has_tail: tail.bits.any() | tail.sticky,
        flushed: never,
    }
}
