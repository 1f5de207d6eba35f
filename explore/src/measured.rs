//! What units cost, as `binade synth` has measured them for the suites whose figures are kept.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The figures that CI and its nightly parts compare with.
const KEPT: [&str; 2] = [include_str!("../page/quality.json"), include_str!("../page/siblings.json")];

#[derive(Deserialize)]
struct Report {
    target: String,
    module: String,
    tool: String,
    area: Value,
    depth: u32,
}

/// A unit on one target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    target: &'static str,
    area: String,
    /// Cells on the longest path.
    depth: u32,
    tool: String,
}

/// The costs of units by the names of their modules.
pub fn measured() -> BTreeMap<String, Vec<Cost>> {
    let mut costs: BTreeMap<String, Vec<Cost>> = BTreeMap::new();
    for kept in KEPT {
        let reports: Vec<Report> = serde_json::from_str(kept).expect("reports of `binade synth --json`");
        for Report { target, module, tool, area, depth } in reports {
            let (target, area) = shown(&target, &area);
            let of_unit = costs.entry(module).or_default();
            if of_unit.iter().all(|cost| cost.target != target) {
                of_unit.push(Cost { target, area, depth, tool });
            }
        }
    }
    costs
}

/// A target and an area as the page names them.
fn shown(target: &str, area: &Value) -> (&'static str, String) {
    let count = |key: &str| &area[key];
    match target {
        "generic" => ("gates", format!("{} gates", count("gates"))),
        "ice40" => ("Lattice iCE40", format!("{} LUT4 + {} carry cells", count("lut4"), count("carry"))),
        "xc7" => ("AMD 7 series", format!("{} LUTs + {} CARRY4", count("luts"), count("carry4"))),
        "cyclonev" => ("Intel Cyclone V", format!("{} to {} ALMs", count("alm_lo"), count("alm_hi"))),
        other => panic!("{other} has no name here"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_unit_has_its_costs() {
        let all = measured();
        let of_first = &all["fmac_e5m2b1_acc_binary16_rne"];
        let targets: Vec<&str> = of_first.iter().map(|cost| cost.target).collect();
        assert_eq!(targets, ["gates", "Lattice iCE40", "AMD 7 series", "Intel Cyclone V"]);
        assert!(of_first.iter().all(|cost| cost.depth > 0 && !cost.area.contains("null")), "{of_first:?}");
    }
}
