//! From the user's settings to an operation: missing ones have defaults, and every combination without meaning is
//! refused with its message.

use crate::common::format;
use binade_spec::{
    Activation, Dataflow, Format, Function, Like, Overflow, Port, PositRange, Reduction, Rounding, ScaleRule,
    Selection, Tininess, Unit,
};

fn selection(unit: Unit, name: &str) -> Selection {
    Selection::new(unit, format(name))
}

#[track_caller]
fn refused(selection: Selection, sentence: &str) {
    assert_eq!(selection.operation().expect_err(sentence).to_string(), sentence);
}

/// Accumulators, and the only rounding of DLFloat16.
#[test]
fn defaults() {
    let operation = |unit, name| selection(unit, name).operation().unwrap();
    assert_eq!(operation(Unit::Fmac, "e5m2").result, Format::binary16());
    assert_eq!(operation(Unit::Mac, "e5m3").result, Format::binary32());
    assert_eq!(operation(Unit::Decode, "posit8_2").result, Format::binary32());
    assert_eq!(operation(Unit::Encode, "e8m0").operand, Format::binary32());
    assert_eq!(
        (operation(Unit::Mul, "e5m2").rounding, operation(Unit::Mul, "dlfloat16").rounding),
        (Rounding::Rne, Rounding::Rnu)
    );
    let to = Selection { target: Some(format("dlfloat16")), ..selection(Unit::Convert, "e5m2") };
    assert_eq!(to.operation().unwrap().rounding, Rounding::Rnu);
}

/// Posits whose smallest and largest values are no powers of two only saturate, wherever numbers are rounded to them.
#[test]
fn posits_that_only_saturate() {
    for bounded in ["bposit8_2_1", "takum_linear8"] {
        let sentence = format!(
            "`posit-range float` is for posits whose smallest and largest values are powers of two; {bounded} always saturates"
        );
        let posit = Some(format("posit16_1"));
        let fmac = Selection { posit_range: PositRange::Float, ..selection(Unit::Fmac, "posit8_1") };
        refused(Selection { accumulator: Some(format(bounded)), ..fmac }, &sentence);
        refused(Selection { accumulator: posit, output: Some(format(bounded)), ..fmac }, &sentence);
        let dot = Selection { accumulator: posit, posit_range: PositRange::Float, ..selection(Unit::Dot, bounded) };
        assert!(dot.operation().is_ok(), "operands are not rounded");
        refused(Selection { source: Some(Format::e8m0()), ..dot }, &sentence);
    }
}

/// Operands that are rounded first need a format that the rounding is built for, as results do.
#[test]
fn operands_rounded_first() {
    let half = Some(Format::binary16());
    for unit in [Unit::Dot, Unit::Mma] {
        for name in ["posit8_1", "e5m2b1", "e4m3ns", "nf4", "hifloat8", "takum_linear8"] {
            for rounding in [Rounding::Srb(2), Rounding::Src(4)] {
                let rounding = Some(rounding);
                let plain = Selection { accumulator: half, rounding, ..selection(unit, name) };
                assert!(plain.operation().is_ok(), "{name}");
                let error = Selection { source: half, ..plain }.operation().expect_err(name).to_string();
                assert!(error.contains("StochasticB and C") && error.contains(name), "{error}");
            }
        }
    }
    let rounded = |name, accumulator, rounding| {
        let (accumulator, rounding) = (Some(format(accumulator)), Some(rounding));
        Selection { accumulator, rounding, source: half, ..selection(Unit::Dot, name) }.operation()
    };
    for name in ["e4m3fn", "int8", "e8m0", "e5m2n"] {
        assert!(rounded(name, "binary16", Rounding::Src(4)).is_ok(), "{name}");
    }
    let steps = rounded("nf4", "binary16", Rounding::Sr(4)).expect_err("nf4").to_string();
    assert!(steps.contains("steps between its values are not powers of two"), "{steps}");
    let differences = Selection { rounding: Some(Rounding::Src(1)), ..selection(Unit::Softmax, "hifloat8") };
    let differences = Selection { target: Some(format("e4m3")), accumulator: half, ..differences };
    let refused = differences.operation().expect_err("hifloat8").to_string();
    assert!(refused.contains("StochasticB and C") && refused.contains("hifloat8"), "{refused}");
    let mptorch = rounded("e4m3fn", "e5m2b1", Rounding::Mptorch).expect_err("e4m3fn").to_string();
    assert!(mptorch.contains("e4m3fn"), "{mptorch}");
}

