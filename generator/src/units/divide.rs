//! Division, roots and their reciprocals.
//!
//! ```text
//!   a, b  -> unpack -> normalize --+--> significands -> digits, a row each -> normalize -+
//!                                  +--> exponents ---> subtract ------------------------+-> encode
//!
//!   x     -> unpack -> normalize --+--> significand, times 2 if the exponent is odd -> digits, a row each -+
//!                                  +--> exponent ----> half ----------------------------------------------+-> encode
//! ```

use super::{
    assemble::Origin,
    class::Class,
    coded::Coded,
    digits::{
        ResultDigits, quotient, quotient_in_clocks, reciprocal_root, reciprocal_root_in_clocks, root, root_in_clocks,
    },
    exact::{ExactResult, Magnitude},
    flags::bits_to_look_at,
    iterate::Schedule,
    result::encode,
    sums::Code,
    target::Target,
    unpack::{Unpacked, unpack},
};
use binade_circuit::{Bits, Int, concat};
use binade_spec::{FLAG_BITS, Operation, Pair, Rounding, StageKind, Term, TermId};

/// The quotient of two codes, rounded.
pub fn divide<'c>(
    target: &Target,
    [a, b]: [&Code<'c>; 2],
    random: Option<Bits<'c>>,
    schedule: &Schedule<'c>,
) -> Coded<'c> {
    let circuit = b.bits.circuit();
    let operands = [a, b].map(unpacked);
    let [x, y] = &operands;
    circuit.section("Sign and class of the quotient");
    let (class, is_by_zero) = Class::of_quotient(&x.class, &y.class, b.format.has_minus_zero());
    let width = x.significand.width().max(y.significand.width());
    let significands = [x, y].map(|operand| {
        let significand = operand.significand_of_nonzero();
        significand.zeros_below(width - significand.width())
    });
    let digits = match schedule {
        Schedule::AtOnce => quotient(significands[0], significands[1], digits_below_leading(target)),
        Schedule::Clocked(clocks) => quotient_in_clocks(significands[0], significands[1], clocks),
    };
    let exponent = x.exponent.sub(y.exponent).named("exponent_difference").plus(-1);
    let exponent = schedule.held_number("exponent", exponent);
    let coded = rounded(target, class, magnitude(exponent, &digits), random, schedule);
    with_division_by_zero(coded, schedule.held("is_by_zero", is_by_zero))
}

/// The square root of a code, or its reciprocal, rounded.
pub fn square_root<'c>(
    target: &Target,
    x: &Code<'c>,
    is_reciprocal: bool,
    random: Option<Bits<'c>>,
    schedule: &Schedule<'c>,
) -> Coded<'c> {
    let circuit = x.bits.circuit();
    let zero_has_sign = x.format.has_minus_zero();
    let x = unpacked(x);
    circuit.section("Sign and class of the root");
    let (class, is_by_zero) = Class::of_root(&x.class, is_reciprocal, zero_has_sign);
    circuit.section("Radicand: in [1, 4), with an even exponent");
    let (half, is_odd) = x.exponent.half();
    let half = half.named("half_exponent");
    let significand = x.significand_of_nonzero();
    let zero = circuit.zero();
    let is_odd = is_odd.called("exponent_is_odd");
    let radicand = is_odd
        .select(
            concat(&[significand, zero]).called("doubled_significand"),
            concat(&[zero, significand]).called("significand"),
        )
        .named("radicand");
    let count = digits_below_leading(target);
    let half = schedule.held_number("half_exponent", half);
    let digits = match (schedule, is_reciprocal) {
        (Schedule::AtOnce, false) => root(radicand, count),
        (Schedule::AtOnce, true) => reciprocal_root(radicand, count),
        (Schedule::Clocked(clocks), false) => root_in_clocks(radicand, clocks),
        (Schedule::Clocked(clocks), true) => reciprocal_root_in_clocks(radicand, clocks),
    };
    let lower = if is_reciprocal { Int::constant(circuit, -1).sub(half) } else { half.plus(-1) };
    let coded = rounded(target, class, magnitude(lower, &digits), random, schedule);
    if is_reciprocal { with_division_by_zero(coded, schedule.held("is_by_zero", is_by_zero)) } else { coded }
}

