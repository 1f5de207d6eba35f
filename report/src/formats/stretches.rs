//! Stretches of a format's values: equidistant neighbours. Within a stretch the accuracy is a straight line over the logarithm of the
//! magnitude, so that its two ends suffice to draw it.

use binade_golden::{Codes, Exact, Value};
use binade_spec::Format;

/// Equidistant values above zero.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// The magnitude codes of the lower neighbours, from the first to the last; none for the step from zero to the smallest value.
    pub codes: Option<[u128; 2]>,
    /// The distance between neighbours.
    pub gap: Exact,
    /// The first lower neighbour, as a multiple of the gap.
    first: f64,
    /// The last lower neighbour, as a multiple of the gap.
    last: f64,
}

/// A number halfway between two neighbours, where rounding to nearest is worst.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Midpoint {
    /// log2 of the number.
    pub log2: f64,
    /// Correct decimal digits: log10 of the number divided by half the distance of its neighbours.
    pub digits: f64,
}

impl Stretch {
    /// The midpoints of the first two and of the last two neighbours.
    pub fn ends(&self) -> [Midpoint; 2] {
        [self.first, self.last]
            .map(|lower| Midpoint { log2: log2(self.gap) + (lower + 0.5).log2(), digits: (2.0 * lower + 1.0).log10() })
    }

    /// log2 of the first lower neighbour (of the gap if that is zero) and of the value above the last one.
    pub fn reach(&self) -> [f64; 2] {
        [self.first.max(1.0), self.last + 1.0].map(|multiple| log2(self.gap) + multiple.log2())
    }
}

/// The most correct decimal digits at any midpoint of a format's values.
pub fn most_digits(format: &Format) -> f64 {
    most_digits_of(&stretches(format))
}

/// The most correct decimal digits in any of these stretches.
pub(super) fn most_digits_of(stretches: &[Stretch]) -> f64 {
    stretches.iter().flat_map(Stretch::ends).map(|end| end.digits).fold(0.0, f64::max)
}

/// All stretches of a format, from zero (if it has one) to its largest value.
pub fn stretches(format: &Format) -> Vec<Stretch> {
    let codes = Codes::new(*format);
    let (smallest, largest) = (format.min_code(), format.max_code());
    let mut found = vec![];
    if smallest > 0 {
        found.push(Stretch { codes: None, gap: value(&codes, smallest), first: 0.0, last: 0.0 });
    }
    let mut first = smallest;
    while first < largest {
        let gap = gap(&codes, first);
        let last = last_alike(&codes, first, largest - 1, gap);
        let multiple = |code| ratio(value(&codes, code), gap);
        found.push(Stretch { codes: Some([first, last]), gap, first: multiple(first), last: multiple(last) });
        first = last + 1;
    }
    found
}

/// The last code up to `most` such that it and all codes from `first` on have the gap `same`. The search doubles its steps, then halves
/// them. A gap that stays the same for one step never shrinks later, so if the gaps at both ends are equal, all between are too. Those of a
/// codebook are in any order, and looked at one by one.
fn last_alike(codes: &Codes, first: u128, most: u128, same: Exact) -> u128 {
    let is_alike = |code: u128| gap(codes, code) == same;
    if let Format::Codebook(_) = **codes {
        return (first..=most).take_while(|&code| is_alike(code)).last().unwrap_or(first);
    }
    let (mut last, mut step) = (first, 1);
    while step <= most - last && is_alike(last + step) {
        last += step;
        step *= 2;
    }
    while step > 0 {
        if step <= most - last && is_alike(last + step) {
            last += step;
        }
        step /= 2;
    }
    last
}

/// The distance from the value of a magnitude code to the next.
fn gap(codes: &Codes, code: u128) -> Exact {
    let (lower, upper) = (value(codes, code), value(codes, code + 1));
    let k = lower.k.min(upper.k);
    let scaled = |exact: Exact| exact.n << (exact.k - k);
    Exact { negative: false, n: scaled(upper) - scaled(lower), k }
}

