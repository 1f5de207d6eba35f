//! The settings of a unit: how each is called, read and printed, and which units have use for it. Command
//! line, suites, manifests, replay lines and module names all go by this.

use crate::alias::find_name;
use crate::units::{DEFAULT_GUARD, DEFAULT_INTERVAL, DEFAULT_START, MAX_LANES, MAX_SIZE};
use crate::{
    Algorithm, Comparison, Dataflow, Extremum, Format, Gpu, Negation, Operation, Overflow, PositRange, Selection,
    Summation, Tininess, Unit,
};
use std::fmt;

/// A word beside format and unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setting {
    /// Format of the second operand.
    FormatB,
    /// Format in which operands arrive.
    QuantizeFrom,
    /// Format of the accumulator.
    Acc,
    /// Format of the scales of blocks.
    Scale,
    /// Codes of an operand side by side.
    Lanes,
    /// Rows of the first matrix.
    M,
    /// Columns of the second matrix.
    N,
    /// Columns of the first matrix, and rows of the second.
    K,
    /// Whether matrices are multiplied by a systolic array, and what stays in its elements.
    Array,
    /// How a dot product is summed.
    Sum,
    /// Products of a block.
    Block,
    /// Whether products are rounded before they are added.
    Product,
    /// The GPU whose matrix unit is modelled.
    Like,
    /// Format to convert to.
    To,
    /// Format that the new accumulator is converted to.
    Out,
    /// What is done to the new accumulator before it is converted to `y_out`.
    Activation,
    /// Which NaNs a comparison signals.
    Compare,
    /// Which minimum or maximum.
    Operation,
    /// Bits of an exact accumulator above the largest product.
    Guard,
    /// Whether a posit sum is also an output as it is, before it is rounded.
    Quire,
    /// Good steps after which a scale doubles.
    Interval,
    /// The exponent of the first scale.
    Start,
    /// Which terms of a multiply-add are taken with the other sign.
    Negate,
    /// Which of several algorithms.
    Algorithm,
    /// Whether an update is the product of a rate and a gradient.
    FusedRate,
    /// Bits of a word.
    Bits,
    /// Rounding direction.
    Round,
    /// Where the random bits of stochastic rounding come from.
    Random,
    /// What results beyond the largest finite value become, where they are floats.
    Overflow,
    /// What results beyond the ends of the format become, where they are posits.
    PositRange,
    /// Whether there are exception flags.
    Flags,
    /// When a result counts as tiny, for the underflow flag.
    Tininess,
}

impl Setting {
    /// All settings, in the order in which they are printed.
    pub const ALL: [Setting; 32] = [
        Setting::FormatB,
        Setting::QuantizeFrom,
        Setting::Acc,
        Setting::Scale,
        Setting::Lanes,
        Setting::M,
        Setting::N,
        Setting::K,
        Setting::Array,
        Setting::Sum,
        Setting::Block,
        Setting::Product,
        Setting::Like,
        Setting::To,
        Setting::Out,
        Setting::Activation,
        Setting::Compare,
        Setting::Operation,
        Setting::Guard,
        Setting::Quire,
        Setting::Interval,
        Setting::Start,
        Setting::Negate,
        Setting::Algorithm,
        Setting::FusedRate,
        Setting::Bits,
        Setting::Round,
        Setting::Random,
        Setting::Overflow,
        Setting::PositRange,
        Setting::Flags,
        Setting::Tininess,
    ];

