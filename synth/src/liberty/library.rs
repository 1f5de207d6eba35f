//! The cells of one or more Liberty files, ready for Yosys.

use std::fmt;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use binade_tools::{Error, ScratchDir, Tools, scratch_dir};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::file::{self, Contents};
use super::flow;

/// The drivers of a unit's inputs, and the load of its outputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// The cell that drives each input; without one, inputs are ideal.
    pub driving_cell: Option<String>,
    /// The capacitance at each output, in fF.
    pub load_ff: f64,
}

/// Why a unit cannot be mapped to a library.
#[derive(Debug, thiserror::Error)]
pub enum LibertyError {
    /// A file is not a Liberty file.
    #[error(
        "`{file}` is not a Liberty file: {why}; name the .lib file of a kit of standard cells, as it is or packed by gzip"
    )]
    NotLiberty {
        /// The file as the user named it.
        file: String,
        /// Why it is not a Liberty file.
        why: String,
    },
    /// The library does not have the driving cell.
    #[error("--driving-cell {cell}: {library} has no such cell{}", nearest.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default())]
    UnknownCell {
        /// The cell as the user named it.
        cell: String,
        /// The library.
        library: String,
        /// A cell with a similar name, if there is one.
        nearest: Option<String>,
    },
    /// Yosys cannot read these cells, or ABC cannot map to them.
    #[error(
        "{library}: units cannot be mapped to these cells ({reason}); a buffer and gates with functions, areas and delays are \
         needed: name all files of the kit, each whole (--liberty may be given several times)"
    )]
    Unusable {
        /// The library.
        library: String,
        /// The message of Yosys or ABC.
        reason: String,
    },
    /// A unit has registers, but the library has no suitable flip-flop.
    #[error(
        "{module} has registers, and {library} has no flip-flop for them; add the file of the kit that has (--liberty may be given \
         several times), or measure the unit without --stages"
    )]
    NoFlipFlop {
        /// The name of the unit's Verilog module.
        module: String,
        /// The library.
        library: String,
    },
    /// Yosys is missing, or its output cannot be parsed.
    #[error(transparent)]
    Tool(#[from] Error),
}

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

/// A standard-cell kit, unpacked for Yosys.
#[derive(Debug)]
pub struct Library {
    kit: Kit,
    folder: ScratchDir,
    /// The names of its files, both in its folder and in the folder of each run.
    files: Vec<String>,
}

/// The file with the conditions for ABC.
pub(super) const CONDITIONS: &str = "conditions.txt";

impl Library {
    /// Opens the cells of `files` (name and bytes each, compressed by gzip or not), and maps a NAND gate as a trial.
    ///
    /// # Errors
    /// When a file is not a Liberty file, the driving cell does not exist, ABC cannot map to the cells, or Yosys fails.
    pub fn open(tools: &Tools, files: &[(String, Vec<u8>)], conditions: Conditions) -> Result<Library, LibertyError> {
        let texts = files.iter().map(|(name, bytes)| read(name, bytes)).collect::<Result<Vec<_>, _>>()?;
        let libraries = texts.iter().map(|(_, contents)| contents.library.clone()).collect();
        let sha256 = hash(texts.iter().map(|(text, _)| text.as_str()));
        let Conditions { driving_cell, load_ff } = conditions.clone();
        let kit = Kit { libraries, sha256, driving_cell, load_ff, nand2_um2: None };
        let cells: Vec<&str> = texts.iter().flat_map(|(_, contents)| &contents.cells).map(String::as_str).collect();
        check_driving_cell(&conditions, &kit.name(), &cells)?;
        let (folder, files) = unpack(&texts)?;
        let mut library = Library { kit, folder, files };
        // Without a load, since it might add a buffer to the NAND.
        library.surround(&Conditions::default())?;
        library.kit.nand2_um2 = flow::nand2(tools, &library)?;
        library.surround(&conditions)?;
        Ok(library)
    }

    /// The description of the kit for reports.
    pub fn kit(&self) -> &Kit {
        &self.kit
    }

