//! The runs of Yosys and ABC: from Verilog to cells, once for each requested delay.

use std::collections::BTreeMap;
use std::path::Path;

use binade_tools::{Error, Tools, scratch_dir};
use serde::{Deserialize, Serialize};

use super::library::{CONDITIONS, LibertyError, Library};
use crate::area::{Area, LibertyArea};
use crate::parse::{self, Timing, Unexpected};
use crate::report::MappedReport;
use crate::run::{read, run_over, unparsed};
use crate::script::{VERILOG, WITHOUT_NOTES};
use crate::target::Target;

/// The delay requested if only area counts, in ps.
const LOOSE_PS: u32 = 100_000;

/// The delay requested if only delay counts, in ps.
const TIGHT_PS: u32 = 1;

/// How ABC maps the logic to cells. Yosys' default, `&nf`, took a fifth more area for the units here when mapped for area, and was no
/// faster when mapped for delay. It was also sensitive to the order of the Verilog, which could cost another quarter.
const MAPPING: &str = "strash;&get,-n;&fraig,-x;&put;scorr;dc2;dch,-f;\
                       map,-B,0.9,{D};topo;buffer,-c;upsize,{D};dnsize,{D};stime,-p";

/// The file with the number of registers.
const REGISTERS: &str = "registers.txt";

/// A unit mapped for one delay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The requested delay in ps.
    pub target_ps: u32,
    /// The area of the cells in µm², including registers.
    pub area_um2: f64,
    /// The resulting delay in ps.
    pub delay_ps: f64,
    /// Cells on the slowest path.
    pub depth: u32,
    /// All cells by their names.
    pub cells: BTreeMap<String, u32>,
}

/// A unit mapped for several delays.
pub(super) struct Mapped {
    pub tool: String,
    pub script: Vec<String>,
    pub flip_flops: u32,
    pub points: Vec<Point>,
}

impl Library {
    /// The cost of `module`, the top of `verilog`, in these cells: mapped for area, and mapped for delay.
    ///
    /// # Errors
    /// When Yosys is missing or fails, its output cannot be parsed, or the library lacks a cell that the unit needs.
    pub fn synthesize(&self, tools: &Tools, module: &str, verilog: &str) -> Result<MappedReport, LibertyError> {
        let Mapped { tool, script, flip_flops, points } = self.extremes(tools, module, verilog)?;
        let Ok([loose, tight]) = <[Point; 2]>::try_from(points) else {
            unreachable!("a point for each of two delays");
        };
        let area = Area::Liberty(LibertyArea {
            area_um2: loose.area_um2,
            nand2: self.nands(loose.area_um2),
            delay_ps: loose.delay_ps,
            tight_area_um2: tight.area_um2,
            tight_nand2: self.nands(tight.area_um2),
            tight_delay_ps: tight.delay_ps,
        });
        let Point { depth, cells, .. } = loose;
        let (module, kit) = (module.to_string(), Some(self.kit().clone()));
        Ok(MappedReport { target: Target::Liberty, module, kit, tool, script, area, flip_flops, depth, cells })
    }

    /// The unit mapped for area, and mapped for delay.
    pub(super) fn extremes(&self, tools: &Tools, module: &str, verilog: &str) -> Result<Mapped, LibertyError> {
        self.map(tools, module, verilog, &[LOOSE_PS, TIGHT_PS])
    }

    /// The unit mapped for each of these delays in ps.
    pub(super) fn map(
        &self,
        tools: &Tools,
        module: &str,
        verilog: &str,
        targets: &[u32],
    ) -> Result<Mapped, LibertyError> {
        let yosys = tools.yosys()?;
        let tool = format!("Yosys {}", yosys.version);
        let script = commands(module, self.files(), targets);
        let scratch = scratch_dir()?;
        self.link(scratch.path())?;
        run_over(&yosys, verilog, &script, scratch.path()).map_err(|error| self.why(module, error, scratch.path()))?;
        let file = |name: &str| read(scratch.path(), name);
        let unparsed = |unexpected| unparsed(&tool, unexpected);
        let flip_flops = parse::count(&file(REGISTERS)?).map_err(unparsed)?;
        let point = |(number, &target_ps): (usize, &u32)| {
            let [abc, stat, area] = outputs(number);
            point(target_ps, module, [&file(&abc)?, &file(&stat)?, &file(&area)?]).map_err(unparsed)
        };
        let points = targets.iter().enumerate().map(point).collect::<Result<_, Error>>()?;
        Ok(Mapped { tool, script, flip_flops, points })
    }

