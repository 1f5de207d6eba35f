//! Facts about vectors with known results.

use crate::common::y;
use binade_golden::{Codec, Fact, Landing, Model, Region, Rest, Step, Sum, Value};
use binade_spec::{Activation, Class, Meaning, Operation, Overflow, Rounding, Selection, TermId, Unit};

fn selection(unit: Unit, format: &str) -> Selection {
    Selection::new(unit, format.parse().unwrap())
}

fn operation(selection: Selection) -> Operation {
    selection.operation().unwrap()
}

/// The facts about one vector, by the role of the terms.
struct Seen {
    sum: Option<Sum>,
    product: Option<Landing>,
    result: Option<Landing>,
    output: Option<Landing>,
    rectified: bool,
    y: u64,
}

fn seen(operation: &Operation, inputs: &[u64]) -> Seen {
    let Meaning::Formula(formula) = operation.meaning() else { panic!("{} is no formula", operation.unit) };
    let facts = Model::new(operation).examine(inputs);
    let codes: Vec<TermId> = formula.results().collect();
    let product = formula.roundings().map(|(id, _)| id).find(|id| !codes.contains(id));
    Seen {
        sum: facts.terms.iter().find_map(|fact| if let Fact::Sum(sum) = fact { Some(*sum) } else { None }),
        product: product.and_then(|id| facts.landing(id)),
        result: facts.landing(codes[0]),
        output: codes.get(1).and_then(|&id| facts.landing(id)),
        rectified: facts.terms.contains(&Fact::Rectified),
        y: facts.outputs[0] as u64,
    }
}

fn facts(unit: Unit, format: &str, inputs: &[u64]) -> Seen {
    seen(&operation(selection(unit, format)), inputs)
}

fn landing(unit: Unit, format: &str, inputs: &[u64]) -> Landing {
    facts(unit, format, inputs).result.expect("the exact result is a nonzero number")
}

const ONE: u64 = 0x3c00;

/// binary16: 1 and the values after it.
#[test]
fn ties_of_both_parities() {
    // 2^-11 is half of the step above 1.
    let even = landing(Unit::Add, "binary16", &[ONE, 0x1000]);
    assert_eq!((even.rest, even.is_odd, even.goes_up, even.step), (Rest::Half, false, false, Step::None));
    let odd = landing(Unit::Add, "binary16", &[ONE + 1, 0x1000]);
    assert_eq!((odd.rest, odd.is_odd, odd.goes_up, odd.step), (Rest::Half, true, true, Step::WithinBinade));
    let below = landing(Unit::Add, "binary16", &[ONE, 0x0fff]);
    assert_eq!((below.rest, below.goes_up), (Rest::LessThanHalf, false));
    let above = landing(Unit::Add, "binary16", &[ONE, 0x1001]);
    assert_eq!((above.rest, above.goes_up), (Rest::MoreThanHalf, true));
    let exact = landing(Unit::Add, "binary16", &[ONE, 0x1400]);
    assert_eq!((exact.rest, exact.is_odd, exact.region), (Rest::Zero, true, Region::Normal));
}

#[test]
fn rounding_carries_into_the_next_binade() {
    // 2 - 2^-10, and half a step more.
    let carried = landing(Unit::Add, "binary16", &[0x3fff, 0x1000]);
    assert_eq!((carried.rest, carried.step, carried.class), (Rest::Half, Step::NextBinade, Class::Normal));
}

#[test]
fn the_largest_subnormal_becomes_normal() {
    // 1023.5 * 2^-24 from binary32.
    let code = f32::to_bits(1023.5 * f32::powi(2.0, -24));
    let landed = landing(Unit::Encode, "binary16", &[code.into()]);
    assert_eq!((landed.region, landed.step, landed.class), (Region::Subnormal, Step::SubnormalToNormal, Class::Normal));
    let code = f32::to_bits(-f32::powi(2.0, -25) * 1.5);
    let landed = landing(Unit::Encode, "binary16", &[code.into()]);
    assert_eq!((landed.region, landed.step, landed.negative), (Region::BelowSmallest, Step::ToSmallest, true));
    assert_eq!((landed.rest, landed.class), (Rest::MoreThanHalf, Class::Subnormal));
    let landed = landing(Unit::Encode, "binary16", &[f32::to_bits(f32::powi(2.0, -25)).into()]);
    assert_eq!((landed.rest, landed.class, landed.overflows), (Rest::Half, Class::Zero, false));
}

