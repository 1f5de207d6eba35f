//! Units of every family equal their specification. Other tests enumerate the same units against the golden model, so
//! there the specification equals the golden model, too.

use binade_circuit::Optimize;
use binade_gates::Graph;
use binade_generator::{Design, generate};
use binade_prove::{Coverage, Question, coverage, prove};
use binade_spec::{
    Activation, Comparison, Extremum, Format, Negation, Operation, Overflow, PositRange, Rounding, Selection,
    Significand, Summation, Tininess, Unit,
};

pub const FORMATS: [&str; 27] = [
    "e5m2",
    "e4m3",
    "e3m4n",
    "e4m3ns",
    "e4m3fn",
    "e4m3f",
    "e3m2f",
    "e2m1f",
    "e8m0",
    "e5m2b1",
    "e4m3b2u3",
    "e3m4b1,sat",
    "e4m2b7",
    "k8p3se",
    "k8p4uf",
    "k8p1se",
    "e3m0",
    "e2m9",
    "dlfloat16",
    "posit8_0",
    "posit8_2",
    "bposit8_3_1",
    "takum_linear6",
    "e5m2,scale=2^-7",
    "int8",
    "uint5",
    "fixed8_6",
];

pub fn format(name: &str) -> Format {
    name.parse().expect("a format")
}

/// Proves the unit of a selection, built for area and for depth. Returns how many units these are: none if the selection is refused.
#[must_use]
fn proven_of(selection: Selection) -> usize {
    let Ok(operation) = selection.operation() else { return 0 };
    let optimize = [Optimize::Area, Optimize::Depth];
    optimize.iter().for_each(|&optimize| assert_operation_is_proven(&operation, optimize));
    optimize.len()
}

fn assert_operation_is_proven(operation: &Operation, optimize: Optimize) {
    let unit = generate(Design::new(*operation, 0, optimize).expect("a design"));
    let proof = prove(Question::new(&Graph::of_circuit(&unit.netlist), operation), &|_| {}, &|| false)
        .expect("a specification");
    if is_left_open(&unit.module) {
        let is_known = |case: &String| case.ends_with("subnormal, subnormal");
        return assert!(proof.differs.is_none() && proof.open.iter().all(is_known), "{}: {proof:?}", unit.module);
    }
    assert!(proof.is_whole(), "{}: {proof:?}", unit.module);
}

/// Some products of subnormals with significands of 10 bits, in units that are built for depth or rounded up or down, are beyond the effort of a
/// case. `binade prove` evaluates such a unit for all its inputs.
fn is_left_open(module: &str) -> bool {
    module.starts_with("mul_e2m9_")
}

#[test]
fn sums_and_conversions_of_each_family() {
    let mut proven = 0;
    for (turn, name) in FORMATS.into_iter().enumerate() {
        // All of them are proven at night, but for differences.
        let unit = [Unit::Encode, Unit::Add, Unit::Compare][turn % 3];
        proven += proven_of(Selection::new(unit, format(name))) + proven_of(Selection::new(Unit::Sub, format(name)));
    }
    assert_eq!(proven, 102, "units");
}

/// A negated product, addend or both, in every family, and with an unsigned zero in the operands' format and a signed
/// one in the result's: every `step`th of the units.
fn multiply_adds_with_the_other_sign(step: usize) -> usize {
    let (mut proven, mut turn) = (0, 0);
    for (operand, result) in [
        ("e3m2", "e4m4"),
        ("e3m2b1", "e4m4"),
        ("e2m1f", "e3m2f"),
        ("k5p2se", "e4m4"),
        ("k5p2se", "k6p3se"),
        ("posit5_1", "posit6_1"),
        ("posit5_1", "e4m4"),
        ("bposit5_2_1", "bposit6_3_1"),
        ("e3m2", "posit6_1"),
        ("fixed5_2", "fixed9_4"),
        ("fixed4_2", "e4m4"),
        ("e3m2", "fixed9_4"),
    ] {
        for negation in Negation::ALL {
            for rounding in [Rounding::Rne, Rounding::Rdn] {
                turn += 1;
                if turn % step != 0 {
                    continue;
                }
                let selection = Selection::new(Unit::Fmac, format(operand));
                let accumulator = Some(format(result));
                let of_floats = [operand, result].iter().all(|name| name.starts_with('e') && !name.contains('b'));
                let flags = (of_floats && !result.ends_with('f')).then_some(Tininess::After);
                proven += proven_of(Selection {
                    accumulator,
                    negation: Some(negation),
                    rounding: Some(rounding),
                    flags,
                    ..selection
                });
            }
        }
    }
    proven
}

