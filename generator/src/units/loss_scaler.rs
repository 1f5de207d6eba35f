//! Dynamic loss scaling: a scale that halves when gradients overflow, and doubles after a number of steps without overflow.

use super::unpack::unpack;
use binade_circuit::{Bits, Circuit, Part, concat};
use binade_spec::{LossScaler, Operation};

/// Codes of e8m0 are biased exponents; the last one is NaN.
const BIAS: i32 = 127;
const LARGEST: u128 = 254;

const OVERFLOW: Part = Part::repeated("overflow", "Whether a gradient is an infinity or a NaN.");

/// scale, scale32 and skip.
pub fn loss_scaler<'c>(operation: &Operation, [g, step]: [Bits<'c>; 2]) -> Vec<Bits<'c>> {
    let circuit = g.circuit();
    let overflows = any_overflow(operation, g);
    circuit.section("Overflow since the last step");
    let seen = circuit.register("overflow_seen", 1, 0, "whether a gradient has overflowed since the last step");
    let overflows = (overflows | seen).named("overflows");
    circuit.drive(seen, overflows & !step);
    let skip = (step & overflows).called("skips");
    let doubles = (step & !overflows & is_last(operation, circuit, step, skip)).named("is_due");
    circuit.section("Scale");
    let start = (operation.settings::<LossScaler>().start + BIAS) as u128;
    let scale = circuit.register("scale_code", 8, start, "exponent of the scale + 127");
    let is_least = scale.none().named("is_least");
    let halves = (skip & !is_least).named("halves");
    let doubles = (doubles & !scale.equals_constant(LARGEST)).named("doubles");
    let change = concat(&[halves.repeat(7), halves | doubles]).explained("change", "-1, 0 or 1");
    circuit.drive(scale, scale.add(change));
    let scale32 = concat(&[circuit.zero(), scale, is_least, circuit.constant(0, 22)]);
    let scale32 = scale32.explained("scale_of_step", "bit 22 is that of 2^-127, a subnormal of binary32");
    vec![scale, scale32, skip]
}

/// Whether one of the gradients is an infinity or a NaN.
fn any_overflow<'c>(operation: &Operation, g: Bits<'c>) -> Bits<'c> {
    let width = operation.operand.width();
    let lanes = (0..operation.lanes()).map(|lane| {
        let name = if operation.lanes() == 1 { "g".into() } else { format!("g{lane}") };
        let code = g.slice((lane + 1) * width - 1, lane * width);
        let lane = name.trim_start_matches('g');
        g.circuit().part(OVERFLOW, lane, || {
            let class = unpack(operation.operand, code, &name).class;
            (class.is_infinite | class.is_nan).named(format!("{name}_overflows"))
        })
    });
    lanes.reduce(|any, overflows| any | overflows).expect("there is a lane").called("any_overflows")
}

/// Whether the scale is due to double with this step, if the step is good; `skip` says that it is not.
fn is_last<'c>(operation: &Operation, circuit: &'c Circuit, step: Bits<'c>, skip: Bits<'c>) -> Bits<'c> {
    circuit.section("Good steps until the scale doubles");
    let most = operation.settings::<LossScaler>().interval - 1;
    if most == 0 {
        return circuit.ones(1);
    }
    let width = most.ilog2() + 1;
    let first = circuit.constant(most.into(), width);
    let left = circuit.register("steps_left", width, most.into(), "good steps before the one that doubles the scale");
    let is_last = left.none().named("is_last");
    let starts_again = (skip | (step & is_last)).named("starts_again");
    circuit.drive(left, starts_again.select(first, left.sub(step.zext(width))));
    is_last
}
