//! Sets of bits of a signal.

/// Some bits of a signal, as runs of neighbours.
#[derive(Clone, Default)]
pub struct Runs {
    /// The lowest and highest bit of each run, from the lowest run up; between two runs there is a bit outside the set.
    runs: Vec<(u32, u32)>,
}

impl Runs {
    /// Adds the bits `low` to `high`, both included.
    pub fn insert(&mut self, low: u32, high: u32) {
        let first = self.runs.partition_point(|&(_, end)| end + 1 < low);
        let touched = self.runs[first..].iter().take_while(|&&(start, _)| start <= high + 1).count();
        let joined = &self.runs[first..first + touched];
        let low = joined.first().map_or(low, |&(start, _)| low.min(start));
        let high = joined.last().map_or(high, |&(_, end)| high.max(end));
        self.runs.splice(first..first + touched, [(low, high)]);
    }

    /// The lowest and highest bit of each run, the lowest run first.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.runs.iter().copied()
    }

    /// The bits below `width` that are not in the set.
    pub fn gaps(&self, width: u32) -> Runs {
        let mut gaps = vec![];
        let mut next = 0;
        for &(low, high) in &self.runs {
            gaps.extend((next < low).then(|| (next, low - 1)));
            next = high + 1;
        }
        gaps.extend((next < width).then(|| (next, width - 1)));
        Runs { runs: gaps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sequences of three runs, compared with a set of single bits.
    #[test]
    fn runs_are_what_a_set_of_bits_says() {
        const WIDTH: u32 = 6;
        let ranges: Vec<(u32, u32)> = (0..WIDTH).flat_map(|low| (low..WIDTH).map(move |high| (low, high))).collect();
        for (one, two, three) in triples(&ranges) {
            let mut runs = Runs::default();
            let mut bits = [false; WIDTH as usize];
            for &(low, high) in [one, two, three] {
                runs.insert(low, high);
                (low..=high).for_each(|bit| bits[bit as usize] = true);
            }
            let is_in = |runs: &Runs, bit: u32| runs.iter().any(|(low, high)| low <= bit && bit <= high);
            assert!((0..WIDTH).all(|bit| is_in(&runs, bit) == bits[bit as usize]), "{one:?} {two:?} {three:?}");
            let gaps = runs.gaps(WIDTH);
            assert!((0..WIDTH).all(|bit| is_in(&gaps, bit) != bits[bit as usize]), "{one:?} {two:?} {three:?}");
            let apart = |runs: &Runs| runs.runs.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0);
            assert!(apart(&runs) && apart(&gaps), "{one:?} {two:?} {three:?}");
        }
    }

    fn triples<T>(items: &[T]) -> impl Iterator<Item = (&T, &T, &T)> {
        items.iter().flat_map(move |a| items.iter().flat_map(move |b| items.iter().map(move |c| (a, b, c))))
    }
}