#[test]
#[ignore = "long"]
fn some_multiply_adds_with_the_other_sign() {
    // 5 has no factor in common with the numbers of roundings, signs and formats, so all of them have their turns.
    assert_eq!(multiply_adds_with_the_other_sign(5), 28, "units");
}

#[test]
#[ignore = "takes minutes"]
fn nightly_multiply_adds_with_the_other_sign() {
    assert_eq!(multiply_adds_with_the_other_sign(1), 144, "units");
}

/// P3109's StochasticB and StochasticC.
#[test]
fn stochastic_roundings_of_rounded_fractions() {
    let mut proven = 0;
    for (name, rounding) in ["e4m3fn", "k8p1uf"]
        .into_iter()
        .flat_map(|name| [Rounding::Srb(4), Rounding::Src(5)].map(|rounding| (name, rounding)))
    {
        let plain = Selection { rounding: Some(rounding), ..Selection::new(Unit::Encode, format(name)) };
        for unit in [Unit::Encode, Unit::Mul, Unit::Add, Unit::Divide, Unit::Sqrt] {
            proven += proven_of(Selection { unit, ..plain });
        }
        proven += proven_of(Selection { unit: Unit::Fmac, accumulator: Some(format("e5m4")), ..plain });
    }
    let dot = Selection {
        lanes: Some(2),
        accumulator: Some(format("binary16")),
        ..Selection::new(Unit::Dot, format("e4m3fn"))
    };
    for sum in ["exact", "chain", "align:13"] {
        let summation = Some(sum.parse().expect("a summation"));
        proven += proven_of(Selection { rounding: Some(Rounding::Src(6)), summation, ..dot });
    }
    assert_eq!(proven, 54, "units");
}

/// The units of quotients and roots.
const DIVIDING: [Unit; 4] = [Unit::Divide, Unit::Reciprocal, Unit::Sqrt, Unit::Rsqrt];

/// Quotients and roots of every family, of IEEE 754 formats with flags; those of binary32 for all 2^64 inputs.
#[test]
fn quotients_and_roots() {
    let mut proven = 0;
    for name in ["e3m2", "e4m3fn", "k6p3se", "e3m2b1", "posit8_1", "int6", "e4m3n", "e8m0", "k5p1se", "dlfloat16"] {
        for unit in DIVIDING {
            let flags = format(name).has_flags().then_some(Tininess::After);
            for rounding in [Rounding::Rne, Rounding::Rup, Rounding::Sr(3)] {
                proven +=
                    proven_of(Selection { rounding: Some(rounding), flags, ..Selection::new(unit, format(name)) });
            }
        }
    }
    for unit in [Unit::Divide, Unit::Sqrt] {
        proven += proven_of(Selection { flags: Some(Tininess::Before), ..Selection::new(unit, format("binary32")) });
    }
    assert_eq!(proven, 220, "units");
}

