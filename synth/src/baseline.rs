//! Whether units got worse compared with an earlier run.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::liberty::Kit;
use crate::pnr::RoutedReport;
use crate::report::MappedReport;
use crate::target::Target;

/// The factor by which a figure may grow: the noise of mapping.
const TOLERANCE: f64 = 1.02;

/// A report of an earlier run, as in its JSON.
#[derive(Clone, Debug, Deserialize)]
pub struct Recorded {
    /// What the unit was mapped to.
    pub target: Target,
    /// The name of the Verilog module.
    pub module: String,
    /// The tool that mapped it and its version, as in `Yosys 0.70`.
    pub tool: String,
    /// The standard cells used, for [`Target::Liberty`].
    #[serde(default)]
    pub kit: Option<Kit>,
    area: BTreeMap<String, f64>,
    flip_flops: f64,
    depth: f64,
}

/// The changes between two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Figures that grew and clocks that fell.
    pub worse: Vec<Change>,
    /// Figures that shrank and clocks that rose.
    pub better: Vec<Change>,
    /// Units that only the later run has, as `module (target)`.
    pub new: Vec<String>,
    /// Units that only the earlier run has.
    pub gone: Vec<String>,
}

/// A figure that changed by more than noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The name of the Verilog module.
    pub module: String,
    /// The target that the unit is mapped to, or the device on which it is placed and routed.
    pub target: String,
    /// The figure's name: a field of the target's area, `flip_flops`, `depth` or `fmax_mhz`.
    pub figure: &'static str,
    /// The figure of the earlier run.
    pub before: f64,
    /// The figure of the later run.
    pub now: f64,
}

/// Reads an earlier run from the JSON that `synth` prints.
///
/// # Errors
/// When the text is not such JSON.
pub fn read(json: &str) -> Result<Vec<Recorded>, serde_json::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a list of reports is expected")]
    enum Run {
        Reports(Vec<Recorded>),
        WithPeers { reports: Vec<Recorded> },
    }
    Ok(match serde_json::from_str(json)? {
        Run::Reports(reports) | Run::WithPeers { reports } => reports,
    })
}

/// The changes from an earlier run to this one.
pub fn changes(earlier: &[Recorded], now: &[MappedReport]) -> Changes {
    let mut changes = Changes::default();
    for report in now {
        match earlier.iter().find(|recorded| recorded.module == report.module && recorded.target == report.target) {
            Some(recorded) => changes.compare(recorded, report),
            None => changes.new.push(format!("{} ({})", report.module, report.target)),
        }
    }
    let is_measured = |recorded: &Recorded| {
        now.iter().any(|report| report.module == recorded.module && report.target == recorded.target)
    };
    let gone = earlier.iter().filter(|recorded| !is_measured(recorded));
    changes.gone = gone.map(|recorded| format!("{} ({})", recorded.module, recorded.target)).collect();
    changes
}

/// The changes in clock (the median of all seeds) from an earlier run to this one.
pub fn changes_of_clocks(earlier: &[RoutedReport], now: &[RoutedReport]) -> Changes {
    let is_same = |one: &RoutedReport, other: &RoutedReport| one.module == other.module && one.target == other.target;
    let named = |report: &RoutedReport| format!("{} ({})", report.module, report.target);
    let mut changes = Changes::default();
    for report in now {
        let Some(recorded) = earlier.iter().find(|recorded| is_same(recorded, report)) else {
            changes.new.push(named(report));
            continue;
        };
        let (before, now) = (recorded.fmax_mhz.median, report.fmax_mhz.median);
        let (module, target) = (report.module.clone(), report.target.to_string());
        let change = Change { module, target, figure: "fmax_mhz", before, now };
        if before > now * TOLERANCE {
            changes.worse.push(change);
        } else if now > before * TOLERANCE {
            changes.better.push(change);
        }
    }
    let gone = earlier.iter().filter(|recorded| !now.iter().any(|report| is_same(recorded, report)));
    changes.gone = gone.map(named).collect();
    changes
}

impl Changes {
    fn compare(&mut self, recorded: &Recorded, report: &MappedReport) {
        for (figure, before, now) in figures(recorded, report) {
            let (module, target) = (report.module.clone(), report.target.to_string());
            let change = || Change { module: module.clone(), target: target.clone(), figure, before, now };
            if now > before * TOLERANCE {
                self.worse.push(change());
            } else if before > now * TOLERANCE {
                self.better.push(change());
            }
        }
    }
}

