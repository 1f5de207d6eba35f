//! Corners: the operands where bugs of arithmetic units are likely.

use binade_golden::{Codec, Codes, Exact, Model, Value};
use binade_spec::{
    Class, Codebook, Content, Fixed, Float, Format, Operation, Overflow, Posit, RegimeCodes, Rounding, Unit,
};
use rand::{Rng, RngExt};

/// The code of 1, or of the nearest value.
pub(super) fn one(format: &Format) -> u128 {
    let one = Value::Finite(Exact { negative: false, n: 1, k: 0 });
    format.encode(one, format.default_rounding(), Overflow::Saturate)
}

/// Values worth trying on a lane: edges of a format's binades, or of a word of up to 128 bits.
pub(crate) fn lane_edges(content: Content) -> Vec<u128> {
    match content {
        Content::Code(format) => edges(&format),
        Content::Chosen { formats, .. } => {
            let mut all: Vec<u128> = formats.iter().flat_map(edges).collect();
            all.sort_unstable();
            all.dedup();
            all
        }
        Content::Word { width, .. } => edges_of_word(width),
    }
}

/// Every word of up to 4 bits; for wider words those with a single one or a single zero, or with a run of ones at
/// either end.
pub(super) fn edges_of_word(width: u32) -> Vec<u128> {
    if width <= 4 {
        return (0..1 << width).collect();
    }
    let ones = ones(width);
    let mut words: Vec<u128> =
        (0..width).flat_map(|bit| [1 << bit, ones ^ 1 << bit, ones >> bit, ones << bit & ones]).collect();
    words.push(0);
    words.sort_unstable();
    words.dedup();
    words
}

