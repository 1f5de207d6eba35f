//! What the end of a header's formula says of results: `to nearest, ties to even; overflow to infinity`.

use super::number::{Number, Ratio};
use binade_golden::Codec;
use binade_spec::{Format, Sign};
use std::cmp::Ordering;

/// The widest formats whose values are listed.
const LISTED_BITS: u32 = 12;

/// How results are rounded, as a header has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Not rounded.
    Exact,
    Nearest,
    TowardZero,
    Up,
    Down,
    Odd,
    Stochastic,
    Mptorch,
    Port,
}

/// What becomes of a result beyond the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// The largest value.
    Largest,
    /// Infinity, or what the format has in its place.
    Infinity,
    /// One of both, as the rounding has it.
    AsRounded,
    /// NaR above maxpos, zero below half of minpos.
    NoReal,
    /// The largest value, and what is not zero never becomes zero.
    NeverZero,
}

/// What a header says of an output.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub direction: Direction,
    /// Of finite results.
    pub beyond: Beyond,
    /// Of infinite ones.
    pub infinite: Beyond,
    /// Whether a NaN is said to become the largest value, where the format has none.
    pub nan_is_largest: bool,
    /// Whether results below zero are said to become NaN or zero, in a format without a sign that does not saturate.
    pub below_zero: bool,
    /// What is said to stand in the place of infinity, in a float.
    pub infinity: Option<Place>,
}

/// What results become that are infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Infinity,
    Nan,
}

/// The sentences about roundings.
const DIRECTIONS: [(&str, Direction); 10] = [
    ("exact", Direction::Exact),
    ("to nearest, ties to even", Direction::Nearest),
    ("to nearest, ties away from zero", Direction::Nearest),
    ("toward zero", Direction::TowardZero),
    ("toward +infinity", Direction::Up),
    ("toward -infinity", Direction::Down),
    ("to odd", Direction::Odd),
    ("as the MPTorch software does", Direction::Mptorch),
    ("in the direction that rm chooses", Direction::Port),
    ("stochastically", Direction::Stochastic),
];

impl Direction {
    pub fn read(words: &str) -> Option<Direction> {
        let is_it = |(text, _): &&(&str, Direction)| match *text {
            "stochastically" => words.starts_with("stochastically with "),
            text => words == text,
        };
        DIRECTIONS.iter().find(is_it).map(|(_, direction)| *direction)
    }

    /// The direction of a vector, whose value of `rm` is given.
    pub fn chosen(self, rm: u64) -> Direction {
        match (self, rm & 7) {
            (Direction::Port, 1) => Direction::TowardZero,
            (Direction::Port, 2) => Direction::Down,
            (Direction::Port, 3) => Direction::Up,
            (Direction::Port, _) => Direction::Nearest,
            (other, _) => other,
        }
    }
}

/// The end of a sentence about formats without a sign.
const BELOW_ZERO: &str = ", results below zero to NaN, or to 0 if they round to it";

/// The sentences about results beyond the range: what becomes of finite ones, and of infinite ones.
const SENTENCES: [(&str, Beyond, Beyond); 25] = [
    ("overflow to the largest finite value, infinities to NaN-infinity", Beyond::Largest, Beyond::Infinity),
    ("saturated beyond the range, NaN to 0", Beyond::Largest, Beyond::Largest),
    ("saturated beyond the range, NaN to the largest value", Beyond::Largest, Beyond::Largest),
    ("never to zero or NaR", Beyond::NeverZero, Beyond::NoReal),
    ("zero below minpos/2, NaR above maxpos", Beyond::NoReal, Beyond::NoReal),
    ("overflow to the largest finite value", Beyond::Largest, Beyond::Infinity),
    ("overflow as the rounding requires, to the largest finite value or infinity", Beyond::AsRounded, Beyond::Infinity),
    ("overflow as the rounding requires, to the largest finite value or NaN", Beyond::AsRounded, Beyond::Infinity),
    (
        "overflow as the rounding requires, to the largest finite value or NaN-infinity",
        Beyond::AsRounded,
        Beyond::Infinity,
    ),
    ("overflow and infinities to NaN", Beyond::Infinity, Beyond::Infinity),
    ("overflow and infinities to NaN-infinity", Beyond::Infinity, Beyond::Infinity),
    ("overflow to the largest finite value, infinities to NaN", Beyond::Largest, Beyond::Infinity),
    ("overflow and infinities to the largest finite value", Beyond::Largest, Beyond::Largest),
    ("overflow to the largest finite value, infinities stay", Beyond::Largest, Beyond::Infinity),
    ("overflow to the outermost number", Beyond::Largest, Beyond::Infinity),
    ("overflow as the rounding requires, to the outermost number or infinity", Beyond::AsRounded, Beyond::Infinity),
    ("overflow to infinity", Beyond::Infinity, Beyond::Infinity),
    ("overflow to the outermost number, infinities stay", Beyond::Largest, Beyond::Infinity),
    ("overflow and infinities to the outermost number", Beyond::Largest, Beyond::Largest),
    // Without infinite operands.
    ("overflow to NaN", Beyond::Infinity, Beyond::Infinity),
    ("overflow to NaN-infinity", Beyond::Infinity, Beyond::Infinity),
    // Where nothing overflows.
    ("infinities to NaN", Beyond::Infinity, Beyond::Infinity),
    ("infinities to NaN-infinity", Beyond::Infinity, Beyond::Infinity),
    ("infinities to the largest finite value", Beyond::Largest, Beyond::Largest),
    ("infinities to the outermost number", Beyond::Largest, Beyond::Largest),
];

