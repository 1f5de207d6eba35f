//! Functions against mpmath's values (`data/functions.py` writes them), and at special operands.

use crate::common::{format, words, y};
use binade_golden::{Codes, Literal, Model, Policy};
use binade_spec::{Function, Kind, OfFunction, Operation, Overflow, Rounding, Tininess, Unit};

fn operation(function: Function, operand: &str, result: &str) -> Operation {
    Operation {
        kind: Kind::Function(OfFunction { function }),
        ..Operation::new(Unit::Function, format(operand), format(result))
    }
}

const ROUNDINGS: [Rounding; 4] = [Rounding::Rne, Rounding::Rtz, Rounding::Rup, Rounding::Rdn];

#[test]
fn values_are_those_of_mpmath() {
    let mut count = 0;
    for line in include_str!("../data/functions.csv").lines() {
        let [name, x, value]: [&str; 3] = line.split(',').collect::<Vec<_>>().try_into().expect("three columns");
        let function: Function = name.parse().expect("a function");
        let [x, value]: [Literal; 2] = [x, value].map(|text| text.parse().expect("a number"));
        let operand = Codes::new(format("bfloat16"));
        let x = operand.encode_literal(&x, &Policy::new(Rounding::Rne, Overflow::Inf)) as u64;
        for result in ["bfloat16", "binary32", "posit16_1"] {
            for rounding in ROUNDINGS {
                let operation = Operation { rounding, ..operation(function, "bfloat16", result) };
                let want = Codes::new(format(result)).encode_literal(&value, &Policy::new(rounding, Overflow::Inf));
                assert_eq!(u128::from(y(&operation, &[x])), want, "{line} {result} {rounding}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 18 * 60 * 3 * 4);
}

/// IEEE 754-2019 section 9.2.1, in binary16: the results for -infinity, -1, -0, +0, 1, +infinity, and their flags from
/// invalid down.
#[test]
fn special_operands() {
    let (minus_infinity, minus_one, minus_zero, zero, one, infinity) = (0xfc00, 0xbc00, 0x8000, 0, 0x3c00, 0x7c00);
    let (nan, half) = (0x7e00, 0x3800);
    let (invalid, division, inexact) = (16, 8, 1);
    let at = |function: Function| {
        let operation = Operation { flags: Some(Tininess::After), ..operation(function, "binary16", "binary16") };
        [minus_infinity, minus_one, minus_zero, zero, one, infinity].map(|x| {
            let words = words(&operation, &[x]);
            (words[0], words[1])
        })
    };
    let [low, _, minus, plus, _, high] = at(Function::Exp);
    assert_eq!([low, minus, plus, high], [(zero, 0), (one, 0), (one, 0), (infinity, 0)]);
    assert_eq!(at(Function::Exp2)[1..5], [(half, 0), (one, 0), (one, 0), (0x4000, 0)]);
    let [low, _, minus, plus, _, high] = at(Function::Expm1);
    assert_eq!([low, minus, plus, high], [(minus_one, 0), (minus_zero, 0), (zero, 0), (infinity, 0)]);
    for function in [Function::Log, Function::Log2] {
        let pole = (minus_infinity, division);
        assert_eq!(at(function), [(nan, invalid), (nan, invalid), pole, pole, (zero, 0), (infinity, 0)]);
    }
    let log1p = [(nan, invalid), (minus_infinity, division), (minus_zero, 0), (zero, 0)];
    assert_eq!(at(Function::Log1p)[..4], log1p);
    for function in [Function::Sin, Function::Cos] {
        let [low, _, minus, plus, _, high] = at(function);
        assert_eq!([low, high], [(nan, invalid); 2]);
        let zeros = if function == Function::Sin { [(minus_zero, 0), (zero, 0)] } else { [(one, 0); 2] };
        assert_eq!([minus, plus], zeros);
    }
    for function in [Function::Tanh, Function::Erf] {
        let [low, _, minus, plus, _, high] = at(function);
        assert_eq!([low, minus, plus, high], [(minus_one, 0), (minus_zero, 0), (zero, 0), (one, 0)]);
    }
    let [low, _, minus, plus, _, high] = at(Function::Sigmoid);
    assert_eq!([low, minus, plus, high], [(zero, 0), (half, 0), (half, 0), (one, 0)]);
    // log 2 = 0.6931
    let [low, _, minus, plus, _, high] = at(Function::Softplus);
    assert_eq!([low, minus, plus, high], [(zero, 0), (0x398c, inexact), (0x398c, inexact), (infinity, 0)]);
    for function in [Function::Gelu, Function::GeluTanh, Function::Silu] {
        let [low, _, minus, plus, _, high] = at(function);
        assert_eq!([low, minus, plus, high], [(minus_zero, 0), (minus_zero, 0), (zero, 0), (infinity, 0)]);
    }
    let poles = [(minus_infinity, division), (infinity, division)];
    assert_eq!(at(Function::Recip), [(minus_zero, 0), (minus_one, 0), poles[0], poles[1], (one, 0), (zero, 0)]);
    let outside = [(nan, invalid); 2];
    assert_eq!(at(Function::Rsqrt), [outside[0], outside[1], poles[0], poles[1], (one, 0), (zero, 0)]);
    let cbrt = [(minus_infinity, 0), (minus_one, 0), (minus_zero, 0), (zero, 0), (one, 0), (infinity, 0)];
    assert_eq!(at(Function::Cbrt), cbrt);
}

/// P3109's formats have one zero: its reciprocals are NaN, and its logarithm is -infinity.
#[test]
fn zeros_without_a_sign() {
    let at_zero = |function| y(&operation(function, "k8p3se", "k8p3se"), &[0]);
    let [nan, minus_infinity] = [0x80, 0xff];
    assert_eq!([Function::Recip, Function::Rsqrt].map(at_zero), [nan; 2]);
    assert_eq!([Function::Log, Function::Log2].map(at_zero), [minus_infinity; 2]);
}

/// No result is neither exact nor found: each code of some formats has one, within the range of the function.
#[test]
fn every_code_has_a_result() {
    for function in Function::ALL {
        for name in ["e5m2", "e4m3fn", "posit8_2", "k8p1se", "int8", "e8m0"] {
            let model = Model::new(&operation(function, name, name));
            for x in 0..256_u64 {
                let y = y(model.operation(), &[x]);
                assert!(y < 256, "{function} {name} {x:#x}");
            }
        }
    }
}
