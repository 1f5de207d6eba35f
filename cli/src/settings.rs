//! The options for a unit's settings: one per row of the table of settings.

use crate::failure::Failure;
use crate::names::Names;
use binade_spec::{Format, Formats, NameError, OperationError, Selection, Setting, Unit, as_options};
use clap::builder::{OsStringValueParser, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The group of the options that choose a unit, which no suite goes with. With flattened options in it `derive` leaves it empty,
/// so each option names it.
pub const GROUP: &str = "UnitOptions";

/// The words given for settings.
#[derive(Clone, Debug)]
pub struct SettingOptions {
    words: Vec<(Setting, String)>,
    /// All words of `--out`, which can also name a folder.
    pub out: Vec<Out>,
}

impl SettingOptions {
    /// The selection of the unit with these settings; `output` is the format among the words of `--out`.
    pub fn selection(&self, unit: Unit, formats: Formats, output: Option<Format>) -> Result<Selection, Failure> {
        let mut selection = Selection { output, ..Selection::with_formats(unit, formats) };
        self.apply(&mut selection)?;
        Ok(selection)
    }

    /// Whether the words give this setting.
    pub fn gives(&self, setting: Setting) -> bool {
        self.words.iter().any(|(given, _)| *given == setting)
    }

    /// The same settings, and one more.
    pub fn with(mut self, setting: Setting, word: &str) -> Result<SettingOptions, Failure> {
        setting.check(word).map_err(|why| Failure::Usage(format!("--{setting} {word}: {why}")))?;
        self.words.push((setting, word.into()));
        Ok(self)
    }

    /// Applies the words to a selection.
    pub fn apply(&self, selection: &mut Selection) -> Result<(), Failure> {
        self.words.iter().try_for_each(|(setting, word)| selection.set(*setting, word).map_err(Failure::Usage))
    }
}

impl Args for SettingOptions {
    fn augment_args(command: Command) -> Command {
        // `conform` has an option `--function` of its own.
        let is_new = |setting: &Setting| command.get_arguments().all(|known| known.get_id() != setting.key());
        let options: Vec<Arg> =
            Setting::ALL.into_iter().filter(is_new).map(|setting| option(setting, &setting.about())).collect();
        // After the options of the command.
        command.args(options.into_iter().map(|option| option.help_heading("Settings of the unit")))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SettingOptions, Error> {
        let word = |setting: Setting| match setting {
            Setting::Out => None,
            flag if flag.is_flag() => matches.get_flag(setting.key()).then(|| "true".into()),
            _ => matches.get_one::<String>(setting.key()).cloned(),
        };
        let words = Setting::ALL.into_iter().filter_map(|setting| Some((setting, word(setting)?))).collect();
        let out = matches.get_many::<Out>(Setting::Out.key()).into_iter().flatten().cloned().collect();
        Ok(SettingOptions { words, out })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The meaning of a word of `--out`.
#[derive(Clone, Debug)]
pub enum Out {
    Format(Format),
    Folder(PathBuf),
}

/// Shorter words resemble some format name too easily to count as misspelt.
const SHORTEST_MISSPELT: usize = 5;

impl Out {
    /// Parses a format name, or else a folder; refuses a word that is almost a format name.
    pub fn read(word: OsString) -> Result<Out, String> {
        let name = word.to_str().unwrap_or("");
        let error = match name.parse::<Format>() {
            Ok(format) => return Ok(Out::Format(format)),
            Err(error) => error,
        };
        let is_plain = !name.contains(['/', '\\', '.']) && !Path::new(&word).is_dir();
        let is_nearly_a_format = match error {
            NameError::File { .. } => return Err(error.to_string()),
            NameError::Unknown { nearest: None, .. } | NameError::Empty => false,
            NameError::Unknown { .. } => name.len() >= SHORTEST_MISSPELT,
            NameError::Ambiguous { .. }
            | NameError::LongList { .. }
            | NameError::List { .. }
            | NameError::NotBuilt { .. }
            | NameError::FromFile { .. }
            | NameError::Impossible { .. }
            | NameError::NoOptions { .. }
            | NameError::UnknownOption { .. }
            | NameError::OptionValue { .. } => true,
        };
        if is_plain && is_nearly_a_format {
            return Err(format!("{error}; a folder of that name is ./{name}"));
        }
        Ok(Out::Folder(word.into()))
    }
}

/// The usage error for a refused unit.
pub fn refused(error: OperationError) -> Failure {
    Failure::Usage(as_options(&error.to_string()))
}

/// The help of a unit's setting options; none if it has no settings.
pub fn options_of(unit: Unit) -> Option<String> {
    let taken = Setting::ALL.into_iter().filter(|&setting| unit.takes(setting));
    let options: Vec<Arg> = taken.map(|setting| option(setting, &setting.about_for(unit))).collect();
    let help = |options: Vec<Arg>| {
        let mut command = Command::new("options").disable_help_flag(true).help_template("{options}").args(options);
        command.render_help().to_string()
    };
    (!options.is_empty()).then_some(options).map(help)
}

/// The help text of a setting's option.
pub fn help_of(setting: Setting, about: &str) -> String {
    let about = as_options(about);
    match setting {
        Setting::Out => format!(
            "{about}. Else (gen and flow), the folder for the files; a folder called like a format is ./e5m2 \
             [default folder: rtl_out]"
        ),
        _ => about,
    }
}

/// The option for a setting.
fn option(setting: Setting, about: &str) -> Arg {
    let key = setting.key();
    let option = Arg::new(key).long(key).value_name(setting.placeholder()).help(help_of(setting, about)).group(GROUP);
    let option = option.allow_negative_numbers(setting == Setting::Start);
    let read = move |word: String| setting.check(&word).map(|()| word);
    match (setting, setting.names()) {
        (Setting::Out, _) => option
            .value_name("FORMAT|DIR")
            .action(ArgAction::Append)
            .value_parser(OsStringValueParser::new().try_map(Out::read)),
        (flag, _) if flag.is_flag() => option.action(ArgAction::SetTrue),
        (Setting::Tininess, Some(names)) => option.requires(Setting::Flags.key()).value_parser(Names::new(names)),
        (_, Some(names)) => option.value_parser(Names::new(names)),
        (_, None) => option.value_parser(StringValueParser::new().try_map(read)),
    }
}
