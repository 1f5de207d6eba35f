//! The settings that only some kinds of units have, and their values.

use crate::rounding::{by_name, named};
use crate::{Format, Function, Generator, Like, Summation};
use serde::Serialize;
use std::{fmt, str::FromStr};

/// The default log2 of the number of products of the largest values that `dot-exact` adds without overflow. With this
/// number, a quire has 16n bits.
pub(crate) const DEFAULT_GUARD: u32 = 30;

/// The default number of good steps after which `loss-scaler` doubles its scale.
pub(crate) const DEFAULT_INTERVAL: u32 = 2000;

/// The default exponent of its initial scale.
pub(crate) const DEFAULT_START: i32 = 24;

/// The default number of bits of a word of `random`.
pub(crate) const DEFAULT_BITS: u32 = 8;

/// The settings of one kind of units. The unit determines its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing.
    Plain,
    /// `fmac`.
    MultiplyAdd(MultiplyAdd),
    /// `dot`, `mma` and `dot-stream`.
    Products(Products),
    /// `mx-dot` and `mx-quantize`.
    Scaled(Scaled),
    /// `dot-exact`.
    Accumulation(Accumulation),
    /// `compare`.
    Compare(Compare),
    /// `posit-decoder`.
    Decoder(Decoder),
    /// `minmax`.
    Minmax(Minmax),
    /// `update`.
    Update(Update),
    /// `loss-scaler`.
    LossScaler(LossScaler),
    /// `random`.
    Random(Random),
    /// `function`.
    Function(OfFunction),
    /// `softmax`, `rms-norm`, `layer-norm` and `reduce`.
    Vector(Vector),
}

macro_rules! settings {
    ($($kind:ident($settings:ident),)*) => {$(
        impl TryFrom<Kind> for $settings {
            type Error = Kind;

            fn try_from(kind: Kind) -> Result<$settings, Kind> {
                if let Kind::$kind(settings) = kind { Ok(settings) } else { Err(kind) }
            }
        }
    )*};
}

settings! {
    MultiplyAdd(MultiplyAdd), Products(Products), Scaled(Scaled), Accumulation(Accumulation), Compare(Compare), Decoder(Decoder),
    Minmax(Minmax), Update(Update), LossScaler(LossScaler), Random(Random), Function(OfFunction), Vector(Vector),
}

/// Which terms of `a * b + c` are negated. RISC-V calls the three FNMSUB, FMSUB and FNMADD, x86 FNMADD, FMSUB and
/// FNMSUB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Negation {
    /// `-(a * b) + c`.
    Product,
    /// `a * b - c`.
    Addend,
    /// `-(a * b) - c`.
    Both,
}

named! {
    /// All negations.
    Negation { Product: "product", Addend: "addend", Both: "both" }
}

/// The settings of a fused multiply-add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MultiplyAdd {
    /// Which terms are negated.
    pub negation: Option<Negation>,
}

/// What stays in the elements of a systolic array while the rest moves through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dataflow {
    /// The sums: element (i, j) accumulates `d[i][j]`.
    OutputStationary,
    /// The weights: element (i, j) multiplies by `b[i][j]`, and passes the sum on.
    WeightStationary,
}

named! {
    /// All dataflows.
    Dataflow { OutputStationary: "output-stationary", WeightStationary: "weight-stationary" }
}

/// The settings of sums of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Products {
    /// Format of `b`, if it differs from that of `a`.
    pub second: Option<Format>,
    /// Format in which `a` and `b` arrive, if they are rounded first.
    pub source: Option<Format>,
    /// Lanes of `a`, and of `b`; columns of `A`, and rows of `B`.
    pub lanes: u32,
    /// Rows of `A`, and of `C` and `D`.
    pub rows: u32,
    /// Columns of `B`, and of `C` and `D`.
    pub columns: u32,
    /// The dataflow of a systolic array, if the unit is one.
    pub array: Option<Dataflow>,
    /// How products and `c` are added.
    pub summation: Summation,
    /// Products per block, if there are blocks.
    pub block: u32,
    /// Whether products are rounded before they are added.
    pub rounds_products: bool,
}

/// How the exponent of a scale that is a power of two follows from the largest magnitude of a block, `amax`. `emax` is the
/// exponent of the largest element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScaleRule {
    /// `floor(log2(amax)) - emax` (OCP Microscaling Formats 1.0, section 6.3).
    #[default]
    Floor,
    /// `ceil(log2(amax)) - emax`.
    Ceil,
    /// `floor(log2(amax')) - emax`, where `amax'` is `amax` rounded to nearest, to the precision of elements.
    Even,
    /// `ceil(log2(amax / largest element))`, with which no element is beyond the largest one.
    Rceil,
}

