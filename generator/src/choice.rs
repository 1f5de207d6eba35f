//! The choices of how a unit is built, one row each: their names, parsing, printing and help. Command line, suites, module names, manifests, the
//! page, the Python package and `fuzz` use the rows. To add a choice, add a row here, and the field of [`Design`] that it sets.

use crate::{Design, DesignError, ModuleNameError, Stages};
use binade_circuit::{Interface, Multiplier, Optimize, Reset};
use binade_spec::alias::find_name;
use binade_spec::{Format, Selection, Unit};
use std::fmt;
use thiserror::Error;

/// A choice as data.
struct Row {
    /// The key in suites, and the option on the command line.
    key: &'static str,
    /// The placeholder for its value in the help.
    placeholder: &'static str,
    /// The help text.
    about: &'static str,
    /// All values, the default one first, if they can be listed.
    names: Option<fn() -> Vec<&'static str>>,
    /// The default value, if the values cannot be listed and one is the default.
    default: Option<&'static str>,
    /// Whether a unit leaves the choice.
    is_for: fn(Unit) -> bool,
    /// The design with this value.
    set: fn(Design, &str) -> Result<Design, BuildError>,
    /// The value in a design, unless it is the default.
    word: fn(&Design) -> Option<String>,
    /// What the choice adds to the name of the module.
    suffix: fn(&Design) -> Option<String>,
    /// Values other than the default that `fuzz` tries.
    tried: &'static [&'static str],
}

const OPTIMIZE: Row = Row {
    key: "optimize",
    placeholder: "GOAL",
    about: "Optimize for few gates (area), or for few gates in series (depth)",
    names: Some(|| Optimize::ALL.map(Optimize::name).to_vec()),
    default: None,
    is_for: |_| true,
    set: |design, word| Ok(design.optimized(word.parse().map_err(BuildError::Word)?)),
    word: |design| unless_default(design.optimize),
    suffix: |design| (design.optimize == Optimize::Depth).then(|| "_depth".into()),
    tried: &["depth"],
};

const MULTIPLIER: Row = Row {
    key: "multiplier",
    placeholder: "KIND",
    about: "Build products of adders (logic), or as the operator * that tools of FPGAs map to DSP blocks (operator)",
    names: Some(|| Multiplier::ALL.map(Multiplier::name).to_vec()),
    default: None,
    is_for: Unit::multiplies,
    set: |design, word| Ok(design.multiplied_by(word.parse().map_err(BuildError::Word)?)?),
    word: |design| unless_default(design.multiplier),
    suffix: |design| (design.multiplier == Multiplier::Operator).then(|| "_operator".into()),
    tried: &["operator"],
};

const STAGES: Row = Row {
    key: "stages",
    placeholder: "N",
    about: "Ranks of registers: the latency in clock cycles, 0 (combinational) to 16",
    names: None,
    default: Some("0"),
    is_for: |_| true,
    set: |design, word| Ok(design.with_stages(word.parse::<Stages>().map_err(BuildError::Word)?.ranks())?),
    word: |design| unless_default(design.stages),
    suffix: |design| (design.stages > 0).then(|| format!("_p{}", design.stages)),
    tried: &["1", "2", "3", "5", "16"],
};

const DIGITS_PER_CLOCK: Row = Row {
    key: "digits-per-clock",
    placeholder: "N",
    about: "Digits of the result in each clock cycle, for divide, reciprocal, sqrt and rsqrt: a small unit that takes several clock \
            cycles for an operation",
    names: None,
    default: None,
    is_for: Unit::computes_digits,
    set: |design, word| match word.parse() {
        Ok(digits) => Ok(design.in_clocks(digits)?),
        Err(_) => Err(BuildError::Word("a number of digits is expected".into())),
    },
    word: |design| unless_default(design.digits_per_clock),
    suffix: |design| (design.digits_per_clock > 0).then(|| format!("_d{}", design.digits_per_clock)),
    tried: &["2", "1", "3"],
};

