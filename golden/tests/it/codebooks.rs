//! Codebooks must satisfy what every format satisfies. The second definition is the list itself, searched from end to end, and for HiFloat8
//! the formula of its paper.

use binade_golden::{Codec, Codes, Exact, Landing, Model, Policy, Region, Step, Value};
use binade_spec::{
    Codebook, Family, Format, Listed, Listing, NanResult, OperationError, Overflow, PositRange, Rounding, Selection,
    Target, Unit, definition,
};

/// Lists with unequal steps and binades, in eighths, and an odd number of magnitudes above zero; those below zero are others.
const ABOVE: [i64; 9] = [0, 1, 2, 3, 5, 8, 14, 21, 40];
const BELOW: [i64; 8] = [0, 1, 3, 4, 9, 11, 20, 33];

/// log2 of the lists' unit.
const EXPONENT: i32 = -3;

const DIRECTIONS: [Rounding; 6] =
    [Rounding::Rne, Rounding::Rna, Rounding::Rtz, Rounding::Rup, Rounding::Rdn, Rounding::Rto];

/// The integer of each code: in an order of its own.
fn integers() -> Vec<i64> {
    let below = BELOW[1..].iter().map(|magnitude| -magnitude);
    let all: Vec<i64> = below.chain(ABOVE).collect();
    (0..16).map(|code| all[code * 7 % 16]).collect()
}

fn listed(integer: i64) -> Listed {
    match integer {
        0 => Listed::Zero { negative: false },
        _ => {
            let zeros = integer.trailing_zeros();
            let n = integer.unsigned_abs() >> zeros;
            Listed::Number { negative: integer < 0, n, k: EXPONENT + zeros as i32 }
        }
    }
}

fn codebook() -> Format {
    let values = integers().into_iter().map(listed).collect();
    Format::from(Codebook::new(Listing::new("list", 4, values)).expect("a codebook"))
}

