//! `binade doctor`: checks which external tools are installed.

use crate::failure::Failure;
use crate::output;
use crate::selection::ToolOptions;
use binade_tools::{Error, Finding, Source, State, Tools};
use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  binade doctor --tools system\n  BINADE_CACHE_MB=500 binade doctor --clean\n  binade doctor --bundle tools.tar.gz"
)]
pub struct Arguments {
    #[command(flatten)]
    tools: ToolOptions,
    /// Shrink the cache below its limit now ($BINADE_CACHE_MB, 2048 MB if not set); removes the least recently used files first
    #[arg(long, conflicts_with = "json")]
    clean: bool,
    /// Write all pinned tools into one archive (.tar.gz) for machines without a network; installs missing tools first
    #[arg(long, value_name = "FILE", conflicts_with_all = ["clean", "json", "from"])]
    bundle: Option<PathBuf>,
    /// Install the pinned tools from such an archive
    #[arg(long, value_name = "FILE", conflicts_with_all = ["clean", "json"])]
    from: Option<PathBuf>,
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
            State::InstalledAtFirstNeed { version } => ("not yet", format!("{version}, installed on first use")),
            State::Unusable(error) => ("unusable", error.to_string()),
        };
        Entry { tool: finding.tool, state, detail }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tools = arguments.tools.tools();
    if arguments.clean {
        return clean(&tools);
    }
    if let Some(file) = &arguments.bundle {
        return bundle(&tools, file);
    }
    if let Some(file) = &arguments.from {
        let installed = output::counted(tools.install_from(file).map_err(of_file)?, "tool");
        output::say(format_args!("{installed} installed from `{}` into `{}`", file.display(), tools.home().display()));
    }
    let entries: Vec<Entry> = tools.doctor().iter().map(Entry::from).collect();
    let text = if arguments.json { output::plain_json(&entries) } else { table(&entries) };
    output::print(&text)?;
    if tools.source() == Source::Pinned {
        let home = tools.home().display();
        output::say(format_args!("pinned tools and caches are kept in `{home}`; BINADE_HOME names another folder"));
        say_what_is_cached(&tools);
    }
    match entries.iter().any(|entry| entry.state == "unusable") {
        true => Err(Failure::ToolUnusable),
        false => Ok(()),
    }
}

/// Writes the tools into an archive.
fn bundle(tools: &Tools, file: &Path) -> Result<(), Failure> {
    tools.bundle(file).map_err(of_file)?;
    let bytes = std::fs::metadata(file).map_err(|error| Failure::file("read", file, error))?.len();
    let (file, megabytes) = (file.display(), megabytes(bytes));
    output::say(format_args!("`{file}`, {megabytes} MB; `binade doctor --from {file}` installs the tools elsewhere"));
    Ok(())
}

/// Reports an unusable file as a file error, not as a tool failure.
fn of_file(error: Error) -> Failure {
    match error {
        Error::Io { .. } => Failure::File(error.to_string()),
        other => Failure::Tool(other),
    }
}

/// Shrinks the cache below its limit.
fn clean(tools: &Tools) -> Result<(), Failure> {
    let removed = tools.cache().clean()?;
    let (files, megabytes) = (output::counted(removed.files, "file"), megabytes(removed.bytes));
    output::say(format_args!("{files} removed from the cache, {megabytes} MB"));
    say_what_is_cached(tools);
    Ok(())
}

fn say_what_is_cached(tools: &Tools) {
    let size = tools.cache().size();
    let limit = binade_tools::cache_limit().expect("checked at the start") >> 20;
    let (files, used) = (output::counted(size.files, "file"), megabytes(size.bytes));
    output::say(format_args!("the cache has {used} MB in {files}, of {limit} MB; BINADE_CACHE_MB sets another limit"));
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}

fn table(entries: &[Entry]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["tool", "state", ""]);
    for entry in entries {
        table.add_row([entry.tool, entry.state, &entry.detail]);
    }
    table.to_string()
}
