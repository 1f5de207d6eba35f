//! Other generators that make such units, as the suites of peers have them.

use binade_spec::Unit;
use binade_synth::peers::{Figures, read};
use comfy_table::{Table, presets};
use serde::Serialize;

/// The figures of peers.
const FIGURES: [&str; 2] = [include_str!("../../peers/peers.csv"), include_str!("../../peers/datapath_peers.csv")];

/// The page with ours beside them.
const PAGE: &str = include_str!("../../peers/peers.md");

/// A family of units that others make, too.
#[derive(Serialize)]
pub struct Family {
    name: String,
    peers: Vec<String>,
    /// Our area over that of the best right peer, as the page has it.
    area: Option<&'static str>,
    /// The same of depths.
    depth: Option<&'static str>,
}

/// The families that a unit is in.
pub fn families(unit: Unit) -> Vec<Family> {
    let figures = FIGURES.into_iter().flat_map(|csv| read(csv).expect("figures"));
    let mut families: Vec<Family> = vec![];
    for Figures { family: name, peer, .. } in figures.filter(|figures| unit_of(&figures.unit) == Some(unit)) {
        match families.iter_mut().find(|family| family.name == name) {
            Some(family) if family.peers.contains(&peer) => {}
            Some(family) => family.peers.push(peer),
            None => families.push(Family::new(name, peer)),
        }
    }
    families
}

/// The unit of a module: of those whose names it begins with, before a number or not, the one with the longest.
fn unit_of(module: &str) -> Option<Unit> {
    let is_of = |unit: &Unit| {
        let rest = module.strip_prefix(&unit.name().replace('-', "_"));
        rest.is_some_and(|rest| rest.trim_start_matches(|sign: char| sign.is_ascii_digit()).starts_with('_'))
    };
    Unit::ALL.into_iter().filter(is_of).max_by_key(|unit| unit.name().len())
}

impl Family {
    fn new(name: String, peer: String) -> Family {
        let [area, depth] = means(&name).map_or([None; 2], |means| means.map(Some));
        Family { name, peers: vec![peer], area, depth }
    }
}

/// The means of a family's areas and depths, if it is on the page.
fn means(family: &str) -> Option<[&'static str; 2]> {
    let row = PAGE.lines().find(|line| line.starts_with(&format!("| {family} ")))?;
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    Some([cells[2], cells[4]])
}

pub fn text(families: &[Family]) -> String {
    if families.is_empty() {
        return "No other generator has been measured beside it.".into();
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["family", "other generators", "area", "depth"]);
    for Family { name, peers, area, depth } in families {
        let [area, depth] = [area, depth].map(|mean| mean.unwrap_or_default().to_string());
        table.add_row([name.clone(), peers.join(", "), area, depth]);
    }
    format!(
        "Other generators of such units; area and depth are ours over those of the best right one, geometric means (docs/peers.md):\n{table}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row of the figures is of a unit, and each family of the page has its means.
    #[test]
    fn rows_are_of_units() {
        for row in FIGURES.into_iter().flat_map(|csv| read(csv).expect("figures")) {
            assert!(unit_of(&row.unit).is_some(), "{}", row.unit);
        }
        let all: Vec<Family> = Unit::ALL.into_iter().flat_map(families).collect();
        let with_means: Vec<&str> =
            all.iter().filter(|family| family.area.is_some()).map(|family| family.name.as_str()).collect();
        assert!(with_means.contains(&"fma_mixed") && with_means.contains(&"posit_to_b32"), "{with_means:?}");
    }

    #[test]
    fn modules_are_units() {
        assert_eq!(unit_of("dot8_fmac8_e5m2_acc_binary16_rne"), Some(Unit::Dot));
        assert_eq!(unit_of("dot_exact1_posit8_1_acc_posit8_1_rne"), Some(Unit::DotExact));
        assert_eq!(unit_of("posit_decoder_posit8_0"), Some(Unit::PositDecoder));
        assert_eq!(unit_of("adder_e5m2"), None);
    }
}
