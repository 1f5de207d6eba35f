//! Bits of words.

use binade_spec::Word;
use binade_spec::word::field;

/// The bits of a port: a [`Word`] of any width, or an integer for up to 128 bits.
pub trait Bits {
    /// The `width` bits from `low` up, at most 128.
    fn field(&self, low: u32, width: u32) -> u128;
}

impl Bits for Word {
    fn field(&self, low: u32, width: u32) -> u128 {
        field(self, low, width)
    }
}

impl Bits for u128 {
    fn field(&self, low: u32, width: u32) -> u128 {
        let bits = self >> low;
        if width == u128::BITS { bits } else { bits & ((1 << width) - 1) }
    }
}

/// The limbs of a word.
impl Bits for &[u64] {
    fn field(&self, low: u32, width: u32) -> u128 {
        let limb = |at: usize| u128::from(self.get(at).copied().unwrap_or(0));
        let (first, shift) = ((low / u64::BITS) as usize, low % u64::BITS);
        let bits = limb(first) | limb(first + 1) << u64::BITS;
        let bits = if shift == 0 { bits } else { bits >> shift | limb(first + 2) << (u128::BITS - shift) };
        bits.field(0, width)
    }
}