impl Claim {
    pub fn read(direction: Direction, sentence: &str) -> Option<Claim> {
        let known = sentence.strip_suffix(BELOW_ZERO).unwrap_or(sentence);
        let (text, beyond, infinite) = *SENTENCES.iter().find(|(text, ..)| *text == known)?;
        let infinity = match () {
            () if text.ends_with(" to infinity")
                || text.ends_with(" or infinity")
                || text.ends_with("infinities stay") =>
            {
                Some(Place::Infinity)
            }
            () if text.ends_with(" NaN") || text.ends_with(" NaN-infinity") => Some(Place::Nan),
            () => None,
        };
        Some(Claim {
            direction,
            beyond,
            infinite,
            nan_is_largest: text.ends_with("NaN to the largest value"),
            below_zero: known != sentence,
            infinity,
        })
    }

    /// Elements of blocks, for which a sentence of their own says what they become.
    pub fn of_elements(direction: Direction) -> Claim {
        let (beyond, infinite) = (Beyond::Largest, Beyond::Largest);
        Claim { direction, beyond, infinite, nan_is_largest: false, below_zero: false, infinity: None }
    }
}

/// The values of a format that results can have.
pub struct Values {
    format: Format,
    /// The magnitudes of each sign in ascending order; none for wide formats.
    listed: Option<[Vec<Ratio>; 2]>,
    smallest: Ratio,
    largest: [Option<Ratio>; 2],
}

impl Values {
    pub fn new(format: Format) -> Values {
        let ratio = |code| match Number::from(format.decode(code)) {
            Number::Ratio(ratio) => Some(ratio),
            _ => None,
        };
        let listed = (format.width() <= LISTED_BITS).then(|| {
            let all: Vec<Ratio> = (0..1_u128 << format.width()).filter_map(ratio).collect();
            [false, true].map(|negative| {
                let mut of_sign: Vec<Ratio> = all.iter().filter(|ratio| ratio.negative == negative).cloned().collect();
                of_sign.sort_by(Ratio::compare);
                of_sign
            })
        });
        let largest = match &listed {
            Some(both) => both.each_ref().map(|of_sign| of_sign.last().cloned()),
            None => [false, true].map(|negative| ratio(format.code(negative, format.max_magnitude(negative)))),
        };
        let smallest = match &listed {
            Some([above, _]) => above[0].clone(),
            None => ratio(format.smallest_code()).expect("a format has a smallest value"),
        };
        Values { format, listed, smallest, largest }
    }

    /// Whether a claim allows this result, which is exact before it is rounded, to become this code.
    pub fn allow(&self, claim: &Claim, exact: &Number, code: u128) -> bool {
        let got = Number::from(self.format.decode(code));
        match exact {
            Number::Nan => self.is_nan(claim, &got, code),
            Number::Zero { negative } => self.is_zero(&got, *negative),
            Number::Infinite { negative } => self.is_infinite(claim, *negative, &got),
            Number::Ratio(ratio) if ratio.negative && self.format.sign() == Sign::Unsigned => {
                self.is_below_zero(claim, ratio, &got)
            }
            Number::Ratio(ratio) => self.is_rounded(claim, ratio, &got),
        }
    }

    /// Whether a code is an infinity.
    pub fn is_infinite_code(&self, code: u128) -> bool {
        matches!(Number::from(self.format.decode(code)), Number::Infinite { .. })
    }

    fn has_nan(&self) -> bool {
        self.format.nan_code().is_some()
    }

