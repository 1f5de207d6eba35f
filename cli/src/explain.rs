//! `binade decode` and `binade encode`: one value, explained.

use crate::failure::Failure;
use crate::formats::decimal;
use crate::output;
use crate::selection::named;
use crate::verify::code;
use binade_golden::{Codec, Literal, Policy};
use binade_spec::{Format, Overflow, PositRange, Rounding};
use clap::Args;
use serde::Serialize;

#[derive(Args, Debug)]
#[command(after_help = "Example: binade decode e5m2b1 0x7d")]
pub struct DecodeArguments {
    /// Number format
    format: Format,
    /// Code: hexadecimal (0x..), binary (0b..) or decimal
    #[arg(value_parser = code::<u128>)]
    code: u128,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  binade encode e5m2b1 0.3\n  binade encode e5m2b1 '1.5*2^16'\n  \
                        binade encode binary16 --round rup -- -1e-3")]
pub struct EncodeArguments {
    /// Number format
    format: Format,
    /// Value: 0.1, -3e-5, 1.75*2^14, inf or nan (a negative one after --)
    #[arg(allow_hyphen_values = true)]
    value: Literal,
    /// Rounding: rne, rna, rtz, rup, rdn, rto, rnu, mptorch, or sr1 to sr32 [default: rne, for DLFloat16 rnu]
    #[arg(long)]
    round: Option<Rounding>,
    /// The random integer of stochastic rounding, below 2^k
    #[arg(long, value_name = "R", value_parser = code::<u64>)]
    rand: Option<u64>,
    /// What values beyond the largest finite one become
    #[arg(long, default_value = "inf", value_parser = named::<Overflow>(&Overflow::ALL.map(Overflow::name)))]
    overflow: Overflow,
    /// What values beyond the ends of a posit become
    #[arg(long, default_value = "saturate", value_name = "RANGE", value_parser = named::<PositRange>(&PositRange::ALL.map(PositRange::name)))]
    posit_range: PositRange,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A code and what it stands for.
#[derive(Serialize)]
struct Code {
    code: String,
    /// Sign, exponent field and trailing significand in binary.
    fields: String,
    value: String,
    /// In decimal, if binary64 holds it.
    decimal: Option<f64>,
}

/// A code with those on either side of it.
#[derive(Serialize)]
struct Explanation {
    format: String,
    #[serde(flatten)]
    code: Code,
    /// The next code toward zero.
    toward_zero: Option<Code>,
    /// The next code away from zero.
    away_from_zero: Option<Code>,
}

impl Code {
    fn new(format: &Format, code: u128) -> Code {
        let value = format.decode(code);
        Code { code: format.hex(code), fields: format.fields(code), value: value.to_string(), decimal: decimal(value) }
    }

    fn line(&self) -> String {
        let decimal = self.decimal.map(|number| format!(" = {number}")).unwrap_or_default();
        format!("{}  {}  {}{decimal}", self.code, self.fields, self.value)
    }
}

impl Explanation {
    fn new(format: &Format, code: u128) -> Explanation {
        let magnitude = format.magnitude(code);
        let negative = code & format.sign_mask() != 0;
        let neighbour = |magnitude: u128| {
            let code = if magnitude == 0 { format.zero_code(negative) } else { format.code(negative, magnitude) };
            Some(Code::new(format, code))
        };
        let is_number = !format.is_nan(code) && magnitude <= format.max_code();
        // Below the smallest magnitude there is zero, if the format has it; codes that are flushed are none.
        let smallest = format.min_code();
        let toward_zero = if magnitude == smallest { 0 } else { magnitude.saturating_sub(1) };
        Explanation {
            format: format.to_string(),
            code: Code::new(format, code),
            toward_zero: if is_number && magnitude > 0 && magnitude >= smallest {
                neighbour(toward_zero)
            } else {
                None
            },
            away_from_zero: if is_number && magnitude < format.max_code() {
                neighbour(smallest.max(magnitude + 1))
            } else {
                None
            },
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n  code            {}", self.format, self.code.line());
        for (name, code) in [("toward zero", &self.toward_zero), ("away from zero", &self.away_from_zero)] {
            if let Some(code) = code {
                text.push_str(&format!("\n  {name:<15} {}", code.line()));
            }
        }
        text
    }
}

pub fn run_decode(arguments: &DecodeArguments) -> Result<(), Failure> {
    let (format, code) = (&arguments.format, arguments.code);
    if format.width() < u128::BITS && code >> format.width() != 0 {
        return Err(Failure::Usage(format!("{code:#x} is no code of {format}, which has {} bits", format.width())));
    }
    show(&Explanation::new(format, code), arguments.json)
}

pub fn run_encode(arguments: &EncodeArguments) -> Result<(), Failure> {
    let format = &arguments.format;
    let rounding = arguments.round.unwrap_or(format.default_rounding());
    format.check_rounding(rounding).map_err(|error| Failure::Usage(error.to_string()))?;
    let (overflow, posit_range) = (arguments.overflow, arguments.posit_range);
    format.check_range(overflow, posit_range).map_err(|error| Failure::Usage(error.to_string()))?;
    let policy = Policy { rounding, overflow, posit_range, random: random(rounding, arguments.rand)? };
    show(&Explanation::new(format, format.encode_literal(&arguments.value, &policy)), arguments.json)
}

/// The random integer that a rounding takes.
fn random(rounding: Rounding, given: Option<u64>) -> Result<u64, Failure> {
    let usage = |message| Err(Failure::Usage(message));
    match (rounding.random_bits(), given) {
        (0, None) => Ok(0),
        (0, Some(_)) => usage(format!("--rand is for stochastic rounding (--round sr8); {rounding} takes none")),
        (bits, None) => usage(format!("--round {rounding} needs its random integer: --rand, below 2^{bits}")),
        (bits, Some(random)) if random >> bits != 0 => {
            usage(format!("--rand {random}: {rounding} takes less than 2^{bits}"))
        }
        (_, Some(random)) => Ok(random),
    }
}

fn show(explanation: &Explanation, json: bool) -> Result<(), Failure> {
    output::print(&if json { output::json(explanation) } else { explanation.text() })
}
