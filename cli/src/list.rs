//! `binade suite`: lists the units of a suite file as jobs.

use crate::failure::Failure;
use crate::output;
use binade_campaign::Suite;
use binade_generator::description::{arguments as words, module_name};
use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  binade suite testbench/suites/formats.toml\n  \
                        binade suite testbench/suites/formats.toml --json | jq '.units[].module'")]
pub struct Arguments {
    /// The suite file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The units of a suite in the order that `--shard` uses.
#[derive(Serialize)]
struct List {
    suite: String,
    /// The most parts that the suite can be divided into.
    total: usize,
    units: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    /// From 1; with `N` parts, number `I` is in part `(I - 1) % N + 1`.
    number: usize,
    module: String,
    /// The command line words that choose the unit.
    arguments: Vec<String>,
    /// The options that name a user's module.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dut: Vec<String>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let suite = Suite::read_with_duts(&arguments.file, output::read_text)?;
    let units: Vec<Entry> = suite
        .designs
        .iter()
        .zip(suite.duts)
        .enumerate()
        .map(|(index, (design, dut))| Entry {
            number: index + 1,
            arguments: words(design),
            module: module_name(design),
            dut,
        })
        .collect();
    let list = List { suite: arguments.file.display().to_string(), total: units.len(), units };
    output::print(&if arguments.json { output::json(&list) } else { table(&list) })?;
    output::say(format_args!("{} in `{}`", output::counted(list.total, "unit"), list.suite));
    Ok(())
}

fn table(list: &List) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["", "unit", "options"]);
    for Entry { number, module, arguments, dut } in &list.units {
        table.add_row([number.to_string(), module.clone(), [arguments.as_slice(), dut].concat().join(" ")]);
    }
    table.to_string()
}