    /// The setting's key in suites and manifests, and its option on the command line.
    pub fn key(self) -> &'static str {
        match self {
            Setting::FormatB => "format-b",
            Setting::QuantizeFrom => "quantize-from",
            Setting::Acc => "acc",
            Setting::Scale => "scale",
            Setting::Lanes => "lanes",
            Setting::M => "m",
            Setting::N => "n",
            Setting::K => "k",
            Setting::Array => "array",
            Setting::Sum => "sum",
            Setting::Block => "block",
            Setting::Product => "product",
            Setting::Like => "like",
            Setting::To => "to",
            Setting::Out => "out",
            Setting::Activation => "activation",
            Setting::Compare => "compare",
            Setting::Operation => "operation",
            Setting::Guard => "guard",
            Setting::Quire => "quire",
            Setting::Interval => "interval",
            Setting::Start => "start",
            Setting::Negate => "negate",
            Setting::Algorithm => "algorithm",
            Setting::FusedRate => "fused-rate",
            Setting::Bits => "bits",
            Setting::Round => "round",
            Setting::Random => "random",
            Setting::Overflow => "overflow",
            Setting::PositRange => "posit-range",
            Setting::Flags => "flags",
            Setting::Tininess => "tininess",
        }
    }

    /// What the setting is for, in the help of the command line.
    pub fn about(self) -> String {
        let takers = self.takers();
        match self {
            Setting::FormatB => format!("Format of b in {takers}, if it is not that of a"),
            Setting::QuantizeFrom => {
                format!("Format in which operands of {takers} arrive; they are rounded to theirs first [default: of mx-quantize binary32]")
            }
            Setting::Scale => format!("Format of the scales of {takers}, such as e8m0 or e4m3 [default: e8m0]"),
            Setting::Lanes => {
                format!("Codes side by side on ports of {takers}, 1 to {MAX_LANES} [default: of dot 4, of blocks 32, else 1]")
            }
            Setting::M => format!("Rows of A, C and D of {takers}, 1 to {MAX_SIZE} [default: 4]"),
            Setting::N => format!("Columns of B, C and D of {takers}, 1 to {MAX_SIZE} [default: 4]"),
            Setting::K => format!("Columns of A and rows of B of {takers}: the products of an element [default: 4]"),
            Setting::Array => format!(
                "Make {takers} a systolic array of m x n elements, in which the sums stay (output-stationary) or the weights \
                 (weight-stationary); operands are fed step by step [default: all matrices at once]"
            ),
            Setting::Sum => format!(
                "How the products of {takers} are summed: one rounding of the exact sum (exact), a rounding after each product (chain), in pairs \
                 (tree), in chains of a block that are added in binary32 (fmac8), or as GPUs do, every term cut off F bits below \
                 the largest exponent (align:F, with ,floor=E and ,result=BITS) [default: exact, of dot-stream and arrays chain]"
            ),
            Setting::Block => "Products of one chain of fmac8, or of one sum of align, whose results follow each other \
                 [default: 8; of align, all]"
                .into(),
            Setting::Product => "Whether products are added as they are, or rounded first, by chain and tree \
                 [default: exact]"
                .into(),
            Setting::Like => format!("The GPU whose matrix unit {takers} is: it says how terms are cut off, and the number of lanes"),
            Setting::Acc => format!(
                "Accumulator format of {takers}: that of c and y [default: binary16 for formats of up to 8 bits, else and of mx-dot binary32]"
            ),
            Setting::To => format!("Format of the result of {takers}, which unscale need not be told"),
            Setting::Out => format!("For {takers}, a format: a second output, y_out, is y converted to it"),
            Setting::Activation => {
                "What is done to y before that conversion: negative numbers become zero (relu)".into()
            }
            Setting::Compare => format!(
                "Which NaNs make {takers} raise invalid, with --flags: signalling ones (quiet), or all (signaling) [default: quiet]"
            ),
            Setting::Operation => format!("Which of the operations of IEEE 754-2019 section 9.6 {takers} computes"),
            Setting::Guard => format!("Bits of the accumulator of {takers} above its largest product: it adds 2 to this power of them without overflow, up to {MAX_GUARD} [default: {DEFAULT_GUARD}]"),
            Setting::Quire => format!("Add the output quire to {takers} of posits: the sum before it is rounded, with the bits of the posit standard's quire"),
            Setting::Interval => format!("Good steps in a row after which {takers} doubles the scale [default: 2000]"),
            Setting::Start => format!("Exponent of the first scale of {takers}, a power of two [default: 24]"),
            Setting::Negate => format!(
                "Which terms of {takers} are taken with the other sign: -(a * b) + c (product), a * b - c (addend), -(a * b) - c (both)"
            ),
            Setting::Algorithm => {
                "How random makes words [default: lfsr16], or update adds: rounded to nearest, stochastically, or with \
                 Kahan's compensation [default: nearest]"
                    .into()
            }
            Setting::FusedRate => {
                format!("Let {takers} take a rate and a gradient: w - rate * g, the product not rounded")
            }
            Setting::Bits => format!("Bits of a word of {takers} [default: 8]"),
            Setting::Round => "Rounding: to nearest with ties to even (rne), away (rna; rnu is DLFloat16's name for it), \
                 toward zero (rtz), up (rup), down (rdn), to odd (rto), stochastic with so many random bits on port \
                 random_bits (sr1 to sr32), as the MPTorch software rounds supernormals (mptorch) [default: rne, for DLFloat16 rnu]"
                .into(),
            Setting::Random => "Where the random bits of stochastic rounding come from: from port random_bits (port), or from a shift \
                 register in the unit, which ports seed and load start (internal) [default: port]"
                .into(),
            Setting::Overflow => "What results beyond the largest finite value become: infinity or what the format has in \
                 its place, the largest value (saturate), or that but for infinite operands (propagate) [default: inf]"
                .into(),
            Setting::PositRange => "What results beyond the ends of a posit become: minpos and maxpos (saturate), or zero \
                 below minpos/2 and NaR above maxpos (float) [default: saturate]"
                .into(),
            Setting::Flags => {
                "Add the output flags: invalid, overflow, underflow, inexact, from the top bit down".into()
            }
            Setting::Tininess => "Whether a result is tiny, for the underflow flag, is seen after or before rounding \
                 [default: after]"
                .into(),
        }
    }

    /// What the setting's word is called in the help.
    pub fn placeholder(self) -> &'static str {
        match self {
            Setting::Acc | Setting::To | Setting::Out | Setting::FormatB | Setting::QuantizeFrom | Setting::Scale => {
                "FORMAT"
            }
            Setting::Lanes | Setting::Block => "N",
            Setting::M | Setting::N | Setting::K => "SIZE",
            Setting::Array => "ARRAY",
            Setting::Sum => "SUM",
            Setting::Product => "PRODUCT",
            Setting::Like => "GPU",
            Setting::Activation => "FUNCTION",
            Setting::Compare => "KIND",
            Setting::Operation => "OPERATION",
            Setting::Interval | Setting::Bits | Setting::Guard => "COUNT",
            Setting::Negate => "TERMS",
            Setting::Algorithm => "ALGORITHM",
            Setting::Start => "EXPONENT",
            Setting::Round => "ROUND",
            Setting::Random => "SOURCE",
            Setting::Overflow => "OVERFLOW",
            Setting::PositRange => "RANGE",
            Setting::Flags | Setting::FusedRate | Setting::Quire => "BOOL",
            Setting::Tininess => "TININESS",
        }
    }

    /// All words that the setting takes, where they can be listed.
    pub fn names(self) -> Option<Vec<&'static str>> {
        match self {
            Setting::Acc | Setting::To | Setting::Out | Setting::Round => None,
            Setting::FormatB | Setting::QuantizeFrom | Setting::Lanes | Setting::Block | Setting::Sum => None,
            Setting::M | Setting::N | Setting::K | Setting::Scale => None,
            Setting::Array => Some(Dataflow::ALL.map(Dataflow::name).to_vec()),
            Setting::Product => Some(PRODUCTS.to_vec()),
            Setting::Like => Some(Gpu::ALL.map(Gpu::name).to_vec()),
            Setting::Guard | Setting::Interval | Setting::Start | Setting::Bits => None,
            Setting::Negate => Some(Negation::ALL.map(Negation::name).to_vec()),
            Setting::Algorithm => Some(Algorithm::all().into_iter().map(Algorithm::name).collect()),
            Setting::Activation => Some(vec![RELU]),
            Setting::Compare => Some(Comparison::ALL.map(Comparison::name).to_vec()),
            Setting::Operation => Some(Extremum::ALL.map(Extremum::name).to_vec()),
            Setting::Random => Some(RANDOM_SOURCES.to_vec()),
            Setting::Overflow => Some(Overflow::ALL.map(Overflow::name).to_vec()),
            Setting::PositRange => Some(PositRange::ALL.map(PositRange::name).to_vec()),
            Setting::Flags | Setting::FusedRate | Setting::Quire => Some(TRUTHS.to_vec()),
            Setting::Tininess => Some(Tininess::ALL.map(Tininess::name).to_vec()),
        }
    }

    /// Whether the setting is there or not, and has no word of its own on the command line.
    pub fn is_flag(self) -> bool {
        matches!(self, Setting::Flags | Setting::FusedRate | Setting::Quire)
    }

    /// Whether a word can be read.
    ///
    /// # Errors
    /// A sentence that says what is expected.
    pub fn check(self, word: &str) -> Result<(), String> {
        Selection::new(Unit::Decode, Format::binary32()).set(self, word)
    }

    /// The units that have use for the setting, as in `fmac and mac`.
    pub fn takers(self) -> String {
        let names: Vec<&str> = Unit::ALL.into_iter().filter(|unit| unit.takes(self)).map(Unit::name).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
            _ => names.concat(),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.key())
    }
}