/// Formats given to units that do not take them, or missing where they are needed.
#[test]
fn formats_out_of_place() {
    let half = Some(Format::binary16());
    refused(selection(Unit::Convert, "e5m2"), "convert needs the format to convert to (`to`)");
    refused(
        Selection { accumulator: half, ..selection(Unit::Mul, "e5m2") },
        "mul takes no accumulator format (`acc`); only fmac, mac, dot, mma, mx-dot, dot-exact, dot-stream, accumulate, \
         softmax, rms-norm, layer-norm, hadamard and reduce do",
    );
    refused(
        Selection { target: half, ..selection(Unit::Fmac, "e5m2") },
        "fmac takes no format to convert to (`to`); only convert, function, softmax, rms-norm, layer-norm, hadamard and unscale do",
    );
    refused(
        Selection { output: half, ..selection(Unit::Add, "e5m2") },
        "add takes no output format (`out`); only fmac, mac, dot, mma and mx-dot do; a folder called like a format is ./e5m2",
    );
    refused(
        Selection { activation: Some(Activation::Relu), ..selection(Unit::Fmac, "e5m2") },
        "`activation` goes before the output conversion of fmac, mac, dot, mma and mx-dot (`out <FORMAT>`)",
    );
    for unit in [Unit::PositDecoder, Unit::PositEncoder] {
        refused(selection(unit, "e5m2"), &format!("{unit} takes a posit format, such as posit16_1; e5m2 is none"));
    }
}