named! {
    /// All rules, the default one first, with the names that torchao uses, too.
    ScaleRule { Floor: "floor", Ceil: "ceil", Even: "even", Rceil: "rceil" }
}

/// The settings of units of blocks with scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scaled {
    /// Format of `b`, if it differs from that of `a`.
    pub second: Option<Format>,
    /// Format of the numbers that are quantized to blocks.
    pub source: Option<Format>,
    /// Elements per block.
    pub lanes: u32,
    /// Format of the scales.
    pub scale: Format,
    /// How `mx-quantize` chooses scales.
    pub scale_rule: Option<ScaleRule>,
    /// Format of the factor of all numbers of a tensor, if they have one.
    pub tensor_scale: Option<Format>,
    /// The matrix unit that is modeled.
    pub like: Option<Like>,
    /// Elements that share a scale.
    pub block: u32,
}

/// The settings of an exact accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Accumulation {
    /// Format of `b`, if it differs from that of `a`.
    pub second: Option<Format>,
    /// Lanes of `a`, and of `b`.
    pub lanes: u32,
    /// log2 of the number of products of the largest values that can be added without overflow.
    pub guard_bits: u32,
    /// Whether the unrounded sum is a second output, like the quire of the posit standard.
    pub has_quire: bool,
}

/// Which NaNs a comparison signals as invalid (IEEE 754-2019 section 5.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Comparison {
    /// Signaling ones only.
    #[default]
    Quiet,
    /// All of them.
    Signaling,
}

named! {
    /// All kinds, the default one first.
    Comparison { Quiet: "quiet", Signaling: "signaling" }
}

/// The settings of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Compare {
    /// Which NaNs it signals.
    pub comparison: Comparison,
}

/// How a decoder gives the significand of a negative posit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Significand {
    /// As a magnitude in [1, 2), beside the sign.
    #[default]
    SignMagnitude,
    /// In two's complement, in [-2, -1): the bits of the code, not negated.
    TwosComplement,
}

named! {
    /// All forms, the default one first.
    Significand { SignMagnitude: "sign-magnitude", TwosComplement: "twos-complement" }
}

/// The settings of a decoder of posits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decoder {
    /// How it gives the significand.
    pub significand: Significand,
}

/// The operations of IEEE 754-2019 section 9.6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extremum {
    /// The smaller one; NaN if one is NaN.
    #[default]
    Minimum,
    /// The smaller one; the number if one is NaN.
    MinimumNumber,
    /// The larger one; NaN if one is NaN.
    Maximum,
    /// The larger one; the number if one is NaN.
    MaximumNumber,
    /// The one with the smaller magnitude, of equal magnitudes the minimum; NaN if one is NaN.
    MinimumMagnitude,
    /// The one with the smaller magnitude, of equal magnitudes the minimum; the number if one is NaN.
    MinimumMagnitudeNumber,
    /// The one with the larger magnitude, of equal magnitudes the maximum; NaN if one is NaN.
    MaximumMagnitude,
    /// The one with the larger magnitude, of equal magnitudes the maximum; the number if one is NaN.
    MaximumMagnitudeNumber,
}

impl Extremum {
    /// Whether the larger one is taken.
    pub fn is_maximum(self) -> bool {
        match self {
            Extremum::Maximum
            | Extremum::MaximumNumber
            | Extremum::MaximumMagnitude
            | Extremum::MaximumMagnitudeNumber => true,
            Extremum::Minimum
            | Extremum::MinimumNumber
            | Extremum::MinimumMagnitude
            | Extremum::MinimumMagnitudeNumber => false,
        }
    }

    /// Whether a number is preferred to a NaN.
    pub fn prefers_number(self) -> bool {
        match self {
            Extremum::MinimumNumber
            | Extremum::MaximumNumber
            | Extremum::MinimumMagnitudeNumber
            | Extremum::MaximumMagnitudeNumber => true,
            Extremum::Minimum | Extremum::Maximum | Extremum::MinimumMagnitude | Extremum::MaximumMagnitude => false,
        }
    }

    /// Whether magnitudes are compared first.
    pub fn is_of_magnitudes(self) -> bool {
        match self {
            Extremum::MinimumMagnitude
            | Extremum::MinimumMagnitudeNumber
            | Extremum::MaximumMagnitude
            | Extremum::MaximumMagnitudeNumber => true,
            Extremum::Minimum | Extremum::MinimumNumber | Extremum::Maximum | Extremum::MaximumNumber => false,
        }
    }
}

