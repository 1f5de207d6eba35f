//! The runs: Yosys once per unit and board, nextpnr once per seed.
//!
//! Yosys maps the unit and the shell separately and joins them at the end. So the unit has the same cost as without place and route, and
//! each cell belongs to one of the two.

use std::collections::BTreeMap;
use std::fs;

use binade_circuit::Multiplier;
use binade_generator::GeneratedUnit;
use binade_tools::{Error, Nextpnr, ScratchDir, Tools, scratch_dir};
use serde::Deserialize;

use super::board::Board;
use super::report::{RoutedReport, Seed, ShellCells, Used};
use super::shell::{SHELL, shell};
use crate::parse::{self, Unexpected};
use crate::run::{add_up, read, unparsed};
use crate::script::{NETLIST, STAT, map as map_to};

const UNIT_FILE: &str = "unit.v";
const SHELL_FILE: &str = "shell.v";
/// The file with the cells of the shell.
const SHELL_STAT: &str = "shell.json";

/// Why there is no clock.
#[derive(Debug, thiserror::Error)]
pub enum RouteError {
    /// The device has too few cells.
    #[error("{module} does not fit {board}: {reason}")]
    DoesNotFit {
        /// The name of the unit's Verilog module.
        module: String,
        /// The board whose device is too small.
        board: Board,
        /// Nextpnr's message about it.
        reason: String,
    },
    /// The unit is slower than the board's clock.
    #[error(
        "{module} reaches {fmax_mhz} MHz on {board}, whose clock has {clock_mhz} MHz: add ranks of registers to the unit (--stages)"
    )]
    TooSlow {
        /// The name of the Verilog module.
        module: String,
        /// The board.
        board: Board,
        /// The fastest clock, in MHz.
        fmax_mhz: f64,
        /// The board's oscillator, in MHz.
        clock_mhz: f64,
    },
    /// Nextpnr failed for another reason, or its report cannot be read.
    #[error(transparent)]
    Tool(#[from] Error),
}

/// A unit in its shell, mapped to a board's device, ready for nextpnr.
pub struct Mapped {
    module: String,
    stages: u32,
    register_bits: u32,
    board: Board,
    yosys: String,
    script: Vec<String>,
    shell_verilog: String,
    /// The cells of the unit and of the shell.
    cells: [BTreeMap<String, u32>; 2],
    /// Holds the netlist.
    scratch: ScratchDir,
}

/// The result of nextpnr with one seed.
pub struct Routed {
    seed: Seed,
    placed: BTreeMap<String, Used>,
}

/// Maps a unit in its shell.
///
/// # Errors
/// When Yosys is missing or fails, or its output cannot be parsed.
pub fn map(tools: &Tools, unit: &GeneratedUnit, board: Board) -> Result<Mapped, Error> {
    let yosys = tools.yosys()?;
    let tool = format!("Yosys {}", yosys.version);
    let scratch = scratch_dir()?;
    let folder = scratch.path();
    let (script, shell_verilog) = (commands(board, unit), shell(unit));
    let constraints = board.constraints();
    let files = [(UNIT_FILE, &*unit.verilog), (SHELL_FILE, &shell_verilog), (constraints.file, constraints.text)];
    for (file, text) in files {
        fs::write(folder.join(file), text).map_err(Error::io(format!("write `{file}` for place and route")))?;
    }
    yosys.run_script(&script.join("\n"), folder)?;
    let cells_of = |file: &str, module: &str| {
        parse::cells(&read(folder, file)?, module).map_err(|unexpected| unparsed(&tool, unexpected))
    };
    let (of_unit, mut of_shell) = (cells_of(STAT, &unit.module)?, cells_of(SHELL_STAT, SHELL)?);
    of_shell.remove(&unit.module);
    Ok(Mapped {
        module: unit.module.clone(),
        stages: unit.design.stages,
        register_bits: unit.pipeline.as_ref().map_or(0, |pipeline| pipeline.register_bits()),
        board,
        yosys: tool,
        script,
        shell_verilog,
        cells: [of_unit, of_shell],
        scratch,
    })
}

/// From Verilog to one netlist: maps the unit as without place and route, maps the shell around a black box, and joins them. Cells are
/// counted before they are joined.
fn commands(board: Board, unit: &GeneratedUnit) -> Vec<String> {
    let module = &unit.module;
    let target = match unit.design.multiplier {
        Multiplier::Logic => board.target(),
        Multiplier::Operator => board.target_with_blocks(),
    };
    let line = |command: &str| command.to_string();
    let mut script = vec![format!("read_verilog {UNIT_FILE}")];
    script.extend(map_to(target, module));
    script.extend([
        format!("tee -q -o {STAT} stat -json"),
        line("design -stash mapped"),
        format!("read_verilog {UNIT_FILE}"),
        format!("blackbox {module}"),
        format!("read_verilog {SHELL_FILE}"),
    ]);
    script.extend(map_to(board.target(), SHELL));
    script.extend([
        format!("tee -q -o {SHELL_STAT} stat -json"),
        format!("delete ={module}"),
        format!("design -copy-from mapped {module}"),
        line("flatten"),
        format!("write_json {NETLIST}"),
    ]);
    script
}

impl Mapped {
    /// The board that the unit is mapped for.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Places and routes with one seed.
    ///
    /// # Errors
    /// When the device is too small, nextpnr fails or is killed, or its report does not contain exactly one clock.
    pub fn route(&self, nextpnr: &Nextpnr, seed: u32) -> Result<Routed, RouteError> {
        let (number, file) = (seed.to_string(), format!("report-{seed}.json"));
        let arguments = self.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let own = ["--report", &file, "--seed", &number, "--quiet"];
        nextpnr
            .run(&[&arguments[..], &own].concat(), self.scratch.path())
            .map_err(|error| why(error, &self.module, self.board))?;
        let text = fs::read_to_string(self.scratch.path().join(&file)).map_err(Error::io("read nextpnr's report"))?;
        let (fmax_mhz, placed) = read_report(&text).map_err(|unexpected| unparsed(&nextpnr.title(), unexpected))?;
        Ok(Routed { seed: Seed { seed, fmax_mhz }, placed })
    }

