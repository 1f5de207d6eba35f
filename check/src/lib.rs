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
//! - If the unit has registers, `step.aig`, `registers-NAME.cnf.gz` and `.lrat.gz`, described in `registers.rs`.
//! - `manifest.json`: the names and widths of the ports, the list of the cases, and the SHA-256 of every file.
//!
//! A unit that rounds several times, or computes a matrix, may have parts instead of cases: `unit.aig` then has the gates of the parts,
//! connected as `manifest.json` says, and each part has a certificate in a folder of its own.

mod aiger;
mod clauses;
mod lrat;
mod manifest;
mod registers;

use aiger::{Aig, Literal};
use clauses::{Clauses, Gates};
use lrat::Refutation;
use manifest::{Instance, Manifest, bits};
pub use registers::Registers;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a certificate does not show what it claims, or cannot be read.
#[derive(Debug, Error)]
#[error("{}: {why}", file.display())]
pub struct Fault {
    /// The file or folder.
    pub file: PathBuf,
    /// What is wrong with it.
    pub why: String,
    /// 1 for a certificate that does not show what it claims, 2 if there is none to read.
    pub exit_code: u8,
}

/// What is wrong with a circuit that has other inputs or outputs.
const NOT_THE_PORTS: &str = "the inputs or outputs are not those of the manifest and the cases";

/// The largest latency that is accepted.
const MOST_STEPS: usize = 1000;

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
    /// What is shown of registers.
    pub registers: Option<Registers>,
    /// What the certificate does not show, as its manifest says.
    pub not_shown: Vec<String>,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Checked { module, input_bits, cases, steps, bytes, registers, not_shown } = self;
        let (size, s) = ((bytes + 500) / 1000, if *cases == 1 { "" } else { "s" });
        write!(
            f,
            "{module}: for all 2^{input_bits} inputs, the outputs are those that the specification states: {cases} case{s}, all inputs, {steps} steps, {size} kB"
        )?;
        if let Some(Registers { latency, controls }) = registers {
            let controls = controls.join(", ");
            write!(f, "; with registers, for any sequence: latency {latency}, controls {controls}")?;
        }
        not_shown.iter().try_for_each(|what| write!(f, "; not shown: {what}"))
    }
}

/// The folders below a folder that hold a certificate; the folder itself if it holds one.
///
/// # Errors
/// When there is none, or the folder cannot be read.
pub fn certificates(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    let none = |why: &str| Fault { file: folder.into(), why: why.into(), exit_code: 2 };
    if folder.join(manifest::NAME).is_file() {
        return Ok(vec![folder.into()]);
    }
    let entries = folder.read_dir().map_err(|error| none(&format!("{error}; name a folder with certificates")))?;
    let holds_one = |path: &PathBuf| path.join(manifest::NAME).is_file();
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(holds_one).collect();
    found.sort();
    match found.is_empty() {
        true => Err(none("no certificate here; name a folder with a manifest.json, or one whose folders have some")),
        false => Ok(found),
    }
}

/// Checks one certificate.
///
/// # Errors
/// When it does not show what it claims.
pub fn check(folder: &Path) -> Result<Checked, Fault> {
    let (manifest, unit, mut checked) = shown(folder, None)?;
    if let Some(registers) = &manifest.claims.registers {
        checked.steps += contract(&manifest, registers, &unit)?;
    }
    (checked.registers, checked.not_shown) = (manifest.claims.registers, manifest.claims.not_shown);
    Ok(checked)
}

/// Checks that the registers of a unit do not change its outputs; returns the length of the refutations.
fn contract(manifest: &Manifest, registers: &Registers, unit: &Aig) -> Result<usize, Fault> {
    let step = manifest.aig("step.aig")?;
    manifest.demand("step.aig", Registers::is_clock(&step, unit), NOT_THE_PORTS)?;
    manifest.demand(manifest::NAME, registers.latency <= MOST_STEPS, "the latency is too large for this checker")?;
    let refuted = |name| refuted(manifest, &format!("registers-{name}"), &registers.clauses(name, &step, unit));
    registers.properties().map(refuted).sum()
}

