//! `binade decode` and `binade encode`: explain one value; several go to [`crate::numbers`].

use crate::failure::Failure;
use crate::formats::decimal;
use crate::names::named;
use crate::namesakes;
use crate::numbers::{STDIN, Way, code_of, decode, encode};
use crate::output;
use crate::settings::refused;
use crate::verify::{code, whole};
use binade_golden::{Codec, Codes, Literal, LiteralError, Policy};
use binade_spec::{Format, Overflow, PositRange, Rounding};
use clap::Args;
use serde::Serialize;

#[derive(Args, Debug)]
#[command(after_help = "\
Explains one code. Several codes, or codes on standard input (-), give their values, one per line.

Examples:
  binade decode e5m2b1 0x7d
  binade decode e5m2b1 0x7d 0x7e 0x80 --csv
  binade decode e4m3fn - --in bytes --out f32le < weights.bin > weights.f32")]
pub struct DecodeArguments {
    /// Number format
    format: Format,
    /// Codes: hexadecimal (0x..), binary (0b..) or decimal; - is standard input
    #[arg(required = true, value_name = "CODE", allow_negative_numbers = true)]
    codes: Vec<String>,
    /// How codes are encoded on standard input: text, one per line; or little-endian bytes, the fewest of 1, 2, 4, 8 and 16 that hold a
    /// code
    #[arg(long = "in", value_name = "KIND", default_value = "text")]
    input: decode::Input,
    /// How values are printed: text, one per line; or binary32 or binary64, little-endian, rounded to nearest
    #[arg(long, value_name = "KIND", conflicts_with_all = ["json", "csv"])]
    out: Option<decode::Binary>,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON; several codes give one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Explains one value. Several values, or values on standard input (-), give their codes, one per line,
and error figures on stderr: errors are computed in binary64, overflows are finite numbers above the
largest value.

Examples:
  binade encode e5m2b1 0.3
  binade encode e5m2b1 '1.5*2^16'
  binade encode binary16 --round rup -- -1e-3
  binade encode e4m3fn 0.1 0.2 0x1.8p3 --csv
  binade encode e4m3fn - --in f32le --out bytes < weights.f32 > weights.bin")]
pub struct EncodeArguments {
    /// Number format
    format: Format,
    /// Value: 0.1, -3e-5, 1.75*2^14, 0x1.8p3, inf or nan; - is standard input
    #[arg(allow_hyphen_values = true)]
    value: String,
    /// More values (after -- if they begin with - and are not plain numbers)
    #[arg(value_name = "VALUE", allow_negative_numbers = true)]
    more: Vec<String>,
    /// How numbers are encoded on standard input
    #[arg(long = "in", value_name = "KIND", default_value = "text")]
    input: encode::Input,
    /// Print codes as little-endian bytes, the fewest of 1, 2, 4, 8 and 16 that hold a code
    #[arg(long, value_name = "KIND", conflicts_with_all = ["json", "csv"])]
    out: Option<encode::Binary>,
    /// Rounding: rne, rna, rtz, rup, rdn, rto, rnu, mptorch, or sr1 to sr32 [default: rne, for DLFloat16 rnu]
    #[arg(long)]
    round: Option<Rounding>,
    /// Random integer for stochastic rounding of one value, below 2^k
    #[arg(long, value_name = "R", value_parser = code::<u64>)]
    rand: Option<u64>,
    /// Seed of the random integers for several values
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// What values beyond the largest finite one become
    #[arg(long, default_value = "inf", value_parser = named::<Overflow>(&Overflow::ALL.map(Overflow::name)))]
    overflow: Overflow,
    /// What values beyond the ends of a posit become
    #[arg(long, default_value = "saturate", value_name = "RANGE", value_parser = named::<PositRange>(&PositRange::ALL.map(PositRange::name)))]
    posit_range: PositRange,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON; several values give one object per line
    #[arg(long)]
    json: bool,
}

/// A code and its value.
#[derive(Serialize)]
struct Code {
    code: String,
    /// Sign, exponent field and trailing significand in binary.
    fields: String,
    value: String,
    /// In decimal, if binary64 represents it exactly.
    decimal: Option<f64>,
}

/// A code with its two neighbours.
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
        let [toward_zero, away_from_zero] =
            Codes::new(*format).neighbours(code).map(|neighbour| neighbour.map(|code| Code::new(format, code)));
        Explanation { format: format.to_string(), code: Code::new(format, code), toward_zero, away_from_zero }
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
    let &DecodeArguments { ref format, ref codes, input, out, csv, json } = arguments;
    namesakes::say([*format]);
    match codes.as_slice() {
        [word] if word != STDIN && input == decode::Input::Text && out.is_none() && !csv => {
            let code = code_of(format, word).map_err(Failure::Usage)?;
            show(&Explanation::new(format, code), json)
        }
        words => {
            let output = decode::Output::new(out, csv, json);
            decode::run(&decode::Request { format: *format, words, input, output })
        }
    }
}

pub fn run_encode(arguments: &EncodeArguments) -> Result<(), Failure> {
    let &EncodeArguments { format, ref value, ref more, input, out, csv, json, .. } = arguments;
    namesakes::say([format]);
    if more.is_empty() && value != STDIN && input == encode::Input::Text && out.is_none() && !csv {
        return explain_encoding(arguments);
    }
    if arguments.rand.is_some() {
        return Err(Failure::Usage(
            "--rand is for one value; for several, --seed determines the random integers".into(),
        ));
    }
    let EncodeArguments { round: rounding, overflow, posit_range, seed, .. } = *arguments;
    let words: Vec<String> = std::iter::once(value).chain(more).cloned().collect();
    let (way, output) = (Way { rounding, overflow, posit_range }, encode::Output::new(out, csv, json));
    encode::run(&encode::Request { format, way, seed, words: &words, input, output })
}

fn explain_encoding(arguments: &EncodeArguments) -> Result<(), Failure> {
    let format = &arguments.format;
    let literal: Literal = arguments.value.parse().map_err(|error: LiteralError| {
        let is_code = arguments.value.starts_with("0x") || arguments.value.starts_with("0b");
        let decode = if is_code { "; `binade decode` takes codes" } else { "" };
        Failure::Usage(format!("{error}{decode}"))
    })?;
    let rounding = arguments.round.unwrap_or(format.default_rounding());
    format.check_rounding(rounding).map_err(refused)?;
    let (overflow, posit_range) = (arguments.overflow, arguments.posit_range);
    format.check_range(overflow, posit_range).map_err(refused)?;
    let policy = Policy { rounding, overflow, posit_range, random: random(rounding, arguments.rand)? };
    show(&Explanation::new(format, format.encode_literal(&literal, &policy)), arguments.json)
}

/// The random integer for a rounding that takes one.
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