/// A number from 1 to `most`.
fn count(word: &str, most: u32) -> Result<u32, String> {
    match word.parse() {
        Ok(count) if (1..=most).contains(&count) => Ok(count),
        _ => Err(format!("a number from 1 to {most} is expected")),
    }
}

/// A word for yes or no.
fn truth(word: &str) -> Result<bool, String> {
    match find_name(word, &TRUTHS) {
        Some(truth) => Ok(truth == "true"),
        None => Err("true or false is expected".into()),
    }
}

/// What a setting takes that is chosen or not.
const TRUTHS: [&str; 2] = ["true", "false"];

/// Most bits of a random word.
const MAX_BITS: u32 = 32;

/// Most bits above the largest product.
const MAX_GUARD: u32 = 60;

/// Most good steps after which a scale doubles: a sequence of vectors gets there.
const MAX_INTERVAL: u32 = 4000;

/// What `activation` takes.
const RELU: &str = "relu";

/// What `random` takes.
const RANDOM_SOURCES: [&str; 2] = ["port", "internal"];

/// What `product` takes.
const PRODUCTS: [&str; 2] = ["exact", "rounded"];

impl Selection {
    /// Reads the word for a setting; `flags` takes `true` and `false`.
    ///
    /// # Errors
    /// A sentence that says what is expected.
    pub fn set(&mut self, setting: Setting, word: &str) -> Result<(), String> {
        let format = |word: &str| word.parse::<Format>().map_err(|error| error.to_string());
        match setting {
            Setting::FormatB => self.second = Some(format(word)?),
            Setting::QuantizeFrom => self.source = Some(format(word)?),
            Setting::Acc => self.accumulator = Some(format(word)?),
            Setting::Scale => self.scale = Some(format(word)?),
            Setting::Lanes => self.lanes = Some(count(word, MAX_LANES)?),
            Setting::M => self.rows = Some(count(word, MAX_SIZE)?),
            Setting::N => self.columns = Some(count(word, MAX_SIZE)?),
            Setting::K => self.depth = Some(count(word, MAX_LANES)?),
            Setting::Array => self.array = Some(word.parse()?),
            Setting::Sum => self.summation = Some(word.parse::<Summation>()?),
            Setting::Block => self.block = Some(count(word, MAX_LANES)?),
            Setting::Product => match find_name(word, &PRODUCTS) {
                Some(product) => self.rounds_products = product == "rounded",
                None => return Err(format!("one of {} is expected", PRODUCTS.join(", "))),
            },
            Setting::Like => self.gpu = Some(word.parse()?),
            Setting::To => self.target = Some(format(word)?),
            Setting::Out => self.output = Some(format(word)?),
            Setting::Activation => match find_name(word, &[RELU]) {
                Some(_) => self.relu = true,
                None => return Err(format!("{RELU} is expected")),
            },
            Setting::Compare => self.comparison = Some(word.parse()?),
            Setting::Operation => self.extremum = Some(word.parse()?),
            Setting::Guard => {
                let bits = word.parse().ok().filter(|bits| *bits <= MAX_GUARD);
                self.guard_bits = Some(bits.ok_or(format!("a number from 0 to {MAX_GUARD} is expected"))?);
            }
            Setting::Quire => self.has_quire = truth(word)?,
            Setting::Interval => self.interval = Some(count(word, MAX_INTERVAL)?),
            Setting::Start => {
                self.start = Some(word.parse().map_err(|_| "the exponent of a power of two is expected")?);
            }
            Setting::Negate => self.negation = Some(word.parse()?),
            Setting::Algorithm => self.algorithm = Some(word.parse()?),
            Setting::FusedRate => self.has_fused_rate = truth(word)?,
            Setting::Bits => self.word_bits = Some(count(word, MAX_BITS)?),
            Setting::Round => self.rounding = Some(word.parse()?),
            Setting::Random => match find_name(word, &RANDOM_SOURCES) {
                Some(source) => self.has_internal_random = source == "internal",
                None => return Err(format!("one of {} is expected", RANDOM_SOURCES.join(", "))),
            },
            Setting::Overflow => self.overflow = word.parse()?,
            Setting::PositRange => self.posit_range = word.parse()?,
            Setting::Flags => {
                let chosen = self.flags.unwrap_or_default();
                self.flags = truth(word)?.then_some(chosen);
            }
            Setting::Tininess => self.flags = Some(word.parse()?),
        }
        Ok(())
    }

