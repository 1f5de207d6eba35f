//! One Yosys run: Verilog in, report out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use binade_tools::{Error, Tools, Yosys, scratch_dir};

use crate::area::{Area, GenericArea, Tally};
use crate::netlist::Netlist;
use crate::parse::{self, Aig, Unexpected};
use crate::report::MappedReport;
use crate::script;
use crate::target::{NEEDS_LIBRARY, Target};
use crate::unsettled::{Unsettled, unsettled};

/// The Yosys cells whose results may be `x`, with undriven wires in place of `x`.
const UNDEFINED_CELLS: &str = include_str!("undefined.v");

/// Why a sensitivity list is refused.
const WAITS: &str =
    "synthesis reads this list of signals as @*, and simulation waits for these signals alone; write @*";

/// How many lines of unparsable output are shown.
const SHOWN_LINES: usize = 20;

/// The cost of `module`, the top of `verilog`, on `target`.
///
/// # Errors
/// When Yosys is missing or fails, or its output cannot be parsed, for example because of a cell of unknown area or a combinational loop. A
/// report is never incomplete.
///
/// # Panics
/// For [`Target::Liberty`], which takes a library: [`Library::synthesize`](crate::liberty::Library::synthesize).
pub fn synthesize(tools: &Tools, module: &str, verilog: &str, target: Target) -> Result<MappedReport, Error> {
    let yosys = tools.yosys()?;
    let tool = format!("Yosys {}", yosys.version);
    let script = script::commands(target, module);
    let said = run(&yosys, verilog, &script, target)?;

    let unparsed = |unexpected| unparsed(&tool, unexpected);
    let cells = parse::cells(&said.stat, module).map_err(unparsed)?;
    let depth = parse::depth(&said.ltp, module).map_err(unparsed)?;
    let (area, flip_flops) = add_up(target, &cells, &said.abc).map_err(unparsed)?;
    Ok(MappedReport { target, module: module.to_string(), kit: None, tool, script, area, flip_flops, depth, cells })
}

/// The gates of `module`, the top of `verilog`, from Yosys' `write_json`: cells and the nets between them.
///
/// # Errors
/// When Yosys is missing or fails, or its file cannot be read.
///
/// # Panics
/// For [`Target::Liberty`].
pub fn netlist(tools: &Tools, module: &str, verilog: &str, netlist: impl Into<Netlist>) -> Result<String, Error> {
    let yosys = tools.yosys()?;
    let scratch = scratch_dir()?;
    run_over(&yosys, verilog, &script::netlist_commands(netlist.into(), module, verilog), scratch.path())?;
    read(scratch.path(), script::NETLIST)
}

/// The gates of the shell `module` without the module `unit` in it, for the generic target: a pin `en` of the instance `unit` becomes a
/// port `unit.en`.
///
/// # Errors
/// When Yosys is missing or fails, or its file cannot be read.
pub fn shell_netlist(tools: &Tools, module: &str, unit: &str, verilog: &str) -> Result<String, Error> {
    let yosys = tools.yosys()?;
    let scratch = scratch_dir()?;
    run_over(&yosys, verilog, &script::shell_commands(module, unit, verilog), scratch.path())?;
    read(scratch.path(), script::NETLIST)
}

/// A user's module as gates.
#[derive(Clone, Debug)]
pub struct ForeignNetlist {
    /// The gates from Yosys' `write_json`.
    pub json: String,
    /// What has no one meaning in the module, so that simulation and synthesis may differ.
    pub unsettled: Option<Unsettled>,
}

/// Like [`netlist`], for a user's SystemVerilog module: asynchronous resets become synchronous, simulation-only code is skipped, and
/// undefined bits become outputs of `$anyseq` cells. `write` writes the files, and the file of arguments `files.f`, to a
/// folder.
///
/// # Errors
/// When Yosys is missing or rejects the text, or its file cannot be read.
///
/// # Panics
/// For [`Target::Liberty`].
pub fn foreign_netlist(
    tools: &Tools,
    module: &str,
    write: &dyn Fn(&Path) -> Result<(), Error>,
    netlist: Netlist,
) -> Result<ForeignNetlist, Error> {
    let scratch = scratch_dir()?;
    let file = scratch.path().join(script::UNDEFINED);
    fs::write(&file, UNDEFINED_CELLS).map_err(Error::io(format!("write `{}`", file.display())))?;
    write(scratch.path())?;
    let said = run_foreign(tools, module, &script::foreign_netlist_commands(netlist, module), scratch.path())?;
    Ok(ForeignNetlist { json: read(scratch.path(), script::NETLIST)?, unsettled: unsettled(&said) })
}