pub(super) fn ones(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// The most bits of an exponent field for which all its values are tried.
const ALL_FIELDS_BITS: u32 = 8;

/// The most significand bits for which every exponent difference is tried.
const ALL_DISTANCES_PRECISION: u32 = 32;

/// The most bits of a posit for which all exponents of a regime are tried, not only the lowest and the highest.
const ALL_EXPONENTS_BITS: u32 = 32;

/// Codes at the edges of every binade with both signs; for a fixed-point format, those around every power of two; every
/// code of a format of up to 8 bits. Wide exponent fields are sampled.
pub(super) fn edges(format: &Format) -> Vec<u128> {
    if format.width() <= 8 {
        return (0..1 << format.width()).collect();
    }
    match format {
        Format::Float(float) => codes(format, ordinary(float, fields(float).into_iter(), &trailing_edges(format)[..4])),
        Format::Posit(posit) => codes(format, posit_edges(posit)),
        Format::Fixed(fixed) => codes(format, fixed_edges(fixed)),
        Format::Codebook(_) => codes(format, (0..=format.max_code()).collect()),
    }
}

/// All exponent fields; for wide fields those near powers of two, near such below the top, near the middle, and some
/// more.
fn fields(float: &Float) -> Vec<u128> {
    let count = 1_u128 << float.exponent_bits;
    if float.exponent_bits <= ALL_FIELDS_BITS {
        return (0..count).collect();
    }
    let powers = (0..float.exponent_bits).map(|bit| 1_u128 << bit);
    let near = powers.flat_map(|power| (power - 1)..=power + 1);
    let middle = count / 2;
    let chosen = near.flat_map(|near| [near, count - 1 - near, middle.saturating_sub(near), middle + near]);
    let spread = (0..count).step_by((count / 64) as usize | 1);
    let mut fields: Vec<u128> = chosen.chain(spread).chain([0]).filter(|field| *field < count).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// Posit magnitudes of every regime and exponent, with fractions at their edges.
fn posit_edges(posit: &Posit) -> Vec<u128> {
    let mut magnitudes = vec![];
    for RegimeCodes { codes: [first, _], exponent_bits, fraction_bits, .. } in posit.regimes() {
        let fraction_ones = (1_u128 << fraction_bits) - 1;
        let last = (1_u128 << exponent_bits) - 1;
        let step = if posit.bits > ALL_EXPONENTS_BITS { last.max(1) } else { 1 };
        for exponent in (0..=last).step_by(step as usize) {
            let first = first | exponent << fraction_bits;
            magnitudes
                .extend([0, 1, fraction_ones >> 1, fraction_ones].map(|fraction| first | fraction & fraction_ones));
        }
    }
    magnitudes
}

/// Magnitudes around every power of two, around the midpoint to the next one, and at the ends.
fn fixed_edges(fixed: &Fixed) -> Vec<u128> {
    let near = |power: u128| [power - 1, power, power + 1, power | power >> 1, (power | power >> 1) - 1];
    let powers = (1..fixed.magnitude_bits()).flat_map(|bit| near(1 << bit));
    powers.chain(ends(fixed)).collect()
}

/// Magnitudes next to zero and to the largest one, including that of the lowest code.
fn ends(fixed: &Fixed) -> [u128; 6] {
    let largest = fixed.max_code();
    [0, 1, 2.min(largest), largest - 1, largest, fixed.max_magnitude(true).max(largest)]
}

/// Codes at the edges of the lowest, middle and highest binades; every code of a format of up to 6 bits.
pub(super) fn few_edges(format: &Format) -> Vec<u128> {
    if format.width() <= 6 {
        return (0..1 << format.width()).collect();
    }
    let float = match format {
        Format::Float(float) => float,
        Format::Posit(posit) => return codes(format, some_of(posit_edges(posit))),
        Format::Fixed(fixed) => {
            return codes(format, some_of(fixed_edges(fixed)).into_iter().chain(ends(fixed)).collect());
        }
        Format::Codebook(_) => return codes(format, some_of((0..=format.max_code()).collect())),
    };
    let top = (1_u128 << float.exponent_bits) - 1;
    let middle = top / 2;
    let near = |field: u128| field.saturating_sub(3)..=field + 1;
    let mut fields: Vec<u128> = near(2).chain(near(middle)).chain(near(top)).filter(|field| *field <= top).collect();
    fields.sort_unstable();
    fields.dedup();
    codes(format, ordinary(float, fields.into_iter(), &trailing_edges(format)))
}

/// About a hundred of them, an odd number of places apart, to include all kinds of fractions.
fn some_of(magnitudes: Vec<u128>) -> Vec<u128> {
    let step = (magnitudes.len() / 100) | 1;
    magnitudes.into_iter().step_by(step).collect()
}

/// Trailing significands at the edges; the first four are used in every binade.
fn trailing_edges(format: &Format) -> Vec<u128> {
    let ones = (1_u128 << trailing_bits(format)) - 1;
    let half = (ones >> 1) + 1;
    [0, ones, 1, half, half.saturating_sub(1), half + 1, ones.saturating_sub(1)].map(|trailing| trailing & ones).into()
}

/// The number of trailing significand bits, for a posit the most that it can have.
pub(super) fn trailing_bits(format: &Format) -> u32 {
    format.precision() - 1
}

/// Magnitudes with these fields.
fn ordinary(float: &Float, fields: impl Iterator<Item = u128>, trailing: &[u128]) -> Vec<u128> {
    fields.flat_map(|field| trailing.iter().map(move |trailing| field << float.trailing_bits | trailing)).collect()
}

/// The codes of these magnitudes and of zero with both signs.
pub(super) fn codes(format: &Format, magnitudes: Vec<u128>) -> Vec<u128> {
    let both =
        magnitudes.into_iter().chain([0]).flat_map(|magnitude| [false, true].map(|sign| format.code(sign, magnitude)));
    let mut codes: Vec<u128> = both.chain(format.nan_code()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The value halfway between a finite code and the next one in magnitude; for a fixed-point format, the next one in
/// value.
pub(super) fn midpoint(format: &Codes, code: u128) -> Option<Value> {
    match **format {
        Format::Float(_) => {}
        Format::Codebook(codebook) => return codebook_midpoint(format, &codebook, code),
        Format::Posit(posit) => return Some(posit_midpoint(&posit, code)),
        Format::Fixed(fixed) => return Some(half_ulp_above(&fixed, format.decode(code))),
    }
    let (low, high) = match (format.decode(code), format.decode(code + 1)) {
        (Value::Finite(low), Value::Finite(high)) => (low, high),
        (Value::Zero { .. }, Value::Finite(high)) => return Some(Value::Finite(Exact { k: high.k - 1, ..high })),
        _ => return None,
    };
    half_of_sum(low, high)
}

/// `None` if the sum takes more than 128 bits.
fn half_of_sum(low: Exact, high: Exact) -> Option<Value> {
    let k = low.k.min(high.k);
    let scaled = |x: Exact| {
        let shift = (x.k - k) as u32;
        (shift < x.n.leading_zeros()).then(|| x.n << shift)
    };
    let n = scaled(low)?.checked_add(scaled(high)?)?;
    Some(Value::Finite(Exact { negative: low.negative, n, k: k - 1 }))
}

/// The value halfway between a code of a codebook and its neighbour toward zero.
fn codebook_midpoint(format: &Codes, codebook: &Codebook, code: u128) -> Option<Value> {
    let own = match (format.decode(code), codebook.place_of_infinity) {
        (Value::Finite(own), _) => own,
        (Value::Infinite { negative }, Some((n, k))) => Exact { negative, n: n.into(), k },
        (Value::Zero { .. } | Value::Infinite { .. } | Value::Nan, _) => return None,
    };
    match format.decode(step(format, code, -1)) {
        Value::Finite(other) => half_of_sum(own, other),
        Value::Zero { .. } => Some(Value::Finite(Exact { k: own.k - 1, ..own })),
        Value::Infinite { .. } | Value::Nan => None,
    }
}

/// A value plus half an ulp.
fn half_ulp_above(fixed: &Fixed, value: Value) -> Value {
    let k = fixed.min_exponent() as i32 - 1;
    let (negative, n) = match value {
        Value::Finite(Exact { negative: true, n, .. }) => (true, 2 * n - 1),
        Value::Finite(Exact { n, .. }) => (false, 2 * n + 1),
        Value::Zero { .. } | Value::Infinite { .. } | Value::Nan => (false, 1),
    };
    Value::Finite(Exact { negative, n, k })
}

/// Values just beyond the range of a fixed-point format that [`midpoint`] does not return: below the lowest one, and
/// above the largest.
pub(super) fn just_beyond(fixed: &Fixed) -> Vec<Value> {
    let k = fixed.min_exponent() as i32 - 1;
    let beyond = |negative, halves| Value::Finite(Exact { negative, n: 2 * fixed.max_magnitude(negative) + halves, k });
    vec![beyond(true, 1), beyond(true, 2), beyond(false, 2)]
}

/// The tie between a posit and the next one in magnitude: the posit with one more bit between them.
fn posit_midpoint(posit: &Posit, code: u128) -> Value {
    let (narrow, wide) = (Format::from(*posit), Format::from(posit.with_one_bit_more()));
    let magnitude = narrow.magnitude(code);
    wide.decode(wide.code(code != magnitude, 2 * magnitude + 1))
}

/// A code, split into sign and magnitude.
struct Place<'f> {
    format: &'f Format,
    negative: bool,
    magnitude: u128,
    largest: u128,
}

impl Place<'_> {
    fn of(format: &Format, code: u128) -> Place<'_> {
        let negative = format.is_negative(code);
        let largest = if format.fixed().is_some() { format.max_magnitude(negative) } else { format.magnitude_mask() };
        Place { format, negative, magnitude: format.magnitude(code), largest }
    }

    /// The code `ulps` steps further from zero, limited to the format's codes.
    fn step(&self, ulps: i128) -> u128 {
        self.format.code(self.negative, self.magnitude.saturating_add_signed(ulps).min(self.largest))
    }
}

impl Place<'_> {
    /// The codes of a fixed-point format that are larger and smaller by a power of two, as far as they exist.
    fn scaled(&self, places: u32) -> [u128; 2] {
        let (larger, smaller) = (self.magnitude << places, self.magnitude >> places);
        [larger & self.largest, smaller].map(|magnitude| self.format.code(self.negative, magnitude))
    }
}

