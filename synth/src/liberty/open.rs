//! Opens a library: reads its files, and maps a gate as a trial.

use binade_tools::{Error, ScratchDir, Tools, scratch_dir};
use sha2::{Digest, Sha256};

use super::file::{self, Contents};
use super::flow;
use super::kit::Kit;
use super::library::{Conditions, LibertyError, Library, write};

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
}
