//! Codebooks: formats whose values are listed, code by code.

use crate::{Class, Family, FormatError, Overflow, Rounding, Sign};
use serde::{Serialize, Serializer};
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The most bits of a code.
pub const MOST_CODEBOOK_BITS: u32 = 8;

/// The most digits between the last one of a value and the first of the next.
const MOST_DISTANCE: i32 = 100;

/// All codebooks created so far, each once.
static KNOWN: LazyLock<Mutex<Vec<&'static Listing>>> = LazyLock::new(Mutex::default);

/// What a code of a codebook stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Listed {
    /// 0, or -0.
    Zero {
        /// Whether it is -0.
        negative: bool,
    },
    /// `(-1)^negative * n * 2^k`, with an odd `n`.
    Number {
        /// Whether it is less than zero.
        negative: bool,
        /// The odd part of its magnitude.
        n: u64,
        /// The power of two in its magnitude.
        k: i32,
    },
    /// An infinity.
    Infinity {
        /// Whether it is -infinity.
        negative: bool,
    },
    /// Not a number.
    Nan,
}

impl Listed {
    /// Whether it has a minus sign.
    pub fn is_negative(self) -> bool {
        match self {
            Listed::Zero { negative } | Listed::Number { negative, .. } | Listed::Infinity { negative } => negative,
            Listed::Nan => false,
        }
    }

    /// floor(log2) of the magnitude of a nonzero number.
    pub fn exponent(self) -> Option<i32> {
        match self {
            Listed::Number { n, k, .. } => Some(k + n.ilog2() as i32),
            Listed::Zero { .. } | Listed::Infinity { .. } | Listed::Nan => None,
        }
    }

    /// The digits from the last one of a number to the first of a larger one.
    fn distance(low: Listed, high: Listed) -> i32 {
        match low {
            Listed::Number { k, .. } => high.exponent().unwrap_or(k) - k,
            Listed::Zero { .. } | Listed::Infinity { .. } | Listed::Nan => 0,
        }
    }

    /// log2 of the step to a larger magnitude, if it is a power of two that divides this magnitude.
    fn step(self, larger: Listed) -> Option<i32> {
        let Listed::Number { n, k, .. } = larger else { return None };
        match self {
            Listed::Zero { .. } => (n == 1).then_some(k),
            Listed::Number { n: own, k: of_own, .. } => {
                let unit = k.min(of_own);
                let step = (u128::from(n) << (k - unit)) - (u128::from(own) << (of_own - unit));
                let exponent = unit + step.trailing_zeros() as i32;
                (step.is_power_of_two() && exponent <= of_own).then_some(exponent)
            }
            Listed::Infinity { .. } | Listed::Nan => None,
        }
    }

    /// A number that ascends with the magnitudes of values that are not NaN.
    fn key(self) -> (i32, u64) {
        match self {
            Listed::Zero { .. } | Listed::Nan => (i32::MIN, 0),
            Listed::Number { n, k, .. } => (k + n.ilog2() as i32, n << n.leading_zeros()),
            Listed::Infinity { .. } => (i32::MAX, 0),
        }
    }
}

/// What makes a codebook: a name and the value of each code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The name, without a hash.
    pub name: String,
    /// Whether it comes along with the program. The names of others end with a hash of their values.
    pub is_standard: bool,
    /// A line about it.
    pub about: String,
    /// Bits of a code.
    pub bits: u32,
    /// The rounding that units use unless another one is selected.
    pub rounding: Rounding,
    /// The value of each code.
    pub values: Vec<Listed>,
    /// The place of infinity on the line of magnitudes, as an odd number times a power of two: results from halfway to it are infinite. Each
    /// format with infinities has one.
    pub place_of_infinity: Option<(u64, i32)>,
    /// The codes without or with a minus sign: zero, numbers with ascending magnitudes, infinity.
    lines: [Vec<u8>; 2],
}

/// A codebook: the value of each code is listed. There are at most 8 bits, one zero or two, and at most one infinity of each sign; the other
/// values differ. A *magnitude code* is the place of a value among those of its sign, from zero up, so magnitude codes ascend with magnitudes,
/// while codes may be in any order, and the magnitudes of the two signs may differ. All copies of a codebook share one listing, which is kept
/// until the process ends.
#[derive(Clone, Copy, Debug)]
pub struct Codebook(&'static Listing);

impl PartialEq for Codebook {
    fn eq(&self, other: &Codebook) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Codebook {}

impl Hash for Codebook {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.values.hash(state);
    }
}

impl Serialize for Codebook {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            base_name: &'a str,
            hash: String,
            bits: u32,
            values: Vec<String>,
        }
        let values = self.values.iter().map(ToString::to_string).collect();
        Fields { base_name: &self.name, hash: format!("{:08x}", self.definition_hash()), bits: self.bits, values }
            .serialize(serializer)
    }
}

