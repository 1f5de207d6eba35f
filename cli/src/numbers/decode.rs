//! `binade decode` for several codes.

use super::source::{Place, Words, binary_block};
use super::word::code_of;
use super::{STDIN, Stop, binary64, check_interrupt, code_bytes, write_all};
use crate::failure::Failure;
use crate::formats::decimal;
use binade_golden::{Codec, Codes, Value};
use binade_spec::{Format, Overflow, Rounding};
use clap::ValueEnum;
use serde_json::json;
use std::io::Write;

/// The encoding of the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Input {
    /// One per line
    Text,
    /// Little-endian, in the fewest of 1, 2, 4, 8 and 16 bytes
    Bytes,
}

/// The binary encoding of printed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Binary {
    /// binary32, little-endian
    F32le,
    /// binary64, little-endian
    F64le,
}

/// How values are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// In decimal, one per line.
    Text,
    Binary(Binary),
    /// With the codes.
    Csv,
    /// Numbers and their codes, one object per line.
    Json,
}

impl Output {
    /// The output that the options ask for.
    pub fn new(binary: Option<Binary>, csv: bool, json: bool) -> Output {
        match (binary, csv, json) {
            (Some(binary), ..) => Output::Binary(binary),
            (None, true, _) => Output::Csv,
            (None, false, true) => Output::Json,
            (None, false, false) => Output::Text,
        }
    }
}

/// The codes to decode, and how.
pub struct Request<'a> {
    pub format: Format,
    /// The codes, or `-` for standard input.
    pub words: &'a [String],
    pub input: Input,
    pub output: Output,
}

/// Decodes all codes.
pub fn run(request: &Request) -> Result<(), Failure> {
    let codes = Codes::new(request.format);
    let mut words = Words::new(request.words)?;
    if request.input != Input::Text && request.words != [STDIN] {
        return Err(Failure::Usage("--in is for standard input; give - as the code".into()));
    }
    write_all(|out| {
        if request.output == Output::Csv {
            writeln!(out, "code,value")?;
        }
        loop {
            check_interrupt()?;
            let block = request.next_block(&mut words)?;
            if block.is_empty() {
                return Ok(());
            }
            block.into_iter().try_for_each(|code| request.write(out, code, codes.decode(code)))?;
        }
    })?;
    Ok(())
}

impl Request<'_> {
    fn next_block(&self, words: &mut Words) -> Result<Vec<u128>, Failure> {
        match self.input {
            Input::Text => {
                let read = |(word, place): (String, Place)| {
                    code_of(&self.format, word.trim()).map_err(|error| place.failure(error))
                };
                words.block()?.into_iter().map(read).collect()
            }
            Input::Bytes => {
                let codes = binary_block(code_bytes(&self.format))?;
                let width = self.format.width();
                match codes.iter().find(|&&code| width < u128::BITS && code >> width != 0) {
                    Some(code) => Err(Failure::Usage(format!(
                        "standard input: {code:#x} is no code of {}, which has {width} bits",
                        self.format
                    ))),
                    None => Ok(codes),
                }
            }
        }
    }

    fn write(&self, out: &mut impl Write, code: u128, value: Value) -> Result<(), Stop> {
        let hex = || self.format.hex(code);
        match self.output {
            Output::Text => writeln!(out, "{}", written(value))?,
            Output::Binary(Binary::F32le) => out.write_all(&binary32(value).to_le_bytes())?,
            Output::Binary(Binary::F64le) => out.write_all(&binary64(value).to_le_bytes())?,
            Output::Csv => writeln!(out, "{},{}", hex(), written(value))?,
            Output::Json => writeln!(out, "{}", json!({ "code": hex(), "value": written(value) }))?,
        }
        Ok(())
    }
}

/// A value in decimal if binary64 represents it exactly, else with its binade.
fn written(value: Value) -> String {
    decimal(value).map_or_else(|| value.to_string(), |number| number.to_string())
}

/// A value in binary32, rounded once if it is not exact.
fn binary32(value: Value) -> f32 {
    f32::from_bits(Format::binary32().encode(value, Rounding::Rne, Overflow::Inf) as u32)
}
