//! What a verification found.

use crate::scoreboard::Counterexample;
use binade_golden::{Content, Format, Operation, Port};
use serde::Serialize;
use std::fmt;

/// The outcome of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    /// Version of Binade.
    pub version: &'static str,
    pub module: String,
    /// The vectors of the whole run, in words.
    pub plan: String,
    /// What was checked of them, in words.
    pub scope: String,
    /// Vectors of the whole run, of which this may be one part.
    pub total: u64,
    /// Which part of how many, as in `2/4`; `1/1` is all.
    pub shard: String,
    /// The same for all parts of a run, another for any other run.
    pub run: String,
    /// Vectors that were evaluated: all of the scope, unless there was a mismatch.
    pub checked: u64,
    /// How many of them an earlier run has checked, which this one resumed.
    pub resumed: u64,
    /// Time of the check, without building the model.
    pub seconds: f64,
    /// Vectors a second, without those of an earlier run.
    pub rate: f64,
    /// Time to build the model, or to load it from the cache.
    pub build_seconds: f64,
    /// Whether the model came from the cache.
    pub cached: bool,
    pub seed: u64,
    /// Simulator and version.
    pub tool: String,
    pub mismatch: Option<Mismatch>,
    /// What the user should know of an earlier run, or of a file that could not be written.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// A vector on which the unit is wrong, explained.
#[derive(Clone, Debug, Serialize)]
pub struct Mismatch {
    /// Number of the vector in the run.
    pub index: u64,
    #[serde(skip)]
    codes: Vec<u64>,
    pub operands: Vec<Explained>,
    /// Name of the output, the first one that is wrong.
    pub output: String,
    pub got: Explained,
    pub want: Explained,
    /// Steps between the codes got and wanted, if both are finite.
    pub ulps: Option<u64>,
    /// Of a word, ones where the two differ.
    #[serde(skip)]
    differing: Option<String>,
}

/// A code with what it stands for.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    pub name: String,
    /// Name of the format, or what the word is.
    pub format: String,
    /// Hexadecimal.
    pub code: String,
    /// The fields of the code in binary, or the word.
    pub fields: String,
    pub value: String,
}

impl Explained {
    fn new(name: &str, port: &Port, code: u64) -> Explained {
        let digits = port.width().div_ceil(4) as usize;
        let code_text = format!("0x{code:0digits$x}");
        let (format, fields, value) = match port.content {
            Content::Code(format) => (format.to_string(), format.fields(code), format.decode(code).to_string()),
            Content::Word { width, kind } => {
                (kind.about().into(), format!("{code:0width$b}", width = width as usize), code.to_string())
            }
        };
        Explained { name: name.into(), format, code: code_text, fields, value }
    }
}

impl Mismatch {
    pub(crate) fn new(operation: &Operation, found: Counterexample) -> Mismatch {
        let ports = operation.inputs();
        let outputs = operation.outputs();
        let (got, want) = (operation.unpacked(found.got), operation.unpacked(found.want));
        let at = (0..outputs.len()).find(|&at| got[at] != want[at]).expect("a mismatch is on some output");
        let output = &outputs[at];
        Mismatch {
            index: found.index,
            codes: found.operands.clone(),
            operands: ports
                .iter()
                .zip(&found.operands)
                .map(|(port, &code)| Explained::new(port.name, port, code))
                .collect(),
            output: output.name.into(),
            got: Explained::new("got", output, got[at]),
            want: Explained::new("want", output, want[at]),
            differing: match output.content {
                Content::Code(_) => None,
                Content::Word { width, .. } => Some(format!("{:0width$b}", got[at] ^ want[at], width = width as usize)),
            },
            ulps: output.format().and_then(|format| ulps(&format, got[at], want[at])),
        }
    }

    /// The operands' codes.
    pub fn codes(&self) -> &[u64] {
        &self.codes
    }

    /// The operands' codes as `--replay` takes them.
    pub fn replay(&self) -> String {
        self.operands.iter().map(|operand| operand.code.as_str()).collect::<Vec<_>>().join(",")
    }
}

/// Steps between two finite codes.
fn ulps(format: &Format, x: u64, y: u64) -> Option<u64> {
    let position = |code: u64| {
        let magnitude = format.magnitude(code);
        let signed = if code & format.sign_mask() != 0 { -(magnitude as i64) } else { magnitude as i64 };
        (magnitude <= format.max_code() && !format.is_nan(code)).then_some(signed)
    };
    Some(position(x)?.abs_diff(position(y)?))
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rows: Vec<&Explained> = self.operands.iter().chain([&self.want, &self.got]).collect();
        let widest = |text: fn(&Explained) -> &str| rows.iter().map(|row| text(row).len()).max().unwrap_or(0);
        let (code, fields) = (widest(|row| &row.code), widest(|row| &row.fields));
        writeln!(f, "vector {}:", self.index)?;
        for Explained { name, format, code: hex, fields: bits, value } in rows {
            writeln!(f, "  {name:<4} {hex:<code$}  {bits:<fields$}  {value}  ({format})")?;
        }
        if self.output != "y" {
            writeln!(f, "  on output {}", self.output)?;
        }
        if let Some(differing) = &self.differing {
            return write!(f, "  they differ in the ones of {differing}");
        }
        match self.ulps {
            Some(0) => write!(f, "  the same value, but not the same code"),
            Some(ulps) => write!(f, "  off by {ulps} ulp"),
            None if self.got.value == self.want.value => write!(f, "  the same value, but not the same code"),
            None => write!(f, "  not both finite"),
        }
    }
}
