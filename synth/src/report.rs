//! The results, for people and for programs.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};

use crate::area::{Area, LibertyArea};
use crate::liberty::Kit;
use crate::target::Target;

/// The cost of one unit on one target, after mapping and before placement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MappedReport {
    /// The target.
    pub target: Target,
    /// The name of the Verilog module.
    pub module: String,
    /// The standard cells used, for [`Target::Liberty`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kit: Option<Kit>,
    /// The tool and its version, as in `Yosys 0.70`.
    pub tool: String,
    /// The commands, in order.
    pub script: Vec<String>,
    /// The size in terms of the target.
    pub area: Area,
    /// One-bit registers; none in a combinational unit.
    pub flip_flops: u32,
    /// Cells on the longest path, from port or register to port or register; a carry cell, a wide multiplexer and, on the generic target,
    /// an inverter each count as one. For standard cells, those on the critical path, mapped for area.
    pub depth: u32,
    /// All cells of the mapped netlist, by Yosys' name; for standard cells, mapped for area.
    pub cells: BTreeMap<String, u32>,
}

impl MappedReport {
    /// The report in one line, as in `ice40: 388 LUT4 + 40 carry, depth 60`.
    pub fn headline(&self) -> String {
        format!("{}: {}, depth {}", self.target, self.size(), self.depth)
    }

    /// The area, and the registers if there are any.
    fn size(&self) -> String {
        match self.flip_flops {
            0 => self.area.to_string(),
            count => format!("{} + {count} FF", self.area),
        }
    }

    /// All cells by kind, such as LUTs by size: `CARRY4 3, LUT2 18, LUT6 12`.
    fn kinds(&self) -> String {
        let kinds = self.cells.iter().map(|(cell, count)| {
            let plain = cell.trim_start_matches("MISTRAL_").trim_matches(['$', '_']);
            format!("{plain} {count}")
        });
        kinds.collect::<Vec<_>>().join(", ")
    }
}

/// Reports as a plain-text (Markdown) table: unit (if there are several), target, area, depth, cells by kind. Standard cells follow in a
/// separate table.
pub fn table(reports: &[MappedReport]) -> String {
    let (in_cells, others): (Vec<&MappedReport>, Vec<&MappedReport>) =
        reports.iter().partition(|report| report.target == Target::Liberty);
    let tables = [(others, table_of_targets as fn(&[&MappedReport]) -> String), (in_cells, table_of_cells)];
    let tables = tables.iter().filter(|(reports, _)| !reports.is_empty());
    tables.map(|(reports, table)| table(reports)).collect::<Vec<_>>().join("\n\n")
}

fn table_of_targets(reports: &[&MappedReport]) -> String {
    let several = reports.windows(2).any(|pair| pair[0].module != pair[1].module);
    let columns = ["unit", "target", "area", "depth", "cells"];
    let shown = if several { 0 } else { 1 };
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(&columns[shown..]);
    for report in reports {
        let unit = report.module.clone();
        let row = [unit, report.target.to_string(), report.size(), report.depth.to_string(), report.kinds()];
        table.add_row(&row[shown..]);
    }
    if let Some(depth) = table.column_mut(3 - shown) {
        depth.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// Mapped for area, then mapped for delay.
fn table_of_cells(reports: &[&MappedReport]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "unit",
        "library",
        "area, µm²",
        "NAND2",
        "delay, ps",
        "tight: area, µm²",
        "NAND2",
        "delay, ps",
        "FF",
    ]);
    for report in reports {
        let (Area::Liberty(area), Some(kit)) = (report.area, &report.kit) else { continue };
        let LibertyArea { area_um2, nand2, delay_ps, tight_area_um2, tight_nand2, tight_delay_ps } = area;
        let nands = |count: Option<f64>| count.map_or("-".into(), |count| format!("{count:.0}"));
        table.add_row([
            report.module.clone(),
            kit.name(),
            format!("{area_um2:.1}"),
            nands(nand2),
            format!("{delay_ps:.0}"),
            format!("{tight_area_um2:.1}"),
            nands(tight_nand2),
            format!("{tight_delay_ps:.0}"),
            report.flip_flops.to_string(),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// Reports as CSV, one line per figure: the fields of the area, registers and depth.
pub fn csv(reports: &[MappedReport]) -> String {
    let mut text = String::from("unit,target,figure,value\n");
    for report in reports {
        let area = report.area.fields();
        let sizes = area.iter().map(|(name, value)| (name.as_str(), value.to_string()));
        let others = [("flip_flops", report.flip_flops.to_string()), ("depth", report.depth.to_string())];
        for (figure, value) in sizes.chain(others) {
            text += &format!("{},{},{figure},{value}\n", report.module, report.target);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::area::{CycloneVArea, Ice40Area};

    fn ice40() -> MappedReport {
        MappedReport {
            target: Target::Ice40,
            module: "adder".to_string(),
            kit: None,
            tool: "Yosys 0.70".to_string(),
            script: vec!["synth_ice40 -flatten -top adder".to_string()],
            area: Area::Ice40(Ice40Area { lut4: 8, carry: 8, sb_mac16: 0 }),
            flip_flops: 0,
            depth: 8,
            cells: BTreeMap::from([("SB_CARRY".to_string(), 8), ("SB_LUT4".to_string(), 8)]),
        }
    }

    fn cyclonev() -> MappedReport {
        let area = CycloneVArea {
            alut2: 0,
            alut3: 0,
            alut4: 0,
            alut5: 0,
            alut6: 0,
            arith: 9,
            not: 0,
            alm_lo: 4.5,
            alm_hi: 4.5,
        };
        MappedReport { target: Target::Cyclonev, area: Area::Cyclonev(area), flip_flops: 17, depth: 9, ..ice40() }
    }

    #[test]
    fn a_headline_is_one_line() {
        assert_eq!(ice40().headline(), "ice40: 8 LUT4 + 8 carry, depth 8");
        assert_eq!(cyclonev().headline(), "cyclonev: 4.5–4.5 ALM + 17 FF, depth 9");
    }

    #[test]
    fn a_table_has_a_row_for_each_report() {
        let want = "\
| target   | area                | depth | cells                 |
|----------|---------------------|-------|-----------------------|
| ice40    | 8 LUT4 + 8 carry    |     8 | SB_CARRY 8, SB_LUT4 8 |
| cyclonev | 4.5–4.5 ALM + 17 FF |     9 | SB_CARRY 8, SB_LUT4 8 |";
        assert_eq!(table(&[ice40(), cyclonev()]), want);
    }

    #[test]
    fn csv_has_a_line_for_each_figure() {
        let want = "unit,target,figure,value\nadder,ice40,lut4,8\nadder,ice40,carry,8\nadder,ice40,flip_flops,0\nadder,ice40,depth,8\n";
        assert_eq!(csv(&[ice40()]), want);
    }

    #[test]
    fn json_names_every_number() {
        let want = json!({
            "target": "ice40",
            "module": "adder",
            "tool": "Yosys 0.70",
            "script": ["synth_ice40 -flatten -top adder"],
            "area": {"lut4": 8, "carry": 8},
            "flip_flops": 0,
            "depth": 8,
            "cells": {"SB_CARRY": 8, "SB_LUT4": 8},
        });
        assert_eq!(serde_json::to_value(ice40()).unwrap(), want);
    }
}
