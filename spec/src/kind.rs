//! What only some kinds of units have, beside what all have.

use crate::units::{DEFAULT_BITS, DEFAULT_GUARD, DEFAULT_INTERVAL, DEFAULT_START};
use crate::{Comparison, Dataflow, Extremum, Format, Generator, Negation, Operation, Summation, UpdateRule};

/// What only a kind of units has. Which kind a unit is of is said with the unit.
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

/// What a fused multiply-add has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MultiplyAdd {
    /// Which terms are taken with the other sign.
    pub negation: Option<Negation>,
}

/// What sums of products have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Products {
    /// Format of `b`, where it is not that of `a`.
    pub second: Option<Format>,
    /// Format in which `a` and `b` arrive, where they are rounded first.
    pub source: Option<Format>,
    /// Codes of `a`, and of `b`, side by side; columns of `A`, and rows of `B`.
    pub lanes: u32,
    /// Rows of `A`, and of `C` and `D`.
    pub rows: u32,
    /// Columns of `B`, and of `C` and `D`.
    pub columns: u32,
    /// What stays in the elements of a systolic array, where the unit is one.
    pub array: Option<Dataflow>,
    /// How products and `c` are added.
    pub summation: Summation,
    /// Products of one block, where there are blocks.
    pub block: u32,
    /// Whether products are rounded before they are added.
    pub rounds_products: bool,
}

/// What units of blocks with scales have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scaled {
    /// Format of `b`, where it is not that of `a`.
    pub second: Option<Format>,
    /// Format of the numbers that are made blocks.
    pub source: Option<Format>,
    /// Elements of a block.
    pub lanes: u32,
    /// Format of the scales.
    pub scale: Format,
}

/// What an exact accumulator has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Accumulation {
    /// Format of `b`, where it is not that of `a`.
    pub second: Option<Format>,
    /// Codes of `a`, and of `b`, side by side.
    pub lanes: u32,
    /// Products of the largest values that are added without overflow: 2 to this power.
    pub guard_bits: u32,
    /// Whether the sum is a second output before it is rounded, as the quire of the posit standard.
    pub has_quire: bool,
}

/// What a comparison has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Compare {
    /// Which NaNs it signals.
    pub comparison: Comparison,
}

/// What a minimum or maximum has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Minmax {
    /// Which of them it gives.
    pub extremum: Extremum,
}

/// What the update of a weight has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Update {
    /// How it adds.
    pub rule: UpdateRule,
    /// Whether the update is the product of a rate and a gradient.
    pub has_fused_rate: bool,
}

/// What dynamic loss scaling has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LossScaler {
    /// Codes of `g` side by side.
    pub lanes: u32,
    /// Good steps after which the scale doubles.
    pub interval: u32,
    /// The exponent of the first scale.
    pub start: i32,
}

/// What a generator of random words has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Random {
    /// How it makes them.
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
    /// One element, with a scale that is a power of two.
    fn default() -> Scaled {
        Scaled { second: None, source: None, lanes: 1, scale: Format::e8m0() }
    }
}

impl Default for Accumulation {
    /// A product a clock.
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

/// What an operation has of its kind, and what counts where its kind has no such thing.
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
    /// Which terms are taken with the other sign.
    negation: Option<Negation> = None, of MultiplyAdd;
    /// Format of `b`, where it is not that of `a`.
    second: Option<Format> = None, of Products, Scaled, Accumulation;
    /// Format in which operands arrive, where they are rounded first.
    source: Option<Format> = None, of Products, Scaled;
    /// Format of scales.
    scale: Format = Format::e8m0(), of Scaled;
    /// Codes of an operand side by side; of matrices the columns of `A`, and the rows of `B`.
    lanes: u32 = 1, of Products, Scaled, Accumulation, LossScaler;
    /// Rows of `A`, and of `C` and `D`.
    rows: u32 = 1, of Products;
    /// Columns of `B`, and of `C` and `D`.
    columns: u32 = 1, of Products;
    /// What stays in the elements of a systolic array, where the unit is one.
    array: Option<Dataflow> = None, of Products;
    /// How products are added.
    summation: Summation = Summation::Exact, of Products;
    /// Products of one block, where there are blocks.
    block: u32 = 1, of Products;
    /// Whether products are rounded before they are added.
    rounds_products: bool = false, of Products;
    /// Products of the largest values that are added without overflow: 2 to this power.
    guard_bits: u32 = DEFAULT_GUARD, of Accumulation;
    /// Whether the sum is a second output before it is rounded.
    has_quire: bool = false, of Accumulation;
    /// Which NaNs a comparison signals.
    comparison: Comparison = Comparison::default(), of Compare;
    /// Which minimum or maximum it is.
    extremum: Extremum = Extremum::default(), of Minmax;
    /// How an update adds.
    rule: UpdateRule = UpdateRule::default(), of Update;
    /// Whether the update is the product of a rate and a gradient.
    has_fused_rate: bool = false, of Update;
    /// Good steps after which a scale doubles.
    interval: u32 = DEFAULT_INTERVAL, of LossScaler;
    /// The exponent of the first scale.
    start: i32 = DEFAULT_START, of LossScaler;
    /// How random words are made.
    generator: Generator = Generator::default(), of Random;
    /// Bits of a random word.
    word_bits: u32 = DEFAULT_BITS, of Random;
}