    /// Whether something else than the default is chosen.
    pub(crate) fn says(&self, setting: Setting) -> bool {
        match setting {
            Setting::FormatB => self.second.is_some(),
            Setting::QuantizeFrom => self.source.is_some(),
            Setting::Acc => self.accumulator.is_some(),
            Setting::Scale => self.scale.is_some(),
            Setting::Lanes => self.lanes.is_some(),
            Setting::M => self.rows.is_some(),
            Setting::N => self.columns.is_some(),
            Setting::K => self.depth.is_some(),
            Setting::Array => self.array.is_some(),
            Setting::Sum => self.summation.is_some(),
            Setting::Block => self.block.is_some(),
            Setting::Product => self.rounds_products,
            Setting::Like => self.gpu.is_some(),
            Setting::To => self.target.is_some(),
            Setting::Out => self.output.is_some(),
            Setting::Activation => self.relu,
            Setting::Compare => self.comparison.is_some(),
            Setting::Operation => self.extremum.is_some(),
            Setting::Guard => self.guard_bits.is_some(),
            Setting::Quire => self.has_quire,
            Setting::Interval => self.interval.is_some(),
            Setting::Start => self.start.is_some(),
            Setting::Negate => self.negation.is_some(),
            Setting::Algorithm => self.algorithm.is_some(),
            Setting::FusedRate => self.has_fused_rate,
            Setting::Bits => self.word_bits.is_some(),
            Setting::Round => self.rounding.is_some(),
            Setting::Random => self.has_internal_random,
            Setting::Overflow => self.overflow != Default::default(),
            Setting::PositRange => self.posit_range != Default::default(),
            Setting::Flags => self.flags.is_some(),
            Setting::Tininess => self.flags.is_some_and(|tininess| tininess != Tininess::default()),
        }
    }
}

