//! Checks a certificate of a proof of Binade. This crate depends on no other one of Binade, and is short enough to be read as a whole.
//!
//! A certificate shows: **for every input, the unit's outputs are those that the specification of some case states.** It consists of
//!
//! - `unit.aig`: the unit as AND gates with inverters, in binary AIGER.
//! - `STEM.aig` for each case: from the free bits of the case, bit `valid`, the inputs of the unit, and the expected outputs.
//! - `STEM.cnf.gz` and `STEM.lrat.gz`: the clauses that say "`valid` is 1, and the unit's outputs for these inputs are not the expected
//!   ones", and a refutation of them.
//! - `cover.aig`: from the inputs of the unit, the free bits with which each case has these inputs.
//! - `cover.cnf.gz` and `cover.lrat.gz`: the clauses that say "no case has these inputs", and a refutation of them.
//! - `manifest.json`: the names and widths of the ports, the list of the cases, and the SHA-256 of every file.
//!
//! | file | what it holds |
//! |---|---|
//! | `manifest.rs` | the manifest, and reading of files whose hashes it states |
//! | `aiger.rs` | the format AIGER |
//! | `clauses.rs` | the clauses of a case and of the cover, made from the AIGER files |
//! | `lrat.rs` | refutations |

mod aiger;
mod clauses;
mod lrat;
mod manifest;

use aiger::Aig;
use clauses::Clauses;
use lrat::Refutation;
use manifest::{Claims, Manifest};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a certificate does not show what it claims.
#[derive(Debug, Error)]
pub enum Fault {
    /// The folder holds no certificate.
    #[error("{}: no certificate here; name a folder with a manifest.json, or one whose folders have some", .0.display())]
    NoCertificate(PathBuf),
    /// The folder cannot be read.
    #[error("{}: {error}; name a folder with certificates", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file cannot be read.
    #[error("{}: {error}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file does not show what it should.
    #[error("{}: {why}", file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// Why.
        why: String,
    },
}

impl Fault {
    /// 1 for a certificate that does not show what it claims, 2 if there is none to read.
    pub fn exit_code(&self) -> u8 {
        match self {
            Fault::NoCertificate(_) | Fault::NoFolder { .. } => 2,
            Fault::Unreadable { .. } | Fault::Wrong { .. } => 1,
        }
    }
}

/// What a certificate shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The module.
    pub module: String,
    /// The bits of its inputs.
    pub input_bits: usize,
    /// The number of cases.
    pub cases: usize,
    /// The clauses of all refutations.
    pub steps: usize,
    /// The bytes of all files.
    pub bytes: u64,
    /// What the certificate does not show, as its manifest says.
    pub not_shown: Vec<String>,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Checked { module, input_bits, cases, steps, bytes, not_shown } = self;
        let (size, s) = ((bytes + 500) / 1000, if *cases == 1 { "" } else { "s" });
        write!(
            f,
            "{module}: for all 2^{input_bits} inputs, the outputs are those that the specification states: {cases} case{s}, all inputs, {steps} steps, {size} kB"
        )?;
        not_shown.iter().try_for_each(|what| write!(f, "; not shown: {what}"))
    }
}

/// The folders below a folder that hold a certificate; the folder itself if it holds one.
///
/// # Errors
/// When there is none, or the folder cannot be read.
pub fn certificates(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    if folder.join(manifest::NAME).is_file() {
        return Ok(vec![folder.into()]);
    }
    let unreadable = |error| Fault::NoFolder { folder: folder.into(), error };
    let mut found = vec![];
    for entry in folder.read_dir().map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.join(manifest::NAME).is_file() {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() { Err(Fault::NoCertificate(folder.into())) } else { Ok(found) }
}

/// Checks one certificate.
///
/// # Errors
/// When it does not show what it claims.
pub fn check(folder: &Path) -> Result<Checked, Fault> {
    let (manifest, bytes) = Manifest::read(folder)?;
    let unit = manifest.aig("unit.aig")?;
    let (inputs, outputs) = (manifest.input_names(), manifest.output_names());
    unit.demand_names(&inputs, &outputs).map_err(|why| manifest.wrong("unit.aig", why))?;
    let mut steps = 0;
    let mut cases = vec![];
    for stem in manifest.stems()? {
        let name = format!("{stem}.aig");
        let case = manifest.aig(&name)?;
        let wanted = [vec!["valid".to_string()], inputs.clone(), outputs.clone()].concat();
        case.demand_outputs(&wanted).map_err(|why| manifest.wrong(&name, why))?;
        steps += refuted(&manifest, &stem, &Clauses::of_case(&case, &unit))?;
        cases.push(case);
    }
    let cover = manifest.aig("cover.aig")?;
    let free = cases.iter().map(Aig::inputs).sum();
    cover.demand_shape(&inputs, free).map_err(|why| manifest.wrong("cover.aig", why))?;
    steps += refuted(&manifest, "cover", &Clauses::of_cover(&cover, &cases, inputs.len()))?;
    let Claims { module, not_shown, .. } = manifest.claims;
    Ok(Checked { module, input_bits: inputs.len(), cases: cases.len(), steps, bytes, not_shown })
}

/// Checks that a file of clauses holds these ones, and that another file refutes them; returns the length of the refutation.
fn refuted(manifest: &Manifest, stem: &str, clauses: &Clauses) -> Result<usize, Fault> {
    let name = format!("{stem}.cnf.gz");
    clauses.compare(manifest.gz(&name)?).map_err(|why| manifest.wrong(&name, why))?;
    let name = format!("{stem}.lrat.gz");
    Refutation::new(clauses).check(manifest.gz(&name)?).map_err(|why| manifest.wrong(&name, why))
}