/// The code `ulps` steps further from zero, limited to the format's codes.
pub(super) fn step(format: &Format, code: u128, ulps: i128) -> u128 {
    Place::of(format, code).step(ulps)
}

/// A model that computes a product, plus zero, in the accumulator's format.
pub(super) fn product(operation: &Operation) -> Model {
    Model::new(&Operation::new(Unit::Fmac, operation.operand, operation.result))
}

/// Zeros, infinities, NaN, and the smallest and largest values.
pub(super) fn special_codes(format: &Format) -> Vec<u128> {
    let infinity = format.class_codes(Class::Infinity).map(|[infinity, _]| infinity);
    let magnitudes = [0, format.min_code(), format.max_code()].into_iter().chain(infinity);
    magnitudes
        .flat_map(|magnitude| [false, true].map(|sign| format.code(sign, magnitude)))
        .chain(format.nan_code())
        .collect()
}

/// Codes that meet `code` in an interesting way: within two ulps of it, with either sign, and at every exponent
/// difference up to where only the sticky bit remains, with edge and random trailing significands.
pub(super) fn related(format: &Format, code: u128, random: &mut impl Rng) -> Vec<u128> {
    if let Format::Codebook(_) = format {
        return (0..=format.code_mask()).collect();
    }
    let (trailing_bits, reach) = (trailing_bits(format), i128::from(format.precision()) + 3);
    let ones = (1 << trailing_bits) - 1;
    let at = Place::of(format, code);
    let mut codes = Vec::with_capacity(2 * (5 + 2 * (2 * reach as usize + 1)));
    let mut push = |code: u128| codes.extend([code, format.negated(code)]);
    (-2..=2).for_each(|ulps| push(at.step(ulps)));
    if let Format::Fixed(fixed) = format {
        (1..fixed.bits).flat_map(|places| at.scaled(places)).for_each(push);
        return codes;
    }
    for binades in distances(format.precision(), reach) {
        let moved = at.step(binades << trailing_bits);
        let trailing = [0, ones, random_word(random, ones)][random.random_range(0..3)];
        push(moved);
        push(moved & !ones | trailing);
    }
    codes
}