    /// The names of its files in a run.
    pub(super) fn files(&self) -> &[String] {
        &self.files
    }

    /// Sets the conditions for all runs.
    fn surround(&self, conditions: &Conditions) -> Result<(), Error> {
        let driver =
            conditions.driving_cell.iter().map(|cell| format!("set_driving_cell {cell}\n")).collect::<String>();
        let text = format!("{driver}set_load {} [all_outputs]\n", conditions.load_ff);
        write(&self.folder, CONDITIONS, &text)
    }

    /// Links its files into the folder of a run.
    pub(super) fn link(&self, folder: &Path) -> Result<(), Error> {
        let files = self.files.iter().map(String::as_str).chain([CONDITIONS]);
        for file in files {
            symlink(self.folder.path().join(file), folder.join(file))
                .map_err(Error::io(format!("link `{file}` for Yosys")))?;
        }
        Ok(())
    }
}

/// The text and the contents of a file.
fn read(name: &str, bytes: &[u8]) -> Result<(String, Contents), LibertyError> {
    let not_liberty = |why: String| LibertyError::NotLiberty { file: name.into(), why };
    let text = file::text(bytes).map_err(|error| not_liberty(format!("it cannot be unpacked ({error})")))?;
    let contents =
        file::contents(&text).ok_or_else(|| not_liberty("it does not begin with `library (NAME) {`".into()))?;
    match contents.cells.is_empty() {
        true => Err(not_liberty("it has no cells".into())),
        false => Ok((text, contents)),
    }
}

/// The most letters by which a suggested cell's name may differ.
const NEAR: usize = 2;

fn check_driving_cell(conditions: &Conditions, library: &str, cells: &[&str]) -> Result<(), LibertyError> {
    let Some(cell) = conditions.driving_cell.as_deref().filter(|cell| !cells.contains(cell)) else { return Ok(()) };
    let distance = |other: &&str| strsim::damerau_levenshtein(&cell.to_lowercase(), &other.to_lowercase());
    let nearest = cells.iter().copied().min_by_key(distance).filter(|other| distance(other) <= NEAR);
    Err(LibertyError::UnknownCell { cell: cell.into(), library: library.into(), nearest: nearest.map(Into::into) })
}

/// Writes the files into a folder under simple names.
fn unpack(texts: &[(String, Contents)]) -> Result<(ScratchDir, Vec<String>), Error> {
    let folder = scratch_dir()?;
    let mut files = vec![];
    for (number, (text, _)) in texts.iter().enumerate() {
        let name = format!("cells-{}.lib", number + 1);
        write(&folder, &name, text)?;
        files.push(name);
    }
    Ok((folder, files))
}

fn write(folder: &ScratchDir, name: &str, text: &str) -> Result<(), Error> {
    fs::write(folder.path().join(name), text).map_err(Error::io(format!("write `{name}` for Yosys")))
}

fn hash<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut hash = Sha256::new();
    texts.for_each(|text| hash.update(text));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driving_cell_is_one_of_the_library() {
        let check = |cell: &str| {
            let conditions = Conditions { driving_cell: Some(cell.into()), load_ff: 0.0 };
            check_driving_cell(&conditions, "osu018", &["INVX1", "NAND2X1"]).map_err(|error| error.to_string())
        };
        assert_eq!(check("INVX1"), Ok(()));
        let near = "--driving-cell invx11: osu018 has no such cell; did you mean INVX1?";
        assert_eq!(check("invx11"), Err(near.into()));
        assert_eq!(check("buffer"), Err("--driving-cell buffer: osu018 has no such cell".into()));
    }

    #[test]
    fn what_is_no_liberty_file_is_refused_with_its_name() {
        let said = |bytes: &[u8]| read("my kit.lib", bytes).unwrap_err().to_string();
        assert!(said(b"module inverter;").starts_with("`my kit.lib` is not a Liberty file: it does not begin with"));
        assert!(said(b"library (x) { }").contains("it has no cells"));
        assert!(said(&[0x1f, 0x8b, 8, 0, 0]).contains("it cannot be unpacked"));
    }

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
