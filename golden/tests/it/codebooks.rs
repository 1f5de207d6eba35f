//! A codebook of 16 values, in a family of its own, must satisfy what every format satisfies. The second definition is
//! the list itself, searched from end to end.

use binade_golden::{Codec, Codes, Exact, Landing, Model, Policy, Region, Step, Value};
use binade_spec::{
    Codebook, Family, Format, Operation, OperationError, Overflow, PositRange, Rounding, Selection, Target, Unit,
};

/// A list with unequal steps and binades, and an odd largest magnitude.
const LIST: [u64; 8] = [0, 1, 2, 3, 5, 8, 14, 21];

/// log2 of the list's unit.
const EXPONENT: i32 = -3;

const DIRECTIONS: [Rounding; 6] =
    [Rounding::Rne, Rounding::Rna, Rounding::Rtz, Rounding::Rup, Rounding::Rdn, Rounding::Rto];

fn codebook() -> Format {
    Format::from(Codebook::new(&LIST, EXPONENT)).check().expect("a codebook")
}

/// The code of `number / 2^shift` units of the list, rounded once.
fn nearest(number: i64, shift: u32, rounding: Rounding) -> u128 {
    let magnitude = number.unsigned_abs();
    let value = |index: usize| LIST[index] << shift;
    let low = (0..LIST.len()).rfind(|&index| value(index) <= magnitude).expect("0 is in the list");
    let goes_up = LIST.get(low + 1).is_some_and(|_| {
        let [below, above] = [magnitude - value(low), value(low + 1) - magnitude];
        match rounding {
            Rounding::Rne => below > above || below == above && low % 2 == 1,
            Rounding::Rna => below >= above,
            Rounding::Rup => below > 0 && number > 0,
            Rounding::Rdn => below > 0 && number < 0,
            Rounding::Rto => below > 0 && low % 2 == 0,
            _ => false,
        }
    });
    let sign = if number < 0 { LIST.len() } else { 0 };
    (sign + low + usize::from(goes_up)) as u128
}

fn value(number: i64, shift: u32) -> Value {
    match number {
        0 => Value::Zero { negative: false },
        _ => Value::Finite(Exact { negative: number < 0, n: number.unsigned_abs().into(), k: EXPONENT - shift as i32 }),
    }
}

fn integer(code: u128) -> i64 {
    let magnitude = LIST[code as usize % LIST.len()] as i64;
    if code < LIST.len() as u128 { magnitude } else { -magnitude }
}

#[test]
fn every_code_is_its_place_in_the_list() {
    let format = codebook();
    assert_eq!((format.width(), format.precision(), format.min_exponent(), format.max_exponent()), (4, 5, -3, 1));
    for code in 0..16 {
        let want = match integer(code) {
            0 => Value::Zero { negative: code == 8 },
            n => value(n, 0),
        };
        assert_eq!(format.decode(code), want, "{code}");
        assert_eq!(integer(format.negated(code)), -integer(code));
        assert_eq!(format.code(code >= 8, format.magnitude(code)), code);
        assert_eq!(format.class(code).is_number(), integer(code) != 0);
    }
    assert_eq!(format.fields(0xd), "1 101");
}

#[test]
fn every_rounding_is_a_search_in_the_list() {
    let format = codebook();
    for rounding in DIRECTIONS {
        for number in -400..=400 {
            let code = format.encode(value(number, 4), rounding, Overflow::Inf);
            assert_eq!(code, nearest(number, 4, rounding), "{number}/16 {rounding}");
        }
    }
    for negative in [false, true] {
        let code = format.encode(Value::Infinite { negative }, Rounding::Rne, Overflow::Inf);
        assert_eq!(integer(code), if negative { -21 } else { 21 });
    }
    assert_eq!(format.encode(Value::Nan, Rounding::Rne, Overflow::Inf), 0);
}