/// Exponent differences up to `reach`: all, or for wide significands the small ones, the large ones and some between.
fn distances(precision: u32, reach: i128) -> Vec<i128> {
    const NEAR: i128 = 5;
    let between = if precision <= ALL_DISTANCES_PRECISION { 1 } else { reach / 8 };
    let is_tried = |distance: i128| distance <= NEAR || distance > reach - 2 * NEAR || distance % between == 0;
    (-reach..=reach).filter(|distance| is_tried(distance.abs())).collect()
}

/// A random code with an exponent near that of `code` and either sign, so that the two meet in a sum.
pub(crate) fn random_related(format: &Format, code: u128, random: &mut impl Rng) -> u128 {
    let reach = i64::from(format.precision()) + 3;
    let moved = match random.random_range(0..4) {
        0 => step(format, code, random.random_range(-2..=2_i64).into()),
        _ if format.fixed().is_some() => {
            let scaled = Place::of(format, code).scaled(random.random_range(1..format.width()));
            step(format, scaled[random.random_range(0..2)], random.random_range(-2..=2_i64).into())
        }
        _ if matches!(format, Format::Codebook(_)) => random_word(random, format.code_mask()),
        _ => {
            let binades = i128::from(random.random_range(-reach..=reach)) << trailing_bits(format);
            let ones = (1_u128 << trailing_bits(format)) - 1;
            step(format, code, binades) & !ones | random_word(random, ones)
        }
    };
    if random.random() { format.negated(moved) } else { moved }
}

/// A random operand whose conversion is near a result or a tie: one of these, a neighbour, or one of them with a single
/// low bit changed, which alone decides whether it is a tie.
pub(crate) fn random_near_result([from, to]: &[Codes; 2], random: &mut impl Rng) -> u128 {
    let target = random_word(random, to.code_mask());
    let value = if random.random() { midpoint(to, target) } else { None }.unwrap_or(to.decode(target));
    let nearest = from.encode(value, Rounding::Rne, Overflow::Inf);
    match random.random_range(0..4_u32) {
        0 => step(from, nearest, random.random_range(-1..=1_i64).into()),
        _ if trailing_bits(from) == 0 || matches!(**from, Format::Codebook(_)) => nearest,
        _ => nearest ^ 1 << random.random_range(0..trailing_bits(from)),
    }
}

/// A random word with as many bits as `ones`.
pub(crate) fn random_word(random: &mut impl Rng, ones: u128) -> u128 {
    match u64::try_from(ones) {
        Ok(ones) => u128::from(random.random::<u64>() & ones),
        Err(_) => random.random::<u128>() & ones,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_midpoint_of_more_than_128_bits_is_left_out() {
        let value = |n: u128, k: i32| Exact { negative: false, n, k };
        let three_halves = Value::Finite(Exact { negative: false, n: 3, k: -1 });
        assert_eq!(half_of_sum(value(1, 0), value(2, 0)), Some(three_halves));
        assert_eq!(half_of_sum(value(1 << 127, 0), value(1 << 127, 0)), None);
        assert_eq!(half_of_sum(value(1, 0), value(1 << 100, 28)), None);
    }
}