#[test]
fn overflow_is_exact_or_not() {
    // 2^15 + 2^15 is the value that would come next; 65519 and 65520 lie on either side of the bound.
    let exact = landing(Unit::Add, "binary16", &[0x7800, 0x7800]);
    assert_eq!((exact.region, exact.rest, exact.overflows), (Region::Beyond, Rest::Zero, true));
    assert_eq!((exact.class, exact.step), (Class::Infinity, Step::None));
    let encoded = |value: f32| landing(Unit::Encode, "binary16", &[value.to_bits().into()]);
    assert_eq!((encoded(65519.0).region, encoded(65519.0).overflows), (Region::AboveLargest, false));
    assert_eq!((encoded(65520.0).rest, encoded(65520.0).step), (Rest::Half, Step::ToOverflow));
    assert!(encoded(65520.0).overflows && encoded(65520.0).class == Class::Infinity);
    let saturating = operation(Selection { overflow: Overflow::Saturate, ..selection(Unit::Add, "binary16") });
    let saturated = seen(&saturating, &[0x7800, 0x7800]).result.unwrap();
    assert_eq!((saturated.overflows, saturated.class), (true, Class::Normal));
}

#[test]
fn cancellation_counts_leading_bits() {
    let sum = |a, b| facts(Unit::Add, "binary16", &[a, b]).sum.unwrap();
    let negative = 0x8000;
    assert_eq!(sum(ONE, ONE | negative).canceled, None, "exactly zero");
    assert!(facts(Unit::Add, "binary16", &[ONE, ONE | negative]).result.is_none());
    assert_eq!(sum(ONE, (ONE + 1) | negative).canceled, Some(10));
    assert_eq!(sum(ONE, (ONE - 1) | negative).canceled, Some(11), "1 - (1 - 2^-11)");
    assert_eq!(sum(ONE, ONE).canceled, Some(0));
    let far = sum(0x1400, ONE | negative);
    assert_eq!((far.difference, far.is_subtraction, far.canceled), (-10, true, Some(1)));
    assert!(facts(Unit::Add, "binary16", &[0, ONE]).sum.is_none(), "zero is no term");
    // A product of 2^-28 and an addend of 1, and terms too far apart for a machine word.
    assert_eq!(facts(Unit::Fmac, "binary16", &[0x0400, 0x0400, 0x3f80_0000]).sum.unwrap().difference, -28);
    let wide = facts(Unit::Fmac, "binary32", &[0x7f00_0000, 0x7f00_0000, 0x8000_0001]);
    assert_eq!(wide.sum.unwrap().difference, 254 + 149);
    assert_eq!(wide.result.unwrap().region, Region::Beyond);
}

/// Between 1.75 * 2^14 and 2^15, and among the powers of two on either side.
#[test]
fn supernormal_edges() {
    let encoded = |value: f64| landing(Unit::Encode, "e5m2b1", &[f32::to_bits(value as f32).into()]);
    let up = encoded(1.9 * 2f64.powi(14));
    assert_eq!((up.region, up.step, up.class), (Region::Normal, Step::NormalToUpper, Class::UpperSupernormal));
    let tie = encoded(1.5 * 2f64.powi(15));
    assert_eq!((tie.region, tie.rest, tie.is_odd, tie.goes_up), (Region::UpperSupernormal, Rest::Half, false, false));
    let tie = encoded(1.5 * 2f64.powi(16));
    assert_eq!((tie.rest, tie.is_odd, tie.goes_up, tie.step), (Rest::Half, true, true, Step::NextBinade));
    let last = encoded(1.75 * 2f64.powi(17));
    assert_eq!((last.region, last.step, last.overflows), (Region::AboveLargest, Step::ToOverflow, true));
    let low = encoded(1.75 * 2f64.powi(-16));
    assert_eq!((low.region, low.step), (Region::LowerSupernormal, Step::LowerToNormal));
}

