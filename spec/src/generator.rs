//! Generators of pseudorandom words.

use crate::rounding::{by_name, named};
use crate::{Port, StateWord, WordKind};
use serde::Serialize;
use std::{fmt, str::FromStr};

/// The algorithm of a generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Generator {
    /// A 16-bit linear feedback shift register that shifts by the word size.
    #[default]
    Lfsr16,
    /// A 32-bit one.
    Lfsr32,
    /// xoshiro128++ by Blackman and Vigna ("Scrambled linear pseudorandom number generators", 2021).
    #[serde(rename = "xoshiro128++")]
    Xoshiro128,
}

impl Generator {
    /// Bits of the state.
    pub fn state_bits(self) -> u32 {
        match self {
            Generator::Lfsr16 => 16,
            Generator::Lfsr32 => 32,
            Generator::Xoshiro128 => 128,
        }
    }

    /// The most bits of a word.
    pub fn most_bits(self) -> u32 {
        self.state_bits().min(32)
    }

    /// The tap positions of a shift register, counted from 1: the exponents of a primitive polynomial.
    pub fn taps(self) -> Option<[u32; 4]> {
        match self {
            Generator::Lfsr16 => Some([16, 15, 13, 4]),
            Generator::Lfsr32 => Some([32, 22, 2, 1]),
            Generator::Xoshiro128 => None,
        }
    }

    /// The state after a reset: the first bits of the fraction of pi.
    pub fn reset(self) -> u128 {
        0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344 >> (128 - self.state_bits())
    }

    /// The period of words of this many bits.
    pub fn period(self, bits: u32) -> u128 {
        let states = u128::MAX >> (128 - self.state_bits());
        match self.taps() {
            Some(_) => states / greatest_common_divisor(states, bits.into()),
            None => states,
        }
    }

    /// The ports that seed it.
    pub(crate) fn ports(self) -> [Port; 2] {
        [
            Port::word("seed", self.state_bits() - 1, WordKind::Seed),
            Port::word("load", 1, WordKind::Bit("the next state is the seed")),
        ]
    }

    /// Its state.
    pub(crate) fn state(self) -> StateWord {
        let (width, reset) = (self.state_bits(), self.reset());
        StateWord { name: "state", width, lanes: 1, kind: WordKind::Generated, reset }
    }
}

named! {
    /// All generators, the smallest first.
    Generator { Lfsr16: "lfsr16", Lfsr32: "lfsr32", Xoshiro128: "xoshiro128++" }
}

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