/// The integer of the result of `number / 2^shift` units, rounded once.
fn nearest(number: i64, shift: u32, rounding: Rounding) -> i64 {
    let list: &[i64] = if number < 0 { &BELOW } else { &ABOVE };
    let magnitude = number.unsigned_abs();
    let value = |index: usize| (list[index] as u64) << shift;
    let low = (0..list.len()).rfind(|&index| value(index) <= magnitude).expect("0 is in the list");
    let goes_up = list.get(low + 1).is_some_and(|_| {
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
    list[low + usize::from(goes_up)] * number.signum()
}

fn value(number: i64, shift: u32) -> Value {
    match number {
        0 => Value::Zero { negative: false },
        _ => Value::Finite(Exact { negative: number < 0, n: number.unsigned_abs().into(), k: EXPONENT - shift as i32 }),
    }
}

/// Values are compared as they are printed: equal ones may have different fields.
fn same(one: Value, other: Value) -> bool {
    one.to_string() == other.to_string()
}

#[test]
fn every_code_is_its_place_in_the_list() {
    let format = codebook();
    assert_eq!((format.width(), format.precision(), format.min_exponent(), format.max_exponent()), (4, 6, -3, 2));
    for (code, integer) in (0..).zip(integers()) {
        assert!(same(format.decode(code), value(integer, 0)), "{code}");
        let list: &[i64] = if integer < 0 { &BELOW } else { &ABOVE };
        assert_eq!(format.magnitude(code), list.iter().position(|&it| it == integer.abs()).expect("a place") as u128);
        assert_eq!(format.code(integer < 0, format.magnitude(code)), code);
        assert_eq!(format.is_negative(code), integer < 0);
        let negated = integers().iter().position(|&other| other == -integer).unwrap_or(code as usize);
        assert_eq!(format.negated(code), negated as u128, "{code}");
        assert_eq!(format.class(code).is_number(), integer != 0);
    }
    assert_eq!(format.fields(0xd), "1101");
}

#[test]
fn every_rounding_is_a_search_in_the_list() {
    let format = codebook();
    for rounding in DIRECTIONS {
        for number in -700..=700 {
            let code = format.encode(value(number, 4), rounding, Overflow::Inf);
            let want = nearest(number, 4, rounding);
            assert!(same(format.decode(code), value(want, 0)), "{number}/16 {rounding}");
        }
    }
    for negative in [false, true] {
        let code = format.encode(Value::Infinite { negative }, Rounding::Rne, Overflow::Inf);
        assert_eq!(integers()[code as usize], if negative { -33 } else { 40 });
    }
    let zero = format.encode(Value::Nan, Rounding::Rne, Overflow::Inf);
    assert_eq!((zero, integers()[zero as usize]), (format.zero_code(false), 0));
}

#[test]
fn random_words_round_up_as_often_as_the_number_is_far() {
    let format = codebook();
    let bits = 4;
    for number in 1..40 * 32 {
        let low = ABOVE.iter().rposition(|&magnitude| magnitude << 5 <= number).expect("0 is in the list");
        let [below, step] = [number - (ABOVE[low] << 5), (ABOVE[low + 1] - ABOVE[low]) << 5];
        let away = (0..1 << bits).filter(|&random| {
            let policy = Policy { random, ..Policy::new(Rounding::Sr(bits), Overflow::Inf) };
            format.magnitude(format.encode_by(value(number, 5), &policy)) == low as u128 + 1
        });
        assert_eq!(away.count() as i64, (below << bits) / step, "{number}/32");
    }
}

#[test]
fn sums_and_products_are_those_of_the_list() {
    let format = codebook();
    for (unit, shift) in [(Unit::Add, 0), (Unit::Sub, 0), (Unit::Mul, 3)] {
        let model = Model::new(&Selection::new(unit, format).operation().expect("a unit"));
        for (a, b) in (0..16_u32).flat_map(|a| (0..16).map(move |b| (a, b))) {
            let [x, y] = [a, b].map(|code| integers()[code as usize]);
            let exact = match unit {
                Unit::Add => x + y,
                Unit::Sub => x - y,
                _ => x * y,
            };
            let result = model.evaluate(&[a, b])[0].clone();
            let code = (0..16_u32).find(|&code| result == code.into()).expect("a code of 4 bits");
            let want = nearest(exact, shift, Rounding::Rne);
            assert_eq!(integers()[code as usize], want, "{unit} of {a:x} and {b:x}: {code:x}");
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
        nan: NanResult::Payload,
    };
    let landed = |number: u64| codes.landing(&target, Exact { negative: false, n: number.into(), k: EXPONENT - 1 }, 0);
    for (number, region, step) in [
        (1, Region::BelowSmallest, Step::ToSmallest),
        (5, Region::Ordinary, Step::WithinBinade),
        (7, Region::Ordinary, Step::None),
        (8, Region::Ordinary, Step::NextBinade),
        (81, Region::AboveLargest, Step::None),
    ] {
        let Landing { region: got, step: over, .. } = landed(number);
        assert_eq!((got, over), (region, step), "{number}/2");
    }
}

#[test]
fn lists_that_are_no_codebook_are_refused() {
    let error = |values: &[Listed], bits| {
        Codebook::new(Listing::new("list", bits, values.to_vec())).expect_err("no codebook").to_string()
    };
    let [zero, one, two] = [0, 1, 2].map(listed);
    assert!(error(&[zero, one, two, one], 2).contains("two codes with the value 1*2^-3, 0x1 and 0x3"));
    assert!(error(&[listed(3), one, two, Listed::Nan], 2).contains("no code with the value 0"));
    assert!(error(&[zero, listed(-1), listed(-2), Listed::Nan], 2).contains("no number above 0"));
    assert!(error(&[zero, one, two, Listed::Infinity { negative: false }], 2).contains("an infinity without a place"));
    assert!(error(&[zero, one], 1).contains("has 1 bits"));
    let far = Listed::Number { negative: false, n: 1, k: 200 };
    assert!(error(&[zero, one, far, Listed::Nan], 2).contains("too far apart"));
}

#[test]
fn copies_of_a_list_are_one() {
    let [one, other] = [codebook(), codebook()];
    assert_eq!(one, other);
    let Format::Codebook(codebook) = one else { panic!("a codebook") };
    assert_eq!(Codebook::called(&one.to_string()), Some(codebook));
    assert_eq!(codebook.systematic_name(), one.to_string());
}

#[test]
fn what_codebooks_have_not_is_refused() {
    let format = codebook();
    // The step from 14 to 21 is none; HiFloat8 has only such steps.
    let stochastic = Selection { rounding: Some(Rounding::Sr(4)), ..Selection::new(Unit::Mul, format) };
    assert_eq!(stochastic.operation().expect_err("no unit"), OperationError::StochasticCodebook { format });
    let hifloat8: Format = "hifloat8".parse().expect("a format");
    assert!(Selection { format: hifloat8, ..stochastic }.operation().is_ok());
    let saturating = Selection { overflow: Overflow::Saturate, ..Selection::new(Unit::Mul, format) };
    assert_eq!(saturating.operation().expect_err("no unit"), OperationError::CodebookOverflow { format });
    let unit = Unit::PositDecoder;
    assert!(Selection::new(unit, format).operation().is_err());
}

/// HiFloat8 by the formula of its paper (arXiv 2409.16626), for every number of binary16: the significand is rounded to 3, 2, 1 or 0 bits by
/// the magnitude of the exponent, ties away from zero.
#[test]
fn hifloat8_is_that_of_its_paper() {
    let format: Format = "hifloat8".parse().expect("a format");
    let binary16 = Format::binary16();
    let number = |value: Value| value.to_string();
    for code in 0..1_u128 << 16 {
        let value = binary16.decode(code);
        let Value::Finite(exact) = value else { continue };
        let x = exact.n as f64 * f64::from(exact.k).exp2();
        let got = format.decode(format.encode(value, format.default_rounding(), Overflow::Inf));
        let exponent = (x.log2().floor() as i32).max(-22);
        let bits = match exponent.abs() {
            0..=3 => 3,
            4..=7 => 2,
            8..=15 => 1,
            _ => 0,
        };
        let unit = f64::from(exponent - bits).exp2();
        let wanted = (x / unit + 0.5).floor() * unit;
        let wanted = match (wanted, exact.negative) {
            (size, negative) if size >= 1.5 * f64::from(15).exp2() => Value::Infinite { negative },
            (0.0, _) => Value::Zero { negative: false },
            (size, negative) => Value::Finite(Exact { negative, n: (size * f64::from(25).exp2()) as u128, k: -25 }),
        };
        assert_eq!(number(got), number(wanted), "{code:#x}");
    }
    assert_eq!(format.decode(0x80), Value::Nan);
    let infinities = [0x6f, 0xef].map(|code| format.decode(code));
    assert_eq!(infinities, [false, true].map(|negative| Value::Infinite { negative }));
}

/// The table of QLoRA's appendix E has numbers of binary32 with 17 digits.
#[test]
fn nf4_has_the_values_of_its_paper() {
    let format: Format = "NormalFloat4".parse().expect("a format");
    let Value::Finite(Exact { n, k, negative: false }) = format.decode(0xe) else { panic!("a number") };
    assert_eq!(n as f32 * (k as f32).exp2(), 0.722_956_84_f32);
    assert!(same(format.decode(0), value(-8, 0)), "-1 in eighths");
    assert_eq!(format.decode(7), Value::Zero { negative: false });
    assert_eq!(format.magnitude(0), 7);
    assert_eq!(format.magnitude(15), 8);
}

/// A format in segments that is also known otherwise has the same values.
#[test]
fn segments_say_what_other_families_are() {
    let sign_and_magnitude = r#"
        name = "e2m1again"
        bits = 4
        segments = [{ prefix = "00", linear = -1 }, { exponent = 0, binades = 3, trailing = 1 }]
    "#;
    let twos_complement = r#"
        name = "posit4again"
        bits = 4
        sign = "complement"
        segments = [
            { prefix = "000", linear = 0 },
            { prefix = "001", exponent = -2 },
            { prefix = "01", exponent = -1, binades = 1, trailing = 1 },
            { prefix = "10", exponent = 0, trailing = 1 },
            { prefix = "110", exponent = 1 },
            { prefix = "111", exponent = 2 },
        ]
        special = [[8, nan]]
    "#;
    for (text, other) in [(sign_and_magnitude, "e2m1f"), (twos_complement, "posit4_0")] {
        let format = definition::parse(text).expect("a format");
        let other: Format = other.parse().expect("a format");
        for code in 0..16 {
            assert!(same(format.decode(code), other.decode(code)), "{format} {code}");
        }
    }
}