#[test]
#[ignore = "takes minutes"]
fn nightly_units_of_one_and_two_operands() {
    let mut proven = 0;
    for name in FORMATS {
        for unit in [Unit::Decode, Unit::Encode, Unit::Mul, Unit::Add, Unit::Compare, Unit::Classify] {
            proven += proven_of(Selection::new(unit, format(name)));
        }
        for unit in DIVIDING {
            proven += proven_of(Selection::new(unit, format(name)));
        }
        for extremum in [Extremum::Minimum, Extremum::MaximumMagnitudeNumber] {
            proven += proven_of(Selection { extremum: Some(extremum), ..Selection::new(Unit::Minmax, format(name)) });
        }
        for target in ["e4m3fn", "posit8_1", "e5m2b1", "bfloat16"] {
            // Quotients of fixed point are one case, which is hard; small ones are enumerated (`sim/tests/it/fixed.rs`).
            let units =
                if format(name).fixed().is_some() { &[Unit::Convert][..] } else { &[Unit::Convert, Unit::Unscale] };
            for &unit in units {
                proven += proven_of(Selection { target: Some(format(target)), ..Selection::new(unit, format(name)) });
            }
        }
    }
    assert_eq!(proven, 1056, "units");
}

#[test]
#[ignore = "takes minutes"]
fn nightly_roundings_and_policies() {
    let mut proven = 0;
    for name in FORMATS {
        for rounding in Rounding::NAMED.into_iter().chain([1, 5].map(Rounding::Sr)) {
            for overflow in Overflow::ALL {
                for unit in [Unit::Encode, Unit::Mul, Unit::Add, Unit::Divide, Unit::Rsqrt] {
                    let selection =
                        Selection { rounding: Some(rounding), overflow, ..Selection::new(unit, format(name)) };
                    proven += proven_of(selection);
                }
            }
        }
    }
    assert_eq!(proven, 6330, "units");
}

#[test]
#[ignore = "takes minutes"]
fn nightly_flags_and_ranges() {
    let mut proven = 0;
    for (name, tininess) in [("e4m3", Tininess::After), ("e3m4n", Tininess::Before), ("e5m2", Tininess::Before)] {
        for rounding in [Rounding::Rne, Rounding::Rdn, Rounding::Rto] {
            let dividing = DIVIDING.into_iter();
            for unit in [Unit::Encode, Unit::Mul, Unit::Add, Unit::Fmac, Unit::Mac].into_iter().chain(dividing) {
                let selection = Selection::new(unit, format(name));
                let accumulator = unit.takes(binade_spec::Setting::Acc).then(|| format("e4m4"));
                proven +=
                    proven_of(Selection { flags: Some(tininess), rounding: Some(rounding), accumulator, ..selection });
            }
        }
    }
    let signaling = Some(Comparison::Signaling);
    let compare = Selection::new(Unit::Compare, format("e5m2"));
    proven += proven_of(Selection { comparison: signaling, flags: Some(Tininess::After), ..compare });
    let float = PositRange::Float;
    let ranges = [("posit6_1", float), ("posit7_0", float), ("posit7_3", float)];
    let bounded = [("bposit7_3_2", PositRange::Saturate), ("takum_linear6", PositRange::Saturate)];
    let significand = Some(Significand::TwosComplement);
    for name in ["posit6_1", "posit7_0", "posit5_5", "bposit7_3_2", "takum_linear6", "posit6_1,scale=2^-9"] {
        proven += proven_of(Selection { significand, ..Selection::new(Unit::PositDecoder, format(name)) });
    }
    for (name, posit_range) in ranges.into_iter().chain(bounded) {
        for rounding in [Rounding::Rne, Rounding::Rup, Rounding::Sr(3)] {
            for unit in [Unit::Encode, Unit::Mul, Unit::Add] {
                let selection = Selection::new(unit, format(name));
                proven += proven_of(Selection { posit_range, rounding: Some(rounding), ..selection });
            }
        }
    }
    assert_eq!(proven, 266, "units");
}

#[test]
fn stochastic_rounding_without_subnormals() {
    let mut proven = 0;
    for name in ["e3m2ns", "k8p4sens"] {
        for unit in [Unit::Encode, Unit::Mul, Unit::Add, Unit::Fmac] {
            let selection = Selection::new(unit, format(name));
            let accumulator = (unit == Unit::Fmac).then(|| format(name));
            proven += proven_of(Selection { rounding: Some(Rounding::Sr(4)), accumulator, ..selection });
        }
    }
    assert_eq!(proven, 16, "units");
}