/// Settings of `dot` that other units do not take, or that contradict each other.
#[test]
fn sums_out_of_place() {
    let dot = |format: &str| selection(Unit::Dot, format);
    let sum = |word: &str| Some(word.parse().unwrap());
    refused(
        Selection { lanes: Some(2), ..selection(Unit::Fmac, "e5m2") },
        "fmac takes no lanes (`lanes`); only dot, mx-dot, mx-quantize, dot-exact, softmax, rms-norm, layer-norm, hadamard, reduce and loss-scaler do",
    );
    refused(
        Selection { block: Some(2), ..dot("e5m2") },
        "`block` divides the products of `sum fmac8`, `sum align:<fraction bits>`, `sum bulk` and the sums of AMD's matrix units; other sums \
         have no blocks",
    );
    refused(
        Selection { rounds_products: true, ..dot("e5m2") },
        "`product rounded` is for `sum chain` and `sum tree`; exact adds exact products",
    );
    refused(
        Selection { summation: sum("align:8"), flags: Some(Default::default()), ..dot("e5m2") },
        "a sum whose terms are cut off has no exception flags; leave `flags` out",
    );
    refused(
        Selection { summation: sum("align:8,result=10"), ..dot("e5m2") },
        "result=10: binary16 has to be an IEEE 754 format with more fraction bits than that, such as binary32",
    );
    let like = Some(binade_spec::Like::B200);
    refused(
        Selection { like, ..dot("e2m1f") },
        "no model of b200's matrix unit is known to be right for e2m1f into binary32",
    );
    refused(
        Selection { like, rounding: Some(Rounding::Rne), ..dot("binary16") },
        "`like b200` says how sums are cut off and rounded (rtz); leave `sum` and `round` out",
    );
    let bulk = Selection { summation: sum("bulk"), ..dot("e5m2") };
    for selection in
        [Selection { rounding: Some(Rounding::Rne), ..bulk }, Selection { overflow: Overflow::Saturate, ..bulk }]
    {
        refused(selection, "`sum bulk` rounds to odd, and overflow gives infinity; leave `round` and `overflow` out");
    }
    refused(
        Selection { accumulator: Some("e4m3fn".parse().unwrap()), ..bulk },
        "`sum bulk` has results in an IEEE 754 format such as binary32, not in e4m3fn",
    );
    let grouped = Selection { summation: sum("grouped"), ..dot("e5m2") };
    for selection in
        [Selection { rounding: Some(Rounding::Rtz), ..grouped }, Selection { overflow: Overflow::Saturate, ..grouped }]
    {
        refused(
            selection,
            "`sum grouped` rounds to nearest even, and overflow gives infinity; leave `round` and `overflow` out",
        );
    }
    refused(
        Selection { accumulator: Some("posit16_1".parse().unwrap()), ..grouped },
        "`sum grouped` has results in an IEEE 754 format such as binary32, not in posit16_1",
    );
    refused(
        Selection { flags: Some(Default::default()), ..grouped },
        "`sum grouped` is one of matrix units, which have no exception flags; leave `flags` out",
    );
    refused(
        Selection { summation: sum("flushed"), rounds_products: true, ..dot("e5m2") },
        "`sum flushed` rounds every product; leave `product` out",
    );
    refused(
        Selection { summation: sum("interleaved"), ..dot("fixed8_6") },
        "this summation aligns terms by exponent and needs a floating-point or posit format, not fixed8_6",
    );
    refused(
        Selection { like: Some(Like::Mi300x), ..dot("e4m3fn") },
        "no model of mi300x's matrix unit is known to be right for e4m3fn into binary32",
    );
    refused(
        Selection { like: Some(Like::Mi250x), rounds_products: true, ..dot("binary32") },
        "`like mi250x` says how products are added; leave `product` out",
    );
    refused(
        Selection { like: Some(Like::Rvbna), ..dot("binary16") },
        "no model of rvbna's matrix unit is known to be right for binary16 into binary32",
    );
    let blocks = |format: &str| Selection { like, ..selection(Unit::MxDot, format) };
    refused(blocks("e3m2f"), "no model of b200's matrix unit is known to be right for e3m2f into binary32");
    refused(
        Selection { like: Some(Like::H100), ..blocks("e4m3fn") },
        "no model of h100's matrix unit is known to be right for e4m3fn into binary32",
    );
    refused(
        Selection { rounding: Some(Rounding::Rne), ..blocks("e4m3fn") },
        "`like b200` says how sums are cut off and rounded (rtz); leave `sum` and `round` out",
    );
    refused(
        Selection { flags: Some(Default::default()), ..blocks("e4m3fn") },
        "a sum whose terms are cut off has no exception flags; leave `flags` out",
    );
    for selection in [
        Selection { block: Some(8), ..blocks("e2m1f") },
        Selection { lanes: Some(24), ..blocks("e2m1f") },
        Selection { lanes: Some(48), ..blocks("e2m1f") },
    ] {
        refused(
            selection,
            "choose `lanes` of up to 64 that are whole blocks of 32 or 16 (`block`), and for e2m1f whole groups of 16: these b200 adds at once",
        );
    }
    refused(
        Selection { lanes: Some(64), ..blocks("e4m3fn") },
        "choose `lanes` of up to 32 that are whole blocks of 32 (`block`), and for e2m1f whole groups of 16: these b200 adds at once",
    );
    refused(
        Selection { block: Some(16), ..selection(Unit::MxDot, "e2m1f") },
        "the blocks of mx-dot have all lanes; `block` divides them only in a model (`like`)",
    );
    for word in ["align:0", "align:300", "align:x", "sum", "align:8,floor=a", "align:8,width=3"] {
        assert!(word.parse::<binade_spec::Summation>().is_err(), "{word}");
    }
}

