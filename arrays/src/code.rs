//! The element types of arrays.

use binade_spec::Format;

/// An element of an array: an unsigned integer with a code in its lowest bits, or a machine number, whose code is its IEEE 754 encoding.
pub trait Code: Copy + Send + Sync {
    /// Bits of an element.
    const BITS: u32;
    /// Whether an element can hold every code of `format`: an integer if it is wide enough, a machine number only for its own format.
    fn holds(format: &Format) -> bool;
    /// The code.
    fn word(self) -> u64;
    /// The element with this code; bits above the element's width are dropped.
    fn of(word: u64) -> Self;
}

macro_rules! integer {
    ($($integer:ty)*) => {$(
        impl Code for $integer {
            const BITS: u32 = <$integer>::BITS;

            fn holds(format: &Format) -> bool {
                format.width() <= <$integer>::BITS
            }

            #[inline(always)]
            fn word(self) -> u64 {
                self.into()
            }

            #[inline(always)]
            fn of(word: u64) -> $integer {
                word as $integer
            }
        }
    )*};
}

integer!(u8 u16 u32 u64);

impl Code for f32 {
    const BITS: u32 = 32;

    fn holds(format: &Format) -> bool {
        *format == Format::binary32()
    }

    #[inline(always)]
    fn word(self) -> u64 {
        self.to_bits().into()
    }

    #[inline(always)]
    fn of(word: u64) -> f32 {
        f32::from_bits(word as u32)
    }
}

impl Code for f64 {
    const BITS: u32 = 64;

    fn holds(format: &Format) -> bool {
        *format == Format::binary64()
    }

    #[inline(always)]
    fn word(self) -> u64 {
        self.to_bits()
    }

    #[inline(always)]
    fn of(word: u64) -> f64 {
        f64::from_bits(word)
    }
}

/// A read-only array of codes of any element type.
#[derive(Clone, Copy, Debug)]
pub enum Words<'a> {
    /// Elements of 8 bits.
    U8(&'a [u8]),
    /// Elements of 16 bits.
    U16(&'a [u16]),
    /// Elements of 32 bits.
    U32(&'a [u32]),
    /// Elements of 64 bits.
    U64(&'a [u64]),
}

impl Words<'_> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Words::U8(words) => words.len(),
            Words::U16(words) => words.len(),
            Words::U32(words) => words.len(),
            Words::U64(words) => words.len(),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of an element.
    #[inline(always)]
    pub(crate) fn word(&self, at: usize) -> u64 {
        match self {
            Words::U8(words) => words[at].word(),
            Words::U16(words) => words[at].word(),
            Words::U32(words) => words[at].word(),
            Words::U64(words) => words[at].word(),
        }
    }
}
