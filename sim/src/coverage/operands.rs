//! Which classes results have for which classes of operands.

use super::axes::Axis;
use super::groups::{Anatomy, Group, Stage, Vector, is_random};
use super::magnitudes::Magnitudes;
use crate::places as lanes;
use binade_golden::{Codec, Exact, Landing, Model, Value};
use binade_spec::{Class, Format, Operation, Overflow, Rounding, Shape, Sign};

/// Whether a class has negative codes that count as such.
pub(crate) fn has_negative(format: &Format, class: Class) -> bool {
    let is_unsigned = format.sign() == Sign::Unsigned;
    !(is_unsigned || class.is_nan() || (class == Class::Zero && !format.has_minus_zero()))
}

/// Marks the bins of operand classes, sign and result class that can be reached.
pub(crate) fn mark(operation: &Operation, terms: Option<&[Magnitudes; 2]>, group: &Group, possible: &mut [bool]) {
    let ports = operation.inputs();
    let formats: Vec<Format> = ports.iter().filter_map(|port| port.format()).collect();
    let axes = &group.axes[..formats.len()];
    for places in places(axes) {
        let classes: Vec<Class> = axes.iter().zip(&places).map(|(axis, &place)| axis.classes[place]).collect();
        for signs in 0..1_u32 << formats.len() {
            let negative = |at: usize| signs >> at & 1 == 1;
            if (0..formats.len()).any(|at| negative(at) && !has_negative(&formats[at], classes[at])) {
                continue;
            }
            let corners = corners(&formats, &classes, &negative);
            let mut range = ResultRange::of(operation, &corners);
            range.gap = terms.and_then(|terms| Gap::new(operation, terms, &formats, &classes));
            let results = &group.axes[formats.len() + 1];
            for (result, &class) in results.classes.iter().enumerate() {
                if range.has(&operation.result, class) {
                    let sign = usize::from(signs.count_ones() % 2 == 1);
                    possible[group.bin(places.iter().copied().chain([sign, result]))] = true;
                }
            }
        }
    }
}

/// All combinations of places on these axes.
fn places(axes: &[Axis]) -> Vec<Vec<usize>> {
    axes.iter().fold(vec![vec![]], |all, axis| {
        let more = |places: &Vec<usize>, place| [places.as_slice(), &[place]].concat();
        all.iter().flat_map(|places| (0..axis.labels.len()).map(move |place| more(places, place))).collect()
    })
}

/// Every combination of the smallest and largest codes of the classes.
fn corners(formats: &[Format], classes: &[Class], negative: &dyn Fn(usize) -> bool) -> Vec<Vec<u128>> {
    let mut all = vec![vec![]];
    for (at, (format, &class)) in formats.iter().zip(classes).enumerate() {
        let [first, last] = format.class_codes(class).expect("the axis lists the classes that the format has");
        let signed = |code: u128| if class.is_nan() { code } else { format.code(negative(at), code) };
        let mut codes = vec![signed(first), signed(last)];
        codes.dedup();
        all = all
            .iter()
            .flat_map(|before| codes.iter().map(move |&code| [before.as_slice(), &[code]].concat()))
            .collect();
    }
    all
}

/// The results between those of some vectors.
struct ResultRange {
    /// Classes of those results.
    classes: Vec<Class>,
    /// Smallest and largest place on the line of codes, negative ones below 0, if the results are numbers or zero.
    line: Option<(i128, i128)>,
    /// What a line that reaches over zero leaves out.
    gap: Option<Gap>,
}

impl ResultRange {
    /// For each corner the random words with all and no bits, in every rounding.
    fn of(operation: &Operation, corners: &[Vec<u128>]) -> ResultRange {
        let places = lanes::places(&operation.inputs());
        let (model, anatomy) = (Model::new(operation), Anatomy::of(operation));
        let mut range = ResultRange { classes: vec![], line: None, gap: None };
        let words = places.last().filter(|place| is_random(place)).map(|_| random_words(operation));
        for corner in corners {
            for word in words.as_deref().unwrap_or(&[0]) {
                let random = words.as_ref().map(|_| u128::from(*word));
                let lanes: Vec<u128> = corner.iter().copied().chain(random).collect();
                let facts = model.examine(&lanes);
                let vector = Vector { operation, anatomy: &anatomy, places: &places, lanes: &lanes, facts };
                let landing = |stage| anatomy.landing(&vector.facts, stage);
                // A product that overflows before the sum: those of smaller operands do not, but come near.
                let product = landing(Stage::Product).filter(|product| product.overflows);
                range.add(&operation.result, vector.y(), landing(Stage::Result).or(product));
            }
        }
        range
    }

