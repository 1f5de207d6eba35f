//! Stochastic rounding of binary32: random bits are added to the bits right below the code, and all below these are dropped.
//!
//! The *place* of a number among the codes of a format is the code of its magnitude, with a fraction. Places of numbers that have one
//! exponent in binary32 are on a line. Lines are measured with the golden model: the fraction of a number says how many random words round
//! it up. A format whose places are on other curves is noticed, since some results are compared with the golden model.

use binade_golden::Model;
use binade_spec::{Format, Operation, Rounding};
use rayon::prelude::*;

/// The trailing significand bits of binary32, and the exponent fields of its finite numbers.
const TRAILING: u32 = 23;
const FIELDS: u32 = 255;

/// The fraction bits of a place, and the most random bits.
const FRACTION: u32 = 24;

/// The widest codes. A place has up to 40 bits, and its product with a trailing significand 63.
const MOST_CODE_BITS: u32 = 16;

/// A stochastic rounding of binary32.
pub struct Stochastic {
    random_bits: u32,
    /// The lines of all exponent fields.
    lines: Vec<Line>,
    /// The results by the codes of their magnitudes, and last that of numbers beyond the largest: positive and negative.
    results: [Vec<u16>; 2],
    infinite: [u16; 2],
    nan: [u16; 2],
}

/// The places of numbers with one exponent: that of the first one, and how much it is to that of the next exponent.
#[derive(Clone, Copy)]
struct Line {
    first: u64,
    length: u64,
}

impl Stochastic {
    /// `None` for other conversions, for formats with wide codes, and for those whose places are not on lines.
    pub fn of(model: &Model) -> Option<Stochastic> {
        let Operation { operand, result, rounding, .. } = *model.operation();
        let Rounding::Sr(random_bits) = rounding else { return None };
        let has_places = result.float().is_some() || result.posit().is_some();
        if operand != Format::binary32() || !has_places || result.width() > MOST_CODE_BITS || random_bits > FRACTION {
            return None;
        }
        let places = Places::of(model.operation());
        let lines = (0..FIELDS).into_par_iter().map(|field| places.line(field)).collect();
        let both = |magnitude: u32| [magnitude, magnitude | 1 << 31].map(|number| rounded(model, number, 0));
        let all = (1 << random_bits) - 1;
        let overflow = [0, 1 << 31].map(|sign| rounded(model, f32::MAX.to_bits() | sign, all));
        let results = [false, true].map(|negative| {
            let code = |magnitude: u128| if negative { result.negated(magnitude) } else { magnitude };
            let codes = (1..=result.max_code()).map(code).map(|code| code as u16);
            let zero = result.zero_code(negative) as u16;
            [zero].into_iter().chain(codes).chain([overflow[usize::from(negative)]]).collect()
        });
        let [infinite, nan] = [f32::INFINITY, f32::NAN].map(|number| both(number.to_bits()));
        let way = Stochastic { random_bits, lines, results, infinite, nan };
        way.is_right(model).then_some(way)
    }

    /// The random bits of a number.
    pub fn random_bits(&self) -> u32 {
        self.random_bits
    }

    /// The code of a number, rounded with these random bits.
    #[inline(always)]
    pub fn result(&self, number: u32, random: u64) -> u16 {
        let (sign, magnitude) = ((number >> 31) as usize, number & 0x7fff_ffff);
        let results = &self.results[sign];
        if magnitude >= 0x7f80_0000 {
            return if magnitude == 0x7f80_0000 { self.infinite[sign] } else { self.nan[sign] };
        }
        if magnitude == 0 {
            return results[0];
        }
        let line = self.lines[(magnitude >> TRAILING) as usize];
        let place = line.first + ((line.length * u64::from(magnitude & ((1 << TRAILING) - 1))) >> TRAILING);
        let code = ((place >> (FRACTION - self.random_bits)) + random) >> self.random_bits;
        results[(code as usize).min(results.len() - 1)]
    }

