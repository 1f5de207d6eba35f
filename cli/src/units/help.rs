//! Restricts the help of a command to the settings of the units given with `--unit`.

use crate::settings::help_of;
use binade_spec::{Setting, Unit};
use clap::{Arg, Command};

/// The commands whose `--out` also names a folder, for any unit.
const WITH_FOLDER: [&str; 2] = ["gen", "flow"];

/// The program for a command line: if it has `--help` and `--unit`, the help is specific to these units.
pub fn for_named_units(program: Command, words: &[String]) -> Command {
    let is_help = words.iter().any(|word| word == "--help" || word == "-h");
    match named_units(words) {
        Some(units) if is_help => narrowed(program, &units),
        _ => program,
    }
}

/// The words of `--unit`, if all of them are units.
fn named_units(words: &[String]) -> Option<Vec<Unit>> {
    let behind = words.windows(2).filter(|pair| pair[0] == "--unit").map(|pair| pair[1].as_str());
    let within = words.iter().filter_map(|word| word.strip_prefix("--unit="));
    let names = behind.chain(within).flat_map(|list| list.split(','));
    let units = names.map(|name| name.parse().ok()).collect::<Option<Vec<Unit>>>()?;
    (!units.is_empty()).then_some(units)
}

/// The command and its subcommands with the options of these units; only the help changes.
fn narrowed(command: Command, units: &[Unit]) -> Command {
    let command = command.mut_subcommands(|command| narrowed(command, units));
    if !command.get_arguments().any(|option| option.get_long() == Some("unit")) {
        return command;
    }
    let has_folder = WITH_FOLDER.contains(&command.get_name());
    command.before_help(heading(units)).mut_args(|option| match setting_of(&option) {
        Some(Setting::Out) if has_folder => option,
        Some(setting) => of_setting(option, setting, units),
        None => option,
    })
}

fn heading(units: &[Unit]) -> String {
    let names: Vec<&str> = units.iter().map(|unit| unit.name()).collect();
    format!("With the settings of {}; without --unit, the help has those of all units.", names.join(", "))
}

fn setting_of(option: &Arg) -> Option<Setting> {
    Setting::ALL.into_iter().find(|setting| option.get_id().as_str() == setting.key())
}

/// Hides a setting's option if none of the units accepts it; for a single unit, the help describes that unit.
fn of_setting(option: Arg, setting: Setting, units: &[Unit]) -> Arg {
    match *units {
        [unit] if unit.takes(setting) => option.help(help_of(setting, &setting.about_for(unit))),
        _ => option.hide(!units.iter().any(|unit| unit.takes(setting))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(line: &str) -> Option<Vec<Unit>> {
        named_units(&line.split(' ').map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn units_are_found_among_the_words() {
        assert_eq!(units("gen --unit mul --help"), Some(vec![Unit::Mul]));
        assert_eq!(units("gen --help --unit=FMA"), Some(vec![Unit::Fmac]));
        assert_eq!(units("synth --unit mul,add --unit dot -h"), Some(vec![Unit::Mul, Unit::Add, Unit::Dot]));
        for line in ["gen --help", "gen --unit --help", "gen --help --unit", "gen --unit mull --help"] {
            assert_eq!(units(line), None, "{line}");
        }
    }
}