impl std::fmt::Display for Listed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        match self {
            Listed::Zero { .. } => write!(f, "{sign}0"),
            Listed::Number { n, k: 0, .. } => write!(f, "{sign}{n}"),
            Listed::Number { n, k, .. } => write!(f, "{sign}{n}*2^{k}"),
            Listed::Infinity { .. } => write!(f, "{sign}inf"),
            Listed::Nan => f.write_str("nan"),
        }
    }
}

impl std::ops::Deref for Codebook {
    type Target = Listing;

    fn deref(&self) -> &Listing {
        self.0
    }
}

impl Codebook {
    /// The codebook with these values, one for each code.
    ///
    /// # Errors
    /// When the values are no codebook; the message is a predicate that says why.
    pub fn new(listing: Listing) -> Result<Codebook, FormatError> {
        let mut listing = listing;
        listing.lines = lines(&listing.values)?;
        listing.check()?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().copied().find(|other| other.is_same(&listing));
        let listing = found.unwrap_or_else(|| {
            let listing: &'static Listing = Box::leak(Box::new(listing));
            known.push(listing);
            listing
        });
        Ok(Codebook(listing))
    }

    /// The codebook with this canonical name, if it was created in this process.
    pub fn called(name: &str) -> Option<Codebook> {
        let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().copied().map(Codebook).find(|codebook| codebook.systematic_name() == name)
    }

    /// The listing that all copies share.
    pub fn listing(&self) -> &'static Listing {
        self.0
    }

    /// The value of a code.
    pub fn value(&self, code: u128) -> Listed {
        self.values[code as usize]
    }

    /// The class of a code that is not NaN.
    pub fn class_of(&self, code: u128) -> Class {
        match self.value(code) {
            Listed::Zero { .. } => Class::Zero,
            Listed::Number { .. } => Class::Listed,
            Listed::Infinity { .. } => Class::Infinity,
            Listed::Nan => Class::Nan,
        }
    }

    /// The value at a place of the line of a sign, if there is one.
    pub fn value_at(&self, negative: bool, magnitude: u128) -> Option<Listed> {
        let code = self.lines[usize::from(negative)].get(usize::try_from(magnitude).ok()?)?;
        Some(self.values[usize::from(*code)])
    }

    /// The number of places of the line of a sign: zero, and the numbers.
    pub fn finite_places(&self, negative: bool) -> u128 {
        let line = &self.lines[usize::from(negative)];
        (line.len() - usize::from(self.infinity(negative).is_some())) as u128
    }

    /// Whether each step from a magnitude to the next is a power of two, and the magnitude a multiple of it: then the digits below the place of
    /// the step are the part of the way. The place of infinity is the last one.
    pub fn has_binary_steps(&self) -> bool {
        [false, true].into_iter().all(|negative| {
            let steps = self.max_magnitude(negative) + u128::from(self.infinity(negative).is_some());
            (0..steps).all(|place| self.step(negative, place).is_some())
        })
    }

    /// log2 of the step from a place of the line of a sign to the next one, if there is one and it is a binary step.
    pub fn step(&self, negative: bool, magnitude: u128) -> Option<i32> {
        let place = self.place_of_infinity.map(|(n, k)| Listed::Number { negative, n, k });
        let is_last = magnitude == self.max_magnitude(negative);
        let next = if is_last { place } else { self.value_at(negative, magnitude + 1) };
        Listed::step(self.value_at(negative, magnitude)?, next?)
    }

    /// The code of an infinity, if it exists.
    pub fn infinity(&self, negative: bool) -> Option<u128> {
        let code = *self.lines[usize::from(negative)].last()?;
        matches!(self.values[usize::from(code)], Listed::Infinity { .. }).then_some(code.into())
    }

    /// The code for an infinity, or for a result beyond the range: infinity, or the outermost number if there is none or results saturate.
    pub fn infinite_code(&self, negative: bool, overflow: Overflow) -> u128 {
        match self.infinity(negative) {
            Some(code) if overflow != Overflow::Saturate => code,
            Some(_) | None => self.code(negative, self.max_magnitude(negative)),
        }
    }

    /// The code of the zero of a sign, or of the only zero.
    pub fn zero(&self, negative: bool) -> u128 {
        self.lines[usize::from(negative)][0].into()
    }
}

