//! Vector files, and standard input.

use crate::failure::Failure;
use binade_sim::conform::table_format;
use binade_tools::{Error, interrupted};
use clap::ValueEnum;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use std::{fmt, thread};

/// The size of a piece in bytes, and the longest line.
const PIECE: usize = 1 << 20;

/// The number of pieces read ahead.
const AHEAD: usize = 4;

/// How often to check for Ctrl-C while no input arrives.
const LOOK: Duration = Duration::from_millis(50);

/// The syntax of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SyntaxName {
    /// Lines of testfloat_gen: operands, results, a byte of flags
    Testfloat,
    /// Test cases of IBM's FPgen
    Fptest,
    /// Value tables of IEEE P3109
    P3109,
    /// Comma-separated codes: operands, results, flags
    Csv,
}

/// A vector file, or standard input.
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    pub syntax: SyntaxName,
}

/// Whole lines of a source.
pub struct Piece {
    /// The number of the first line, from 1.
    pub first_line: u64,
    text: Vec<u8>,
}

impl Source {
    /// A file with its syntax. Unless the user gives the syntax, the file's name determines it, else a unit on the command line means
    /// testfloat_gen.
    pub fn new(path: PathBuf, syntax: Option<SyntaxName>, names_unit: bool) -> Result<Source, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_lowercase();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        let by_name = match extension.as_str() {
            "fptest" => Some(SyntaxName::Fptest),
            "csv" if table_format(name).is_some() => Some(SyntaxName::P3109),
            "csv" => Some(SyntaxName::Csv),
            _ => names_unit.then_some(SyntaxName::Testfloat),
        };
        if matches!(extension.as_str(), "yaml" | "yml") {
            return Err(Failure::Usage(format!(
                "{}: P3109's YAML files describe implementations and contain no vectors",
                path.display()
            )));
        }
        if syntax.or(by_name).is_none()
            && path != Path::new("-")
            && let Err(error) = std::fs::metadata(&path)
        {
            return Err(Failure::file("read", &path, error));
        }
        let syntax = syntax.or(by_name).ok_or_else(|| {
            let source = Source { path: path.clone(), syntax: SyntaxName::Testfloat };
            Failure::Usage(format!(
                "{source}: the name does not tell the syntax; give --as testfloat, fptest, p3109 or csv, and the unit \
                 with --function, or with --format and --unit"
            ))
        })?;
        Ok(Source { path, syntax })
    }

    /// The file's name without its folder.
    pub fn file_name(&self) -> Option<String> {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned())
    }

    /// A failure at a line.
    pub fn failure(&self, line: u64, why: &str) -> Failure {
        Failure::Usage(format!("{self}, line {line}: {why}"))
    }

    /// Its lines, piece by piece, read by another thread.
    pub fn pieces(&self) -> Result<Pieces, Failure> {
        let input: Box<dyn Read + Send> = match self.is_standard_input() {
            true => Box::new(io::stdin()),
            false => {
                let file = File::open(&self.path).map_err(|error| Failure::file("read", &self.path, error))?;
                Box::new(file)
            }
        };
        let (sender, receiver) = mpsc::sync_channel(AHEAD);
        thread::spawn(move || {
            let mut cutter = Cutter { input, rest: vec![], first_line: 1 };
            loop {
                let piece = cutter.next();
                let is_last = !matches!(piece, Ok(Some(_)));
                // The receiver is gone: the run has ended.
                if sender.send(piece).is_err() || is_last {
                    break;
                }
            }
        });
        Ok(Pieces { receiver, is_at_end: false })
    }

    fn is_standard_input(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.is_standard_input() {
            true => f.write_str("standard input"),
            false => write!(f, "{}", self.path.display()),
        }
    }
}

impl Piece {
    /// The lines with their numbers.
    ///
    /// # Errors
    /// The number of a line that is not valid text.
    pub fn lines(&self) -> Result<impl Iterator<Item = (u64, &str)>, u64> {
        let text = str::from_utf8(&self.text).map_err(|error| {
            let good = &self.text[..error.valid_up_to()];
            self.first_line + good.iter().filter(|byte| **byte == b'\n').count() as u64
        })?;
        Ok((self.first_line..).zip(text.lines()))
    }
}

/// The pieces of a source.
pub struct Pieces {
    receiver: Receiver<io::Result<Option<Piece>>>,
    is_at_end: bool,
}

impl Pieces {
    /// The next pieces, at most `most`; none at the end.
    pub fn next(&mut self, source: &Source, most: usize) -> Result<Vec<Piece>, Failure> {
        let mut pieces = vec![];
        while pieces.len() < most && !self.is_at_end {
            if interrupted() {
                return Err(Failure::Tool(Error::Interrupted));
            }
            match self.receiver.recv_timeout(LOOK) {
                Ok(Ok(Some(piece))) => pieces.push(piece),
                Ok(Ok(None)) | Err(RecvTimeoutError::Disconnected) => self.is_at_end = true,
                Ok(Err(error)) => return Err(Failure::File(format!("cannot read {source}: {error}"))),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(pieces)
    }
}

/// Cuts a stream into pieces at line ends.
struct Cutter<Input> {
    input: Input,
    /// The start of a line whose end has not been read yet.
    rest: Vec<u8>,
    first_line: u64,
}

impl<Input: Read> Cutter<Input> {
    /// The next piece; none at the end.
    fn next(&mut self) -> io::Result<Option<Piece>> {
        let mut text = std::mem::take(&mut self.rest);
        let room = (PIECE - text.len()) as u64;
        let read = (&mut self.input).take(room).read_to_end(&mut text)?;
        if text.is_empty() {
            return Ok(None);
        }
        if read as u64 == room {
            let end = text.iter().rposition(|byte| *byte == b'\n');
            let end = end.ok_or_else(|| {
                io::Error::other(format!("line {} has more than {PIECE} characters", self.first_line))
            })?;
            self.rest = text.split_off(end + 1);
        }
        let piece = Piece { first_line: self.first_line, text };
        self.first_line += piece.text.iter().filter(|byte| **byte == b'\n').count() as u64;
        Ok(Some(piece))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_lines() {
        let text: String = (0..300_000).map(|number| format!("line {number}\n")).collect();
        let mut cutter = Cutter { input: text.as_bytes(), rest: vec![], first_line: 1 };
        let (mut whole, mut pieces) = (String::new(), 0);
        while let Some(piece) = cutter.next().unwrap() {
            let (number, first) = piece.lines().unwrap().next().unwrap();
            assert_eq!((number, first), (piece.first_line, format!("line {}", piece.first_line - 1).as_str()));
            whole += str::from_utf8(&piece.text).unwrap();
            pieces += 1;
        }
        assert!(whole == text && pieces > 3, "{pieces}");
    }

    #[test]
    fn what_is_no_text_has_a_line() {
        let piece = Piece { first_line: 7, text: b"one\ntwo\n\xff\n".to_vec() };
        assert_eq!(piece.lines().err(), Some(9));
        let endless = vec![b'0'; PIECE + 1];
        let mut cutter = Cutter { input: endless.as_slice(), rest: vec![], first_line: 1 };
        assert!(cutter.next().err().unwrap().to_string().contains("line 1 has more than"));
    }
}