/// Formats whose sums are ordered by exponent; in the narrowest, the exponent of infinity is the only one above two others.
#[test]
fn sums_of_long_significands() {
    let mut proven = 0;
    for name in ["e1m7f", "e2m7", "e3m8", "e8m7fn", "k10p8sf", "k12p9se", "binary16"] {
        for rounding in [Rounding::Rne, Rounding::Rna] {
            for overflow in [Overflow::Inf, Overflow::Saturate, Overflow::Propagate] {
                for unit in [Unit::Add, Unit::Sub] {
                    let selection = Selection::new(unit, format(name));
                    proven += proven_of(Selection { rounding: Some(rounding), overflow, ..selection });
                }
            }
        }
    }
    assert_eq!(proven, 168, "units");
}

/// Exact sums of products.
#[test]
fn dot_products() {
    let mut proven = 0;
    for (name, second, accumulator, lanes) in [
        ("e2m1f", "e2m1f", "e3m2", 4),
        ("e2m1", "e2m0", "e3m1ns", 3),
        ("e2m1b1", "e2m1b1", "e4m2", 2),
        ("e3m1", "e2m1f", "posit6_1", 2),
        ("e4m0", "e2m1f", "e3m2", 1),
    ] {
        let [second, accumulator] = [second, accumulator].map(|name| Some(format(name)));
        let plain = Selection { second, accumulator, lanes: Some(lanes), ..Selection::new(Unit::Dot, format(name)) };
        proven += proven_of(plain);
        proven += proven_of(Selection { rounding: Some(Rounding::Rdn), flags: Some(Tininess::Before), ..plain });
    }
    assert_eq!(proven, 16, "units");
}

/// Dot products of blocks with scales: powers of two, other floats, and floats with infinities and with a sign.
#[test]
fn blocks_with_scales() {
    let mut proven = 0;
    for (name, second, scale, accumulator, lanes) in [
        ("e2m1f", "e2m1f", "e3m0", "e4m3", 3),
        ("e2m1", "e2m0", "e2m1", "e3m2ns", 2),
        ("e2m1f", "e3m0", "e2m2f", "posit6_1", 2),
        ("posit4_1", "e2m1f", "k4p2uf", "e4m3fn", 1),
        ("int4", "e2m1f", "e3m1n", "e4m2", 2),
    ] {
        let [second, scale, accumulator] = [second, scale, accumulator].map(|name| Some(format(name)));
        let mx_dot = Selection { second, scale, accumulator, ..Selection::new(Unit::MxDot, format(name)) };
        let plain = Selection { lanes: Some(lanes), ..mx_dot };
        proven += proven_of(plain);
        proven += proven_of(Selection { rounding: Some(Rounding::Rdn), flags: Some(Tininess::Before), ..plain });
        proven += proven_of(Selection { rounding: Some(Rounding::Sr(3)), overflow: Overflow::Saturate, ..plain });
        assert_eq!(coverage(&plain.operation().expect("an operation")), Ok(Coverage::Whole), "{name}");
    }
    assert_eq!(proven, 22, "units");
}

