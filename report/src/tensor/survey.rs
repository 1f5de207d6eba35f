//! What an array holds, whatever it is rounded to.

/// Elements of the sample at the most.
const SAMPLE: u64 = 1 << 15;

/// Counts of an array's elements, and a sample of them.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// All elements.
    pub elements: u64,
    /// Those that are zero.
    pub zeros: u64,
    /// Those that are NaN.
    pub nans: u64,
    /// Those that are infinite.
    pub infinities: u64,
    /// Those below zero.
    pub negatives: u64,
    /// The largest finite magnitude.
    pub largest: f64,
    /// The smallest magnitude that is not zero; 0 if there is none.
    pub smallest: f64,
    /// How many finite elements other than zero are in each binade, from [`LOWEST`] on.
    pub binades: Vec<u64>,
    /// Elements evenly spread, finite and not zero.
    pub sample: Vec<f64>,
    /// Between elements of the sample.
    stride: u64,
}

/// The exponent of the smallest number of binary64.
pub const LOWEST: i32 = -1074;

impl Survey {
    /// Nothing yet, of an array of so many elements.
    pub fn new(elements: u64) -> Survey {
        Survey { binades: vec![0; 2098], stride: elements.div_ceil(SAMPLE).max(1), ..Survey::default() }
    }

    /// Counts more elements.
    pub fn add(&mut self, numbers: &[f64]) {
        for &number in numbers {
            let is_sampled = self.elements.is_multiple_of(self.stride);
            self.elements += 1;
            let magnitude = number.abs();
            self.negatives += u64::from(number < 0.0);
            if magnitude == 0.0 {
                self.zeros += 1;
            } else if magnitude.is_nan() {
                self.nans += 1;
            } else if magnitude.is_infinite() {
                self.infinities += 1;
            } else {
                self.binades[(exponent(magnitude) - LOWEST) as usize] += 1;
                self.largest = self.largest.max(magnitude);
                self.smallest = if self.smallest == 0.0 { magnitude } else { self.smallest.min(magnitude) };
                if is_sampled {
                    self.sample.push(number);
                }
            }
        }
    }

    /// Counts those of another array, too; its sample is left out.
    pub fn merge(&mut self, other: &Survey) {
        self.elements += other.elements;
        self.zeros += other.zeros;
        self.nans += other.nans;
        self.infinities += other.infinities;
        self.negatives += other.negatives;
        self.largest = self.largest.max(other.largest);
        let smaller = [self.smallest, other.smallest].into_iter().filter(|&number| number > 0.0).reduce(f64::min);
        self.smallest = smaller.unwrap_or(0.0);
        self.binades.iter_mut().zip(&other.binades).for_each(|(count, more)| *count += more);
    }

    /// The binades from the first to the last that has elements, with how many.
    pub fn filled(&self) -> Vec<(i32, u64)> {
        let all = || self.binades.iter().enumerate().map(|(at, &count)| (LOWEST + at as i32, count));
        let occupied = || all().filter(|(_, count)| *count > 0).map(|(exponent, _)| exponent);
        let (Some(first), Some(last)) = (occupied().min(), occupied().max()) else { return vec![] };
        all().filter(|(exponent, _)| (first..=last).contains(exponent)).collect()
    }
}

/// floor(log2) of a finite magnitude that is not zero.
pub fn exponent(magnitude: f64) -> i32 {
    let field = (magnitude.to_bits() >> 52) as i32;
    match field {
        0 => magnitude.to_bits().ilog2() as i32 + LOWEST,
        _ => field - 1023,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_exact() {
        for (number, floor) in
            [(1.0, 0), (1.999, 0), (2.0, 1), (0.5, -1), (5e-324, -1074), (2.0_f64.powi(-1022), -1022), (f64::MAX, 1023)]
        {
            assert_eq!(exponent(number), floor);
        }
    }

    #[test]
    fn all_elements_are_counted() {
        let numbers = [0.0, -0.0, 1.0, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 3e-320];
        let mut survey = Survey::new(numbers.len() as u64);
        survey.add(&numbers);
        let Survey { elements, zeros, nans, infinities, negatives, .. } = survey;
        assert_eq!((elements, zeros, nans, infinities, negatives), (8, 2, 1, 2, 2));
        assert_eq!((survey.largest, survey.smallest), (1.5, 3e-320));
        assert_eq!(survey.binades.iter().sum::<u64>(), 3);
        assert_eq!(survey.sample, [1.0, -1.5, 3e-320]);
        let filled = survey.filled();
        assert_eq!((filled[0], filled.last()), ((exponent(3e-320), 1), Some(&(0, 2))));
    }
}