/// The Verilog that Yosys writes of a user's SystemVerilog module once it is read, before any optimization.
///
/// # Errors
/// When Yosys is missing or rejects the text, or its file cannot be read.
pub fn foreign_verilog(
    tools: &Tools,
    module: &str,
    write: &dyn Fn(&Path) -> Result<(), Error>,
) -> Result<String, Error> {
    let scratch = scratch_dir()?;
    write(scratch.path())?;
    run_foreign(tools, module, &script::foreign_verilog_commands(module), scratch.path())?;
    read(scratch.path(), script::WRITTEN)
}

/// Runs a script that reads a user's files; refuses lists of signals that simulators wait for.
fn run_foreign(tools: &Tools, module: &str, script: &[String], folder: &Path) -> Result<String, Error> {
    let yosys = tools.yosys()?;
    let said = yosys.run_script(&format!("{}\n", script.join("\n")), folder)?;
    match said.lines().find(|line| line.contains(script::LISTED)) {
        None => Ok(said),
        Some(line) => Err(Error::Failed {
            what: format!("Yosys {} on {module}", yosys.version),
            status: "a list of signals after @ is refused".into(),
            output: format!("{}: ERROR: {WAITS}", line.split(": ").next().unwrap_or(line)),
        }),
    }
}

/// The output of the commands that measure.
struct Said {
    stat: String,
    ltp: String,
    /// Empty if the target does not use ABC.
    abc: String,
}

/// Runs `script` on `verilog` in a temporary folder.
fn run(yosys: &Yosys, verilog: &str, script: &[String], target: Target) -> Result<Said, Error> {
    let scratch = scratch_dir()?;
    let folder = scratch.path();
    run_over(yosys, verilog, script, folder)?;
    let abc = match target {
        Target::Generic => read(folder, script::ABC)?,
        _ => String::new(),
    };
    Ok(Said { stat: read(folder, script::STAT)?, ltp: read(folder, script::LTP)?, abc })
}

/// Runs `script` on `verilog` in `folder`; returns the log.
pub(crate) fn run_over(yosys: &Yosys, verilog: &str, script: &[String], folder: &Path) -> Result<String, Error> {
    let file = folder.join(script::VERILOG);
    fs::write(&file, verilog).map_err(Error::io(format!("write `{}`", file.display())))?;
    yosys.run_script(&script.join("\n"), folder)
}

/// The content of `file`, written by the script.
pub(crate) fn read(folder: &Path, file: &str) -> Result<String, Error> {
    fs::read_to_string(folder.join(file)).map_err(Error::io(format!("read `{file}`, which Yosys should have written")))
}

/// The area of a netlist and its number of registers.
pub(crate) fn add_up(target: Target, cells: &BTreeMap<String, u32>, abc: &str) -> Result<(Area, u32), Unexpected> {
    let mut cells = Tally::new(cells);
    let area = match target {
        Target::Generic => generic(&mut cells, abc)?,
        Target::Ice40 | Target::Up5kDsp => cells.ice40(),
        Target::Ecp5 | Target::Ecp5Dsp => cells.ecp5(),
        Target::Xc7 | Target::Xc7Dsp => cells.xc7(),
        Target::Cyclonev => cells.cyclonev(),
        Target::Liberty => unreachable!("{NEEDS_LIBRARY}"),
    };
    let flip_flops = cells.flip_flops(target);
    cells.finish(target)?;
    Ok((area, flip_flops))
}

/// The gates from the netlist, and the AND-inverter graph from ABC.
fn generic(cells: &mut Tally, abc: &str) -> Result<Area, Unexpected> {
    let gates = cells.gates();
    // Yosys does not call ABC for a netlist without gates.
    let aig = if gates == 0 { Aig::EMPTY } else { parse::aig(abc)? };
    Ok(Area::Generic(GenericArea { gates, aig_ands: aig.ands, aig_levels: aig.levels }))
}

pub(crate) fn unparsed(tool: &str, unexpected: Unexpected) -> Error {
    let lines: Vec<&str> = unexpected.found.lines().collect();
    let output = lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n");
    Error::unparsed(tool.to_string(), unexpected.expected, output)
}