#[test]
fn posits_saturate_and_change_regime() {
    // minpos * minpos, and maxpos * maxpos.
    let small = landing(Unit::Mul, "posit16_1", &[1, 1]);
    assert_eq!((small.region, small.goes_up, small.class), (Region::BelowSmallest, true, Class::Minpos));
    let large = landing(Unit::Mul, "posit16_1", &[0x7fff, 0x7fff]);
    assert_eq!((large.region, large.overflows, large.class), (Region::AboveLargest, true, Class::Maxpos));
    // 4 - 2^-11: the last posit of regime 0. Half of its step is 2^-12.
    let up = landing(Unit::Add, "posit16_1", &[0x5fff, 0x0100]);
    assert_eq!(up.class, Class::Ordinary);
    assert_eq!(up.step, Step::NextRegime);
}

#[test]
fn mac_rounds_twice_and_outputs_follow() {
    let mac = operation(Selection {
        accumulator: Some("e5m2".parse().unwrap()),
        output: Some("e2m1f".parse().unwrap()),
        activation: Some(Activation::Relu),
        ..selection(Unit::Mac, "e5m2")
    });
    // 1.25 * 1.25 = 1.5625 is 1.5 and a quarter of a step; 1.5 + 1 = 2.5; in e2m1f 2.5 is a tie.
    let facts = seen(&mac, &[0x3d, 0x3d, 0x3c]);
    assert_eq!(facts.product.unwrap().rest, Rest::LessThanHalf);
    assert_eq!(facts.result.unwrap().rest, Rest::Zero);
    assert_eq!((facts.output.unwrap().rest, facts.rectified), (Rest::Half, false));
    let negative = seen(&mac, &[0x3d, 0xbd, 0]);
    assert_eq!((negative.output, negative.rectified), (None, true));
}

/// The facts about the result agree with the result of the operation.
#[test]
fn facts_agree_with_results() {
    for name in ["e3m2", "e3m2b1", "e3m2fn", "e3m2n", "e3m2ns", "k5p3se", "k5p2uf", "posit6_1"] {
        for rounding in [Rounding::Rne, Rounding::Rtz, Rounding::Rup, Rounding::Rto, Rounding::Sr(2)] {
            let multiply = operation(Selection { rounding: Some(rounding), ..selection(Unit::Mul, name) });
            let codes = 1_u64 << multiply.operand.width();
            for (a, b) in (0..codes).flat_map(|a| (0..codes).map(move |b| (a, b))) {
                let inputs = [a, b, a & 3];
                let inputs = &inputs[..multiply.inputs().len()];
                let facts = seen(&multiply, inputs);
                assert_eq!(facts.y, y(&multiply, inputs));
                let (Value::Finite(x), Value::Finite(y)) =
                    (multiply.operand.decode(a.into()), multiply.operand.decode(b.into()))
                else {
                    assert_eq!(facts.result, None);
                    continue;
                };
                let landing = facts.result.expect("a product of numbers is a number");
                assert_eq!(landing.class, multiply.result.class(facts.y.into()), "{name} {rounding} {a:#x} * {b:#x}");
                let exact = binade_golden::Exact { negative: x.negative ^ y.negative, n: x.n * y.n, k: x.k + y.k };
                let is_exact = multiply.result.decode(facts.y.into()) == Value::Finite(exact);
                let stays = !landing.overflows && landing.class.is_number() && landing.region != Region::BelowSmallest;
                assert_eq!(is_exact, stays && landing.rest == Rest::Zero, "{name} {rounding} {a:#x} * {b:#x}");
            }
        }
    }
}

#[test]
fn every_code_is_of_a_class_that_its_format_has() {
    for name in
        ["e3m2", "e3m2b1", "e3m2b1,sat", "e3m2fn", "e3m2n", "e3m2ns", "e5m0", "k5p2uf", "k5p1se", "e8m0", "posit6_1"]
    {
        let format: binade_spec::Format = name.parse().unwrap();
        for code in 0..1_u64 << format.width() {
            let class = format.class(code.into());
            let [first, last] = format.class_codes(class).unwrap_or_else(|| panic!("{name} has no {}", class.name()));
            let magnitude = if class.is_nan() { first } else { format.magnitude(code.into()) };
            assert!((first..=last).contains(&magnitude), "{name} {code:#x} {}", class.name());
        }
    }
}
