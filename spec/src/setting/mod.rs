//! The settings of a unit, a row each: how it is called, read and printed, and what it is for. Which units take it is said with each unit.
//! Command line, suites, manifests, replay lines and module names all go by these rows.
//!
//! | file | settings |
//! |---|---|
//! | `formats.rs` | formats of operands, results and scales |
//! | `sums.rs` | products and sums |
//! | `results.rs` | rounding, range and flags of results |
//! | `single.rs` | what only one or two units are told |
//!
//! `row.rs` says what a row has. A new setting is a row in one of these files and a line in the list below, with the fields of [`Selection`] and [`Operation`] that it
//! sets; and it is named by the units that take it.

mod formats;
mod results;
mod row;
mod single;
mod sums;

use crate::{Format, Operation, Selection, Unit};
use row::{Row, TRUTHS};
use std::fmt;

/// The settings, all of them, and the row of each.
macro_rules! settings {
    ($($(#[$doc:meta])* $setting:ident => $row:expr,)*) => {
        /// A word beside format and unit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Setting {
            $($(#[$doc])* $setting,)*
        }

        impl Setting {
            /// All settings, in the order in which they are printed.
            pub const ALL: [Setting; [$(Setting::$setting),*].len()] = [$(Setting::$setting),*];

            fn row(self) -> &'static Row {
                match self {
                    $(Setting::$setting => $row,)*
                }
            }
        }
    };
}

settings! {
    /// Format of the second operand.
    FormatB => &formats::FORMAT_B,
    /// Format in which operands arrive.
    QuantizeFrom => &formats::QUANTIZE_FROM,
    /// Format of the accumulator.
    Acc => &formats::ACC,
    /// Format of the scales of blocks.
    Scale => &formats::SCALE,
    /// Codes of an operand side by side.
    Lanes => &sums::LANES,
    /// Rows of the first matrix.
    M => &sums::M,
    /// Columns of the second matrix.
    N => &sums::N,
    /// Columns of the first matrix, and rows of the second.
    K => &sums::K,
    /// Whether matrices are multiplied by a systolic array, and what stays in its elements.
    Array => &sums::ARRAY,
    /// How a dot product is summed.
    Sum => &sums::SUM,
    /// Products of a block.
    Block => &sums::BLOCK,
    /// Whether products are rounded before they are added.
    Product => &sums::PRODUCT,
    /// The GPU whose matrix unit is modelled.
    Like => &sums::LIKE,
    /// Format to convert to.
    To => &formats::TO,
    /// Format that the new accumulator is converted to.
    Out => &formats::OUT,
    /// What is done to the new accumulator before it is converted to `y_out`.
    Activation => &formats::ACTIVATION,
    /// Which NaNs a comparison signals.
    Compare => &single::COMPARE,
    /// Which minimum or maximum.
    Operation => &single::OPERATION,
    /// Bits of an exact accumulator above the largest product.
    Guard => &sums::GUARD,
    /// Whether a posit sum is also an output as it is, before it is rounded.
    Quire => &sums::QUIRE,
    /// Good steps after which a scale doubles.
    Interval => &single::INTERVAL,
    /// The exponent of the first scale.
    Start => &single::START,
    /// Which terms of a multiply-add are taken with the other sign.
    Negate => &single::NEGATE,
    /// Which of several algorithms.
    Algorithm => &single::ALGORITHM,
    /// Whether an update is the product of a rate and a gradient.
    FusedRate => &single::FUSED_RATE,
    /// Bits of a word.
    Bits => &single::BITS,
    /// Rounding direction.
    Round => &results::ROUND,
    /// Where the random bits of stochastic rounding come from.
    Random => &results::RANDOM,
    /// What results beyond the largest finite value become, where they are floats.
    Overflow => &results::OVERFLOW,
    /// What results beyond the ends of the format become, where they are posits.
    PositRange => &results::POSIT_RANGE,
    /// Whether there are exception flags.
    Flags => &results::FLAGS,
    /// When a result counts as tiny, for the underflow flag.
    Tininess => &results::TININESS,
}

impl Setting {
    /// The setting's key in suites and manifests, and its option on the command line.
    pub fn key(self) -> &'static str {
        self.row().key
    }

    /// What the setting is for, in the help of the command line.
    pub fn about(self) -> String {
        (self.row().about)(&self.takers())
    }

    /// The same, of a unit that takes the setting, without the others.
    pub fn about_for(self, unit: Unit) -> String {
        (self.row().about)(unit.name())
    }

    /// What the setting's word is called in the help.
    pub fn placeholder(self) -> &'static str {
        self.row().placeholder
    }

    /// All words that the setting takes, where they can be listed.
    pub fn names(self) -> Option<Vec<&'static str>> {
        self.row().names.map(|names| names())
    }

    /// Whether the setting is there or not, and has no word of its own on the command line.
    pub fn is_flag(self) -> bool {
        self.names().is_some_and(|names| names == TRUTHS)
    }

    /// Why a unit does not take the setting, as the predicate of a sentence.
    pub(crate) fn refusal(self) -> String {
        let takers = self.takers();
        (self.row().refusal)(&format!("only {takers} {}", if takers.contains(' ') { "do" } else { "does" }))
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

impl Selection {
    /// Reads the word for a setting; `flags` takes `true` and `false`.
    ///
    /// # Errors
    /// A sentence that says what is expected.
    pub fn set(&mut self, setting: Setting, word: &str) -> Result<(), String> {
        (setting.row().set)(self, word)
    }

    /// Whether something else than the default is chosen.
    pub(crate) fn says(&self, setting: Setting) -> bool {
        (setting.row().says)(self)
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
        (setting.row().word)(self)
    }

    /// What a setting adds to the name of the module.
    pub fn suffix(&self, setting: Setting) -> Option<String> {
        (setting.row().suffix)(self)
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