/// Settings of `function` that are missing, or too large.
#[test]
fn functions_out_of_place() {
    let exp = |format: &str| Selection { function: Some(Function::Exp), ..selection(Unit::Function, format) };
    refused(
        selection(Unit::Function, "e5m2"),
        "function needs to know which function (`function`): one of exp, exp2, expm1, log, log2, log1p, sin, cos, tanh, sigmoid, \
         softplus, gelu, gelu-tanh, silu, erf, recip, rsqrt, cbrt",
    );
    refused(
        exp("binary32"),
        "functions are built for operands of up to 16 bits and results of up to 32; binary32 has 32",
    );
    refused(exp("e11m4"), "functions are built for exponents from -960 to 960; those of e11m4 exceed them");
    refused(
        Selection { rounding: Some(Rounding::Sr(8)), ..exp("bfloat16") },
        "functions of more than 8 bits are not rounded stochastically, because the tables of their digits would be too large; bfloat16 \
         has 16",
    );
    refused(
        Selection { rounding: Some(Rounding::Sr(32)), target: Some("binary32".parse().unwrap()), ..exp("e5m2") },
        "functions are built for results of up to 40 bits, random bits included, not 56",
    );
    refused(
        Selection { function: Some(Function::Exp), ..selection(Unit::Add, "e5m2") },
        "add takes no function (`function`); only function does",
    );
}

/// Settings of units of vectors that contradict each other, and formats that they do not take.
#[test]
fn vectors_out_of_place() {
    refused(
        Selection { lanes: Some(3), ..selection(Unit::RmsNorm, "e5m2") },
        "rms-norm takes 1, 2, 4 .. 64 lanes, so that the mean is exact, not 3",
    );
    refused(
        Selection { reduction: Some(Reduction::Max), rounding: Some(Rounding::Rtz), ..selection(Unit::Reduce, "e5m2") },
        "the largest number is one of the operands, and is not rounded: leave `round` out",
    );
    let between = |unit| selection(unit, "int8").operation().unwrap().accumulator_format();
    assert_eq!([Unit::Softmax, Unit::RmsNorm].map(between), [Format::binary32(); 2]);
    refused(selection(Unit::Softmax, "e8m0"), "softmax needs negative values, and e8m0 has none");
    refused(
        Selection { accumulator: Some(format("e8m0")), ..selection(Unit::LayerNorm, "e5m2") },
        "layer-norm needs negative values, and e8m0 has none",
    );
    refused(
        selection(Unit::Softmax, "binary32"),
        "functions are built for operands of up to 16 bits and results of up to 32; binary32 has 32",
    );
}

/// Settings of `update` and `mma` that contradict each other, or belong to another unit.
#[test]
fn updates_and_matrices_out_of_place() {
    let algorithm = |word: &str| Some(word.parse().unwrap());
    let update = |format: &str, word: &str| Selection { algorithm: algorithm(word), ..selection(Unit::Update, format) };
    refused(update("e5m2", "lfsr16"), "`algorithm lfsr16`: update takes one of nearest, stochastic, kahan");
    refused(
        Selection { algorithm: algorithm("kahan"), ..selection(Unit::Random, "binary32") },
        "`algorithm kahan`: random takes one of lfsr16, lfsr32, xoshiro128++",
    );
    refused(
        Selection { algorithm: algorithm("kahan"), ..selection(Unit::Add, "e5m2") },
        "add takes no algorithm (`algorithm`); only update and random do",
    );
    refused(
        Selection { has_fused_rate: true, ..selection(Unit::Add, "e5m2") },
        "add updates no weights; leave `fused-rate` out, only update does",
    );
    let rounded = |word: &str, rounding| Selection { rounding: Some(rounding), ..update("e5m2", word) };
    refused(rounded("nearest", Rounding::Rtz), "`algorithm nearest` with `round rtz`: it rounds to nearest (rne, rna)");
    refused(
        rounded("stochastic", Rounding::Rne),
        "`algorithm stochastic` with `round rne`: it rounds with random bits (sr1 to sr32)",
    );
    refused(
        update("dlfloat16", "stochastic"),
        "`algorithm stochastic` with `round rnu`: dlfloat16 is not rounded stochastically",
    );
    let internal = |unit, round| Selection {
        has_internal_random: true,
        rounding: Some(Rounding::Sr(round)),
        ..selection(unit, "e5m2")
    };
    refused(
        Selection { rounding: None, ..internal(Unit::Fmac, 1) },
        "`random internal` makes the random bits of stochastic rounding; choose it (`round sr<bits>`), or leave `random` out",
    );
    refused(
        internal(Unit::Mac, 17),
        "`random internal`: 34 random bits are needed in a clock, and up to 32 are made; take them from a port",
    );
    refused(
        internal(Unit::Accumulate, 8),
        "accumulate makes no random bits of its own; leave `random` out, only decode, encode, convert, mul, add, sub, divide, \
         reciprocal, sqrt, rsqrt, function, fmac, mac, dot, reduce, update and unscale do, with `round sr<bits>`",
    );
    refused(update("e8m0", "nearest"), "update needs negative values, and e8m0 has none");
    assert_eq!(update("e5m2", "stochastic").operation().unwrap().rounding, Rounding::Sr(8));
    refused(
        Selection { rows: Some(2), ..selection(Unit::Dot, "e5m2") },
        "dot multiplies no matrices; leave `m` out, only mma does",
    );
    let tile = selection(Unit::Mma, "e5m2b1").operation().unwrap();
    assert_eq!(tile.module_name(), "mma4x4x4_e5m2b1_acc_binary16_rne");
}

