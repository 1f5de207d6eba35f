//! The options that choose vectors.

use crate::failure::Failure;
use binade_sim::{Choice, Plan};
use binade_spec::{Operation, Word};
use clap::Args;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

#[derive(Args, Clone, Debug)]
pub struct VectorOptions {
    /// Check all input combinations (the default up to 2^24 of them; else directed and random vectors)
    #[arg(long, conflicts_with_all = ["vectors", "replay"])]
    exhaustive: bool,
    /// Check this many vectors, up to half of them directed, the others random
    #[arg(long, value_name = "N", conflicts_with = "replay", allow_negative_numbers = true, value_parser = whole)]
    pub vectors: Option<u64>,
    /// Seed of the random vectors; `random` draws a new one and prints it
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = seed)]
    pub seed: u64,
    /// Check one vector: the operands' codes, such as 0x7d,0x3c,0x1234; for a unit with state, a sequence from a reset, separated by
    /// slashes, such as 0x3c,1/0x42,0
    #[arg(long, value_name = "CODES", value_delimiter = '/', value_parser = vector)]
    replay: Vec<Vector>,
}

/// The codes of all operands.
#[derive(Clone, Debug)]
struct Vector(Vec<Word>);

/// Parses comma-separated codes.
fn vector(text: &str) -> Result<Vector, String> {
    text.split(',').map(code::<Word>).collect::<Result<_, _>>().map(Vector)
}

/// Parses a whole number.
pub fn whole(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "").to_lowercase();
    let (digits, zeros) = plain.split_once('e').unwrap_or((&plain, "0"));
    let power = zeros.parse().ok().and_then(|zeros| 10_u64.checked_pow(zeros));
    let number = digits.parse().ok().zip(power).and_then(|(digits, power): (u64, _)| digits.checked_mul(power));
    number.ok_or_else(|| format!("a whole number up to {} is expected, such as 1000000, 1_000_000 or 1e6", u64::MAX))
}

/// Parses whole seconds, at least `LEAST`.
pub fn seconds<const LEAST: u32>(text: &str) -> Result<u32, String> {
    let seconds = text.parse().ok().filter(|&seconds| seconds >= LEAST);
    seconds.ok_or_else(|| format!("a whole number of seconds from {LEAST} on is expected, such as 10"))
}

/// Parses a seed: a whole number, or `random` for a new one.
fn seed(text: &str) -> Result<u64, String> {
    if text == "random" { Ok(RandomState::new().build_hasher().finish()) } else { whole(text) }
}

/// Parses a code in hexadecimal (0x..), binary (0b..) or decimal.
pub fn code<C: TryFrom<Word>>(text: &str) -> Result<C, String> {
    let text = text.trim().to_lowercase();
    let (digits, radix) = match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => (text.as_str(), 10),
    };
    let is_number = digits.chars().all(|digit| digit.is_digit(radix));
    let word = Word::parse_bytes(digits.as_bytes(), radix).filter(|_| is_number);
    let code = word.and_then(|word| C::try_from(word).ok());
    code.ok_or_else(|| "a code is a number such as 0x3c, 0b00111100 or 60".into())
}

impl VectorOptions {
    pub fn plan(&self, operation: &Operation) -> Result<Plan, Failure> {
        Plan::new(operation, self.choice(), self.seed).map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The choice of vectors that the user made.
    pub fn choice(&self) -> Choice {
        match (self.exhaustive, self.vectors, self.replay.as_slice()) {
            (true, _, _) => Choice::Exhaustive,
            (_, Some(count), _) => Choice::Sample(count),
            (_, _, []) => Choice::Default,
            (_, _, vectors) => Choice::Replay(vectors.iter().map(|Vector(codes)| codes.clone()).collect()),
        }
    }
}