impl Operation {
    /// The words that choose this operation, each with its key; defaults are spelt out where they matter.
    pub fn words(&self) -> Vec<(&'static str, String)> {
        let named = if matches!(self.unit, Unit::Encode | Unit::MxQuantize) { self.result } else { self.operand };
        let format = self.unit.has_format().then(|| ("format", named.to_string()));
        let mut words: Vec<_> = format.into_iter().chain([("unit", self.unit.to_string())]).collect();
        let taken = Setting::ALL.into_iter().filter(|&setting| self.unit.takes(setting));
        words.extend(taken.filter_map(|setting| Some((setting.key(), self.word(setting)?))));
        words
    }

    /// The word for a setting that the unit has use for, if it matters.
    pub fn word(&self, setting: Setting) -> Option<String> {
        match setting {
            Setting::FormatB => self.second.map(|format| format.to_string()),
            Setting::QuantizeFrom => self.source.map(|format| format.to_string()),
            Setting::Acc | Setting::To => Some(self.result.to_string()),
            Setting::Scale => Some(self.scale.to_string()),
            // A sum has as many products as are fed.
            Setting::K if self.array.is_some() => None,
            Setting::Lanes | Setting::K => Some(self.lanes.to_string()),
            Setting::M => Some(self.rows.to_string()),
            Setting::N => Some(self.columns.to_string()),
            Setting::Array => self.array.map(|array| array.to_string()),
            Setting::Sum => Some(self.summation.to_string()),
            Setting::Block => self.summation.has_blocks().then(|| self.block.to_string()),
            Setting::Product => self.rounds_products.then(|| "rounded".into()),
            // The words for lanes, sum and rounding say it.
            Setting::Like => None,
            Setting::Out => self.output.map(|output| output.format.to_string()),
            Setting::Activation => self.output.filter(|output| output.relu).map(|_| RELU.into()),
            Setting::Compare => Some(self.comparison.to_string()).filter(|_| self.comparison != Default::default()),
            Setting::Operation => Some(self.extremum.to_string()),
            Setting::Guard => Some(self.guard_bits.to_string()),
            Setting::Quire => self.has_quire.then(|| "true".into()),
            Setting::Interval => Some(self.interval.to_string()),
            Setting::Start => Some(self.start.to_string()),
            Setting::Negate => self.negation.map(|negation| negation.to_string()),
            Setting::Algorithm if self.unit == Unit::Update => Some(self.rule.to_string()),
            Setting::Algorithm => Some(self.generator.to_string()),
            Setting::FusedRate => self.has_fused_rate.then(|| "true".into()),
            Setting::Bits => Some(self.word_bits.to_string()),
            Setting::Round => Some(self.rounding.to_string()),
            Setting::Random => self.has_internal_random.then(|| "internal".into()),
            Setting::Overflow => self.rounds_to_float().then(|| self.overflow.to_string()),
            Setting::PositRange => {
                Some(self.posit_range.to_string()).filter(|_| self.posit_range != Default::default())
            }
            Setting::Flags => self.flags.map(|_| "true".into()),
            Setting::Tininess => self.flags.map(|tininess| tininess.to_string()),
        }
    }

