//! Many numbers or codes at a time: `encode` and `decode` streams of any length, block by block.
//!
//! | file | what it holds |
//! |---|---|
//! | `source.rs`, `word.rs` | input of numbers and codes, and the parsing of codes |
//! | `encoder.rs` | numbers to codes |
//! | `encode.rs`, `decode.rs` | the two commands |

pub mod decode;
pub mod encode;
mod encoder;
mod source;
mod word;

use crate::failure::Failure;
use binade_golden::{Codec, Value};
use binade_spec::{Format, Overflow, Rounding};
use binade_tools::{Error, interrupted};
pub use encoder::Way;
use std::io::{self, BufWriter, StdoutLock, Write};
pub use word::code_of;

/// The word for standard input.
pub const STDIN: &str = "-";

/// The numbers of one block.
const BLOCK: usize = 1 << 16;

/// Why a stream ended early.
pub enum Stop {
    Write(io::Error),
    Failure(Failure),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Write(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

/// Runs `write` on standard output, and returns whether everything was written. A closed pipe is not an error.
fn write_all(write: impl FnOnce(&mut BufWriter<StdoutLock>) -> Result<(), Stop>) -> Result<bool, Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = write(&mut out).and_then(|()| Ok(out.flush()?));
    match written {
        Ok(()) => Ok(true),
        Err(Stop::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(Stop::Write(error)) => Err(Failure::File(format!("cannot write to standard output: {error}"))),
        Err(Stop::Failure(failure)) => Err(failure),
    }
}

fn check_interrupt() -> Result<(), Failure> {
    if interrupted() { Err(Failure::Tool(Error::Interrupted)) } else { Ok(()) }
}

/// Bytes per code in a binary stream: the fewest of 1, 2, 4, 8 and 16.
fn code_bytes(format: &Format) -> usize {
    (format.width().div_ceil(8) as usize).next_power_of_two()
}

/// A value in binary64, rounded once if it is not exact.
fn binary64(value: Value) -> f64 {
    f64::from_bits(Format::binary64().encode(value, Rounding::Rne, Overflow::Inf) as u64)
}
