//! Peers' figures from a file, and whether they fit the units of a suite.

use serde::Deserialize;

/// One line of a file of peers' figures (CSV): a peer's netlist of one unit.
#[derive(Clone, Debug, Deserialize)]
pub struct Figures {
    /// What kind of unit it is.
    pub family: String,
    /// The name of our small unit of this row.
    pub unit: String,
    /// The other generator.
    pub peer: String,
    /// `same`, or in what it does less than ours.
    pub(super) function: String,
    /// Whether it computes what it should, where somebody has looked.
    pub(super) right: Verdict,
    #[serde(default)]
    pub(super) lut4: Option<f64>,
    #[serde(default)]
    pub(super) xc7_luts: Option<f64>,
    #[serde(default)]
    pub(super) alm_lo: Option<f64>,
    #[serde(default)]
    pub(super) gates: Option<f64>,
    #[serde(default)]
    pub(super) ice40_depth: Option<f64>,
    #[serde(default)]
    pub(super) gate_depth: Option<f64>,
    #[serde(default)]
    pub(super) alm_depth: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    Right,
    Unchecked,
    Wrong,
}

/// A family of units, with the ratios that we want to reach.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// The family's name, as in the file of peers' figures.
    pub name: String,
    /// The wanted ratio of area, ours to the best peer's; nothing if there is no goal.
    pub area: Option<f64>,
    /// The wanted ratio of depth, ours to the best peer's; nothing if there is no goal.
    pub depth: Option<f64>,
}

/// What is wrong with a comparison's input.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PeersError {
    /// A line of the file is not as the header says; the CSV reader's message.
    #[error("{0}")]
    Unreadable(String),
    /// A unit of the suite that no row is about, by name.
    #[error("no row of peers' figures is about `{0}`")]
    NoPeers(String),
    /// A row is about this unit, which the suite does not have.
    #[error("no unit of the suite is that of the rows for `{0}`")]
    NoUnit(String),
    /// A row is of this family, which the suite does not have.
    #[error("no family of the suite is `{0}`, which has rows of peers' figures")]
    NoFamily(String),
}

/// Peers' figures from CSV.
///
/// # Errors
/// A line that is not as the header says, with its number.
pub fn read(csv: &str) -> Result<Vec<Figures>, PeersError> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().map_err(|error| PeersError::Unreadable(error.to_string()))
}

/// Whether the rows are about these units (the names of the small ones) and families.
///
/// # Errors
/// A unit without peers, peers without a unit, rows of an unknown family: a table has no holes.
pub fn check(peers: &[Figures], goals: &[Goal], units: &[&str]) -> Result<(), PeersError> {
    if let Some(unknown) = peers.iter().find(|peer| !goals.iter().any(|goal| goal.name == peer.family)) {
        return Err(PeersError::NoFamily(unknown.family.clone()));
    }
    if let Some(missing) = peers.iter().find(|peer| !units.contains(&peer.unit.as_str())) {
        return Err(PeersError::NoUnit(missing.unit.clone()));
    }
    match units.iter().find(|unit| !peers.iter().any(|peer| peer.unit == **unit)) {
        Some(alone) => Err(PeersError::NoPeers(alone.to_string())),
        None => Ok(()),
    }
}
