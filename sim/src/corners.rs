//! Directed vectors: where bugs of arithmetic units live.

use binade_golden::{Exact, Format, Operation, Overflow, Rounding, Unit, Value};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::Range;

/// The directed vectors of an operation, operands side by side.
pub(crate) fn directed(operation: &Operation, seed: u64) -> Vec<u64> {
    match operation.unit {
        Unit::Decode | Unit::Encode | Unit::Convert => conversions(&operation.operand, &operation.result),
        Unit::Mul => pairs(&edges(&operation.operand), &few_edges(&operation.operand)),
        Unit::Add => sums(operation, seed),
        Unit::Fmac | Unit::Mac => accumulations(operation, seed),
    }
}

/// Codes at the edges of every binade, both signs; every code of a format of up to 8 bits.
pub(crate) fn edges(format: &Format) -> Vec<u64> {
    if format.width() <= 8 {
        return (0..1 << format.width()).collect();
    }
    let fields = 0..1_u64 << format.exponent_bits;
    codes(format, fields, &trailing_edges(format)[..4])
}

/// Codes at the edges of the lowest, middle and highest binades; every code of a format of up to 6 bits.
fn few_edges(format: &Format) -> Vec<u64> {
    if format.width() <= 6 {
        return (0..1 << format.width()).collect();
    }
    let top = (1_u64 << format.exponent_bits) - 1;
    let middle = top / 2;
    let wanted = [0, 1, 2, 3, middle - 1, middle, middle + 1, top.saturating_sub(3), top - 2, top - 1, top];
    let mut fields: Vec<u64> = wanted.into_iter().collect();
    fields.sort_unstable();
    fields.dedup();
    codes(format, fields.into_iter(), &trailing_edges(format))
}

/// Trailing significands at the edges: the first four for every binade.
fn trailing_edges(format: &Format) -> Vec<u64> {
    let ones = (1_u64 << format.trailing_bits) - 1;
    let half = (ones >> 1) + 1;
    [0, ones, 1, half, half.saturating_sub(1), half + 1, ones.saturating_sub(1)].map(|trailing| trailing & ones).into()
}

fn codes(format: &Format, fields: impl Iterator<Item = u64>, trailing: &[u64]) -> Vec<u64> {
    let mut codes: Vec<u64> = fields
        .flat_map(|field| trailing.iter().map(move |trailing| field << format.trailing_bits | trailing))
        .flat_map(|magnitude| [magnitude, magnitude | format.sign_mask()])
        .collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn pairs(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().flat_map(|&a| b.iter().flat_map(move |&b| [a, b, b, a])).collect()
}

/// For every result (or those at edges, if there are many): the operand that is it, those halfway to its neighbours,
/// the operands next to these, and those that differ from them in one low bit.
fn conversions(from: &Format, to: &Format) -> Vec<u64> {
    let targets = if to.width() <= 16 { (0..1 << to.width()).collect() } else { edges(to) };
    let mut vectors = edges(from);
    for (count, target) in targets.into_iter().enumerate() {
        for value in [Some(to.decode(target)), midpoint(to, target)].into_iter().flatten() {
            let nearest = from.encode(value, from.default_rounding(), Overflow::Inf);
            // All low bits for narrow results; for wide ones, one after the other from code to code.
            let bits = 0..from.trailing_bits;
            let bits = if to.width() <= 8 { bits } else { one_of(bits, count as u32) };
            vectors.extend([-1, 0, 1].map(|ulps| step(from, nearest, ulps)));
            vectors.extend(bits.map(|bit| nearest ^ 1 << bit));
        }
    }
    vectors
}

/// A single element of a range, by turns.
fn one_of(range: Range<u32>, turn: u32) -> Range<u32> {
    let first = range.start + turn % range.len().max(1) as u32;
    first..range.end.min(first + 1)
}

/// The value halfway between a finite code and the one above it in magnitude.
fn midpoint(format: &Format, code: u64) -> Option<Value> {
    let (low, high) = match (format.decode(code), format.decode(code + 1)) {
        (Value::Finite(low), Value::Finite(high)) => (low, high),
        (Value::Zero { .. }, Value::Finite(high)) => return Some(Value::Finite(Exact { k: high.k - 1, ..high })),
        _ => return None,
    };
    let k = low.k.min(high.k);
    let scaled = |x: Exact| x.n.checked_shl((x.k - k) as u32).unwrap_or(0);
    Some(Value::Finite(Exact { negative: low.negative, n: scaled(low) + scaled(high), k: k - 1 }))
}

/// The code so many steps further from zero, within the format's codes.
fn step(format: &Format, code: u64, ulps: i64) -> u64 {
    let magnitude = (code & format.magnitude_mask()).saturating_add_signed(ulps);
    code & format.sign_mask() | magnitude.min(format.magnitude_mask())
}

/// Pairs of edges, and for every edge the codes that cancel it, almost cancel it, or lie some binades off.
fn sums(operation: &Operation, seed: u64) -> Vec<u64> {
    let format = &operation.operand;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let edges = edges(format);
    let mut vectors = pairs(&edges, &few_edges(format));
    for &a in &edges {
        for b in related(format, a, &mut random) {
            vectors.extend([a, b, b, a]);
        }
    }
    vectors
}

/// For products of edges: an addend at every exponent difference that matters, and those that cancel the product.
fn accumulations(operation: &Operation, seed: u64) -> Vec<u64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let operand_edges = few_edges(&operation.operand);
    let specials = special_codes(&operation.result);
    let mut vectors = vec![];
    for &a in &operand_edges {
        for &b in &operand_edges {
            let product = operation.evaluate(&[a, b, 0]);
            let addends = related(&operation.result, product, &mut random);
            for c in addends.into_iter().chain(specials.iter().copied()) {
                vectors.extend([a, b, c]);
            }
        }
    }
    vectors
}