/// Each element of a matrix unit is a dot product; the elements have other operands, in one order or another.
#[test]
fn matrix_units() {
    let mut proven = 0;
    for (name, second, accumulator, [rows, columns, depth]) in [
        ("e2m1f", "e2m1f", "e3m2", [2, 3, 2]),
        ("e2m1", "e2m0", "e3m1ns", [3, 1, 2]),
        ("int4", "int4", "int12", [2, 2, 3]),
        ("posit5_1", "posit5_1", "posit6_1", [1, 2, 1]),
    ] {
        let [second, accumulator] = [second, accumulator].map(|name| Some(format(name)));
        let mma = Selection { second, accumulator, ..Selection::new(Unit::Mma, format(name)) };
        let plain = Selection { rows: Some(rows), columns: Some(columns), depth: Some(depth), ..mma };
        proven += proven_of(plain);
        proven += proven_of(Selection { rounding: Some(Rounding::Rdn), output: Some(format("e2m0")), ..plain });
        proven += proven_of(Selection { rounding: Some(Rounding::Sr(3)), ..plain });
        assert_eq!(coverage(&plain.operation().expect("an operation")), Ok(Coverage::Whole), "{name}");
    }
    let chain = Selection { summation: Some(Summation::Chain), ..Selection::new(Unit::Mma, format("e2m1f")) };
    let accumulator = Some(format("e3m2"));
    proven += proven_of(Selection { accumulator, rows: Some(2), columns: Some(2), depth: Some(2), ..chain });
    assert_eq!(proven, 26, "units");
}

/// Signed products: alone, in exact sums, and rounded first.
#[test]
fn products_in_fixed_point() {
    let mut proven = 0;
    for (name, accumulator) in [("int8", "int32"), ("uint8", "int32"), ("fixed8_6", "fixed32_12"), ("uint5", "int16")] {
        for unit in [Unit::Fmac, Unit::Mac] {
            let plain = Selection { accumulator: Some(format(accumulator)), ..Selection::new(unit, format(name)) };
            proven += proven_of(plain);
        }
    }
    for (name, accumulator) in [("fixed5_3", "e4m3"), ("uint4", "posit8_1"), ("int4", "int12")] {
        let plain = Selection { accumulator: Some(format(accumulator)), ..Selection::new(Unit::Fmac, format(name)) };
        proven += proven_of(plain);
        proven += proven_of(Selection { rounding: Some(Rounding::Rdn), ..plain });
    }
    for (second, lanes) in [("int8", 4), ("uint8", 2)] {
        let [second, accumulator] = [second, "int32"].map(|name| Some(format(name)));
        proven += proven_of(Selection {
            second,
            accumulator,
            lanes: Some(lanes),
            ..Selection::new(Unit::Dot, format("int8"))
        });
    }
    for (unit, name) in [(Unit::Mul, "int16"), (Unit::Mul, "uint16"), (Unit::Mul, "fixed16_15"), (Unit::Fmac, "int16")]
    {
        let plain = Selection::new(unit, format(name)).operation().expect("an operation");
        assert_operation_is_proven(&plain, Optimize::Area);
    }
    assert_eq!(proven, 32, "units");
}

/// Rounded products, added one after the other or in pairs.
#[test]
fn sums_of_rounded_products() {
    let mut proven = 0;
    for (name, accumulator, lanes) in [("e5m2", "e5m2", 3), ("e3m1", "e3m1", 2), ("posit6_1", "posit6_1", 2)] {
        for summation in [Summation::Chain, Summation::Tree] {
            let dot = Selection {
                summation: Some(summation),
                rounds_products: true,
                ..Selection::new(Unit::Dot, format(name))
            };
            let plain = Selection { accumulator: Some(format(accumulator)), lanes: Some(lanes), ..dot };
            proven += proven_of(plain);
            proven += proven_of(Selection {
                rounding: Some(Rounding::Rdn),
                output: Some(format("e2m0")),
                activation: Some(Activation::Relu),
                ..plain
            });
        }
    }
    assert_eq!(proven, 24, "units");
}

/// Sums that are rounded after every product.
#[test]
fn chains_of_products() {
    let mut proven = 0;
    for (name, second, accumulator, lanes) in [("e2m1f", "e2m1f", "e3m2", 3), ("e2m1", "e2m1", "e3m2f", 2)] {
        let [second, accumulator] = [second, accumulator].map(|name| Some(format(name)));
        let chain = Selection { summation: Some(Summation::Chain), ..Selection::new(Unit::Dot, format(name)) };
        let plain = Selection { second, accumulator, lanes: Some(lanes), ..chain };
        proven += proven_of(plain);
        proven += proven_of(Selection {
            rounding: Some(Rounding::Rdn),
            output: Some(format("e2m0")),
            activation: Some(Activation::Relu),
            ..plain
        });
    }
    assert_eq!(proven, 8, "units");
}