const INTERFACE: Row = Row {
    key: "interface",
    placeholder: "INTERFACE",
    about: "How operands and results are transferred: with en and valid bits (plain), or through a shell around the unit with valid and \
            ready, named so (ready-valid) or as in AXI4-Stream",
    names: Some(|| Interface::ALL.map(Interface::name).to_vec()),
    default: None,
    is_for: |_| true,
    set: |design, word| Ok(design.spoken_to(word.parse().map_err(BuildError::Word)?)),
    word: |design| unless_default(design.interface),
    suffix: |design| Some(design.interface.suffix().into()),
    tried: &["ready-valid", "axi-stream"],
};

const RESET: Row = Row {
    key: "reset-type",
    placeholder: "KIND",
    about: "Reset registers at a rising edge of the clock (sync), or as soon as the reset is low (async); units without a clock have no reset",
    names: Some(|| Reset::ALL.map(Reset::name).to_vec()),
    default: None,
    is_for: |_| true,
    set: |design, word| Ok(design.resetting(word.parse().map_err(BuildError::Word)?)),
    word: |design| unless_default(design.reset),
    suffix: |design| (design.reset == Reset::Async).then(|| "_async".into()),
    tried: &["async"],
};

const MODULE: Row = Row {
    key: "module",
    placeholder: "NAME",
    about: "Name of the module and its files, instead of the name derived from the unit's settings",
    names: None,
    default: None,
    is_for: |_| true,
    set: |design, word| match word.parse() {
        Ok(name) => Ok(design.named(Some(name))),
        Err(error) => Err(BuildError::Word(ModuleNameError::to_string(&error))),
    },
    word: |design| design.name.map(|name| name.to_string()),
    suffix: |_| None,
    tried: &[],
};

/// A choice of how a unit is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuildChoice {
    /// The optimization goal.
    Optimize,
    /// How products are built.
    Multiplier,
    /// Ranks of registers.
    Stages,
    /// Digits of the result in each clock, for a unit that takes several clocks for an operation.
    DigitsPerClock,
    /// How operands and results are transferred.
    Interface,
    /// How registers are reset.
    Reset,
    /// The name of the module.
    Module,
}

/// Why a value of a choice gives no design.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// It is no value of the choice; the text says what is expected.
    #[error("{0}")]
    Word(String),
    /// The unit cannot be built so.
    #[error(transparent)]
    Design(#[from] DesignError),
}

impl BuildChoice {
    /// All choices, in the order in which they are printed.
    pub const ALL: [BuildChoice; 7] = [
        BuildChoice::Optimize,
        BuildChoice::Multiplier,
        BuildChoice::Stages,
        BuildChoice::DigitsPerClock,
        BuildChoice::Interface,
        BuildChoice::Reset,
        BuildChoice::Module,
    ];

    fn row(self) -> &'static Row {
        match self {
            BuildChoice::Optimize => &OPTIMIZE,
            BuildChoice::Multiplier => &MULTIPLIER,
            BuildChoice::Stages => &STAGES,
            BuildChoice::DigitsPerClock => &DIGITS_PER_CLOCK,
            BuildChoice::Interface => &INTERFACE,
            BuildChoice::Reset => &RESET,
            BuildChoice::Module => &MODULE,
        }
    }

    /// The choice's key in suites, and its option on the command line.
    pub fn key(self) -> &'static str {
        self.row().key
    }

    /// The help text of the choice.
    pub fn about(self) -> &'static str {
        self.row().about
    }

    /// The placeholder for its value in the help.
    pub fn placeholder(self) -> &'static str {
        self.row().placeholder
    }

    /// All values, the default one first, if they can be listed.
    pub fn names(self) -> Option<Vec<&'static str>> {
        self.row().names.map(|names| names())
    }

    /// The default value; none if nothing stands for it.
    pub fn default_word(self) -> Option<&'static str> {
        self.names().map_or(self.row().default, |names| Some(names[0]))
    }

    /// Whether a unit leaves the choice.
    pub fn is_for(self, unit: Unit) -> bool {
        (self.row().is_for)(unit)
    }

    /// Values other than the default that random tests try, the simplest first.
    pub fn tried(self) -> &'static [&'static str] {
        self.row().tried
    }

    /// Checks that a value can be parsed.
    ///
    /// # Errors
    /// A message that says what is expected.
    ///
    /// # Panics
    /// If binary32 has no multiplier.
    pub fn check(self, word: &str) -> Result<(), String> {
        let any = Selection::new(Unit::Mul, Format::binary32()).operation().expect("a multiplier");
        match Design::from(any).choose(self, word) {
            Err(BuildError::Word(expected)) => Err(expected),
            Ok(_) | Err(BuildError::Design(_)) => Ok(()),
        }
    }
}

