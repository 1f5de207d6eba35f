//! Results in codebooks: a search among the bounds between neighbours.
//!
//! ```text
//!   exponent, significand -> key -> place among the bounds -> code
//! ```
//!
//! The *key* of a magnitude is an integer: its exponent, its leading digits, and a sticky bit. All bounds have so few digits that a comparison
//! of keys is one of magnitudes. The result is the value whose place is the number of bounds that the magnitude reaches.

use super::{class::Class, coded::Coded, exact::ExactResult, listed, target::CodebookTarget};
use binade_circuit::{Bits, Circuit, Int, concat};
use binade_spec::{Codebook, Family, Format, Listed, Overflow, Rounding};
use std::fmt;

/// A magnitude `n * 2^k`, with an odd `n` or 0.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Dyadic {
    n: u128,
    k: i32,
}

impl Dyadic {
    fn new(n: u64, k: i32) -> Dyadic {
        Dyadic { n: n.into(), k }
    }

    fn zero() -> Dyadic {
        Dyadic { n: 0, k: 0 }
    }

    fn is_zero(self) -> bool {
        self.n == 0
    }

    /// `(self + other) / 2`, for neighbours: `other` is the larger one.
    fn half_of_sum(self, other: Dyadic) -> Dyadic {
        let unit = if self.is_zero() { other.k } else { self.k.min(other.k) };
        let in_units = |it: Dyadic| if it.is_zero() { 0 } else { it.n << (it.k - unit) };
        let sum = in_units(self) + in_units(other);
        Dyadic { n: sum >> sum.trailing_zeros(), k: unit - 1 + sum.trailing_zeros() as i32 }
    }

    /// The digits of a nonzero magnitude.
    fn digits(self) -> u32 {
        u128::BITS - self.n.leading_zeros()
    }

    /// floor(log2) of a nonzero magnitude.
    fn exponent(self) -> i64 {
        i64::from(self.k) + i64::from(self.digits()) - 1
    }
}

/// A bound: the next place begins there, or just above.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bound {
    at: Dyadic,
    is_exclusive: bool,
}

/// `> 0.75` or `>= 0.75`.
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sign = if self.is_exclusive { ">" } else { ">=" };
        match self.at {
            at if at.is_zero() => write!(f, "{sign} 0"),
            // Halfway between neighbors that are far apart there may be more digits than a word has.
            Dyadic { n, k } => match u64::try_from(n) {
                Ok(n) => write!(f, "{sign} {}", listed::text(Listed::Number { negative: false, n, k })),
                Err(_) => write!(f, "{sign} {n}*2^{k}"),
            },
        }
    }
}

/// The magnitudes of a sign, from zero up, and the next place above the largest one.
fn line(codebook: &Codebook, negative: bool) -> Vec<Dyadic> {
    let magnitude = |place| match codebook.value_at(negative, place) {
        Some(Listed::Number { n, k, .. }) => Dyadic::new(n, k),
        _ => Dyadic::zero(),
    };
    let mut line: Vec<Dyadic> = (0..codebook.finite_places(negative)).map(magnitude).collect();
    if let Some((n, k)) = codebook.place_of_infinity {
        line.push(Dyadic::new(n, k));
    }
    line
}

/// Whether results of a sign overflow to infinity.
fn overflows(target: &CodebookTarget, negative: bool) -> bool {
    target.format.infinity(negative).is_some() && target.overflow == Overflow::Inf
}

/// The bounds between the places of a sign, in ascending order; the last one is that of infinity, if results reach it.
fn bounds(target: &CodebookTarget, negative: bool) -> Vec<Bound> {
    let codebook = &target.format;
    let line = line(codebook, negative);
    let last = codebook.max_magnitude(negative) as usize;
    let has_infinity = overflows(target, negative);
    let bound = |place: usize| {
        let (low, high, is_odd) = (line[place - 1], line[place], place % 2 == 1);
        let from = |at: Dyadic| Some(Bound { at, is_exclusive: false });
        let above = |at: Dyadic| Some(Bound { at, is_exclusive: true });
        // Inward roundings end at the largest number.
        let inward = || if place > last { None } else { from(high) };
        match target.rounding {
            Rounding::Rne => Some(Bound { at: low.half_of_sum(high), is_exclusive: is_odd }),
            Rounding::Rna | Rounding::Rnu => from(low.half_of_sum(high)),
            Rounding::Rtz => inward(),
            Rounding::Rup if negative => inward(),
            Rounding::Rdn if !negative => inward(),
            Rounding::Rto if !is_odd => inward(),
            Rounding::Rup | Rounding::Rdn | Rounding::Rto => above(low),
            // The place below, from which the random bits may lead to the next one.
            Rounding::Sr(_) => from(high),
            Rounding::Srb(_) | Rounding::Src(_) | Rounding::Mptorch | Rounding::Any => {
                unreachable!("{} is refused for codebooks", target.rounding)
            }
        }
    };
    (1..=last + usize::from(has_infinity)).filter_map(bound).collect()
}

