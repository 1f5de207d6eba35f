//! `binade doctor`: which external tools are there.

use crate::failure::Failure;
use crate::output;
use crate::selection::ToolOptions;
use binade_tools::{Finding, Source, State};
use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;

#[derive(Args, Debug)]
#[command(after_help = "Example: binade doctor --tools system")]
pub struct Arguments {
    #[command(flatten)]
    tools: ToolOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    tool: &'static str,
    state: &'static str,
    detail: String,
}

impl From<&Finding> for Entry {
    fn from(finding: &Finding) -> Entry {
        let (state, detail) = match &finding.state {
            State::Found(what) => ("found", what.clone()),
            State::InstalledAtFirstNeed { version } => ("not yet", format!("{version}, installed at first need")),
            State::Unusable(error) => ("unusable", error.to_string()),
        };
        Entry { tool: finding.tool, state, detail }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tools = arguments.tools.tools();
    let entries: Vec<Entry> = tools.doctor().iter().map(Entry::from).collect();
    let text = if arguments.json { output::json(&entries) } else { table(&entries) };
    output::print(&text)?;
    if tools.source() == Source::Pinned {
        let home = tools.home().display();
        output::say(format_args!("pinned tools and caches are kept in `{home}`; BINADE_HOME names another folder"));
    }
    match entries.iter().any(|entry| entry.state == "unusable") {
        true => Err(Failure::ToolUnusable),
        false => Ok(()),
    }
}

fn table(entries: &[Entry]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["tool", "state", ""]);
    for entry in entries {
        table.add_row([entry.tool, entry.state, &entry.detail]);
    }
    table.to_string()
}
