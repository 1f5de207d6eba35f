//! The units `posit-decoder` and `posit-encoder`: the first and the last stage of posit arithmetic, for custom datapaths.

use super::{
    class::Class,
    exact::{ExactResult, Magnitude},
    posit,
    tapered::TaperedNumber,
    target::PositTarget,
    unpack::{self, Unpacked, posit::SignedPosit},
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{Posit, Significand};

/// Sign, zero, NaR, exponent and significand of a code.
pub fn posit_decoder<'c>(posit: &Posit, form: Significand, x: Bits<'c>) -> Vec<Bits<'c>> {
    x.circuit().section("Regime, exponent and fraction");
    let (class, exponent, significand) = match form {
        Significand::SignMagnitude => {
            let Unpacked { class, exponent, significand, .. } = unpack::posit::unpack(posit, x, "x");
            (class, exponent, significand)
        }
        Significand::TwosComplement => {
            let SignedPosit { class, exponent, significand } = unpack::posit::unpack_signed(posit, x, "x");
            (class, exponent, significand)
        }
    };
    vec![class.sign, class.is_zero, class.is_nan, exponent.low_bits(posit.exponent_port_bits()), significand]
}

/// The code of the parts. The significand has a guard bit (or as many bits as are random) below those of `posit_decoder`;
/// its top bit is assumed to be 1.
pub fn posit_encoder<'c>(target: &PositTarget, parts: [Bits<'c>; 6], random: Option<Bits<'c>>) -> Bits<'c> {
    let [sign, zero, nar, exponent, significand, sticky] = parts;
    let circuit = sign.circuit();
    let one = circuit.constant(1, 1);
    let never = circuit.zero();
    let exact = ExactResult {
        class: Class { sign, is_zero: zero, is_infinite: never, is_nan: nar, is_invalid: never },
        magnitude: Magnitude {
            exponent: Int::signed(exponent),
            significand: concat(&[one, significand.low(significand.width() - 1), sticky]),
        },
        payload: None,
    };
    posit::encode(target, &TaperedNumber::from(&exact), random)
}
