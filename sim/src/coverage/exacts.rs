//! Which exact values come to the roundings of an operation, and samples of them.

use super::groups::Stage;
use super::magnitudes::Magnitudes;
use binade_golden::{Codec, Exact, Value};
use binade_spec::{Class, Format, Operation, Overflow, Shape, Sign};

/// The exact values that come to a rounding.
pub(crate) struct Rounded {
    pub stage: Stage,
    /// Magnitudes of the values of both signs.
    pub magnitudes: Magnitudes,
    /// Magnitudes of the values below zero, if there are any.
    negative: Option<Magnitudes>,
    /// The values one by one, where they are few.
    listed: Option<Vec<Exact>>,
    /// The largest terms of a sum: no sum is larger than theirs.
    largest: Option<[Exact; 2]>,
}

/// The exact values that meet in an operation.
pub(crate) struct Exacts {
    /// The terms of a sum.
    pub terms: Option<[Magnitudes; 2]>,
    pub roundings: Vec<Rounded>,
}

impl Rounded {
    pub fn has_negative(&self) -> bool {
        self.negative.is_some()
    }

    fn new(stage: Stage, magnitudes: Magnitudes, is_signed: bool) -> Rounded {
        Rounded { stage, negative: is_signed.then(|| magnitudes.clone()), magnitudes, listed: None, largest: None }
    }

    /// Products of two operands.
    fn products(stage: Stage, operand: &Format) -> Rounded {
        let listed = Magnitudes::listed_products(operand);
        Rounded { listed, ..Rounded::new(stage, Magnitudes::products(operand), is_signed(operand)) }
    }

    /// Sums of two terms, that may be negative or not.
    fn sums(operation: &Operation, [first, second]: &[Magnitudes; 2]) -> Rounded {
        let magnitudes = first.sums(second, subtracts(operation));
        let negative = match (is_signed(&operation.operand), is_signed(&operation.result)) {
            (true, true) => Some(magnitudes.clone()),
            (true, false) => Some(first.excesses(second)),
            (false, true) => Some(second.excesses(first)),
            (false, false) => None,
        };
        Rounded { stage: Stage::Result, magnitudes, negative, listed: None, largest: Some(largest_terms(operation)) }
    }

    /// The values after they were rounded: what the output is converted from.
    fn output(&self, operation: &Operation) -> Rounded {
        let is_rectified = operation.output.is_some_and(|output| output.relu);
        let negative = self.negative.as_ref().filter(|_| !is_rectified && is_signed(&operation.result));
        Rounded {
            stage: Stage::Output,
            magnitudes: self.magnitudes.rounded(&operation.result),
            negative: negative.map(|negative| negative.rounded(&operation.result)),
            listed: None,
            largest: None,
        }
    }
}

/// Whether a format has negative values.
pub(crate) fn is_signed(format: &Format) -> bool {
    format.sign() == Sign::Signed
}

/// Whether terms of unlike sign can meet.
pub(crate) fn subtracts(operation: &Operation) -> bool {
    is_signed(&operation.operand) || (operation.shape() != Shape::Sum && is_signed(&operation.result))
}

/// The largest terms of a sum.
fn largest_terms(operation: &Operation) -> [Exact; 2] {
    let largest = |format: &Format| match format.decode(format.max_code()) {
        Value::Finite(exact) => Exact { negative: false, ..exact },
        other => unreachable!("{other} is not the largest value"),
    };
    let (operand, result) = (largest(&operation.operand), largest(&operation.result));
    let product = Exact { negative: false, n: operand.n * operand.n, k: 2 * operand.k };
    match operation.shape() {
        Shape::Sum => [operand, operand],
        Shape::RoundedAccumulation if product.exponent() >= result.exponent() || infinity_is_finite(operation) => {
            [result, result]
        }
        // Rounded up, it is the next power of two at the most.
        Shape::RoundedAccumulation => [result, Exact { negative: false, n: 1, k: product.exponent() + 1 }],
        _ if product.exponent() > result.exponent() => [product, result],
        _ => [result, product],
    }
}

/// Whether an infinite product becomes the largest value.
fn infinity_is_finite(operation: &Operation) -> bool {
    let is_infinite = |format: &Format| format.class_codes(Class::Infinity).is_some();
    is_infinite(&operation.operand) && (operation.overflow == Overflow::Saturate || !is_infinite(&operation.result))
}

/// Whether a number, which stands for those up to its last bit around it, is surely more than the sum of two terms, the
/// larger one first.
fn exceeds(number: Exact, [larger, smaller]: [Exact; 2]) -> bool {
    let binades_above = number.exponent() - larger.exponent();
    if !(0..=1).contains(&binades_above) {
        return binades_above > 1;
    }
    // Numbers of up to 56 and 106 bits, and of about the same exponent: both fit in units of the finer one.
    let k = number.k.min(larger.k);
    let excess = ((number.n - 1) << (number.k - k)).saturating_sub(larger.n << (larger.k - k));
    excess > 0 && k + excess.ilog2() as i32 > smaller.exponent()
}

