//! `binade completions` and `binade man`: shell completion scripts and manual pages.

use crate::failure::Failure;
use crate::output;
use binade_spec::known_formats;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, ValueEnum};
use clap_complete::Shell;
use std::sync::LazyLock;

#[derive(Args, Debug)]
#[command(after_help = "Example: binade completions bash > ~/.local/share/bash-completion/completions/binade")]
pub struct CompletionArguments {
    /// The shell
    #[arg(value_parser = clap::builder::EnumValueParser::<Known>::new())]
    shell: Known,
}

/// The shells covered by tests.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Known {
    Bash,
    Zsh,
    Fish,
}

#[derive(Args, Debug)]
#[command(after_help = "Example: binade man verify | man -l -")]
pub struct ManArguments {
    /// One of Binade's commands; without one, print the overview page
    command: Option<String>,
}

/// The names of the formats that `binade formats` lists.
static FORMATS: LazyLock<Vec<String>> =
    LazyLock::new(|| known_formats().into_iter().map(|(format, _)| format.to_string()).collect());

/// The command with the names of formats as values of the options that take a format.
fn with_formats(command: Command) -> Command {
    let takes_format = |argument: &Arg| {
        let names = argument.get_value_names().unwrap_or_default();
        names.iter().any(|name| matches!(name.as_str(), "FORMAT" | "FORMATS")) || argument.get_id() == "names"
    };
    let named = |argument: Arg| match takes_format(&argument) {
        true => argument.value_parser(PossibleValuesParser::new(FORMATS.iter().map(String::as_str))),
        false => argument,
    };
    command.mut_args(named).mut_subcommands(with_formats)
}

pub fn run_completions(arguments: &CompletionArguments, command: Command) -> Result<(), Failure> {
    let mut command = with_formats(command);
    let shell = match arguments.shell {
        Known::Bash => Shell::Bash,
        Known::Zsh => Shell::Zsh,
        Known::Fish => Shell::Fish,
    };
    let mut text = vec![];
    clap_complete::generate(shell, &mut command, "binade", &mut text);
    output::print(&String::from_utf8(text).expect("completions are text"))
}

pub fn run_man(arguments: &ManArguments, mut command: Command) -> Result<(), Failure> {
    command.build();
    let page = match &arguments.command {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(found) => found.clone(),
            None => {
                let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
                return Err(Failure::Usage(format!(
                    "`{name}` is not a command; the commands are {}",
                    names.join(", ")
                )));
            }
        },
    };
    let mut text = vec![];
    clap_mangen::Man::new(page).render(&mut text).expect("memory takes everything");
    output::print(&String::from_utf8(text).expect("a page is text"))
}
