//! `binade encode` for several numbers.

use super::encoder::{Encoder, Way};
use super::source::{Place, Words, binary_block};
use super::{STDIN, Stop, binary64, check_interrupt, code_bytes, write_all};
use crate::failure::Failure;
use crate::output;
use binade_golden::{Codec, Literal, LiteralError, Policy};
use binade_report::ErrorFigures;
use binade_spec::{Format, Overflow, Rounding};
use clap::ValueEnum;
use rayon::prelude::*;
use serde_json::json;
use std::io::Write;

/// The encoding of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Input {
    /// One per line
    Text,
    /// binary32, little-endian
    F32le,
    /// binary64, little-endian
    F64le,
}

/// The binary encoding of printed codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Binary {
    Bytes,
}

/// How codes are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// In hexadecimal, one per line.
    Text,
    /// Little-endian bytes, the fewest of 1, 2, 4, 8 and 16 that hold a code.
    Bytes,
    /// With the number and the value of the code.
    Csv,
    /// The code with the number and its value, one object per line.
    Json,
}

impl Output {
    /// The output that the options ask for.
    pub fn new(binary: Option<Binary>, csv: bool, json: bool) -> Output {
        match (binary, csv, json) {
            (Some(Binary::Bytes), ..) => Output::Bytes,
            (None, true, _) => Output::Csv,
            (None, false, true) => Output::Json,
            (None, false, false) => Output::Text,
        }
    }
}

/// The numbers to encode, and how.
pub struct Request<'a> {
    pub format: Format,
    pub way: Way,
    pub seed: u64,
    /// The numbers, or `-` for standard input.
    pub words: &'a [String],
    pub input: Input,
    pub output: Output,
}

/// Numbers as written, in binary64, and their codes.
struct Block {
    written: Vec<String>,
    numbers: Vec<f64>,
    codes: Vec<u128>,
}

/// Encodes all numbers, and prints the error figures on stderr.
pub fn run(request: &Request) -> Result<(), Failure> {
    let Request { format, output, .. } = *request;
    let mut encoder = Encoder::new(format, request.way, request.seed)?;
    let mut words = Words::new(request.words)?;
    if request.input != Input::Text && request.words != [STDIN] {
        return Err(Failure::Usage("--in is for standard input; give - as the value".into()));
    }
    let mut figures = ErrorFigures::new(encoder.value(format.largest_code()));
    let was_read = write_all(|out| {
        if output == Output::Csv {
            writeln!(out, "number,code,value")?;
        }
        loop {
            check_interrupt()?;
            let block = request.next_block(&mut words, &mut encoder)?;
            if block.codes.is_empty() {
                return Ok(());
            }
            for (&number, &code) in block.numbers.iter().zip(&block.codes) {
                figures.add(number, encoder.value(code));
            }
            request.write(out, &block, &encoder)?;
        }
    })?;
    if was_read {
        output::say(if output == Output::Json { figures.json() } else { figures.to_string() });
    }
    Ok(())
}

impl Request<'_> {
    fn next_block(&self, words: &mut Words, encoder: &mut Encoder) -> Result<Block, Failure> {
        match self.input {
            Input::Text => text_block(words, encoder),
            Input::F32le => {
                let codes: Vec<u64> = binary_block(4)?.into_iter().map(|code| code as u64).collect();
                let numbers: Vec<f64> = codes.iter().map(|&code| f32::from_bits(code as u32).into()).collect();
                let written = self.written(&codes, |code| f32::from_bits(code as u32).to_string());
                Ok(Block { written, numbers, codes: encoder.encode_codes(Format::binary32(), &codes)? })
            }
            Input::F64le => {
                let codes: Vec<u64> = binary_block(8)?.into_iter().map(|code| code as u64).collect();
                let numbers: Vec<f64> = codes.iter().map(|&code| f64::from_bits(code)).collect();
                let written = self.written(&codes, |code| f64::from_bits(code).to_string());
                Ok(Block { written, numbers, codes: encoder.encode_codes(Format::binary64(), &codes)? })
            }
        }
    }

    /// Numbers in decimal, if the output contains them.
    fn written(&self, codes: &[u64], write: impl Fn(u64) -> String) -> Vec<String> {
        match self.output {
            Output::Text | Output::Bytes => vec![],
            Output::Csv | Output::Json => codes.iter().map(|&code| write(code)).collect(),
        }
    }

    fn write(&self, out: &mut impl Write, block: &Block, encoder: &Encoder) -> Result<(), Stop> {
        let lines = block.written.iter().zip(&block.codes);
        match self.output {
            Output::Text => {
                let digits = self.format.width().div_ceil(4) as usize;
                block.codes.iter().try_for_each(|code| writeln!(out, "0x{code:0digits$x}"))?;
            }
            Output::Bytes => {
                let bytes = code_bytes(&self.format);
                block.codes.iter().try_for_each(|code| out.write_all(&code.to_le_bytes()[..bytes]))?;
            }
            Output::Csv => {
                for (written, &code) in lines {
                    writeln!(out, "{written},{},{}", encoder.hex(code), encoder.value(code))?;
                }
            }
            Output::Json => {
                for (written, &code) in lines {
                    let value = encoder.exact_value(code).to_string();
                    let line = json!({ "number": written, "code": encoder.hex(code), "value": value });
                    writeln!(out, "{line}")?;
                }
            }
        }
        Ok(())
    }
}

fn text_block(words: &mut Words, encoder: &mut Encoder) -> Result<Block, Failure> {
    let words = words.block()?;
    let read = |(word, place): &(String, Place)| word.parse().map_err(|error: LiteralError| place.failure(error));
    let literals: Vec<Result<Literal, Failure>> = words.par_iter().map(read).collect();
    // Reports the first mistake.
    let literals: Vec<Literal> = literals.into_iter().collect::<Result<_, _>>()?;
    let numbers = words.par_iter().zip(&literals).map(|((word, _), literal)| approximate(word, literal)).collect();
    let written = words.into_iter().map(|(word, _)| word.trim().to_string()).collect();
    Ok(Block { written, numbers, codes: encoder.encode_literals(&literals) })
}

/// A number as written, in binary64.
fn approximate(word: &str, literal: &Literal) -> f64 {
    let policy = Policy::new(Rounding::Rne, Overflow::Inf);
    let rounded = || binary64(Format::binary64().decode(Format::binary64().encode_literal(literal, &policy)));
    word.trim().parse().unwrap_or_else(|_| rounded())
}
