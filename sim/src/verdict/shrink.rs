//! From the vector that a run found to a simple one on which the unit is wrong, too.
//!
//! Descent: of all simpler vectors that differ from the current one by a small step in one input, else in two, the
//! simplest one that still fails is taken, until none does. The steps are bits cleared, codes nearer to that of 1 and
//! exponents moved, so that a mistake that needs two exponents to fit can follow both.

use super::report::Mismatch;
use super::scoreboard::{Counterexample, Device};
use crate::packed;
use crate::vectors::Plan;
use binade_golden::{Codec, Exact, Model, Value};
use binade_spec::{Content, Format, Operation, Overflow, Port};

/// Vectors that are evaluated, at most. Even the interpreter of circuits does this in a fraction of a second.
const EVALUATIONS: usize = 8192;

/// Vectors evaluated at once. Candidates are tried in order of simplicity, so the first failing one ends a round.
const BATCH: usize = 128;

/// How complex a vector is: the first difference decides, and less is simpler.
///
/// 1. Classes of the operands, summed: 0 for +0 or an empty word, 1 for a one, 2 for -0, another number or a word, 3 for an infinity, 4 for NaN.
/// 2. Bits from the leading one to the last one of all significands (of words: bits below the leading one).
/// 3. Ones among them.
/// 4. Distances of the exponents from 0.
/// 5. Negative operands.
/// 6. The codes themselves, so that no two vectors are equally simple.
pub fn complexity(ports: &[Port], vector: &[u64]) -> ([u64; 5], Vec<u64>) {
    let mut sums = [0; 5];
    for (port, &word) in ports.iter().zip(vector) {
        let terms = match port.content {
            Content::Code(format) => complexity_of_code(&format, word.into()),
            Content::Word { .. } => [
                if word == 0 { 0 } else { 2 },
                u64::from(u64::BITS - word.leading_zeros()),
                u64::from(word.count_ones()),
                0,
                0,
            ],
        };
        sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }
    (sums, vector.to_vec())
}

fn complexity_of_code(format: &Format, code: u128) -> [u64; 5] {
    match format.decode(code) {
        Value::Zero { negative } => [if negative { 2 } else { 0 }, 0, 0, 0, u64::from(negative)],
        Value::Finite(exact) => {
            let is_one = exact.precision() == 1 && exact.exponent() == 0;
            let class = if is_one { 1 } else { 2 };
            let distance = u64::from(exact.exponent().unsigned_abs());
            [class, exact.precision().into(), exact.n.count_ones().into(), distance, exact.negative.into()]
        }
        Value::Infinite { negative } => [3, 0, 0, 0, negative.into()],
        // Of several NaNs the one with fewest ones.
        Value::Nan => [4, 0, code.count_ones().into(), 0, 0],
    }
}

/// The simplest vector that was found to fail alone, as the first of a new instance; none if not even `found` does: the
/// answer depends on the vectors before it, or it takes a bubble or a stall. `new_instance` gives the unit as the run had it.
pub fn shrink<Instance: Device>(
    operation: &Operation,
    found: &Counterexample,
    new_instance: impl Fn() -> Instance,
) -> Option<Counterexample> {
    let alone = |vector: &Counterexample| {
        let mut search =
            Search { model: Model::new(operation), ports: operation.inputs(), unit: new_instance(), evaluations: 1 };
        search.first_failing(std::slice::from_ref(&vector.operands))
    };
    let found = Counterexample { index: found.index, ..alone(found)? };
    let mut search = Search {
        model: Model::new(operation),
        ports: operation.inputs(),
        unit: new_instance(),
        evaluations: EVALUATIONS,
    };
    let mut simplest = found.clone();
    while let Some(simpler) = search.simpler(&simplest) {
        simplest = simpler;
    }
    let simplest = alone(&simplest).map(|vector| Counterexample { index: found.index, ..vector });
    simplest.or(Some(found))
}

/// What was found, decoded and, unless the run was of that vector alone, shrunk. `new_instance` gives the unit as the run
/// had it.
pub fn explain<Instance: Device>(
    operation: &Operation,
    plan: &Plan,
    found: &Counterexample,
    new_instance: impl Fn() -> Instance,
) -> Mismatch {
    let is_replay = plan.total() == 1;
    let simplest = if is_replay { Some(found.clone()) } else { shrink(operation, found, new_instance) };
    Mismatch::new(operation, found, simplest.as_ref())
}

struct Search<Instance> {
    model: Model,
    ports: Vec<Port>,
    unit: Instance,
    /// How many are left.
    evaluations: usize,
}

impl<Instance: Device> Search<Instance> {
    /// The simplest failing vector one step (or one step in each of two inputs) from `current`, if one is simpler.
    fn simpler(&mut self, current: &Counterexample) -> Option<Counterexample> {
        let steps: Vec<Vec<u64>> =
            self.ports.iter().zip(&current.operands).map(|(port, &word)| neighbours(port, word)).collect();
        let single = self.sorted(&current.operands, single_steps(&current.operands, &steps));
        self.first_failing(&single).or_else(|| {
            let double = self.sorted(&current.operands, double_steps(&current.operands, &steps));
            self.first_failing(&double)
        })
    }