/// Settings of blocks and of streams that contradict each other, or belong to another unit.
#[test]
fn blocks_and_streams_out_of_place() {
    let posit = Some(format("posit8_1"));
    refused(
        Selection { scale: posit, ..selection(Unit::MxDot, "e2m1f") },
        "`scale posit8_1`: scales are floating-point numbers, such as e8m0 and e4m3",
    );
    refused(
        Selection { scale: posit, ..selection(Unit::Dot, "e2m1f") },
        "dot takes no scales (`scale`); only mx-dot and mx-quantize do",
    );
    refused(
        Selection { source: posit, ..selection(Unit::MxQuantize, "e2m1f") },
        "`quantize-from posit8_1`: blocks are made of formats of IEEE 754, such as binary32 and bfloat16",
    );
    let quantize =
        |element: &str, scale: &str| Selection { scale: Some(format(scale)), ..selection(Unit::MxQuantize, element) };
    refused(
        quantize("posit8_1", "e4m3fn"),
        "`scale e4m3fn` is for elements that are floats or fixed-point numbers; posit8_1 takes powers of two (e8m0)",
    );
    let by = |rule, quantize| Selection { scale_rule: Some(rule), ..quantize };
    refused(
        by(ScaleRule::Ceil, quantize("e2m1f", "e4m3fn")),
        "`scale-rule ceil` is for scales that are powers of two (`scale e8m0`); a scale of e4m3fn is a rounded quotient",
    );
    refused(
        by(ScaleRule::Even, quantize("posit8_1", "e8m0")),
        "`scale-rule even` is for elements that are floats or fixed-point numbers; for posit8_1, leave it out (floor)",
    );
    for scale in ["e2m1f", "e5m2n", "posit8_1", "e4m3b2"] {
        refused(
            quantize("e2m1f", scale),
            &format!(
                "`scale {scale}`: blocks of binary32 have scales that are powers of two (e8m0, k8p1uf), or floats with NaN and \
                 subnormals (e4m3fn)"
            ),
        );
    }
    let stream = |sum: &str| Selection { summation: Some(sum.parse().unwrap()), ..selection(Unit::DotStream, "e5m2") };
    refused(stream("tree"), "dot-stream adds product after product: `sum chain` or fmac8, not tree");
    refused(
        Selection { block: Some(4), ..stream("chain") },
        "`block` divides the products of `sum fmac8`, `sum align:<fraction bits>`, `sum bulk` and the sums of AMD's matrix units; other sums have no blocks",
    );
    refused(
        Selection { accumulator: Some(Format::e8m0()), ..stream("fmac8") },
        "dot-stream starts from zero, which e8m0 does not have",
    );
    refused(
        Selection { rounding: Some(Rounding::Sr(4)), ..stream("fmac8") },
        "dot-stream is not rounded stochastically; leave `round sr<bits>` out",
    );
    refused(
        Selection { guard_bits: Some(4), ..stream("fmac8") },
        "dot-stream has no exact accumulator; leave `guard` out, only dot-exact does",
    );
    refused(
        Selection { has_quire: true, ..stream("fmac8") },
        "dot-stream has no unrounded sum; leave `quire` out, only dot-exact does",
    );
    let quire = Selection { has_quire: true, ..selection(Unit::DotExact, "posit8_2") };
    refused(
        Selection { second: Some("e4m3".parse().unwrap()), ..quire },
        "`quire` shows the sum as the posit standard has it; e4m3 is no posit",
    );
    let stationary = |array| Selection { array: Some(array), ..selection(Unit::Mma, "e5m2") };
    let array = stationary(Dataflow::OutputStationary);
    let fed = "an array (`array`) takes no `k`: a sum takes as many products as are fed";
    refused(Selection { depth: Some(4), ..array }, fed);
    let summed = |sum: &str| Selection { summation: Some(sum.parse().unwrap()), ..array };
    let chained = "an array (`array`) takes no `sum`: a sum is rounded product after product (`sum chain`)";
    ["exact", "tree", "fmac8", "align:9"].into_iter().for_each(|sum| refused(summed(sum), chained));
    assert_eq!(summed("chain").operation(), array.operation());
    let in_turn = |key| format!("an array (`array`) takes no `{key}`: a sum is rounded product after product");
    refused(Selection { block: Some(4), ..array }, &in_turn("block"));
    refused(Selection { like: Some(Like::A100), ..array }, &in_turn("like"));
    refused(
        Selection { source: Some(format("binary16")), ..array },
        "an array (`array`) takes no `quantize-from`: operands come in the formats that are multiplied",
    );
    refused(
        Selection { flags: Some(Tininess::After), ..array },
        "an array (`array`) takes no `flags`: its elements raise no flags",
    );
    refused(
        Selection { rounding: Some(Rounding::Sr(4)), ..array },
        "an array (`array`) takes no `round`: there are no random bits in its elements",
    );
    let sums = Selection { accumulator: Some(Format::e8m0()), ..array };
    refused(sums, "mma starts from zero, which e8m0 does not have");
    assert!(Selection { array: Some(Dataflow::WeightStationary), ..sums }.operation().is_ok());
    let dot = Selection { array: Some(Dataflow::WeightStationary), ..selection(Unit::Dot, "e5m2") };
    refused(dot, "dot multiplies no matrices; leave `array` out, only mma does");
    let blocks = Selection { lanes: Some(16), scale: Some(format("e4m3fn")), ..selection(Unit::MxDot, "e2m1f") };
    assert_eq!(blocks.operation().unwrap().module_name(), "mx_dot16_e2m1f_scale_e4m3fn_acc_binary32_rne");
}

