//! Reads peers' figures from a file, and checks that they match the units of a suite.

use serde::Deserialize;

/// One line of a file of peers' figures (CSV): a peer's netlist of one unit.
#[derive(Clone, Debug, Deserialize)]
pub struct Figures {
    /// The kind of the unit.
    pub family: String,
    /// The name of our small unit of this row.
    pub unit: String,
    /// The other generator.
    pub peer: String,
    /// `same`, or how it does less than ours.
    pub(super) function: String,
    /// Whether it computes the right results, if that was checked.
    pub(super) right: Verdict,
    #[serde(default)]
    pub(super) lut4: Option<f64>,
    #[serde(default)]
    pub(super) xc7_luts: Option<f64>,
    /// LUT4 and two for each `CCU2C`.
    #[serde(default)]
    pub(super) ecp5_luts: Option<f64>,
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

/// A family of units, with our target ratios.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// The family's name, as in the file of peers' figures.
    pub name: String,
    /// The target for our area divided by the best peer's; none if there is no target.
    pub area: Option<f64>,
    /// The target for our depth divided by the best peer's; none if there is no target.
    pub depth: Option<f64>,
}

/// An error in the input of a comparison.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PeersError {
    /// A line of the file does not match the header; the CSV reader's message.
    #[error("{0}")]
    Unreadable(String),
    /// A unit of the suite for which there is no row, by name.
    #[error("the peers' figures have no row for `{0}`")]
    NoPeers(String),
    /// A row is for this unit, which the suite does not have.
    #[error("the peers' figures have rows for `{0}`, which is not a unit of the suite")]
    NoUnit(String),
    /// A row belongs to this family, which the suite does not have.
    #[error("the peers' figures have rows for `{0}`, which is not a family of the suite")]
    NoFamily(String),
}

/// Reads peers' figures from CSV.
///
/// # Errors
/// When a line does not match the header; the message has its number.
pub fn read(csv: &str) -> Result<Vec<Figures>, PeersError> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().map_err(|error| PeersError::Unreadable(error.to_string()))
}

/// Checks that the rows match these units (the names of the small ones) and families.
///
/// # Errors
/// When a unit has no peers, peers have no unit, or a row's family is unknown, so that a table has no gaps.
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
