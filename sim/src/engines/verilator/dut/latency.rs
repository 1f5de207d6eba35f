//! Measures the latency of a user's module: random operands go in at every clock, and for each latency the right results are counted.

use super::adapter::Face;
use super::{Dut, Wiring};
use crate::engines::PortWidth;
use crate::engines::verilator::{CompiledModule, Standstill, VerilogModule};
use crate::reference::Reference;
use crate::run::{Watchdog, describe};
use crate::verdict::{Device, Lenient, Tolerance, Violation};
use binade_circuit::Interface;
use binade_spec::contract::Pace;
use binade_spec::{Operation, Word};
use binade_stimulus::Columns;
use binade_stimulus::Stimulus;
use binade_stimulus::words::widths;
use binade_stimulus::{Choice, Plan};
use binade_tools::{Error, Tools};
use thiserror::Error;

/// Latencies from 0 to this many clocks are tried.
pub const MOST: usize = 31;

/// The number of vectors.
const VECTORS: u64 = 1024;

const SEED: u64 = 1;

/// Clocks of reset before the first operands.
const RESETS: usize = 4;

/// The name of the adapter.
const PROBE: &str = "binade_probe";

/// A measured latency with the evidence for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// In clocks.
    pub latency: u32,
    /// How many results are right with this latency.
    pub right: usize,
    /// How many results are right with the next best latency.
    pub right_otherwise: usize,
    /// How many results were examined.
    pub vectors: usize,
}

/// Why the latency could not be measured.
#[derive(Debug, Error)]
pub enum LatencyError {
    /// No latency fits.
    #[error(
        "no latency up to {MOST} fits: with the best one, {}, {} of {} results are right; set the latency with --latency N to see the mismatch",
        .0.latency, .0.right, .0.vectors
    )]
    Unclear(Measured),
    /// The module stops the simulation.
    #[error("its latency cannot be measured, since {0}; set it with --latency N to see the vector")]
    Stopped(Violation),
    /// A tool is missing or failed.
    #[error(transparent)]
    Tool(#[from] Error),
}

/// Measures the latency of a module without state.
///
/// `watchdog` is called if the module does not answer.
///
/// # Errors
/// When no latency makes most results right, the module stops the simulation, or a tool fails.
///
/// # Panics
/// When this many vectors cannot be drawn, which is possible for every unit.
pub fn measure_latency(
    tools: &Tools,
    dut: &Dut,
    wiring: &Wiring,
    operation: &Operation,
    tolerance: Tolerance,
    watchdog: Watchdog,
) -> Result<Measured, LatencyError> {
    let reference = Lenient::new(operation, tolerance);
    let [operands, outputs] = PortWidth::of_operation(operation);
    let text = wiring.text(PROBE, dut, operation, Face::Probe);
    let controls = ["clk", "rst_n"].map(|name| PortWidth::new(name, 1));
    let inputs = [&controls[..], &operands].concat();
    let module = VerilogModule {
        name: PROBE,
        verilog: &text,
        inputs: &inputs,
        outputs: &outputs,
        pace: Pace::pipelined(0),
        has_state: false,
        interface: Interface::Plain,
        dut: Some(dut),
    };
    let compiled = CompiledModule::build(tools, &module)?;
    let plan = Plan::new(operation, Choice::Sample(VECTORS), SEED);
    let plan = plan.expect("a sample of any unit can be drawn");
    let vectors = &Stimulus::new(operation, &plan).window(0, VECTORS);
    let rows = Columns::of_vectors(inputs.iter().map(|port| port.width), &rows(vectors));
    let mut seen = Columns::zeros(widths(&reference.outputs()), rows.len());
    // The operands come after the clock and the reset.
    let place = |still: Standstill| {
        let operands = still.operands.get(controls.len()..).unwrap_or_default();
        describe(operation, (still.vector / 2).saturating_sub(RESETS as u64), operands)
    };
    let run = || Device::evaluate(&mut compiled.instance(), 0, &rows.views(), &mut seen.views_mut(rows.len()));
    watchdog.over(compiled.watches(), place, run).map_err(LatencyError::Stopped)?;
    let want: Vec<Vec<Word>> = vectors.iter().map(|vector| reference.evaluate(vector)).collect();
    let right = |latency: usize| {
        let clocks = (MOST..vectors.len()).filter(|&clock| {
            let (vector, got) = (clock - latency, seen.vector(2 * (RESETS + clock)));
            got == want[vector] || reference.allows(&vectors[vector], &got, &want[vector])
        });
        clocks.count()
    };
    settle(&(0..=MOST).map(right).collect::<Vec<_>>(), vectors.len() - MOST)
}

/// Two rows per clock, the first with the clock low: clock, reset, operands.
fn rows(vectors: &[Vec<Word>]) -> Vec<Vec<Word>> {
    let resets = vectors.iter().take(1).cycle().take(RESETS).map(|vector| (false, vector));
    let clocks = resets.chain(vectors.iter().map(|vector| (true, vector)));
    let row = |clk: bool, rst_n: bool, vector: &[Word]| [&[clk, rst_n].map(Word::from)[..], vector].concat();
    clocks.flat_map(|(rst_n, vector)| [false, true].map(|clk| row(clk, rst_n, vector))).collect()
}

/// The latency with the most right results, the smallest if several are equal; `right` holds the count for each latency.
fn settle(right: &[usize], vectors: usize) -> Result<Measured, LatencyError> {
    let best = (0..right.len()).max_by_key(|&latency| (right[latency], right.len() - latency)).unwrap_or(0);
    let others = right.iter().enumerate().filter(|(latency, _)| *latency != best).map(|(_, right)| *right);
    let measured =
        Measured { latency: best as u32, right: right[best], right_otherwise: others.max().unwrap_or(0), vectors };
    if 2 * measured.right > vectors { Ok(measured) } else { Err(LatencyError::Unclear(measured)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latency_with_most_right_results_is_the_least_of_equals() {
        let measured = settle(&[3, 90, 10, 90], 100).unwrap();
        assert_eq!((measured.latency, measured.right, measured.right_otherwise), (1, 90, 90));
        let unclear = settle(&[3, 50, 10], 100).unwrap_err().to_string();
        assert!(unclear.contains("with the best one, 1, 50 of 100"), "{unclear}");
    }
}