    /// Those of the candidates that are simpler than `current`, the simplest first.
    fn sorted(&self, current: &[u64], candidates: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        let limit = complexity(&self.ports, current);
        let mut keyed: Vec<_> = candidates.iter().map(|vector| complexity(&self.ports, vector)).collect();
        keyed.retain(|key| *key < limit);
        keyed.sort();
        keyed.dedup();
        keyed.into_iter().map(|(_, vector)| vector).collect()
    }

    /// The first vector on which unit and golden model disagree, of as many as may still be evaluated.
    fn first_failing(&mut self, vectors: &[Vec<u64>]) -> Option<Counterexample> {
        let affordable = &vectors[..vectors.len().min(self.evaluations)];
        for batch in affordable.chunks(BATCH) {
            self.evaluations -= batch.len();
            let columns: Vec<Vec<u64>> =
                (0..self.ports.len()).map(|at| batch.iter().map(|vector| vector[at]).collect()).collect();
            let inputs: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
            let (mut got, mut want) = (vec![0; batch.len()], vec![0; batch.len()]);
            if self.unit.evaluate(0, &inputs, &mut got).is_err() {
                // A pipelined unit whose answers are at the wrong clock: there is nothing to compare.
                continue;
            }
            packed::evaluate(&self.model, &inputs, &mut want);
            if let Some(at) = (0..batch.len()).find(|&at| got[at] != want[at]) {
                let operands = batch[at].clone();
                return Some(Counterexample { index: 0, operands, got: got[at], want: want[at], violation: None });
            }
        }
        None
    }
}

/// The vectors that differ from `vector` in one input.
fn single_steps(vector: &[u64], steps: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let changed = |at: usize| steps[at].iter().map(move |&word| with(vector, at, word));
    (0..vector.len()).flat_map(changed).collect()
}