/// The value of a nonzero finite magnitude code, with an odd integer.
pub(crate) fn value(codes: &Codes, magnitude: u128) -> Exact {
    match codes.decode(codes.code(false, magnitude)) {
        Value::Finite(exact) => {
            let zeros = exact.n.trailing_zeros();
            Exact { n: exact.n >> zeros, k: exact.k + zeros as i32, ..exact }
        }
        Value::Zero { .. } | Value::Infinite { .. } | Value::Nan => {
            unreachable!("magnitude codes from the smallest to the largest are finite")
        }
    }
}

/// The quotient in binary64.
fn ratio(above: Exact, below: Exact) -> f64 {
    above.n as f64 / below.n as f64 * 2_f64.powi(above.k - below.k)
}

/// log2 of the magnitude, in binary64.
pub(crate) fn log2(exact: Exact) -> f64 {
    (exact.n as f64).log2() + f64::from(exact.k)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str) -> Format {
        name.parse().expect("a format")
    }

    /// Compares with the gaps of all codes, one by one.
    #[test]
    fn stretches_are_those_of_all_codes() {
        for name in [
            "e5m2",
            "e5m2b1",
            "e4m3b2",
            "e4m3fn",
            "e4m3n",
            "e4m3ns",
            "e2m1f",
            "e5m0",
            "e8m0",
            "k8p3se",
            "k8p4uf",
            "posit8_0",
            "posit16_1",
            "posit16_2",
            "posit10_3",
            "bfloat16",
            "binary16",
            "dlfloat16",
            "int8",
            "ufixed12_4",
            "posit16_1,scale=2^-6",
            "nf4",
            "hifloat8",
        ] {
            let format = format(name);
            let codes = Codes::new(format);
            let found = stretches(&format);
            let mut next = format.min_code();
            for stretch in &found {
                let Some([first, last]) = stretch.codes else { continue };
                assert_eq!(first, next, "{name}");
                assert!((first..=last).all(|code| gap(&codes, code) == stretch.gap), "{name}");
                assert!(last + 1 == format.max_code() || gap(&codes, last + 1) != stretch.gap, "{name}: {last}");
                next = last + 1;
            }
            assert_eq!(next, format.max_code(), "{name}");
        }
    }

    /// The peaks in the papers' plots of accuracy: 15, 511, 4095 and 16383 half ulps.
    #[test]
    fn most_digits_are_known() {
        for (name, halves) in [("e5m2", 15.0), ("bfloat16", 511.0), ("binary16", 4095.0), ("posit16_1", 16383.0)] {
            assert!((most_digits(&format(name)) - f64::log10(halves)).abs() < 1e-12, "{name}");
        }
        let shown: Vec<String> = ["e5m2", "bfloat16", "binary16", "posit16_1"]
            .map(|name| format!("{:.2}", most_digits(&format(name))))
            .into();
        assert_eq!(shown, ["1.18", "2.71", "3.61", "4.21"]);
    }

    /// A scale only moves the accuracy, here by 2 binades, which are 0.6 decades.
    #[test]
    fn a_scale_moves_the_peak() {
        let at = |name: &str| -> Vec<Midpoint> { stretches(&format(name)).iter().flat_map(Stretch::ends).collect() };
        for (plain, scaled) in at("posit16_1").iter().zip(at("posit16_1,scale=2^-2")) {
            assert_eq!((plain.log2 - 2.0, plain.digits), (scaled.log2, scaled.digits));
        }
    }

    /// Wide formats take no longer, since nothing is enumerated.
    #[test]
    fn wide_formats_have_stretches() {
        assert_eq!(stretches(&Format::binary32()).len(), 255);
        assert_eq!(stretches(&Format::binary128()).len(), 32_767);
        assert!((most_digits(&Format::binary64()) - f64::log10(f64::from(2.0_f32.powi(54) - 1.0))).abs() < 1e-9);
        assert_eq!(stretches(&format("int64")).len(), 2);
    }
}
