//! The units `posit-decoder` and `posit-encoder`: the first and the last stage of posit arithmetic, for datapaths of one's own.

use super::{
    round::{ExactResult, Magnitude},
    round_posit::posit_code,
    target::PositTarget,
    unpack_posit::unpack_posit,
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::Posit;

/// Sign, zero, NaR, exponent and significand of a code.
pub fn posit_decoder<'c>(posit: &Posit, x: Bits<'c>) -> Vec<Bits<'c>> {
    x.circuit().section("Regime, exponent and fraction");
    let parts = unpack_posit(posit, x, "x");
    let exponent = parts.exponent.low_bits(posit.exponent_port_bits());
    vec![parts.sign, parts.is_zero, parts.is_nan, exponent, parts.significand]
}

/// The code of the parts. The significand has a guard bit (or as many as are random) below those of `posit_decoder`; its
/// leading one is taken for granted.
pub fn posit_encoder<'c>(target: &PositTarget, parts: [Bits<'c>; 6], random: Option<Bits<'c>>) -> Bits<'c> {
    let [sign, zero, nar, exponent, significand, sticky] = parts;
    let circuit = sign.circuit();
    let one = circuit.constant(1, 1);
    let exact = ExactResult {
        sign,
        magnitude: Magnitude {
            exponent: Int::signed(exponent),
            significand: concat(&[one, significand.low(significand.width() - 1), sticky]),
        },
        is_zero: zero,
        is_infinite: circuit.zero(),
        is_nan: nar,
        payload: None,
        is_invalid: circuit.zero(),
    };
    posit_code(target, &exact, random)
}
