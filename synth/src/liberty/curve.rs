//! Area against delay: a unit mapped for delays between the mapping for area and the mapping for delay.

use binade_generator::GeneratedUnit;
use binade_tools::Tools;
use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};

use super::flow::{Mapped, Point};
use super::kit::Kit;
use super::library::{LibertyError, Library};

/// The area of a unit for each of several delays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The name of the Verilog module.
    pub module: String,
    /// The number of ranks of registers.
    pub stages: u32,
    /// The standard cells.
    pub kit: Kit,
    /// The tool and its version, as in `Yosys 0.70`.
    pub tool: String,
    /// The commands of the last run, in order.
    pub script: Vec<String>,
    /// One-bit registers; none in a combinational unit.
    pub flip_flops: u32,
    /// The unit mapped for each delay, the longest first.
    pub points: Vec<Point>,
}

impl Curve {
    /// The area of `unit` for `points` delays (at least two): the first is mapped for area, the last for delay, and the delays between
    /// these two are equally spaced.
    ///
    /// # Errors
    /// Those of [`Library::synthesize`].
    pub fn measure(tools: &Tools, library: &Library, unit: &GeneratedUnit, points: u32) -> Result<Curve, LibertyError> {
        let GeneratedUnit { module, verilog, design, .. } = unit;
        let mut mapped = library.extremes(tools, module, verilog)?;
        let targets = between(mapped.points[0].delay_ps, mapped.points[1].delay_ps, points.saturating_sub(2));
        if !targets.is_empty() {
            let others = library.map(tools, module, verilog, &targets)?;
            mapped.points.splice(1..1, others.points);
            mapped.script = others.script;
        }
        let Mapped { tool, script, flip_flops, points } = mapped;
        let (module, kit) = (module.clone(), library.kit().clone());
        Ok(Curve { module, stages: design.stages, kit, tool, script, flip_flops, points })
    }

    /// The points that no other point beats in area and delay, the smallest first.
    pub(super) fn front(&self) -> Vec<&Point> {
        let mut points: Vec<&Point> = self.points.iter().collect();
        points.sort_by(|a, b| (a.area_um2, a.delay_ps).partial_cmp(&(b.area_um2, b.delay_ps)).expect("numbers"));
        let mut front: Vec<&Point> = vec![];
        for point in points {
            if front.last().is_none_or(|last| point.delay_ps < last.delay_ps) {
                front.push(point);
            }
        }
        front
    }
}

/// `count` equally spaced delays in ps between two delays, the longest first; none if they are too close.
fn between(long_ps: f64, short_ps: f64, count: u32) -> Vec<u32> {
    let step = (long_ps - short_ps) / f64::from(count + 1);
    if step < 1.0 {
        return vec![];
    }
    (1..=count).map(|number| (long_ps - step * f64::from(number)).round() as u32).collect()
}

/// A plain-text (Markdown) table with a row for each point, and a line with the tools.
///
/// # Panics
/// When there are no curves.
pub fn table(curves: &[Curve]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["unit", "stages", "FF", "asked for, ps", "delay, ps", "area, µm²", "NAND2"]);
    for curve in curves {
        for point in &curve.points {
            table.add_row(row(curve, point));
        }
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{table}\n\n{}; {}", curves[0].tool, curves[0].kit)
}

fn row(curve: &Curve, point: &Point) -> [String; 7] {
    let nands = curve.kit.nand2_um2.map(|nand2| point.area_um2 / nand2);
    [
        curve.module.clone(),
        curve.stages.to_string(),
        curve.flip_flops.to_string(),
        point.target_ps.to_string(),
        format!("{:.0}", point.delay_ps),
        format!("{:.1}", point.area_um2),
        nands.map_or("-".into(), |nands| format!("{nands:.0}")),
    ]
}

/// Curves as comma-separated values: a header line, and one line per point.
pub fn csv(curves: &[Curve]) -> String {
    let mut text = String::from("library,unit,stages,flip_flops,target_ps,delay_ps,area_um2,tool\n");
    for Curve { module, stages, kit, tool, flip_flops, points, .. } in curves {
        for Point { target_ps, area_um2, delay_ps, .. } in points {
            let library = kit.name();
            text += &format!("{library},{module},{stages},{flip_flops},{target_ps},{delay_ps},{area_um2},{tool}\n");
        }
    }
    text
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A curve with these delays and areas.
    pub fn curve(points: &[(f64, f64)]) -> Curve {
        let kit = Kit {
            libraries: vec!["small".into()],
            sha256: String::new(),
            driving_cell: Some("INV".into()),
            load_ff: 0.0,
            nand2_um2: Some(2.0),
        };
        let point = |&(delay_ps, area_um2): &(f64, f64)| Point {
            target_ps: delay_ps as u32 + 1,
            area_um2,
            delay_ps,
            depth: 1,
            cells: BTreeMap::new(),
        };
        Curve {
            module: "adder".into(),
            stages: 0,
            kit,
            tool: "Yosys 0.70".into(),
            script: vec![],
            flip_flops: 0,
            points: points.iter().map(point).collect(),
        }
    }

    #[test]
    fn delays_are_between_the_two_ends() {
        assert_eq!(between(1000.0, 600.0, 3), [900, 800, 700]);
        assert_eq!(between(1000.4, 600.0, 1), [800]);
        assert!(between(1000.0, 600.0, 0).is_empty());
        assert!(between(0.0, 0.0, 6).is_empty() && between(600.0, 1000.0, 6).is_empty());
    }

    #[test]
    fn the_front_has_what_nothing_beats() {
        let curve = curve(&[(1000.0, 50.0), (900.0, 50.0), (950.0, 60.0), (700.0, 80.0), (600.0, 80.5)]);
        let front: Vec<f64> = curve.front().iter().map(|point| point.delay_ps).collect();
        assert_eq!(front, [900.0, 700.0, 600.0]);
    }

    #[test]
    fn a_point_is_a_row_and_a_line() {
        let curves = [curve(&[(1000.0, 50.0), (600.25, 81.0)])];
        let want = "\
| unit  | stages | FF | asked for, ps | delay, ps | area, µm² | NAND2 |
|-------|--------|----|---------------|-----------|-----------|-------|
| adder |      0 |  0 |          1001 |      1000 |      50.0 |    25 |
| adder |      0 |  0 |           601 |       600 |      81.0 |    40 |

Yosys 0.70; small, inputs driven by INV";
        assert_eq!(table(&curves), want);
        let text = csv(&curves);
        assert_eq!(text.lines().nth(2), Some("small,adder,0,0,601,600.25,81,Yosys 0.70"));
    }
}