/// Checks a certificate, whose manifest has this hash; returns the unit, too.
fn shown(folder: &Path, hash: Option<&str>) -> Result<(Manifest, Aig, Checked), Fault> {
    let (manifest, bytes) = Manifest::read(folder, hash)?;
    let unit = manifest.aig("unit.aig")?;
    let (inputs, outputs) = (bits(&manifest.claims.inputs), bits(&manifest.claims.outputs));
    manifest.demand("unit.aig", unit.input_names == inputs && unit.output_names == outputs, NOT_THE_PORTS)?;
    let (module, input_bits) = (manifest.claims.module.clone(), inputs.len());
    let mut checked = Checked { module, input_bits, cases: 0, steps: 0, bytes, registers: None, not_shown: vec![] };
    if !manifest.claims.instances.is_empty() {
        composed(&manifest, &unit, inputs, &mut checked)?;
        return Ok((manifest, unit, checked));
    }
    let mut cases = vec![];
    for stem in &manifest.claims.cases {
        let stem = &stem.stem;
        let name = format!("{stem}.aig");
        let case = manifest.aig(&name)?;
        let wanted = [vec!["valid".to_string()], inputs.clone(), outputs.clone()].concat();
        manifest.demand(&name, case.output_names == wanted, NOT_THE_PORTS)?;
        checked.steps += refuted(&manifest, stem, &Clauses::of_case(&case, &unit))?;
        cases.push(case);
    }
    let cover = manifest.aig("cover.aig")?;
    let free: usize = cases.iter().map(Aig::inputs).sum();
    manifest.demand("cover.aig", cover.input_names == inputs && cover.outputs.len() == free, NOT_THE_PORTS)?;
    checked.steps += refuted(&manifest, "cover", &Clauses::of_cover(&cover, &cases, inputs.len()))?;
    checked.cases = cases.len();
    Ok((manifest, unit, checked))
}

/// Checks the parts of a unit, and that the unit has their gates, one part after the other, connected as the manifest says.
fn composed(manifest: &Manifest, unit: &Aig, inputs: Vec<String>, checked: &mut Checked) -> Result<(), Fault> {
    let wrong = |why: String| manifest.wrong(manifest::NAME, why);
    let mut parts = BTreeMap::new();
    for (name, hash) in &manifest.claims.parts {
        let (part, aig, shown) = shown(&manifest.path(name)?, Some(hash))?;
        let Checked { cases, steps, bytes, .. } = shown;
        (checked.cases, checked.steps, checked.bytes) =
            (checked.cases + cases, checked.steps + steps, checked.bytes + bytes);
        parts.insert(name, (bits(&part.claims.outputs), aig));
    }
    let mut gates = Gates::behind(inputs.len());
    let mut known: BTreeMap<String, Literal> = inputs.into_iter().zip((1..).map(|input| 2 * input)).collect();
    let read = |known: &BTreeMap<String, Literal>, names: &[String]| {
        let bit = |name: &String| known.get(name).copied().ok_or_else(|| wrong(format!("there is no bit {name}")));
        names.iter().map(bit).collect::<Result<Vec<_>, _>>()
    };
    for Instance { name, part, inputs } in &manifest.claims.instances {
        let (outputs, aig) = parts.get(part).ok_or_else(|| wrong(format!("there is no part {part}")))?;
        let reads = read(&known, inputs)?;
        manifest.demand(
            manifest::NAME,
            reads.len() == aig.inputs(),
            "an instance does not read one bit for each input",
        )?;
        for (output, literal) in outputs.iter().zip(gates.added(aig, &reads)) {
            let is_new = known.insert(format!("{name}.{output}"), literal).is_none();
            manifest.demand(manifest::NAME, is_new, "two bits have the same name")?;
        }
    }
    let is_unit = unit.outputs == read(&known, &manifest.claims.outputs_from)? && gates.are_those_of(unit);
    manifest.demand("unit.aig", is_unit, "it does not have the gates of the parts, connected so")
}

/// Checks that a file of clauses holds these ones, and that another file refutes them; returns the length of the refutation.
fn refuted(manifest: &Manifest, stem: &str, clauses: &Clauses) -> Result<usize, Fault> {
    let name = format!("{stem}.cnf.gz");
    clauses.compare(manifest.gz(&name)?).map_err(|why| manifest.wrong(&name, why))?;
    let name = format!("{stem}.lrat.gz");
    Refutation::new(clauses).check(manifest.gz(&name)?).map_err(|why| manifest.wrong(&name, why))
}
