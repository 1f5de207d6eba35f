//! The codes of a port, side by side: numbers, and specials.

use crate::places::{Place, places};
use crate::vectors::corners::edges;
use binade_spec::word::limbs;
use binade_spec::{Class, Format, Port};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The codes of a port, numbers and specials.
pub(super) struct Operands {
    format: Format,
    places: Vec<Place>,
    /// The number of limbs of the port's word.
    pub limbs: usize,
    /// Edge codes of numbers, and of infinities and NaN.
    pub finite: Vec<u128>,
    pub specials: Vec<u128>,
}

impl Operands {
    pub fn new(port: Port) -> Operands {
        let format = port.format().expect("a port of codes");
        let (specials, finite) = edges(&format).into_iter().partition(|&code| is_special(&format, code));
        Operands { format, places: places(&[port]), limbs: limbs(port.width()), finite, specials }
    }

    pub fn finite_code(&self, random: &mut Xoshiro256PlusPlus) -> u128 {
        self.finite[random.random_range(0..self.finite.len())]
    }

    /// An infinity or NaN; the format must have one.
    pub fn special(&self, random: &mut Xoshiro256PlusPlus) -> u128 {
        self.specials[random.random_range(0..self.specials.len())]
    }

    /// A number for each lane.
    pub fn finite_codes(&self, random: &mut Xoshiro256PlusPlus) -> Vec<u128> {
        self.places.iter().map(|_| self.finite_code(random)).collect()
    }

    /// The code with the other sign, if there is one.
    pub fn negated(&self, code: u128) -> u128 {
        self.format.negated(code)
    }

    /// The code of the largest number.
    pub fn largest(&self) -> u128 {
        self.format.largest_code()
    }

    /// The number of codes on the port.
    pub fn lanes(&self) -> usize {
        self.places.len()
    }

    /// Writes the codes of all lanes into the limbs of a word.
    pub fn put(&self, codes: &[u128], word: &mut [u64]) {
        word.fill(0);
        self.places.iter().zip(codes).for_each(|(place, &code)| place.put(code, word));
    }

    /// Replaces infinities and NaNs by numbers.
    pub fn tame(&self, word: &mut [u64], random: &mut Xoshiro256PlusPlus) {
        let codes = self.places.iter().map(|place| place.low_bits_of(word));
        let tamed: Vec<u128> =
            codes.map(|code| if is_special(&self.format, code) { self.finite_code(random) } else { code }).collect();
        self.put(&tamed, word);
    }
}

/// Whether a code is an infinity or NaN.
fn is_special(format: &Format, code: u128) -> bool {
    matches!(format.class(code), Class::Infinity | Class::Nan | Class::SignalingNan)
}
