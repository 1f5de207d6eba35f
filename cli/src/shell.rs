//! `binade completions` and `binade man`: shell completion scripts and manual pages.

use crate::failure::Failure;
use crate::output;
use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;

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

pub fn run_completions(arguments: &CompletionArguments, mut command: Command) -> Result<(), Failure> {
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