/// Zeros, infinities, NaN, and the smallest and largest values.
fn special_codes(format: &Format) -> Vec<u64> {
    let magnitudes = [0, format.min_code(), format.max_code()].into_iter().chain(format.infinity_code());
    magnitudes.flat_map(|code| [code, code | format.sign_mask()]).chain(format.nan_code()).collect()
}

/// Codes that meet `code` in an interesting way: within two ulps of it, of either sign, and at every exponent
/// difference up to where only the sticky bit is left, with edge and random trailing significands.
fn related(format: &Format, code: u64, random: &mut impl Rng) -> Vec<u64> {
    let mut codes: Vec<u64> = (-2..=2).map(|ulps| step(format, code, ulps)).collect();
    let reach = i64::from(format.precision()) + 3;
    let ones = (1_u64 << format.trailing_bits) - 1;
    for binades in -reach..=reach {
        let moved = step(format, code, binades << format.trailing_bits);
        let trailing = [0, ones, random.random::<u64>() & ones][random.random_range(0..3)];
        codes.extend([moved, moved & !ones | trailing]);
    }
    codes.iter().flat_map(|&code| [code, code ^ format.sign_mask()]).collect()
}

/// A random code near in exponent to `code`, of either sign: the two meet in a sum.
pub(crate) fn random_related(format: &Format, code: u64, random: &mut impl Rng) -> u64 {
    let reach = i64::from(format.precision()) + 3;
    let moved = match random.random_range(0..4) {
        0 => step(format, code, random.random_range(-2..=2)),
        _ => {
            let binades = random.random_range(-reach..=reach) << format.trailing_bits;
            let ones = (1_u64 << format.trailing_bits) - 1;
            step(format, code, binades) & !ones | random.random::<u64>() & ones
        }
    };
    moved ^ (format.sign_mask() & random.random::<u64>())
}

/// A random operand whose conversion is a result, a tie, next to one, or one of them with a single low bit changed: the
/// bit that alone makes the difference between a tie and what is not.
pub(crate) fn random_near_result(from: &Format, to: &Format, random: &mut impl Rng) -> u64 {
    let target = random.random::<u64>() & (to.magnitude_mask() | to.sign_mask());
    let value = if random.random() { midpoint(to, target) } else { None }.unwrap_or(to.decode(target));
    let nearest = from.encode(value, Rounding::Rne, Overflow::Inf);
    match random.random_range(0..4_u32) {
        0 => step(from, nearest, random.random_range(-1..=1)),
        _ if from.trailing_bits == 0 => nearest,
        _ => nearest ^ 1 << random.random_range(0..from.trailing_bits),
    }
}