/// How magnitudes become integers.
struct Keys {
    /// The digits of a key, from the leading one down.
    digits: u32,
    /// The exponents that bounds have.
    exponents: [i64; 2],
}

impl Keys {
    fn new(bounds: &[Bound]) -> Keys {
        let nonzero = || bounds.iter().map(|bound| bound.at).filter(|at| !at.is_zero());
        let exponents = || nonzero().map(Dyadic::exponent);
        let digits = nonzero().map(Dyadic::digits).max().unwrap_or(1);
        Keys { digits, exponents: [exponents().min().unwrap_or(0), exponents().max().unwrap_or(0)] }
    }

    /// Bits of the exponent in a key: 0 is below all bounds.
    fn field_bits(&self) -> u32 {
        let [least, most] = self.exponents;
        64 - ((most - least + 1) as u64).leading_zeros()
    }

    /// The smallest key that reaches a bound.
    fn of_bound(&self, bound: &Bound) -> u128 {
        let sticky = u128::from(bound.is_exclusive);
        if bound.at.is_zero() {
            return sticky;
        }
        let field = (bound.at.exponent() - self.exponents[0] + 1) as u128;
        let digits = bound.at.n << (self.digits - bound.at.digits());
        let below_leading = digits & ((1 << (self.digits - 1)) - 1);
        field << self.digits | below_leading << 1 | sticky
    }

    /// The key of a nonzero magnitude.
    fn of<'c>(&self, exact: &ExactResult<'c>) -> Bits<'c> {
        let [least, most] = self.exponents;
        let (exponent, significand) = (exact.magnitude.exponent, exact.magnitude.significand);
        let circuit = significand.circuit();
        let significand = significand.zeros_below((self.digits + 1).saturating_sub(significand.width()));
        let below = significand.low(significand.width() - self.digits).any().named("sticky");
        let leading = significand.high(self.digits);
        let field = exponent.plus(1 - least).low_bits(self.field_bits());
        let mut parts = vec![field];
        if self.digits > 1 {
            parts.push(leading.low(self.digits - 1));
        }
        parts.push(below);
        let key = concat(&parts);
        // A magnitude below all bounds has the least key above that of zero, one above all the largest.
        let is_low = exponent.less_than(least).named("is_below_bounds");
        let is_high = exponent.at_least(most + 1).named("is_above_bounds");
        let low = circuit.constant(1, key.width());
        (is_low.select(low, key) | is_high.repeat(key.width())).named("key")
    }
}

/// The digits that decide a rounding to a codebook, whatever the rounding is.
pub fn digits(codebook: &Codebook) -> u32 {
    let roundings = [Rounding::Rna, Rounding::Rtz];
    let targets = roundings.map(|rounding| CodebookTarget { format: *codebook, rounding, overflow: Overflow::Inf });
    let all = targets.iter().flat_map(|target| [false, true].map(|negative| bounds(target, negative)));
    all.map(|bounds| Keys::new(&bounds).digits).max().unwrap_or(1)
}

/// Keys of up to this many bits are looked up in a diagram.
const MOST_DIAGRAM_BITS: u32 = 11;

/// The digits that decide a stochastic rounding with this many random bits.
pub fn stochastic_digits(codebook: &Codebook, random_bits: u32) -> u32 {
    1 + most_places(codebook) + random_bits
}

/// The most places from the leading digit of a number to that of its step.
fn most_places(codebook: &Codebook) -> u32 {
    let of_sign = |negative| (1..=codebook.max_magnitude(negative)).map(move |place| places(codebook, negative, place));
    of_sign(false).chain(of_sign(true)).max().unwrap_or(0)
}

/// The places from the leading digit of a number to that of its step; 0 if there is no step.
fn places(codebook: &Codebook, negative: bool, place: u128) -> u32 {
    let exponent = codebook.value_at(negative, place).and_then(Listed::exponent);
    exponent.zip(codebook.step(negative, place)).map_or(0, |(exponent, step)| (exponent - step) as u32)
}

