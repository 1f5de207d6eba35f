//! Figures of other generators, compared with ours.
//!
//! All figures are measured in the same flows, command for command (`script.rs`). Each of our units, built for area or for depth, is
//! compared with the best figures of those peers of its row that compute the same function and are not known to be wrong.

mod compare;
mod read;
mod table;

pub use compare::{Against, Compared, Family, Means, Ours, Quality, Row, compare};
pub use read::{Figures, Goal, PeersError, check, read};
pub use table::{csv, markdown};

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use binade_circuit::Optimize;

    use crate::area::{Area, GenericArea, Ice40Area};
    use crate::report::MappedReport;
    use crate::target::Target;

    const PEERS: &str = "\
family,unit,peer,function,right,gates,gate_depth,lut4,ice40_depth
add,add_e5m2_rne,One,same,right,100,40,50,
add,add_e5m2_rne,Two,same,wrong,10,4,5,
add,add_e5m2_rne,Three,own encoding,right,20,10,10,
add,add_e5m2_rne,Four,same,unchecked,200,20,40,30
mul,mul_e5m2_rne,Two,same,wrong,100,20,40,30
";

    fn report(area: Area, depth: u32) -> MappedReport {
        let target = if matches!(area, Area::Generic(_)) { Target::Generic } else { Target::Ice40 };
        let (module, tool) = ("unit".into(), "Yosys".into());
        MappedReport {
            target,
            module,
            kit: None,
            tool,
            script: vec![],
            area,
            flip_flops: 0,
            depth,
            cells: BTreeMap::new(),
        }
    }

    fn reports() -> [MappedReport; 2] {
        let generic = Area::Generic(GenericArea { gates: 80, aig_ands: 60, aig_levels: 15 });
        [report(generic, 10), report(Area::Ice40(Ice40Area { lut4: 20, carry: 3, sb_mac16: 0 }), 15)]
    }

    fn families() -> Vec<Family> {
        let reports = reports();
        let ours = ["add_e5m2_rne", "mul_e5m2_rne"].map(|unit| Ours {
            of: unit,
            unit,
            built_for: Optimize::Area,
            reports: reports.iter().collect(),
        });
        let goals = ["add", "mul"].map(|name| Goal { name: name.into(), area: Some(0.85), depth: None });
        compare(&read(PEERS).unwrap(), &goals, &ours)
    }

    #[test]
    fn the_best_figure_of_those_that_are_right_counts() {
        let families = families();
        let ratios: Vec<(f64, &str)> =
            families[0].rows[0].figures.iter().map(|figure| (figure.ratio, figure.peer.as_str())).collect();
        assert_eq!(ratios, [(0.5, "Four"), (0.8, "One"), (0.5, "Four"), (0.5, "Four")]);
        assert!((families[0].small.area.unwrap() - 0.4_f64.sqrt()).abs() < 1e-9);
        assert_eq!(families[0].small.depth.map(|depth| (depth * 1e6).round()), Some(5e5));
        assert_eq!(families[0].shallow, Means::default());
        assert_eq!((families[0].against, families[1].against), (Against::Right, Against::Wrong));
    }

    #[test]
    fn tables_show_every_figure() {
        let families = families();
        let text = markdown(&families);
        assert!(text.contains("| add | 0.63 | 0.85 | 0.50 | – | – | – |"), "{text}");
        assert!(text.contains("| mul_e5m2_rne (w) | 20/40 | 80/100 | 0.63 | 15/30 | 10/20 | 0.50 | Two |"), "{text}");
        assert!(csv(&families).contains("add,add_e5m2_rne,area,right,area,gates,80,100,One,0.8000\n"));
    }

    #[test]
    fn nothing_is_left_out_in_silence() {
        let peers = read(PEERS).unwrap();
        let goals = ["add", "mul"].map(|name| Goal { name: name.into(), area: None, depth: None });
        let refused = |goals: &[Goal], units: &[&str]| check(&peers, goals, units).unwrap_err();
        assert_eq!(refused(&goals[..1], &[]), PeersError::NoFamily("mul".into()));
        assert_eq!(refused(&goals, &["add_e5m2_rne"]), PeersError::NoUnit("mul_e5m2_rne".into()));
        let all = ["add_e5m2_rne", "mul_e5m2_rne", "add_e4m3_rne"];
        assert_eq!(refused(&goals, &all), PeersError::NoPeers("add_e4m3_rne".into()));
        assert_eq!(check(&peers, &goals, &all[..2]), Ok(()));
        assert!(matches!(read("family,unit\nadd"), Err(PeersError::Unreadable(_))));
    }
}
