//! `dot-stream`, rounding after rounding.

use crate::arithmetic::Random;
use crate::number::Number;
use crate::{Bits, Codes, Model, Policy};
use binade_spec::{Format, Overflow, PositRange, Products, Summation};

/// One clock. The state is the sum; with blocks, the sum of the current block, the sum of earlier blocks, and the
/// number of products in the current block.
pub(super) fn step<W: Bits>(model: &Model, state: &mut [u128], inputs: &[W], outputs: &mut [u128]) {
    let target = &model.result;
    let rounding = model.policy(&mut Random(0));
    let [a, b] = [0, 1].map(|port: usize| {
        let code = inputs[port].field(0, model.operand.width());
        Number::from(model.operand.decode(code))
    });
    let product = Number::product(&a, &b);
    let product = if model.rounds_products() { number(target, rounded(target, &product, &rounding)) } else { product };
    let is_cleared = inputs[2].field(0, 1) == 1;
    let acc = number(target, if is_cleared { target.zero_code(false) } else { state[0] });
    let acc = rounded(target, &Number::sum(&[&product, &acc], model.rounding), &rounding);
    if model.settings::<Products>().summation == Summation::Chain {
        (state[0], outputs[0]) = (acc, acc);
        return;
    }
    let wide = Codes::new(Format::binary32());
    let wide_rounding = Policy {
        rounding: wide.own_rounding(model.rounding),
        overflow: Overflow::default(),
        posit_range: PositRange::default(),
        random: 0,
    };
    let [before, count] = if is_cleared { [0, 0] } else { [state[1], state[2]] };
    let sum = Number::sum(&[&number(&wide, before), &number(target, acc)], wide_rounding.rounding);
    let total = rounded(&wide, &sum, &wide_rounding);
    outputs[0] = converted(target, &wide, total, &rounding);
    let is_complete = count + 1 == u128::from(model.block());
    let next = if is_complete { [target.zero_code(false), total, 0] } else { [acc, before, count + 1] };
    state.copy_from_slice(&next);
}

fn number(format: &Codes, code: u128) -> Number {
    format.decode(code).into()
}

fn rounded(format: &Codes, number: &Number, policy: &Policy) -> u128 {
    let (code, _) = format.encode_number(number, policy, None);
    format.without_idle_sign(code)
}

/// A sum in the result's format. As in every conversion, its sign is kept even where the sign of zero and NaN is
/// ignored.
fn converted(format: &Codes, wide: &Codes, total: u128, policy: &Policy) -> u128 {
    let (code, _) = format.encode_number(&number(wide, total), policy, None);
    let keeps_sign = format.ignores_sign_of_specials() && total & wide.sign_mask() != 0;
    code | if keeps_sign { format.sign_mask() } else { 0 }
}
