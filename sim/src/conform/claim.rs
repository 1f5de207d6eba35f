//! One vector of a file, whatever its syntax.

use super::case::ConformCase;
use super::flags::Flags;
use binade_spec::Word;
use binade_stimulus::{Place, join};
use smallvec::SmallVec;

/// Codes, one for each lane of the ports in order, the lowest lane of a port first. Those of most units are stored in place.
pub type Codes = SmallVec<[u128; 4]>;

/// What a file claims for one set of operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The operands.
    pub operands: Codes,
    /// The results, without flags.
    pub results: Codes,
    /// The exception flags, if the file has any.
    pub flags: Option<Flags>,
}

impl Claim {
    /// The words of the operands' ports, which have these lanes.
    pub fn words(&self, lanes: &[Place]) -> Vec<Word> {
        join(lanes, &self.operands.iter().map(|&code| Word::from(code)).collect::<Vec<_>>())
    }
}

/// The content of one line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimLine {
    /// Nothing: it is blank, or a heading.
    Blank,
    /// A vector.
    Claim {
        /// The number of its case, to pass to [`Syntax::case`].
        case: usize,
        /// The vector.
        claim: Claim,
    },
    /// A vector that is not judged, and why.
    LeftOut(String),
}

/// Reads the lines of a file.
pub trait Syntax: Sync {
    /// Reads one line.
    ///
    /// # Errors
    /// What is wrong with the line, in words.
    fn read(&self, line: &str) -> Result<ClaimLine, String>;

    /// The case with a number that `read` returned.
    fn case(&self, number: usize) -> ConformCase;
}

/// A code in hexadecimal digits, without a prefix.
pub(super) fn hex(digits: &str) -> Option<u128> {
    let mut code: u128 = 0;
    for &digit in digits.as_bytes() {
        let value = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            b'A'..=b'F' => digit - b'A' + 10,
            _ => return None,
        };
        if code >> 124 != 0 {
            return None;
        }
        code = code << 4 | u128::from(value);
    }
    (!digits.is_empty()).then_some(code)
}

/// Whether a code fits into `width` bits.
pub(super) fn fits(code: u128, width: u32) -> bool {
    width >= u128::BITS || code >> width == 0
}