impl Listing {
    /// A listing of these values, without a place of infinity.
    pub fn new(name: &str, bits: u32, values: Vec<Listed>) -> Listing {
        Listing {
            name: name.into(),
            is_standard: false,
            about: String::new(),
            bits,
            rounding: Rounding::Rne,
            values,
            place_of_infinity: None,
            lines: Default::default(),
        }
    }

    /// The same listing with other properties than its values.
    pub fn with(self, about: String, rounding: Rounding, place_of_infinity: Option<(u64, i32)>) -> Listing {
        Listing { about, rounding, place_of_infinity, ..self }
    }

    /// The same listing as one that comes along with the program.
    pub(crate) fn standard(self) -> Listing {
        Listing { is_standard: true, ..self }
    }

    /// Whether two listings are one format, whatever is said about it.
    fn is_same(&self, other: &Listing) -> bool {
        *self == Listing { about: self.about.clone(), ..other.clone() }
    }

    /// A hash of the width, the values, the place of infinity and the rounding (FNV-1a).
    pub fn definition_hash(&self) -> u32 {
        let values: Vec<String> = self.values.iter().map(ToString::to_string).collect();
        let text = format!("{} {} {:?} {}", self.bits, self.rounding, self.place_of_infinity, values.join(" "));
        text.bytes().fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }

    fn check(&self) -> Result<(), FormatError> {
        let refuse = |why: String| Err(FormatError(why));
        if !(2..=MOST_CODEBOOK_BITS).contains(&self.bits) || self.values.len() != 1 << self.bits {
            return refuse(format!("has {} bits; a codebook has 2 to {MOST_CODEBOOK_BITS}", self.bits));
        }
        let has_infinity = self.values.iter().any(|value| matches!(value, Listed::Infinity { .. }));
        match self.place_of_infinity {
            None if has_infinity => return refuse("has an infinity without a place".into()),
            Some(_) if !has_infinity => return refuse("has infinity_at, but no infinity".into()),
            Some((n, k)) => {
                let place = Listed::Number { negative: false, n, k };
                if let Some(value) =
                    self.values.iter().find(|value| value.exponent().is_some() && value.key() >= place.key())
                {
                    return refuse(format!("has the value {value}, which is not below the place of infinity, {place}"));
                }
            }
            None => {}
        }
        let place = self.place_of_infinity.map(|(n, k)| Listed::Number { negative: false, n, k });
        for line in &self.lines {
            let numbers =
                line.iter().map(|&code| self.values[usize::from(code)]).filter(|value| value.exponent().is_some());
            let numbers: Vec<Listed> = numbers.chain(place).collect();
            let far = numbers.windows(2).find(|pair| Listed::distance(pair[0], pair[1]) > MOST_DISTANCE);
            if let Some(&[low, high]) = far {
                return refuse(format!(
                    "has the neighbours {low} and {high}, which are too far apart: the binary digits of two neighbours span at most {MOST_DISTANCE} places"
                ));
            }
        }
        Ok(())
    }
}

/// The codes of each sign in the order of their magnitudes.
fn lines(values: &[Listed]) -> Result<[Vec<u8>; 2], FormatError> {
    let refuse = |why: String| Err(FormatError(why));
    let codes = |wanted: &dyn Fn(Listed) -> bool| -> Vec<u8> {
        let all = values.iter().enumerate().filter(|(_, value)| wanted(**value));
        all.map(|(code, _)| code as u8).collect()
    };
    let [plus_zero, minus_zero] = [false, true].map(|sign| codes(&|value| value == Listed::Zero { negative: sign }));
    let Some(&only) = plus_zero.first() else {
        return refuse("has no code with the value 0; a codebook has one".into());
    };
    let mut lines = [vec![only], vec![*minus_zero.first().unwrap_or(&only)]];
    for (negative, line) in [false, true].into_iter().zip(&mut lines) {
        let mut rest = codes(&|value| {
            matches!(value, Listed::Number { .. } | Listed::Infinity { .. }) && value.is_negative() == negative
        });
        rest.sort_by_key(|&code| values[usize::from(code)].key());
        line.extend(rest);
    }
    let mut once: Vec<Listed> = values.iter().copied().filter(|value| *value != Listed::Nan).collect();
    while let Some(value) = once.pop() {
        if once.contains(&value) {
            let same = codes(&|other| other == value);
            return refuse(format!("has two codes with the value {value}, {:#x} and {:#x}", same[0], same[1]));
        }
    }
    if lines[0].iter().all(|&code| values[usize::from(code)].exponent().is_none()) {
        return refuse("has no number above 0".into());
    }
    Ok(lines)
}

impl Family for Codebook {
    fn check(&self) -> Result<(), FormatError> {
        self.0.check()
    }

