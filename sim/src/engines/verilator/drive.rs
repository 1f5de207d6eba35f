//! Runs a module under a custom driver program.

use super::VerilogModule;
use super::compile::Recipe;
use binade_tools::{Error, Tools, scratch_dir};

/// Runs `driver`, C++ that includes `model.cpp` and drives the class `Vunit` with the ports `in0`, `in1`, .. and `out0`, ..; returns what
/// it prints.
///
/// # Errors
/// When Verilator or the C++ compiler is missing or fails, or the driver does not exit with 0.
pub(crate) fn drive(tools: &Tools, module: &VerilogModule, driver: &str) -> Result<String, Error> {
    let recipe = Recipe::new(tools, module)?;
    let scratch = scratch_dir()?;
    recipe.run_driven(scratch.path(), driver)
}
