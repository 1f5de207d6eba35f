//! Why settings do not make an operation.

use crate::function::{
    MOST_EXPONENT, MOST_FUNCTION_DIGITS, MOST_OPERAND_BITS, MOST_RANDOM_OPERAND_BITS, MOST_RESULT_BITS,
};
use crate::{
    Algorithm, Extremum, Format, Function, Generator, Like, MOST_PORT_BITS, Optimizer, Overflow, Rounding, ScaleRule,
    Setting, Summation, Unit, UpdateRule,
};
use thiserror::Error;

/// The widest window in which terms are added exactly: a signal with room for carries, guard and sticky bits.
pub(crate) const MOST_WINDOW_BITS: i64 = MOST_PORT_BITS as i64 - 1024;

/// Why a selection is not an operation. Users read the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OperationError {
    /// `convert` without a target format.
    #[error("convert needs the format to convert to (`to`)")]
    TargetMissing,
    /// `minmax` without an operation.
    #[error("minmax needs to know which minimum or maximum (`operation`): one of {}", extrema())]
    ExtremumMissing,
    /// `function` without a function.
    #[error("function needs to know which function (`function`): one of {}", Function::ALL.map(Function::name).join(", "))]
    FunctionMissing,
    /// A function of a format with too many codes.
    #[error(
        "functions are built for operands of up to {MOST_OPERAND_BITS} bits and results of up to {MOST_RESULT_BITS}; {format} has {}",
        format.width()
    )]
    FunctionBits {
        /// The format with too many bits.
        format: Format,
    },
    /// A function of a format with too wide a range.
    #[error(
        "functions are built for exponents from -{MOST_EXPONENT} to {MOST_EXPONENT}; those of {format} exceed them"
    )]
    FunctionRange {
        /// The format with more exponents.
        format: Format,
    },
    /// A function with too many digits.
    #[error("functions are built for results of up to {MOST_FUNCTION_DIGITS} bits, random bits included, not {bits}")]
    FunctionDigits {
        /// Significant bits of the result and random bits.
        bits: u32,
    },
    /// A function of many codes with random bits.
    #[error(
        "functions of more than {MOST_RANDOM_OPERAND_BITS} bits are not rounded stochastically, because the tables of their digits would \
         be too large; {format} has {}",
        format.width()
    )]
    FunctionRandom {
        /// The format of the operand.
        format: Format,
    },
    /// A Hadamard transform of a length whose root is no power of two.
    #[error("hadamard takes 4, 16 or 64 lanes, whose roots are powers of two, not {lanes}")]
    Points {
        /// The lanes.
        lanes: u32,
    },
    /// A mean of a number of lanes that is no power of two.
    #[error("{unit} takes 1, 2, 4 .. {most} lanes, so that the mean is exact, not {lanes}")]
    LanesOfMean {
        /// The unit.
        unit: Unit,
        /// The lanes.
        lanes: u32,
        /// The most lanes.
        most: u32,
    },
    /// A rate for an optimizer that has one.
    #[error("{optimizer} always multiplies by a rate; leave `fused-rate` out")]
    RateFused {
        /// The optimizer.
        optimizer: Optimizer,
    },
    /// A largest number in another format.
    #[error("the largest number is one of the operands, and is not rounded: leave `{setting}` out")]
    MaximumRounds {
        /// The setting to omit.
        setting: Setting,
    },
    /// A setting that the unit does not take.
    #[error("{unit} {}", setting.refusal())]
    Unused {
        /// The unit.
        unit: Unit,
        /// The setting to omit.
        setting: Setting,
    },
    /// An activation without an output conversion.
    #[error("`activation` goes before the output conversion of {} (`out <FORMAT>`)", Setting::Out.takers())]
    ActivationUnused,
    /// A function of an accumulator with too many codes.
    #[error(
        "`activation` takes functions of accumulators of up to {MOST_OPERAND_BITS} bits, and {format} has {}: choose another (`acc <FORMAT>`)",
        format.width()
    )]
    ActivationBits {
        /// The format of the accumulator.
        format: Format,
    },
    /// A rounding direction on a port, for a unit that does not take it.
    #[error(
        "`round any` is for mul, add, sub, fmac, divide, sqrt, reciprocal, rsqrt, convert, encode and decode, with one result; choose one rounding for {unit}"
    )]
    UnitOfOneRounding {
        /// The unit.
        unit: Unit,
    },
    /// Lists of formats of different lengths.
    #[error(
        "port fmt chooses the n-th format of each list: give lists of the same length, not of {} and {} formats",
        counts[0],
        counts[1]
    )]
    ListLengths {
        /// Formats of two of the lists.
        counts: [usize; 2],
    },
    /// A list of formats for a unit that does not take it.
    #[error(
        "lists of formats are for mul, add, sub, fmac, divide, sqrt, reciprocal, rsqrt, dot, mx-dot, mma, convert, encode and decode, with one result and operands in their own formats; choose one format for {unit}"
    )]
    UnitOfOneFormat {
        /// The unit.
        unit: Unit,
    },
    /// Boxes for a unit that does not have them.
    #[error(
        "`nan-boxing` and `profile` are for units without a second output and without internal random bits; leave them out of this {unit}"
    )]
    UnitWithoutBoxes {
        /// The unit.
        unit: Unit,
    },
    /// Boxes for a format without the codes that boxes need.
    #[error(
        "codes of {format} cannot be NaN-boxed, those of floating-point formats with a sign and a NaN can; leave `nan-boxing` and `profile` out"
    )]
    FormatWithoutBoxes {
        /// The format.
        format: Format,
    },
    /// Boxes that are too narrow.
    #[error("`nan-boxing {bits}` is too narrow for {format}, which has {} bits", format.width())]
    NarrowBoxes {
        /// The format.
        format: Format,
        /// Bits of a box.
        bits: u32,
    },
    /// A sign that is no bit of its own.
    #[error(
        "{unit} needs a floating-point format in which every code, zeros and NaNs included, has a sign bit; {format} is none"
    )]
    NoSignBit {
        /// The unit.
        unit: Unit,
        /// The format.
        format: Format,
    },
    /// A list of formats for a sum that depends on more than its terms.
    #[error("lists of formats are for exact sums of exact products; leave `sum`, `like` and `product` out")]
    InexactSumOfFormats,
    /// A list of formats with random bits.
    #[error("lists of formats are not rounded stochastically; choose another rounding (`round`)")]
    StochasticFormats,
    /// A list of result formats for blocks whose scales may be zero, where the sign of a zero depends on the unscaled sum.
    #[error(
        "mx-dot with a list of result formats takes `round rdn` only with scales that have no sign and no zero, such as e8m0, not with {scale}"
    )]
    ScaledZerosOfLists {
        /// The format of the scales.
        scale: Format,
    },
    /// A list of formats that makes no difference.
    #[error("the formats of the list are all the same; give one format")]
    SameFormats,
    /// A format that cannot be in a list.
    #[error("{format} cannot be in a list of formats of {unit}: posits and floating-point formats with a sign can{}", if unit.computes_digits() { ", if they have -0" } else { "" })]
    FormatOfNoList {
        /// The format.
        format: Format,
        /// The unit.
        unit: Unit,
    },
    /// A rounding direction on a port, where there is no port.
    #[error("`round any` is for units, whose port rm chooses the rounding; choose one rounding here, such as rne")]
    NoOneRounding,
    /// A rounding direction on a port, for a format whose results are rounded in another way.
    #[error(
        "`round any` is for results in fixed point and in floating-point formats with a sign, without binades traded for range; choose one rounding for {format}"
    )]
    FormatOfOneRounding {
        /// The result format.
        format: Format,
    },
    /// Stochastic rounding to a codebook with other steps than powers of two.
    #[error(
        "stochastic rounding to {format} is not built, because some steps between its values are not powers of two; choose rne, rna, rtz, rup, rdn or rto"
    )]
    StochasticCodebook {
        /// The codebook.
        format: Format,
    },
    /// A stochastic rounding that only floats with gradual underflow have.
    #[error(
        "{rounding}, which rounds the fraction before random bits are added (IEEE P3109 StochasticB and C), is built for floating-point formats with subnormals, not for {format}; choose sr<k>"
    )]
    StochasticOfP3109 {
        /// The result format.
        format: Format,
        /// The rounding.
        rounding: Rounding,
    },
    /// A policy for infinities that do not exist.
    #[error("{format} has no infinity: results beyond its range saturate, and overflow is not a choice")]
    CodebookOverflow {
        /// The codebook.
        format: Format,
    },
    /// A posit unit with a floating-point format.
    #[error("{unit} takes a posit format, such as posit16_1; {format} is none")]
    PositNeeded {
        /// The posit unit.
        unit: Unit,
        /// The format, which is not a posit.
        format: Format,
    },
    /// A rounding that DLFloat16 does not have.
    #[error("{format} is rounded only to nearest, ties away from zero (`round rnu`), not {rounding}")]
    RoundingUndefined {
        /// The result format.
        format: Format,
        /// The rounding that it does not have.
        rounding: Rounding,
    },
    /// The MPTorch rounding for a format that is not supernormal.
    #[error("mptorch rounds to supernormal formats (e5m2b1); {format} is none")]
    NotSupernormal {
        /// The result format.
        format: Format,
    },
    /// An overflow policy for a posit result.
    #[error(
        "`overflow {overflow}`: {format} has no infinity to overflow to, posits always saturate; `posit-range float` is the alternative"
    )]
    PositOverflow {
        /// The result format.
        format: Format,
        /// The chosen policy.
        overflow: Overflow,
    },
    /// An overflow policy for a fixed-point result.
    #[error("`overflow {overflow}`: results in {format} always saturate; leave `overflow` out")]
    FixedOverflow {
        /// The result format.
        format: Format,
        /// The chosen policy.
        overflow: Overflow,
    },
    /// A sum that aligns by exponent, with terms that have none.
    #[error("this summation aligns terms by exponent and needs a floating-point or posit format, not {format}")]
    NoExponents {
        /// The format without exponents.
        format: Format,
    },
    /// A policy for the range of posits, with a result that is not a posit.
    #[error("`posit-range float` is for results that are posits; {format} is none")]
    NoPositRange {
        /// The result format.
        format: Format,
    },
    /// A policy for the range of posits, with a result whose values continue up to zero.
    #[error(
        "`posit-range float` is for posits whose smallest and largest values are powers of two; {format} always saturates"
    )]
    BoundedPositRange {
        /// The result format.
        format: Format,
    },
    /// A unit that starts from zero, with a format without zero.
    #[error("{unit} starts from zero, which {format} does not have")]
    NoZero {
        /// The unit.
        unit: Unit,
        /// The format without zero.
        format: Format,
    },
    /// A block size for a sum without blocks.
    #[error(
        "`block` divides the products of `sum fmac8`, `sum align:<fraction bits>`, `sum bulk` and the sums of AMD's matrix units; other sums \
         have no blocks"
    )]
    BlockUnused,
    /// A block size for blocks that have all lanes.
    #[error("the blocks of mx-dot have all lanes; `block` divides them only in a model (`like`)")]
    ScaledBlockUnused,
    /// Lanes or blocks that the modeled matrix unit does not have.
    #[error("choose `lanes` of up to {lanes} that are whole blocks of {} (`block`), and for e2m1f whole groups of 16: these {like} adds at once", any_of(.blocks))]
    ScaledBlocks {
        /// What is modeled.
        like: Like,
        /// Elements in one sum.
        lanes: u32,
        /// Elements that may share a scale.
        blocks: &'static [u32],
    },
    /// Rounded products for a sum that is not rounded product by product.
    #[error("`product rounded` is for `sum chain` and `sum tree`; {summation} adds exact products")]
    ProductsNotRounded {
        /// The order of the sum.
        summation: Summation,
    },
    /// Rounded products for a sum that always rounds them.
    #[error("`sum {summation}` rounds every product; leave `product` out")]
    ProductsAlwaysRounded {
        /// The sum.
        summation: Summation,
    },
    /// Exception flags for a sum of truncated terms.
    #[error("a sum whose terms are cut off has no exception flags; leave `flags` out")]
    AlignedFlags,
    /// Exception flags for a sum of AMD's matrix units.
    #[error("`sum {summation}` is one of matrix units, which have no exception flags; leave `flags` out")]
    NoFlagsOfAmd {
        /// The sum.
        summation: Summation,
    },
    /// A result with more bits than its format, or in a format without fraction bits to omit.
    #[error("result={bits}: {format} has to be an IEEE 754 format with more fraction bits than that, such as binary32")]
    ResultBits {
        /// Fraction bits of the result.
        bits: u32,
        /// Its format.
        format: Format,
    },
    /// A setting that is fixed for arrays.
    #[error("an array (`array`) takes no `{setting}`: {why}")]
    ArrayFixed {
        /// The setting to omit.
        setting: Setting,
        /// Why.
        why: &'static str,
    },
    /// A result of bulk normalization, or of a sum of AMD's matrix units, that is not in an IEEE 754 format.
    #[error("`sum {summation}` has results in an IEEE 754 format such as binary32, not in {format}")]
    NoIeeeResult {
        /// The sum.
        summation: Summation,
        /// Its format.
        format: Format,
    },
    /// Another rounding, or another treatment of overflow, than that of bulk normalization.
    #[error("`sum bulk` rounds to odd, and overflow gives infinity; leave `round` and `overflow` out")]
    BulkRounding,
    /// Another rounding, or another treatment of overflow, than that of AMD's matrix units.
    #[error("`sum {summation}` rounds to nearest even, and overflow gives infinity; leave `round` and `overflow` out")]
    RoundingOfAmd {
        /// The sum.
        summation: Summation,
    },
    /// A matrix unit that does not support the formats, or whose results for them are unexplained.
    #[error("no model of {like}'s matrix unit is known to be right for {operand} into {result}")]
    NoMatrixUnit {
        /// What is modeled.
        like: Like,
        /// The format of the operands.
        operand: Format,
        /// The format of the result.
        result: Format,
    },
    /// Settings that contradict the model.
    #[error("`like {like}` says how sums are cut off and rounded ({rounding}); leave `sum` and `round` out")]
    MatrixUnitFixed {
        /// What is modeled.
        like: Like,
        /// How it rounds.
        rounding: Rounding,
    },
    /// Rounded products for a model that adds product after product.
    #[error("`like {like}` says how products are added; leave `product` out")]
    ProductOfModel {
        /// What is modeled.
        like: Like,
    },
    /// A unit without a number format.
    #[error("{unit} needs a number format (`format`)")]
    FormatMissing {
        /// The unit.
        unit: Unit,
    },
    /// A format for a unit that has none.
    #[error("{unit} has no number format; leave `format` out")]
    FormatUnused {
        /// The unit.
        unit: Unit,
    },
    /// Words longer than a generator supports.
    #[error("`bits {bits}`: words of {generator} have up to {} bits", generator.most_bits())]
    TooManyRandomBits {
        /// The generator.
        generator: Generator,
        /// The requested number of bits.
        bits: u32,
    },
    /// An algorithm of another unit.
    #[error("`algorithm {algorithm}`: {unit} takes one of {}", algorithms(*unit))]
    WrongAlgorithm {
        /// The unit.
        unit: Unit,
        /// The algorithm.
        algorithm: Algorithm,
    },
    /// A rounding that does not match the rule of the update.
    #[error("`algorithm {rule}` with `round {rounding}`: {}", wanted_rounding(*rule, *format))]
    RuleRounds {
        /// The rule.
        rule: UpdateRule,
        /// The chosen rounding.
        rounding: Rounding,
        /// The format of the weight.
        format: Format,
    },
    /// Formats whose products have too wide a range for one accumulator.
    #[error("an exact accumulator for these products would have {width} bits; up to {most} are supported")]
    WideAccumulator {
        /// Its width.
        width: u32,
        /// The largest supported width.
        most: u32,
    },
    /// Too many lanes for a port.
    #[error("port {port} would have {width} bits; up to {MOST_PORT_BITS} are possible, so take fewer lanes")]
    WidePort {
        /// The name of the port.
        port: &'static str,
        /// Its width.
        width: u32,
    },
    /// Terms with too wide a range to be added exactly.
    #[error(
        "the terms lie up to {width} binary places apart; sums of up to {MOST_WINDOW_BITS} are added exactly, so take formats with a \
         smaller range of exponents"
    )]
    WideSum {
        /// The width from the lowest digit of any term to the highest.
        width: i64,
    },
    /// A quire for products that are not all of posits.
    #[error("`quire` shows the sum as the posit standard has it; {format} is no posit")]
    QuireOfPosits {
        /// The format, which is not a posit.
        format: Format,
    },
    /// A unit without random bits.
    #[error("{unit} is not rounded stochastically; leave `round sr<bits>` out")]
    NotStochastic {
        /// The unit.
        unit: Unit,
    },
    /// Internal random bits for a unit that uses none.
    #[error(
        "`random internal` makes the random bits of stochastic rounding; choose it (`round sr<bits>`), or leave `random` out"
    )]
    InternalRandomUnused,
    /// More random bits than a generator makes per clock.
    #[error(
        "`random internal`: {bits} random bits are needed in a clock, and up to {most} are made; take them from a port"
    )]
    TooManyInternalBits {
        /// The random bits of all roundings.
        bits: u32,
        /// The most that are generated.
        most: u32,
    },
    /// A unit that subtracts, with a format without negative values.
    #[error("{unit} needs negative values, and {format} has none")]
    NoSign {
        /// The unit.
        unit: Unit,
        /// The format without a sign.
        format: Format,
    },
    /// A unit that detects overflow, with a format that cannot represent it.
    #[error("{unit} watches for infinities and NaNs, which {format} does not have")]
    NoOverflow {
        /// The unit.
        unit: Unit,
        /// The format without them.
        format: Format,
    },
    /// Blocks of numbers whose exponents are not fields.
    #[error("`quantize-from {format}`: blocks are made of formats of IEEE 754, such as binary32 and bfloat16")]
    BlocksOfFloats {
        /// The other format.
        format: Format,
    },
    /// Scales that are neither powers of two nor ordinary floats.
    #[error(
        "`scale {scale}`: blocks of {operand} have scales that are powers of two (e8m0, k8p1uf), or floats with NaN and subnormals (e4m3fn)"
    )]
    NoSuchScale {
        /// The chosen scale.
        scale: Format,
        /// The numbers of the block.
        operand: Format,
    },
    /// A scale with a significand for elements whose largest one is not known by its own.
    #[error(
        "`scale {scale}` is for elements that are floats or fixed-point numbers; {element} takes powers of two (e8m0)"
    )]
    ElementsOfScale {
        /// The chosen scale.
        scale: Format,
        /// The format of elements.
        element: Format,
    },
    /// A factor of a tensor in whose format products with the numbers do not fit.
    #[error(
        "`tensor-scale {factor}`: numbers of {numbers} are multiplied by an IEEE 754 format with at least their range and precision, such as binary32"
    )]
    TensorScale {
        /// The format of the factor.
        factor: Format,
        /// The format of the numbers.
        numbers: Format,
    },
    /// A rule of powers of two for scales that are none.
    #[error(
        "`scale-rule {rule}` is for scales that are powers of two (`scale e8m0`); a scale of {scale} is a rounded quotient"
    )]
    RuleOfScale {
        /// The chosen rule.
        rule: ScaleRule,
        /// The chosen scale.
        scale: Format,
    },
    /// A rule for other elements than floats and fixed-point numbers.
    #[error(
        "`scale-rule {rule}` is for elements that are floats or fixed-point numbers; for {element}, leave it out (floor)"
    )]
    RuleOfElements {
        /// The chosen rule.
        rule: ScaleRule,
        /// The format of elements.
        element: Format,
    },
    /// A sum that cannot be computed from a stream of products.
    #[error("dot-stream adds product after product: `sum chain` or fmac8, not {summation}")]
    NotStreamed {
        /// The chosen sum.
        summation: Summation,
    },
    /// A scale that is not a float.
    #[error("`scale {format}`: scales are floating-point numbers, such as e8m0 and e4m3")]
    ScaleIsNoFloat {
        /// The chosen format.
        format: Format,
    },
    /// A scale outside the range of e8m0.
    #[error("`start {start}`: the first scale is a power of two from 2^-127 to 2^127")]
    StartOutOfRange {
        /// The chosen exponent.
        start: i32,
    },
    /// Exception flags for a format whose exceptions IEEE 754 does not define.
    #[error(
        "{format} has no exception flags; formats with the IEEE 754 encoding (e<w>m<t> and e<w>m<t>n) and fixed-point formats do"
    )]
    NoFlags {
        /// The result format.
        format: Format,
    },
}

fn algorithms(unit: Unit) -> String {
    unit.algorithms().into_iter().map(Algorithm::name).collect::<Vec<_>>().join(", ")
}

fn wanted_rounding(rule: UpdateRule, format: Format) -> String {
    match rule {
        UpdateRule::Stochastic if format.ignores_sign_of_specials() => {
            format!("{format} is not rounded stochastically")
        }
        UpdateRule::Stochastic => "it rounds with random bits (sr1 to sr32)".into(),
        UpdateRule::Nearest | UpdateRule::Kahan => "it rounds to nearest (rne, rna)".into(),
    }
}

fn extrema() -> String {
    Extremum::ALL.map(Extremum::name).join(", ")
}

/// Numbers joined by "or".
fn any_of(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" or ")
}