/// Whether a magnitude at this place becomes the next one: if the random bits plus the part of the step carry. The part of the step is the
/// digits below its place; below the smallest number, the step is that number.
fn carries<'c>(target: &CodebookTarget, exact: &ExactResult<'c>, place: Bits<'c>, random: Bits<'c>) -> Bits<'c> {
    let (codebook, sign, bits) = (&target.format, exact.class.sign, random.width());
    let circuit = sign.circuit();
    circuit.section("Round stochastically: up if the random bits plus the digits below the step carry");
    let (exponent, significand) = (exact.magnitude.exponent, exact.magnitude.significand);
    let most = most_places(codebook);
    let below = significand.zeros_below(1).low(significand.width());
    let below = below.zeros_below((most + bits).saturating_sub(below.width()));
    let amount_bits = (u32::BITS - most.leading_zeros()).max(1);
    print_amounts(circuit, codebook);
    let amount = concat(&[sign, place]).look_up("places_entry", amount_bits, |at| {
        let (negative, place) = (at >> place.width() == 1, u128::from(at & ((1 << place.width()) - 1)));
        u64::from(places(codebook, negative, place))
    });
    let moved = (0..amount_bits).rev().fold(below, |moved, stage| {
        let up = moved.low(moved.width().saturating_sub(1 << stage).max(1)).zeros_below(1 << stage);
        amount.bit(stage).select(up.low(moved.width()), moved).named(format!("below_step_{stage}"))
    });
    let of_step = moved.high(bits);
    let first = |negative| i64::from(codebook.step(negative, 0).unwrap_or(0));
    let below_smallest = |negative: bool| {
        let deficit = Int::constant(circuit, first(negative) - 1).sub(exponent);
        if deficit.max() < 0 {
            return circuit.constant(0, bits);
        }
        let deficit = deficit.within(0, deficit.max()).to_unsigned();
        let digits = significand.zeros_below(bits.saturating_sub(significand.width())).high(bits);
        digits.shift_right_sticky(deficit, "part_of_smallest").0
    };
    let of_smallest = match first(false) == first(true) || codebook.max_magnitude(true) == 0 {
        true => below_smallest(false),
        false => sign.select(below_smallest(true), below_smallest(false)),
    };
    let part = place.none().select(of_smallest, of_step).named("part_of_step");
    let sum = part.zext(bits + 1).add(random.zext(bits + 1)).named("part_plus_random");
    (sum.msb() & !exact.class.is_zero).named("round_up")
}

/// Prints the table of the places from the leading digit of a number to that of its step.
fn print_amounts(circuit: &Circuit, codebook: &Codebook) {
    let about = "Each place of a sign, and how many digits the step to the next value lies below the leading digit:";
    let of_sign = |negative| (0..=codebook.max_magnitude(negative)).map(move |place| (negative, place));
    let all: Vec<(bool, u128)> = [false, true].into_iter().flat_map(of_sign).collect();
    circuit.table(about, all.len(), || {
        let below = |&(negative, place): &(bool, u128)| places(codebook, negative, place).to_string();
        vec![
            ("sign", all.iter().map(|&(negative, _)| sign(negative)).collect()),
            ("place", all.iter().map(|(_, place)| place.to_string()).collect()),
            ("below", all.iter().map(below).collect()),
        ]
    });
}

/// Rounds an exact result to a codebook. Stochastic rounding uses `random`.
pub fn encode<'c>(target: &CodebookTarget, exact: &ExactResult<'c>, random: Option<Bits<'c>>) -> Coded<'c> {
    let Class { sign, is_zero, is_infinite, is_nan, .. } = exact.class;
    let circuit = sign.circuit();
    let codebook = &target.format;
    let both = [false, true].map(|negative| bounds(target, negative));
    circuit.section_with("The magnitude as an integer", &["| exponent | digits below the leading one | sticky |"]);
    let keys = Keys::new(&both.concat());
    let key = (!is_zero).gate(keys.of(exact)).named("key_or_zero");

    circuit.section("Count the bounds that the magnitude reaches");
    print_places(circuit, target, &both, &keys);
    let [above, below] =
        both.each_ref().map(|bounds| bounds.iter().map(|bound| keys.of_bound(bound)).collect::<Vec<_>>());
    let place = match above == below {
        true => place(key, &above, "place"),
        false => {
            let places = [place(key, &above, "place_above_zero"), place(key, &below, "place_below_zero")];
            let width = places.iter().map(Bits::width).max().unwrap_or(1);
            let [above, below] = places.map(|place| place.zext(width));
            sign.select(below, above).named("place")
        }
    };

    let place = match target.rounding {
        Rounding::Sr(_) => {
            let random = random.expect("stochastic rounding has random bits");
            let up = carries(target, exact, place, random);
            place.zext(place.width() + 1).add(up.zext(place.width() + 1)).named("rounded_place")
        }
        _ => place,
    };

    circuit.section("The code at this place");
    let width = codebook.width();
    let signed_place = concat(&[sign, place]);
    let code = signed_place.look_up("code_entry", width, |at| {
        let (negative, place) = (at >> place.width() == 1, u128::from(at & ((1 << place.width()) - 1)));
        let last = codebook.max_magnitude(negative) + u128::from(overflows(target, negative));
        codebook.code(negative, place.min(last)) as u64
    });
    let constant = |code: u128| circuit.constant(code, width);
    let [plus, minus] = [false, true].map(|negative| constant(codebook.infinite_code(negative, target.overflow)));
    let code = is_infinite.select(sign.select(minus, plus), code.named("number_code"));
    let nan = constant(Format::from(*codebook).nan_or_zero_code());
    Coded { code: is_nan.select(nan, code).named("code"), flags: None }
}

