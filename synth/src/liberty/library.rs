//! The cells of one or more Liberty files, ready for Yosys.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use binade_tools::{Error, ScratchDir};

use super::kit::Kit;

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

/// A standard-cell kit, unpacked for Yosys.
#[derive(Debug)]
pub struct Library {
    pub(super) kit: Kit,
    pub(super) folder: ScratchDir,
    /// The names of its files, both in its folder and in the folder of each run.
    pub(super) files: Vec<String>,
}

/// The file with the conditions for ABC.
pub(super) const CONDITIONS: &str = "conditions.txt";

impl Library {
    /// The description of the kit for reports.
    pub fn kit(&self) -> &Kit {
        &self.kit
    }

    /// The names of its files in a run.
    pub(super) fn files(&self) -> &[String] {
        &self.files
    }

    /// Sets the conditions for all runs.
    pub(super) fn surround(&self, conditions: &Conditions) -> Result<(), Error> {
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

/// Writes a file into the folder of a library.
pub(super) fn write(folder: &ScratchDir, name: &str, text: &str) -> Result<(), Error> {
    fs::write(folder.path().join(name), text).map_err(Error::io(format!("write `{name}` for Yosys")))
}