/// The results of a division or root at this schedule.
///
/// # Panics
/// If the unit does not compute digits.
pub fn in_clocks<'c>(operation: &Operation, inputs: &[Bits<'c>], schedule: &Schedule<'c>) -> Vec<Bits<'c>> {
    let target = operation.target();
    let ports = operation.inputs();
    let formula = operation.formula().expect("a quotient or a root");
    let code = |id: TermId| match formula.terms()[id.0] {
        Term::Operand { port, .. } => Code::of_lane(operation.operand, inputs[port], ports[port].name, None),
        _ => Code::one(inputs[0].circuit()),
    };
    let port = operation.rounding_port();
    let random = port.map(|_| *inputs.last().expect("the port of the rounding is the last input"));
    let coded = match operation.first_stage() {
        Some(StageKind::Root { of, is_reciprocal }) => square_root(&target, &code(of), is_reciprocal, random, schedule),
        Some(StageKind::Quotient(Pair { codes: [a, b], .. })) => {
            divide(&target, [&code(a), &code(b)], random, schedule)
        }
        _ => unreachable!("{} does not compute digits", operation.unit),
    };
    [Some(coded.code), coded.flags].into_iter().flatten().collect()
}

/// Rounds the digits at the end of the schedule.
fn rounded<'c>(
    target: &Target,
    class: Class<'c>,
    magnitude: Magnitude<'c>,
    random: Option<Bits<'c>>,
    schedule: &Schedule<'c>,
) -> Coded<'c> {
    let class = schedule.held_class(class);
    let name = if target.rounding == Rounding::Any { "rm" } else { "random_bits" };
    let random = random.map(|random| schedule.held(name, random));
    encode(target, Origin::Arithmetic, &ExactResult { class, magnitude, payload: None }, random)
}

/// The steps of a unit that computes a digit of its result in each: those below the leading one; a quotient may have its leading one in
/// either of two places.
pub fn steps(operation: &Operation) -> Option<u32> {
    let below = digits_below_leading(&operation.target());
    let is_root = || matches!(operation.first_stage(), Some(StageKind::Root { .. }));
    operation.unit.computes_digits().then(|| if is_root() { below } else { below + 2 })
}

/// Unpacks a code, with its leading one on top.
pub fn unpacked<'c>(code: &Code<'c>) -> Unpacked<'c> {
    unpack(code.format, code.bits, &code.name).normalized(&code.name)
}

/// Digits below the leading one that a rounding looks at: those of the code and those below it.
pub fn digits_below_leading(target: &Target) -> u32 {
    target.format.precision() - 1 + bits_to_look_at(target, i64::MIN)
}

/// The magnitude with these digits; `lower` is the exponent of the lower place of the leading one.
fn magnitude<'c>(lower: Int<'c>, digits: &ResultDigits<'c>) -> Magnitude<'c> {
    let ResultDigits { fraction, sticky, is_upper } = *digits;
    let one = fraction.circuit().constant(1, 1);
    let exponent = match is_upper.known() {
        Some(upper) => lower.plus(upper as i64),
        None => lower.add(Int::unsigned(is_upper)),
    };
    Magnitude { exponent: exponent.named("exponent"), significand: concat(&[one, fraction, sticky]) }
}

/// The flag for a division by zero among the others, below invalid.
pub fn with_division_by_zero<'c>(coded: Coded<'c>, is_by_zero: Bits<'c>) -> Coded<'c> {
    let flags =
        coded.flags.map(|flags| concat(&[flags.msb(), is_by_zero.named("division_by_zero"), flags.low(FLAG_BITS - 1)]));
    Coded { flags, ..coded }
}
