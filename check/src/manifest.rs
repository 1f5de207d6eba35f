//! The manifest of a certificate, and its files.

use crate::Fault;
use crate::aiger::Aig;
use flate2::bufread::GzDecoder;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The name of the file.
pub const NAME: &str = "manifest.json";

/// The version of the layout that this crate reads.
const LAYOUT: u32 = 1;

/// The most bytes of the manifest, and of a file in AIGER.
const MOST_BYTES: u64 = 1 << 30;

/// What the file says. Fields that are for people are not read.
#[derive(Debug, Deserialize)]
pub struct Claims {
    layout: u32,
    /// The module.
    pub module: String,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    /// What the certificate does not show.
    pub not_shown: Vec<String>,
    cases: Vec<Case>,
    files: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Port {
    name: String,
    width: usize,
}

#[derive(Debug, Deserialize)]
struct Case {
    stem: String,
}

/// The claims, and the folder with the files.
pub struct Manifest {
    folder: PathBuf,
    pub claims: Claims,
}

impl Manifest {
    /// Reads the manifest, and compares the hashes of all files with it; returns their bytes, too.
    pub fn read(folder: &Path) -> Result<(Manifest, u64), Fault> {
        let bytes = read_whole(&folder.join(NAME))?;
        let wrong = |why: String| Fault::Wrong { file: folder.join(NAME), why };
        let claims: Claims = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if claims.layout != LAYOUT {
            return Err(wrong(format!("layout {} is not known; this program reads layout {LAYOUT}", claims.layout)));
        }
        let manifest = Manifest { folder: folder.into(), claims };
        let mut all = 0;
        for (name, hash) in &manifest.claims.files {
            if !is_plain(name) {
                return Err(wrong(format!("`{name}` is no name of a file in this folder")));
            }
            let file = folder.join(name);
            let unreadable = |error| Fault::Unreadable { file: file.clone(), error };
            let mut hasher = Sha256::new();
            let mut opened = File::open(&file).map_err(unreadable)?;
            let mut block = vec![0; 1 << 16];
            loop {
                let read = opened.read(&mut block).map_err(unreadable)?;
                if read == 0 {
                    break;
                }
                hasher.update(&block[..read]);
                all += read as u64;
            }
            let digits: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            if digits != *hash {
                return Err(manifest.wrong(name, format!("the SHA-256 is {digits}, and the manifest says {hash}")));
            }
        }
        Ok((manifest, all))
    }

    /// A fault in a file.
    pub fn wrong(&self, name: &str, why: String) -> Fault {
        Fault::Wrong { file: self.folder.join(name), why }
    }

    /// The names of the input bits.
    pub fn input_names(&self) -> Vec<String> {
        bits(&self.claims.inputs)
    }

    /// The names of the output bits.
    pub fn output_names(&self) -> Vec<String> {
        bits(&self.claims.outputs)
    }

    /// The beginnings of the names of the cases' files.
    pub fn stems(&self) -> Result<Vec<String>, Fault> {
        let bits = |ports: &[Port]| ports.iter().try_fold(0_usize, |all, port| all.checked_add(port.width));
        let is_known = |ports| bits(ports).is_some_and(|bits| bits > 0 && bits <= 1 << 20);
        if !is_known(&self.claims.inputs) || !is_known(&self.claims.outputs) {
            return Err(self.wrong(NAME, "the ports have no bits, or too many".into()));
        }
        Ok(self.claims.cases.iter().map(|case| case.stem.clone()).collect())
    }

    /// The path of a file that the manifest lists.
    fn listed(&self, name: &str) -> Result<PathBuf, Fault> {
        match self.claims.files.contains_key(name) {
            true => Ok(self.folder.join(name)),
            false => Err(self.wrong(NAME, format!("{name} is not among the files"))),
        }
    }

    /// A circuit.
    pub fn aig(&self, name: &str) -> Result<Aig, Fault> {
        Aig::read(&read_whole(&self.listed(name)?)?).map_err(|why| self.wrong(name, why))
    }

    /// A compressed file.
    pub fn gz(&self, name: &str) -> Result<impl BufRead + use<>, Fault> {
        let file = self.listed(name)?;
        let opened = File::open(&file).map_err(|error| Fault::Unreadable { file, error })?;
        Ok(BufReader::with_capacity(1 << 16, GzDecoder::new(BufReader::new(opened))))
    }
}

/// Whether a name is that of a file in the same folder, on every system.
fn is_plain(name: &str) -> bool {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_usual)
}

fn bits(ports: &[Port]) -> Vec<String> {
    ports.iter().flat_map(|port| (0..port.width).map(|bit| format!("{}[{bit}]", port.name))).collect()
}

fn read_whole(file: &Path) -> Result<Vec<u8>, Fault> {
    let unreadable = |error| Fault::Unreadable { file: file.into(), error };
    if fs::metadata(file).map_err(unreadable)?.len() > MOST_BYTES {
        return Err(Fault::Wrong { file: file.into(), why: "the file is too large for this checker".into() });
    }
    fs::read(file).map_err(unreadable)
}
