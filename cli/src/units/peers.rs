//! Other generators with such units, from the suites of peers.

use binade_spec::Unit;
use binade_synth::peers::{Figures, read};
use comfy_table::{Table, presets};
use serde::Serialize;

/// The figures of peers.
const FIGURES: [&str; 4] = [
    include_str!("../../peers/peers.csv"),
    include_str!("../../peers/datapath_peers.csv"),
    include_str!("../../peers/matrix_peers.csv"),
    include_str!("../../peers/dsp_peers.csv"),
];

/// A family of units that other generators have, too.
#[derive(Serialize)]
pub struct Family {
    name: String,
    peers: Vec<String>,
}

/// The families of a unit.
pub fn families(unit: Unit) -> Vec<Family> {
    let figures = FIGURES.into_iter().flat_map(|csv| read(csv).expect("figures"));
    let mut families: Vec<Family> = vec![];
    for Figures { family: name, peer, .. } in figures.filter(|figures| unit_of(&figures.unit) == Some(unit)) {
        match families.iter_mut().find(|family| family.name == name) {
            Some(family) if family.peers.contains(&peer) => {}
            Some(family) => family.peers.push(peer),
            None => families.push(Family { name, peers: vec![peer] }),
        }
    }
    families
}

/// The unit of a module: the longest unit name that starts the module's name, optionally followed by a number or by sizes such as `4x4x4`.
fn unit_of(module: &str) -> Option<Unit> {
    let is_of = |unit: &Unit| {
        let rest = module.strip_prefix(&unit.name().replace('-', "_"));
        let is_of_size = |sign: char| sign.is_ascii_digit() || sign == 'x';
        rest.is_some_and(|rest| rest.trim_start_matches(is_of_size).starts_with('_'))
    };
    Unit::ALL.into_iter().filter(is_of).max_by_key(|unit| unit.name().len())
}

pub fn text(families: &[Family]) -> String {
    if families.is_empty() {
        return "No other generator was measured for this unit.".into();
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["family", "other generators"]);
    for Family { name, peers } in families {
        table.add_row([name.clone(), peers.join(", ")]);
    }
    format!("Other generators, measured beside this one (docs/peers.md has the ratios):\n{table}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_of_a_unit() {
        for row in FIGURES.into_iter().flat_map(|csv| read(csv).expect("figures")) {
            assert!(unit_of(&row.unit).is_some(), "{}", row.unit);
        }
        let of_fmac: Vec<String> = families(Unit::Fmac).into_iter().map(|family| family.name).collect();
        assert!(of_fmac.contains(&"fma_mixed".into()), "{of_fmac:?}");
    }

    #[test]
    fn modules_are_units() {
        assert_eq!(unit_of("dot8_fmac8_e5m2_acc_binary16_rne"), Some(Unit::Dot));
        assert_eq!(unit_of("dot_exact1_posit8_1_acc_posit8_1_rne"), Some(Unit::DotExact));
        assert_eq!(unit_of("posit_decoder_posit8_0"), Some(Unit::PositDecoder));
        assert_eq!(unit_of("mma4x4x4_e5m2_acc_binary16_rne"), Some(Unit::Mma));
        assert_eq!(unit_of("adder_e5m2"), None);
    }
}