#[test]
fn random_words_round_up_as_often_as_the_number_is_far() {
    let format = codebook();
    let bits = 4;
    for number in 1..21 * 32 {
        let low = LIST.iter().rposition(|&magnitude| magnitude << 5 <= number).expect("0 is in the list");
        let [below, step] = [number - (LIST[low] << 5), (LIST[low + 1] - LIST[low]) << 5];
        let away = (0..1 << bits).filter(|&random| {
            let policy = Policy { random, ..Policy::new(Rounding::Sr(bits), Overflow::Inf) };
            format.encode_by(value(number as i64, 5), &policy) == low as u128 + 1
        });
        assert_eq!(away.count() as u64, (below << bits) / step, "{number}/32");
    }
}

#[test]
fn sums_and_products_are_those_of_the_list() {
    let format = codebook();
    let e5m2 = "e5m2".parse().expect("a format");
    for (unit, shift) in [(Unit::Add, 0), (Unit::Sub, 0), (Unit::Mul, 3)] {
        let plain = Selection::new(unit, e5m2).operation().expect("a unit of e5m2");
        let model = Model::new(&Operation { operand: format, result: format, ..plain });
        for (a, b) in (0..16_u32).flat_map(|a| (0..16).map(move |b| (a, b))) {
            let [x, y] = [a, b].map(|code| integer(code.into()));
            let (exact, is_zero) = match unit {
                Unit::Add => (x + y, x + y == 0),
                Unit::Sub => (x - y, x - y == 0),
                _ => (x * y, x * y == 0),
            };
            let result = model.evaluate(&[a, b])[0].clone();
            let want = nearest(exact, shift, Rounding::Rne);
            let code = (0..16_u32).find(|&code| result == code.into()).expect("a code of 4 bits");
            // The sign of a zero is IEEE 754's, which other tests check.
            assert!(
                if is_zero { code % 8 == 0 } else { u128::from(code) == want },
                "{unit} of {a:x} and {b:x}: {code:x}"
            );
        }
    }
}

#[test]
fn a_landing_says_what_was_stepped_over() {
    let codes = Codes::new(codebook());
    let target = Target {
        format: codebook(),
        rounding: Rounding::Rna,
        overflow: Overflow::Inf,
        posit_range: PositRange::Saturate,
        flags: None,
    };
    let landed = |number: u64| codes.landing(&target, Exact { negative: false, n: number.into(), k: EXPONENT - 1 }, 0);
    for (number, region, step) in [
        (1, Region::BelowSmallest, Step::ToSmallest),
        (5, Region::Ordinary, Step::WithinBinade),
        (7, Region::Ordinary, Step::None),
        (8, Region::Ordinary, Step::NextBinade),
        (43, Region::AboveLargest, Step::None),
    ] {
        let Landing { region: got, step: over, .. } = landed(number);
        assert_eq!((got, over), (region, step), "{number}/2");
    }
}

#[test]
fn lists_that_are_no_codebook_are_refused() {
    for list in [&[0, 1, 2][..], &[1, 2], &[0, 2, 2, 3], &[0]] {
        let error = Format::from(Codebook::new(list, 0)).check().expect_err("no codebook");
        assert!(error.to_string().contains("a power of two of them"), "{error}");
    }
    assert!(Format::from(Codebook::new(&[0, 1], 40_000)).check().is_ok());
    assert!(Format::from(Codebook::new(&[0, 2], 40_000)).check().is_err());
}

#[test]
fn copies_of_a_list_are_one() {
    let [one, other] = [Codebook::new(&LIST, 0), Codebook::new(&LIST, 0)];
    assert!(std::ptr::eq(one.magnitudes, other.magnitudes));
    assert_eq!(one.summary(), other.summary());
}

#[test]
fn units_of_codebooks_are_refused() {
    let format = codebook();
    let e5m2 = "e5m2".parse().expect("a format");
    let of_codebooks = [
        Selection::new(Unit::Mul, format),
        Selection { target: Some(format), ..Selection::new(Unit::Convert, e5m2) },
        Selection { accumulator: Some(format), ..Selection::new(Unit::Fmac, e5m2) },
    ];
    for selection in of_codebooks {
        let error = selection.operation().expect_err("no unit");
        assert_eq!(error, OperationError::Codebook { format });
    }
}