named! {
    /// All operations, in the order of the help.
    Extremum {
        Minimum: "minimum", MinimumNumber: "minimum-number", Maximum: "maximum", MaximumNumber: "maximum-number",
        MinimumMagnitude: "minimum-magnitude", MinimumMagnitudeNumber: "minimum-magnitude-number",
        MaximumMagnitude: "maximum-magnitude", MaximumMagnitudeNumber: "maximum-magnitude-number",
    }
}

/// The settings of a minimum or maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Minmax {
    /// Which one it computes.
    pub extremum: Extremum,
}

/// The settings of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OfFunction {
    /// Which one it computes.
    pub function: Function,
}

/// What a vector is reduced to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reduction {
    /// The sum.
    #[default]
    Sum,
    /// The sum of squares.
    Squares,
    /// The largest number.
    Max,
}

named! {
    /// All reductions, the default one first.
    Reduction { Sum: "sum", Squares: "squares", Max: "max" }
}

/// The settings of a unit of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Vector {
    /// Numbers of the vector.
    pub lanes: u32,
    /// The format of what is between operands and results.
    pub accumulator: Format,
    /// What `reduce` computes.
    pub reduction: Option<Reduction>,
}

/// How a weight and its update are added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UpdateRule {
    /// The sum is rounded to nearest.
    #[default]
    Nearest,
    /// The sum is rounded stochastically.
    Stochastic,
    /// `y = u - c`, `w_next = w + y`, `c_next = (w_next - w) - y`, each rounded to nearest.
    Kahan,
}

named! {
    /// All rules.
    UpdateRule { Nearest: "nearest", Stochastic: "stochastic", Kahan: "kahan" }
}

/// What an update is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimizer {
    /// A gradient, or what the user makes of it.
    #[default]
    Sgd,
    /// A running sum of gradients: `m_next = beta * m + g` (Polyak, 1964; as PyTorch's SGD has it).
    Momentum,
    /// Running means of gradients and their squares, with decoupled decay (Loshchilov and Hutter, 2019).
    Adamw,
}

named! {
    /// All optimizers, the default one first.
    Optimizer { Sgd: "sgd", Momentum: "momentum", Adamw: "adamw" }
}

/// The settings of a weight update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Update {
    /// How it adds.
    pub rule: UpdateRule,
    /// Whether the update is the product of a rate and a gradient.
    pub has_fused_rate: bool,
    /// What the update is made of.
    pub optimizer: Optimizer,
}

/// The settings of dynamic loss scaling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LossScaler {
    /// Lanes of `g`.
    pub lanes: u32,
    /// Good steps after which the scale is doubled.
    pub interval: u32,
    /// The exponent of the initial scale.
    pub start: i32,
}

/// The settings of a generator of random words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Random {
    /// The algorithm of the generator.
    pub generator: Generator,
    /// Bits of a word.
    pub word_bits: u32,
}

impl Default for Products {
    /// One product, added exactly.
    fn default() -> Products {
        Products {
            second: None,
            source: None,
            lanes: 1,
            rows: 1,
            columns: 1,
            array: None,
            summation: Summation::default(),
            block: 1,
            rounds_products: false,
        }
    }
}

impl Default for Scaled {
    /// One element, with a power of two as its scale.
    fn default() -> Scaled {
        Scaled {
            second: None,
            source: None,
            lanes: 1,
            scale: Format::e8m0(),
            scale_rule: None,
            tensor_scale: None,
            like: None,
            block: 1,
        }
    }
}

impl Default for Accumulation {
    /// One product per clock.
    fn default() -> Accumulation {
        Accumulation { second: None, lanes: 1, guard_bits: DEFAULT_GUARD, has_quire: false }
    }
}

impl Default for Vector {
    /// One number, its steps in binary32.
    fn default() -> Vector {
        Vector { lanes: 1, accumulator: Format::binary32(), reduction: None }
    }
}

impl Default for LossScaler {
    /// Gradients one by one.
    fn default() -> LossScaler {
        LossScaler { lanes: 1, interval: DEFAULT_INTERVAL, start: DEFAULT_START }
    }
}

impl Default for OfFunction {
    /// The first function.
    fn default() -> OfFunction {
        OfFunction { function: Function::Exp }
    }
}

impl Default for Random {
    /// Words of the shift register of 16 bits.
    fn default() -> Random {
        Random { generator: Generator::default(), word_bits: DEFAULT_BITS }
    }
}