    /// NaN in a format without NaN is +0; where the header says so, the largest value.
    fn is_nan(&self, claim: &Claim, got: &Number, code: u128) -> bool {
        match (self.has_nan(), claim.nan_is_largest) {
            (true, _) => matches!(got, Number::Nan),
            (false, true) => code == self.format.max_code(),
            (false, false) => matches!(got, Number::Zero { negative: false }),
        }
    }

    /// Where there is no zero, the smallest value takes its place; where zero has no sign, all are +0.
    fn is_zero(&self, got: &Number, negative: bool) -> bool {
        match got {
            Number::Zero { .. } if self.format.ignores_sign_of_specials() => true,
            Number::Zero { negative: sign } => *sign == (negative && self.format.has_minus_zero()),
            Number::Ratio(ratio) => {
                self.format.to_string().starts_with("e8m0") && ratio.compare(&self.smallest) == Ordering::Equal
            }
            Number::Nan | Number::Infinite { .. } => false,
        }
    }

    fn is_largest(&self, negative: bool, got: &Number) -> bool {
        match (&self.largest[usize::from(negative)], got) {
            (Some(largest), Number::Ratio(ratio)) => {
                ratio.negative == negative && ratio.compare(largest) == Ordering::Equal
            }
            (None, got) => self.is_zero(got, negative),
            _ => false,
        }
    }

    /// Infinity, or what the table of docs/semantics.md has in its place: NaN in `fn` formats, e8m0 and DLFloat16, NaR in posits, else the
    /// largest value.
    fn is_substitute(&self, claim: &Claim, negative: bool, got: &Number) -> bool {
        if let (Format::Float(_), Some(place)) = (self.format, claim.infinity) {
            return match got {
                Number::Infinite { negative: sign } => place == Place::Infinity && *sign == negative,
                Number::Nan => place == Place::Nan,
                _ => false,
            };
        }
        let name = self.format.to_string();
        let has_infinity = match self.format {
            Format::Codebook(codebook) => codebook.infinity(negative).is_some(),
            Format::Float(_) | Format::Posit(_) | Format::Fixed(_) => self.format.infinity_code().is_some(),
        };
        match got {
            Number::Infinite { negative: sign } => has_infinity && *sign == negative,
            Number::Nan => {
                let is_nan = name.contains("fn") || name.starts_with("e8m0") || name.starts_with("dlfloat");
                !has_infinity && (is_nan || self.format.posit().is_some())
            }
            _ => !has_infinity && !self.is_substitute(claim, negative, &Number::Nan) && self.is_largest(negative, got),
        }
    }

    fn is_infinite(&self, claim: &Claim, negative: bool, got: &Number) -> bool {
        if negative && self.format.sign() == Sign::Unsigned {
            let becomes_nan = claim.infinite == Beyond::Infinity && claim.beyond != Beyond::Largest && self.has_nan();
            let may_be_nan = becomes_nan || claim.below_zero && self.has_nan() || self.may_be_nan(claim);
            return self.is_zero(got, true) || matches!(got, Number::Nan) && may_be_nan;
        }
        match claim.infinite {
            Beyond::Largest => self.is_largest(negative, got),
            Beyond::NoReal => matches!(got, Number::Nan),
            Beyond::Infinity | Beyond::AsRounded | Beyond::NeverZero => self.is_substitute(claim, negative, got),
        }
    }

    /// Toward zero, results beyond the range are the largest value, and infinities are not.
    fn may_be_nan(&self, claim: &Claim) -> bool {
        claim.direction == Direction::TowardZero && claim.infinite == Beyond::Infinity && self.has_nan()
    }

    /// A result below zero in a format without a sign: zero if it saturates or is rounded up, else NaN.
    fn is_below_zero(&self, claim: &Claim, exact: &Ratio, got: &Number) -> bool {
        let is_up = matches!(claim.direction, Direction::TowardZero | Direction::Up);
        let saturates = claim.beyond == Beyond::Largest && !is_up || claim.infinite == Beyond::Largest;
        let saturates = saturates && !claim.below_zero;
        let may_vanish = exact.compare(&self.smallest) == Ordering::Less;
        match got {
            Number::Nan => !saturates && !is_up,
            got => self.is_zero(got, true) && (saturates || is_up || may_vanish || !self.has_nan()),
        }
    }

