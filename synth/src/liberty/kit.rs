//! The cells to which a unit was mapped.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The cells to which a unit was mapped, and their conditions. Figures of different kits are not comparable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kit {
    /// The library name in each Liberty file.
    pub libraries: Vec<String>,
    /// A hash of the files' text.
    pub sha256: String,
    /// The cell that drives each input, if there is one.
    pub driving_cell: Option<String>,
    /// The capacitance at each output, in fF.
    pub load_ff: f64,
    /// The area of the smallest two-input NAND in µm², if there is one.
    pub nand2_um2: Option<f64>,
}

impl Kit {
    /// The name of the library, as in `osu018_stdcells`; if there are several, the first one and the number of others: `asap7sc7p5t_SIMPLE
    /// +2`.
    pub fn name(&self) -> String {
        match self.libraries.as_slice() {
            [] => String::new(),
            [only] => only.clone(),
            [first, others @ ..] => format!("{first} +{}", others.len()),
        }
    }
}

impl fmt::Display for Kit {
    /// As in `osu018_stdcells, inputs driven by INVX1, outputs loaded with 10 fF`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())?;
        self.driving_cell.iter().try_for_each(|cell| write!(f, ", inputs driven by {cell}"))?;
        if self.load_ff > 0.0 { write!(f, ", outputs loaded with {} fF", self.load_ff) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kit_says_what_is_around_a_unit() {
        let (libraries, sha256) = (vec!["small".to_string()], String::new());
        let kit = Kit { libraries, sha256, driving_cell: None, load_ff: 0.0, nand2_um2: None };
        assert_eq!(kit.to_string(), "small");
        let kit = Kit { driving_cell: Some("INV".into()), load_ff: 2.5, ..kit };
        assert_eq!(kit.to_string(), "small, inputs driven by INV, outputs loaded with 2.5 fF");
        let kit = Kit { libraries: ["gates", "buffers", "registers"].map(String::from).into(), ..kit };
        assert_eq!(kit.name(), "gates +2");
    }
}