    fn add(&mut self, format: &Format, y: u128, landing: Option<Landing>) {
        let class = format.class(y);
        if !self.classes.contains(&class) {
            self.classes.push(class);
        }
        let is_zero = class == Class::Zero;
        let Some(place) = landing.map(|landing| place(format, y, &landing)).or(is_zero.then_some(0)) else { return };
        let (low, high) = self.line.unwrap_or((place, place));
        self.line = Some((low.min(place), high.max(place)));
    }

    /// Whether a result between them can be of this class.
    fn has(&self, format: &Format, class: Class) -> bool {
        if self.classes.contains(&class) {
            return true;
        }
        let (Some((low, high)), Some([first, last])) = (self.line, format.class_codes(class)) else { return false };
        if !(class.is_number() || class == Class::Zero) {
            return false;
        }
        let (first, last) = (first as i128, last as i128);
        if let Some(gap) = self.gap.as_ref().filter(|_| low < 0 && high > 0) {
            return if class == Class::Zero {
                gap.has_zero
            } else {
                last >= gap.smallest && (first <= high || -first >= low)
            };
        }
        let is_signed = format.sign() == Sign::Signed;
        (low <= last && first <= high) || (is_signed && low <= -first && -last <= high)
    }
}

/// Differences do not come arbitrarily near to zero.
struct Gap {
    /// Whether one can be zero, exactly or rounded.
    has_zero: bool,
    /// Magnitude code of the smallest one above zero.
    smallest: i128,
}

impl Gap {
    /// For terms of numbers of these classes.
    fn new(operation: &Operation, terms: &[Magnitudes; 2], formats: &[Format], classes: &[Class]) -> Option<Gap> {
        let mut exponents = vec![];
        for (format, &class) in formats.iter().zip(classes) {
            exponents.push(class_exponents(format, class)?);
        }
        let [x, y] = match (operation.shape(), exponents.as_slice()) {
            (Shape::Sum, &[a, b]) => [a, b],
            (_, &[a, b, c]) => [(a.0 + b.0, a.1 + b.1 + 1), c],
            _ => return None,
        };
        // The rounded product of `mac` stays in the format, or is carried up once.
        let (low, high) = terms[0].ends()?;
        let x = if operation.shape() == Shape::RoundedAccumulation {
            (x.0.clamp(low, high), (x.1 + 1).clamp(low, high))
        } else {
            x
        };
        let within = |(low, high): (i32, i32), exponent: i32| (low..=high).contains(&exponent);
        // Terms two binades or more apart leave half of the larger one.
        let mut smallest = x.0.max(y.0).max(x.0.min(y.0) + 2) - 1;
        let mut meets = false;
        for (exponent, quantum) in terms[0].iter().filter(|(exponent, _)| within(x, *exponent)) {
            for other in (exponent - 1..=exponent + 1).filter(|&other| within(y, other)) {
                let Some(other_quantum) = terms[1].quantum(other) else { continue };
                smallest = smallest.min(quantum).min(other_quantum);
                meets |= other == exponent;
            }
        }
        let least = magnitude_toward_zero(&operation.result, smallest);
        Some(Gap { has_zero: meets || least == 0, smallest: least })
    }
}

/// Exponents of the smallest and the largest number of a class.
fn class_exponents(format: &Format, class: Class) -> Option<(i32, i32)> {
    let exponent = |code| match format.decode(code) {
        Value::Finite(exact) => Some(exact.exponent()),
        _ => None,
    };
    let [first, last] = format.class_codes(class)?;
    Some((exponent(first)?, exponent(last)?))
}

/// The magnitude code of `2^exponent`, rounded toward zero.
fn magnitude_toward_zero(format: &Format, exponent: i32) -> i128 {
    if i64::from(exponent) < format.min_exponent() {
        return 0;
    }
    let power = Value::Finite(Exact { negative: false, n: 1, k: exponent });
    format.magnitude(format.encode(power, Rounding::Rtz, Overflow::Saturate)) as i128
}

/// The random words whose parts for each rounding are all zeros or all ones.
fn random_words(operation: &Operation) -> Vec<u64> {
    let own = operation.rounding.random_bits();
    let count = operation.random_bits().checked_div(own).unwrap_or(1).max(1);
    let part = (1_u64 << own) - 1;
    let words =
        (0..1_u64 << count).map(|set| (0..count).filter(|at| set >> at & 1 == 1).map(|at| part << (at * own)).sum());
    words.collect()
}

/// The place of a rounded result on the line of signed codes; what has overflowed is at its ends.
fn place(format: &Format, y: u128, landing: &Landing) -> i128 {
    let beyond = format.max_code() as i128 + 1;
    let magnitude = match format.class(y) {
        // Negative numbers that an unsigned format turns into NaN.
        Class::Nan if format.sign() == Sign::Unsigned && landing.negative => 1,
        Class::Nan | Class::Infinity => beyond,
        _ => format.magnitude(y) as i128,
    };
    if landing.negative { -magnitude } else { magnitude }
}