    /// Whether some results with each exponent are those of the golden model.
    fn is_right(&self, model: &Model) -> bool {
        let all = (1_u64 << self.random_bits) - 1;
        let is_right = |number: u32| {
            [0, all, all / 3].into_iter().all(|random| self.result(number, random) == rounded(model, number, random))
        };
        (0..2 * (FIELDS + 1)).into_par_iter().all(|field| {
            let trailing = [0, 1, 0x12_3456, 0x2a_aaaa, 0x40_0000, 0x55_5555, 0x7f_fffe, 0x7f_ffff];
            trailing.into_iter().all(|trailing| is_right(field << TRAILING | trailing))
        })
    }
}

/// The code of a number that is rounded with these random bits.
fn rounded(model: &Model, number: u32, random: u64) -> u16 {
    model.first_result(&[number.into(), random.into()]) as u16
}

/// The places of positive numbers.
struct Places {
    /// The rounding with all fraction bits.
    model: Model,
    largest: u64,
    /// Places from this one on are not known.
    limit: u64,
}

impl Places {
    fn of(operation: &Operation) -> Places {
        let model = Model::new(&Operation { rounding: Rounding::Sr(FRACTION), ..*operation });
        let largest = operation.result.max_code() as u64;
        let saturates = u64::from(rounded(&model, f32::MAX.to_bits(), 0)) <= largest;
        let limit = if saturates { largest } else { largest + 1 };
        Places { model, largest, limit: limit << FRACTION }
    }

    /// The code of the magnitude that a number is rounded to, one more than the largest for all others.
    fn magnitude(&self, number: u32, random: u64) -> u64 {
        u64::from(rounded(&self.model, number, random)).min(self.largest + 1)
    }

    /// The place of a number.
    fn place(&self, number: u32) -> u64 {
        let below = self.magnitude(number, 0);
        // The number is rounded up from this random word on: the fraction and the word are 1 or more.
        let (mut low, mut high) = (1, 1 << FRACTION);
        while low < high {
            let middle = u64::midpoint(low, high);
            if self.magnitude(number, middle) > below { high = middle } else { low = middle + 1 }
        }
        (below << FRACTION) + (1 << FRACTION) - low
    }

    /// The line of an exponent field.
    fn line(&self, field: u32) -> Line {
        let start = field << TRAILING;
        let inside = |part: &u32| self.place(start | 1 << (TRAILING - part));
        let first = match field {
            // Zero is on no line if other numbers are not rounded to zero.
            0 if self.place(1) != inside(&1) => 0,
            0 => self.place(1),
            _ => self.place(start),
        };
        let known = (1..=TRAILING).map(|part| (part, inside(&part))).find(|(_, place)| *place < self.limit);
        let length = known.map_or(0, |(part, place)| place.saturating_sub(first) << part);
        Line { first, length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::{Selection, Unit};

    fn way(format: &str, random_bits: u32) -> Option<Stochastic> {
        let selection = Selection::new(Unit::Encode, format.parse().expect("a format"));
        let rounding = Some(Rounding::Sr(random_bits));
        let operation = Selection { rounding, ..selection }.operation().expect("an operation");
        Stochastic::of(&Model::new(&operation))
    }

    #[test]
    fn what_is_on_lines() {
        for format in ["e5m2", "e4m3fn", "e5m2b1", "k8p3se", "posit8_2", "posit16_1"] {
            assert!(way(format, 8).is_some(), "{format}");
        }
        for (format, random_bits) in
            [("e5m2", 25), ("e5m2n", 8), ("bposit16_6_3", 8), ("posit32_2", 8), ("binary32", 8), ("int8", 8)]
        {
            assert!(way(format, random_bits).is_none(), "{format} sr{random_bits}");
        }
    }

    #[test]
    fn places_of_e2m1f() {
        let selection = Selection::new(Unit::Encode, "e2m1f".parse().expect("a format"));
        let operation = Selection { rounding: Some(Rounding::Sr(4)), ..selection }.operation().expect("an operation");
        let places = Places::of(&operation);
        let place = |number: f32| places.place(number.to_bits()) as f64 / f64::from(1 << FRACTION);
        for (number, wanted) in [(0.25, 0.5), (0.5, 1.0), (1.25, 2.5), (2.0, 4.0), (3.5, 5.5), (5.0, 6.5), (6.0, 7.0)] {
            assert_eq!(place(number), wanted, "{number}");
        }
        let line = places.line(128);
        assert_eq!([line.first, line.length], [4 << FRACTION, 2 << FRACTION]);
    }
}
