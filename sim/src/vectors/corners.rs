//! Directed vectors: where bugs of arithmetic units live.

use binade_golden::{Codec, Exact, Model, Value};
use binade_spec::word::limbs;
use binade_spec::{Content, Float, Format, Operation, Overflow, Port, Posit, Rounding, Shape, Unit};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::iter::repeat;
use std::ops::Range;

/// The directed vectors of an operation, inputs side by side.
pub(crate) fn directed(operation: &Operation, seed: u64) -> Vec<u128> {
    let vectors = match operation.shape() {
        Shape::Conversion => conversions(&operation.operand, &operation.result),
        Shape::Product => pairs(&edges(&operation.operand), &few_edges(&operation.operand)),
        Shape::Sum => sums(operation, seed),
        Shape::Accumulation | Shape::RoundedAccumulation => accumulations(operation, seed),
        Shape::Parts => posit_parts(operation),
        Shape::Function | Shape::Other => meetings(operation, seed),
    };
    let vectors = [vectors, walking_bits(operation)].concat();
    if operation.random_bits() == 0 { vectors } else { with_random_words(operation, vectors, seed) }
}

/// Each operand in turn with a single trailing bit in the lowest and in the highest exponent field, the others zero, one or the
/// largest value: what tells zero from the rest, and NaN from infinity, looks at every bit.
fn walking_bits(operation: &Operation) -> Vec<u128> {
    let mut formats = vec![];
    for port in operation.inputs() {
        match port.content {
            Content::Code(format) => formats.push(format),
            // The random word, which comes last, is put beside the vectors later; the parts of a posit have vectors of their own.
            Content::Word { .. } if operation.shape() == Shape::Parts => return vec![],
            Content::Word { .. } => {}
        }
    }
    let mut vectors = vec![];
    for (operand, format) in formats.iter().enumerate() {
        let Format::Float(float) = format else { continue };
        let top = ((1 << float.exponent_bits) - 1) << float.trailing_bits;
        let single = (0..float.trailing_bits).flat_map(|bit| [1 << bit, top | 1 << bit]);
        for code in codes(format, single.collect()) {
            for others in [0, 1, 2] {
                vectors.extend(formats.iter().enumerate().map(|(place, format)| match others {
                    _ if place == operand => code,
                    0 => format.zero_code(false),
                    1 => one(format),
                    _ => format.max_code(),
                }));
            }
        }
    }
    vectors
}

/// The code of 1, or of what is nearest to it.
fn one(format: &Format) -> u128 {
    let one = Value::Finite(Exact { negative: false, n: 1, k: 0 });
    format.encode(one, format.default_rounding(), Overflow::Saturate)
}

/// Each vector with the random words 0 and all ones, and a random one.
fn with_random_words(operation: &Operation, vectors: Vec<u128>, seed: u64) -> Vec<u128> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let ones = ones(operation.random_bits());
    let operands = operation.inputs().len() - 1;
    let mut with_words = vec![];
    for vector in vectors.chunks_exact(operands) {
        for word in [0, ones, random_word(&mut random, ones)] {
            with_words.extend(vector);
            with_words.push(word);
        }
    }
    with_words
}

/// All exponents and both signs with significands at the edges; zero and NaR, which go before all else.
fn posit_parts(operation: &Operation) -> Vec<u128> {
    let ports = operation.inputs();
    let (exponent, significand) = (ports[3].width(), ports[4].width());
    let significands: Vec<u128> =
        edges_of_word(significand).into_iter().map(|word| word | 1 << (significand - 1)).collect();
    let mut vectors = vec![];
    for exponent in encoder_exponents(operation, exponent) {
        for (count, &significand) in significands.iter().enumerate() {
            let count = count as u128 + exponent;
            let (zero, nar) = (u128::from(count % 16 == 5), u128::from(count % 16 >= 14));
            for sticky in [0, 1] {
                vectors.extend([count >> 1 & 1, zero, nar, exponent, significand, sticky]);
            }
        }
    }
    vectors
}

/// The exponents around a posit's range, and the edges of the port.
fn encoder_exponents(operation: &Operation, width: u32) -> Vec<u128> {
    let (low, high) = (operation.result.min_exponent() - 3, operation.result.max_exponent() + 3);
    let step = ((high - low) / 400).max(1) as usize;
    let word = |exponent: i64| exponent as u128 & ones(width);
    let ends = (low..low + 8).chain(high - 8..=high).chain(-4..4);
    let mut exponents: Vec<u128> = (low..=high).step_by(step).chain(ends).map(word).collect();
    exponents.extend(edges_of_word(width));
    exponents
}

