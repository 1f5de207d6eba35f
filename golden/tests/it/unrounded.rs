//! The exact result in reports rounds to the result.

use crate::common::words;
use crate::common::{Random, format};
use binade_golden::{Codec, Exact, Model, Number, Policy, Unrounded, Value};
use binade_spec::{Activation, Format, Operation, OutputConversion, Rounding, Unit};

/// Rounds the result of `unrounded`, if that is one value; `random` are the bits of this rounding.
fn rounded(operation: &Operation, result: Format, exact: Unrounded, random: u64) -> Option<u64> {
    let Unrounded::Value(number) = exact else { return None };
    let value = number.small()?;
    // Conversions keep the payload of a NaN.
    if value == Value::Nan && operation.unit != Unit::Fmac {
        return None;
    }
    let Operation { rounding, overflow, posit_range, .. } = *operation;
    Some(result.encode_by(value, &Policy { rounding, overflow, posit_range, random }) as u64)
}

/// Random words of all inputs.
fn vectors(operation: &Operation) -> Vec<Vec<u64>> {
    let mut random = Random(9);
    let widths: Vec<u32> = operation.inputs().iter().map(|port| port.width()).collect();
    (0..4000).map(|_| widths.iter().map(|width| random.bits() >> (64 - width)).collect()).collect()
}

fn check(operation: Operation) {
    let (bits, mut compared) = (operation.rounding.random_bits(), 0);
    for inputs in vectors(&operation) {
        let y = words(&operation, &inputs)[0];
        let exact = Model::new(&operation).unrounded(&inputs, "y").expect("y is rounded");
        // A mac takes the first bits for its product.
        let skipped = if operation.unit == Unit::Mac { bits } else { 0 };
        let random = if bits > 0 { inputs[inputs.len() - 1] >> skipped & ((1 << bits) - 1) } else { 0 };
        if let Some(code) = rounded(&operation, operation.result, exact.clone(), random) {
            assert_eq!(code, y, "{operation:?} {inputs:x?}: {exact}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "{operation:?}: {compared}");
}

#[test]
fn the_exact_result_rounds_to_the_result() {
    for (operand, result) in [("e5m2b1", "binary16"), ("e4m3fn", "binary16"), ("posit8_2", "posit16_2")] {
        let [operand, result] = [operand, result].map(format);
        for unit in [Unit::Fmac, Unit::Mac, Unit::Convert, Unit::Encode] {
            check(Operation::new(unit, operand, result));
        }
        check(Operation::new(Unit::Mul, result, result));
        check(Operation::new(Unit::Add, result, result));
    }
    check(Operation::new(Unit::PositEncoder, format("posit16_1"), format("posit16_1")));
    for rounding in [Rounding::Rdn, Rounding::Sr(4)] {
        for unit in [Unit::Fmac, Unit::Mac] {
            check(Operation { rounding, ..Operation::new(unit, format("e5m2"), format("binary16")) });
        }
    }
}

#[test]
fn the_output_is_rounded_from_the_activated_accumulator() {
    let output = OutputConversion { format: format("e4m3fn"), activation: Some(Activation::Relu) };
    let fmac = Operation::new(Unit::Fmac, format("e4m3fn"), format("binary16"));
    let operation = Operation { output: Some(output), ..fmac };
    for inputs in vectors(&operation) {
        let out = words(&operation, &inputs)[1];
        let exact = Model::new(&operation).unrounded(&inputs, "y_out").unwrap();
        assert_eq!(rounded(&operation, output.format, exact.clone(), 0), Some(out), "{inputs:x?}: {exact}");
    }
}

#[test]
fn far_terms_are_shown_side_by_side() {
    let add = Operation::new(Unit::Add, Format::binary32(), Format::binary32());
    assert_eq!(
        Model::new(&add).unrounded(&[0x7f00_0000_u64, 0x8000_0001], "y").unwrap().to_string(),
        "1*2^127 - 1*2^-149"
    );
    assert_eq!(Model::new(&add).unrounded(&[0x3fc0_0000_u64, 0xbf80_0000], "y").unwrap().to_string(), "1*2^-1");
    let canceled =
        |rounding| Model::new(&Operation { rounding, ..add }).unrounded(&[0x3fc0_0000_u64, 0xbfc0_0000], "y").unwrap();
    assert_eq!(canceled(Rounding::Rne), Unrounded::Value(Number::Zero { negative: false }));
    assert_eq!(canceled(Rounding::Rdn), Unrounded::Value(Number::Zero { negative: true }));
    let exact = Exact { negative: true, n: 3, k: -1 };
    assert_eq!(Unrounded::Value(Value::Finite(exact).into()).to_string(), "-1.5*2^0");
    let decoder = Operation::new(Unit::PositDecoder, format("posit8_2"), format("posit8_2"));
    assert_eq!(Model::new(&decoder).unrounded(&[0x40_u64], "exponent"), None);
}
