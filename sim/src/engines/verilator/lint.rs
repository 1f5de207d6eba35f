//! Verilator's lint.

use std::fs;

use binade_tools::{Error, Tools, run, scratch_dir};

/// Checks that `verilator --lint-only -Wall` gives no warning for `verilog`, which holds `module`.
///
/// # Errors
/// When there is a warning, and when Verilator is missing.
pub fn lint(tools: &Tools, module: &str, verilog: &str) -> Result<(), Error> {
    let verilator = tools.verilator()?;
    let scratch = scratch_dir()?;
    let file = format!("{module}.v");
    fs::write(scratch.path().join(&file), verilog).map_err(Error::io(format!("write `{file}`")))?;
    let mut command = verilator.command();
    command.args(["--lint-only", "-Wall", "--top-module", module, &file]).current_dir(scratch.path());
    run(&mut command, &format!("the lint of `{file}` by Verilator {}", verilator.version))?;
    Ok(())
}
