//! The settings that only some kinds of units have.

use crate::units::{DEFAULT_BITS, DEFAULT_GUARD, DEFAULT_INTERVAL, DEFAULT_START};
use crate::{Comparison, Dataflow, Extremum, Format, Generator, Negation, Operation, Summation, UpdateRule};

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
    /// `minmax`.
    Minmax(Minmax),
    /// `update`.
    Update(Update),
    /// `loss-scaler`.
    LossScaler(LossScaler),
    /// `random`.
    Random(Random),
}

/// The settings of a fused multiply-add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MultiplyAdd {
    /// Which terms are negated.
    pub negation: Option<Negation>,
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

/// The settings of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Compare {
    /// Which NaNs it signals.
    pub comparison: Comparison,
}

/// The settings of a minimum or maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Minmax {
    /// Which one it computes.
    pub extremum: Extremum,
}

/// The settings of a weight update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Update {
    /// How it adds.
    pub rule: UpdateRule,
    /// Whether the update is the product of a rate and a gradient.
    pub has_fused_rate: bool,
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
        Scaled { second: None, source: None, lanes: 1, scale: Format::e8m0() }
    }
}

impl Default for Accumulation {
    /// One product per clock.
    fn default() -> Accumulation {
        Accumulation { second: None, lanes: 1, guard_bits: DEFAULT_GUARD, has_quire: false }
    }
}

impl Default for LossScaler {
    /// Gradients one by one.
    fn default() -> LossScaler {
        LossScaler { lanes: 1, interval: DEFAULT_INTERVAL, start: DEFAULT_START }
    }
}

impl Default for Random {
    /// Words of the shift register of 16 bits.
    fn default() -> Random {
        Random { generator: Generator::default(), word_bits: DEFAULT_BITS }
    }
}

/// A setting of an operation, and its value for units of other kinds.
macro_rules! of_kind {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $default:expr, of $($kind:ident),+;)*) => {
        impl Operation {
            $($(#[$doc])*
            pub fn $name(&self) -> $type {
                match self.kind {
                    $(Kind::$kind(it) => it.$name,)+
                    _ => $default,
                }
            })*
        }
    };
}

of_kind! {
    /// Which terms are negated.
    negation: Option<Negation> = None, of MultiplyAdd;
    /// Format of `b`, if it differs from that of `a`.
    second: Option<Format> = None, of Products, Scaled, Accumulation;
    /// Format in which operands arrive, if they are rounded first.
    source: Option<Format> = None, of Products, Scaled;
    /// Format of scales.
    scale: Format = Format::e8m0(), of Scaled;
    /// Lanes of an operand; for matrices, the columns of `A` and the rows of `B`.
    lanes: u32 = 1, of Products, Scaled, Accumulation, LossScaler;
    /// Rows of `A`, and of `C` and `D`.
    rows: u32 = 1, of Products;
    /// Columns of `B`, and of `C` and `D`.
    columns: u32 = 1, of Products;
    /// The dataflow of a systolic array, if the unit is one.
    array: Option<Dataflow> = None, of Products;
    /// How products are added.
    summation: Summation = Summation::Exact, of Products;
    /// Products per block, if there are blocks.
    block: u32 = 1, of Products;
    /// Whether products are rounded before they are added.
    rounds_products: bool = false, of Products;
    /// log2 of the number of products of the largest values that can be added without overflow.
    guard_bits: u32 = DEFAULT_GUARD, of Accumulation;
    /// Whether the unrounded sum is a second output.
    has_quire: bool = false, of Accumulation;
    /// Which NaNs a comparison signals.
    comparison: Comparison = Comparison::default(), of Compare;
    /// Which minimum or maximum it is.
    extremum: Extremum = Extremum::default(), of Minmax;
    /// How an update adds.
    rule: UpdateRule = UpdateRule::default(), of Update;
    /// Whether the update is the product of a rate and a gradient.
    has_fused_rate: bool = false, of Update;
    /// Good steps after which a scale is doubled.
    interval: u32 = DEFAULT_INTERVAL, of LossScaler;
    /// The exponent of the initial scale.
    start: i32 = DEFAULT_START, of LossScaler;
    /// The algorithm of a random generator.
    generator: Generator = Generator::default(), of Random;
    /// Bits of a random word.
    word_bits: u32 = DEFAULT_BITS, of Random;
}