/// What comes to each rounding of an operation, in their order.
pub(crate) fn exacts(operation: &Operation) -> Exacts {
    let Operation { operand, result, .. } = operation;
    let mut terms = None;
    let mut roundings = vec![];
    match operation.shape() {
        Shape::Conversion => {
            roundings.push(Rounded::new(Stage::Result, Magnitudes::of(operand), is_signed(operand)));
        }
        Shape::Product => roundings.push(Rounded::products(Stage::Result, operand)),
        Shape::Sum => terms = Some([Magnitudes::of(operand), Magnitudes::of(operand)]),
        Shape::Accumulation => terms = Some([Magnitudes::products(operand), Magnitudes::of(result)]),
        Shape::RoundedAccumulation => {
            let products = Rounded::products(Stage::Product, operand);
            let (mut rounded, values) = (products.magnitudes.rounded(result), Magnitudes::of(result));
            if let Some((_, top)) = values.ends().filter(|_| infinity_is_finite(operation)) {
                rounded.add(top, values.quantum(top).unwrap_or(top));
            }
            terms = Some([rounded, values]);
            roundings.push(products);
        }
        Shape::RunningSum | Shape::Function | Shape::Other => {}
        Shape::Parts => {
            let ports = operation.inputs();
            let exponent_reach = 1 << (ports[3].width() - 1);
            // One more bit for what is below the significand.
            let bits = ports[4].width() as i32 + 1;
            let numbers = Magnitudes::significands(-exponent_reach..=exponent_reach - 1, bits);
            roundings.push(Rounded::new(Stage::Result, numbers, true));
        }
    }
    roundings.extend(terms.as_ref().map(|terms| Rounded::sums(operation, terms)));
    if operation.output.is_some() {
        roundings.extend(roundings.last().map(|result| result.output(operation)));
    }
    Exacts { terms, roundings }
}

impl Rounded {
    /// Numbers of every kind there is, of both signs.
    pub fn samples(&self, format: &Format) -> Vec<Exact> {
        let of_sign = |magnitudes: &Magnitudes, negative| -> Vec<Exact> {
            let exacts = match &self.listed {
                Some(listed) => listed.clone(),
                None => {
                    let binades = distinct_binades(format, magnitudes);
                    let of_binade = |&(exponent, quantum): &(i32, i32)| patterns(format, exponent, quantum);
                    let all = binades.iter().flat_map(of_binade);
                    all.filter(|exact| self.largest.is_none_or(|terms| !exceeds(*exact, terms))).collect()
                }
            };
            exacts.into_iter().map(|exact| Exact { negative, ..exact }).collect()
        };
        let negative = self.negative.as_ref().map(|magnitudes| of_sign(magnitudes, true));
        [of_sign(&self.magnitudes, false), negative.unwrap_or_default()].concat()
    }
}

/// Exponents with quanta, but of the binades in the middle of a floating-point format's range, and of those below and
/// beyond it, only two with the same number of bits: in all others rounding goes as in these.
fn distinct_binades(format: &Format, magnitudes: &Magnitudes) -> Vec<(i32, i32)> {
    let Format::Float(float) = format else { return magnitudes.iter().collect() };
    let (low, high) = (float.min_exponent() as i32, float.max_exponent() as i32);
    let ordinary = |class| format.class_codes(class).map(|codes| codes.map(|code| exponent(format, code)));
    let [first, last] = ordinary(Class::Normal).unwrap_or([low, high]);
    let zone = |exponent: i32| match exponent {
        _ if exponent < low - 2 => Some(0),
        _ if (first + 2..last - 1).contains(&exponent) => Some(1),
        _ if exponent > high + 2 => Some(2),
        _ => None,
    };
    let mut binades: Vec<(i32, i32)> = magnitudes.iter().collect();
    // Those nearest to the format's range go first: there, stochastic rounding can still tell.
    binades.sort_by_key(|(exponent, _)| (i64::from(*exponent) * 2 - i64::from(low) - i64::from(high)).abs());
    let mut met: Vec<((i32, i32), u32)> = vec![];
    binades.retain(|&(exponent, quantum)| {
        let Some(zone) = zone(exponent) else { return true };
        let key = (zone, kept_bits(format, exponent, quantum));
        match met.iter_mut().find(|(other, _)| *other == key) {
            Some((_, count)) => {
                *count += 1;
                *count <= 2
            }
            None => {
                met.push((key, 1));
                true
            }
        }
    });
    binades
}

fn exponent(format: &Format, code: u128) -> i32 {
    match format.decode(code) {
        Value::Finite(exact) => exact.exponent(),
        other => unreachable!("{other} is no number"),
    }
}

/// Bits after the leading one that matter: what is further below the format's last bit is as good as a sticky bit.
fn kept_bits(format: &Format, exponent: i32, quantum: i32) -> i32 {
    (exponent - quantum).min(format.precision() as i32 + 3)
}

/// Magnitudes of an exponent, multiples of `2^quantum`, with every pattern around every bit, near both ends of the binade.
fn patterns(format: &Format, exponent: i32, quantum: i32) -> Vec<Exact> {
    let bits = kept_bits(format, exponent, quantum);
    let first = 1_u128 << bits;
    let mut fractions = vec![0, 1];
    for bit in 0..bits {
        let (one, half) = (1_u128 << bit, (1_u128 << bit) >> 1);
        fractions.extend([
            one,
            one + 1,
            one.saturating_sub(1),
            one + half,
            one + half + 1,
            one + half.saturating_sub(1),
        ]);
    }
    let both_ends = fractions.iter().flat_map(|&fraction| [first + fraction, (2 * first).saturating_sub(fraction)]);
    let mut numbers: Vec<u128> = both_ends.filter(|number| (first..2 * first).contains(number)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().map(|n| Exact { negative: false, n, k: exponent - bits }).collect()
}
