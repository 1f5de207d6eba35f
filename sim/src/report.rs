//! What a verification found.

use crate::scoreboard::Counterexample;
use binade_golden::{Format, Operation};
use serde::Serialize;
use std::fmt;

/// The outcome of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    pub module: String,
    /// What was checked, in words.
    pub scope: String,
    /// Vectors that were evaluated: all of the scope, unless there was a mismatch.
    pub checked: u64,
    /// Time of the check, without building the model.
    pub seconds: f64,
    /// Vectors a second.
    pub rate: f64,
    /// Time to build the model, or to load it from the cache.
    pub build_seconds: f64,
    /// Whether the model came from the cache.
    pub cached: bool,
    pub seed: u64,
    /// Simulator and version.
    pub tool: String,
    pub mismatch: Option<Mismatch>,
}

/// A vector on which the unit is wrong, explained.
#[derive(Clone, Debug, Serialize)]
pub struct Mismatch {
    /// Number of the vector in the run.
    pub index: u64,
    #[serde(skip)]
    codes: Vec<u64>,
    pub operands: Vec<Explained>,
    pub got: Explained,
    pub want: Explained,
    /// Steps between the codes got and wanted, if both are finite.
    pub ulps: Option<u64>,
}

/// A code with what it stands for.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    pub name: String,
    pub format: String,
    /// Hexadecimal.
    pub code: String,
    /// Sign, exponent field and trailing significand in binary.
    pub fields: String,
    pub value: String,
}

impl Explained {
    fn new(name: &str, format: &Format, code: u64) -> Explained {
        Explained {
            name: name.into(),
            format: format.to_string(),
            code: format.hex(code),
            fields: format.fields(code),
            value: format.decode(code).to_string(),
        }
    }
}

impl Mismatch {
    pub(crate) fn new(operation: &Operation, found: Counterexample) -> Mismatch {
        let result = &operation.result;
        let ports = operation.inputs();
        Mismatch {
            index: found.index,
            codes: found.operands.clone(),
            operands: ports
                .iter()
                .zip(&found.operands)
                .map(|(port, &code)| Explained::new(port.name, &port.format, code))
                .collect(),
            got: Explained::new("got", result, found.got),
            want: Explained::new("want", result, found.want),
            ulps: ulps(result, found.got, found.want),
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
        let magnitude = code & format.magnitude_mask();
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
        match self.ulps {
            Some(0) => write!(f, "  the same value, but not the same code"),
            Some(ulps) => write!(f, "  off by {ulps} ulp"),
            None if self.got.value == self.want.value => write!(f, "  the same value, but not the same code"),
            None => write!(f, "  not both finite"),
        }
    }
}
