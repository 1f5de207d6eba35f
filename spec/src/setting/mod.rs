//! The settings of a unit, one row each: their names, parsing, printing and help. Each unit lists the settings that it
//! takes. Command line, suites, manifests, replay lines and module names are all derived from these rows.
//!
//! | file | settings |
//! |---|---|
//! | `formats.rs` | formats of operands, results and scales |
//! | `sums.rs` | products and sums |
//! | `results.rs` | rounding, range and flags of results |
//! | `single.rs` | settings of only one or two units |
//!
//! `row.rs` defines the fields of a row. To add a setting, add a row in one of these files, a line in the list below,
//! and the fields of [`Selection`] and [`Operation`] that it sets; then name it in the units that take it.

mod formats;
mod results;
mod row;
mod single;
mod sums;

use crate::{Format, Operation, Selection, Unit};
use row::{Row, TRUTHS};
use std::fmt;

/// The enum of settings, and the row of each.
macro_rules! settings {
    ($($(#[$doc:meta])* $setting:ident => $row:expr,)*) => {
        /// A setting besides format and unit.
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
    /// How the scale of a block is chosen.
    ScaleRule => &single::SCALE_RULE,
    /// Format of the factor of a tensor.
    TensorScale => &formats::TENSOR_SCALE,
    /// Lanes of an operand.
    Lanes => &sums::LANES,
    /// Rows of the first matrix.
    M => &sums::M,
    /// Columns of the second matrix.
    N => &sums::N,
    /// Columns of the first matrix, and rows of the second.
    K => &sums::K,
    /// Whether a systolic array multiplies the matrices, and its dataflow.
    Array => &sums::ARRAY,
    /// How a dot product is summed.
    Sum => &sums::SUM,
    /// Products of a block.
    Block => &sums::BLOCK,
    /// Whether products are rounded before they are added.
    Product => &sums::PRODUCT,
    /// What matrix unit is modeled.
    Like => &sums::LIKE,
    /// Format to convert to.
    To => &formats::TO,
    /// Format that the new accumulator is converted to.
    Out => &formats::OUT,
    /// The function that is applied to the new accumulator before it is converted to `y_out` or `d_out`.
    Activation => &formats::ACTIVATION,
    /// Which NaNs a comparison signals.
    Compare => &single::COMPARE,
    /// How a decoder gives the significand.
    Significand => &single::SIGNIFICAND,
    /// Which minimum or maximum.
    Operation => &single::OPERATION,
    /// What a vector is reduced to.
    Reduction => &single::REDUCTION,
    /// Which function.
    Function => &single::FUNCTION,
    /// Bits of an exact accumulator above the largest product.
    Guard => &sums::GUARD,
    /// Whether the unrounded posit sum is also an output.
    Quire => &sums::QUIRE,
    /// Good steps after which a scale is doubled.
    Interval => &single::INTERVAL,
    /// The exponent of the initial scale.
    Start => &single::START,
    /// Which terms of a multiply-add are negated.
    Negate => &single::NEGATE,
    /// Which of several algorithms.
    Algorithm => &single::ALGORITHM,
    /// What an update is made of.
    Optimizer => &single::OPTIMIZER,
    /// Whether an update is the product of a rate and a gradient.
    FusedRate => &single::FUSED_RATE,
    /// Bits of a word.
    Bits => &single::BITS,
    /// Rounding direction.
    Round => &results::ROUND,
    /// Where the random bits of stochastic rounding come from.
    Random => &results::RANDOM,
    /// What floating-point results beyond the largest finite value become.
    Overflow => &results::OVERFLOW,
    /// What posit results beyond the range become.
    PositRange => &results::POSIT_RANGE,
    /// What a converted NaN becomes.
    NanResult => &results::NAN_RESULT,
    /// The bits into which codes are NaN-boxed.
    NanBoxing => &results::NAN_BOXING,
    /// The instruction set whose rules a unit follows.
    Profile => &results::PROFILE,
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

    /// The help text of the setting on the command line.
    pub fn about(self) -> String {
        (self.row().about)(&self.takers())
    }

    /// The same for a unit that takes the setting, without the other units.
    pub fn about_for(self, unit: Unit) -> String {
        (self.row().about)(unit.name())
    }

    /// The placeholder for the value in the help.
    pub fn placeholder(self) -> &'static str {
        self.row().placeholder
    }

    /// All values of the setting, if they can be listed.
    pub fn names(self) -> Option<Vec<&'static str>> {
        self.row().names.map(|names| names())
    }

    /// Whether the setting is a flag, without a value on the command line.
    pub fn is_flag(self) -> bool {
        self.names().is_some_and(|names| names == TRUTHS)
    }

    /// Why a unit does not take the setting, as the predicate of a sentence.
    pub(crate) fn refusal(self) -> String {
        let takers = self.takers();
        (self.row().refusal)(&format!("only {takers} {}", if takers.contains(' ') { "do" } else { "does" }))
    }

    /// Checks that a value can be parsed.
    ///
    /// # Errors
    /// A message that says what is expected.
    pub fn check(self, word: &str) -> Result<(), String> {
        Selection::new(Unit::Decode, Format::binary32()).set(self, word)
    }

    /// The units that take the setting, as in `fmac and mac`.
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

/// Rewrites settings in a message as options: "leave `round` out" becomes "leave --round out".
pub fn as_options(text: &str) -> String {
    let part = |(at, part): (usize, &str)| if at % 2 == 1 { format!("--{part}") } else { part.into() };
    text.split('`').enumerate().map(part).collect()
}

impl Selection {
    /// Parses and sets the value of a setting; `flags` takes `true` and `false`.
    ///
    /// # Errors
    /// A message that says what is expected.
    pub fn set(&mut self, setting: Setting, word: &str) -> Result<(), String> {
        (setting.row().set)(self, word)
    }

    /// Whether the setting differs from its default.
    pub(crate) fn says(&self, setting: Setting) -> bool {
        (setting.row().says)(self)
    }
}

impl Operation {
    /// The settings of this operation, as keys and values; defaults are included where they matter.
    pub fn words(&self) -> Vec<(&'static str, String)> {
        let is_result = self.unit.definition().facts.format_is_result;
        let named =
            |choice: &Operation| Some(if is_result { choice.result.to_string() } else { choice.operand.to_string() });
        let format = self.word_of_choices(named).filter(|_| self.unit.has_format()).map(|word| ("format", word));
        let mut words: Vec<_> = format.into_iter().chain([("unit", self.unit.to_string())]).collect();
        let taken = Setting::ALL.into_iter().filter(|&setting| self.unit.takes(setting));
        words.extend(taken.filter_map(|setting| Some((setting.key(), self.word(setting)?))));
        words
    }

    /// The value of a setting that the unit takes, if it matters.
    pub fn word(&self, setting: Setting) -> Option<String> {
        self.word_of_choices(setting.row().word)
    }

    /// The suffix that a setting adds to the name of the module.
    pub fn suffix(&self, setting: Setting) -> Option<String> {
        (setting.row().suffix)(self)
    }

    /// The name of the module that computes the operation, without implementation choices: it contains every setting
    /// that changes the results.
    pub fn module_name(&self) -> String {
        if self.has_choices() {
            let boxing = self.suffix(Setting::NanBoxing);
            return [Some(self.name_of_choices()), boxing].into_iter().flatten().collect::<Vec<_>>().join("_");
        }
        let mut parts = vec![(self.unit.definition().module)(self)];
        let taken = Setting::ALL.into_iter().filter(|&setting| self.unit.takes(setting));
        parts.extend(taken.filter_map(|setting| self.suffix(setting)));
        parts.join("_")
    }

    /// Whether the policy beyond the range matters to a result.
    fn takes_overflow(&self) -> bool {
        let results = [Some(self.result), self.output.map(|output| output.format)];
        !self.is_maximum() && results.into_iter().flatten().any(|format| format.takes_overflow())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_options_on_the_command_line() {
        let unfinished = Selection::new(Unit::Convert, Format::binary16()).operation().expect_err("no target");
        assert_eq!(unfinished.to_string(), "convert needs the format to convert to (`to`)");
        assert_eq!(as_options(&unfinished.to_string()), "convert needs the format to convert to (--to)");
        assert_eq!(as_options("leave `round sr<bits>` out"), "leave --round sr<bits> out");
    }
}
