//! The name and the cells of a Liberty file.
//!
//! ```text
//! library (NAME) {
//!   cell (INVX1) { area : 16; .. }
//! }
//! ```

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The most bytes that a file may have when unpacked.
const LARGEST: u64 = 1 << 30;

/// The text of a file, unpacked if it is compressed. Bytes that are not UTF-8 occur only in comments, and are replaced.
///
/// # Errors
/// When the gzip data is invalid or truncated, or the file is too large.
pub fn text(bytes: &[u8]) -> io::Result<String> {
    if !bytes.starts_with(&GZIP) {
        return Ok(String::from_utf8_lossy(bytes).into_owned());
    }
    let mut unpacked = vec![];
    MultiGzDecoder::new(bytes).take(LARGEST + 1).read_to_end(&mut unpacked)?;
    if unpacked.len() as u64 > LARGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it has more than 1 GiB when unpacked"));
    }
    Ok(String::from_utf8_lossy(&unpacked).into_owned())
}

/// The contents of a file, except its tables.
#[derive(Debug, PartialEq, Eq)]
pub struct Contents {
    /// The name of the library.
    pub library: String,
    /// The names of its cells, in order.
    pub cells: Vec<String>,
}

/// The library and the cells of a file; none if it is not a Liberty file.
pub fn contents(text: &str) -> Option<Contents> {
    let text = without_comments(text);
    let rest = text.trim_start().strip_prefix("library")?;
    let library = argument(rest)?;
    let cells = text.match_indices("cell").filter_map(|(at, word)| {
        let is_whole = text[..at].chars().next_back().is_some_and(|before| before.is_whitespace() || before == '{');
        if is_whole { argument(&text[at + word.len()..]) } else { None }
    });
    Some(Contents { library, cells: cells.collect() })
}

/// The name in the parentheses with which a text begins, without quotes.
fn argument(text: &str) -> Option<String> {
    let (name, _) = text.trim_start().strip_prefix('(')?.split_once(')')?;
    let name = name.trim().trim_matches('"').trim();
    (!name.is_empty()).then(|| name.to_string())
}

fn without_comments(text: &str) -> String {
    let mut pieces = text.split("/*");
    let mut kept = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        // A comment is equivalent to a blank.
        kept.push(' ');
        kept.push_str(piece.split_once("*/").map_or("", |(_, rest)| rest));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    const SMALL: &str = "/* cell (NONE) {} */ library ( \"small\" ) {\n  cell_footprint : x; cell (INV) { area : 1; }\n  \
                         cell(\"NAND2\"){ } test_cell () { }\n}\n";

    #[test]
    fn the_library_and_its_cells_are_found() {
        let found = contents(SMALL).expect("a Liberty file");
        assert_eq!((found.library.as_str(), found.cells), ("small", vec!["INV".to_string(), "NAND2".to_string()]));
    }

    #[test]
    fn what_is_no_liberty_file_has_no_contents() {
        for text in ["", "module inverter;", "library", "library {", "library () {", "/* library (x) { */"] {
            assert_eq!(contents(text), None, "{text}");
        }
    }

    #[test]
    fn packed_files_are_unpacked() {
        let mut packed = GzEncoder::new(vec![], Compression::default());
        packed.write_all(SMALL.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(text(&packed).unwrap(), SMALL);
        // Two concatenated gzip files are one file.
        assert_eq!(text(&[&packed[..], &packed].concat()).unwrap(), [SMALL, SMALL].concat());
        assert_eq!(text(SMALL.as_bytes()).unwrap(), SMALL);
        assert!(text(&packed[..packed.len() / 2]).is_err());
    }
}
