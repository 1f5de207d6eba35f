//! The options for how a unit is built: one per row of the table of choices. Ranks of registers and digits per clock, which exclude each
//! other, are in `stages.rs`.

use crate::failure::Failure;
use crate::names::Names;
use crate::settings::GROUP;
use binade_generator::{BuildChoice, BuildError, Design, DesignError, ModuleName};
use binade_spec::as_options;
use clap::builder::{StringValueParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

/// The words given for choices.
#[derive(Clone, Debug)]
pub struct ChoiceOptions {
    words: Vec<(BuildChoice, String)>,
}

impl ChoiceOptions {
    /// The design with these choices.
    pub fn apply(&self, design: Design) -> Result<Design, Failure> {
        let choose = |design: Design, (choice, word): &(BuildChoice, String)| {
            design.choose(*choice, word).map_err(|error| match error {
                BuildError::Word(expected) => Failure::Usage(format!("--{choice} {word}: {expected}")),
                BuildError::Design(error) => cannot_be_built(error),
            })
        };
        self.words.iter().try_fold(design, choose)
    }

    /// The name for the module, if one is given.
    pub fn name(&self) -> Option<ModuleName> {
        let (_, word) = self.words.iter().find(|(choice, _)| *choice == BuildChoice::Module)?;
        word.parse().ok()
    }
}

/// The usage error for a unit that cannot be built so.
pub fn cannot_be_built(error: DesignError) -> Failure {
    Failure::Usage(as_options(&error.to_string()))
}

/// The choices that are options here.
fn choices() -> impl Iterator<Item = BuildChoice> {
    let is_here = |choice: &BuildChoice| !matches!(choice, BuildChoice::Stages | BuildChoice::DigitsPerClock);
    BuildChoice::ALL.into_iter().filter(is_here)
}

impl Args for ChoiceOptions {
    fn augment_args(command: Command) -> Command {
        command.args(choices().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ChoiceOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ChoiceOptions, Error> {
        let word = |choice: BuildChoice| Some((choice, matches.get_one::<String>(choice.key()).cloned()?));
        Ok(ChoiceOptions { words: choices().filter_map(word).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The option for a choice.
fn option(choice: BuildChoice) -> Arg {
    let key = choice.key();
    let option = Arg::new(key).long(key).value_name(choice.placeholder()).help(choice.about()).group(GROUP);
    let option = match choice.default_word() {
        Some(word) => option.default_value(word),
        None => option,
    };
    match choice.names() {
        Some(names) => option.value_parser(Names::new(names)),
        None => option
            .value_parser(StringValueParser::new().try_map(move |word: String| choice.check(&word).map(|()| word))),
    }
}