    fn is_rounded(&self, claim: &Claim, exact: &Ratio, got: &Number) -> bool {
        let negative = exact.negative;
        let Some(largest) = &self.largest[usize::from(negative)] else { return self.is_zero(got, negative) };
        if exact.compare(largest) == Ordering::Greater {
            return self.is_beyond(claim, exact, got);
        }
        if claim.beyond == Beyond::NoReal && exact.compare(&self.smallest.times(-1)) == Ordering::Less {
            return self.is_zero(got, negative);
        }
        match got {
            Number::Ratio(ratio) => ratio.negative == negative && self.is_neighbour(claim, exact, ratio),
            Number::Zero { negative: sign } => {
                let keeps = self.is_zero(got, negative) || claim.direction == Direction::Mptorch && !sign;
                let is_low = exact.compare(self.smallest_of(negative)) == Ordering::Less;
                let is_up = claim.direction == if negative { Direction::Down } else { Direction::Up };
                let flushes = self.format.float().is_some_and(|float| !float.underflows_gradually());
                keeps && is_low && claim.beyond != Beyond::NeverZero && (!is_up || flushes)
            }
            Number::Nan | Number::Infinite { .. } => false,
        }
    }

    fn smallest_of(&self, negative: bool) -> &Ratio {
        match &self.listed {
            Some(both) => both[usize::from(negative)].first().unwrap_or(&self.smallest),
            None => &self.smallest,
        }
    }

    /// A magnitude beyond the largest one. Up to four times that, it may be rounded to it.
    fn is_beyond(&self, claim: &Claim, exact: &Ratio, got: &Number) -> bool {
        let negative = exact.negative;
        let is_largest = self.is_largest(negative, got);
        let largest = self.largest[usize::from(negative)].as_ref().expect("there is a largest value");
        let may_stay = exact.over_at_most(largest, 2);
        let is_outward = claim.direction == if negative { Direction::Down } else { Direction::Up };
        let is_inward = matches!(claim.direction, Direction::Up | Direction::Down) && !is_outward;
        match claim.beyond {
            _ if claim.direction == Direction::Exact => false,
            Beyond::Largest | Beyond::NeverZero => is_largest,
            Beyond::NoReal => matches!(got, Number::Nan),
            Beyond::AsRounded | Beyond::Infinity if is_inward || claim.direction == Direction::TowardZero => {
                claim.beyond == Beyond::AsRounded && is_largest
            }
            Beyond::AsRounded if claim.direction == Direction::Odd => {
                is_largest || self.is_substitute(claim, negative, got)
            }
            Beyond::AsRounded | Beyond::Infinity => {
                self.is_substitute(claim, negative, got) || is_largest && may_stay && !is_outward
            }
        }
    }

    /// Whether a value is next to a magnitude within the range: the nearest one if results are rounded so.
    fn is_neighbour(&self, claim: &Claim, exact: &Ratio, got: &Ratio) -> bool {
        if claim.direction == Direction::Exact {
            return exact.compare(got) == Ordering::Equal;
        }
        let Some(both) = &self.listed else { return self.is_near(exact, got) };
        let line = &both[usize::from(exact.negative)];
        let above = line.partition_point(|value| value.compare(exact) == Ordering::Less);
        let is = |value: Option<&Ratio>| value.is_some_and(|value| value.compare(got) == Ordering::Equal);
        if line.get(above).is_some_and(|value| value.compare(exact) == Ordering::Equal) {
            return is(line.get(above));
        }
        let below = above.checked_sub(1).and_then(|below| line.get(below));
        match claim.direction {
            Direction::TowardZero => is(below) || below.is_none() && is(line.first()) && !self.has_zero_below(claim),
            Direction::Up | Direction::Down => {
                let is_outward = (claim.direction == Direction::Down) == exact.negative;
                if is_outward {
                    is(line.get(above))
                } else {
                    is(below) || below.is_none() && is(line.first()) && !self.has_zero_below(claim)
                }
            }
            Direction::Exact => unreachable!("it is compared above"),
            Direction::Nearest | Direction::Odd | Direction::Stochastic | Direction::Mptorch | Direction::Port => {
                is(below) || is(line.get(above))
            }
        }
    }

    fn has_zero_below(&self, claim: &Claim) -> bool {
        claim.beyond != Beyond::NeverZero
            && self.format.posit().is_none()
            && !self.format.to_string().starts_with("e8m0")
    }

    /// In a wide format: within a factor of two.
    fn is_near(&self, exact: &Ratio, got: &Ratio) -> bool {
        let is_small = exact.compare(&self.smallest) == Ordering::Less;
        is_small || exact.over_at_most(got, 1) && got.over_at_most(exact, 1)
    }
}

impl Ratio {
    /// Whether the magnitude is below `other * 2^exponent`.
    fn over_at_most(&self, other: &Ratio, exponent: i32) -> bool {
        self.compare(&other.times(exponent)) == Ordering::Less
    }
}