impl fmt::Display for BuildChoice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.key())
    }
}

impl Design {
    /// The design with this value of a choice. Listed values may be spelt as on the command line.
    ///
    /// # Errors
    /// If it is no value of the choice, or if the unit cannot be built so.
    pub fn choose(self, choice: BuildChoice, word: &str) -> Result<Design, BuildError> {
        let names = choice.names().unwrap_or_default();
        (choice.row().set)(self, find_name(word, &names).unwrap_or(word))
    }

    /// The choices that differ from the defaults, as keys and values.
    pub fn words(&self) -> Vec<(&'static str, String)> {
        let word = |choice: BuildChoice| Some((choice.key(), (choice.row().word)(self)?));
        BuildChoice::ALL.into_iter().filter_map(word).collect()
    }

    /// What the choices add to the name of the module.
    pub fn suffix(&self) -> String {
        BuildChoice::ALL.into_iter().filter_map(|choice| (choice.row().suffix)(self)).collect()
    }
}

fn unless_default<T: Default + PartialEq + fmt::Display>(value: T) -> Option<String> {
    (value != T::default()).then(|| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(unit: Unit) -> Design {
        let selection = Selection::new(unit, Format::binary16());
        Design::from(selection.operation().expect("a unit"))
    }

    /// Each value of each choice gives a design that says so, with a name of its own, in the units that the choice is for; the default gives
    /// the design without it.
    #[test]
    fn each_value_is_in_words_and_names() {
        let mut count = 0;
        for choice in BuildChoice::ALL {
            for unit in [Unit::Mul, Unit::Add, Unit::Divide] {
                let plain = design(unit);
                for word in choice.tried() {
                    assert_eq!(choice.check(word), Ok(()), "{choice} {word}");
                    let chosen = plain.choose(choice, word);
                    if !choice.is_for(unit) {
                        assert!(matches!(chosen, Err(BuildError::Design(_))), "{choice} {word} of {unit}");
                        continue;
                    }
                    let chosen = chosen.unwrap_or_else(|error| panic!("{choice} {word} of {unit}: {error}"));
                    assert_eq!(chosen.words(), [(choice.key(), word.to_string())]);
                    assert!(!chosen.suffix().is_empty());
                    count += 1;
                }
                if let Some(default) = choice.default_word() {
                    assert_eq!(plain.choose(choice, default), Ok(plain));
                }
            }
        }
        assert_eq!(count, 3 + 1 + 15 + 3 + 6 + 3);
        let named = design(Unit::Mul).choose(BuildChoice::Module, "Mine").expect("a name");
        assert_eq!((named.words(), named.suffix().as_str()), (vec![("module", "Mine".into())], ""));
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for (choice, word, expected) in [
            (BuildChoice::Optimize, "speed", "area or depth is expected, not `speed`"),
            (BuildChoice::Multiplier, "dsp", "logic or operator is expected, not `dsp`"),
            (BuildChoice::Stages, "17", "17 ranks of registers; a unit can have up to 16"),
            (BuildChoice::Stages, "x", "a number of ranks of registers from 0 to 16 is expected"),
            (BuildChoice::DigitsPerClock, "-1", "a number of digits is expected"),
            (BuildChoice::Interface, "wishbone", "plain, ready-valid or axi-stream is expected, not `wishbone`"),
            (BuildChoice::Reset, "none", "sync or async is expected, not `none`"),
            (BuildChoice::Module, "reg", "`reg` is a keyword"),
        ] {
            let why = choice.check(word).expect_err(word);
            assert!(why.starts_with(expected), "{why}");
        }
        assert_eq!(BuildChoice::Optimize.check("DEPTH"), Ok(()));
        let both = design(Unit::Divide).choose(BuildChoice::DigitsPerClock, "2").expect("digits");
        let both = both.choose(BuildChoice::Stages, "1");
        assert_eq!(both, Err(BuildError::Design(DesignError::DigitsInStages)));
    }
}