    fn exponents(&self) -> [i128; 2] {
        let exponents = || self.values.iter().filter_map(|value| value.exponent());
        [exponents().min().unwrap_or(0), exponents().max().unwrap_or(0)].map(i128::from)
    }

    fn largest_exponent(&self) -> i64 {
        let largest = self.value_at(false, self.max_code()).and_then(Listed::exponent);
        largest.unwrap_or(0).into()
    }

    fn width(&self) -> u32 {
        self.bits
    }

    fn sign(&self) -> Sign {
        if self.values.iter().any(|value| value.is_negative()) { Sign::Signed } else { Sign::Unsigned }
    }

    /// Bits of a place on the longer line.
    fn magnitude_bits(&self) -> u32 {
        let longest = self.lines.iter().map(Vec::len).max().unwrap_or(1);
        usize::BITS - (longest - 1).leading_zeros()
    }

    fn precision(&self) -> u32 {
        let bits = |value: &Listed| match value {
            Listed::Number { n, .. } => u64::BITS - n.leading_zeros(),
            Listed::Zero { .. } | Listed::Infinity { .. } | Listed::Nan => 1,
        };
        self.values.iter().map(bits).max().unwrap_or(1)
    }

    /// The place of the value; 0 for NaN.
    fn magnitude(&self, code: u128) -> u128 {
        let line = &self.lines[usize::from(self.value(code).is_negative())];
        line.iter().position(|&other| u128::from(other) == code).unwrap_or(0) as u128
    }

    /// Beyond the end of the line, the last code.
    fn code(&self, negative: bool, magnitude: u128) -> u128 {
        let line = &self.lines[usize::from(negative)];
        line[usize::try_from(magnitude).map_or(line.len() - 1, |place| place.min(line.len() - 1))].into()
    }

    /// The code of the negative value, or the code itself if that has none.
    fn negated(&self, code: u128) -> u128 {
        let wanted = match self.value(code) {
            Listed::Zero { negative } => Listed::Zero { negative: !negative },
            Listed::Number { negative, n, k } => Listed::Number { negative: !negative, n, k },
            Listed::Infinity { negative } => Listed::Infinity { negative: !negative },
            Listed::Nan => Listed::Nan,
        };
        match wanted {
            Listed::Nan => code,
            _ => self.values.iter().position(|value| *value == wanted).map_or(code, |code| code as u128),
        }
    }

    fn max_code(&self) -> u128 {
        self.finite_places(false) - 1
    }

    fn max_magnitude(&self, negative: bool) -> u128 {
        self.finite_places(negative) - 1
    }

    fn infinity_code(&self) -> Option<u128> {
        self.infinity(false)
    }

    fn nan_code(&self) -> Option<u128> {
        self.values.iter().position(|value| *value == Listed::Nan).map(|code| code as u128)
    }

    fn is_nan(&self, code: u128) -> bool {
        self.value(code) == Listed::Nan
    }

    fn has_minus_zero(&self) -> bool {
        self.values.contains(&Listed::Zero { negative: true })
    }

    fn classes(&self) -> &'static [Class] {
        &Class::CODEBOOK
    }

    fn class_of_magnitude(&self, magnitude: u128) -> Class {
        match magnitude {
            0 => Class::Zero,
            _ if magnitude > self.max_magnitude(false).max(self.max_magnitude(true)) => Class::Infinity,
            _ => Class::Listed,
        }
    }

    fn class_codes(&self, class: Class) -> Option<[u128; 2]> {
        match class {
            Class::Zero => Some([0, 0]),
            Class::Listed => Some([1, self.max_code()]),
            Class::Infinity => self.infinity(false).map(|_| [self.max_code() + 1; 2]),
            Class::Nan => self.nan_code().map(|code| [code; 2]),
            _ => None,
        }
    }

    fn summary(&self) -> String {
        let [above, below] = [false, true].map(|negative| self.finite_places(negative) - 1);
        let infinity = match [false, true].map(|negative| self.infinity(negative).is_some()) {
            [true, true] => "infinities",
            [true, false] => "+infinity",
            [false, true] => "-infinity",
            [false, false] => "no infinity",
        };
        let nan = if self.nan_code().is_some() { "NaN" } else { "no NaN" };
        let about = if self.about.is_empty() { String::new() } else { format!("{}; ", self.about) };
        format!(
            "codebook of {} bits, {about}{above} values above zero and {below} below; {infinity}; {nan}; definition {:08x}",
            self.bits,
            self.definition_hash()
        )
    }

    fn systematic_name(&self) -> String {
        if self.is_standard { self.name.clone() } else { format!("{}_{:08x}", self.name, self.definition_hash()) }
    }
}