    /// What a setting adds to the name of the module.
    pub fn suffix(&self, setting: Setting) -> Option<String> {
        match setting {
            // The name begins with the formats.
            Setting::Acc | Setting::To | Setting::FormatB | Setting::Lanes | Setting::Sum | Setting::Block => None,
            Setting::Product
            | Setting::Like
            | Setting::M
            | Setting::N
            | Setting::K
            | Setting::Array
            | Setting::Scale => None,
            Setting::QuantizeFrom => self.source.map(|format| format!("from_{}", format.identifier())),
            Setting::Negate | Setting::Algorithm | Setting::FusedRate | Setting::Bits => None,
            Setting::Guard => Some(format!("guard{}", self.guard_bits)).filter(|_| self.guard_bits != DEFAULT_GUARD),
            Setting::Quire => self.has_quire.then(|| "quire".into()),
            Setting::Interval => {
                Some(format!("interval{}", self.interval)).filter(|_| self.interval != DEFAULT_INTERVAL)
            }
            Setting::Start => {
                Some(format!("start{}", self.start).replace('-', "_minus_")).filter(|_| self.start != DEFAULT_START)
            }
            Setting::Out => self.output.map(|output| format!("out_{}", output.format.identifier())),
            Setting::Round => Some(self.rounding.to_string()),
            Setting::Random => self.has_internal_random.then(|| "lfsr".into()),
            Setting::Overflow => Some(self.overflow.to_string()).filter(|_| self.overflow != Default::default()),
            Setting::PositRange => self.word(setting).map(|range| format!("{range}_range")),
            Setting::Flags => self.flags.map(|_| "flags".into()),
            Setting::Tininess => self.flags.filter(|&at| at != Tininess::default()).map(|at| at.to_string()),
            Setting::Activation | Setting::Compare | Setting::Operation => {
                self.word(setting).map(|word| word.replace('-', "_"))
            }
        }
    }

    /// Name of the module that computes the operation, without what says how it is built: every setting that changes
    /// the results is in it.
    pub fn module_name(&self) -> String {
        let mut parts = vec![(self.unit.definition().module)(self)];
        let taken = Setting::ALL.into_iter().filter(|&setting| self.unit.takes(setting));
        parts.extend(taken.filter_map(|setting| self.suffix(setting)));
        parts.join("_")
    }

    fn rounds_to_float(&self) -> bool {
        let results = [Some(self.result), self.output.map(|output| output.format)];
        results.into_iter().flatten().any(|format| format.float().is_some())
    }
}