/// Sums whose terms are truncated below the largest exponent, with subnormals, wide and narrow fractions, and other families.
#[test]
fn sums_of_terms_that_are_cut_off() {
    let mut proven = 0;
    for (name, second, accumulator, lanes, sum) in [
        ("e2m1f", "e2m1f", "e3m2", 3, "align:1"),
        ("e4m3", "e5m2", "binary16", 2, "align:13"),
        ("e4m3fn", "e4m3fn", "binary32", 4, "align:13,floor=-133,result=13"),
        ("bfloat16", "bfloat16", "bfloat16", 2, "align:9"),
        ("e3m2n", "e2m1ns", "e3m2", 2, "align:4"),
        ("e3m2b1", "e3m2b1", "e3m2", 2, "align:4"),
        ("e2m1f", "posit5_1", "e4m3", 2, "align:3"),
    ] {
        let [second, accumulator] = [second, accumulator].map(|name| Some(format(name)));
        let summation = Some(sum.parse().expect("a summation"));
        let plain = Selection { second, accumulator, summation, ..Selection::new(Unit::Dot, format(name)) };
        for rounding in [Rounding::Rne, Rounding::Rdn, Rounding::Sr(2)] {
            proven += proven_of(Selection { lanes: Some(lanes), rounding: Some(rounding), ..plain });
        }
    }
    let matrix = Selection {
        summation: Some("align:4".parse().expect("a summation")),
        ..Selection::new(Unit::Mma, format("e2m1f"))
    };
    proven += proven_of(Selection { rows: Some(2), columns: Some(2), lanes: Some(2), ..matrix });
    let like = Some("a100".parse().expect("a machine"));
    let a100 = Selection { like, lanes: Some(8), ..Selection::new(Unit::Dot, format("bfloat16")) };
    assert_operation_is_proven(&a100.operation().expect("an operation"), Optimize::Area);
    // A sum of 16 products times scales is one term.
    let like = Some("b200".parse().expect("a machine"));
    let blocks = Selection { like, lanes: Some(32), ..Selection::new(Unit::MxDot, format("e2m1f")) };
    assert_operation_is_proven(&blocks.operation().expect("an operation"), Optimize::Area);
    assert_eq!(proven, 42, "units");
}

/// Sums of groups of products that are rounded down where they are added.
#[test]
fn sums_of_groups() {
    let mut proven = 0;
    for (name, second, accumulator, lanes) in [
        ("e2m1f", "e2m1f", "e3m2", 3),
        ("e5m2", "e2m1f", "e2m1", 2),
        ("e4m3", "e5m2", "binary16", 2),
        ("e3m2n", "e2m1ns", "e3m2", 2),
        ("e2m1f", "posit5_1", "e4m3", 2),
    ] {
        let [second, accumulator] = [second, accumulator].map(|name| Some(format(name)));
        for sum in ["grouped", "interleaved"] {
            let summation = Some(sum.parse().expect("a summation"));
            let plain = Selection { second, accumulator, summation, ..Selection::new(Unit::Dot, format(name)) };
            proven += proven_of(Selection { lanes: Some(lanes), ..plain });
        }
    }
    let like = Some("mi300x".parse().expect("a machine"));
    let mi300x = Selection { like, lanes: Some(4), ..Selection::new(Unit::Dot, format("bfloat16")) };
    assert_operation_is_proven(&mi300x.operation().expect("an operation"), Optimize::Area);
    assert_eq!(proven, 20, "units");
}

