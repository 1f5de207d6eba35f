//! Tests the widest signals: every permitted selection can be built, and selections whose signals are too wide are
//! refused before that.

use binade_circuit::{MAX_WIDTH, Optimize};
use binade_generator::units;
use binade_spec::{Format, MOST_PORT_BITS, OperationError, Selection, Unit};

fn selection(unit: Unit, format: &str, accumulator: &str) -> Selection {
    let parse = |name: &str| name.parse::<Format>().unwrap_or_else(|error| panic!("{error}"));
    Selection { accumulator: Some(parse(accumulator)), ..Selection::new(unit, parse(format)) }
}

/// Whether the unit can be built; else it is refused for its width.
fn is_built(selection: Selection) -> bool {
    match selection.operation() {
        Ok(operation) => {
            units::build(&operation, Optimize::Area);
            true
        }
        Err(OperationError::WidePort { .. } | OperationError::WideSum { .. }) => false,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn limits_are_those_of_circuits() {
    assert_eq!(MOST_PORT_BITS, MAX_WIDTH);
}

#[test]
fn sums_of_wide_terms() {
    let of = |unit, format, lanes| Selection { lanes: Some(lanes), ..selection(unit, format, format) };
    for (unit, format, lanes, wanted) in [
        (Unit::Dot, "binary128", 1, true),
        (Unit::Dot, "binary128", 2, false),
        (Unit::Dot, "binary128", 64, false),
        (Unit::Dot, "e14m10", 3, true),
        (Unit::MxDot, "e15m112", 1, false),
        (Unit::MxDot, "e15m112", 64, false),
        (Unit::MxDot, "e14m3", 2, true),
    ] {
        assert_eq!(is_built(of(unit, format, lanes)), wanted, "{unit} {format}, {lanes} lanes");
    }
    let matrix =
        Selection { rows: Some(1), columns: Some(1), depth: Some(2), ..selection(Unit::Mma, "e14m2", "e14m2") };
    assert!(is_built(matrix));
    // Binades of powers of two reach farther than any window. Adders and multiply-adds of one format need no window.
    for (unit, format) in [Unit::Fmac, Unit::Mac].into_iter().flat_map(|unit| [(unit, "binary128"), (unit, "e2m15b1")])
    {
        assert!(is_built(selection(unit, format, format)), "{unit} {format}");
        assert!(is_built(selection(unit, format, "binary32")), "{unit} {format} into binary32");
    }
    assert!(is_built(Selection::new(Unit::Sub, "binary128".parse().expect("a format"))));
}

#[test]
fn ports_of_many_lanes() {
    let matrix = |depth| Selection {
        rows: Some(16),
        columns: Some(1),
        depth: Some(depth),
        ..selection(Unit::Mma, "binary128", "binary128")
    };
    let error = matrix(64).operation().expect_err("a port of 131072 bits");
    assert_eq!(error, OperationError::WidePort { port: "a", width: 1 << 17 });
    assert!(matches!(matrix(32).operation(), Err(OperationError::WideSum { .. })));
}

/// The window of a fixed-point result reaches from the lowest term to the highest, however far apart they are.
#[test]
fn fixed_point_results_far_from_their_terms() {
    let mut is_any = [false; 2];
    for exponent in [0, 20_000, 31_000, 32_000, 33_000, 39_000] {
        for (a, accumulator) in [("int8,scale=2^-", "int32,scale=2^"), ("int8,scale=2^", "int32,scale=2^-")] {
            let [a, accumulator] = [a, accumulator].map(|name| format!("{name}{exponent}"));
            for unit in [Unit::Fmac, Unit::Dot, Unit::Accumulate] {
                is_any[usize::from(is_built(selection(unit, &a, &accumulator)))] = true;
            }
        }
    }
    assert_eq!(is_any, [true; 2]);
}

/// The significand of a power of two has no trailing bits, but the flags of a conversion to dlfloat16 read them.
#[test]
fn flags_of_powers_of_two() {
    let (source, flags) = ("e1m0f".parse().ok(), Some(binade_spec::Tininess::After));
    for format in ["dlfloat16", "binary16", "e5m2ns", "e5m2n"] {
        let dot = Selection { source, flags, lanes: Some(1), ..selection(Unit::Dot, format, "binary32") };
        assert!(is_built(dot), "{format}");
    }
}
