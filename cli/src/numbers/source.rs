//! Input of numbers and codes: the command line, or standard input as lines or binary.

use super::{BLOCK, STDIN};
use crate::failure::Failure;
use std::io::{self, BufRead, BufReader, Read, Stdin};

/// The longest number or code, in bytes.
const LONGEST_LINE: usize = 10_000;

/// Words of the command line, or lines of standard input.
pub enum Words<'a> {
    Given { words: &'a [String], at: usize },
    Lines { input: BufReader<Stdin>, number: u64 },
}

impl<'a> Words<'a> {
    /// The words of the command line; a lone `-` is standard input.
    pub fn new(words: &'a [String]) -> Result<Words<'a>, Failure> {
        match words {
            [word] if word == STDIN => Ok(Words::Lines { input: BufReader::new(io::stdin()), number: 0 }),
            words if words.iter().any(|word| word == STDIN) => {
                Err(Failure::Usage("- is standard input, and excludes other values".into()))
            }
            words => Ok(Words::Given { words, at: 0 }),
        }
    }

    /// The next block of words, each with its place for messages; empty at the end.
    pub fn block(&mut self) -> Result<Vec<(String, Place)>, Failure> {
        let mut block = vec![];
        while block.len() < BLOCK
            && let Some(word) = self.next()?
        {
            block.push(word);
        }
        Ok(block)
    }

    fn next(&mut self) -> Result<Option<(String, Place)>, Failure> {
        match self {
            Words::Given { words, at } => {
                let word = words.get(*at).cloned();
                *at += 1;
                Ok(word.map(|word| (word, Place::CommandLine)))
            }
            Words::Lines { input, number } => {
                *number += 1;
                let place = Place::Line(*number);
                Ok(read_line(input, place)?.map(|line| (line, place)))
            }
        }
    }
}

/// A line without its line end; none at the end of the input.
fn read_line(input: &mut impl BufRead, place: Place) -> Result<Option<String>, Failure> {
    let mut line = vec![];
    input.take(LONGEST_LINE as u64 + 2).read_until(b'\n', &mut line).map_err(cannot_read)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.pop_if(|last| *last == b'\n').is_some() {
        line.pop_if(|last| *last == b'\r');
    }
    if line.len() > LONGEST_LINE {
        return Err(place.failure(format!("more than {LONGEST_LINE} characters")));
    }
    String::from_utf8(line).map(Some).map_err(|_| place.failure("this is not text (UTF-8); --in reads binary numbers"))
}

fn cannot_read(error: io::Error) -> Failure {
    Failure::File(format!("cannot read standard input: {error}"))
}

/// The place of a word.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    CommandLine,
    /// A line of standard input, from 1.
    Line(u64),
}

impl Place {
    /// A failure at this place.
    pub fn failure(self, message: impl ToString) -> Failure {
        let message = message.to_string();
        Failure::Usage(match self {
            Place::CommandLine => message,
            Place::Line(number) => format!("standard input, line {number}: {message}"),
        })
    }
}

/// The next block of little-endian numbers of `bytes` bytes from standard input; empty at the end.
pub fn binary_block(bytes: usize) -> Result<Vec<u128>, Failure> {
    let mut block = Vec::with_capacity(BLOCK * bytes);
    io::stdin().lock().take((BLOCK * bytes) as u64).read_to_end(&mut block).map_err(cannot_read)?;
    let numbers = block.chunks_exact(bytes);
    match numbers.remainder().len() {
        0 => Ok(numbers.map(little_endian).collect()),
        rest => {
            Err(Failure::Usage(format!("standard input ends within a number: {rest} of its {bytes} bytes are there")))
        }
    }
}

fn little_endian(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}