/// What is worth trying on a lane: edges of a format's binades, or of a word of up to 128 bits.
pub(crate) fn lane_edges(content: Content) -> Vec<u128> {
    match content {
        Content::Code(format) => edges(&format),
        Content::Word { width, .. } => edges_of_word(width),
    }
}

/// Every word of up to 4 bits; of wider ones those with a single one or a single zero, or with a run of ones at either end.
fn edges_of_word(width: u32) -> Vec<u128> {
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

fn ones(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// Codes at the edges of every binade, both signs; every code of a format of up to 8 bits.
pub(crate) fn edges(format: &Format) -> Vec<u128> {
    if format.width() <= 8 {
        return (0..1 << format.width()).collect();
    }
    match format {
        Format::Float(float) => {
            codes(format, ordinary(float, 0..1 << float.exponent_bits, &trailing_edges(format)[..4]))
        }
        Format::Posit(posit) => codes(format, posit_edges(posit)),
    }
}

/// Posit magnitudes of every regime and exponent, fractions at their edges.
fn posit_edges(posit: &Posit) -> Vec<u128> {
    let bits = posit.bits - 1;
    let mut magnitudes = vec![];
    for run in 1..=bits {
        let rest = bits.saturating_sub(run + 1);
        let exponent_bits = rest.min(posit.exponent_bits);
        let fraction_ones = (1_u128 << (rest - exponent_bits)) - 1;
        let regimes = [1 << rest, ((1 << run) - 1) << (bits - run)];
        for regime in regimes {
            for exponent in 0..1_u128 << exponent_bits {
                let first = regime | exponent << (rest - exponent_bits);
                magnitudes
                    .extend([0, 1, fraction_ones >> 1, fraction_ones].map(|fraction| first | fraction & fraction_ones));
            }
        }
    }
    magnitudes
}

/// Codes at the edges of the lowest, middle and highest binades; every code of a format of up to 6 bits.
fn few_edges(format: &Format) -> Vec<u128> {
    if format.width() <= 6 {
        return (0..1 << format.width()).collect();
    }
    let float = match format {
        Format::Float(float) => float,
        Format::Posit(posit) => return codes(format, some_of(posit_edges(posit))),
    };
    let top = (1_u128 << float.exponent_bits) - 1;
    let middle = top / 2;
    let near = |field: u128| field.saturating_sub(3)..=field + 1;
    let mut fields: Vec<u128> = near(2).chain(near(middle)).chain(near(top)).filter(|field| *field <= top).collect();
    fields.sort_unstable();
    fields.dedup();
    codes(format, ordinary(float, fields.into_iter(), &trailing_edges(format)))
}

/// About a hundred of them, at an odd distance, so that all kinds of fractions are met.
fn some_of(magnitudes: Vec<u128>) -> Vec<u128> {
    let step = (magnitudes.len() / 100) | 1;
    magnitudes.into_iter().step_by(step).collect()
}

/// Trailing significands at the edges: the first four for every binade.
fn trailing_edges(format: &Format) -> Vec<u128> {
    let ones = (1_u128 << trailing_bits(format)) - 1;
    let half = (ones >> 1) + 1;
    [0, ones, 1, half, half.saturating_sub(1), half + 1, ones.saturating_sub(1)].map(|trailing| trailing & ones).into()
}

/// Trailing significand bits, of a posit those that it has at the most.
pub(crate) fn trailing_bits(format: &Format) -> u32 {
    format.precision() - 1
}

/// Magnitudes with these fields.
fn ordinary(float: &Float, fields: impl Iterator<Item = u128>, trailing: &[u128]) -> Vec<u128> {
    fields.flat_map(|field| trailing.iter().map(move |trailing| field << float.trailing_bits | trailing)).collect()
}

/// These magnitudes and zero in both signs.
fn codes(format: &Format, magnitudes: Vec<u128>) -> Vec<u128> {
    let both = magnitudes.into_iter().chain([0]).flat_map(|magnitude| [magnitude, format.code(true, magnitude)]);
    let mut codes: Vec<u128> = both.chain(format.nan_code()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn pairs(a: &[u128], b: &[u128]) -> Vec<u128> {
    a.iter().flat_map(|&a| b.iter().flat_map(move |&b| [a, b, b, a])).collect()
}

/// For every result (or those at edges, if there are many): the operand that is it, those halfway to its neighbours,
/// the operands next to these, and those that differ from them in one low bit.
fn conversions(from: &Format, to: &Format) -> Vec<u128> {
    let targets = if to.width() <= 16 { (0..1 << to.width()).collect() } else { edges(to) };
    let mut vectors = edges(from);
    for (count, target) in targets.into_iter().enumerate() {
        for value in [Some(to.decode(target)), midpoint(to, target)].into_iter().flatten() {
            let nearest = from.encode(value, from.default_rounding(), Overflow::Inf);
            // All low bits for narrow results; for wide ones, one after the other from code to code.
            let bits = 0..trailing_bits(from);
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
fn midpoint(format: &Format, code: u128) -> Option<Value> {
    if let Format::Posit(posit) = format {
        return Some(posit_midpoint(posit, code));
    }
    let (low, high) = match (format.decode(code), format.decode(code + 1)) {
        (Value::Finite(low), Value::Finite(high)) => (low, high),
        (Value::Zero { .. }, Value::Finite(high)) => return Some(Value::Finite(Exact { k: high.k - 1, ..high })),
        _ => return None,
    };
    let k = low.k.min(high.k);
    let scaled = |x: Exact| x.n.checked_shl((x.k - k) as u32).unwrap_or(0);
    Some(Value::Finite(Exact { negative: low.negative, n: scaled(low) + scaled(high), k: k - 1 }))
}

/// The tie between a posit and the one above it in magnitude: the posit with one more bit between them.
fn posit_midpoint(posit: &Posit, code: u128) -> Value {
    let (narrow, wide) = (Format::from(*posit), Format::from(Posit { bits: posit.bits + 1, ..*posit }));
    let magnitude = narrow.magnitude(code);
    wide.decode(wide.code(code != magnitude, 2 * magnitude + 1))
}

/// The code so many steps further from zero, within the format's codes.
fn step(format: &Format, code: u128, ulps: i128) -> u128 {
    let magnitude = format.magnitude(code).saturating_add_signed(ulps);
    format.code(code & format.sign_mask() != 0, magnitude.min(format.magnitude_mask()))
}

/// Pairs of edges, and for every edge the codes that cancel it, almost cancel it, or lie some binades off.
fn sums(operation: &Operation, seed: u64) -> Vec<u128> {
    let format = &operation.operand;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let edges = edges(format);
    let mut vectors = pairs(&edges, &few_edges(format));
    vectors.extend(single_sticky_bits(format));
    for &a in &edges {
        for b in related(format, a, &mut random) {
            vectors.extend([a, b, b, a]);
        }
    }
    vectors
}

/// Edges of the operands: of a single one each; of two, all codes that meet.
fn meetings(operation: &Operation, seed: u64) -> Vec<u128> {
    let ports = operation.inputs();
    match ports.as_slice() {
        [port] => lane_edges(port.content),
        [a, b] if a.format() == b.format() => sums(operation, seed),
        _ => {
            let edges: Vec<Vec<u128>> = ports.iter().map(|port| lane_edges(port.content)).collect();
            let longest = edges.iter().map(Vec::len).max().unwrap_or(0);
            // Each edge of a port with edges of the others that are as far on.
            let row = |at: usize| edges.iter().map(move |edges| edges[at * edges.len() / longest]);
            (0..longest).flat_map(row).collect()
        }
    }
}

/// One plus a term that is exactly halfway between two sums but for a single bit below: that bit alone, at each place and
/// each exponent difference, decides the rounding.
fn single_sticky_bits(format: &Format) -> Vec<u128> {
    let Format::Float(float) = format else { return vec![] };
    let one = one(format);
    let mut vectors = vec![];
    for difference in 2..=float.trailing_bits.min((one >> float.trailing_bits) as u32) {
        let guard = 1 << (difference - 1);
        for sticky in (0..difference - 1).map(|bit| 1 << bit) {
            let power = one - (u128::from(difference) << float.trailing_bits);
            let small = power | guard | sticky;
            for code in [small, format.code(true, small)] {
                vectors.extend([one, code, code, one]);
            }
        }
    }
    vectors
}

/// For products of edges: an addend at every exponent difference that matters, and those that cancel the product.
fn accumulations(operation: &Operation, seed: u64) -> Vec<u128> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let operand_edges = few_edges(&operation.operand);
    let product_of = product(operation);
    let specials = special_codes(&operation.result);
    let mut vectors = vec![];
    for &a in &operand_edges {
        for &b in &operand_edges {
            let product = product_of.first_result(&[a, b, 0]);
            let addends = related(&operation.result, product, &mut random);
            for c in addends.into_iter().chain(specials.iter().copied()) {
                vectors.extend([a, b, c]);
            }
        }
    }
    vectors
}

/// The model that gives a product, plus zero, in the accumulator's format.
pub(crate) fn product(operation: &Operation) -> Model {
    Model::new(&Operation::new(Unit::Fmac, operation.operand, operation.result))
}

/// Zeros, infinities, NaN, and the smallest and largest values.
fn special_codes(format: &Format) -> Vec<u128> {
    let magnitudes = [0, format.min_code(), format.max_code()].into_iter().chain(format.infinity_code());
    magnitudes.flat_map(|code| [code, format.code(true, code)]).chain(format.nan_code()).collect()
}

/// Codes that meet `code` in an interesting way: within two ulps of it, of either sign, and at every exponent
/// difference up to where only the sticky bit is left, with edge and random trailing significands.
fn related(format: &Format, code: u128, random: &mut impl Rng) -> Vec<u128> {
    let mut codes: Vec<u128> = (-2..=2).map(|ulps| step(format, code, ulps)).collect();
    let reach = i64::from(format.precision()) + 3;
    let ones = (1_u128 << trailing_bits(format)) - 1;
    for binades in -reach..=reach {
        let moved = step(format, code, i128::from(binades) << trailing_bits(format));
        let trailing = [0, ones, random_word(random, ones)][random.random_range(0..3)];
        codes.extend([moved, moved & !ones | trailing]);
    }
    codes.iter().flat_map(|&code| [code, format.negated(code)]).collect()
}

/// A random code near in exponent to `code`, of either sign: the two meet in a sum.
pub(crate) fn random_related(format: &Format, code: u128, random: &mut impl Rng) -> u128 {
    let reach = i64::from(format.precision()) + 3;
    let moved = match random.random_range(0..4) {
        0 => step(format, code, random.random_range(-2..=2_i64).into()),
        _ => {
            let binades = i128::from(random.random_range(-reach..=reach)) << trailing_bits(format);
            let ones = (1_u128 << trailing_bits(format)) - 1;
            step(format, code, binades) & !ones | random_word(random, ones)
        }
    };
    if random.random() { format.negated(moved) } else { moved }
}

/// A random operand whose conversion is a result, a tie, next to one, or one of them with a single low bit changed: the
/// bit that alone makes the difference between a tie and what is not.
pub(crate) fn random_near_result(from: &Format, to: &Format, random: &mut impl Rng) -> u128 {
    let target = random_word(random, to.magnitude_mask() | to.sign_mask());
    let value = if random.random() { midpoint(to, target) } else { None }.unwrap_or(to.decode(target));
    let nearest = from.encode(value, Rounding::Rne, Overflow::Inf);
    match random.random_range(0..4_u32) {
        0 => step(from, nearest, random.random_range(-1..=1_i64).into()),
        _ if trailing_bits(from) == 0 => nearest,
        _ => nearest ^ 1 << random.random_range(0..trailing_bits(from)),
    }
}

/// The limbs of vectors of codes and words, which go from port to port.
pub(crate) fn limbs_of(ports: &[Port], codes: Vec<u128>) -> Vec<u64> {
    let of_code = |(code, port): (u128, &Port)| {
        let used = limbs(port.width());
        [code as u64, (code >> 64) as u64].into_iter().chain(repeat(0)).take(used)
    };
    codes.into_iter().zip(ports.iter().cycle()).flat_map(of_code).collect()
}

/// A random word of as many bits as `ones` has.
pub(crate) fn random_word(random: &mut impl Rng, ones: u128) -> u128 {
    match u64::try_from(ones) {
        Ok(ones) => u128::from(random.random::<u64>() & ones),
        Err(_) => random.random::<u128>() & ones,
    }
}