/// The figures that are compared: the size as in the target's headline, registers, depth.
fn figures(recorded: &Recorded, report: &MappedReport) -> Vec<(&'static str, f64, f64)> {
    let area = report.area.fields();
    let sizes: &[&'static str] = match report.target {
        Target::Generic => &["gates"],
        Target::Ice40 => &["lut4", "carry"],
        Target::Ecp5 | Target::Xc7 => &["luts"],
        Target::Up5kDsp => &["lut4", "carry", "sb_mac16"],
        Target::Ecp5Dsp => &["luts", "mult18x18d"],
        Target::Xc7Dsp => &["luts", "dsp48e1"],
        Target::Cyclonev => &["alm_lo"],
        Target::Liberty => &["area_um2", "delay_ps", "tight_area_um2", "tight_delay_ps"],
    };
    let number = |name: &str| area.get(name).and_then(serde_json::Value::as_f64);
    let mut figures: Vec<_> =
        sizes.iter().filter_map(|&name| Some((name, *recorded.area.get(name)?, number(name)?))).collect();
    figures.push(("flip_flops", recorded.flip_flops, report.flip_flops.into()));
    // A depth in cells means little if the delay is known.
    if report.target != Target::Liberty {
        figures.push(("depth", recorded.depth, report.depth.into()));
    }
    figures
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Change { module, target, figure, before, now } = self;
        write!(f, "{module}, {target}: {figure} {before} -> {now}")?;
        if *before > 0.0 { write!(f, " ({:+.1} %)", 100.0 * (now / before - 1.0)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{Area, Ice40Area};
    use crate::pnr::{self, Fmax};

    fn report(module: &str, lut4: u32, depth: u32) -> MappedReport {
        let (tool, area) = ("Yosys 0.70".into(), Area::Ice40(Ice40Area { lut4, carry: 10, sb_mac16: 0 }));
        let (module, cells) = (module.into(), BTreeMap::new());
        MappedReport {
            target: Target::Ice40,
            module,
            kit: None,
            tool,
            script: vec![],
            area,
            flip_flops: 0,
            depth,
            cells,
        }
    }

    fn recorded(reports: &[MappedReport]) -> Vec<Recorded> {
        read(&serde_json::to_string(reports).unwrap()).unwrap()
    }

    #[test]
    fn two_percent_are_noise() {
        let before = recorded(&[report("a", 100, 50), report("b", 100, 50), report("gone", 1, 1)]);
        let now = [report("a", 102, 51), report("b", 103, 40), report("new", 1, 1)];
        let changes = changes(&before, &now);
        let said = |changes: &[Change]| changes.iter().map(Change::to_string).collect::<Vec<_>>();
        assert_eq!(said(&changes.worse), ["b, ice40: lut4 100 -> 103 (+3.0 %)"]);
        assert_eq!(said(&changes.better), ["b, ice40: depth 50 -> 40 (-20.0 %)"]);
        assert_eq!((changes.new, changes.gone), (vec!["new (ice40)".to_string()], vec!["gone (ice40)".to_string()]));
    }

    #[test]
    fn what_cost_nothing_may_not_cost_something() {
        let changes = changes(&recorded(&[report("a", 0, 0)]), &[report("a", 1, 0)]);
        assert_eq!(changes.worse[0].to_string(), "a, ice40: lut4 0 -> 1");
    }

    #[test]
    fn clocks_may_not_fall() {
        let report = |module: &str, median: f64| RoutedReport {
            module: module.into(),
            fmax_mhz: Fmax { median, min: median, max: median },
            ..pnr::example()
        };
        let before = [report("a", 100.0), report("b", 100.0), report("c", 100.0), report("gone", 1.0)];
        let now = [report("a", 98.1), report("b", 98.0), report("c", 103.0), report("new", 1.0)];
        let changes = changes_of_clocks(&before, &now);
        let said = |changes: &[Change]| changes.iter().map(Change::to_string).collect::<Vec<_>>();
        assert_eq!(said(&changes.worse), ["b, ice40-hx8k: fmax_mhz 100 -> 98 (-2.0 %)"]);
        assert_eq!(said(&changes.better), ["c, ice40-hx8k: fmax_mhz 100 -> 103 (+3.0 %)"]);
        assert_eq!(
            (changes.new, changes.gone),
            (vec!["new (ice40-hx8k)".into()], vec!["gone (ice40-hx8k)".to_string()])
        );
    }

    #[test]
    fn runs_with_peers_are_read_too() {
        let reports = serde_json::to_string(&[report("a", 5, 1)]).unwrap();
        assert_eq!(read(&format!("{{\"families\": [], \"reports\": {reports}}}")).unwrap().len(), 1);
        assert!(read("{\"rows\": 1}").is_err() && read("no JSON").is_err());
    }
}