/// Roundings that a unit or a format does not support, including those of an output format.
#[test]
fn roundings_out_of_place() {
    let idle = "posit-decoder rounds nothing; leave `round`, `overflow` and `posit-range` out";
    refused(Selection { posit_range: PositRange::Float, ..selection(Unit::PositDecoder, "posit16_1") }, idle);
    let rounded = |unit, name, rounding| Selection { rounding: Some(rounding), ..selection(unit, name) };
    refused(rounded(Unit::PositDecoder, "posit16_1", Rounding::Rne), idle);
    refused(
        rounded(Unit::Mul, "dlfloat16", Rounding::Rne),
        "dlfloat16 is rounded only to nearest, ties away from zero (`round rnu`), not rne",
    );
    refused(
        rounded(Unit::Add, "dlfloat16", Rounding::Sr(4)),
        "dlfloat16 is rounded only to nearest, ties away from zero (`round rnu`), not sr4",
    );
    refused(
        rounded(Unit::Mul, "e5m2", Rounding::Mptorch),
        "mptorch rounds to supernormal formats (e5m2b1); e5m2 is none",
    );
    let acc = Some(format("e5m2b1"));
    let with_output = |name| Selection {
        accumulator: acc,
        output: Some(format(name)),
        ..rounded(Unit::Fmac, "e5m2b1", Rounding::Mptorch)
    };
    refused(with_output("e4m3"), "mptorch rounds to supernormal formats (e5m2b1); e4m3 is none");
    assert!(with_output("e4m3b2").operation().is_ok());
    assert!(rounded(Unit::Add, "posit64_2", Rounding::Sr(32)).operation().is_ok());
    assert!(rounded(Unit::Add, "binary64", Rounding::Sr(32)).operation().is_ok());
}

