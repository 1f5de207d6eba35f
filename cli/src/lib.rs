//! The `binade` command: arguments, progress, output, exit codes. The work is done in the other crates. [`main`] is the command; the program
//! of `main.rs` calls it, and so does the Python package.
//!
//! | file | what it holds |
//! |---|---|
//! | `selection.rs` | the options that choose a unit, the same in every command |
//! | `settings.rs` | the options for a unit's settings |
//! | `names.rs`, `namesakes.rs` | options whose values are names; formats that are not those of OCP with the same names |
//! | `generate.rs`, `verify/`, `prove/`, `merge/`, `synth/`, `sweep.rs`, `flow/`, `vectors.rs`, `conform/`, `formats/`, `units/`, `doctor.rs` | one command each |
//! | `shell.rs` | the commands `completions` and `man` |
//! | `explain.rs`, `numbers/` | the commands `decode` and `encode`: one value explained, streams of them |
//! | `report/`, `page.rs` | the pages that `report` writes, and the options for pages |
//! | `explore/` | writes the HTML page that needs no installation |
//! | `study.rs` | the trainings of `study` |
//! | `fuzz.rs` | random units, to find faults in Binade itself |
//! | `synth/pnr.rs` | the options and runs of `synth` and `sweep` that place and route |
//! | `choices.rs` | the options for how a unit is built |
//! | `stages.rs` | the number of register ranks of a unit |
//! | `testbench.rs` | the options of `gen` that write a testbench |
//! | `known.rs` | the option to recompute verdicts known from earlier runs |
//! | `guard.rs` | commands that simulate a user's module, in a process of their own |
//! | `suite.rs`, `list.rs` | files that list units, and the command that shows them |
//! | `output.rs` | data on stdout, and files written completely or not at all |
//! | `tips.rs` | tips for command lines that cannot be read |
//! | `words.rs` | the words of the command line |
//! | `failure.rs` | failures and their exit codes |

mod check;
mod choices;
mod conform;
mod doctor;
mod explain;
mod explore;
mod failure;
mod flow;
mod formal;
mod formats;
mod fuzz;
mod generate;
mod guard;
mod heartbeat;
mod kept;
mod known;
mod list;
mod merge;
mod names;
mod namesakes;
mod numbers;
mod output;
mod page;
mod prove;
mod report;
mod selection;
mod settings;
mod shell;
mod stages;
mod study;
mod sweep;
mod synth;
mod testbench;
mod tips;
mod units;
mod vectors;
mod verify;
mod words;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use failure::Failure;
use std::ffi::OsString;
use std::sync::LazyLock;

/// Generates arithmetic units for any number format as Verilog, verifies them bit for bit, and measures them.
#[derive(Parser)]
#[command(name = "binade", version, long_version = long_version(), before_help = BEGIN, after_help = EXIT_CODES, subcommand_required = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const BEGIN: &str = "\
Begin with:
  binade flow --format e4m3fn --unit fmac   generate, verify, prove and measure a unit
  binade units                              which units there are
  binade formats                            which formats there are
  binade explore --open                     try them in a browser
  binade prove --help                       all options of a command";

const EXIT_CODES: &str = "\
Exit codes:
  0    good
  1    a unit is wrong, or does not fit the device
  2    the command line asks for something impossible, or names a file or folder that cannot be read or written
  3    an external tool is missing, too old, failed, or said something unexpected
  4    nothing is wrong, but not everything could be proven
  130  interrupted";

/// The version, the commit of a release build, and the pinned tools: `--version` prints all, `-V` the first line.
fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let commit = option_env!("BINADE_COMMIT").unwrap_or("not a release");
        let tools = binade_tools::pinned().join(", ");
        format!("{}\ncommit: {commit}\npinned tools: {tools}", env!("CARGO_PKG_VERSION"))
    });
    &TEXT
}

