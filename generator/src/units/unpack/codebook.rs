//! Codebook to sign, exponent, significand and class, by diagrams.

use super::unpacked::Unpacked;
use crate::units::{class::Class, listed};
use binade_circuit::{Bits, Int};
use binade_spec::{Codebook, Family, Listed};

/// Unpacks `code`: the significand is normalized.
pub fn unpack<'c>(codebook: &Codebook, code: Bits<'c>, operand: &str) -> Unpacked<'c> {
    let circuit = code.circuit();
    let name = |part: &str| format!("{operand}_{part}");
    let value = |code: u32| codebook.value(code.into());
    let is = |part: &str, kind: fn(Listed) -> bool| {
        code.look_up(&name("class_entry"), 1, |code| u64::from(kind(value(code)))).named(name(part))
    };
    let precision = codebook.precision();
    let [least, most] = codebook.exponents().map(|exponent| exponent as i64);
    let width = (64 - ((most - least) as u64).leading_zeros()).max(1);
    let ranks = Ranks::new(codebook);
    let biased = |value: Listed| value.exponent().map_or(0, |exponent| i64::from(exponent) - least) as u64;
    let digits = |value: Listed| match value {
        Listed::Number { n, .. } => n << (precision - 1 - n.ilog2()),
        Listed::Zero { .. } | Listed::Infinity { .. } | Listed::Nan => 0,
    };
    let last = least - i64::from(precision - 1);
    let about = format!(
        "Each code and its value, a number of magnitude significand * 2^(biased_exponent{last:+}), and its place among all magnitudes. The exponents and significands of 0, infinity and NaN are not used:"
    );
    let values = &codebook.values;
    circuit.table(&about, values.len(), || {
        let words = |word: &dyn Fn(Listed) -> u64| values.iter().map(|&value| word(value)).collect::<Vec<_>>();
        vec![
            ("code", listed::codes(&(0..values.len() as u64).collect::<Vec<_>>(), codebook.width())),
            ("value", values.iter().map(|&value| listed::text(value)).collect()),
            ("biased_exponent", words(&biased).iter().map(ToString::to_string).collect()),
            ("significand", listed::codes(&words(&digits), precision)),
            ("magnitude", listed::codes(&words(&|value| ranks.of(value)), ranks.bits())),
        ]
    });
    let exponent = code.look_up(&name("exponent_entry"), width, |code| biased(value(code)));
    let significand = code.look_up(&name("significand_entry"), precision, |code| digits(value(code)));
    let magnitude = code.look_up(&name("magnitude_entry"), ranks.bits(), |code| ranks.of(value(code)));
    Unpacked {
        format: (*codebook).into(),
        class: Class {
            sign: is("sign", Listed::is_negative),
            is_zero: is("is_zero", |value| matches!(value, Listed::Zero { .. })),
            is_infinite: is("is_infinite", |value| matches!(value, Listed::Infinity { .. })),
            is_nan: is("is_nan", |value| value == Listed::Nan),
            is_invalid: circuit.zero(),
        },
        magnitude: magnitude.named(name("magnitude")),
        exponent: Int::unsigned(exponent.named(name("biased_exponent"))).within(0, most - least).plus(least),
        significand: significand.named(name("significand")),
    }
}

/// The magnitudes of both signs in ascending order, from zero to infinity.
struct Ranks(Vec<(i32, u64)>);

impl Ranks {
    fn new(codebook: &Codebook) -> Ranks {
        let mut all: Vec<(i32, u64)> = codebook.values.iter().map(|value| size(*value)).collect();
        all.sort_unstable();
        all.dedup();
        Ranks(all)
    }

    fn of(&self, value: Listed) -> u64 {
        self.0.binary_search(&size(value)).map_or(0, |rank| rank as u64)
    }

    fn bits(&self) -> u32 {
        (usize::BITS - (self.0.len() - 1).leading_zeros()).max(1)
    }
}

/// Ascends with magnitudes: the exponent, and the significand at the top of a word.
fn size(value: Listed) -> (i32, u64) {
    match value {
        Listed::Zero { .. } | Listed::Nan => (i32::MIN, 0),
        Listed::Number { n, k, .. } => (k + n.ilog2() as i32, n << n.leading_zeros()),
        Listed::Infinity { .. } => (i32::MAX, 0),
    }
}
