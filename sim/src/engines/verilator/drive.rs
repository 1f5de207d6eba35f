//! A module that a program of its own drives.

use super::VerilogModule;
use super::compile::Recipe;
use binade_tools::{Error, Tools, scratch_dir};

/// Runs `driver`, C++ that includes `model.cpp` and drives the class `Vunit`, whose ports are `in0`, `in1`, .. and `out0`, ..; the
/// answer is what it prints.
///
/// # Errors
/// When Verilator or the C++ compiler is missing or fails, and when the driver does not end with 0.
pub(crate) fn drive(tools: &Tools, module: &VerilogModule, driver: &str) -> Result<String, Error> {
    let recipe = Recipe::new(tools, module)?;
    let scratch = scratch_dir()?;
    recipe.run_driven(scratch.path(), driver)
}
