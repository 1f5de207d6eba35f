//! The results, for people and for programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};

use super::board::Board;
use crate::area::Area;

/// The cost and the clock of one unit on one device, after routing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoutedReport {
    /// The board on which the unit was placed and routed.
    pub target: Board,
    /// Device, package and board.
    pub part: String,
    /// The name of the Verilog module.
    pub module: String,
    /// The number of ranks of registers.
    pub stages: u32,
    /// The size of the unit, without the shell.
    pub area: Area,
    /// One-bit registers of the unit, without the shell.
    pub flip_flops: u32,
    /// One-bit registers in the unit's Verilog; Yosys removes those that are constant.
    pub register_bits: u32,
    /// All cells of the unit, by Yosys' name, without the shell.
    pub cells: BTreeMap<String, u32>,
    /// The fastest clock.
    pub fmax_mhz: Fmax,
    /// The fastest clock with each seed.
    pub seeds: Vec<Seed>,
    /// The registers around the unit, which are not counted as its cells.
    pub shell: ShellCells,
    /// The cells placed by nextpnr, including the shell, and those available on the device.
    pub placed: BTreeMap<String, Used>,
    /// The synthesis tool and its version, as in `Yosys 0.70`.
    pub yosys: String,
    /// The place-and-route tool and its version, as in `nextpnr-ice40 0.11.1`.
    pub nextpnr: String,
    /// The commands that Yosys ran, in order.
    pub script: Vec<String>,
    /// Nextpnr's arguments except `--seed` and the report file.
    pub arguments: Vec<String>,
    /// The file with the board's constraints.
    pub constraints: String,
}

/// The fastest clocks of all seeds, in MHz.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fmax {
    /// The middle clock; for an even number of clocks, the mean of the two in the middle.
    pub median: f64,
    /// The slowest clock.
    pub min: f64,
    /// The fastest clock.
    pub max: f64,
}

/// The fastest clock with one seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seed {
    /// The seed of nextpnr's placement.
    pub seed: u32,
    /// The fastest clock in MHz, rounded to hundredths.
    pub fmax_mhz: f64,
}

/// The cells around the unit, which are not counted as its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShellCells {
    /// The size of the shell.
    pub area: Area,
    /// One-bit registers of the shell.
    pub flip_flops: u32,
    /// All cells of the shell, by Yosys' name.
    pub cells: BTreeMap<String, u32>,
    /// The shell's Verilog, as [`shell`](super::shell) writes it.
    pub verilog: String,
}

/// How many cells of a kind are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// The cells that are placed.
    pub used: u32,
    /// The cells that the device has.
    pub available: u32,
}

impl Fmax {
    /// The median and the range of the clocks.
    ///
    /// # Panics
    /// When there are no seeds.
    pub fn of(seeds: &[Seed]) -> Fmax {
        let mut clocks: Vec<f64> = seeds.iter().map(|seed| seed.fmax_mhz).collect();
        clocks.sort_by(f64::total_cmp);
        let (last, middle) = (clocks.len() - 1, clocks.len() / 2);
        // Clocks are multiples of 0.01, so the mean of two is a multiple of 0.005.
        let median = ((clocks[last - middle] + clocks[middle]) * 500.0).round() / 1000.0;
        Fmax { median, min: clocks[0], max: clocks[last] }
    }
}

impl fmt::Display for Fmax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} MHz [{:.1} .. {:.1}]", self.median, self.min, self.max)
    }
}

impl RoutedReport {
    /// LUTs without those in carry cells, and carry cells.
    pub fn luts_and_carries(&self) -> (u32, u32) {
        luts_and_carries(&self.area)
    }

    /// The shell in a few words, as in `16 LUT4, 69 FF`.
    fn around(&self) -> String {
        format!("{} LUT4, {} FF", luts_and_carries(&self.shell.area).0, self.shell.flip_flops)
    }

    fn row(&self) -> [String; 8] {
        let (luts, carries) = self.luts_and_carries();
        let carry = if matches!(self.area, Area::Ecp5(_)) { "CCU2C" } else { "SB_CARRY" };
        [
            self.module.clone(),
            self.target.to_string(),
            self.stages.to_string(),
            luts.to_string(),
            match self.area.blocks() {
                (0, _) => format!("{carries} {carry}"),
                (blocks, block) => format!("{carries} {carry}, {blocks} {block}"),
            },
            self.flip_flops.to_string(),
            self.around(),
            self.fmax_mhz.to_string(),
        ]
    }
}

fn luts_and_carries(area: &Area) -> (u32, u32) {
    match area {
        Area::Ice40(area) => (area.lut4, area.carry),
        Area::Ecp5(area) => (area.lut4, area.ccu2c),
        Area::Generic(_) | Area::Xc7(_) | Area::Cyclonev(_) | Area::Liberty(_) => {
            unreachable!("boards have iCE40 and ECP5 devices")
        }
    }
}