/// Range policies of the other family, which an output of that family permits.
#[test]
fn ranges_out_of_place() {
    let posit = Some(format("posit8_2"));
    let saturating = Selection { overflow: Overflow::Saturate, ..selection(Unit::Mul, "posit16_1") };
    refused(
        saturating,
        "`overflow saturate`: posit16_1 has no infinity to overflow to, posits always saturate; `posit-range float` is the alternative",
    );
    let float_range = Selection { posit_range: PositRange::Float, ..selection(Unit::Fmac, "e5m2") };
    refused(float_range, "`posit-range float` is for results that are posits; binary16 is none");
    assert!(Selection { output: posit, ..float_range }.operation().is_ok());
    let accumulating = Selection { unit: Unit::Fmac, accumulator: posit, output: Some(format("e5m2")), ..saturating };
    assert!(accumulating.operation().is_ok());
}

/// Flags exist for IEEE 754 encodings; every result must have them.
#[test]
fn flags_out_of_place() {
    let flagged = |unit, name| Selection { flags: Some(Tininess::After), ..selection(unit, name) };
    let none = "has no exception flags; formats with the IEEE 754 encoding (e<w>m<t> and e<w>m<t>n) and fixed-point formats do";
    for name in ["e4m3fn", "e3m2f", "e5m2ns", "e5m2b1", "k8p3se", "e8m0", "dlfloat16", "posit16_1"] {
        refused(flagged(Unit::Mul, name), &format!("{name} {none}"));
        refused(Selection { output: Some(format(name)), ..flagged(Unit::Fmac, "e5m2") }, &format!("{name} {none}"));
        assert!(flagged(Unit::Decode, name).operation().is_ok(), "the result is binary32");
    }
    assert!(flagged(Unit::Add, "e5m2n").operation().is_ok());
    for unit in [Unit::PositDecoder, Unit::PositEncoder] {
        refused(flagged(unit, "posit16_1"), &format!("{unit} has no exception flags; leave `flags` out"));
    }
}

/// Outputs and random bits that do not fit together in one 64-bit word.
#[test]
fn wide_words() {
    let width = |ports: &[Port]| -> u32 { ports.iter().map(Port::width).sum() };
    let accumulating = Selection { output: Some(Format::binary32()), ..selection(Unit::Fmac, "binary16") };
    let flagged = Selection { flags: Some(Tininess::After), ..accumulating };
    assert_eq!(width(&flagged.operation().unwrap().outputs()), 68);
    let stochastic = Selection { unit: Unit::Mac, rounding: Some(Rounding::Sr(32)), ..accumulating };
    assert_eq!(stochastic.operation().unwrap().random_bits(), 96);
    let quad = selection(Unit::Add, "binary128").operation().unwrap();
    assert_eq!([width(&quad.inputs()), width(&quad.outputs())], [256, 128]);
}

/// Roundings by name, the stochastic ones with their bits; the message lists them.
#[test]
fn rounding_names() {
    let rounding = |name: &str| name.parse::<Rounding>();
    for named in Rounding::NAMED.into_iter().chain((1..=32).map(Rounding::Sr)) {
        assert_eq!(rounding(&named.to_string()), Ok(named));
    }
    let sentence = "one of rne, rna, rtz, rup, rdn, rto, rnu, mptorch, any, or sr<k>, srb<k> or src<k> with 1 to 32 random bits (sr8) is expected";
    for name in ["sr", "sr0", "sr33", "sr-1", "sr8x", "s-r8", "", "nearest"] {
        assert_eq!(rounding(name), Err(sentence.into()), "{name}");
    }
}
