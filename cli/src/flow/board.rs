//! `binade flow --board`: a bitstream of the unit with a self-test, simulated first.

use crate::failure::Failure;
use crate::names::named;
use crate::output;
use crate::verify::VectorOptions;
use binade_generator::GeneratedUnit;
use binade_generator::description::arguments as selection_words;
use binade_sim::selftest::{DEFAULT_VECTORS, Leds, Lit, SelfTest};
use binade_synth::pnr::{Bitstream, Board, Panel, Used, bitstream};
use binade_tools::Tools;
use binade_verdict::runnable;
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The boards that have what a self-test needs.
const BOARDS: [&str; 2] = ["icebreaker", "ulx3s"];

#[derive(Args, Debug)]
pub struct BoardOptions {
    /// Also make a bitstream for this board with the unit and a self-test: random operands (as many vectors as --vectors says, else
    /// 1048576), a signature of the results compared with the golden model's, and LEDs
    #[arg(long, value_name = "BOARD", value_parser = named::<Board>(&BOARDS))]
    board: Option<Board>,
}

/// A self-test to be built.
pub struct OnBoard<'u> {
    board: Board,
    panel: &'static Panel,
    test: SelfTest<'u>,
    unit: &'u GeneratedUnit,
    /// The name of its module; its files add `.v` and the bitstream's extension.
    module: String,
    /// The command that builds it again.
    command: String,
}

/// The files and figures of a built self-test.
#[derive(Serialize)]
pub struct Made {
    board: &'static str,
    part: &'static str,
    module: String,
    /// The self-test in Verilog, and the bitstream.
    files: [PathBuf; 2],
    vectors: u64,
    /// The signature of all results.
    signature: String,
    /// Clock cycles from configuration to the end, exact because simulated.
    clocks: u64,
    clock_mhz: f64,
    /// The same in seconds on the board.
    seconds_on_board: f64,
    /// nextpnr's estimate of the fastest clock.
    fmax_mhz: f64,
    placed: BTreeMap<String, Used>,
    yosys: String,
    nextpnr: String,
    /// The command that loads the bitstream.
    load: String,
    #[serde(skip)]
    simulator: String,
    #[serde(skip)]
    leds: [&'static str; 3],
}

impl BoardOptions {
    /// The self-test that the options ask for; refuses impossible ones before any tool runs.
    pub fn plan<'u>(&self, unit: &'u GeneratedUnit, vectors: &VectorOptions) -> Result<Option<OnBoard<'u>>, Failure> {
        let Some((board, panel)) = self.board.and_then(|board| Some((board, board.panel()?))) else { return Ok(None) };
        let [running, passed, failed] = panel.are_lit_low.map(|is_low| if is_low { Lit::Low } else { Lit::High });
        let count = vectors.vectors.unwrap_or(DEFAULT_VECTORS);
        let test = SelfTest::new(unit, count, Leds { running, passed, failed });
        let test = test.map_err(|error| Failure::Usage(error.to_string()))?;
        let words = vectors.vectors.map_or(String::new(), |count| format!(" --vectors {count}"));
        let command =
            format!("binade flow {} --board {}{words}", runnable(&selection_words(&unit.design).join(" ")), panel.name);
        let module = format!("{}_{}", unit.module, panel.name);
        Ok(Some(OnBoard { board, panel, test, unit, module, command }))
    }
}

impl OnBoard<'_> {
    /// Ensures that the tool needed only for bitstreams is usable.
    pub fn fetch(&self, tools: &Tools) -> Result<(), Failure> {
        tools.nextpnr(self.board.device())?;
        Ok(())
    }

    /// Simulates the self-test, builds the bitstream, and writes both into `folder`.
    pub fn make(&self, tools: &Tools, folder: &Path) -> Result<Made, Failure> {
        let OnBoard { panel, test, module, .. } = self;
        let signature = test.signature()?;
        let verilog = test.verilog(module, signature, &self.command);
        let ended = test.simulate(tools, module, &verilog, None)?;
        let clocks = test.clocks();
        if !ended.has_passed || ended.has_failed || ended.is_running || ended.clocks != clocks {
            output::say(format_args!(
                "the self-test of {} does not pass in {clocks} clocks in Verilator: {ended:?}; its bitstream is not made",
                self.unit.module
            ));
            return Err(Failure::Mismatch);
        }
        let made = bitstream(tools, (self.board, panel), module, &verilog)?;
        let files = ["v", panel.ending].map(|ending| folder.join(format!("{module}.{ending}")));
        output::write_files(&[(&files[0], verilog.as_bytes()), (&files[1], &made.bytes)])?;
        Ok(self.made(signature, made, files, format!("Verilator {}", tools.verilator()?.version)))
    }

    fn made(&self, signature: u32, made: Bitstream, files: [PathBuf; 2], simulator: String) -> Made {
        let Bitstream { fmax_mhz, placed, yosys, nextpnr, .. } = made;
        let (panel, clocks) = (self.panel, self.test.clocks());
        Made {
            board: panel.name,
            part: self.board.part(),
            module: self.module.clone(),
            vectors: self.test.vectors(),
            signature: format!("{signature:#010x}"),
            clocks,
            clock_mhz: panel.clock_mhz,
            seconds_on_board: clocks as f64 / panel.clock_mhz / 1e6,
            fmax_mhz,
            placed,
            yosys,
            nextpnr,
            load: format!("{} {}", panel.loader, files[1].display()),
            files,
            simulator,
            leds: panel.leds,
        }
    }
}

impl Made {
    /// The board.
    pub fn board(&self) -> &'static str {
        self.board
    }

    /// The rows of the summary: item, amount, tool.
    pub fn rows(&self) -> Vec<[String; 3]> {
        let row = |what: &str, text: String, tool: &str| [what.into(), text, tool.into()];
        let Made { vectors, signature, clocks, clock_mhz, seconds_on_board, fmax_mhz, leds, .. } = self;
        let [running, passed, failed] = leds;
        let cells: Vec<String> =
            self.placed.iter().map(|(kind, cells)| format!("{} of {} {kind}", cells.used, cells.available)).collect();
        vec![
            row("file", self.files[0].display().to_string(), ""),
            row(
                "self-test",
                format!("passes with {vectors} vectors in {clocks} clocks, signature {signature}"),
                &self.simulator,
            ),
            row(self.board, format!("{}; up to {fmax_mhz} MHz", cells.join(", ")), &self.nextpnr),
            row(
                "",
                format!(
                    "{seconds_on_board:.3} s at {clock_mhz} MHz; {running}: it runs, {passed}: passed, {failed}: failed"
                ),
                "",
            ),
            row("file", self.files[1].display().to_string(), ""),
            row("load it", self.load.clone(), ""),
        ]
    }
}
