//! The content of an array, independent of any format.

/// The most numbers per binade that are kept.
const KEPT: usize = 512;

/// Counts of an array's elements, and a sample from each binade.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The number of elements.
    pub elements: u64,
    /// Zeros.
    pub zeros: u64,
    /// NaNs.
    pub nans: u64,
    /// Infinities.
    pub infinities: u64,
    /// Negative elements.
    pub negatives: u64,
    /// The largest finite magnitude.
    pub largest: f64,
    /// The smallest nonzero magnitude; 0 if there is none.
    pub smallest: f64,
    /// The finite nonzero elements by binade, starting with that of 2^-1074.
    pub binades: Vec<Binade>,
}

/// The elements in a binade.
#[derive(Clone, Debug, Default)]
pub struct Binade {
    /// Their number.
    pub count: u64,
    /// A sample, evenly spaced; if there are few, all of them, so that an array's largest numbers are always included.
    pub kept: Vec<f64>,
    /// log2 of the distance between samples.
    stride: u32,
}

impl Binade {
    fn add(&mut self, number: f64) {
        if self.count.trailing_zeros() >= self.stride {
            if self.kept.len() == KEPT {
                let mut place = 0;
                self.kept.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.stride += 1;
            }
            self.kept.push(number);
        }
        self.count += 1;
    }
}

/// The exponent of the smallest positive number in binary64.
pub const LOWEST: i32 = -1074;

impl Survey {
    /// An empty survey.
    pub fn new() -> Survey {
        Survey { binades: vec![Binade::default(); 2098], ..Survey::default() }
    }

    /// Counts more elements.
    pub fn add(&mut self, numbers: &[f64]) {
        for &number in numbers {
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
                self.binades[(exponent(magnitude) - LOWEST) as usize].add(number);
                self.largest = self.largest.max(magnitude);
                self.smallest = if self.smallest == 0.0 { magnitude } else { self.smallest.min(magnitude) };
            }
        }
    }

    /// Adds the counts of another array, but not its samples.
    pub fn merge(&mut self, other: &Survey) {
        self.elements += other.elements;
        self.zeros += other.zeros;
        self.nans += other.nans;
        self.infinities += other.infinities;
        self.negatives += other.negatives;
        self.largest = self.largest.max(other.largest);
        let smaller = [self.smallest, other.smallest].into_iter().filter(|&number| number > 0.0).reduce(f64::min);
        self.smallest = smaller.unwrap_or(0.0);
        self.binades.iter_mut().zip(&other.binades).for_each(|(all, more)| all.count += more.count);
    }

    /// The binades from the first to the last with elements, and their counts.
    pub fn filled(&self) -> Vec<(i32, u64)> {
        let all = || self.binades.iter().enumerate().map(|(at, binade)| (LOWEST + at as i32, binade.count));
        let occupied = || all().filter(|(_, count)| *count > 0).map(|(exponent, _)| exponent);
        let (Some(first), Some(last)) = (occupied().min(), occupied().max()) else { return vec![] };
        all().filter(|(exponent, _)| (first..=last).contains(exponent)).collect()
    }
}

/// floor(log2) of a finite nonzero magnitude.
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
        let mut survey = Survey::new();
        survey.add(&numbers);
        let Survey { elements, zeros, nans, infinities, negatives, .. } = survey;
        assert_eq!((elements, zeros, nans, infinities, negatives), (8, 2, 1, 2, 2));
        assert_eq!((survey.largest, survey.smallest), (1.5, 3e-320));
        let kept: Vec<f64> = survey.binades.iter().flat_map(|binade| binade.kept.clone()).collect();
        assert_eq!(kept, [3e-320, 1.0, -1.5]);
        let filled = survey.filled();
        assert_eq!((filled[0], filled.last()), ((exponent(3e-320), 1), Some(&(0, 2))));
    }

    /// A binade with many numbers is sampled evenly; one with few is kept complete.
    #[test]
    fn each_binade_is_sampled() {
        let mut survey = Survey::new();
        let many: Vec<f64> = (0..10_000).map(|n| 1.0 + f64::from(n) / 10_000.0).collect();
        survey.add(&many);
        survey.add(&[1e9, -1e9]);
        let of = |number: f64| &survey.binades[(exponent(number) - LOWEST) as usize];
        assert_eq!((of(1.0).count, of(1e9).kept.as_slice()), (10_000, [1e9, -1e9].as_slice()));
        let kept = &of(1.0).kept;
        assert!((KEPT / 2..=KEPT).contains(&kept.len()), "{}", kept.len());
        assert!(kept.windows(2).all(|pair| (pair[1] - pair[0] - 32.0 / 10_000.0).abs() < 1e-9));
    }
}