    /// Nextpnr's arguments except the seed and the report file.
    fn arguments(&self) -> Vec<String> {
        let constraints = self.board.constraints();
        let files = ["--json", NETLIST, constraints.option, constraints.file, "--timing-allow-fail"];
        self.board.arguments().iter().chain(&files).map(ToString::to_string).collect()
    }

    /// The report of all seeds.
    ///
    /// # Errors
    /// When Yosys used a cell of unknown area.
    ///
    /// # Panics
    /// When there are no seeds.
    pub fn report(&self, nextpnr: &Nextpnr, routed: Vec<Routed>) -> Result<RoutedReport, Error> {
        let arguments = self.arguments();
        let sum =
            |cells| add_up(self.board.target(), cells, "").map_err(|unexpected| unparsed(&self.yosys, unexpected));
        let [of_unit, of_shell] = self.cells.clone();
        let ((area, flip_flops), (shell_area, shell_flip_flops)) = (sum(&of_unit)?, sum(&of_shell)?);
        let placed = routed.first().expect("at least one seed").placed.clone();
        let seeds: Vec<Seed> = routed.into_iter().map(|routed| routed.seed).collect();
        let constraints = self.board.constraints().file;
        Ok(RoutedReport {
            target: self.board,
            part: self.board.part().into(),
            module: self.module.clone(),
            stages: self.stages,
            area,
            flip_flops,
            register_bits: self.register_bits,
            cells: of_unit,
            fmax_mhz: super::Fmax::of(&seeds),
            seeds,
            shell: ShellCells {
                area: shell_area,
                flip_flops: shell_flip_flops,
                cells: of_shell,
                verilog: self.shell_verilog.clone(),
            },
            placed,
            yosys: self.yosys.clone(),
            nextpnr: nextpnr.title(),
            script: self.script.clone(),
            arguments,
            constraints: constraints.into(),
        })
    }
}

/// Why nextpnr failed on a module.
pub(super) fn why(error: Error, module: &str, board: Board) -> RouteError {
    let reason = match &error {
        Error::Failed { output, .. } => too_small(output),
        _ => None,
    };
    match reason {
        Some(reason) => RouteError::DoesNotFit { module: module.to_string(), board, reason },
        None => error.into(),
    }
}

/// Nextpnr's message that the device has too few cells.
fn too_small(output: &str) -> Option<String> {
    const SIGNS: [&str; 3] = ["no BELs remaining", "at utilisation limit", "Unable to find legal placement"];
    let line = output.lines().find(|line| SIGNS.iter().any(|sign| line.contains(sign)))?;
    Some(line.trim_start_matches("ERROR: ").trim().to_string())
}

/// The fields of nextpnr's report that are read.
#[derive(Deserialize)]
struct Report {
    fmax: BTreeMap<String, Clock>,
    utilization: BTreeMap<String, Used>,
}

#[derive(Deserialize)]
struct Clock {
    achieved: f64,
}

/// The fastest clock in MHz, rounded to hundredths as in nextpnr's log, and the kinds of cells that are used.
pub(super) fn read_report(text: &str) -> Result<(f64, BTreeMap<String, Used>), Unexpected> {
    let unexpected = || Unexpected::new("one clock and the utilization in the report", text);
    let mut report: Report = serde_json::from_str(text).map_err(|_| unexpected())?;
    report.utilization.retain(|_, cells| cells.used > 0);
    let clocks: Vec<f64> = report.fmax.values().map(|clock| clock.achieved).collect();
    match clocks[..] {
        [mhz] if mhz.is_finite() && mhz > 0.0 => Ok(((mhz * 100.0).round() / 100.0, report.utilization)),
        _ => Err(unexpected()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{"critical_paths": [], "fmax": {"clk$SB_IO_IN_$glb_clk": {"achieved": 98.72643280029297,
        "constraint": 12}}, "utilization": {"ICESTORM_LC": {"available": 7680, "used": 518},
        "ICESTORM_PLL": {"available": 2, "used": 0}}}"#;

    #[test]
    fn the_clock_and_the_used_cells_are_read() {
        let (mhz, placed) = read_report(REPORT).unwrap();
        assert_eq!(mhz, 98.73);
        assert_eq!(placed, BTreeMap::from([("ICESTORM_LC".to_string(), Used { used: 518, available: 7680 })]));
    }

    #[test]
    fn a_report_without_its_one_clock_is_an_error() {
        let none =
            REPORT.replace(r#""clk$SB_IO_IN_$glb_clk": {"achieved": 98.72643280029297,"#, r#""c": {"achieved": 0,"#);
        for text in ["", "{}", &REPORT[..100], &none, &REPORT.replace("achieved", "reached")] {
            assert_eq!(
                read_report(text).unwrap_err().expected,
                "one clock and the utilization in the report",
                "{text}"
            );
        }
    }

    #[test]
    fn the_reason_of_a_device_that_is_too_small_is_found() {
        let output = "Info: x\nERROR: Unable to place cell 'a', no BELs remaining to implement cell type 'ICESTORM_LC'\n0 warnings";
        let want = "Unable to place cell 'a', no BELs remaining to implement cell type 'ICESTORM_LC'";
        assert_eq!(too_small(output).as_deref(), Some(want));
        assert_eq!(too_small("ERROR: cell type 'x' is unsupported"), None);
    }
}
