//! What a verification found.

use super::evidence::Evidence;
use super::scoreboard::Counterexample;
use super::violation::Violation;
use crate::coverage::Coverage;
use binade_golden::{Codec, Model};
use binade_spec::{Content, Format, Operation, Port};
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
    /// Which kinds of vectors were checked, if that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// Vectors that show what is wrong.
    #[serde(skip)]
    pub evidence: Option<Evidence>,
    /// The options of `verify` that choose the same vectors.
    #[serde(skip)]
    pub options: String,
    /// Of a pipelined unit, the clock that went wrong; results that are wrong are explained in `mismatch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<Violation>,
    /// What the user should know of an earlier run, or of a file that could not be written.
    #[serde(skip)]
    pub notes: Vec<String>,
}

impl Verification {
    /// Whether nothing wrong was found.
    pub fn is_right(&self) -> bool {
        self.mismatch.is_none() && self.violation.is_none()
    }
}

/// A unit that is wrong: the vector that was found, and the simplest one that fails, too.
#[derive(Clone, Debug, Serialize)]
pub struct Mismatch {
    /// The simplest vector.
    #[serde(flatten)]
    pub simplest: Disagreement,
    /// Whether it fails as the only vector of a run. If not, no simpler one was looked for.
    pub fails_alone: bool,
    pub found: Found,
}

/// The vector on which the run saw that the unit is wrong.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// Number of the vector in the run.
    pub index: u64,
    #[serde(flatten)]
    pub disagreement: Disagreement,
}

/// A vector on which the unit is wrong, explained.
#[derive(Clone, Debug, Serialize)]
pub struct Disagreement {
    #[serde(skip)]
    codes: Vec<u64>,
    pub operands: Vec<Explained>,
    /// Name of the output, the first one that is wrong.
    pub output: String,
    /// What is rounded to that output, if it comes from a rounding.
    pub exact: Option<String>,
    pub got: Explained,
    pub want: Explained,
    /// Steps between the codes got and wanted, if both are finite.
    pub ulps: Option<u128>,
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
            Content::Code(format) => {
                (format.to_string(), format.fields(code.into()), format.decode(code.into()).to_string())
            }
            Content::Word { width, kind } => {
                (kind.about().into(), format!("{code:0width$b}", width = width as usize), code.to_string())
            }
        };
        Explained { name: name.into(), format, code: code_text, fields, value }
    }
}

impl Mismatch {
    pub(crate) fn new(operation: &Operation, found: &Counterexample, simplest: Option<&Counterexample>) -> Mismatch {
        Mismatch {
            simplest: Disagreement::new(operation, simplest.unwrap_or(found)),
            fails_alone: simplest.is_some(),
            found: Found { index: found.index, disagreement: Disagreement::new(operation, found) },
        }
    }

    /// The codes of the simplest vector as `--replay` takes them.
    pub fn replay(&self) -> String {
        self.simplest.operands.iter().map(|operand| operand.code.as_str()).collect::<Vec<_>>().join(",")
    }

    /// Whether a simpler vector than the one found fails.
    pub fn is_shrunk(&self) -> bool {
        self.simplest.codes != self.found.disagreement.codes
    }
}

impl Disagreement {
    /// The operands' codes.
    pub fn codes(&self) -> &[u64] {
        &self.codes
    }

    fn new(operation: &Operation, vector: &Counterexample) -> Disagreement {
        let outputs = operation.outputs();
        let (got, want) = (operation.unpacked(vector.got), operation.unpacked(vector.want));
        let at = (0..outputs.len()).find(|&at| got[at] != want[at]).expect("a mismatch is on some output");
        let output = &outputs[at];
        let explain = |(port, &code): (&Port, &u64)| Explained::new(port.name, port, code);
        Disagreement {
            codes: vector.operands.clone(),
            operands: operation.inputs().iter().zip(&vector.operands).map(explain).collect(),
            output: output.name.into(),
            exact: Model::new(operation).unrounded(&vector.operands, output.name).map(|exact| exact.to_string()),
            got: Explained::new("got", output, got[at]),
            want: Explained::new("want", output, want[at]),
            differing: match output.content {
                Content::Code(_) => None,
                Content::Word { width, .. } => Some(format!("{:0width$b}", got[at] ^ want[at], width = width as usize)),
            },
            ulps: output.format().and_then(|format| ulps(&format, got[at].into(), want[at].into())),
        }
    }
}

/// Steps between two finite codes.
fn ulps(format: &Format, x: u128, y: u128) -> Option<u128> {
    let position = |code: u128| {
        let magnitude = format.magnitude(code);
        let signed = if code & format.sign_mask() != 0 { -(magnitude as i128) } else { magnitude as i128 };
        (magnitude <= format.max_code() && !format.is_nan(code)).then_some(signed)
    };
    Some(position(x)?.abs_diff(position(y)?))
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Found { index, disagreement } = &self.found;
        if !self.is_shrunk() {
            write!(f, "vector {index}:\n{disagreement}")?;
            return if self.fails_alone { Ok(()) } else { write!(f, "\n  not without the vectors before it") };
        }
        let codes: Vec<String> =
            disagreement.operands.iter().map(|operand| format!("{} {}", operand.name, operand.code)).collect();
        write!(f, "vector {index} ({}), shrunk to:\n{}", codes.join(", "), self.simplest)
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (operands, results): (Vec<&Explained>, _) = (self.operands.iter().collect(), [&self.want, &self.got]);
        let widest = |text: fn(&Explained) -> &str| {
            operands.iter().chain(&results).map(|row| text(row).chars().count()).max().unwrap_or(0)
        };
        let name = widest(|row| &row.name).max("exact".len());
        let (code, fields) = (widest(|row| &row.code), widest(|row| &row.fields));
        let row = |f: &mut fmt::Formatter, row: &Explained| {
            let Explained { name: label, format, code: hex, fields: bits, value } = row;
            writeln!(f, "  {label:<name$} {hex:<code$}  {bits:<fields$}  {value}  ({format})")
        };
        operands.iter().try_for_each(|operand| row(f, operand))?;
        if let Some(exact) = &self.exact {
            writeln!(f, "  {:<name$} {:code$}  {:fields$}  {exact}", "exact", "", "")?;
        }
        results.into_iter().try_for_each(|result| row(f, result))?;
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