/// The vectors that differ from `vector` in two inputs.
fn double_steps(vector: &[u64], steps: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let pairs = (0..vector.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    pairs
        .flat_map(|(first, second)| {
            let firsts = steps[first].iter().map(move |&word| with(vector, first, word));
            firsts.flat_map(move |vector| {
                steps[second].iter().map(move |&word| with(&vector, second, word)).collect::<Vec<_>>()
            })
        })
        .collect()
}

fn with(vector: &[u64], at: usize, word: u64) -> Vec<u64> {
    let mut changed = vector.to_vec();
    changed[at] = word;
    changed
}

/// Words one step away from `word`, simpler ones among them.
fn neighbours(port: &Port, word: u64) -> Vec<u64> {
    let places = (0..port.width()).filter(|place| word >> place & 1 == 1);
    let mut steps: Vec<u64> = places.map(|place| word & !(1 << place)).collect();
    steps.extend([0, 1]);
    match port.content {
        Content::Code(format) => {
            steps.extend(neighbouring_codes(&format, word.into()).into_iter().map(|code| code as u64))
        }
        Content::Word { .. } => steps.extend((1..port.width()).map(|places| word >> places)),
    }
    steps
}

fn neighbouring_codes(format: &Format, code: u128) -> Vec<u128> {
    let encode = |value| format.encode(value, format.default_rounding(), Overflow::Saturate);
    let one = |negative| encode(Value::Finite(Exact { negative, n: 1, k: 0 }));
    let mut steps = vec![format.zero_code(false), format.zero_code(true), one(false), one(true), format.negated(code)];
    steps.extend(format.infinity_code().into_iter().chain(format.nan_code()));
    let Value::Finite(exact) = format.decode(code) else { return steps };

    // The significand cut off at any place, and what comes next there.
    let (magnitude, is_negative) = (format.magnitude(code), exact.negative);
    let cut = |places: u32| magnitude >> places << places;
    let cuts = (1..format.magnitude_bits()).flat_map(|places| [cut(places), cut(places) + (1 << places)]);
    let finite = cuts.filter(|magnitude| (1..=format.max_code()).contains(magnitude));
    steps.extend(finite.map(|magnitude| format.code(is_negative, magnitude)));

    // The exponent moved, where the format has that value.
    let distances = (0..16).flat_map(|power| [1 << power, -(1 << power)]).chain([-exact.exponent()]);
    let moved = distances.map(|distance| Value::Finite(Exact { k: exact.k + distance, ..exact }));
    let in_range =
        |value: &Value| matches!(value, Value::Finite(exact) if i64::from(exact.exponent().abs()) <= reach(format));
    steps.extend(
        moved
            .filter(in_range)
            .map(|value| (encode(value), value))
            .filter(|&(code, value)| format.decode(code) == value)
            .map(|(code, _)| code),
    );
    steps
}

/// The largest distance of a value's exponent from 0.
fn reach(format: &Format) -> i64 {
    format.max_exponent().abs().max(format.min_exponent().abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_spec::Unit;

    fn y(operation: &Operation, inputs: &[u64]) -> u64 {
        packed::answers(&Model::new(operation), inputs)[0]
    }

    fn operation(unit: Unit, operand: &str, result: &str) -> Operation {
        Operation::new(unit, operand.parse().unwrap(), result.parse().unwrap())
    }

    /// Shrinks `start` for a unit that is wrong where `is_wrong` says so; how often the unit was asked.
    fn shrunk(operation: &Operation, start: &[u64], is_wrong: impl Fn(&[u64]) -> bool) -> (Vec<u64>, usize) {
        let asked = std::cell::Cell::new(0);
        let unit = |inputs: &[&[u64]], got: &mut [u64]| {
            asked.set(asked.get() + got.len());
            for (at, got) in got.iter_mut().enumerate() {
                let vector: Vec<u64> = inputs.iter().map(|column| column[at]).collect();
                *got = y(operation, &vector) ^ u64::from(is_wrong(&vector));
            }
        };
        let found = Counterexample { index: 7, operands: start.to_vec(), got: 0, want: 0, violation: None };
        let simplest = shrink(operation, &found, || unit).expect("it fails alone");
        assert_eq!(simplest.index, 7);
        assert_eq!(simplest.want, y(operation, &simplest.operands));
        (simplest.operands, asked.get())
    }

    #[test]
    fn a_unit_that_is_always_wrong_is_shown_with_zeros() {
        let fmac = Operation { rounding: binade_spec::Rounding::Sr(3), ..operation(Unit::Fmac, "e5m2b1", "binary16") };
        let (vector, asked) = shrunk(&fmac, &[0x7d, 0xbc, 0x1234, 5], |_| true);
        assert_eq!(vector, [0; 4]);
        assert!(asked <= EVALUATIONS + 1, "{asked}");
    }

    #[test]
    fn what_matters_stays() {
        let mul = operation(Unit::Mul, "binary16", "binary16");
        let is_subnormal = |code: u64| code & 0x7c00 == 0 && code & 0x3ff != 0;
        let (vector, _) = shrunk(&mul, &[0x80f3, 0xc5a7], |vector| is_subnormal(vector[0]) && vector[1] > 0x8000);
        // The largest subnormal power of two; what is simpler than a negative number above -1 is -1.
        assert_eq!(vector, [0x0200, 0xbc00]);
        let (vector, _) = shrunk(&mul, &[0x7e12, 0x3c00], |vector| vector[0] & 0x7fff > 0x7c00 && vector[1] != 0);
        assert_eq!(vector, [0x7e00, 0x3c00]);
    }

    #[test]
    fn exponents_that_must_fit_move_together() {
        let add = operation(Unit::Add, "binary32", "binary32");
        let exponent = |code: u64| (code >> 23 & 0xff) as i64;
        let (vector, _) =
            shrunk(&add, &[0x4b12_3456, 0xc512_3456], |vector| exponent(vector[0]) - exponent(vector[1]) == 12);
        assert_eq!(vector, [0x3f80_0000, 0x3980_0000]);
    }

    #[test]
    fn every_format_shrinks_within_the_bound_to_something_no_more_complex() {
        for name in
            ["e5m2b1", "e4m3fn", "k8p4uf", "e8m0", "dlfloat16", "posit16_1", "posit32_2", "binary32", "e2m1f", "e6m9n"]
        {
            let mul = operation(Unit::Mul, name, name);
            let mask = u64::MAX >> (64 - mul.operand.width());
            for seed in 1..20_u64 {
                let start = [1, 2].map(|factor| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15 * factor) & mask);
                let wrong = |vector: &[u64]| (vector[0] ^ vector[1]) % 3 == (start[0] ^ start[1]) % 3;
                let (vector, asked) = shrunk(&mul, &start, wrong);
                assert!(wrong(&vector) && asked <= EVALUATIONS + 1, "{name} {start:x?} {vector:x?} {asked}");
                assert!(complexity(&mul.inputs(), &vector) <= complexity(&mul.inputs(), &start));
                assert_eq!(shrunk(&mul, &start, wrong).0, vector, "the same each time");
            }
        }
    }

    /// A latch: wrong only after another vector. Alone, no vector fails.
    #[test]
    fn a_failure_that_needs_earlier_vectors_is_not_shrunk() {
        let mul = operation(Unit::Mul, "e2m1f", "e2m1f");
        let found = Counterexample { index: 3, operands: vec![5, 6], got: 1, want: 2, violation: None };
        let latch = || {
            let mut is_first = true;
            move |inputs: &[&[u64]], got: &mut [u64]| {
                for (at, got) in got.iter_mut().enumerate() {
                    *got = y(&mul, &[inputs[0][at], inputs[1][at]]) ^ u64::from(!is_first);
                    is_first = false;
                }
            }
        };
        assert_eq!(shrink(&mul, &found, latch), None);
    }
}
