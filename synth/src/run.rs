//! One Yosys run: Verilog in, report out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use binade_tools::{Error, Tools, Yosys, scratch_dir};

use crate::area::{Area, GenericArea, Tally};
use crate::netlist::Netlist;
use crate::parse::{self, Aig, Unexpected};
use crate::report::Report;
use crate::script;
use crate::target::{NEEDS_LIBRARY, Target};

/// The cells of Yosys whose results may be `x`, with wires that nothing drives in place of an `x`.
const UNDEFINED_CELLS: &str = include_str!("undefined.v");

/// Why a list of signals after `@` is refused.
const WAITS: &str =
    "synthesis reads this list of signals as @*, and simulation waits for these signals alone; write @*";

/// How much of an output that cannot be parsed is shown.
const SHOWN_LINES: usize = 20;

/// What `module`, the top of `verilog`, costs on `target`.
///
/// # Errors
/// When Yosys is missing or fails, and when it says something that cannot be parsed, a cell of unknown area or a
/// combinational loop included. There is no report with a hole in it.
///
/// # Panics
/// For [`Target::Liberty`], which takes a library: [`Library::synthesize`](crate::liberty::Library::synthesize).
pub fn synthesize(tools: &Tools, module: &str, verilog: &str, target: Target) -> Result<Report, Error> {
    let yosys = tools.yosys()?;
    let tool = format!("Yosys {}", yosys.version);
    let script = script::commands(target, module);
    let said = run(&yosys, verilog, &script, target)?;

    let unparsed = |unexpected| unparsed(&tool, unexpected);
    let cells = parse::cells(&said.stat, module).map_err(unparsed)?;
    let depth = parse::depth(&said.ltp, module).map_err(unparsed)?;
    let (area, flip_flops) = add_up(target, &cells, &said.abc).map_err(unparsed)?;
    Ok(Report { target, module: module.to_string(), kit: None, tool, script, area, flip_flops, depth, cells })
}

/// The gates of `module`, the top of `verilog`, as Yosys' `write_json` writes it: cells and the nets between them.
///
/// # Errors
/// When Yosys is missing or fails, and when its file cannot be read.
///
/// # Panics
/// For [`Target::Liberty`].
pub fn netlist(tools: &Tools, module: &str, verilog: &str, netlist: impl Into<Netlist>) -> Result<String, Error> {
    let yosys = tools.yosys()?;
    let scratch = scratch_dir()?;
    run_over(&yosys, verilog, &script::netlist_commands(netlist.into(), module), scratch.path())?;
    read(scratch.path(), script::NETLIST)
}

/// The same of the shell `module` without the module `unit` in it: a pin `en` of the instance `unit` is a port `unit.en`, for the generic
/// target.
///
/// # Errors
/// When Yosys is missing or fails, and when its file cannot be read.
pub fn shell_netlist(tools: &Tools, module: &str, unit: &str, verilog: &str) -> Result<String, Error> {
    let yosys = tools.yosys()?;
    let scratch = scratch_dir()?;
    run_over(&yosys, verilog, &script::shell_commands(module, unit), scratch.path())?;
    read(scratch.path(), script::NETLIST)
}

/// The same for a module that others wrote, in SystemVerilog: a reset without the clock counts at the clock, what is there for
/// simulation alone is left out, and bits that nothing defines are outputs of `$anyseq` cells.
///
/// # Errors
/// When Yosys is missing or does not take the text, and when its file cannot be read.
///
/// # Panics
/// For [`Target::Liberty`].
pub fn foreign_netlist(tools: &Tools, module: &str, verilog: &str, netlist: Netlist) -> Result<String, Error> {
    let yosys = tools.yosys()?;
    let scratch = scratch_dir()?;
    let file = scratch.path().join(script::UNDEFINED);
    fs::write(&file, UNDEFINED_CELLS).map_err(Error::io(format!("write `{}`", file.display())))?;
    let said = run_over(&yosys, verilog, &script::foreign_netlist_commands(netlist, module), scratch.path())?;
    match said.lines().find(|line| line.contains(script::LISTED)) {
        None => read(scratch.path(), script::NETLIST),
        Some(line) => Err(Error::Failed {
            what: format!("Yosys {} on {module}", yosys.version),
            status: "a list of signals after @ is refused".into(),
            output: format!("{}: ERROR: {WAITS}", line.split(": ").next().unwrap_or(line)),
        }),
    }
}

/// What the commands that measure have said.
struct Said {
    stat: String,
    ltp: String,
    /// Empty when the target does not ask ABC.
    abc: String,
}

/// Runs `script` over `verilog` in a folder of its own.
fn run(yosys: &Yosys, verilog: &str, script: &[String], target: Target) -> Result<Said, Error> {
    let scratch = scratch_dir()?;
    let folder = scratch.path();
    run_over(yosys, verilog, script, folder)?;
    let abc = match target {
        Target::Generic => read(folder, script::ABC)?,
        Target::Ice40 | Target::Ecp5 | Target::Xc7 | Target::Cyclonev | Target::Liberty => String::new(),
    };
    Ok(Said { stat: read(folder, script::STAT)?, ltp: read(folder, script::LTP)?, abc })
}

/// Runs `script` over `verilog` in `folder`; the answer is the log.
pub(crate) fn run_over(yosys: &Yosys, verilog: &str, script: &[String], folder: &Path) -> Result<String, Error> {
    let file = folder.join(script::VERILOG);
    fs::write(&file, verilog).map_err(Error::io(format!("write `{}`", file.display())))?;
    yosys.run_script(&script.join("\n"), folder)
}

/// What the script has left in `file`.
pub(crate) fn read(folder: &Path, file: &str) -> Result<String, Error> {
    fs::read_to_string(folder.join(file)).map_err(Error::io(format!("read `{file}`, which Yosys should have written")))
}

/// The area of a netlist, and the number of its registers.
pub(crate) fn add_up(target: Target, cells: &BTreeMap<String, u32>, abc: &str) -> Result<(Area, u32), Unexpected> {
    let mut cells = Tally::new(cells);
    let area = match target {
        Target::Generic => generic(&mut cells, abc)?,
        Target::Ice40 => cells.ice40(),
        Target::Ecp5 => cells.ecp5(),
        Target::Xc7 => cells.xc7(),
        Target::Cyclonev => cells.cyclonev(),
        Target::Liberty => unreachable!("{NEEDS_LIBRARY}"),
    };
    let flip_flops = cells.flip_flops(target);
    cells.finish(target)?;
    Ok((area, flip_flops))
}

/// Gates from the netlist, and the AND-inverter graph from ABC.
fn generic(cells: &mut Tally, abc: &str) -> Result<Area, Unexpected> {
    let gates = cells.gates();
    // Yosys does not call ABC for a netlist without gates.
    let aig = if gates == 0 { Aig::EMPTY } else { parse::aig(abc)? };
    Ok(Area::Generic(GenericArea { gates, aig_ands: aig.ands, aig_levels: aig.levels }))
}

pub(crate) fn unparsed(tool: &str, unexpected: Unexpected) -> Error {
    let lines: Vec<&str> = unexpected.found.lines().collect();
    let output = lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n");
    Error::Unparsed { tool: tool.to_string(), expected: unexpected.expected, output }
}