/// Prints the table of places: the magnitude from which a place is reached, its key, and the code at this place.
fn print_places(circuit: &Circuit, target: &CodebookTarget, both: &[Vec<Bound>; 2], keys: &Keys) {
    let codebook = &target.format;
    let about = "Each place of a sign, the magnitudes that reach it, the least of their keys, and the code there with its value:";
    let zero = Bound { at: Dyadic::zero(), is_exclusive: false };
    let of_sign = |negative: bool| {
        let bounds = std::iter::once(&zero).chain(&both[usize::from(negative)]);
        bounds.enumerate().map(move |(place, bound)| (negative, place, bound))
    };
    let all: Vec<(bool, usize, &Bound)> = [false, true].into_iter().flat_map(of_sign).collect();
    circuit.table(about, all.len(), || {
        let codes: Vec<u64> =
            all.iter().map(|&(negative, place, _)| codebook.code(negative, place as u128) as u64).collect();
        let value = |&code: &u64| listed::text(codebook.value(code.into()));
        let key_bits = keys.field_bits() + keys.digits;
        vec![
            ("sign", all.iter().map(|&(negative, ..)| sign(negative)).collect()),
            ("place", all.iter().map(|(_, place, _)| place.to_string()).collect()),
            ("magnitude", all.iter().map(|(.., bound)| bound.to_string()).collect()),
            ("key", all.iter().map(|(.., bound)| listed::code(keys.of_bound(bound), key_bits)).collect()),
            ("code", listed::codes(&codes, codebook.width())),
            ("value", codes.iter().map(value).collect()),
        ]
    });
}

/// A sign, in a table.
fn sign(negative: bool) -> String {
    if negative { "-" } else { "+" }.into()
}

/// The number of ascending keys that are at most this key.
fn place<'c>(key: Bits<'c>, keys: &[u128], name: &str) -> Bits<'c> {
    let circuit = key.circuit();
    if keys.is_empty() {
        return circuit.zero();
    }
    let bits = usize::BITS - keys.len().leading_zeros();
    if key.width() <= MOST_DIAGRAM_BITS {
        let count = |key: u32| keys.partition_point(|&bound| bound <= u128::from(key)) as u64;
        return key.look_up(&format!("{name}_entry"), bits, count).named(name);
    }
    // From the highest bit down: half of the places that are left lie above the next bound.
    let never = (1 << key.width()) - 1;
    let mut found: Option<Bits> = None;
    for bit in (0..bits).rev() {
        let middle = |above: u32| *keys.get(((above << 1 | 1) << bit) as usize - 1).unwrap_or(&never);
        let count = 1_u32 << (bits - 1 - bit);
        let is_reachable = |above: u32| ((above << 1 | 1) << bit) as usize <= keys.len();
        let bound = match found {
            None => circuit.constant(middle(0), key.width()),
            Some(found) => constants(found, key.width(), &format!("{name}_bound_{bit}"), middle),
        };
        let reaches = !key.less_than(bound);
        let reaches = match (found, (0..count).all(is_reachable)) {
            (Some(found), false) => {
                let exists = found.look_up(&format!("{name}_has_{bit}"), 1, |above| u64::from(is_reachable(above)));
                reaches & exists
            }
            _ => reaches,
        };
        let reaches = reaches.named(format!("{name}_{bit}"));
        found = Some(found.map_or(reaches, |found| concat(&[found, reaches])));
    }
    found.expect("a bit of the place").named(name)
}

/// A constant of any width, selected by `by`.
fn constants<'c>(by: Bits<'c>, width: u32, name: &str, constant: impl Fn(u32) -> u128) -> Bits<'c> {
    let low = width.min(64);
    let part = |low: u32, count: u32| by.look_up(name, count, |at| (constant(at) >> low) as u64);
    let bits = match width - low {
        0 => part(0, low),
        more => concat(&[part(low, more), part(0, low)]),
    };
    bits.named(name)
}