/// Reports as plain-text (Markdown) tables, and a line with the tools.
///
/// # Panics
/// When there are no reports.
pub fn tables(reports: &[RoutedReport]) -> String {
    let seeds = reports[0].seeds.len();
    let fmax = format!("Fmax, median of {seeds} [range]");
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["unit", "target", "stages", "LUT4", "carry", "FF", "shell, not counted", &fmax]);
    for report in reports {
        table.add_row(report.row());
    }
    for column in [2, 3, 4, 5] {
        let numbers = table.column_mut(column).expect("the table has eight columns");
        numbers.set_cell_alignment(CellAlignment::Right);
    }
    format!("{table}\n\n{}; seeds 1 to {seeds}", tools(reports))
}

/// The tools of all reports, without duplicates.
pub fn tools(reports: &[RoutedReport]) -> String {
    let names: BTreeSet<&str> = reports.iter().flat_map(|report| [&*report.yosys, &*report.nextpnr]).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// Reports as comma-separated values: a header line, and one line per report.
pub fn csv(reports: &[RoutedReport]) -> String {
    let names = "target,module,stages,lut4,carry,flip_flops,register_bits,seeds,fmax_median_mhz,fmax_min_mhz,fmax_max_mhz,\
                 yosys,nextpnr\n";
    let line = |report: &RoutedReport| {
        let RoutedReport { target, module, stages, flip_flops, register_bits, fmax_mhz, yosys, nextpnr, .. } = report;
        let ((lut4, carry), seeds) = (report.luts_and_carries(), report.seeds.len());
        let Fmax { median, min, max } = fmax_mhz;
        format!(
            "{target},{module},{stages},{lut4},{carry},{flip_flops},{register_bits},{seeds},{median:.2},{min:.2},{max:.2},\
             {yosys},{nextpnr}\n"
        )
    };
    names.to_string() + &reports.iter().map(line).collect::<String>()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::area::Ice40Area;

    fn seeds(clocks: &[f64]) -> Vec<Seed> {
        (1..).zip(clocks).map(|(seed, &fmax_mhz)| Seed { seed, fmax_mhz }).collect()
    }

    /// A report like those of nextpnr.
    pub(crate) fn report() -> RoutedReport {
        let seeds = seeds(&[98.73, 92.46, 95.0]);
        RoutedReport {
            target: Board::Ice40Hx8k,
            part: Board::Ice40Hx8k.part().into(),
            module: "adder_p1".to_string(),
            stages: 1,
            area: Area::Ice40(Ice40Area { lut4: 8, carry: 7, sb_mac16: 0 }),
            flip_flops: 9,
            register_bits: 10,
            cells: BTreeMap::from([("SB_LUT4".to_string(), 8)]),
            fmax_mhz: Fmax::of(&seeds),
            seeds,
            shell: ShellCells {
                area: Area::Ice40(Ice40Area { lut4: 16, carry: 0, sb_mac16: 0 }),
                flip_flops: 69,
                cells: BTreeMap::from([("SB_DFF".to_string(), 69)]),
                verilog: "module shell;".to_string(),
            },
            placed: BTreeMap::from([("ICESTORM_LC".to_string(), Used { used: 90, available: 7680 })]),
            yosys: "Yosys 0.70".to_string(),
            nextpnr: "nextpnr-ice40 0.11".to_string(),
            script: vec!["synth_ice40 -noflatten -top shell".to_string()],
            arguments: vec!["--hx8k".to_string()],
            constraints: "ice40-hx8k.pcf".into(),
        }
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(Fmax::of(&seeds(&[3.0, 1.0, 2.0])), Fmax { median: 2.0, min: 1.0, max: 3.0 });
        assert_eq!(Fmax::of(&seeds(&[4.0, 1.0, 2.0, 8.0])), Fmax { median: 3.0, min: 1.0, max: 8.0 });
        assert_eq!(Fmax::of(&seeds(&[5.0])), Fmax { median: 5.0, min: 5.0, max: 5.0 });
    }

    #[test]
    fn a_table_names_what_measured_it() {
        let want = "\
| unit     | target     | stages | LUT4 |      carry | FF | shell, not counted | Fmax, median of 3 [range] |
|----------|------------|--------|------|------------|----|--------------------|---------------------------|
| adder_p1 | ice40-hx8k |      1 |    8 | 7 SB_CARRY |  9 | 16 LUT4, 69 FF     | 95.0 MHz [92.5 .. 98.7]   |

Yosys 0.70, nextpnr-ice40 0.11; seeds 1 to 3";
        assert_eq!(tables(&[report()]), want);
    }

    #[test]
    fn values_are_in_one_line() {
        let want = "ice40-hx8k,adder_p1,1,8,7,9,10,3,95.00,92.46,98.73,Yosys 0.70,nextpnr-ice40 0.11";
        assert_eq!(csv(&[report()]).lines().nth(1), Some(want));
    }

    #[test]
    fn json_names_every_number() {
        let json = serde_json::to_value(report()).unwrap();
        assert_eq!(json["target"], "ice40-hx8k");
        assert_eq!(json["fmax_mhz"]["median"], 95.0);
        assert_eq!(json["seeds"][1]["fmax_mhz"], 92.46);
        assert_eq!(json["shell"]["flip_flops"], 69);
        assert_eq!(json["placed"]["ICESTORM_LC"]["used"], 90);
    }
}
