//! `binade units`: lists the units and what they compute, or describes one.
//!
//! | file | what it holds |
//! |---|---|
//! | `description.rs` | the description of one unit |
//! | `example.rs` | a minimal selection for each unit |
//! | `picture.rs` | its ports as a picture |
//! | `proof.rs` | how it can be proven |
//! | `peers.rs` | other generators with such units |
//! | `help.rs` | the help of other commands for the units given with `--unit` |

mod description;
mod example;
mod help;
mod peers;
mod picture;
mod proof;

use crate::failure::Failure;
use crate::names::named;
use crate::output;
use binade_spec::Unit;
use clap::Args;
use comfy_table::{Table, presets};
use description::Description;
pub use help::for_named_units;
use serde::Serialize;

#[derive(Args, Debug)]
#[command(after_help = "\
With --unit, the help of other commands shows only the settings of that unit: binade gen --unit fmac --help

Examples:
  binade units
  binade units fmac
  binade units dot --json")]
pub struct Arguments {
    /// The unit to explain; without one, list all units
    #[arg(value_name = "NAME", value_parser = named::<Unit>(&Unit::ALL.map(Unit::name)))]
    name: Option<Unit>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    summary: String,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let text = match (arguments.name.map(Description::new), arguments.json) {
        (None, true) => output::plain_json(&list()),
        (None, false) => list_text(),
        (Some(description), true) => output::json(&description),
        (Some(description), false) => description.text(),
    };
    output::print(&text)
}

/// What a unit computes, in a line of text.
fn summary(unit: Unit) -> String {
    unit.summary().trim_end_matches('.').replace('`', "")
}

fn list() -> Vec<Entry> {
    Unit::ALL.into_iter().map(|unit| Entry { name: unit.name(), summary: summary(unit) }).collect()
}

fn list_text() -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["unit", "what it computes"]);
    for Entry { name, summary } in list() {
        table.add_row([name.into(), summary]);
    }
    format!("{table}\n\n`binade units <NAME>` explains one.")
}
