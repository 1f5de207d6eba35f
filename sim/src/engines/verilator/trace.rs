//! Waves of a few vectors.

use askama::Template;
use binade_tools::{Error, Tools, scratch_dir};
use std::fs;

use super::VerilogModule;
use super::compile::Recipe;

/// What the traced program writes.
const WAVES: &str = "waves.vcd";

#[derive(Template)]
#[template(path = "verilator/trace.cpp", escape = "none")]
struct Driver<'a> {
    waves: &'a str,
    vectors: &'a [Vec<u64>],
    latency: u32,
}

/// Evaluates a module on the vectors, one after another, with waves: the content of a VCD file.
pub fn trace(tools: &Tools, module: &VerilogModule, vectors: &[Vec<u64>]) -> Result<Vec<u8>, Error> {
    let recipe = Recipe::new(tools, module)?;
    let scratch = scratch_dir()?;
    let driver = Driver { waves: WAVES, vectors, latency: module.latency };
    let driver = driver.render().expect("a template of plain values");
    recipe.run_traced(scratch.path(), &driver)?;
    let waves = scratch.path().join(WAVES);
    fs::read(&waves).map_err(Error::io(format!("read `{}`", waves.display())))
}
