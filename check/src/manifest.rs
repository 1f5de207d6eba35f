//! The manifest of a certificate, and its files.

use crate::Fault;
use crate::aiger::Aig;
use crate::registers::Registers;
use flate2::bufread::GzDecoder;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The name of the file.
pub const NAME: &str = "manifest.json";

/// The version of the layout that this crate reads.
const LAYOUT: u32 = 3;

/// The most bits of the inputs, and of the outputs.
const MOST_BITS: usize = 1 << 20;

/// The most bytes of the manifest, and of a file in AIGER.
const MOST_BYTES: u64 = 1 << 30;

/// What the file says. Fields that are for people are not read.
#[derive(Debug, Deserialize)]
pub struct Claims {
    layout: u32,
    /// The module.
    pub module: String,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    /// What the certificate does not show.
    pub not_shown: Vec<String>,
    files: BTreeMap<String, String>,
    #[serde(default)]
    pub cases: Vec<Case>,
    /// The parts of a unit without cases: their folders, and the hashes of their manifests.
    #[serde(default)]
    pub parts: BTreeMap<String, String>,
    /// The parts in the unit, one after the other.
    #[serde(default)]
    pub instances: Vec<Instance>,
    /// The bits that the outputs are.
    #[serde(default)]
    pub outputs_from: Vec<String>,
    pub registers: Option<Registers>,
}

/// A part in the unit, and the bits that it reads.
#[derive(Debug, Deserialize)]
pub struct Instance {
    pub name: String,
    pub part: String,
    pub inputs: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct Port {
    name: String,
    width: usize,
}

#[derive(Debug, Deserialize)]
pub struct Case {
    pub stem: String,
}

/// The claims, and the folder with the files.
pub struct Manifest {
    folder: PathBuf,
    pub claims: Claims,
}

impl Manifest {
    /// Reads the manifest, and compares the hashes of all files with it, and its own with one that is known; returns their bytes, too.
    pub fn read(folder: &Path, known: Option<&str>) -> Result<(Manifest, u64), Fault> {
        let bytes = read_whole(&folder.join(NAME))?;
        let wrong = |why: &str| wrong(folder.join(NAME), why);
        if known.is_some_and(|known| digits(Sha256::new().chain_update(&bytes)) != known) {
            return Err(wrong("it is not the one whose hash the manifest of the whole has"));
        }
        let claims: Claims = serde_json::from_slice(&bytes).map_err(|error| wrong(&error.to_string()))?;
        if claims.layout != LAYOUT {
            return Err(wrong(&format!("layout {} is not known; this program reads layout {LAYOUT}", claims.layout)));
        }
        let bits = |ports: &[Port]| ports.iter().try_fold(0_usize, |all, port| all.checked_add(port.width));
        if ![&claims.inputs, &claims.outputs]
            .iter()
            .all(|ports| bits(ports).is_some_and(|bits| (1..=MOST_BITS).contains(&bits)))
        {
            return Err(wrong("the ports have no bits, or too many"));
        }
        let manifest = Manifest { folder: folder.into(), claims };
        let mut all = 0;
        for (name, hash) in &manifest.claims.files {
            let file = manifest.path(name)?;
            let (read, bytes) = hashed(&file).map_err(|error| unreadable(&file, &error))?;
            manifest.demand(name, read == *hash, "its SHA-256 is not the one that the manifest has")?;
            all += bytes;
        }
        Ok((manifest, all))
    }

    /// The path of a file or folder in this one.
    pub fn path(&self, name: &str) -> Result<PathBuf, Fault> {
        let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let is_plain = !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_usual);
        self.demand(NAME, is_plain, "it names a file that may be outside of this folder")?;
        Ok(self.folder.join(name))
    }

    /// Requires that something holds of a file.
    pub fn demand(&self, name: &str, holds: bool, why: &str) -> Result<(), Fault> {
        if holds { Ok(()) } else { Err(wrong(self.folder.join(name), why)) }
    }

    /// A fault in a file.
    pub fn wrong(&self, name: &str, why: String) -> Fault {
        wrong(self.folder.join(name), &why)
    }

    /// The path of a file that the manifest lists.
    fn listed(&self, name: &str) -> Result<PathBuf, Fault> {
        self.demand(NAME, self.claims.files.contains_key(name), &format!("{name} is not among the files"))?;
        self.path(name)
    }

    /// A circuit.
    pub fn aig(&self, name: &str) -> Result<Aig, Fault> {
        Aig::read(&read_whole(&self.listed(name)?)?).map_err(|why| self.wrong(name, why))
    }

    /// A compressed file.
    pub fn gz(&self, name: &str) -> Result<impl BufRead + use<>, Fault> {
        let file = self.listed(name)?;
        let opened = File::open(&file).map_err(|error| unreadable(&file, &error))?;
        Ok(BufReader::with_capacity(1 << 16, GzDecoder::new(BufReader::new(opened))))
    }
}

/// The hash of a file, and its bytes.
fn hashed(file: &Path) -> io::Result<(String, u64)> {
    let (mut hasher, mut all) = (Sha256::new(), 0);
    let mut file = BufReader::with_capacity(1 << 16, File::open(file)?);
    while !file.fill_buf()?.is_empty() {
        let count = file.buffer().len();
        hasher.update(file.buffer());
        file.consume(count);
        all += count as u64;
    }
    Ok((digits(hasher), all))
}

fn digits(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The names of the bits of ports.
pub fn bits(ports: &[Port]) -> Vec<String> {
    ports.iter().flat_map(|port| (0..port.width).map(|bit| format!("{}[{bit}]", port.name))).collect()
}

fn wrong(file: PathBuf, why: &str) -> Fault {
    Fault { file, why: why.into(), exit_code: 1 }
}

fn unreadable(file: &Path, error: &io::Error) -> Fault {
    wrong(file.into(), &error.to_string())
}

fn read_whole(file: &Path) -> Result<Vec<u8>, Fault> {
    match fs::metadata(file).map_err(|error| unreadable(file, &error))?.len() > MOST_BYTES {
        true => Err(wrong(file.into(), "the file is too large for this checker")),
        false => fs::read(file).map_err(|error| unreadable(file, &error)),
    }
}
