//! Waves of a few vectors.

use askama::Template;
use binade_circuit::Interface;
use binade_spec::contract::Pace;
use binade_tools::{Error, Tools, scratch_dir};
use std::fs;

use super::compile::Recipe;
use super::{PortWidth, VerilogModule};
use binade_spec::Word;
use binade_spec::word::{limbs, write_limbs};

/// The file that the traced program writes.
const WAVES: &str = "waves.vcd";

#[derive(Template)]
#[template(path = "verilator/trace.cpp", escape = "none")]
struct Driver<'a> {
    waves: &'a str,
    /// The limbs of each operand as C++ literals.
    vectors: &'a [Vec<String>],
    latency: u32,
    interval: u32,
    /// Clocks after a reset in which a module with valid and ready is offered no operands.
    startup: u32,
    is_clocked: bool,
    has_state: bool,
    /// The port that is low during a stall.
    enable: &'a str,
    is_shell: bool,
}

impl Driver<'_> {
    fn text(&self) -> String {
        self.render().expect("a template of plain values")
    }
}

/// Evaluates a module on the vectors in order and records waves; returns the content of a VCD file.
///
/// # Errors
/// When Verilator or the C++ compiler is missing or fails, and when a file cannot be read or written.
pub fn trace(tools: &Tools, module: &VerilogModule, vectors: &[Vec<Word>]) -> Result<Vec<u8>, Error> {
    let recipe = Recipe::new(tools, module)?;
    let scratch = scratch_dir()?;
    let limbs = |(port, word): (&PortWidth, &Word)| {
        let mut limbs = vec![0; limbs(port.width)];
        write_limbs(word, &mut limbs);
        limbs.iter().map(|limb| format!("{limb}ull")).collect::<Vec<_>>().join(", ")
    };
    let operands = |vector: &Vec<Word>| module.inputs.iter().zip(vector).map(limbs).collect();
    let vectors: Vec<Vec<String>> = vectors.iter().map(operands).collect();
    let VerilogModule { pace: Pace { latency, interval }, has_state, interface, .. } = *module;
    let is_shell = interface != Interface::Plain;
    let enable = if is_shell { "out_ready" } else { "en" };
    let is_clocked = module.is_clocked();
    let startup = module.dut.map_or(0, |dut| dut.controls.startup);
    let driver =
        Driver { waves: WAVES, vectors: &vectors, latency, interval, startup, is_clocked, has_state, enable, is_shell };
    recipe.run_traced(scratch.path(), &driver.text())?;
    let waves = scratch.path().join(WAVES);
    fs::read(&waves).map_err(Error::io(format!("read `{}`", waves.display())))
}