#[derive(Subcommand)]
enum Command {
    /// Write the Verilog of a unit, and a manifest
    Gen(generate::Arguments),
    /// Check a unit's Verilog against the golden model
    Verify(Box<verify::Arguments>),
    /// Prove a unit right for all inputs
    Prove(Box<prove::Arguments>),
    /// Check certificates of proofs
    Check(check::Arguments),
    /// Merge the reports of all parts of a run
    Merge(merge::Arguments),
    /// List the units of a suite file
    Suite(list::Arguments),
    /// Print vectors with their correct results, for other testbenches
    Vectors(vectors::Arguments),
    /// Check published vectors against golden model and unit: TestFloat, FPgen, P3109, tables of codes
    Conform(Box<conform::Arguments>),
    /// Measure a unit's area and depth with Yosys; with --pnr, its clock on a device with nextpnr
    Synth(synth::Arguments),
    /// Measure a unit's area and clock against its ranks of registers, placed and routed
    Sweep(sweep::Arguments),
    /// Generate, verify, prove and measure a unit, with one summary; with --board, make a bitstream with a self-test
    Flow(flow::Arguments),
    /// List the formats, or explain one
    Formats(formats::Arguments),
    /// List the units, or explain one
    Units(units::Arguments),
    /// Explain a code of a format: its fields, its value, its neighbours; or decode many codes
    Decode(explain::DecodeArguments),
    /// Round a value into a format, and explain its code; or encode many values, with error figures
    Encode(explain::EncodeArguments),
    /// Write a page about formats, a tensor, a function or units: plots and tables in one HTML file
    Report(report::Arguments),
    /// Write an HTML page for trying out formats, values and units
    Explore(explore::Arguments),
    /// Train a small model in a format, every operation by the golden model
    Study(study::Arguments),
    /// Look for faults in Binade itself: random units, generated, verified and proven
    Fuzz(fuzz::Arguments),
    /// Show which external tools are installed, and how to get missing ones
    Doctor(doctor::Arguments),
    /// Print a completion script for a shell
    Completions(shell::CompletionArguments),
    /// Print a manual page
    Man(shell::ManArguments),
}

/// A word of `encode`; `-inf` and `-nan` with a blank before them, so that they are taken for values.
fn without_dash(word: &OsString) -> OsString {
    let is_encode = words::given().first().is_some_and(|command| command == "encode");
    let is_value = word.to_str().is_some_and(|word| ["-inf", "-infinity", "-nan"].contains(&&*word.to_lowercase()));
    if is_encode && is_value { [OsString::from(" "), word.clone()].into_iter().collect() } else { word.clone() }
}

/// Parses the command line; with `--unit`, the help is specific to that unit. Exits where there is nothing to do but to print a message.
fn parsed() -> Cli {
    let program = OsString::from("binade");
    let given: Vec<OsString> = words::given().iter().map(without_dash).collect();
    let all = || [&program].into_iter().chain(&given);
    let words: Vec<String> = all().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut command = units::for_named_units(Cli::command(), &words);
    let matches = command.try_get_matches_from_mut(all());
    let matches = matches.unwrap_or_else(|error| tips::with_tip(error, &words, &command).exit());
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut Cli::command()).exit())
}

/// Does what a command line says, and returns the exit code. `words` are those behind the program's name. It takes over the process:
/// Ctrl-C is caught, and some commands, as `--help`, exit by themselves.
///
/// # Panics
/// When it is called twice in a process, or something else catches Ctrl-C.
pub fn main(words: Vec<OsString>) -> u8 {
    words::take(words);
    if let Some(result) = verify::operations::run(words::given()) {
        return result.unwrap_or_else(Failure::report);
    }
    let cli = parsed();
    binade_tools::catch_interrupts();
    binade_tools::survive_file_limits();
    let limit = binade_tools::cache_limit().map_err(Failure::Usage);
    match limit.and_then(|_| run(cli.command)) {
        Ok(()) => 0,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Gen(arguments) => generate::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Prove(arguments) => prove::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Suite(arguments) => list::run(&arguments),
        Command::Vectors(arguments) => vectors::run(&arguments),
        Command::Conform(arguments) => conform::run(&arguments),
        Command::Synth(arguments) => synth::run(&arguments),
        Command::Sweep(arguments) => sweep::run(&arguments),
        Command::Flow(arguments) => flow::run(&arguments),
        Command::Formats(arguments) => formats::run(&arguments),
        Command::Units(arguments) => units::run(&arguments),
        Command::Decode(arguments) => explain::run_decode(&arguments),
        Command::Encode(arguments) => explain::run_encode(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Study(arguments) => study::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Completions(arguments) => shell::run_completions(&arguments, Cli::command()),
        Command::Man(arguments) => shell::run_man(&arguments, Cli::command()),
    }
}