/// Each rounding of a chain has random bits of its own.
#[test]
fn chains_with_random_bits() {
    let mut proven = 0;
    for (name, accumulator) in [("e2m1f", "e3m2"), ("e4m3fn", "binary16")] {
        let chain = Selection { summation: Some(Summation::Chain), ..Selection::new(Unit::Dot, format(name)) };
        let accumulator = Some(format(accumulator));
        proven += proven_of(Selection { accumulator, lanes: Some(2), rounding: Some(Rounding::Sr(4)), ..chain });
    }
    assert_eq!(proven, 4, "units");
}

#[test]
fn trees_of_products() {
    let mut proven = 0;
    for (name, second, accumulator, lanes) in [("e2m1f", "e3m2f", "e3m2", 2), ("e2m1", "e2m1", "e4m3fn", 4)] {
        let [second, accumulator] = [second, accumulator].map(|name| Some(format(name)));
        let tree = Selection { summation: Some(Summation::Tree), ..Selection::new(Unit::Dot, format(name)) };
        let plain = Selection { second, accumulator, lanes: Some(lanes), ..tree };
        proven += proven_of(plain);
        proven += proven_of(Selection {
            rounding: Some(Rounding::Rdn),
            output: Some(format("e2m0")),
            activation: Some(Activation::Relu),
            ..plain
        });
    }
    assert_eq!(proven, 8, "units");
}

#[test]
#[ignore = "takes minutes"]
fn nightly_multiply_adds() {
    let mut proven = 0;
    for (name, accumulator) in [
        ("e5m2", "binary16"),
        ("e4m3fn", "e4m3fn"),
        ("e5m2b1", "e5m2b1"),
        ("e4m3b2u3", "e3m6"),
        ("e3m4n", "e3m2ns"),
        ("k8p3se", "binary16"),
        ("posit6_1", "posit6_1"),
        ("e2m3f", "posit8_2"),
        ("posit5_2", "e4m3"),
        ("e8m0", "e5m3"),
        ("dlfloat16", "dlfloat16"),
        ("bfloat16", "bfloat16"),
    ] {
        for unit in [Unit::Fmac, Unit::Mac] {
            let plain = Selection { accumulator: Some(format(accumulator)), ..Selection::new(unit, format(name)) };
            proven += proven_of(plain);
            proven += proven_of(Selection { rounding: Some(Rounding::Rdn), overflow: Overflow::Saturate, ..plain });
            if name.len() < 7 {
                proven += proven_of(Selection { rounding: Some(Rounding::Sr(3)), ..plain });
                proven += proven_of(Selection {
                    output: Some(format("posit6_0")),
                    activation: Some(Activation::Relu),
                    ..plain
                });
            }
        }
    }
    assert_eq!(proven, 140, "units");
}

#[test]
fn wide_units() {
    for (unit, name) in [(Unit::Add, "binary32"), (Unit::Mul, "binary16"), (Unit::Encode, "posit16_1")] {
        assert_operation_is_proven(&Selection::new(unit, format(name)).operation().expect("one"), Optimize::Area);
    }
}

/// Conversions of 32 and 64 bits to and from fixed point, with flags where supported.
#[test]
fn wide_integers() {
    let mut proven = 0;
    let to = |from: &str, to: &str, rounding| Selection {
        target: Some(format(to)),
        rounding: Some(rounding),
        flags: (format(to).posit().is_none()).then_some(Tininess::After),
        ..Selection::new(Unit::Convert, format(from))
    };
    for rounding in [Rounding::Rne, Rounding::Rtz] {
        for (from, into) in [
            ("binary32", "int32"),
            ("binary64", "uint64"),
            ("int32", "binary32"),
            ("uint64", "binary64"),
            ("int32", "fixed16_12"),
            ("posit32_2", "int32"),
        ] {
            let selection = to(from, into, rounding);
            assert!(selection.operation().is_ok(), "{from} to {into}");
            proven += proven_of(selection);
        }
    }
    for unit in [Unit::Add, Unit::Compare] {
        proven += proven_of(Selection::new(unit, format("int64")));
    }
    assert_eq!(proven, 28, "units");
}
