//! Words of any width: helpers in addition to [`binade_spec::word`].

use binade_spec::word::{limbs, write_limbs};
use binade_spec::{Port, Word};

/// Names of ports and their words, with all hexadecimal digits.
pub fn named(ports: &[Port], words: &[Word]) -> Vec<[String; 2]> {
    let code = |(port, word): (&Port, &Word)| {
        [port.name.into(), format!("0x{word:0digits$x}", digits = port.width().div_ceil(4) as usize)]
    };
    ports.iter().zip(words).map(code).collect()
}

/// The widths of ports.
pub fn widths(ports: &[Port]) -> impl Iterator<Item = u32> {
    ports.iter().map(Port::width)
}

/// The limbs of a vector's words.
pub(crate) fn side_by_side(ports: &[Port], words: &[Word]) -> Vec<u64> {
    let mut vector = vec![];
    for (port, word) in ports.iter().zip(words) {
        let start = vector.len();
        vector.resize(start + limbs(port.width()), 0);
        write_limbs(word, &mut vector[start..]);
    }
    vector
}

/// The mask of the top limb of a word of `width` bits.
pub fn top_mask(width: u32) -> u64 {
    match width % u64::BITS {
        0 if width > 0 => u64::MAX,
        bits => (1 << bits) - 1,
    }
}

/// `width` bits (1 to 64) of a word from `low` up.
pub fn bits_of_limbs(limbs: &[u64], low: u32, width: u32) -> u64 {
    let (limb, place) = ((low / u64::BITS) as usize, low % u64::BITS);
    let mut bits = limbs[limb] >> place;
    if place + width > u64::BITS {
        bits |= limbs[limb + 1] << (u64::BITS - place);
    }
    bits & u64::MAX >> (u64::BITS - width)
}

/// Writes `width` bits (1 to 64) into a word from `low` up, over zeros.
pub fn put_bits(limbs: &mut [u64], low: u32, width: u32, bits: u64) {
    let (limb, place) = ((low / u64::BITS) as usize, low % u64::BITS);
    limbs[limb] |= bits << place;
    if place + width > u64::BITS {
        limbs[limb + 1] |= bits >> (u64::BITS - place);
    }
}

/// Words in JSON, in hexadecimal like all codes.
pub mod hex {
    use binade_spec::Word;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Serializes words as strings.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(words: &[Word], serializer: S) -> Result<S::Ok, S::Error> {
        words.iter().map(|word| format!("{word:#x}")).collect::<Vec<_>>().serialize(serializer)
    }

    /// Deserializes words from strings.
    ///
    /// # Errors
    /// When a string is not a hexadecimal word.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Word>, D::Error> {
        let word = |text: String| {
            let digits = text.strip_prefix("0x").map(str::as_bytes);
            let word = digits.and_then(|digits| Word::parse_bytes(digits, 16));
            word.ok_or_else(|| Error::custom(format!("`{text}` is no hexadecimal word")))
        };
        Vec::<String>::deserialize(deserializer)?.into_iter().map(word).collect()
    }
}