    /// An area in two-input NANDs, if the library has one.
    pub fn nands(&self, area_um2: f64) -> Option<f64> {
        self.kit().nand2_um2.map(|nand2| rounded(area_um2 / nand2, 1))
    }

    /// The error for a failed run in `folder`.
    fn why(&self, module: &str, error: Error, folder: &Path) -> LibertyError {
        let Error::Failed { output, .. } = &error else { return error.into() };
        let library = self.kit().name();
        if output.contains("cannot be legalized") {
            return LibertyError::NoFlipFlop { module: module.into(), library };
        }
        let said = read(folder, &outputs(0)[0]).unwrap_or_default();
        match parse::refusal(output, &said) {
            Some(reason) => LibertyError::Unusable { library, reason },
            None => error.into(),
        }
    }
}

/// The Yosys commands that map `module` to the cells of `files`, once for each delay. ABC gets the logic between registers.
fn commands(module: &str, files: &[String], targets: &[u32]) -> Vec<String> {
    let libraries = files.iter().map(|file| format!(" -liberty {file}")).collect::<String>();
    let mut script = vec![
        format!("read_verilog {VERILOG}"),
        format!("synth -flatten -top {module}"),
        WITHOUT_NOTES.to_string(),
        format!("tee -q -o {REGISTERS} select -count t:$_*DFF*_"),
        format!("dfflibmap{libraries}"),
        "design -save mapped".to_string(),
    ];
    for (number, target) in targets.iter().enumerate() {
        let [abc, stat, area] = outputs(number);
        script.extend([
            "design -load mapped".to_string(),
            format!("tee -q -o {abc} abc{libraries} -constr {CONDITIONS} -D {target} -script +{MAPPING}"),
            "opt_clean".to_string(),
            format!("tee -q -o {stat} stat -json"),
            format!("tee -q -o {area} stat{libraries}"),
        ]);
    }
    script
}

/// The files with the results of a mapping: ABC's output, the cells, their area.
fn outputs(number: usize) -> [String; 3] {
    [format!("abc-{number}.txt"), format!("stat-{number}.json"), format!("area-{number}.txt")]
}

/// Parses the output of ABC and `stat` for one mapping.
fn point(target_ps: u32, module: &str, [abc, stat, area]: [&str; 3]) -> Result<Point, Unexpected> {
    let cells = parse::cells(stat, module)?;
    if let Some((cell, count)) = cells.iter().find(|(cell, _)| cell.starts_with('$')) {
        return Err(Unexpected::new("a netlist of the library's cells", format!("{count} {cell}")));
    }
    let area_um2 = if cells.is_empty() { 0.0 } else { rounded(parse::area(area, module)?, 4) };
    // Yosys does not call ABC if there is no logic.
    let Timing { delay_ps, depth } = parse::timing(abc)?.unwrap_or(Timing { delay_ps: 0.0, depth: 0 });
    Ok(Point { target_ps, area_um2, delay_ps: rounded(delay_ps, 2), depth, cells })
}

/// A number rounded to this many decimal places, since sums of areas are inexact.
fn rounded(number: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (number * unit).round() / unit
}

const NAND2: &str = "module nand2 (input wire a, input wire b, output wire y);\n  assign y = ~(a & b);\nendmodule\n";

/// The area in µm² of the cell that implements a two-input NAND when mapped for area; none if it takes several cells.
pub(super) fn nand2(tools: &Tools, library: &Library) -> Result<Option<f64>, LibertyError> {
    let mapped = library.map(tools, "nand2", NAND2, &[LOOSE_PS])?;
    let Point { area_um2, cells, .. } = &mapped.points[0];
    Ok((cells.values().sum::<u32>() == 1).then_some(*area_um2))
}
