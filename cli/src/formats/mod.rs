//! `binade formats`: lists the formats, describes one, or compares several.

mod comparison;
mod description;

use crate::failure::Failure;
use crate::output;
use crate::verify::code;
use binade_spec::alias::{AMBIGUOUS_FORMATS, FORMAT_ALIASES};
use binade_spec::{Format, known_formats};
use clap::Args;
use comfy_table::{Table, presets};
pub use description::decimal;
use description::{describe, description_text};
use serde::Serialize;
use std::str::FromStr;

#[derive(Args, Debug)]
#[command(after_help = "\
Names (w 2..15, t 0..112, 128 bits in all; posits n 3..64, es 0..5):
  e<w>m<t>             IEEE 754 encoding, w exponent and t trailing significand bits
  ...n  ...ns          subnormals flushed to zero; no subnormals (field 0 is a binade)
  ...fn  ...f          finite with one NaN (OCP E4M3); finite only (OCP MX)
  ...b<L>[u<U>][,sat]  supernormal: L binades below, U above hold a power of two
                       a code; sat: no infinity
  k<K>p<P>{se,sf,ue,uf}[ns]
                       IEEE P3109: K bits, precision P, signed or unsigned,
                       extended or finite
  posit<n>_<es>        posit, also posit<n,es>, p<n>e<es>; posit<n> has es 2
  bposit<n>_<rs>_<es>  b-posit: a regime of up to rs bits; bposit<n> has rs 6, es 5
  takum_linear<n>      linear takum, n 6..64
  [u]fixed<n>_<f>      fixed point of n bits, f of them fraction; u: without a sign
  [u]int<n>            integers, 2 to 64 bits
  e8m0                 OCP MX scale: powers of two
  <name>,bias=<B>      any of the floats with another bias
  <name>,scale=2^<k>   any format, its values times 2^k
  1/<e>/<p>/d, ../n    with subnormals, flushed
  binary16 bfloat16 tf32 binary32 binary64 binary128 dlfloat16
Names are case-insensitive. The list ends with the aliases of formats.

Examples:
  binade formats e5m2b1
  binade formats e4m3 e4m3fn float8_e4m3fnuz posit8
  binade formats binary16 --codes 0x3c00..0x3c10 --csv")]
pub struct Arguments {
    /// The format to explain, or several to compare; without one, list all formats
    #[arg(value_name = "NAME")]
    names: Vec<Format>,
    /// Show this range of codes of one format, ends included [default: all, up to 8 bits]
    #[arg(long, value_name = "FIRST..LAST", requires = "names")]
    codes: Option<CodeRange>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print CSV: the list, the codes of one format, or the comparison of several
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// A range of codes, both ends included.
#[derive(Clone, Copy, Debug)]
struct CodeRange {
    first: u128,
    last: u128,
}

/// The most codes in one table.
const MOST_CODES: u128 = 1 << 20;

impl FromStr for CodeRange {
    type Err = String;

    fn from_str(text: &str) -> Result<CodeRange, String> {
        let (first, last) = text.split_once("..").ok_or("a range of codes is expected, such as 0x3c00..0x3c10")?;
        let range = CodeRange { first: code(first)?, last: code(last)? };
        if range.first > range.last {
            return Err("the first code is not above the last one".into());
        }
        if range.last - range.first >= MOST_CODES {
            return Err(format!("up to {MOST_CODES} codes are shown at a time"));
        }
        Ok(range)
    }
}

impl CodeRange {
    fn check(&self, format: &Format) -> Result<(), Failure> {
        if format.width() < u128::BITS && self.last >> format.width() != 0 {
            let (last, width) = (self.last, format.width());
            return Err(Failure::Usage(format!("--codes: {last:#x} is no code of {format}, which has {width} bits")));
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Entry {
    name: String,
    bits: u32,
    about: &'static str,
    /// Accepted aliases.
    aliases: &'static [&'static str],
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { codes, json, csv, .. } = *arguments;
    let text = match arguments.names.as_slice() {
        [] if json => output::plain_json(&list()),
        [] if csv => list_csv(),
        [] => list_text(),
        [format] => {
            codes.map_or(Ok(()), |codes| codes.check(format))?;
            match (json, csv) {
                (true, _) => output::json(&describe(format, codes)),
                (_, true) => description::csv(format, codes)?,
                (false, false) => description_text(format, codes),
            }
        }
        _ if codes.is_some() => return Err(Failure::Usage("--codes is for one format".into())),
        formats => comparison::text(formats, json, csv),
    };
    output::print(&text)
}

/// The aliases of a format, as listed.
fn aliases(name: &str) -> &'static [&'static str] {
    FORMAT_ALIASES.iter().find(|(canonical, _)| *canonical == name).map_or(&[], |(_, aliases)| *aliases)
}

fn list() -> Vec<Entry> {
    let entry = |(format, about): (Format, _)| {
        let name = format.to_string();
        Entry { bits: format.width(), about, aliases: aliases(&name), name }
    };
    known_formats().into_iter().map(entry).collect()
}

fn list_csv() -> String {
    let rows = list()
        .into_iter()
        .map(|entry| vec![entry.name, entry.bits.to_string(), entry.about.to_string(), entry.aliases.join(" ")]);
    output::csv(&["format", "bits", "about", "aliases"], rows)
}

fn list_text() -> String {
    let mut formats = Table::new();
    formats.load_style(presets::NOTHING).set_header(["format", "bits", "what it is"]);
    for entry in list() {
        formats.add_row([entry.name, entry.bits.to_string(), entry.about.into()]);
    }
    let mut others = Table::new();
    others.load_style(presets::NOTHING).set_header(["format", "other names"]);
    for (name, aliases) in FORMAT_ALIASES {
        others.add_row([name.to_string(), aliases.join(" ")]);
    }
    let mut text = format!("{formats}\n\n{others}\n\nAmbiguous names, which are not accepted:\n");
    for (names, meanings) in AMBIGUOUS_FORMATS {
        text.push_str(&format!(" {}: {}\n", names.join(" "), meanings.join(" or ")));
    }
    text + "\nMany more names are understood: `binade formats --help` shows the patterns."
}
