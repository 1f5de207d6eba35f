//! The codes on either side of a code.

use crate::Codes;
use binade_spec::Class;

impl Codes {
    /// The codes of the neighbouring values of a code: toward zero, and away from it. Zero and codes flushed to it have
    /// no neighbour toward zero; the largest value has none away from zero; infinities and NaN have none.
    pub fn neighbours(&self, code: u128) -> [Option<u128>; 2] {
        let magnitude = self.magnitude(code);
        let negative = self.is_negative(code);
        let of =
            |magnitude: u128| if magnitude == 0 { self.zero_code(negative) } else { self.code(negative, magnitude) };
        let largest = self.max_magnitude(negative);
        let is_number = self.class(code) != Class::Infinity && !self.is_nan(code) && magnitude <= largest;
        // Zero is below the smallest magnitude, if the format has it; flushed codes are skipped.
        let smallest = self.min_code();
        let below = if magnitude == smallest { 0 } else { magnitude.saturating_sub(1) };
        let toward_zero = (is_number && magnitude > 0 && magnitude >= smallest).then(|| of(below));
        let away_from_zero = (is_number && magnitude < largest).then(|| of(smallest.max(magnitude + 1)));
        [toward_zero, away_from_zero]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;
    use binade_spec::Format;

    /// The neighbours of a value are the next values of its sign among all codes, if there are any.
    #[test]
    fn neighbours_are_the_next_values() {
        for name in [
            "e5m2", "e5m2b1", "e4m3fn", "e2m1f", "e8m0", "k8p3se", "e4m3n", "posit8_1", "int8", "uint8", "nf4",
            "hifloat8",
        ] {
            let format: Format = name.parse().expect("a format");
            let codes = Codes::new(format);
            // Sign and magnitude; a zero may have a sign, too.
            let value = |code: u128| match codes.decode(code) {
                Value::Zero { negative } => Some((negative, 0.0)),
                Value::Finite(exact) => Some((exact.negative, exact.n as f64 * f64::from(exact.k).exp2())),
                Value::Infinite { .. } | Value::Nan => None,
            };
            let all: Vec<(bool, f64)> = (0..1 << format.width()).filter_map(value).collect();
            for code in 0..1 << format.width() {
                let signed = |negative: bool, size: f64| if negative { -size } else { size };
                let wanted = value(code).map_or([None, None], |(negative, size)| {
                    let of_sign =
                        || all.iter().filter(|other| other.0 == negative || other.1 == 0.0).map(|other| other.1);
                    let below = of_sign().filter(|other| *other < size).max_by(f64::total_cmp);
                    let above = of_sign().filter(|other| *other > size).min_by(f64::total_cmp);
                    [below, above].map(|neighbour| neighbour.map(|size| signed(negative, size)))
                });
                let number = |code: u128| value(code).map(|(negative, size)| signed(negative, size)).expect("a number");
                let found = codes.neighbours(code).map(|neighbour| neighbour.map(number));
                assert_eq!(found, wanted, "{name} {code:#x}");
            }
        }
    }
}
